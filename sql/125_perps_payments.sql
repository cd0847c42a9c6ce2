-- oldest 84
CREATE TABLE IF NOT EXISTS perps_payments (
    wallet_id BIGINT UNSIGNED NOT NULL,
    asset     VARCHAR(16)     CHARACTER SET ascii NOT NULL,
    at        DATETIME(3)     NOT NULL,
    agent_id  BIGINT UNSIGNED NOT NULL,
    rate      BIGINT          NOT NULL COMMENT '10^-18',
    size      BIGINT          NOT NULL COMMENT '10^-8, below 0 of a short position',
    amount    BIGINT          NOT NULL COMMENT '10^-8 dollars, below 0 paid',
    PRIMARY KEY (wallet_id, asset, at),
    KEY agent_page (agent_id, at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
