// Orders: what becomes of those that are brought, by themselves or with others that wait for them.

import { PLACES, abs, max, min, rounded, textOf, unitsOf } from './amounts.mjs';
import { crossed } from './book.mjs';
import { liquidateIfBelow } from './liquidation.mjs';
import { close, makeOrder, open, setStatus } from './orders.mjs';
import { afterMaking, endReducing, fill } from './positions.mjs';
import { formFault, refusalOf, taken } from './rules.mjs';
import { accountOf, nextTime } from './world.mjs';

const rests = ({ tif }) => tif === 'Gtc' || tif === 'Alo';

/** The statuses of an order action, one for each of its orders, or one for all that are refused for one's form. */
export function placeAll(world, account, { orders, grouping }) {
    for (const order of orders) {
        const fault = formFault(world.markets[order.a], order, grouping);
        if (fault !== undefined) return [{ error: `${fault} asset=${order.a}` }];
    }
    if (grouping === 'normalTpsl') return placeBracket(world, account, orders);
    return orders.map((order) => placeOne(world, account, world.markets[order.a], wishOf(world.markets[order.a], order, grouping)));
}

/** What an order of a request wants. */
function wishOf(market, { b, p, s, r, t, c }, grouping) {
    const { limit, trigger } = t;
    return {
        isBuy: b, price: unitsOf(p), size: unitsOf(s, market.szDecimals), tif: limit?.tif ?? null, reduceOnly: r, cloid: c?.toLowerCase(),
        isPositionTpsl: grouping === 'positionTpsl', trigger: trigger && { isMarket: trigger.isMarket, price: unitsOf(trigger.triggerPx), tpsl: trigger.tpsl },
    };
}

/** One order's status. */
function placeOne(world, account, market, wish) {
    const met = wish.trigger === undefined ? taken(account, market, wish) : [];
    const refusal = refusalOf(world, account, market, wish, met);
    const order = makeOrder(world, account.id, market, wish);
    if (refusal !== undefined) {
        setStatus(world, order, refusal[1]);
        return { error: `${refusal[0]} asset=${market.index}` };
    }
    if (wish.trigger !== undefined) open(world, order, market);
    else settle(world, market, order, met);
    return statusOf(market, order);
}

function statusOf(market, order) {
    const named = { oid: order.oid, ...(order.cloid && { cloid: order.cloid }) };
    if (order.status === 'open') return { resting: named };
    return { filled: { totalSz: textOf(order.size - order.left, market.szDecimals), avgPx: averagePrice(market, order), ...named } };
}

/** What was paid for each, to the places that prices of this market may have. */
function averagePrice({ szDecimals }, { value, size, left }) {
    return textOf(rounded(value, size - left), PLACES - szDecimals);
}

// ---------------------------------------------------------------- brackets

/** A parent, and what takes gains or stops losses once it is filled. One that is refused takes the others with it. */
function placeBracket(world, account, [first, ...others]) {
    const market = world.markets[first.a];
    const parent = wishOf(market, first, 'na');
    const reference = parent.isBuy ? min(parent.price, market.mark) : max(parent.price, market.mark);
    const children = others.map((order) => ({ ...wishOf(market, order, 'na'), reference }));
    const wrong = children.some((child) => child.trigger === undefined || child.isBuy === parent.isBuy || !child.reduceOnly);
    if (wrong || others.some(({ a }) => a !== first.a)) return [{ error: `Invalid TP/SL price. asset=${first.a}` }];
    const position = { size: parent.isBuy ? parent.size : -parent.size };
    const refusal = children.map((child) => refusalOf(world, { ...account, positions: { [market.name]: position } }, market, child, [])).find(Boolean);
    if (refusal !== undefined) return [{ error: `${refusal[0]} asset=${first.a}` }];
    return placeParent(world, account, market, parent, children.map(({ reference: _, ...child }) => child));
}

function placeParent(world, account, market, wish, children) {
    const status = placeOne(world, account, market, { ...wish, waiting: children });
    if (status.error !== undefined) return [status];
    const word = status.filled === undefined ? 'waitingForFill' : 'waitingForTrigger';
    return [status, ...children.map(() => word)];
}

/** What waits for an order gets its place, of which one ends the others. */
function startWaiting(world, market, order) {
    const started = order.waiting.map((wish) => makeOrder(world, order.user, market, wish));
    for (const each of started) {
        each.siblings = started.filter((other) => other !== each).map(({ oid }) => oid);
        open(world, each, market);
    }
    order.waiting = [];
}

// ---------------------------------------------------------------- trades

/** Carries out what an order takes, and gives what is left of it its place. */
export function settle(world, market, order, met) {
    for (const own of crossed(market, !order.isBuy, order.price)) {
        if (own.user === order.user) close(world, own, 'selfTradeCanceled');
    }
    const time = nextTime(world); // what happens at once has one
    const makers = met.map((meeting) => trade(world, market, order, meeting, time)).filter(Boolean);
    if (order.left === 0n) setStatus(world, order, 'filled');
    else if (rests(order)) open(world, order, market);
    else setStatus(world, order, 'canceled');
    if (met.length > 0 && order.status !== 'open') afterTaking(world, market, order);
    for (const user of new Set([order.user, ...makers])) afterTrade(world, accountOf(world, user), market);
}

/** Gives whose order was met; undefined of the makers. */
function trade(world, market, order, { price, size, order: maker }, time) {
    if (maker === undefined) {
        fill(world, order, { price, size, isTaker: true, time });
        return undefined;
    }
    const part = min(size, tradable(world, market, maker));
    if (part === 0n) return undefined;
    fill(world, maker, { price, size: part, isTaker: false, time });
    fill(world, order, { price, size: part, isTaker: true, time });
    made(world, market, maker);
    return maker.user;
}

/** How much of a resting order may be met: trades before it may have ended it, or the position that it reduces. */
function tradable(world, market, order) {
    if (order.status !== 'open') return 0n;
    return order.reduceOnly ? min(order.left, abs(accountOf(world, order.user).positions[market.name]?.size ?? 0n)) : order.left;
}

/** A resting order was met: its siblings end, and what waited for it begins. */
function made(world, market, order) {
    afterMaking(world, order);
    if (order.left === 0n) afterTaking(world, market, order);
}

function afterTaking(world, market, order) {
    for (const oid of order.siblings) {
        const sibling = world.store.rows('orders').get(String(oid));
        if (sibling.status === 'open') close(world, sibling, 'siblingFilledCanceled');
    }
    startWaiting(world, market, order);
}

function afterTrade(world, account, market) {
    endReducing(world, account, market);
    liquidateIfBelow(world, account);
}

/** An outside trader takes so much of what rests on a side, at the prices there or better than one: returns the amount. */
export function takeResting(world, market, isBuy, price, size) {
    let left = size;
    for (const order of crossed(market, isBuy, price)) {
        const part = min(left, tradable(world, market, order));
        if (part === 0n) continue;
        fill(world, order, { price: order.price, size: part, isTaker: false });
        made(world, market, order);
        afterTrade(world, accountOf(world, order.user), market);
        left -= part;
    }
    return size - left;
}
