-- oldest 70
DROP TABLE IF EXISTS transactions_046
