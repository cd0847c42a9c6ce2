// Prediction markets by plain English, MCP and A2A: each door gives what REST gives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MARKETS } from '../../contrib/sandbox/upstream/markets.mjs';
import { granted, refused, registerUnlimited } from './lib.mjs';
import { ask, result } from './mcp.mjs';

const agent = await registerUnlimited();
const market = MARKETS.find(({ status = 'open' }) => status === 'open');
const say = (command, more = {}, who = agent) => who.post('/execute', { command, ...more });

const tool = async (name, args = {}, who = agent) => result(await ask('tools/call', { name, arguments: args }, { key: who.key }));

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
    assert.match(refused(await say(`buy 10 Perhapsia of market ${market.id} at 0.40`), 'Unable to parse command').hint, /has no outcome Perhapsia/);
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
