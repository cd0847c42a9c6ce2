-- oldest 68
ALTER TABLE tasks RENAME COLUMN swap_id TO execution_id
