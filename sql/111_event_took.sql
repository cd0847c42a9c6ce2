-- oldest 84
ALTER TABLE webhook_events ADD COLUMN took_ms INT UNSIGNED NULL
    COMMENT 'milliseconds of the attempt that delivered it, where attempt_log does not have that one'
