-- oldest 1
CREATE TABLE IF NOT EXISTS agents (
    id                BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY COMMENT 'inside; agents see the uuid',
    uuid              BINARY(16)      NOT NULL,
    key_hash          BINARY(32)      NOT NULL COMMENT 'SHA-256 of the API key, which has 256 random bits',
    status            TINYINT UNSIGNED NOT NULL DEFAULT 1 COMMENT '1 active, 2 deactivated',
    name              VARCHAR(100)    NOT NULL,
    description       VARCHAR(500)    NULL,
    tier              VARCHAR(32)     CHARACTER SET ascii NOT NULL DEFAULT 'standard',
    callback_url      VARCHAR(500)    NULL,
    webhook_secret    VARBINARY(128)  NULL COMMENT 'sealed under the service key',
    former_secret     VARBINARY(128)  NULL COMMENT 'signs too until former_until',
    former_until      DATETIME(3)     NULL,
    metadata          MEDIUMTEXT      NULL COMMENT 'a JSON object of the agent''s own',
    total_requests    BIGINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'folded in from shared memory',
    swaps_pending     BIGINT          NOT NULL DEFAULT 0 COMMENT 'kept totals by the status that lists show',
    swaps_submitted   BIGINT          NOT NULL DEFAULT 0,
    swaps_completed   BIGINT          NOT NULL DEFAULT 0,
    swaps_failed      BIGINT          NOT NULL DEFAULT 0,
    created_at        DATETIME(3)     NOT NULL,
    last_active_at    DATETIME(3)     NOT NULL,
    UNIQUE KEY (uuid),
    UNIQUE KEY (key_hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
