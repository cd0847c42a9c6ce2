// Section: api
// What a few free accounts, or addresses without any, can take from the others: places, a provider's rate, the log, the database's
// room. The gateway has the limits of production, and clients whose addresses a trusted proxy names.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
    API, granted, readiness, refused, send, stackSettings, until,
} from './lib.mjs';
import { startGateway } from './gateway.mjs';
import { agentctl } from '../jobs/lib.mjs';

const EXCEEDED = 'Rate limit exceeded';
const SETTINGS = ['trusted_proxies = 127.0.0.1', 'public_per_minute = 30', 'register_per_minute = 100', 'register_per_day = 4', 'quotes_per_day = 6',
    'quotes_per_day_untraded = 3', 'untraded_percent = 10', 'metrics_from = 127.0.0.1, 203.0.113.9', 'operator_from = 127.0.0.1'];
const gateway = await startGateway(SETTINGS);
after(() => gateway.stop());
const { base } = gateway;

let addresses = 0;
const newAddress = () => `198.18.${(addresses += 1) >> 8}.${addresses & 255}`;
const ask = (method, path, { from = newAddress(), headers, ...options } = {}) => send(method, path, { base, patient: false, mayBreak: true, headers: { 'x-forwarded-for': from, ...headers }, ...options });
const register = async (more = {}) => granted(await ask('POST', `${API}/register`, { json: { name: 'interfaces', ...more } })).agent;
const quote = (key) => ask('POST', `${API}/quote`, { key, json: { from_token: 'ETH', to_token: 'USDC', amount: '0.01' } });
const lines = (pattern) => readFileSync(gateway.log, 'utf8').split('\n').filter((line) => pattern.test(line));

/** A receiver that takes connections and says nothing. */
async function silentReceiver() {
    const sockets = [];
    const server = createServer((socket) => { sockets.push(socket); socket.on('error', () => {}); }).listen(0, '127.0.0.1');
    await new Promise((resolve) => { server.on('listening', resolve); });
    return { sockets, url: `http://127.0.0.1:${server.address().port}/`, close: () => { server.close(); sockets.forEach((socket) => socket.destroy()); } };
}

test('receivers that take a test and never answer hold no place of quotes, for however many accounts', async () => {
    const receiver = await silentReceiver();
    try {
        const others = [];
        for (let i = 0; i < 4; i++) others.push(await register({ callback_url: receiver.url }));
        const tests = others.flatMap(({ api_key: key }) => Array.from({ length: 3 }, () => ask('POST', `${API}/webhooks/test`, { key })));
        await until('a receiver to be waited for', () => receiver.sockets.length > 0);
        for (let i = 0; i < 3; i++) {
            const { api_key: key } = await register();
            granted(await quote(key));
        }
        assert.ok(receiver.sockets.some((socket) => !socket.destroyed), 'it is still waited for');
        receiver.sockets.forEach((socket) => socket.destroy());
        const answers = await Promise.all(tests);
        const refusals = answers.filter(({ status }) => status === 429);
        assert.ok(refusals.length >= others.length * 2, `${refusals.length} refused: one of an agent at a time`);
        for (const refusal of refusals) assert.ok(Number(refusal.headers['retry-after']) > 0);
    } finally {
        receiver.close();
    }
});

test('an address registers so many agents a day', async () => {
    const from = newAddress();
    for (let i = 0; i < 4; i++) granted(await ask('POST', `${API}/register`, { from, json: { name: 'one of many' } }));
    const refusal = await ask('POST', `${API}/register`, { from, json: { name: 'too many' } });
    refused(refusal, EXCEEDED);
    assert.ok(Number(refusal.headers['retry-after']) > 60 * 60, 'hours');
    await register();
});

test('quotes are counted, and an agent that has not traded gets fewer', async () => {
    const { api_key: key } = await register();
    for (let i = 0; i < 3; i++) granted(await quote(key));
    const refusal = await quote(key);
    refused(refusal, EXCEEDED);
    assert.match(refusal.body.hint, /not traded yet/);
    assert.ok(Number(refusal.headers['retry-after']) > 60 * 60);
    const { api_key: another } = await register();
    granted(await quote(another));
});

test('refusals without a key are limited by address, and the log has so many lines for a network', async () => {
    const from = newAddress();
    const statuses = [];
    for (let i = 0; i < 40; i++) statuses.push((await ask('GET', `/nothing/here/${i}`, { from })).status);
    assert.deepEqual([...new Set(statuses)], [404, 429]);
    assert.ok(statuses.filter((status) => status === 404).length <= 31, statuses.join(' '));
    for (const [method, path, more] of [['PUT', `${API}/me`, {}], ['POST', '/mcp', { body: 'no json', headers: { 'content-type': 'application/json' } }]])
        assert.equal((await ask(method, path, { from, ...more, headers: { ...more.headers, 'x-forwarded-for': from } })).status, 429, path);
    // 200 addresses of one network, each within its own limit.
    for (let i = 0; i < 200; i++) await ask('GET', '/flood', { from: `192.0.2.${i}` });
    const told = lines(/event=request .*\/flood/).length;
    assert.ok(told > 0 && told <= 61, `${told} lines`);
    await until('a line with the rest', () => lines(/event=requests_not_told/).length > 0);
    assert.equal((await ask('GET', '/flood', { from: '192.0.3.1' })).status, 404);
    await until('a line of another network', () => lines(/event=request .*\/flood/).length > told);
});

test('spellings of X-Forwarded-For that differ name no client, and neither does a proxy without one', async () => {
    const metrics = (headers) => send('GET', '/metrics', { base, headers });
    assert.equal((await metrics({ 'x-forwarded-for': '203.0.113.9' })).status, 200);
    refused(await metrics({}), 'Not found');
    refused(await metrics({ x_forwarded_for: '203.0.113.9', 'x-forwarded-for': '198.51.100.1' }), 'Not found');
    refused(await metrics({ x_forwarded_for: '198.51.100.1', 'x-forwarded-for': '203.0.113.9' }), 'Not found');
    refused(await send('GET', '/v1/operator/token', { base, headers: { x_forwarded_for: '127.0.0.1', 'x-forwarded-for': '198.51.100.1' } }), 'Not found');
    refused(await send('GET', '/v1/operator/token', { base }), 'Not found');
    const from = newAddress();
    const statuses = [];
    for (let i = 0; i < 40; i++) statuses.push((await send('GET', '/nothing', { base, headers: { x_forwarded_for: `198.51.100.${i}`, 'x-forwarded-for': from } })).status);
    assert.ok(statuses.includes(429), 'they count as one');
});

test('two spellings of Idempotency-Key that differ are no key', async () => {
    const { api_key: key } = await register();
    refused(await ask('POST', `${API}/webhooks/test`, { key, headers: { idempotency_key: 'one', 'idempotency-key': 'two' } }), 'Idempotency-Key must have 1 to 255 characters');
});

/** Over HTTP/2, with or without the length of the body. */
async function http2(path, key, body, length) {
    const client = connect(base);
    const stream = client.request({
        ':method': 'POST', ':path': path, authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-forwarded-for': newAddress(), ...(length && { 'content-length': Buffer.byteLength(body) }),
    });
    const parts = [];
    stream.on('data', (part) => parts.push(part));
    stream.end(body);
    const [headers] = await once(stream, 'response');
    await once(stream, 'close');
    client.close();
    return { status: headers[':status'], body: JSON.parse(Buffer.concat(parts).toString('utf8')) };
}

test('HTTP/2 without Content-Length is never taken for a request without a body', async () => {
    const { api_key: key } = await register();
    const asked = '{"chain_type":"solana"}';
    const refusal = await http2(`${API}/wallets`, key, asked, false);
    assert.deepEqual([refusal.status, refusal.body.error_code], [411, 'LENGTH_REQUIRED']);
    const made = await http2(`${API}/wallets`, key, asked, true);
    assert.deepEqual([made.status, made.body.wallet.chain_type], [201, 'solana']);
});

const batch = (messages, key) => ask('POST', '/mcp', { key, json: messages.map((message, id) => ({ jsonrpc: '2.0', id, ...message })), headers: { 'mcp-protocol-version': '2025-03-26' } });
const read = { method: 'resources/read', params: { uri: `${base}${API}/openapi` } };

test('a batch answers what has no room before it is done', async () => {
    const { api_key: key } = await register();
    const made = { method: 'tools/call', params: { name: 'create_wallet', arguments: {} } };
    const { status, body } = await batch([made, ...Array(8).fill(read), made, made], key);
    assert.equal(status, 200);
    assert.equal(body.length, 11, 'each has its answer');
    assert.ok(body[0].result.structuredContent.success);
    const full = body.filter(({ error }) => /nothing was done/.test(error?.message));
    assert.ok(full.length >= 2 && full.some(({ id }) => id === 10), JSON.stringify(body.map(({ error }) => error)));
    const { wallets } = granted(await ask('GET', `${API}/wallets`, { key }));
    assert.equal(wallets.length, 1, 'what was refused was not done');
});

test('documents are not read in batches without a key', async () => {
    const { body } = await batch([read, { method: 'ping' }]);
    assert.match(body[0].error.message, /Without an API key/);
    assert.deepEqual(body[1].result, {});
    const { body: bogus } = await batch([read], `svc_sk_${'a'.repeat(43)}`);
    assert.match(bogus[0].error.message, /Without an API key/);
});

test('/readyz is looked up once a second, however many ask', async () => {
    const served = async () => {
        const { text } = await send('GET', '/metrics', { base, headers: { 'x-forwarded-for': '203.0.113.9' } });
        return Number(/^gateway_readiness_looks_total (\d+)$/m.exec(text)[1]);
    };
    const before = await served();
    for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 20 }, () => send('GET', '/readyz', { base })));
    await readiness({ base }); // a later look, so that there is one
    const looks = await served() - before;
    assert.ok(looks >= 1 && looks < 100, `${looks} looks for 200 calls and more`);
});

test('below the floor of free disk nothing new is stored, and what exists goes on', async () => {
    const full = await startGateway(['disk_free_min = 1000000', 'untraded_percent = 100'], { wait: false });
    try {
        const { api_key: key } = await register();
        const at = (method, path, json) => send(method, API + path, { base: full.base, key, json, mayBreak: true });
        await until('the disk to be looked at', async () => (await at('POST', '/register', { name: 'late' })).status === 503);
        for (const [path, json] of [['/register', { name: 'late' }], ['/wallets', {}], ['/quote', { from_token: 'ETH', to_token: 'USDC', amount: '0.01' }]]) {
            const refusal = await at('POST', path, json);
            refused(refusal, 'Service unavailable');
            assert.ok(Number(refusal.headers['retry-after']) > 0);
        }
        const { status, body } = await readiness({ base: full.base });
        assert.deepEqual([status, body.checks.room, body.checks.database_writes], [503, false, true]);
        granted(await at('GET', '/me'));
        assert.equal((await at('POST', '/wallets/withdraw', { chain: 'ethereum', token: 'ETH', amount: '1', address_id: 1 })).status, 404, 'asked, and refused for another reason');
        assert.match(readFileSync(full.log, 'utf8'), /event=disk_low /);
        const check = await agentctl('-c', join(full.directory, 'gateway.conf'), 'check');
        assert.ok(check.code > 0);
        assert.match(check.out, /room: less than disk_free_min: [^;]*directory=\//);
    } finally {
        await full.stop();
    }
});

test('a job that dies is started again by its parent, and ends with it', async () => {
    const stack = await stackSettings();
    const program = spawn(join(process.env.GATEWAY_BESIDE_BIN ?? stack.GATEWAY_BIN, 'jobs', 'quote-expire'), ['-c', join(gateway.directory, 'gateway.conf'), '--for', '600', '--again'], {
        env: { ...process.env, ...stack, GATEWAY_RUN: gateway.directory, GATEWAY_LOG: join(gateway.directory, 'log') }, stdio: 'ignore',
    });
    const child = () => Number(readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, 'utf8').trim());
    try {
        const first = await until('a child', child);
        process.kill(first, 'SIGKILL');
        const next = await until('another child', () => child() !== first && child());
        program.kill('SIGKILL');
        await once(program, 'exit');
        await until('the child to end too', () => { try { process.kill(next, 0); return false; } catch { return true; } });
    } finally {
        program.kill('SIGKILL');
    }
});
