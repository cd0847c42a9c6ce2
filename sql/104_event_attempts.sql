-- oldest 84
ALTER TABLE webhook_events ADD COLUMN attempt_log TEXT NULL
    COMMENT 'the last ten attempts, a line each: milliseconds since 1970, status (0: no answer), milliseconds taken, error'
