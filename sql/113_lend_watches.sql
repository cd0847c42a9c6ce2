-- oldest 84
CREATE TABLE IF NOT EXISTS lend_watches (
    id         BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id   BIGINT UNSIGNED  NOT NULL,
    wallet_id  BIGINT UNSIGNED  NOT NULL,
    chain_id   BIGINT UNSIGNED  NOT NULL,
    protocol   VARCHAR(16)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    market     VARCHAR(80)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'empty: all of the protocol''s on the chain',
    turn       BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'how often it was recorded',
    block      BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'of the last look that counted',
    looked_at  DATETIME(3)      NULL COMMENT 'when that was',
    low        TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'told, and not recovered since',
    debtless   TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'looks in a row that saw no debt',
    missing    TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'looks in a row that saw less than was held, and no log that says why',
    held_block BIGINT UNSIGNED  NOT NULL DEFAULT 0,
    held       BLOB             NULL COMMENT 'what it had in that block',
    told_block BIGINT UNSIGNED  NOT NULL DEFAULT 0 COMMENT 'what logs up to it say was told without them',
    UNIQUE KEY debt (wallet_id, chain_id, protocol, market),
    KEY chain (chain_id, id),
    KEY agent (agent_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
