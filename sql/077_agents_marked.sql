-- oldest 75
ALTER TABLE agents ADD COLUMN swaps_marked_upto BIGINT UNSIGNED NOT NULL DEFAULT 0
    COMMENT 'its rows in execution_marks count up to this execution; those beyond it are out of date'
