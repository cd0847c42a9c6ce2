-- oldest 84
UPDATE agents a JOIN (
    SELECT agent_id, SUM(n) AS n FROM execution_totals WHERE kind BETWEEN 8 AND 12 GROUP BY agent_id) t ON t.agent_id = a.id
SET a.lend_operations = t.n
