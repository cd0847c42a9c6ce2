// GET /prices: what the pools pay, compared with what the chain says itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API, granted, hasMembers, refused, registerUnlimited, send } from './lib.mjs';
import { pays } from './chain.mjs';

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
    const answer = await prices('ETH,nope,SOL,BNB,AVAX,0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48');
    assert.deepEqual(Object.keys(answer.prices), ['ETH']);
    assert.deepEqual(answer.unknown_symbols, ['NOPE', '0XA0B86991C6218B36C1D19D4A2E9EB0CE3606EB48']);
    assert.deepEqual(answer.unavailable, ['SOL', 'BNB', 'AVAX']);
});

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

for (const query of ['', '?symbols=', '?symbols=,,%20', '?name=ETH']) {
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
