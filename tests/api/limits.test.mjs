// Section: api
// Who may call how often. The gateways here have the tiers of production, and clients whose addresses a trusted proxy
// names.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
    API, granted, refused, send, show, until,
} from './lib.mjs';
import { startGateway } from './gateway.mjs';

const EXCEEDED = 'Rate limit exceeded';
const DENIED = 'Invalid or missing API key';
const SETTINGS = [
    'trusted_proxies = 127.0.0.1, 10.0.0.0/8',
    'register_per_minute = 5',
    'public_per_minute = 20',
    'unknown_keys_per_minute = 10',
    'tier.gold = 240',
];

const gateway = await startGateway(SETTINGS);
const [twin, elsewhere] = await Promise.all([
    startGateway(SETTINGS, { counters: gateway.counters }), // another process of the same host
    startGateway(SETTINGS), // another host
]);
after(() => Promise.all([gateway, twin, elsewhere].map((each) => each.stop())));

// ---------------------------------------------------------------- clients

let addresses = 0;

/** An address that no client has used. */
function newAddress() {
    addresses += 1;
    return `198.51.${addresses >> 8}.${addresses & 255}`;
}

const ask = (method, path, { base = gateway.base, from = newAddress(), headers, ...options } = {}) =>
    send(method, API + path, { base, headers: { 'x-forwarded-for': from, ...headers }, ...options });

async function newAgent(tier = 'standard') {
    const { agent } = granted(await ask('POST', '/register', { json: { name: 'limited' } }));
    if (tier !== 'standard') await gateway.agentctl('tier', agent.id, tier);
    return { key: agent.api_key, id: agent.id };
}

const me = (agent, options) => ask('GET', '/me', { key: agent.key, ...options });

/** `n` requests over 32 connections at a time; the answers and the seconds that they took. */
async function crowd(n, request) {
    const answers = [];
    const begun = performance.now();
    let left = n;
    await Promise.all(Array.from({ length: 32 }, async () => {
        while (left > 0) {
            left -= 1;
            answers.push(await request(left));
        }
    }));
    return { answers, seconds: (performance.now() - begun) / 1000 };
}

/** Some are granted, all others refused for their number; returns how many were granted. */
function count({ answers }) {
    const good = answers.filter(({ status }) => status === 200);
    for (const answer of answers) if (answer.status !== 200) refused(answer, EXCEEDED);
    return good.length;
}

/** No fewer than the quota, no more than what came back meanwhile besides. */
function assertQuota(result, quota, perMinute = quota) {
    const passed = count(result);
    const most = quota + Math.ceil((result.seconds * perMinute) / 60);
    assert.ok(passed >= quota && passed <= most, `${passed} passed; wanted ${quota} to ${most}`);
}

/** The limit's headers as numbers, all of them checked against each other. */
function limitOf({ headers }) {
    const [, policy, q, w] = /^"([\w-]+)";q=(\d+);w=(\d+)$/.exec(headers['ratelimit-policy']);
    const [, name, r, t] = /^"([\w-]+)";r=(\d+);t=(\d+)$/.exec(headers.ratelimit);
    assert.equal(name, policy);
    assert.equal(headers['x-ratelimit-limit'], q);
    assert.equal(headers['x-ratelimit-remaining'], r);
    assert.equal(w, '60');
    const reset = Number(headers['x-ratelimit-reset']);
    const now = Date.parse(headers.date) / 1000;
    assert.ok(Math.abs(reset - now - Number(t)) <= 2, `reset ${reset}, now ${now}, t ${t}`);
    for (const old of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) assert.equal(headers[old], undefined);
    return { policy, quota: Number(q), remaining: Number(r), seconds: Number(t) };
}

function noLimitIn({ headers }) {
    const names = Object.keys(headers).filter((name) => /ratelimit|^retry-after$/.test(name));
    assert.deepEqual(names, []);
}

/** Refused for the number of requests, with all that a client needs for coming back. */
function exceeded(answer, policy, quota) {
    refused(answer, EXCEEDED);
    const limit = limitOf(answer);
    assert.deepEqual([limit.policy, limit.quota, limit.remaining], [policy, quota, 0]);
    const wait = Number(answer.headers['retry-after']);
    assert.ok(Number.isInteger(wait) && wait >= 1 && wait >= limit.seconds, answer.headers['retry-after']);
    assert.equal(typeof answer.body.hint, 'string');
    return wait;
}

// ---------------------------------------------------------------- agents

test('the quota passes at once from 32 connections, no request more; it comes back when it was said to', async () => {
    const agent = await newAgent();
    const result = await crowd(300, () => me(agent));
    assertQuota(result, 120);
    assert.ok(result.answers.filter(({ status }) => status === 200).every((answer) => answer.headers['retry-after'] === undefined));
    let last;
    do last = await me(agent); while (last.status === 200);
    const wait = exceeded(last, 'standard', 120);
    await pause(wait * 1000);
    const back = await me(agent);
    granted(back);
    assert.ok(limitOf(back).remaining <= 2);
});

test('headers count down, on answers of every kind', async () => {
    const agent = await newAgent();
    const answers = [
        await me(agent),
        await ask('GET', '/swaps?limit=0', { key: agent.key }),
        await ask('GET', '/swap/status/1', { key: agent.key }),
        await ask('POST', '/quote', { key: agent.key, body: '{', headers: { 'content-type': 'application/json' } }),
        await ask('PATCH', '/me', { key: agent.key, json: {} }),
        await ask('HEAD', '/me', { key: agent.key }),
    ];
    assert.deepEqual(answers.map(({ status }) => status), [200, 400, 404, 400, 400, 200]);
    const limits = answers.map(limitOf);
    assert.deepEqual([...new Set(limits.map(({ policy, quota }) => `${policy} ${quota}`))], ['standard 120']);
    assert.equal(limits[0].remaining, 119);
    assert.equal(limits[0].seconds, 1);
    for (let i = 1; i < limits.length; i += 1) assert.ok(limits[i].remaining <= limits[i - 1].remaining + 1 && limits[i].remaining >= 119 - i, JSON.stringify(limits));
});

test('browsers may read the headers', async () => {
    const answer = await me(await newAgent());
    const exposed = answer.headers['access-control-expose-headers'].toLowerCase();
    for (const name of ['ratelimit', 'ratelimit-policy', 'retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) assert.ok(exposed.includes(name), name);
});

for (const [tier, quota] of [['premium', 600], ['gold', 240]]) {
    test(`tier ${tier}: ${quota} a minute`, async () => {
        const agent = await newAgent(tier);
        assert.deepEqual({ ...limitOf(await me(agent)), seconds: 0 }, { policy: tier, quota, remaining: quota - 1, seconds: 0 });
        assertQuota(await crowd(quota + 300, () => me(agent)), quota - 1, quota);
    });
}

test('unlimited: no limit, and no figures', async () => {
    const agent = await newAgent('unlimited');
    const { answers } = await crowd(700, () => me(agent));
    for (const answer of answers) {
        granted(answer);
        noLimitIn(answer);
    }
});

test('tiers are what the settings say; one that they do not know counts as standard', async () => {
    const [golden, premium] = [await newAgent('gold'), await newAgent('premium')];
    const other = await startGateway(['tier.premium = 5']);
    try {
        assert.deepEqual({ ...limitOf(await me(golden, { base: other.base })), seconds: 0 }, { policy: 'standard', quota: 120, remaining: 119, seconds: 0 });
        assertQuota(await crowd(20, () => me(premium, { base: other.base })), 5);
    } finally {
        await other.stop();
    }
});

test('another tier counts at once, on every worker', async () => {
    const agent = await newAgent();
    await crowd(200, () => me(agent));
    await gateway.agentctl('tier', agent.id, 'premium');
    const { answers } = await crowd(32, () => me(agent));
    for (const answer of answers) assert.equal(limitOf(answer).quota, 600);
    await gateway.agentctl('tier', agent.id, 'standard');
    assert.equal(limitOf(await me(agent)).quota, 120);
    assert.equal(granted(await until('a unit', async () => { const answer = await me(agent); return answer.status === 200 && answer; })).agent.rate_limit_tier, 'standard');
});

test('one agent\'s limit leaves other agents\' alone', async () => {
    const [one, other] = [await newAgent(), await newAgent()];
    await crowd(200, () => me(one));
    assert.equal(limitOf(await me(other)).remaining, 119);
});

test('the limit comes behind path, method, size, type and key, before the body', async () => {
    const agent = await newAgent();
    const options = { key: agent.key };
    const spent = async () => { while ((await me(agent)).status === 200); };
    // A unit may come back between two requests on a machine that is busy, but not each time.
    const beyond = async (more) => {
        for (let i = 0; ; i += 1) {
            await spent();
            const answer = await ask('POST', '/quote', { ...options, ...more });
            if (answer.status === 429 || i === 9) return answer;
        }
    };
    await crowd(200, () => me(agent));
    refused(await beyond({ body: '{', headers: { 'content-type': 'application/json' } }), EXCEEDED);
    refused(await beyond({ json: {} }), EXCEEDED);
    for (const [error, method, path, more] of [
        ['Not found', 'GET', '/nothing', {}],
        ['Method not allowed', 'DELETE', '/quote', {}],
        ['Request body too large', 'POST', '/quote', { body: ' '.repeat(65 * 1024), headers: { 'content-type': 'application/json' } }],
        ['Unsupported media type', 'POST', '/quote', { body: 'x', headers: { 'content-type': 'text/plain' } }],
    ]) {
        const answer = await ask(method, path, { ...options, ...more });
        refused(answer, error);
        noLimitIn(answer);
    }
});

test('a request refused before the limit costs no unit', async () => {
    const agent = await newAgent();
    limitOf(await me(agent));
    await gateway.agentctl('deactivate', agent.id);
    for (let i = 0; i < 30; i += 1) {
        const answer = await me(agent);
        refused(answer, DENIED, [], 'AGENT_INACTIVE');
        noLimitIn(answer);
    }
    await gateway.agentctl('activate', agent.id);
    assert.ok(limitOf(await me(agent)).remaining >= 118);
});

test('every request is counted, refused ones too', async () => {
    const agent = await newAgent();
    await crowd(200, () => me(agent));
    await gateway.agentctl('tier', agent.id, 'unlimited');
    assert.equal(granted(await me(agent)).agent.stats.total_requests, 201);
    await until('the count in the database', async () => /^requests +201$/m.test(await gateway.agentctl('show', agent.id)));
});

// ---------------------------------------------------------------- several gateways

test('gateways of one host count together', async () => {
    const agent = await newAgent();
    assertQuota(await crowd(300, (i) => me(agent, { base: [gateway, twin][i % 2].base })), 120);
});

test('two hosts give at most twice the quota', async () => {
    const agent = await newAgent();
    const result = await crowd(500, (i) => me(agent, { base: [gateway, elsewhere][i % 2].base }));
    const passed = count(result);
    assert.ok(passed <= 240 + Math.ceil(result.seconds * 4), `${passed} passed`);
});

test('with several hosts each grants its share', async () => {
    const agent = await newAgent();
    const one = await startGateway(['hosts = 4']);
    try {
        assert.equal(limitOf(await me(agent, { base: one.base })).quota, 60);
    } finally {
        await one.stop();
    }
});

// ---------------------------------------------------------------- addresses

const join = (from, json = { name: 'newcomer' }) => ask('POST', '/register', { from, json });

test('five registrations a minute from an address', async () => {
    const from = newAddress();
    for (let i = 0; i < 5; i += 1) granted(await join(from));
    assert.ok(exceeded(await join(from), 'register', 5) <= 12);
    granted(await join(newAddress()));
    granted(await ask('GET', '/chains', { from }));
});

test('registrations that are refused count too', async () => {
    const from = newAddress();
    for (let i = 0; i < 5; i += 1) refused(await join(from, {}), 'name is required');
    exceeded(await join(from), 'register', 5);
});

test('addresses that a client writes in front of its own change nothing', async () => {
    const from = newAddress();
    for (let i = 0; i < 5; i += 1) granted(await join(`203.0.113.${i}, ${from}, 10.1.2.${i}`));
    exceeded(await join(`203.0.113.77, ${from}`), 'register', 5);
});

test('an IPv6 client is its /64', async () => {
    for (let i = 0; i < 5; i += 1) granted(await join(`2001:db8:5:6:${i}::1`));
    exceeded(await join('2001:db8:5:6:ffff::2'), 'register', 5);
    granted(await join('2001:db8:5:7::1'));
});

test('calls without a key are limited generously, watching the service is not', async () => {
    const from = newAddress();
    // Without a query the web server has a file, and no limit.
    const result = await crowd(60, () => ask('GET', '/chains?_all', { from }));
    assertQuota(result, 20);
    exceeded(result.answers.find(({ status }) => status === 429), 'public', 20);
    for (let i = 0; i < 30; i += 1) {
        const answer = await send('GET', '/healthz', { base: gateway.base, headers: { 'x-forwarded-for': from } });
        assert.equal(answer.status, 200, show(answer));
        noLimitIn(answer);
    }
});

test('an address that guesses keys is refused soon; a valid key there is not a guess', async () => {
    const agent = await newAgent();
    const from = newAddress();
    const unknown = (i) => `svc_sk_${String(i).padStart(43, 'x')}`;
    for (let i = 0; i < 10; i += 1) refused(await ask('GET', '/me', { from, key: unknown(i) }), DENIED);
    exceeded(await ask('GET', '/me', { from, key: unknown(10) }), 'unknown-keys', 10);
    granted(await ask('GET', '/me', { from, key: agent.key }));
    exceeded(await ask('GET', '/me', { from, key: unknown(11) }), 'unknown-keys', 10);
    granted(await ask('GET', '/chains', { from }));
});

test('keys that cannot be any are no guesses', async () => {
    const agent = await newAgent();
    const from = newAddress();
    for (const key of ['nonsense', 'svc_sk_short', `svc_sk_${'!'.repeat(43)}`, `pub_sk_${'x'.repeat(43)}`])
        for (let i = 0; i < 5; i += 1) refused(await ask('GET', '/me', { from, key }), DENIED);
    granted(await me(agent, { from }));
});
