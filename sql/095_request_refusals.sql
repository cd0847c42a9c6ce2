-- oldest 84
ALTER TABLE requests
    ADD COLUMN refusal_code VARCHAR(40) CHARACTER SET ascii NULL COMMENT 'of the venue, which proves nothing by itself',
    ADD COLUMN refusal      VARCHAR(200) NULL COMMENT 'the same in words'
