// Section: api, apache
// Who may call what, and in which words the others are turned away.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API, granted, refused, register, send } from './lib.mjs';
import { operations } from './matrix.mjs';

const DENIED = 'Invalid or missing API key';
const UNAUTHORIZED = 'Unauthorized';

/** Every endpoint that wants a key, with its own wording. */
const CLOSED = [
    ['GET', '/tokens?chain=base', DENIED],
    ['POST', '/quote', DENIED],
    ['POST', '/execute', DENIED],
    ['POST', '/swap', DENIED],
    ['POST', '/swap/execute', UNAUTHORIZED],
    ['GET', '/swap/status/1', DENIED],
    ['GET', '/swaps', UNAUTHORIZED],
    ['GET', '/wallets', DENIED],
    ['POST', '/wallets', UNAUTHORIZED],
    ['GET', '/me', DENIED],
    ['PATCH', '/me', DENIED],
    ['GET', '/webhooks', UNAUTHORIZED],
    ['POST', '/webhooks/test', UNAUTHORIZED],
    ['POST', '/keys/rotate', UNAUTHORIZED],
];

const agent = await register({ name: 'keyholder' });
const { key } = agent;
const flipped = key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A');

const BAD_HEADERS = {
    'no header': undefined,
    'an empty header': '',
    'the scheme alone': 'Bearer',
    'the scheme and a space': 'Bearer ',
    'no scheme': key,
    'another scheme': `Basic ${key}`,
    'another scheme with the key in it': `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    'a scheme that only begins well': `Bearers ${key}`,
    'text behind the key': `Bearer ${key} x`,
    'two keys': `Bearer ${key}, Bearer ${key}`,
    'an unknown key': `Bearer ${flipped}`,
    'a key in another case': `Bearer ${key.toUpperCase()}`,
    'the key without its prefix': `Bearer ${key.slice('svc_sk_'.length)}`,
    'another prefix': `Bearer pub_sk_${key.slice('svc_sk_'.length)}`,
    'half a key': `Bearer ${key.slice(0, 31)}`,
    'a key with more': `Bearer ${key}x`,
    'characters that no key has': `Bearer svc_sk_${'!'.repeat(43)}`,
    'SQL': `Bearer svc_sk_' OR '1'='1' -- xxxxxxxxxxxxxxxx`,
    'a very long key': `Bearer svc_sk_${'x'.repeat(4000)}`,
    'quotes': `Bearer "${key}"`,
};

for (const [method, path, wording] of CLOSED) {
    test(`${method} ${path} without a key: ${wording}`, async () => {
        for (const authorization of [undefined, `Bearer ${flipped}`, 'Bearer nonsense']) {
            const answer = await send(method, API + path, { headers: authorization === undefined ? {} : { authorization } });
            refused(answer, wording);
            assert.match(answer.headers['www-authenticate'], /^Bearer\b/);
        }
    });
}

/** Every operation that wants a key, with something in the place of its path's parameters. */
const closed = (await operations()).filter((operation) => operation.closed)
    .map(({ method, path }) => [method, API + path.replace(/\{\w+\}/g, '1')]);

for (const [what, authorization] of Object.entries(BAD_HEADERS)) {
    test(`no endpoint accepts ${what}`, async () => {
        assert.ok(closed.length > CLOSED.length);
        for (const [method, path] of closed) {
            const answer = await send(method, path, { headers: authorization === undefined ? {} : { authorization } });
            refused(answer, [UNAUTHORIZED, DENIED].find((wording) => wording === answer.body?.error));
            assert.match(answer.headers['www-authenticate'], /^Bearer\b/);
        }
    });
}

/** Where other software looks for keys, callers and methods. */
const ELSEWHERE = [
    'x-authorization', 'proxy-authorization', 'x-api-key', 'api-key', 'x-forwarded-authorization', 'redirect-http-authorization',
    'http-authorization', 'x-original-authorization', 'authorization_', 'cookie', 'sec-websocket-protocol',
];

test('a key in another header is no key', async () => {
    for (const [method, path] of closed) {
        const headers = Object.fromEntries(ELSEWHERE.map((name) => [name, name === 'cookie' ? `authorization=Bearer ${key}` : `Bearer ${key}`]));
        assert.equal((await send(method, path, { headers })).status, 401, `${method} ${path}`);
    }
    granted(await agent.get('/me'));
});

test('headers that name another path, method or caller change nothing', async () => {
    const headers = {
        'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE', 'x-method-override': 'DELETE', 'x-original-url': `${API}/chains`,
        'x-rewrite-url': `${API}/chains`, 'x-forwarded-uri': `${API}/chains`, 'x-original-uri': `${API}/chains`, 'x-remote-user': agent.id,
        'x-agent-id': agent.id, 'x-forwarded-user': agent.id,
    };
    for (const [method, path] of closed) assert.equal((await send(method, path, { headers })).status, 401, `${method} ${path}`);
    assert.equal(granted(await agent.send('GET', '/me', { headers })).agent.id, agent.id);
    assert.equal(granted(await agent.send('GET', '/me?_method=DELETE', { headers })).agent.id, agent.id);
    granted(await agent.get('/me'));
});

test('white space around the key, and the header\'s case', async () => {
    for (const authorization of [`Bearer ${key} `, ` Bearer ${key}`, `Bearer ${key}\t`]) {
        granted(await send('GET', `${API}/me`, { headers: { authorization } }));
    }
    granted(await send('GET', `${API}/me`, { headers: { AUTHORIZATION: `Bearer ${key}` } }));
    for (const authorization of [`Bearer\t${key}`, `Bearer \t${key}`, `Bearer\u00a0${key}`, `Bearer ${key}\u00a0`, `"Bearer ${key}"`, `Bearer:${key}`, `Bearer=${key}`]) {
        refused(await send('GET', `${API}/me`, { headers: { authorization } }), DENIED);
    }
});

for (const authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER ${key}`, `Bearer   ${key}`]) {
    test(`the scheme's case and the spaces behind it do not matter: ${authorization.slice(0, 9)}`, async () => {
        granted(await send('GET', `${API}/me`, { headers: { authorization } }));
    });
}

test('a key in the query or in the body is no key', async () => {
    refused(await send('GET', `${API}/me?api_key=${key}&authorization=Bearer%20${key}`), DENIED);
    refused(await send('POST', `${API}/quote`, { json: { api_key: key, from_token: 'ETH' } }), DENIED);
});

test('public endpoints take no notice of a bad key', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    granted(await send('GET', `${API}/chains`, { headers }));
    granted(await send('POST', `${API}/register`, { json: { name: 'x' }, headers }));
    assert.equal((await send('GET', '/healthz', { headers })).status, 200);
});

test('each agent has a key of its own', async () => {
    const other = await register({ name: 'other' });
    assert.notEqual(other.key, key);
    assert.equal(granted(await agent.get('/me')).agent.id, agent.id);
    assert.equal(granted(await other.get('/me')).agent.id, other.id);
});
