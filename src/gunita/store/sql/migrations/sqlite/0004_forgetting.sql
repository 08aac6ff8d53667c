-- How long turns are kept, in microseconds, counted from when each was said or from a conversation's last activity. A
-- conversation's own rule goes before its tenant's, a tenant's before the settings'.
ALTER TABLE conversations ADD COLUMN kept_for INTEGER CHECK (kept_for > 0);
ALTER TABLE conversations ADD COLUMN counted_from TEXT
    CHECK (counted_from IN ('turn', 'activity')) CHECK ((kept_for IS NULL) = (counted_from IS NULL));

CREATE INDEX conversations_with_own_rule ON conversations (tenant_id, id) WHERE kept_for IS NOT NULL;

CREATE TABLE retention_rules (
    tenant_id TEXT NOT NULL,
    kept_for INTEGER NOT NULL CHECK (kept_for > 0),
    counted_from TEXT NOT NULL CHECK (counted_from IN ('turn', 'activity')),
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE cleanup_runs (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    started_at INTEGER NOT NULL,
    execution_time REAL NOT NULL CHECK (execution_time >= 0),
    sessions_deleted INTEGER NOT NULL CHECK (sessions_deleted >= 0),
    turns_deleted INTEGER NOT NULL CHECK (turns_deleted >= 0),
    errors TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

-- What was deleted and when. The subject is a hash where its name could tell who somebody was.
CREATE TABLE deletion_receipts (
    tenant_id TEXT NOT NULL,
    id TEXT NOT NULL CHECK (length(id) = 36),
    kind TEXT NOT NULL CHECK (kind IN ('user', 'conversation', 'memory', 'tenant')),
    subject TEXT NOT NULL,
    counts TEXT NOT NULL,
    digest TEXT NOT NULL,
    deleted_at INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX deletion_receipts_by_subject ON deletion_receipts (tenant_id, subject, deleted_at);
CREATE INDEX deletion_receipts_by_time ON deletion_receipts (deleted_at);
