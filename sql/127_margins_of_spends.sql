-- oldest 84
ALTER TABLE spends
    ADD COLUMN margin TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT '1: bound by an order for a perpetual, which limits with that venue count'
