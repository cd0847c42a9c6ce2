-- oldest 3
CREATE TABLE IF NOT EXISTS wallet_nonces (
    wallet_id   BIGINT UNSIGNED NOT NULL,
    chain_id    BIGINT UNSIGNED NOT NULL,
    next_nonce  BIGINT UNSIGNED NOT NULL COMMENT 'lowest nonce that was never committed here',
    PRIMARY KEY (wallet_id, chain_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
