-- oldest 74
UPDATE agents a JOIN (
    SELECT e.agent_id, SUM(e.kind = 1 AND e.listed = 1) AS pending, SUM(e.kind = 1 AND e.listed = 2) AS submitted,
        SUM(e.kind = 1 AND e.listed = 4) AS completed, SUM(e.kind = 1 AND e.listed = 5) AS failed
    FROM (SELECT DISTINCT agent_id FROM execution_totals WHERE kind = 2) t JOIN executions e ON e.agent_id = t.agent_id
    GROUP BY e.agent_id) n ON n.agent_id = a.id
SET a.swaps_pending = n.pending, a.swaps_submitted = n.submitted, a.swaps_completed = n.completed, a.swaps_failed = n.failed
