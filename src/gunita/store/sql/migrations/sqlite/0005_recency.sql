-- A list in order of recency ends its order with the id. An index that does not would have every conversation of one
-- moment read and sorted for the first page of it, as after an import.

DROP INDEX conversations_by_recency;
CREATE INDEX conversations_by_recency ON conversations (tenant_id, user_id, updated_at DESC, id DESC);
CREATE INDEX conversations_of_tenant_by_recency ON conversations (tenant_id, updated_at DESC, id DESC);
