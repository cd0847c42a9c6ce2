// The orders that rest from the start: makers on both sides of what they think of each open market.

import { MAKERS } from '../../polymarket.mjs';
import { ONE, textOf, unitsOf } from './amounts.mjs';
import { limitOrder } from './orders.mjs';
import { EOA, orderHash, signOrder } from './signatures.mjs';

const LEVELS = 5;
const SIZE = 200n * ONE; // at the best level; more behind it
const CREATED_MS = Date.parse('2025-01-02T03:04:05.678Z');

/** Unless there were orders before. */
export function placeMakers(world) {
    if (world.store.rows('orders').size > 0) return;
    const open = world.markets.filter(({ status }) => status === 'open');
    const all = open.flatMap((market) => [0, 1].flatMap((outcome) => wishes(market, outcome).map((wish) => ({ market, outcome, ...wish }))));
    world.store.keep({ orders: all.map(restingOrder) });
}

function wishes(market, outcome) {
    const tick = unitsOf(market.tick);
    const first = unitsOf(market.price);
    const middle = outcome === 0 ? first : ONE - first;
    const isPrice = ({ price }) => price >= tick && price <= ONE - tick;
    return Array.from({ length: LEVELS }, (_, i) => BigInt(i + 1)).flatMap((level) => [
        { side: 'BUY', price: middle - level * tick, size: SIZE * level },
        { side: 'SELL', price: middle + level * tick, size: SIZE * level },
    ]).filter(isPrice);
}

function restingOrder({ market, outcome, side, price, size }, sequence) {
    const key = MAKERS[outcome];
    const order = limitOrder({
        token: market.tokens[outcome], side, price: textOf(price), size: textOf(size), maker: key.address, signatureType: EOA,
        salt: sequence, timestamp: CREATED_MS,
    });
    return {
        id: orderHash(market.kind, order), sequence, market: market.id, outcome, side, price, size, matched: 0n, status: 'LIVE',
        type: 'GTC', expiration: 0, created: CREATED_MS, order, signature: signOrder(market.kind, order, key), trades: [],
    };
}
