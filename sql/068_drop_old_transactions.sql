-- oldest 68
DROP TABLE IF EXISTS transactions_046
