-- oldest 29
ALTER TABLE swaps
    ADD COLUMN corrected TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'a failure that had been told was taken back'
