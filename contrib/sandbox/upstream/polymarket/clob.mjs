// The CLOB: order books. Numbers are strings, and levels come worst first.

import { priceText, sizeText } from './book.mjs';

export function answerClob(world, { path, query }) {
    if (path === '/time') return { json: Math.floor(Date.now() / 1000) };
    if (path === '/version') return { json: { version: 2 } };
    if (path === '/book') return bookJson(world, query.get('token_id'));
    return { status: 404, json: { error: 'not found' } };
}

function bookJson(world, token) {
    const known = world.tokens.get(token);
    if (known === undefined || known.market.status === 'closed' || known.market.status === 'resolved') {
        return { status: 404, json: { error: 'No orderbook exists for the requested token id' } };
    }
    const { market, outcome } = known;
    const levels = (side) => market.books[outcome].levels(side).reverse().map(([price, size]) => ({ price: priceText(price), size: sizeText(size) }));
    return {
        json: {
            market: market.conditionId, asset_id: token, timestamp: String(Date.now()), hash: '', bids: levels('BUY'), asks: levels('SELL'),
            min_order_size: market.minSize, tick_size: market.tick, neg_risk: market.kind === 'neg_risk', last_trade_price: market.price,
        },
    };
}
