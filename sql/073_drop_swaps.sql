-- oldest 74
DROP TABLE IF EXISTS swaps_046
