-- oldest 84
-- No program has ever named them: bridges have a table of their own.
ALTER TABLE executions
    DROP COLUMN bridge_ref,
    DROP COLUMN provider_state
