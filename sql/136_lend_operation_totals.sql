-- oldest 84
ALTER TABLE agents
    ADD COLUMN lend_operations BIGINT NOT NULL DEFAULT 0 COMMENT 'kept total of all kinds and states'
