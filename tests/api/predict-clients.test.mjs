// Section: predict
// What programs with the published clients do on prediction markets: their calls in their order, with the members that they
// read of each answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { granted, refused, until } from './lib.mjs';
import { ask, result } from './mcp.mjs';
import { orderBecomes, trader } from './prediction.mjs';

/** The members have these types: a text, a list of one, or what `typeof` says. */
function reads(value, types, where = 'answer') {
    for (const [name, type] of Object.entries(types)) {
        const member = value[name];
        const at = `${where}.${name}`;
        if (Array.isArray(type)) {
            assert.ok(Array.isArray(member), at);
            for (const item of member) {
                if (typeof type[0] === 'string') assert.equal(typeof item, type[0], at);
                else reads(item, type[0], at);
            }
        } else assert.equal(typeof member, type, at);
    }
}

const LEVEL = { price: 'string', size: 'string' };
const MARKET = {
    id: 'string', conditionId: 'string', question: 'string', category: 'string', endDate: 'string', volume: 'string', liquidity: 'string', active: 'boolean',
    outcomes: [{ name: 'string', price: 'number', tokenId: 'string' }], outcomePrices: ['number'], tokens: [{ tokenId: 'string', outcome: 'string' }],
};
const ORDER = { id: 'string', tokenId: 'string', side: 'string', price: 'number', size: 'number', filled: 'number', status: 'string', market: 'string', type: 'string', created_at: 'string' };
const BOOK = {
    marketId: 'string', question: 'string',
    outcomes: [{
        outcome: 'string', tokenId: 'string', market: 'string', assetId: 'string', bids: [LEVEL], asks: [LEVEL], midpoint: 'string', tickSize: 'string',
    }],
};
const PRICE = { marketId: 'string', question: 'string', prices: [{ outcome: 'string', tokenId: 'string', mid: 'string' }] };
const TRADES = { marketId: 'string', question: 'string', trades: [{ id: 'string', price: 'string', size: 'string', side: 'string', timestamp: 'string', outcome: 'string', tokenId: 'string' }] };
const POSITION = { asset: 'string', conditionId: 'string', size: 'number', avgPrice: 'number', currentPrice: 'number' };

const owner = await trader('50');
const get = async (path) => granted(await owner.get(`/predict/${path}`));

test('a program finds a market, looks at it, bids and takes the bid back', async () => {
    const { markets } = await get('markets?query=40%20%C2%B0C&limit=5');
    assert.equal(markets.length, 1);
    for (const market of markets) reads(market, MARKET);
    const [{ id, question, outcomes, tokens, outcomePrices }] = markets;
    assert.deepEqual(tokens.map(({ outcome }, i) => [outcome, outcomePrices[i]]), outcomes.map(({ name, price }) => [name, price]));
    assert.ok(Number(markets[0].volume) >= 0 && Number(markets[0].liquidity) >= 0 && new Date(markets[0].endDate) > new Date());

    const { events } = await get('events?query=weather&limit=20');
    for (const event of events) reads(event, { id: 'string', title: 'string', description: 'string', markets: [MARKET] });
    assert.ok(events.some(({ markets: own }) => own.some((market) => market.id === id)));

    const detail = await get(`market/${id}`); // its members stand at the top level
    reads(detail, { ...MARKET, description: 'string', createdAt: 'string', tickSize: 'string', minOrderSize: 'string', success: 'boolean' });
    assert.deepEqual([detail.id, detail.resolvedOutcome], [id, null]);
    const [book, price, trades] = [await get(`market/${id}/book`), await get(`market/${id}/price`), await get(`market/${id}/trades?limit=20`)];
    reads(book, BOOK);
    reads(price, PRICE);
    reads(trades, TRADES);
    for (const each of [book, price, trades]) assert.deepEqual([each.marketId, each.question], [id, question]);
    assert.deepEqual(price.prices.map(({ mid }) => mid), book.outcomes.map(({ midpoint }) => midpoint));

    const [{ tokenId }] = tokens;
    const { order } = granted(await owner.post('/predict/order', { tokenId, price: '0.05', size: '20', side: 'BUY' })); // both as text
    reads(order, ORDER);
    assert.deepEqual([order.tokenId, order.price, order.size, order.status], [tokenId, 0.05, 20, 'open']);
    const { orders } = await get('orders?status=open');
    for (const each of orders) reads(each, ORDER);
    assert.deepEqual(orders.map((each) => each.id), [order.id]);
    const gone = granted(await owner.send('DELETE', `/predict/order/${order.id}`));
    assert.deepEqual([gone.success, gone.order.id, gone.order.status], [true, order.id, 'cancelled']);
    assert.deepEqual((await get('orders')).orders, []);
});

test('a program buys at the best price, and reads what it holds', async () => {
    const { outcomes: [{ tokenId, asks: [{ price }] }] } = await get('market/9010/book');
    const { order } = granted(await owner.post('/predict/order', { tokenId, price, size: '5', side: 'BUY' }));
    await orderBecomes(owner, order.id, 'filled');
    const held = await until('the position', async () => (await get('positions')).positions.find(({ asset }) => asset === tokenId));
    reads(held, POSITION);
    assert.equal(held.size, 5);
    const { trades } = await until('the trade', async () => {
        const shown = await get('market/9010/trades?limit=20');
        return shown.trades.length > 0 && shown;
    });
    reads({ trades }, { trades: TRADES.trades });
});

test('a missing or unknown tokenId is named', async () => {
    refused(await owner.post('/predict/order', { price: '0.5', size: '10', side: 'BUY' }), 'tokenId is required', ['tokenId']);
    refused(await owner.post('/predict/order', { tokenId: '1', price: '0.5', size: '10', side: 'BUY' }), 'Unknown tokenId', ['tokenId']);
});

test('an assistant asks by the older names of the tools', async () => {
    const call = async (name, args) => result(await ask('tools/call', { name, arguments: args }, { key: owner.key })).structuredContent;
    const { markets } = await call('predict_markets', { query: 'bitcoin', limit: 10 });
    for (const market of markets) reads(market, MARKET);
    const { id: market_id } = markets[0];
    reads(await call('predict_market', { market_id }), { ...MARKET, description: 'string' });
    reads(await call('predict_book', { market_id }), BOOK);
    reads(await call('predict_price', { market_id }), PRICE);
    reads(await call('predict_trades', { market_id, limit: 10 }), TRADES);
});
