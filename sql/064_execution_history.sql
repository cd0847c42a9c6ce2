-- oldest 70
ALTER TABLE execution_history RENAME COLUMN swap_id TO execution_id, RENAME INDEX swap_id TO execution
