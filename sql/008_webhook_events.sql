-- oldest 8
CREATE TABLE IF NOT EXISTS webhook_events (
    seq              BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    id               BINARY(16)       NOT NULL COMMENT 'webhook-id of every attempt',
    agent_id         BIGINT UNSIGNED  NOT NULL,
    event_type       VARCHAR(40)      CHARACTER SET ascii NOT NULL,
    status           TINYINT UNSIGNED NOT NULL COMMENT '1 pending 2 delivered 3 failed',
    attempts         INT UNSIGNED     NOT NULL DEFAULT 0,
    last_error       VARCHAR(200)     NULL,
    response_status  SMALLINT UNSIGNED NULL,
    callback_url     VARCHAR(500)     NOT NULL COMMENT 'as it was at the time of the event',
    body             MEDIUMTEXT       NOT NULL COMMENT 'the bytes that are signed and sent',
    created_at       DATETIME(3)      NOT NULL,
    delivered_at     DATETIME(3)      NULL,
    next_at          DATETIME(3)      NOT NULL,
    lease_owner      BINARY(16)       NULL,
    lease_until      DATETIME(3)      NULL,
    UNIQUE KEY (id),
    KEY agent_page (agent_id, seq),
    KEY agent_status_page (agent_id, status, seq),
    KEY agent_type_page (agent_id, event_type, status, seq),
    KEY due (status, next_at, seq),
    KEY leased (lease_owner)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
