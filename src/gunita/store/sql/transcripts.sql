-- A conversation as it is shown, and what its turns tell taken together; on both engines as it stands.

-- name: transcript_before
SELECT id, turn_number, role, content, created_at, metadata
FROM messages
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number < :before
  AND user_id = coalesce(:scope_user, user_id)
ORDER BY turn_number DESC, role
LIMIT :limit;

-- name: transcript_after
SELECT id, turn_number, role, content, created_at, metadata
FROM messages
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number > :after
  AND user_id = coalesce(:scope_user, user_id)
ORDER BY turn_number, role DESC
LIMIT :limit;

-- name: newest_answers_of_user
SELECT id, conversation_id, created_at, metadata, length(content)
FROM messages
WHERE tenant_id = :tenant_id AND user_id = :user_id AND role = 'assistant'
ORDER BY id DESC
LIMIT :limit;

-- name: newest_answers_of_tenant
SELECT id, conversation_id, created_at, metadata, length(content)
FROM messages
WHERE tenant_id = :tenant_id AND role = 'assistant'
ORDER BY id DESC
LIMIT :limit;

-- name: newest_queries_of_user
SELECT id, content
FROM messages
WHERE tenant_id = :tenant_id AND user_id = :user_id AND role = 'user'
ORDER BY id DESC
LIMIT :limit;

-- name: newest_queries_of_tenant
SELECT id, content
FROM messages
WHERE tenant_id = :tenant_id AND role = 'user'
ORDER BY id DESC
LIMIT :limit;
