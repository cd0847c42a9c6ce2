-- oldest 14
INSERT IGNORE INTO trading_stops (agent_id, stopped, changed_at) VALUES (0, 0, UTC_TIMESTAMP(3))
