-- oldest 84
ALTER TABLE perps_orders
    ADD COLUMN gain_cloid BINARY(16) NULL COMMENT 'of the order behind it that takes its gains: what lists show of that row',
    ADD COLUMN gain_trigger BIGINT UNSIGNED NULL,
    ADD COLUMN gain_status TINYINT UNSIGNED NULL,
    ADD COLUMN loss_cloid BINARY(16) NULL COMMENT 'and of the one that stops its losses',
    ADD COLUMN loss_trigger BIGINT UNSIGNED NULL,
    ADD COLUMN loss_status TINYINT UNSIGNED NULL
