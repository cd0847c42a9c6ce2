-- oldest 84
CREATE TABLE IF NOT EXISTS lend_scans (
    chain_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    block    BIGINT UNSIGNED NOT NULL COMMENT 'up to which logs were read'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
