// Section: jobs
// A client that loses any answer, waits until its quote is over, takes a fresh one and repeats with the same key, at every kind of
// action and every via, moves money once.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
    after, before, describe, test,
} from 'node:test';
import { Wallet } from 'ethers';
import { MARKETS } from '../../contrib/sandbox/upstream/markets.mjs';
import { A2A } from '../api/a2a.mjs';
import {
    fund, give, nonceOf,
} from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    granted, refused, registerUnlimited, show, stack, stackSettings, until,
} from '../api/lib.mjs';
import { ask } from '../api/mcp.mjs';
import { act as happens } from '../api/perps-trading.mjs';
import { giveShares } from '../api/prediction.mjs';
import { Way } from '../api/way.mjs';
import { operate, sql } from './lib.mjs';

const CHAIN = 'base', AFAR = 'ethereum', SOLANA = 'solana';
const TRADE = { from_token: 'ETH', to_token: 'USDC', amount: '0.01', chain: CHAIN };

// ---------------------------------------------------------------- a way on which answers are lost

const upstream = `http://127.0.0.1:${(await stackSettings()).SANDBOX_UPSTREAM_PORT}`;
const way = new Way();
let gateway;
before(async () => {
    gateway = await startGateway([`provider.relay.url = ${upstream}/relay`, 'provider.relay.rate = 100/s', 'tier.standard = 100000', 'perps_weight = 0', 'a2a_wait_ms = 0'], { jobs: ['swap-poll'] });
    await way.open(gateway.base);
});
after(async () => {
    way.close();
    await gateway.stop();
});

const quotesAreOver = () => sql('UPDATE quotes SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE consumed_at IS NULL');
const quotesOf = ({ id }) => sql(`UPDATE quotes q JOIN agents a ON a.id = q.agent_id SET q.expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND
    WHERE q.consumed_at IS NULL AND a.uuid = UNHEX('${id.replaceAll('-', '')}')`);

/** An agent on that way, with coins; its policies may be looser. */
async function client() {
    const agent = Object.assign(await registerUnlimited(), { base: way.url });
    agent.address = await agent.wallet(CHAIN, 5);
    return agent;
}

/**
 * Does what `act` does under one key until it is answered: after each answer that is lost all quotes are over. Resolves to what it
 * answered last.
 */
async function persist(act, key, expire = quotesAreOver) {
    for (let tries = 0; tries < 5; tries++) {
        const answer = await act(key).catch((error) => {
            assert.match(error.code ?? '', /ECONNRESET|EPIPE/, error.stack);
            return null;
        });
        if (answer !== null) return answer;
        await expire();
    }
    return assert.fail('no answer came');
}

// ---------------------------------------------------------------- the interfaces

const post = (agent, path, json, key) => agent.send('POST', path, { json, ...(key !== undefined && { headers: { 'idempotency-key': key } }) });

const told = ({ body }) => {
    const { content, isError } = body.result;
    assert.notEqual(isError, true, content[0].text);
    return JSON.parse(content[0].text);
};
const tool = (agent) => async (name, args) => told(await ask('tools/call', { name, arguments: args }, { key: agent.key, base: agent.base }));

/** What a task's operation answered, by what the task asks for and the artifact. */
function taskPart(task) {
    assert.ok(!/REJECTED|FAILED/.test(task.status.state), JSON.stringify(task));
    const parts = [task.status.message, ...task.artifacts ?? []].flatMap((each) => each?.parts ?? []);
    return Object.assign({}, ...parts.map(({ data }) => data));
}
const taskAnswer = async (agent, operation, args) => taskPart(await new A2A(agent).send([{ data: { operation, arguments: args } }], { messageId: randomUUID() }));

/** Each resolves to the id of the swap; the quote has no key, as most clients ask for it. */
const SWAPS = {
    REST: (agent) => async (key) => {
        const { quote_id } = granted(await post(agent, '/quote', TRADE));
        return granted(await post(agent, '/swap/execute', { quote_id }, key)).swap_id;
    },
    'REST, with other spellings of the same': (agent) => {
        let tries = 0;
        return async (key) => {
            const odd = tries++ % 2 === 1;
            const { quote_id } = granted(await post(agent, '/quote', odd ? { ...TRADE, amount: '1.00e-2' } : TRADE));
            return granted(await post(agent, '/swap/execute', { quote_id, ...(odd && { wallet_address: agent.address }) }, key)).swap_id;
        };
    },
    MCP: (agent) => async (key) => {
        const call = tool(agent);
        const { quote_id } = await call('get_quote', TRADE);
        return (await call('execute_swap', { quote_id, idempotency_key: key })).swap_id;
    },
    A2A: (agent) => async (key) => {
        const { quote_id } = await taskAnswer(agent, 'get_quote', TRADE);
        return (await taskAnswer(agent, 'execute_swap', { quote_id, idempotency_key: key })).swap_id;
    },
    'a sentence with the quote': (agent) => async (key) => {
        const { quote_id } = granted(await post(agent, '/quote', TRADE));
        return granted(await post(agent, '/execute', { command: `execute quote ${quote_id}` }, key)).result.swap_id;
    },
    'a sentence': (agent) => async (key) => granted(await post(agent, '/execute', { command: 'swap 0.01 ETH to USDC on base' }, key)).result.swap_id,
    'REST by turns with MCP': (agent) => {
        let tries = 0;
        return async (key) => (await (tries++ % 2 === 0 ? SWAPS.REST : SWAPS.MCP)(agent)(key));
    },
};

for (const [via, actor] of Object.entries(SWAPS)) {
    test(`${via}: each answer of a swap lost in turn, it is done once`, async () => {
        const agent = await client(), ids = [];
        for (let n = 1; ; n++) {
            way.loses(n);
            const act = actor(agent), key = `${via.length}-${n}`, id = await persist(act, key);
            ids.push(id);
            const { lost } = way;
            way.loses(Infinity);
            await agent.completed(id);
            // Long afterwards, too.
            await quotesAreOver();
            assert.equal(await act(key), id);
            if (lost === 0) break;
        }
        assert.ok(ids.length >= 2 && new Set(ids).size === ids.length, ids.join());
        assert.equal(granted(await agent.get('/swaps')).pagination.total, ids.length);
        assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), ids.length);
    });
}

// ---------------------------------------------------------------- all that moves money

const OUTCOMES = MARKETS.find(({ id }) => id === '9010'), DECIDED = MARKETS.find(({ kind, status }) => kind === 'v2' && status === 'resolved');

/** An agent on a way of its own, as long as the test that asks for it. */
async function agentOf() {
    const agent = Object.assign(await registerUnlimited(), { way: new Way() });
    await agent.way.open(gateway.base);
    after(() => agent.way.close());
    agent.base = agent.way.url;
    agent.id = granted(await agent.get('/me')).agent.id;
    return agent;
}

/** With an address that it withdraws to, and coins and dollars. */
async function payer() {
    const agent = await agentOf();
    const { withdrawal_address: { id } } = granted(await agent.post('/withdrawal-addresses', { address: Wallet.createRandom().address, label: 'cold' }), 201);
    agent.address = await agent.wallet(CHAIN, 5);
    await fund(AFAR, agent.address, 5);
    for (const chain of [CHAIN, AFAR]) await give(chain, agent.address, 'USDC', 1000);
    agent.mayPay = () => until('its address to be active', async () => (
        granted(await agent.get('/withdrawal-addresses')).withdrawal_addresses.some((each) => each.id === id && each.status === 'active')));
    return agent;
}

/** With coins on Solana. */
async function solanaOwner() {
    const agent = await agentOf();
    agent.address = granted(await agent.post('/wallets', { chain_type: SOLANA }), 201).wallet.address;
    await stack('fund', agent.address, SOLANA);
    return agent;
}

/** With dollars on Polygon, and shares of what is decided. */
async function better() {
    const agent = await agentOf();
    agent.address = await agent.wallet('polygon', 100);
    await give('polygon', agent.address, 'USDC.e', 1000);
    const { tradingAddress } = granted(await agent.get('/predict/account')).account;
    await giveShares(DECIDED, tradingAddress, 3);
    agent.mayBet = async () => {
        if (await totalOf(agent, '/predict/transfers') === 0) await bet(agent, granted(await agent.post('/predict/deposit', { amount: '5' })).transfer.id);
    };
    [{ tokenId: agent.outcome }] = granted(await agent.get(`/predict/market/${OUTCOMES.id}`)).outcomes;
    return agent;
}

/** With dollars on the chain and at the venue. */
async function speculator() {
    const agent = await payer();
    await happens('give', { user: agent.address.toLowerCase(), amount: '10001' });
    return agent;
}

const endOf = (path, name) => (agent, id) => until(`${name} ${id} to end`, async () => {
    const { status, error } = granted(await agent.get(`${path}/${id}`))[name];
    assert.notEqual(status, 'failed', error);
    return status === 'completed';
});
const lent = endOf('/lend/operation', 'operation'), bet = endOf('/predict/transfer', 'transfer'), carried = endOf('/perps/transfer', 'transfer');

/**
 * What each of an agent does, in this order: { what, path, tool, list, args, said }. Optional: `again` the same arguments in other words,
 * `quoted` whether the arguments are a quote's, `before(agent)` what comes before each time and is handed to `args` and `said`,
 * `ended(agent, id)`, `held` whether it may want an approval, and `method`. Without a list it is the same however often it is done.
 */
const lending = { list: '/lend/operations', ended: lent };
const bets = { list: '/predict/orders?status=all' }, collateral = { list: '/predict/transfers', ended: bet };
const perps = { list: '/perps/orders' }, margin = { list: '/perps/transfers', ended: carried };
const BID = { side: 'BUY', price: 0.05, size: 10 }, LONG = { market: 'ETH-USD', side: 'long', size: 0.01, type: 'limit', price: 1500 };
const ACTIONS = [
    [payer, [
        {
            what: 'bridges', held: true, path: '/swap/execute', tool: 'execute_swap', list: '/swaps', quoted: true, said: () => 'bridge 20 USDC from ethereum to base',
            args: () => ({ from_token: 'USDC', to_token: 'USDC', amount: '20', from_chain: AFAR, to_chain: CHAIN, providers: ['relay'] }),
        },
        {
            what: 'withdrawals', held: true, before: (agent) => agent.mayPay(), path: '/wallets/withdraw', tool: 'withdraw', list: '/withdrawals', ended: endOf('/withdrawals', 'withdrawal'),
            args: () => ({ token: 'USDC', amount: '5', chain: CHAIN, to: 'cold' }), again: () => ({ token: 'USDC', amount: '5.00', chain: CHAIN, to: 'cold' }),
            said: () => 'withdraw 5 USDC on base to cold',
        },
        {
            what: 'supplies', held: true, path: '/lend/supply', tool: 'supply_lending', ...lending,
            args: () => ({ chain: CHAIN, asset: 'ETH', amount: '0.1' }), again: () => ({ chain: CHAIN, asset: 'ETH', amount: '1e-1' }), said: () => 'supply 0.1 ETH on base',
        },
        {
            what: 'loans', held: true, path: '/lend/borrow', tool: 'borrow_lending', ...lending,
            args: () => ({ chain: CHAIN, asset: 'USDC', amount: '20' }), again: () => ({ chain: CHAIN, asset: 'USDC', amount: 20 }), said: () => 'borrow 20 USDC on base',
        },
        { what: 'repayments', path: '/lend/repay', tool: 'repay_lending', ...lending, args: () => ({ chain: CHAIN, asset: 'USDC', amount: '5' }), said: () => 'repay 5 USDC on base' },
        {
            what: 'withdrawals from lenders', path: '/lend/withdraw', tool: 'withdraw_lending', ...lending,
            args: () => ({ chain: CHAIN, asset: 'WETH', amount: '0.01' }), said: () => 'withdraw 0.01 WETH from aave on base',
        },
    ]],
    [solanaOwner, [{
        what: 'swaps on Solana', path: '/swap/execute', tool: 'execute_swap', list: '/swaps', quoted: true, said: () => 'swap 0.01 SOL to USDC on solana',
        args: () => ({ from_token: 'SOL', to_token: 'USDC', amount: '0.01', chain: SOLANA }), ended: (agent, id) => agent.completed(id),
    }]],
    [better, [
        { what: 'deposits for bets', path: '/predict/deposit', tool: 'deposit_prediction', ...collateral, args: () => ({ amount: '5' }), again: () => ({ amount: '5.0', token: 'USDC.e' }) },
        { what: 'withdrawals from bets', path: '/predict/withdraw', tool: 'withdraw_prediction', ...collateral, args: () => ({ amount: '2' }) },
        { what: 'redemptions', path: '/predict/redeem', tool: 'redeem_prediction', ...collateral, args: () => ({ market: DECIDED.id }) },
        {
            what: 'bets', held: true, before: (agent) => agent.mayBet(), path: '/predict/order', tool: 'place_prediction_order', ...bets, args: (agent) => ({ tokenId: agent.outcome, ...BID }),
            again: (agent) => ({ tokenId: agent.outcome, ...BID, price: '0.050', type: 'GTC' }), said: () => `buy 10 YES of market ${OUTCOMES.id} at 0.05`,
        },
        {
            what: 'cancels of bets', method: 'DELETE', path: (id) => `/predict/order/${id}`, tool: 'cancel_prediction_order',
            before: async (agent) => granted(await agent.post('/predict/order', { tokenId: agent.outcome, ...BID })).order.id, args: (_, id) => ({ id }), said: (id) => `cancel order ${id}`,
        },
    ]],
    [speculator, [
        { what: 'deposits of margin', held: true, path: '/perps/deposit', tool: 'deposit_perps', ...margin, args: () => ({ amount: '10', chain: CHAIN }), said: () => 'deposit 10 USDC to perps on base' },
        {
            what: 'withdrawals of margin', path: '/perps/withdraw', tool: 'withdraw_perps', ...margin, args: () => ({ amount: '6', chain: CHAIN }),
            said: () => 'withdraw 6 USDC from perps to base',
        },
        { what: 'orders for perpetuals', held: true, path: '/perps/order', tool: 'place_perps_order', ...perps, args: () => LONG, again: () => ({ ...LONG, price: '1500.0' }), said: () => 'limit long 0.01 ETH at 1500' },
        {
            what: 'closings', path: '/perps/close', tool: 'close_perps_position', ...perps, said: () => 'close my SOL position', args: () => ({ market: 'SOL-USD' }),
            before: async (agent) => { granted(await agent.post('/perps/order', { market: 'SOL-USD', side: 'long', size: 1 })); },
        },
        { what: 'leverages', path: '/perps/leverage', tool: 'set_perps_leverage', args: () => ({ market: 'BTC-USD', leverage: 4 }), said: () => 'set BTC leverage to 4' },
        {
            what: 'cancels of orders for perpetuals', method: 'DELETE', path: (id) => `/perps/order/${id}`, tool: 'cancel_perps_order',
            before: async (agent) => granted(await agent.post('/perps/order', LONG)).order.id, args: (_, id) => ({ id }), said: (id) => `cancel perps order ${id}`,
        },
    ]],
];

/** The id of what an answer is about. */
function idOf(answer) {
    const { swap_id, id = swap_id, ...named } = answer.result ?? answer;
    return id ?? Object.values(named).find((value) => value?.id !== undefined)?.id ?? JSON.stringify(named);
}

const accepted = (answer) => granted(answer, answer.status === 202 ? 202 : 200);

const flipped = (text) => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());
/** The same names in other letters: keys in base58 alone would be others. */
const otherCase = (args) => Object.fromEntries(Object.entries(args).map(([name, value]) => [name, typeof value === 'string' && value.length < 32 ? flipped(value) : value]));
const loud = (sentence) => sentence.split(' ').map((word) => (/^\d/.test(word) || word.length >= 32 ? word : word.toUpperCase())).join('  ');

/** Ways to have an action done under a key; of what came before the first try. Each resolves to the answer. */
const INTERFACES = {
    async REST(agent, action, key, had, tries) {
        const { method = 'POST', path, args, again = args } = action;
        const json = await quotedArgs(agent, action, tries % 2 === 0 ? args(agent, had) : otherCase(again(agent, had)));
        const how = { headers: { 'idempotency-key': key }, ...(method === 'POST' && { json }) };
        return accepted(await agent.send(method, typeof path === 'string' ? path : path(had), how));
    },
    MCP: async (agent, action, key, had) => (
        tool(agent)(action.tool, { ...await quotedArgs(agent, action, action.args(agent, had)), idempotency_key: key })),
    A2A: async (agent, action, key, had) => (
        taskAnswer(agent, action.tool, { ...await quotedArgs(agent, action, action.args(agent, had)), idempotency_key: key })),
    sentences: async (agent, { said }, key, had, tries) => accepted(await post(agent, '/execute', { command: tries % 2 === 0 ? said(had) : loud(said(had)) }, key)),
    'sentences by MCP': async (agent, { said }, key, had) => tool(agent)('execute_command', { command: said(had), idempotency_key: key }),
    'sentences by A2A, the same message': async (agent, { said }, key, had) => taskPart(await new A2A(agent).send([{ text: said(had) }], { messageId: key })),
};
/** These say what others do, for one action. */
const ONCE = ['sentences by MCP', 'sentences by A2A, the same message'];

async function quotedArgs(agent, { quoted }, args) {
    return quoted ? { quote_id: granted(await agent.post('/quote', args)).quote_id } : args;
}

const totalOf = async (agent, list) => granted(await agent.get(list)).pagination.total;

/** Of another amount or size, it is none of what the key stands for, which is named. */
async function othersRefused(agent, { path, args }, key, had, id) {
    const terms = args(agent, had), name = ['amount', 'size'].find((each) => terms[each] !== undefined);
    if (name === undefined) return;
    const refusal = refused(await post(agent, path, { ...terms, [name]: Number(terms[name]) * 2 }, key), 'Idempotency-Key was already used with another body');
    assert.equal(refusal.withdrawal_id ?? refusal.operation_id ?? refusal.transfer_id ?? refusal.order_id, id);
}

/** Each answer of it lost in turn: it is done once each time. */
async function lostInTurn(agent, action, via) {
    const { list, before: first = () => {}, ended = () => {} } = action;
    for (let n = 1, lost = 1; lost > 0; n++) {
        const key = `${action.what}-${n}`.replaceAll(' ', '-'), had = await first(agent), before = list && await totalOf(agent, list);
        let tries = 0;
        const perform = () => INTERFACES[via](agent, action, key, had, tries++).then(idOf);
        agent.way.loses(n);
        const id = await persist(perform, key, () => quotesOf(agent));
        ({ lost } = agent.way);
        agent.way.loses(Infinity);
        assert.ok(lost === 1 || n > 1, 'no answer was lost');
        await ended(agent, id);
        await quotesOf(agent);
        assert.equal(await perform(), id);
        if (list !== undefined) assert.equal(await totalOf(agent, list), before + 1);
        if (action.quoted) continue;
        if (via === 'REST') await othersRefused(agent, action, key, had, id);
        return; // it has no other answers
    }
}

const namesOf = (actions) => actions.map(({ what }) => what).join(', ');
const isSaid = (via) => via.includes('sentences');

describe('each answer lost in turn', { concurrency: true }, () => {
    for (const [owner, actions] of ACTIONS) {
        for (const via of Object.keys(INTERFACES)) {
            const those = actions.filter(({ what, said }) => (said !== undefined || !isSaid(via)) && (what === 'withdrawals' || !ONCE.includes(via)));
            if (those.length === 0) continue;
            test(`${via}: ${namesOf(those)} are done once`, async (t) => {
                const agent = await owner();
                for (const action of those) await t.test(action.what, () => lostInTurn(agent, action, via));
            });
        }
    }
});

// ---------------------------------------------------------------- what a key stands for

test('other terms are refused with the id of the swap, whichever bound is another', async () => {
    const agent = await client();
    const quote = (more) => agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN, ...more });
    const execute = (quote_id, more) => post(agent, '/swap/execute', { quote_id, ...more }, 'one');
    const first = granted(await execute((await quote()).quote_id));
    const other = granted(await post(agent, '/wallets'), 201).wallet.address;
    for (const [terms, more] of [
        [{ amount: '0.02' }], [{ from_token: 'WETH' }], [{ to_token: 'DAI' }], [{ chain: 'ethereum' }], [{ slippage: 0.01 }], [{ max_price_impact: 0.2 }], [{}, { wallet_address: other }],
        [{}, { max_price_impact: 0.3 }],
    ]) {
        const { quote_id } = granted(await agent.post('/quote', { ...TRADE, ...terms }));
        const answer = await execute(quote_id, more);
        const refusal = refused(answer, 'Idempotency-Key was already used with another body');
        assert.equal(refusal.swap_id, first.swap_id, show(answer));
    }
    // A quote that is unknown has no terms to compare.
    assert.equal(refused(await execute(`q_${'0'.repeat(32)}`), 'Idempotency-Key was already used with another body').swap_id, first.swap_id);
    const again = await execute((await quote({ slippage: 0.03 })).quote_id);
    assert.deepEqual([granted(again), again.headers['idempotent-replayed']], [first, 'true']);
    await agent.completed(first.swap_id);
    assert.equal(granted(await agent.get('/swaps')).pagination.total, 1);
});

test('an agent that sends another agent\'s Idempotency-Key does not get its answer', async () => {
    const [one, two] = [await client(), await client()];
    const execute = async (agent) => granted(await post(agent, '/swap/execute', { quote_id: (await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN })).quote_id }, 'same')).swap_id;
    assert.notEqual(await execute(one), await execute(two));
});

test('a record of the version before keeps its meaning, and is found with the same body alone', async () => {
    const agent = await client();
    const { quote_id } = await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN });
    const first = granted(await post(agent, '/swap/execute', { quote_id }, 'old'));
    await sql('UPDATE idempotency SET terms = NULL');
    assert.deepEqual(granted(await post(agent, '/swap/execute', { quote_id }, 'old')), first);
    const fresh = await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN });
    const answer = await post(agent, '/swap/execute', { quote_id: fresh.quote_id }, 'old');
    assert.equal(refused(answer, 'Idempotency-Key was already used with another body').swap_id, first.swap_id);
    await agent.completed(first.swap_id);
});

test('a quote that was executed names its swap wherever it is named', async () => {
    const agent = await client();
    const { quote_id } = await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN });
    const { swap_id } = granted(await post(agent, '/swap/execute', { quote_id }));
    const command = `execute quote ${quote_id}`;
    for (const [answer, message] of [
        [await agent.post('/swap/execute', { quote_id }), 'Quote not found'], [await agent.post('/swap/simulate', { quote_id }), 'Quote not found'],
        [await agent.post('/swap', { quote_id, wallet_address: agent.address }), 'Invalid quote_id'], [await agent.post('/execute', { command }), 'Quote not found'],
    ]) {
        const refusal = refused(answer, message);
        assert.equal(refusal.swap_id, swap_id, show(answer));
        assert.match(refusal.hint, new RegExp(`swap ${swap_id}\\b`));
    }
    assert.equal(granted(await agent.post('/execute', { command, dry_run: true })).result.swap_id, swap_id);
    const stranger = await client();
    assert.equal(refused(await stranger.post('/swap/simulate', { quote_id }), 'Quote not found').swap_id, undefined);
    await agent.completed(swap_id);
});

// ---------------------------------------------------------------- approvals

/** Whose swaps want an approval, by each via that executes with a key. */
const APPROVED = {
    'a quote': async (agent, key, more = {}) => {
        const { quote_id } = await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN });
        return post(agent, '/swap/execute', { quote_id, ...more }, key);
    },
    'a sentence': (agent, key) => post(agent, '/execute', { command: 'swap 0.01 ETH to USDC on base' }, key),
};
const about = ({ body }) => ({ ...body, ...body.result });

async function asker() {
    const agent = await client();
    granted(await agent.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountUsd: '1' } }));
    return agent;
}

for (const [via, request] of Object.entries(APPROVED)) {
    test(`${via} that waits for approval: the same key goes on, and is answered with the swap once it is granted`, async () => {
        const agent = await asker();
        const waits = await request(agent, 'k');
        assert.equal(waits.status, 202, show(waits));
        const { swap_id, approval_id } = about(waits);
        await quotesAreOver();
        const still = await request(agent, 'k');
        assert.equal(still.status, 202, show(still));
        assert.deepEqual([about(still).swap_id, about(still).approval_id], [swap_id, approval_id]);
        assert.equal(granted(await agent.get('/approvals')).pagination.total, 1);
        await operate('approve', approval_id);
        const done = await request(agent, 'k');
        assert.deepEqual([done.status, about(done).swap_id], [200, swap_id], show(done));
        const again = await request(agent, 'k');
        assert.deepEqual([again.status, about(again).swap_id, again.headers['idempotent-replayed']], [200, swap_id, 'true'], show(again));
        await agent.completed(swap_id);
        assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 1);
    });

    test(`${via} that was denied: the same key says so`, async () => {
        const agent = await asker();
        const { approval_id } = about(await request(agent, 'k'));
        await operate('deny', approval_id);
        for (let i = 0; i < 2; i++) refused(await request(agent, 'k'), 'Approval denied');
        assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 0);
    });
}

test('with the approval or without it, it is the same key; another approval is not', async () => {
    const agent = await asker(), request = APPROVED['a quote'];
    const [one, two] = [about(await request(agent, 'one')), about(await request(agent, 'two'))];
    const use = (approval_id, key) => post(agent, '/swap/execute', { approval_id }, key);
    assert.equal((await use(one.approval_id, 'one')).status, 202);
    const mixed = refused(await use(two.approval_id, 'one'), 'Idempotency-Key was already used with another body');
    assert.deepEqual([mixed.swap_id, mixed.approval_id], [one.swap_id, one.approval_id]);
    await operate('approve', one.approval_id);
    await operate('approve', two.approval_id);
    assert.equal(granted(await use(one.approval_id, 'one')).swap_id, one.swap_id);
    assert.equal(granted(await use(one.approval_id, 'one')).swap_id, one.swap_id);
    assert.equal(granted(await request(agent, 'one')).swap_id, one.swap_id);
    // Used without the key, the key answers with what it was used for.
    assert.equal(granted(await use(two.approval_id)).swap_id, two.swap_id);
    assert.equal(granted(await request(agent, 'two')).swap_id, two.swap_id);
    await agent.completed(one.swap_id);
    await agent.completed(two.swap_id);
    assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 2);
});

test('a request whose approval expired is refused as expired', async () => {
    const agent = await asker(), request = APPROVED['a quote'];
    const { swap_id } = about(await request(agent, 'k'));
    await sql(`UPDATE approvals SET expires_at = UTC_TIMESTAMP(3) WHERE execution_id = ${swap_id}; UPDATE executions SET due_at = UTC_TIMESTAMP(3) WHERE id = ${swap_id}`);
    await until('the swap to expire', async () => (await agent.status(swap_id)).status === 'expired');
    refused(await request(agent, 'k'), 'Approval expired');
    assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 0);
});

/** The first answer of `perform` is lost. */
async function lost(agent, perform) {
    agent.way.loses(1);
    const answer = await persist(perform, undefined, () => quotesOf(agent));
    assert.equal(agent.way.lost, 1);
    return answer;
}

/** Each answer lost: it goes on with the approval that was asked for, and is done once; or it says why it is not. */
async function heldAndLost(agent, action, via) {
    const { list, before: first = () => {}, ended = () => {} } = action, had = await first(agent), before = await totalOf(agent, list), key = `held-${action.what}`.replaceAll(' ', '-');
    const perform = (name) => INTERFACES[via](agent, action, name, had, 0);
    const waiting = async (name) => about({ body: await perform(name) }).approval_id;
    const approval = await lost(agent, () => waiting(key));
    assert.match(approval, /^ap_/);
    assert.equal(await waiting(key), approval);
    await operate('approve', approval);
    const id = await lost(agent, () => perform(key).then(idOf));
    assert.equal(await perform(key).then(idOf), id);
    assert.equal(await totalOf(agent, list), before + 1);
    await ended(agent, id);
    const lapsed = await lost(agent, () => waiting(`${key}-too-long`));
    await sql(`UPDATE approvals SET expires_at = UTC_TIMESTAMP(3) WHERE id = UNHEX('${lapsed.slice('ap_'.length)}')`);
    await quotesOf(agent);
    await assert.rejects(perform(`${key}-too-long`), /Approval expired/);
}

describe('each answer lost in turn while the operator is asked', { concurrency: true }, () => {
    for (const [owner, actions] of ACTIONS) {
        for (const via of Object.keys(INTERFACES).filter((each) => !ONCE.includes(each))) {
            const those = actions.filter(({ held, said }) => held && (said !== undefined || !isSaid(via)));
            if (those.length === 0) continue;
            test(`${via}: ${namesOf(those)} are done once`, async (t) => {
                const agent = await owner();
                await agent.mayBet?.();
                if (those.some(({ what }) => what === 'loans')) await lent(agent, granted(await agent.post('/lend/supply', { chain: CHAIN, asset: 'ETH', amount: '1' })).operation.id);
                granted(await agent.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountUsd: '0.01' } }));
                for (const action of those) await t.test(action.what, () => heldAndLost(agent, action, via));
            });
        }
    }
});

// ---------------------------------------------------------------- at once

test('two at once with one key, and quotes of their own, share one answer', async () => {
    const agent = await client();
    const quotes = [await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN }), await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN })];
    const answers = await Promise.all(quotes.map(({ quote_id }) => post(agent, '/swap/execute', { quote_id }, 'both')));
    const [one, two] = answers.map((answer) => granted(answer));
    assert.deepEqual(one, two);
    assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 1);
    await agent.completed(one.swap_id);
    assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 1);
});
