// Section: api
// Which socket of the gateway's the web servers ask: calls that may wait have one, calls that never wait another.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
    chmodSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { outdated, rows } from '../split.mjs';
import {
    API, ROOT, register, send, stackSettings, until,
} from './lib.mjs';
import { freePort } from './ports.mjs';

const stack = await stackSettings();
const ROWS = rows();

/** Answers every FastCGI request with its name (the protocol's section 8: records with a header of 8 bytes). */
function responder(path, name) {
    const END_REQUEST = 3, STDIN = 5, STDOUT = 6;
    const record = (type, body) => Buffer.concat([Buffer.from([1, type, 0, 1, 0, body.length, 0, 0]), body]);
    const answer = Buffer.concat([
        record(STDOUT, Buffer.from(`Status: 200 OK\r\nContent-Type: text/plain\r\nX-Socket: ${name}\r\n\r\n`)),
        record(STDOUT, Buffer.alloc(0)), record(END_REQUEST, Buffer.alloc(8)),
    ]);
    const server = createServer((socket) => {
        let bytes = Buffer.alloc(0);
        socket.on('error', () => {});
        socket.on('data', (part) => {
            bytes = Buffer.concat([bytes, part]);
            for (let whole; bytes.length >= 8 && bytes.length >= (whole = 8 + bytes.readUInt16BE(4) + bytes[6]); bytes = bytes.subarray(whole)) {
                if (bytes[1] === STDIN && bytes.readUInt16BE(4) === 0) socket.end(answer);
            }
        });
    });
    server.listen(path);
    server.unref();
    return once(server, 'listening').then(() => chmodSync(path, 0o666));
}

/** A web server of its own in front of the sockets that `furnish` puts into its directory. */
async function startWeb(web, furnish) {
    const port = await freePort();
    const directory = mkdtempSync('/tmp/agent-gateway-split.');
    chmodSync(directory, 0o711);
    mkdirSync(join(directory, 'log'));
    await furnish(directory);
    const log = openSync(join(stack.GATEWAY_LOG, `split-${web}.log`), 'a');
    const [program, ...args] = { lighttpd: ['lighttpd', '-D', '-f'], apache: ['apache2', '-D', 'FOREGROUND', '-f'] }[web];
    const server = spawn(program, [...args, `${ROOT}conf/${web}-alone.conf`], {
        env: { ...process.env, ...stack, GATEWAY_PORT: String(port), GATEWAY_RUN: directory, GATEWAY_CONF_DIR: `${ROOT}conf`, GATEWAY_LOG: join(directory, 'log'), AGENT_GATEWAY_STACK: stack.GATEWAY_VAR },
        stdio: ['ignore', log, log],
    });
    after(async () => {
        server.kill();
        if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
        rmSync(directory, { recursive: true, force: true });
    });
    const base = `http://127.0.0.1:${port}`;
    await until(`${web} on port ${port}`, () => send('GET', '/healthz', { base, mayBreak: true }).then(({ status }) => status !== 503, () => false));
    return base;
}

test('the configurations have the paths of the endpoint table', () => {
    assert.deepEqual(outdated().map(([name]) => name), [], 'run node tests/split.mjs');
    assert.ok(ROWS.some(({ waits }) => waits) && ROWS.some(({ waits }) => !waits));
});

for (const web of ['lighttpd', 'apache']) {
    const base = await startWeb(web, (directory) => Promise.all([
        responder(join(directory, 'gateway.sock'), 'any'), responder(join(directory, 'fast.sock'), 'fast'),
    ]));
    // What bears an id is never a file's.
    const asked = async (method, path, json) => {
        const answer = await fetch(base + path, { method, body: json && JSON.stringify(json), headers: { 'x-request-id': 'split-1' } });
        await answer.text();
        return answer.headers.get('x-socket');
    };

    for (const { method, path, waits } of ROWS) {
        test(`${web} asks the right workers: ${method} ${path}`, async () => {
            const url = path.replace(/\{.*\}/, '8f14e45f-ceea-4e7f-a9c6-1d2b3c4d5e6f');
            const json = method === 'POST' || method === 'PATCH' ? {} : undefined;
            assert.equal(await asked(method, url, json), waits ? 'any' : 'fast');
            assert.equal(await asked(method, `${url}?a=b&c=%2F`, json), waits ? 'any' : 'fast');
            if (method === 'GET') assert.equal(await asked('HEAD', url), waits ? 'any' : 'fast');
            assert.equal(await asked('OPTIONS', url), 'fast');
        });
    }

    test(`${web} asks those who may wait about everything else`, async () => {
        for (const [method, path] of [
            ['GET', '/nothing'], ['GET', `${API}/me/`], ['GET', `${API}/me/x`], ['GET', `/x${API}/me`], ['POST', `${API}/me`],
            ['GET', `${API}/quote`], ['DELETE', `${API}/me`], ['GET', `${API}/swap/status/`], ['GET', `${API}/swap/status/a%20b`], ['GET', `${API}/swap/status/1%2f2`],
            ['GET', `${API}/ME`], ['PUT', `${API}/me`],
        ]) assert.equal(await asked(method, path), 'any', `${method} ${path}`);
    });
}

test('when all requests come to the fast workers, they refuse those that may wait and answer the rest', async () => {
    const base = await startWeb('lighttpd', (directory) => {
        for (const name of ['gateway.sock', 'fast.sock']) symlinkSync(join(stack.GATEWAY_RUN, 'fast.sock'), join(directory, name));
    });
    const agent = await register();
    const ask = (method, path, json) => send(method, path, { base, key: agent.key, json, mayBreak: true });
    for (const [path, json] of [[`${API}/quote`, { from_token: 'ETH', to_token: 'USDC', amount: '1' }], [`${API}/execute`, { command: 'quote 1 ETH to USDC' }]]) {
        const { status, body } = await ask('POST', path, json);
        assert.deepEqual([status, body.error, body.error_code], [500, 'Internal server error', 'INTERNAL_ERROR']);
    }
    assert.equal((await ask('GET', `${API}/me`)).status, 200);
    assert.equal((await ask('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' })).status, 500);
});

test('when all requests come to the workers that may wait, they answer all', async () => {
    const base = await startWeb('lighttpd', (directory) => {
        for (const name of ['gateway.sock', 'fast.sock']) symlinkSync(join(stack.GATEWAY_RUN, 'gateway.sock'), join(directory, name));
    });
    const agent = await register();
    assert.equal((await send('GET', `${API}/me`, { base, key: agent.key })).status, 200);
    assert.equal((await send('POST', `${API}/quote`, { base, key: agent.key, json: { from_token: 'ETH', to_token: 'USDC', amount: '0.1' } })).status, 200);
});
