// The perpetuals: their places in the universe, their sizes, leverage and prices at the start. Data only.
//
// Rows [name, szDecimals, maxLeverage, price]: an asset without a price has no book. The index of an asset is its place.
const NO_BOOK = undefined;
const ROWS = [
    ['BTC', 5, 40, '60000'], ['ETH', 4, 25, '3000'], ['ATOM', 2, 5, NO_BOOK], ['MATIC', 1, 20, NO_BOOK], ['DYDX', 1, 5, NO_BOOK],
    ['SOL', 2, 20, '150'], ['AVAX', 2, 10, '25'], ['BNB', 3, 10, '500'], ['APE', 1, 3, NO_BOOK], ['OP', 1, 5, NO_BOOK],
    ['LTC', 2, 10, NO_BOOK], ['ARB', 1, 10, '0.8'], ['DOGE', 0, 10, '0.12'], ['INJ', 1, 3, NO_BOOK], ['SUI', 1, 10, '1.5'],
    ['kPEPE', 0, 10, NO_BOOK], ['CRV', 1, 10, NO_BOOK], ['LDO', 1, 5, NO_BOOK], ['LINK', 1, 10, '15'], ['STX', 1, 5, NO_BOOK],
    ['RNDR', 1, 20, NO_BOOK], ['CFX', 0, 5, NO_BOOK], ['FTM', 0, 10, NO_BOOK], ['GMX', 2, 3, NO_BOOK], ['SNX', 1, 3, NO_BOOK],
    ['XRP', 0, 20, '0.6'],
];
const DELISTED = ['MATIC', 'RNDR', 'FTM'];

// Tables of tiers by id: [notional in dollars from which on, leverage]. They begin far lower than the venue's, so that a test
// can reach them. Who is in none has one tier, whose table has the leverage for its id.
export const TIERS = {
    56: [['0', 40], ['3000000', 20]],
    55: [['0', 25], ['2000000', 15]],
    54: [['0', 20], ['200000', 10], ['400000', 5]],
};
const TABLES = { BTC: 56, ETH: 55, SOL: 54 };

export const ASSETS = ROWS.map(([name, szDecimals, maxLeverage, price], index) => ({
    index, name, szDecimals, maxLeverage, price, isDelisted: DELISTED.includes(name), table: TABLES[name] ?? maxLeverage,
    tiers: TIERS[TABLES[name]] ?? [['0', maxLeverage]],
}));

// What the venue charges, in hundred thousandths of what is traded.
export const TAKER_RATE = 45n;
export const MAKER_RATE = 15n;
export const RATE_UNIT = 100_000n;
/** What longs pay an hour at the start, in units of RATE_PLACES: 0.00125 %. */
export const FUNDING_RATE = 125_000n;
