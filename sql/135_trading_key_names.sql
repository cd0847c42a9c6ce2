-- oldest 84
ALTER TABLE trading_keys
    ADD COLUMN name VARCHAR(16) CHARACTER SET ascii NOT NULL DEFAULT 'agent-gateway' COMMENT 'by which the venue knows it'
