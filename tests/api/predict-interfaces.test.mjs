// Section: predict
// Prediction markets by plain English, MCP and A2A: each interface gives what REST gives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MARKETS } from '../../contrib/sandbox/upstream/markets.mjs';
import { A2A } from './a2a.mjs';
import { startGateway } from './gateway.mjs';
import { granted, refused, registerUnlimited, send } from './lib.mjs';
import { ask, listed, result } from './mcp.mjs';
import {
    cancel as cancelOf, completed, holder, place, trader,
} from './prediction.mjs';

const agent = await registerUnlimited();
const market = MARKETS.find(({ status = 'open' }) => status === 'open');
const say = (command, more = {}, who = agent) => who.post('/execute', { command, ...more });

const tool = async (name, args = {}, { key } = agent) => result(await ask('tools/call', { name, arguments: args }, { key }));

/** The command was understood as this; returns the result. */
function understood(answer, action, parsed) {
    const body = granted(answer);
    assert.deepEqual([body.action, body.parsed], [action, parsed]);
    return body.result;
}

test('a market’s price is asked for by its number', async () => {
    const prices = granted(await agent.get(`/predict/market/${market.id}/price`));
    for (const command of [`price of market ${market.id}`, `What are the odds of market #${market.id}?`]) {
        assert.deepEqual(understood(await say(command), 'predict_price', { market_id: market.id }).prices.map(({ tokenId }) => tokenId), prices.prices.map(({ tokenId }) => tokenId));
    }
    refused(await say('price of market 99999999999999999999'), 'Market not found');
    refused(await say('price of market 999999999999999999999999999999'), 'Market not found');
    assert.equal(granted(await say('price of market 1', { dry_run: true })).result.unavailable, 'Market not found');
});

test('an order says what it lacks', async () => {
    for (const [command, hint] of [
        [`buy 10 YES of market ${market.id}`, /price/], [`buy YES of market ${market.id} at 0.40`, /size/], ['buy 10 YES at 0.40', /which prediction market/],
        [`buy 10 shares of market ${market.id} at 0.40`, /outcome/], ['cancel my order', /which order/], ['cancel order 42', /which order/],
    ]) assert.match(refused(await say(command), 'Unable to parse command').hint, hint, command);
    assert.match(refused(await say(`buy 10 MAYBE of market ${market.id} at 0.40`), 'Unable to parse command').hint, /Not understood from/);
    assert.match(refused(await say(`buy 10 Perhapsia of market ${market.id} at 0.40`), 'Unable to parse command').hint, /has no outcome Perhapsia, but Yes, No$/);
});

test('an outcome of several words is one that the market has', async () => {
    const [{ tokenId: north }, { tokenId: south }] = granted(await agent.get('/predict/market/9005')).outcomes;
    const rehearse = (outcome) => say(`buy 10 ${outcome} of market 9005 at 0.55`, { dry_run: true });
    const parsed = { market_id: '9005', side: 'BUY', price: 0.55, size: 10 };
    for (const [outcome, token_id] of [['North Pier', north], ['south  pier', south], ['SOUTH PIER shares', south]]) {
        understood(await rehearse(outcome), 'predict_order', { ...parsed, token_id, outcome: outcome.replace('  ', ' ').replace(' shares', '') });
    }
    for (const outcome of ['Pier', 'North', 'North Pier South Pier', 'Pier North', 'NorthPier', 'fake North Pier', 'North should Pier', 'another South Pier']) {
        refused(await rehearse(outcome), 'Unable to parse command');
        assert.match(refused(await say(`buy 10 ${outcome} of market 9005 at 0.55`), 'Unable to parse command').hint, /has no outcome .*, but North Pier, South Pier$/, outcome);
    }
});

test('tools are found by the names and arguments that older clients use', async () => {
    const same = async (older, now, args) => {
        const [got, want] = await Promise.all([tool(older, args), tool(now, { id: market.id })]);
        assert.deepEqual([got.isError, got.structuredContent.id ?? got.structuredContent.marketId], [false, want.structuredContent.id ?? want.structuredContent.marketId], older);
    };
    await same('predict_market', 'get_prediction_market', { market_id: market.id });
    await same('predict_market_detail', 'get_prediction_market', { market_id: market.id });
    await same('predict_book', 'get_prediction_book', { market_id: market.id });
    await same('predict_price', 'get_prediction_price', { market_id: market.id });
    await same('predict_trades', 'get_prediction_trades', { market_id: market.id });
    const { markets } = (await tool('predict_markets', { query: 'Adler' })).structuredContent;
    assert.deepEqual(markets.map(({ id }) => id), granted(await agent.get('/predict/markets?query=Adler')).markets.map(({ id }) => id));
});

// ---------------------------------------------------------------- orders

const MARKET = '9010'; // a tick of 0.01, about 0.55
const [{ tokenId }] = granted(await agent.get(`/predict/market/${MARKET}`)).outcomes;
const BID = { tokenId, side: 'BUY', price: 0.05, size: 10 };

const owner = await trader('100');
const a2a = new A2A(owner);
const told = async (command, more = {}) => granted(await say(command, more, owner));
const called = async (name, args) => (await tool(name, args, owner)).structuredContent;
const openOrders = async () => granted(await owner.get('/predict/orders?status=open')).orders.map(({ id }) => id).sort();

test('every interface places the same order, and each takes it back', async () => {
    const placed = {
        rest: granted(await place(owner, BID)).order,
        mcp: (await called('place_prediction_order', BID)).order,
        words: (await told(`buy 10 YES of market ${MARKET} at 0.05`)).result.order,
        token: (await told(`buy 10 shares of token ${tokenId} at 0.05`)).result.order,
        a2a: (await a2a.done('place_prediction_order', BID)),
        spoken: (await a2a.ended((await a2a.send([{ text: `buy 10 YES of market ${MARKET} at 0.05` }])).id)).artifacts[0].parts[0].data,
    };
    for (const [client, order] of Object.entries(placed)) {
        const { order: { tokenId: which, side, price, size, type, market, outcome, status } } = granted(await owner.get(`/predict/order/${order.id}`));
        assert.deepEqual({ which, side, price, size, type, market, outcome, status }, {
            which: tokenId, side: 'BUY', price: 0.05, size: 10, type: 'GTC', market: MARKET, outcome: 'Yes', status: 'open',
        }, client);
    }
    assert.equal(new Set(Object.values(placed).map(({ id }) => id)).size, 6);
    const cancels = {
        rest: () => cancelOf(owner, placed.rest.id).then(granted),
        mcp: () => called('cancel_prediction_order', { id: placed.mcp.id }),
        words: () => told(`cancel order ${placed.words.id}`).then(({ result: { order } }) => ({ order })),
        a2a: () => a2a.done('cancel_prediction_order', { id: placed.a2a.id }),
    };
    for (const [client, cancel] of Object.entries(cancels)) assert.equal((await cancel()).order.status, 'cancelled', client);
    const open = await openOrders();
    assert.deepEqual(open, [placed.token.id, placed.spoken.id].sort());
    assert.deepEqual((await told('my open orders')).result.orders.map(({ id }) => id).sort(), open);
    assert.deepEqual((await called('list_prediction_orders', { status: 'open' })).orders.map(({ id }) => id).sort(), open);
    assert.deepEqual((await called('get_prediction_order', { id: open[0] })).order.id, open[0]);
    refused(await owner.post('/execute', { command: `cancel order ${placed.rest.id}` }), 'Order is not open');
});

/** What each interface says of an order whose price and size are these characters. */
async function atEveryInterface(price, size) {
    const json = (value) => ({ key: owner.key, body: JSON.stringify(value).replace('"<price>"', price).replace('"<size>"', size) });
    const order = { ...BID, price: '<price>', size: '<size>' };
    const rpc = (id, method, params) => json({ jsonrpc: '2.0', id, method, params });
    const data = { operation: 'place_prediction_order', arguments: order };
    const [rest, mcp, task] = await Promise.all([
        send('POST', '/v1/agent/predict/order', json(order)),
        send('POST', '/mcp', rpc(1, 'tools/call', { name: 'place_prediction_order', arguments: order })),
        send('POST', '/a2a', { ...rpc(1, 'SendMessage', { message: a2a.message([{ data }]) }), headers: { 'A2A-Version': '1.0' } }),
    ]);
    const { status, artifacts } = result(task).task;
    return { rest: rest.body, mcp: JSON.parse(result(mcp).content[0].text), a2a: (artifacts?.[0] ?? status.message).parts.find((part) => part.data).data };
}

test('numbers are read as they were sent at every interface, and never as floating point', async () => {
    const zeros = '0'.repeat(30);
    for (const [price, size, error] of [
        [`0.05${zeros}1`, '10', 'Price must be a multiple of 0.01'], ['0.050000000000000001', '10', 'Price must be a multiple of 0.01'],
        ['0.05', `10.${zeros}1`, 'size must have at most 2 decimals'], ['0.05', '100000.00000000000001', 'size must have at most 2 decimals'],
        [`0.${'9'.repeat(400)}`, '10', 'Price must be a multiple of 0.01'], ['1e300', '10', 'price must be between 0 and 1'], ['1e400', '10', 'price must be between 0 and 1'],
        ['9'.repeat(400), '10', 'price must be between 0 and 1'], ['0.05', '1e400', 'size must be a positive number'], ['0.05', '-1e-400', 'size must be a positive number'],
    ]) {
        for (const [client, body] of Object.entries(await atEveryInterface(price, size))) assert.equal(body.error, error, `${client} ${price} ${size}`);
    }
    for (const [client, body] of Object.entries(await atEveryInterface(`0.05${zeros}`, `10.${zeros}`))) {
        const order = body.order ?? body; // a task shows it alone
        assert.deepEqual([order.price, order.size, order.status], [0.05, 10, 'open'], client);
        granted(await cancelOf(owner, order.id));
    }
    for (const price of ['0.050000000000000001', `0.05${zeros}1`]) {
        refused(await owner.post('/execute', { command: `buy 10 YES of market ${MARKET} at ${price}` }), 'Price must be a multiple of 0.01');
    }
});

test('a dry run places and cancels nothing', async () => {
    const before = await openOrders();
    const { parsed, result: nothing } = await told(`buy 10 YES of market ${MARKET} at 0.05`, { dry_run: true });
    assert.deepEqual([parsed, nothing], [{ market_id: MARKET, outcome: 'YES', token_id: tokenId, side: 'BUY', price: 0.05, size: 10 }, {}]);
    assert.deepEqual((await told(`cancel order ${before[0]}`, { dry_run: true })).result, {});
    assert.deepEqual(await openOrders(), before);
});

test('a task waits for the approval that its order needs', async () => {
    const before = await openOrders();
    const gateway = await startGateway(); // for its operator
    granted(await owner.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountUsd: '0.1' } }));
    const asked = await a2a.call('place_prediction_order', BID);
    a2a.is(asked, 'submitted');
    const [, { approval_id }] = a2a.said(asked);
    await gateway.agentctl('approve', approval_id).finally(gateway.stop);
    a2a.is(await a2a.get(asked.id), 'input-required');
    await a2a.call('place_prediction_order', { approval_id }, { taskId: asked.id });
    a2a.is(await a2a.ended(asked.id), 'completed');
    assert.equal((await openOrders()).length, before.length + 1);
});

test('positions are the same by every interface', async () => {
    const want = granted(await owner.get('/predict/positions')).positions;
    assert.deepEqual([(await told('my positions')).result.positions, (await called('list_prediction_positions', {})).positions], [want, want]);
    a2a.is(await a2a.send([{ text: 'my positions' }]), 'completed');
});

const TOOLS = [
    'search_prediction_markets', 'list_prediction_events', 'get_prediction_market', 'get_prediction_book', 'get_prediction_price',
    'get_prediction_trades', 'get_prediction_account', 'place_prediction_order', 'cancel_prediction_order', 'list_prediction_orders',
    'get_prediction_order', 'list_prediction_positions', 'deposit_prediction', 'withdraw_prediction', 'redeem_prediction',
];

test('every document and every list names all of them', async () => {
    const tools = await listed('predict', { key: agent.key });
    const [card, openapi, llms] = await Promise.all(['/.well-known/agent-card.json', '/v1/agent/openapi', '/llms-full.txt'].map((path) => send('GET', path)));
    const paths = Object.keys(openapi.body.paths).join();
    for (const name of TOOLS) assert.ok(tools.some((each) => each.name === name), name);
    for (const path of ['order', 'order/{id}', 'orders', 'positions', 'account', 'deposit', 'withdraw', 'redeem', 'transfers', 'transfer/{id}']) {
        assert.ok(paths.includes(`/predict/${path}`), path);
        assert.ok(llms.text.includes(`/predict/${path}`), path);
    }
    const prediction = card.body.skills.filter(({ id }) => id.startsWith('prediction')).map(({ description }) => description).join();
    for (const name of TOOLS) assert.ok(prediction.includes(name), name);
});

// ---------------------------------------------------------------- dollars

test('dollars on an outcome buy at once for what the book asks, and not for a cent more', async () => {
    const bettor = await trader('100');
    const bet = (command, more) => bettor.post('/execute', { command, ...more });
    const { parsed, result: quoted } = granted(await bet(`bet $10 on Yes in market ${MARKET}`, { dry_run: true }));
    const { token_id: token, price, size, ...said } = parsed;
    assert.deepEqual(said, { market_id: MARKET, outcome: 'Yes', side: 'BUY', amount: '10', amount_kind: 'usd' });
    assert.deepEqual([token, quoted.worstPrice, quoted.complete], [tokenId, price, true]);
    assert.ok(quoted.cost <= 10 && quoted.cost > 9.99 && size * price >= 10 && size * price < 10.01, JSON.stringify(quoted));
    assert.equal(granted(await bettor.get('/predict/orders?status=all')).pagination.total, 0);

    const { order } = granted(await bet(`put $10 on Yes in market ${MARKET}`)).result;
    assert.deepEqual([order.tokenId, order.side, order.type, order.status], [tokenId, 'BUY', 'FOK', 'filled']);
    assert.ok(order.spent <= 10 && order.spent > 9.99, JSON.stringify(order));

    const resting = granted(await bet(`bet $10 on Yes in market ${MARKET} at 5 cents`)).result.order;
    assert.deepEqual([resting.price, resting.size, resting.type, resting.status], [0.05, 200, 'GTC', 'open']);
    granted(await cancelOf(bettor, resting.id));

    const { result: worth } = granted(await bet(`what would I get for $10 on Yes in market ${MARKET}?`));
    assert.ok(worth.shares > 10 && worth.cost <= 10 && worth.fee >= 0, JSON.stringify(worth));
    assert.equal(granted(await bet(`what would 10 YES of market ${MARKET} cost?`)).result.shares, 10);
    for (const [command, hint] of [
        [`bet on Yes in market ${MARKET}`, /how many dollars/], [`bet $10 in market ${MARKET}`, /which outcome/], ['bet $10 on Yes', /which prediction market/],
        [`sell $10 of Yes in market ${MARKET}`, /how many shares are sold/], [`bet $10 on Perhapsia in market ${MARKET}`, /has no outcome Perhapsia, but Yes, No$/],
        [`bet $500000 on Yes in market ${MARKET}`, /./],
    ]) {
        const { body } = await bet(command);
        assert.equal(body.success, false, command);
        assert.match(body.hint ?? body.error, hint, command);
    }
    // The book of a market with wide ticks: its first level is bought, the second is more than a tenth dearer.
    const [{ asks: [first, second] }] = granted(await bettor.get('/predict/market/9007/book')).outcomes;
    const dollars = Math.ceil(first.price * first.size) + 1;
    for (const dry_run of [true, false]) {
        const { hint } = refused(await bet(`bet $${dollars} on Yes in market 9007`, { dry_run }), 'Unable to parse command');
        assert.equal(hint, `The book has so much only at up to ${second.price} for a share, where it begins at ${first.price}: say at which price, such as "at ${first.price}"`);
    }
    assert.equal(granted(await bettor.get('/predict/orders?status=all')).pagination.total, 2);
});

test('collateral goes there and comes back by sentence', async () => {
    const mover = await holder('50');
    const tell = async (command) => granted(await mover.post('/execute', { command }));
    const moved = async (command) => {
        const answer = await mover.post('/execute', { command });
        await completed(mover, { ...answer, body: { ...answer.body, ...granted(answer).result } });
        return answer.body;
    };
    const into = await moved('deposit $20 to polymarket');
    assert.deepEqual([into.action, into.parsed], ['predict_deposit', { token: 'USDC.e', chain: 'polygon', amount: '20', amount_kind: 'exact' }]);
    assert.equal((await tell('show my prediction account')).result.account.collateral.balance, '20');
    assert.deepEqual((await tell('show my prediction transfers')).result.transfers.map(({ type, amount }) => [type, amount]), [['deposit', '20']]);
    await moved('withdraw everything from predictions');
    assert.equal((await tell('how much do I still have on polymarket?')).result.account.collateral.balance, '0');
    assert.match(refused(await mover.post('/execute', { command: 'deposit 20 USDC on base to polymarket' }), 'Unable to parse command').hint, /bridge it there before/);
    const books = await tell(`show the order book of market ${MARKET}`);
    assert.deepEqual(books.result.outcomes.map(({ outcome }) => outcome), ['Yes', 'No']);
    assert.equal(granted(await mover.post('/execute', { command: `redeem market ${MARKET}`, dry_run: true })).action, 'predict_redeem');
});
