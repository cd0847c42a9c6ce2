// Section: api
// GET /chains, GET /tokens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { API, granted, hasMembers, refused, register, send } from './lib.mjs';
import { CHAINS } from './chain.mjs';

const agent = await register();
const ZERO = `0x${'0'.repeat(40)}`;

/** Key, id, name, native token, type, alias. */
const TABLE = [
    ['ethereum', 1, 'Ethereum', 'ETH', 'evm', 'eth'],
    ['optimism', 10, 'Optimism', 'ETH', 'evm', 'op'],
    ['bsc', 56, 'BNB Chain', 'BNB', 'evm', 'bnb'],
    ['polygon', 137, 'Polygon', 'MATIC', 'evm', 'matic'],
    ['arbitrum', 42161, 'Arbitrum', 'ETH', 'evm', 'arb'],
    ['base', 8453, 'Base', 'ETH', 'evm'],
    ['avalanche', 43114, 'Avalanche', 'AVAX', 'evm', 'avax'],
    ['fantom', 250, 'Fantom', 'FTM', 'evm', 'ftm'],
    ['linea', 59144, 'Linea', 'ETH', 'evm'],
    ['mantle', 5000, 'Mantle', 'MNT', 'evm'],
    ['gnosis', 100, 'Gnosis', 'xDAI', 'evm'],
    ['scroll', 534352, 'Scroll', 'ETH', 'evm'],
    ['solana', 1151111081099710, 'Solana', 'SOL', 'solana', 'sol'],
    ['sui', 784, 'Sui', 'SUI', 'move'],
    ['ton', 607, 'TON', 'TON', 'ton'],
];

const HARD_CODED = {
    ethereum: { ETH: 18, WETH: 18, USDC: 6, USDT: 6, WBTC: 8 },
    optimism: { ETH: 18, WETH: 18, USDC: 6, 'USDC.e': 6, USDT: 6 },
    bsc: { BNB: 18, WBNB: 18, USDC: 18, USDT: 18, BUSD: 18 },
    polygon: { MATIC: 18, WMATIC: 18, USDC: 6, 'USDC.e': 6, USDT: 6, pUSD: 6 },
    arbitrum: { ETH: 18, WETH: 18, USDC: 6, 'USDC.e': 6, USDT: 6 },
    base: { ETH: 18, WETH: 18, USDC: 6, DAI: 18 },
    avalanche: { AVAX: 18, WAVAX: 18, USDC: 6, 'USDC.e': 6, USDT: 6 },
};

const tokens = async (query = '') => granted(await agent.get(`/tokens${query}`));

test('the chains', async () => {
    const { chains } = granted(await send('GET', `${API}/chains`));
    assert.deepEqual(
        chains.map(({ id, key, name, native_token: native, type }) => ({ key, id, name, native, type })),
        TABLE.map(([key, id, name, native, type]) => ({ key, id, name, native, type })),
    );
    for (const chain of chains) hasMembers(chain, ['id', 'key', 'name', 'native_token', 'type', 'trading'], ['note']);
});

test('chains show the actions that their nodes and providers here allow', async () => {
    const { chains } = granted(await send('GET', `${API}/chains`));
    const trading = Object.fromEntries(chains.map((chain) => [chain.key, chain.trading]));
    for (const key of ['ethereum', 'base', 'polygon']) assert.deepEqual(trading[key], ['swap'], key);
    for (const key of ['arbitrum', 'fantom', 'sui', 'ton']) assert.deepEqual(trading[key], [], key);
    assert.match(chains.find(({ key }) => key === 'fantom').note, /Sonic/);
});

test('a query does not disturb GET /chains', async () => {
    assert.equal(granted(await send('GET', `${API}/chains?_chain=base&_x=%20`)).chains.length, 15);
});

for (const [key, id, , native, type] of TABLE) {
    test(`tokens of ${key}`, async () => {
        const answer = await tokens(`?chain=${key}`);
        assert.deepEqual([answer.chain, answer.chain_id], [key, id]);
        assert.ok(answer.tokens.length > 0);
        for (const token of answer.tokens) {
            hasMembers(token, ['symbol', 'name', 'address', 'decimals', 'chain'], ['logo_url']);
            assert.equal(token.chain, key);
            assert.ok(Number.isInteger(token.decimals) && token.decimals >= 0 && token.decimals <= 36);
            if (type === 'evm') assert.match(token.address, /^0x[0-9a-fA-F]{40}$/);
        }
        const found = Object.fromEntries(answer.tokens.map(({ symbol, decimals }) => [symbol, decimals]));
        for (const [symbol, decimals] of Object.entries(HARD_CODED[key] ?? {})) assert.equal(found[symbol], decimals, symbol);
        assert.ok(native in found, `${native} among ${Object.keys(found)}`);
        if (type === 'evm') assert.deepEqual(answer.tokens.filter(({ address }) => address === ZERO).map(({ symbol }) => symbol), [native]);
        // On Solana the coin has the address of its wrapped form.
        assert.equal(new Set(answer.tokens.map(({ address }) => address.toLowerCase())).size, answer.tokens.length - (key === 'solana' ? 1 : 0));
    });
}

test('tokens carry the addresses that the chains really have them at', async () => {
    for (const chain of ['ethereum', 'base']) {
        const found = Object.fromEntries((await tokens(`?chain=${chain}`)).tokens.map((token) => [token.symbol, token.address]));
        for (const [symbol, { address }] of Object.entries(CHAINS[chain].tokens)) assert.equal(found[symbol], address, symbol);
    }
});

test('aliases and any case name a chain', async () => {
    for (const [key, , , , , alias] of TABLE) {
        for (const name of [key.toUpperCase(), alias, alias?.toUpperCase()]) {
            if (name !== undefined) assert.equal((await tokens(`?chain=${name}`)).chain, key);
        }
    }
});

test('without a chain, tokens come grouped by chain', async () => {
    const { chains } = await tokens();
    assert.deepEqual(chains.map(({ chain, chain_id: id }) => [chain, id]), TABLE.map(([key, id]) => [key, id]));
    const base = chains.find(({ chain }) => chain === 'base');
    assert.deepEqual(base.tokens, (await tokens('?chain=base')).tokens);
});

for (const chain of ['bitcoin', 'eth ', '1', '0x1', 'ethereum;', "a'b", '%F0%9F%9A%80', 'x'.repeat(200)]) {
    test(`tokens of no chain: ${chain.slice(0, 20)}`, async () => {
        const answer = await agent.get(`/tokens?chain=${chain.replace(' ', '%20')}`);
        refused(answer, `Unknown chain '${decodeURIComponent(chain)}'`);
    });
}

test('search finds by symbol or name, in any case', async () => {
    const symbols = async (query) => (await tokens(query)).tokens.map(({ symbol }) => symbol).sort();
    assert.deepEqual(await symbols('?chain=ethereum&search=usd'), ['USDC', 'USDT']);
    assert.deepEqual(await symbols('?chain=ethereum&search=USDc'), ['USDC']);
    assert.deepEqual(await symbols('?chain=base&search=dai'), ['DAI']);
    assert.deepEqual(await symbols('?chain=base&search=nothing'), []);
    assert.deepEqual(await symbols('?chain=base&search=%25'), []);
});

test('tokens come in pages', async () => {
    const all = (await tokens('?chain=ethereum')).tokens;
    assert.deepEqual((await tokens('?chain=ethereum&limit=2')).tokens, all.slice(0, 2));
    assert.deepEqual((await tokens('?chain=ethereum&limit=2&offset=1')).tokens, all.slice(1, 3));
    assert.deepEqual((await tokens('?chain=ethereum&offset=1000')).tokens, []);
});

for (const query of ['limit=0', 'limit=-1', 'limit=x', 'limit=1.5', 'limit=1e1', 'limit=', 'limit=99999999999999999999']) {
    test(`tokens with ${query}`, async () => refused(await agent.get(`/tokens?chain=base&${query}`), 'Validation failed', ['limit']));
}

for (const query of ['offset=-1', 'offset=x', 'offset=1.5']) {
    test(`tokens with ${query}`, async () => {
        refused(await agent.get(`/tokens?chain=base&${query}`), 'offset must be 0 or more', ['offset']);
    });
}
