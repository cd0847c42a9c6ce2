-- oldest 84
ALTER TABLE quotes
    ADD COLUMN recipient VARCHAR(160) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'on a chain of another family; NULL: the payer, or nobody yet'
