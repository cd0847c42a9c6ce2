-- oldest 11
CREATE TABLE IF NOT EXISTS purges (
    agent_id    BIGINT UNSIGNED NOT NULL PRIMARY KEY COMMENT 'an agent that was deleted',
    created_at  DATETIME(3)     NOT NULL,
    next_at     DATETIME(3)     NOT NULL COMMENT 'moved on by whoever works on it, as a lease',
    KEY (next_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
