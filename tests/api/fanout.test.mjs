// Section: api
// All providers of a pair are asked at once: who is waited for, who wins, and what is said of the others. The services are
// scripted here; gateways of their own ask them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { callOperation } from './a2a.mjs';
import { token } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, refused, registerUnlimited, readiness, send, until,
} from './lib.mjs';
import { used } from './mcp.mjs';

const COIN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const USDC = token('base', 'USDC').address;
const TRADE = { from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base' };
const WEI = String(10n ** 18n);

/** Each service's answer for so many smallest units of USDC. */
const ANSWERS = {
    kyberswap: (out) => ({ code: 0, data: { routeSummary: { tokenIn: COIN, amountIn: WEI, tokenOut: USDC, amountOut: out, gas: '150000' } } }),
    velora: (out) => ({ priceRoute: { network: 8453, srcToken: COIN, destToken: USDC, srcAmount: WEI, destAmount: out, side: 'SELL', version: '6.2', gasCost: '150000' } }),
    openocean: (out) => ({ code: 200, data: { inToken: { address: COIN }, outToken: { address: USDC }, inAmount: WEI, outAmount: out, estimatedGas: 150000 } }),
};

// By service: (response) => …
let behaviours = {};
let asked = [];
const server = createServer((request, response) => {
    const [, service] = request.url.split('/');
    asked.push(service);
    behaviours[service](response);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address();
const gateway = await startGateway([
    ...Object.keys(ANSWERS).flatMap((key) => [`provider.${key}.url = http://127.0.0.1:${port}/${key}`, `provider.${key}.rate = 100/s`]),
    ...['lifi', '0x', '1inch', 'relay', 'across'].map((key) => `provider.${key}.url =`),
]);
const base = { base: gateway.base };
const agent = await registerUnlimited();
after(async () => {
    await gateway.stop();
    server.closeAllConnections();
    server.close();
});

const offers = (service, out) => (response) => response.end(JSON.stringify(ANSWERS[service](String(out))));
const all = (behaviour) => Object.fromEntries(Object.keys(ANSWERS).map((key) => [key, behaviour(key)]));
const ask = (more = {}) => send('POST', `${API}/quote`, { key: agent.key, json: { ...TRADE, ...more }, ...base });
const quote = async (more) => granted(await ask(more));
const units = (text) => BigInt(Math.round(Number(text) * 1e6));
const ends = ({ routes }) => Object.fromEntries(routes.map(({ provider, error }) => [provider, error ?? 'offered']));

behaviours = all(() => (response) => response.writeHead(404).end('{}'));
const own = units((await quote({ providers: ['uniswap'] })).amount_out);

test('the offer that is best net of gas wins', async () => {
    behaviours = { kyberswap: offers('kyberswap', own + own / 100n), velora: offers('velora', own + own / 50n), openocean: offers('openocean', own - 1n) };
    const body = await quote();
    const [winner, ...others] = body.routes;
    // Less its own fee.
    assert.deepEqual([winner.provider, winner.selected, body.dex, body.amount_out], ['velora', true, winner.dex, winner.amount_out]);
    assert.ok(units(body.amount_out) > own + own / 100n && units(body.amount_out) < own + own / 50n, body.amount_out);
    assert.match(body.route, /^ETH → USDC via \S+: the best of \d+ offers, gas and fees counted$/);
    assert.equal(others[0].provider, 'kyberswap');
    assert.ok(others.every(({ selected }) => selected === false));
    assert.deepEqual(new Set(body.routes.map(({ provider }) => provider)), new Set(['uniswap', 'kyberswap', 'velora', 'openocean']));
    for (const route of body.routes) {
        assert.ok(units(route.net_out) < units(route.amount_out) && units(route.amount_out_min) < units(route.amount_out), JSON.stringify(route));
        assert.ok(Number(route.gas_usd) > 0 && route.fees_usd === '0' && route.duration_ms >= 0, JSON.stringify(route));
    }
    const nets = body.routes.map(({ net_out }) => units(net_out));
    assert.deepEqual(nets, nets.toSorted((a, b) => Number(b - a)));
});

test('among equal offers the first in the order of providers wins', async () => {
    const close = own + own / 100n;
    behaviours = { kyberswap: offers('kyberswap', close), velora: offers('velora', close + close / 20_000n), openocean: offers('openocean', close) };
    assert.equal((await quote()).routes[0].provider, 'kyberswap');
});

test('those without an offer say why', async () => {
    let told, askedAgain;
    behaviours = {
        kyberswap: (response) => response.writeHead(400).end('{"code":4008,"message":"route not found"}'),
        velora: (response) => { told = performance.now(); response.writeHead(429, { 'Retry-After': '1' }).end('{}'); },
        openocean: (response) => response.end('<html>'),
    };
    const body = await quote();
    assert.deepEqual(ends(body), { uniswap: 'offered', kyberswap: 'NO_ROUTE', velora: 'RATE_LIMITED', openocean: 'UPSTREAM_ERROR' });
    for (const route of body.routes.filter(({ error }) => error)) {
        assert.ok(!/html|found|429/.test(route.reason) && route.reason.length > 10, route.reason);
        assert.deepEqual(Object.keys(route).sort(), ['duration_ms', 'error', 'provider', 'reason']);
    }
    behaviours = all((key) => offers(key, own - 1000n));
    behaviours.velora = (response) => { askedAgain ??= performance.now(); offers('velora', own - 1000n)(response); };
    await until('the time that it named to be over', async () => {
        const { velora } = ends(await quote());
        return velora === 'offered' || assert.equal(velora, 'RATE_LIMITED');
    });
    assert.ok(askedAgain - told > 990, 'asked before the time that it named'); // both clocks have whole milliseconds
});

test('a provider that fails several times is not asked for a moment', async () => {
    const good = all((key) => offers(key, own - 1000n));
    behaviours = { ...good, openocean: (response) => response.end('<html>') };
    for (let i = 0; i < 4; i++) assert.equal(ends(await quote()).openocean, 'UPSTREAM_ERROR');
    // A slow machine may come only when it is tried again, and so left alone for once more.
    const { routes } = await until('it to be left alone', async () => {
        asked = [];
        const body = await quote();
        return ends(body).openocean === 'SKIPPED' && body;
    });
    assert.deepEqual(routes.filter(({ error }) => error), [{
        provider: 'openocean', duration_ms: 0, error: 'SKIPPED', reason: 'It has given no answer lately',
    }]);
    assert.ok(!asked.includes('openocean'));
    const { status, body } = await readiness(base);
    const states = new Map(body.providers.map(({ provider, ...rest }) => [provider, rest]));
    assert.deepEqual([status, states.get('openocean').state, states.get('openocean').findings], [200, 'failing', 0]);
    assert.ok(states.get('kyberswap').state === 'ready' && states.get('kyberswap').latency_ms >= 0 && !states.has('lifi'));
    const { text } = await send('GET', '/metrics', base);
    assert.match(text, /^gateway_provider_ready\{provider="openocean"\} 0$/m);
    assert.match(text, /^gateway_provider_ready\{provider="kyberswap"\} 1$/m);
    for (const figure of ['asked', 'answered', 'seconds', 'findings']) assert.match(text, new RegExp(`^gateway_provider_${figure}_total\\{provider="velora"\\} [\\d.]+$`, 'm'));
    behaviours = good;
    await until('it to be asked again', async () => ends(await quote()).openocean === 'offered');
});

test('a provider is asked no more often than its rate allows, half of it for one agent', async () => {
    const slow = await startGateway([
        `provider.kyberswap.url = http://127.0.0.1:${port}/kyberswap`, 'provider.kyberswap.rate = 2/h',
        ...['lifi', '0x', 'velora', 'openocean', '1inch', 'relay', 'across'].map((key) => `provider.${key}.url =`),
    ]);
    try {
        behaviours = all((key) => offers(key, own - 1000n));
        asked = [];
        const other = await registerUnlimited();
        const askSlow = (more, { key } = agent) => send('POST', `${API}/quote`, { key, json: { ...TRADE, ...more }, base: slow.base, mayBreak: true });
        const bodies = (await Promise.all([agent, agent, other, other].map((each) => askSlow({}, each)))).map((answer) => granted(answer));
        for (const half of [bodies.slice(0, 2), bodies.slice(2)]) assert.deepEqual(half.map((body) => ends(body).kyberswap).sort(), ['RATE_LIMITED', 'offered']);
        assert.deepEqual(bodies.map((body) => ends(body).kyberswap).sort(), ['RATE_LIMITED', 'RATE_LIMITED', 'offered', 'offered']);
        assert.equal(asked.length, 2);
        assert.ok(bodies.every((body) => ends(body).uniswap === 'offered'));
        assert.equal((await askSlow({ providers: ['kyberswap'] })).body.error_code, 'UPSTREAM_ERROR');
    } finally {
        await slow.stop();
    }
});

test('a stalled one is not waited for', async () => {
    behaviours = { ...all((key) => offers(key, own - 1000n)), velora: () => {} };
    await until('an answer before the time of all is over', async () => {
        const begun = performance.now();
        const body = await quote();
        const took = performance.now() - begun;
        assert.deepEqual([ends(body).velora, ends(body).kyberswap], ['TIMEOUT', 'offered']);
        assert.ok(took > 600, `${took} ms`);
        return took < 2000; // a busy machine may need more now and then
    });
});

test('a slow one is in time as long as the others are not much quicker', async () => {
    behaviours = { ...all((key) => offers(key, own - 1000n)), velora: (response) => setTimeout(offers('velora', own + own / 50n), 300, response) };
    assert.equal((await quote()).routes[0].provider, 'velora');
});

test('a price far above what the others say is no price', async () => {
    behaviours = { ...all((key) => offers(key, own - 1000n)), openocean: offers('openocean', own + own / 5n) };
    const body = await quote();
    assert.deepEqual([body.routes[0].provider, ends(body).openocean], ['uniswap', 'UPSTREAM_ERROR']);
    assert.match(body.routes.find(({ provider }) => provider === 'openocean').reason, /far above/);
});

test('an answer to another question is no answer', async () => {
    const wrong = (change) => (response) => response.end(JSON.stringify(ANSWERS.kyberswap(String(own * 2n))).replace(...change));
    for (const change of [[WEI, `${WEI}0`], [USDC, token('base', 'DAI').address], [`"${own * 2n}"`, '"-1"'], [`"${own * 2n}"`, `"${2n ** 256n}"`]]) {
        behaviours = { ...all((key) => offers(key, own - 1000n)), kyberswap: wrong(change) };
        assert.equal(ends(await quote()).kyberswap, 'UPSTREAM_ERROR', change.join(' → '));
        behaviours = all((key) => offers(key, own - 1000n));
        assert.equal(ends(await quote()).kyberswap, 'offered');
    }
});

test('providers and exclude_providers choose whom to ask', async () => {
    behaviours = all((key) => offers(key, own - 1000n));
    asked = [];
    assert.deepEqual(ends(await quote({ providers: ['kyberswap'] })), { kyberswap: 'offered' });
    assert.deepEqual(asked, ['kyberswap']);
    assert.deepEqual(Object.keys(ends(await quote({ exclude_providers: ['uniswap', 'velora', 'jupiter'] }))).sort(), ['kyberswap', 'openocean']);
    assert.deepEqual(ends(await quote({ providers: ['kyberswap', 'velora'], exclude_providers: ['velora'] })), { kyberswap: 'offered' });
    assert.equal((await quote({ providers: ['openocean'] })).route, 'ETH → USDC via OpenOcean: the only offer');
});

test('a choice that leaves no provider, or names an unknown one, is refused', async () => {
    for (const more of [{ providers: ['relay'] }, { providers: ['across'] }, { providers: ['uniswap'], exclude_providers: ['uniswap'] }]) {
        refused(await ask(more), 'No provider left to ask');
    }
    const { hint } = refused(await ask({ providers: ['uniswap', 'cowswap'] }), "Unknown provider 'cowswap'", ['providers']);
    assert.match(hint, /^Providers: wrapped, uniswap, kyberswap, .*[^,]$/);
    refused(await ask({ exclude_providers: ['Uniswap'] }), "Unknown provider 'Uniswap'", ['exclude_providers']);
    for (const wrong of [[], 'uniswap', [7], [null], Array.from({ length: 17 }, () => 'uniswap')]) {
        const { status, body } = await ask({ providers: wrong });
        assert.deepEqual([status, typeof body.fields?.providers], [400, 'string'], JSON.stringify(wrong));
    }
});

test('a provider that hardly answers without a key is asked last, and only if no other has an offer', async () => {
    const other = await startGateway([
        ...['kyberswap', 'lifi'].map((key) => `provider.${key}.url = http://127.0.0.1:${port}/${key}`),
        'provider.kyberswap.rate = 100/s', 'provider.lifi.key_file =',
    ]);
    const told = async () => {
        asked = [];
        const { body } = await send('POST', `${API}/quote`, { key: agent.key, json: { ...TRADE, providers: ['kyberswap', 'lifi'] }, base: other.base });
        return [body.success ? ends(body) : body.error, asked];
    };
    const none = (response) => response.writeHead(404).end('{"code":4008,"message":"route not found"}');
    try {
        behaviours = { kyberswap: offers('kyberswap', own), lifi: none };
        assert.deepEqual(await told(), [{ kyberswap: 'offered', lifi: 'SKIPPED' }, ['kyberswap']]);
        behaviours.kyberswap = none;
        assert.deepEqual((await told())[1], ['kyberswap', 'lifi']);
    } finally {
        await other.stop();
    }
});

test('a coin is traded for its wrapped form without a provider', async () => {
    asked = [];
    const body = await quote({ to_token: 'WETH' });
    assert.deepEqual([ends(body), asked], [{ wrapped: 'offered' }, []]);
    assert.deepEqual(ends(await quote({ to_token: 'WETH', providers: ['wrapped'] })), { wrapped: 'offered' });
});

test('MCP and A2A take providers too', async () => {
    const { dex } = await used('get_quote', { ...TRADE, providers: ['uniswap'] }, agent.key);
    assert.match(dex, /^Uniswap /);
    assert.match(JSON.stringify(await callOperation({ tool: 'get_quote' }, { ...TRADE, providers: ['nobody'] }, agent.key)), /Unknown provider 'nobody'/);
});
