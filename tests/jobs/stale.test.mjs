// Section: nodes
// What a chain said is good for a few seconds. An execute that is held up for longer asks again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nonceOf, rpc } from '../api/chain.mjs';
import { refused, until } from '../api/lib.mjs';
import {
    sql, trader, waiting, withoutBlocks,
} from './lib.mjs';

test('coins that were spent while an execute was held up are not spent again', async () => {
    const agent = await trader('base', 0.15);
    const [first, second] = [await agent.quote('ETH', 'USDC', '0.1', { chain: 'base' }), await agent.quote('ETH', 'USDC', '0.1', { chain: 'base' })];
    const wallet = `(SELECT id FROM wallets WHERE address = '${agent.address}')`;
    await withoutBlocks('base', async () => {
        const id = (await agent.execute(first)).body.swap_id;
        // The second one sees the balance as it is before the first one's block, then waits for the wallet.
        const held = sql(`START TRANSACTION; SELECT id FROM wallets WHERE address = '${agent.address}' FOR UPDATE; SELECT SLEEP(6); COMMIT`);
        await until('the wallet to be held', async () => /FOR UPDATE|SLEEP/.test(await sql('SHOW PROCESSLIST')));
        const answer = agent.execute(second);
        await waiting();
        await rpc('base', 'anvil_mine', ['0x8']);
        await until('the first to be settled', async () => (await sql(`SELECT state FROM transactions WHERE execution_id = ${id}`)) === '3');
        await held;
        refused(await answer, 'Insufficient balance');
    });
    assert.equal(await nonceOf('base', agent.address), 1);
    assert.equal(await sql(`SELECT COUNT(*) FROM executions WHERE wallet_id = ${wallet}`), '1');
});
