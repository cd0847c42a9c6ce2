-- oldest 75
CREATE TABLE IF NOT EXISTS execution_marks (
    agent_id    BIGINT UNSIGNED NOT NULL,
    upto_id     BIGINT UNSIGNED NOT NULL COMMENT 'of the agent''s executions up to this one GET /swaps lists',
    n           BIGINT          NOT NULL COMMENT 'so many in all',
    n_pending   BIGINT          NOT NULL COMMENT 'and by the status as lists know it',
    n_submitted BIGINT          NOT NULL,
    n_completed BIGINT          NOT NULL,
    n_failed    BIGINT          NOT NULL,
    PRIMARY KEY (agent_id, upto_id),
    KEY of_all (agent_id, n),
    KEY of_pending (agent_id, n_pending),
    KEY of_submitted (agent_id, n_submitted),
    KEY of_completed (agent_id, n_completed),
    KEY of_failed (agent_id, n_failed)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
