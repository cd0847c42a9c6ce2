-- oldest 29
UPDATE idempotency SET bytes = 256 + COALESCE(LENGTH(body), 0) WHERE bytes = 0
