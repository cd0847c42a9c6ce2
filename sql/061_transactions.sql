-- oldest 68
RENAME TABLE next_transactions TO transactions
