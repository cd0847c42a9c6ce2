// The instances of the model that are checked: each name of engine.pml that stands in capitals, with its value. `deep` are larger
// bounds, for a search with bitstate hashing; `live` are those within which everything has to come to rest; what is `bounded`
// belongs to the ordinary test run, what is `large` to the deep one alone.

const NOTHING = {
    EXECS: 1, QUOTES: 1, NONCES: 1, EVENTS: 1, WORKERS: 0, FOLLOWERS: 1, DRAINS: 0, COINS: 1, SETTLE: 2, CONFIRM: 1, TROUBLES: 1,
    CRASHES: 0, LOSSES: 0, REORGS: 0, FORGETS: 0, LAPSES: 0, LAG: 0, OMITS: 0, LIAR: 15, REFUSES: 0, REVERTS: 1, FOREIGNERS: 0, SPEEDS: 0,
    TIMES: 1, KEYS: 0, REQUESTS: 0, EXPIRES: 0, RENEWS: 0, STOPS: 0,
};
const STEP = { CRASHES: 1, LOSSES: 1, REORGS: 1, FORGETS: 1, SPEEDS: 1 };
const RACE = { WORKERS: 2, FOLLOWERS: 0, TIMES: 0, REVERTS: 0, CRASHES: 1, LOSSES: 1 };
const VENUE = { REQUESTS: 1, CRASHES: 1, LOSSES: 1 };

/** [name, values, { deep, live, bounded, large }] */
const LIST = [
    ['one step', { ...STEP, TROUBLES: 2, SETTLE: 3, CONFIRM: 2 }, { deep: { TROUBLES: 4 } }],
    ['one step, a shallow chain', STEP, { live: {}, bounded: true }],
    ['two followers', { FOLLOWERS: 2, LAPSES: 1, REORGS: 1, OMITS: 1, SPEEDS: 1 }, { deep: { TROUBLES: 3, CRASHES: 1, LAG: 1 } }],
    ['a follower is held up', { FOLLOWERS: 2, LAPSES: 1, OMITS: 1, SPEEDS: 1, TIMES: 0, REVERTS: 0 }],
    ['two followers, nodes that lag', { FOLLOWERS: 2, LAPSES: 1, REORGS: 1, LAG: 1, TROUBLES: 2, TIMES: 0 }, { large: true }],
    ['nodes that lag, a foreign transaction', { FOREIGNERS: 1, OMITS: 1, LAG: 3, REORGS: 1, REVERTS: 0 }, { deep: { TROUBLES: 2, REVERTS: 1 } }],
    ['a foreign transaction', { FOREIGNERS: 1, OMITS: 1, REORGS: 1, CRASHES: 1 }, { live: {}, bounded: true }],
    ['the first node lies', { LIAR: 0, REORGS: 1, TIMES: 0 }, { deep: { TIMES: 1, TROUBLES: 2 } }],
    ['the second node lies', { LIAR: 1, REORGS: 1, TIMES: 0 }, { deep: { TIMES: 1, TROUBLES: 2 } }],
    ['nodes refuse for good', { REFUSES: 1, LOSSES: 1, CRASHES: 1 }, { live: {}, bounded: true }],
    ['two workers, one quote, the operator', { ...RACE, EXECS: 2, NONCES: 2, COINS: 2, STOPS: 1 }, { live: {}, bounded: true, deep: { TROUBLES: 3 } }],
    ['two workers, two quotes, one coin', {
        WORKERS: 2, QUOTES: 2, EXECS: 2, NONCES: 2, TROUBLES: 0, TIMES: 0, REVERTS: 0,
    }, { deep: { TROUBLES: 2, CRASHES: 1, FORGETS: 1, REVERTS: 1 } }],
    ['two workers, two nonces', { ...RACE, QUOTES: 2, EXECS: 2, NONCES: 2, COINS: 2, LOSSES: 0 }, { deep: { LOSSES: 1, TROUBLES: 3 } }],
    ['two runs of one key', { ...RACE, QUOTES: 2, EXECS: 2, NONCES: 2, COINS: 2, KEYS: 1, REQUESTS: 1, EXPIRES: 1, LAPSES: 1 }, { bounded: true }],
    ['a venue that knows expiries', { ...VENUE, EXPIRES: 1, TROUBLES: 2 }, { live: {}, bounded: true, deep: { TROUBLES: 3, LAPSES: 1, FOLLOWERS: 2 } }],
    ['a venue that knows none', { ...VENUE, TROUBLES: 2 }, { live: {}, bounded: true, deep: { TROUBLES: 3, LAPSES: 1, FOLLOWERS: 2 } }],
    ['a venue, a worker and a follower', { ...VENUE, WORKERS: 1, EXPIRES: 1, CRASHES: 0 }, { deep: { CRASHES: 1, TROUBLES: 2 } }],
    ['a venue that changes its form', { ...VENUE, WORKERS: 1, EXPIRES: 1, RENEWS: 1, TIMES: 0, TROUBLES: 0 }, { deep: { TIMES: 1, TROUBLES: 2 } }],
    ['a venue that changes its form, and a process dies', { ...VENUE, LOSSES: 0, WORKERS: 1, EXPIRES: 1, RENEWS: 1, TIMES: 0 }, { large: true }],
    ['an event, and receivers that fail', { DRAINS: 2, LAPSES: 1, CRASHES: 1, LOSSES: 1, TROUBLES: 2, TIMES: 0 }, { bounded: true }],
    ['events', { DRAINS: 2, EVENTS: 2, LAPSES: 1, CRASHES: 1, LOSSES: 1, REORGS: 1, TIMES: 0 }, { live: {}, bounded: true, deep: { TROUBLES: 3, TIMES: 1 } }],
];

export const CONFIGURATIONS = new Map(LIST.map(([name, values, { deep = {}, live, bounded = false, large = false } = {}]) => [name, {
    name, bounded, large, values: { ...NOTHING, ...values }, deep: { ...NOTHING, ...values, ...deep }, live: live && { ...NOTHING, ...values, ...live },
}]));
