-- oldest 78
ALTER TABLE quotes
    ADD COLUMN reference VARBINARY(291) NULL COMMENT 'routes whose price for a small part the trade is held against, as the gateway encodes them'
