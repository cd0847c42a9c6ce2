-- oldest 74
-- Rows of agents whose purge ended while they were copied.
INSERT IGNORE INTO purges (agent_id, created_at, next_at)
SELECT e.agent_id, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3)
FROM (SELECT agent_id FROM executions UNION SELECT agent_id FROM execution_totals) e LEFT JOIN agents a ON a.id = e.agent_id WHERE a.id IS NULL
