-- oldest 74
-- Executions that were followed when they were copied, and purged since.
DELETE t FROM executions e LEFT JOIN swaps_046 s ON s.id = e.id JOIN next_transactions t ON t.execution_id = e.id
WHERE e.in_flight IN (1, 2) AND s.id IS NULL
