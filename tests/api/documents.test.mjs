// Section: api, apache
// The documents made from the endpoint table: OpenAPI, llms.txt, the skill, the agent card, the MCP registry's entry, and what `/` says.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
    mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { OPERATORS } from './contract.mjs';
import {
    API, GATEWAY, ROOT, contract, granted, refused, register, send, stackSettings, until,
} from './lib.mjs';
import { needsNoKey } from './matrix.mjs';
import { use } from './mcp.mjs';

const DOCUMENTS = [`${API}/openapi`, `${API}/chains`, '/llms.txt', '/llms-full.txt', '/llms/perps.txt', '/llms/a2a.txt', '/skill.md', '/.well-known/mcp/server.json', '/.well-known/agent.json', '/.well-known/agent-card.json', '/'];
const { body: api } = await send('GET', `${API}/openapi`);
const operations = Object.entries(api.paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })));
const { text: llms } = await send('GET', '/llms.txt');
const SECTIONS = ['account', 'discovery', 'wallets', 'trade', 'predict', 'lend', 'perps', 'webhooks'];
const sections = Object.fromEntries(await Promise.all([...SECTIONS, 'a2a'].map(async (name) => [name, (await send('GET', `/llms/${name}.txt`)).text])));
const toolOf = ({ operationId }) => operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const { body: card } = await send('GET', '/.well-known/agent-card.json');

// ---------------------------------------------------------------- all of them

// A request that bears an id is the gateway's to answer; without one the web server may have a file.
for (const path of DOCUMENTS) {
    for (const [from, more] of [['', {}], [' by the gateway itself', { 'x-request-id': 'documents-1' }]]) {
        test(`${path} is public, cached, and not sent twice${from}`, async () => {
            const ask = (method, headers = {}) => send(method, path, { headers: { ...more, ...headers } });
            const answer = await ask('GET');
            assert.equal(answer.status, 200);
            assert.match(answer.headers['content-type'], path.startsWith('/llms') ? /^text\/plain; charset=utf-8$/ : path.endsWith('.md') ? /^text\/markdown; charset=utf-8$/ : /^application\/json$/);
            assert.equal(answer.headers['cache-control'], `public, max-age=${path.startsWith('/.well-known/agent') ? 3600 : 300}`);
            assert.deepEqual([answer.headers['access-control-allow-origin'], answer.headers['x-content-type-options']], ['*', 'nosniff']);
            assert.deepEqual(answer.headers.vary.split(/, */), ['Accept-Encoding', ...path.startsWith('/.well-known/agent') ? ['A2A-Version'] : [], ...path === '/' ? ['Accept'] : []]);
            if (more['x-request-id']) assert.equal(answer.headers['x-request-id'], more['x-request-id']);
            const { etag } = answer.headers;
            assert.match(etag, /^W\/"[0-9a-f]{16}"$/);
            assert.equal(etag, (await send('GET', path)).headers.etag, 'of every worker');
            for (const tags of [etag, etag.slice('W/'.length), `"other", ${etag}`, '*']) {
                const again = await ask('GET', { 'if-none-match': tags });
                assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', etag], tags);
                assert.equal(again.headers['cache-control'], answer.headers['cache-control']);
            }
            assert.equal((await ask('GET', { 'if-none-match': '"0123456789abcdef"' })).text, answer.text);
            const head = await ask('HEAD');
            assert.deepEqual([head.status, head.headers.etag, head.headers['content-length'], head.text], [200, etag, String(Buffer.byteLength(answer.text)), '']);
        });

        test(`${path} is compressed for those who take that${from}`, async () => {
            const ask = (method, encodings) => fetch(GATEWAY + path, { method, headers: { ...more, 'accept-encoding': encodings } });
            const headersOf = ({ headers }) => ['content-type', 'content-length', 'content-encoding', 'cache-control', 'etag', 'vary'].map((name) => headers.get(name));
            const plain = await ask('GET', 'identity');
            const text = await plain.text();
            for (const encodings of ['gzip', 'gzip, deflate, br', 'br,GZIP', 'deflate;q=0.5, gzip;q=0.8', '*']) {
                const answer = await ask('GET', encodings);
                const [type, length, encoding, ...others] = headersOf(answer);
                assert.deepEqual([answer.status, encoding, type, ...others], [200, 'gzip', headersOf(plain)[0], ...headersOf(plain).slice(3)], encodings);
                assert.ok(Number(length) < text.length * 0.7, `${length} of ${text.length}`);
                assert.equal(await answer.text(), text, encodings);
                assert.deepEqual(headersOf(await ask('HEAD', encodings)), headersOf(answer), encodings);
            }
            for (const encodings of ['', 'br', 'gzip;q=0', 'gzip; q=0.0, *', 'identity']) {
                const answer = await ask('GET', encodings);
                assert.deepEqual([answer.status, headersOf(answer), await answer.text()], [200, headersOf(plain), text], encodings);
            }
            const again = await fetch(GATEWAY + path, { headers: { ...more, 'accept-encoding': 'gzip', 'if-none-match': plain.headers.get('etag') } });
            assert.deepEqual([again.status, again.headers.get('etag')], [304, plain.headers.get('etag')]);
        });
    }
}

for (const path of DOCUMENTS.filter((each) => each !== '/')) {
    test(`${path} is a file of the web server's, and the gateway's where there is none`, async () => {
        const { GATEWAY_RUN } = await stackSettings();
        const file = `${GATEWAY_RUN}/documents${path}`;
        const answer = await send('GET', path);
        assert.equal(answer.headers['x-request-id'], undefined, 'the gateway was not asked');
        assert.deepEqual([readFileSync(file, 'utf8'), readFileSync(`${file}.etag`, 'utf8')], [answer.text, answer.headers.etag]);
        assert.equal((await send('HEAD', path, { headers: { 'accept-encoding': 'gzip' } })).headers['x-request-id'], undefined);
        for (const [more, options] of [['?_a=b'], ['', { body: 'x' }]]) {
            const other = await send('GET', path + more, options);
            assert.deepEqual([other.status, other.text], [200, answer.text]);
            assert.notEqual(other.headers['x-request-id'], undefined, 'the gateway was asked');
        }
        refused(await send('GET', `${path}?%ff`), 'Validation failed');
        renameSync(`${file}.etag`, `${file}.away`);
        try {
            const own = await until('the gateway to answer', async () => {
                const other = await send('GET', path);
                return other.headers['x-request-id'] !== undefined && other;
            });
            assert.deepEqual([own.status, own.text], [200, answer.text]);
            assert.equal((await send('HEAD', path)).headers['content-length'], answer.headers['content-length']);
            writeFileSync(`${file}.etag`, 'W/"0123456789abcdef"');
            await until('another tag to be sent', async () => (await send('GET', path)).headers.etag === 'W/"0123456789abcdef"');
        } finally {
            renameSync(`${file}.away`, `${file}.etag`);
        }
        await until('the file to be used again', async () => {
            const { headers } = await send('GET', path);
            return headers['x-request-id'] === undefined && headers.etag === answer.headers.etag;
        });
    });
}

test('nothing else below the directory of the documents is read', async () => {
    for (const path of ['/llms.txt.new', '/llms.txt.gz', '/llms.txt.etag', '/llms', '/llms/', '/llms/perps', '/llms/perps.txt.gz', '/llms/banana.txt', '/skill.md.gz', '/.well-known/mcp', '/.well-known/mcp/', '/.well-known/mcp/server.json.etag', '/v1', '/.well-known/', '/.well-known/../counters', '/%2e%2e/gateway.sock', '/v1/agent/openapi/..%2f..%2f..%2fgateway.lock', '/v1/agent/chains.gz', '/documents/llms.txt']) {
        refused(await send('GET', path), 'Not found');
    }
});

test('/ leads to the documents', async () => {
    const { body, headers } = await send('GET', '/');
    assert.equal(headers.link, '</llms.txt>; rel="describedby"');
    for (const name of ['documentation', 'openapi', 'agent_card', 'skill', 'mcp_registry_entry']) {
        assert.equal((await send('GET', body[name].slice(GATEWAY.length))).status, 200, body[name]);
    }
    assert.deepEqual([body.api, body.mcp, body.a2a], [GATEWAY + API, `${GATEWAY}/mcp`, `${GATEWAY}/a2a`]);
});

// ---------------------------------------------------------------- OpenAPI

test('the description lints clean', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(api, null, 2));
    const report = await new Promise((resolve) => {
        execFile(process.execPath, [`${ROOT}tests/node_modules/@redocly/cli/bin/cli.js`, 'lint', '--extends=recommended', '--format=json', file], {
            cwd: folder, maxBuffer: 1 << 24, env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        }, (_, stdout) => resolve(stdout));
    });
    rmSync(folder, { recursive: true });
    const { totals, problems } = JSON.parse(report.slice(report.indexOf('{'), report.lastIndexOf('}') + 1));
    assert.deepEqual([totals.errors, totals.warnings, totals.ignored], [0, 0, 0], JSON.stringify(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0].pointer]), null, 1));
});

test('the schemas of both descriptions are JSON Schema', async () => {
    for (const prefix of [API, OPERATORS]) {
        const described = await contract(`${prefix}/openapi`);
        assert.ok(Object.keys(described.schemas).length > 10);
        described.checkSchemas();
    }
});

test('every operation says what it is for, how it is called and how it ends', () => {
    assert.match(api.openapi, /^3\.1\./);
    assert.deepEqual(api.servers, [{ url: GATEWAY + API }]);
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, ids.length);
    const tags = new Set(api.tags.map(({ name }) => name));
    for (const { path, method, operation } of operations) {
        const what = `${method} ${path}`;
        assert.match(operation.operationId, /^[a-z]+([A-Z][a-z]+)*$/, what);
        assert.ok(operation.summary.length <= 60 && operation.description.length > 40, what);
        assert.ok(operation.tags.length === 1 && tags.has(operation.tags[0]), what);
        assert.equal(operation.security?.length !== 0, operation.responses[401] !== undefined, what);
        for (const status of [400, 429, 500]) assert.ok(operation.responses[status], `${what} ${status}`);
        for (const parameter of operation.parameters ?? []) assert.ok(parameter.description && parameter.schema.type, `${what} ${parameter.name}`);
    }
    for (const tag of tags) assert.ok(operations.some(({ operation }) => operation.tags[0] === tag), `nothing is tagged ${tag}`);
    assert.deepEqual(operations.filter(({ operation }) => needsNoKey(operation)).map(({ path }) => path).sort(), ['/chains', '/lend/market/{id}', '/lend/markets', '/openapi', '/perps/market/{name}', '/perps/markets', '/register', '/tools']);
});

test('parameters are described as they are judged', () => {
    const byName = (list) => Object.fromEntries(list.map((each) => [each.name, each.schema]));
    const swaps = byName(api.paths['/swaps'].get.parameters);
    assert.deepEqual([swaps.limit.minimum, swaps.limit.maximum, swaps.limit.default, swaps.offset.default], [1, 100, 20, 0]);
    assert.deepEqual(swaps.status.enum, ['submitted', 'pending', 'completed', 'failed']);
    const quote = api.components.schemas.GetQuoteRequest;
    assert.deepEqual(quote.required, ['from_token', 'to_token', 'amount']);
    assert.deepEqual([quote.properties.slippage.minimum, quote.properties.slippage.maximum, quote.properties.slippage.default], [0, 1, 0.03]);
    const change = api.components.schemas.UpdateMeRequest;
    assert.deepEqual([change.properties.description.maxLength, change.properties.callback_url.type], [500, ['string', 'null']]);
    assert.deepEqual(api.paths['/swap/status/{swapId}'].get.parameters.map(({ name, in: place, required }) => [name, place, required]), [['swapId', 'path', true], ['wait', 'query', false]]);
});

/** The literal messages of a status. */
async function messages(path, method, status) {
    const response = (await contract()).response(api.paths[path][method], status);
    return Object.values(response.content['application/json'].examples).map(({ value }) => value.error);
}

test('the specification\'s messages are in it', async () => {
    for (const [path, method, status, ...expected] of [
        ['/quote', 'post', 400, 'from_token is required', "Unknown token '<name>' on chain '<chain>'", "Unknown chain '<name>'", 'Amount must be a positive number', 'Slippage must be between 0 and 1', 'Cross-chain route not available'],
        ['/quote', 'post', 401, 'Invalid or missing API key'],
        ['/swap', 'post', 400, 'wallet_address is required', 'Provide quote_id or (from_token, to_token, amount)', 'Quote has expired', 'Invalid quote_id', 'Insufficient liquidity for this trade'],
        ['/swap/execute', 'post', 400, 'quote_id is required', 'Quote expired'],
        ['/swap/execute', 'post', 401, 'Unauthorized'],
        ['/swap/execute', 'post', 404, 'Quote not found', 'No managed wallet found'],
        ['/swap/execute', 'post', 500, 'Swap execution failed'],
        ['/swap/status/{swapId}', 'get', 404, 'Swap not found'],
        ['/swaps', 'get', 400, 'Invalid status filter', 'limit must be between 1 and 100'],
        ['/wallets', 'post', 500, 'Wallet creation failed'],
        ['/me', 'patch', 400, 'At least one field must be provided', 'Validation failed'],
        ['/webhooks', 'get', 429, 'Rate limit exceeded'],
    ]) {
        const found = await messages(path, method, status);
        for (const message of expected) assert.ok(found.includes(message), `${message} on ${method} ${path}: ${found}`);
    }
});

test('examples are valid', async () => {
    const rules = await contract();
    let checked = 0;
    const check = (schema, value, what) => {
        rules.validate(schema, value, what);
        checked++;
    };
    for (const { path, method, operation } of operations) {
        const body = operation.requestBody?.content['application/json'];
        if (body !== undefined) check(body.schema, body.example, `the body of ${method} ${path}`);
        for (const { name, schema, example } of operation.parameters ?? []) if (example !== undefined) check(schema, example, `${name} of ${method} ${path}`);
        for (const status of Object.keys(operation.responses)) {
            const content = rules.response(operation, status).content?.['application/json'];
            if (content?.example !== undefined) check(content.schema, content.example, `${method} ${path} ${status}`);
            for (const [name, { value }] of Object.entries(content?.examples ?? {})) check(content.schema, value, `${method} ${path} ${status} ${name}`);
        }
    }
    for (const [name, { post }] of Object.entries(api.webhooks)) check(post.requestBody.content['application/json'].schema, post.requestBody.content['application/json'].example, name);
    for (const [name, { properties = {} }] of Object.entries(api.components.schemas)) {
        for (const [member, schema] of Object.entries(properties)) for (const example of schema.examples ?? []) check(schema, example, `${name}.${member}`);
    }
    assert.ok(checked > 100, `${checked} examples`);
});

test('events are described with their signature', () => {
    assert.deepEqual(Object.keys(api.webhooks), ['swap.completed', 'swap.failed', 'transfer.completed', 'transfer.failed', 'key.rotated', 'callback.changed', 'agent.deactivated', 'agent.reactivated', 'agent.deleted', 'predict.transfer.completed', 'predict.transfer.failed', 'order.filled',
        'order.partially_filled', 'order.cancelled', 'order.rejected', 'lend.health.low', 'lend.liquidated', 'lend.completed', 'lend.failed', 'perps.order.filled', 'perps.order.partially_filled', 'perps.order.cancelled', 'perps.order.rejected', 'perps.position.liquidated',
        'perps.transfer.completed', 'perps.transfer.failed', 'policy.added', 'policy.ending', 'approval.granted', 'approval.denied', 'approval.lapsed', 'withdrawal_address.added', 'withdrawal_address.removed', 'withdrawal.completed', 'withdrawal.failed', 'webhook_secret.renewed']);
    for (const { post } of Object.values(api.webhooks)) {
        assert.deepEqual(post.parameters.map(({ name }) => name), ['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    }
});

test('a call made from the description alone', async () => {
    const agent = await register();
    const operation = api.paths['/me'].patch;
    granted(await agent.patch('/me', operation.requestBody.content['application/json'].example));
    granted(await agent.post('/quote', api.paths['/quote'].post.requestBody.content['application/json'].example));
});

// ---------------------------------------------------------------- the contract itself

test('answers that are not as described are found', async () => {
    const rules = await contract();
    const good = await (await register()).get('/me');
    const refusal = await send('GET', `${API}/me`);
    const changed = (answer, change) => ({ ...answer, body: { ...answer.body, ...change } });
    rules.check('GET', `${API}/me`, good);
    rules.check('GET', `${API}/me`, refusal);
    for (const [what, answer] of [
        ['another status', { ...good, status: 418 }],
        ['a member too many', changed(good, { extra: 1 })],
        ['a member too many further down', changed(good, { agent: { ...good.body.agent, extra: 1 } })],
        ['a member missing', changed(good, { agent: { ...good.body.agent, id: undefined } })],
        ['another type', changed(good, { agent: { ...good.body.agent, name: 1 } })],
        ['another message', changed(refusal, { error: 'Unauthorized' })],
        ['another code', changed(refusal, { error_code: 'NOT_FOUND' })],
        ['success on failure', changed(refusal, { success: true })],
    ]) {
        const plain = { ...answer, body: JSON.parse(JSON.stringify(answer.body)) };
        assert.throws(() => rules.check('GET', `${API}/me`, plain), assert.AssertionError, what);
    }
});

// ---------------------------------------------------------------- llms.txt

test('llms.txt has a title, a summary, every tool and links that work', async () => {
    const lines = llms.split('\n');
    assert.match(lines[0], /^# \S/);
    assert.ok(lines.find((line) => line !== '' && !line.startsWith('#')).startsWith('> '));
    assert.deepEqual(llms.match(/^## .*/gm).slice(-1), ['## Optional']);
    const links = [...llms.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, url]) => new URL(url));
    assert.equal(links.length, llms.match(/^- \[/gm).length);
    for (const { href, origin, pathname, search } of links) {
        assert.equal(origin, GATEWAY, href);
        assert.equal((await send('GET', pathname + search)).status, 200, href);
    }
    assert.deepEqual(links.map(({ pathname }) => pathname).filter((path) => path.startsWith('/llms/')), SECTIONS.map((name) => `/llms/${name}.txt`));
    assert.ok(llms.includes(`(${GATEWAY}/llms/a2a.txt)`));
    for (const { operation } of operations) assert.match(llms, new RegExp(`\\b${toolOf(operation)}\\b`), operation.operationId);
});

/** The lines of a call in a section, but for its first. */
function callIn(text, method, path) {
    const begin = text.indexOf(`**${method.toUpperCase()} ${path}** `);
    const rest = text.slice(begin).split('\n');
    return begin < 0 ? undefined : { first: rest[0], lines: rest.slice(1, rest.findIndex((line, i) => i > 0 && !/^(- |\u2192)/.test(line))) };
}

/** Names of parameters that a call has, and of those it requires. */
function parametersOf(operation) {
    const body = api.components.schemas[operation.requestBody?.content['application/json'].schema.$ref.split('/').pop()];
    const others = (operation.parameters ?? []).filter(({ in: place }) => place !== 'header');
    return [
        [...Object.keys(body?.properties ?? {}), ...others.map(({ name }) => name)],
        [...body?.required ?? [], ...others.filter(({ required }) => required).map(({ name }) => name)],
    ];
}

function assertCall(text, { method, path, operation }, answers) {
    const call = callIn(text, method, path);
    assert.ok(call, `${method} ${path}`);
    assert.ok(call.first.startsWith(`**${method.toUpperCase()} ${path}** ${toolOf(operation)}${needsNoKey(operation) && operation.security?.length === 0 ? ', no key' : ''}`), call.first);
    const named = call.lines.filter((line) => line.startsWith('- ')).map((line) => /^- ([\w.]+)(\*?)/.exec(line).slice(1)).filter(([name]) => !name.startsWith('params.'));
    const [all, required] = parametersOf(operation);
    assert.deepEqual(named.map(([name]) => name).sort(), [...new Set(all)].sort(), call.first);
    assert.deepEqual(named.filter(([, star]) => star).map(([name]) => name).sort(), required.sort(), call.first);
    if (answers) assert.equal(call.lines.at(-1).startsWith('\u2192 '), operation.responses[204] === undefined, call.first);
}

test('each call is in the section of its toolset, with every parameter and the members of its answer', () => {
    for (const each of operations) {
        const holders = SECTIONS.filter((name) => callIn(sections[name], each.method, each.path) !== undefined);
        assert.equal(holders.length, 1, `${each.path} is in ${holders}`);
        assert.match(llms, new RegExp(`^- \\[${holders[0]}\\].*\\b${toolOf(each.operation)}\\b`, 'm'));
        assertCall(sections[holders[0]], each, true);
    }
    for (const name of ['amount_out', 'quote_id', 'from_token{symbol']) assert.ok(callIn(sections.trade, 'post', '/quote').lines.at(-1).includes(name), name);
});

test('llms.txt has the calls of the main jobs with every parameter', () => {
    const known = new Set(llms.match(/^\*\*.*?\*\*/gm));
    for (const each of ['POST /register', 'POST /wallets', 'POST /quote', 'POST /swap/execute', 'GET /swap/status/{swapId}', 'GET /portfolio', 'POST /withdrawal-addresses', 'POST /wallets/withdraw', 'GET /withdrawals/{id}']) assert.ok(known.has(`**${each}**`), each);
    for (const heading of known) {
        const [method, path] = heading.replaceAll('*', '').split(' ');
        assertCall(llms, operations.find((each) => each.path === path && each.method === method.toLowerCase()), false);
    }
});

// ---------------------------------------------------------------- parts of the description

/** Components that a value refers to. */
const refsIn = (value) => [...JSON.stringify(value).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)].map(([, kind, name]) => [kind, name]);

/** Fails unless the document is a part of the whole, with all that its operations refer to and nothing else. */
function assertPart(document, chosen) {
    const { paths, components, ...rest } = document, { paths: allPaths, components: all, webhooks: _, ...other } = api;
    assert.deepEqual(rest, other);
    const found = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
    assert.deepEqual(found.sort(), chosen.map(({ path, method }) => `${method} ${path}`).sort());
    for (const { path, method } of chosen) assert.deepEqual(paths[path][method], allPaths[path][method]);
    const wanted = new Set(), queue = [paths];
    while (queue.length > 0) {
        for (const [kind, name] of refsIn(queue.pop())) {
            if (wanted.has(`${kind}/${name}`)) continue;
            wanted.add(`${kind}/${name}`);
            if (kind === 'schemas') assert.deepEqual(components[kind][name], all[kind][name], `${kind}/${name}`);
            else assert.equal(components[kind][name].description, all[kind][name].description, name);
            queue.push(components[kind][name]);
        }
    }
    const has = ['schemas', 'responses'].flatMap((kind) => Object.keys(components[kind]).map((name) => `${kind}/${name}`));
    assert.deepEqual(has.sort(), [...wanted].sort());
}

test('a part of the description has the operations that are asked for, and what they refer to', async () => {
    const part = async (query) => {
        const { status, body } = await send('GET', `${API}/openapi?${query}`);
        assert.equal(status, 200, query);
        return body;
    };
    for (const each of operations) assertPart(await part(`operation=${each.operation.operationId}`), [each]);
    for (const tag of new Set(operations.map(({ operation }) => operation.tags[0]))) {
        const chosen = operations.filter(({ operation }) => operation.tags[0] === tag);
        for (const name of [encodeURIComponent(tag), tag.toLowerCase().replaceAll(' ', '_')]) assertPart(await part(`tags=${name}`), chosen);
    }
    const of = (...names) => operations.filter(({ operation }) => names.includes(operation.operationId));
    assertPart(await part('operation=get_quote,%20executeSwap'), of('getQuote', 'executeSwap'));
    assertPart(await part('operation=get_quote&tags=Commands'), of('getQuote', 'executeCommand'));
});

test('a part that is not there is refused', async () => {
    for (const [query, field] of [
        ['operation=banana', 'operation'], ['operation=get_quote,banana', 'operation'], ['operation=getOpenapi2', 'operation'], ['tags=Perps', 'tags'], ['tags=Service', 'tags'],
        [`operation=${'x'.repeat(999)}`, 'operation'], ['tags=,banana', 'tags'], ['tags=,', 'tags'], ['operation=%20,%20', 'operation'], ['tag=Swaps', 'tag'],
    ]) {
        const { fields } = refused(await send('GET', `${API}/openapi?${query}`), ...(field === 'tag' ? ["Unknown field 'tag'"] : ['Validation failed']));
        assert.ok(fields[field], query);
    }
});

test('as a tool the description comes in parts that a model has room for', async () => {
    const { api_key: key } = granted(await send('POST', `${API}/register`, { json: { name: 'parts' } })).agent;
    const over = (args) => use('get_openapi', args, key);
    assert.deepEqual([(await over({})).body.error, (await over({ tags: '' })).body.error], ['operation or tags is required', 'operation or tags is required']);
    for (const { tool } of operations.map(({ operation }) => ({ tool: operation.operationId }))) {
        const { isError, body } = await over({ operation: tool });
        assert.equal(isError, false, tool);
        assert.ok(JSON.stringify(body).length <= 80 * 1024, `${tool}: ${JSON.stringify(body).length}`);
    }
    assert.equal((await over({ tags: 'Swaps' })).isError, false);
    assert.equal((await over({ tags: 'Perpetuals,Lending' })).body.error, 'The answer is too large for a tool');
    assert.ok((await send('GET', `${API}/openapi?tags=Perpetuals,Lending`)).text.length > 80 * 1024);
});

test('llms-full.txt is llms.txt and every call with all that it takes, gives and refuses', async () => {
    const { text } = await send('GET', '/llms-full.txt');
    assert.ok(text.startsWith(llms));
    const parts = text.split(/^(?=### )/m);
    for (const { path, method, operation } of operations) {
        const heading = `### ${method.toUpperCase()} ${API}${path}\n`;
        const part = parts.find((each) => each.startsWith(heading));
        assert.ok(part, heading);
        const body = api.components.schemas[operation.requestBody?.content['application/json'].schema.$ref.split('/').pop()];
        for (const name of [...Object.keys(body?.properties ?? {}), ...(operation.parameters ?? []).map((each) => each.name)]) assert.ok(part.includes(`\n- \`${name}\` (`), `${name} in ${heading}`);
        const example = /```json\n(.*)\n```/.exec(part);
        const [status] = Object.keys(operation.responses);
        assert.equal(example !== null, operation.responses[status].content !== undefined, heading);
        if (example !== null) (await contract()).validate(operation.responses[status].content['application/json'].schema, JSON.parse(example[1]), heading);
    }
});

test('llms.txt says what an agent has to know before it trades', () => {
    for (const said of [
        'Idempotency-Key', 'idempotency_key', 'max_price_impact', 'approval_id', 'Traded are ethereum, polygon, base, solana;', '`ethereum` where none is named', 'stack fund ADDRESS', '"method":"tools/call"',
    ]) assert.ok(llms.includes(said), said);
    for (const [section, ...all] of [
        ['account', 'QUOTA_EXCEEDED', '100 wallets'], ['webhooks', 'webhook-signature', 'swap.completed', 'lend.liquidated'], ['predict', '/predict/deposit', 'tokenId'],
        ['a2a', '"method":"SendMessage"', 'TASK_STATE_INPUT_REQUIRED', '"taskId":"<TASK_ID>"', '`submitted`', '`working`', '`input-required`', '`completed`', '`failed`', '`rejected`', '`canceled`'],
    ]) for (const said of all) assert.ok(sections[section].includes(said), said);
    for (const [block] of (llms + sections.a2a).matchAll(/(?<=```json\n)[^`]+(?=```)/g)) {
        for (const message of block.trim().split(/\n(?=\{)/)) assert.equal(JSON.parse(message).jsonrpc, '2.0');
    }
});

test('the question and the answer in the text about A2A are what happens', async () => {
    const [ask, asked, reply] = sections.a2a.match(/(?<=```json\n)[^`]+(?=```)/)[0].trim().split(/\n(?=\{)/).map((each) => JSON.parse(each));
    const { key } = await register();
    const first = (await send('POST', '/a2a', { key, json: ask })).body.result.task;
    assert.deepEqual([first.status.state, first.status.message.parts[0].text], [asked.result.task.status.state, asked.result.task.status.message.parts[0].text]);
    reply.params.message.taskId = first.id;
    assert.equal((await send('POST', '/a2a', { key, json: reply })).body.result.task.status.state, 'TASK_STATE_COMPLETED');
    const call = JSON.parse(/\{"jsonrpc"[^\n]*"tools\/call"[^\n]*/.exec(llms)[0]);
    const { result } = (await send('POST', '/mcp', { key, json: call })).body;
    assert.equal(result.isError, false);
    assert.equal(typeof result.structuredContent.prices.ETH.usd, 'number');
});

test('llms-full.txt has the members of a policy and every wording of a fault', async () => {
    const { text } = await send('GET', '/llms-full.txt');
    const policy = text.slice(text.indexOf(`### POST ${API}/wallet/policy\n`));
    for (const name of ['maxAmountUsd', 'maxAmountWei', 'maxAmount', 'token', 'timeWindowSeconds', 'allowedAddresses', 'allowedChains', 'allowedTokens', 'allowedVenues', 'maxSlippage', 'maxGasWei', 'maxGasUsd', 'minHealthFactor', 'maxLeverage', 'venue']) {
        assert.ok(policy.includes(`\n- \`params.${name}\` (`), name);
    }
    for (const said of [
        'must be a string', 'must have at most N characters', 'must be one of', 'must be a number between 0 and 1', 'must be a whole number from N to M', 'must be true or false', 'must be an object',
        'must not have a number out of range', 'must be a JSON object', 'must be well-formed JSON', 'must not have a key twice', 'must not be nested deeper than 32', "Unknown field '<name>'",
        'from_token is required', 'Amount must be a positive number', 'Slippage must be between 0 and 1', 'limit must be between 1 and 100', 'offset must be 0 or more', 'Invalid status filter',
    ]) assert.ok(text.includes(`\`${said}`), said);
});

test('examples are those of the call', () => {
    const example = ({ responses: { 200: { content } } }) => content['application/json'].example ?? content['application/json'].schema;
    const status = (path) => JSON.stringify(example(api.paths[path].post));
    assert.match(status('/reactivate'), /reactivated/i);
    assert.ok(!/deactivated/i.test(status('/reactivate')), status('/reactivate'));
    for (const text of [llms, JSON.stringify(api)]) assert.ok(!/withdraw first/i.test(text));
});

test('llms.txt names the endpoint of MCP', () => {
    const section = llms.slice(llms.indexOf('## MCP'), llms.indexOf('\n## ', llms.indexOf('## MCP') + 1));
    assert.ok(section.includes(`POST ${GATEWAY}/mcp`) && section.includes('2026-07-28'));
});

test('the commands of llms.txt are those of the API', () => {
    const template = (url) => url.replace('$API', '').replace('<SWAP_ID>', '{swapId}').replace(/<(TRANSFER|ORDER|WITHDRAWAL)_ID>/, '{id}');
    const text = llms + sections.predict;
    assert.ok(text.includes(`API=${GATEWAY}${API} `));
    const called = [...text.matchAll(/^curl (?:-X (\w+) )?['"]?([^\s?'"]+)/gm)].map(([, method = 'GET', url]) => [method.toLowerCase(), template(url)]);
    assert.equal(called.length, 14);
    for (const [method, path] of called) assert.ok(api.paths[path]?.[method], `${method} ${path}`);
});

// ---------------------------------------------------------------- skill.md

const { text: skill } = await send('GET', '/skill.md');
/** Its numbered steps: { tool, method, path, args, others }. */
const steps = [...skill.matchAll(/^\d+\. (\w+) \((\w+) (\S+)\)(?: `(\{.*?\})`)?(.*)$/gm)].map(([, tool, method, path, args, rest]) => ({
    tool, method: method.toLowerCase(), path, others: /; also (.*)$/.exec(rest)?.[1].split(', '),
    args: JSON.parse((args ?? '{}').replace(/:(<\w+>)/g, ':0')),
}));

test('skill.md has the front matter of Agent Skills and a heading for each market', () => {
    const [, front, text] = /^---\n([^]*?)\n---\n\n([^]*)$/.exec(skill);
    const member = (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(front)?.[1];
    assert.match(member('name'), /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/);
    const description = JSON.parse(member('description'));
    assert.ok(description.length > 0 && description.length <= 1024 && /\bUse it when\b/.test(description), description);
    assert.deepEqual(front.match(/^ {2}version: "\S+"$/m)?.length, 1);
    assert.match(text, /^# \S/);
    for (const heading of ['Begin', 'Swap', 'Solana', 'Prediction markets', 'Lending', 'Perpetuals', 'Withdraw']) assert.ok(text.includes(`\n## ${heading}\n`), heading);
    // What this server cannot do is in neither.
    assert.equal(text.includes('\n## Bridge\n'), llms.includes('\n## Bridge\n'));
});

test('each step of skill.md is a call that exists, with arguments that it takes and all that it requires', () => {
    assert.equal(steps.length, skill.match(/^\d+\. /gm).length);
    const seen = new Set();
    for (const { tool, method, path, args, others } of steps) {
        const operation = api.paths[path]?.[method];
        assert.equal(operation && toolOf(operation), tool, `${method} ${path}`);
        const [all, required] = parametersOf(operation);
        for (const name of Object.keys(args)) assert.ok(all.includes(name), `${name} of ${tool}`);
        for (const name of required) assert.ok(name in args, `${name} of ${tool}`);
        const inPath = /\{(\w+)\}/.exec(path)?.[1];
        const rest = all.filter((name) => !(name in args) && name !== inPath);
        if (!seen.has(tool)) assert.deepEqual(others ?? [], rest, tool);
        seen.add(tool);
    }
});

test('arguments in skill.md are of the types that the calls have, and those that move money are marked', () => {
    const marked = new Set([...skill.matchAll(/^\d+\. (\w+) .*\*\*moves money\*\*/gm)].map(([, tool]) => tool));
    for (const { tool, method, path, args } of steps) {
        const operation = api.paths[path][method];
        const body = api.components.schemas[operation.requestBody?.content['application/json'].schema.$ref.split('/').pop()];
        for (const [name, value] of Object.entries(args)) {
            const type = body?.properties[name]?.type;
            if (type !== undefined) assert.ok([type].flat().includes(typeof value === 'number' && Number.isInteger(value) ? [type].flat().find((each) => /integer|number/.test(each)) : typeof value), `${name} of ${tool}: ${type}`);
        }
        assert.equal(marked.has(tool), /^(execute|supply|borrow|repay|withdraw|deposit|place|redeem|close)/.test(tool), tool);
    }
});

test('links in skill.md work, and its sentences are understood', async () => {
    for (const [url] of skill.matchAll(/http:\/\/\S+?(?=[\s;,]|\.?$|\.\s)/gm)) {
        if (url.endsWith(API) || url.endsWith('/mcp')) continue;
        assert.equal((await send('GET', url.slice(GATEWAY.length))).status, 200, url);
    }
    const said = [...skill.matchAll(/^In words: (.*)\.$/gm)].flatMap(([, list]) => JSON.parse(`[${list}]`));
    assert.ok(said.length >= 10, `${said.length}`);
    assert.ok(skill.includes(`${GATEWAY}/mcp`) && skill.includes(`${GATEWAY}/llms/perps.txt`));
});

test('a swap by the steps of skill.md alone completes', async () => {
    const agent = await register();
    await agent.wallet('base', '10');
    const known = {};
    for (const { tool, args } of steps.slice(steps.findIndex((each) => each.tool === 'get_quote')).slice(0, 2)) {
        const filled = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? value.replace(/^<(\w+)>$/, (_, word) => known[word]) : value]));
        const { isError, body } = await use(tool, filled, agent.key);
        assert.equal(isError, false, JSON.stringify(body));
        for (const [name, value] of Object.entries(body)) known[name.toUpperCase()] = value;
    }
    await until('the swap to complete', async () => (await use('get_swap_status', { swapId: known.SWAP_ID }, agent.key)).body.status === 'completed');
});

// ---------------------------------------------------------------- the MCP registry's entry

test('server.json has the form of the MCP registry, and its remote answers', async () => {
    const { body: entry } = await send('GET', '/.well-known/mcp/server.json');
    // The form and bounds of its schema, $schema below.
    assert.equal(entry.$schema, 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json');
    assert.match(entry.name, /^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
    assert.equal(entry.name.split('/')[0], new URL(GATEWAY).hostname.split('.').reverse().join('.'));
    for (const [name, most] of [['title', 100], ['description', 100], ['version', 255]]) assert.ok(entry[name].length >= 1 && entry[name].length <= most, name);
    assert.match(entry.version, /^\d+\.\d+\.\d+$/);
    assert.deepEqual(Object.keys(entry).sort(), ['$schema', 'description', 'name', 'remotes', 'title', 'version', 'websiteUrl']);
    assert.equal(entry.websiteUrl, GATEWAY);
    const [{ type, url, headers: [header, ...more] }, ...others] = entry.remotes;
    assert.deepEqual([type, url, more, others], ['streamable-http', `${GATEWAY}/mcp`, [], []]);
    assert.deepEqual([header.name, header.value, header.isRequired, header.isSecret], ['Authorization', 'Bearer {api_key}', true, true]);
    assert.deepEqual(Object.keys(header.variables), ['api_key']);
    assert.equal(header.variables.api_key.isSecret, true);
    const agent = await register();
    const { status, body } = await send('POST', new URL(url).pathname, {
        headers: { [header.name.toLowerCase()]: header.value.replace('{api_key}', agent.key) },
        json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_me', arguments: {} } },
    });
    assert.deepEqual([status, body.result.isError], [200, false]);
    const { body: begun } = await send('POST', '/mcp', { json: { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } } } });
    assert.equal(begun.result.serverInfo.version, entry.version);
});

// ---------------------------------------------------------------- the agent card

test('the agent card has what both versions want, and promises nothing that is not served', async () => {
    for (const name of ['name', 'description', 'version', 'capabilities', 'defaultInputModes', 'defaultOutputModes', 'skills']) assert.ok(card[name] !== undefined, name);
    assert.deepEqual(card.securitySchemes, { apiKey: { type: 'http', scheme: 'bearer' } });
    assert.deepEqual(card.security, [{ apiKey: [] }]);
    assert.equal((await send('GET', card.documentationUrl.slice(GATEWAY.length))).status, 200);
    assert.deepEqual((await send('GET', '/.well-known/agent.json')).text, (await send('GET', '/.well-known/agent-card.json')).text);
    for (const url of [card.url, ...(card.supportedInterfaces ?? []).map((each) => each.url)]) {
        if (url !== undefined) assert.notEqual((await send('POST', url.slice(GATEWAY.length), { json: {} })).status, 404, url);
    }
});

test('skills are made of tools that are there', () => {
    const tools = new Set(operations.map(({ operation }) => operation.operationId.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)));
    const ids = card.skills.map(({ id }) => id);
    for (const id of ['swap-quote', 'swap-execute', 'swap-build', 'swap-status', 'wallets', 'tokens-and-chains']) assert.ok(ids.includes(id), id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { id, name, description, tags, examples } of card.skills) {
        assert.ok(name && tags.length > 0 && examples.length > 0, id);
        const named = [...description.matchAll(/\((\w+)\)/g)].map(([, tool]) => tool);
        assert.ok(named.length > 0, id);
        for (const tool of named) assert.ok(tools.has(tool), `${tool} of ${id}`);
    }
});
