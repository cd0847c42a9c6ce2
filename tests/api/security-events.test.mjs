// Section: api
// Security events reach callbacks that a stolen key has replaced: nothing that matters for the money changes unheard.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { Wallet } from 'ethers';
import { sql } from '../jobs/lib.mjs';
import { startGateway } from './gateway.mjs';
import { granted, receiver, refused, register, until, verified } from './lib.mjs';

const DAY = await startGateway(['withdrawal_delay = 86400']);
const BEFORE = 'http://127.0.0.1:9/before', NEVER = 'http://127.0.0.1:9/never';
after(() => DAY.stop());

const newAgent = async () => Object.assign(await register(), { base: DAY.base });
const addAddress = async (agent) => granted(await agent.post('/withdrawal-addresses', { address: Wallet.createRandom().address }), 201).withdrawal_address;
const typesOf = ({ deliveries }) => deliveries.map(({ raw }) => JSON.parse(raw).type);
const heard = (hook, type, fits = () => true) => hook.delivery(({ raw }) => JSON.parse(raw).type === type && fits(JSON.parse(raw)));
const heardOf = (hook, address) => heard(hook, 'withdrawal_address.added', ({ data }) => data.id === address.id);
const answers = async (agent) => assert.equal(granted(await agent.post('/webhooks/test')).success, true);

/** An agent whose callback was set two days ago. */
async function settled(url) {
    const agent = await newAgent(), secret = await agent.listen(url);
    await sql(`UPDATE callbacks SET set_at = set_at - INTERVAL 2 DAY WHERE agent_id = (SELECT id FROM agents WHERE uuid = UNHEX(REPLACE('${agent.id}', '-', '')))`);
    return { agent, secret };
}

test('a callback that stood before hears of an address added while there is none, though it has never answered', async () => {
    let alive = false;
    const hook = await receiver(() => (alive ? 200 : 500)), { agent, secret } = await settled(hook.url);
    await agent.listen(null);
    const address = await addAddress(agent);
    await agent.listen(BEFORE);
    await agent.listen(null);
    assert.equal(granted(await agent.get('/webhooks?status=failed')).pagination.total, 0, 'removing a callback ends no security event');
    alive = true;
    assert.deepEqual(verified(await heardOf(hook, address), secret).data, address);
    verified(await heard(hook, 'callback.changed', ({ data }) => data.callback_host === null), secret);
    assert.equal(verified(await heard(hook, 'callback.changed', ({ data }) => data.callback_host !== null), secret).data.agent_id, agent.id);
    hook.close();
});

test('within the delay the first two that have answered hear of it, and the present one', async () => {
    const agent = await newAgent(), hooks = [];
    for (let i = 0; i < 4; i += 1) {
        hooks.push(await receiver());
        await agent.listen(hooks[i].url);
        if (i === 0) await agent.listen(NEVER);
        if (i === 0) await agent.listen(hooks[0].url);
        await answers(agent);
    }
    const address = await addAddress(agent);
    for (const i of [0, 1, 3]) await heardOf(hooks[i], address);
    const later = await addAddress(agent);
    await heardOf(hooks[3], later);
    assert.ok(!typesOf(hooks[2]).includes('withdrawal_address.added'));
    assert.equal((await agent.events('?event_type=withdrawal_address.added')).filter(({ callback_url: url }) => url === NEVER).length, 0);
    for (const hook of hooks) hook.close();
});

test('a callback whose first answer comes after it was replaced counts', async () => {
    let release;
    const agent = await newAgent(), slow = await receiver(() => new Promise((resolve) => { release = () => resolve(200); }));
    await agent.listen(slow.url);
    await addAddress(agent);
    await slow.delivery();
    await agent.listen(NEVER);
    release();
    await until('the answer to be recorded', async () => (await agent.events('?status=delivered')).length > 0);
    const address = await addAddress(agent);
    await until('the event', () => { release(); return slow.deliveries.some(({ raw }) => JSON.parse(raw).data.id === address.id); });
    release();
    slow.close();
});

test('the secret of its time signs, however often the key renews it', async () => {
    const hook = await receiver(), { agent, secret } = await settled(hook.url);
    let last;
    for (let i = 0; i < 3; i += 1) last = granted(await agent.post('/webhooks/secret')).webhook_secret;
    const address = await addAddress(agent), delivery = await heardOf(hook, address);
    verified(delivery, secret);
    verified(delivery, last);
    await until('the renewals', () => typesOf(hook).filter((type) => type === 'webhook_secret.renewed').length === 3);
    hook.close();
});

test('policies, keys and removals are told, and a redelivery goes to where the event went', async () => {
    let alive = false;
    const hook = await receiver(() => (alive ? 200 : 500)), other = await receiver(), { agent, secret } = await settled(hook.url);
    await agent.listen(other.url);
    const { policy } = granted(await agent.post('/wallet/policy', { type: 'spending_limit', params: { maxAmountUsd: '10', timeWindowSeconds: 3600 } }));
    granted(await agent.send('DELETE', `/wallet/policy/${policy.id}`));
    const address = await addAddress(agent);
    assert.equal((await agent.send('DELETE', `/withdrawal-addresses/${address.id}`)).status, 204);
    granted(await agent.post('/me/deactivate'));
    granted(await agent.post('/reactivate'));
    agent.key = granted(await agent.post('/keys/rotate')).api_key;
    const waiting = (await agent.events()).filter(({ callback_url: url }) => url === hook.url);
    assert.deepEqual(waiting.map(({ event_type: type }) => type).reverse(), ['callback.changed', 'policy.added', 'policy.ending', 'withdrawal_address.added', 'withdrawal_address.removed', 'agent.deactivated', 'agent.reactivated', 'key.rotated']);
    for (const { id } of waiting) assert.equal(granted(await agent.post(`/webhooks/${id}/redeliver`)).event.callback_url, hook.url);
    alive = true;
    for (const { event_type: type } of waiting) verified(await heard(hook, type), secret);
    for (const type of ['policy.added', 'policy.ending', 'withdrawal_address.removed', 'agent.deactivated', 'agent.reactivated', 'key.rotated']) await heard(other, type);
    const log = readFileSync(DAY.log, 'utf8');
    for (const { event_type: type } of waiting) assert.match(log, new RegExp(`event=security_event .*agent=${agent.id} type=${type.replaceAll('.', '\\.')}`));
    for (const each of [hook, other]) each.close();
});

test("the operator's acts are told as the agent's own", async () => {
    const hook = await receiver(), { agent, secret } = await settled(hook.url);
    const limit = { type: 'spending_limit', params: { maxAmountUsd: '10', timeWindowSeconds: 3600 } };
    const id = (await DAY.agentctl('policy', agent.id, JSON.stringify(limit))).trim().split(/\s+/).find((word) => /^[0-9a-f-]{36}$/.test(word) && word !== agent.id);
    const { data: added } = verified(await heard(hook, 'policy.added'), secret);
    assert.deepEqual([added.id, added.type, added.set_by, added.pending], [id, limit.type, 'operator', undefined]);
    await DAY.agentctl('unpolicy', agent.id, id);
    const { data: ended } = verified(await heard(hook, 'policy.ending'), secret);
    assert.deepEqual([ended.id, ended.pending.change, typeof ended.pending.effective_at], [id, 'delete', 'string']);
    await DAY.agentctl('rotate', agent.id);
    assert.equal(verified(await heard(hook, 'key.rotated'), secret).data.agent_id, agent.id);
    for (const [act, type] of [['deactivate', 'agent.deactivated'], ['reactivate', 'agent.reactivated']]) {
        await DAY.agentctl(act, agent.id);
        assert.deepEqual(verified(await heard(hook, type), secret).data, { agent_id: agent.id, by: 'operator' });
    }
    hook.close();
});

test('a deletion is told after it', async () => {
    let alive = false;
    const hook = await receiver(() => (alive ? 200 : 500)), { agent, secret } = await settled(hook.url);
    await agent.listen(NEVER);
    assert.equal((await agent.send('DELETE', '/me')).status, 204);
    await heard(hook, 'agent.deleted');
    alive = true;
    await until('the delivery', () => typesOf(hook).filter((type) => type === 'agent.deleted').length > 1);
    assert.deepEqual(verified(await heard(hook, 'agent.deleted'), secret).data, { agent_id: agent.id, name: 'test' });
    hook.close();
});

test('callback and secret change twenty times a day at most; the same callback again is no change', async () => {
    const agent = await register();
    let n = 0, last;
    do {
        last = n % 2 === 0 ? await agent.patch('/me', { callback_url: n % 4 === 0 ? BEFORE : null }) : await agent.post('/webhooks/secret');
        n += 1;
    } while (last.status === 200 && n < 40);
    refused(last, 'Rate limit exceeded');
    assert.ok(n >= 18 && n <= 21, `${n} changes`);
    assert.ok(Number(last.headers['retry-after']) >= 60);
    const url = granted(await agent.get('/me')).agent.callback_url;
    granted(await agent.patch('/me', { callback_url: url, description: 'still' }));
    refused(await agent.patch('/me', { callback_url: url === null ? BEFORE : null }), 'Rate limit exceeded');
});
