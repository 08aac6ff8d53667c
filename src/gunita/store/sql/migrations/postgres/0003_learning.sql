-- What was believed before: each row tells what a memory said, from when to when, and which message ended or touched it.
CREATE TABLE memory_history (
    tenant_id text NOT NULL,
    memory_id uuid NOT NULL,
    id uuid NOT NULL,
    user_id text NOT NULL,
    memory_type text NOT NULL,
    category text,
    content text NOT NULL,
    confidence double precision NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
    source_conversation_id uuid,
    source_message_id uuid,
    believed_from timestamptz NOT NULL,
    believed_until timestamptz NOT NULL,
    reason text NOT NULL CHECK (reason IN ('superseded', 'confirmed', 'doubted', 'edited')),
    caused_by_message_id uuid,
    PRIMARY KEY (tenant_id, memory_id, id),
    FOREIGN KEY (tenant_id, memory_id) REFERENCES memories (tenant_id, id) ON DELETE CASCADE
);

CREATE INDEX memory_history_by_user ON memory_history (tenant_id, user_id);

-- Messages that a deleted memory was learnt from: nothing is learnt from them again. They hold no text.
CREATE TABLE forgotten_sources (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    message_id uuid NOT NULL,
    forgotten_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, user_id, message_id),
    FOREIGN KEY (tenant_id, message_id) REFERENCES messages (tenant_id, id) ON DELETE CASCADE
);

CREATE INDEX forgotten_sources_by_message ON forgotten_sources (tenant_id, message_id);

-- How far each conversation has been read for memories.
CREATE TABLE extraction_cursors (
    tenant_id text NOT NULL,
    conversation_id uuid NOT NULL,
    user_id text NOT NULL,
    through_turn integer NOT NULL CHECK (through_turn >= 0),
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, conversation_id),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
);

GRANT SELECT, INSERT, UPDATE, DELETE ON memory_history, forgotten_sources, extraction_cursors TO gunita_app;
GRANT SELECT ON memory_history TO gunita_client;

ALTER TABLE memory_history ENABLE ROW LEVEL SECURITY;
CREATE POLICY memory_history_of_the_scope ON memory_history TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));
CREATE POLICY memory_history_of_the_token ON memory_history FOR SELECT TO gunita_client
    USING (tenant_id = (SELECT gunita_claimed_tenant()) AND user_id = (SELECT gunita_claimed_user()));

ALTER TABLE forgotten_sources ENABLE ROW LEVEL SECURITY;
CREATE POLICY forgotten_sources_of_the_scope ON forgotten_sources TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));

ALTER TABLE extraction_cursors ENABLE ROW LEVEL SECURITY;
CREATE POLICY extraction_cursors_of_the_scope ON extraction_cursors TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));

-- A worker serves every tenant and takes their names from here, one look past the policies; all it then reads and
-- writes is under the scope of one of them.
CREATE FUNCTION gunita_tenants_to_learn(moment timestamptz) RETURNS TABLE (tenant_id text)
    LANGUAGE sql STABLE SECURITY DEFINER
BEGIN ATOMIC
    SELECT DISTINCT waiting.tenant_id FROM jobs AS waiting WHERE waiting.kind = 'extract' AND waiting.run_after <= moment;
END;
REVOKE EXECUTE ON FUNCTION gunita_tenants_to_learn(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gunita_tenants_to_learn(timestamptz) TO gunita_app;
