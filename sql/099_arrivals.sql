-- oldest 84
CREATE TABLE IF NOT EXISTS arrivals (
    chain_id     BIGINT UNSIGNED NOT NULL,
    tx           VARBINARY(64)   NOT NULL,
    log_index    INT             NOT NULL COMMENT 'in its block; -1: coin, which leaves no log',
    execution_id BIGINT UNSIGNED NOT NULL COMMENT 'whose delivery or refund it proves, and nobody else''s',
    recipient    VARCHAR(160)    CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    block_number BIGINT UNSIGNED NOT NULL,
    amount       BINARY(32)      NOT NULL,
    PRIMARY KEY (chain_id, tx, log_index),
    KEY execution (execution_id),
    KEY block (chain_id, block_number)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
