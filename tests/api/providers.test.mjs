// Section: api
// Providers of routes: each carries swaps out. The gateway and the services are the test's own.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ROUTERS } from '../../contrib/sandbox/aggregators.mjs';
import {
    APPROVE, balance, erc20, feesPaid, fund, give, nonceOf, rpc, units,
} from './chain.mjs';
import { startGateway } from './gateway.mjs';
import { freePort } from './ports.mjs';
import {
    API, ROOT, granted, refused, register, send, stackSettings, until,
} from './lib.mjs';

/**
 * `base`: the part of its settings after the service's name. `keyed`: without a key it does not answer, or less often.
 * Some contracts keep a little of what they have unwrapped (velora, 1inch): the amount that arrived is reported all the same.
 */
const PROVIDERS = {
    kyberswap: {},
    '0x': { keyed: true },
    velora: {},
    openocean: {},
    '1inch': { base: '/swap/v6.1', keyed: true },
    lifi: { keyed: true },
};
const PAIRS = {
    ethereum: [['ETH', 'USDC', '0.1'], ['USDC', 'ETH', '250.5'], ['USDC', 'WBTC', '300']],
    base: [['ETH', 'USDC', '0.1'], ['USDC', 'ETH', '250.5'], ['USDC', 'DAI', '300']],
};
const BONUS = 60; // bps: more than the haircut of any

const settings = await stackSettings();
const upstream = await startUpstream();
const ENDED = ['provider.odos.url = https://api.odos.example', 'provider.odos.rate = 5/s', `provider.relay.url = ${upstream.base}/relay`, 'provider.relay.key_file ='];
const gateway = await startGateway(ENDED.concat(Object.entries(PROVIDERS).flatMap(([key, { base = '', keyed }]) => [
    `provider.${key}.url = ${upstream.base}/${key}${base}`,
    `provider.${key}.rate = 100/s`,
    ...keyed ? [`provider.${key}.key_file = ${keyFile(key)}`] : [],
])));
// On polygon, which has no aggregators here, no Settler is registered: that is reported, and the others are listed.
await gateway.agentctl('settlers').catch(({ stdout }) => assert.match(stdout, /^polygon +none/m));
after(async () => {
    await gateway.stop();
    await upstream.stop();
});

async function startUpstream() {
    const port = await freePort();
    const urls = Object.keys(PAIRS).map((chain) => `${chain}=http://127.0.0.1:${settings[`SANDBOX_${chain.toUpperCase()}_PORT`]}`);
    const program = spawn(process.execPath, [
        `${ROOT}contrib/sandbox/upstream/server.mjs`, String(port), '-', '-', ...urls,
    ], { stdio: 'ignore' });
    process.once('exit', () => program.kill('SIGKILL'));
    const base = `http://127.0.0.1:${port}`;
    const control = async (method, body) => (await fetch(`${base}/_sandbox`, { method, body: body && JSON.stringify(body) })).json();
    await until('the services', () => control('GET').then(() => true, () => false));
    return { base, control, stop: async () => { program.kill(); await once(program, 'exit'); } };
}

async function trader(chain, from) {
    const agent = await register();
    agent.base = gateway.base;
    agent.address = await agent.wallet();
    await fund(chain, agent.address, 10);
    if (from !== 'ETH') await give(chain, agent.address, from, '1000');
    return agent;
}

const holdings = async (chain, address, symbols) => Object.fromEntries(
    await Promise.all(symbols.map(async (symbol) => [symbol, await balance(chain, address, symbol)])));

/** The approval, where there is one, is exact and for the provider's contract, which is what is called. */
async function checkTransactions(key, chain, { transactions, from_amount: amount }, from, address) {
    const router = ROUTERS[key][chain];
    assert.deepEqual(transactions.map(({ kind }) => kind), from === 'ETH' ? ['swap'] : ['approval', 'swap']);
    const sent = await Promise.all(transactions.map(({ tx_hash: hash }) => rpc(chain, 'eth_getTransactionByHash', [hash])));
    assert.equal(sent.at(-1).to, router.toLowerCase());
    if (from === 'ETH') return;
    const [spender, allowed] = APPROVE.decodeFunctionData('approve', sent[0].input);
    assert.deepEqual([spender.toLowerCase(), allowed], [router.toLowerCase(), units(chain, from, amount)]);
    assert.equal(await erc20(chain, from).allowance(address, router), 0n);
}

async function checkBalances(key, chain, before, now, swap, from, to) {
    const fees = await feesPaid(chain, swap.transactions.map(({ tx_hash: hash }) => hash));
    const change = (symbol) => now[symbol] - before[symbol] + (symbol === 'ETH' ? fees : 0n);
    const told = units(chain, to, swap.to_amount);
    assert.equal(change(from), -units(chain, from, swap.from_amount), `change of ${from}`);
    assert.equal(change(to), told, `change of ${to}`);
}

for (const key of Object.keys(PROVIDERS)) {
    for (const chain of Object.keys(PAIRS)) {
        for (const [from, to, amount] of PAIRS[chain]) {
            test(`${key} trades ${from} for ${to} on ${chain}`, async () => {
                const agent = await trader(chain, from);
                const before = await holdings(chain, agent.address, [from, to]);
                await upstream.control('DELETE');
                const quote = await agent.quote(from, to, amount, { chain, providers: [key] });
                assert.deepEqual(quote.routes.map(({ provider, selected }) => [provider, selected]), [[key, true]]);
                const accepted = granted(await agent.execute(quote));
                const swap = await agent.completed(accepted.swap_id);
                await checkTransactions(key, chain, swap, from, agent.address);
                await checkBalances(key, chain, before, await holdings(chain, agent.address, [from, to]), swap, from, to);
            });
        }
    }
}

for (const key of ['uniswap', ...Object.keys(PROVIDERS)]) {
    test(`an unsigned transaction of ${key} has its deadline, and a quote of ${key} alone its impact`, async () => {
        const agent = await trader('base', 'ETH');
        await upstream.control('DELETE');
        const quote = await agent.quote('ETH', 'USDC', '0.1', { chain: 'base', providers: [key], wallet_address: agent.address });
        const { price_impact_pct: simulated } = granted(await agent.post('/swap/simulate', { quote_id: quote.quote_id }));
        assert.ok(Math.abs(simulated - 100 * Number(quote.price_impact)) < 0.5 && quote.price_impact !== null, `${quote.price_impact} and ${simulated} %`);
        const built = granted(await agent.post('/swap', { quote_id: quote.quote_id, wallet_address: agent.address }));
        const minutes = (Date.parse(built.good_until) - Date.now()) / 60_000;
        assert.ok(minutes > 18 && minutes <= 21, built.good_until);
        // Only the call of Uniswap's router bears a time after which its contract refuses it: its first word.
        const deadline = key === 'uniswap' ? new Date(1000 * Number(`0x${built.transaction.data.slice(10, 74)}`)).toISOString() : null;
        assert.equal(built.valid_until, deadline);
    });
}

test('0x sells what was asked for less its own fee, where it takes that of what is sold', async () => {
    const agent = await trader('base', 'USDC');
    await upstream.control('DELETE');
    await upstream.control('POST', { service: '0x', fault: 'fee_in_sold' });
    const quote = await agent.quote('USDC', 'ETH', '250.5', { chain: 'base', providers: ['0x'] });
    const swap = await agent.completed(granted(await agent.execute(quote)).swap_id);
    await upstream.control('DELETE');
    assert.equal(swap.from_amount, '250.5');
});

test('a service that ended is told by name and day, may be excluded, and its settings are a warning', async () => {
    const agent = await trader('base', 'ETH');
    await upstream.control('DELETE');
    const ask = (more) => agent.post('/quote', { chain: 'base', from_token: 'ETH', to_token: 'USDC', amount: '0.1', ...more });
    const { hint } = refused(await ask({ providers: ['odos'] }), "Unknown provider 'odos'", ['providers']);
    assert.match(hint, /^Odos ended on 2026-07-30\. Providers: /);
    const { routes } = granted(await ask({ exclude_providers: ['odos', 'velora'] }));
    assert.ok(routes.length > 2 && routes.every(({ provider }) => provider !== 'velora'));
    const said = await agent.post('/execute', { command: 'quote 0.1 ETH to USDC on base via odos' });
    assert.match(refused(said, "Unknown provider 'odos'").hint, /^Odos ended/);
    const lines = readFileSync(join(settings.GATEWAY_LOG, `gateway-${new URL(gateway.base).port}.log`), 'utf8').split('\n').filter((line) => line.includes('event=provider_ended'));
    assert.equal(lines.length, 1);
    assert.match(lines[0], / warn .* provider=odos day=2026-07-30/);
});

test('that a provider is asked without the key that it wants is told at the start', () => {
    const log = readFileSync(join(settings.GATEWAY_LOG, `gateway-${new URL(gateway.base).port}.log`), 'utf8');
    const lines = log.split('\n').filter((line) => line.includes('event=provider_without_key'));
    assert.equal(lines.length, 1);
    assert.match(lines[0], / warn .* provider=relay$/);
});

test('the chain itself is the best as long as no aggregator pays more', async () => {
    const { routes } = await (await trader('base', 'ETH')).quote('ETH', 'USDC', '0.1', { chain: 'base' });
    assert.equal(routes[0].provider, 'uniswap');
    for (const key of Object.keys(PROVIDERS)) assert.ok(routes.some(({ provider }) => provider === key), key);
});

/** The best is the provider with this key. */
async function best(agent, key) {
    await upstream.control('DELETE');
    await upstream.control('POST', { service: key, fault: 'bonus', value: BONUS });
    const quote = await agent.quote('ETH', 'USDC', '0.1', { chain: 'base' });
    assert.equal(quote.routes[0].provider, key);
    return quote;
}

// What services do once an offer of theirs is chosen: they fail, refuse for good, or hand over another contract, call or type than
// before. Three plans that break a promise would put one of them aside.
const LETS_DOWN = [
    ['kyberswap', 'http_500'], ['kyberswap', 'garbage'], ['kyberswap', 'recipient'], ['kyberswap', 'minimum'], ['kyberswap', 'blocked'], ['kyberswap', 'http_401'],
    ['kyberswap', 'retyped', 'data.data', '/base/api/v1/route/build'], ['kyberswap', 'retyped', 'data.routerAddress', '/base/api/v1/route/build'],
    ['openocean', 'target'], ['openocean', 'selector'], ['openocean', 'http_404'], ['openocean', 'http_410'],
];
for (const [key, fault, value, path] of LETS_DOWN) {
    test(`the next best carries out what the winner does not: ${key} ${fault} ${value ?? ''}`, async () => {
        const agent = await trader('base', 'ETH');
        const quote = await best(agent, key);
        await upstream.control('POST', { service: key, fault, value, path });
        const swap = await agent.completed(granted(await agent.execute(quote)).swap_id);
        const { to } = await rpc('base', 'eth_getTransactionByHash', [swap.tx_hash]);
        assert.notEqual(to, ROUTERS[key].base.toLowerCase());
        assert.ok(Number(swap.to_amount) >= Number(quote.amount_out_min), swap.to_amount);
        assert.equal(await nonceOf('base', agent.address), 1);
    });
}

test('a provider that refuses for good while it is quoted is told by name, and the next best is chosen and carries it out', async () => {
    const agent = await trader('base', 'ETH');
    await best(agent, 'kyberswap');
    await upstream.control('POST', { service: 'kyberswap', fault: 'blocked' });
    const quote = await agent.quote('ETH', 'USDC', '0.1', { chain: 'base' });
    assert.equal(quote.routes.find(({ provider }) => provider === 'kyberswap').error, 'REFUSED');
    assert.notEqual(quote.routes[0].provider, 'kyberswap');
    await agent.completed(granted(await agent.execute(quote)).swap_id);
    assert.equal(await nonceOf('base', agent.address), 1);
    await upstream.control('DELETE');
});

const BUILDS = '/transactions'; // of Velora, apart from its offers
const ALONE = [
    ['http_500', 'UPSTREAM_ERROR'], ['blocked', 'PROVIDER_REFUSED'], ['http_401', 'PROVIDER_REFUSED'], ['http_404', 'PROVIDER_REFUSED'], ['http_410', 'PROVIDER_REFUSED'],
    ['selector', 'UPSTREAM_ERROR'], ['retyped', 'UPSTREAM_ERROR', 'data', BUILDS], ['dropped', 'UPSTREAM_ERROR', 'to', BUILDS],
];
for (const [fault, code, value, path] of ALONE) {
    test(`a quote stays usable after its one provider did not carry it out, and nothing is spent: ${fault}`, async () => {
        const agent = await trader('base', 'ETH');
        await upstream.control('DELETE');
        const quote = await agent.quote('ETH', 'USDC', '0.1', { chain: 'base', providers: ['velora'] });
        await upstream.control('POST', { service: 'velora', fault, value, path });
        for (const [call, json] of [['/swap/execute', {}], ['/swap', { wallet_address: agent.address }]]) {
            const { status, body } = await send('POST', `${API}${call}`, { key: agent.key, json: { quote_id: quote.quote_id, ...json }, base: gateway.base, mayBreak: true });
            assert.deepEqual([status, body.error_code], [500, code], JSON.stringify(body));
            assert.doesNotMatch(body.hint, /smaller amount|answered in time/);
        }
        assert.deepEqual(granted(await agent.get('/swaps')).swaps, []);
        assert.deepEqual([await nonceOf('base', agent.address, 'pending'), await balance('base', agent.address, 'ETH')], [0, units('base', 'ETH', '10')]);
        await upstream.control('DELETE');
        await agent.completed(granted(await agent.execute(quote)).swap_id);
        assert.equal(await nonceOf('base', agent.address), 1);
    });
}

/** A provider's key; the service of the sandbox accepts any. */
function keyFile(key) {
    const path = join(settings.GATEWAY_VAR, `${key}.key`);
    writeFileSync(path, 'sandbox\n');
    chmodSync(path, 0o600);
    return path;
}
