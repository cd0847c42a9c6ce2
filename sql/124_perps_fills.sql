-- oldest 84
CREATE TABLE IF NOT EXISTS perps_fills (
    wallet_id   BIGINT UNSIGNED  NOT NULL,
    trade       BIGINT UNSIGNED  NOT NULL COMMENT 'the number that the venue gave it, or one made of what it says',
    agent_id    BIGINT UNSIGNED  NOT NULL,
    oid         BIGINT UNSIGNED  NOT NULL COMMENT 'of its order',
    cloid       BINARY(16)       NULL COMMENT 'likewise; NULL: none of ours',
    asset       VARCHAR(16)      CHARACTER SET ascii NOT NULL,
    sells       TINYINT UNSIGNED NOT NULL,
    liquidation TINYINT UNSIGNED NOT NULL,
    price       BIGINT UNSIGNED  NOT NULL COMMENT '10^-8, as the next ones',
    size        BIGINT UNSIGNED  NOT NULL,
    fee         BIGINT           NOT NULL,
    gain        BIGINT           NOT NULL COMMENT 'that it closed with',
    at          DATETIME(3)      NOT NULL,
    PRIMARY KEY (wallet_id, trade),
    KEY of_order (wallet_id, oid),
    KEY agent_page (agent_id, at, trade)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
