-- oldest 84
ALTER TABLE wallets ADD COLUMN held_on VARCHAR(500) CHARACTER SET ascii NOT NULL DEFAULT ''
    COMMENT 'keys of chains and names of markets, with commas, where it was seen to hold something'
