-- oldest 15
CREATE TABLE IF NOT EXISTS event_queues (
    agent_id  BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    next_at   DATETIME(3)     NOT NULL COMMENT 'nothing of the agent can be claimed before; never too late, at most too early',
    KEY due (next_at, agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
SELECT agent_id, MIN(next_at) AS next_at FROM webhook_events WHERE status = 1 GROUP BY agent_id
