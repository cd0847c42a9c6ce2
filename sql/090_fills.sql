-- oldest 84
CREATE TABLE IF NOT EXISTS fills (
    execution_id BIGINT UNSIGNED  NOT NULL COMMENT 'of the order',
    trade        VARCHAR(80)      NOT NULL COMMENT 'the venue''s id of the trade',
    price        INT UNSIGNED     NOT NULL COMMENT 'ten-thousandths',
    size         BIGINT UNSIGNED  NOT NULL COMMENT 'millionths of a share',
    paid         BIGINT UNSIGNED  NOT NULL COMMENT 'millionths of collateral',
    fee          BIGINT UNSIGNED  NOT NULL COMMENT 'likewise, beside it',
    maker        TINYINT UNSIGNED NOT NULL COMMENT 'the order rested',
    state        TINYINT UNSIGNED NOT NULL COMMENT '1 matched 2 mined 3 confirmed 4 failed',
    tx_hash      BINARY(32)       NULL COMMENT 'that settles it',
    at           DATETIME(3)      NOT NULL,
    PRIMARY KEY (execution_id, trade)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
