// Section: api
// Quotes on Solana, which Jupiter gives: the sandbox's pools, and what the service may say instead.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { COIN, MINTS } from '../../contrib/sandbox/solana/world.mjs';
import { callOperation } from './a2a.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, refused, register, registerUnlimited, send, stackSettings, until,
} from './lib.mjs';
import { used } from './mcp.mjs';
import { enough } from '../patience.mjs';

const EVM = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';
const PRICES = { SOL: COIN.price, ...Object.fromEntries(Object.entries(MINTS).map(([symbol, { price }]) => [symbol, price])) };
const SOL_USDC = { from_token: 'SOL', to_token: 'USDC', amount: '1', chain: 'solana' };
const LAMPORTS = 5000;

const { SANDBOX_UPSTREAM_PORT } = await stackSettings();
const control = (json) => fetch(`http://127.0.0.1:${SANDBOX_UPSTREAM_PORT}/_sandbox`, { method: 'POST', body: JSON.stringify(json) });

let agent;
before(async () => { agent = await register(); });

const ask = (more = {}) => agent.post('/quote', { ...SOL_USDC, ...more });
const quote = async (more) => granted(await ask(more));
const near = (value, wanted, share) => assert.ok(Math.abs(value / wanted - 1) <= share, `${value} is not about ${wanted}`);

for (const [from, to, amount] of [
    ['SOL', 'USDC', '1'], ['USDC', 'SOL', '250.5'], ['USDC', 'BONK', '10'], ['BONK', 'SOL', '100000.00001'], ['JUP', 'SOL', '3'],
    ['SOL', 'PYUSD', '0.1'],
]) {
    test(`${from} for ${to}`, async () => {
        const body = await quote({ from_token: from, to_token: to, amount });
        const worth = amount * PRICES[from];
        near(body.amount_out * PRICES[to], worth, 0.001);
        near(body.amount_out_min, body.amount_out * 0.97, 0.0001);
        assert.deepEqual([body.chain_type, body.from_chain, body.to_chain, body.dex, body.amount_in, body.slippage], ['solana', 'solana', 'solana', 'Jupiter', amount, '0.03']);
        assert.deepEqual([body.warnings, body.estimated_time_seconds, body.bridge], [[], 1, undefined]);
        assert.ok(body.price_impact < 0.001, body.price_impact);
        assert.equal(body.route, `${from} → ${to} via Jupiter: the only offer`);
        const [offer, ...others] = body.routes;
        assert.deepEqual(others, []);
        assert.deepEqual([offer.provider, offer.dex, offer.selected, offer.amount_out, offer.amount_out_min], ['jupiter', 'Jupiter', true, body.amount_out, body.amount_out_min]);
        assert.deepEqual([offer.estimated_gas, offer.gas_usd], [0, '0']);
    });
}

test('fees are the chain\'s, where the coin has a price', async () => {
    const fee = LAMPORTS / 1e9 * PRICES.SOL;
    for (const more of [{}, { from_token: 'USDC', to_token: 'SOL' }, { from_token: 'USDC', to_token: 'BONK', amount: '10' }]) {
        const body = await quote(more);
        near(body.routes[0].fees_usd, fee, 0.01);
        assert.equal(body.estimated_gas_usd, body.routes[0].fees_usd);
        near((body.amount_out - body.routes[0].net_out) * PRICES[body.to_token.symbol], fee, 0.01);
    }
});

test('tokens go by symbol in any case, and by their exact mint', async () => {
    const sides = ({ from_token, to_token }) => [from_token, to_token].map(({ symbol, address, decimals, chain }) => [symbol, address, decimals, chain]);
    const wanted = [['SOL', COIN.mint, 9, 'solana'], ['USDC', MINTS.USDC.mint, 6, 'solana']];
    for (const more of [
        {}, { from_token: 'sol', to_token: 'usdc', chain: 'SOL' }, { from_token: COIN.mint, to_token: MINTS.USDC.mint },
        { chain: undefined, from_chain: 'solana', to_chain: 'sol' },
    ]) assert.deepEqual(sides(await quote(more)), wanted);
    const staked = await ask({ to_token: 'jitosol' }); // known, but without a pool here
    assert.match(refused(staked, 'Insufficient liquidity for this trade').hint, /^Try a smaller amount/);
    refused(await ask({ from_token: 'SOL', to_token: COIN.mint }), 'from_token and to_token must differ');
});

for (const [what, more, words, fields] of [
    ['more than 64 bits count', { amount: '18446744073.709551616' }, 'Amount must be a positive number', ['amount']],
    ['less than a unit of the mint', { amount: '0.0000000001' }, 'Amount must be a positive number', ['amount']],
    ['less than a unit of BONK', { from_token: 'BONK', amount: '0.000001' }, 'Amount must be a positive number', ['amount']],
    ['a mint in another case', { to_token: MINTS.USDC.mint.toLowerCase() }, `Unknown token '${MINTS.USDC.mint.toLowerCase()}' on chain 'solana'`, ['to_token']],
    ['an unlisted mint', { to_token: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' }, "Unknown token '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU' on chain 'solana'", ['to_token']],
    ['a mint with its last letter lost', { to_token: MINTS.USDC.mint.slice(0, -1) }, `Unknown token '${MINTS.USDC.mint.slice(0, -1)}' on chain 'solana'`, ['to_token']],
    ['an address of another family', { to_token: EVM }, `Unknown token '${EVM}' on chain 'solana'`, ['to_token']],
    ['a wallet of the other family', { wallet_address: EVM }, 'wallet_address is not a valid address', ['wallet_address']],
    ['everybody left out', { exclude_providers: ['jupiter'] }, 'No provider left to ask'],
    ['others asked alone', { providers: ['uniswap', 'relay'] }, 'No provider left to ask'],
    ['too little', { amount: '0.000000001', to_token: 'USDC' }, 'Insufficient liquidity for this trade'],
]) {
    test(`no quote for ${what}`, async () => {
        refused(await ask(more), words, fields);
    });
}

test('the largest amount is quoted, with its impact', async () => {
    const { price_impact, warnings } = await quote({ amount: '18446744073.709551615' });
    assert.ok(price_impact > 0.99, price_impact);
    assert.match(warnings.join(), /^Price impact of 99/);
});

test('providers, wallet and slippage of a quote are chosen by its caller', async () => {
    const { wallet } = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201);
    const { routes } = await quote({ providers: ['jupiter'], wallet_address: wallet.address });
    assert.deepEqual(routes.map(({ provider }) => provider), ['jupiter']);
    assert.equal((await quote({ slippage: 0 })).slippage, '0');
    const { amount_out, amount_out_min } = await quote({ slippage: 0.000199 }); // one basis point is asked for
    near(amount_out_min, amount_out * (1 - 0.000199), 0.000001);
});

test('the same by MCP, A2A and in plain English', async () => {
    const own = await registerUnlimited();
    near((await used('get_quote', SOL_USDC, own.key)).amount_out, PRICES.SOL, 0.001);
    near((await callOperation({ tool: 'get_quote' }, SOL_USDC, own.key)).body.amount_out, PRICES.SOL, 0.001);
    for (const command of ['quote 1 SOL to USDC', 'quote 1 SOL to USDC on solana']) {
        const { parsed, result } = granted(await agent.post('/execute', { command }));
        assert.equal(parsed.chain, 'solana');
        near(result.amount_out, PRICES.SOL, 0.001);
    }
});

test('where the operator has a feed, the worse price counts, and it prices the coin where Jupiter does not', async () => {
    const prices = { solana: { usd: 200 }, 'usd-coin': { usd: 1 }, bonk: { usd: 0.00001 } };
    const feed = createServer((request, response) => response.end(JSON.stringify(prices))).listen(0, '127.0.0.1');
    await once(feed, 'listening');
    const onlyQuotes = createServer(async (request, response) => {
        if (request.url.includes('/price/')) response.end('{}');
        else response.end(await (await fetch(`http://127.0.0.1:${SANDBOX_UPSTREAM_PORT}${request.url}`)).text());
    }).listen(0, '127.0.0.1');
    await once(onlyQuotes, 'listening');
    const asked = async (port) => {
        const gateway = await startGateway([`price_feed_url = http://127.0.0.1:${feed.address().port}/simple/price`, `provider.jupiter.url = http://127.0.0.1:${port}/jupiter`]);
        try {
            const json = { ...SOL_USDC, from_token: 'USDC', to_token: 'BONK', amount: '10' };
            const body = granted(await send('POST', `${API}/quote`, { key: agent.key, json, base: gateway.base }));
            near(body.price_impact, 0.5, 0.001); // of what the feed says
            return body;
        } finally {
            await gateway.stop();
        }
    };
    try {
        const known = await asked(SANDBOX_UPSTREAM_PORT), fed = await asked(onlyQuotes.address().port);
        assert.deepEqual([known.routes[0].fees_usd, fed.routes[0].fees_usd, fed.estimated_gas_usd], ['0.00075', '0.001', '0.001']);
        near(fed.amount_out - fed.routes[0].net_out, 0.001 / 0.00001, 0.001);
    } finally {
        onlyQuotes.close();
        onlyQuotes.closeAllConnections();
        feed.close();
    }
});

test('where the operator has switched Jupiter off, no provider is asked', async () => {
    const gateway = await startGateway(['provider.jupiter.url =']);
    try {
        const answer = await send('POST', `${API}/quote`, { key: agent.key, json: SOL_USDC, base: gateway.base });
        assert.equal(refused(answer, 'Insufficient liquidity for this trade').hint, 'No provider of this service trades this pair on Solana');
    } finally {
        await gateway.stop();
    }
});

// ---------------------------------------------------------------- what else the service may say

test('no route is told as such', async () => {
    await control({ service: 'jupiter', fault: 'no_route', times: 1, wallet: 'amount=1234567890' }); // and for this quote alone
    assert.match(refused(await ask({ amount: '1.23456789' }), 'Insufficient liquidity for this trade').hint, /^Try a smaller amount/);
});

/** A service that says what it is told to, and a gateway that asks it. */
const scripted = { asked: [] };
before(async () => {
    const server = createServer((request, response) => {
        if (request.url.includes('/price/')) {
            response.end('{}');
            return;
        }
        scripted.asked.push({ url: new URL(request.url, 'http://jupiter'), headers: request.headers });
        scripted.answer(response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    scripted.server = server;
    scripted.gateway = await startGateway([`provider.jupiter.url = http://127.0.0.1:${server.address().port}/j`, 'provider.jupiter.rate = 1000/s']);
});
after(async () => {
    await scripted.gateway?.stop();
    scripted.server?.closeAllConnections();
    scripted.server?.close();
});

const ORDER = {
    inputMint: COIN.mint, outputMint: MINTS.USDC.mint, inAmount: '1000000000', outAmount: '149850000', otherAmountThreshold: '145354500', swapMode: 'ExactIn',
    slippageBps: 300, priceImpact: -0.1, inUsdValue: 150, transaction: null,
};
const says = (more, status = 200, headers = {}) => (response) => response.writeHead(status, headers).end(JSON.stringify({ ...ORDER, ...more }));
const askScripted = async (answer, more) => {
    scripted.answer = answer;
    return send('POST', `${API}/quote`, { key: agent.key, json: { ...SOL_USDC, ...more }, base: scripted.gateway.base, mayBreak: true });
};

/** The answer says that no provider answered; returns its hint. */
function silent({ status, body }) {
    assert.deepEqual([status, body.error_code], [500, 'UPSTREAM_ERROR']);
    return body.hint;
}

test('the question to Jupiter, and the members read from its answer', async () => {
    const fees = { signatureFeeLamports: 5000, prioritizationFeeLamports: 45_000, rentFeeLamports: 2_000_000 };
    const body = granted(await askScripted(says({ ...fees, otherAmountThreshold: '148006845' }), { slippage: 0.012399, wallet_address: MINTS.USDC.mint }));
    const { url, headers } = scripted.asked.at(-1);
    assert.equal(url.pathname, '/j/swap/v2/order');
    assert.deepEqual(Object.fromEntries(url.searchParams), {
        inputMint: COIN.mint, outputMint: MINTS.USDC.mint, amount: '1000000000', slippageBps: '123', excludeRouters: 'jupiterz,dflow,okx',
    });
    assert.equal(headers['x-api-key'], undefined);
    assert.deepEqual([body.amount_out, body.price_impact, body.estimated_gas_usd, body.routes[0].fees_usd], ['149.85', '0.001', '0.3075', '0.3075']);
    assert.equal(body.amount_out_min, '147.992009'); // what the agent allows, though a little more is promised
    near(body.routes[0].net_out, 149.85 * (1 - 0.00205), 0.000001);
});

test('the last decimal counts, and an unknown impact is none', async () => {
    const body = granted(await askScripted(says({ outAmount: '149850001', otherAmountThreshold: '145354501', priceImpact: null, inUsdValue: null })));
    assert.deepEqual([body.amount_out, body.price_impact, body.estimated_gas_usd], ['149.850001', null, null]);
});

test('a lie is no offer, and the next answer may be one', async () => {
    for (const lie of [{ inAmount: '1000000001' }, { outputMint: MINTS.USDT.mint }, { otherAmountThreshold: '0' }]) {
        assert.match(silent(await askScripted(says(lie))), /^The providers of this pair sent invalid answers/);
        granted(await askScripted(says()));
    }
});

test('a provider that limits its rate is not asked as long as it says', async () => {
    const reset = Math.ceil((Date.now() + enough(2000)) / 1000);
    const busy = says({ error: '[API Gateway] Too many requests' }, 429, { 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': String(reset) });
    silent(await askScripted(busy));
    const before = scripted.asked.length;
    assert.match(silent(await askScripted(says())), /not asked at the moment/);
    assert.equal(scripted.asked.length, before);
    await until('an answer', async () => (await askScripted(says())).status === 200);
    assert.ok(Date.now() / 1000 >= reset - 1, 'it was asked again too early');
});
