-- oldest 68
DROP TABLE IF EXISTS swaps_046
