-- Deleting somebody or something everywhere, and looking whether anything is left; on both engines as it stands. What
-- hangs on other rows is deleted before them, so that every deleted row is counted where it was.

-- name: hold_conversations_of_user
UPDATE conversations SET message_count = message_count WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: users_of_tenant
SELECT user_id FROM conversations WHERE tenant_id = :tenant_id
UNION SELECT user_id FROM memories WHERE tenant_id = :tenant_id
UNION SELECT user_id FROM user_memory WHERE tenant_id = :tenant_id
UNION SELECT user_id FROM user_state WHERE tenant_id = :tenant_id
UNION SELECT user_id FROM pending_clarifications WHERE tenant_id = :tenant_id
UNION SELECT user_id FROM jobs WHERE tenant_id = :tenant_id
UNION SELECT user_id FROM receipts WHERE tenant_id = :tenant_id
UNION SELECT user_id FROM index_queue WHERE tenant_id = :tenant_id
UNION SELECT user_id FROM api_keys WHERE tenant_id = :tenant_id AND user_id IS NOT NULL
LIMIT :limit;

-- name: erase_message_index_of_user
DELETE FROM message_index WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_index_queue_of_user
DELETE FROM index_queue WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_forgotten_sources_of_user
DELETE FROM forgotten_sources WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_messages_of_user
DELETE FROM messages WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_summaries_of_user
DELETE FROM summaries
WHERE tenant_id = :tenant_id AND user_id = :user_id
  AND conversation_id IN (SELECT id FROM conversations WHERE tenant_id = :tenant_id AND user_id = :user_id);

-- name: erase_receipts_of_user
DELETE FROM receipts
WHERE tenant_id = :tenant_id AND id IN (
    SELECT id FROM receipts
    WHERE tenant_id = :tenant_id AND user_id = :user_id
      AND conversation_id IN (SELECT id FROM conversations WHERE tenant_id = :tenant_id AND user_id = :user_id)
    UNION ALL
    SELECT id FROM receipts WHERE tenant_id = :tenant_id AND conversation_id IS NULL AND user_id = :user_id
);

-- name: erase_requests_of_user
DELETE FROM requests WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_corrections_of_user
DELETE FROM corrections WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_extraction_cursors_of_user
DELETE FROM extraction_cursors WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_jobs_of_user
DELETE FROM jobs WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_pending_clarifications_of_user
DELETE FROM pending_clarifications WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_conversations_of_user
DELETE FROM conversations WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_memory_history_of_user
DELETE FROM memory_history WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_memories_of_user
DELETE FROM memories WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_user_memory_of_user
DELETE FROM user_memory WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_user_state_of_user
DELETE FROM user_state WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_api_keys_of_user
DELETE FROM api_keys WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: erase_api_keys_of_tenant
DELETE FROM api_keys WHERE tenant_id = :tenant_id;

-- name: erase_retention_rules_of_tenant
DELETE FROM retention_rules WHERE tenant_id = :tenant_id;

-- name: erase_cleanup_runs_of_tenant
DELETE FROM cleanup_runs WHERE tenant_id = :tenant_id;

-- name: erase_message_index_of_conversation
DELETE FROM message_index
WHERE tenant_id = :tenant_id AND user_id = :user_id AND conversation_id = :conversation_id
  AND message_id IN (
    SELECT id FROM messages WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id
  );

-- name: erase_index_queue_of_conversation
DELETE FROM index_queue
WHERE tenant_id = :tenant_id AND user_id = :user_id AND message_id IN (
    SELECT id FROM messages WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id
);

-- name: erase_forgotten_sources_of_conversation
DELETE FROM forgotten_sources
WHERE tenant_id = :tenant_id AND user_id = :user_id AND message_id IN (
    SELECT id FROM messages WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id
);

-- name: erase_messages_of_conversation
DELETE FROM messages WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = :user_id;

-- name: erase_summaries_of_conversation
DELETE FROM summaries WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = :user_id;

-- name: erase_receipts_of_conversation
DELETE FROM receipts WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = :user_id;

-- name: erase_requests_of_conversation
DELETE FROM requests WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = :user_id;

-- name: erase_corrections_of_conversation
DELETE FROM corrections WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = :user_id;

-- name: erase_extraction_cursors_of_conversation
DELETE FROM extraction_cursors
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = :user_id;

-- name: erase_jobs_of_conversation
DELETE FROM jobs WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = :user_id;

-- name: erase_pending_clarifications_of_conversation
DELETE FROM pending_clarifications
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = :user_id;

-- name: erase_conversations_of_conversation
DELETE FROM conversations WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = :user_id;

-- What was learnt from a conversation: memories whose present words come from it, and former words of others.
-- name: erase_memory_history_learnt_from
DELETE FROM memory_history
WHERE tenant_id = :tenant_id AND user_id = :user_id AND (
    source_conversation_id = :conversation_id
    OR memory_id IN (
        SELECT id FROM memories WHERE tenant_id = :tenant_id AND source_conversation_id = :conversation_id
    )
);

-- name: erase_memories_learnt_from
DELETE FROM memories
WHERE tenant_id = :tenant_id AND source_conversation_id = :conversation_id AND user_id = :user_id;

-- name: erase_memory_history_of_memory
DELETE FROM memory_history WHERE tenant_id = :tenant_id AND memory_id = :memory_id AND user_id = :user_id;

-- name: erase_memories_of_memory
DELETE FROM memories WHERE tenant_id = :tenant_id AND id = :memory_id AND user_id = :user_id;

-- Rows that came after the deletion are somebody's who came back, and no part of what was to go. Where a table does not
-- say when a row came, its message does; a row without its message was left behind.
-- name: left_of_user
SELECT 'conversations', count(*) FROM conversations
WHERE tenant_id = :tenant_id AND user_id = :user_id AND created_at <= :deleted_at
UNION ALL
SELECT 'messages', count(*) FROM messages
WHERE tenant_id = :tenant_id AND user_id = :user_id AND created_at <= :deleted_at
UNION ALL
SELECT 'message_index', count(*) FROM message_index
WHERE tenant_id = :tenant_id AND user_id = :user_id AND created_at <= :deleted_at
UNION ALL
SELECT 'index_queue', count(*) FROM index_queue
WHERE tenant_id = :tenant_id AND user_id = :user_id AND NOT EXISTS (
    SELECT 1 FROM messages
    WHERE messages.tenant_id = :tenant_id AND messages.id = index_queue.message_id AND created_at > :deleted_at
)
UNION ALL
SELECT 'forgotten_sources', count(*) FROM forgotten_sources
WHERE tenant_id = :tenant_id AND user_id = :user_id AND forgotten_at <= :deleted_at
UNION ALL
SELECT 'summaries', count(*) FROM summaries
WHERE tenant_id = :tenant_id AND user_id = :user_id AND created_at <= :deleted_at
UNION ALL
SELECT 'receipts', count(*) FROM receipts
WHERE tenant_id = :tenant_id AND user_id = :user_id AND created_at <= :deleted_at
UNION ALL
SELECT 'requests', count(*) FROM requests
WHERE tenant_id = :tenant_id AND user_id = :user_id AND created_at <= :deleted_at
UNION ALL
SELECT 'corrections', count(*) FROM corrections
WHERE tenant_id = :tenant_id AND user_id = :user_id AND created_at <= :deleted_at
UNION ALL
SELECT 'extraction_cursors', count(*) FROM extraction_cursors
WHERE tenant_id = :tenant_id AND user_id = :user_id AND updated_at <= :deleted_at
UNION ALL
SELECT 'jobs', count(*) FROM jobs
WHERE tenant_id = :tenant_id AND user_id = :user_id AND created_at <= :deleted_at
UNION ALL
SELECT 'pending_clarifications', count(*) FROM pending_clarifications
WHERE tenant_id = :tenant_id AND user_id = :user_id AND expires_at <= :short_term_until
UNION ALL
SELECT 'memory_history', count(*) FROM memory_history
WHERE tenant_id = :tenant_id AND user_id = :user_id AND believed_until <= :deleted_at
UNION ALL
SELECT 'memories', count(*) FROM memories
WHERE tenant_id = :tenant_id AND user_id = :user_id AND created_at <= :deleted_at
UNION ALL
SELECT 'user_memory', count(*) FROM user_memory
WHERE tenant_id = :tenant_id AND user_id = :user_id AND created_at <= :deleted_at
UNION ALL
SELECT 'user_state', count(*) FROM user_state
WHERE tenant_id = :tenant_id AND user_id = :user_id AND updated_at <= :deleted_at
UNION ALL
SELECT 'api_keys', count(*) FROM api_keys
WHERE tenant_id = :tenant_id AND user_id = :user_id AND created_at <= :deleted_at;

-- name: left_of_tenant
SELECT 'conversations', count(*) FROM conversations WHERE tenant_id = :tenant_id AND created_at <= :deleted_at
UNION ALL
SELECT 'messages', count(*) FROM messages WHERE tenant_id = :tenant_id AND created_at <= :deleted_at
UNION ALL
SELECT 'message_index', count(*) FROM message_index WHERE tenant_id = :tenant_id AND created_at <= :deleted_at
UNION ALL
SELECT 'index_queue', count(*) FROM index_queue
WHERE tenant_id = :tenant_id AND NOT EXISTS (
    SELECT 1 FROM messages
    WHERE messages.tenant_id = :tenant_id AND messages.id = index_queue.message_id AND created_at > :deleted_at
)
UNION ALL
SELECT 'forgotten_sources', count(*) FROM forgotten_sources
WHERE tenant_id = :tenant_id AND forgotten_at <= :deleted_at
UNION ALL
SELECT 'summaries', count(*) FROM summaries WHERE tenant_id = :tenant_id AND created_at <= :deleted_at
UNION ALL
SELECT 'receipts', count(*) FROM receipts WHERE tenant_id = :tenant_id AND created_at <= :deleted_at
UNION ALL
SELECT 'requests', count(*) FROM requests WHERE tenant_id = :tenant_id AND created_at <= :deleted_at
UNION ALL
SELECT 'corrections', count(*) FROM corrections WHERE tenant_id = :tenant_id AND created_at <= :deleted_at
UNION ALL
SELECT 'extraction_cursors', count(*) FROM extraction_cursors
WHERE tenant_id = :tenant_id AND updated_at <= :deleted_at
UNION ALL
SELECT 'jobs', count(*) FROM jobs WHERE tenant_id = :tenant_id AND created_at <= :deleted_at
UNION ALL
SELECT 'pending_clarifications', count(*) FROM pending_clarifications
WHERE tenant_id = :tenant_id AND expires_at <= :short_term_until
UNION ALL
SELECT 'memory_history', count(*) FROM memory_history WHERE tenant_id = :tenant_id AND believed_until <= :deleted_at
UNION ALL
SELECT 'memories', count(*) FROM memories WHERE tenant_id = :tenant_id AND created_at <= :deleted_at
UNION ALL
SELECT 'user_memory', count(*) FROM user_memory WHERE tenant_id = :tenant_id AND created_at <= :deleted_at
UNION ALL
SELECT 'user_state', count(*) FROM user_state WHERE tenant_id = :tenant_id AND updated_at <= :deleted_at
UNION ALL
SELECT 'api_keys', count(*) FROM api_keys WHERE tenant_id = :tenant_id AND created_at <= :deleted_at
UNION ALL
SELECT 'retention_rules', count(*) FROM retention_rules WHERE tenant_id = :tenant_id AND updated_at <= :deleted_at
UNION ALL
SELECT 'cleanup_runs', count(*) FROM cleanup_runs WHERE tenant_id = :tenant_id AND started_at <= :deleted_at;

-- An id is never given twice: whatever carries it was left behind, or put back.
-- name: left_of_conversation
SELECT 'conversations', count(*) FROM conversations
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
UNION ALL
SELECT 'messages', count(*) FROM messages WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id
UNION ALL
SELECT 'message_index', count(*) FROM message_index
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id
UNION ALL
-- What waits to be indexed names its message alone; one that waits without its message was left behind by somebody.
SELECT 'index_queue', count(*) FROM index_queue
WHERE tenant_id = :tenant_id AND NOT EXISTS (
    SELECT 1 FROM messages WHERE messages.tenant_id = :tenant_id AND messages.id = index_queue.message_id
)
UNION ALL
-- What was not to be learnt from names its message alone, and never outlives it.
SELECT 'forgotten_sources', count(*) FROM forgotten_sources
WHERE tenant_id = :tenant_id AND message_id IN (
    SELECT id FROM messages WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id
)
UNION ALL
SELECT 'summaries', count(*) FROM summaries WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id
UNION ALL
SELECT 'receipts', count(*) FROM receipts WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id
UNION ALL
SELECT 'requests', count(*) FROM requests WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id
UNION ALL
SELECT 'corrections', count(*) FROM corrections WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id
UNION ALL
SELECT 'extraction_cursors', count(*) FROM extraction_cursors
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id
UNION ALL
SELECT 'jobs', count(*) FROM jobs WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id
UNION ALL
SELECT 'pending_clarifications', count(*) FROM pending_clarifications
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id;

-- name: left_of_what_was_learnt_from
SELECT 'memories', count(*) FROM memories
WHERE tenant_id = :tenant_id AND source_conversation_id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
UNION ALL
SELECT 'memory_history', count(*) FROM memory_history
WHERE tenant_id = :tenant_id AND source_conversation_id = :conversation_id;

-- name: left_of_memory
SELECT 'memories', count(*) FROM memories
WHERE tenant_id = :tenant_id AND id = :memory_id AND user_id = coalesce(:scope_user, user_id)
UNION ALL
SELECT 'memory_history', count(*) FROM memory_history WHERE tenant_id = :tenant_id AND memory_id = :memory_id;

-- name: insert_deletion_receipt_of_tenant
INSERT INTO deletion_receipts (tenant_id, id, kind, subject, counts, digest, deleted_at)
VALUES (:tenant_id, :receipt_id, :kind, :subject, :counts, :digest, :deleted_at);

-- name: get_deletion_receipt_of_tenant
SELECT id, kind, subject, counts, digest, deleted_at FROM deletion_receipts
WHERE tenant_id = :tenant_id AND id = :receipt_id;

-- name: list_deletion_receipts_of_tenant
SELECT id, kind, subject, counts, digest, deleted_at FROM deletion_receipts
WHERE tenant_id = :tenant_id
ORDER BY id DESC
LIMIT :limit OFFSET :offset;

-- name: find_deletions_of_tenant
SELECT count(*) FROM deletion_receipts
WHERE tenant_id = :tenant_id AND subject IN (:user_subject, :conversation_subject, :tenant_subject)
  AND deleted_at >= :said_at;

-- Everything about one user, for export; messages are read conversation by conversation.
-- name: conversation_rules_of_user
SELECT id, kept_for, counted_from FROM conversations
WHERE tenant_id = :tenant_id AND user_id = :user_id AND kept_for IS NOT NULL;

-- name: summaries_of_user
SELECT conversation_id, through_turn, content, key_topics, method, created_at FROM summaries
WHERE tenant_id = :tenant_id AND user_id = :user_id
ORDER BY conversation_id, through_turn;

-- name: beliefs_of_user
SELECT memory_id, memory_type, category, content, confidence, believed_from, believed_until, reason
FROM memory_history
WHERE tenant_id = :tenant_id AND user_id = :user_id
ORDER BY memory_id, id;

-- name: corrections_of_user
SELECT id, conversation_id, turn_number, understood, meant, created_at FROM corrections
WHERE tenant_id = :tenant_id AND user_id = :user_id
ORDER BY id;

-- name: receipts_of_user
SELECT id, conversation_id, turn_number, kind, body, created_at FROM receipts
WHERE tenant_id = :tenant_id AND user_id = :user_id
ORDER BY id;

-- name: requests_of_user
SELECT request_id, conversation_id, turn_number, created_at FROM requests
WHERE tenant_id = :tenant_id AND user_id = :user_id
ORDER BY created_at, request_id;

-- name: pending_of_user
SELECT conversation_id, payload, expires_at FROM pending_clarifications
WHERE tenant_id = :tenant_id AND user_id = :user_id
ORDER BY conversation_id;

-- name: keys_of_user_of_tenant
SELECT id, name, created_at, last_used_at, revoked_at FROM api_keys
WHERE tenant_id = :tenant_id AND user_id = :user_id
ORDER BY id;
