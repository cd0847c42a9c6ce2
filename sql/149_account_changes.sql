-- oldest 84
CREATE TABLE IF NOT EXISTS account_changes (
    execution_id   BIGINT UNSIGNED NOT NULL,
    transaction_id BIGINT UNSIGNED NOT NULL COMMENT 'of the execution; 0: what its bridge paid',
    address        VARCHAR(160)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    chain_id       BIGINT UNSIGNED NOT NULL,
    block_number   BIGINT UNSIGNED NOT NULL,
    changes        TEXT            CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'token, what left, what came, as JSON; NULL: not known',
    recorded_at    DATETIME(3)     NOT NULL,
    PRIMARY KEY (execution_id, transaction_id),
    KEY account (address, chain_id, block_number),
    KEY recorded (recorded_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
