-- oldest 29
UPDATE tasks SET bytes = 640 + COALESCE(LENGTH(note), 0) + COALESCE(LENGTH(answer), 0) WHERE bytes = 0
