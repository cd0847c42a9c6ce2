-- oldest 84
CREATE TABLE IF NOT EXISTS series_hours (
    metric   TINYINT UNSIGNED NOT NULL,
    slot     INT UNSIGNED     NOT NULL COMMENT 'hours since 1970',
    chain_id BIGINT UNSIGNED  NOT NULL COMMENT '0: of no chain',
    place    TINYINT UNSIGNED NOT NULL COMMENT 'among its buckets or outcomes',
    n        BIGINT UNSIGNED  NOT NULL COMMENT 'counted in that hour, on all hosts',
    PRIMARY KEY (metric, slot, chain_id, place)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
