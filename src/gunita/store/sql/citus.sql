-- What `gunita migrate --distribute` puts in the place of what Citus does not take. docs/decisions/0050 says why.

-- name: queue_messages
CREATE OR REPLACE FUNCTION gunita_queue_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format(
        'INSERT INTO %I (tenant_id, user_id, message_id) SELECT tenant_id, user_id, id FROM written ON CONFLICT DO NOTHING',
        gunita_beside(TG_TABLE_NAME, 'index_queue')
    );
    RETURN NULL;
END $$;

-- name: forget_queued_messages
CREATE OR REPLACE FUNCTION gunita_forget_queued_messages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format(
        'DELETE FROM %I AS waiting USING gone WHERE waiting.tenant_id = gone.tenant_id '
        'AND waiting.user_id = gone.user_id AND waiting.message_id = gone.id',
        gunita_beside(TG_TABLE_NAME, 'index_queue')
    );
    RETURN NULL;
END $$;

-- A trigger runs on one shard, and writes to the shard of the other table that lies beside it.
-- name: beside
CREATE OR REPLACE FUNCTION gunita_beside(shard text, other regclass) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT other::text || coalesce((
        SELECT '_' || beside.shardid FROM pg_dist_shard AS beside
        WHERE beside.logicalrelid = other
          AND beside.shardid = ANY (get_colocated_shard_array(substring(shard FROM '_(\d+)$')::bigint))
    ), '')
$$;

-- A walk from tenant to tenant is not something that shards can do together.
-- name: tenants_to_clean
CREATE OR REPLACE FUNCTION gunita_tenants_to_clean() RETURNS TABLE (tenant_id text)
    LANGUAGE sql STABLE SECURITY DEFINER
BEGIN ATOMIC
    SELECT DISTINCT kept.tenant_id FROM conversations AS kept
    UNION
    SELECT DISTINCT asked.tenant_id FROM pending_clarifications AS asked;
END;
