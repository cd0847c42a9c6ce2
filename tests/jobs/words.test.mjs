// Section: jobs
// What the specification says of moments that pass quickly or never come by themselves: failures in an endpoint's own
// words, and swaps that the filters find while they are in progress.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Agent, granted, register, show, until } from '../api/lib.mjs';
import {
    arm, brokenExecute, disarm, onlySwap, processes, sql, trader, withoutBlocks, withoutJobs,
} from './lib.mjs';

const CHAIN = 'base';

afterEach(disarm);

/** The answer is a 500 in these words and tells nothing else. */
function broken(answer, error) {
    assert.deepEqual([answer.status, answer.body?.success, answer.body?.error, answer.body?.error_code], [500, false, error, 'INTERNAL_ERROR'], show(answer));
}

test('a wallet that cannot be made: Wallet creation failed', async () => {
    const agent = await register();
    const [[, signer]] = (await processes()).filter(([name]) => name === 'signer');
    process.kill(Number(signer), 'SIGSTOP');
    try {
        broken(await agent.send('POST', '/wallets', { mayBreak: true }), 'Wallet creation failed');
    } finally {
        process.kill(Number(signer), 'SIGCONT');
    }
    assert.deepEqual(granted(await agent.get('/wallets')).wallets, []);
    await until('wallets to be made again', async () => (await agent.send('POST', '/wallets', { mayBreak: true })).status === 201);
});

test('a key that cannot be replaced: Key rotation failed, and it stays good', async () => {
    const agent = await register();
    const uuid = agent.id.replaceAll('-', '');
    const hash = await sql(`SELECT HEX(key_hash) FROM agents WHERE uuid = x'${uuid}'`);
    assert.match(hash, /^[0-9A-F]{64}$/);
    await sql(`ALTER TABLE agents ADD CONSTRAINT key_stays CHECK (uuid <> x'${uuid}' OR key_hash = x'${hash}')`);
    try {
        broken(await agent.send('POST', '/keys/rotate', { mayBreak: true }), 'Key rotation failed');
        assert.equal(granted(await agent.get('/me')).agent.id, agent.id);
    } finally {
        await sql('ALTER TABLE agents DROP CONSTRAINT key_stays');
    }
    const fresh = new Agent(granted(await agent.send('POST', '/keys/rotate')).api_key);
    assert.equal(granted(await fresh.get('/me')).agent.id, agent.id);
});

/** Filtered by each status that means "in progress", the list has the swap under this one alone. */
async function foundUnder(agent, id, status) {
    for (const each of ['pending', 'submitted']) {
        const { swaps, pagination } = granted(await agent.get(`/swaps?status=${each}`));
        const wanted = each === status ? [id] : [];
        assert.deepEqual([swaps.map((swap) => swap.swap_id), pagination.total], [wanted, wanted.length], `${each} while ${status}`);
    }
}

test('a swap that no node has yet is pending, without a hash, and found as that', async () => {
    const agent = await trader(CHAIN);
    const quote = await agent.quote('ETH', 'USDC', '0.1', { chain: CHAIN });
    const id = await withoutJobs(async () => {
        arm('execute.commit.after', 'kill', 1);
        await brokenExecute(agent, quote);
        disarm();
        const swap = await onlySwap(agent);
        assert.deepEqual([swap.status, swap.tx_hash], ['pending', null]);
        await foundUnder(agent, swap.swap_id, 'pending');
        return swap.swap_id;
    });
    await agent.completed(id);
});

test('a swap that a node has and no block is submitted, and found as that', async () => {
    const agent = await trader(CHAIN);
    const quote = await agent.quote('ETH', 'USDC', '0.1', { chain: CHAIN });
    const id = await withoutBlocks(CHAIN, async () => {
        const { swap_id: accepted } = granted(await agent.execute(quote));
        await until('the node to take it', async () => (await agent.status(accepted)).status === 'submitted');
        await foundUnder(agent, accepted, 'submitted');
        return accepted;
    });
    await agent.completed(id);
});
