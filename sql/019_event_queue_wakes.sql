-- oldest 19
ALTER TABLE event_queues ADD COLUMN wakes BIGINT UNSIGNED NOT NULL DEFAULT 0 COMMENT 'counted so that each wake writes the row: in a cluster only writes collide'
