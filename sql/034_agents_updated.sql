-- oldest 29
ALTER TABLE agents ADD COLUMN updated_at DATETIME(3) NULL COMMENT 'when profile, tier or state changed; NULL: never since it was registered'
