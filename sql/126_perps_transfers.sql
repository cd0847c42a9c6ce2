-- oldest 84
CREATE TABLE IF NOT EXISTS perps_transfers (
    execution_id BIGINT UNSIGNED  NOT NULL PRIMARY KEY,
    agent_id     BIGINT UNSIGNED  NOT NULL,
    wallet_id    BIGINT UNSIGNED  NOT NULL,
    kind         TINYINT UNSIGNED NOT NULL COMMENT 'of its execution',
    route        TINYINT UNSIGNED NOT NULL COMMENT '1 the venue''s bridge 2 Circle''s protocol',
    chain_id     BIGINT UNSIGNED  NOT NULL,
    amount       BINARY(32)       NOT NULL COMMENT 'what leaves',
    expected     BINARY(32)       NOT NULL COMMENT 'what of it should arrive',
    least        BINARY(32)       NOT NULL COMMENT 'what arrives of it if it costs the most',
    block        BIGINT UNSIGNED  NOT NULL COMMENT 'of a withdrawal: the chain''s newest one before it was signed',
    proof        VARBINARY(100)   NULL COMMENT 'by which it was seen to have arrived, and nothing else is: a row of the venue''s ledger, or an event of the chain',
    KEY agent_page (agent_id, execution_id),
    UNIQUE KEY proof (wallet_id, proof)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
