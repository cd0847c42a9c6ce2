-- oldest 74
INSERT INTO execution_totals (agent_id, kind, listed, n)
SELECT e.agent_id, e.kind, e.listed, COUNT(*)
FROM (SELECT DISTINCT agent_id FROM execution_totals WHERE kind = 2) t JOIN executions e ON e.agent_id = t.agent_id
WHERE e.kind = 2
GROUP BY e.agent_id, e.kind, e.listed
ON DUPLICATE KEY UPDATE n = VALUES(n)
