// Section: api
// POST /me/deactivate, POST /reactivate, DELETE /me.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { A2A } from './a2a.mjs';
import { fund, give } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, hasMembers, receiver, refused, register, send, show, stack, until,
} from './lib.mjs';
import { use } from './mcp.mjs';

const deactivate = (agent) => agent.send('POST', '/me/deactivate');
const reactivate = (agent) => agent.send('POST', '/reactivate');
const remove = (agent, options) => agent.send('DELETE', '/me', options);
/** With all that it holds: the harness gives all agents one name. */
const removeFunded = (agent) => remove(agent, { json: { confirm: 'test' } });

function removed(answer) {
    assert.equal(answer.status, 204, show(answer));
    assert.equal(answer.text, '');
    assert.equal(answer.headers['content-type'], undefined);
}

test('deactivated and reactivated', async () => {
    const agent = await register({ description: 'kept', metadata: { kept: true } });
    const before = granted(await agent.get('/me')).agent;
    const off = granted(await deactivate(agent));
    hasMembers(off, ['success', 'message', 'status', 'holdings', 'unread']);
    assert.deepEqual([off.status, off.holdings, off.unread], ['deactivated', [], []]);
    assert.match(off.message, /deleted?.*funds.*lost.*\/reactivate.*\/wallets\/withdraw/i);
    refused(await agent.get('/me'), 'Invalid or missing API key', [], 'AGENT_INACTIVE');
    const on = granted(await reactivate(agent));
    hasMembers(on, ['success', 'message', 'status']);
    assert.equal(on.status, 'active');
    const { agent: after } = granted(await agent.get('/me'));
    for (const name of ['id', 'name', 'description', 'metadata', 'created_at']) assert.deepEqual(after[name], before[name], name);
});

test('a deactivation says what the wallets hold, all of them together', async () => {
    const agent = await register();
    const [first, second] = [await agent.wallet('base', 2), await agent.wallet('base', '0.5')];
    await give('base', first, 'USDC', '10.25');
    await give('base', second, 'USDC', '0.75');
    await fund('ethereum', second, '1');
    const { holdings, unread } = granted(await deactivate(agent));
    const held = new Map(holdings.map(({ chain, symbol, amount }) => [`${chain} ${symbol}`, amount]));
    assert.deepEqual([...held].sort(), [['base ETH', '2.5'], ['base USDC', '11'], ['ethereum ETH', '1']]);
    assert.deepEqual([holdings.length, unread], [3, []]);
});

test('no node can keep an agent active: chains that tell nothing are named', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const gateway = await startGateway([`rpc.gnosis = http://127.0.0.1:${silent.address().port}`, 'rpc.linea = http://127.0.0.1:9']);
    try {
        const agent = await register();
        await agent.wallet('base', 1);
        const answer = send('POST', `${API}/me/deactivate`, { base: gateway.base, key: agent.key });
        await until('the agent to be deactivated', async () => (await agent.get('/me')).status === 401);
        const { holdings, unread } = granted(await answer);
        assert.deepEqual([holdings, unread.sort()], [[{ chain: 'base', symbol: 'ETH', amount: '1' }], ['gnosis', 'linea']]);
    } finally {
        await gateway.stop();
        silent.close();
    }
});

test('a second deactivation or reactivation is a conflict', async () => {
    const agent = await register();
    refused(await reactivate(agent), 'Agent is already active');
    granted(await deactivate(agent));
    refused(await deactivate(agent), 'Agent is already deactivated');
    granted(await reactivate(agent));
    refused(await reactivate(agent), 'Agent is already active');
});

for (const [what, request, from] of [['deactivate', deactivate, 'Agent is already deactivated'], ['reactivate', reactivate, 'Agent is already active']]) {
    test(`one of many requests that ${what} at once succeeds`, async () => {
        const agent = await register();
        if (request === reactivate) granted(await deactivate(agent));
        const answers = await Promise.all(Array.from({ length: 20 }, () => request(agent)));
        assert.equal(answers.filter(({ status }) => status === 200).length, 1);
        for (const answer of answers) if (answer.status !== 200) refused(answer, from);
    });
}

test('a deactivated key works nowhere else', async () => {
    const agent = await register();
    granted(await deactivate(agent));
    for (const [method, path, wording, json] of [
        ['GET', '/me', 'Invalid or missing API key'],
        ['PATCH', '/me', 'Invalid or missing API key', { description: 'x' }],
        ['GET', '/tokens', 'Invalid or missing API key'],
        ['GET', '/wallets', 'Invalid or missing API key'],
        ['POST', '/wallets', 'Unauthorized'],
        ['POST', '/quote', 'Invalid or missing API key', {}],
        ['POST', '/swap', 'Invalid or missing API key', {}],
        ['POST', '/swap/execute', 'Unauthorized', {}],
        ['GET', '/swap/status/1', 'Invalid or missing API key'],
        ['GET', '/swaps', 'Unauthorized'],
        ['GET', '/webhooks', 'Unauthorized'],
        ['POST', '/webhooks/test', 'Unauthorized'],
        ['POST', '/webhooks/secret', 'Invalid or missing API key'],
        ['GET', '/webhooks/msg_00000000000000000000000000000000', 'Invalid or missing API key'],
        ['POST', '/webhooks/recover', 'Invalid or missing API key', { since: '2026-01-01T00:00:00Z' }],
        ['POST', '/webhooks/msg_00000000000000000000000000000000/redeliver', 'Invalid or missing API key'],
        ['POST', '/keys/rotate', 'Unauthorized'],
    ]) assert.match(refused(await agent.send(method, path, { json }), wording, [], 'AGENT_INACTIVE').hint, /POST \/reactivate/);
    granted(await reactivate(agent));
    granted(await agent.get('/me'));
});

for (const [method, path] of [['POST', '/me/deactivate'], ['POST', '/reactivate'], ['DELETE', '/me']]) {
    test(`${method} ${path} wants a key`, async () => {
        refused(await send(method, API + path), 'Invalid or missing API key');
        refused(await send(method, API + path, { key: 'svc_sk_0123456789012345678901234567890123456789012' }), 'Invalid or missing API key');
    });
}

test('a deleted agent and its data are gone', async () => {
    const agent = await register();
    await agent.wallet();
    removed(await remove(agent));
    for (const answer of [await agent.get('/me'), await deactivate(agent), await reactivate(agent), await remove(agent)]) refused(answer, 'Invalid or missing API key');
    refused(await agent.get('/swaps'), 'Unauthorized');
});

const FUNDED = "The agent's wallets still hold something";
const UNENDED = "Something of the agent's has not ended";

test('an agent with more than a dollar is deleted once its name is repeated', async () => {
    const agent = await register({ name: 'zoë & "co"' });
    const first = await agent.wallet('base', 1);
    await give('base', first, 'USDC', '2.5');
    const asked = refused(await remove(agent), FUNDED);
    const held = asked.holdings.map(({ place, chain, symbol, amount }) => [place, chain, symbol, amount]).sort();
    assert.deepEqual(held, [['base', 'base', 'ETH', '1'], ['base', 'base', 'USDC', '2.5']]);
    assert.ok(Number(asked.total_usd) > 1000 && asked.holdings.every(({ usd_value: usd }) => Number(usd) > 1), JSON.stringify(asked));
    assert.deepEqual([asked.under_way, asked.unread], [[], []]);
    assert.ok(asked.hint.includes(`{"confirm": ${JSON.stringify('zoë & "co"')}}`), asked.hint);
    // Another name, or two, are a mistake; so is what is no name.
    for (const confirm of ['test', 'ZOË & "co"', '', ' zoë & "co"']) refused(await remove(agent, { json: { confirm } }), "confirm must be the agent's name", ['confirm']);
    for (const confirm of [true, 1, {}]) refused(await remove(agent, { json: { confirm } }), 'Validation failed', ['confirm']);
    refused(await agent.send('DELETE', '/me?confirm=test'), "confirm must be the agent's name", ['confirm']);
    refused(await agent.send('DELETE', '/me?confirm=test', { json: { confirm: 'zoë & "co"' } }), 'Validation failed', ['confirm']);
    refused(await agent.send('DELETE', '/me?confirmed=test'), "Unknown field 'confirmed'", ['confirmed']);
    refused(await agent.send('DELETE', '/me?name=test'), "Unknown field 'name'", ['name']);
    refused(await remove(agent, { json: { name: 'zoë & "co"' } }), "Unknown field 'name'", ['name']);
    refused(await remove(agent, { json: { confirm: null } }), FUNDED);
    // A deactivation says so beforehand.
    assert.match(granted(await deactivate(agent)).message, /DELETE \/me asks for its name as `confirm`/);
    assert.match(refused(await remove(agent), FUNDED).hint, /\/reactivate/);
    const name = encodeURIComponent('zoë & "co"');
    removed(await agent.send('DELETE', `/me?confirm=${name}&_=1`, { json: { confirm: 'zoë & "co"' } }));
});

test('a wrong name is refused where none is wanted, and the right one is taken', async () => {
    const agent = await register();
    refused(await remove(agent, { json: { confirm: 'tset' } }), "confirm must be the agent's name", ['confirm']);
    removed(await agent.send('DELETE', '/me?confirm=test'));
});

test('a dollar or less, on all chains together, is deleted without a word', async () => {
    const little = await register();
    await give('base', await little.wallet(), 'USDC', '0.6');
    await give('ethereum', await little.wallet(), 'USDC', '0.6');
    const asked = refused(await remove(little), FUNDED);
    assert.ok(asked.holdings.length === 2 && /^1\.[12]\d$/.test(asked.total_usd), JSON.stringify(asked));
    const poor = await register();
    await give('base', await poor.wallet(), 'USDC', '0.5');
    removed(await remove(poor));
});

test('a token without a price counts, an unlisted one too that the agent has dealt in', async () => {
    const token = await stack('token', 'pausable', 'base');
    const agent = await register();
    const wallet = await agent.wallet('base', '0.01');
    await agent.completed(await agent.swap('ETH', token, '0.0001', { chain: 'base' }));
    await fund('base', wallet, '0.0001');
    const asked = refused(await remove(agent), FUNDED);
    const bought = asked.holdings.find(({ symbol }) => symbol === 'PAUSE');
    assert.deepEqual([bought?.usd_value, bought?.chain], [null, 'base'], JSON.stringify(asked));
    assert.ok(Number(asked.total_usd) < 1, JSON.stringify(asked));
    removed(await removeFunded(agent));
});

test('a refused deletion names executions in progress, by MCP and A2A too', async () => {
    const agent = await register();
    const wallet = await agent.wallet('base', '0.01');
    granted(await agent.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountUsd: '0.01' } }));
    const quote = await agent.quote('ETH', 'USDC', '0.0001', { chain: 'base' });
    const { swap_id: id } = granted(await agent.execute(quote), 202);
    await fund('base', wallet, '0.0001');
    const asked = refused(await remove(agent), UNENDED);
    assert.deepEqual(asked.under_way, [{ kind: 'swap', id: String(id), status: 'pending' }]);
    const tool = await use('delete_me', {}, agent.key);
    assert.deepEqual([tool.isError, tool.body.error_code, tool.body.under_way], [true, 'WALLETS_FUNDED', asked.under_way]);
    const a2a = new A2A(agent);
    assert.deepEqual(a2a.said(a2a.is(await a2a.call('delete_me'), 'rejected'))[1].under_way, asked.under_way);
    assert.equal(a2a.said(a2a.is(await a2a.call('delete_me', { confirm: 'wrong' }), 'rejected'))[1].error, "confirm must be the agent's name");
    a2a.is(await a2a.call('delete_me', { confirm: 'test' }), 'completed');
    refused(await agent.get('/me'), 'Invalid or missing API key');
    const second = await register();
    await second.wallet('base', 1);
    assert.ok(!(await use('delete_me', { confirm: 'test' }, second.key)).isError);
    refused(await second.get('/me'), 'Invalid or missing API key');
});

test('a silent chain keeps those who have held something there, and no others', async () => {
    const [traded, seen, fresh] = [await register(), await register(), await register()];
    const wallet = await traded.wallet('base', '0.01');
    await traded.completed(await traded.swap('ETH', 'USDC', '0.0001', { chain: 'base' }));
    await fund('base', wallet, '0.0001');
    await fund('base', await seen.wallet(), '0.0001');
    granted(await seen.get('/portfolio'));
    await fresh.wallet();
    const gateway = await startGateway(['rpc.base = http://127.0.0.1:9']);
    const at = (agent) => send('DELETE', `${API}/me`, { base: gateway.base, key: agent.key });
    try {
        for (const agent of [traded, seen]) {
            const asked = refused(await at(agent), "What the agent's wallets hold could not be read");
            assert.deepEqual([asked.unread, asked.under_way], [['base'], []], JSON.stringify(asked));
        }
        removed(await at(fresh));
    } finally {
        await gateway.stop();
    }
    for (const agent of [traded, seen]) removed(await remove(agent));
});

test('a deactivated agent can be deleted', async () => {
    const agent = await register();
    granted(await deactivate(agent));
    removed(await remove(agent));
    refused(await reactivate(agent), 'Invalid or missing API key');
});

test('one of many deletions at once succeeds', async () => {
    const agent = await register();
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(agent)));
    const won = answers.filter(({ status }) => status === 204);
    assert.equal(won.length, 1);
    removed(won[0]);
    for (const answer of answers) if (answer !== won[0]) refused(answer, 'Invalid or missing API key');
});

test('nothing pending is sent after the deletion', async () => {
    const hook = await receiver(() => 500);
    const agent = await register();
    await agent.listen(hook.url);
    await agent.wallet('base', 5);
    await agent.completed(await agent.swap('ETH', 'USDC', '0.01', { chain: 'base' }));
    await until('the first attempt', () => hook.deliveries.length === 1);
    await until('it to be recorded', async () => (await agent.events())[0].attempts === 1);
    removed(await removeFunded(agent));
    // The second attempt would come before that of a later event.
    const later = await receiver(() => 500);
    const other = await register();
    await other.listen(later.url);
    await other.wallet('base', 5);
    await other.completed(await other.swap('ETH', 'USDC', '0.01', { chain: 'base' }));
    await until('the second attempt of a later event', () => later.deliveries.length === 2);
    assert.deepEqual(hook.deliveries.map(({ raw }) => JSON.parse(raw).type).filter((type) => type !== 'agent.deleted'), ['swap.completed']);
    hook.close();
    later.close();
});

test('execute and deletion at once exclude each other', async () => {
    for (let i = 0; i < 8; i++) {
        const agent = await register();
        await agent.wallet('base', 5);
        const quote = await agent.quote('ETH', 'USDC', '0.01', { chain: 'base' });
        const [executed, deleted] = await Promise.all([agent.execute(quote), removeFunded(agent)]);
        removed(deleted);
        if (executed.status !== 200) assert.match(executed.body.error, /^(Unauthorized|Quote not found|No managed wallet found)$/, show(executed));
    }
});

test('wallets and changes at once with the deletion never break', async () => {
    const agent = await register();
    const [deleted, ...others] = await Promise.all([
        remove(agent), ...Array.from({ length: 10 }, () => agent.send('POST', '/wallets')), ...Array.from({ length: 10 }, (_, i) => agent.patch('/me', { description: `${i}` })),
    ]);
    removed(deleted);
    for (const answer of others) assert.ok([200, 201, 401].includes(answer.status), show(answer));
});
