-- oldest 16
ALTER TABLE webhook_events
    DROP KEY leased,
    ADD KEY leased (agent_id, status, lease_until, next_at, seq)
