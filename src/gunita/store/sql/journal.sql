-- What brings turns back that were said while the database was away: each is written once, known by its messages' ids.

-- name: find_turn_of_message
SELECT conversation_id, turn_number, user_id FROM messages
WHERE tenant_id = :tenant_id AND id = :message_id AND user_id = coalesce(:scope_user, user_id);

-- name: insert_late_answer
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count,
                      metadata, tool_calls, custom_payload)
VALUES (:tenant_id, :conversation_id, :turn_number, 'assistant', :message_id, :user_id, :content, :now, :token_count,
        :metadata, :tool_calls, :custom_payload)
ON CONFLICT (tenant_id, conversation_id, turn_number, role) DO NOTHING;

-- name: count_late_answer
UPDATE conversations
SET message_count = message_count + 1,
    token_count = token_count + :token_count,
    awaits_answer = (awaits_answer AND turn_count <> :turn_number),
    updated_at = CASE WHEN updated_at < :now THEN :now ELSE updated_at END
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id);

-- name: put_tool_calls
UPDATE messages SET tool_calls = :tool_calls, custom_payload = :custom_payload
WHERE tenant_id = :tenant_id AND id = :message_id AND user_id = coalesce(:scope_user, user_id);

-- name: forget_request_of_turn
DELETE FROM requests
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number = :turn_number
  AND user_id = coalesce(:scope_user, user_id);

-- name: insert_late_receipt
INSERT INTO receipts (tenant_id, id, user_id, conversation_id, turn_number, kind, body, created_at)
VALUES (:tenant_id, :receipt_id, :user_id, :conversation_id, :turn_number, 'context', :body, :now)
ON CONFLICT (tenant_id, id) DO NOTHING;

-- name: content_of_answer
SELECT content FROM messages
WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number = :turn_number
  AND role = 'assistant' AND user_id = coalesce(:scope_user, user_id);

-- name: turns_left_open_of_tenant
SELECT asked.id
FROM messages AS asked
WHERE asked.tenant_id = :tenant_id AND asked.id > :after AND asked.id < :before
  AND asked.role = 'user' AND CAST(asked.metadata AS text) = :opened
  AND NOT EXISTS (
    SELECT 1 FROM messages AS answered
    WHERE answered.tenant_id = :tenant_id AND answered.conversation_id = asked.conversation_id
      AND answered.turn_number = asked.turn_number AND answered.role = 'assistant'
  )
ORDER BY asked.id
LIMIT :limit;
