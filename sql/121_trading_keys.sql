-- oldest 84
CREATE TABLE IF NOT EXISTS trading_keys (
    id           BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id     BIGINT UNSIGNED  NOT NULL,
    wallet_id    BIGINT UNSIGNED  NOT NULL COMMENT 'that it trades for',
    execution_id BIGINT UNSIGNED  NOT NULL COMMENT 'by which it is approved',
    address      VARCHAR(80)      CHARACTER SET ascii NOT NULL,
    sealed_key   VARBINARY(128)   NOT NULL,
    approved     TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'the venue has let it trade',
    valid_until  DATETIME(3)      NOT NULL,
    ended_at     DATETIME(3)      NULL COMMENT 'nothing is signed with it any more',
    created_at   DATETIME(3)      NOT NULL,
    UNIQUE KEY address (address),
    KEY wallet (wallet_id, id),
    KEY agent (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
