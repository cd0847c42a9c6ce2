// Section: nodes
// Swaps are followed until their block is final: as the node says, where the operator has not said what is deep enough.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { API, granted, send, until } from '../api/lib.mjs';
import { rpc } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    elapse, runJob, settings, sql, trader, withoutBlocks, withoutJobs,
} from './lib.mjs';

const CHAIN = 'base';
const FINAL_DEPTH = 8; // what the sandbox's nodes call final lies so far below their heads

/** The stack's settings, without its settle depth. */
async function withOwnDepths(during) {
    const { GATEWAY_CONF, GATEWAY_VAR } = settings();
    const conf = join(GATEWAY_VAR, 'finality.conf');
    writeFileSync(conf, `include ${GATEWAY_CONF}\nsettle_depth.${CHAIN} =\n`);
    try {
        return await during(conf);
    } finally {
        rmSync(conf);
    }
}

test('a swap is followed until the node calls its block final', async () => {
    const agent = await trader(CHAIN);
    const quote = await agent.quote('ETH', 'USDC', '0.1', { chain: CHAIN });
    await withoutJobs(() => withoutBlocks(CHAIN, () => withOwnDepths(async (conf) => {
        const { swap_id: id } = granted(await agent.execute(quote));
        const blocks = async (n) => {
            await rpc(CHAIN, 'anvil_mine', [`0x${n.toString(16)}`, '0x0']);
            await elapse(id, 60);
            await runJob('swap-poll', conf);
            return sql(`SELECT status, in_flight FROM executions WHERE id = ${id}`);
        };
        const [completed] = (await blocks(1)).split('\t');
        await agent.completed(id);
        assert.deepEqual((await blocks(FINAL_DEPTH - 1)).split('\t'), [completed, '1']);
        assert.deepEqual((await blocks(1)).split('\t'), [completed, '0']);
        assert.equal(await sql(`SELECT GROUP_CONCAT(DISTINCT state) FROM transactions WHERE execution_id = ${id}`), '3');
    })));
});

test('when blocks come faster than usual, the settle depth covers as much time', async () => {
    const agent = await trader('ethereum'); // whose blocks are made each second here, and each twelve elsewhere
    const gateway = await startGateway(['measure_block_times = yes', 'settle_depth.ethereum = 3']);
    try {
        const quote = { from_token: 'ETH', to_token: 'USDC', amount: '0.1' };
        await until('the time of a block to be measured', async () => {
            granted(await send('POST', `${API}/quote`, { key: agent.key, json: quote, base: gateway.base })); // a chain in use is looked at
            const { text } = await send('GET', '/metrics', { base: gateway.base });
            return Number(text.match(/^gateway_chain_block_seconds\{chain="ethereum"\} ([\d.]+)$/m)[1]) <= 1.5;
        }, { interval: 1000 });
        await withoutJobs(() => withoutBlocks('ethereum', async () => {
            const { swap_id: id } = granted(await agent.execute(await agent.quote('ETH', 'USDC', '0.1', { chain: 'ethereum' })));
            const blocks = async (n) => {
                await rpc('ethereum', 'anvil_mine', [`0x${n.toString(16)}`, '0x0']);
                await elapse(id, 60);
                await gateway.pass('swap-poll');
                return sql(`SELECT in_flight FROM executions WHERE id = ${id}`);
            };
            await blocks(1);
            await agent.completed(id);
            assert.equal(await blocks(14), '1'); // 1 + 2 * 12000 / 1500 = 17
            assert.equal(await blocks(70), '0'); // 81 where a node shows forty times as many
        }));
    } finally {
        await gateway.stop();
    }
});
