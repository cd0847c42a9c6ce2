-- oldest 74
ALTER TABLE tasks RENAME COLUMN swap_id TO execution_id
