-- oldest 23
ALTER TABLE webhook_events
    ADD COLUMN headers VARBINARY(2200) NULL COMMENT 'sealed: those of a push notification, whose URL is its own and not the agent''s callback'
