-- oldest 68
ALTER TABLE execution_history RENAME COLUMN swap_id TO execution_id
