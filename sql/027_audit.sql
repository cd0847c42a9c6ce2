-- oldest 27
CREATE TABLE IF NOT EXISTS audit (
    host  VARCHAR(64)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'each host has a chain of its own',
    seq   BIGINT UNSIGNED NOT NULL COMMENT 'from 1, without gaps',
    line  TEXT            NOT NULL COMMENT 'JSON with the hash of the line before',
    PRIMARY KEY (host, seq)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
