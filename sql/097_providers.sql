-- oldest 84
CREATE TABLE IF NOT EXISTS providers (
    provider VARCHAR(32)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY COMMENT 'its key in the settings',
    asked    BIGINT UNSIGNED NOT NULL COMMENT 'by all hosts; so are the next ones',
    answered BIGINT UNSIGNED NOT NULL,
    took_ms  BIGINT UNSIGNED NOT NULL COMMENT 'of all that were asked',
    findings BIGINT UNSIGNED NOT NULL COMMENT 'transactions that were not what had been offered',
    asked_at DATETIME(3)     NOT NULL COMMENT 'last'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
