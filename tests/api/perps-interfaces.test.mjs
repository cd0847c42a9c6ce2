// Section: api
// Perpetual futures by plain English, MCP and A2A: each interface gives what REST gives, and none does more than the sentence says.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { A2A } from './a2a.mjs';
import { startGateway } from './gateway.mjs';
import { Trader } from './hyperliquid.mjs';
import {
    Agent, granted, refused, register, registerUnlimited, send, stackSettings, until,
} from './lib.mjs';
import { ask, listed, result } from './mcp.mjs';
import { gatewayAt, startProxy } from './perping.mjs';

const UNPARSED = 'Unable to parse command';
const proxy = await startProxy();
const gateway = await gatewayAt(proxy.url);
after(async () => {
    await gateway.stop();
    await proxy.close();
});

/** An agent with a wallet that stands for a trader with so many dollars at the venue. */
async function holder(money) {
    const agent = new Agent((await register()).key);
    agent.base = gateway.base;
    const wallet = await agent.wallet();
    const trader = await Trader.with(proxy.venue, money);
    proxy.stands(wallet, trader.address);
    return { agent, wallet, trader };
}

const { agent, trader } = await holder(10_000);
const say = (command, more = {}, who = agent) => who.post('/execute', { command, ...more });
const rehearse = (command, who = agent) => say(command, { dry_run: true }, who);
const tool = async (name, args = {}) => result(await ask('tools/call', { name, arguments: args }, { base: gateway.base, key: agent.key })).structuredContent;

/** The command was understood as this; returns the result. */
function understood(answer, action, parsed) {
    const body = granted(answer);
    assert.deepEqual([body.action, body.parsed], [action, parsed]);
    return body.result;
}

/** Closes with 1 ETH, long at 5x. */
async function long() {
    await trader.leverage(1, 5);
    assert.ok((await trader.order('ETH', 'buy', '1', '3300', { tif: 'Ioc' })).filled);
    return until('the position', async () => granted(await agent.get('/perps/positions')).positions[0]);
}
const { size } = await long();

test('markets, funding, accounts and positions are asked for in words', async () => {
    const sol = understood(await say('funding rate of SOL'), 'perps_funding', { market: 'SOL-USD' });
    assert.deepEqual([sol.name, typeof sol.fundingRate, typeof sol.markPrice], ['SOL-USD', 'number', 'number']);
    assert.equal(understood(await say('What is the ETH perp price?'), 'perps_market', { market: 'ETH-USD' }).name, 'ETH-USD');
    const { markets } = understood(await say('list perps markets'), 'perps_markets', {});
    assert.deepEqual(markets.map(({ name }) => name), granted(await agent.get('/perps/markets')).markets.map(({ name }) => name));
    const { account } = understood(await say('how much margin do i have on perps?'), 'perps_account', {});
    assert.deepEqual(Object.keys(account), Object.keys(granted(await agent.get('/perps/account')).account));
    const { positions } = understood(await say('show my open perps positions'), 'perps_positions', {});
    assert.deepEqual(positions.map(({ market, side }) => [market, side]), [['ETH-USD', 'long']]);
    refused(await say('funding rate of BANANA'), 'Market not found');
});

test('a quote in words is the quote', async () => {
    const parsed = { market: 'ETH-USD', side: 'short', size: 0.5, leverage: 3 };
    const spoken = understood(await say('quote a 3x short of 0.5 ETH'), 'perps_quote', parsed);
    const rest = granted(await agent.post('/perps/quote', parsed));
    assert.deepEqual(Object.keys(spoken), Object.keys(rest));
    assert.deepEqual([spoken.market, spoken.side, spoken.size, spoken.leverage], ['ETH-USD', 'short', 0.5, 3]);
    refused(await say('quote a 30x short of 0.5 ETH'), 'Leverage must be between 1 and 20');
    refused(await say('quote a 3x short of 0.123456789 ETH'), 'size exceeds 4 decimals');
    refused(await say('quote a 3x short of 1 MATIC'), "Unknown market 'MATIC-USD'");
});

test('a dry run quotes an order at the market, and orders nothing', async () => {
    const before = granted(await agent.get('/perps/positions')).positions.map((each) => each.size);
    const order = { market: 'ETH-USD', side: 'long', size: 0.5, leverage: 5, type: 'market' };
    const { entryPrice, margin } = understood(await rehearse('long 0.5 ETH at 5x'), 'perps_order', order);
    assert.ok(entryPrice > 0 && Math.abs(margin * 5 - entryPrice * 0.5) < 0.01);
    assert.deepEqual(understood(await rehearse('limit long 0.1 BTC at 60000, post only'), 'perps_order', {
        market: 'BTC-USD', side: 'long', size: 0.1, type: 'limit', price: 60000, post_only: true,
    }), {});
    assert.equal(understood(await rehearse('long 0.5 ETH at 40x'), 'perps_order', { ...order, leverage: 40 }).unavailable, 'Leverage must be between 1 and 20');
    assert.deepEqual(understood(await rehearse('set BTC leverage to 4'), 'perps_leverage', { market: 'BTC-USD', leverage: 4 }), {});
    assert.deepEqual(understood(await rehearse('deposit 100 USDC to perps on arbitrum'), 'perps_deposit', { amount: '100', amount_kind: 'exact', chain: 'arbitrum' }), {});
    assert.deepEqual(understood(await rehearse('withdraw everything from perps'), 'perps_withdraw', { amount: '100', amount_kind: 'percent' }), {});
    for (const command of ['long 0.5 banana at 5x', 'set banana leverage to 4', 'close my banana position']) {
        refused(await rehearse(command), "Unknown market 'BANANA-USD'");
    }
    assert.deepEqual(granted(await agent.get('/perps/positions')).positions.map((each) => each.size), before);
});

test('dollars are a position’s worth or its margin, and the answer has both figures and the size', async () => {
    const { markPrice } = understood(await say('funding rate of ETH'), 'perps_funding', { market: 'ETH-USD' });
    for (const [command, notional_usd, margin_usd, leverage] of [
        ['long $300 of ETH at 3x', 300, 100, 3], ['long ETH with $300 at 3x', 900, 300, 3], ['long $100 of ETH at 3x', 100, 33.34, 3],
        ['long ETH with 250 USDC at 2x', 500, 250, 2],
    ]) {
        const { parsed, result: quoted } = granted(await rehearse(command));
        const { size, ...rest } = parsed;
        assert.deepEqual(rest, { market: 'ETH-USD', side: 'long', type: 'market', leverage, notional_usd, margin_usd }, command);
        assert.ok(Math.abs(size * markPrice - notional_usd) < notional_usd / 100 && Number.isInteger(Math.round(size * 1e8) / 1e4), `${command}: ${size}`);
        assert.ok(Math.abs(quoted.margin - margin_usd) < margin_usd / 50, `${command}: ${quoted.margin}`);
    }
    const limit = granted(await rehearse('limit long $500 of ETH at $2000 with 2x leverage')).parsed;
    assert.deepEqual([limit.size, limit.price, limit.notional_usd, limit.margin_usd], [0.25, 2000, 500, 250]);
    const quote = granted(await say('what would a 5x short of $1000 of ETH cost?'));
    assert.deepEqual([quote.action, quote.parsed.notional_usd, quote.parsed.margin_usd, quote.result.size], ['perps_quote', 1000, 200, quote.parsed.size]);
    assert.deepEqual(understood(await rehearse('close $100 of my ETH long'), 'perps_close', { market: 'ETH-USD', side: 'long', amount: '100', amount_kind: 'usd' }), {});
    assert.deepEqual(understood(await rehearse('deposit $100 to perps'), 'perps_deposit', { amount: '100', amount_kind: 'exact' }), {});
    assert.match(refused(await rehearse('long $0.01 of ETH at 3x'), UNPARSED).hint, /less than the least size/);
    refused(await rehearse('long $300 of banana at 3x'), "Unknown market 'BANANA-USD'");
});

test('closing a side closes no other one', async () => {
    assert.equal(size, 1);
    for (const command of ['close my ETH short', 'close half of my ETH short']) {
        const { hint } = refused(await say(command), UNPARSED);
        assert.equal(hint, 'The position in ETH-USD is long');
    }
    assert.deepEqual(understood(await rehearse('close half of my ETH long'), 'perps_close', { market: 'ETH-USD', side: 'long', amount: '50', amount_kind: 'percent' }), {});
});

test('an incomplete sentence is refused with the missing part and examples', async () => {
    for (const [command, hint, example] of [
        ['long ETH', /size is missing/, /^long /], ['short ETH 3x', /size is missing/, /^short /], ['long 0.5 ETH with leverage', /how much leverage/, /^long /],
        ['short 0.5 ETH at 3000', /price or leverage/, /^short /], ['limit long 0.1 BTC', /price of the limit is missing/, /^(long|limit) /],
        ['close my position', /Say which position/, /^close /], ['set BTC leverage', /Say one leverage/, /^set /], ['long ETH for $500 at 5x', /what the dollars are/, /^long /], ['long ETH with $300', /which leverage/, /^long /],
        ['deposit USDC to perps', /amount is missing/, /^deposit /], ['deposit 1 ETH to perps', /USDC alone/, /^deposit /], ['withdraw USDC from perps', /amount is missing/, /^withdraw /],
        ['long 0.5 ETH at 5x?', /A question is not carried out/, /^long /], ['cancel my perps order', /Say which order/, /./],
    ]) {
        const { hint: told, examples } = refused(await say(command), UNPARSED);
        assert.match(told, hint, command);
        assert.match(examples[0], example, command);
        assert.equal(examples.length, 4);
    }
});

test('tools and tasks say the same as words', async () => {
    assert.equal((await tool('execute_command', { command: 'funding rate of SOL' })).result.name, 'SOL-USD');
    assert.deepEqual((await tool('list_perps_positions')).positions.map(({ market }) => market), ['ETH-USD']);
    const a2a = new A2A(agent);
    const told = a2a.is(await a2a.send([{ text: 'funding rate of SOL' }]), 'completed');
    assert.match(a2a.said(told)[0], /^SOL-USD at \d+/);
    const held = a2a.is(await a2a.send([{ text: 'show my perps positions' }]), 'completed');
    assert.match(a2a.said(held)[0], /^1 position in perpetuals: ETH-USD long of 1/);
});

// ---------------------------------------------------------------- orders, at the stack's own venue

const { SANDBOX_UPSTREAM_PORT } = await stackSettings();

/** An agent of the stack's whose wallet has dollars at the venue. */
async function owner(dollars = 10_000) {
    const one = await registerUnlimited();
    const address = await one.wallet();
    const json = { service: 'hyperliquid', fault: 'give', value: { user: address.toLowerCase(), amount: String(dollars + 1) } };
    const response = await fetch(`http://127.0.0.1:${SANDBOX_UPSTREAM_PORT}/_sandbox`, { method: 'POST', body: JSON.stringify(json) });
    assert.equal(response.status, 200, await response.text());
    return one;
}

const shown = async (who, id) => granted(await who.get(`/perps/order/${id}`)).order;
const becomes = (who, id, status) => until(`order ${id} to be ${status}`, async () => {
    const now = await shown(who, id);
    return now.status === status && now;
});
const held = async (who) => granted(await who.get('/perps/positions')).positions;
const BID = { market: 'ETH-USD', side: 'long', size: '0.1', type: 'limit', price: '2500', leverage: 5 };
const SPOKEN = 'limit long 0.1 ETH at 2500 with 5x leverage';

test('every interface places the same order, and each takes it back', async () => {
    const who = await owner(), a2a = new A2A(who);
    const called = async (name, args) => result(await ask('tools/call', { name, arguments: args }, { key: who.key })).structuredContent;
    const told = async (command) => granted(await say(command, {}, who)).result;
    const placed = {
        rest: granted(await who.post('/perps/order', BID)).order,
        mcp: (await called('place_perps_order', BID)).order,
        words: (await told(SPOKEN)).order,
        a2a: await a2a.done('place_perps_order', BID),
        spoken: (await a2a.ended((await a2a.send([{ text: SPOKEN }])).id)).artifacts[0].parts[0].data,
    };
    for (const [how, order] of Object.entries(placed)) {
        const { market, side, size: ordered, type, price, leverage, timeInForce } = await becomes(who, order.id, 'open');
        assert.deepEqual({ market, side, size: ordered, type, price, leverage, timeInForce }, { ...BID, timeInForce: 'GTC' }, how);
    }
    assert.equal(new Set(Object.values(placed).map(({ id }) => id)).size, 5);
    const ids = ({ orders }) => orders.map(({ id }) => id).sort();
    const open = granted(await who.get('/perps/orders?status=open'));
    assert.deepEqual([ids(await told('show my open perps orders')), ids(await called('list_perps_orders', { status: 'open' }))], [ids(open), ids(open)]);
    assert.equal((await told(`status of perps order ${placed.rest.id}`)).order.id, placed.rest.id);
    granted(await who.send('DELETE', `/perps/order/${placed.rest.id}`));
    await called('cancel_perps_order', { id: placed.mcp.id });
    await told(`cancel order ${placed.words.id}`);
    await a2a.ended((await a2a.call('cancel_perps_order', { id: placed.a2a.id })).id);
    await a2a.ended((await a2a.send([{ text: `cancel perps order ${placed.spoken.id}` }])).id);
    for (const { id } of Object.values(placed)) await becomes(who, id, 'cancelled');
    refused(await say(`cancel order ${placed.rest.id}`, {}, who), 'Order is not open');
    refused(await say(`cancel order 0x${'0'.repeat(32)}`, {}, who), 'Order not found');
});

test('positions show an order as soon as it is answered, however lately they were asked for', async () => {
    const who = await owner();
    for (let i = 0; i < 3; i++) {
        assert.deepEqual(await held(who), []);
        granted(await who.post('/perps/order', { market: 'ETH', side: 'long', size: '0.1' }));
        assert.deepEqual((await held(who)).map(({ market, size }) => [market, Number(size)]), [['ETH-USD', 0.1]]);
        granted(await who.post('/perps/close', { market: 'ETH' }));
    }
    assert.deepEqual(await held(who), []);
});

test('a take-profit and a stop-loss that rest are in the open orders of every interface', async () => {
    const who = await owner(), a2a = new A2A(who);
    const { children } = granted(await who.post('/perps/order', { market: 'SOL', side: 'long', size: '2', takeProfit: '300', stopLoss: '50' })).order;
    const rests = children.map(({ id }) => id).sort();
    const ids = ({ orders, pagination }) => {
        assert.equal(pagination.total, 2);
        assert.deepEqual(orders.map(({ type }) => type).sort(), ['stopLoss', 'takeProfit']);
        return orders.map(({ id }) => id).sort();
    };
    for (const { id } of children) await becomes(who, id, 'open');
    assert.deepEqual(ids(granted(await who.get('/perps/orders?status=open'))), rests);
    assert.deepEqual(ids(granted(await who.get('/perps/orders?status=open&market=SOL'))), rests);
    assert.deepEqual(ids(granted(await say('show my open perps orders', {}, who)).result), rests);
    assert.deepEqual(ids(result(await ask('tools/call', { name: 'list_perps_orders', arguments: { status: 'open' } }, { key: who.key })).structuredContent), rests);
    assert.match(a2a.said(a2a.is(await a2a.call('list_perps_orders', { status: 'open' }), 'completed'))[0], /^2 orders/);
    assert.equal(granted(await who.get('/perps/orders?status=open&market=ETH')).pagination.total, 0);
    granted(await who.post('/perps/close', { market: 'SOL' }));
    for (const { id } of children) await becomes(who, id, 'cancelled');
    assert.equal(granted(await who.get('/perps/orders?status=open')).pagination.total, 0);
});

test('the text of a market order has the price that it was filled at, and not the worst that it allows', async () => {
    const who = await owner(), a2a = new A2A(who);
    const task = await a2a.ended((await a2a.call('place_perps_order', { market: 'ETH-USD', side: 'long', size: '0.1' })).id);
    const { data } = task.artifacts[0].parts[0];
    assert.deepEqual([data.status, data.averagePrice === data.price], ['filled', false]);
    const listed = a2a.is(await a2a.call('list_perps_orders', {}), 'completed');
    for (const text of [a2a.said(task)[0], a2a.said(listed)[0]]) {
        assert.ok(text.includes(` at the market`) && text.includes(` filled at ${data.averagePrice}`), text);
        assert.ok(!text.includes(` at ${data.price}`), text);
    }
    granted(await who.post('/perps/close', { market: 'ETH-USD' }));
});

test('words open, set leverage, close half and close the rest', async () => {
    const who = await owner();
    const told = async (command, action, parsed) => understood(await say(command, {}, who), action, parsed);
    const opened = (await told('long 0.5 ETH at 5x with 2% slippage', 'perps_order', { market: 'ETH-USD', side: 'long', size: 0.5, leverage: 5, type: 'market', slippage: 0.02 })).order;
    await becomes(who, opened.id, 'filled');
    assert.deepEqual((await held(who)).map(({ side, size: has, leverage }) => [side, has, leverage]), [['long', 0.5, 5]]);
    assert.equal((await told('set ETH leverage to 4', 'perps_leverage', { market: 'ETH-USD', leverage: 4 })).leverage, 4);
    const { order: half } = await told('close half of my ETH position', 'perps_close', { market: 'ETH-USD', amount: '50', amount_kind: 'percent' });
    assert.deepEqual([half.size, half.side, half.reduceOnly], ['0.25', 'short', true]);
    await becomes(who, half.id, 'filled');
    assert.match(refused(await say('close my ETH short', {}, who), UNPARSED).hint, /is long$/);
    await until('the half', async () => (await held(who))[0]?.size === 0.25);
    const { order: rest } = await told('close my ETH long', 'perps_close', { market: 'ETH-USD', side: 'long' });
    await becomes(who, rest.id, 'filled');
    await until('nothing', async () => (await held(who)).length === 0);
    for (const command of ['close my ETH position', 'close half of my ETH position', 'close my ETH long']) refused(await say(command, {}, who), 'No open position for ETH-USD');
    const fills = (await told('show my last 3 perps trades', 'perps_fills', { limit: 3 })).fills;
    assert.deepEqual(fills.map(({ market }) => market), fills.map(() => 'ETH-USD'));
});

test('a sentence under an Idempotency-Key orders once', async () => {
    const who = await owner();
    const once = { headers: { 'Idempotency-Key': randomUUID() }, json: { command: SPOKEN } };
    const [first, second] = [await who.send('POST', '/execute', once), await who.send('POST', '/execute', once)];
    assert.deepEqual(second.body, first.body);
    assert.equal(granted(await who.get('/perps/orders')).orders.length, 1);
});

test('a task of an order waits for its approval, and ends when the placing is decided', async () => {
    const who = await owner(), a2a = new A2A(who), operator = await startGateway();
    try {
        granted(await who.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountUsd: '10' } }));
        const asked = a2a.is(await a2a.call('place_perps_order', BID), 'submitted');
        const [, { approval_id }] = a2a.said(asked);
        await operator.agentctl('approve', approval_id);
        a2a.is(await a2a.get(asked.id), 'input-required');
        await a2a.call('place_perps_order', { approval_id }, { taskId: asked.id });
        const { artifacts: [{ parts: [{ data }] }] } = a2a.is(await a2a.ended(asked.id), 'completed'); // though the order rests
        await becomes(who, (data.order ?? data).id, 'open');
        a2a.is(await a2a.call('place_perps_order', { ...BID, side: 'short', reduceOnly: true }), 'rejected'); // there is nothing to reduce
    } finally {
        await operator.stop();
    }
});

const TOOLS = [
    'get_perps_markets', 'get_perps_market', 'quote_perps', 'get_perps_account', 'place_perps_order', 'close_perps_position', 'cancel_perps_order', 'list_perps_orders',
    'get_perps_order', 'list_perps_positions', 'list_perps_fills', 'list_perps_funding', 'set_perps_leverage', 'deposit_perps', 'withdraw_perps', 'list_perps_transfers',
];

test('every document and every list names all of them', async () => {
    const tools = await listed('perps', { key: agent.key });
    const [card, openapi, llms] = await Promise.all(['/.well-known/agent-card.json', '/v1/agent/openapi', '/llms-full.txt'].map((path) => send('GET', path)));
    const skill = card.body.skills.find(({ id }) => id === 'perpetuals');
    for (const name of TOOLS) {
        const { annotations } = tools.find((each) => each.name === name);
        assert.deepEqual(Object.keys(annotations).sort(), ['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint', 'title'], name);
        assert.equal(annotations.readOnlyHint, /^(get|list|quote)_/.test(name), name);
        assert.ok(skill.description.includes(name), name);
    }
    for (const path of ['markets', 'market/{name}', 'quote', 'account', 'positions', 'order', 'order/{id}', 'orders', 'close', 'leverage', 'fills', 'funding', 'deposit', 'withdraw', 'transfers', 'transfer/{id}']) {
        assert.ok(`/perps/${path}` in openapi.body.paths && llms.text.includes(`/perps/${path}`), path);
    }
    for (const wanted of [/^Funding rate/, /^Long /, /^Close /]) assert.ok(skill.examples.some((example) => wanted.test(example)), skill.examples.join());
});
