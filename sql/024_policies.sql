-- oldest 24
CREATE TABLE IF NOT EXISTS policies (
    id           BINARY(16)       NOT NULL PRIMARY KEY,
    agent_id     BIGINT UNSIGNED  NOT NULL,
    wallet_id    BIGINT UNSIGNED  NULL COMMENT 'NULL: each wallet of the agent, for itself',
    by_operator  TINYINT UNSIGNED NOT NULL COMMENT 'which the agent cannot delete',
    type         TINYINT UNSIGNED NOT NULL COMMENT '1 spending_limit 2 approval_limit 3 whitelist 4 execution_limit',
    params       TEXT             NOT NULL COMMENT 'a JSON object, checked when it was written and again when it is read',
    created_at   DATETIME(3)      NOT NULL COMMENT 'sums begin here',
    ends_at      DATETIME(3)      NULL COMMENT 'deleted, but in force until then',
    KEY (agent_id, created_at),
    KEY (ends_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
