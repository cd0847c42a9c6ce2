// Section: api
// What models with small windows read, counted in their tokens: documents, lists of tools, answers of tools; and that the least of these
// documents is enough for the main jobs.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fund, give } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, contract, granted, register, send, stack, stackSettings, until,
} from './lib.mjs';
import { ask, listed, result } from './mcp.mjs';
import { tokens, toolTokens } from './tokens.mjs';

const { text: llms } = await send('GET', '/llms.txt');
const { document } = await contract();
const operations = Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({
    method, path, operation, tool: operation.operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
})));

// ---------------------------------------------------------------- the table

const table = [];

/** Fails if there is more of it than the budget; the table has both. The reporter shows stderr where a test fails. */
function within(what, measured, budget) {
    table.push({ what, measured, budget });
    assert.ok(measured <= budget, `${what}: ${measured} of ${budget}`);
}

after(() => {
    const width = Math.max(...table.map(({ what }) => what.length));
    for (const { what, measured, budget } of table) console.error(`${what.padEnd(width)} ${String(measured).padStart(7)} of ${String(budget).padStart(7)}`);
});

// ---------------------------------------------------------------- documents

test('llms.txt, its sections and the skill fit small windows', async () => {
    within('llms.txt, tokens', tokens(llms), 4000);
    const sections = [...llms.matchAll(/\((http[^)]*(\/llms\/[a-z0-9]+\.txt))\)/g)].map(([, , path]) => path);
    assert.equal(sections.length, 9);
    for (const path of sections) within(`${path}, tokens`, tokens((await send('GET', path)).text), 3000);
    within('skill.md, tokens', tokens((await send('GET', '/skill.md')).text), 5000);
});

/** The curl commands of a text: { method, path, body }, with <PLACEHOLDERS>. */
function commands(text) {
    return [...text.replaceAll('\\\n', ' ').matchAll(/^curl (?:-X (\w+) )?\$API(\S+)(.*)$/gm)].map(([, method = 'GET', path, more]) => (
        { method, path, body: /-d '([^']*)'/.exec(more)?.[1] }));
}

/** A newcomer that knows llms.txt and nothing else; without a base that of the stack. */
class Newcomer {
    known = {};

    constructor(text = llms, base = undefined) {
        Object.assign(this, { text, base });
    }

    #fill(text) {
        return text.replace(/"?<([A-Z_]+)>"?/g, (placeholder, name) => {
            assert.ok(name in this.known, `${placeholder} is not known yet`);
            return placeholder.startsWith('"') ? JSON.stringify(this.known[name]) : String(this.known[name]);
        });
    }

    /** The command of the text for that call, or one with another body. */
    async call(method, path, body) {
        const command = commands(this.text).find((each) => each.method === method && each.path.replace(/<.*/, '') === path);
        assert.ok(command, `${method} ${path} is a command of llms.txt`);
        const json = body ?? (command.body && JSON.parse(this.#fill(command.body)));
        return granted(await send(method, API + this.#fill(command.path), { key: this.known.API_KEY, json, base: this.base }), path === '/wallets' || path === '/withdrawal-addresses' ? 201 : 200);
    }

    async begin() {
        this.known.API_KEY = (await this.call('POST', '/register')).agent.api_key;
    }

    async swap(terms) {
        this.known.QUOTE_ID = (await this.call('POST', '/quote', terms)).quote_id;
        this.known.SWAP_ID = (await this.call('POST', '/swap/execute')).swap_id;
        return until('the swap to end', async () => {
            const { status } = await this.call('GET', '/swap/status/');
            return /^(completed|failed)$/.test(status) && status;
        });
    }
}

/** The JSON objects that stand in the text between back ticks and have that member. */
const terms = (text, member) => [...text.matchAll(/`(\{[^`]*\})`/g)].map(([, json]) => json).filter((json) => json.includes(`"${member}"`)).map((json) => JSON.parse(json));

test('llms.txt is enough for a swap and a withdrawal', async () => {
    const newcomer = new Newcomer();
    await newcomer.begin();
    newcomer.known.YOUR_ADDRESS = `0x${'c01d'.repeat(10)}`;
    newcomer.known.ADDRESS_ID = (await newcomer.call('POST', '/withdrawal-addresses')).withdrawal_address.id;
    const { wallet } = await newcomer.call('POST', '/wallets');
    await fund('base', wallet.address, '10');
    assert.equal(await newcomer.swap(), 'completed');
    newcomer.known.WITHDRAWAL_ID = (await newcomer.call('POST', '/wallets/withdraw')).withdrawal.id;
    await until('the withdrawal to be completed', async () => (await newcomer.call('GET', '/withdrawals/')).withdrawal.status === 'completed');
});

test('llms.txt is enough for a bridge', async () => {
    const { SANDBOX_UPSTREAM_PORT: port } = await stackSettings();
    const gateway = await startGateway([`provider.across.url = http://127.0.0.1:${port}/across`, 'provider.across.rate = 100/s'], { jobs: ['swap-poll'] });
    try {
        const { text } = await send('GET', '/llms.txt', { base: gateway.base });
        within('llms.txt with bridges, tokens', tokens(text), 4000);
        const newcomer = new Newcomer(text, gateway.base);
        await newcomer.begin();
        const { wallet } = await newcomer.call('POST', '/wallets');
        const [asked] = terms(text, 'from_chain');
        await fund(asked.from_chain, wallet.address, '10');
        await give(asked.from_chain, wallet.address, 'USDC', '1000');
        assert.equal(await newcomer.swap(asked), 'completed');
        const { bridge, from_chain: from, to_chain: to } = await newcomer.call('GET', '/swap/status/');
        assert.deepEqual([bridge, from, to], ['across', asked.from_chain, asked.to_chain]);
    } finally {
        await gateway.stop();
    }
});

test('llms.txt is enough for a swap on Solana', async () => {
    const newcomer = new Newcomer();
    await newcomer.begin();
    const { wallet } = await newcomer.call('POST', '/wallets', terms(llms, 'chain_type')[0]);
    await stack('fund', wallet.address, 'solana');
    assert.match(llms, /the same steps with `"chain":"solana"`/);
    assert.equal(await newcomer.swap({ from_token: 'SOL', to_token: 'USDC', amount: '0.1', chain: 'solana' }), 'completed');
});

// ---------------------------------------------------------------- tools

/** The calls of the specification, and what the main jobs need besides. */
const SPECIFIED = [
    'register_agent', 'get_chains', 'get_openapi', 'get_tokens', 'get_quote', 'build_swap', 'execute_swap', 'get_swap_status', 'list_swaps', 'execute_command',
    'list_wallets', 'create_wallet', 'rotate_api_key', 'get_me', 'update_me', 'delete_me', 'deactivate_me', 'reactivate_me', 'list_webhooks', 'test_webhook',
    'search_prediction_markets', 'list_prediction_events', 'get_prediction_market', 'get_prediction_book', 'get_prediction_price', 'get_prediction_trades',
    'place_prediction_order', 'cancel_prediction_order', 'list_prediction_positions', 'list_prediction_orders',
];
const OF_JOBS = ['get_portfolio', 'add_withdrawal_address', 'list_withdrawal_addresses', 'withdraw', 'get_withdrawal'];

test('the lists of tools fit, and the first one has what most agents need', async () => {
    const { tools } = result(await ask('tools/list'));
    within('tools listed by default', tools.length, 40);
    within('their tokens', tools.reduce((sum, tool) => sum + toolTokens(tool), 0), 12_000);
    for (const name of [...SPECIFIED, ...OF_JOBS, 'more_tools']) assert.ok(tools.some((tool) => tool.name === name), name);
    const all = await listed('all');
    assert.equal(all.length, operations.length);
    within('tokens of all tools', all.reduce((sum, tool) => sum + toolTokens(tool), 0), 30_000);
});

// ---------------------------------------------------------------- answers of tools

/** What the tool answers a model, as text. */
async function answer(name, args, key) {
    const { content: [{ text }], isError } = result(await ask('tools/call', { name, arguments: args }, { key }));
    return { text, isError };
}

test('no tool that lists or describes fills a window', async () => {
    const agent = await register();
    await agent.wallet();
    let most = ['', 0];
    const look = async (name, args) => {
        const { text } = await answer(name, args, agent.key);
        if (tokens(text) > most[1]) most = [name, tokens(text)];
    };
    for (const { method, tool, operation } of operations) {
        const needs = (operation.parameters ?? []).filter(({ required }) => required);
        if (method !== 'get' || needs.some(({ in: place }) => place === 'path')) continue;
        await look(tool, {
            ...needs.length > 0 && { symbols: 'ETH' }, ...(operation.parameters ?? []).some(({ name }) => name === 'limit') && { limit: 100 },
        });
    }
    for (const { tool } of operations) await look('get_openapi', { operation: tool });
    for (const { name } of document.tags) await look('get_openapi', { tags: name });
    await look('more_tools', { toolsets: 'all' });
    within(`the longest answer of a tool (${most[0]}), tokens`, most[1], 25_000);
    const { text, isError } = await answer('get_openapi', { tags: 'Perpetuals,Lending' }, agent.key);
    assert.deepEqual([isError, JSON.parse(text).error], [true, 'The answer is too large for a tool']);
});
