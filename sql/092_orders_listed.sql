-- oldest 84
ALTER TABLE orders
    ADD COLUMN listed TINYINT UNSIGNED AS (status < 4) STORED COMMENT 'lists show it unless they are asked for others',
    ADD KEY agent_listed_page (agent_id, listed, execution_id),
    DROP KEY agent_page,
    ADD KEY agent_page (agent_id, execution_id, status)
