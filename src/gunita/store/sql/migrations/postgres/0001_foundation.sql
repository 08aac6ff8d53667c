-- JSON is json, not jsonb: jsonb turns 1e16 into an integer, reorders keys and refuses \u0000; json gives back what was given.
-- The null tenant is ''.
-- Every key starts with the tenant, which would be the distribution column of a sharded database.

CREATE TABLE conversations (
    tenant_id text NOT NULL,
    id uuid NOT NULL,
    user_id text NOT NULL CHECK (length(user_id) BETWEEN 1 AND 255),
    title text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    archived boolean NOT NULL DEFAULT false,
    pinned boolean NOT NULL DEFAULT false,
    document_context json NOT NULL DEFAULT '[]',
    message_count integer NOT NULL DEFAULT 0 CHECK (message_count >= 0),
    turn_count integer NOT NULL DEFAULT 0 CHECK (turn_count >= 0),
    token_count integer NOT NULL DEFAULT 0 CHECK (token_count >= 0),
    awaits_answer boolean NOT NULL DEFAULT false,
    metadata json NOT NULL DEFAULT '{}',
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX conversations_by_recency ON conversations (tenant_id, user_id, updated_at DESC);

CREATE TABLE messages (
    tenant_id text NOT NULL,
    conversation_id uuid NOT NULL,
    turn_number integer NOT NULL CHECK (turn_number >= 1),
    role text NOT NULL CHECK (role IN ('user', 'assistant')),
    id uuid NOT NULL,
    user_id text NOT NULL,
    content text NOT NULL CHECK (
        btrim(content, E'\t\n\x0b\f\r\x1c\x1d\x1e\x1f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006'
                       '\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') <> ''
    ),
    created_at timestamptz NOT NULL,
    token_count integer NOT NULL DEFAULT 0 CHECK (token_count >= 0),
    metadata json,
    tool_calls json,
    suggested_values json,
    suggested_actions json,
    custom_payload json,
    PRIMARY KEY (tenant_id, conversation_id, turn_number, role),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
);

-- Ids are ordered by time, so these two also serve "newest of a user" and "older than".
CREATE UNIQUE INDEX messages_by_id ON messages (tenant_id, id);
CREATE INDEX messages_by_user ON messages (tenant_id, user_id, id);

CREATE VIEW conversation_turns WITH (security_invoker = true) AS
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
    tenant_id text NOT NULL,
    conversation_id uuid NOT NULL,
    through_turn integer NOT NULL CHECK (through_turn >= 1),
    user_id text NOT NULL,
    content text NOT NULL,
    key_topics json NOT NULL DEFAULT '[]',
    method text NOT NULL,
    token_count integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, conversation_id, through_turn),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
);

CREATE TABLE memories (
    tenant_id text NOT NULL,
    id uuid NOT NULL,
    user_id text NOT NULL CHECK (length(user_id) BETWEEN 1 AND 255),
    memory_type text NOT NULL CHECK (memory_type IN ('fact', 'preference', 'entity', 'project', 'decision')),
    category text,
    content text NOT NULL CHECK (
        btrim(content, E'\t\n\x0b\f\r\x1c\x1d\x1e\x1f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006'
                       '\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000') <> ''
    ),
    source_conversation_id uuid,
    source_message_id uuid,
    created_at timestamptz NOT NULL,
    last_accessed_at timestamptz,
    access_count integer NOT NULL DEFAULT 0 CHECK (access_count >= 0),
    pinned boolean NOT NULL DEFAULT false,
    archived boolean NOT NULL DEFAULT false,
    confidence double precision NOT NULL DEFAULT 1.0 CHECK (confidence BETWEEN 0.0 AND 1.0),
    vector bytea,
    vector_model text,
    PRIMARY KEY (tenant_id, id),
    CHECK ((vector IS NULL) = (vector_model IS NULL))
);

CREATE INDEX memories_by_user ON memories (tenant_id, user_id, id);
CREATE INDEX memories_by_source ON memories (tenant_id, source_conversation_id) WHERE source_conversation_id IS NOT NULL;

CREATE TABLE user_memory (
    tenant_id text NOT NULL,
    user_id text NOT NULL CHECK (length(user_id) BETWEEN 1 AND 255),
    key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
    value json NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, user_id, key)
);

CREATE TABLE user_state (
    tenant_id text NOT NULL,
    user_id text NOT NULL CHECK (length(user_id) BETWEEN 1 AND 255),
    mode text NOT NULL CHECK (length(mode) BETWEEN 1 AND 255),
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, user_id)
);

-- Short-term memory: apart from the long-term tables, not touching them and not touched by them.
CREATE UNLOGGED TABLE pending_clarifications (
    tenant_id text NOT NULL,
    conversation_id uuid NOT NULL,
    user_id text NOT NULL,
    payload json NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, conversation_id)
);

CREATE INDEX pending_clarifications_by_expiry ON pending_clarifications (expires_at);

CREATE TABLE jobs (
    tenant_id text NOT NULL,
    id uuid NOT NULL,
    user_id text NOT NULL,
    conversation_id uuid,
    kind text NOT NULL,
    payload json NOT NULL DEFAULT '{}',
    run_after timestamptz NOT NULL,
    claimed_until timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX jobs_by_due ON jobs (kind, run_after);
CREATE INDEX jobs_by_conversation ON jobs (tenant_id, conversation_id) WHERE conversation_id IS NOT NULL;

CREATE TABLE api_keys (
    tenant_id text NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('service', 'user')),
    user_id text,
    key_hash text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL,
    last_used_at timestamptz,
    revoked_at timestamptz,
    PRIMARY KEY (tenant_id, id),
    CHECK ((role = 'user') = (user_id IS NOT NULL))
);

CREATE TABLE receipts (
    tenant_id text NOT NULL,
    id uuid NOT NULL,
    user_id text NOT NULL,
    conversation_id uuid,
    turn_number integer,
    kind text NOT NULL CHECK (kind IN ('context', 'deletion')),
    body json NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
);

CREATE INDEX receipts_by_conversation ON receipts (tenant_id, conversation_id, turn_number);

-- A request that is sent twice under one id is answered once.
CREATE TABLE requests (
    tenant_id text NOT NULL,
    user_id text NOT NULL,
    request_id text NOT NULL CHECK (length(request_id) BETWEEN 1 AND 255),
    conversation_id uuid NOT NULL,
    turn_number integer NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, user_id, request_id),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
);

CREATE INDEX requests_by_conversation ON requests (tenant_id, conversation_id);

-- What a reference was taken for, and what it meant as its user said afterwards.
CREATE TABLE corrections (
    tenant_id text NOT NULL,
    id uuid NOT NULL,
    user_id text NOT NULL,
    conversation_id uuid NOT NULL,
    turn_number integer NOT NULL,
    understood json NOT NULL,
    meant json NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id),
    FOREIGN KEY (tenant_id, conversation_id) REFERENCES conversations (tenant_id, id) ON DELETE CASCADE
);

CREATE INDEX corrections_by_conversation ON corrections (tenant_id, conversation_id);

-- Row-level security: the second lock. The tables' owner makes them; the service works as gunita_app, which owns nothing
-- and sees only the scope that it announces; a Supabase client works as gunita_client and sees what its token says.

-- Roles belong to the whole server: another database's migration may make them at this very moment, and an owner who
-- may not make roles can use those that an administrator made.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gunita_app') THEN
        CREATE ROLE gunita_app NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'gunita_client') THEN
        CREATE ROLE gunita_client NOLOGIN;
    END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$;

DO $$
BEGIN
    IF current_setting('is_superuser') = 'off' THEN
        EXECUTE format('GRANT gunita_app TO %I', current_user);
    END IF;
EXCEPTION WHEN insufficient_privilege THEN
    IF NOT pg_has_role(current_user, 'gunita_app', 'MEMBER') THEN
        RAISE;
    END IF;
END $$;

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'authenticated') THEN
        GRANT gunita_client TO authenticated;
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO gunita_app, gunita_client', current_schema());
END $$;

GRANT SELECT ON schema_migrations TO gunita_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON
    conversations, messages, summaries, memories, user_memory, user_state, pending_clarifications, jobs, api_keys, receipts,
    requests, corrections
    TO gunita_app;
GRANT SELECT ON conversation_turns TO gunita_app, gunita_client;
GRANT SELECT ON conversations, messages, summaries, memories, user_memory, user_state TO gunita_client;

-- A scope is announced with a mark in front ('=acme', '=juan', '*' for the service), because a setting that was
-- never made reads as NULL or as '': neither may ever mean "the null tenant" or "every user".
CREATE FUNCTION gunita_scope_tenant() RETURNS text LANGUAGE sql STABLE
    RETURN substr(nullif(current_setting('gunita.tenant', true), ''), 2);

CREATE FUNCTION gunita_scope_user() RETURNS text LANGUAGE sql STABLE
    RETURN substr(nullif(current_setting('gunita.user', true), ''), 2);

CREATE FUNCTION gunita_scope_is_service() RETURNS boolean LANGUAGE sql STABLE
    RETURN current_setting('gunita.user', true) = '*';

CREATE FUNCTION gunita_claims() RETURNS json LANGUAGE sql STABLE
    RETURN nullif(current_setting('request.jwt.claims', true), '')::json;

-- app_metadata is written by the identity service alone; user_metadata is the user's own and never trusted.
CREATE FUNCTION gunita_claimed_tenant() RETURNS text LANGUAGE sql STABLE
    RETURN coalesce(gunita_claims() -> 'app_metadata' ->> 'tenant_id', '');

CREATE FUNCTION gunita_claimed_user() RETURNS text LANGUAGE sql STABLE
    RETURN gunita_claims() ->> 'sub';

-- Supabase grants every table of public to everybody who has its public key; without a policy they see none of this one.
ALTER TABLE schema_migrations ENABLE ROW LEVEL SECURITY;
CREATE POLICY schema_migrations_for_the_service ON schema_migrations FOR SELECT TO gunita_app USING (true);

ALTER TABLE conversations ENABLE ROW LEVEL SECURITY;
CREATE POLICY conversations_of_the_scope ON conversations TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));
CREATE POLICY conversations_of_the_token ON conversations FOR SELECT TO gunita_client
    USING (tenant_id = (SELECT gunita_claimed_tenant()) AND user_id = (SELECT gunita_claimed_user()));

ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY messages_of_the_scope ON messages TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));
CREATE POLICY messages_of_the_token ON messages FOR SELECT TO gunita_client
    USING (tenant_id = (SELECT gunita_claimed_tenant()) AND user_id = (SELECT gunita_claimed_user()));

ALTER TABLE summaries ENABLE ROW LEVEL SECURITY;
CREATE POLICY summaries_of_the_scope ON summaries TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));
CREATE POLICY summaries_of_the_token ON summaries FOR SELECT TO gunita_client
    USING (tenant_id = (SELECT gunita_claimed_tenant()) AND user_id = (SELECT gunita_claimed_user()));

ALTER TABLE memories ENABLE ROW LEVEL SECURITY;
CREATE POLICY memories_of_the_scope ON memories TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));
CREATE POLICY memories_of_the_token ON memories FOR SELECT TO gunita_client
    USING (tenant_id = (SELECT gunita_claimed_tenant()) AND user_id = (SELECT gunita_claimed_user()));

ALTER TABLE user_memory ENABLE ROW LEVEL SECURITY;
CREATE POLICY user_memory_of_the_scope ON user_memory TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));
CREATE POLICY user_memory_of_the_token ON user_memory FOR SELECT TO gunita_client
    USING (tenant_id = (SELECT gunita_claimed_tenant()) AND user_id = (SELECT gunita_claimed_user()));

ALTER TABLE user_state ENABLE ROW LEVEL SECURITY;
CREATE POLICY user_state_of_the_scope ON user_state TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));
CREATE POLICY user_state_of_the_token ON user_state FOR SELECT TO gunita_client
    USING (tenant_id = (SELECT gunita_claimed_tenant()) AND user_id = (SELECT gunita_claimed_user()));

ALTER TABLE pending_clarifications ENABLE ROW LEVEL SECURITY;
CREATE POLICY pending_clarifications_of_the_scope ON pending_clarifications TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));

ALTER TABLE jobs ENABLE ROW LEVEL SECURITY;
CREATE POLICY jobs_of_the_scope ON jobs TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));

ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY api_keys_of_the_service ON api_keys TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant()) AND (SELECT gunita_scope_is_service()));

ALTER TABLE receipts ENABLE ROW LEVEL SECURITY;
CREATE POLICY receipts_of_the_scope ON receipts TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));

ALTER TABLE requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY requests_of_the_scope ON requests TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));

ALTER TABLE corrections ENABLE ROW LEVEL SECURITY;
CREATE POLICY corrections_of_the_scope ON corrections TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant())
           AND ((SELECT gunita_scope_is_service()) OR user_id = (SELECT gunita_scope_user())));

-- A key is looked up by its hash before any scope is known, because a scope is what it yields: the one look past the
-- policies, as the tables' owner, and it tells nothing but whose key it is.
CREATE FUNCTION gunita_find_api_key(hash text)
    RETURNS TABLE (tenant_id text, id uuid, role text, user_id text, revoked_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER
BEGIN ATOMIC
    SELECT found.tenant_id, found.id, found.role, found.user_id, found.revoked_at
    FROM api_keys AS found WHERE found.key_hash = hash;
END;
REVOKE EXECUTE ON FUNCTION gunita_find_api_key(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gunita_find_api_key(text) TO gunita_app;
