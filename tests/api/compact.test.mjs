// Section: api
// The compact form of answers: what the specification names and what a model acts on, each once; over MCP and A2A always, over REST
// where the client prefers it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { A2A } from './a2a.mjs';
import { fund, give } from './chain.mjs';
import {
    API, granted, refused, register, send,
} from './lib.mjs';
import { ask, result, use, used } from './mcp.mjs';

const MINIMAL = { prefer: 'return=minimal' };
const agent = await register();
const address = await agent.wallet();
for (const chain of ['ethereum', 'base']) {
    await fund(chain, address, '50');
    await give(chain, address, 'USDC', '1000');
}
const TERMS = { from_token: 'ETH', to_token: 'USDC', amount: '0.01', chain: 'base' };
const ids = [];
for (let i = 0; i < 20; i++) ids.push(await agent.swap('ETH', 'USDC', '0.01', { chain: 'base' }));
for (const id of ids) await agent.completed(id);

/** { status, headers, text, body } of the call in a form. */
const minimal = (method, path, json) => send(method, API + path, { key: agent.key, json, headers: MINIMAL });

/** Fails unless each member of the compact form is as in the full one. */
function assertPart(part, whole, at) {
    if (Array.isArray(part)) {
        assert.equal(part.length, whole.length, at);
        part.forEach((each, i) => assertPart(each, whole[i], `${at}[${i}]`));
    } else if (part !== null && typeof part === 'object') {
        for (const [name, each] of Object.entries(part)) {
            assert.ok(name in whole, `${at}.${name}`);
            assertPart(each, whole[name], `${at}.${name}`);
        }
    } else assert.equal(part, whole, at);
}

/** The members of it, with those inside: "swaps[].swap_id". */
const membersOf = (value, at = '') => (Array.isArray(value) ? [...new Set(value.flatMap((each) => membersOf(each, `${at}[]`)))]
    : value !== null && typeof value === 'object' ? Object.entries(value).flatMap(([name, each]) => [`${at}.${name}`, ...membersOf(each, `${at}.${name}`)]) : []);

/** Path, tool, arguments, what the specification has in the answer, and how much of the full form the compact one may have. */
const USUAL = [
    ['/swaps', 'list_swaps', {}, ['.swaps[].swap_id', '.swaps[].status', '.swaps[].tx_hash', '.swaps[].from_token', '.swaps[].to_token', '.pagination.total', '.pagination.limit', '.pagination.offset', '.pagination.has_more'], 0.5],
    [`/swap/status/${ids[0]}`, 'get_swap_status', { swapId: ids[0] }, ['.status', '.tx_hash', '.swap_id'], 0.5],
    ['/portfolio', 'get_portfolio', {}, ['.total_usd', '.balances[].symbol', '.balances[].chain', '.balances[].balance'], 0.5],
    ['/predict/markets', 'search_prediction_markets', {}, ['id', 'question', 'category', 'endDate', 'volume', 'liquidity', 'outcomes[].name', 'outcomes[].price', 'outcomes[].tokenId'].map((name) => `.markets[].${name}`), 0.6],
    ['/predict/events', 'list_prediction_events', {}, ['.events[].id', '.events[].markets[].id'], 0.6],
    ['/lend/markets', 'get_lending_markets', {}, ['.markets[].id', '.markets[].supplyApy', '.markets[].borrowApy'], 0.6],
    ['/perps/markets', 'get_perps_markets', {}, ['.markets[].name', '.markets[].markPrice', '.markets[].szDecimals'], 0.6],
    ['/tokens?chain=base', 'get_tokens', { chain: 'base' }, ['.tokens[].symbol', '.tokens[].address'], 0.65],
    ['/me', 'get_me', {}, ['id', 'name', 'description', 'rate_limit_tier', 'stats.total_requests', 'stats.total_swaps', 'created_at', 'last_active_at'].map((name) => `.agent.${name}`), 1],
    ['/wallets', 'list_wallets', {}, ['.wallets[].address', '.wallets[].chain_type', '.wallets[].supported_chains'], 1],
];

const VOLATILE = /"(total_requests|last_active_at|usd_value|total_usd|usd|markPrice|change_24h|priceChange24h|volume24h|balance)":("[^"]*"|[-\d.e]+|null)/g;
const still = (text) => text.replace(VOLATILE, '"$1":0');

test('usual answers have half of their bytes, what the specification names, and nothing else than the full form', async () => {
    const sizes = [];
    for (const [path, tool, args, named, share] of USUAL) {
        const full = await agent.get(path);
        const part = await minimal('GET', path);
        assert.deepEqual([full.status, part.status, part.headers['preference-applied'], full.headers['preference-applied']], [200, 200, 'return=minimal', undefined], path);
        assertPart(JSON.parse(still(part.text)), JSON.parse(still(full.text)), path);
        const members = membersOf(part.body);
        for (const name of named) assert.ok(members.includes(name), `${name} of ${path}`);
        sizes.push([path, full.text.length, part.text.length]);
        assert.ok(part.text.length <= full.text.length * share, `${path}: ${part.text.length} of ${full.text.length}`);
        const { content, structuredContent } = result(await ask('tools/call', { name: tool, arguments: args }, { key: agent.key }));
        assert.equal(content.length, 1, tool);
        assert.deepEqual(structuredContent, JSON.parse(content[0].text));
        assert.equal(still(content[0].text), still(part.text), tool);
    }
    for (const [path, full, part] of sizes) console.error(`${path.padEnd(24)} ${String(full).padStart(6)} bytes, compact ${String(part).padStart(6)}, ${Math.round(100 * part / full)} %`);
});

test('a page of 20 swaps has 5 kB', async () => {
    const { text, body } = await minimal('GET', '/swaps');
    assert.equal(body.swaps.length, 20);
    assert.ok(text.length <= 5000, `${text.length} bytes`);
    assert.deepEqual(Object.keys(body.swaps[0]), ['swap_id', 'status', 'tx_hash', 'from_token', 'to_token', 'chain', 'to_chain', 'from_amount', 'to_amount']);
});

test('a quote has its trade without the routes that were not chosen', async () => {
    const full = granted(await agent.post('/quote', TERMS));
    const part = await minimal('POST', '/quote', TERMS);
    assert.ok(part.text.length <= JSON.stringify(full).length / 2, `${part.text.length} of ${JSON.stringify(full).length}`);
    for (const name of ['quote_id', 'amount_in', 'amount_out', 'amount_out_min', 'exchange_rate', 'expires_in_seconds', 'price_impact', 'warnings']) assert.ok(name in part.body, name);
    for (const side of ['from_token', 'to_token']) assert.deepEqual(Object.keys(part.body[side]), ['symbol', 'chain', 'address']);
    assert.ok('routes' in full && !('routes' in part.body));
    const over = await used('get_quote', TERMS, agent.key);
    assert.deepEqual(Object.keys(over), Object.keys(part.body));
    granted(await agent.post('/swap/execute', { quote_id: over.quote_id }));
});

test('an unsigned transaction keeps what the specification names', async () => {
    const part = await minimal('POST', '/swap', { ...TERMS, wallet_address: address });
    assert.equal(part.status, 200, part.text);
    for (const name of ['to', 'data', 'value', 'gas_estimate', 'chain_id']) assert.ok(name in part.body.transaction, name);
    for (const name of ['from_token', 'to_token', 'amount_in', 'expected_out', 'min_out']) assert.ok(name in part.body.meta, name);
    assert.ok(!('swap' in part.body));
});

test('the form is chosen by a preference or in the query string, for any method', async () => {
    const keys = async (path, headers) => {
        const { status, body, headers: had } = await send('GET', `${API}${path}`, { key: agent.key, headers });
        assert.equal(status, 200, path);
        return [('id' in body.swaps[0]) ? 'full' : 'compact', had['preference-applied']];
    };
    for (const [headers, ...expected] of [
        [{}, 'full', undefined], [{ prefer: 'return=minimal' }, 'compact', 'return=minimal'], [{ prefer: 'respond-async, Return = Minimal; x=1' }, 'compact', 'return=minimal'],
        [{ prefer: 'return="minimal"' }, 'compact', 'return=minimal'], [{ prefer: 'return=representation' }, 'full', undefined], [{ prefer: 'return=representation, return=minimal' }, 'full', undefined],
        [{ prefer: 'x-return=minimal' }, 'full', undefined], [{ prefer: '' }, 'full', undefined],
    ]) assert.deepEqual(await keys('/swaps', headers), expected, headers.prefer);
    assert.deepEqual(await keys('/swaps?compact=true', {}), ['compact', undefined]);
    assert.deepEqual(await keys('/swaps?compact=false', MINIMAL), ['full', undefined]);
    assert.deepEqual(await keys('/swaps?compact=true&limit=1', MINIMAL), ['compact', 'return=minimal']);
    for (const wrong of ['1', '', 'TRUE', 'yes']) assert.equal(refused(await agent.get(`/swaps?compact=${wrong}`), 'Validation failed').fields.compact, 'must be true or false', wrong);
    const quote = granted(await agent.post('/quote?compact=true', TERMS));
    assert.ok(!('routes' in quote) && 'quote_id' in quote);
    refused(await agent.post('/quote?compact=true&amount=1', TERMS), "Unknown field 'amount'");
    const refusal = await minimal('POST', '/quote', { ...TERMS, chain: 'mars' });
    assert.deepEqual([refusal.status, refusal.body.error_code, refusal.headers['preference-applied']], [400, 'CHAIN_UNSUPPORTED', undefined]);
});

test('a record has the whole answer, for repeats in any form', async () => {
    const { quote_id } = await used('get_quote', TERMS, agent.key);
    const over = await used('execute_swap', { quote_id, idempotency_key: 'compact-1' }, agent.key);
    assert.ok('swap_id' in over && !('tracking' in over));
    const rest = granted(await agent.send('POST', '/swap/execute', { json: { quote_id }, headers: { 'idempotency-key': 'compact-1' } }));
    assert.deepEqual([rest.swap_id, typeof rest.tracking.poll_url], [over.swap_id, 'string']);
    const again = await agent.send('POST', '/swap/execute', { json: { quote_id }, headers: { 'idempotency-key': 'compact-1', ...MINIMAL } });
    assert.deepEqual([again.body.swap_id, 'tracking' in again.body], [over.swap_id, false]);
    assert.deepEqual((await use('execute_swap', { quote_id, idempotency_key: 'compact-1', wait: 0 }, agent.key)).body, again.body);
});

test('plain English and A2A answer in the same form', async () => {
    const spoken = granted(await agent.send('POST', '/execute', { json: { command: 'quote 0.01 ETH to USDC on base' }, headers: MINIMAL }));
    assert.ok('quote_id' in spoken.result && !('routes' in spoken.result));
    assert.ok('routes' in granted(await agent.post('/execute', { command: 'quote 0.01 ETH to USDC on base' })).result);
    const over = await used('execute_command', { command: 'show my swaps' }, agent.key);
    assert.ok(over.result.swaps.length > 0 && !('id' in over.result.swaps[0]));
    const a2a = new A2A(agent);
    const data = (task) => task.artifacts.flatMap(({ parts }) => parts).find((part) => part.data !== undefined).data;
    const quoted = data(await a2a.call('get_quote', TERMS));
    assert.ok('quote_id' in quoted && !('routes' in quoted));
    const listed = data(await a2a.call('list_swaps', {}));
    assert.ok(!('id' in listed.swaps[0]) && 'swap_id' in listed.swaps[0]);
    const told = data(await a2a.send([{ text: 'quote 0.01 ETH to USDC on base' }]));
    assert.ok('quote_id' in told.result && !('routes' in told.result));
});

test('the description marks what the compact form leaves out', async () => {
    const { body: { components: { schemas } } } = await send('GET', `${API}/openapi`);
    const marked = (name, how) => Object.entries(schemas[name].properties).filter(([, each]) => each['x-compact'] === how).map(([member]) => member);
    const { body } = await minimal('GET', '/swaps');
    for (const member of marked('Swap', 'absent')) for (const swap of body.swaps) assert.ok(!(member in swap), member);
    for (const member of marked('Swap', 'sometimes')) for (const swap of body.swaps) assert.notEqual(swap[member], null, member);
    assert.ok(marked('Swap', 'absent').includes('id') && marked('Swap', 'sometimes').includes('error_code'));
    assert.ok(marked('Quote', 'absent').includes('routes'));
});
