-- What search reads of a message: its words as hashed stems, its vectors, and where and when it was said.
CREATE TABLE message_index (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    message_id uuid NOT NULL,
    conversation_id uuid NOT NULL,
    turn_number integer NOT NULL,
    role text NOT NULL,
    created_at timestamptz NOT NULL,
    indexed_at timestamptz NOT NULL,
    mark integer NOT NULL,
    terms bytea NOT NULL,
    vectors bytea NOT NULL,
    model text NOT NULL,
    PRIMARY KEY (tenant_id, user_id, message_id),
    FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE
);

-- Hashes and vectors do not compress; trying costs more than reading them.
ALTER TABLE message_index ALTER COLUMN terms SET STORAGE EXTERNAL, ALTER COLUMN vectors SET STORAGE EXTERNAL;

CREATE INDEX message_index_by_message ON message_index (tenant_id, message_id);
CREATE INDEX message_index_by_arrival ON message_index (tenant_id, user_id, indexed_at) INCLUDE (mark);
CREATE INDEX message_index_by_model ON message_index (tenant_id, model);

-- Messages that are not indexed yet, or not by the present model. The table itself queues them, so that no way of
-- writing a message can forget it.
CREATE TABLE index_queue (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    message_id uuid NOT NULL,
    claimed_until timestamptz,
    PRIMARY KEY (tenant_id, user_id, message_id)
);

CREATE FUNCTION gunita_queue_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO index_queue (tenant_id, user_id, message_id) SELECT tenant_id, user_id, id FROM written
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE FUNCTION gunita_forget_queued_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM index_queue USING gone
    WHERE index_queue.tenant_id = gone.tenant_id AND index_queue.user_id = gone.user_id
      AND index_queue.message_id = gone.id;
    RETURN NULL;
END $$;

CREATE TRIGGER messages_are_queued AFTER INSERT ON messages
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION gunita_queue_messages();
CREATE TRIGGER messages_are_queued_anew AFTER UPDATE ON messages
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION gunita_queue_messages();
CREATE TRIGGER messages_leave_the_queue AFTER DELETE ON messages
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION gunita_forget_queued_messages();

-- The functions find their tables in the schema they were made in, whatever path the caller has.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION gunita_queue_messages() SET search_path = %I', current_schema());
    EXECUTE format('ALTER FUNCTION gunita_forget_queued_messages() SET search_path = %I', current_schema());
END $$;

INSERT INTO index_queue (tenant_id, user_id, message_id) SELECT tenant_id, user_id, id FROM messages;

CREATE INDEX memories_without_vector ON memories (tenant_id, user_id, id) WHERE vector_model IS NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON message_index, index_queue TO gunita_app;

ALTER TABLE message_index ENABLE ROW LEVEL SECURITY;
CREATE POLICY message_index_of_the_scope ON message_index TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));

ALTER TABLE index_queue ENABLE ROW LEVEL SECURITY;
CREATE POLICY index_queue_of_the_scope ON index_queue TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));

-- A worker serves every tenant and takes their names from here, one look past the policies; all it then reads and
-- writes is under the scope of one of them.
CREATE FUNCTION gunita_tenants_to_index() RETURNS TABLE (tenant_id text)
    LANGUAGE sql STABLE SECURITY DEFINER
BEGIN ATOMIC
    SELECT waiting.tenant_id FROM index_queue AS waiting
    UNION
    SELECT waiting.tenant_id FROM memories AS waiting WHERE waiting.vector_model IS NULL;
END;
CREATE FUNCTION gunita_tenants_of_other_models(present text) RETURNS TABLE (tenant_id text)
    LANGUAGE sql STABLE SECURITY DEFINER
BEGIN ATOMIC
    SELECT kept.tenant_id FROM message_index AS kept WHERE kept.model <> present
    UNION
    SELECT kept.tenant_id FROM memories AS kept WHERE kept.vector_model <> present;
END;
REVOKE EXECUTE ON FUNCTION gunita_tenants_to_index(), gunita_tenants_of_other_models(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gunita_tenants_to_index(), gunita_tenants_of_other_models(text) TO gunita_app;
