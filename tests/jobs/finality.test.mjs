// Section: jobs
// Swaps are followed until their block is final: as the node says, where the operator has not said what is deep enough.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { granted } from '../api/lib.mjs';
import { rpc } from '../api/chain.mjs';
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
