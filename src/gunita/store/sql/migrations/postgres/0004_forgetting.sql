-- How long turns are kept, in microseconds, counted from when each was said or from a conversation's last activity. A
-- conversation's own rule goes before its tenant's, a tenant's before the settings'.
ALTER TABLE conversations
    ADD COLUMN kept_for bigint CHECK (kept_for > 0),
    ADD COLUMN counted_from text CHECK (counted_from IN ('turn', 'activity')),
    ADD CONSTRAINT conversations_rule_is_whole CHECK ((kept_for IS NULL) = (counted_from IS NULL));

CREATE INDEX conversations_with_own_rule ON conversations (tenant_id, id) WHERE kept_for IS NOT NULL;

CREATE TABLE retention_rules (
    tenant_id text NOT NULL,
    kept_for bigint NOT NULL CHECK (kept_for > 0),
    counted_from text NOT NULL CHECK (counted_from IN ('turn', 'activity')),
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id)
);

CREATE TABLE cleanup_runs (
    tenant_id text NOT NULL,
    id uuid NOT NULL,
    started_at timestamptz NOT NULL,
    execution_time double precision NOT NULL CHECK (execution_time >= 0),
    sessions_deleted bigint NOT NULL CHECK (sessions_deleted >= 0),
    turns_deleted bigint NOT NULL CHECK (turns_deleted >= 0),
    errors json NOT NULL DEFAULT '[]',
    PRIMARY KEY (tenant_id, id)
);

-- What was deleted and when. The subject is a hash where its name could tell who somebody was.
CREATE TABLE deletion_receipts (
    tenant_id text NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('user', 'conversation', 'memory', 'tenant')),
    subject text NOT NULL,
    counts json NOT NULL,
    digest text NOT NULL,
    deleted_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX deletion_receipts_by_subject ON deletion_receipts (tenant_id, subject, deleted_at);
CREATE INDEX deletion_receipts_by_time ON deletion_receipts (deleted_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON retention_rules, cleanup_runs, deletion_receipts TO gunita_app;

ALTER TABLE retention_rules ENABLE ROW LEVEL SECURITY;
CREATE POLICY retention_rules_of_the_tenant ON retention_rules FOR SELECT TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant()));
CREATE POLICY retention_rules_of_the_service ON retention_rules TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant()) AND (SELECT gunita_scope_is_service()));

ALTER TABLE cleanup_runs ENABLE ROW LEVEL SECURITY;
CREATE POLICY cleanup_runs_of_the_service ON cleanup_runs TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant()) AND (SELECT gunita_scope_is_service()));

ALTER TABLE deletion_receipts ENABLE ROW LEVEL SECURITY;
CREATE POLICY deletion_receipts_of_the_service ON deletion_receipts TO gunita_app
    USING (tenant_id = (SELECT gunita_scope_tenant()) AND (SELECT gunita_scope_is_service()));

-- Cleaning serves every tenant and takes their names from here, one look past the policies; all it then reads and
-- deletes is under the scope of one of them. Names are walked along the key, one step for each tenant.
CREATE FUNCTION gunita_tenants_to_clean() RETURNS TABLE (tenant_id text)
    LANGUAGE sql STABLE SECURITY DEFINER
BEGIN ATOMIC
    WITH RECURSIVE walked (name) AS (
        SELECT min(first.tenant_id) FROM conversations AS first
        UNION ALL
        SELECT (SELECT min(following.tenant_id) FROM conversations AS following WHERE following.tenant_id > walked.name)
        FROM walked WHERE walked.name IS NOT NULL
    )
    SELECT walked.name FROM walked WHERE walked.name IS NOT NULL
    UNION
    SELECT asked.tenant_id FROM pending_clarifications AS asked;
END;

-- What every running server may hold in memory and has to let go.
CREATE FUNCTION gunita_deletions_since(moment timestamptz)
    RETURNS TABLE (tenant_id text, id uuid, kind text, subject text, deleted_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER
BEGIN ATOMIC
    SELECT made.tenant_id, made.id, made.kind, made.subject, made.deleted_at
    FROM deletion_receipts AS made WHERE made.deleted_at >= moment ORDER BY made.deleted_at;
END;
REVOKE EXECUTE ON FUNCTION gunita_tenants_to_clean(), gunita_deletions_since(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION gunita_tenants_to_clean(), gunita_deletions_since(timestamptz) TO gunita_app;
