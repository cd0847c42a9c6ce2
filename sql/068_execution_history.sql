-- oldest 74
ALTER TABLE execution_history RENAME COLUMN swap_id TO execution_id
