-- oldest 84
CREATE TABLE IF NOT EXISTS perps_accounts (
    wallet_id     BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    agent_id      BIGINT UNSIGNED NOT NULL,
    fills_since   DATETIME(3)     NOT NULL COMMENT 'all trades before are recorded',
    funding_since DATETIME(3)     NOT NULL COMMENT 'likewise all payments',
    funding_at    DATETIME(3)     NULL COMMENT 'when these were asked for',
    due_at        DATETIME(3)     NULL COMMENT 'when it is looked at next; NULL: nothing to look at',
    lease_owner   BINARY(16)      NULL,
    leased_until  DATETIME(3)     NULL,
    created_at    DATETIME(3)     NOT NULL,
    KEY due (due_at),
    KEY lease (lease_owner),
    KEY agent (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
