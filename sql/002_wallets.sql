-- oldest 2
CREATE TABLE IF NOT EXISTS wallets (
    id          BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    uuid        BINARY(16)       NOT NULL COMMENT 'what the sealed key is bound to',
    agent_id    BIGINT UNSIGNED  NOT NULL,
    agent_uuid  BINARY(16)       NOT NULL COMMENT 'likewise; kept so that a purge can still cancel',
    kind        TINYINT UNSIGNED NOT NULL COMMENT '1 EVM, 2 Solana',
    address     VARCHAR(64)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'EIP-55 or Base58',
    sealed_key  VARBINARY(128)   NOT NULL COMMENT 'only the signer can open it',
    created_at  DATETIME(3)      NOT NULL,
    UNIQUE KEY (uuid),
    UNIQUE KEY (kind, address),
    KEY (agent_id, kind, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
