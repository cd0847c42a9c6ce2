-- oldest 84
ALTER TABLE spends
    ADD COLUMN part BIGINT UNSIGNED NOT NULL DEFAULT 1 COMMENT 'so much of `whole` counts: what an order does not fill is given back',
    ADD COLUMN whole BIGINT UNSIGNED NOT NULL DEFAULT 1
