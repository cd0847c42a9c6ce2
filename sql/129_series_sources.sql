-- oldest 84
CREATE TABLE IF NOT EXISTS series_sources (
    source BIGINT UNSIGNED NOT NULL PRIMARY KEY COMMENT 'a file of counters that some host has',
    folds  BIGINT UNSIGNED NOT NULL COMMENT '0: nothing of it was added yet; written by whoever holds this row',
    at     DATETIME(3)     NOT NULL COMMENT 'of the last time that anything was added',
    KEY at (at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
