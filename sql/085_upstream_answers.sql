-- oldest 84
CREATE TABLE IF NOT EXISTS upstream_answers (
    question    BINARY(32)  NOT NULL PRIMARY KEY COMMENT 'SHA-256 of what is asked',
    answer      MEDIUMTEXT  CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL COMMENT 'members of our answer, as JSON',
    made_at     DATETIME(3) NULL,
    asker       BINARY(16)  NULL COMMENT 'whoever asks for it now',
    asked_until DATETIME(3) NULL,
    touched_at  DATETIME(3) NOT NULL COMMENT 'when somebody asked for it last',
    KEY touched (touched_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
