-- oldest 84
ALTER TABLE predict_accounts
    ADD COLUMN seek TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'the venue may have orders of it that the database lacks'
