// Section: nodes
// A node that takes transactions, answers with their hashes, and passes none on: the next one gets them.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { keccak256 } from 'ethers';
import { rpc } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import { Node } from '../faults/node.mjs';
import { hashes, trader, withoutJobs } from './lib.mjs';

const CHAIN = 'base';

const node = new Node(process.env.BASE_CHAIN_URL);
const { port } = await node.listen(0);
after(() => node.close());

test('the first of two nodes swallows what it is sent: the swap is carried out once, by the second one', () => withoutJobs(async () => {
    const gateway = await startGateway([`rpc.${CHAIN} = http://127.0.0.1:${port}, ${process.env.BASE_CHAIN_URL}`], { jobs: ['swap-poll'] });
    try {
        const agent = Object.assign(await trader(CHAIN), { base: gateway.base });
        let swallowed = 0;
        node.misbehave({
            pretends: ({ method, params: [raw] }) => {
                if (method !== 'eth_sendRawTransaction') return undefined;
                swallowed += 1;
                return keccak256(raw);
            },
        });
        const { swap_id: id } = await agent.execute(await agent.quote('ETH', 'USDC', '0.1', { chain: CHAIN })).then(({ body }) => body);
        const swap = await agent.completed(id);
        assert.ok(swallowed > 0);
        assert.equal(hashes(swap).length, 1);
        assert.equal(Number(await rpc(CHAIN, 'eth_getTransactionCount', [agent.address, 'latest'])), 1);
    } finally {
        node.behave();
        await gateway.stop();
    }
}));
