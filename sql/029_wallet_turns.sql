-- oldest 29
ALTER TABLE wallets ADD COLUMN turn BIGINT UNSIGNED NOT NULL DEFAULT 0
    COMMENT 'moved by whoever sums or changes policies: so two nodes of a cluster notice each other'
