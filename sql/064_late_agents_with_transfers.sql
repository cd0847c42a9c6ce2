-- oldest 74
INSERT IGNORE INTO execution_totals (agent_id, kind, listed, n)
SELECT DISTINCT e.agent_id, 2, 1, 0
FROM executions e JOIN (SELECT IF(MAX(id) > 100000, MAX(id) - 100000, 0) AS id FROM executions) newest
WHERE e.kind = 2 AND e.id > newest.id
