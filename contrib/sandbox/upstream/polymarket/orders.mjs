// Orders as the venue keeps them. A row:
//   id            the hash
//   sequence      by when it came
//   owner         the credentials that brought it; the sandbox's makers have none
//   market, outcome, side, price, size, matched
//   status        LIVE (rests), DELAYED (is matched later), MATCHED (whole), CANCELED
//   type, expiration (Unix seconds, 0 for ever), created (ms)
//   order, signature    what was signed
//   trades        ids of the trades that it had a part in

import { costOf, unitsOf } from './amounts.mjs';
import { remaining } from './book.mjs';

export const marketOf = (world, { market }) => world.markets.find(({ id }) => id === market);

/** What an order asks for, as a maker signs it. `price` and `size` are decimal. */
export function limitOrder({ token, side, price, size, maker, signatureType, salt, timestamp }) {
    const shares = unitsOf(size);
    const cost = costOf(shares, unitsOf(price));
    const [makerAmount, takerAmount] = side === 'BUY' ? [cost, shares] : [shares, cost];
    return {
        salt: String(salt), maker, signer: maker, tokenId: token, makerAmount: String(makerAmount), takerAmount: String(takerAmount),
        side: side === 'BUY' ? 0 : 1, signatureType, timestamp: String(timestamp), metadata: NONE, builder: NONE,
    };
}

const NONE = `0x${'0'.repeat(64)}`;

/** Puts the orders that rest into the books, when the process starts. */
export function restLive(world) {
    for (const order of world.store.rows('orders').values()) if (order.status === 'LIVE') marketOf(world, order).book.rest(order);
}

export const nextSequence = (world) => world.store.rows('orders').size;

/** What the maker gives if all that is left is carried out: dollars of a purchase, shares of a sale. */
export const outlay = (order) => (order.side === 'BUY' ? costOf(remaining(order), order.price) : remaining(order));
