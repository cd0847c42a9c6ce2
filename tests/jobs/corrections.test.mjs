// Section: jobs
// A failure that was settled wrongly is corrected: history, totals, what the policies count, the event, and what was told
// of it stays told. How nodes bring such a failure about is in tests/faults/troubles.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { granted, until, verified } from '../api/lib.mjs';
import { A2A } from '../api/a2a.mjs';
import { rpc } from '../api/chain.mjs';
import { hashes, heard, sql, trader } from './lib.mjs';

const CHAIN = 'base';
const WHY = 'The transaction was included and reverted';

/** The books as they are when a node has lied about the swap for long enough. Nothing was told of it. */
function failWrongly(id) {
    return sql('START TRANSACTION;'
        + ` UPDATE agents a JOIN executions s ON s.agent_id = a.id SET a.swaps_completed = a.swaps_completed - 1, a.swaps_failed = a.swaps_failed + 1 WHERE s.id = ${id};`
        + ` UPDATE transactions SET succeeded = 0 WHERE execution_id = ${id};`
        + ` INSERT INTO execution_history (execution_id, from_status, to_status, why, created_at) SELECT id, 3, 5, '${WHY}', updated_at FROM executions WHERE id = ${id};`
        + ' UPDATE executions SET status = 5, in_flight = 2, amount_out = NULL, error_code = \'SIMULATION_REVERTED\','
        + ` error_message = '${WHY}', due_at = UTC_TIMESTAMP(3) + INTERVAL 3 SECOND WHERE id = ${id}; COMMIT`);
}

test('a settled failure that the chain does not bear out is corrected, once', async () => {
    const agent = await trader(CHAIN);
    const a2a = new A2A(agent);
    const { quote_id } = await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN });
    const { id: taskId } = await a2a.call('execute_swap', { quote_id });
    const [{ parts: [{ data: { swap_id: id } }] }] = a2a.is(await a2a.ended(taskId), 'completed').artifacts;
    await rpc(CHAIN, 'anvil_mine', ['0x6', '0x0']);
    await until('the swap to be settled', async () => await sql(`SELECT in_flight FROM executions WHERE id = ${id}`) === '0');
    const before = await agent.status(id);
    const counted = async () => granted(await agent.get('/me')).agent.stats.total_swaps;
    assert.equal(await counted(), 1);

    await failWrongly(id);
    const told = a2a.is(await a2a.get(taskId), 'failed');
    assert.equal((await agent.status(id)).status, 'failed');
    assert.equal(await counted(), 0);

    await until('the correction', async () => (await agent.status(id)).status === 'completed');
    const after = await agent.completed(id);
    assert.equal(after.corrected, true);
    assert.deepEqual([after.to_amount, after.tx_hash, after.error_code, after.error_message], [before.to_amount, before.tx_hash, null, null]);
    assert.deepEqual(hashes(after), hashes(before));
    assert.equal(await counted(), 1);
    const { swaps, pagination } = granted(await agent.get('/swaps?status=completed'));
    assert.deepEqual([pagination.total, swaps[0].corrected], [1, true]);
    assert.equal(granted(await agent.get('/swaps?status=failed')).pagination.total, 0);
    assert.equal(await sql(`SELECT GROUP_CONCAT(from_status, to_status ORDER BY id DESC) FROM execution_history WHERE execution_id = ${id}`).then((all) => all.split(',')[0]), '54');
    assert.equal(await sql(`SELECT SUM(state = 3 AND succeeded = 1) FROM transactions WHERE execution_id = ${id}`), '1');

    await until('the second event', () => heard(agent, 'swap.completed', id).length === 2);
    const [first, second] = heard(agent, 'swap.completed', id).map((each) => verified(each, agent.secret).data);
    assert.deepEqual([first.corrected, second.corrected, second.status], [undefined, true, 'completed']);

    // What has ended stays as it was told, and its artifact knows better.
    const task = a2a.is(await a2a.get(taskId), 'failed');
    assert.deepEqual(task.status, told.status);
    assert.deepEqual([task.artifacts[0].parts[0].data.status, task.artifacts[0].parts[0].data.corrected], ['completed', true]);
    assert.match(task.artifacts[0].parts[1].text, /completed\. It was told as failed before$/);

    // That was the one more look.
    assert.equal(await sql(`SELECT in_flight FROM executions WHERE id = ${id}`), '0');
});

test('a failure that the chain bears out stays one, and is not looked at again', async () => {
    const agent = await trader(CHAIN);
    const id = await agent.swap('ETH', 'USDC', '0.01', { chain: CHAIN });
    await agent.completed(id);
    await rpc(CHAIN, 'anvil_mine', ['0x6', '0x0']);
    await until('the swap to be settled', async () => await sql(`SELECT in_flight FROM executions WHERE id = ${id}`) === '0');
    await failWrongly(id);
    // Its own transaction is now one that failed indeed, elsewhere.
    const reverted = await rpc(CHAIN, 'eth_sendTransaction', [{
        from: (await rpc(CHAIN, 'eth_accounts'))[0], to: '0x4752ba5dbc23f44d87826276bf6fd6b1c372ad24', data: '0x12345678', gas: '0x30d40',
    }]);
    await until('its block', () => rpc(CHAIN, 'eth_getTransactionReceipt', [reverted]));
    await sql(`UPDATE transactions SET hash = UNHEX('${reverted.slice(2)}') WHERE execution_id = ${id}`);
    await rpc(CHAIN, 'anvil_mine', ['0x6', '0x0']);
    await until('the look', async () => await sql(`SELECT in_flight FROM executions WHERE id = ${id}`) === '0');
    const swap = await agent.status(id);
    assert.deepEqual([swap.status, swap.corrected], ['failed', undefined]);
});
