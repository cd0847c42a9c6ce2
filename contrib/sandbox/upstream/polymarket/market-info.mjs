// What everybody may know of a market. Prices and sizes are strings, and levels come worst first.

import { ONE, textOf, unitsOf } from './amounts.mjs';
import { Refusal } from '../refusal.mjs';
import { hasEnded } from './world.mjs';

export const time = () => ({ json: Math.floor(Date.now() / 1000) });
export const version = () => ({ json: { version: 2 } });

/** { market, outcome } of a token in whose book there is something to ask. */
export function openToken(world, token) {
    const known = world.tokens.get(token);
    if (known === undefined || hasEnded(known.market)) throw new Refusal(404, 'No orderbook exists for the requested token id');
    return known;
}

const asked = (world, { query }) => openToken(world, query.get('token_id'));

/** The best price of a side, or undefined. */
const best = ({ market, outcome }, side) => market.book.levels(outcome, side)[0]?.[0];

export function book(world, call) {
    const { market, outcome } = asked(world, call);
    const levels = (side) => market.book.levels(outcome, side).reverse().map(([price, size]) => ({ price: textOf(price), size: textOf(size) }));
    const isLying = world.wrong('lying_book') !== undefined; // purchases are shown as sales, and sales as purchases
    return {
        json: {
            market: market.conditionId, asset_id: market.tokens[outcome], timestamp: String(Date.now()), hash: '',
            bids: levels(isLying ? 'SELL' : 'BUY'), asks: levels(isLying ? 'BUY' : 'SELL'),
            min_order_size: market.minSize, tick_size: market.tick, neg_risk: market.kind === 'neg_risk', last_trade_price: lastPrice(market, outcome),
        },
    };
}

function lastPrice({ price: first }, outcome) {
    return outcome === 0 ? first : textOf(ONE - unitsOf(first));
}

export function midpoint(world, call) {
    const token = asked(world, call);
    const [bid, ask] = [best(token, 'BUY'), best(token, 'SELL')];
    if (bid === undefined && ask === undefined) throw new Refusal(404, 'No orderbook exists for the requested token id', 'the book is empty');
    return { json: { mid: textOf(((bid ?? 0n) + (ask ?? ONE)) / 2n) } };
}

export function price(world, call) {
    const side = call.query.get('side')?.toUpperCase();
    if (side !== 'BUY' && side !== 'SELL') throw new Refusal(400, 'Invalid side');
    return { json: { price: textOf(best(asked(world, call), side) ?? 0n) } };
}

export function spread(world, call) {
    const token = asked(world, call);
    return { json: { spread: textOf((best(token, 'SELL') ?? ONE) - (best(token, 'BUY') ?? 0n)) } };
}

export function lastTradePrice(world, call) {
    const { market, outcome } = asked(world, call);
    return { json: { price: lastPrice(market, outcome), side: 'BUY' } };
}

export const tickSize = (world, call) => ({ json: { minimum_tick_size: Number(asked(world, call).market.tick) } });
export const negRisk = (world, call) => ({ json: { neg_risk: asked(world, call).market.kind === 'neg_risk' } });
export const feeRate = (world, call) => ({ json: { base_fee: Math.round(Number(asked(world, call).market.feeRate) * 10000) } });

export function clobMarket(world, { condition }) {
    const market = world.markets.find(({ conditionId }) => conditionId === condition.toLowerCase());
    if (market === undefined) throw new Refusal(404, 'market not found');
    return {
        json: {
            c: market.conditionId, t: market.tokens.map((t, outcome) => ({ t, o: market.outcomes[outcome] })),
            mts: Number(market.tick), mos: Number(market.minSize), nr: market.kind === 'neg_risk' ? true : undefined,
            fd: { r: Number(market.feeRate), e: 1, to: true }, ao: market.status === 'open', sd: 0,
        },
    };
}

export function marketByToken(world, { token }) {
    const known = world.tokens.get(token);
    if (known === undefined) throw new Refusal(404, 'market not found');
    const [primary, secondary] = known.market.tokens;
    return { json: { condition_id: known.market.conditionId, primary_token_id: primary, secondary_token_id: secondary } };
}
