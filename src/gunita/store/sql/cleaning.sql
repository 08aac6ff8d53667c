-- Forgetting on time, on both engines as it stands. Cleaning is the tenant's service; a turn is as old as its question,
-- or as its answer where there is no question.

-- name: get_rule_of_tenant
SELECT kept_for, counted_from FROM retention_rules WHERE tenant_id = :tenant_id;

-- name: set_rule_of_tenant
INSERT INTO retention_rules (tenant_id, kept_for, counted_from, updated_at)
VALUES (:tenant_id, :kept_for, :counted_from, :now)
ON CONFLICT (tenant_id) DO UPDATE
SET kept_for = excluded.kept_for, counted_from = excluded.counted_from, updated_at = excluded.updated_at;

-- name: clear_rule_of_tenant
DELETE FROM retention_rules WHERE tenant_id = :tenant_id;

-- name: get_rule_of_conversation
SELECT kept_for, counted_from, pinned, updated_at FROM conversations
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id);

-- name: set_rule_of_conversation
UPDATE conversations SET kept_for = :kept_for, counted_from = :counted_from
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id);

-- name: oldest_turn_of_conversation
SELECT created_at FROM messages
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND role = 'user'
  AND user_id = coalesce(:scope_user, user_id)
ORDER BY turn_number
LIMIT 1;

-- The ids of messages are ordered by time: a walk along them meets the oldest first and ends at the boundary.
-- name: expired_turns_of_tenant
SELECT asked.conversation_id, asked.turn_number, asked.id
FROM messages AS asked
JOIN conversations ON conversations.tenant_id = :tenant_id AND conversations.id = asked.conversation_id
WHERE asked.tenant_id = :tenant_id AND asked.id > :after AND asked.id < :before AND asked.created_at < :cutoff
  AND NOT conversations.pinned AND conversations.kept_for IS NULL
  AND (asked.role = 'user' OR NOT EXISTS (
    SELECT 1 FROM messages AS question
    WHERE question.tenant_id = :tenant_id AND question.conversation_id = asked.conversation_id
      AND question.turn_number = asked.turn_number AND question.role = 'user'
  ))
ORDER BY asked.id
LIMIT :limit;

-- name: expired_turns_of_conversation_of_tenant
SELECT asked.turn_number
FROM messages AS asked
WHERE asked.tenant_id = :tenant_id AND asked.conversation_id = :conversation_id AND asked.turn_number > :after
  AND asked.created_at < :cutoff
  AND (asked.role = 'user' OR NOT EXISTS (
    SELECT 1 FROM messages AS question
    WHERE question.tenant_id = :tenant_id AND question.conversation_id = asked.conversation_id
      AND question.turn_number = asked.turn_number AND question.role = 'user'
  ))
ORDER BY asked.turn_number
LIMIT :limit;

-- name: quiet_conversations_of_tenant
SELECT id, user_id FROM conversations
WHERE tenant_id = :tenant_id AND id > :after AND updated_at < :cutoff AND NOT pinned AND kept_for IS NULL
ORDER BY id
LIMIT :limit;

-- name: empty_conversations_of_tenant
SELECT id, user_id FROM conversations
WHERE tenant_id = :tenant_id AND id > :after AND updated_at < :cutoff AND NOT pinned AND kept_for IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM messages WHERE messages.tenant_id = :tenant_id AND messages.conversation_id = conversations.id
  )
ORDER BY id
LIMIT :limit;

-- name: conversations_with_own_rule_of_tenant
SELECT id, user_id, kept_for, counted_from, updated_at FROM conversations
WHERE tenant_id = :tenant_id AND id > :after AND kept_for IS NOT NULL AND NOT pinned
ORDER BY id
LIMIT :limit;

-- name: count_turns_left_of_tenant
SELECT count(DISTINCT turn_number) FROM messages
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id;

-- name: drop_expired_pending_of_tenant
DELETE FROM pending_clarifications WHERE tenant_id = :tenant_id AND expires_at <= :now;

-- name: insert_cleanup_run_of_tenant
INSERT INTO cleanup_runs (tenant_id, id, started_at, execution_time, sessions_deleted, turns_deleted, errors)
VALUES (:tenant_id, :run_id, :started_at, :execution_time, :sessions_deleted, :turns_deleted, :errors);

-- name: cleanup_runs_of_tenant
SELECT started_at, execution_time, sessions_deleted, turns_deleted, errors FROM cleanup_runs
WHERE tenant_id = :tenant_id
ORDER BY id DESC
LIMIT :limit;

-- name: drop_old_cleanup_runs_of_tenant
DELETE FROM cleanup_runs WHERE tenant_id = :tenant_id AND started_at < :before;
