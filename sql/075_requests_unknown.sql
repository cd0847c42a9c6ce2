-- oldest 74
ALTER TABLE requests
    ADD COLUMN unknown_at DATETIME(3) NULL COMMENT 'when the venue first said, past the end of its time, that it does not know it'
