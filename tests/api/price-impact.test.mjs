// Section: api
// What a trade loses by its own size: quotes tell it, and beyond a bound nothing is built or executed unless it is allowed.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { Contract, parseEther } from 'ethers';
import {
    API, CANONICAL, granted, refused, registerUnlimited, send, stack,
} from './lib.mjs';
import { callOperation } from './a2a.mjs';
import {
    CHAINS, balance, mined, outsider, provider, rpc, token,
} from './chain.mjs';
import { startGateway } from './gateway.mjs';
import { callTool } from './mcp.mjs';

const TOO_HIGH = 'Price impact too high', SHALLOW = 'Insufficient liquidity for this trade';
const agent = await registerUnlimited();
const address = await agent.wallet('base', 50_000);

// Loses more than half, so that it is never executed by accident.
const HUGE = ['ETH', 'DAI', '20000', { chain: 'base' }];
// Loses somewhat more than allowed.
const LARGE = ['ETH', 'DAI', '600', { chain: 'base' }];

const simulate = async (json, who = agent) => granted(await who.post('/swap/simulate', json));
const checkOf = ({ checks }) => checks.find(({ name }) => name === 'price_impact');

/** Nothing of this is executed when a test is over. */
async function nothingHappened(work) {
    const before = [granted(await agent.get('/swaps')).pagination.total, await balance('base', address, 'ETH')];
    await work();
    assert.deepEqual([granted(await agent.get('/swaps')).pagination.total, await balance('base', address, 'ETH')], before);
}

// ---------------------------------------------------------------- quotes

for (const [from, to, amount, chain] of [
    ['ETH', 'USDC', '2000', 'base'], ['ETH', 'DAI', '600', 'base'], ['USDC', 'WBTC', '600000', 'ethereum'], ['WBTC', 'USDC', '40', 'ethereum'],
]) {
    test(`the impact of ${amount} ${from} to ${to} is that against a thousandth`, async () => {
        const ask = (sum) => agent.quote(from, to, sum, { chain });
        const [whole, part] = [await ask(amount), await ask(String(Number(amount) / 1000))];
        assert.match(whole.price_impact, CANONICAL);
        const expected = 1 - Number(whole.amount_out) / (1000 * Number(part.amount_out));
        assert.ok(Math.abs(Number(whole.price_impact) - expected) < 0.003, `${whole.price_impact} instead of about ${expected}`);
        assert.equal(whole.warnings.length, Number(whole.price_impact) > 0.02 ? 1 : 0, JSON.stringify(whole.warnings));
        assert.ok(Number(part.price_impact) < 0.01, part.price_impact);
        assert.deepEqual(part.warnings, []);
    });
}

test('a warning says how bad it is', async () => {
    const quote = await agent.quote(...HUGE);
    assert.ok(Number(quote.price_impact) > 0.5, quote.price_impact);
    assert.match(quote.warnings[0], new RegExp(`^Price impact of ${(100 * Number(quote.price_impact)).toFixed(4).replace(/\.?0+$/, '')} %`));
});

test('wrapping loses nothing, and dust not more than a smallest unit', async () => {
    assert.equal((await agent.quote('ETH', 'WETH', '20000', { chain: 'base' })).price_impact, '0');
    assert.equal((await agent.quote('WETH', 'ETH', '20000', { chain: 'base' })).price_impact, '0');
    for (const [from, to, amount] of [['USDC', 'ETH', '0.000001'], ['ETH', 'USDC', '0.000001'], ['USDC', 'DAI', '0.01']]) {
        const { price_impact: impact } = await agent.quote(from, to, amount, { chain: 'base' });
        assert.ok(Number(impact) < 0.005, `${amount} ${from}: ${impact}`);
    }
});

test('wide slippage, fees that take a part of the amount and a wallet left without coin are warned of', async () => {
    const warned = async (...args) => (await agent.quote(...args)).warnings;
    assert.match((await warned('ETH', 'USDC', '1', { chain: 'base', slippage: 0.0501 })).join(), /^Slippage of 5\.01 % allowed/);
    assert.deepEqual(await warned('ETH', 'USDC', '1', { chain: 'base', slippage: 0.05 }), []);
    const small = await agent.quote('USDC', 'USDT', '0.01', { chain: 'ethereum' });
    assert.match(small.warnings.join(), /^Gas and fees take about \S+ % of what it brings/, JSON.stringify(small));
    const poor = await registerUnlimited(), wallet = await poor.wallet('base', 1);
    const all = await poor.quote('ETH', 'USDC', '0.9999999', { chain: 'base', wallet_address: wallet });
    assert.match(all.warnings.join(), /without ETH/);
    assert.deepEqual((await poor.quote('ETH', 'USDC', '0.5', { chain: 'base', wallet_address: wallet })).warnings, []);
    // Exactly what its fees leave: with each fee told the rehearsal sees the wallet emptied.
    const { fees } = await simulate({ from_token: 'ETH', to_token: 'USDC', amount: '0.5', chain: 'base' }, poor);
    const most = (10n ** 18n - parseEther(fees.gas_estimate) * 3n / 2n).toString().padStart(18, '0');
    const emptied = await simulate({ from_token: 'ETH', to_token: 'USDC', amount: `0.${most}`, chain: 'base' }, poor);
    assert.match(emptied.warnings.join(), /without ETH/, JSON.stringify(emptied.checks));
});

// ---------------------------------------------------------------- refusals

test('beyond the bound nothing is built or executed, and the quote stays usable', () => nothingHappened(async () => {
    const quote = await agent.quote(...HUGE);
    assert.match(refused(await agent.execute(quote), SHALLOW).hint, /max_price_impact/);
    refused(await agent.post('/swap', { quote_id: quote.quote_id, wallet_address: address }), SHALLOW);
    const [from_token, to_token, amount, { chain }] = HUGE;
    refused(await agent.post('/swap', { from_token, to_token, amount, chain, wallet_address: address }), SHALLOW);
    granted(await agent.post('/swap', { quote_id: quote.quote_id, wallet_address: address, max_price_impact: 0.9 }));
    granted(await agent.post('/swap', { from_token, to_token, amount, chain, wallet_address: address, max_price_impact: 0.9 }));
}));

const SENTENCE = 'swap 20000 ETH to DAI on base';
const WAYS = {
    'a sentence': async () => {
        const { status, body } = await send('POST', `${API}/execute`, { key: agent.key, json: { command: SENTENCE } });
        return { ok: status < 300, code: body.error_code, body };
    },
    MCP: (quote_id) => callTool({ tool: 'execute_swap', parameters: [quote_id] }, { quote_id }, agent.key),
    'a sentence over MCP': () => callTool({ tool: 'execute_command', parameters: [SENTENCE] }, { command: SENTENCE }, agent.key),
    A2A: (quote_id) => callOperation({ tool: 'execute_swap' }, { quote_id }, agent.key),
    'a sentence over A2A': () => callOperation({ tool: 'execute_command' }, { command: SENTENCE }, agent.key),
};

for (const [way, execute] of Object.entries(WAYS)) {
    test(`the bound holds over ${way}`, () => nothingHappened(async () => {
        const { ok, code, body } = await execute((await agent.quote(...HUGE)).quote_id);
        assert.deepEqual([ok, code, body.error], [false, 'INSUFFICIENT_LIQUIDITY', SHALLOW], JSON.stringify(body));
    }));
}

test('a simulation and its execution agree, with and without permission', () => nothingHappened(async () => {
    const { quote_id, price_impact } = await agent.quote(...LARGE);
    const below = Number(price_impact) - 0.001;
    for (const max_price_impact of [undefined, 0, below]) {
        const said = await simulate({ quote_id, max_price_impact });
        assert.deepEqual([said.would_execute, checkOf(said).status], [false, 'fail'], JSON.stringify(said));
        refused(await agent.post('/swap/execute', { quote_id, max_price_impact }), TOO_HIGH);
    }
    const said = await simulate({ quote_id, max_price_impact: 0.5 });
    assert.deepEqual([said.would_execute, checkOf(said).status], [true, 'warn'], JSON.stringify(said));
    assert.ok(Math.abs(said.price_impact_pct - 100 * Number(price_impact)) < 0.5, String(said.price_impact_pct));
}));

// ---------------------------------------------------------------- permission

test('permission is kept with the quote; that of the call counts before it', () => nothingHappened(async () => {
    const { quote_id } = await agent.quote('ETH', 'DAI', '600', { chain: 'base', max_price_impact: 0.5 });
    assert.equal((await simulate({ quote_id })).would_execute, true);
    assert.equal((await simulate({ quote_id, max_price_impact: 0.01 })).would_execute, false);
    refused(await agent.post('/swap/execute', { quote_id, max_price_impact: 0.01 }), TOO_HIGH);
    refused(await agent.post('/swap', { quote_id, wallet_address: address, max_price_impact: 0.01 }), TOO_HIGH);
    granted(await agent.post('/swap', { quote_id, wallet_address: address }));
}));

test('an agent that allows less impact than the operator is held to it', () => nothingHappened(async () => {
    const quote = await agent.quote('ETH', 'DAI', '100', { chain: 'base', max_price_impact: 0 });
    assert.ok(Number(quote.price_impact) < 0.05, quote.price_impact);
    refused(await agent.execute(quote), TOO_HIGH);
}));

test('a number between 0 and 1', async () => {
    const { quote_id } = await agent.quote('ETH', 'USDC', '1');
    for (const max_price_impact of [-0.1, 1.1, '0.1', true]) {
        refused(await agent.post('/quote', { from_token: 'ETH', to_token: 'USDC', amount: '1', max_price_impact }), 'Validation failed', ['max_price_impact']);
        refused(await agent.post('/swap/execute', { quote_id, max_price_impact }), 'Validation failed', ['max_price_impact']);
    }
});

// ---------------------------------------------------------------- a market of the test's own

const PAIRS = ['function getPair(address, address) view returns (address)'];
const SYNC = '0xfff6cae9';

/** A token that no other test trades, with two pools of 300,000 dollars; `drain` leaves a twentieth of them. */
async function market(chain) {
    const address = await stack('token', 'pausable', chain);
    const factory = new Contract(CHAINS[chain].v2.factory, PAIRS, provider(chain));
    const held = async (contract, of) => BigInt(await rpc(chain, 'eth_call', [{ to: contract, data: `0x70a08231${of.slice(2).padStart(64, '0')}` }, 'latest']));
    const drain = async () => {
        const outsiderWallet = await outsider(chain, 1);
        for (const other of [token(chain, 'WETH').address, token(chain, 'USDC').address]) {
            const pair = await factory.getPair(address, other);
            for (const side of [address, other]) await rpc(chain, 'anvil_dealERC20', [pair, side, `0x${(await held(side, pair) / 20n).toString(16)}`]);
            await mined(outsiderWallet, { to: pair, data: SYNC });
        }
    };
    return { address, drain };
}

test('liquidity that went away since the quote is noticed, at any slippage', async () => {
    const [first, second] = [await market('ethereum'), await market('ethereum')];
    const trader = await registerUnlimited();
    await trader.wallet('ethereum', 100);
    const quoted = await trader.quote('ETH', first.address, '1', { slippage: 1 });
    assert.ok(Number(quoted.price_impact) < 0.02, quoted.price_impact);
    await first.drain();
    const said = await simulate({ quote_id: quoted.quote_id }, trader);
    assert.equal(checkOf(said).status, 'fail', JSON.stringify(said));
    refused(await trader.execute(quoted), TOO_HIGH);
    granted(await trader.post('/swap/execute', { quote_id: quoted.quote_id, max_price_impact: 0.5 }));

    // The same where an approval stands between.
    granted(await trader.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountWei: '1' } }));
    for (const max_price_impact of [undefined, 0.5]) {
        const quote = await trader.quote('ETH', second.address, '0.9', { slippage: 1, max_price_impact });
        const { approval_id } = granted(await trader.execute(quote), 202);
        await stack('agentctl', 'approve', approval_id);
        if (max_price_impact === undefined) await second.drain();
        const answer = await trader.post('/swap/execute', { approval_id });
        if (max_price_impact === undefined) refused(answer, TOO_HIGH);
        else granted(answer);
    }
});

// ---------------------------------------------------------------- the operator's settings

/** A price service that says what it is told. */
async function feed(prices) {
    const server = createServer((_, response) => {
        response.writeHead(prices.status ?? 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(prices.coins));
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    after(() => { server.close(); server.closeAllConnections?.(); });
    return `price_feed_url = http://127.0.0.1:${server.address().port}/simple/price`;
}

test('the worse of the pools and the feed counts', async () => {
    const prices = { coins: { ethereum: { usd: 3300 }, 'usd-coin': { usd: 1 } } };
    const dear = await startGateway([await feed(prices), 'tier.standard = 100000']);
    const cheap = await startGateway([await feed({ coins: { ethereum: { usd: 2500 }, 'usd-coin': { usd: 1 } } }), 'tier.standard = 100000']);
    const silent = await startGateway([await feed({ status: 500, coins: {} }), 'tier.standard = 100000']);
    after(() => Promise.all([dear, cheap, silent].map((gateway) => gateway.stop())));
    const at = (gateway, path, json) => agent.send('POST', path, { json, base: gateway.base });
    const quote = async (gateway) => granted(await at(gateway, '/quote', { from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base' }));

    const bad = await quote(dear);
    const expected = 1 - Number(bad.amount_out) / 3300;
    assert.ok(expected > 0.05 && Math.abs(Number(bad.price_impact) - expected) < 1e-4, `${bad.price_impact} instead of ${expected}`);
    refused(await at(dear, '/swap/execute', { quote_id: bad.quote_id }), TOO_HIGH);
    assert.equal(granted(await at(dear, '/swap/simulate', { quote_id: bad.quote_id })).would_execute, false);
    for (const gateway of [cheap, silent]) {
        const fine = await quote(gateway);
        assert.ok(Number(fine.price_impact) < 0.01, fine.price_impact);
        granted(await at(gateway, '/swap/execute', { quote_id: fine.quote_id }));
    }
});

test('the bound is a setting', async () => {
    const strict = await startGateway(['price_impact_max = 0.0001', 'tier.standard = 100000']);
    after(() => strict.stop());
    const { quote_id } = await agent.quote('ETH', 'DAI', '10', { chain: 'base' });
    assert.match(refused(await agent.send('POST', '/swap/execute', { json: { quote_id }, base: strict.base }), TOO_HIGH).hint, /0\.01 % is allowed/);
    granted(await agent.execute({ quote_id }));
});
