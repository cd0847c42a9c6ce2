// What the gateway makes of nodes that answer, but not to the question: in front of the chain's real node stands one that
// says what nodes and providers say when they are busy, behind, unpaid or of another chain.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Node } from '../faults/node.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, registerUnlimited, send, show,
} from './lib.mjs';

const QUOTE = { from_token: 'ETH', to_token: 'USDC', amount: '1' };
const SWAP = { ...QUOTE, wallet_address: '0x1111111111111111111111111111111111111111' };

const error = (code, message) => ({ jsonrpc: '2.0', id: null, error: { code, message } });
const each = (code, message) => ({ refuses: ({ method }) => (method === 'eth_chainId' ? undefined : { code, message }) });
const all = (code, message, status = 200) => ({ refusesAll: () => ({ status, body: error(code, message) }) });
const bare = (status) => ({ refusesAll: () => ({ status }) });

/** By a name, what the first node does. */
const TROUBLES = {
    'over rate limit (-32016)': each(-32016, 'over rate limit'),
    'request limit reached (-32007)': each(-32007, '50/second request limit reached - reduce calls per second'),
    'limit exceeded (-32005)': each(-32005, 'limit exceeded'),
    'header not found': each(-32000, 'header not found'),
    'missing trie node': each(-32000, 'missing trie node 0a1b (path ) state 0x0c is not available, not found'),
    'unknown block (-39001)': each(-39001, 'Unknown block'),
    'pruned history unavailable (4444)': each(4444, 'pruned history unavailable'),
    'no state available (-32002)': each(-32002, 'No state available for block 0x0a'),
    'block not found: latest (-32001)': each(-32001, 'block not found: latest'),
    'temporary internal error (19, 500)': all(19, 'Temporary internal error. Please retry', 500),
    'daily request count exceeded (429)': all(-32005, 'daily request count exceeded, request rate limited', 429),
    'payment required (402)': all(-32005, 'Insufficient balance, payment required', 402),
    'forbidden (403)': all(-32000, 'access denied', 403),
    'an empty 402': bare(402),
    'an empty 403': bare(403),
    'an empty 429': bare(429),
    'an empty 503': bare(503),
    'a call that runs out of the gas that this node grants': { refuses: ({ method }) => (method === 'eth_call' ? 'out of gas' : undefined) },
};

let gateway;
let agent;
let node;

/** `POST path` to the gateway behind the node in trouble. */
const post = (path, json, mayBreak = false) => send('POST', API + path, { key: agent.key, json, base: gateway.base, mayBreak });

before(async () => {
    node = new Node(process.env.ETHEREUM_URL);
    const { port } = await node.listen(0);
    agent = await registerUnlimited();
    gateway = await startGateway([
        `rpc.ethereum = http://127.0.0.1:${port}/first, http://127.0.0.1:${port}/second`,
        `rpc.base = http://127.0.0.1:${port}/of-another-chain, ${process.env.BASE_CHAIN_URL}`,
    ]);
});
after(async () => {
    await gateway?.stop();
    node.close();
});
beforeEach(() => node.behave());

for (const [name, trouble] of Object.entries(TROUBLES)) {
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

/** A node that takes so many items at once, and says so as `refuse` does. */
const takes = (max, refuse) => {
    const sizes = [];
    const trouble = {
        refusesAll: (calls) => {
            sizes.push(calls.length);
            return calls.length > max ? refuse(calls) : undefined;
        },
    };
    return { sizes, trouble };
};
const REFUSALS = {
    'batch too large, as its first item': (calls) => ({ body: [{ ...error(-32600, 'batch too large'), id: calls[0].id }] }),
    'a batch limit, for all items': () => ({ body: error(-32000, 'batch limit 10 exceeded (can increase by --rpc.batch.limit). Requested batch of size: 11') }),
    'a batch limit, for each item, under 500': (calls) => ({ status: 500, body: calls.map(({ id }) => ({ ...error(31, 'Batch of more than 3 requests are not allowed on free tier'), id })) }),
    'an empty 413': () => ({ status: 413 }),
};

for (const [name, refuse] of Object.entries(REFUSALS)) {
    test(`${name}: smaller ones are sent, by everybody and from the first on`, async () => {
        const { sizes, trouble } = takes(2, refuse);
        node.misbehave(trouble);
        granted(await post('/swap', SWAP));
        sizes.length = 0;
        granted(await post('/swap', SWAP));
        assert.ok(sizes.length > 2 && Math.max(...sizes) <= 2, sizes.join());
    });
}

test('a node of another chain is never used', async () => {
    const asked = [];
    node.misbehave({ path: '/of-another-chain', refuses: ({ method }) => { asked.push(method); } });
    for (let i = 0; i < 3; i++) granted(await post('/quote', { ...QUOTE, chain: 'base' }));
    assert.deepEqual(asked, ['eth_chainId']);
});
