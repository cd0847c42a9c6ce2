// Section: api
// Callbacks as in production: for any spelling of the URL, and any address of its name, the gateway connects to public
// addresses alone. The listeners here are what an attacker would like to reach through it.

import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { after, test } from 'node:test';
import { startGateway } from './gateway.mjs';
import {
    API, granted, receiver, refused, register, send, until,
} from './lib.mjs';

const production = await startGateway(['webhook_allow_http_loopback = no', 'withdrawal_delay = 86400', 'tier.standard = 100000']);
after(() => production.stop());
const { base } = production;

const agent = await register();
const call = (method, path, json) => send(method, API + path, { key: agent.key, json, base });

/** A server inside; resolves to its port and the connections that it saw. */
async function inside(host) {
    const seen = [];
    const server = createServer((socket) => { seen.push(socket.remoteAddress); socket.destroy(); }).listen(0, host);
    await once(server, 'listening');
    server.unref();
    return { port: server.address().port, seen };
}

const target = await inside('0.0.0.0');

const HOSTS = [
    // loopback and its spellings
    '127.0.0.1', '127.1', '127.0.1', '0', '0.0.0.0', '2130706433', '0x7f000001', '0x7f.1', '0X7F.0X0.0X0.0X1', '017700000001', '0177.0.0.1', '00000177.1',
    '127.0.0.1.', '127.255.255.254', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost', '%6c%6fcalhost', '127%2e0%2e0%2e1',
    '[::1]', '[0:0:0:0:0:0:0:1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]',
    '[::1%25lo]', '[::ffff:0:127.0.0.1]',
    // private, shared, link-local, metadata services
    '10.0.0.1', '0xa000001', '172.16.0.1', '172.31.255.255', '192.168.1.1', '3232235777', '100.64.0.1', '100.100.100.200', '169.254.169.254', '0xa9fea9fe',
    '0251.0376.0251.0376', '[fe80::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]', '[::ffff:169.254.169.254]', '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::]',
    '[2001:0:7f00:1::]',
    // reserved, broadcast, multicast
    '192.0.0.170', '192.0.2.1', '198.18.0.1', '203.0.113.1', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255', '[ff02::1]', '[2001:db8::1]', '[100::1]',
    // invalid names, or another host's
    '127.0.0.1@example.com', 'example.com@127.0.0.1', 'example.com:x@127.0.0.1', '@127.0.0.1', 'example.com#@127.0.0.1', 'example.com\\@127.0.0.1', '127.0.0.1\\.example.com',
    '127.0.0.1%00.example.com', '127.0.0.1%0d%0a', '127.0.0.1%23.example.com', '127.0.0.1 ', ' 127.0.0.1', '①②⑦.⓪.⓪.①', '127。0。0。1', 'ｌocalhost', 'loc\u00adalhost', 'ⓛocalhost', 'locaⅼhost',
    'exämple.com', '[127.0.0.1]', '[::1', '::1', '', '.', '..', 'a..b', '.example.com', '1.2.3.4.5', '256.256.256.256', '999999999999', 'a.0x7f', '*', 'example.com:0', 'example.com:65536',
    'example.com:80:80', 'example.com,127.0.0.1', 'example.com;127.0.0.1', 'example.com|127.0.0.1', '$(id)', '{a,b}.example.com', '[a-z].example.com',
];

test('a callback URL of an internal host is refused', async () => {
    for (const host of HOSTS) {
        for (const url of [`https://${host}/hook`, `https://${host}:${target.port}/`, `http://${host}:${target.port}/`]) {
            // A second port behind one is a fault of its own.
            refused(await call('PATCH', '/me', { callback_url: url }), 'Validation failed', ['callback_url']);
        }
    }
    for (const url of [
        'http://example.com/', 'file:///etc/passwd', 'gopher://127.0.0.1:6379/_x', 'dict://127.0.0.1:11211/', 'ftp://example.com/', 'unix:///run/x.sock', 'ldap://example.com/',
        'jar:https://example.com/', 'data:text/plain,x', 'https:127.0.0.1', 'https:/127.0.0.1', 'https:///127.0.0.1', 'https:\\\\127.0.0.1', '//127.0.0.1/', '\thttps://example.com/',
        'https\n://example.com/', 'https://example.com/\r\nX-Header: 1', 'view-source:https://example.com/', 'HTTP://example.com/',
    ]) refused(await call('PATCH', '/me', { callback_url: url }), 'Validation failed', ['callback_url']);
    assert.equal(granted(await call('GET', '/me')).agent.callback_url ?? null, null);
    refused(await send('POST', `${API}/register`, { json: { name: 'x', callback_url: `https://127.1:${target.port}/` }, base }), 'Validation failed', ['callback_url']);
});

test('a name that resolves to an internal host is refused when it is connected to', async () => {
    const name = hostname();
    const addresses = await lookup(name, { all: true });
    assert.match(addresses[0].address, /^(127|10|172|192|169|::1|f[cde])/, `${name} is this machine`);
    granted(await call('PATCH', '/me', { callback_url: `https://${name}:${target.port}/hook` }));
    const { status, body } = await call('POST', '/webhooks/test');
    assert.deepEqual([status, body.success, body.status_code], [200, false, null]);
    const { events: [event] } = granted(await call('GET', '/webhooks'));
    assert.deepEqual([event.status, event.last_error, event.response_status], ['failed', 'host name not found, or its address not allowed', null]);
    assert.deepEqual(target.seen, []);
});

test('a redirect to an internal host is an answer, and is not followed', async () => {
    const tester = await register();
    const hook = await receiver(() => 302); // to its own /elsewhere
    await tester.listen(hook.url);
    await tester.post('/webhooks/test');
    const event = await until('the answer', async () => (await tester.events()).find(({ attempts }) => attempts > 0));
    assert.equal(event.response_status, 302);
    assert.deepEqual(hook.deliveries.map(({ path }) => path), [hook.path]);
    hook.close();
});
