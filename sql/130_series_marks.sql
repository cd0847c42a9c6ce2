-- oldest 84
CREATE TABLE IF NOT EXISTS series_marks (
    source   BIGINT UNSIGNED  NOT NULL,
    metric   TINYINT UNSIGNED NOT NULL,
    chain_id BIGINT UNSIGNED  NOT NULL COMMENT '0: of no chain',
    place    TINYINT UNSIGNED NOT NULL COMMENT 'among its buckets or outcomes',
    seen     BIGINT UNSIGNED  NOT NULL COMMENT 'what the counter was when it was added last',
    PRIMARY KEY (source, metric, chain_id, place)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
