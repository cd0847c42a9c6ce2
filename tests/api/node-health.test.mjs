// Section: api
// A chain with several nodes, of which the first does not do well: it is asked last, or another one in parallel, and monitors
// are told by its place in the settings. A chain without any is degraded, a service without any not ready. Looks at nodes come
// every few seconds.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { Node } from '../faults/node.mjs';
import { rpc } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, ROOT, granted, readiness, registerUnlimited, send, stackSettings, until,
} from './lib.mjs';

const QUOTE = { from_token: 'ETH', to_token: 'USDC', amount: '0.1' };
const hex = (n) => `0x${n.toString(16)}`;

const agent = await registerUnlimited();
let first;
let second;
let gateway;

/** A node in front of the chain's real one; questions for prices are counted. */
async function node() {
    const each = new Node(process.env.ETHEREUM_URL);
    const { port } = await each.listen(0);
    each.url = `http://127.0.0.1:${port}/key-of-the-operator`;
    each.watch = (request, calls) => {
        const prices = calls.filter(({ method }) => method === 'eth_call');
        each.prices += prices.length;
        if (prices.length > 0) each.asked?.(request);
    };
    each.prices = 0;
    return each;
}

beforeEach(async () => {
    [first, second] = [await node(), await node()];
    await rpc('ethereum', 'anvil_mine', ['0xa']);
    await start();
});
afterEach(async () => {
    await gateway.stop();
    first.close();
    second.close();
});

async function start() {
    gateway = await startGateway([`rpc.ethereum = ${first.url}, ${second.url}`]);
    await asks(true, false);
}

/** Has a price asked for, of these of the two nodes: now and then a busy machine makes one so slow that the other is asked in parallel. */
function asks(...expected) {
    return until(`a price to be asked of ${expected}`, async () => {
        first.prices = second.prices = 0;
        granted(await send('POST', `${API}/quote`, { key: agent.key, json: QUOTE, base: gateway.base }));
        return (first.prices > 0) === expected[0] && (second.prices > 0) === expected[1];
    });
}

async function nodes() {
    const { status, body, text } = await readiness({ base: gateway.base });
    assert.equal(status, 200);
    assert.ok(!text.includes('key-of-the-operator'), text);
    return body.nodes;
}

/** Waits until the chain's nodes that do not do well are these, as [place, state]. */
function shown(...expected) {
    const wanted = JSON.stringify(expected.map(([place, state]) => ({ chain: 'ethereum', place, state })));
    return until(`/readyz to show ${wanted}`, async () => JSON.stringify(await nodes()) === wanted);
}

async function figures() {
    const { text } = await send('GET', '/metrics', { base: gateway.base });
    assert.ok(!text.includes('key-of-the-operator'), text);
    return text.match(/^gateway_node_ready\{.*$/mg);
}

test('a node that lags is asked last until it has caught up', async () => {
    assert.deepEqual(await nodes(), []);
    first.misbehave({ lag: () => 10 });
    await shown([1, 'behind']);
    assert.deepEqual(await figures(), ['gateway_node_ready{chain="ethereum",place="1"} 0', 'gateway_node_ready{chain="ethereum",place="2"} 1']);
    await asks(false, true);
    second.misbehave({ dead: () => true });
    await asks(true, true);
    second.behave();
    first.behave();
    await shown();
    await asks(true, false);
});

test('a node whose blocks are gone contradicts itself', async () => {
    // It had them, as far as looks can tell.
    await until('a look', async () => (await figures())?.length === 2);
    let ahead = 2000; // more than the chain gets on by meanwhile
    first.misbehave({ answers: ({ method, params }, answer) => moved(method, params, answer, ahead) });
    await shown([2, 'behind']);
    ahead = 0;
    await shown([1, 'contradicting']);
    await asks(false, true);
});

/** The newest block as if there were more before it. */
function moved(method, [block], answer, more) {
    if (method !== 'eth_getBlockByNumber' || block !== 'latest') return undefined;
    return { ...answer, result: { ...answer.result, number: hex(Number(answer.result.number) + more) } };
}

test('a node far ahead of all others is not believed', async () => {
    first.misbehave({ answers: ({ method, params }, answer) => moved(method, params, answer, 200_000) });
    await shown([1, 'contradicting']);
    await asks(false, true);
});

test('a node that hangs: the next one is asked in parallel, and then in its place', async () => {
    const beside = [];
    let waiting;
    first.asked = ({ socket }) => { waiting = socket; };
    // While the second node takes its time, the first one is still given its own.
    second.asked = () => setTimeout(() => beside.push(waiting !== undefined && !waiting.destroyed), 100);
    second.misbehave({ delays: () => 300 });
    first.misbehave({ hangs: () => true });
    await asks(true, true);
    assert.equal(beside[0], true);
    await shown([1, 'silent']);
    await asks(false, true);
    const { chains } = (await readiness({ base: gateway.base })).body;
    assert.equal(chains.find(({ chain }) => chain === 'ethereum').best_place, 2);
    const { text } = await send('GET', '/metrics', { base: gateway.base });
    for (const [place, each, up] of [[1, first, 0], [2, second, 1]]) {
        const name = `chain="ethereum",place="${place}",node="${new URL(each.url).origin}"`;
        assert.ok(text.includes(`gateway_node_up{${name}} ${up}\n`), `${name}: ${text.match(/^gateway_node_up.*$/mg)}`);
    }
    assert.match(text, /^gateway_node_head_age_seconds\{chain="ethereum",place="2",/m);
    assert.match(text, /^gateway_chain_head_age_seconds\{chain="ethereum"\} \d+$/m);
    assert.match(text, new RegExp(`^gateway_rpc_errors_total\\{chain="ethereum",node="${new URL(first.url).origin}"\\} [1-9]`, 'm'));
});

test('a node of another chain is named', async () => {
    await gateway.stop(); // which asks a node for its chain when it first looks at it
    second.misbehave({ answers: ({ method }, answer) => (method === 'eth_chainId' ? { ...answer, result: '0x63' } : undefined) });
    await start();
    await shown([2, 'other chain']);
    await asks(true, false);
});

/** { code, out } of gateway --check with the settings in that folder. */
async function checked(directory) {
    const stack = await stackSettings();
    return new Promise((resolve) => {
        execFile(join(stack.GATEWAY_BIN, 'fcgi', 'gateway'), ['-c', join(directory, 'gateway.conf'), '--check'], { env: { ...process.env, ...stack, GATEWAY_RUN: directory } }, (error, out) => resolve({ code: error?.code ?? 0, out }));
    });
}

/** A gateway with these nodes and no others. */
async function startWith(urls) {
    const chains = readFileSync(`${ROOT}contrib/sandbox/gateway.conf`, 'utf8').matchAll(/^rpc\.(\w+)/mg);
    gateway = await startGateway([...chains].map(([, chain]) => `rpc.${chain} = ${urls[chain] ?? ''}`));
}

const ask = (chain) => send('POST', `${API}/quote`, { key: agent.key, json: { ...QUOTE, chain }, base: gateway.base });

/** Waits until /readyz has this status, and lists these chains with their reasons. */
function degraded(status, expected) {
    return until(`/readyz to be ${status} with ${JSON.stringify(expected)}`, async () => {
        const answer = await readiness({ base: gateway.base });
        assert.ok(!answer.text.includes('key-of-the-operator'), answer.text);
        return answer.status === status && answer.body.checks.nodes === (status === 200)
            && JSON.stringify(answer.body.degraded.map(({ chain, reason }) => [chain, reason])) === JSON.stringify(expected);
    });
}

test('a chain without a node is degraded with its cause; a service without any is not ready', async () => {
    await gateway.stop();
    second.target = process.env.BASE_CHAIN_URL;
    await startWith({ ethereum: `${first.url}, http://nowhere.invalid/key-of-the-operator`, base: second.url });
    granted(await ask('ethereum'));
    await degraded(200, []);
    first.misbehave({ refusesAll: () => ({ status: 401, body: { error: 'no such key' } }) });
    await degraded(200, [['ethereum', 'node 1: HTTP 401: it wants a valid key; node 2: host not found']]);
    granted(await ask('base'));
    second.misbehave({ hangs: () => true });
    await degraded(503, [['ethereum', 'node 1: HTTP 401: it wants a valid key; node 2: host not found'], ['base', 'node 1: silent: no answer in time']]);
    const { text } = await send('GET', '/metrics', { base: gateway.base });
    assert.match(text, /^gateway_check\{part="nodes"\} 0$/m);
    assert.match(text, /^gateway_ready 0$/m);
    second.close();
    await degraded(503, [['ethereum', 'node 1: HTTP 401: it wants a valid key; node 2: host not found'], ['base', 'node 1: connection refused']]);
    first.behave();
    await degraded(200, [['base', 'node 1: connection refused']]);
});

/** Blocks of these nodes are dated so many seconds later. */
const shift = (seconds, ...nodes) => nodes.forEach((each) => each.misbehave({
    answers: ({ method }, answer) => (method === 'eth_getBlockByNumber' && answer.result?.timestamp
        ? { ...answer, result: { ...answer.result, timestamp: hex(Number(answer.result.timestamp) + seconds) } } : undefined),
}));

test('a clock that is off against all nodes is called so', async () => {
    await gateway.stop();
    second.target = process.env.BASE_CHAIN_URL;
    await startWith({ ethereum: first.url, base: second.url });
    const run = async (...args) => gateway.agentctl(...args).catch(({ stdout }) => stdout);
    const part = async (name) => JSON.parse(await run('--json', 'status')).parts.find((each) => each.name === name);
    const noted = async (words) => (await readiness({ base: gateway.base })).body.notes.some((note) => words.test(note));
    for (const [seconds, words] of [[-3600, /^this host's clock is 3[56]\d\d s ahead of all nodes$/], [3600, /^this host's clock is 3[56]\d\d s behind all nodes$/]]) {
        shift(seconds, first, second);
        granted(await ask('ethereum'));
        granted(await ask('base'));
        await until(`/readyz to note ${words}`, () => noted(words));
        const { ok, detail } = await part('clock');
        assert.equal(ok, false);
        assert.match(detail, words);
        assert.match(await run('check'), /^GATEWAY WARNING - .*clock: this host's clock is/);
        const { code, out } = await checked(gateway.directory);
        assert.equal(code, 1);
        assert.match(out, new RegExp(`^WRONG +clock +${words.source.slice(1, -1)}$`, 'm'));
    }
    // One node that agrees speaks for it.
    shift(0, second);
    shift(-3600, first);
    await until('the note to go', async () => !await noted(/clock/));
    assert.equal((await part('clock')).ok, true);
});

test('a trouble ends with the settings that it came from', async () => {
    await gateway.stop();
    first.close();
    await startWith({ ethereum: first.url });
    const troubles = async () => JSON.parse(await gateway.agentctl('--json', 'status')).troubles.filter(({ detail }) => detail.includes(new URL(first.url).host));
    await until('the node to be told of', async () => {
        await send('POST', `${API}/quote`, { key: agent.key, json: QUOTE, base: gateway.base, mayBreak: true });
        return (await troubles()).length > 0;
    });
    appendFileSync(join(gateway.directory, 'gateway.conf'), `rpc.ethereum = ${second.url}\n`);
    process.kill(gateway.pid, 'SIGHUP');
    await until('it to be over', async () => (await troubles()).length === 0);
    await until('a quote by the other node', async () => (
        (await send('POST', `${API}/quote`, { key: agent.key, json: QUOTE, base: gateway.base, mayBreak: true })).status === 200)); // the gateway may not have begun anew yet
    assert.deepEqual(await troubles(), []);
});
