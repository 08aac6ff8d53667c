-- A message is its conversation's user's. Row-level security looks at the message's own user_id, so without this a user
-- could write rows of their own into another's conversation by speaking to the database directly.
ALTER TABLE conversations ADD CONSTRAINT conversations_of_their_user UNIQUE (tenant_id, id, user_id);
ALTER TABLE messages ADD CONSTRAINT messages_of_their_user FOREIGN KEY (tenant_id, conversation_id, user_id)
    REFERENCES conversations (tenant_id, id, user_id) ON DELETE CASCADE;
ALTER TABLE messages DROP CONSTRAINT messages_tenant_id_conversation_id_fkey;
