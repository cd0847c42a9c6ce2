-- oldest 84
ALTER TABLE executions
    ADD COLUMN request_id VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL COMMENT 'X-Request-Id of the answer that accepted it',
    ADD KEY request (request_id(20))
