-- oldest 25
CREATE TABLE IF NOT EXISTS spends (
    swap_id     BIGINT UNSIGNED NOT NULL PRIMARY KEY COMMENT 'a swap signed while a policy of its wallet was in force',
    agent_id    BIGINT UNSIGNED NOT NULL,
    wallet_id   BIGINT UNSIGNED NOT NULL,
    usd         BINARY(32)      NULL COMMENT 'what was given, as valued then, 18 places; NULL: no policy asked for it',
    ether       BINARY(32)      NULL COMMENT 'likewise, in wei',
    created_at  DATETIME(3)     NOT NULL,
    KEY (wallet_id, created_at),
    KEY (agent_id),
    KEY (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
