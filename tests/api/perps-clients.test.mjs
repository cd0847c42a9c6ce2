// Section: api
// What programs with the published clients do on perpetuals: their calls in their order, with the checks that they make of each
// answer. Two generations of them are TypeScript's; the one of Python, which writes whole numbers as 1.0 and 5.0, is a program of
// its own.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
    API, Agent, granted, refused, register, send, until,
} from './lib.mjs';
import { ask, result } from './mcp.mjs';
import { Trader } from './hyperliquid.mjs';
import { gatewayAt, startProxy } from './perping.mjs';

const proxy = await startProxy();
const gateway = await gatewayAt(proxy.url);
after(async () => {
    await gateway.stop();
    await proxy.close();
});

const MARKET = { name: 'text', asset: 'text', szDecimals: 'number', maxLeverage: 'number', venueMaxLeverage: 'number', markPrice: 'number', fundingRate: 'number' };
const QUOTE = {
    market: 'text', side: 'side', size: 'number', leverage: 'number', entryPrice: 'number', margin: 'number', liquidationPrice: 'number', fundingRate: 'number', fee: 'number',
};
const POSITION = {
    id: 'text', market: 'text', side: 'side', size: 'number', leverage: 'number', entryPrice: 'number', markPrice: 'number', margin: 'number', unrealizedPnl: 'number',
    liquidationPrice: 'number', fundingRate: 'number',
};
const IS = {
    text: (value) => typeof value === 'string' && value !== '',
    number: (value) => typeof value === 'number' && Number.isFinite(value),
    side: (value) => value === 'long' || value === 'short',
};

/** As the newest client does: an answer that lacks a member, or has one of another type, is none. */
function validated(value, members, what) {
    for (const [name, type] of Object.entries(members)) assert.ok(IS[type](value[name]), `${what}.${name} is ${JSON.stringify(value[name])}`);
    return value;
}

const dollars = (value) => value.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
const printed = (value) => { assert.match(value, /^-?\$\d[\d,]*\.\d\d$/); return value; };

/** A client of this gateway. `open`: it reads markets without its key. */
function client(key, { open }) {
    const call = async (method, path, { body, bare = false } = {}) => {
        const sent = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
        return granted(await send(method, `${API}/perps/${path}`, { base: gateway.base, ...(!bare && { key }), ...sent }));
    };
    return {
        markets: async () => (await call('GET', 'markets', { bare: open })).markets,
        quote: (terms) => call('POST', 'quote', { body: terms }),
        positions: async (address) => (await call('GET', `positions?address=${address}`)).positions,
    };
}

const PROGRAMS = [
    ['TypeScript, the older generation', { open: false }],
    ['TypeScript, the newest', { open: true }],
];

/** The lines that the program in Python prints for an agent's wallet. */
async function python(key, wallet, ...market) {
    const program = fileURLToPath(new URL('perps-program.py', import.meta.url));
    return (await promisify(execFile)('python3', [program, gateway.base + API, key, wallet, ...market])).stdout.trim().split('\n');
}

/** An agent with a wallet that stands for a trader with so many dollars at the venue. */
async function holder(money) {
    const agent = new Agent((await register()).key);
    agent.base = gateway.base;
    const wallet = await agent.wallet();
    const trader = await Trader.with(proxy.venue, money);
    proxy.stands(wallet, trader.address);
    return { agent, wallet, trader };
}

const { agent, wallet, trader } = await holder(10_000);

for (const [name, kind] of PROGRAMS) {
    test(`${name}: lists ETH-USD, quotes it and shows positions`, async () => {
        const own = client(agent.key, kind);
        const markets = (await own.markets()).map((each) => validated(each, MARKET, 'market'));
        const eth = markets.find(({ name: market }) => market === 'ETH-USD');
        assert.deepEqual([eth.asset, eth.maxLeverage <= 20, eth.maxLeverage <= eth.venueMaxLeverage], ['ETH', true, true]);
        printed(dollars(eth.markPrice));

        const leverage = Math.min(eth.maxLeverage, 5);
        const quote = validated(await own.quote({ market: 'ETH-USD', side: 'long', size: 1, leverage }), QUOTE, 'quote');
        assert.deepEqual([quote.market, quote.side, quote.size, quote.leverage], ['ETH-USD', 'long', 1, 5]);
        for (const member of ['entryPrice', 'margin', 'liquidationPrice', 'fee']) printed(dollars(quote[member]));
        assert.ok(Math.abs(quote.margin * quote.leverage - quote.entryPrice * quote.size) < 0.01);

        for (const each of await own.positions(wallet)) validated(each, POSITION, 'position');
    });
}

const DOLLARS = String.raw`-?\$-?[\d,]+\.\d\d`;
const LISTED = new RegExp(`^ETH-USD ETH ${DOLLARS} up to 20x, funding -?\\d+\\.\\d{6}%$`);
const QUOTED = new RegExp(`^long 1 ETH-USD at 5x: entry ${DOLLARS}, margin ${DOLLARS}, liquidation ${DOLLARS}, fee ${DOLLARS}$`);

test('Python: lists ETH-USD, quotes it and shows positions', async () => {
    const [listed, quoted, ...rest] = await python(agent.key, wallet);
    assert.match(listed, LISTED);
    assert.match(quoted, QUOTED);
    assert.deepEqual(rest, ['no open positions']);
});

test('Python: ends with what was wrong', async () => {
    await assert.rejects(python(agent.key, wallet, 'MATIC-USD'), { code: 1, stderr: "Unknown market 'MATIC-USD'\n" });
    await assert.rejects(python(`${agent.key}x`, wallet), { code: 1, stderr: 'Invalid or missing API key\n' });
});

test('all of them show what is held, and an empty list where nothing is', async () => {
    const empty = await holder(100);
    for (const [, kind] of PROGRAMS) assert.deepEqual(await client(empty.agent.key, kind).positions(empty.wallet), []);
    await trader.leverage(1, 5);
    assert.ok((await trader.order('ETH', 'buy', '1', '3300', { tif: 'Ioc' })).filled);
    for (const [name, kind] of PROGRAMS) {
        const own = client(agent.key, kind);
        const [held] = await until('the position', async () => { const list = await own.positions(wallet); return list.length > 0 && list; });
        validated(held, POSITION, name);
        assert.deepEqual([held.market, held.side, held.size, held.leverage], ['ETH-USD', 'long', 1, 5]);
        printed(dollars(held.unrealizedPnl));
    }
    assert.match((await python(agent.key, wallet)).at(-1), new RegExp(`^long 1 ETH-USD at 5x, PnL ${DOLLARS}$`));
});

test('the newest reads markets without a key and nothing else', async () => {
    const bare = (method, path, options) => send(method, `${API}/perps/${path}`, { base: gateway.base, ...options });
    assert.ok(granted(await bare('GET', 'markets')).markets.length > 0);
    refused(await bare('GET', `positions?address=${wallet}`), 'Invalid or missing API key');
    refused(await bare('POST', 'quote', { json: { market: 'ETH-USD', side: 'long', size: 1, leverage: 1 } }), 'Invalid or missing API key');
    refused(await bare('GET', 'markets', { key: `${agent.key}x` }), 'Invalid or missing API key');
});

test('a program is told what it asked wrongly', async () => {
    const own = (terms) => agent.post('/perps/quote', { market: 'ETH-USD', side: 'long', size: 1, leverage: 1, ...terms });
    refused(await own({ market: 'MATIC-USD' }), "Unknown market 'MATIC-USD'");
    refused(await own({ leverage: 21 }), 'Leverage must be between 1 and 20');
    refused(await own({ size: 0 }), 'size must be a positive number', ['size']);
    refused(await agent.get(`/perps/positions?address=0x${'7'.repeat(40)}`), 'No managed wallet found');
});

test('an assistant asks by the older names of the tools', async () => {
    const call = async (name, args) => result(await ask('tools/call', { name, arguments: args }, { base: gateway.base, key: agent.key })).structuredContent;
    for (const market of (await call('perps_markets', {})).markets) validated(market, MARKET, 'market');
    validated(await call('perps_quote', { market: 'ETH-USD', side: 'short', size: 0.5, leverage: 3 }), QUOTE, 'quote');
    for (const position of (await call('perps_positions', { address: wallet })).positions) validated(position, POSITION, 'position');
});
