-- oldest 84
ALTER TABLE webhook_events
    ADD COLUMN security TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: keeps its URL, and outlives the callback and the agent',
    ADD COLUMN secret VARBINARY(128) NULL COMMENT 'sealed: signs too, as the receiver may know no later one'
