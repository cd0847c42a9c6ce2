// Section: api
// Members that are mistyped are refused with what was meant, over REST, MCP and A2A (others: unknown-members.test.mjs).

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
    API, contract, granted, refused, register, registerUnlimited, send, show,
} from './lib.mjs';
import { A2A } from './a2a.mjs';
import { used, use } from './mcp.mjs';

const agent = await registerUnlimited();
const a2a = new A2A(agent);
const TRADE = { from_token: 'ETH', to_token: 'USDC', amount: '1' };

/** This refusal, whose hint and field name what was meant. */
function mistyped(answer, said, meant) {
    const { hint, fields } = refused(answer, `Unknown field '${said}'`, [said]);
    assert.equal(fields[said], `did you mean '${meant}'?`);
    assert.ok(hint.startsWith(`did you mean '${meant}'? Known here: `), hint);
}

/** A body as REST would have answered it. */
const asAnswer = (body) => ({ status: 400, body, headers: { 'content-type': 'application/json', 'x-request-id': body.request_id }, text: JSON.stringify(body) });

/** Every operation with its members, as the service describes itself. */
async function operations() {
    const { paths, components } = (await contract()).document;
    return Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).filter(([, { operationId }]) => operationId).map(([method, operation]) => {
        const schema = components.schemas[operation.requestBody?.content['application/json'].schema.$ref.split('/').pop()];
        const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query').map(({ name }) => name);
        return { method: method.toUpperCase(), path, members: schema ? Object.keys(schema.properties ?? {}) : query };
    })).filter(({ members }) => members.length > 0);
}

const call = ({ method, path }, args) => (method === 'GET'
    ? agent.get(`${path}?${new URLSearchParams(args)}`)
    : agent.send(method, path, { json: args }));

/** The first two letters that differ, swapped. */
function swapped(name) {
    const i = [...name].findIndex((letter, at) => at > 0 && letter !== name[at - 1] && letter !== '_' && name[at - 1] !== '_');
    return name.slice(0, i - 1) + name[i] + name[i - 1] + name.slice(i + 1);
}

describe('Mistyped members', { concurrency: 8 }, () => {
    for (const [said, meant, more = {}] of [
        ['chian', 'chain'], ['Chain', 'chain'], ['chan', 'chain'], ['chains', 'chain'], ['cain', 'chain'], ['chain_id', 'chain'],
        ['fromChain', 'from_chain'], ['from_chian', 'from_chain'], ['form_chain', 'from_chain'], ['to_chan', 'to_chain'],
        ['slipage', 'slippage'], ['Slippage', 'slippage'], ['slippages', 'slippage'], ['walletAddress', 'wallet_address'], ['wallet_adress', 'wallet_address'],
        ['chian', 'chain', { chain: null }],
    ]) {
        test(`POST /quote with ${said}${more.chain === null ? ' and chain null' : ''}`, async () => {
            mistyped(await agent.post('/quote', { ...TRADE, ...more, [said]: 'base' }), said, meant);
        });
    }

    test('a member that is required is named as what was meant, and as what is missing', async () => {
        const answer = await agent.post('/quote', { from_tokn: 'ETH', to_token: 'USDC', amuont: '1' });
        mistyped(answer, 'from_tokn', 'from_token');
        assert.deepEqual(Object.keys(answer.body.fields).sort(), ['amount', 'amuont', 'from_token', 'from_tokn']);
    });

    test('another spelling of a member that is required leaves it missing', async () => {
        for (const [path, json, error, said, meant] of [
            ['/quote', { fromToken: 'ETH', to_token: 'USDC', amount: '1' }, 'from_token is required', 'fromToken', 'from_token'],
            ['/swap/execute', { quoteId: 'q' }, 'quote_id is required', 'quoteId', 'quote_id'],
            ['/swap', { WalletAddress: 'x', ...TRADE }, 'wallet_address is required', 'WalletAddress', 'wallet_address'],
        ]) {
            const { hint, fields } = refused(await agent.post(path, json), error, [meant]);
            assert.equal(fields[said], `did you mean '${meant}'?`);
            assert.ok(hint.startsWith(`did you mean '${meant}'? Known here: `), hint);
        }
    });

    test('a member that is present is not suggested for its misspelling', async () => {
        const { fields } = refused(await agent.post('/quote', { ...TRADE, chain: 'base', chian: 'ethereum' }), "Unknown field 'chian'");
        assert.deepEqual(fields, { chian: 'is not known here' });
    });

    for (const name of ['note', 'unknown', 'train_of_thought', 'name', 'from', 'to', 'side', 'size', 'price', 'train_of', 'x', 'token', 'params']) {
        test(`POST /quote with ${name}: not known here`, async () => {
            refused(await agent.post('/quote', { ...TRADE, [name]: 'base' }), `Unknown field '${name}'`, [name]);
        });
    }

    for (const [path, said, meant] of [
        ['/swaps?limt=5', 'limt', 'limit'], ['/swaps?Status=failed', 'Status', 'status'], ['/swaps?ofset=1', 'ofset', 'offset'], ['/tokens?chian=base', 'chian', 'chain'],
        ['/prices?symbol=ETH', 'symbol', 'symbols'], ['/webhooks?eventType=swap.failed', 'eventType', 'event_type'], ['/portfolio?walet_address=0x1', 'walet_address', 'wallet_address'],
    ]) {
        test(`GET ${path}`, async () => mistyped(await agent.get(path), said, meant));
    }

    test('every member of every call, two letters swapped, over REST', async () => {
        for (const operation of await operations()) {
            for (const name of operation.members.filter(({ length }) => length > 2)) {
                const said = swapped(name);
                const answer = operation.path === '/register' ? await send('POST', `${API}/register`, { json: { [said]: 'x' } }) : await call(operation, { [said]: 'x' });
                assert.ok(answer.body?.fields?.[said] === `did you mean '${name}'?`, `${operation.path} ${said}: ${show(answer)}`);
                assert.equal(answer.body.error, `Unknown field '${said}'`);
            }
        }
    });

    test('a member of another call is not known', async () => {
        const all = await operations();
        const names = [...new Set(all.flatMap(({ members }) => members))];
        for (const operation of all.filter(({ path }) => path !== '/register')) {
            const others = names.filter((each) => !operation.members.includes(each));
            const answer = await call(operation, Object.fromEntries(others.map((name) => [name, 'x'])));
            assert.deepEqual(others.filter((name) => answer.body?.fields?.[name] === undefined), [], `${operation.path}: ${show(answer)}`);
        }
    });

    test('over MCP', async () => {
        for (const [tool, args, said, meant] of [
            ['get_quote', { ...TRADE, chian: 'base' }, 'chian', 'chain'], ['get_tokens', { chian: 'base' }, 'chian', 'chain'],
            ['get_swap_status', { swpId: 1 }, 'swpId', 'swapId'], ['create_wallet', { idempotencyKey: 'k' }, 'idempotencyKey', 'idempotency_key'],
            ['create_wallet', { chain_typ: 'solana' }, 'chain_typ', 'chain_type'],
            ['place_prediction_order', { orderType: 'FOK' }, 'orderType', 'type'],
        ]) {
            const { isError, body } = await use(tool, args, agent.key);
            assert.equal(isError, true);
            mistyped(asAnswer(body), said, meant);
        }
        await used('create_wallet', { idempotency_key: 'k' }, agent.key);
    });

    test('over A2A', async () => {
        for (const [operation, args, said, meant] of [
            ['get_quote', { ...TRADE, chian: 'base' }, 'chian', 'chain'], ['get_swap_status', { swpId: 1 }, 'swpId', 'swapId'],
            ['create_wallet', { idempotency_ky: 'k' }, 'idempotency_ky', 'idempotency_key'],
            ['place_prediction_order', { orderType: 'FOK' }, 'orderType', 'type'],
        ]) {
            const task = a2a.is(await a2a.call(operation, args), 'rejected');
            mistyped(asAnswer(a2a.said(task)[1]), said, meant);
        }
    });

    test('no wallet is made, and no agent, where a member was mistyped', async () => {
        const other = await register();
        mistyped(await other.post('/wallets', { chainType: 'solana' }), 'chainType', 'chain_type');
        assert.deepEqual(granted(await other.get('/wallets')).wallets, []);
        mistyped(await send('POST', `${API}/register`, { json: { name: 'x', callbackUrl: 'https://agent.example/hook' } }), 'callbackUrl', 'callback_url');
    });
});
