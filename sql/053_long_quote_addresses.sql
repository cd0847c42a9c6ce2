-- oldest 46
ALTER TABLE quotes
    MODIFY from_address VARCHAR(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    MODIFY to_address VARCHAR(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    MODIFY wallet_address VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'named by the request',
    ALGORITHM=INPLACE, LOCK=NONE
