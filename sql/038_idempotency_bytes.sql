-- oldest 29
ALTER TABLE idempotency ADD COLUMN bytes INT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'as in tasks',
    ADD KEY agent_bytes (agent_id, bytes)
