-- oldest 46
CREATE TABLE IF NOT EXISTS requests (
    id            BIGINT UNSIGNED  NOT NULL AUTO_INCREMENT PRIMARY KEY,
    execution_id  BIGINT UNSIGNED  NOT NULL,
    wallet_id     BIGINT UNSIGNED  NOT NULL,
    venue         VARCHAR(32)      CHARACTER SET ascii NOT NULL COMMENT 'whom it is for',
    venue_key     BINARY(32)       NOT NULL COMMENT 'by which the venue tells it from others: most often the digest that was signed',
    signing_key   VARBINARY(64)    NOT NULL COMMENT 'whose signature it bears: an address or a public key',
    nonce         BIGINT UNSIGNED  NULL COMMENT 'NULL where the venue counts none',
    state         TINYINT UNSIGNED NOT NULL COMMENT '1 open 2 included: the venue has it 3 settled 4 lost: the venue refuses it from now on',
    body          MEDIUMBLOB       NOT NULL COMMENT 'signed; sent again byte for byte',
    expires_at    DATETIME(3)      NULL COMMENT 'the venue refuses it afterwards; NULL where it knows no end',
    succeeded     TINYINT UNSIGNED NULL,
    broadcasts    INT UNSIGNED     NOT NULL DEFAULT 0,
    accepted      TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'the venue took it at least once',
    refusals      INT UNSIGNED     NOT NULL DEFAULT 0,
    said          TINYINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'the venue, the last time: as in transactions',
    broadcast_at  DATETIME(3)      NULL,
    created_at    DATETIME(3)      NOT NULL,
    UNIQUE KEY venue_key (venue, venue_key),
    UNIQUE KEY venue_nonce (venue, signing_key, nonce),
    KEY execution (execution_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
