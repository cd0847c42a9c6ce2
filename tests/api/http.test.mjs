// Section: api, apache
// What holds for every path: routing, methods, sizes, types, syntax, and the order in which they are judged.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API, granted, refused, register, send, show } from './lib.mjs';
import { ANSWERED, host, talk } from './raw.mjs';

const agent = await register();
const { key } = agent;
const KB64 = 64 * 1024;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Every endpoint with the methods that it really has. */
const ROUTES = [
    ['/register', ['POST']],
    ['/chains', ['GET']],
    ['/tokens', ['GET']],
    ['/quote', ['POST']],
    ['/swap', ['POST']],
    ['/swap/execute', ['POST']],
    ['/swap/status/1', ['GET']],
    ['/swaps', ['GET']],
    ['/wallets', ['GET', 'POST']],
    ['/me', ['GET', 'PATCH']],
    ['/webhooks', ['GET']],
    ['/openapi', ['GET']],
].map(([path, methods]) => [API + path, methods]).concat([
    '/healthz', '/readyz', '/metrics', '/', '/llms.txt', '/skill.md', '/.well-known/mcp/server.json', '/.well-known/agent.json', '/.well-known/agent-card.json',
].map((path) => [path, ['GET']]));

const list = (header) => new Set((header ?? '').split(',').map((word) => word.trim()).filter(Boolean));

// ---------------------------------------------------------------- paths and methods

for (const path of [
    '/v1', '/v1/agent', '/.well-known', '/.well-known/', '/llms.txt/', '/openapi', `${API}/`, `${API}/nothing`, `${API}/chains/`, `${API}/chains/1`, `${API}/swap/status`,
    `${API}/swap/status/`, `${API}/swap/status/1/2`, `${API}/quotes`, `${API}/QUOTE`, '/v2/agent/chains', '/chains',
    '/healthz/', '/index.html', '/.git/config', '/v1/agent/chains%2f',
]) {
    test(`unknown path ${path}`, async () => {
        for (const method of ['GET', 'POST']) refused(await send(method, path), 'Not found');
    });
}

test('unknown methods are refused', async () => {
    // HTTP clients do not send them; a connection of one's own does.
    for (const method of ['FOO', 'PURGE', 'M-SEARCH', 'PROPFIND', 'LINK']) {
        for (const path of ['/mcp', `${API}/quote`, `${API}/chains`, '/llms.txt']) {
            const { answers: [{ status, headers, body }] } = await talk(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, ANSWERED);
            assert.deepEqual([status, body?.error], [405, 'Method not allowed'], `${method} ${path}`);
            assert.ok(headers.allow.includes('OPTIONS'), headers.allow);
        }
    }
});

for (const [path, methods] of ROUTES) {
    test(`wrong methods on ${path}`, async () => {
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
            // DELETE /me is the specification's; it comes with the other life-cycle endpoints.
            if (methods.includes(method) || (path === `${API}/me` && method === 'DELETE')) continue;
            const answer = await send(method, path);
            refused(answer, 'Method not allowed');
            const allowed = list(answer.headers.allow);
            for (const each of [...methods, 'OPTIONS']) assert.ok(allowed.has(each), `${each} in ${answer.headers.allow}`);
            assert.equal(allowed.has('HEAD'), methods.includes('GET'), answer.headers.allow);
            assert.ok(!allowed.has(method), answer.headers.allow);
        }
    });

    test(`OPTIONS ${path}`, async () => {
        const headers = { origin: 'https://agent.example', 'access-control-request-method': methods[0] };
        const answer = await send('OPTIONS', path, { headers });
        assert.deepEqual([answer.status, answer.text], [204, '']);
        assert.equal(answer.headers['access-control-allow-origin'], '*');
        assert.equal(answer.headers['access-control-allow-credentials'], undefined);
        const allowed = list(answer.headers['access-control-allow-methods']);
        for (const method of methods) assert.ok(allowed.has(method), `${method} in ${[...allowed]}`);
        const names = list(answer.headers['access-control-allow-headers']?.toLowerCase());
        for (const name of [
            'authorization', 'content-type', 'x-request-id', 'idempotency-key',
        ]) assert.ok(names.has(name), `${name} in ${[...names]}`);
        for (const method of methods) assert.ok(list(answer.headers.allow).has(method), answer.headers.allow);
    });
}

for (const path of [`${API}/chains`, `${API}/me`, `${API}/wallets`, `${API}/swaps`, `${API}/webhooks`, `${API}/tokens?chain=base`, `${API}/openapi`, '/llms.txt', '/', '/healthz', '/readyz', `${API}/swap/status/0`, `${API}/nothing`]) {
    test(`HEAD ${path} is GET without its body`, async () => {
        const [get, head] = [await send('GET', path, { key }), await send('HEAD', path, { key })];
        assert.equal(head.status, get.status);
        assert.equal(head.text, '');
        assert.equal(head.headers['content-type'], get.headers['content-type']);
    });
}

test('HEAD without a key', async () => {
    const answer = await send('HEAD', `${API}/me`);
    assert.deepEqual([answer.status, answer.text], [401, '']);
});

// ---------------------------------------------------------------- headers of answers

test('answers are private, typed and open to browsers', async () => {
    for (const answer of [
        await send('GET', `${API}/chains`), await agent.get('/me'), await send('GET', `${API}/me`),
        await send('GET', '/nothing'),
    ]) {
        assert.match(answer.headers['content-type'], /^application\/json(; ?charset=utf-8)?$/i);
        assert.equal(answer.headers['x-content-type-options'], 'nosniff');
        assert.equal(answer.headers['access-control-allow-origin'], '*');
        assert.equal(answer.headers['access-control-allow-credentials'], undefined);
    }
    assert.match((await agent.get('/me')).headers['cache-control'], /no-store/);
});

test('a sane X-Request-Id comes back', async () => {
    const answer = await agent.send('GET', '/me', { headers: { 'x-request-id': 'order-42.a_b' } });
    assert.equal(answer.headers['x-request-id'], 'order-42.a_b');
});

test('without a sane X-Request-Id one is made', async () => {
    const seen = new Set();
    for (const id of [undefined, '', 'x'.repeat(1000), 'a b"c', '<script>', 'é']) {
        const headers = id === undefined ? {} : { 'x-request-id': Buffer.from(id, 'utf8').toString('latin1') };
        const answer = await send('GET', '/', { headers });
        assert.match(answer.headers['x-request-id'], /^[\w.:-]{8,128}$/);
        assert.notEqual(answer.headers['x-request-id'], id);
        seen.add(answer.headers['x-request-id']);
    }
    assert.equal(seen.size, 6);
});

// ---------------------------------------------------------------- sizes

const padded = (size) => `{"name":"padded","x":"${'y'.repeat(size - 24)}"}`;

test('a body of 64 KB is read', async () => {
    assert.equal(padded(KB64).length, KB64);
    granted(await send('POST', `${API}/register`, { body: padded(KB64), headers: JSON_TYPE }));
});

for (const [what, size] of [['64 KB and one byte', KB64 + 1], ['65 KB', 65 * 1024], ['1 MB', 1 << 20], ['5 MB', 5 << 20]]) {
    test(`a body of ${what} is too large`, async () => {
        for (const path of ['/register', '/quote', '/swap/execute', '/wallets']) {
            refused(await send('POST', API + path, { key, body: padded(size), headers: JSON_TYPE }), 'Request body too large');
        }
    });
}

test('a connection is good for the next request after a large body, read or refused, on GET too', async () => {
    for (let i = 0; i < 20; i++) {
        refused(await send('POST', `${API}/quote`, { key, body: padded(100_000), headers: JSON_TYPE }), 'Request body too large');
        granted(await send('GET', `${API}/chains`, { body: padded(20_000) }));
        granted(await agent.get('/me'));
    }
});

// ---------------------------------------------------------------- types

for (const type of [
    'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml',
    'application/jsonp', 'text/json', 'garbage',
]) {
    test(`Content-Type ${type} is refused`, async () => {
        for (const path of ['/register', '/quote', '/swap', '/swap/execute', '/wallets']) {
            const answer = await send('POST', API + path, { key, body: '{"name":"x"}', headers: { 'content-type': type } });
            refused(answer, 'Unsupported media type');
        }
    });
}

for (const type of [
    undefined, 'application/json', 'application/json; charset=utf-8', 'application/json;charset=UTF-8',
    'APPLICATION/JSON', 'Application/Json ; charset="utf-8"',
]) {
    test(`Content-Type ${type} is JSON`, async () => {
        const headers = type === undefined ? {} : { 'content-type': type };
        granted(await send('POST', `${API}/register`, { body: '{"name":"typed"}', headers }));
    });
}

// ---------------------------------------------------------------- syntax

const nested = (depth) => `{"name":"deep","x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

const MALFORMED = {
    'half an object': '{"name":"x"',
    'a comma too many': '{"name":"x",}',
    'two documents': '{"name":"x"}{"name":"y"}',
    'text behind it': '{"name":"x"} x',
    'single quotes': "{'name':'x'}",
    'no quotes': '{name:"x"}',
    'a comment': '{"name":"x"/* no */}',
    'plain text': 'name=x',
    'an array': '["name"]',
    'an empty array': '[]',
    'a string': '"name"',
    'a number': '42',
    'true': 'true',
    'null': 'null',
    'NaN': '{"name":"x","y":NaN}',
    'a leading zero': '{"name":"x","y":01}',
    'a hexadecimal number': '{"name":"x","y":0x10}',
    'an open string': '{"name":"x',
    'a control character': '{"name":"a\u0001b"}',
    'a line feed in a string': '{"name":"a\nb"}',
    'a bad escape': '{"name":"\\q"}',
    'an encoded NUL': '{"name":"a\\u0000b"}',
    'a NUL byte': '{"name":"a\u0000b"}',
    'a NUL byte behind it': '{"name":"x"}\u0000',
    'a lone high surrogate': '{"name":"\\ud800"}',
    'a lone low surrogate': '{"name":"\\udc00x"}',
    'surrogates in the wrong order': '{"name":"\\udc00\\ud800"}',
    'a duplicate key': '{"name":"x","name":"y"}',
    'a duplicate key further down': '{"name":"x","metadata":{"a":1,"a":2}}',
    'bad UTF-8': Buffer.from('{"name":"\xff\xfe"}', 'latin1'),
    'overlong UTF-8': Buffer.from('{"name":"\xc0\xaf"}', 'latin1'),
    'an encoded surrogate': Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1'),
    'a depth of 40': nested(40),
    'a depth of 20000': nested(20_000),
};

for (const [what, body] of Object.entries(MALFORMED)) {
    test(`malformed JSON: ${what}`, async () => {
        for (const [method, path] of [
            ['POST', '/register'], ['POST', '/quote'], ['POST', '/swap'], ['POST', '/swap/execute'], ['PATCH', '/me'],
        ]) {
            refused(await send(method, API + path, { key, body, headers: JSON_TYPE }), 'Validation failed', ['_root']);
        }
    });
}

test('a body with a Content-Encoding is not read', async () => {
    const { gzipSync } = await import('node:zlib');
    const body = '{"name":"encoded"}';
    for (const [path, key] of [['/register', undefined], ['/quote', agent.key], ['/me', agent.key]]) {
        for (const [encoding, sent] of [['gzip', gzipSync(body)], ['br', body], ['identity, gzip', body], ['deflate', body]]) {
            const answer = await send(path === '/me' ? 'PATCH' : 'POST', API + path, { key, body: sent, headers: { ...JSON_TYPE, 'content-encoding': encoding } });
            assert.match(refused(answer, 'Unsupported media type').hint, /without a Content-Encoding/);
        }
    }
    for (const path of ['/mcp', '/a2a']) {
        assert.equal((await send('POST', path, { key: agent.key, body: gzipSync('{"jsonrpc":"2.0","id":1,"method":"ping"}'), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } })).status, 415);
    }
    granted(await send('POST', `${API}/register`, { body, headers: { ...JSON_TYPE, 'content-encoding': 'identity' } }));
});

test('a number out of range is a fault of the member that it was given for', async () => {
    const at = (path, body, method = 'POST') => agent.send(method, path, { body, headers: JSON_TYPE });
    const quote = (more) => `{"from_token":"ETH","to_token":"USDC",${more}}`;
    const much = '99999999999999999999';
    assert.equal(granted(await at('/quote', quote(`"amount":${much}`))).amount_in, much);
    for (const number of ['1e999', '-1e999', much, `-${much}`, '9'.repeat(400)]) {
        refused(await at('/quote', quote(`"amount":"1","slippage":${number}`)), 'Slippage must be between 0 and 1', ['slippage']);
        if (number !== much) {
            refused(await at('/quote', quote(`"amount":${number}`)), 'Amount must be a positive number', ['amount']);
            refused(await at('/quote', quote(`"amount":${number},"note":{"a":1},"slippage":${number}`)), 'Amount must be a positive number', ['amount', 'slippage']);
        }
        refused(await at('/register', `{"name":${number},"metadata":{"a":1}}`), 'Validation failed', ['name']);
        refused(await at('/register', `{"name":"x","metadata":{"a":[${number}]}}`), 'Validation failed', ['metadata']);
        refused(await at('/me', `{"metadata":{"a":{"b":${number}}}}`, 'PATCH'), 'Validation failed', ['metadata']);
        refused(await at('/wallet/policy', `{"type":"execution_limit","params":{"maxSlippage":${number}}}`), 'Validation failed', ['params.maxSlippage']);
        const call = (args) => send('POST', '/mcp', { key: agent.key, headers: JSON_TYPE, body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_quote","arguments":${args}}}` });
        const { content } = (await call(quote(`"amount":"1","slippage":${number}`))).body.result;
        assert.equal(JSON.parse(content[0].text).error, 'Slippage must be between 0 and 1');
    }
    // What fits is kept as it is.
    const metadata = '{"a":[9223372036854775807,-9223372036854775808,1e308,0.1]}';
    assert.ok((await at('/me', `{"metadata":${metadata}}`, 'PATCH')).text.includes('9223372036854775807,-9223372036854775808,'));
});

const WELL_FORMED = {
    'white space around': ' \r\n\t{ "name" : "x" } \n',
    'a depth of 30': nested(30),
    'an astral character': '{"name":"\\ud83d\\ude80 🚀"}',
    'numbers beyond all bounds in unknown members': '{"name":"x","y":1e999,"z":{"a":-99999999999999999999}}',
    'unknown members': '{"name":"x","unknown":{"a":[1,2.5,true,null]}}',
    'an escaped member name': '{"n\\u0061me":"x"}',
    'null for an optional member': '{"name":"x","description":null,"callback_url":null,"metadata":null}',
};

for (const [what, body] of Object.entries(WELL_FORMED)) {
    test(`well-formed JSON: ${what}`, async () => {
        granted(await send('POST', `${API}/register`, { body, headers: JSON_TYPE }));
    });
}

test('an empty body is an empty object', async () => {
    assert.equal(refused(await send('POST', `${API}/register`, { body: '', headers: JSON_TYPE }), 'name is required').success, false);
    refused(await agent.send('POST', '/swap/execute'), 'quote_id is required');
    refused(await agent.send('PATCH', '/me'), 'At least one field must be provided');
});

test('as many members, items, long names and digits as 64 KB hold', async () => {
    const join = (more) => send('POST', `${API}/register`, { body: `{"name":"many",${more}}`, headers: JSON_TYPE });
    granted(await join(Array.from({ length: 7_000 }, (_, i) => `"${i}":0`).join(',')));
    granted(await join(`"x":[${'0,'.repeat(30_000)}0]`));
    granted(await join(`"${'x'.repeat(60_000)}":0`));
    granted(await join(`"x":${'9'.repeat(60_000)}`));
    refused(await join(`"description":${'9'.repeat(60_000)}`), 'Validation failed', ['description']);
    refused(await join(`"metadata":{${Array.from({ length: 7_000 }, (_, i) => `"${i}":0`).join(',')}}`), 'Validation failed', ['metadata']);
    const query = Array.from({ length: 1_000 }, (_, i) => `_p${i}=1`).join('&');
    granted(await agent.get(`/swaps?${query}`));
    refused(await agent.get(`/swaps?limit=0&${query}`), 'limit must be between 1 and 100');
});

// ---------------------------------------------------------------- order of checks

test('path before method, method before size, size before type, type before key, key before syntax, syntax before fields', async () => {
    const large = padded(KB64 + 1);
    const plain = { 'content-type': 'text/plain' };
    refused(await send('POST', `${API}/nothing`, { body: large, headers: plain }), 'Not found');
    refused(await send('PUT', `${API}/quote`, { body: large, headers: plain }), 'Method not allowed');
    refused(await send('POST', `${API}/quote`, { body: large, headers: plain }), 'Request body too large');
    refused(await send('POST', `${API}/quote`, { body: '{', headers: plain }), 'Unsupported media type');
    refused(await send('POST', `${API}/quote`, { body: '{', headers: JSON_TYPE }), 'Invalid or missing API key');
    refused(await send('POST', `${API}/quote`, { key, body: '{', headers: JSON_TYPE }), 'Validation failed', ['_root']);
    refused(await send('POST', `${API}/quote`, { key, body: '{}', headers: JSON_TYPE }), 'from_token is required');
});

test('absurd requests are answered in the envelope', async () => {
    for (const path of [
        `${API}/swap/status/${'9'.repeat(3000)}`, `${API}/tokens?chain=${'x'.repeat(3000)}`, `${API}/swaps?${'limit=1&'.repeat(300)}`,
        `${API}/swaps?limit`, `${API}/swaps?=&&&`, `${API}/swaps?limit=%`, `${API}/swaps?limit=%zz`, `${API}/swaps?%6cimit=5`,
        `${API}/tokens?chain=%f0%9f%9a%80`, `${API}/tokens?chain=a'--`, `${API}/tokens?chain=base&chain=ethereum`,
    ]) {
        const answer = await agent.get(path.slice(API.length));
        assert.ok(answer.status === 200 || answer.status === 400 || answer.status === 404, show(answer));
        assert.equal(answer.body?.success, answer.status === 200, show(answer));
    }
});

// Web servers answer some of these themselves.
test('bytes that are no text are refused, by whomever', async () => {
    for (const path of [
        '/tokens?chain=%ff', '/tokens?chain=a%00b', '/swaps?limit=%c0%af', '/swap/status/%00', '/swap/status/%ff',
        '/%ff',
    ]) {
        const answer = await agent.get(path);
        assert.ok(answer.status === 400 || answer.status === 404, `${path}: ${show(answer)}`);
        assert.notEqual(answer.body?.success, true);
    }
});
