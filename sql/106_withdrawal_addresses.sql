-- oldest 84
CREATE TABLE IF NOT EXISTS withdrawal_addresses (
    id         BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id   BIGINT UNSIGNED  NOT NULL,
    kind       TINYINT UNSIGNED NOT NULL COMMENT 'of the wallets that can pay it: 1 EVM 2 Solana',
    address    VARCHAR(80)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    label      VARCHAR(64)      CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci NULL COMMENT 'by which the agent calls it',
    record     VARBINARY(255)   NOT NULL COMMENT 'the signer''s, sealed; what it says counts, not this row',
    created_at DATETIME(3)      NOT NULL,
    active_at  DATETIME(3)      NOT NULL,
    asked_at   DATETIME(3)      NULL COMMENT 'when the hosts were asked to take its removal',
    asked_by   BINARY(16)       NULL COMMENT 'the host that asked, as in pulses',
    taken_by   VARBINARY(16000) NOT NULL DEFAULT '' COMMENT 'the others whose signers have, 16 bytes each',
    removed_at DATETIME(3)      NULL,
    present    TINYINT UNSIGNED AS (IF(removed_at IS NULL, 1, NULL)) STORED,
    UNIQUE KEY address (agent_id, kind, address, present),
    UNIQUE KEY label (agent_id, kind, label, present),
    KEY asked (asked_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
