// Section: jobs
// What hosts offer who give no root: fcgi/gateway.cgi, where only CGI programs are allowed, behind an Apache by the .htaccess
// that gateway-setup --cgi writes; and the .htaccess for those that let Apache connect to the gateway. Slow clients behind each.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
    chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startGateway } from '../api/gateway.mjs';
import {
    API, API_KEY, ROOT, granted, register, send, until,
} from '../api/lib.mjs';
import { freePort } from '../api/ports.mjs';
import { request as requestOf } from '../api/raw.mjs';
import { enough } from '../patience.mjs';
import { settings, withoutBlocks } from './lib.mjs';

const stack = settings();
const BODY_MAX = 64 * 1024;
const MODULES = ['mpm_event', 'authz_core', 'dir', 'mime', 'rewrite', 'headers', 'cgid', 'proxy', 'proxy_fcgi', 'env', 'buffer'];
const BY_SOCKET = '/by-socket'; // a folder whose .htaccess passes requests to the socket

const directory = mkdtempSync('/tmp/agent-gateway-cgi.');
chmodSync(directory, 0o711);
const RELAY = join(directory, 'gateway.cgi'); // beside the tree, which Apache's user may not be able to enter
copyFileSync(join(stack.GATEWAY_BIN, 'fcgi', 'gateway.cgi'), RELAY);
chmodSync(RELAY, 0o755);
const gateway = await startGateway();
const socket = join(gateway.directory, 'gateway.sock');

/** The console, as gateway-setup puts it into a folder. */
function putConsole(folder) {
    cpSync(`${ROOT}contrib/console`, join(folder, 'console'), { recursive: true });
    copyFileSync(`${ROOT}conf/htaccess-console`, join(folder, 'console', '.htaccess'));
}

function passBySocket(folder) {
    mkdirSync(folder);
    writeFileSync(join(folder, '.htaccess'), readFileSync(`${ROOT}conf/htaccess`, 'utf8').replaceAll('/run/agent-gateway/gateway.sock', socket));
    putConsole(folder);
}

/** A web server that passes what comes below its root on by CGI. */
async function startWeb() {
    const [port, other] = [await freePort(), await freePort()];
    const pages = join(directory, 'pages');
    mkdirSync(pages);
    copyFileSync(`${ROOT}conf/htaccess-cgi`, join(pages, '.htaccess'));
    writeFileSync(join(pages, 'gateway.cgi'), `#!/bin/sh\nexec ${RELAY} ${socket}\n`);
    chmodSync(join(pages, 'gateway.cgi'), 0o755);
    putConsole(pages);
    passBySocket(pages + BY_SOCKET);
    execFileSync('chmod', ['-R', 'a+rX', pages]); // the tree may have been checked out with a mask that closes it
    writeFileSync(join(directory, 'apache.conf'), [
        'ServerRoot "/usr/lib/apache2"', 'ServerName 127.0.0.1', `Listen 127.0.0.1:${port}`, `Listen 127.0.0.1:${other}`,
        `DefaultRuntimeDir "${directory}"`, `PidFile "${directory}/apache.pid"`, `ErrorLog "${directory}/apache.log"`, `ScriptSock "${directory}/cgid"`,
        ...MODULES.map((name) => `LoadModule ${name}_module modules/mod_${name}.so`),
        'TypesConfig /dev/null', `User ${stack.GATEWAY_WEB_USER}`, `Group ${stack.GATEWAY_WEB_GROUP}`,
        `DocumentRoot "${pages}"`, `<Directory "${pages}">`, 'AllowOverride FileInfo AuthConfig Indexes Options', 'Require all granted', '</Directory>',
        `<VirtualHost 127.0.0.1:${other}>`, `DocumentRoot "${pages}${BY_SOCKET}"`, '</VirtualHost>', '',
    ].join('\n'));
    const web = spawn('apache2', ['-D', 'FOREGROUND', '-f', join(directory, 'apache.conf')], { stdio: ['ignore', 'inherit', 'inherit'] });
    const base = `http://127.0.0.1:${port}`;
    await until('Apache', () => send('GET', '/healthz', { base, mayBreak: true }).then(({ status }) => status === 200, () => false));
    return { base, bySocket: `http://127.0.0.1:${other}`, web };
}

const { base, bySocket, web } = await startWeb();

after(async () => {
    web.kill();
    await Promise.all([once(web, 'exit'), gateway.stop()]);
    rmSync(directory, { recursive: true, force: true });
});

/** A body that is announced by no length. */
async function sendInChunks(path, parts) {
    const asked = request(base + path, { method: 'POST', headers: { 'content-type': 'application/json' } });
    for (const part of parts) asked.write(part);
    asked.end();
    const [answer] = await once(asked, 'response');
    return { status: answer.statusCode, body: JSON.parse(await text(answer)) };
}

/** What is answered on a connection of its own: one that was kept may end just when it is used again. */
async function answerTo(method, url, json) {
    const body = json && JSON.stringify(json);
    const asked = request(url, { method, agent: false, headers: body && { 'content-type': 'application/json', 'content-length': body.length } });
    asked.end(body);
    const [answer] = await once(asked, 'response');
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(await text(answer)) };
}

/** What the relay makes of a request that a web server would hand it. */
async function relay(body, length, to = socket) {
    const program = spawn(RELAY, [to], {
        env: { PATH: process.env.PATH, REQUEST_METHOD: 'POST', REQUEST_URI: `${API}/register`, CONTENT_TYPE: 'application/json', CONTENT_LENGTH: String(length) },
        stdio: ['pipe', 'pipe', 'inherit'],
    });
    program.stdin.end(body);
    return text(program.stdout);
}

test('an agent registers, and its key gets through', async () => {
    const { agent } = granted(await send('POST', `${API}/register`, { base, json: { name: 'by CGI' } }));
    assert.match(agent.api_key, API_KEY);
    const ask = (where) => send('GET', `${API}/me?_x=%2F&_y=1`, { base: where, key: agent.api_key });
    for (const where of [base, gateway.base]) assert.equal(granted(await ask(where)).agent.id, agent.id);
    assert.equal((await send('GET', `${API}/me`, { base, key: `${agent.api_key}x` })).status, 401);
});

test('a large answer comes whole, compressed or not, and only if the client lacks it', async () => {
    const path = `${API}/openapi`;
    const answer = await send('GET', path, { base });
    assert.ok(answer.text.length > 2 * 65535, 'more than one record holds');
    assert.equal(answer.text, (await send('GET', path, { base: gateway.base })).text);
    const zipped = await fetch(base + path, { headers: { 'accept-encoding': 'gzip' } });
    assert.equal(zipped.headers.get('content-encoding'), 'gzip');
    assert.equal(await zipped.text(), answer.text);
    assert.equal((await send('GET', path, { base, headers: { 'if-none-match': answer.headers.etag } })).status, 304);
});

for (const [how, folder] of [['by CGI', ''], ['by the socket', BY_SOCKET]]) {
    test(`browsers get the console, and no other clients: ${how}`, async () => {
        const page = (path, accept) => fetch(base + folder + path, { headers: { accept } });
        const file = (name) => readFileSync(`${ROOT}contrib/console/${name}`, 'utf8');
        for (const [path, name, type] of [['/', 'front.html', 'text/html'], ['/console/', 'index.html', 'text/html'], ['/console/app.js', 'app.js', 'text/javascript'], ['/console/style.css', 'style.css', 'text/css']]) {
            const answer = await page(path, 'text/html');
            assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, `${type}; charset=utf-8`], path);
            assert.match(answer.headers.get('content-security-policy'), /^default-src 'none'; script-src 'self';/);
            assert.equal(await answer.text(), file(name), path);
        }
        const other = await page('/', 'application/json');
        assert.doesNotMatch(await other.text(), /<html/);
    });
}

test('a call that waits is answered at once: it would occupy a program of the host', async () => {
    const agent = await register();
    agent.base = base;
    await agent.wallet('base', 5);
    const { quote_id: quote } = await agent.quote('ETH', 'USDC', '0.01', { chain: 'base' });
    await withoutBlocks('base', async () => {
        const begins = Date.now();
        const swap = granted(await agent.post('/swap/execute', { quote_id: quote, wait: 30 }));
        assert.match(swap.status, /^(pending|submitted)$/);
        granted(await agent.get(`/swap/status/${swap.swap_id}?wait=30`));
        assert.ok(Date.now() - begins < 25_000);
    });
});

test('HEAD gets the headers of GET alone', async () => {
    for (const path of ['/healthz', `${API}/openapi`, '/nothing']) {
        const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => send(method, path, { base })));
        assert.equal(head.text, '', path);
        assert.deepEqual([head.status, head.headers['content-type']], [get.status, get.headers['content-type']]);
    }
});

test('a body arrives as it is, up to the largest', async () => {
    const padded = (n) => { const json = JSON.stringify({ name: 'padded' }); return json + ' '.repeat(n - json.length); };
    const post = (body) => send('POST', `${API}/register`, { base, body, headers: { 'content-type': 'application/json' } });
    granted(await post(padded(BODY_MAX)));
    assert.equal((await post(padded(BODY_MAX + 1))).status, 413);
    assert.equal((await post(padded(20 * BODY_MAX))).status, 413);
    assert.equal((await sendInChunks(`${API}/register`, ['{"name":', '"in parts"}'])).body.agent.name, 'in parts');
});

test('a body that breaks off is no request', async () => {
    const json = JSON.stringify({ name: 'broken off' });
    assert.match(await relay(json, json.length), /"name":"broken off"/);
    assert.doesNotMatch(await relay(json, json.length + 1), /"success":true/);
    assert.doesNotMatch(await gateway.agentctl('list'), /broken off[^]*broken off/, 'one alone is there');
});

// ---------------------------------------------------------------- slow clients

const SLOW = 12; // of either kind are fewer than of these, and as many wait then as are served
const apache = await startGateway([], { web: 'apache' });
after(() => apache.stop());

/** So many at once, each with that request. */
async function slowClients(url, mode, bytes) {
    const program = spawn('python3', [`${ROOT}tests/api/slow-clients.py`, new URL(url).port, String(SLOW), mode], { stdio: ['pipe', 'pipe', 'inherit'] });
    program.stdin.end(bytes);
    await once(program.stdout, 'data');
    return program;
}

const JSON_TYPE = 'Content-Type: application/json', BODY_S = 600;
const withBody = (path, key, body) => requestOf('POST', path, [`Authorization: Bearer ${key}`, JSON_TYPE, 'Accept: application/json', `Content-Length: ${body.length}`], body);
const reading = (uri) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });

/** By the two sockets that there may be: what never waits, and all else. */
const SLOWLY = {
    read: ({ url, key }) => [requestOf('GET', `${API}/openapi?_=1`), withBody('/mcp', key, reading(`${url}${API}/openapi`))],
    write: ({ key }) => ['/register', '/quote'].map((path) => withBody(API + path, key, ' '.repeat(BODY_S))),
};

const PROMPT_MS = enough(5000), A_KB_MS = 125, ALLOWED_MS = 5000; // from SECURITY.md, for what an .htaccess may not have buffered

/** Calls of both kinds are answered; resolves to how long that took. */
async function served({ url, key }) {
    const begun = Date.now();
    await until('a call that never waits', () => send('GET', '/healthz', { base: url, mayBreak: true }).then(({ status }) => status === 200, () => false));
    await until('a call that may wait', () => send('POST', `${API}/quote`, { base: url, key, json: {}, mayBreak: true }).then(({ status }) => status === 400, () => false));
    return Date.now() - begun;
}

for (const [front, url] of Object.entries({ lighttpd: gateway.base, Apache: apache.base, CGI: base, '.htaccess': bySocket })) {
    test(`clients in packets of a network's size, at a byte a second, hold no worker: ${front}`, async () => {
        const home = { url, key: granted(await send('POST', `${API}/register`, { base: url, json: { name: 'slow' } })).agent.api_key };
        const longest = ALLOWED_MS + (await send('GET', `${API}/openapi`, { base: url })).text.length / 1000 * A_KB_MS;
        for (const [mode, requests] of Object.entries(SLOWLY)) {
            const slow = [];
            // All readers of an .htaccess are of its one socket.
            for (const bytes of requests(home).slice(0, front === '.htaccess' && mode === 'read' ? 1 : 2)) slow.push(await slowClients(url, mode, bytes));
            const took = await served(home);
            assert.ok(took < (front === '.htaccess' && mode === 'read' ? longest + PROMPT_MS : PROMPT_MS), `${mode}: ${took} ms`);
            for (const program of slow) program.kill();
        }
    });
}

test('while the gateway is away, the answer says when to come again', async () => {
    await gateway.end('SIGTERM');
    for (const [method, json] of [['GET'], ['POST', { name: 'nobody' }]]) {
        const [bycgi, byweb, passed] = await Promise.all([base, gateway.base, base + BY_SOCKET].map((where) => answerTo(method, `${where}${API}/register`, json)));
        for (const { status, headers } of [bycgi, byweb, passed]) assert.deepEqual([status, headers['content-type'], headers['retry-after'], headers['cache-control']], [503, 'application/json', '5', 'no-store']);
        for (const { body } of [bycgi, passed]) assert.deepEqual(body, byweb.body, 'what the service is said to be by other web servers');
    }
    gateway.startAgain();
    await until('the gateway', () => send('GET', '/healthz', { base, mayBreak: true }).then(({ status }) => status === 200));
});
