-- oldest 84
UPDATE perps_orders o JOIN (
    SELECT execution_id, COUNT(*) AS n FROM perps_orders WHERE role > 0 GROUP BY execution_id) b ON b.execution_id = o.execution_id
SET o.behind = b.n
WHERE o.role = 0
