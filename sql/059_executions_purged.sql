-- oldest 74
DELETE e FROM executions e LEFT JOIN swaps_046 s ON s.id = e.id WHERE e.in_flight IN (1, 2) AND s.id IS NULL
