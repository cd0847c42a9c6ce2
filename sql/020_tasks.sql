-- oldest 20
CREATE TABLE IF NOT EXISTS tasks (
    seq          BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    id           BINARY(16)       NOT NULL,
    agent_id     BIGINT UNSIGNED  NOT NULL,
    context_id   VARCHAR(128)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    operation    VARCHAR(64)      CHARACTER SET ascii NOT NULL COMMENT 'by its tool name',
    state        TINYINT UNSIGNED NOT NULL COMMENT '1 submitted 2 working 3 input-required 4 completed 5 failed 6 rejected 7 canceled; with a swap the swap says it',
    swap_id      BIGINT UNSIGNED  NULL COMMENT 'written by the transaction that commits the swap',
    note         VARCHAR(500)     NULL COMMENT 'the sentence of its status',
    answer       MEDIUMTEXT       NULL COMMENT 'what REST would have answered, without secrets',
    run          BINARY(16)       NOT NULL COMMENT 'the request that may record the answer',
    lease_until  DATETIME(3)      NOT NULL COMMENT 'of a submitted task: afterwards its message may be run again',
    created_at   DATETIME(3)      NOT NULL,
    updated_at   DATETIME(3)      NOT NULL COMMENT 'of its state',
    UNIQUE KEY (id),
    KEY agent_changed (agent_id, swap_id, updated_at, seq),
    KEY swap (swap_id),
    KEY changed (updated_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
