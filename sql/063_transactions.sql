-- oldest 70
RENAME TABLE next_transactions TO transactions
