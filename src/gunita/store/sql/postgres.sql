-- What PostgreSQL says in its own way: an append takes its number and writes its rows in one statement, one round trip.
-- The driver sends a small number as smallint, whose sums overflow at 32,767: sums of parameters are cast.

-- name: append_turn
WITH numbered AS (
    INSERT INTO conversations (tenant_id, id, user_id, created_at, updated_at, turn_count, message_count, token_count)
    VALUES (:tenant_id, :conversation_id, :user_id, :now, :now, 1, 2, :query_tokens::integer + :response_tokens::integer)
    ON CONFLICT (tenant_id, id) DO UPDATE
    SET turn_count = conversations.turn_count + 1,
        message_count = conversations.message_count + 2,
        token_count = conversations.token_count + excluded.token_count,
        awaits_answer = false,
        updated_at = greatest(conversations.updated_at, excluded.updated_at)
    WHERE conversations.user_id = excluded.user_id
    RETURNING turn_count
)
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count, metadata)
SELECT :tenant_id, :conversation_id, numbered.turn_count, said.role, said.id, :user_id, said.content, :now,
       said.token_count, said.metadata
FROM numbered
CROSS JOIN (
    VALUES ('user', :query_id, :query, :query_tokens, NULL::json),
           ('assistant', :response_id, :response, :response_tokens, :metadata::json)
) AS said (role, id, content, token_count, metadata)
RETURNING turn_number;

-- name: hold_user
SELECT pg_advisory_xact_lock(hashtextextended(:tenant_id || '/' || :user_id, 0));

-- name: append_message
WITH numbered AS (
    UPDATE conversations
    SET turn_count = turn_count + CASE WHEN :role = 'user' OR NOT awaits_answer THEN 1 ELSE 0 END,
        awaits_answer = (:role = 'user'),
        message_count = message_count + 1,
        token_count = token_count + :token_count,
        updated_at = greatest(updated_at, :now)
    WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
    RETURNING turn_count, user_id
)
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count,
                      tool_calls, suggested_values, suggested_actions, custom_payload)
SELECT :tenant_id, :conversation_id, numbered.turn_count, :role, :message_id, numbered.user_id, :content, :now,
       :token_count, :tool_calls::json, :suggested_values::json, :suggested_actions::json, :custom_payload::json
FROM numbered
RETURNING turn_number;

-- name: open_turn
WITH numbered AS (
    INSERT INTO conversations (tenant_id, id, user_id, created_at, updated_at, turn_count, message_count, token_count,
                               awaits_answer)
    VALUES (:tenant_id, :conversation_id, :user_id, :now, :now, 1, 1, :token_count, true)
    ON CONFLICT (tenant_id, id) DO UPDATE
    SET turn_count = conversations.turn_count + 1,
        message_count = conversations.message_count + 1,
        token_count = conversations.token_count + excluded.token_count,
        awaits_answer = true,
        updated_at = greatest(conversations.updated_at, excluded.updated_at)
    WHERE conversations.user_id = excluded.user_id
    RETURNING turn_count, title, document_context, message_count, token_count
), stored AS (
    INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count,
                          metadata)
    SELECT :tenant_id, :conversation_id, numbered.turn_count, 'user', :message_id, :user_id, :content, :now, :token_count,
           :opened
    FROM numbered
)
SELECT turn_count, title, document_context, message_count, token_count FROM numbered;

-- name: close_turn
WITH counted AS (
    UPDATE conversations
    SET message_count = message_count + 1,
        token_count = token_count + :token_count,
        awaits_answer = (awaits_answer AND turn_count <> :turn_number),
        title = coalesce(title, :title),
        updated_at = greatest(updated_at, :now)
    WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
    RETURNING user_id
)
INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count,
                      metadata, tool_calls, custom_payload)
SELECT :tenant_id, :conversation_id, :turn_number, 'assistant', :message_id, counted.user_id, :content, :now,
       :token_count, :metadata::json, :tool_calls::json, :custom_payload::json
FROM counted
RETURNING turn_number;

-- name: answer_turn
WITH counted AS (
    UPDATE conversations
    SET message_count = message_count + 1,
        token_count = token_count + :token_count,
        awaits_answer = (awaits_answer AND turn_count <> :turn_number),
        title = coalesce(title, :title),
        updated_at = greatest(updated_at, :now)
    WHERE tenant_id = :tenant_id AND id = :conversation_id AND user_id = coalesce(:scope_user, user_id)
    RETURNING user_id
), said AS (
    INSERT INTO messages (tenant_id, conversation_id, turn_number, role, id, user_id, content, created_at, token_count,
                          metadata, tool_calls, custom_payload)
    SELECT :tenant_id, :conversation_id, :turn_number, 'assistant', :message_id, counted.user_id, :content, :now,
           :token_count, :metadata::json, :tool_calls::json, :custom_payload::json
    FROM counted
), accounted AS (
    INSERT INTO receipts (tenant_id, id, user_id, conversation_id, turn_number, kind, body, created_at)
    SELECT :tenant_id, :receipt_id, counted.user_id, :conversation_id, :turn_number, 'context', :receipt::json, :now
    FROM counted
)
SELECT user_id FROM counted;

-- name: find_api_key
SELECT tenant_id, id, role, user_id, revoked_at FROM gunita_find_api_key(:key_hash);

-- In the next two the user is checked outside the LIMIT: the planner takes that comparison for a rare match, and inside
-- it would rather read and sort the whole conversation than walk along the key until enough is found.
-- name: messages_before
SELECT id, user_id, turn_number, content, created_at, metadata
FROM (
    SELECT id, user_id, turn_number, role, content, created_at, metadata
    FROM messages
    WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number < :before
    ORDER BY turn_number DESC, role DESC
    LIMIT :limit
) AS newest
WHERE user_id = coalesce(:scope_user, user_id)
ORDER BY turn_number DESC, role DESC;

-- name: messages_after
SELECT id, user_id, turn_number, content, created_at, metadata
FROM (
    SELECT id, user_id, turn_number, role, content, created_at, metadata
    FROM messages
    WHERE tenant_id = :tenant_id AND conversation_id = :conversation_id AND turn_number > :after
    ORDER BY turn_number, role
    LIMIT :limit
) AS oldest
WHERE user_id = coalesce(:scope_user, user_id)
ORDER BY turn_number, role;

-- name: claim_to_index
UPDATE index_queue SET claimed_until = :claimed_until
WHERE tenant_id = :tenant_id AND (user_id, message_id) IN (
    SELECT user_id, message_id FROM index_queue
    WHERE tenant_id = :tenant_id AND user_id = coalesce(:scope_user, user_id)
      AND (claimed_until IS NULL OR claimed_until < :now)
    LIMIT :limit
    FOR UPDATE SKIP LOCKED
)
RETURNING message_id, user_id;

-- name: messages_by_ids
SELECT id, conversation_id, turn_number, role, content, created_at,
       tool_calls, suggested_values, suggested_actions, custom_payload
FROM messages
WHERE tenant_id = :tenant_id AND user_id = coalesce(:scope_user, user_id)
  AND id = ANY (ARRAY(SELECT value::uuid FROM json_array_elements_text(:ids::json)));

-- name: tenants_of_other_models
SELECT tenant_id FROM gunita_tenants_of_other_models(:model);

-- name: tenants_to_index
SELECT tenant_id FROM gunita_tenants_to_index();

-- name: tenants_to_learn
SELECT tenant_id FROM gunita_tenants_to_learn(:now);
