// State that the parts of the venue share: its accounts, markets and orders, and their storage. Rows change in place; `touch`
// says which did, and `commit` writes all of them at once, so that an action is done or not done when the process is killed.
//
// An account: { id (its address), usdc (cross collateral without unrealized gains, millionths), spot, mode, leverage by coin
// { isCross, value }, positions by coin, traded (volume), sent (requests), lastExtra, scheduled, triggers,
// builders (what each may take of an order) }.
// A market: { id (its coin), mark, oracle, rate, volume, previous (yesterday's price), isCapped }, in addition to what universe.mjs says.

import { Book } from './book.mjs';
import { unitsOf } from './amounts.mjs';
import { LiveOrders } from './orders.mjs';
import { ASSETS, FUNDING_RATE } from './universe.mjs';

const PAST_MAX = 50; // states of an account that are remembered for reads that lag

export function makeWorld({ store, wrong, rails, limits }) {
    const world = {
        store, wrong, rails, limits, dirty: new Map(), past: new Map(), live: undefined, markets: undefined, paysHourly: true,
        routing: { depositRoute: 'bridge', withdrawalRoute: 'bridge' },
        counters: store.rows('counters').get('all') ?? { id: 'all', oid: 77_000_000_000n, tid: 900_000_000n, lastTime: 0 },
    };
    world.markets = ASSETS.map((asset) => ({ ...asset, ...marketOf(world, asset), book: new Book() }));
    world.byName = new Map(world.markets.map((market) => [market.name, market]));
    world.live = new LiveOrders(world);
    for (const account of store.rows('accounts').values()) remember(world, account, 0);
    return world;
}

function marketOf(world, { name, price }) {
    const first = price === undefined ? undefined : unitsOf(price);
    return world.store.rows('markets').get(name) ?? { id: name, mark: first, oracle: first, rate: FUNDING_RATE, volume: 0n, previous: first, isCapped: false };
}

// ---------------------------------------------------------------- keeping

export function touch(world, table, row) {
    if (!world.dirty.has(table)) world.dirty.set(table, new Set());
    world.dirty.get(table).add(row);
}

/** Of a market, what changes. */
export function touchMarket(world, market) {
    const { id, mark, oracle, rate, volume, previous, isCapped } = market;
    for (const row of world.dirty.get('markets') ?? []) if (row.id === id) world.dirty.get('markets').delete(row);
    touch(world, 'markets', { id, mark, oracle, rate, volume, previous, isCapped });
}

/** Writes down what changed since the last time. */
export function commit(world) {
    if (world.dirty.size === 0) return;
    touch(world, 'counters', world.counters);
    for (const account of world.dirty.get('accounts') ?? []) remember(world, account);
    world.store.keep(Object.fromEntries([...world.dirty].map(([table, rows]) => [table, [...rows]])));
    world.dirty.clear();
}

function remember({ past }, account, at = Date.now()) {
    if (!past.has(account.id)) past.set(account.id, []);
    const states = past.get(account.id);
    states.push({ at, account: structuredClone(account) });
    if (states.length > PAST_MAX) states.shift();
}

/** An account as it was at a time; undefined when there was none. */
export function accountAt(world, address, at) {
    const account = world.store.rows('accounts').get(address);
    if (at === undefined) return account;
    const states = world.past.get(address) ?? [];
    const state = states.findLast((each) => each.at <= at) ?? (states.length === PAST_MAX ? states[0] : undefined);
    return state?.account;
}

// ---------------------------------------------------------------- numbers and times

export const nextOid = ({ counters }) => Number(counters.oid += 1n);
export const nextTid = ({ counters }) => Number(counters.tid += 1n);

/** Milliseconds, never earlier than the last ones that were asked for: what is ordered by time stays in order. */
export function nextTime({ counters }) {
    counters.lastTime = Math.max(Date.now(), counters.lastTime);
    return counters.lastTime;
}

// ---------------------------------------------------------------- accounts

export const accountOf = (world, address) => world.store.rows('accounts').get(address);

export function makeAccount(world, address) {
    const account = {
        id: address, usdc: 0n, spot: 0n, mode: 'default', leverage: {}, positions: {}, traded: 0n, sent: 0, lastExtra: 0, scheduled: undefined,
        triggers: [],
    };
    world.store.rows('accounts').set(address, account);
    touch(world, 'accounts', account);
    return account;
}

const DEFAULT_LEVERAGE = 20;

/** What the account uses in a market: cross with 20, or with as much as there is, unless it said otherwise. */
export const leverageOf = (account, { name, maxLeverage }) => account.leverage[name] ?? { isCross: true, value: Math.min(DEFAULT_LEVERAGE, maxLeverage) };
