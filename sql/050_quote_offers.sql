-- oldest 46
ALTER TABLE quotes
    ADD COLUMN offers MEDIUMBLOB NULL COMMENT 'its runners-up, the best first, as the gateway encodes them'
