-- oldest 84
-- An agent's are read together, newest first.
ALTER TABLE lend_operations
    DROP PRIMARY KEY,
    ADD PRIMARY KEY (agent_id, execution_id),
    ADD UNIQUE KEY of_execution (execution_id),
    DROP KEY agent_page
