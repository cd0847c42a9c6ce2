-- oldest 29
UPDATE task_messages SET bytes = 256 + LENGTH(body) WHERE bytes = 0
