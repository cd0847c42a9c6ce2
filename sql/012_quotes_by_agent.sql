-- oldest 12
ALTER TABLE quotes ADD KEY by_agent (agent_id)
