-- oldest 22
CREATE TABLE IF NOT EXISTS task_pushes (
    seq         BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id    BIGINT UNSIGNED  NOT NULL,
    task_seq    BIGINT UNSIGNED  NOT NULL,
    config_id   VARCHAR(128)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    version     TINYINT UNSIGNED NOT NULL COMMENT 'of A2A, in whose words it is told: 3 or 10',
    url         VARCHAR(500)     NOT NULL,
    scheme      VARCHAR(32)      CHARACTER SET ascii NULL COMMENT 'of its authentication',
    headers     VARBINARY(2200)  NOT NULL COMMENT 'sealed: token and credentials are in it',
    created_at  DATETIME(3)      NOT NULL,
    UNIQUE KEY (task_seq, config_id),
    KEY (agent_id),
    KEY (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
