// Orders as the venue keeps them. A row:
//   id            the hash
//   sequence      by when it came
//   owner         the credentials that brought it; the sandbox's makers have none
//   market, outcome, side, price, size, matched
//   status        LIVE (rests), DELAYED (is matched later), MATCHED (whole), CANCELED
//   type, expiration (Unix seconds, 0 for ever), created (ms)
//   paid          money for what is matched, of an order that was matched as it came
//   order, signature    what was signed
//   trades        ids of the trades that it had a part in

import {
    ONE, costOf, textOf, unitsOf,
} from './amounts.mjs';
import { remaining } from './book.mjs';
import { LiveOrders } from './live.mjs';

const CENT = ONE / 100n;
const FOURTH_PLACE = ONE / 10_000n;
const NONE = `0x${'0'.repeat(64)}`;

/** What an order asks for, as a maker signs it. `price` and `size` are decimal. The money of a purchase at once is in cents. */
export function limitOrder({ token, side, price, size, maker, signatureType, salt, timestamp, type = 'GTC' }) {
    const [shares, cost] = amountsOf({ type, side }, unitsOf(size), unitsOf(price));
    const [makerAmount, takerAmount] = side === 'BUY' ? [cost, shares] : [shares, cost];
    return {
        salt: String(salt), maker, signer: maker, tokenId: token, makerAmount: String(makerAmount), takerAmount: String(takerAmount),
        side: side === 'BUY' ? 0 : 1, signatureType, timestamp: String(timestamp), metadata: NONE, builder: NONE,
    };
}

function amountsOf(order, size, price) {
    const cost = costOf(size, price);
    if (!spends(order)) return [size, cost];
    const money = cost - (cost % CENT);
    const shares = (money * ONE) / price;
    return [shares - (shares % FOURTH_PLACE), money];
}

export const marketOf = (world, { market }) => world.markets.find(({ id }) => id === market);
export const orderOf = (world, id) => world.store.rows('orders').get(id);
export const nextSequence = (world) => world.store.rows('orders').size;

/** For the audit: all that were taken, and what became of them. */
export const takenOrders = (world) => [...world.store.rows('orders').values()].map(({ id, order, status, matched, trades }) => (
    { order: id, maker: order.maker, status, matched: textOf(matched), trades: trades.length }));

/** Those that hold money or shares: the live and the delayed. Those that rest are put into their books. */
export function liveOrders(world) {
    const live = new LiveOrders();
    for (const order of world.store.rows('orders').values()) {
        if (order.status === 'LIVE' || order.status === 'DELAYED') live.add(order);
        if (order.status === 'LIVE') marketOf(world, order).book.rest(order);
    }
    return live;
}

/** Whether what is not matched at once waits in the book. */
export const mayRest = ({ type }) => type === 'GTC' || type === 'GTD';

/** The caller keeps the row. */
export function setStatus(world, order, status) {
    const { book } = marketOf(world, order);
    if (order.status === 'LIVE' && status !== 'LIVE') book.remove(order);
    if (order.status !== 'LIVE' && status === 'LIVE') book.rest(order);
    if (status === 'LIVE' || status === 'DELAYED') world.live.add(order);
    else world.live.delete(order);
    order.status = status;
}

export function cancelOrders(world, orders) {
    for (const order of orders) setStatus(world, order, 'CANCELED');
    world.store.keep({ orders });
}

/** Ends the orders whose time is over. */
export function expireOrders(world) {
    const now = Date.now() / 1000;
    const over = world.live.expiring().filter(({ expiration }) => expiration <= now);
    if (over.length > 0) cancelOrders(world, over);
}

/** A purchase that is matched at once, or not at all, asks for money: for what makerAmount brings, and not for shares. */
export const spends = ({ type, side }) => side === 'BUY' && !mayRest({ type });
export const unspent = ({ order, paid = 0n }) => BigInt(order.makerAmount) - paid;

/** Whether nothing of it is left: money that buys no step of shares is none. */
export const isWhole = (order) => (spends(order) ? unspent(order) < CENT : remaining(order) === 0n);

/** What the maker gives if all that is left is carried out: dollars of a purchase, shares of a sale. */
export const outlay = (order) => (spends(order) ? unspent(order) : givenFor(order, remaining(order)));

/** What the maker gave for a part of the size that was matched at a price. */
export const givenAt = (order, size, price) => (spends(order) ? costOf(size, price) : givenFor(order, size));

/** What the maker gives for a part of the size. */
export function givenFor({ side, order }, size) {
    return side === 'BUY' ? (size * BigInt(order.makerAmount)) / BigInt(order.takerAmount) : size;
}
