-- What the ideal and the peer keep: as little as their answers need. The bench fills it with the same agents and the
-- same history that the gateway has.
CREATE TABLE agents (
    id             BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    key_hash       BINARY(32)      NOT NULL,
    uuid           CHAR(36)        CHARACTER SET ascii NOT NULL,
    name           VARCHAR(100)    NOT NULL,
    description    VARCHAR(500)    NULL,
    tier           VARCHAR(32)     CHARACTER SET ascii NOT NULL,
    total_requests BIGINT UNSIGNED NOT NULL DEFAULT 0,
    total_swaps    BIGINT UNSIGNED NOT NULL DEFAULT 0,
    total_orders   BIGINT UNSIGNED NOT NULL DEFAULT 0,
    total_operations BIGINT UNSIGNED NOT NULL DEFAULT 0,
    total_perps    BIGINT UNSIGNED NOT NULL DEFAULT 0,
    created_at     DATETIME(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    last_active_at DATETIME(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    UNIQUE KEY (key_hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE swaps (
    id         BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id   BIGINT UNSIGNED NOT NULL,
    status     VARCHAR(12)     CHARACTER SET ascii NOT NULL,
    tx_hash    CHAR(66)        CHARACTER SET ascii NULL,
    from_token VARCHAR(32)     NOT NULL,
    to_token   VARCHAR(32)     NOT NULL,
    created_at DATETIME(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    KEY agent_page (agent_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE orders (
    id         BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id   BIGINT UNSIGNED NOT NULL,
    hash       CHAR(66)        CHARACTER SET ascii NOT NULL,
    token      VARCHAR(80)     CHARACTER SET ascii NOT NULL,
    side       VARCHAR(4)      CHARACTER SET ascii NOT NULL,
    price      VARCHAR(20)     CHARACTER SET ascii NOT NULL,
    size       VARCHAR(20)     CHARACTER SET ascii NOT NULL,
    status     VARCHAR(12)     CHARACTER SET ascii NOT NULL,
    filled     VARCHAR(20)     CHARACTER SET ascii NOT NULL,
    average    VARCHAR(20)     CHARACTER SET ascii NOT NULL,
    market     VARCHAR(20)     CHARACTER SET ascii NOT NULL,
    outcome    VARCHAR(128)    NOT NULL,
    type       VARCHAR(4)      CHARACTER SET ascii NOT NULL,
    expires_at DATETIME(3)     NULL,
    created_at DATETIME(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    KEY agent_page (agent_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE operations (
    id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id     BIGINT UNSIGNED NOT NULL,
    number       BIGINT UNSIGNED NOT NULL,
    type         VARCHAR(12)     CHARACTER SET ascii NOT NULL,
    market       VARCHAR(80)     CHARACTER SET ascii NOT NULL,
    protocol     VARCHAR(12)     CHARACTER SET ascii NOT NULL,
    chain        VARCHAR(12)     CHARACTER SET ascii NOT NULL,
    chain_id     BIGINT UNSIGNED NOT NULL,
    asset        VARCHAR(32)     NOT NULL,
    amount       VARCHAR(80)     CHARACTER SET ascii NOT NULL,
    status       VARCHAR(12)     CHARACTER SET ascii NOT NULL,
    tx_hash      CHAR(66)        CHARACTER SET ascii NULL,
    health       VARCHAR(20)     CHARACTER SET ascii NULL,
    created_at   DATETIME(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    completed_at DATETIME(3)     NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    KEY agent_page (agent_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE perps_orders (
    id           BIGINT UNSIGNED   NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id     BIGINT UNSIGNED   NOT NULL,
    cloid        CHAR(34)          CHARACTER SET ascii NOT NULL,
    market       VARCHAR(20)       CHARACTER SET ascii NOT NULL,
    side         VARCHAR(5)        CHARACTER SET ascii NOT NULL,
    type         VARCHAR(12)       CHARACTER SET ascii NOT NULL,
    size         VARCHAR(20)       CHARACTER SET ascii NOT NULL,
    price        VARCHAR(20)       CHARACTER SET ascii NOT NULL,
    filled       VARCHAR(20)       CHARACTER SET ascii NOT NULL,
    average      VARCHAR(20)       CHARACTER SET ascii NULL,
    status       VARCHAR(12)       CHARACTER SET ascii NOT NULL,
    reduce_only  TINYINT UNSIGNED  NOT NULL,
    leverage     SMALLINT UNSIGNED NOT NULL,
    margin_mode  VARCHAR(8)        CHARACTER SET ascii NOT NULL,
    tif          VARCHAR(3)        CHARACTER SET ascii NOT NULL,
    fee          VARCHAR(20)       CHARACTER SET ascii NOT NULL,
    children     VARCHAR(500)      CHARACTER SET ascii NOT NULL COMMENT 'as they are answered',
    error        VARCHAR(255)      NULL,
    created_at   DATETIME(3)       NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at   DATETIME(3)       NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    KEY agent_page (agent_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE quotes (
    id         CHAR(36)        CHARACTER SET ascii NOT NULL PRIMARY KEY,
    agent_id   BIGINT UNSIGNED NOT NULL,
    from_token VARCHAR(32)     NOT NULL,
    to_token   VARCHAR(32)     NOT NULL,
    chain      VARCHAR(32)     NOT NULL,
    amount_in  VARCHAR(80)     NOT NULL,
    amount_out VARCHAR(80)     NOT NULL,
    expires_at DATETIME(3)     NOT NULL,
    KEY (expires_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;

CREATE TABLE answers (
    question BINARY(32)  NOT NULL PRIMARY KEY COMMENT 'SHA-256 of the path that is asked for',
    members  MEDIUMTEXT  NOT NULL,
    made_at  DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
