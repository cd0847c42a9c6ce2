// Section: api
// Lending markets as agents read them, in addition to what the chains themselves say.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Contract, formatUnits } from 'ethers';
import { MORPHO } from '../../contrib/sandbox/world.mjs';
import { ALL_CHAINS, provider } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, hasMembers, refused, register, send, until,
} from './lib.mjs';
import { DATA_PROVIDER, MORPHO_ABI } from './lending.mjs';
import { ask as askMcp, failure, result } from './mcp.mjs';

const LENDING = ['ethereum', 'base'];
const YEAR_S = 31_536_000;
const MEMBERS = [
    'id', 'protocol', 'chain', 'chainId', 'loanToken', 'collateralToken', 'ltv', 'lltv', 'supplyApy', 'borrowApy', 'utilization',
    'totalSupply', 'totalBorrow', 'totalSupplyUsd', 'totalBorrowUsd', 'availableLiquidityUsd', 'priceUsd', 'supplyCap', 'borrowCap',
    'canSupply', 'canBorrow', 'canBeCollateral', 'listed', 'warnings',
];
const CONTRACTS = ['oracle', 'irm', 'createdAt', 'address', 'aToken', 'debtToken'];

const ask = (path, options) => send('GET', `${API}/lend/${path}`, options);
const read = async (path, options) => granted(await ask(path, options));
const listed = async (query = '') => (await read(`markets?limit=100${query}`)).markets;
const aaveId = (chain, symbol) => `aave-v3:${ALL_CHAINS[chain].id}:${symbol}`;

/** Ids of all that the sandbox has on a chain. */
function idsOf(name) {
    const { aave, morpho } = ALL_CHAINS[name].lending;
    return [...Object.keys(aave.reserves).map((symbol) => aaveId(name, symbol)), ...morpho.markets.map(({ id }) => id)];
}

/** Dollars, of which cents are shown, and interest comes meanwhile. */
function isNear(found, wanted, what) {
    assert.ok(Math.abs(found - wanted) <= wanted * 1e-6 + 0.02, `${what}: ${found} instead of ${wanted}`);
}

/** Per cent, of which six places are shown. */
function isRate(found, wanted, what, most = 2e-6) {
    assert.ok(Math.abs(found - wanted) <= most, `${what}: ${found} instead of ${wanted}`);
}

const ids = (markets) => markets.map(({ id }) => id).sort();

// ---------------------------------------------------------------- lists

test('markets of all chains are listed, largest supply first, a page at a time', async () => {
    let all, pages;
    // What others supply meanwhile may change the order.
    await until('the order to stay', async () => {
        all = await read('markets?limit=100');
        pages = [await read('markets?limit=5'), await read('markets?limit=5&offset=5')];
        return isDeepStrictEqual(pages.flatMap(({ markets }) => markets.map(({ id }) => id)), all.markets.slice(0, 10).map(({ id }) => id));
    });
    assert.deepEqual(ids(all.markets), LENDING.flatMap(idsOf).sort());
    assert.deepEqual(all.pagination, { total: all.markets.length, limit: 100, offset: 0, has_more: false });
    const worth = all.markets.map(({ totalSupplyUsd }) => totalSupplyUsd);
    assert.deepEqual(worth, worth.toSorted((a, b) => b - a));
    for (const name of all.unavailable) assert.ok(!LENDING.includes(name), `${name} did not answer`);
    assert.equal((await read('markets')).pagination.limit, 50);
    assert.deepEqual(pages[0].pagination, { total: all.markets.length, limit: 5, offset: 0, has_more: true });
    assert.deepEqual((await read('markets?offset=1000')).markets, []);
});

test('markets have the members that clients read', async () => {
    for (const market of await listed()) {
        hasMembers(market, MEMBERS);
        for (const name of ['ltv', 'lltv', 'supplyApy', 'borrowApy', 'utilization', 'totalSupplyUsd', 'totalBorrowUsd', 'availableLiquidityUsd', 'priceUsd']) {
            assert.ok(Number.isFinite(market[name]) && market[name] >= 0, `${name} of ${market.id} is ${market[name]}`);
        }
        assert.deepEqual([market.totalSupply, market.totalBorrow], [market.totalSupplyUsd, market.totalBorrowUsd]);
        assert.ok(market.lltv > 0 && market.lltv < 1 && market.ltv <= market.lltv, market.id);
        assert.ok(market.borrowApy > market.supplyApy && market.supplyApy > 0, market.id);
        assert.match(String(market.supplyApy), /^\d+(\.\d{1,6})?$/);
        assert.deepEqual([market.canSupply, market.canBorrow, market.canBeCollateral, market.listed, market.warnings], [true, true, true, true, []]);
    }
});

test('chain, protocol and asset narrow the list down', async () => {
    for (const name of LENDING) {
        for (const which of [`&chain=${name}`, `&chain=${name.toUpperCase()}`, `&chainId=${ALL_CHAINS[name].id}`, `&chain=${name}&chainId=${ALL_CHAINS[name].id}`]) {
            const markets = await listed(which);
            assert.deepEqual(ids(markets), idsOf(name).sort(), which);
            for (const { chain, chainId } of markets) assert.deepEqual([chain, chainId], [name, ALL_CHAINS[name].id]);
        }
    }
    const morpho = await listed('&protocol=MORPHO');
    assert.deepEqual(ids(morpho), LENDING.flatMap((name) => ALL_CHAINS[name].lending.morpho.markets.map(({ id }) => id)).sort());
    const all = await listed();
    for (const [asset, symbol] of [['usdc', 'USDC'], [ALL_CHAINS.base.tokens.USDC.address, 'USDC'], [ALL_CHAINS.ethereum.tokens.WBTC.address.toLowerCase(), 'WBTC']]) {
        const wanted = all.filter(({ chain, loanToken, collateralToken }) => (asset === 'usdc' || ALL_CHAINS[chain].tokens[symbol]?.address.toLowerCase() === asset.toLowerCase())
            && [loanToken, collateralToken].includes(symbol));
        assert.ok(wanted.length > 0);
        assert.deepEqual(ids(await listed(`&asset=${asset}`)), ids(wanted), asset);
    }
    assert.deepEqual(await listed('&asset=NOPE'), []);
});

// ---------------------------------------------------------------- what the chain says

async function checkReserve(name, market) {
    const { tokens, lending } = ALL_CHAINS[name];
    const { address, decimals } = tokens[market.loanToken];
    const reserve = lending.aave.reserves[market.loanToken];
    const said = await new Contract(lending.aave.dataProvider, DATA_PROVIDER, provider(name)).getReserveData(address);
    const dollars = (units) => Number(formatUnits(units, decimals)) * lending.feeds[market.loanToken].price;
    const apy = (rate) => 100 * Math.expm1(YEAR_S * Math.log1p(Number(rate) / 1e27 / YEAR_S));
    assert.equal(market.id, aaveId(name, market.loanToken));
    assert.equal(market.collateralToken, '*');
    assert.equal(market.priceUsd, lending.feeds[market.loanToken].price);
    assert.deepEqual([market.ltv, market.lltv], [reserve.ltv / 10_000, reserve.threshold / 10_000]);
    assert.deepEqual([market.supplyCap, market.borrowCap], [reserve.supplyCap ?? null, reserve.borrowCap ?? null]);
    isNear(market.totalSupplyUsd, dollars(said.supplied), 'supply');
    isNear(market.totalBorrowUsd, dollars(said.borrowed), 'debt');
    isNear(market.availableLiquidityUsd, dollars(said.supplied - said.borrowed), 'liquidity');
    isRate(market.utilization, 100 * Number(said.borrowed) / Number(said.supplied), 'utilization', 1e-4);
    isRate(market.supplyApy, apy(said.supplyRate), 'rate of lending');
    isRate(market.borrowApy, apy(said.borrowRate), 'rate of borrowing');
}

/** Interest grows by as much a year as is borrowed. */
async function checkMorpho(name, market) {
    const { tokens, lending } = ALL_CHAINS[name];
    const { terms } = lending.morpho.markets.find(({ id }) => id === market.id);
    const said = await new Contract(MORPHO, MORPHO_ABI, provider(name)).market(market.id);
    const { timestamp } = await provider(name).getBlock('latest');
    const used = Number(said.borrowed) / Number(said.supplied);
    const interest = Number(said.borrowed) * Math.expm1(used / YEAR_S * (timestamp - Number(said.lastUpdate)));
    const dollars = (units) => units / 10 ** tokens[terms[0]].decimals * lending.feeds[terms[0]].price;
    assert.deepEqual([market.loanToken, market.collateralToken, market.lltv], [terms[0], terms[1], Number(terms[2])]);
    assert.deepEqual([market.supplyCap, market.borrowCap, market.priceUsd], [null, null, lending.feeds[terms[0]].price]);
    isNear(market.totalSupplyUsd, dollars(Number(said.supplied) + interest), 'supply');
    isNear(market.totalBorrowUsd, dollars(Number(said.borrowed) + interest), 'debt');
    isRate(market.utilization, 100 * (Number(said.borrowed) + interest) / (Number(said.supplied) + interest), 'utilization', 1e-4);
    isRate(market.borrowApy, 100 * Math.expm1(used), 'rate of borrowing');
    isRate(market.supplyApy, market.borrowApy * market.utilization / 100, 'rate of lending');
}

async function checkChain(name) {
    const markets = await listed(`&chain=${name}`);
    assert.equal(markets.length, idsOf(name).length);
    for (const market of markets) await (market.protocol === 'morpho' ? checkMorpho : checkReserve)(name, market);
}

for (const name of LENDING) {
    test(`markets show the chain\'s figures, on ${name}`, async () => {
        let why;
        // Other tests lend there meanwhile, and what is shown may be seconds old: it has to hold once.
        await until(`the markets of ${name}`, () => checkChain(name).then(() => true, (e) => { why = e; })).catch(() => { throw why; });
    });
}

// ---------------------------------------------------------------- one market

test('a market is shown with its contracts, with and without its chain', async () => {
    for (const market of await listed()) {
        const { id, chain, chainId, protocol, loanToken } = market;
        const { tokens, lending } = ALL_CHAINS[chain];
        for (const which of ['', `?chain=${chain}`, `?chainId=${chainId}`]) {
            const { success, request_id: _, ...shown } = await read(`market/${id}${which}`);
            hasMembers(shown, [...MEMBERS, ...CONTRACTS]);
            assert.deepEqual([shown.id, shown.address, shown.createdAt], [id, tokens[loanToken].address, '']);
            for (const contract of CONTRACTS) assert.equal(typeof shown[contract], 'string');
            const { irm, aToken, debtToken, oracle } = shown;
            if (protocol === 'morpho') {
                assert.deepEqual([irm, aToken, debtToken, oracle], [lending.morpho.irm, '', '', lending.morpho.markets.find((one) => one.id === id).oracle]);
            } else {
                const reserve = lending.aave.reserves[loanToken];
                assert.deepEqual([irm, aToken, debtToken, oracle], ['', reserve.aToken, reserve.debtToken, lending.aave.oracle]);
            }
        }
    }
    assert.equal((await read(`market/${idsOf('base')[4].toUpperCase().replace('0X', '0x')}`)).success, true);
});

test('no key is needed, and a wrong one is refused', async () => {
    const agent = await register();
    const { key } = agent;
    const limit = (await agent.get('/me')).headers['x-ratelimit-limit'];
    assert.ok(limit > 0);
    for (const path of ['markets', `market/${aaveId('base', 'USDC')}`]) {
        assert.notEqual((await ask(path)).headers['x-ratelimit-limit'], limit);
        const answer = await ask(path, { key });
        assert.equal(answer.status, 200);
        assert.equal(answer.headers['x-ratelimit-limit'], limit);
        for (const authorization of [`Bearer svc_sk_${'x'.repeat(43)}`, 'Bearer nonsense', `Basic ${key}`]) {
            refused(await ask(path, { headers: { authorization } }), 'Invalid or missing API key');
        }
    }
});

test('a query with an invalid parameter is refused with its name', async () => {
    const faults = [
        ['chain=nowhere', "Unknown chain 'nowhere'"], ['chainId=4711', "Unknown chain '4711'"],
        ['chain=fantom', "Lending is not available on chain 'fantom'"], ['chain=solana', "Lending is not available on chain 'solana'"],
        ['chain=arbitrum', "Lending is not available on chain 'arbitrum'"],
    ];
    for (const path of ['markets', `market/${aaveId('base', 'USDC')}`]) {
        for (const [query, error] of faults) refused(await ask(`${path}?${query}`), error);
        for (const id of ['0', '-1', '1.5', 'one', `1${'0'.repeat(30)}`, '']) {
            refused(await ask(`${path}?chainId=${id}`), 'Validation failed', ['chainId']);
        }
        refused(await ask(`${path}?chain=base&chainId=1`), 'Validation failed', ['chainId']);
    }
    refused(await ask('markets?protocol=compound'), 'Validation failed', ['protocol']);
    refused(await ask('markets?limit=101'), 'limit must be between 1 and 100');
    for (const id of [
        'aave-v3:8453:NOPE', 'aave-v3:8453:', 'aave-v3::USDC', 'aave-v3:137.5:USDC', 'aave-v3:250:USDC', 'aave-v3:4711:USDC', `0x${'ab'.repeat(32)}`,
        'USDC', '...', '%00', "' OR 1=1 --", '{}', 'x'.repeat(3000),
    ]) refused(await ask(`market/${encodeURIComponent(id)}`), 'Market not found');
    refused(await ask(`market/${aaveId('base', 'USDC')}?chain=ethereum`), 'Market not found');
});

test('tools answer what REST does, by their older names too, with a key or without', async () => {
    const { key } = await register();
    const call = async (name, args, who = {}) => result(await askMcp('tools/call', { name, arguments: args }, who)).structuredContent;
    const [id, chainId] = [aaveId('base', 'USDC'), ALL_CHAINS.base.id];
    for (const who of [{}, { key }]) {
        for (const [name, args] of [
            ['get_lending_markets', { chain: 'base' }], ['get_lending_markets', { chainId }], ['lend_markets', { chain_id: chainId }],
        ]) {
            const { markets } = await call(name, args, who);
            // By our names in the compact form.
            if (name === 'lend_markets') for (const market of markets) hasMembers(market, MEMBERS);
            assert.ok(markets.every((market) => 'supplyApy' in market && (name === 'lend_markets') === ('totalSupply' in market)));
            assert.deepEqual(ids(markets), idsOf('base').sort());
        }
        for (const [name, args] of [
            ['get_lending_market', { id }], ['lend_market', { market_id: id }], ['lend_market', { market_id: id, chain_id: chainId }],
        ]) assert.equal((await call(name, args, who)).id, id);
    }
    const error = failure(await askMcp('tools/call', { name: 'lend_markets' }, { key: `svc_sk_${'x'.repeat(43)}` }), 401, -31401);
    assert.equal(error.data.error_code, 'INVALID_API_KEY');
    const both = result(await askMcp('tools/call', { name: 'lend_markets', arguments: { chain_id: 8453, chainId: 1 } }));
    assert.equal(both.isError, true);
});

// ---------------------------------------------------------------- chains that do not answer

/** A node of the sandbox's, of whose calls every result is changed. */
async function lyingNode(name, change) {
    let calls = 0;
    const server = createServer(async (request, response) => {
        const parts = [];
        for await (const part of request) parts.push(part);
        const body = Buffer.concat(parts).toString();
        const questions = [JSON.parse(body)].flat();
        const isCall = new Set(questions.filter(({ method }) => method === 'eth_call').map(({ id }) => id));
        const answer = await fetch(process.env[name === 'base' ? 'BASE_CHAIN_URL' : 'ETHEREUM_URL'], { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        const answers = await answer.json();
        for (const one of [answers].flat()) {
            if (!isCall.has(one.id) || typeof one.result !== 'string') continue;
            calls++;
            one.result = change(one.result);
        }
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answers));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
        url: `http://127.0.0.1:${server.address().port}`,
        get calls() { return calls; },
        close: () => { server.closeAllConnections(); server.close(); },
    };
}

const [HOUR_S, DAY_S, WORD] = [3600, 86_400, 64];

/** Times of today become those of an hour before. */
function anHourLate(result) {
    return result.slice(2).match(new RegExp(`.{1,${WORD}}`, 'g')).reduce((late, word) => {
        const time = word.startsWith('0'.repeat(WORD - 8)) ? Number.parseInt(word, 16) : 0;
        return late + (Math.abs(time - Date.now() / 1000) < DAY_S ? (time - HOUR_S).toString(16).padStart(WORD, '0') : word);
    }, '0x');
}

const LIES = {
    'that talks nonsense': () => '0x1234',
    'that says nothing': () => '0x',
    'of whose answers half is missing': (result) => result.slice(0, 2 + WORD * Math.floor((result.length - 2) / WORD / 2)),
    'of whose answers the end is missing': (result) => result.slice(0, -WORD),
    'that is an hour late': anHourLate,
};

for (const [what, change] of Object.entries({ 'without a node that answers': undefined, ...LIES })) {
    test(`a chain ${what} is named, and is an error alone`, async () => {
        const node = change === undefined ? { url: 'http://127.0.0.1:1', calls: 1, close() {} } : await lyingNode('base', change);
        const gateway = await startGateway([`rpc.base = ${node.url}`, 'rpc.polygon =', 'rpc.arbitrum =']);
        const there = { base: gateway.base };
        try {
            const all = await read('markets?limit=100', there);
            assert.deepEqual(all.unavailable, ['base']);
            assert.deepEqual(ids(all.markets), idsOf('ethereum').sort());
            for (const path of ['markets?chain=base', `market/${aaveId('base', 'USDC')}`, `market/0x${'ab'.repeat(32)}`]) {
                const answer = await ask(path, { ...there, mayBreak: true });
                assert.deepEqual([answer.status, answer.body.error_code], [500, 'UPSTREAM_ERROR'], path);
            }
            assert.deepEqual((await read('markets?chain=ethereum', there)).unavailable, []);
            assert.ok(node.calls > 0);
        } finally {
            await gateway.stop();
            node.close();
        }
    });
}

test('a list is fetched once for all callers', async () => {
    const node = await lyingNode('base', (result) => result);
    const gateway = await startGateway([`rpc.base = ${node.url}`, 'rpc.ethereum =', 'rpc.polygon =', 'rpc.arbitrum =']);
    try {
        const answers = await Promise.all(Array.from({ length: 12 }, () => read('markets?limit=100', { base: gateway.base })));
        for (const { markets } of answers) assert.deepEqual(ids(markets), idsOf('base').sort());
        const { calls } = node;
        await read('markets?asset=USDC', { base: gateway.base });
        await read(`market/${idsOf('base')[5]}`, { base: gateway.base });
        assert.equal(node.calls, calls);
        assert.equal(calls, 3, 'a multicall and a list, then a multicall');
    } finally {
        await gateway.stop();
        node.close();
    }
});
