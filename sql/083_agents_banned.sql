-- oldest 82
ALTER TABLE agents
    ADD COLUMN banned TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'as its row in trading_stops says, for the look-up by key'
