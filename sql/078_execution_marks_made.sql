-- oldest 78
CREATE TABLE IF NOT EXISTS execution_marks_made (
    one     TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    upto_id BIGINT UNSIGNED  NOT NULL COMMENT 'the executions up to this one have been looked through for marks to make'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
