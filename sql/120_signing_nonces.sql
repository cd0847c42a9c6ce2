-- oldest 84
CREATE TABLE IF NOT EXISTS signing_nonces (
    signing_key VARBINARY(64)   NOT NULL PRIMARY KEY COMMENT 'an address or a public key',
    last        BIGINT UNSIGNED NOT NULL COMMENT 'the highest that was given out'
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin
