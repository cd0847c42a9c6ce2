// Section: api
// Known questions: which providers, venues and nodes work with the operator's keys, what of their answers is not as described,
// and who refuses this service. The gateway and the services are the test's own.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startGateway } from './gateway.mjs';
import { freePort } from './ports.mjs';
import {
    API, ROOT, granted, register, send, stack, stackSettings, until,
} from './lib.mjs';

const KEY = 'k3y-of/the+operator';
/** What stands behind each one's name in its URL, and whether it has a key. */
const PROVIDERS = {
    kyberswap: {}, '0x': { keyed: true }, velora: {}, openocean: {}, '1inch': { base: '/swap/v6.1', keyed: true }, lifi: { keyed: true }, relay: { keyed: true }, across: { keyed: true }, jupiter: {},
};

const settings = await stackSettings();
const upstream = await startUpstream();
const gateway = await startGateway(linesFor(Object.keys(PROVIDERS)));
after(async () => {
    await gateway.stop();
    await upstream.stop();
});
await gateway.agentctl('settlers').catch(() => {}); // a chain without aggregators has none

function linesFor(keys) {
    return [
        'drift_watch = yes', `perps_url = ${upstream.base}/hyperliquid`, `perps_circle_url = ${upstream.base}/iris`, `lend_morpho_api = ${upstream.base}/morpho`,
        ...['gamma', 'clob', 'data', 'relayer'].map((part) => `predict_${part}_url = ${upstream.base}/polymarket/${part}`),
        ...keys.flatMap((key) => [
            `provider.${key}.url = ${upstream.base}/${key}${PROVIDERS[key].base ?? ''}`,
            `provider.${key}.rate = 100/s`,
            ...PROVIDERS[key].keyed ? [`provider.${key}.key_file = ${keyFile(key)}`] : [],
        ]),
    ];
}

function keyFile(key) {
    const path = join(settings.GATEWAY_VAR, `drift-${key}.key`);
    writeFileSync(path, `${KEY}\n`);
    chmodSync(path, 0o600);
    return path;
}

async function startUpstream() {
    const port = await freePort();
    const urls = ['ethereum', 'base', 'solana'].map((chain) => [chain, settings[`SANDBOX_${chain.toUpperCase()}_PORT`]])
        .filter(([, at]) => at !== undefined).map(([chain, at]) => `${chain}=http://127.0.0.1:${at}`);
    const program = spawn(process.execPath, [`${ROOT}contrib/sandbox/upstream/server.mjs`, String(port), settings.SANDBOX_POLYGON_URL, '-', ...urls], { stdio: 'ignore' });
    process.once('exit', () => program.kill('SIGKILL'));
    const base = `http://127.0.0.1:${port}`;
    const control = async (method, body) => (await fetch(`${base}/_sandbox`, { method, body: body && JSON.stringify(body) })).json();
    await until('the services', () => control('GET').then(() => true, () => false));
    return { base, control, stop: async () => { program.kill(); await once(program, 'exit'); } };
}

/** What the command finds, by name. It fails where a source is in trouble. */
async function drift(...args) {
    const said = await gateway.agentctl('--json', 'drift', ...args).catch(({ stdout }) => stdout);
    const { ok, sources } = JSON.parse(said);
    const found = Object.fromEntries(sources.map(({ source, ...rest }) => [source, rest]));
    assert.equal(ok, !sources.some(({ state }) => !['works', 'off'].includes(state)), said);
    return found;
}

/** The fault is set as long as this is in progress. */
async function during(service, fault, value, what, path) {
    await upstream.control('POST', { service, fault, value, path });
    try {
        return await what();
    } finally {
        await upstream.control('DELETE');
    }
}

const stateOf = async (key) => (await (await fetch(`${gateway.base}/readyz`)).json()).providers.find(({ provider }) => provider === key);

test('each of the ten providers quotes, builds and passes the guard', async () => {
    const found = await drift();
    for (const key of ['uniswap', ...Object.keys(PROVIDERS)]) assert.equal(found[key]?.state, 'works', `${key}: ${JSON.stringify(found[key])}`);
    for (const name of ['polymarket-gamma', 'polymarket-clob', 'polymarket-data', 'polymarket-relayer', 'hyperliquid', 'hyperliquid-exchange', 'circle', 'morpho-api']) assert.equal(found[name]?.state, 'works', `${name}: ${JSON.stringify(found[name])}`);
    assert.equal(found['price-feed'].state, 'off');
    assert.match(found['ethereum/1'].said, /block \d+/);
    for (const { said } of Object.values(found)) assert.doesNotMatch(said, new RegExp(KEY.replace('+', '\\+')));
});

for (const key of ['uniswap', ...Object.keys(PROVIDERS)]) {
    test(`a transaction that ${key} builds is returned unsigned`, async () => {
        const agent = await register();
        agent.base = gateway.base;
        const bridge = key === 'relay' || key === 'across';
        const chain = key === 'jupiter' ? 'solana' : bridge ? 'ethereum' : 'base';
        const { address } = granted(await agent.post('/wallets', { chain_type: chain === 'solana' ? 'solana' : 'evm' }), 201).wallet;
        await stack('fund', address, chain);
        const built = granted(await agent.post('/swap', {
            wallet_address: address, providers: [key], amount: '0.1',
            ...bridge ? { from_chain: 'ethereum', to_chain: 'base', from_token: 'ETH', to_token: 'ETH' } : { chain, from_token: chain === 'solana' ? 'SOL' : 'ETH', to_token: 'USDC' },
        }));
        assert.ok(built.transaction.data.length > 10 && Number(built.swap.minimum_amount_out) > 0, JSON.stringify(built));
    });
}

test('Across is told whose trades these are, by key and id', async () => {
    assert.equal((await during('across', 'keyed', '0x00fe', () => drift('across'))).across.state, 'works');
    const { across } = await during('across', 'keyed', '0xdead', () => drift('across'));
    assert.match(`${across.state} ${across.said}`, /^refused HTTP 401: /);
});

test('a named provider alone is asked, and an unknown name is refused', async () => {
    assert.deepEqual(Object.keys(await drift('velora')), ['velora']);
    assert.deepEqual(Object.keys(await drift('base')), ['base/1']);
    const { stderr, stdout } = await gateway.agentctl('drift', 'odos').then(() => assert.fail('it is none'), (error) => error);
    assert.match(stdout + stderr, /there is no provider, venue, node or chain of that name/);
});

const DIFFERENCES = [
    ['kyberswap', 'retyped', 'data.amountOut', 'changed', /the member data\.amountOut is a number in place of a text/],
    ['velora', 'dropped', 'priceRoute.version', 'unreadable', /the member priceRoute\.version is missing/],
    ['relay', 'dropped', 'protocol.v2.orderData', 'empty', /the member protocol\.v2\.orderData is missing/],
    ['across', 'retyped', 'timestamp', 'changed', /the member timestamp is a number in place of a text/],
    ['lifi', 'dropped', 'estimate.approvalAddress', undefined, /the member estimate\.approvalAddress is missing/],
    ['1inch', 'retyped', 'dstAmount', 'changed', /the member dstAmount is a number in place of a text/],
    ['openocean', 'dropped', 'data.outAmount', 'unreadable', /the member data\.outAmount is missing/],
    ['0x', 'dropped', 'transaction', 'unreadable', /the member transaction\.to is missing/],
    ['hyperliquid', 'dropped', 'universe', 'unreadable', /the member universe\[\]\.name is missing/],
    ['kyberswap', 'named_twice', undefined, 'changed', /a member stands twice in one object/],
    ['kyberswap', 'recipient', undefined, 'unsafe', /the guard refuses what it hands over/],
    ['kyberswap', 'target', undefined, 'unsafe', /target or call not on the list/],
    ['0x', 'http_404', undefined, 'refused', /^HTTP 404: /],
    ['openocean', 'blocked', undefined, 'refused', /^HTTP 403: it refuses this key or this address: <!DOCTYPE html>/],
    ['lifi', 'http_410', undefined, 'refused', /^HTTP 410: .*Service Ended/],
    ['velora', 'maintenance', undefined, 'refused', /^HTTP 503: .*Scheduled maintenance/],
    ['hyperliquid', 'maintenance', undefined, 'refused', /^HTTP 503: /],
    ['kyberswap', 'garbage', undefined, 'unreadable', /its answer cannot be read: <html>Bad gateway/],
    ['kyberswap', 'huge', undefined, 'unreadable', /^its answer is too large/],
    ['velora', 'lost_answer', undefined, 'silent', /./],
    ['velora', 'clock', 600, 'changed', /^its clock is (59\d|60\d) s ahead of this host's/],
    ['velora', 'clock', -600, 'changed', /^its clock is (59\d|60\d) s behind this host's/],
    ['relay', 'headers', { Deprecation: '@1795996800', Sunset: 'Tue, 23 Feb 2027 00:00:00 GMT' }, 'changed', /^its header Sunset announces its end on 2027-02-23/],
    ['relay', 'headers', { Deprecation: '@1795996800' }, 'changed', /^its header Deprecation names 2026-11-30/],
    ['relay', 'headers', { Deprecation: 'true' }, 'changed', /^its header Deprecation names no day that can be read/],
    ['relay', 'headers', { Deprecation: '@99999999999999999999%n"<script>' }, 'changed', /^its header Deprecation names no day that can be read; quote, plan/],
    ['relay', 'headers', { Deprecation: 'false' }, 'works', /^quote, plan/],
    // What the services were taken for before, and what they never were.
    ['0x', 'fee_in_sold', undefined, 'works', /^quote, plan/],
    ['relay', 'no_protocol', undefined, 'empty', /the member protocol\.v2\.orderId is missing/],
    ['1inch', 'trailing', undefined, 'unsafe', /target or call not on the list/],
    ['0x', 'settler', undefined, 'unsafe', /^a contract does the work that its registry does not name/],
    ['velora', 'recipient', undefined, 'unsafe', /^the guard refuses what it hands over: /],
    ['openocean', 'recipient', undefined, 'unsafe', /^the guard refuses what it hands over: /],
    ['lifi', 'recipient', undefined, 'unsafe', /^the guard refuses what it hands over: /],
    ['relay', 'order_hash', undefined, 'unreadable', /^its answer cannot be read: /],
    ['across', 'other_pool', undefined, 'unreadable', /^its answer cannot be read: /],
    ['jupiter', 'dropped', 'transaction', undefined, /the member transaction is missing/],
    ...Object.keys(PROVIDERS).map((key) => [key, 'http_401', undefined, 'refused', /^HTTP 401: /]),
];
for (const [key, fault, value, state, said] of DIFFERENCES) {
    const name = `${key} ${fault} ${typeof value === 'object' ? JSON.stringify(value) : value ?? ''}`;
    test(`a difference is named in the first run: ${name}`, async () => {
        const { [key]: found } = await during(key, fault, value, () => drift(key));
        assert.match(found.said, said);
        if (state !== undefined) assert.equal(found.state, state, found.said);
        assert.equal((await drift(key))[key].state, 'works');
    });
}

test('findings are in /readyz, in the metrics and in the operator\'s report', async () => {
    await gateway.pass('drift-watch');
    await until('what was found', async () => (await stateOf('velora')).seen?.state === 'works');
    await during('velora', 'clock', 600, () => drift('velora'));
    await until('the change', async () => (await stateOf('velora')).seen.state === 'changed');
    const metrics = await (await fetch(`${gateway.base}/metrics`)).text();
    assert.match(metrics, /^gateway_drift\{source="velora",state="changed"\} 1$/m);
    assert.match(metrics, /^gateway_drift\{source="kyberswap",state="works"\} 0$/m);
    const { parts } = JSON.parse(await gateway.agentctl('--json', 'status'));
    const part = parts.find(({ name }) => name === 'drift');
    assert.equal(part.ok, false);
    assert.match(part.detail, /^\d+ of \d+ answer known questions as they did; (.*; )?velora: changed, its clock is/);
    await drift('velora');
    await until('the end of it', async () => (await stateOf('velora')).seen.state === 'works');
});

test('recorded answers can be replayed, and contain no key', async () => {
    const folder = join(gateway.directory, 'record');
    await during('1inch', 'says', `you asked with ${KEY}, see https://docs.example/?apikey=abcdef`, () => drift('1inch', '--record', folder));
    const files = readdirSync(folder).sort();
    assert.deepEqual(files, ['1inch-1.json', '1inch-2.json']);
    const [quote] = files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
    assert.match(quote.url, /\/1inch\/swap\/v6\.1\/1\/quote\?src=0x/);
    const answer = JSON.parse(quote.answer);
    assert.match(answer.dstAmount, /^\d+$/);
    assert.equal(answer.note, `you asked with ${'x'.repeat(KEY.length)}, see https://docs.example/?apikey=xxxxxx`);
    for (const file of files) assert.ok(!readFileSync(join(folder, file), 'utf8').includes('the+operator'), file);
});

test('records do not have what stands in the URL of a node, a provider or a venue, nor a key in a header', async () => {
    const folder = join(gateway.directory, 'urls'), conf = join(gateway.directory, 'urls.conf');
    const secrets = ['pass-of-the-node', 'path-key-of-the-proxy', 'another-key-of-a-venue', KEY];
    writeFileSync(conf, [
        `include ${join(gateway.directory, 'gateway.conf')}`, `rpc.ethereum = http://operator:${secrets[0]}@127.0.0.1:${settings.SANDBOX_ETHEREUM_PORT}/`,
        `provider.velora.url = ${upstream.base}/velora/${secrets[1]}`, `perps_url = ${upstream.base}/hyperliquid/${secrets[2]}`, '',
    ].join('\n'));
    for (const name of ['uniswap', 'ethereum', 'velora', 'hyperliquid']) await drift('-c', conf, name, '--record', folder);
    await during('1inch', 'headers', { Deprecation: KEY }, () => drift('1inch', '--record', folder));
    const files = readdirSync(folder);
    for (const name of ['uniswap', 'ethereum', 'velora', 'hyperliquid', '1inch']) assert.ok(files.some((file) => file.startsWith(name)), `${name}: ${files}`);
    for (const file of files) for (const secret of secrets) assert.ok(!readFileSync(join(folder, file), 'utf8').includes(secret), `${file}: ${secret}`);
});

test('recorded answers stand for the services', async () => {
    const folder = join(gateway.directory, 'replay');
    const keys = Object.keys(PROVIDERS);
    for (const key of [...keys, 'uniswap']) await drift(key, '--record', folder);
    const records = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
    const server = createServer(async (request, response) => {
        const [path] = request.url.split('?');
        const [, key] = path.split('/');
        const body = await text(request);
        const own = records.filter(({ source, url, asked }) => source === key && (key === 'uniswap' ? asked === body : new URL(url).pathname === path));
        const { status, answer } = own.find(({ url }) => url.endsWith(request.url)) ?? own[0] ?? { status: 500, answer: '{}' };
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(answer);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
        const conf = join(gateway.directory, 'replay.conf');
        writeFileSync(conf, [`include ${join(gateway.directory, 'gateway.conf')}`, ...keys.map((key) => `provider.${key}.url = http://127.0.0.1:${server.address().port}/${key}${PROVIDERS[key].base ?? ''}`), ''].join('\n'));
        for (const key of keys) {
            const { [key]: found } = await drift('-c', conf, key);
            assert.equal(found.state, 'works', `${key}: ${found.said}`);
        }
        const node = join(gateway.directory, 'replay-node.conf');
        writeFileSync(node, [`include ${conf}`, `rpc.ethereum = http://127.0.0.1:${server.address().port}/uniswap`, ''].join('\n'));
        const { uniswap } = await drift('-c', node, 'uniswap');
        assert.equal(uniswap.state, 'works', uniswap.said);
    } finally {
        server.close();
        server.closeAllConnections();
    }
});

const ask = (agent, more) => send('POST', `${API}/quote`, {
    key: agent.key, base: gateway.base, mayBreak: true, json: { chain: 'base', from_token: 'ETH', to_token: 'USDC', amount: '0.1', ...more },
});

test('a provider that refuses the requests of one agent alone stays in use', async () => {
    const agent = await register();
    agent.base = gateway.base;
    await upstream.control('POST', { service: 'velora', fault: 'http_401', times: 12 });
    for (let i = 0; i < 12; i++) assert.equal((await ask(agent, { providers: ['velora'] })).body.error_code, 'PROVIDER_REFUSED');
    await upstream.control('DELETE');
    await gateway.pass('drift-watch');
    assert.notEqual((await stateOf('velora')).state, 'refused');
    assert.equal((await ask(agent, { providers: ['velora'] })).status, 200);
});

for (const [fault, words] of [['http_401', 'HTTP 401: '], ['maintenance', 'HTTP 503: '], ['garbage', 'its answer cannot be read: '], ['huge', 'its answer is too large']]) {
    test(`a provider that refuses a known question too is reported as refused: ${fault}`, async () => {
        const agent = await register();
        agent.base = gateway.base;
        let log = '';
        await during('kyberswap', fault, undefined, async () => {
            await until('ten refusals', async () => {
                const { body } = await ask(agent, { providers: ['kyberswap'] });
                assert.ok(['PROVIDER_REFUSED', 'UPSTREAM_ERROR'].includes(body.error_code), JSON.stringify(body));
                assert.doesNotMatch(body.hint, /smaller amount|No node or provider answered in time/);
                log += await gateway.logged('drift-watch');
                return (await stateOf('kyberswap')).state === 'refused';
            }, { interval: 300 });
            const { body, headers } = await ask(agent, { providers: ['kyberswap'] });
            assert.deepEqual([body.error, body.error_code], ['Internal server error', 'PROVIDER_REFUSED']);
            assert.ok(Number(headers['retry-after']) > 0);
            const others = await ask(agent, {});
            assert.equal(others.status, 200, JSON.stringify(others.body));
            assert.equal(others.body.routes.find(({ provider }) => provider === 'kyberswap').error, 'REFUSED');
            assert.match(await (await fetch(`${gateway.base}/metrics`)).text(), /^gateway_provider_refused\{provider="kyberswap"\} 1$/m);
        });
        const lines = log.split('\n').filter((line) => line.includes('event=provider_refused'));
        assert.equal(lines.length, 1);
        assert.match(lines[0], new RegExp(` error .* provider=kyberswap said="(the answer is no JSON; )?${words}`));
        await gateway.agentctl('drift', 'kyberswap');
        await until('the provider to be ready', async () => (await stateOf('kyberswap')).state === 'ready');
        assert.equal((await ask(agent, { providers: ['kyberswap'] })).status, 200);
    });
}

/** The request of an agent to each venue before any payment, with its path below the service. */
const VENUES = {
    'polymarket-gamma': { service: 'polymarket', path: '/gamma', ask: (agent) => agent.get(`/predict/markets?limit=${agent.limit}`) },
    'polymarket-clob': { service: 'polymarket', path: '/clob', ask: (agent) => agent.get(`/predict/market/${agent.market}/book`) },
    'polymarket-data': { service: 'polymarket', path: '/data', ask: (agent) => agent.get(`/predict/market/${agent.market}/trades`) },
    hyperliquid: { service: 'hyperliquid', path: '/info', ask: (agent) => agent.get('/perps/market/ETH-USD') },
};

let limits = 1;
async function visitor() {
    const agent = await register();
    agent.base = gateway.base;
    const ask = (method, path, json) => send(method, `${API}${path}`, { key: agent.key, base: gateway.base, mayBreak: true, json });
    const { body: { markets: [market] } } = await ask('GET', '/predict/markets?status=open&limit=1');
    return { ...agent, market: market.id, limit: (limits += 1), // another one each: answers are kept for a while
        get: (path) => ask('GET', path), post: (path, json) => ask('POST', path, json) };
}

const venueState = async (name) => (await (await fetch(`${gateway.base}/readyz`)).json()).venues.find(({ venue }) => venue === name).state;

/** Its answer to an agent: no trouble of the agent's, and not before some time is over. */
function refuses({ status, body, headers }, who) {
    assert.deepEqual([status, body.error, body.error_code], [500, 'Internal server error', 'PROVIDER_REFUSED'], JSON.stringify(body));
    assert.match(body.hint, new RegExp(`^${who}.* refuses this service: its operator has to see to it$`));
    assert.ok(Number(headers['retry-after']) > 0);
}

async function servesAgain(name) {
    assert.equal((await drift(name))[name].state, 'works');
    await until(`${name} to be ready`, async () => await venueState(name) === 'ready');
}

for (const [name, fault, words] of [
    ['polymarket-gamma', 'http_401', 'HTTP 401: '], ['polymarket-clob', 'blocked', 'HTTP 403: '], ['polymarket-data', 'http_404', 'HTTP 404: '],
    ['polymarket-gamma', 'maintenance', 'HTTP 503: '], ['hyperliquid', 'http_410', 'HTTP 410: '], ['hyperliquid', 'garbage', 'its answer cannot be read: '],
]) {
    test(`a venue that refuses a known question too is left alone, and agents are told: ${name} ${fault}`, async () => {
        const { service, path, ask: askFor } = VENUES[name];
        const agent = await visitor();
        const asked = async () => (await upstream.control('GET')).services.find((each) => each.name === service).requests;
        const log = [];
        await during(service, fault, undefined, async () => {
            await until('many refusals', async () => {
                for (let i = 0; i < 5; i++) assert.ok([200, 500].includes((await askFor(agent)).status));
                log.push(await gateway.logged('drift-watch'));
                return await venueState(name) === 'refused';
            }, { interval: 100, patience: 30_000 });
            const before = await asked();
            refuses(await askFor(agent), name === 'hyperliquid' ? 'Hyperliquid' : 'Polymarket');
            assert.equal(await asked(), before);
            assert.match(await (await fetch(`${gateway.base}/metrics`)).text(), new RegExp(`^gateway_venue_refused\\{venue="${name}"\\} 1$`, 'm'));
            assert.match(JSON.parse(await gateway.agentctl('--json', 'status')).parts.find((part) => part.name === 'drift').detail, new RegExp(`${name}: (refused|unreadable), `));
        }, path);
        const lines = log.join('').split('\n').filter((line) => line.includes('event=venue_refused'));
        assert.equal(lines.length, 1);
        assert.match(lines[0], new RegExp(` error .* venue=${name} said="(the answer is no JSON; )?${words}`));
        await servesAgain(name);
        assert.equal((await askFor(agent)).status, 200);
    });
}

test('a venue that refuses some requests alone stays in use', async () => {
    const agent = await visitor();
    await upstream.control('POST', { service: 'polymarket', fault: 'http_401', path: '/gamma', times: 12 });
    for (let i = 0; i < 12; i++) refuses(await agent.get(`/predict/markets?limit=${i + 10}`), 'Polymarket');
    await gateway.pass('drift-watch');
    assert.equal(await venueState('polymarket-gamma'), 'ready');
    assert.equal((await agent.get('/predict/markets?limit=40')).status, 200);
});

/** Until it is known to refuse: each known question is one refusal more. */
async function refusedByAll(name) {
    await until(`${name} to be refused`, async () => {
        await drift(name);
        return await venueState(name) === 'refused';
    }, { interval: 1, patience: 30_000 });
}

test('no money goes to a venue that refuses it', async () => {
    const agent = await visitor();
    const { wallet: { address } } = granted(await agent.post('/wallets', { chain_type: 'evm' }), 201);
    await stack('fund', address, 'polygon');
    await during('polymarket', 'http_401', undefined, async () => {
        await refusedByAll('polymarket-relayer');
        refuses(await agent.post('/predict/deposit', { wallet_address: address, amount: '5' }), 'Polymarket');
    }, '/relayer');
    await servesAgain('polymarket-relayer');
    await during('polymarket', 'blocked', undefined, async () => {
        await refusedByAll('polymarket-clob');
        refuses(await agent.post('/predict/deposit', { wallet_address: address, amount: '5' }), 'Polymarket');
        refuses(await agent.post('/predict/order', { wallet_address: address, tokenId: '1', side: 'BUY', price: '0.5', size: '5' }), 'Polymarket');
    }, '/clob');
    await servesAgain('polymarket-clob');
    await during('hyperliquid', 'blocked', undefined, async () => {
        await refusedByAll('hyperliquid-exchange');
        refuses(await agent.post('/perps/order', { wallet_address: address, market: 'ETH-USD', side: 'long', size: '0.1', type: 'market' }), 'Hyperliquid');
        refuses(await agent.post('/perps/leverage', { wallet_address: address, market: 'ETH-USD', leverage: 2 }), 'Hyperliquid');
        refuses(await agent.post('/perps/deposit', { wallet_address: address, amount: '20', chain: 'arbitrum' }), 'Hyperliquid');
        assert.equal((await agent.get('/perps/market/ETH-USD')).status, 200);
    }, '/exchange');
    await servesAgain('hyperliquid-exchange');
});
