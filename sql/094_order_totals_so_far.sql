-- oldest 84
UPDATE agents a JOIN (
    SELECT agent_id, SUM(status = 1) AS pending, SUM(status = 2) AS open, SUM(status = 3) AS filled, SUM(status = 4) AS cancelled,
        SUM(status = 5) AS rejected
    FROM orders GROUP BY agent_id) n ON n.agent_id = a.id
SET a.orders_pending = n.pending, a.orders_open = n.open, a.orders_filled = n.filled, a.orders_cancelled = n.cancelled,
    a.orders_rejected = n.rejected
