-- oldest 74
RENAME TABLE next_transactions TO transactions
