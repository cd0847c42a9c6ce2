-- oldest 84
CREATE TABLE IF NOT EXISTS callbacks (
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id     BIGINT UNSIGNED NOT NULL,
    callback_url VARCHAR(500)    NULL COMMENT 'NULL: webhooks were off',
    secret       VARBINARY(128)  NULL COMMENT 'sealed; what signed at the time',
    set_at       DATETIME(3)     NOT NULL COMMENT 'in force until the next row of the agent',
    answered_at  DATETIME(3)     NULL COMMENT 'of the first 2xx from this URL since',
    KEY agent_page (agent_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
