-- oldest 84
ALTER TABLE transactions
    ADD COLUMN door VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'by which whoever built it takes it, signed; NULL: nodes alone do'
