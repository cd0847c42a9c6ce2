// Section: jobs
// A worker that dies with an Idempotency-Key in its hands: what was done is answered, what was not is done once.

import assert from 'node:assert/strict';
import { afterEach, before, test } from 'node:test';
import { granted, refused, register, show, until } from '../api/lib.mjs';
import { nonceOf } from '../api/chain.mjs';
import {
    arm, brokenExecute, disarm, forgetEvents, held, hit, onlySwap, quiet, sql, trader, waiting, withoutJobs,
} from './lib.mjs';

const CHAIN = 'base';
const KEY = { 'idempotency-key': 'crash-1' };
const SOONER_MS = 20_000; // than the end of its lease

before(forgetEvents);
afterEach(disarm);

const execute = (agent, quote, headers = KEY) => agent.send('POST', '/swap/execute', { json: { quote_id: quote.quote_id }, headers });

/** The answer once the gateway has seen that the worker is dead: its lease, of 30 s, ends then. */
const freed = (ask) => until('the key to be free', async () => {
    const again = await ask();
    return again.status !== 409 && again;
}, { patience: SOONER_MS });

async function killed(agent, quote, point, nth = 1) {
    await withoutJobs(async () => {
        arm(point, 'kill', nth);
        await brokenExecute(agent, quote, KEY);
        await hit(point);
        disarm();
    });
}

// The first commit of the request is the key's, the second one the swap's.
for (const [point, nth, what] of [
    ['db.commit.after', 2, 'in the commit, after the database made it'],
    ['execute.commit.after', 1, 'between storing and sending'],
    ['execute.send.after', 1, 'before it answers'],
]) {
    test(`the worker dies ${what}: the same key answers with the swap`, async () => {
        const agent = await trader(CHAIN);
        const quote = await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN });
        await killed(agent, quote, point, nth);
        const answer = await freed(() => execute(agent, quote));
        const { swap_id: id } = granted(answer);
        assert.equal(answer.headers['idempotent-replayed'], 'true');
        assert.equal((await onlySwap(agent)).swap_id, id);
        await agent.completed(id);
        assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 1);
        assert.equal(granted(await execute(agent, quote)).swap_id, id);
    });
}

for (const [point, nth, what] of [
    ['idempotency.take.after', 1, 'with the key alone'],
    ['db.commit.before', 2, 'before the commit'],
]) {
    test(`the worker dies ${what}: when its parent has seen it, the same key runs again`, async () => {
        const agent = await trader(CHAIN);
        const quote = await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN });
        await killed(agent, quote, point, nth);
        refused(await execute(agent, { quote_id: 'another' }), 'Idempotency-Key was already used with another body');
        const answer = await freed(() => execute(agent, quote));
        const { swap_id: id } = granted(answer);
        assert.equal(answer.headers['idempotent-replayed'], undefined);
        const again = await execute(agent, quote);
        assert.deepEqual([again.text, again.headers['idempotent-replayed']], [answer.text, 'true']);
        await agent.completed(id);
        assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 1);
    });
}

test('the worker dies under a sentence, after its swap is stored: the same key answers as the sentence would', async () => {
    const agent = await trader(CHAIN);
    const say = (options = {}) => agent.send('POST', '/execute', { json: { command: 'swap 0.01 ETH to USDC on base' }, headers: KEY, ...options });
    await withoutJobs(async () => {
        arm('execute.commit.after', 'kill', 1);
        await say({ mayBreak: true }).catch(() => {});
        await hit('execute.commit.after');
        disarm();
    });
    const answer = await freed(say);
    const { action, parsed, result } = granted(answer);
    assert.equal(answer.headers['idempotent-replayed'], 'true');
    assert.deepEqual([action, parsed.amount, result.amount_in], ['swap', '0.01', '0.01']);
    assert.equal((await onlySwap(agent)).swap_id, result.swap_id);
    await agent.completed(result.swap_id);
});

test('a run whose key was taken over commits nothing', async () => {
    const agent = await trader(CHAIN);
    const quote = await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN });
    const letGo = await held(`SELECT id FROM wallets WHERE address = '${agent.address}' FOR UPDATE`);
    const slow = execute(agent, quote);
    await waiting();
    await sql('UPDATE idempotency SET lease_owner = REPEAT(\'x\', 16) WHERE lease_until > UTC_TIMESTAMP(3)');
    await letGo();
    refused(await slow, 'Request in progress');
    assert.equal(granted(await agent.get('/swaps')).pagination.total, 0);
    granted(await execute(agent, quote, {}));
});

test('a wallet that was made is answered at once', async () => {
    const agent = await register();
    await quiet(); // the second commit to come is this one's
    arm('db.commit.after', 'kill', 2);
    const broken = await agent.send('POST', '/wallets', { headers: KEY, mayBreak: true }).catch((error) => ({ status: 599, text: error.message }));
    assert.ok(broken.status >= 500, show(broken));
    await hit('db.commit.after');
    disarm();
    const answer = await agent.send('POST', '/wallets', { headers: KEY });
    const { wallet } = granted(answer, 201);
    assert.equal(answer.headers['idempotent-replayed'], 'true');
    assert.deepEqual(granted(await agent.get('/wallets')).wallets, [wallet]);
});

test('after its day a key is free again', async () => {
    const agent = await register();
    const create = (json) => agent.send('POST', '/wallets', { headers: KEY, json });
    granted(await create({}), 201);
    await sql('UPDATE idempotency SET expires_at = UTC_TIMESTAMP(3)');
    assert.equal(granted(await create({ chain_type: 'evm' }), 201).wallet.chain_type, 'evm');
    assert.equal(granted(await agent.get('/wallets')).wallets.length, 2);
});
