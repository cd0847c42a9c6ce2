// Section: api
// Tools as hosts and their models use them: schemas in the part of JSON Schema that all of them take, values as text, members that are
// there and say nothing, and errors that name tools.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { A2A } from './a2a.mjs';
import { contract, register, send } from './lib.mjs';
import { ask, askModern, listed, post, result, use, used } from './mcp.mjs';

const tools = await listed();
const agent = await register();

/** Keywords that Gemini's function declarations, OpenAI's, Anthropic's and Cursor's have in common; adapters take the last one out. */
const KEYWORDS = ['type', 'format', 'description', 'nullable', 'enum', 'minItems', 'maxItems', 'properties', 'required', 'minLength', 'maxLength',
    'pattern', 'default', 'items', 'minimum', 'maximum', 'additionalProperties'];

function* schemasIn(schema, at) {
    yield [schema, at];
    for (const [name, inner] of Object.entries(schema.properties ?? {})) yield* schemasIn(inner, `${at}.${name}`);
    if (schema.items !== undefined) yield* schemasIn(schema.items, `${at}[]`);
}

test('inputs of tools use the keywords that every host takes', () => {
    let seen = 0;
    for (const { name, inputSchema } of tools) {
        for (const [schema, at] of schemasIn(inputSchema, name)) {
            assert.deepEqual(Object.keys(schema).filter((keyword) => !KEYWORDS.includes(keyword)), [], at);
            assert.equal(typeof schema.type, 'string', `${at} has one type`);
            assert.ok(schema.format === undefined || (schema.type === 'string' && schema.format === 'date-time'), `${at}: ${schema.format}`);
            assert.ok(schema.minLength === undefined || schema.enum === undefined, `${at} has a length and a choice`);
            for (const bound of [schema.minimum, schema.maximum]) assert.ok(bound === undefined || Number.isSafeInteger(bound), `${at}: ${bound}`);
            seen++;
        }
    }
    assert.ok(seen > 300, `${seen} schemas`);
});

/** Every schema in one, but for names of members. */
function* schemasBelow(schema) {
    yield schema;
    for (const map of [schema.properties, schema.$defs]) for (const inner of Object.values(map ?? {})) yield* schemasBelow(inner);
    for (const list of [schema.anyOf, schema.oneOf]) for (const inner of list ?? []) yield* schemasBelow(inner);
    for (const inner of [schema.items, schema.additionalProperties]) if (inner !== null && typeof inner === 'object') yield* schemasBelow(inner);
}

test('outputs of tools name members and types, without prose', () => {
    for (const { name, outputSchema } of tools) {
        for (const schema of schemasBelow(outputSchema)) {
            for (const keyword of ['description', 'examples', 'format', 'pattern']) assert.equal(schema[keyword], undefined, `${name}: ${JSON.stringify(schema).slice(0, 200)}`);
        }
    }
    assert.ok(JSON.stringify(tools).length < 180_000, `${JSON.stringify(tools).length} characters`);
});

test('integers of the description have a format, and bounds that a double holds', async () => {
    const { document } = await contract();
    let seen = 0;
    for (const text of JSON.stringify(document).matchAll(/"(?:minimum|maximum)":(-?\d+)/g)) assert.ok(Number.isSafeInteger(Number(text[1])), text[0]);
    const look = (value, at) => {
        if (value === null || typeof value !== 'object') return;
        if (value.type === 'integer' || (Array.isArray(value.type) && value.type.includes('integer'))) {
            assert.match(value.format ?? 'none', /^int(32|64)$/, at);
            seen++;
        }
        assert.ok(value.minLength === undefined || value.enum === undefined, `${at} has a length and a choice`);
        for (const [name, inner] of Object.entries(value)) look(inner, `${at}/${name}`);
    };
    look(document.paths, 'paths');
    look(document.components, 'components');
    assert.ok(seen > 100, `${seen} integers`);
});

test('a member that another one stands for is not required', async () => {
    const of = (name) => tools.find((tool) => tool.name === name).inputSchema;
    for (const name of ['withdraw', 'place_perps_order', 'place_prediction_order', 'deposit_perps', 'supply_lending', 'borrow_lending']) {
        assert.deepEqual(of(name).required ?? [], [], name);
        assert.match(JSON.stringify(of(name).properties), /Required without approval_id/, name);
    }
    assert.match(of('withdraw').properties.address_id.description, /Required without to;/);
    assert.deepEqual(of('withdraw_perps').required, ['amount']);
    assert.deepEqual(of('simulate_withdrawal').required, ['token', 'amount', 'chain']);
    assert.deepEqual(of('get_prices').required, ['symbols']);
});

// ---------------------------------------------------------------- toolsets

const SETS = ['account', 'discovery', 'wallets', 'trade', 'predict', 'lend', 'perps', 'webhooks'];
const namesOf = (list) => list.map(({ name }) => name);

test('a client lists the tools that it has room for, and may call all of them', async () => {
    const refusal = async (toolsets) => (await send('POST', `/mcp?toolsets=${toolsets}`, { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })).body.error.message;
    const each = [];
    for (const set of SETS) each.push(...await listed(set));
    assert.deepEqual(each.map(({ name }) => name).sort(), tools.map(({ name }) => name).sort(), 'each tool is in one set');
    const some = await listed('trade,perps');
    assert.deepEqual(some, tools.filter(({ name }) => some.some((tool) => tool.name === name)));
    for (const name of ['get_quote', 'execute_swap', 'execute_command', 'place_perps_order']) assert.ok(some.some((tool) => tool.name === name), name);
    assert.ok(!some.some(({ name }) => name === 'borrow_lending'));
    for (const wrong of ['banana', 'trade,banana', 'trade,,perps', 'TRADE', 'trade,', '', ',']) {
        assert.equal(await refusal(wrong), `toolsets must be names with commas, of all, core, ${SETS.join(', ')}`, wrong);
    }
    const called = await send('POST', '/mcp?toolsets=perps', { key: agent.key, json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_prices', arguments: { symbols: 'ETH' } } } });
    assert.equal(result(called).isError, false);
    assert.equal((await send('POST', '/mcp?toolset=perps', { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })).status, 400);
    assert.equal((await send('POST', '/a2a?toolsets=perps', { key: agent.key, json: { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'x' } } })).status, 400);
});

test('without a toolset a client lists the core, finds the rest, and calls it', async () => {
    const core = result(await ask('tools/list')).tools;
    assert.deepEqual(core, await listed('core'));
    assert.deepEqual(namesOf(await listed('core,lend')), namesOf(tools).filter((name) => namesOf(core).includes(name) || name.endsWith('_lending') || /_lending_/.test(name)));
    const more = (args, key) => used('more_tools', args, key).then((body) => body.tools);
    const rest = await more({});
    assert.deepEqual(namesOf(rest).sort(), namesOf(tools).filter((name) => !namesOf(core).includes(name)).sort());
    for (const { name, toolset, description, ...others } of rest) {
        assert.ok(SETS.includes(toolset), name);
        assert.equal(description, tools.find((tool) => tool.name === name).title);
        assert.deepEqual(others, {});
    }
    const perps = await more({ toolsets: 'perps' });
    assert.deepEqual(perps.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })), (await listed('perps')).map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
    const [chosen, ...others] = await more({ names: 'get_lending_markets' });
    assert.deepEqual([others, Object.keys(chosen.inputSchema.properties).includes('chainId')], [[], true]);
    assert.deepEqual(namesOf(await more({ names: 'list_chains, get_quote' })), ['get_chains', 'get_quote'], 'older names too');
    assert.ok(!namesOf(core).includes('get_lending_markets'));
    assert.ok((await used('get_lending_markets', { chainId: 1 })).markets.length > 0, 'what is not listed is called by its name');
    const wrong = (await use('more_tools', { names: 'get_quote,quote_perp' })).body;
    assert.deepEqual([wrong.error, wrong.hint], ['Unknown tool', 'Did you mean quote_perps?']);
    assert.match((await use('more_tools', { toolsets: 'banana' })).body.fields.toolsets, /must be names with commas, of all, core, /);
    const rest2 = await send('GET', '/v1/agent/tools?toolsets=perps');
    assert.deepEqual(namesOf(rest2.body.tools), namesOf(perps), 'and over REST');
});

test('the toolsets of a key are in its metadata', async () => {
    const chooser = await register();
    const list = async (path = '/mcp') => send('POST', path, { key: chooser.key, json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    const core = result(await ask('tools/list')).tools;
    assert.deepEqual(result(await list()).tools, core);
    await chooser.patch('/me', { metadata: { mcp_toolsets: 'trade,perps', mine: 1 } });
    assert.deepEqual(result(await list()).tools, await listed('trade,perps'));
    assert.deepEqual(result(await list('/mcp?toolsets=lend')).tools, await listed('lend'), 'the URL comes first');
    assert.deepEqual(result(await ask('tools/list', undefined, { key: agent.key })).tools, core, 'of another agent nothing changes');
    const modern = result(await askModern('tools/list', {}, { key: chooser.key }));
    assert.deepEqual([modern.tools.length, modern.cacheScope], [(await listed('trade,perps')).length, 'private']);
    await chooser.patch('/me', { metadata: { mcp_toolsets: 'banana' } });
    assert.match((await list()).body.error.message, /^mcp_toolsets of the agent's metadata must be names with commas, of all, core, /);
    for (const metadata of [{}, { mcp_toolsets: 7 }]) {
        await chooser.patch('/me', { metadata });
        assert.deepEqual(result(await list()).tools, core);
    }
});

// ---------------------------------------------------------------- names of calls

const CALL = /\b(GET|POST|PATCH|DELETE) \/(?!readyz)/;

test('descriptions of tools and of their arguments name tools, not paths', () => {
    for (const { name, description, inputSchema } of tools) {
        assert.doesNotMatch(description, CALL, name);
        for (const [schema, at] of schemasIn(inputSchema, name)) assert.doesNotMatch(schema.description ?? '', CALL, at);
    }
});

test('hints of MCP and A2A name tools, those of REST paths', async () => {
    const poor = await register();
    const order = { market: 'ETH', side: 'long', size: '0.1' };
    const [rest, mcp] = [(await poor.post('/perps/order', order)).body, (await use('place_perps_order', order, poor.key)).body];
    assert.match(rest.hint, /POST \/wallets/);
    assert.match(mcp.hint, /create_wallet/);
    assert.doesNotMatch(mcp.hint, CALL);
    const { data } = (await new A2A(poor).call('place_perps_order', order)).status.message.parts.find((part) => part.data !== undefined);
    assert.equal(data.hint, mcp.hint);
    const { body } = await use('register_agent', { name: 'by tool' });
    assert.match(body.message, /Next: create_wallet, then get_quote/);
});

test('an unknown tool, operation or path is answered with names like it', async () => {
    const unknown = async (name) => (await ask('tools/call', { name, arguments: {} }, { key: agent.key })).body.error.message;
    assert.equal(await unknown('get_qoute'), 'Unknown tool: did you mean get_quote?');
    assert.equal(await unknown('getQuote'), 'Unknown tool: did you mean get_quote?');
    assert.match(await unknown('portfolio'), /did you mean get_portfolio/);
    assert.equal(await unknown('banana'), 'Unknown tool: more_tools lists what tools/list leaves out');
    for (const [path, like] of [
        ['/v1/agent/quotes', 'POST /v1/agent/quote'], ['/openapi', 'GET /v1/agent/openapi'], ['/v1/agent/wallet', 'GET /v1/agent/wallets'],
        ['/v1/agent/swap/state/7', 'GET /v1/agent/swap/status/{swapId}'],
    ]) {
        const { status, body } = await send('GET', path);
        assert.deepEqual([status, body.hint], [404, `Did you mean ${like}?`], path);
    }
    for (const path of ['/v1/agent/banana', '/v1/agent', '/v1/operator/statu']) assert.equal((await send('GET', path)).body.hint, undefined, path);
});

test('a foreign Host is told which settings would allow it', async () => {
    const { status, body } = await post({ jsonrpc: '2.0', id: 1, method: 'ping' }, { headers: { host: 'gateway.example' } });
    assert.equal(status, 403);
    assert.match(body.error.message, /Host not allowed.*base_url or allowed_origins/);
});

// ---------------------------------------------------------------- what models send

/** A value of the schema that is refused by no form alone. */
function sample(schema) {
    switch (schema.type) {
        case 'integer': return schema.minimum > 1 ? schema.minimum : 1;
        case 'number': return 0.5;
        case 'boolean': return false;
        case 'array': return ['x'];
        default: return {};
    }
}

/** Names of the members that were refused, with the reason; where the operation refuses it as a whole, its code. */
async function faults(tool, args) {
    const { isError, body } = await use(tool, args, agent.key);
    return !isError ? 'taken' : body.fields ?? body.error_code;
}

/** These have no member that must be given, and change something that the others are called with. */
const CHANGING = ['update_me'];

for (const { name, inputSchema: { properties, required = [] } } of tools) {
    const typed = Object.entries(properties).filter(([, { type }]) => type !== 'string');
    if (typed.length === 0 || CHANGING.includes(name)) continue;
    test(`${name} takes lists, objects, numbers and flags as text`, async () => {
        for (const [member, schema] of typed) {
            const given = sample(schema);
            const [plain, text] = [await faults(name, { [member]: given }), await faults(name, { [member]: JSON.stringify(given) })];
            assert.deepEqual(text, plain, `${name} ${member}`);
            if (schema.type === 'integer') assert.deepEqual(await faults(name, { [member]: `${given}.0` }), plain, `${name} ${member}`);
            if (schema.type !== 'array') assert.notEqual(await faults(name, { [member]: 'neither' }), 'taken', `${name} ${member}: a word is none`);
        }
    });
    test(`${name} takes what says nothing as absent`, async () => {
        const nothing = await faults(name, {});
        for (const [member, { type }] of Object.entries(properties)) {
            if (required.includes(member) || member === 'idempotency_key') continue;
            assert.deepEqual(await faults(name, { [member]: '' }), nothing, `${name} ${member}: ""`);
            if (type === 'array') assert.deepEqual(await faults(name, { [member]: [] }), nothing, `${name} ${member}: []`);
        }
    });
}

test('values as text do what the values do', async () => {
    const { policy } = await used('create_wallet_policy', { type: 'spending_limit', params: '{"maxAmountUsd":"100","timeWindowSeconds":"86400"}' }, agent.key)
        .catch(async () => { await used('create_wallet', {}, agent.key); return used('create_wallet_policy', { type: 'spending_limit', params: '{"maxAmountUsd":"100","timeWindowSeconds":"86400"}' }, agent.key); });
    assert.equal(policy.params.timeWindowSeconds, 86400);
    const { agent: profile } = await used('update_me', { metadata: '{"a":{"b":[1]}}', callback_url: '' }, agent.key);
    assert.deepEqual(profile.metadata, { a: { b: [1] } });
    const quote = { from_token: 'ETH', to_token: 'USDC', amount: '0.01' };
    const { dex } = await used('get_quote', { ...quote, providers: '["uniswap"]', slippage: '0.05', exclude_providers: [], wallet_address: '' }, agent.key);
    assert.match(dex, /^Uniswap/);
    const swaps = await used('list_swaps', { limit: '5', offset: 0.0, status: '' }, agent.key);
    assert.equal(swaps.pagination.limit, 5);
});

test('arguments may be one text of an object', async () => {
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_prices', arguments: '{"symbols":"ETH"}' } }, { key: agent.key });
    assert.equal(result(answer).isError, false);
    for (const wrong of ['[1]', 'symbols=ETH', '{"symbols":"ETH","symbols":"BTC"}', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`]) {
        const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_prices', arguments: wrong } }, { key: agent.key });
        assert.match(body.error.message, /must be an object/, wrong);
    }
});

test('text that is nested too deep, or has a key twice, is no object', async () => {
    const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
    for (const metadata of [deep, '{"a":1,"a":2}', '[1]', '{"a":1e999}']) {
        assert.deepEqual(await faults('update_me', { metadata }), { metadata: 'must be an object' }, metadata);
    }
});
