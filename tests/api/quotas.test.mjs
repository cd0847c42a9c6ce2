// Section: api
// Limits on what an agent may store, here small ones: no request, nor many at once, stores more, and deleting makes
// room.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { startGateway } from './gateway.mjs';
import {
    API, granted, receiver, refused, register, send, show,
} from './lib.mjs';
import { sql } from '../jobs/lib.mjs';

const LIMITS = { wallets: 5, policies: 3, pushes: 4, events: 6, task_bytes: 40000, record_bytes: 60000, audit_lines: 6 };
const FULL = 'Storage limit reached';
const MESSAGE_MAX = 16384;

// A tier of its own: what ends by these limits would end for the agents of all other files too.
const TIER = 'small';
const gateway = await startGateway([`tier.${TIER} = 100000`, ...Object.entries(LIMITS).map(([name, n]) => `quota.${TIER}.${name} = ${n}`)]);
after(() => gateway.stop());
const { base } = gateway;

async function limited() {
    const agent = await register();
    await gateway.agentctl('tier', agent.id, TIER);
    return agent;
}

const call = (agent, method, path, json, more = {}) => send(method, API + path, { key: agent.key, json, base, ...more });
const many = (count, ask) => Promise.all(Array.from({ length: count }, (_, i) => ask(i)));
const number = async (query) => Number(await sql(query));
const of = (agent) => `(SELECT id FROM agents WHERE uuid = UNHEX('${agent.id.replaceAll('-', '')}'))`;

/** So many of the answers are successes, and all others refusals for lack of room, with a hint. */
function soMany(answers, count) {
    const fine = answers.filter(({ status }) => status < 300);
    assert.equal(fine.length, count, answers.map(show).join('\n'));
    for (const answer of answers) if (answer.status >= 300) assert.ok(refused(answer, FULL).hint.length > 0);
}

const message = (parts, more = {}) => ({ messageId: randomUUID(), role: 'ROLE_USER', parts, ...more });
const a2a = (agent, method, params) => send('POST', '/a2a', { key: agent.key, base, json: { jsonrpc: '2.0', id: 1, method, params } });
const operation = (name, args = {}) => message([{ data: { operation: name, arguments: args } }]);

/** Refused by A2A for lack of room. */
function isFull(answer, what) {
    assert.equal(answer.status, 400, show(answer));
    assert.equal(answer.body.error.message, FULL);
    const [info] = answer.body.error.data;
    assert.equal(info.reason, 'QUOTA_EXCEEDED');
    assert.match(info.metadata.hint, what);
}

test('wallets, at once, and every one of them is listed', async () => {
    const agent = await limited();
    const answers = await many(12, () => call(agent, 'POST', '/wallets', {}));
    soMany(answers, LIMITS.wallets);
    refused(await call(agent, 'POST', '/wallets', {}, { headers: { 'idempotency-key': 'w' } }), FULL);
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.wallet.address).sort();
    const all = granted(await call(agent, 'GET', '/wallets'));
    assert.deepEqual(all.wallets.map(({ address }) => address).sort(), made);
    assert.deepEqual(all.pagination, { total: LIMITS.wallets, limit: 100, offset: 0, has_more: false });
    const pages = await many(3, (i) => call(agent, 'GET', `/wallets?limit=2&offset=${2 * i}`));
    assert.deepEqual(pages.flatMap((page) => granted(page).wallets).map(({ address }) => address), all.wallets.map(({ address }) => address));
    assert.deepEqual(pages.map(({ body }) => body.pagination.has_more), [true, true, false]);
    refused(await call(agent, 'GET', '/wallets?limit=101'), 'limit must be between 1 and 100');
});

test('policies, at once; one that ends already is not ended, nor put on record, again', async () => {
    const agent = await limited();
    await call(agent, 'POST', '/wallets', {});
    const answers = await many(8, () => call(agent, 'POST', '/wallet/policy', { type: 'execution_limit', params: { maxSlippage: 0.5 } }));
    soMany(answers, LIMITS.policies);
    const { id } = answers.find(({ status }) => status === 200).body.policy;
    const { effective_at: first } = granted(await call(agent, 'DELETE', `/wallet/policy/${id}`));
    const lines = () => number(`SELECT COUNT(*) FROM audit WHERE line LIKE '%policy.delete%${id}%'`);
    assert.equal(await lines(), 1);
    for (const answer of await many(10, () => call(agent, 'DELETE', `/wallet/policy/${id}`))) assert.equal(granted(answer).effective_at, first);
    assert.equal(await lines(), 1);
});

test('lines that stay on record for ever are limited for each day', async () => {
    const agent = await limited();
    for (let i = 0; i < LIMITS.audit_lines; i++) agent.key = granted(await call(agent, 'POST', '/keys/rotate')).api_key;
    refused(await call(agent, 'POST', '/keys/rotate'), FULL);
    granted(await call(agent, 'GET', '/me'));
    await sql(`UPDATE quotas SET audit_day = audit_day - INTERVAL 1 DAY WHERE agent_id = ${of(agent)}`);
    granted(await call(agent, 'POST', '/keys/rotate'));
});

test('an A2A message has 16 KB', async () => {
    const agent = await limited();
    const long = (n) => message([{ text: 'help' }], { metadata: { note: 'x'.repeat(n) } });
    isFull(await a2a(agent, 'SendMessage', { message: long(MESSAGE_MAX) }), /16 KB/);
    assert.equal((await a2a(agent, 'SendMessage', { message: long(MESSAGE_MAX - 500) })).status, 200);
    assert.equal(await number(`SELECT COUNT(*) FROM tasks WHERE agent_id = ${of(agent)}`), 1);
});

test('tasks with messages and answers of all kinds, at once, stay within their limit', async () => {
    const agent = await limited();
    const used = () => number(`SELECT (SELECT COALESCE(SUM(bytes), 0) FROM tasks WHERE agent_id = ${of(agent)})`
        + ` + (SELECT COALESCE(SUM(bytes), 0) FROM task_messages WHERE agent_id = ${of(agent)})`);
    const real = () => number('SELECT (SELECT COALESCE(SUM(LENGTH(COALESCE(answer, \'\'))), 0) FROM tasks'
        + ` WHERE agent_id = ${of(agent)}) + (SELECT COALESCE(SUM(LENGTH(body)), 0) FROM task_messages WHERE agent_id = ${of(agent)})`);
    const said = [() => operation('get_me'), () => operation('get_openapi', { operation: 'get_quote' }), () => operation('list_swaps'), () => message([{ text: 'swap' }]),
        () => operation('get_quote', { from_token: 'ETH', to_token: 'USDC', amount: '1' }), () => message([{ text: 'x'.repeat(3000) }])];
    const answers = [];
    for (let round = 0; round < 6; round++) answers.push(...await many(8, (i) => a2a(agent, 'SendMessage', { message: said[i % said.length]() })));
    const fine = answers.filter(({ status }) => status === 200);
    assert.ok(fine.length > 8 && fine.length < answers.length, `${fine.length} of ${answers.length}`);
    isFull(answers.find(({ status }) => status !== 200), /8 days/);
    assert.ok(await used() <= LIMITS.task_bytes);
    assert.ok(await real() <= await used());
    // What asks for more counts as well, and what is gone does not.
    await sql(`DELETE FROM tasks WHERE agent_id = ${of(agent)}`);
    await sql(`DELETE FROM task_messages WHERE agent_id = ${of(agent)}`);
    assert.equal((await a2a(agent, 'SendMessage', { message: operation('get_me') })).status, 200);
});

test('tasks answer with lists and documents, and do not keep them', async () => {
    const agent = await limited();
    await call(agent, 'POST', '/wallets', {});
    for (const [what, list] of [[operation('list_wallets'), ({ wallets }) => wallets], [operation('get_openapi', { operation: 'get_quote' }), ({ paths }) => paths], [message([{ text: 'list my wallets' }]), ({ result }) => result.wallets], [message([{ text: 'show my balance' }]), ({ result }) => result.balances]]) {
        const { task } = (await a2a(agent, 'SendMessage', { message: what })).body.result;
        assert.ok(list(task.artifacts[0].parts[0].data), JSON.stringify(task).slice(0, 500));
        const { body: { result: kept } } = await a2a(agent, 'GetTask', { id: task.id });
        const { data } = kept.artifacts[0].parts[0];
        assert.match(data.left_out, /not kept/);
        assert.ok(JSON.stringify(data).length < 500);
        assert.equal(kept.status.state, 'TASK_STATE_COMPLETED');
    }
});

test('push configs, over all tasks; those that are deleted make room', async () => {
    const agent = await limited();
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await a2a(agent, 'SendMessage', { message: operation('get_me') })).body.result.task.id);
    const set = (i) => a2a(agent, 'CreateTaskPushNotificationConfig', { taskId: ids[i % 3], id: `c${i}`, url: 'http://127.0.0.1:1/push' });
    const answers = await many(9, set);
    assert.equal(answers.filter(({ status }) => status === 200).length, LIMITS.pushes);
    isFull(answers.find(({ status }) => status !== 200), /delete/);
    const there = answers.findIndex(({ status }) => status === 200);
    assert.equal((await set(there)).status, 200, 'to replace one takes no room');
    const configuration = { pushNotificationConfig: { url: 'http://127.0.0.1:1/push' } };
    isFull(await a2a(agent, 'SendMessage', { message: operation('get_me'), configuration }), /delete/);
    assert.equal((await a2a(agent, 'DeleteTaskPushNotificationConfig', { taskId: ids[there % 3], id: `c${there}` })).status, 200);
    assert.equal((await a2a(agent, 'SendMessage', { message: operation('get_me'), configuration })).status, 200);
});

test('answers recorded under Idempotency-Keys', async () => {
    const agent = await limited();
    const quote = (key) => call(agent, 'POST', '/quote', { from_token: 'ETH', to_token: 'USDC', amount: '1' }, { headers: { 'idempotency-key': key } });
    const answers = [];
    for (let round = 0; round < 12; round++) answers.push(...await many(4, (i) => quote(`${4 * round + i}`)));
    const fine = answers.filter(({ status }) => status === 200);
    soMany(answers, fine.length);
    assert.ok(fine.length > 4 && fine.length < answers.length, `${fine.length} of ${answers.length}`);
    assert.ok(await number(`SELECT SUM(bytes) FROM idempotency WHERE agent_id = ${of(agent)}`) <= LIMITS.record_bytes);
    assert.equal((await quote(`${answers.indexOf(fine[0])}`)).headers['idempotent-replayed'], 'true');
    granted(await call(agent, 'POST', '/quote', { from_token: 'ETH', to_token: 'USDC', amount: '1' }));
    await sql(`UPDATE idempotency SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE agent_id = ${of(agent)}`);
    await gateway.pass('quote-expire');
    assert.equal(await number(`SELECT COUNT(*) FROM idempotency WHERE agent_id = ${of(agent)}`), 0);
    granted(await quote('again'));
});

test('test events: the last ones are kept', async () => {
    const agent = await limited();
    const hook = await receiver();
    await agent.listen(hook.url);
    for (let i = 0; i < LIMITS.events + 3; i++) granted(await call(agent, 'POST', '/webhooks/test'));
    const { events, pagination } = granted(await call(agent, 'GET', '/webhooks?status=delivered'));
    assert.deepEqual([events.length, pagination.total], [LIMITS.events, LIMITS.events]);
    const ids = hook.deliveries.map(({ headers }) => headers['webhook-id']);
    assert.deepEqual(events.map(({ id }) => id), ids.slice(-LIMITS.events).reverse());
    hook.close();
});

test('events that ended are so many, and 30 days old at most; the totals follow', async () => {
    const agent = await limited();
    const hook = await receiver();
    await agent.listen(hook.url);
    const totals = async () => granted(await call(agent, 'GET', '/webhooks')).pagination.total;
    await gateway.agentctl('tier', agent.id, 'premium');
    for (let i = 0; i < LIMITS.events + 3; i++) granted(await call(agent, 'POST', '/webhooks/test'));
    assert.equal(await totals(), LIMITS.events + 3);
    const { events: before } = granted(await call(agent, 'GET', '/webhooks'));
    await gateway.agentctl('tier', agent.id, TIER);
    await gateway.pass('quote-expire');
    const { events, pagination } = granted(await call(agent, 'GET', '/webhooks'));
    assert.equal(pagination.total, LIMITS.events);
    assert.deepEqual(events, before.slice(0, LIMITS.events));
    await sql(`UPDATE webhook_events SET created_at = created_at - INTERVAL 721 HOUR WHERE agent_id = ${of(agent)} ORDER BY seq LIMIT 4`);
    await sql(`UPDATE webhook_events SET created_at = created_at - INTERVAL 719 HOUR WHERE agent_id = ${of(agent)} AND created_at > UTC_TIMESTAMP() - INTERVAL 1 DAY`);
    await gateway.pass('quote-expire');
    assert.equal(await totals(), LIMITS.events - 4);
    assert.equal(await number(`SELECT COUNT(*) FROM webhook_events WHERE agent_id = ${of(agent)}`), LIMITS.events - 4);
    hook.close();
});
