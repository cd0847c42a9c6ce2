-- oldest 29
CREATE TABLE IF NOT EXISTS taken_nonces (
    wallet_id  BIGINT UNSIGNED NOT NULL,
    chain_id   BIGINT UNSIGNED NOT NULL,
    nonce      BIGINT UNSIGNED NOT NULL COMMENT 'the chain counts it as used, and no receipt of ours says by what',
    top        BIGINT UNSIGNED NOT NULL COMMENT 'the block where the search began',
    span       BIGINT UNSIGNED NOT NULL COMMENT 'blocks to search before it begins anew, further up',
    block      BIGINT UNSIGNED NOT NULL COMMENT 'the next one to look into, or where it was found',
    hash       BINARY(32)      NULL COMMENT 'of the transaction that was found with the nonce',
    PRIMARY KEY (wallet_id, chain_id, nonce)
) ENGINE=InnoDB
