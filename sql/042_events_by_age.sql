-- oldest 29
ALTER TABLE webhook_events ADD KEY created (created_at)
