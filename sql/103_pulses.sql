-- oldest 84
CREATE TABLE IF NOT EXISTS pulses (
    host      BINARY(16)       NOT NULL PRIMARY KEY COMMENT 'whose file in signer_dir counts along',
    beats     BIGINT UNSIGNED  NOT NULL COMMENT 'less than the file says: the database is older than the host',
    at        DATETIME(3)      NOT NULL COMMENT 'of the last one',
    programs  INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'that beat: the schema that they were built for',
    lost_from DATETIME(3)      NULL COMMENT 'the last beat that was known when it was found to be older',
    accepted  TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: it was reconciled, and the host may go on'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
