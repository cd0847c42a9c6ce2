-- oldest 74
DROP TABLE IF EXISTS transactions_046
