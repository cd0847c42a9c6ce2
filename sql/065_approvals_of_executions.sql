-- oldest 70
ALTER TABLE approvals RENAME COLUMN swap_id TO execution_id, RENAME INDEX swap_id TO execution
