-- oldest 84
CREATE TABLE IF NOT EXISTS operator_tokens (
    id         BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    name       VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'who acts with it, for the audit log',
    in_force   TINYINT UNSIGNED NULL DEFAULT 1 COMMENT 'NULL: revoked, so that its name is free again',
    digest     BINARY(32)       NOT NULL COMMENT 'SHA-256 of the token, which has 256 random bits',
    read_only  TINYINT UNSIGNED NOT NULL,
    created_at DATETIME(3)      NOT NULL,
    revoked_at DATETIME(3)      NULL,
    UNIQUE KEY digest (digest),
    UNIQUE KEY in_force (in_force, name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
