// Section: jobs
// Behind one URL stand several nodes, and the items of one batch tell of different states: what one of them spent is not
// spent again because another has not heard of it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startGateway } from '../api/gateway.mjs';
import { granted, refused, send, API } from '../api/lib.mjs';
import { give, rpc } from '../api/chain.mjs';
import { Node } from '../faults/node.mjs';
import { trader, withoutBlocks } from './lib.mjs';

const CHAIN = 'base';
const STATE = /^eth_(call|simulateV1|getBalance|getTransactionCount)$/;

let gateway;
let node;

before(async () => {
    node = new Node(process.env.BASE_CHAIN_URL);
    const { port } = await node.listen(0);
    gateway = await startGateway([`rpc.${CHAIN} = http://127.0.0.1:${port}`]);
});
after(async () => {
    await gateway?.stop();
    node.close();
});

async function ask(call) {
    const body = JSON.stringify(call);
    return (await fetch(process.env.BASE_CHAIN_URL, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json();
}

/** From now on what accounts and contracts have is told as of that block, while all else is new. */
function forget(block) {
    const tag = `0x${block.toString(16)}`;
    const old = (call) => ask({ ...call, params: call.params.map((each) => (each === 'latest' ? tag : each)) });
    node.misbehave({ answers: (call) => (STATE.test(call.method) ? old(call) : undefined) });
}

for (const [from, to, amount] of [['ETH', 'USDC', '1'], ['DAI', 'ETH', '100']]) {
    test(`${from} that are spent in a block are not there again because a balance is older`, async () => {
        const agent = await trader(CHAIN, 1.5);
        if (from !== 'ETH') await give(CHAIN, agent.address, from, amount);
        const quotes = [await agent.quote(from, to, amount, { chain: CHAIN }), await agent.quote(from, to, amount, { chain: CHAIN })];
        await withoutBlocks(CHAIN, async () => {
            await rpc(CHAIN, 'anvil_mine', ['0x2', '0x0']); // the funds are older than the block that is remembered
            const block = Number(await rpc(CHAIN, 'eth_blockNumber', []));
            const { swap_id: id } = granted(await agent.execute(quotes[0]));
            await rpc(CHAIN, 'anvil_mine', ['0x1', '0x0']);
            await agent.completed(id);
            forget(block);
            const json = { quote_id: quotes[1].quote_id };
            refused(await send('POST', `${API}/swap/execute`, { key: agent.key, json, base: gateway.base }), 'Insufficient balance');
        });
    });
}
