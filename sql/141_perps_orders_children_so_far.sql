-- oldest 84
-- batches perps_orders
UPDATE perps_orders o
LEFT JOIN perps_orders g FORCE INDEX (execution) ON g.execution_id = o.execution_id AND g.role = 1
LEFT JOIN perps_orders l FORCE INDEX (execution) ON l.execution_id = o.execution_id AND l.role = 2
SET o.gain_cloid = g.cloid, o.gain_trigger = g.trigger_price, o.gain_status = g.status,
    o.loss_cloid = l.cloid, o.loss_trigger = l.trigger_price, o.loss_status = l.status
WHERE o.role = 0 AND o.behind > 0 AND o.id >= ? AND o.id < ?
