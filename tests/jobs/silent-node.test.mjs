// Section: nodes
// One of a chain's two nodes says nothing for a while, in the midst of swaps: the other one carries them all.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, granted } from '../api/lib.mjs';
import { nonceOf, rpc } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import { Node } from '../faults/node.mjs';
import { forgetEvents, hashes, quiet, trader, withoutJobs } from './lib.mjs';

const CHAIN = 'base';
const SWAPS = 12;
const BEFORE = 3; // of them are accepted before it
const SILENT_MS = 20_000;

const node = new Node(process.env.BASE_CHAIN_URL);
const { port } = await node.listen(0);
before(async () => {
    await forgetEvents();
    await quiet();
});
after(() => node.close());

/** With a job of its own, in place of the stack's. */
const start = () => startGateway([`rpc.base = http://127.0.0.1:${port}, ${process.env.BASE_CHAIN_URL}`], { jobs: ['swap-poll'] });

/** What the swap stored is on the chain, and nothing else of the wallet. */
async function endedOnce(agent, swapId) {
    const swap = await agent.completed(swapId);
    assert.equal(hashes(swap).length, 1);
    const { nonce, blockNumber } = await rpc(CHAIN, 'eth_getTransactionByHash', hashes(swap));
    assert.equal(Number(nonce), 0);
    assert.notEqual(blockNumber, null);
    for (const block of ['latest', 'pending']) assert.equal(await nonceOf(CHAIN, agent.address, block), 1);
    assert.equal(granted(await agent.get('/swaps')).pagination.total, 1);
}

/** Has one agent after the other swap, while the node falls silent and speaks again; the ids. */
async function stream(agents) {
    const ids = [];
    let questions = 0;
    let speaksAgain;
    for (const [i, agent] of agents.entries()) {
        const swap = agent.swap('ETH', 'DAI', '0.1', { chain: CHAIN });
        if (i === BEFORE) {
            node.misbehave({ hangs: () => { questions++; return true; } });
            speaksAgain = pause(SILENT_MS).then(() => node.behave());
        }
        ids.push(await swap);
    }
    await speaksAgain;
    assert.ok(questions > 0, 'the silent node was asked');
    return ids;
}

test('one of two nodes is silent for 20 s during a stream of swaps: every accepted one ends exactly once', async () => {
    const agents = await Promise.all(Array.from({ length: SWAPS }, () => trader(CHAIN)));
    await withoutJobs(async () => {
        const gateway = await start();
        try {
            const here = agents.map(({ key, id, address }) => Object.assign(new Agent(key, id), { base: gateway.base, address }));
            const ids = await stream(here);
            await Promise.all(here.map((agent, i) => endedOnce(agent, ids[i])));
        } finally {
            await gateway.stop();
        }
    });
});
