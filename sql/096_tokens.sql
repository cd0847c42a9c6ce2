-- oldest 84
CREATE TABLE IF NOT EXISTS tokens (
    chain_id   BIGINT UNSIGNED  NOT NULL,
    address    VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'as the chain writes it',
    symbol     VARCHAR(32)      NOT NULL,
    decimals   TINYINT UNSIGNED NOT NULL,
    name       VARCHAR(80)      NOT NULL,
    checked    TINYINT UNSIGNED NOT NULL COMMENT 'the chain itself told the decimals',
    place      INT UNSIGNED     NOT NULL COMMENT 'in the list that it is from, from 0',
    renewed_at DATETIME(3)      NOT NULL COMMENT 'when a list last had it',
    PRIMARY KEY (chain_id, address),
    KEY listed (chain_id, place),
    KEY by_symbol (chain_id, symbol)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci
