-- oldest 84
ALTER TABLE idempotency
    ADD COLUMN terms BINARY(32) NULL COMMENT 'SHA-256 of fingerprint and of what is asked for without what expires; NULL: the body alone tells'
