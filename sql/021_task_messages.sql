-- oldest 21
CREATE TABLE IF NOT EXISTS task_messages (
    seq          BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    agent_id     BIGINT UNSIGNED NOT NULL,
    task_seq     BIGINT UNSIGNED NOT NULL,
    message      BINARY(32)      NOT NULL COMMENT 'SHA-256 of its messageId: done once for each agent',
    fingerprint  BINARY(32)      NOT NULL COMMENT 'SHA-256 of all that it asks for',
    body         MEDIUMTEXT      NOT NULL,
    created_at   DATETIME(3)     NOT NULL,
    UNIQUE KEY (agent_id, message),
    KEY (task_seq, seq),
    KEY (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
