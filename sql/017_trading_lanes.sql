-- oldest 17
CREATE TABLE IF NOT EXISTS trading_lanes (
    lane    TINYINT UNSIGNED NOT NULL PRIMARY KEY COMMENT 'agents by the remainder of their id; in a cluster each trade writes its own, a stop all',
    passed  BIGINT UNSIGNED  NOT NULL DEFAULT 0
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
