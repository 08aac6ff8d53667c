-- What search reads of a message: its words as hashed stems, its vectors, and where and when it was said. A user's rows
-- lie together, because a search reads all of them once and keeps them.
CREATE TABLE message_index (
    tenant_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    turn_number INTEGER NOT NULL,
    role TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    indexed_at INTEGER NOT NULL,
    mark INTEGER NOT NULL,
    terms BLOB NOT NULL,
    vectors BLOB NOT NULL,
    model TEXT NOT NULL,
    PRIMARY KEY (tenant_id, user_id, message_id),
    FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX message_index_by_message ON message_index (tenant_id, message_id);
CREATE INDEX message_index_by_arrival ON message_index (tenant_id, user_id, indexed_at, mark);
CREATE INDEX message_index_by_model ON message_index (tenant_id, model);

-- Messages that are not indexed yet, or not by the present model. The table itself queues them, so that no way of
-- writing a message can forget it.
CREATE TABLE index_queue (
    tenant_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    claimed_until INTEGER,
    PRIMARY KEY (tenant_id, user_id, message_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER messages_are_queued AFTER INSERT ON messages BEGIN
    INSERT INTO index_queue (tenant_id, user_id, message_id) VALUES (new.tenant_id, new.user_id, new.id);
END;

CREATE TRIGGER messages_are_queued_anew AFTER UPDATE OF content ON messages BEGIN
    INSERT INTO index_queue (tenant_id, user_id, message_id) VALUES (new.tenant_id, new.user_id, new.id)
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER messages_leave_the_queue AFTER DELETE ON messages BEGIN
    DELETE FROM index_queue
    WHERE tenant_id = old.tenant_id AND user_id = old.user_id AND message_id = old.id;
END;

INSERT INTO index_queue (tenant_id, user_id, message_id) SELECT tenant_id, user_id, id FROM messages;

CREATE INDEX memories_without_vector ON memories (tenant_id, user_id, id) WHERE vector_model IS NULL;
