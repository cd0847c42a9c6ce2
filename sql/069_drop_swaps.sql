-- oldest 70
DROP TABLE IF EXISTS swaps_046
