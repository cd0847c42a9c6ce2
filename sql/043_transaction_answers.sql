-- oldest 29
ALTER TABLE transactions
    ADD COLUMN said TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'a node, the last time: 1 taken 2 bids too little 3 no funds 4 refused for good'
