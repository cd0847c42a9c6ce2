-- oldest 26
CREATE TABLE IF NOT EXISTS approvals (
    id            BINARY(16)       NOT NULL PRIMARY KEY COMMENT '128 random bits, shown as ap_ and hex digits',
    agent_id      BIGINT UNSIGNED  NOT NULL,
    swap_id       BIGINT UNSIGNED  NOT NULL COMMENT 'the terms: a pending swap of which nothing is signed yet',
    state         TINYINT UNSIGNED NOT NULL COMMENT '1 waiting 2 granted 3 denied 4 used 5 lapsed',
    slippage_ppm  INT UNSIGNED     NOT NULL COMMENT 'as quoted, for the new quote',
    why           VARCHAR(300)     NOT NULL COMMENT 'the policy that wants it, in words',
    created_at    DATETIME(3)      NOT NULL,
    expires_at    DATETIME(3)      NOT NULL,
    UNIQUE KEY (swap_id),
    KEY (agent_id, state),
    KEY (state, created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
