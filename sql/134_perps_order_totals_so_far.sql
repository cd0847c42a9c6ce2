-- oldest 84
UPDATE agents a JOIN (
    SELECT agent_id, COUNT(*) AS shown FROM perps_orders WHERE role = 0 AND status <> 6 GROUP BY agent_id) n ON n.agent_id = a.id
SET a.perps_orders = n.shown
