// Section: api
// GET /prices: what the pools pay, compared with what the chain says itself, and what Jupiter says on Solana.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { COIN, MINTS } from '../../contrib/sandbox/solana/world.mjs';
import { API, granted, hasMembers, refused, registerUnlimited, send } from './lib.mjs';
import { pays } from './chain.mjs';
import { startGateway } from './gateway.mjs';

const agent = await registerUnlimited();
const prices = async (symbols) => granted(await agent.get(`/prices?symbols=${symbols}`));

/** Other tests trade at the same pools meanwhile. */
function near(found, wanted, share = 0.01) {
    assert.equal(typeof found, 'number');
    assert.ok(Math.abs(found / wanted - 1) < share, `${found} instead of about ${wanted}`);
}

for (const [symbol, chain, amount] of [
    ['ETH', 'ethereum', '0.1'], ['WETH', 'ethereum', '0.1'], ['USDT', 'ethereum', '100'], ['DAI', 'base', '100'],
]) {
    test(`${symbol} is worth what the pools of ${chain} pay`, async () => {
        const answer = await prices(symbol);
        hasMembers(answer, ['success', 'prices']);
        assert.deepEqual(Object.keys(answer.prices), [symbol]);
        hasMembers(answer.prices[symbol], ['usd', 'change_24h']);
        assert.equal(answer.prices[symbol].change_24h, null);
        near(answer.prices[symbol].usd, Number(await pays(chain, symbol, 'USDC', amount)) / Number(amount));
    });
}

test('a dollar follows its pool too, and is never dearer than a dollar', async () => {
    const { USDC: { usd } } = (await prices('USDC')).prices;
    near(usd, Number(await pays('ethereum', 'USDC', 'USDT', '100')) / 100);
    assert.ok(usd <= 1, String(usd));
});

test('BTC is WBTC, whose best way to dollars may have two pools', async () => {
    const { BTC, WBTC } = (await prices('BTC,WBTC')).prices;
    near(BTC.usd, WBTC.usd);
    const coins = await pays('ethereum', 'WBTC', 'WETH', '0.1');
    near(WBTC.usd, Number(await pays('ethereum', 'WETH', 'USDC', coins)) * 10, 0.02);
});

test('symbols in any case, several times, with blanks and empty places', async () => {
    const answer = await prices('eth,Eth,%20usdc%20,,ETH');
    assert.deepEqual(Object.keys(answer.prices), ['ETH', 'USDC']);
    hasMembers(answer, ['success', 'prices']);
});

test('unknown symbols and those without a source are named, and have no price', async () => {
    const answer = await prices('ETH,nope,SUI,BNB,AVAX,0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48');
    assert.deepEqual(Object.keys(answer.prices), ['ETH']);
    assert.deepEqual(answer.unknown_symbols, ['NOPE', '0XA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48']);
    assert.deepEqual(answer.unavailable, ['SUI', 'BNB', 'AVAX']);
});

// ---------------------------------------------------------------- Solana

test('on Solana, tokens are worth what Jupiter says', async () => {
    const answer = await prices('sol,WSOL,JUP,bonk,wif,PYUSD,mSOL');
    assert.deepEqual(Object.fromEntries(Object.entries(answer.prices).map(([symbol, { usd }]) => [symbol, usd])), {
        SOL: COIN.price, WSOL: COIN.price, JUP: MINTS.JUP.price, BONK: MINTS.BONK.price, WIF: MINTS.WIF.price, PYUSD: MINTS.PYUSD.price,
    });
    assert.equal(answer.prices.SOL.change_24h, 0);
    assert.deepEqual([answer.unavailable, answer.unknown_symbols], [['MSOL'], undefined]); // known, and not traded
});

/** A service on a port of its own. */
async function service(answer) {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    after(() => { server.close(); server.closeAllConnections(); });
    return `http://127.0.0.1:${server.address().port}`;
}

async function pricesWith(symbols, ...lines) {
    const gateway = await startGateway(lines);
    try {
        return granted(await agent.send('GET', `/prices?symbols=${symbols}`, { base: gateway.base }));
    } finally {
        await gateway.stop();
    }
}

test('one question is about all tokens, and its answer serves all callers for a while', async () => {
    const asked = [];
    const said = { [COIN.mint]: { usdPrice: 1.5e-3, decimals: 9, priceChange24h: -2.25 }, [MINTS.USDC.mint]: { usdPrice: 1.0002, decimals: 6 } };
    const url = await service((request, response) => {
        asked.push(new URL(request.url, 'http://jupiter'));
        response.end(JSON.stringify(said));
    });
    const gateway = await startGateway([`provider.jupiter.url = ${url}/j`]);
    after(() => gateway.stop());
    for (const symbols of ['SOL,ETH', 'SOL', 'JUP,SOL,WSOL', 'BONK']) {
        const answer = granted(await agent.send('GET', `/prices?symbols=${symbols}`, { base: gateway.base }));
        if (symbols.includes('SOL')) assert.deepEqual(answer.prices.SOL, { usd: 0.0015, change_24h: -2.25 });
    }
    assert.equal(asked.length, 1);
    assert.equal(asked[0].pathname, '/j/price/v3');
    const mints = asked[0].searchParams.get('ids').split(',');
    assert.equal(new Set(mints).size, mints.length);
    for (const { mint } of [COIN, ...Object.values(MINTS)]) assert.ok(mints.includes(mint), mint);
});

test('a malformed or absurd price is left out', async () => {
    const price = (usdPrice, decimals = 6) => ({ usdPrice, decimals });
    const said = {
        [COIN.mint]: price(150, 8), [MINTS.JUP.mint]: price(0), [MINTS.BONK.mint]: price(-1, 5), [MINTS.WIF.mint]: price(1e30), [MINTS.PYUSD.mint]: price('one'),
        EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjM: price(1),
    };
    const url = await service((_, response) => response.end(JSON.stringify(said)));
    const answer = await pricesWith('SOL,JUP,BONK,WIF,PYUSD,RAY', `provider.jupiter.url = ${url}`);
    assert.deepEqual([answer.prices, answer.unavailable], [{}, ['SOL', 'JUP', 'BONK', 'WIF', 'PYUSD', 'RAY']]);
});

test('the feed prices the coin when Jupiter is silent, with its change', async () => {
    const silent = await service((_, response) => response.writeHead(503).end());
    const feed = await service((_, response) => response.end(JSON.stringify({ solana: { usd: 149.5, usd_24h_change: 3 } })));
    assert.deepEqual((await pricesWith('SOL,WSOL,JUP', `provider.jupiter.url = ${silent}`, `price_feed_url = ${feed}/simple/price`)).prices, {
        SOL: { usd: 149.5, change_24h: 3 }, WSOL: { usd: 149.5, change_24h: 3 },
    });
    const off = await pricesWith('SOL', 'provider.jupiter.url =');
    assert.deepEqual(off.unavailable, ['SOL']);
});

// ---------------------------------------------------------------- what is asked

test('numbers show their decimal digits, not those of a binary fraction', async () => {
    const { text } = await agent.get('/prices?symbols=ETH,USDT');
    for (const [, digits] of text.matchAll(/"usd":([^,]*)/g)) assert.match(digits, /^\d{1,6}\.\d{1,9}$/);
});

test('twenty symbols, not more', async () => {
    const many = (n) => Array.from({ length: n }, (_, i) => `T${i}`).join(',');
    assert.equal((await prices(many(20))).unknown_symbols.length, 20);
    assert.equal((await prices(`${many(20)},t0,T1`)).unknown_symbols.length, 20);
    const { supported } = refused(await agent.get(`/prices?symbols=${many(21)}`), 'symbols must have at most 20 symbols', ['symbols']);
    assert.ok(supported.includes('ETH'));
});

for (const query of ['', '?symbols=', '?symbols=,,%20', '?_name=ETH']) {
    test(`no symbols: ${JSON.stringify(query)}`, async () => {
        const { supported } = refused(await agent.get(`/prices${query}`), 'symbols is required', ['symbols']);
        for (const symbol of ['ETH', 'USDC', 'BTC', 'DAI', 'SOL']) assert.ok(supported.includes(symbol), symbol);
        assert.equal(new Set(supported).size, supported.length);
    });
}

test('a list beyond all bounds', async () => {
    refused(await agent.get(`/prices?symbols=${'E'.repeat(1001)}`), 'Validation failed', ['symbols']);
});

test('without a key', async () => {
    refused(await send('GET', `${API}/prices?symbols=ETH`), 'Invalid or missing API key');
});
