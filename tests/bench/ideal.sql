-- What the ideal responder keeps: as little as its answers need. The bench fills it with the same
-- agents and the same history that the gateway has.
CREATE TABLE agents (
    id             BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    key_hash       BINARY(32)      NOT NULL,
    uuid           VARCHAR(36)     NOT NULL,
    name           VARCHAR(100)    NOT NULL,
    description    VARCHAR(500)    NULL,
    tier           VARCHAR(32)     NOT NULL,
    total_requests BIGINT UNSIGNED NOT NULL DEFAULT 0,
    total_swaps    BIGINT UNSIGNED NOT NULL,
    created_at     DATETIME(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    last_active_at DATETIME(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    UNIQUE KEY (key_hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE swaps (
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id     BIGINT UNSIGNED NOT NULL,
    status       VARCHAR(10)     NOT NULL,
    tx_hash      VARCHAR(66)     NULL,
    from_token   VARCHAR(32)     NOT NULL,
    to_token     VARCHAR(32)     NOT NULL,
    from_chain   VARCHAR(32)     NOT NULL,
    to_chain     VARCHAR(32)     NOT NULL,
    from_amount  VARCHAR(80)     NOT NULL,
    expected_out VARCHAR(80)     NOT NULL,
    to_amount    VARCHAR(80)     NULL,
    explorer_url VARCHAR(120)    NULL,
    created_at   DATETIME(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at   DATETIME(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    completed_at DATETIME(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    KEY agent_page (agent_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE quotes (
    id          BINARY(16)      NOT NULL PRIMARY KEY,
    agent_id    BIGINT UNSIGNED NOT NULL,
    from_token  VARCHAR(32)     NOT NULL,
    to_token    VARCHAR(32)     NOT NULL,
    chain       VARCHAR(32)     NOT NULL,
    amount_in   VARCHAR(80)     NOT NULL,
    amount_out  VARCHAR(80)     NOT NULL,
    expires_at  DATETIME(3)     NOT NULL,
    consumed_at DATETIME(3)     NULL,
    KEY (expires_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
