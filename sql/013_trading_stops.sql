-- oldest 13
CREATE TABLE IF NOT EXISTS trading_stops (
    agent_id    BIGINT UNSIGNED  NOT NULL PRIMARY KEY COMMENT '0: all agents; this row always exists, as the lock',
    stopped     TINYINT UNSIGNED NOT NULL,
    changed_at  DATETIME(3)      NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
