-- oldest 74
-- The exchange begins: a program that still writes to these tables fails, and nothing of it is
-- written.
RENAME TABLE swaps TO swaps_046, transactions TO transactions_046, swap_history TO execution_history
