// What becomes of orders on prediction markets: matches that others bring, settlements that fail, cancels, positions; and
// that the agent is told of each, once.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { counterOrder } from '../../contrib/sandbox/trader.mjs';
import {
    HASH, granted, hasMembers, receiver, register, until, verified,
} from './lib.mjs';
import {
    PATIENCE_MS, asked, cancel, honest, orderBecomes, orderIs, orderOf, place as placeOf, trader, wrong,
} from './prediction.mjs';

const POSITION = ['asset', 'conditionId', 'size', 'avgPrice', 'realizedPnl', 'unrealizedPnl', 'currentPrice', 'question', 'outcome'];
after(honest);

const hook = await receiver();
after(() => hook.close());
const agent = await trader('100');
const secret = await agent.listen(hook.url);
const untraded = granted(await agent.get('/predict/positions')).positions;

/** A market of an exchange with a price of 0.40 that crosses nobody: { tokenId, price }. */
const markets = granted(await agent.get('/predict/markets?limit=50')).markets;
async function roomIn(exchange) {
    for (const market of markets.filter((each) => each.exchange === exchange)) {
        const { outcomes } = granted(await agent.get(`/predict/market/${market.id}/book`));
        for (const { tokenId, bids, asks, tickSize } of outcomes) {
            const [bid, ask] = [Number(bids[0]?.price ?? 0), Number(asks[0]?.price ?? 1)];
            const price = Number((bid + Number(tickSize)).toFixed(4));
            if (price < ask && price > 0.05 && price < 0.6) return { tokenId, price };
        }
    }
    throw new Error(`no room in ${exchange}`);
}

const place = async (terms) => granted(await placeOf(agent, { size: 20, side: 'BUY', ...terms })).order;
const eventsOf = (id) => hook.deliveries.map((delivery) => verified(delivery, secret)).filter(({ data }) => data.id === id);
const told = (id, type, fits = () => true) => until(`${type} of ${id}`, () => eventsOf(id).find((event) => event.type === type && fits(event.data)), PATIENCE_MS);
const positionOf = async (tokenId) => granted(await agent.get('/predict/positions')).positions.find(({ asset }) => asset === tokenId);

/** Once the venue was asked a few times more for open orders. */
async function lookedAt() {
    const looks = async () => (await asked(({ path }) => path === '/clob/data/orders')).length;
    const before = await looks();
    await until('some looks at its orders', async () => await looks() >= before + 3, PATIENCE_MS);
}

for (const exchange of ['v2', 'neg_risk', 'v3']) {
    test(`${exchange}: half is filled and told, the rest is cancelled, and what was bought is sold`, async () => {
        const { tokenId, price } = await roomIn(exchange);
        const { id, status } = await place({ tokenId, price });
        assert.equal(status, 'open');
        await counterOrder({ tokenId, side: 'SELL', price, size: 10 });
        const half = await orderIs(agent, id, 'half of it filled', ({ filled }) => filled > 0);
        assert.deepEqual([half.status, half.filled, half.averagePrice], ['open', 10, price]);
        const { data } = await told(id, 'order.partially_filled');
        assert.deepEqual([data.filled, data.averagePrice, data.corrected], [10, price, undefined]);
        assert.equal(typeof data.settled, 'boolean');
        const settled = await orderIs(agent, id, 'the transaction', ({ tx_hashes: hashes }) => hashes.length === 1);
        assert.match(settled.tx_hashes[0], HASH);
        const position = await until('the position', () => positionOf(tokenId), PATIENCE_MS);
        hasMembers(position, POSITION);
        assert.deepEqual([position.size, position.avgPrice], [10, price]);

        await cancel(agent, id);
        const rest = await orderBecomes(agent, id, 'cancelled');
        assert.deepEqual([rest.filled, rest.cancelRequested], [10, undefined]);
        assert.equal((await told(id, 'order.cancelled')).data.filled, 10);
        const late = await cancel(agent, id);
        assert.deepEqual([late.status, late.body.error], [409, 'Order is not open']);

        const sold = await until('the shares to be there', async () => {
            const { status: code, body } = await agent.post('/predict/order', { tokenId, price: Number((price - 0.01).toFixed(4)), size: 10, side: 'SELL' });
            return code === 200 && body.order;
        }, PATIENCE_MS, 1000);
        const whole = await orderIs(agent, sold.id, 'the sale', (now) => now.status === 'filled' || now.status === 'open');
        if (whole.status === 'open') await counterOrder({ tokenId, side: 'BUY', price: whole.price, size: 10 });
        const { data: sale } = await told(sold.id, 'order.filled');
        assert.deepEqual([sale.filled, sale.side], [10, 'SELL']);
        await until('no position', async () => await positionOf(tokenId) === undefined, PATIENCE_MS);
        for (const each of [id, sold.id]) assert.equal(new Set(eventsOf(each).map(({ type }) => type)).size, eventsOf(each).length);
    });
}

test('a settlement that fails gives its size back, and the agent is told', async () => {
    const { tokenId, price } = await roomIn('v2');
    const { id } = await place({ tokenId, price });
    await wrong('settlement_failed');
    await counterOrder({ tokenId, side: 'SELL', price, size: 20 });
    const { data: early } = await told(id, 'order.filled');
    assert.deepEqual([early.status, early.filled, early.settled], ['filled', 20, false]);
    const { data } = await told(id, 'order.partially_filled', ({ corrected }) => corrected);
    assert.deepEqual([data.filled, data.averagePrice], [0, 0]);
    await honest();
    assert.equal((await orderOf(agent, id)).status, 'open');
    await place({ tokenId, price, type: 'FOK' }); // what the other side was given back rests as well
    await cancel(agent, id);
    await orderIs(agent, id, 'its end', ({ status }) => status === 'cancelled' || status === 'filled');
});

test('an open order stays as it is while the venue is silent, and goes on afterwards', async () => {
    const { tokenId, price } = await roomIn('v2');
    const { id } = await place({ tokenId, price });
    await wrong('http_500');
    await lookedAt();
    assert.equal((await orderOf(agent, id)).status, 'open');
    const { status, body } = await cancel(agent, id);
    assert.deepEqual([status, body.order.cancelRequested], [202, true]);
    await honest();
    await orderBecomes(agent, id, 'cancelled');
    assert.equal((await told(id, 'order.cancelled')).data.filled, 0);
});

test('an order that is matched as it is placed is filled at once', async () => {
    const { tokenId, price } = await roomIn('v2');
    await counterOrder({ tokenId, side: 'SELL', price, size: 20 });
    const { status, filled, averagePrice } = await place({ tokenId, price, type: 'FOK' });
    assert.deepEqual([status, filled, averagePrice], ['filled', 20, price]);
});

test('an order whose match the venue delays is open until then, and filled and told once', async () => {
    const { tokenId, price } = await roomIn('v2');
    await counterOrder({ tokenId, side: 'SELL', price, size: 20 });
    await wrong('delayed_match', { times: 1, value: 3000 });
    const { id, status, filled } = await place({ tokenId, price });
    await honest();
    assert.deepEqual([status, filled], ['open', 0]);
    const { filled: now } = await orderBecomes(agent, id, 'filled');
    assert.equal(now, 20);
    const { data } = await told(id, 'order.filled');
    assert.deepEqual([data.filled, data.averagePrice], [20, price]);
    await orderIs(agent, id, 'the transaction', ({ tx_hashes: hashes }) => hashes.length === 1);
    assert.equal(eventsOf(id).length, 1);
});

test('an order whose match the venue delays can be taken back', async () => {
    const { tokenId, price } = await roomIn('v2');
    await wrong('delayed_match', { times: 1, value: 60_000 });
    const { id } = await place({ tokenId, price });
    await honest();
    await lookedAt();
    assert.equal((await orderOf(agent, id)).status, 'open');
    granted(await cancel(agent, id));
    assert.equal((await orderBecomes(agent, id, 'cancelled')).filled, 0);
    assert.equal((await told(id, 'order.cancelled')).data.filled, 0);
});

test('who has never traded has no positions, and wallets of others are not told of', async () => {
    assert.deepEqual(untraded, []);
    const newcomer = await register();
    assert.deepEqual(granted(await newcomer.get('/predict/positions')).positions, []);
    const { status } = await newcomer.get(`/predict/positions?wallet_address=${await agent.wallet()}`);
    assert.ok(status >= 400 && status < 500, String(status));
    await wrong('garbage', { path: '/data/positions' });
    const silent = await until('what was kept to be too old', async () => {
        const answer = await agent.send('GET', '/predict/positions', { mayBreak: true });
        return answer.status !== 200 && answer;
    });
    await honest();
    assert.deepEqual([silent.status, silent.body.error_code], [500, 'UPSTREAM_ERROR']);
});
