-- What other frameworks keep in a conversation; on both engines as it stands.

-- name: newest_messages_of_conversation
SELECT id, conversation_id, turn_number, role, content, created_at,
       tool_calls, suggested_values, suggested_actions, custom_payload
FROM messages
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
ORDER BY turn_number DESC, role
LIMIT :limit OFFSET :offset;

-- name: rewrite_message
UPDATE messages SET content = :content, token_count = :token_count, custom_payload = :custom_payload
WHERE tenant_id = :tenant_id AND id = :message_id AND user_id = coalesce(:scope_user, user_id);

-- name: recount_message
UPDATE conversations
SET token_count = token_count + :token_count - (
        SELECT messages.token_count FROM messages
        WHERE messages.tenant_id = :tenant_id AND messages.id = :message_id
    ),
    updated_at = :now
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id);

-- name: conversation_holding
SELECT conversation_id FROM messages
WHERE tenant_id = :tenant_id AND user_id = coalesce(:scope_user, user_id)
  AND CAST(custom_payload AS text) LIKE '%' || :mark || '%'
ORDER BY id DESC LIMIT 1;
