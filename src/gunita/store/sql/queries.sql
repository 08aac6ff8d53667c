-- Statements that both engines run as they stand. Parameters are :name; tenant_id and scope_user come from the Scope:
-- scope_user is the user of a user's scope and NULL for the tenant's service.

-- name: ensure_conversation
INSERT INTO conversations (tenant_id, id, user_id, title, created_at, updated_at, document_context, metadata)
VALUES (:tenant_id, :conversation_id, :user_id, :title, :now, :now, :document_context, :metadata)
ON CONFLICT (tenant_id, id) DO NOTHING;

-- name: get_conversation
SELECT id, user_id, title, created_at, updated_at, archived, pinned, document_context,
       message_count, turn_count, token_count, metadata
FROM conversations
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id);

-- name: list_conversations_of_user
SELECT id, user_id, title, created_at, updated_at, archived, pinned, document_context,
       message_count, turn_count, token_count, metadata
FROM conversations
WHERE tenant_id = :tenant_id AND user_id = :user_id AND (CAST(:archived AS boolean) IS NULL OR archived = :archived)
ORDER BY updated_at DESC, id DESC
LIMIT :limit OFFSET :offset;

-- name: list_conversations_of_tenant
SELECT id, user_id, title, created_at, updated_at, archived, pinned, document_context,
       message_count, turn_count, token_count, metadata
FROM conversations
WHERE tenant_id = :tenant_id AND (CAST(:archived AS boolean) IS NULL OR archived = :archived)
ORDER BY updated_at DESC, id DESC
LIMIT :limit OFFSET :offset;

-- name: update_conversation
UPDATE conversations
SET title = CASE WHEN :set_title THEN :title ELSE title END,
    archived = coalesce(:archived, archived),
    pinned = coalesce(:pinned, pinned),
    metadata = coalesce(:metadata, metadata),
    updated_at = :now
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
RETURNING id, user_id, title, created_at, updated_at, archived, pinned, document_context,
          message_count, turn_count, token_count, metadata;

-- name: delete_conversation
DELETE FROM conversations
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id);

-- name: delete_conversations_of_user
DELETE FROM conversations WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: delete_jobs_of_conversation
DELETE FROM jobs
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = coalesce(:scope_user, user_id);

-- name: delete_jobs_of_user
DELETE FROM jobs WHERE tenant_id = :tenant_id AND user_id = :user_id AND conversation_id IS NOT NULL;

-- name: count_turns
SELECT count(*) FROM conversation_turns
WHERE tenant_id = :tenant_id AND session_id = :conversation_id AND user_id = coalesce(:scope_user, user_id);

-- Turns are read as messages, not through the view: a walk along the primary key is all there is to plan.
-- name: messages_before
SELECT id, user_id, turn_number, content, created_at, metadata
FROM messages
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number < :before
  AND user_id = coalesce(:scope_user, user_id)
ORDER BY turn_number DESC, role DESC
LIMIT :limit;

-- name: messages_of_conversation
SELECT id, conversation_id, turn_number, role, content, created_at,
       tool_calls, suggested_values, suggested_actions, custom_payload
FROM messages
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
ORDER BY turn_number, role DESC
LIMIT :limit OFFSET :offset;

-- name: newest_messages_of_user
SELECT id, conversation_id, turn_number, role, content, created_at,
       tool_calls, suggested_values, suggested_actions, custom_payload
FROM messages
WHERE tenant_id = :tenant_id AND user_id = :user_id
ORDER BY id DESC
LIMIT :limit OFFSET :offset;

-- name: count_messages_of_user
SELECT count(*) FROM messages WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: find_message
SELECT conversation_id FROM messages
WHERE tenant_id = :tenant_id AND id = :message_id AND user_id = coalesce(:scope_user, user_id);

-- name: hold_conversation
UPDATE conversations SET message_count = message_count
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id);

-- name: delete_message
DELETE FROM messages
WHERE tenant_id = :tenant_id AND id = :message_id AND user_id = coalesce(:scope_user, user_id)
RETURNING conversation_id, turn_number, role, token_count;

-- name: discount_message
UPDATE conversations
SET message_count = message_count - 1,
    token_count = token_count - :token_count,
    awaits_answer = awaits_answer AND NOT (turn_count = :turn_number AND :role = 'user')
WHERE tenant_id = :tenant_id AND id = :conversation_id;

-- name: insert_memory
INSERT INTO memories (tenant_id, id, user_id, memory_type, category, content, source_conversation_id,
                      source_message_id, created_at, pinned, confidence)
VALUES (:tenant_id, :memory_id, :user_id, :memory_type, :category, :content, :source_conversation_id,
        :source_message_id, :now, :pinned, :confidence);

-- name: get_memory
SELECT id, user_id, memory_type, category, content, source_conversation_id, source_message_id,
       created_at, last_accessed_at, access_count, pinned, archived, confidence
FROM memories
WHERE tenant_id = :tenant_id AND id = :memory_id AND user_id = coalesce(:scope_user, user_id);

-- name: list_memories_of_user
SELECT id, user_id, memory_type, category, content, source_conversation_id, source_message_id,
       created_at, last_accessed_at, access_count, pinned, archived, confidence
FROM memories
WHERE tenant_id = :tenant_id AND user_id = :user_id
  AND memory_type = coalesce(:memory_type, memory_type)
  AND coalesce(category, '') = coalesce(:category, category, '')
  AND pinned = coalesce(:pinned, pinned)
  AND archived = coalesce(:archived, archived)
  AND (:any_source OR source_conversation_id = :source_conversation_id)
  AND id < :before
ORDER BY id DESC
LIMIT :limit;

-- name: list_memories_of_tenant
SELECT id, user_id, memory_type, category, content, source_conversation_id, source_message_id,
       created_at, last_accessed_at, access_count, pinned, archived, confidence
FROM memories
WHERE tenant_id = :tenant_id
  AND memory_type = coalesce(:memory_type, memory_type)
  AND coalesce(category, '') = coalesce(:category, category, '')
  AND pinned = coalesce(:pinned, pinned)
  AND archived = coalesce(:archived, archived)
  AND (:any_source OR source_conversation_id = :source_conversation_id)
  AND id < :before
ORDER BY id DESC
LIMIT :limit;

-- name: update_memory
UPDATE memories
SET content = coalesce(:content, content),
    memory_type = coalesce(:memory_type, memory_type),
    category = CASE WHEN :set_category THEN :category ELSE category END,
    pinned = coalesce(:pinned, pinned),
    archived = coalesce(:archived, archived),
    confidence = coalesce(:confidence, confidence),
    vector = CASE WHEN :content_changes THEN NULL ELSE vector END,
    vector_model = CASE WHEN :content_changes THEN NULL ELSE vector_model END
WHERE tenant_id = :tenant_id AND id = :memory_id AND user_id = coalesce(:scope_user, user_id)
RETURNING id, user_id, memory_type, category, content, source_conversation_id, source_message_id,
          created_at, last_accessed_at, access_count, pinned, archived, confidence;

-- name: delete_memory
DELETE FROM memories
WHERE tenant_id = :tenant_id AND id = :memory_id AND user_id = coalesce(:scope_user, user_id);

-- name: set_user_memory
INSERT INTO user_memory (tenant_id, user_id, key, value, created_at, updated_at)
VALUES (:tenant_id, :user_id, :key, :value, :now, :now)
ON CONFLICT (tenant_id, user_id, key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at;

-- name: get_user_memory
SELECT key, value FROM user_memory WHERE tenant_id = :tenant_id AND user_id = :user_id AND key = :key;

-- name: list_user_memory
SELECT key, value FROM user_memory WHERE tenant_id = :tenant_id AND user_id = :user_id ORDER BY key;

-- name: delete_user_memory
DELETE FROM user_memory WHERE tenant_id = :tenant_id AND user_id = :user_id AND key = :key;

-- name: clear_user_memory
DELETE FROM user_memory WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: set_user_state
INSERT INTO user_state (tenant_id, user_id, mode, updated_at)
VALUES (:tenant_id, :user_id, :mode, :now)
ON CONFLICT (tenant_id, user_id) DO UPDATE SET mode = excluded.mode, updated_at = excluded.updated_at;

-- name: get_user_state
SELECT mode FROM user_state WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: delete_user_state
DELETE FROM user_state WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: put_pending
INSERT INTO pending_clarifications (tenant_id, conversation_id, user_id, payload, expires_at)
VALUES (:tenant_id, :conversation_id, :user_id, :payload, :expires_at)
ON CONFLICT (tenant_id, conversation_id) DO UPDATE
SET payload = excluded.payload, expires_at = excluded.expires_at
WHERE pending_clarifications.user_id = excluded.user_id;

-- name: get_pending
SELECT payload, expires_at FROM pending_clarifications
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
  AND expires_at > :now;

-- name: renew_pending
UPDATE pending_clarifications SET expires_at = :expires_at
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
  AND expires_at > :now;

-- name: drop_pending
DELETE FROM pending_clarifications
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = coalesce(:scope_user, user_id);

-- name: drop_pending_of_user
DELETE FROM pending_clarifications WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: messages_after
SELECT id, user_id, turn_number, content, created_at, metadata
FROM messages
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number > :after
  AND user_id = coalesce(:scope_user, user_id)
ORDER BY turn_number, role
LIMIT :limit;

-- name: remember_request
INSERT INTO requests (tenant_id, user_id, request_id, conversation_id, turn_number, created_at)
VALUES (:tenant_id, :user_id, :request_id, :conversation_id, :turn_number, :now)
ON CONFLICT (tenant_id, user_id, request_id) DO NOTHING;

-- name: find_request
SELECT conversation_id, turn_number, created_at FROM requests
WHERE tenant_id = :tenant_id AND user_id = :user_id AND request_id = :request_id;

-- name: get_message_of_turn
SELECT id, conversation_id, turn_number, role, content, created_at,
       tool_calls, suggested_values, suggested_actions, custom_payload
FROM messages
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number = :turn_number AND role = :role
  AND user_id = coalesce(:scope_user, user_id);

-- An answer that called tools is said to its end when their results have come.
-- name: recount_answer
UPDATE conversations
SET token_count = token_count + :token_count - (
        SELECT messages.token_count FROM messages
        WHERE messages.tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number = :turn_number
          AND role = 'assistant'
    ),
    updated_at = :now
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id);

-- name: amend_answer
UPDATE messages
SET content = :content, token_count = :token_count, metadata = :metadata, tool_calls = :tool_calls,
    custom_payload = :custom_payload
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number = :turn_number
  AND role = 'assistant' AND user_id = coalesce(:scope_user, user_id);

-- name: insert_receipt
INSERT INTO receipts (tenant_id, id, user_id, conversation_id, turn_number, kind, body, created_at)
VALUES (:tenant_id, :receipt_id, :user_id, :conversation_id, :turn_number, :kind, :body, :now);

-- name: get_receipt
SELECT id, user_id, conversation_id, turn_number, kind, body, created_at FROM receipts
WHERE tenant_id = :tenant_id AND id = :receipt_id AND user_id = coalesce(:scope_user, user_id);

-- name: receipts_of_turn
SELECT id, user_id, conversation_id, turn_number, kind, body, created_at FROM receipts
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number = :turn_number
  AND user_id = coalesce(:scope_user, user_id)
ORDER BY id DESC;

-- name: put_summary
INSERT INTO summaries (tenant_id, conversation_id, through_turn, user_id, content, key_topics, method, token_count,
                       created_at)
VALUES (:tenant_id, :conversation_id, :through_turn, :user_id, :content, :key_topics, :method, :token_count, :now)
ON CONFLICT (tenant_id, conversation_id, through_turn) DO UPDATE
SET content = excluded.content, key_topics = excluded.key_topics, method = excluded.method,
    token_count = excluded.token_count, created_at = excluded.created_at;

-- name: latest_summary
SELECT through_turn, content, key_topics, method, token_count, created_at FROM summaries
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
ORDER BY through_turn DESC
LIMIT 1;

-- name: insert_correction
INSERT INTO corrections (tenant_id, id, user_id, conversation_id, turn_number, understood, meant, created_at)
VALUES (:tenant_id, :correction_id, :user_id, :conversation_id, :turn_number, :understood, :meant, :now);

-- name: list_corrections_of_user
SELECT id, user_id, conversation_id, turn_number, understood, meant, created_at FROM corrections
WHERE tenant_id = :tenant_id AND user_id = coalesce(:scope_user, user_id)
ORDER BY id DESC
LIMIT :limit OFFSET :offset;

-- name: insert_api_key
INSERT INTO api_keys (tenant_id, id, name, role, user_id, key_hash, created_at)
VALUES (:tenant_id, :key_id, :name, :role, :user_id, :key_hash, :now);

-- name: list_api_keys_of_tenant
SELECT id, name, role, user_id, created_at, last_used_at, revoked_at FROM api_keys
WHERE tenant_id = :tenant_id
ORDER BY id;

-- name: revoke_api_key_of_tenant
UPDATE api_keys SET revoked_at = coalesce(revoked_at, :now) WHERE tenant_id = :tenant_id AND id = :key_id;

-- name: note_api_key_use_of_tenant
UPDATE api_keys SET last_used_at = :now
WHERE tenant_id = :tenant_id AND id = :key_id AND (last_used_at IS NULL OR last_used_at <= :unless_after);

-- name: title_conversation
UPDATE conversations SET title = :title
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id) AND title IS NULL;

-- name: measure_after
SELECT count(*), coalesce(sum(token_count), 0) FROM messages
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number > :after
  AND user_id = coalesce(:scope_user, user_id);

-- name: count_what_is_kept
SELECT
    (SELECT count(*) FROM conversations
     WHERE tenant_id = :tenant_id AND user_id = coalesce(:user_id, :scope_user, user_id)),
    (SELECT count(*) FROM conversation_turns
     WHERE tenant_id = :tenant_id AND user_id = coalesce(:user_id, :scope_user, user_id)),
    (SELECT count(*) FROM messages
     WHERE tenant_id = :tenant_id AND user_id = coalesce(:user_id, :scope_user, user_id)),
    (SELECT count(*) FROM memories
     WHERE tenant_id = :tenant_id AND user_id = coalesce(:user_id, :scope_user, user_id)),
    (SELECT count(*) FROM corrections
     WHERE tenant_id = :tenant_id AND user_id = coalesce(:user_id, :scope_user, user_id));

-- name: put_message_index
INSERT INTO message_index (tenant_id, user_id, message_id, conversation_id, turn_number, role, created_at, indexed_at,
                           mark, terms, vectors, model)
SELECT tenant_id, user_id, id, conversation_id, turn_number, role, created_at, :now, :mark, :terms, :vectors, :model
FROM messages
WHERE tenant_id = :tenant_id AND id = :message_id AND user_id = coalesce(:scope_user, user_id)
ON CONFLICT (tenant_id, user_id, message_id) DO UPDATE
SET indexed_at = excluded.indexed_at, mark = excluded.mark, terms = excluded.terms, vectors = excluded.vectors,
    model = excluded.model;

-- name: leave_index_queue
DELETE FROM index_queue WHERE tenant_id = :tenant_id AND user_id = :user_id AND message_id = :message_id;

-- name: count_to_index
SELECT count(*) FROM index_queue WHERE tenant_id = :tenant_id AND user_id = coalesce(:scope_user, user_id);

-- name: count_memories_to_embed
SELECT count(*) FROM memories
WHERE tenant_id = :tenant_id AND user_id = coalesce(:scope_user, user_id) AND vector_model IS NULL;

-- name: queue_for_reembedding
INSERT INTO index_queue (tenant_id, user_id, message_id)
SELECT tenant_id, user_id, message_id FROM message_index
WHERE tenant_id = :tenant_id AND user_id = coalesce(:scope_user, user_id) AND model <> :model
ON CONFLICT (tenant_id, user_id, message_id) DO NOTHING;

-- name: drop_vectors_of_other_models
UPDATE memories SET vector = NULL, vector_model = NULL
WHERE tenant_id = :tenant_id AND user_id = coalesce(:scope_user, user_id) AND vector_model <> :model;

-- name: index_fingerprint_of_user
SELECT count(*), coalesce(sum(mark), 0), max(indexed_at) FROM message_index
WHERE tenant_id = :tenant_id AND user_id = :user_id;

-- name: index_fingerprint_of_tenant
SELECT count(*), coalesce(sum(mark), 0), max(indexed_at) FROM message_index WHERE tenant_id = :tenant_id;

-- name: newest_index_rows_of_user
SELECT message_id, conversation_id, turn_number, role, created_at, mark, terms, vectors, model, indexed_at
FROM message_index
WHERE tenant_id = :tenant_id AND user_id = :user_id
ORDER BY message_id DESC
LIMIT :limit;

-- name: newest_index_rows_of_tenant
SELECT message_id, conversation_id, turn_number, role, created_at, mark, terms, vectors, model, indexed_at
FROM message_index
WHERE tenant_id = :tenant_id
ORDER BY message_id DESC
LIMIT :limit;

-- name: later_index_rows_of_user
SELECT message_id, conversation_id, turn_number, role, created_at, mark, terms, vectors, model, indexed_at
FROM message_index
WHERE tenant_id = :tenant_id AND user_id = :user_id AND indexed_at > :after
LIMIT :limit;

-- name: later_index_rows_of_tenant
SELECT message_id, conversation_id, turn_number, role, created_at, mark, terms, vectors, model, indexed_at
FROM message_index
WHERE tenant_id = :tenant_id AND indexed_at > :after
LIMIT :limit;

-- name: waiting_messages_of_user
SELECT messages.id, messages.conversation_id, turn_number, role, content, created_at,
       tool_calls, suggested_values, suggested_actions, custom_payload
FROM index_queue
JOIN messages ON messages.tenant_id = :tenant_id AND messages.id = index_queue.message_id
WHERE index_queue.tenant_id = :tenant_id AND index_queue.user_id = :user_id
ORDER BY index_queue.message_id DESC
LIMIT :limit;

-- name: waiting_messages_of_tenant
SELECT messages.id, messages.conversation_id, turn_number, role, content, created_at,
       tool_calls, suggested_values, suggested_actions, custom_payload
FROM index_queue
JOIN messages ON messages.tenant_id = :tenant_id AND messages.id = index_queue.message_id
WHERE index_queue.tenant_id = :tenant_id
ORDER BY index_queue.user_id, index_queue.message_id
LIMIT :limit;

-- name: memories_to_embed
SELECT id, content FROM memories
WHERE tenant_id = :tenant_id AND user_id = coalesce(:scope_user, user_id) AND vector_model IS NULL
LIMIT :limit;

-- name: put_memory_vector
UPDATE memories SET vector = :vector, vector_model = :model
WHERE tenant_id = :tenant_id AND id = :memory_id AND user_id = coalesce(:scope_user, user_id) AND content = :content;

-- name: vectors_of_memories
SELECT id, vector FROM memories
WHERE tenant_id = :tenant_id AND user_id = coalesce(:user_id, :scope_user, user_id) AND vector_model = :model
ORDER BY id DESC
LIMIT :limit;
