-- oldest 29
ALTER TABLE tasks ADD COLUMN bytes INT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'what it counts for among all that the agent stores; room for its answer while there is none',
    ADD KEY agent_bytes (agent_id, bytes)
