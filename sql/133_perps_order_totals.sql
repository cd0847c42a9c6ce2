-- oldest 84
ALTER TABLE agents
    ADD COLUMN perps_orders BIGINT NOT NULL DEFAULT 0 COMMENT 'kept total of those that lists show'
