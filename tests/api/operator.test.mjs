// Section: perps
// The operator's API: who may use it, what it shows, and what is done by it. agentctl makes the tokens.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startGateway } from './gateway.mjs';
import {
    GATEWAY, ISO_TIME, contract, granted, receiver, refused, register, send, stackOutput, until,
} from './lib.mjs';
import { OPERATORS } from './contract.mjs';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const REASON = 'a test wants it';
const TOKEN = /^svc_op_[A-Za-z0-9_-]{43}$/;

const agentctl = (...args) => stackOutput('agentctl', ...args);
const tokenFor = async (name, ...options) => (await agentctl('token', name, ...options)).trim();
const ask = (method, path, options) => send(method, `${OPERATORS}${path}`, options);

const names = [];
async function fresh(...options) {
    const name = `test-${process.pid}-${names.length}`;
    names.push(name);
    return { name, token: await tokenFor(name, ...options) };
}
const { name: NAME, token: KEY } = await fresh();
const { token: READER } = await fresh('--read-only');
const look = async (path, key = KEY) => granted(await ask('GET', path, { key }));
const act = (path, json = { reason: REASON }, key = KEY) => ask('POST', path, { key, json });

after(async () => {
    granted(await act('/trading/resume'));
    for (const name of names) await agentctl('token', name, '--revoke').catch(() => {});
});

const operations = Object.entries((await contract(`${OPERATORS}/`)).document.paths).flatMap(([path, methods]) => (
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path: path.replace('{id}', UNKNOWN) }))
)).filter(({ path }) => path !== '/openapi');

/** An agent without limits. */
async function trader() {
    const agent = await register();
    await agentctl('tier', agent.id, 'unlimited');
    return agent;
}

/** The newest line of the audit log about an agent, or of all. */
const lastLine = async (id) => (await look(`/audit?limit=1${id === undefined ? '' : `&agent=${id}`}`)).lines[0];

/** The line says who did what, and why. */
async function isAudited(command, id) {
    const line = await lastLine(id);
    assert.deepEqual([line.by, line.token, line.act, line.reason], ['operator', NAME, command, REASON]);
    assert.match(line.at, ISO_TIME);
}

// ---------------------------------------------------------------- who may

test('a token is shown once, says whose it is, and opens nothing once it is revoked', async () => {
    const { name, token } = await fresh();
    assert.match(token, TOKEN);
    const whose = await look('/token', token);
    assert.deepEqual([whose.name, whose.read_only], [name, false]);
    assert.ok(!(await agentctl('tokens')).includes(token.slice(7)));
    assert.match(await agentctl('tokens'), new RegExp(`^${name} +no +`, 'm'));
    await assert.rejects(tokenFor(name), /has one in force/);
    await agentctl('token', name, '--revoke');
    refused(await ask('GET', '/token', { key: token }), 'Invalid or missing token');
    assert.deepEqual((await look('/audit?limit=3')).lines.filter(({ act: what }) => what === 'token').map(({ detail }) => JSON.parse(detail)).slice(0, 1), [[name, '--revoke']]);
    assert.match(await tokenFor(name), TOKEN, 'the name is free again');
});

for (const { method, path } of operations) {
    test(`${method} ${path} wants a token, and no agent's key is one`, async () => {
        const { key } = await register();
        const json = method === 'GET' ? undefined : { reason: REASON, tier: 'standard' };
        for (const wrong of [undefined, key, `svc_op_${'a'.repeat(43)}`, 'svc_op_', `${KEY}x`])
            refused(await ask(method, path, { key: wrong, json }), 'Invalid or missing token');
    });
}

for (const { method, path } of operations.filter((each) => each.method !== 'GET')) {
    test(`${method} ${path} is refused to a token that is read-only, and without a reason`, async () => {
        const { at } = await lastLine();
        refused(await act(path, { reason: REASON, tier: 'standard' }, READER), 'The token is read-only');
        refused(await act(path, { tier: 'standard' }), 'reason is required', ['reason']);
        refused(await act(path, { reason: 'two\nlines', tier: 'standard' }), 'Validation failed', ['reason']);
        refused(await act(path, { reason: 'x'.repeat(201), tier: 'standard' }), 'Validation failed', ['reason']);
        assert.equal((await lastLine()).at, at, 'nothing is written down');
    });
}

test('a read-only token may read everything', async () => {
    assert.equal((await look('/token', READER)).read_only, true);
    for (const path of ['/agents', '/status', '/queues', '/load', '/audit', '/trading', '/approvals', '/swaps', '/events', '/find?text=nothing-is-called-that'])
        await look(path, READER);
});

test('from elsewhere, or through a proxy that is not trusted, it does not exist', async () => {
    for (const headers of [{ host: 'gateway.example' }, { 'x-forwarded-for': '127.0.0.1' }, { via: '1.1 proxy' }, { origin: 'https://elsewhere.example' }])
        for (const [method, path] of [['GET', '/token'], ['POST', '/trading/stop'], ['GET', '/openapi']])
            refused(await ask(method, path, { key: KEY, headers, json: method === 'GET' ? undefined : { reason: REASON } }), 'Not found');
    assert.equal((await look('/trading')).stopped, false);
    const { headers } = await ask('GET', '/token', { key: KEY, headers: { origin: GATEWAY } });
    assert.equal(headers['access-control-allow-origin'], GATEWAY, 'its own page may');
});

test('operator_from names who may, and guesses are limited', async () => {
    const gateway = await startGateway(['trusted_proxies = 127.0.0.1', 'operator_from = 198.51.100.0/24', 'unknown_keys_per_minute = 3']);
    const from = (address, key) => ask('GET', '/token', { base: gateway.base, key, headers: { 'x-forwarded-for': address } });
    try {
        assert.equal(granted(await from('198.51.100.7', KEY)).name, NAME);
        refused(await from('203.0.113.1', KEY), 'Not found');
        refused(await ask('GET', '/token', { base: gateway.base, key: KEY }), 'Not found');
        for (let i = 0; i < 3; i++) refused(await from('198.51.100.8', `svc_op_${'b'.repeat(43)}`), 'Invalid or missing token');
        refused(await from('198.51.100.8', `svc_op_${'b'.repeat(43)}`), 'Rate limit exceeded');
        assert.equal(granted(await from('198.51.100.8', KEY)).name, NAME, 'a good token is not counted');
    } finally {
        await gateway.stop();
    }
});

// ---------------------------------------------------------------- agents

test('agents are found by id, wallet and name, and listed page by page', async () => {
    const made = [];
    for (let i = 0; i < 3; i++) made.push(await register({ name: `<b>found ${process.pid}</b> ${i}` }));
    const [first, second, third] = made;
    const address = await first.wallet();
    const ids = async (query) => (await look(`/agents?${query}`)).agents.map(({ id }) => id);
    assert.deepEqual(await ids(`search=${first.id}`), [first.id]);
    assert.deepEqual(await ids(`search=${address}`), [first.id]);
    assert.deepEqual(await ids(`search=found%20${process.pid}`), [third.id, second.id, first.id]);
    const page = await ids(`limit=1&before=${third.id}`);
    assert.deepEqual([page.length, page.includes(third.id)], [1, false]);
    const { agent } = await look(`/agents/${second.id}`);
    assert.deepEqual([agent.name, agent.tier, agent.status, agent.trading], [`<b>found ${process.pid}</b> 1`, 'standard', 'active', 'allowed']);
    refused(await ask('GET', `/agents/${UNKNOWN}`, { key: KEY }), 'Agent not found');
    refused(await ask('GET', `/agents?before=${UNKNOWN}`, { key: KEY }), 'Agent not found');
});

test('a tier is changed', async () => {
    const agent = await register();
    const { agent: shown } = granted(await act(`/agents/${agent.id}/tier`, { tier: 'premium', reason: REASON }));
    assert.deepEqual([shown.tier, shown.requests_per_minute], ['premium', 600]);
    assert.equal(granted(await agent.get('/me')).agent.rate_limit_tier, 'premium');
    await isAudited('tier', agent.id);
    refused(await act(`/agents/${agent.id}/tier`, { tier: 'no such', reason: REASON }), 'Validation failed', ['tier']);
    refused(await act(`/agents/${UNKNOWN}/tier`, { tier: 'premium', reason: REASON }), 'Agent not found');
});

test('an agent is stopped and resumed, banned and unbanned', async () => {
    const agent = await register();
    assert.equal(granted(await act(`/agents/${agent.id}/stop`)).agent.trading, 'stopped');
    await isAudited('stop', agent.id);
    refused(await agent.post('/keys/rotate'), 'Refused while the operator has stopped the agent');
    assert.deepEqual((await look('/trading')).stops.filter(({ agent: id }) => id === agent.id).map(({ trading, access }) => [trading, access]), [[true, false]]);
    assert.equal(granted(await act(`/agents/${agent.id}/resume`)).agent.trading, 'allowed');
    await isAudited('resume', agent.id);
    granted(await agent.get('/me'));
    assert.equal(granted(await act(`/agents/${agent.id}/ban`)).agent.status, 'banned');
    await isAudited('ban', agent.id);
    refused(await agent.get('/me'), 'Invalid or missing API key');
    assert.equal(granted(await act(`/agents/${agent.id}/unban`)).agent.status, 'active');
    await isAudited('unban', agent.id);
    granted(await agent.get('/me'));
});

// ---------------------------------------------------------------- trading

test('the kill switch stops all, and resumes', async () => {
    const agent = await trader();
    await agent.wallet('ethereum', '1');
    const { stopped, stops } = granted(await act('/trading/stop'));
    assert.deepEqual([stopped, stops[0].agent, stops[0].trading], [true, null, true]);
    await isAudited('stop');
    const quote = await agent.quote('ETH', 'USDC', '0.01');
    refused(await agent.post('/swap/execute', { quote_id: quote.quote_id }), 'Trading is paused by the operator');
    assert.equal(granted(await act('/trading/resume')).stopped, false);
    await isAudited('resume');
    granted(await agent.post('/swap/execute', { quote_id: quote.quote_id }));
});

test('approvals are listed, granted and denied', async () => {
    const agent = await trader();
    await agent.wallet('ethereum', '1');
    granted(await agent.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountUsd: '1' } }));
    const asks = async () => {
        const quote = await agent.quote('ETH', 'USDC', '0.01');
        return granted(await agent.post('/swap/execute', { quote_id: quote.quote_id }), 202).approval_id;
    };
    const one = await asks();
    const { approvals } = await look('/approvals');
    const terms = approvals.find(({ id }) => id === one);
    assert.deepEqual([terms.agent, terms.kind], [agent.id, 'swap']);
    assert.match(terms.terms, /ETH/);
    assert.equal(granted(await act(`/approvals/${one}/approve`)).done, 'granted');
    await isAudited('approve');
    assert.equal(granted(await agent.get(`/approvals/${one}`)).approval.status, 'granted');
    refused(await act(`/approvals/${one}/approve`), 'Refused: it is decided, used or over already');
    const other = await asks();
    assert.equal(granted(await act(`/approvals/${other}/deny`)).done, 'denied');
    await isAudited('deny');
    assert.equal(granted(await agent.get(`/approvals/${other}`)).approval.status, 'denied');
    refused(await act('/approvals/ap_00000000000000000000000000000000/approve'), 'Not found');
});

// ---------------------------------------------------------------- what happened

test('a swap is shown with its history, its transactions and its webhook, which is sent again', async () => {
    const hook = await receiver();
    const agent = await trader();
    await agent.listen(hook.url);
    await agent.wallet('ethereum', '1');
    const id = await agent.swap('ETH', 'USDC', '0.01');
    await agent.completed(id);
    const { swaps } = await look(`/swaps?agent=${agent.id}`);
    assert.deepEqual(swaps.map((each) => [each.id, each.agent, each.kind, each.status, each.in]), [[id, agent.id, 'swap', 'completed', '0.01 ETH on ethereum']]);
    assert.deepEqual((await look(`/swaps?agent=${agent.id}&pick=failed`)).swaps, []);
    assert.deepEqual((await look(`/swaps?agent=${agent.id}&pick=stuck`)).swaps, []);
    const swap = await look(`/swaps/${id}`);
    assert.equal(swap.history.at(-1).to, 'completed');
    assert.equal(swap.transactions.length, 1);
    assert.match(swap.transactions[0].hash, /^0x[0-9a-f]{64}$/);
    assert.deepEqual((await look(`/find?text=${swap.transactions[0].hash}`)).found.map(({ kind, id: it }) => [kind, it]), [['swap', String(id)]]);
    const delivered = await until('the delivery', async () => (await look(`/events?agent=${agent.id}&status=delivered`)).events[0]);
    assert.deepEqual([delivered.agent, delivered.type, delivered.response_status], [agent.id, 'swap.completed', 200]);
    assert.equal(granted(await act(`/events/${delivered.id}/redeliver`)).done, 'sent again');
    await isAudited('redeliver');
    await until('the second delivery', () => hook.deliveries.length === 2);
    hook.close();
    refused(await ask('GET', '/swaps/0', { key: KEY }), 'Swap not found');
    refused(await act(`/events/${UNKNOWN}/redeliver`), 'Not found');
    refused(await ask('GET', '/swaps?pick=lost', { key: KEY }), 'Invalid status filter', ['pick']);
});

const LISTS = ['accepted', 'completed', 'failed', 'volume_usd', 'p50_s', 'p95_s'];
const sum = (list) => list.reduce((all, n) => all + Number(n), 0);

/** Sums of what the last hour has of a chain, of deliveries and of answers. */
async function lastHour(chain) {
    const { chains, deliveries, answers } = await look('/series');
    const line = chains.find((each) => each.chain === chain) ?? Object.fromEntries(LISTS.map((name) => [name, []]));
    return { ...Object.fromEntries(LISTS.map((name) => [name, sum(line[name])])), delivered: sum(deliveries.delivered), answered: sum(answers.count), slow: Math.max(...answers.p99_ms) };
}

test('a swap, its webhook and the answers to its agent stand in the series', async () => {
    const before = await lastHour('ethereum');
    const hook = await receiver();
    const agent = await trader();
    await agent.listen(hook.url);
    await agent.wallet('ethereum', '1');
    await agent.completed(await agent.swap('ETH', 'USDC', '0.01'));
    const after = await until('the swap in the series', async () => {
        const now = await lastHour('ethereum');
        return ['accepted', 'completed', 'volume_usd', 'delivered', 'answered'].every((name) => now[name] > before[name]) && now;
    });
    assert.ok(after.p50_s > 0 && after.p95_s >= after.p50_s && after.slow > 0, JSON.stringify(after));
    hook.close();
});

for (const [span, points, step] of [['hour', 60, 60], ['day', 96, 900], ['two_days', 96, 1800], ['week', 84, 7200], ['month', 90, 28_800], ['year', 100, 345_600]]) {
    test(`the series of ${span} have ${points} points, the present one last`, async () => {
        const series = await look(`/series?span=${span}`);
        assert.deepEqual([series.points, series.step_seconds], [points, step]);
        const lists = [...series.chains.flatMap((chain) => LISTS.map((name) => chain[name])), ...Object.values(series.answers), ...Object.values(series.deliveries)];
        for (const list of lists) assert.equal(list.length, points);
        const age = Date.now() / 1000 - Date.parse(series.from) / 1000 - step * points;
        assert.ok(age <= 5 && age > -step - 5, `${age}`);
    });
}

test('a span that is none is refused', async () => {
    refused(await ask('GET', '/series?span=decade', { key: KEY }), 'Validation failed', ['span']);
});

test('status, queues and load show how the service stands', async () => {
    const agent = await register();
    granted(await agent.get('/me'));
    const { parts, nodes } = await look('/status');
    for (const name of ['gateway', 'signer', 'schema', 'swap-poll', 'ethereum']) assert.equal(parts.find((part) => part.name === name)?.ok, true, JSON.stringify(parts));
    assert.ok(nodes.some(({ chain, fresh, head }) => chain === 'ethereum' && fresh && head > 0), JSON.stringify(nodes));
    const { queues, jobs } = await look('/queues');
    assert.deepEqual(queues.map(({ name }) => name), ['swaps', 'orders', 'bridges', 'webhooks', 'approvals']);
    assert.ok(jobs.some(({ name, done_at: done }) => name === 'swap-poll' && ISO_TIME.test(done)));
    assert.ok((await look('/load')).agents.some(({ agent: id, requests }) => id === agent.id && requests >= 1));
});

test('no token is in a log or in the audit log', async () => {
    const { lines } = await look('/audit?limit=100');
    assert.ok(lines.length > 0 && !JSON.stringify(lines).includes('svc_op_'));
    const said = (await look(`/find?text=${encodeURIComponent(KEY)}`)).found;
    assert.deepEqual(said, [], 'this host\'s logs do not have it');
});
