-- oldest 46
CREATE TABLE IF NOT EXISTS execution_totals (
    agent_id  BIGINT UNSIGNED  NOT NULL,
    kind      TINYINT UNSIGNED NOT NULL,
    listed    TINYINT UNSIGNED NOT NULL COMMENT 'the status as lists know it',
    n         BIGINT           NOT NULL COMMENT 'of kinds that the totals in agents do not count',
    PRIMARY KEY (agent_id, kind, listed)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
