-- oldest 10
CREATE TABLE IF NOT EXISTS idempotency (
    agent_id     BIGINT UNSIGNED   NOT NULL,
    scope        BINARY(32)        NOT NULL COMMENT 'SHA-256 of method, path and the key that was sent',
    fingerprint  BINARY(32)        NOT NULL COMMENT 'SHA-256 of the body',
    owner        BINARY(16)        NOT NULL COMMENT 'the run that may record its answer',
    lease_until  DATETIME(3)       NOT NULL COMMENT 'running until then; afterwards recorded, or to be run again',
    status       SMALLINT UNSIGNED NULL COMMENT 'of the recorded answer',
    body         MEDIUMTEXT        NULL COMMENT 'likewise',
    expires_at   DATETIME(3)       NOT NULL COMMENT 'then the key is free again',
    PRIMARY KEY (agent_id, scope),
    KEY (expires_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
