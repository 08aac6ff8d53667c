-- Everything read out a page at a time, and brought back under the ids it had; on both engines as it stands.

-- name: conversations_after_of_user
SELECT id, user_id, title, created_at, updated_at, archived, pinned, document_context,
       message_count, turn_count, token_count, metadata
FROM conversations
WHERE tenant_id = :tenant_id AND user_id = :user_id AND id > :after
ORDER BY id
LIMIT :limit;

-- name: conversations_after_of_tenant
SELECT id, user_id, title, created_at, updated_at, archived, pinned, document_context,
       message_count, turn_count, token_count, metadata
FROM conversations
WHERE tenant_id = :tenant_id AND id > :after
ORDER BY id
LIMIT :limit;

-- name: messages_to_move
SELECT id, conversation_id, turn_number, role, content, created_at,
       tool_calls, suggested_values, suggested_actions, custom_payload, metadata
FROM messages
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number > :after
  AND user_id = coalesce(:scope_user, user_id)
ORDER BY turn_number, role DESC
LIMIT :limit;

-- name: memories_after_of_user
SELECT id, user_id, memory_type, category, content, source_conversation_id, source_message_id,
       created_at, last_accessed_at, access_count, pinned, archived, confidence
FROM memories
WHERE tenant_id = :tenant_id AND user_id = :user_id AND id > :after
ORDER BY id
LIMIT :limit;

-- name: memories_after_of_tenant
SELECT id, user_id, memory_type, category, content, source_conversation_id, source_message_id,
       created_at, last_accessed_at, access_count, pinned, archived, confidence
FROM memories
WHERE tenant_id = :tenant_id AND id > :after
ORDER BY id
LIMIT :limit;

-- name: user_memory_after_of_tenant
SELECT user_id, key, value
FROM user_memory
WHERE tenant_id = :tenant_id AND (user_id, key) > (:user_id, :key)
ORDER BY user_id, key
LIMIT :limit;

-- name: user_states_after_of_tenant
SELECT user_id, mode
FROM user_state
WHERE tenant_id = :tenant_id AND user_id > :user_id
ORDER BY user_id
LIMIT :limit;

-- name: restore_message
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count,
                      tool_calls, suggested_values, suggested_actions, custom_payload, metadata)
VALUES (:tenant_id, :conversation_id, :turn_number, :role, :message_id, :user_id, :content, :created_at, :token_count,
        :tool_calls, :suggested_values, :suggested_actions, :custom_payload, :metadata);

-- name: recount_restored
UPDATE conversations
SET turn_count = :turn_count,
    message_count = :message_count,
    token_count = :token_count,
    awaits_answer = :awaits_answer
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = :user_id;

-- name: restore_memory
INSERT INTO memories (tenant_id, id, user_id, memory_type, category, content, source_conversation_id,
                      source_message_id, created_at, last_accessed_at, access_count, pinned, archived, confidence)
VALUES (:tenant_id, :memory_id, :user_id, :memory_type, :category, :content, :source_conversation_id,
        :source_message_id, :created_at, :last_accessed_at, :access_count, :pinned, :archived, :confidence)
ON CONFLICT (tenant_id, id) DO NOTHING;

-- name: restore_user_memory
INSERT INTO user_memory (tenant_id, user_id, key, value, created_at, updated_at)
VALUES (:tenant_id, :user_id, :key, :value, :now, :now)
ON CONFLICT (tenant_id, user_id, key) DO NOTHING;

-- name: restore_user_state
INSERT INTO user_state (tenant_id, user_id, mode, updated_at)
VALUES (:tenant_id, :user_id, :mode, :now)
ON CONFLICT (tenant_id, user_id) DO NOTHING;
