-- What cleaning must say in PostgreSQL's own way: lists come as JSON, and a conversation that somebody is writing to is
-- passed over, so that nobody waits for the other; the next run finds it again. What is taken out of JSON is
-- materialised before it meets a table: taking it out may fail, and row-level security lets nothing that may fail
-- choose rows, so that the whole tenant would be read instead.

-- name: tenants_to_clean
SELECT tenant_id FROM gunita_tenants_to_clean();

-- name: deletions_since
SELECT tenant_id, id, kind, subject, deleted_at FROM gunita_deletions_since(:moment);

-- name: measure_storage
SELECT pg_database_size(current_database()), 0::bigint;

-- The server's own log is written over by the server, and read by nobody but its owner.
-- name: empty_the_log_of_tenant
SELECT NULL;

-- A deletion that a crash undoes is done again by the next run: nobody's commit has to wait for the disk behind it.
-- name: commit_without_waiting_of_tenant
SELECT set_config('synchronous_commit', 'off', true);

-- name: hold_conversations_of_tenant
SELECT id, user_id, pinned, kept_for, counted_from, updated_at, turn_count FROM conversations
WHERE tenant_id = :tenant_id AND id = ANY (ARRAY(SELECT value::uuid FROM json_array_elements_text(:ids::json)))
FOR UPDATE SKIP LOCKED;

-- name: expire_messages_of_tenant
WITH expired AS MATERIALIZED (
    SELECT (pair ->> 0)::uuid AS conversation_id, (pair ->> 1)::integer AS turn_number
    FROM json_array_elements(:turns::json) AS pair
)
DELETE FROM messages
USING expired
WHERE messages.tenant_id = :tenant_id AND messages.conversation_id = expired.conversation_id
  AND messages.turn_number = expired.turn_number
RETURNING messages.conversation_id, messages.turn_number, messages.token_count;

-- name: discount_expired_of_tenant
WITH gone AS MATERIALIZED (
    SELECT (one ->> 0)::uuid AS id, (one ->> 1)::integer AS messages, (one ->> 2)::integer AS tokens,
           (one ->> 3)::boolean AS question
    FROM json_array_elements(:gone::json) AS one
)
UPDATE conversations
SET message_count = greatest(message_count - gone.messages, 0),
    token_count = greatest(token_count - gone.tokens, 0),
    awaits_answer = (awaits_answer AND NOT gone.question)
FROM gone
WHERE conversations.tenant_id = :tenant_id AND conversations.id = gone.id;

-- name: expire_summaries_of_tenant
DELETE FROM summaries
WHERE tenant_id = :tenant_id
  AND conversation_id = ANY (ARRAY(SELECT value::uuid FROM json_array_elements_text(:ids::json)));

-- name: expire_receipts_of_tenant
WITH expired AS MATERIALIZED (
    SELECT (pair ->> 0)::uuid AS conversation_id, (pair ->> 1)::integer AS turn_number
    FROM json_array_elements(:turns::json) AS pair
)
DELETE FROM receipts
USING expired
WHERE receipts.tenant_id = :tenant_id AND receipts.conversation_id = expired.conversation_id
  AND receipts.turn_number = expired.turn_number;

-- name: expire_requests_of_tenant
DELETE FROM requests
WHERE tenant_id = :tenant_id
  AND conversation_id = ANY (ARRAY(SELECT value::uuid FROM json_array_elements_text(:ids::json)))
  AND (conversation_id, turn_number) IN (
    SELECT (pair ->> 0)::uuid, (pair ->> 1)::integer FROM json_array_elements(:turns::json) AS pair
  );

-- name: expire_corrections_of_tenant
DELETE FROM corrections
WHERE tenant_id = :tenant_id
  AND conversation_id = ANY (ARRAY(SELECT value::uuid FROM json_array_elements_text(:ids::json)))
  AND (conversation_id, turn_number) IN (
    SELECT (pair ->> 0)::uuid, (pair ->> 1)::integer FROM json_array_elements(:turns::json) AS pair
  );

-- name: drop_emptied_of_tenant
DELETE FROM conversations
WHERE tenant_id = :tenant_id AND id = ANY (ARRAY(SELECT value::uuid FROM json_array_elements_text(:ids::json)))
  AND NOT EXISTS (
    SELECT 1 FROM messages WHERE messages.tenant_id = :tenant_id AND messages.conversation_id = conversations.id
  )
RETURNING id;

-- name: drop_pending_of_gone_of_tenant
DELETE FROM pending_clarifications
WHERE tenant_id = :tenant_id
  AND conversation_id = ANY (ARRAY(SELECT value::uuid FROM json_array_elements_text(:ids::json)));

-- name: drop_jobs_of_gone_of_tenant
DELETE FROM jobs
WHERE tenant_id = :tenant_id
  AND conversation_id = ANY (ARRAY(SELECT value::uuid FROM json_array_elements_text(:ids::json)));
