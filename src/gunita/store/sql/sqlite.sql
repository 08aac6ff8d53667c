-- What SQLite must say in its own way. It has no statement that writes two tables, so an append is two steps of one
-- transaction: "then" runs the next statement with the columns of the first one's row as further parameters. That row is
-- the result; returning one from the second step too would cost a tenth of the whole append.

-- name: append_turn
INSERT INTO conversations (tenant_id, id, user_id, created_at, updated_at, turn_count, message_count, token_count)
VALUES (:tenant_id, :conversation_id, :user_id, :now, :now, 1, 2, :query_tokens + :response_tokens)
ON CONFLICT (tenant_id, id) DO UPDATE
SET turn_count = turn_count + 1,
    message_count = message_count + 2,
    token_count = token_count + excluded.token_count,
    awaits_answer = 0,
    updated_at = max(updated_at, excluded.updated_at)
WHERE conversations.user_id = excluded.user_id
RETURNING turn_count AS turn_number;
-- then
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count, metadata)
VALUES (:tenant_id, :conversation_id, :turn_number, 'user', :query_id, :user_id, :query, :now, :query_tokens, NULL),
       (:tenant_id, :conversation_id, :turn_number, 'assistant', :response_id, :user_id, :response, :now,
        :response_tokens, :metadata);

-- name: hold_user
-- Whoever writes holds the whole file already.
SELECT 1 WHERE :tenant_id IS NOT NULL AND :user_id IS NOT NULL;

-- name: append_message
UPDATE conversations
SET turn_count = turn_count + (:role = 'user' OR NOT awaits_answer),
    awaits_answer = (:role = 'user'),
    message_count = message_count + 1,
    token_count = token_count + :token_count,
    updated_at = max(updated_at, :now)
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
RETURNING turn_count AS turn_number, user_id;
-- then
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count,
                      tool_calls, suggested_values, suggested_actions, custom_payload)
VALUES (:tenant_id, :conversation_id, :turn_number, :role, :message_id, :user_id, :content, :now, :token_count,
        :tool_calls, :suggested_values, :suggested_actions, :custom_payload);

-- name: open_turn
INSERT INTO conversations (tenant_id, id, user_id, created_at, updated_at, turn_count, message_count, token_count,
                           awaits_answer)
VALUES (:tenant_id, :conversation_id, :user_id, :now, :now, 1, 1, :token_count, 1)
ON CONFLICT (tenant_id, id) DO UPDATE
SET turn_count = turn_count + 1,
    message_count = message_count + 1,
    token_count = token_count + excluded.token_count,
    awaits_answer = 1,
    updated_at = max(updated_at, excluded.updated_at)
WHERE conversations.user_id = excluded.user_id
RETURNING turn_count AS turn_number, title AS its_title, document_context AS its_documents,
          message_count AS its_messages, token_count AS its_tokens;
-- then
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count,
                      metadata)
VALUES (:tenant_id, :conversation_id, :turn_number, 'user', :message_id, :user_id, :content, :now, :token_count,
        :opened);

-- name: close_turn
UPDATE conversations
SET message_count = message_count + 1,
    token_count = token_count + :token_count,
    awaits_answer = (awaits_answer AND turn_count <> :turn_number),
    title = coalesce(title, :title),
    updated_at = max(updated_at, :now)
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
RETURNING user_id;
-- then
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count,
                      metadata, tool_calls, custom_payload)
VALUES (:tenant_id, :conversation_id, :turn_number, 'assistant', :message_id, :user_id, :content, :now, :token_count,
        :metadata, :tool_calls, :custom_payload);

-- name: answer_turn
UPDATE conversations
SET message_count = message_count + 1,
    token_count = token_count + :token_count,
    awaits_answer = (awaits_answer AND turn_count <> :turn_number),
    title = coalesce(title, :title),
    updated_at = max(updated_at, :now)
WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
RETURNING user_id;
-- then
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count,
                      metadata, tool_calls, custom_payload)
VALUES (:tenant_id, :conversation_id, :turn_number, 'assistant', :message_id, :user_id, :content, :now, :token_count,
        :metadata, :tool_calls, :custom_payload);
-- then
INSERT INTO receipts (tenant_id, id, user_id, conversation_id, turn_number, kind, body, created_at)
VALUES (:tenant_id, :receipt_id, :user_id, :conversation_id, :turn_number, 'context', :receipt, :now);

-- name: find_api_key
SELECT tenant_id, id, role, user_id, revoked_at FROM api_keys WHERE key_hash = :key_hash;

-- name: claim_to_index
UPDATE index_queue SET claimed_until = :claimed_until
WHERE tenant_id = :tenant_id AND (user_id, message_id) IN (
    SELECT user_id, message_id FROM index_queue
    WHERE tenant_id = :tenant_id AND user_id = coalesce(:scope_user, user_id)
      AND (claimed_until IS NULL OR claimed_until < :now)
    LIMIT :limit
)
RETURNING message_id, user_id;

-- The list is walked and each id looked up: left to choose, the planner would rather walk the whole tenant.
-- name: messages_by_ids
SELECT messages.id, conversation_id, turn_number, role, content, created_at,
       tool_calls, suggested_values, suggested_actions, custom_payload
FROM json_each(:ids) AS wanted
CROSS JOIN messages ON messages.tenant_id = :tenant_id AND messages.id = wanted.value
WHERE user_id = coalesce(:scope_user, user_id);

-- name: tenants_of_other_models
SELECT tenant_id FROM message_index WHERE model <> :model
UNION
SELECT tenant_id FROM memories WHERE vector_model <> :model;

-- name: tenants_to_index
SELECT tenant_id FROM index_queue UNION SELECT tenant_id FROM memories WHERE vector_model IS NULL;

-- name: tenants_to_learn
SELECT DISTINCT tenant_id FROM jobs WHERE kind = 'extract' AND run_after <= :now;
