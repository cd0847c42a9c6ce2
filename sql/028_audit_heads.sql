-- oldest 28
CREATE TABLE IF NOT EXISTS audit_heads (
    host  VARCHAR(64)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    seq   BIGINT UNSIGNED NOT NULL COMMENT 'of the last line; 0: none yet',
    hash  BINARY(32)      NOT NULL COMMENT 'of the last line'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
