-- oldest 29
ALTER TABLE approvals
    ADD COLUMN decided_at DATETIME(3) NULL COMMENT 'granted or denied, whichever came last',
    ADD KEY agent_page (agent_id, created_at, id),
    ADD KEY agent_state_page (agent_id, state, created_at, id)
