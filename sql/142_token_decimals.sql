-- oldest 84
CREATE TABLE IF NOT EXISTS token_decimals (
    chain_id   BIGINT UNSIGNED  NOT NULL,
    address    VARCHAR(160)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    decimals   TINYINT UNSIGNED NOT NULL COMMENT 'of a token that no list has: as two nodes have said first, for good',
    created_at DATETIME(3)      NOT NULL,
    PRIMARY KEY (chain_id, address)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
