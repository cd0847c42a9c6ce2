// What a trade does to an account: its position, its money, the fee, and the row that its owner reads.

import { abs, min, sumOf } from './amounts.mjs';
import { close, noteState, setStatus } from './orders.mjs';
import { MAKER_RATE, RATE_UNIT, TAKER_RATE } from './universe.mjs';
import { accountOf, leverageOf, nextTid, nextTime, touch, touchMarket } from './world.mjs';
import { valueOf } from './margin.mjs';
import { newHash } from './ledger.mjs';

export const feeOf = (value, isTaker) => (value * (isTaker ? TAKER_RATE : MAKER_RATE)) / RATE_UNIT;

/** A trade of so much of an order at a price. `more`: further members of the fill. */
export function fill(world, order, { price, size, isTaker, more = {}, feeRate, time = nextTime(world) }) {
    const market = world.byName.get(order.coin);
    const account = accountOf(world, order.user);
    const value = valueOf(market, price, size);
    const fee = feeRate === 0n ? 0n : feeOf(value, isTaker);
    const before = account.positions[market.name]?.size ?? 0n;
    const gain = trade(account, market, order.isBuy ? size : -size, price);
    Object.assign(account, { usdc: account.usdc - fee, traded: account.traded + value });
    Object.assign(market, { volume: market.volume + value });
    Object.assign(order, { left: order.left - size, fee: order.fee + fee, value: order.value + value });
    const tid = nextTid(world);
    touch(world, 'fills', {
        id: String(tid), tid, user: order.user, coin: market.name, price, size, isBuy: order.isBuy, time, before, gain, fee, isTaker,
        direction: directionOf(before, order.isBuy ? size : -size), hash: newHash(), oid: order.oid, cloid: order.cloid, ...more,
    });
    touch(world, 'accounts', account);
    touchMarket(world, market);
}

function directionOf(before, size) {
    const after = before + size;
    if (before !== 0n && after !== 0n && before > 0n !== after > 0n) return before > 0n ? 'Long > Short' : 'Short > Long';
    if (abs(after) > abs(before)) return after > 0n ? 'Open Long' : 'Open Short';
    return before > 0n ? 'Close Long' : 'Close Short';
}

/** Changes a position, and gives what was gained. */
function trade(account, market, size, price) {
    const position = account.positions[market.name];
    const isClosing = position !== undefined && position.size > 0n !== size > 0n;
    if (!isClosing) return enlarge(account, market, size, price);
    const closed = min(abs(size), abs(position.size));
    const gain = reduce(account, market, position, closed, price);
    const rest = size > 0n ? size - closed : size + closed;
    if (rest !== 0n) enlarge(account, market, rest, price);
    return gain;
}

function enlarge(account, market, size, price) {
    const { isCross, value: leverage } = leverageOf(account, market);
    const position = account.positions[market.name] ?? {
        size: 0n, entry: 0n, isCross, leverage, margin: 0n, funding: { allTime: account.funding?.[market.name] ?? 0n, sinceOpen: 0n, sinceChange: 0n },
    };
    const cost = valueOf(market, price, abs(size));
    position.size += size;
    position.entry += cost;
    position.funding.sinceChange = 0n;
    if (!position.isCross) {
        const margin = cost / BigInt(position.leverage);
        position.margin += margin;
        account.usdc -= margin;
    }
    account.positions[market.name] = position;
    return 0n;
}

function reduce(account, market, position, closed, price) {
    const whole = abs(position.size);
    const [entry, margin] = [position.entry, position.margin].map((amount) => (amount * closed) / whole);
    const value = valueOf(market, price, closed);
    const gain = position.size > 0n ? value - entry : entry - value;
    position.size += position.size > 0n ? -closed : closed;
    position.entry -= entry;
    position.margin -= margin;
    position.funding.sinceChange = 0n;
    account.usdc += gain + margin;
    if (position.size === 0n) end(account, market, position);
    return gain;
}

function end(account, market, position) {
    account.usdc += position.margin;
    account.funding = { ...account.funding, [market.name]: position.funding.allTime };
    delete account.positions[market.name];
}

/** Ends what may only reduce a position that is gone or turned. */
export function endReducing(world, account, market) {
    const size = account.positions[market.name]?.size ?? 0n;
    for (const order of world.live.ofUser(account.id)) {
        const isStale = size === 0n || size > 0n === order.isBuy;
        if (order.coin === market.name && order.reduceOnly && isStale) close(world, order, 'reduceOnlyCanceled');
    }
}

/** What became of an order that rested and was traded. */
export function afterMaking(world, order) {
    if (order.left === 0n) {
        world.live.delete(order, world.byName.get(order.coin));
        setStatus(world, order, 'filled');
    } else noteState(world, order);
}

/** All longs of a market together, in its lots. */
export function openInterest(world, market) {
    const accounts = [...world.store.rows('accounts').values()];
    return sumOf(accounts, ({ positions }) => { const size = positions[market.name]?.size ?? 0n; return size > 0n ? size : 0n; });
}
