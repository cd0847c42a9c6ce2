-- oldest 84
ALTER TABLE perps_orders
    ADD COLUMN behind TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'how many of the other roles its execution has'
