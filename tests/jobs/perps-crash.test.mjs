// Section: accounts
// kill -9 at the worst moments of orders for perpetuals: an order that is stored is placed exactly once, one that is not costs
// nothing, and the next process that follows orders goes on where another one died.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { granted, receiver, until } from '../api/lib.mjs';
import {
    act, ask, audit, becomes, honest, orderOf, placed, statusAt, trader,
} from '../api/perps-trading.mjs';
import { arm, disarm, hit, runJob, sql, withoutJobs } from './lib.mjs';

const LIMIT = { market: 'SOL-USD', side: 'long', size: 2, type: 'limit', price: 100 };

before(async () => {
    await act('funding_hours', { on: false });
    await act('move_price', { coin: 'SOL', price: '150' });
});
afterEach(disarm);
after(() => honest());

const bodiesOf = async (cloid) => (await audit('cloids')).find(({ id }) => id === cloid)?.bodies ?? [];
const ordersOf = async (agent) => granted(await agent.get('/perps/orders')).orders;
const restingAt = (agent) => ask('openOrders', { user: agent.address });

/** Asks while a process dies at that point, with no job running. */
const dying = (point, request) => withoutJobs(async () => {
    arm(point, 'kill', 1);
    await request().catch(() => undefined);
    await hit(point);
    disarm();
});

/** Whose key the venue knows by an order that rests. */
async function known() {
    const agent = await trader(2000);
    await placed(agent, { ...LIMIT, price: 90 });
    return agent;
}

const place_ = (agent, terms = LIMIT) => agent.send('POST', '/perps/order', { json: terms, mayBreak: true });

for (const first of [true, false]) {
    for (const point of ['db.commit.after', 'execute.commit.after', 'offer.post.before', 'offer.post.after', 'execute.send.after']) {
        test(`${first ? 'a first order' : 'an order'} is placed once although its worker dies: ${point}`, async () => {
            const agent = first ? await trader(2000) : await known();
            await dying(point, () => place_(agent, first ? { ...LIMIT, leverage: 3 } : LIMIT));
            const [order] = await ordersOf(agent);
            assert.ok(order !== undefined);
            await becomes(agent, order.id, 'open');
            assert.equal(await statusAt(agent, order.id), 'open');
            assert.equal((await bodiesOf(order.id)).length, 1);
            assert.equal((await restingAt(agent)).length, first ? 1 : 2);
            assert.equal((await ask('extraAgents', { user: agent.address })).length, 1);
        });
    }
}

for (const point of ['market.store.after', 'execute.commit.before', 'execute.sign.after']) {
    test(`an order that was not stored is not placed: ${point}`, async () => {
        const agent = await trader(2000);
        await dying(point, () => place_(agent));
        assert.deepEqual(await ordersOf(agent), []);
        assert.deepEqual(await restingAt(agent), []);
        const order = await placed(agent, LIMIT); // by a key that the wallet has not approved yet
        assert.equal(order.status, 'open');
    });
}

/** The agent's wallet is looked at next. */
const isDue = ({ address }) => sql(`UPDATE perps_accounts SET due_at = UTC_TIMESTAMP(3) WHERE wallet_id = (SELECT id FROM wallets WHERE LOWER(address) = '${address}')`);
/** As if their time were over. */
const endLeases = () => sql('UPDATE perps_accounts SET lease_until = UTC_TIMESTAMP(3), due_at = UTC_TIMESTAMP(3) WHERE lease_owner IS NOT NULL');

// The other venue's wallets are claimed first.
for (const [point, time] of [['order_poll.claim.after', 2], ['perps_poll.record.before', 1], ['perps_poll.record.after', 1],
    ['order_poll.release.before', 1], ['order_poll.release.after', 1]]) {
    test(`a fill is reported once although its follower dies: ${point}`, async () => {
        const hook = await receiver();
        try {
            const agent = await trader(2000, { callback_url: hook.url });
            const order = await placed(agent, { ...LIMIT, price: 149 });
            await withoutJobs(async () => {
                await act('counter_order', { coin: 'SOL', side: 'sell', price: '149', size: '2' });
                await isDue(agent);
                arm(point, 'kill', time);
                await runJob('order-poll').catch(() => undefined);
                await hit(point);
                disarm();
            });
            await endLeases();
            const filled = await becomes(agent, order.id, 'filled');
            assert.equal(filled.filledSize, '2');
            await until('its trade', async () => (await orderOf(agent, order.id)).averagePrice === '149');
            const told = () => hook.deliveries.map(({ raw }) => JSON.parse(raw)).filter(({ data }) => data.id === order.id);
            await until('the event', () => told().length > 0);
            assert.deepEqual(told().map(({ type }) => type), ['perps.order.filled']);
            assert.equal(granted(await agent.get('/perps/fills')).fills.length, 1);
        } finally {
            hook.close();
        }
    });
}

test('a cancel that was recorded is carried out although its worker dies', async () => {
    const agent = await known();
    const order = await placed(agent, LIMIT);
    await dying('cancel.record.after', () => agent.send('DELETE', `/perps/order/${order.id}`, { mayBreak: true }));
    const now = await orderOf(agent, order.id);
    assert.ok(now.status === 'cancelled' || now.cancelRequested);
    await becomes(agent, order.id, 'cancelled');
    assert.equal(await statusAt(agent, order.id), 'canceled');
});

test('the venue got no nonce with two requests, and none after its time', async () => {
    assert.deepEqual(await audit('reused'), []);
    assert.deepEqual(await audit('late'), []);
});
