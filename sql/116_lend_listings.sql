-- oldest 84
CREATE TABLE IF NOT EXISTS lend_listings (
    chain_id   BIGINT UNSIGNED   NOT NULL,
    id         BINARY(32)        NOT NULL COMMENT 'of a market of Morpho',
    place      SMALLINT UNSIGNED NOT NULL COMMENT 'in its catalogue, from 0',
    created_at DATETIME(3)       NULL,
    warnings   TEXT              NOT NULL COMMENT 'as JSON',
    PRIMARY KEY (chain_id, id),
    KEY listed (chain_id, place)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
