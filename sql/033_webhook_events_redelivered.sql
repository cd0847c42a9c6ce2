-- oldest 29
ALTER TABLE webhook_events ADD COLUMN attempts_before INT UNSIGNED NOT NULL DEFAULT 0
    COMMENT 'attempts made before the last redelivery: pauses and their number count from there'
