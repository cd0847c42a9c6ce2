-- oldest 84
ALTER TABLE requests
    ADD COLUMN venue_ref VARBINARY(100) NULL COMMENT 'the venue''s own id of it, as it gave it when it took it',
    ADD COLUMN tx_hash VARBINARY(64) NULL COMMENT 'the transaction by which the venue carries it out, as far as it has said',
    ADD KEY wallet_venue (wallet_id, venue)
