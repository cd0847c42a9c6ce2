-- oldest 84
CREATE TABLE IF NOT EXISTS lend_operations (
    execution_id BIGINT UNSIGNED  NOT NULL PRIMARY KEY,
    agent_id     BIGINT UNSIGNED  NOT NULL,
    kind         TINYINT UNSIGNED NOT NULL COMMENT 'of its execution',
    market       VARCHAR(80)      CHARACTER SET ascii COLLATE ascii_bin NOT NULL COMMENT 'its id',
    everything   TINYINT UNSIGNED NOT NULL COMMENT 'all that is supplied, or owed, and not the amount that it was then',
    collateral   TINYINT UNSIGNED NOT NULL COMMENT 'it moves collateral; of a switch: whether it is one from then on',
    health       BINARY(32)       NULL COMMENT 'the health factor of 10^18 that the trial left; NULL without debt',
    KEY agent_page (agent_id, execution_id),
    KEY agent_kind_page (agent_id, kind, execution_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
