-- oldest 29
CREATE TABLE IF NOT EXISTS approval_totals (
    agent_id  BIGINT UNSIGNED  NOT NULL,
    state     TINYINT UNSIGNED NOT NULL,
    n         BIGINT           NOT NULL COMMENT 'kept, so that no page counts rows',
    PRIMARY KEY (agent_id, state)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
