-- oldest 70
ALTER TABLE tasks RENAME COLUMN swap_id TO execution_id, RENAME INDEX swap TO execution
