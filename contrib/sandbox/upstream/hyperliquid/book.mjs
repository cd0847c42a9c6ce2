// The book of a market: the orders that rest in it, by price and then by time, and between them what its makers offer. The
// makers stand on both sides of the mark price, are there again after each trade, and stay out of the way of what rests.

import { DOLLAR, max, min, roundedPrice } from './amounts.mjs';

const LEVELS = 20; // of the makers, as many as the venue shows
const STEP = 2n; // between them, in ten thousandths of the price
const SIZE = 20_000n * DOLLAR; // at the best one; at the second one twice as much, and so on

const isBetter = (isBuy, a, b) => (isBuy ? a > b : a < b);

export class Book {
    #resting = { true: [], false: [] };

    /** Behind those of the same price that came before. */
    rest(order) {
        const list = this.#resting[order.isBuy];
        let [from, to] = [0, list.length];
        while (from < to) {
            const middle = (from + to) >> 1;
            if (isBetter(order.isBuy, order.price, list[middle].price)) to = middle;
            else from = middle + 1;
        }
        list.splice(from, 0, order);
    }

    remove(order) {
        const list = this.#resting[order.isBuy];
        const at = list.indexOf(order);
        if (at !== -1) list.splice(at, 1);
    }

    /** Orders of one side, best first. */
    resting(isBuy) {
        return this.#resting[isBuy];
    }
}

/** What the makers of a market offer on one side: [{ price, size }], best first. */
function offers(market, isBuy) {
    if (market.mark === undefined || market.isEmpty?.[isBuy]) return [];
    const [opposite] = market.book.resting(!isBuy);
    const levels = [];
    for (let i = 1n; i <= LEVELS; i++) {
        const away = (market.mark * STEP * i) / 10_000n;
        const price = roundedPrice(isBuy ? market.mark - away : market.mark + away, market.szDecimals, !isBuy);
        const size = max(1n, (SIZE * i * 10n ** BigInt(market.szDecimals)) / max(price, 1n));
        const crosses = opposite !== undefined && !isBetter(!isBuy, price, opposite.price);
        if (price > 0n && !crosses) levels.push({ price, size });
    }
    return levels;
}

/** Everything on one side, best first: { price, size, order }, makers' without an order and behind the orders of their price. */
function* sideOf(market, isBuy) {
    const orders = market.book.resting(isBuy);
    const row = (order) => ({ price: order.price, size: order.left, order });
    let at = 0;
    for (const offer of offers(market, isBuy)) {
        while (at < orders.length && !isBetter(isBuy, offer.price, orders[at].price)) yield row(orders[at++]);
        yield offer;
    }
    while (at < orders.length) yield row(orders[at++]);
}

/** The best price of a side; undefined where nothing is. */
export function best(market, isBuy) {
    const [order] = market.book.resting(isBuy);
    const [offer] = offers(market, isBuy);
    if (order === undefined || offer === undefined) return order?.price ?? offer?.price;
    return isBetter(isBuy, order.price, offer.price) ? order.price : offer.price;
}

/** Halfway between the sides; undefined without one of them. */
export function middle(market) {
    const [bid, ask] = [best(market, true), best(market, false)];
    return bid === undefined || ask === undefined ? undefined : (bid + ask) / 2n;
}

/** [{ price, size, count }] of a side, best first; prices to so many significant figures if they are given. */
export function levelsOf(market, isBuy, figures, mantissa = 1n) {
    const levels = new Map();
    for (const { price, size } of sideOf(market, isBuy)) {
        const key = figures === undefined ? price : coarse(price, figures, mantissa, !isBuy);
        const level = levels.get(key) ?? { price: key, size: 0n, count: 0 };
        levels.set(key, { price: key, size: level.size + size, count: level.count + 1 });
        if (levels.size > LEVELS) break;
    }
    return [...levels.values()].slice(0, LEVELS);
}

function coarse(price, figures, mantissa, up) {
    const step = mantissa * 10n ** BigInt(Math.max(0, String(price).length - figures));
    const least = (price / step) * step;
    return up && least < price ? least + step : least;
}

/** What an order would take at once, but from its own account: [{ price, size, order }] until its size or its limit ends it. */
export function meetings(market, { isBuy, price, size, user }) {
    const met = [];
    let wanted = size;
    for (const row of sideOf(market, !isBuy)) {
        if (wanted === 0n || isBetter(isBuy, row.price, price)) break;
        if (row.order?.user === user) continue;
        met.push({ ...row, size: min(wanted, row.size) });
        wanted -= met.at(-1).size;
    }
    return met;
}

/** The resting orders that a price on the other side meets, best first. */
export function crossed(market, isBuy, price) {
    const orders = market.book.resting(isBuy);
    const end = orders.findIndex((order) => isBetter(isBuy, price, order.price));
    return orders.slice(0, end === -1 ? orders.length : end);
}
