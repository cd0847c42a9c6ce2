-- oldest 84
CREATE TABLE IF NOT EXISTS lend_liquidations (
    wallet_id BIGINT UNSIGNED  NOT NULL,
    chain_id  BIGINT UNSIGNED  NOT NULL,
    tx        VARBINARY(64)    NOT NULL,
    place     TINYINT UNSIGNED NOT NULL COMMENT 'among those of the wallet in the transaction',
    agent_id  BIGINT UNSIGNED  NOT NULL,
    told_at   DATETIME(3)      NOT NULL,
    PRIMARY KEY (wallet_id, chain_id, tx, place),
    KEY agent (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
