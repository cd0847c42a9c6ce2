-- oldest 74
ALTER TABLE approvals RENAME COLUMN swap_id TO execution_id
