-- oldest 74
ALTER TABLE spends RENAME COLUMN swap_id TO execution_id
