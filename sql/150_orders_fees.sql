-- oldest 84
ALTER TABLE orders
    ADD COLUMN fee_rate     INT UNSIGNED     NOT NULL DEFAULT 0 COMMENT 'billionths: what takers pay in its market, of shares x (price x (1 - price)) ^ exponent',
    ADD COLUMN fee_exponent TINYINT UNSIGNED NOT NULL DEFAULT 0
