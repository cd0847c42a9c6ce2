// Section: api
// Perpetual futures as agents read them: markets, books, quotes, accounts and positions, in addition to what the venue itself says.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Wallet } from 'ethers';
import {
    A, Trader, ownVenue,
} from './hyperliquid.mjs';
import {
    API, Agent, granted, hasMembers, refused, register, send, until,
} from './lib.mjs';
import { ask as askMcp, failure, result } from './mcp.mjs';
import {
    exact, gatewayAt, shown, startProxy,
} from './perping.mjs';

const ASSETS = ['BTC', 'ETH', 'SOL', 'AVAX', 'BNB', 'ARB', 'DOGE', 'SUI', 'LINK', 'XRP'];
const MARKET = [
    'name', 'asset', 'szDecimals', 'maxLeverage', 'venueMaxLeverage', 'markPrice', 'oraclePrice', 'midPrice', 'fundingRate', 'nextFundingAt',
    'openInterest', 'volume24h', 'priceChange24h', 'minOrderValue', 'onlyIsolated',
];
const QUOTE = ['market', 'side', 'size', 'leverage', 'entryPrice', 'margin', 'liquidationPrice', 'fundingRate', 'fee'];
const POSITION = [
    'id', 'market', 'side', 'size', 'leverage', 'entryPrice', 'markPrice', 'margin', 'unrealizedPnl', 'liquidationPrice', 'fundingRate', 'marginMode',
    'fundingPaid', 'positionValue',
];
const HOUR_MS = 3_600_000;
const DIRECTION = { long: 'buy', short: 'sell' };

const proxy = await startProxy();
const gateway = await gatewayAt(proxy.url);
after(async () => {
    await gateway.stop();
    await proxy.close();
});
const { venue } = proxy;

const ask = (path, options) => send('GET', `${API}/perps/${path}`, { base: gateway.base, ...options });
const read = async (path, options) => granted(await ask(path, options));

/** An agent of the gateway's under test. */
async function newAgent() {
    const agent = new Agent((await register()).key);
    agent.base = gateway.base;
    return agent;
}

const reader = await newAgent();
const quote = (terms, agent = reader) => agent.post('/perps/quote', terms);
const priced = async (terms, agent) => granted(await quote(terms, agent));

/** An agent with a wallet that stands for a trader with so many dollars at the venue. */
async function holder(dollars) {
    const agent = await newAgent();
    const wallet = await agent.wallet();
    const trader = await Trader.with(venue, dollars);
    proxy.stands(wallet, trader.address);
    return { agent, wallet, trader };
}

/** What the venue says of a market. */
async function said(asset) {
    const [{ universe }, contexts] = await venue.info('metaAndAssetCtxs');
    const at = universe.findIndex(({ name }) => name === asset);
    return { ...universe[at], ...contexts[at] };
}

/** While the venue says something else. */
async function lying(type, change, work) {
    proxy.lie(type, change);
    try {
        return await work();
    } finally {
        proxy.lie(type);
    }
}

// ---------------------------------------------------------------- markets

test('the markets that the operator lists have what clients read, in the venue\'s own digits', async () => {
    const answer = await ask('markets');
    const { markets } = granted(answer);
    const texts = exact(answer.text).markets;
    assert.deepEqual(markets.map(({ asset }) => asset), ASSETS);
    for (const [i, market] of markets.entries()) {
        hasMembers(market, MARKET);
        const { szDecimals, maxLeverage, markPx, midPx, oraclePx, funding, openInterest, dayNtlVlm } = await said(market.asset);
        assert.equal(market.name, `${market.asset}-USD`);
        assert.deepEqual([market.szDecimals, market.venueMaxLeverage, market.maxLeverage], [szDecimals, maxLeverage, Math.min(maxLeverage, 20)]);
        assert.deepEqual([market.minOrderValue, market.onlyIsolated], [10, false]);
        const { markPrice, midPrice, oraclePrice, fundingRate, openInterest: interest, volume24h } = texts[i];
        assert.deepEqual([markPrice, midPrice, oraclePrice, fundingRate, interest, volume24h], [markPx, midPx, oraclePx, funding, openInterest, dayNtlVlm].map(shown));
        for (const name of ['szDecimals', 'maxLeverage', 'venueMaxLeverage', 'markPrice', 'fundingRate', 'priceChange24h']) assert.ok(Number.isFinite(market[name]), `${name} is ${market[name]}`);
        const next = Date.parse(market.nextFundingAt);
        assert.ok(next % HOUR_MS === 0 && Math.abs(next - Date.now()) <= HOUR_MS, market.nextFundingAt);
    }
});

test('digits that floating point would lose are kept', async () => {
    const [mark, interest] = ['3000.123456', '12345678901234567890.12345678'];
    await lying('metaAndAssetCtxs', ([meta, contexts]) => [meta, contexts.map((each) => ({ ...each, openInterest: interest, funding: '-0.00000001', markPx: `${mark}00` }))], async () => {
        const { text } = await until('the change', async () => {
            const answer = await ask('markets');
            return exact(answer.text).markets[1].openInterest === interest && answer;
        });
        const [, { markPrice, fundingRate }] = exact(text).markets;
        assert.deepEqual([markPrice, fundingRate], [mark, '-0.00000001']);
    });
});

test('a market goes by its name or its asset, and comes with the book that the venue shows', async () => {
    for (const name of ['ETH-USD', 'eth-usd', 'ETH', 'eth']) {
        const answer = await ask(`market/${name}`);
        const market = granted(answer);
        hasMembers(market, ['success', ...MARKET, 'bids', 'asks']);
        assert.equal(market.name, 'ETH-USD');
        const { levels } = await venue.info('l2Book', { coin: 'ETH' });
        const { bids, asks } = exact(answer.text);
        assert.deepEqual([bids, asks], levels.map((side) => side.map(({ px, sz }) => ({ price: shown(px), size: shown(sz) }))));
        assert.ok(market.bids[0].price < market.asks[0].price && market.bids.at(-1).price < market.bids[0].price && market.asks.at(-1).price > market.asks[0].price);
    }
    for (const name of ['ETH-USDC', 'ETHUSD', 'MATIC', 'kPEPE-USD', '9001', '%00', "' OR 1=1 --", 'x'.repeat(3000)]) {
        refused(await ask(`market/${encodeURIComponent(name)}`), 'Market not found');
    }
});

test('neither list nor market needs a key, and a wrong one is refused', async () => {
    const { key } = await register();
    for (const path of ['markets', 'market/ETH-USD']) {
        await read(path);
        await read(path, { key });
        for (const wrong of [`svc_sk_${'x'.repeat(43)}`, 'nonsense']) refused(await ask(path, { key: wrong }), 'Invalid or missing API key');
    }
    for (const path of ['account', 'positions']) refused(await ask(path), 'Invalid or missing API key');
    refused(await send('POST', `${API}/perps/quote`, { base: gateway.base, json: { market: 'ETH' } }), 'Invalid or missing API key');
});

test('the venue is asked in its own format, and once for all callers', async () => {
    const count = (type) => proxy.asked.filter((each) => each.type === type).length;
    const book = () => ask('market/BNB-USD');
    const before = count('l2Book');
    const answers = await Promise.all(Array.from({ length: 12 }, book));
    for (const answer of answers) granted(answer);
    const asked = count('l2Book') - before;
    assert.ok(asked >= 1 && asked <= 3, `12 callers had ${asked} questions asked`);
    await until('a new answer', async () => { granted(await book()); return count('l2Book') > before + asked; });
    await accountOf(await holder(10));
    assert.ok(proxy.asked.some(({ user }) => user !== undefined));
    for (const { path, method, contentType, coin, user, type } of proxy.asked) {
        assert.deepEqual([path, method, contentType], ['/venue/info', 'POST', 'application/json']);
        assert.equal(coin !== undefined, ['l2Book', 'activeAssetData'].includes(type));
        if (user !== undefined) assert.match(user, /^0x[0-9a-f]{40}$/);
    }
});

test('a move of the price is seen within seconds, and told in per cent of a day before', async () => {
    await venue.act('move_price', { coin: 'LINK', price: '16.5' });
    const link = await until('the new price', async () => {
        const { markets } = await read('markets');
        return markets.find(({ asset, markPrice }) => asset === 'LINK' && markPrice === 16.5);
    });
    const { prevDayPx } = await said('LINK');
    assert.ok(Math.abs(link.priceChange24h - 100 * (16.5 / Number(prevDayPx) - 1)) < 1e-4, String(link.priceChange24h));
    await venue.act('move_price', { coin: 'LINK', price: '12' });
    await until('the fall', async () => (await read('markets')).markets.find(({ asset, markPrice, priceChange24h }) => asset === 'LINK' && markPrice === 12 && priceChange24h < 0));
});

// ---------------------------------------------------------------- what a venue may do to its markets

test('an asset that the venue delists is left out', async () => {
    const gone = ({ asset }) => asset !== 'XRP';
    const delisted = ([meta, contexts]) => [{ ...meta, universe: meta.universe.map((each) => (each.name === 'XRP' ? { ...each, isDelisted: true } : each)) }, contexts];
    await lying('metaAndAssetCtxs', delisted, async () => {
        const { markets } = await until('its end', async () => {
            const list = await read('markets');
            return list.markets.every(gone) && list;
        });
        assert.equal(markets.length, ASSETS.length - 1);
        refused(await ask('market/XRP-USD'), 'Market not found');
        // What is asked for by its number is known to be gone, too.
        refused(await quote({ market: 'XRP-USD', side: 'long', size: 100 }), "Unknown market 'XRP-USD'", ['market']);
    });
    await until('its return', async () => !(await read('markets')).markets.every(gone));
    await priced({ market: 'XRP', side: 'long', size: 100 });
});

test('a venue that numbers its assets anew is read by their names', async () => {
    const finer = (each) => (each.name === 'DOGE' ? { ...each, szDecimals: 1 } : each);
    const reordered = ([meta, contexts]) => [{ ...meta, universe: meta.universe.toReversed().map(finer) }, contexts.toReversed().map((each) => ({ ...each, dayNtlVlm: '77.0' }))];
    const parted = { market: 'DOGE', side: 'long', size: 100.5 };
    refused(await quote(parted), 'size exceeds 0 decimals');
    await lying('metaAndAssetCtxs', reordered, async () => {
        const { markets } = await until('the new order', async () => {
            const list = await read('markets');
            return list.markets[0].volume24h === 77 && list;
        });
        assert.deepEqual(markets.map(({ asset }) => asset), ASSETS);
        for (const { asset, markPrice } of markets) assert.equal(markPrice, Number((await said(asset)).markPx), asset);
        // What it says of them next to their prices counts at once, not only within the hour.
        await priced(parted);
    });
});

test('a book without bids, without asks and without both', async () => {
    const without = (...gone) => (book) => ({ ...book, levels: book.levels.map((side, i) => (gone.includes(i) ? [] : side)) });
    const sizes = { AVAX: [0], SUI: [1], DOGE: [0, 1] };
    for (const [asset, gone] of Object.entries(sizes)) {
        await lying('l2Book', without(...gone), async () => {
            const { bids, asks } = await until('the book', async () => {
                const market = await read(`market/${asset}`);
                return [market.bids, market.asks].every((side, i) => (side.length === 0) === gone.includes(i)) && market;
            });
            for (const [i, side] of ['short', 'long'].entries()) {
                const answer = await quote({ market: asset, side, size: 10 });
                if (gone.includes(i)) refused(answer, 'Insufficient liquidity for this trade');
                else assert.equal(granted(answer).entryPrice, [bids, asks][i][0].price);
            }
        });
    }
});

test('only the middle of the price may be unknown', async () => {
    await venue.act('makers', { coin: 'ARB', asks: false });
    const arb = await until('one side less', async () => (await read('markets')).markets.find(({ asset, midPrice }) => asset === 'ARB' && midPrice === null));
    for (const name of MARKET) assert.ok(name === 'midPrice' || arb[name] !== null, name);
    await venue.act('makers', { coin: 'ARB' });
});

// ---------------------------------------------------------------- quotes

/** Exactly what so many lots cost, in 10^-12 dollars: prices have up to 6 places, sizes are given with up to 6. */
function costOf(levels, size) {
    const units = (text) => { const [whole, part = ''] = text.split('.'); return BigInt(whole + part.padEnd(6, '0')); };
    let [left, cost] = [units(size), 0n];
    for (const { px, sz } of levels) {
        const taken = units(sz) < left ? units(sz) : left;
        cost += units(px) * taken;
        left -= taken;
    }
    assert.equal(left, 0n);
    return { cost: Number(cost) / 1e12, size: Number(size) };
}

const isNear = (found, wanted, what, most = 1e-6) => assert.ok(Math.abs(found - wanted) <= most * Math.max(1, Math.abs(wanted)), `${what}: ${found} instead of ${wanted}`);

for (const [side, size, leverage] of [['long', '0.5', 5], ['short', '0.5', 5], ['long', '40', 10], ['short', '33.3333', 7], ['long', '1', 20], ['long', '2', 1], ['short', '2', 1]]) {
    test(`a quote of ${size} ETH ${side} with ${leverage} times follows the book and the venue's formulas`, async () => {
        const { levels } = await venue.info('l2Book', { coin: 'ETH' });
        const found = await priced({ market: 'ETH-USD', side, size: Number(size), leverage });
        hasMembers(found, ['success', ...QUOTE]);
        assert.deepEqual([found.market, found.side, found.size, found.leverage], ['ETH-USD', side, Number(size), leverage]);
        const { cost, size: lots } = costOf(levels[side === 'long' ? 1 : 0], size);
        const sign = side === 'long' ? 1 : -1;
        isNear(found.entryPrice, cost / lots, 'price');
        isNear(found.margin, cost / leverage, 'margin');
        isNear(found.fee, cost * 0.00045, 'fee');
        isNear(found.fundingRate, Number((await said('ETH')).funding), 'funding', 1e-12);
        const maintenance = cost / (2 * 25);
        const lost = found.entryPrice - sign * (cost / leverage - maintenance) / lots / (1 - sign / 50);
        isNear(found.liquidationPrice, leverage === 1 && side === 'long' ? 0 : lost, 'liquidation');
    });
}

test('position and margin are what the quote said, to the venue\'s digits', async () => {
    for (const [side, coin, size, leverage, limit] of [['long', 'ETH', '1', 5, '3300'], ['short', 'SOL', '120.5', 4, '140'], ['long', 'BTC', '0.51234', 12, '66000']]) {
        const { trader } = await holder(200_000);
        await trader.leverage(A[coin], leverage, false);
        const { entryPrice, margin, liquidationPrice, fee } = await priced({ market: coin, side, size, leverage });
        const { filled } = await trader.order(coin, DIRECTION[side], size, limit, { tif: 'Ioc' });
        assert.equal(filled.totalSz, `${Number(size)}${size.includes('.') ? '' : '.0'}`);
        const position = await trader.position(coin);
        const paid = (await trader.info('userFills')).reduce((sum, each) => sum + Number(each.fee), 0);
        const places = (position.entryPx.split('.')[1] ?? '').length;
        isNear(entryPrice, Number(position.entryPx), 'price', 10 ** -places / 2 / entryPrice);
        isNear(margin, Number(position.marginUsed) - Number(position.unrealizedPnl), 'margin', 1e-8);
        isNear(fee, paid, 'fee', 1e-6);
        isNear(liquidationPrice, Number(position.liquidationPx), 'liquidation', 1e-8);
    }
});

test('a quote costs what the wallet pays, be it more or less than others', async () => {
    const [one, other] = [await holder(100), await holder(100)];
    const terms = { market: 'ETH', side: 'long', size: 1 };
    await lying('userFees', (fees, { user }) => ({ ...fees, userCrossRate: user === one.wallet.toLowerCase() ? '0.000234567' : fees.userCrossRate }), async () => {
        assert.equal((await priced(terms, one.agent)).fee, 0.703842);
        assert.equal((await priced(terms, other.agent)).fee, 1.35027);
    });
});

test('numbers are read as decimals, be they numbers or strings', async () => {
    const terms = { market: 'eth', side: 'LONG', size: 0.5, leverage: 5 };
    const plain = await priced(terms);
    const same = { size: ['0.5', '0.50', '5e-1', '0.500000000000000000000'], leverage: ['5', '5.0', '5e0'] };
    for (const [name, forms] of Object.entries(same)) {
        for (const form of forms) assert.equal((await priced({ ...terms, [name]: form }))[name], plain[name], form);
    }
    for (const [name, text] of [['size', '0.5000'], ['leverage', '5.0']]) {
        const body = JSON.stringify({ ...terms, [name]: 0 }).replace(`"${name}":0`, `"${name}":${text}`);
        assert.equal(granted(await reader.send('POST', '/perps/quote', { body, headers: { 'content-type': 'application/json' } }))[name], plain[name]);
    }
    assert.equal((await priced({ market: 'ETH', side: 'long', size: 0.5 })).leverage, 1);
});

test('an invalid quote is refused with a reason', async () => {
    const terms = { market: 'ETH-USD', side: 'long', size: 1, leverage: 5 };
    const without = (name) => Object.fromEntries(Object.entries(terms).filter(([each]) => each !== name));
    refused(await quote(without('market')), 'market is required', ['market']);
    for (const market of ['PEPE', 'MATIC-USD', 'ETH-USDC', '9001']) refused(await quote({ ...terms, market }), `Unknown market '${market}'`, ['market']);
    for (const side of [undefined, 'buy', 'BUY', 'longs', '']) refused(await quote({ ...without('side'), side }), 'side must be long or short', ['side']);
    for (const size of [undefined, 0, -1, '-1', 'NaN', 'one', '', '1,5', '0x1', '.5']) refused(await quote({ ...without('size'), size }), 'size must be a positive number', ['size']);
    for (const size of ['0.00001', '1e-400', `0.${'0'.repeat(399)}1`, 1e-7]) refused(await quote({ ...terms, size }), 'size exceeds 4 decimals', ['size']);
    refused(await quote({ ...terms, market: 'DOGE', size: 1.5 }), 'size exceeds 0 decimals', ['size']);
    for (const leverage of [0, 21, -1, 2.5, '2.5', '1e400', '9'.repeat(400), 'five', '']) refused(await quote({ ...terms, leverage }), 'Leverage must be between 1 and 20', ['leverage']);
    refused(await quote({ ...terms, market: 'ARB', leverage: 11 }), 'Leverage must be between 1 and 10', ['leverage']);
    for (const size of [1e6, '1e400', '9'.repeat(400), '9'.repeat(40)]) refused(await quote({ ...terms, size }), 'Insufficient liquidity for this trade');
    const both = refused(await quote({ ...terms, size: '0.00001', leverage: 99 }), 'size exceeds 4 decimals', ['size', 'leverage']);
    assert.match(both.fields.leverage, /between 1 and 20/);
    assert.deepEqual(Object.keys(refused(await quote({ side: 'up', size: 'much' }), 'market is required').fields).sort(), ['market', 'side', 'size']);
    refused(await quote({ ...terms, wallet_address: Wallet.createRandom().address }), 'No managed wallet found');
    refused(await quote({ ...without('side'), sid: 'long' }), "Unknown field 'sid'");
});

test('a position that is large has less leverage', async () => {
    const [at, beyond] = ['1300', '1400'].map((size) => ({ market: 'SOL', side: 'short', size }));
    assert.equal((await priced({ ...at, leverage: 20 })).leverage, 20);
    refused(await quote({ ...beyond, leverage: 20 }), 'Leverage must be between 1 and 10', ['leverage']);
    assert.equal((await priced({ ...beyond, leverage: 10 })).leverage, 10);
});

test('the operator may allow less leverage than the venue does, and list other assets', async () => {
    const careful = await gatewayAt(proxy.url, ['perps_max_leverage = 7', 'perps_assets = LTC kPEPE, ETH AVAX']);
    try {
        const { markets } = granted(await ask('markets', { base: careful.base }));
        // The venue has no prices of the first two.
        assert.deepEqual(markets.map(({ name, maxLeverage, venueMaxLeverage }) => [name, maxLeverage, venueMaxLeverage]), [['ETH-USD', 7, 25], ['AVAX-USD', 7, 10]]);
        refused(await send('POST', `${API}/perps/quote`, { base: careful.base, key: reader.key, json: { market: 'ETH', side: 'long', size: 1, leverage: 8 } }), 'Leverage must be between 1 and 7');
        refused(await ask('market/BTC', { base: careful.base }), 'Market not found');
    } finally {
        await careful.stop();
    }
});

// ---------------------------------------------------------------- accounts

const accountOf = async ({ agent }) => granted(await agent.get('/perps/account')).account;

test('an account is shown as the venue has it, in decimal strings', async () => {
    const one = await holder(1000);
    await one.trader.leverage(A.ETH, 5);
    await one.trader.order('ETH', 'buy', '1', '3100', { tif: 'Ioc' });
    const account = await accountOf(one);
    hasMembers(account, ['wallet_address', 'mode', 'accountValue', 'withdrawable', 'marginUsed', 'tradingKey']);
    const { marginSummary, withdrawable } = await one.trader.state();
    assert.deepEqual([account.wallet_address, account.mode], [one.wallet, 'default']);
    assert.deepEqual([account.accountValue, account.withdrawable, account.marginUsed], [marginSummary.accountValue, withdrawable, marginSummary.totalMarginUsed].map(shown));
    assert.deepEqual(account.tradingKey, { address: null, status: 'none', expiresAt: null });
});

test('a wallet that the venue does not know has nothing there', async () => {
    const agent = await newAgent();
    refused(await agent.get('/perps/account'), 'No managed wallet found');
    const wallet = await agent.wallet();
    const account = await accountOf({ agent });
    assert.deepEqual([account.wallet_address, account.mode, account.accountValue, account.withdrawable, account.marginUsed], [wallet, 'default', '0', '0', '0']);
    assert.deepEqual(granted(await agent.get('/perps/positions')).positions, []);
});

test('a unified account has the collateral of its spot balance', async () => {
    const one = await holder(2000);
    await one.trader.leverage(A.ETH, 5);
    assert.equal((await one.trader.user('userSetAbstraction', { user: one.trader.address, abstraction: 'unifiedAccount' })).status, 'ok');
    await one.trader.order('ETH', 'buy', '1', '3100', { tif: 'Ioc' });
    await one.trader.leverage(A.SOL, 3, false);
    await one.trader.order('SOL', 'sell', '2', '140', { tif: 'Ioc' });
    const account = await accountOf(one);
    const [{ total, hold }] = (await one.trader.info('spotClearinghouseState')).balances;
    const { marginSummary, withdrawable, assetPositions } = await one.trader.state();
    const gain = assetPositions.map(({ position }) => position).filter(({ leverage }) => leverage.type === 'cross').reduce((sum, { unrealizedPnl }) => sum + Number(unrealizedPnl), 0);
    assert.equal(withdrawable, '0.0');
    assert.deepEqual([account.mode, account.marginUsed], ['unifiedAccount', shown(marginSummary.totalMarginUsed)]);
    isNear(Number(account.accountValue), Number(total) + Number(marginSummary.accountValue) + gain, 'value', 1e-9);
    isNear(Number(account.withdrawable), Number(total) - Number(hold), 'withdrawable', 1e-9);
});

test('a unified account all of which is held has too little, and not nothing', async () => {
    const [one, other] = [await holder(100), await holder(0)];
    assert.equal((await one.trader.user('userSetAbstraction', { user: one.trader.address, abstraction: 'unifiedAccount' })).status, 'ok');
    const place = ({ agent }) => agent.post('/perps/order', { market: 'ETH', side: 'long', size: 1, type: 'limit', price: 2500 });
    await lying('activeAssetData', (data) => ({ ...data, availableToTrade: ['0.0', '0.0'] }), async () => {
        refused(await place(one), 'Insufficient margin');
        refused(await place(other), 'Perpetuals account is not funded');
    });
});

test('a trading key is shown while the venue takes it', async () => {
    const one = await holder(100);
    const [key, other] = [Wallet.createRandom(), Wallet.createRandom()];
    const until_ms = Date.now() + 100 * 24 * HOUR_MS;
    await one.trader.approveAgent(other, 'another wallet');
    await one.trader.approveAgent(key, `agent-gateway valid_until ${until_ms}`);
    assert.deepEqual((await accountOf(one)).tradingKey, { address: key.address, status: 'active', expiresAt: new Date(until_ms).toISOString() });
});

// ---------------------------------------------------------------- positions

test('positions are what the venue values them at, in its own digits', async () => {
    const one = await holder(50_000);
    await one.trader.leverage(A.ETH, 5);
    await one.trader.leverage(A.SOL, 3, false);
    await one.trader.order('ETH', 'buy', '1.2345', '3100', { tif: 'Ioc' });
    await one.trader.order('SOL', 'sell', '20.5', '140', { tif: 'Ioc' });
    await one.trader.leverage(A.BTC, 1);
    await one.trader.order('BTC', 'buy', '0.001', '61000', { tif: 'Ioc' });
    await venue.act('next_funding', { coin: 'ETH', rate: '0.0001' });
    const answer = await one.agent.get(`/perps/positions?address=${one.wallet}`);
    const { positions } = granted(answer);
    const texts = exact(answer.text).positions;
    const { assetPositions } = await one.trader.state();
    assert.deepEqual(positions.map(({ market }) => market).sort(), ['BTC-USD', 'ETH-USD', 'SOL-USD']);
    for (const [i, position] of positions.entries()) {
        hasMembers(position, POSITION);
        const { position: told } = assetPositions.find((each) => `${each.position.coin}-USD` === position.market);
        assert.deepEqual([position.side, position.leverage, position.marginMode], [told.szi.startsWith('-') ? 'short' : 'long', told.leverage.value, told.leverage.type]);
        const { size, entryPrice, margin, unrealizedPnl, liquidationPrice, fundingPaid, positionValue } = texts[i];
        assert.deepEqual([size, entryPrice, margin, unrealizedPnl, liquidationPrice, fundingPaid, positionValue], [
            told.szi.replace('-', ''), told.entryPx, told.marginUsed, told.unrealizedPnl, told.liquidationPx ?? '0', told.cumFunding.sinceOpen, told.positionValue,
        ].map(shown), position.market);
        const { markPx } = await said(told.coin);
        assert.deepEqual([position.markPrice, typeof position.id, position.fundingRate > 0], [Number(markPx), 'string', true]);
    }
    assert.equal(new Set(positions.map(({ id }) => id)).size, 3);
    assert.ok(positions.find(({ market }) => market === 'ETH-USD').fundingPaid > 0);
    assert.equal(positions.find(({ market }) => market === 'BTC-USD').liquidationPrice, 0);
});

test('positions are the agent\'s own, and those of the wallet that is named', async () => {
    const one = await holder(1000);
    const second = await one.agent.wallet();
    await one.trader.order('ETH', 'buy', '0.1', '3100', { tif: 'Ioc' });
    assert.equal(granted(await one.agent.get('/perps/positions')).positions.length, 1);
    assert.equal(granted(await one.agent.get(`/perps/positions?address=${one.wallet.toLowerCase()}`)).positions.length, 1);
    assert.deepEqual(granted(await one.agent.get(`/perps/positions?address=${second}`)).positions, []);
    const stranger = await newAgent();
    for (const address of [one.wallet, one.trader.address, '0x1', 'unknown', 'So11111111111111111111111111111111111111112']) {
        refused(await stranger.get(`/perps/positions?address=${address}`), 'No managed wallet found');
        refused(await stranger.get(`/perps/account?wallet_address=${address}`), 'No managed wallet found');
    }
    assert.deepEqual(granted(await stranger.get('/perps/positions')).positions, []);
    assert.deepEqual(granted(await one.agent.get(`/perps/positions?wallet_address=${second}`)).positions, []);
    granted(await one.agent.get(`/perps/positions?address=${second}&wallet_address=${second.toLowerCase()}`));
    refused(await one.agent.get(`/perps/positions?address=${one.wallet}&wallet_address=${second}`), 'Validation failed', ['wallet_address']);
    const users = new Set(proxy.asked.map(({ user }) => user));
    assert.ok(!users.has(one.trader.address), 'the venue was asked about a wallet that is not managed');
});

test('a position is shown after its market is gone', async () => {
    const one = await holder(1000);
    await one.trader.order('AVAX', 'buy', '4', '30', { tif: 'Ioc' });
    const unlisted = await gatewayAt(proxy.url, ['perps_assets = BTC ETH']);
    try {
        assert.equal((await read('markets')).markets.length, ASSETS.length);
        const { markets } = granted(await ask('markets', { base: unlisted.base }));
        assert.deepEqual(markets.map(({ asset }) => asset), ['BTC', 'ETH']);
        const [position] = granted(await send('GET', `${API}/perps/positions`, { base: unlisted.base, key: one.agent.key })).positions;
        hasMembers(position, POSITION);
        assert.deepEqual([position.market, position.size, position.markPrice, position.fundingRate], ['AVAX-USD', 4, 25, 0]);
    } finally {
        await unlisted.stop();
    }
});

// ---------------------------------------------------------------- a venue that is down, or sends garbage

const NONSENSE = {
    'that is no JSON': () => '<html>Bad gateway</html>',
    'that is nothing': () => 'null',
    'of another kind': () => '{"status":"err","response":"no"}',
};
const LIES = {
    markets: {
        type: 'metaAndAssetCtxs',
        path: '/perps/markets',
        ...NONSENSE,
        'that names an asset twice': ([meta, contexts]) => [{ ...meta, universe: [...meta.universe, meta.universe[0]] }, [...contexts, contexts[0]]],
        'that lacks a context': ([meta, contexts]) => [meta, contexts.slice(1)],
    },
    book: {
        type: 'l2Book',
        path: '/perps/market/SUI-USD',
        ...NONSENSE,
        'of another market': (book) => ({ ...book, coin: 'ETH' }),
        'whose sides cross': ({ levels, ...book }) => ({ ...book, levels: levels.toReversed() }),
        'with a price that is none': ({ levels: [bids, asks], ...book }) => ({ ...book, levels: [bids, [{ ...asks[0], px: '1e400' }]] }),
        'with the worst price first': ({ levels: [bids, asks], ...book }) => ({ ...book, levels: [bids.toReversed(), asks] }),
    },
    positions: {
        type: 'clearinghouseState',
        path: '/perps/positions',
        ...NONSENSE,
        'with a size that is none': (state) => ({ ...state, assetPositions: [{ position: { ...state.assetPositions[0].position, szi: 'NaN' } }] }),
        'without a price': (state) => ({ ...state, assetPositions: [{ position: { ...state.assetPositions[0].position, entryPx: null } }] }),
        'about another wallet': (state) => ({ ...state, user: `0x${'ab'.repeat(20)}` }),
    },
    mode: { type: 'userAbstraction', path: '/perps/account', ...NONSENSE, 'that is unknown': () => '"dexAbstraction"' },
    wallet: { type: 'activeAssetData', path: '/perps/positions', ...NONSENSE, 'about another wallet': (data) => ({ ...data, user: `0x${'ab'.repeat(20)}` }) },
    spot: { type: 'spotClearinghouseState', path: '/perps/account', ...NONSENSE, 'with USDC twice': () => ({ balances: Array(2).fill({ coin: 'USDC', total: '1.0', hold: '0.0' }) }) },
    keys: { type: 'extraAgents', path: '/perps/account', ...NONSENSE },
    fees: { type: 'userFees', path: '/perps/quote', json: { market: 'ETH', side: 'long', size: 1 }, ...NONSENSE, 'of more than all': (fees) => ({ ...fees, userCrossRate: '45' }) },
};

for (const [what, { type, path, json, ...lies }] of Object.entries(LIES)) {
    for (const [which, change] of Object.entries(lies)) {
        test(`an answer about ${what} ${which} is an error, and the venue is asked again`, async () => {
            const one = await holder(1000);
            await one.trader.order('ETH', 'buy', '0.1', '3100', { tif: 'Ioc' });
            const call = () => one.agent.send(json === undefined ? 'GET' : 'POST', path, { json, mayBreak: true });
            await lying(type, change, async () => {
                const { body } = await until('the error', async () => { const answer = await call(); return answer.status === 500 && answer; });
                assert.deepEqual([body.error, body.error_code, typeof body.hint], ['Internal server error', 'UPSTREAM_ERROR', 'string']);
            });
            granted(await call());
        });
    }
}

test('without its venue everything is an error, and all is well once it is back', async () => {
    const own = await ownVenue();
    const lonely = await gatewayAt(`${own.base}/hyperliquid`);
    const agent = new Agent(reader.key);
    agent.base = lonely.base;
    const everything = async () => Promise.all([
        ...['markets', 'market/ETH'].map((path) => send('GET', `${API}/perps/${path}`, { base: lonely.base, mayBreak: true })),
        agent.send('POST', '/perps/quote', { json: { market: 'ETH', side: 'long', size: 1 }, mayBreak: true }),
    ]);
    try {
        for (const fault of ['garbage', 'lost_answer', 'stall']) {
            await own.fault(fault, undefined, {});
            for (const answer of await everything()) assert.deepEqual([answer.status, answer.body.error_code], [500, 'UPSTREAM_ERROR'], fault);
            await own.honest();
            for (const answer of await everything()) granted(answer);
            await until('what is kept to be old', async () => {
                await own.fault('garbage', undefined, {});
                const answers = await everything();
                await own.honest();
                return answers.every(({ status }) => status === 500);
            });
        }
    } finally {
        await lonely.stop();
        await own.stop();
    }
});

// ---------------------------------------------------------------- a venue that is asked too much

/** In how many seconds it may be tried again, which the hint says too. */
function waitOf(answer) {
    const { hint } = refused(answer, 'Rate limit exceeded');
    const seconds = Number(answer.headers['retry-after']);
    assert.equal(answer.body.error_code, 'RATE_LIMITED');
    assert.match(hint, new RegExp(`^The venue of perpetuals .* try again in ${seconds} seconds?$`));
    return seconds;
}

test('reads wait when the venue\'s rate is used up, and orders do not', async () => {
    const own = await startProxy();
    const slow = await gatewayAt(own.url, ['perps_weight = 240']); // of which a market takes 22, an account at first 46, and an order 20
    const count = (type) => own.asked.filter((each) => each.type === type).length;
    const one = new Agent((await register()).key);
    one.base = slow.base;
    const order = async () => {
        const { body } = await one.post('/perps/order', { market: 'ETH', side: 'long', size: '0.001', type: 'limit', price: 3000 });
        assert.equal(body.error, 'Order value must be at least 10 USDC');
    };
    const market = () => one.get('/perps/market/ETH');
    try {
        own.stands(await one.wallet(), (await Trader.with(own.venue, 1000)).address);
        granted(await market());
        granted(await one.get('/perps/account'));
        for (let i = 0; i < 10; i++) await order();
        const seconds = waitOf(await until('what was kept later than the book to be old', async () => {
            const answer = await one.get('/perps/account');
            return answer.status !== 200 && answer;
        }));
        assert.ok(seconds > 1 && seconds <= 60, String(seconds));
        const book = count('l2Book');
        granted(await market()); // as it was
        waitOf(await until('that to be too old', async () => {
            const answer = await market();
            return answer.status !== 200 && answer;
        }));
        assert.equal(count('l2Book'), book);
        waitOf(await one.post('/perps/quote', { market: 'ETH', side: 'long', size: 1 }));
        const before = count('activeAssetData');
        await order();
        assert.equal(count('activeAssetData'), before + 1);
    } finally {
        await slow.stop();
        await own.close();
    }
});

test('a venue that says itself that it is asked too much is told as busy, until it is not', async () => {
    const own = await ownVenue();
    const lonely = await gatewayAt(`${own.base}/hyperliquid`);
    const one = new Agent(reader.key);
    one.base = lonely.base;
    const asked = () => one.post('/perps/quote', { market: 'ETH', side: 'long', size: 1 });
    try {
        await own.fault('http_429', 7, {});
        assert.equal(waitOf(await asked()), 7);
        assert.equal(waitOf(await ask('markets', { base: lonely.base })), 7);
        await own.honest();
        await own.fault('http_429', 100_000, {});
        assert.equal(waitOf(await asked()), 60);
        await own.honest();
        granted(await asked());
    } finally {
        await lonely.stop();
        await own.stop();
    }
});

test('while the venue hangs others are answered', async () => {
    let held = 0;
    const slow = await gatewayAt(proxy.url, ['workers = 16']);
    const crowd = await Promise.all(Array.from({ length: 3 }, () => register()));
    const other = await register();
    const get = ({ key }, path, more) => send('GET', `${API}${path}`, { base: slow.base, key, mayBreak: true, ...more });
    const endless = () => { held++; return new Promise(() => {}); };
    try {
        granted(await get(other, '/perps/markets'));
        await lying('l2Book', endless, async () => {
            const many = Promise.all(crowd.flatMap((agent) => ASSETS.map((asset) => get(agent, `/perps/market/${asset}`, { patient: false }))));
            await until('some to hang', () => held > 1);
            granted(await get(other, '/prices?symbols=ETH'));
            for (const { status, body } of await many) assert.ok(status === 500 ? body.error_code === 'UPSTREAM_ERROR' : status === 429, String(status));
        });
    } finally {
        await slow.stop();
    }
});

// ---------------------------------------------------------------- tools

test('tools answer what REST does, by the names that clients know too', async () => {
    const { key } = await register();
    const call = async (name, args = {}, who = { key }) => result(await askMcp('tools/call', { name, arguments: args }, who)).structuredContent;
    for (const name of ['get_perps_markets', 'perps_markets']) {
        for (const who of [{}, { key }]) {
            const { markets } = await call(name, {}, who);
            assert.deepEqual(markets.map((market) => market.name), ASSETS.map((asset) => `${asset}-USD`));
            // By our names in the compact form.
            if (name === 'perps_markets') for (const market of markets) hasMembers(market, MARKET);
            assert.ok(markets.every((market) => 'markPrice' in market && (name === 'perps_markets') === ('oraclePrice' in market)));
        }
    }
    assert.equal((await call('get_perps_market', { name: 'eth' }, {})).name, 'ETH-USD');
    for (const name of ['quote_perps', 'perps_quote']) {
        const found = await call(name, { market: 'ETH-USD', side: 'short', size: 0.5, leverage: 5.0 });
        assert.deepEqual([found.side, found.size, found.leverage], ['short', 0.5, 5]);
    }
    for (const name of ['list_perps_positions', 'perps_positions']) assert.deepEqual((await call(name)).positions, []);
    const refusal = result(await askMcp('tools/call', { name: 'get_perps_account' }, { key }));
    assert.deepEqual([refusal.isError, refusal.structuredContent?.error ?? JSON.parse(refusal.content[0].text).error], [true, 'No managed wallet found']);
    const error = failure(await askMcp('tools/call', { name: 'perps_markets' }, { key: `svc_sk_${'x'.repeat(43)}` }), 401, -31401);
    assert.equal(error.data.error_code, 'INVALID_API_KEY');
});

test('a portfolio has what is at the venue once the agent has used it, and names it while it is silent', async () => {
    const own = await gatewayAt(proxy.url, ['perps_trading = yes']);
    try {
        const { agent, wallet } = await holder(25);
        const worth = async (query = '') => granted(await send('GET', `${API}/portfolio${query}`, { base: own.base, key: agent.key }));
        assert.deepEqual((await worth()).positions, []);
        refused(await send('DELETE', `${API}/me`, { base: own.base, key: agent.key }), "The agent's wallets still hold something");
        const found = await worth();
        assert.deepEqual(found.positions, [{ market: 'perps', chain: null, wallet_address: wallet, symbol: 'USDC', amount: '25', usd_value: '25.00' }]);
        assert.deepEqual([found.total_usd, found.wallets_usd, found.markets_usd, found.debts_usd], ['25.00', '0.00', '25.00', '0.00']);
        assert.deepEqual((await worth('?token=usdc')).positions, found.positions);
        for (const query of ['?token=ETH', '?chain=ethereum']) assert.deepEqual([(await worth(query)).positions, (await worth(query)).total_usd], [[], '0.00']);
        proxy.lie('spotClearinghouseState', () => ({ balances: [{ coin: 'HYPE', token: 150, total: '7.0', hold: '0.0', entryNtl: '0.0' }] }));
        await until('the coin', async () => (await worth()).unpriced?.includes('HYPE at perps'));
        proxy.lie('spotClearinghouseState');
        proxy.lie('clearinghouseState', () => 'no');
        const { positions, unavailable } = await until('the silence', async () => {
            const now = await worth();
            return now.unavailable?.includes('perps') && now;
        });
        assert.deepEqual([positions, unavailable.filter((each) => each === 'perps').length], [[], 1]);
        proxy.lie('clearinghouseState', (real) => ({ ...real, marginSummary: { ...real.marginSummary, accountValue: '-40.5' } }));
        const owing = await until('the debt', async () => {
            const now = await worth();
            return now.positions.some(({ debt }) => debt) && now;
        });
        assert.ok(Number(owing.total_usd) < 0 && Number(owing.debts_usd) > 0, JSON.stringify(owing));
    } finally {
        proxy.lie('clearinghouseState');
        proxy.lie('spotClearinghouseState');
        await own.stop();
    }
});

test('a deletion asks for the name while there are dollars at the venue, or it says nothing of them', async () => {
    const own = await gatewayAt(proxy.url, ['perps_trading = yes']);
    try {
        const { agent, wallet } = await holder(25);
        const remove = (more = {}) => send('DELETE', `${API}/me`, { base: own.base, key: agent.key, ...more });
        const asked = refused(await remove(), "The agent's wallets still hold something");
        assert.deepEqual(asked.holdings, [{ place: 'perps', chain: null, symbol: 'USDC', amount: '25', usd_value: '25.00' }]);
        proxy.lie('spotClearinghouseState', () => ({ balances: [{ coin: 'HYPE', token: 150, total: '7.0', hold: '0.0', entryNtl: '0.0' }] }));
        const coins = refused(await remove(), "The agent's wallets still hold something").holdings;
        assert.deepEqual(coins.find(({ symbol }) => symbol === 'HYPE'), { place: 'perps', chain: null, symbol: 'HYPE', amount: '7', usd_value: null });
        proxy.lie('spotClearinghouseState');
        proxy.lie('clearinghouseState', () => 'no');
        assert.deepEqual(refused(await remove(), "What the agent's wallets hold could not be read").unread, ['perps']);
        const fresh = await newAgent();
        await fresh.wallet();
        assert.equal((await send('DELETE', `${API}/me`, { base: own.base, key: fresh.key })).status, 204);
        assert.equal((await remove({ json: { confirm: 'test' } })).status, 204, wallet);
    } finally {
        proxy.lie('clearinghouseState');
        await own.stop();
    }
});
