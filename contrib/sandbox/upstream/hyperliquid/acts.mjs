// What happens at the venue when a test wants it.

import {
    RATE_PLACES, isPrice, textOf, unitsOf,
} from './amounts.mjs';
import { agentsOf } from './authority.mjs';
import { payFunding, setHours } from './funding.mjs';
import { credit } from './ledger.mjs';
import { liquidate } from './liquidation.mjs';
import { positionsOf } from './margin.mjs';
import { takeResting } from './place.mjs';
import { MODES, setMode } from './transfers.mjs';
import { movePrice } from './triggers.mjs';
import {
    accountOf, commit, touch, touchMarket,
} from './world.mjs';

/** Each is done at once, and written down. */
export function actsOf(world) {
    const act = (work) => (value) => {
        const done = work(world, value ?? {});
        commit(world);
        return done;
    };
    return Object.fromEntries(Object.entries(ACTS).map(([name, work]) => [name, act(work)]));
}

const ACTS = {
    /** { coin, price, oracle }: the mark price, and the oracle's where it is another one. */
    move_price(world, { coin, price, oracle = price }) {
        const market = marketIn(world, coin);
        movePrice(world, market, priceIn(market, price), priceIn(market, oracle));
        return { coin, markPx: textOf(market.mark), oraclePx: textOf(market.oracle) };
    },
    /** { coin, rate }: an hour's funding, of all markets or of one, at the rate that it has or gets. */
    next_funding(world, { coin, rate }) {
        const only = coin === undefined ? undefined : marketIn(world, coin);
        if (rate !== undefined) for (const market of only === undefined ? world.markets : [only]) setRate(world, market, rate);
        payFunding(world, only);
        return { coin: coin ?? 'all' };
    },
    /** { on, begins }: whether hours pay by themselves, and whether one begins now. */
    funding_hours: setHours,
    /** { coin, side, price, size }: an outside trader buys or sells what rests, at the prices that it has. */
    counter_order(world, { coin, side, price, size }) {
        const market = marketIn(world, coin);
        const lots = unitsOf(String(size), market.szDecimals);
        if (!['buy', 'sell'].includes(side) || lots === undefined || lots <= 0n) throw new Error('side has to be buy or sell, size a size');
        return { filled: textOf(takeResting(world, market, side === 'sell', priceIn(market, price), lots), market.szDecimals) };
    },
    /** { user, coin }: liquidates a position, or all cross ones. */
    liquidate(world, { user, coin }) {
        const account = accountOf(world, String(user).toLowerCase());
        const all = account === undefined ? [] : positionsOf(world, account);
        const wanted = coin === undefined ? all.filter(({ position }) => position.isCross) : all.filter((held) => held.coin === coin);
        if (wanted.length === 0) throw new Error(`no position of ${user}`);
        const { isCross } = wanted[0].position;
        liquidate(world, account, isCross ? all.filter(({ position }) => position.isCross) : wanted);
        return { liquidated: wanted.map((held) => held.coin) };
    },
    /** { user, what }: what is to happen at a time happens now: the end of `agents`, a scheduled `cancel`, the `payouts`. */
    hasten(world, { user, what }) {
        const account = accountOf(world, String(user).toLowerCase());
        if (account === undefined || !Object.hasOwn(HASTENED, what)) throw new Error(`no account of ${user}, or nothing like ${what}`);
        const now = Date.now();
        for (const [table, row] of HASTENED[what](world, account, now)) touch(world, table, row);
        return { user, what };
    },
    /** { coin, capped }: whether positions may grow there. */
    cap_open_interest(world, { coin, capped = true }) {
        const market = marketIn(world, coin);
        market.isCapped = capped;
        touchMarket(world, market);
        return { coin, capped };
    },
    /** { coin, bids, asks }: whether the makers of a market offer on that side. */
    makers(world, { coin, bids = true, asks = true }) {
        marketIn(world, coin).isEmpty = { true: !bids, false: !asks };
        return { coin, bids, asks };
    },
    /** { user, amount }: money for an account, as if it had been sent there. */
    give(world, { user, amount }) {
        const units = unitsOf(String(amount));
        if (!/^0x[0-9a-f]{40}$/i.test(user) || units === undefined || units <= 0n) throw new Error('user and amount have to be given');
        credit(world, user.toLowerCase(), units, { type: 'deposit', usdc: textOf(units) });
        return { user, amount };
    },
    /** { user, mode }: how the account keeps its collateral, by its owner's choice. */
    mode(world, { user, mode }) {
        const account = accountOf(world, String(user).toLowerCase());
        if (account === undefined || !MODES.includes(mode)) throw new Error(`no account of ${user}, or no mode ${mode}`);
        setMode(world, account, mode);
        return { user, mode };
    },
    /** { factor } or { weight, requests }: how much may be asked; a factor of 0 lifts all limits, none is the usual one. */
    limits: (world, value) => world.limits.set(value),
    /** { depositRoute, withdrawalRoute }: what the venue recommends, bridge or cctp. */
    routing: (world, value) => Object.assign(world.routing, value),
};

/** The rows that change. */
const HASTENED = {
    agents: (world, account, now) => agentsOf(world, account.id).map((agent) => ['agents', Object.assign(agent, { validUntil: now })]),
    cancel: (world, account, now) => [['accounts', Object.assign(account, { scheduled: account.scheduled && now })]],
    payouts: (world, account, now) => [...world.store.rows('withdrawals').values()]
        .filter(({ user, state }) => user === account.id && state === 'waiting').map((row) => ['withdrawals', Object.assign(row, { due: now })]),
};

function marketIn({ byName }, coin) {
    const market = byName.get(coin);
    if (market?.mark === undefined) throw new Error(`no market ${coin}`);
    return market;
}

function priceIn({ szDecimals }, price) {
    if (!isPrice(String(price), szDecimals)) throw new Error(`${price} is no price there`);
    return unitsOf(String(price));
}

function setRate(world, market, rate) {
    const units = unitsOf(String(rate), RATE_PLACES);
    if (units === undefined) throw new Error(`${rate} is no rate`);
    market.rate = units;
    touchMarket(world, market);
}
