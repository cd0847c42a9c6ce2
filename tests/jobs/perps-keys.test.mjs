// Section: accounts
// Keys that trade for wallets: when they are renewed and under which names, that nothing which an earlier one signed is lost by
// that, and that an order is cancelled without a key in force.

import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { granted } from '../api/lib.mjs';
import {
    act, ask, audit, becomes, cancel, honest, orderOf, place, placed, statusAt, trader, wrong,
} from '../api/perps-trading.mjs';
import { arm, disarm, hit, runJob, sql, withoutJobs } from './lib.mjs';

const LIMIT = { market: 'SOL-USD', side: 'long', size: 2, type: 'limit', price: 100 };
const FORTNIGHT_H = 14 * 24;

before(async () => {
    await act('funding_hours', { on: false });
    await act('move_price', { coin: 'SOL', price: '150' });
});
afterEach(disarm);
after(honest);

const walletOf = ({ address }) => `(SELECT id FROM wallets WHERE LOWER(address) = '${address}')`;
/** All that were ever made for the wallet, the oldest first. */
const keysOf = async (agent) => (await sql(`SELECT LOWER(address) FROM trading_keys WHERE wallet_id = ${walletOf(agent)} ORDER BY id`)).split('\n').filter(Boolean);
/** As if it had been made so long ago that the newest one is in force for so many hours. */
const endsIn = (agent, hours) => sql(`UPDATE trading_keys SET created_at = created_at - INTERVAL 1 DAY, valid_until = UTC_TIMESTAMP(3) + INTERVAL ${hours} HOUR
    WHERE wallet_id = ${walletOf(agent)} ORDER BY id DESC LIMIT 1`);
const atVenue = async (agent) => (await ask('extraAgents', { user: agent.address })).map(({ address }) => address.toLowerCase()).sort();
/** Who signed what the venue took, the newest last. */
const signers = async (agent, type = 'order') => (await audit('accepted')).filter((each) => each.user === agent.address && each.type === type).map(({ signer }) => signer);
const isDue = (agent) => sql(`UPDATE perps_accounts SET due_at = UTC_TIMESTAMP(3), lease_until = NULL, lease_owner = NULL WHERE wallet_id = ${walletOf(agent)}`);
/** The venue knows none of its keys from now on. */
const dismissed = (agent) => act('hasten', { user: agent.address, what: 'agents' });

test('a key is renewed a fortnight before its end by a fresh one, and both are in force meanwhile', async () => {
    const agent = await trader(5000);
    const first = await placed(agent, LIMIT);
    await endsIn(agent, FORTNIGHT_H + 1);
    await placed(agent, LIMIT);
    assert.equal((await keysOf(agent)).length, 1);
    await endsIn(agent, FORTNIGHT_H - 1);
    const second = await placed(agent, LIMIT);
    assert.equal(second.status, 'open');
    const [former, key] = await keysOf(agent);
    assert.deepEqual(await signers(agent), [former, former, key]);
    assert.deepEqual(await atVenue(agent), [former, key].sort());
    const { account: { tradingKey } } = granted(await agent.get('/perps/account'));
    assert.deepEqual([tradingKey.address.toLowerCase(), tradingKey.status], [key, 'active']);
    const days = (Date.parse(tradingKey.expiresAt) - Date.now()) / 86_400_000;
    assert.ok(days > 179.9 && days < 180, String(days));
    await placed(agent, LIMIT);
    assert.equal((await keysOf(agent)).length, 2);
    for (const { id } of [first, second]) assert.equal(granted(await cancel(agent, id)).order.status, 'cancelled');
});

test('no address is used twice, and a wallet never has more than two at the venue', async () => {
    const agent = await trader(5000);
    await placed(agent, LIMIT);
    for (let i = 0; i < 3; i += 1) {
        await endsIn(agent, 1);
        assert.equal((await placed(agent, LIMIT)).status, 'open');
    }
    const keys = await keysOf(agent);
    assert.equal(new Set(keys).size, 4);
    assert.deepEqual(await signers(agent), keys);
    assert.equal((await signers(agent, 'approveAgent')).length, 4);
    assert.deepEqual(await atVenue(agent), keys.slice(-2).sort());
});

test('an order signed by a former key is placed although the wallet has another key by then', async () => {
    const agent = await trader(5000);
    await placed(agent, LIMIT);
    await withoutJobs(async () => {
        arm('execute.commit.after', 'kill', 1);
        await agent.send('POST', '/perps/order', { json: LIMIT, mayBreak: true }).catch(() => undefined);
        await hit('execute.commit.after');
        disarm();
        await endsIn(agent, 1);
        assert.equal((await placed(agent, LIMIT)).status, 'open');
    });
    const { orders } = granted(await agent.get('/perps/orders'));
    assert.equal(orders.length, 3);
    for (const { id } of orders) await becomes(agent, id, 'open');
    const [former, key] = await keysOf(agent);
    assert.deepEqual(await signers(agent), [former, key, former]);
});

test('an order that goes out while the approval of its key is on its way follows behind it', async () => {
    const agent = await trader(5000);
    await placed(agent, LIMIT);
    await endsIn(agent, 1);
    await wrong('http_500', { wallet: agent.address, path: '/exchange', times: 1 });
    const renewing = await placed(agent, LIMIT);
    const next = await placed(agent, LIMIT);
    assert.equal(next.status, 'open'); // by the key that is in force
    await becomes(agent, renewing.id, 'open');
    const [former, key] = await keysOf(agent);
    assert.deepEqual(await signers(agent), [former, former, key]);
});

test('an order by a key that the venue does not know any more says so, and the next one has another', async () => {
    const agent = await trader(5000);
    await placed(agent, LIMIT);
    await dismissed(agent);
    const order = await placed(agent, LIMIT);
    assert.deepEqual([order.status, order.error], ['rejected', 'Trading key was replaced at the venue']);
    assert.equal(await statusAt(agent, order.id), 'unknownOid');
    const next = await placed(agent, LIMIT);
    assert.equal(next.status, 'open');
    assert.equal((await keysOf(agent)).length, 2);
});

test('a change of leverage by a replaced key is refused with its reason', async () => {
    const agent = await trader(5000);
    await placed(agent, LIMIT);
    await dismissed(agent);
    const answer = await agent.post('/perps/leverage', { market: 'SOL', leverage: 4 });
    assert.deepEqual([answer.body.error, answer.body.hint], ['Leverage was refused by the venue', 'Trading key was replaced at the venue']);
    granted(await agent.post('/perps/leverage', { market: 'SOL', leverage: 4 }));
});

test('an order is cancelled without a key in force', async () => {
    const agent = await trader(5000);
    const [one, other] = [await placed(agent, LIMIT), await placed(agent, LIMIT)];
    await dismissed(agent);
    await endsIn(agent, -1); // as both clocks say
    assert.equal(granted(await cancel(agent, one.id)).order.status, 'cancelled');
    assert.equal(await statusAt(agent, one.id), 'canceled');
    const keys = await keysOf(agent);
    assert.deepEqual([keys.length, await atVenue(agent)], [2, [keys[1]]]);
    assert.equal(granted(await cancel(agent, other.id)).order.status, 'cancelled');
    assert.equal((await keysOf(agent)).length, 2);
    assert.deepEqual(await signers(agent, 'cancelByCloid'), [keys[1], keys[1]]);
});

test('an order is cancelled when the venue does not know its key any more', async () => {
    const agent = await trader(5000);
    const order = await placed(agent, LIMIT);
    await endsIn(agent, 1000); // which only makes it older
    await dismissed(agent);
    const answer = await cancel(agent, order.id);
    assert.deepEqual([answer.status, answer.body.order.cancelRequested], [202, true]);
    await becomes(agent, order.id, 'cancelled');
    assert.equal(await statusAt(agent, order.id), 'canceled');
    assert.equal((await keysOf(agent)).length, 2);
});

test('a venue that takes no key gets no other one each time that a cancel is repeated', async () => {
    const agent = await trader(5000);
    const order = await placed(agent, LIMIT);
    await dismissed(agent);
    await endsIn(agent, -1);
    await wrong('status_err', { wallet: agent.address, value: `Must deposit before performing actions. User: ${agent.address}` });
    try {
        assert.equal((await cancel(agent, order.id)).status, 202);
        await withoutJobs(async () => {
            for (let i = 0; i < 3; i += 1) {
                await isDue(agent);
                await sql(`UPDATE trading_keys SET created_at = UTC_TIMESTAMP(3) WHERE wallet_id = ${walletOf(agent)}`);
                await runJob('order-poll');
            }
        });
        assert.equal((await keysOf(agent)).length, 2);
        assert.equal((await orderOf(agent, order.id)).cancelRequested, true);
    } finally {
        await honest();
    }
    await endsIn(agent, 1000);
    await becomes(agent, order.id, 'cancelled');
    assert.equal((await keysOf(agent)).length, 3);
});

test('an order in progress is cancelled before its key is approved', async () => {
    const agent = await trader(5000);
    await wrong('http_500', { wallet: agent.address, path: '/exchange', times: 1 });
    const { body: { order } } = await place(agent, LIMIT);
    assert.equal(order.status, 'pending');
    await cancel(agent, order.id);
    await becomes(agent, order.id, 'cancelled');
    assert.equal((await keysOf(agent)).length, 1);
    assert.ok(['canceled', 'unknownOid'].includes(await statusAt(agent, order.id)));
});

test('the venue got no nonce with two requests, and none after its time', async () => {
    assert.deepEqual(await audit('reused'), []);
    assert.deepEqual(await audit('late'), []);
});
