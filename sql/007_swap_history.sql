-- oldest 7
CREATE TABLE IF NOT EXISTS swap_history (
    id           BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    swap_id      BIGINT UNSIGNED  NOT NULL,
    from_status  TINYINT UNSIGNED NOT NULL COMMENT '0: it came into being',
    to_status    TINYINT UNSIGNED NOT NULL,
    why          VARCHAR(200)     NOT NULL,
    created_at   DATETIME(3)      NOT NULL,
    KEY (swap_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
