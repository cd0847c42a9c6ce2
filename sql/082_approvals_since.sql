-- oldest 82
-- Those that older programs have asked for since.
UPDATE approvals p STRAIGHT_JOIN executions e ON e.id = p.execution_id
SET e.approval_id = p.id, e.approval_expires_at = p.expires_at
WHERE e.approval_id IS NULL
