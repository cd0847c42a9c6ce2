// Section: api
// How a swap is tried before it is signed, by what the chain's node has: eth_simulateV1, else state overrides, else an
// estimate.

import assert from 'node:assert/strict';
import {
    after, before, beforeEach, test,
} from 'node:test';
import { Node } from '../faults/node.mjs';
import { fund, give } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, refused, registerUnlimited, send, until,
} from './lib.mjs';

const chain = 'ethereum';
const COIN = { from_token: 'ETH', to_token: 'USDC', amount: '0.01' };
const TOKEN = { from_token: 'USDT', to_token: 'ETH', amount: '10' };

const hasOverride = ({ method, params }) => method === 'eth_call' && params.length > 2;
const isTrial = (call) => call.method === 'eth_simulateV1' || call.method === 'eth_estimateGas'
    || (hasOverride(call) && call.params[0].from !== undefined);
const lacks = {
    simulate: ({ method }) => (method === 'eth_simulateV1' ? { code: -32601, message: 'the method eth_simulateV1 does not exist/is not available' } : undefined),
    override: (call) => (hasOverride(call) ? { code: -32602, message: 'too many arguments, want at most 2' } : undefined),
};

let node;
let agent;
let address;

before(async () => {
    node = new Node(process.env.ETHEREUM_URL);
    node.url = `http://127.0.0.1:${(await node.listen(0)).port}`;
    agent = await registerUnlimited();
    address = granted(await agent.send('POST', '/wallets'), 201).wallet.address;
    await fund(chain, address, 10);
    await give(chain, address, 'USDT', 1000);
});
after(() => node.close());
beforeEach(() => node.behave());

/** With a gateway behind a node that answers so; `ways` are how it was tried. */
async function behind(refuses, during) {
    const ways = [];
    const gateway = await startGateway([`rpc.${chain} = ${node.url}`]);
    const post = (path, json) => send('POST', API + path, { key: agent.key, json, base: gateway.base });
    node.watch = (_, calls) => { ways.push(...calls.filter(isTrial).map(({ method }) => method)); };
    node.misbehave({ refuses });
    try {
        await during(post, ways);
    } finally {
        node.watch = undefined;
        await gateway.stop();
    }
}

async function completes(post, trade) {
    const { quote_id } = granted(await post('/quote', trade));
    const { swap_id } = granted(await post('/swap/execute', { quote_id }));
    await until('the swap to complete', async () => granted(await agent.get(`/swap/status/${swap_id}`)).status === 'completed');
}

for (const [name, refuses, first, then] of [
    ['eth_simulateV1', undefined, ['eth_simulateV1'], ['eth_simulateV1']],
    ['state overrides', lacks.simulate, ['eth_simulateV1', 'eth_call'], ['eth_call']],
    ['an estimate', (call) => lacks.simulate(call) ?? lacks.override(call), ['eth_simulateV1', 'eth_call', 'eth_estimateGas'], ['eth_estimateGas']],
]) {
    test(`a node that has ${name}`, () => behind(refuses, async (post, ways) => {
        await completes(post, COIN);
        // The price was asked first, and showed already whether there are overrides.
        assert.deepEqual(ways, name === 'an estimate' ? [first[0], first[2]] : first);
        ways.length = 0;
        await completes(post, TOKEN);
        assert.deepEqual(ways, then);
        const rehearsal = granted(await post('/swap/simulate', { ...COIN, wallet_address: address }));
        const check = rehearsal.checks.find(({ name: of }) => of === 'eth_call_revert_check');
        assert.deepEqual([rehearsal.would_execute, check.status], [true, name === 'an estimate' ? 'warn' : 'pass'], JSON.stringify(check));
    }));
}

for (const [name, refuses] of [['eth_simulateV1', undefined], ['state overrides', lacks.simulate]]) {
    test(`a swap that would revert is detected by ${name}`, () => behind(refuses, async (post) => {
        const { quote_id } = granted(await post('/quote', { ...TOKEN, amount: '100000' }));
        refused(await post('/swap/execute', { quote_id }), 'Insufficient balance');
        const { checks } = granted(await post('/swap/simulate', { ...TOKEN, amount: '100000', wallet_address: address }));
        assert.equal(checks.find(({ name: of }) => of === 'eth_call_revert_check').status, 'fail');
    }));
}

test('a simulation whose arithmetic fails is run again, since it may have been at the time of another block', () => behind(undefined, async (post, ways) => {
    const panics = (code, times) => {
        const data = `0x4e487b71${code.toString(16).padStart(64, '0')}`;
        let left = times;
        const fail = (call) => ({ ...call, status: '0x0', returnData: data, error: { code: 3, message: 'execution reverted', data } });
        node.misbehave({
            answers({ method }, answer) {
                if (method !== 'eth_simulateV1' || left-- <= 0) return undefined;
                const [block] = answer.result;
                return { ...answer, result: [{ ...block, calls: block.calls.map((call, i) => (i === 1 ? fail(call) : call)) }] };
            },
        });
    };
    // An execution is tried a second time by itself, which is another simulation.
    for (const [code, times, status, trials] of [[0x11, 3, 200, 4], [0x11, 6, 400, 6], [0x01, 2, 400, 2]]) {
        const { quote_id } = granted(await post('/quote', COIN));
        panics(code, times);
        ways.length = 0;
        const answer = await post('/swap/execute', { quote_id });
        assert.deepEqual([answer.status, ways.length], [status, trials], `panic ${code}, ${times} times: ${answer.text}`);
    }
}));
