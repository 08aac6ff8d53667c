-- Learning memories from messages, on both engines as it stands.

-- name: user_messages_after
SELECT id, conversation_id, turn_number, role, content, created_at,
       tool_calls, suggested_values, suggested_actions, custom_payload
FROM messages
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number > :after AND role = 'user'
  AND user_id = coalesce(:scope_user, user_id)
ORDER BY turn_number
LIMIT :limit;

-- name: get_extraction_cursor
SELECT through_turn FROM extraction_cursors
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = coalesce(:scope_user, user_id);

-- name: advance_extraction_cursor
INSERT INTO extraction_cursors (tenant_id, conversation_id, user_id, through_turn, updated_at)
VALUES (:tenant_id, :conversation_id, :user_id, :through_turn, :now)
ON CONFLICT (tenant_id, conversation_id) DO UPDATE
SET through_turn = excluded.through_turn, updated_at = excluded.updated_at
WHERE extraction_cursors.through_turn = :after;

-- name: messages_that_left_traces
SELECT source_message_id FROM memories
WHERE tenant_id = :tenant_id AND user_id = :user_id AND source_message_id IS NOT NULL
UNION
SELECT source_message_id FROM memory_history
WHERE tenant_id = :tenant_id AND user_id = :user_id AND source_message_id IS NOT NULL
UNION
SELECT caused_by_message_id FROM memory_history
WHERE tenant_id = :tenant_id AND user_id = :user_id AND caused_by_message_id IS NOT NULL
UNION
SELECT message_id FROM forgotten_sources
WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: insert_belief
INSERT INTO memory_history (tenant_id, memory_id, id, user_id, memory_type, category, content, confidence,
                            source_conversation_id, source_message_id, believed_from, believed_until, reason,
                            caused_by_message_id)
VALUES (:tenant_id, :memory_id, :belief_id, :user_id, :memory_type, :category, :content, :confidence,
        :source_conversation_id, :source_message_id, :believed_from, :believed_until, :reason, :caused_by_message_id);

-- name: beliefs_of_memory
SELECT id, memory_id, memory_type, category, content, confidence, source_conversation_id, source_message_id,
       believed_from, believed_until, reason, caused_by_message_id
FROM memory_history
WHERE tenant_id = :tenant_id AND memory_id = :memory_id AND user_id = coalesce(:scope_user, user_id)
ORDER BY id;

-- name: supersede_memory
UPDATE memories
SET content = :content, memory_type = :memory_type, category = :category, confidence = :confidence,
    source_conversation_id = :source_conversation_id, source_message_id = :source_message_id, created_at = :now,
    archived = :archived, vector = NULL, vector_model = NULL
WHERE tenant_id = :tenant_id AND id = :memory_id AND user_id = coalesce(:scope_user, user_id);

-- name: weigh_memory
UPDATE memories SET confidence = :confidence
WHERE tenant_id = :tenant_id AND id = :memory_id AND user_id = coalesce(:scope_user, user_id);

-- A memory entered by hand may name any message; only its own user's are kept from being learnt from.
-- name: forget_sources_of_memory
INSERT INTO forgotten_sources (tenant_id, user_id, message_id, forgotten_at)
SELECT messages.tenant_id, messages.user_id, messages.id, :now FROM messages
WHERE messages.tenant_id = :tenant_id AND messages.user_id = coalesce(:scope_user, messages.user_id)
  AND messages.user_id = (SELECT user_id FROM memories WHERE tenant_id = :tenant_id AND id = :memory_id)
  AND messages.id IN (
    SELECT source_message_id FROM memories WHERE tenant_id = :tenant_id AND id = :memory_id
    UNION
    SELECT source_message_id FROM memory_history WHERE tenant_id = :tenant_id AND memory_id = :memory_id
    UNION
    SELECT caused_by_message_id FROM memory_history WHERE tenant_id = :tenant_id AND memory_id = :memory_id
  )
ON CONFLICT (tenant_id, user_id, message_id) DO NOTHING;

-- name: count_memory_uses
UPDATE memories SET access_count = access_count + :uses, last_accessed_at = :now
WHERE tenant_id = :tenant_id AND id = :memory_id AND user_id = coalesce(:scope_user, user_id);

-- A job whose time has come is not put off again, unless somebody is at it: what came meanwhile is then read later.
-- name: put_extraction_job
INSERT INTO jobs (tenant_id, id, user_id, conversation_id, kind, run_after, created_at)
VALUES (:tenant_id, :job_id, :user_id, :conversation_id, 'extract', :run_after, :now)
ON CONFLICT (tenant_id, id) DO UPDATE SET run_after = excluded.run_after
WHERE jobs.run_after > :now OR jobs.claimed_until >= :now;

-- name: due_extraction_jobs
SELECT id, conversation_id, run_after FROM jobs
WHERE tenant_id = :tenant_id AND kind = 'extract' AND run_after <= :now
  AND user_id = coalesce(:scope_user, user_id) AND (claimed_until IS NULL OR claimed_until < :now)
ORDER BY run_after
LIMIT :limit;

-- name: claim_extraction_job
UPDATE jobs SET claimed_until = :claimed_until
WHERE tenant_id = :tenant_id AND id = :job_id AND user_id = coalesce(:scope_user, user_id)
  AND (claimed_until IS NULL OR claimed_until < :now);

-- name: finish_extraction_job
DELETE FROM jobs
WHERE tenant_id = :tenant_id AND id = :job_id AND run_after = :run_after AND user_id = coalesce(:scope_user, user_id);

-- name: release_extraction_job
UPDATE jobs SET claimed_until = NULL, attempts = attempts + :failures, last_error = :error,
    run_after = coalesce(:run_after, run_after)
WHERE tenant_id = :tenant_id AND id = :job_id AND user_id = coalesce(:scope_user, user_id);

-- name: put_extraction_job_if_unread
INSERT INTO jobs (tenant_id, id, user_id, conversation_id, kind, run_after, created_at)
SELECT tenant_id, :job_id, user_id, id, 'extract', :run_after, :now
FROM conversations
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = :user_id AND NOT EXISTS (
    SELECT 1 FROM extraction_cursors AS cursors
    WHERE cursors.tenant_id = :tenant_id AND cursors.conversation_id = :conversation_id
      AND cursors.through_turn >= :turn_number
)
ON CONFLICT (tenant_id, id) DO UPDATE SET run_after = excluded.run_after
WHERE jobs.run_after > :now OR jobs.claimed_until >= :now;

-- name: conversations_to_learn
SELECT conversations.id, conversations.user_id
FROM conversations
LEFT JOIN extraction_cursors AS cursors
    ON cursors.tenant_id = :tenant_id AND cursors.conversation_id = conversations.id
WHERE conversations.tenant_id = :tenant_id
  AND conversations.user_id = coalesce(:user_id, :scope_user, conversations.user_id)
  AND conversations.turn_count > coalesce(cursors.through_turn, 0)
  AND EXISTS (
    SELECT 1 FROM messages
    WHERE messages.tenant_id = :tenant_id AND messages.conversation_id = conversations.id AND messages.role = 'user'
      AND messages.turn_number > coalesce(cursors.through_turn, 0)
  )
ORDER BY conversations.updated_at DESC
LIMIT :limit;

-- name: extraction_jobs_at_hand
SELECT count(*), count(CASE WHEN claimed_until >= :now THEN 1 END), max(last_error)
FROM jobs
WHERE tenant_id = :tenant_id AND user_id = coalesce(:user_id, :scope_user, user_id) AND kind = 'extract'
  AND (:any_conversation OR conversation_id = :conversation_id)
  AND (run_after <= :now OR claimed_until >= :now OR attempts > 0);

-- name: count_messages_learnt_from
SELECT count(CASE WHEN messages.turn_number > coalesce(cursors.through_turn, 0) THEN 1 END),
       count(CASE WHEN messages.turn_number <= coalesce(cursors.through_turn, 0) THEN 1 END)
FROM messages
LEFT JOIN extraction_cursors AS cursors
    ON cursors.tenant_id = :tenant_id AND cursors.conversation_id = messages.conversation_id
WHERE messages.tenant_id = :tenant_id AND messages.user_id = coalesce(:user_id, :scope_user, messages.user_id)
  AND messages.role = 'user' AND (:any_conversation OR messages.conversation_id = :conversation_id);

-- name: count_memories_learnt
SELECT count(*) FROM memories
WHERE tenant_id = :tenant_id AND user_id = coalesce(:user_id, :scope_user, user_id)
  AND source_conversation_id IS NOT NULL AND (:any_conversation OR source_conversation_id = :conversation_id);
