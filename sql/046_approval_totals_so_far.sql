-- oldest 46
INSERT INTO approval_totals (agent_id, state, n)
    SELECT agent_id, state, COUNT(*) FROM approvals GROUP BY agent_id, state
    ON DUPLICATE KEY UPDATE n = VALUES(n)
