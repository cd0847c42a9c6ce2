-- oldest 9
CREATE TABLE IF NOT EXISTS event_totals (
    agent_id    BIGINT UNSIGNED  NOT NULL,
    event_type  VARCHAR(40)      CHARACTER SET ascii NOT NULL,
    status      TINYINT UNSIGNED NOT NULL,
    n           BIGINT           NOT NULL COMMENT 'kept, so that no page counts rows',
    PRIMARY KEY (agent_id, event_type, status)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
