-- What cleaning must say in SQLite's own way: lists come as JSON, and are walked with each row looked up by its key; left
-- to choose, the planner would rather walk the whole tenant. Who writes holds the whole file already.

-- name: tenants_to_clean
SELECT name FROM (
    WITH RECURSIVE walked (name) AS (
        SELECT min(tenant_id) FROM conversations
        UNION ALL
        SELECT (SELECT min(tenant_id) FROM conversations WHERE tenant_id > walked.name) FROM walked
        WHERE walked.name IS NOT NULL
    )
    SELECT name FROM walked WHERE name IS NOT NULL
    UNION
    SELECT tenant_id FROM pending_clarifications
);

-- name: deletions_since
SELECT tenant_id, id, kind, subject, deleted_at FROM deletion_receipts WHERE deleted_at >= :moment ORDER BY deleted_at;

-- name: measure_storage
SELECT (SELECT page_count FROM pragma_page_count) * (SELECT page_size FROM pragma_page_size),
       (SELECT freelist_count FROM pragma_freelist_count) * (SELECT page_size FROM pragma_page_size);

-- What was deleted would stand in the log until it is written over. Where somebody is reading, it is left to the next.
-- name: empty_the_log_of_tenant
PRAGMA wal_checkpoint(TRUNCATE);

-- How a file is brought to its disk is decided when it is opened.
-- name: commit_without_waiting_of_tenant
SELECT NULL;

-- name: hold_conversations_of_tenant
SELECT conversations.id, user_id, pinned, kept_for, counted_from, updated_at, turn_count
FROM json_each(:ids) AS wanted
CROSS JOIN conversations ON conversations.tenant_id = :tenant_id AND conversations.id = wanted.value;

-- name: expire_messages_of_tenant
DELETE FROM messages
WHERE tenant_id = :tenant_id AND id IN (
    SELECT messages.id
    FROM json_each(:turns) AS expired
    CROSS JOIN messages ON messages.tenant_id = :tenant_id AND messages.conversation_id = expired.value ->> 0
        AND messages.turn_number = expired.value ->> 1
)
RETURNING conversation_id, turn_number, token_count;

-- name: discount_expired_of_tenant
UPDATE conversations
SET message_count = max(message_count - (gone.value ->> 1), 0),
    token_count = max(token_count - (gone.value ->> 2), 0),
    awaits_answer = (awaits_answer AND NOT (gone.value ->> 3))
FROM json_each(:gone) AS gone
WHERE tenant_id = :tenant_id AND conversations.id IN (SELECT value ->> 0 FROM json_each(:gone))
  AND conversations.id = gone.value ->> 0;

-- name: expire_summaries_of_tenant
DELETE FROM summaries
WHERE tenant_id = :tenant_id AND conversation_id IN (SELECT value FROM json_each(:ids));

-- name: expire_receipts_of_tenant
DELETE FROM receipts
WHERE tenant_id = :tenant_id AND id IN (
    SELECT receipts.id
    FROM json_each(:turns) AS expired
    CROSS JOIN receipts ON receipts.tenant_id = :tenant_id AND receipts.conversation_id = expired.value ->> 0
        AND receipts.turn_number = expired.value ->> 1
);

-- name: expire_requests_of_tenant
DELETE FROM requests INDEXED BY requests_by_conversation
WHERE tenant_id = :tenant_id AND conversation_id IN (SELECT value FROM json_each(:ids))
  AND (conversation_id, turn_number) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:turns));

-- name: expire_corrections_of_tenant
DELETE FROM corrections INDEXED BY corrections_by_conversation
WHERE tenant_id = :tenant_id AND conversation_id IN (SELECT value FROM json_each(:ids))
  AND (conversation_id, turn_number) IN (SELECT value ->> 0, value ->> 1 FROM json_each(:turns));

-- name: drop_emptied_of_tenant
DELETE FROM conversations
WHERE tenant_id = :tenant_id AND id IN (SELECT value FROM json_each(:ids))
  AND NOT EXISTS (
    SELECT 1 FROM messages WHERE messages.tenant_id = :tenant_id AND messages.conversation_id = conversations.id
  )
RETURNING id;

-- name: drop_pending_of_gone_of_tenant
DELETE FROM pending_clarifications
WHERE tenant_id = :tenant_id AND conversation_id IN (SELECT value FROM json_each(:ids));

-- name: drop_jobs_of_gone_of_tenant
DELETE FROM jobs WHERE tenant_id = :tenant_id AND conversation_id IN (SELECT value FROM json_each(:ids));
