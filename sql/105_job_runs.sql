-- oldest 84
CREATE TABLE IF NOT EXISTS job_runs (
    job        VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    done_at    DATETIME(3) NULL COMMENT 'it did its work last, on whichever host',
    failed_at  DATETIME(3) NULL COMMENT 'it could not, last'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
