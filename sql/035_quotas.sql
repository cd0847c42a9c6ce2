-- oldest 29
CREATE TABLE IF NOT EXISTS quotas (
    agent_id     BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    turn         BIGINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'moved by whoever adds to what the agent stores: so they come one after the other, on a cluster too',
    audit_day    DATE            NULL,
    audit_lines  INT UNSIGNED    NOT NULL DEFAULT 0 COMMENT 'that the agent caused on that day'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
