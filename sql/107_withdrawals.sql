-- oldest 84
CREATE TABLE IF NOT EXISTS withdrawals (
    execution_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    agent_id     BIGINT UNSIGNED NOT NULL,
    address_id   BIGINT UNSIGNED NOT NULL COMMENT 'its row in withdrawal_addresses',
    fee          BINARY(32)      NOT NULL COMMENT 'of the chain''s coin: at most, until the chain has told',
    KEY agent_page (agent_id, execution_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
