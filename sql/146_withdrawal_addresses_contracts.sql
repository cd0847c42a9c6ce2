-- oldest 84
ALTER TABLE withdrawal_addresses ADD COLUMN allow_contract VARCHAR(250) CHARACTER SET ascii NULL
    COMMENT 'keys of chains, with commas: it may be paid there though it looks like a contract without an owner'
