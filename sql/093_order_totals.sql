-- oldest 84
ALTER TABLE agents
    ADD COLUMN orders_pending   BIGINT NOT NULL DEFAULT 0 COMMENT 'kept totals by status',
    ADD COLUMN orders_open      BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN orders_filled    BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN orders_cancelled BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN orders_rejected  BIGINT NOT NULL DEFAULT 0
