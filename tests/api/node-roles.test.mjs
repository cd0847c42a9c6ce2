// Section: api
// Nodes that an operator sets apart: relays that transactions go to, and a second node that is asked for each price.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { AbiCoder } from 'ethers';
import { Node } from '../faults/node.mjs';
import { startGateway } from './gateway.mjs';
import { fund } from './chain.mjs';
import {
    API, granted, refused, registerUnlimited, send, show,
} from './lib.mjs';

const QUOTE = { from_token: 'ETH', to_token: 'USDC', amount: '0.1' };
const SENDS = 'eth_sendRawTransaction';

let node;
let url;
let agent;

before(async () => {
    node = new Node(process.env.ETHEREUM_URL);
    url = `http://127.0.0.1:${(await node.listen(0)).port}`;
    agent = await registerUnlimited();
    const { wallet } = granted(await agent.send('POST', '/wallets'), 201);
    await fund('ethereum', wallet.address, 10);
});
after(() => node.close());
beforeEach(() => node.behave());

/** Runs `during` with a gateway of these settings; the paths at which the node was asked to send. */
async function sending(lines, during, watch) {
    const paths = [];
    const gateway = await startGateway([`rpc.ethereum = ${url}/public`, ...lines]);
    const post = (path, json, mayBreak) => send('POST', API + path, { key: agent.key, json, base: gateway.base, mayBreak });
    node.watch = (request, calls) => {
        watch?.(request);
        if (calls.some(({ method }) => method === SENDS)) paths.push(request.url);
    };
    try {
        await during(post);
    } finally {
        node.watch = undefined;
        await gateway.stop();
    }
    return paths;
}

/** A swap on its way; its status. */
async function executed(post) {
    const { quote_id } = granted(await post('/quote', QUOTE));
    return granted(await post('/swap/execute', { quote_id })).status;
}

test('without relays, transactions go to the nodes that are read from', async () => {
    assert.deepEqual(await sending([], async (post) => assert.equal(await executed(post), 'submitted')), ['/public']);
});

test('with relays, transactions go to them alone', async () => {
    const paths = await sending([`send.ethereum = ${url}/dead, ${url}/relay`], async (post) => {
        node.misbehave({ path: '/dead', dead: () => true });
        assert.equal(await executed(post), 'submitted');
    });
    assert.deepEqual(paths, ['/relay']);
});

test('when the first relay hangs, the next one gets the transaction too', async () => {
    let hanging;
    let beside;
    const paths = await sending([`send.ethereum = ${url}/first, ${url}/second`, 'send_fallback = yes'], async (post) => {
        node.misbehave({ path: '/first', hangs: () => true });
        assert.equal(await executed(post), 'submitted');
    }, ({ url: path, socket }) => {
        if (path === '/first') hanging = socket;
        if (path === '/second') beside ??= hanging !== undefined && !hanging.destroyed;
    });
    assert.deepEqual([paths, beside], [['/second'], true]);
});

test('a relay that only takes transactions need not know its chain', async () => {
    const paths = await sending([`send.ethereum = ${url}/relay`], async (post) => {
        const unknown = { code: -32601, message: 'rpc method is not whitelisted' };
        node.misbehave({ path: '/relay', refuses: ({ method }) => (method === SENDS ? undefined : unknown) });
        assert.equal(await executed(post), 'submitted');
    });
    assert.deepEqual(paths, ['/relay']);
});

for (const [lines, status, expected] of [
    [[], 'pending', []],
    [['send_fallback = yes'], 'submitted', ['/public']],
]) {
    test(`relays that are gone, ${lines[0] ?? 'send_fallback = no'}`, async () => {
        const paths = await sending([`send.ethereum = ${url}/relay`, ...lines], async (post) => {
            node.misbehave({ path: '/relay', dead: () => true });
            assert.equal(await executed(post), status);
        });
        assert.deepEqual(paths, expected);
    });
}

// ---------------------------------------------------------------- prices

const RESULTS = ['tuple(bool, bytes)[]'];
const coder = AbiCoder.defaultAbiCoder();
const words = (hex) => hex.slice(2).match(/.{64}/g) ?? [];
const share = (word, percent) => (BigInt(`0x${word}`) * BigInt(percent) / 100n).toString(16).padStart(64, '0');

/** Of what the router (an array of amounts) and the quoter (the amount first) say. */
function lower(data, percent) {
    const all = words(data);
    if (all.length < 4) return data;
    const at = BigInt(`0x${all[0]}`) === 32n ? all.length - 1 : 0;
    all[at] = share(all[at], percent);
    return `0x${all.join('')}`;
}

/** A node that tells so many per cent of the true prices. */
const lies = (percent) => ({ method, params }, answer) => {
    if (method !== 'eth_call' || !params[0].data?.startsWith('0x82ad56cb')) return undefined;
    const [list] = coder.decode(RESULTS, answer.result);
    const told = list.map(([ok, data]) => [ok, ok ? lower(data, percent) : data]);
    return { ...answer, result: coder.encode(RESULTS, [told]) };
};

async function verified(lines, during) {
    await sending([`verify.ethereum = ${url}/second`, ...lines], during);
}

test('prices that a second node confirms', () => verified([], async (post) => {
    granted(await post('/quote', QUOTE));
    granted(await post('/quote', { ...QUOTE, from_token: 'USDC', to_token: 'WBTC', amount: '100' }));
    granted(await post('/quote', { ...QUOTE, to_token: 'WETH' }));
}));

test('prices that a second node contradicts', () => verified([], async (post) => {
    for (const [path, percent] of [['/public', 97], ['/public', 103], ['/second', 97], ['/second', 0]]) {
        node.misbehave({ path, answers: lies(percent) });
        refused(await post('/quote', QUOTE), 'Price could not be verified');
        refused(await post('/swap', { ...QUOTE, wallet_address: '0x1111111111111111111111111111111111111111' }), 'Price could not be verified');
    }
    node.behave();
    granted(await post('/quote', QUOTE));
}));

test('a pool that only the first node knows of', () => verified([], async (post) => {
    // All but the worst pool are hidden; a cache of good pools must not hold for the second node.
    node.misbehave({ path: '/public', answers: lies(50) });
    for (let i = 0; i < 3; i++) refused(await post('/quote', QUOTE), 'Price could not be verified');
}));

test('how much prices may differ is a setting', () => verified(['verify_divergence_max = 0.05'], async (post) => {
    node.misbehave({ path: '/second', answers: lies(96) });
    granted(await post('/quote', QUOTE));
    node.misbehave({ path: '/second', answers: lies(94) });
    refused(await post('/quote', QUOTE), 'Price could not be verified');
}));

test('a second node that is silent, or of another chain, confirms nothing', () => verified([], async (post) => {
    node.misbehave({ path: '/second', answers: ({ method }, answer) => (method === 'eth_chainId' ? { ...answer, result: '0x5' } : undefined) });
    const answer = await post('/quote', QUOTE, true);
    assert.deepEqual([answer.status, answer.body.error_code], [500, 'UPSTREAM_ERROR'], show(answer));
}));
