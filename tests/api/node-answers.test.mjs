// Section: api
// What the gateway makes of nodes that answer, but not to the question: in front of the chain's real node stands one that
// says what nodes and providers say when they are busy, behind, unpaid or of another chain.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Node } from '../faults/node.mjs';
import { LOST, REFUSALS, takes } from '../faults/wordings.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, registerUnlimited, send, show,
} from './lib.mjs';

const QUOTE = { from_token: 'ETH', to_token: 'USDC', amount: '1' };
const SWAP = { ...QUOTE, wallet_address: '0x1111111111111111111111111111111111111111' };

let gateway;
let agent;
let node;

/** `POST path` to the gateway behind the node in trouble, or to another one. */
const post = (path, json, mayBreak = false, { base } = gateway) => send('POST', API + path, { key: agent.key, json, base, mayBreak });

/** A gateway that knows nothing of the node yet, under these paths. */
const startFresh = (...paths) => startGateway([
    `rpc.ethereum = ${paths.map((path) => node.url + path).join(', ')}`,
    `rpc.base = ${node.url}/of-another-chain, ${process.env.BASE_CHAIN_URL}`,
]);

before(async () => {
    node = new Node(process.env.ETHEREUM_URL);
    const { port } = await node.listen(0);
    node.url = `http://127.0.0.1:${port}`;
    agent = await registerUnlimited();
    gateway = await startFresh('/first', '/second');
});
after(async () => {
    await gateway?.stop();
    node.close();
});
beforeEach(() => node.behave());

for (const [name, trouble] of Object.entries(LOST)) {
    test(`${name}: the next node is asked`, async () => {
        node.misbehave({ ...trouble, path: '/first' });
        granted(await post('/quote', QUOTE));
        granted(await post('/swap', SWAP));
    });

    test(`${name}, from every node: that is no lack of liquidity`, async () => {
        node.misbehave(trouble);
        for (const [path, json] of [['/quote', QUOTE], ['/swap', SWAP]]) {
            const answer = await post(path, json, true);
            assert.deepEqual([answer.status, answer.body.error_code], [500, 'UPSTREAM_ERROR'], show(answer));
        }
    });
}

for (const [name, refuse] of Object.entries(REFUSALS)) {
    test(`${name}: smaller ones are sent, by everybody and from the first on`, async () => {
        const fresh = await startFresh('/first'); // alone: while one is slow, another would be asked that has its limit to tell yet
        const sizes = [];
        node.misbehave(takes(2, refuse, sizes));
        granted(await post('/swap', SWAP, false, fresh));
        assert.ok(Math.max(...sizes) > 2, `a batch that is too large: ${sizes}`);
        sizes.length = 0;
        granted(await post('/swap', SWAP, false, fresh));
        await fresh.stop();
        assert.ok(sizes.length > 0 && Math.max(...sizes) <= 2, sizes.join());
    });
}

test('a node of another chain is never used', async () => {
    const asked = [];
    node.misbehave({ path: '/of-another-chain', refuses: ({ method }) => { asked.push(method); } });
    for (let i = 0; i < 3; i++) granted(await post('/quote', { ...QUOTE, chain: 'base' }));
    assert.deepEqual(asked, ['eth_chainId']);
});
