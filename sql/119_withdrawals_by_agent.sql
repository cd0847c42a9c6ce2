-- oldest 84
-- As with operations at lenders.
ALTER TABLE withdrawals
    DROP PRIMARY KEY,
    ADD PRIMARY KEY (agent_id, execution_id),
    ADD UNIQUE KEY of_execution (execution_id),
    DROP KEY agent_page
