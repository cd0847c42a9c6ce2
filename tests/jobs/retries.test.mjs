// Section: jobs
// A client that loses any answer, waits until its quote is over, takes a fresh one and repeats with the same key, at every kind of
// action and every door, moves money once.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { A2A } from '../api/a2a.mjs';
import { nonceOf } from '../api/chain.mjs';
import {
    granted, refused, registerUnlimited, show, until,
} from '../api/lib.mjs';
import { ask } from '../api/mcp.mjs';
import { Way } from '../api/way.mjs';
import { operate, sql } from './lib.mjs';

const CHAIN = 'base';
const TRADE = { from_token: 'ETH', to_token: 'USDC', amount: '0.01', chain: CHAIN };

// ---------------------------------------------------------------- a way on which answers are lost

const way = new Way();
before(() => way.open());
after(() => way.close());

const quotesAreOver = () => sql('UPDATE quotes SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE consumed_at IS NULL');

/** An agent on that way, with coins; its policies may be looser. */
async function client() {
    const agent = await registerUnlimited();
    agent.address = await agent.wallet(CHAIN, 5);
    agent.base = way.url;
    return agent;
}

/**
 * Does what `act` does under one key until it is answered: after each answer that is lost all quotes are over. Resolves to what it
 * answered last.
 */
async function persist(act, key) {
    for (let tries = 0; tries < 5; tries++) {
        const answer = await act(key).catch((error) => {
            assert.match(error.code ?? '', /ECONNRESET|EPIPE/, error.stack);
            return null;
        });
        if (answer !== null) return answer;
        await quotesAreOver();
    }
    return assert.fail('no answer came');
}

// ---------------------------------------------------------------- the doors

const post = (agent, path, json, key) => agent.send('POST', path, { json, ...(key !== undefined && { headers: { 'idempotency-key': key } }) });

const told = ({ body }) => {
    const { content, isError } = body.result;
    assert.notEqual(isError, true, content[0].text);
    return JSON.parse(content[0].text);
};
const tool = (agent) => async (name, args) => told(await ask('tools/call', { name, arguments: args }, { key: agent.key, base: agent.base }));

/** What a task's operation answered, by the artifact that holds it. */
async function taskAnswer(agent, operation, args) {
    const task = await new A2A(agent).send([{ data: { operation, arguments: args } }], { messageId: randomUUID() });
    const [part] = task.artifacts.flatMap(({ parts }) => parts).filter(({ data }) => data !== undefined);
    return part.data;
}

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

for (const [door, actor] of Object.entries(SWAPS)) {
    test(`${door}: each answer of a swap lost in turn, it is done once`, async () => {
        const agent = await client(), ids = [];
        for (let n = 1; ; n++) {
            way.loses(n);
            const act = actor(agent), key = `${door.length}-${n}`, id = await persist(act, key);
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

test('lending and withdrawals: an answer lost, it is done once, and other terms are none of it', async () => {
    const agent = await client();
    const supply = (amount) => (key) => post(agent, '/lend/supply', { chain: CHAIN, asset: 'ETH', amount }, key).then((answer) => granted(answer).operation.id);
    way.loses(1);
    const id = await persist(supply('0.1'), 'lend');
    assert.equal(way.lost, 1);
    way.loses(Infinity);
    assert.equal(await supply('0.10')('lend'), id);
    assert.equal(await supply('1e-1')('lend'), id);
    const other = await post(agent, '/lend/supply', { chain: CHAIN, asset: 'ETH', amount: '0.2' }, 'lend');
    assert.equal(refused(other, 'Idempotency-Key was already used with another body').operation_id, id);
    assert.equal(granted(await agent.get('/lend/operations')).pagination.total, 1);
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

test('nobody gets another agent\'s answer', async () => {
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

/** Whose swaps want an approval, by each door that executes with a key. */
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

for (const [door, request] of Object.entries(APPROVED)) {
    test(`${door} that waits for approval: the same key goes on, and is answered with the swap once it is granted`, async () => {
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

    test(`${door} that was denied: the same key says so`, async () => {
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

test('what has lapsed says so', async () => {
    const agent = await asker(), request = APPROVED['a quote'];
    const { swap_id } = about(await request(agent, 'k'));
    await sql(`UPDATE approvals SET expires_at = UTC_TIMESTAMP(3) WHERE execution_id = ${swap_id}; UPDATE executions SET due_at = UTC_TIMESTAMP(3) WHERE id = ${swap_id}`);
    await until('the swap to expire', async () => (await agent.status(swap_id)).status === 'expired');
    refused(await request(agent, 'k'), 'Approval expired');
    assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 0);
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
