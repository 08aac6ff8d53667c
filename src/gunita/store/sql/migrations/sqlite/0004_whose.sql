-- A message is its conversation's user's. SQLite cannot give a table another foreign key, so a trigger looks.
CREATE TRIGGER messages_of_their_user BEFORE INSERT ON messages
WHEN NOT EXISTS (
    SELECT 1 FROM conversations
    WHERE tenant_id = new.tenant_id AND id = new.conversation_id AND user_id = new.user_id
) BEGIN
    SELECT raise(ABORT, 'a message must have the user of its conversation');
END;

CREATE TRIGGER messages_stay_with_their_user BEFORE UPDATE OF user_id ON messages
WHEN new.user_id <> old.user_id BEGIN
    SELECT raise(ABORT, 'a message must have the user of its conversation');
END;
