// Section: api
// POST /register, GET /me, PATCH /me.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    API, API_KEY, ISO_TIME, UUID, granted, hasMembers, receiver, refused, register, send, show, until,
} from './lib.mjs';

const CALLBACK = 'http://127.0.0.1:9/hook';
const PROFILE = ['id', 'name', 'description', 'rate_limit_tier', 'stats', 'created_at', 'last_active_at', 'active', 'updated_at'];
const OPTIONAL = ['callback_url', 'metadata'];

const join = (json) => send('POST', `${API}/register`, { json });
const profile = async (agent) => granted(await agent.get('/me')).agent;

// ---------------------------------------------------------------- register

test('register answers with an id, a key and a time', async () => {
    const before = Date.now();
    const { agent, message } = granted(await join({ name: 'first', description: 'of all' }));
    assert.match(message, /api_key.*POST \/wallets/);
    assert.match(agent.id, UUID);
    assert.equal(agent.name, 'first');
    assert.match(agent.api_key, API_KEY);
    assert.ok(agent.api_key.length >= 32);
    assert.match(agent.created_at, ISO_TIME);
    const created = Date.parse(agent.created_at);
    assert.ok(created >= before - 1000 && created <= Date.now() + 1000, agent.created_at);
});

test('names need not be unique; ids and keys are', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => join({ name: 'same' })));
    const agents = made.map((answer) => granted(answer).agent);
    assert.equal(new Set(agents.map(({ id }) => id)).size, 20);
    assert.equal(new Set(agents.map(({ api_key: key }) => key)).size, 20);
});

for (const [what, name, kept] of [
    ['one character', 'x', 'x'],
    ['a hundred characters', 'n'.repeat(100), 'n'.repeat(100)],
    ['a hundred astral characters', '🤖'.repeat(100), '🤖'.repeat(100)],
    ['spaces around', '  padded \t', 'padded'],
    ['a hundred characters in spaces', ` ${'n'.repeat(100)} `, 'n'.repeat(100)],
    ['markup', '<b>"x" & \'y\'\\</b>', '<b>"x" & \'y\'\\</b>'],
    ['SQL', "'; DROP TABLE agents; --", "'; DROP TABLE agents; --"],
    ['other scripts', 'агент エージェント وكيل', 'агент エージェント وكيل'],
]) {
    test(`a name of ${what}`, async () => {
        const { agent } = granted(await join({ name }));
        assert.equal(agent.name, kept);
        assert.equal((granted(await send('GET', `${API}/me`, { key: agent.api_key }))).agent.name, kept);
    });
}

for (const json of [{}, { name: null }, { description: 'nameless' }]) {
    test(`no name in ${JSON.stringify(json)}`, async () => refused(await join(json), 'name is required', ['name']));
}

for (const [what, name] of [
    ['empty', ''], ['blank', ' \t '], ['too long', 'n'.repeat(101)], ['a number', 7], ['true', true],
    ['an array', ['x']], ['an object', { a: 1 }],
]) {
    test(`a name that is ${what}`, async () => {
        const answer = await join({ name });
        assert.equal(answer.status, 400, show(answer));
        assert.equal(typeof answer.body.fields?.name, 'string', show(answer));
        refused(answer, answer.body.error === 'name is required' ? 'name is required' : 'Validation failed');
    });
}

for (const [member, value] of [
    ['description', 'd'.repeat(501)], ['description', 5], ['description', ['x']],
    ['metadata', 'text'], ['metadata', []], ['metadata', 1], ['metadata', { big: 'x'.repeat(20_000) }],
    ['callback_url', 'nonsense'], ['callback_url', 5], ['callback_url', 'https://10.0.0.1/'],
]) {
    test(`register with a bad ${member}: ${JSON.stringify(value).slice(0, 30)}`, async () => {
        refused(await join({ name: 'x', [member]: value }), 'Validation failed', [member]);
    });
}

test('register explains every fault at once', async () => {
    const { error, fields } = (await join({ name: 'n'.repeat(101), description: 'd'.repeat(501), metadata: 1, callback_url: 'x' })).body;
    assert.equal(error, 'Validation failed');
    assert.deepEqual(Object.keys(fields).sort(), ['callback_url', 'description', 'metadata', 'name']);
});

test('register takes callback and metadata; the secret comes with the callback', async () => {
    const answer = granted(await join({
        name: 'complete', description: 'all there is', callback_url: CALLBACK, metadata: { plan: [1, { a: null }] },
    }));
    assert.match(answer.webhook_secret, /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/);
    const { agent } = granted(await send('GET', `${API}/me`, { key: answer.agent.api_key }));
    assert.deepEqual([agent.description, agent.callback_url, agent.metadata], ['all there is', CALLBACK, { plan: [1, { a: null }] }]);
    assert.equal((granted(await join({ name: 'plain' }))).webhook_secret, undefined);
});

// ---------------------------------------------------------------- profile

test('a new agent\'s profile has its defaults', async () => {
    const agent = await register({ name: 'fresh' });
    const me = await profile(agent);
    hasMembers(me, PROFILE, OPTIONAL);
    hasMembers(me.stats, ['total_requests', 'total_swaps']);
    assert.equal(me.id, agent.id);
    assert.deepEqual([me.name, me.description, me.rate_limit_tier, me.callback_url ?? null], ['fresh', null, 'standard', null]);
    assert.equal(me.stats.total_swaps, 0);
    assert.ok(Number.isInteger(me.stats.total_requests) && me.stats.total_requests <= 1, String(me.stats.total_requests));
    for (const time of [me.created_at, me.last_active_at]) assert.match(time, ISO_TIME);
});

test('neither key nor secret is ever shown again', async () => {
    const agent = await register({ callback_url: CALLBACK });
    for (const answer of [await agent.get('/me'), await agent.patch('/me', { description: 'x' }), await agent.get('/wallets')]) {
        assert.ok(!/svc_sk_|whsec_|api_key|secret/.test(answer.text), answer.text);
    }
});

test('requests are counted and the time of the last one is kept', async () => {
    const agent = await register();
    const { stats: { total_requests: before }, last_active_at: first } = await profile(agent);
    for (let i = 0; i < 10; i++) await agent.get('/wallets');
    await agent.post('/quote', {});
    const me = await until('the count to follow', async () => {
        const now = await profile(agent);
        return now.stats.total_requests >= before + 11 && now;
    });
    assert.ok(Date.parse(me.last_active_at) >= Date.parse(first));
    // Asking until it was right counted, too; each of these is exactly one.
    const one = (await profile(agent)).stats.total_requests;
    assert.equal((await profile(agent)).stats.total_requests, one + 1);
});

// ---------------------------------------------------------------- changes

test('PATCH changes what it names and answers with the profile', async () => {
    const agent = await register({ name: 'patched', description: 'old', metadata: { a: 1 } });
    const changed = granted(await agent.patch('/me', { description: 'new' })).agent;
    hasMembers(changed, PROFILE, OPTIONAL);
    assert.deepEqual([changed.id, changed.name, changed.description, changed.metadata], [agent.id, 'patched', 'new', { a: 1 }]);
    const after = granted(await agent.patch('/me', { metadata: { b: { c: ['d', 1.5, true, null] } } })).agent;
    assert.deepEqual([after.description, after.metadata], ['new', { b: { c: ['d', 1.5, true, null] } }]);
    assert.deepEqual((await profile(agent)).metadata, after.metadata);
    assert.deepEqual(granted(await agent.patch('/me', { metadata: {} })).agent.metadata ?? {}, {});
});

test('a description of 500 characters fits, and null clears it', async () => {
    const agent = await register();
    for (const description of ['d'.repeat(500), '🤖'.repeat(500), '']) {
        assert.equal((granted(await agent.patch('/me', { description })).agent.description ?? ''), description);
    }
    await agent.patch('/me', { description: 'there' });
    assert.equal(granted(await agent.patch('/me', { description: null })).agent.description, null);
    assert.equal((await profile(agent)).description, null);
});

for (const json of [{}, { name: 'renamed' }, { unknown: 1 }, { rate_limit_tier: 'premium' }, { metadata: null }]) {
    test(`nothing to change in ${JSON.stringify(json)}`, async () => {
        const agent = await register({ name: 'constant' });
        refused(await agent.patch('/me', json), 'At least one field must be provided');
        const me = await profile(agent);
        assert.deepEqual([me.name, me.rate_limit_tier], ['constant', 'standard']);
    });
}

for (const [member, value] of [
    ['description', 'd'.repeat(501)], ['description', '🤖'.repeat(501)], ['description', 1], ['description', {}], ['description', false],
    ['metadata', 'text'], ['metadata', []], ['metadata', 0], ['metadata', true], ['metadata', { big: 'x'.repeat(20_000) }],
    ['callback_url', ''], ['callback_url', 'nonsense'], ['callback_url', 1], ['callback_url', {}], ['callback_url', '//example.com/x'],
    ['callback_url', 'ftp://example.com/'], ['callback_url', 'javascript:alert(1)'], ['callback_url', 'https://'],
    ['callback_url', 'https:///path'],
    ['callback_url', 'http://example.com/hook'], ['callback_url', 'https://user:pw@example.com/'],
    ['callback_url', 'https://example.com/#part'], ['callback_url', 'https://exa mple.com/'],
    ['callback_url', 'https://example.com/\n'], ['callback_url', `https://example.com/${'x'.repeat(500)}`],
    ['callback_url', 'https://10.1.2.3/'], ['callback_url', 'https://192.168.0.1/'], ['callback_url', 'https://169.254.169.254/latest'],
    ['callback_url', 'https://0.0.0.0/'], ['callback_url', 'https://[::]/'], ['callback_url', 'https://[fd00::1]/'],
    ['callback_url', 'https://[fe80::1]/'],
    ['callback_url', 'https://[::ffff:10.0.0.1]/'], ['callback_url', 'https://[64:ff9b::a00:1]/'],
    ['callback_url', 'https://224.0.0.1/'], ['callback_url', 'https://100.64.0.1/'],
    ['callback_url', 'https://example.com:0/'], ['callback_url', 'https://example.com:99999/'],
]) {
    test(`PATCH refuses ${member} ${JSON.stringify(value).slice(0, 40)}`, async () => {
        const agent = await register({ description: 'kept' });
        refused(await agent.patch('/me', { [member]: value }), 'Validation failed', [member]);
        const me = await profile(agent);
        assert.deepEqual([me.description, me.callback_url ?? null], ['kept', null]);
    });
}

test('PATCH explains every fault at once and changes nothing', async () => {
    const agent = await register({ description: 'kept' });
    const answer = await agent.patch('/me', { description: 'd'.repeat(501), callback_url: 'x', metadata: 1 });
    const body = refused(answer, 'Validation failed', ['description', 'callback_url', 'metadata']);
    assert.equal(Object.keys(body.fields).length, 3);
    refused(await agent.patch('/me', { description: 'changed', metadata: 1 }), 'Validation failed', ['metadata']);
    assert.equal((await profile(agent)).description, 'kept');
});

test('the secret comes once, with the first callback; null removes the callback', async () => {
    const agent = await register();
    const hook = await receiver();
    assert.match(await agent.listen(hook.url), /^whsec_/);
    assert.equal((await profile(agent)).callback_url, hook.url);
    assert.equal(await agent.listen(CALLBACK), undefined);
    assert.equal(granted(await agent.patch('/me', { callback_url: null })).agent.callback_url ?? null, null);
    assert.equal((await profile(agent)).callback_url ?? null, null);
    assert.equal(await agent.listen('https://example.com/hook?a=b%20c'), undefined);
    hook.close();
});

test('PATCH takes an address of a public host in any form', async () => {
    const agent = await register();
    for (const url of [
        'https://example.com', 'https://example.com:8443/a/b?c=d', 'https://93.184.216.34/', 'HTTPS://EXAMPLE.COM/x',
        'https://xn--bcher-kva.example/',
    ]) {
        granted(await agent.patch('/me', { callback_url: url }));
    }
});

test('an agent changes itself alone', async () => {
    const [one, two] = [await register({ description: 'one' }), await register({ description: 'two' })];
    await one.patch('/me', { description: 'changed', id: two.id });
    assert.equal((await profile(two)).description, 'two');
});

test('a profile says whether the key works and when it changed', async () => {
    const agent = await register();
    const fresh = await profile(agent);
    assert.deepEqual([fresh.active, fresh.updated_at], [true, fresh.created_at]);
    const { agent: changed } = granted(await agent.patch('/me', { description: 'changed' }));
    assert.ok(changed.updated_at > fresh.updated_at, changed.updated_at);
    granted(await agent.send('POST', '/me/deactivate'));
    granted(await agent.send('POST', '/reactivate'));
    const after = await profile(agent);
    assert.ok(after.active && after.updated_at > changed.updated_at, after.updated_at);
});
