-- oldest 46
CREATE TABLE IF NOT EXISTS quote_offers (
    quote_id    BINARY(16)       NOT NULL,
    place       TINYINT UNSIGNED NOT NULL COMMENT '1 for the first behind the quote itself, by what arrives net of gas and fees',
    provider    VARCHAR(32)      CHARACTER SET ascii NOT NULL,
    amount_out  BINARY(32)       NOT NULL,
    min_out     BINARY(32)       NOT NULL,
    gas_units   BIGINT UNSIGNED  NOT NULL,
    payload     MEDIUMBLOB       NOT NULL COMMENT 'the provider''s own: how to build the transaction',
    created_at  DATETIME(3)      NOT NULL,
    PRIMARY KEY (quote_id, place),
    KEY (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
