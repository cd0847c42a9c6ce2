// Section: api
// POST /a2a under bad input: every fault has its code, nothing is done, nothing of it comes back.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import {
    granted, receiver, register, send, show, until,
} from './lib.mjs';
import { A2A, DIALECTS, fault, post, result } from './a2a.mjs';
import { startGateway } from './gateway.mjs';

const agent = await register();
const { key } = agent;
const json = { 'content-type': 'application/json' };
const raw = (body, headers = {}) => send('POST', '/a2a', { key, body, headers: { ...json, ...headers } });

/** Nothing was done for any of it. */
const untouched = async () => {
    assert.deepEqual(granted(await agent.get('/wallets')).wallets, []);
    assert.equal(result(await new A2A(agent).post('list', {})).totalSize, 0);
};

// ---------------------------------------------------------------- JSON-RPC

const CALL = '"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":{"operation":"create_wallet"}}]}}';

for (const [name, body, code, id = null] of [
    ['an empty body', '', -32700],
    ['a broken body', `{"jsonrpc":"2.0","id":1,${CALL}`, -32700],
    ['no JSON', 'swap 1 ETH to USDC', -32700],
    ['a key twice', `{"jsonrpc":"2.0","id":1,"id":2,${CALL}}`, -32700],
    ['bytes that are not UTF-8', Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":"'), Buffer.from([0xc3, 0x28]), Buffer.from(`",${CALL}}`)]), -32700],
    ['a NUL in a text', '{"jsonrpc":"2.0","id":1,"method":"SendMessage\\u0000"}', -32700],
    ['deep nesting', `{"jsonrpc":"2.0","id":1,"method":"GetTask","params":${'['.repeat(40)}${']'.repeat(40)}}`, -32700],
    ['a batch', `[{"jsonrpc":"2.0","id":1,${CALL}}]`, -32600],
    ['an empty batch', '[]', -32600],
    ['a scalar', '42', -32600],
    ['null', 'null', -32600],
    ['an empty object', '{}', -32600],
    ['no version', `{"id":7,${CALL}}`, -32600, 7],
    ['another version', `{"jsonrpc":"1.0","id":"x",${CALL}}`, -32600, 'x'],
    ['a version that is a number', `{"jsonrpc":2.0,"id":0,${CALL}}`, -32600, 0],
    ['no method', '{"jsonrpc":"2.0","id":3,"params":{}}', -32600, 3],
    ['a method that is no text', '{"jsonrpc":"2.0","id":3,"method":5}', -32600, 3],
    ['an id that is null', `{"jsonrpc":"2.0","id":null,${CALL}}`, -32600],
    ['an id that is an object', `{"jsonrpc":"2.0","id":{},${CALL}}`, -32600],
    ['no id: no client would get the answer', `{"jsonrpc":"2.0",${CALL}}`, -32600],
    ['an answer', '{"jsonrpc":"2.0","id":1,"result":{}}', -32600, 1],
    ['an unknown method', '{"jsonrpc":"2.0","id":"a","method":"sendMessage","params":{}}', -32601, 'a'],
    ['an empty method', '{"jsonrpc":"2.0","id":1,"method":""}', -32601, 1],
    ['a method of MCP', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', -32601, 1],
    ['params that are a list', '{"jsonrpc":"2.0","id":1.5,"method":"GetTask","params":[]}', -32602, 1.5],
    ['params that are a text', '{"jsonrpc":"2.0","id":1,"method":"message/send","params":"x"}', -32602, 1],
    ['no params', '{"jsonrpc":"2.0","id":1,"method":"message/send"}', -32602, 1],
]) {
    test(`${name}: ${code}`, async () => {
        fault(await raw(body), code, id);
        await untouched();
    });
}

// ---------------------------------------------------------------- HTTP

test('HTTP’s own refusals', async () => {
    const call = `{"jsonrpc":"2.0","id":9,${CALL}}`;
    for (const method of ['GET', 'PUT', 'DELETE', 'HEAD', 'PATCH']) {
        const { status, headers } = await send(method, '/a2a', { key });
        assert.deepEqual([status, headers.allow], [405, 'POST, OPTIONS'], method);
    }
    fault(await raw(call, { 'content-type': 'text/plain' }), -32600, null, 415);
    fault(await raw(`{"jsonrpc":"2.0","id":9,"x":"${'x'.repeat(70_000)}"}`), -32600, null, 413);
    for (const wrong of [undefined, 'svc_sk_no', `svc_sk_${'a'.repeat(40)}`, `${key}x`]) {
        const answer = await send('POST', '/a2a', { key: wrong, body: call, headers: json });
        assert.equal(fault(answer, -31401, 9, 401).message, 'Invalid or missing API key');
        assert.match(answer.headers['www-authenticate'], /^Bearer /);
    }
    // A client without a key learns no more.
    fault(await send('POST', '/a2a', { body: '{', headers: json }), -31401, null, 401);
    const options = await send('OPTIONS', '/a2a');
    assert.equal(options.status, 204);
    assert.match(options.headers['access-control-allow-headers'], /A2A-Version/);
    const { headers } = await raw(call.replace('SendMessage', 'ListTasks'));
    assert.match(headers['content-type'], /^application\/json\b/);
    assert.ok(headers['x-ratelimit-remaining'] !== undefined && headers['x-request-id'] !== undefined);
    assert.equal(headers['cache-control'], 'no-store');
    await untouched();
});

test('a deactivated key works nowhere', async () => {
    const other = await register();
    const a2a = new A2A(other);
    a2a.is(await a2a.call('deactivate_me'), 'completed');
    const { data: [{ reason, metadata }] } = fault(await a2a.post('send', { message: a2a.message([{ data: { operation: 'get_me' } }]) }), -31401, 1, 401);
    assert.equal(reason, 'AGENT_INACTIVE');
    assert.match(metadata.hint, /POST \/reactivate/);
    fault(await a2a.post('list', {}), -31401, 1, 401);
    granted(await other.post('/reactivate'));
    assert.equal(result(await a2a.post('list', {})).totalSize, 1);
});

test('versions', async () => {
    const ask = (headers, query) => post({ key, method: 'ListTasks', params: {}, headers, query });
    for (const version of ['', '0.3', '0.3.0', '1.0', '1', '1.2']) {
        result(await ask({ 'a2a-version': version }));
        result(await ask({}, `?A2A-Version=${version}`));
    }
    for (const version of ['2.0', '0.2', '10', 'x']) {
        const error = fault(await ask({ 'a2a-version': version }), -32009);
        assert.equal(error.data[0].reason, 'VERSION_NOT_SUPPORTED');
        fault(await ask({}, `?A2A-Version=${version}`), -32009);
    }
    // What the method’s name says counts, with or without the header.
    result(await post({ key, method: 'tasks/list', params: {}, headers: { 'a2a-version': '1.0' } }));
});

// ---------------------------------------------------------------- messages

const TEXT = [{ text: 'chains' }];
const CREATE = [{ data: { operation: 'create_wallet' } }];

for (const version of Object.keys(DIALECTS)) {
    const a2a = new A2A(agent, version);
    const message = (more) => ({ message: { ...a2a.message(CREATE), ...more } });
    for (const [name, params, code = -32602] of [
        ['no message', {}],
        ['a message that is a text', { message: 'swap' }],
        ['no messageId', message({ messageId: undefined })],
        ['an empty messageId', message({ messageId: '' })],
        ['a messageId that is a number', message({ messageId: 5 })],
        ['a messageId with a control character', message({ messageId: 'a\u0007b' })],
        ['a messageId that turns the text around', message({ messageId: 'a\u202eb' })],
        ['a messageId without end', message({ messageId: 'x'.repeat(129) })],
        ['a contextId with a line break', message({ contextId: 'a\nb' })],
        ['a contextId that is an object', message({ contextId: {} })],
        ['a taskId that is a list', message({ taskId: [] })],
        ['no role', message({ role: undefined })],
        ['the agent’s role', message({ role: version === '1.0' ? 'ROLE_AGENT' : 'agent' })],
        ['no parts', message({ parts: undefined })],
        ['empty parts', message({ parts: [] })],
        ['parts that are an object', message({ parts: { text: 'x' } })],
        ['a part that is null', message({ parts: [null] })],
        ['an empty part', message({ parts: [{}] })],
        ['a part that is two', message({ parts: [{ text: 'x', data: { operation: 'create_wallet' } }] })],
        ['a text that is a number', message({ parts: [{ text: 7 }] })],
        ['a data part without an operation', message({ parts: [{ data: {} }] })],
        ['an unknown operation', message({ parts: [{ data: { operation: '../wallets' } }] })],
        ['an operation in other letters', message({ parts: [{ data: { operation: 'CREATE_WALLET' } }] })],
        ['arguments that are a list', message({ parts: [{ data: { operation: 'create_wallet', arguments: [] } }] })],
        ['two operations', message({ parts: [...CREATE, ...CREATE] })],
        ['a text and a file', message({ parts: [...TEXT, { file: { uri: 'https://a.example/' } }] }), -32005],
        ['a file', message({ parts: [{ kind: 'file', file: { bytes: 'AA==' } }] }), -32005],
        ['a url', message({ parts: [{ url: 'https://a.example/' }] }), -32005],
        ['raw bytes', message({ parts: [{ raw: 'AA==' }] }), -32005],
        ['a task that is not there', message({ taskId: randomUUID() }), -32001],
        ['a task with an id of another kind', message({ taskId: '1+OR+1=1' }), -32001],
        ['a negative history', { ...message(), configuration: { historyLength: -1 } }],
        ['a history of words', { ...message(), configuration: { historyLength: 'all' } }],
        ['waiting that is no flag', { ...message(), configuration: { [version === '1.0' ? 'returnImmediately' : 'blocking']: 'yes' } }],
        ['a configuration that is a list', { ...message(), configuration: [] }],
    ]) {
        test(`${version}: ${name}: ${code}`, async () => {
            const answer = await a2a.post('send', params);
            const error = fault(answer, code);
            if (version === '0.3') assert.equal(error.data, undefined);
            else assert.ok(Array.isArray(error.data) && error.data.every((each) => each['@type'].startsWith('type.googleapis.com/google.rpc.')), show(answer));
            // What was sent is not repeated.
            assert.doesNotMatch(answer.text, /\\u202e|‮|\\u0007|xxxx|CREATE_WALLET|1\+OR/);
            await untouched();
        });
    }

    for (const [method, params, code = -32602] of [
        ['get', {}], ['get', { id: 5 }], ['get', { id: '' }], ['get', { id: 'x\n' }], ['get', { id: 'x' }, -32001],
        ['get', { id: randomUUID(), historyLength: -1 }], ['cancel', {}], ['cancel', { id: 'x' }, -32001],
        ['pushGet', {}], ['pushList', {}], ['pushDelete', {}], ['pushSet', {}],
    ]) {
        test(`${version}: ${method} of ${JSON.stringify(params)}: ${code}`, async () => {
            fault(await a2a.post(method, params), code);
        });
    }
}

// ---------------------------------------------------------------- limits

test('one rate limit for all protocols; a message refused for it may be sent again', async () => {
    const gateway = await startGateway(['tier.standard = 8', 'register_per_minute = 1', 'trusted_proxies = 127.0.0.1', 'a2a_wait_ms = 0']);
    after(() => gateway.stop());
    const { base } = gateway;
    const from = { headers: { 'x-forwarded-for': '198.51.100.7' } };
    const a2a = new A2A(await register());
    const ask = (parts, more) => a2a.post('send', { message: a2a.message(parts, more) }, { base, ...from });
    const sentence = [{ text: 'Quote 1 ETH to USDC on base' }];
    // A sentence runs two operations or more, and is one request.
    for (let left = 7; left >= 5; left--) {
        const { headers } = await ask(sentence);
        assert.equal(headers['x-ratelimit-remaining'], String(left));
    }
    granted(await a2a.agent.send('GET', '/me', { base }));

    // Registration is limited by address, with an agent's key too.
    const messageId = randomUUID();
    const another = [{ data: { operation: 'register_agent', arguments: { name: 'another' } } }];
    result(await ask(another));
    const refusal = await ask(another, { messageId });
    fault(refusal, -31429, 1, 429);
    assert.ok(Number(refusal.headers['retry-after']) >= 1);
    const elsewhere = await a2a.post('send', { message: a2a.message(another, { messageId }) }, { base, headers: { 'x-forwarded-for': '198.51.100.8' } });
    a2a.is(a2a.words.sent(result(elsewhere)), 'completed');

    result(await a2a.post('list', {}, { base, ...from }));
    const last = await a2a.post('list', {}, { base, ...from, id: 'last' });
    assert.equal(fault(last, -31429, 'last', 429).message, 'Rate limit exceeded');
    assert.ok(Number(last.headers['retry-after']) >= 1);
});

test('one test event of an agent waits for its receiver; a refused one may be sent again', async () => {
    const gateway = await startGateway(['tier.standard = 100']);
    after(() => gateway.stop());
    let release;
    const released = new Promise((resolve) => { release = resolve; });
    const hook = await receiver(() => released.then(() => 200));
    const a2a = new A2A(await register());
    await a2a.agent.listen(hook.url);
    const ask = (messageId) => a2a.post('send', { message: a2a.message([{ data: { operation: 'test_webhook' } }], { messageId }) }, { base: gateway.base });
    const waiting = ask(randomUUID());
    await until('it to wait', () => hook.deliveries.length === 1);
    const messageId = randomUUID();
    const refusal = await ask(messageId);
    fault(refusal, -31429, 1, 429);
    assert.equal(refusal.headers['retry-after'], '1');
    assert.equal(result(await a2a.post('list', {})).totalSize, 1);
    release();
    for (const answer of [await waiting, await ask(messageId)]) a2a.is(a2a.words.sent(result(answer)), 'completed');
    assert.equal(hook.deliveries.length, 2);
    hook.close();
});
