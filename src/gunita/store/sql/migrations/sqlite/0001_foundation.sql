-- Times are microseconds since 1970 in UTC, ids are UUIDs as text, JSON is text, the null tenant is ''.
-- Every key starts with the tenant, which would be the distribution column of a sharded database.

CREATE TABLE conversations (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    user_id TEXT NOT NULL CHECK (length(user_id) BETWEEN 1 AND 255),
    title TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    document_context TEXT NOT NULL DEFAULT '[]',
    message_count INTEGER NOT NULL DEFAULT 0 CHECK (message_count >= 0),
    turn_count INTEGER NOT NULL DEFAULT 0 CHECK (turn_count >= 0),
    token_count INTEGER NOT NULL DEFAULT 0 CHECK (token_count >= 0),
    awaits_answer INTEGER NOT NULL DEFAULT 0 CHECK (awaits_answer IN (0, 1)),
    metadata TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX conversations_by_recency ON conversations (tenant_id, user_id, updated_at DESC);

CREATE TABLE messages (
    tenant_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    turn_number INTEGER NOT NULL CHECK (turn_number >= 1),
    role TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    id TEXT NOT NULL CHECK (length(id) = 36),
    user_id TEXT NOT NULL,
    content TEXT NOT NULL CHECK (
        trim(content, char(9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197,
                           8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288)) <> ''
    ),
    created_at INTEGER NOT NULL,
    token_count INTEGER NOT NULL DEFAULT 0 CHECK (token_count >= 0),
    metadata TEXT,
    tool_calls TEXT,
    suggested_values TEXT,
    suggested_actions TEXT,
    custom_payload TEXT,
    PRIMARY KEY (tenant_id, conversation_id, turn_number, role),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Ids are ordered by time, so these two also serve "newest of a user" and "older than".
CREATE UNIQUE INDEX messages_by_id ON messages (tenant_id, id);
CREATE INDEX messages_by_user ON messages (tenant_id, user_id, id);

CREATE VIEW conversation_turns AS
SELECT asked.id, asked.conversation_id AS session_id, asked.user_id, asked.turn_number,
       asked.content AS query_text, answered.content AS response_text, asked.created_at, answered.metadata,
       asked.tenant_id
FROM messages AS asked
JOIN messages AS answered
  ON answered.tenant_id = asked.tenant_id
 AND answered.conversation_id = asked.conversation_id
 AND answered.turn_number = asked.turn_number
 AND answered.role = 'assistant'
WHERE asked.role = 'user';

CREATE TABLE summaries (
    tenant_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    through_turn INTEGER NOT NULL CHECK (through_turn >= 1),
    user_id TEXT NOT NULL,
    content TEXT NOT NULL,
    key_topics TEXT NOT NULL DEFAULT '[]',
    method TEXT NOT NULL,
    token_count INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, conversation_id, through_turn),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE memories (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    user_id TEXT NOT NULL CHECK (length(user_id) BETWEEN 1 AND 255),
    memory_type TEXT NOT NULL CHECK (memory_type IN ('fact', 'preference', 'entity', 'project', 'decision')),
    category TEXT,
    content TEXT NOT NULL CHECK (
        trim(content, char(9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197,
                           8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288)) <> ''
    ),
    source_conversation_id TEXT,
    source_message_id TEXT,
    created_at INTEGER NOT NULL,
    last_accessed_at INTEGER,
    access_count INTEGER NOT NULL DEFAULT 0 CHECK (access_count >= 0),
    pinned INTEGER NOT NULL DEFAULT 0 CHECK (pinned IN (0, 1)),
    archived INTEGER NOT NULL DEFAULT 0 CHECK (archived IN (0, 1)),
    confidence REAL NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0.0 AND 1.0),
    vector BLOB,
    vector_model TEXT,
    PRIMARY KEY (tenant_id, id),
    CHECK ((vector IS NULL) = (vector_model IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX memories_by_user ON memories (tenant_id, user_id, id);
CREATE INDEX memories_by_source ON memories (tenant_id, source_conversation_id) WHERE source_conversation_id IS NOT NULL;

CREATE TABLE user_memory (
    tenant_id TEXT NOT NULL,
    user_id TEXT NOT NULL CHECK (length(user_id) BETWEEN 1 AND 255),
    key TEXT NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
    value TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, user_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE user_state (
    tenant_id TEXT NOT NULL,
    user_id TEXT NOT NULL CHECK (length(user_id) BETWEEN 1 AND 255),
    mode TEXT NOT NULL CHECK (length(mode) BETWEEN 1 AND 255),
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
) STRICT, WITHOUT ROWID;

-- Short-term memory: apart from the long-term tables, not touching them and not touched by them.
CREATE TABLE pending_clarifications (
    tenant_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    payload TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, conversation_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX pending_clarifications_by_expiry ON pending_clarifications (expires_at);

CREATE TABLE jobs (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    conversation_id TEXT,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL DEFAULT '{}',
    run_after INTEGER NOT NULL,
    claimed_until INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_by_due ON jobs (kind, run_after);
CREATE INDEX jobs_by_conversation ON jobs (tenant_id, conversation_id) WHERE conversation_id IS NOT NULL;

CREATE TABLE api_keys (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('service', 'user')),
    user_id TEXT,
    key_hash TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER,
    PRIMARY KEY (tenant_id, id),
    CHECK ((role = 'user') = (user_id IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE receipts (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    conversation_id TEXT,
    turn_number INTEGER,
    kind TEXT NOT NULL CHECK (kind IN ('context', 'deletion')),
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX receipts_by_conversation ON receipts (tenant_id, conversation_id, turn_number);

-- A request that is sent twice under one id is answered once.
CREATE TABLE requests (
    tenant_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    request_id TEXT NOT NULL CHECK (length(request_id) BETWEEN 1 AND 255),
    conversation_id TEXT NOT NULL,
    turn_number INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, user_id, request_id),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX requests_by_conversation ON requests (tenant_id, conversation_id);

-- What a reference was taken for, and what it meant as its user said afterwards.
CREATE TABLE corrections (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    turn_number INTEGER NOT NULL,
    understood TEXT NOT NULL,
    meant TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX corrections_by_conversation ON corrections (tenant_id, conversation_id);
