-- What was believed before: each row tells what a memory said, from when to when, and which message ended or touched it.
CREATE TABLE memory_history (
    tenant_id TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    user_id TEXT NOT NULL,
    memory_type TEXT NOT NULL,
    category TEXT,
    content TEXT NOT NULL,
    confidence REAL NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
    source_conversation_id TEXT,
    source_message_id TEXT,
    believed_from INTEGER NOT NULL,
    believed_until INTEGER NOT NULL,
    reason TEXT NOT NULL CHECK (reason IN ('superseded', 'confirmed', 'doubted', 'edited')),
    caused_by_message_id TEXT,
    PRIMARY KEY (tenant_id, memory_id, id),
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX memory_history_by_user ON memory_history (tenant_id, user_id);

-- Messages that a deleted memory was learnt from: nothing is learnt from them again. They hold no text.
CREATE TABLE forgotten_sources (
    tenant_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    forgotten_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, user_id, message_id),
    FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX forgotten_sources_by_message ON forgotten_sources (tenant_id, message_id);

-- How far each conversation has been read for memories.
CREATE TABLE extraction_cursors (
    tenant_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    through_turn INTEGER NOT NULL CHECK (through_turn >= 0),
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, conversation_id),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
