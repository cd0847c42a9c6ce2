-- oldest 78
ALTER TABLE executions
    ADD COLUMN approval_id BINARY(16) NULL COMMENT 'its row in approvals; NULL: it needed none',
    ADD COLUMN approval_expires_at DATETIME(3) NULL COMMENT 'as there'
