-- oldest 84
CREATE TABLE IF NOT EXISTS predict_accounts (
    wallet_id      BIGINT UNSIGNED  NOT NULL PRIMARY KEY,
    agent_id       BIGINT UNSIGNED  NOT NULL,
    kind           TINYINT UNSIGNED NOT NULL COMMENT 'who holds what is traded: 1 a deposit wallet 2 the wallet itself',
    form           TINYINT UNSIGNED NOT NULL COMMENT 'of the deposit wallet: 0 beacon 1 UUPS',
    trading        BINARY(20)       NOT NULL COMMENT 'address of whoever holds it',
    credentials    VARBINARY(512)   NULL     COMMENT 'of the venue, sealed under the service key',
    credentials_at DATETIME(3)      NULL,
    rejected_at    DATETIME(3)      NULL     COMMENT 'the venue does not take them any more; NULL: as far as is known it does',
    closed_only    TINYINT UNSIGNED NULL     COMMENT 'the venue lets it only close positions; NULL: never asked',
    closed_only_at DATETIME(3)      NULL     COMMENT 'when that was asked',
    orders_due_at  DATETIME(3)      NULL     COMMENT 'when its orders are looked at next; NULL: nothing to look at',
    lease_owner    BINARY(16)       NULL,
    leased_until   DATETIME(3)      NULL,
    created_at     DATETIME(3)      NOT NULL,
    KEY due (orders_due_at),
    KEY agent (agent_id),
    KEY closed_only (closed_only)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
