-- oldest 84
ALTER TABLE approvals ADD COLUMN terms TEXT CHARACTER SET utf8mb4 NULL
    COMMENT 'members of the call that asked for it, as JSON: none beside the approval may differ'
