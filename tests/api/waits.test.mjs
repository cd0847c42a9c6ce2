// Section: api
// A chain whose node hangs: calls that need it wait, and no others do. Waiting calls are bounded for each chain and each
// agent; once it is clear that the node does not answer, no call waits for it any more.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startGateway } from './gateway.mjs';
import {
    API, granted, isBusy, refused, register, send, until,
} from './lib.mjs';

const WORKERS = 16;
// Places of a chain, and of an agent.
const HALF = WORKERS / 2;
const THIRD = Math.ceil(WORKERS / 3);
const WAITING = 120;
// The breaker's: failures in a row.
const FAILURES = 4;
// A call that makes no progress for that long waits for something that hangs, and no call queues for that long then.
const IN_TIME_MS = 300;
const STRAINED_MS = 10000;

/** The real node of `base`, as long as it is `awake`; else a node that takes questions and never answers. */
async function hangingNode() {
    const node = { awake: false, asked: 0, slowest: 0, held: new Set() };
    const server = createServer(async (request, response) => {
        const parts = [];
        for await (const part of request) parts.push(part);
        node.asked++;
        const begun = performance.now();
        if (!node.awake) {
            node.held.add(response);
            response.on('close', () => node.held.delete(response));
            return;
        }
        const answer = await fetch(process.env.BASE_CHAIN_URL, { method: 'POST', headers: { 'content-type': 'application/json' }, body: Buffer.concat(parts) });
        response.end(await answer.text());
        node.slowest = Math.max(node.slowest, performance.now() - begun);
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    server.unref();
    node.url = `http://127.0.0.1:${server.address().port}`;
    return node;
}

const node = await hangingNode();
const gateway = await startGateway([`workers = ${WORKERS}`, `rpc.base = ${node.url}`, 'tier.standard = 100000']);
after(() => gateway.stop());
const { base } = gateway;

const agents = await Promise.all(['one', 'two', 'three', 'four'].map((name) => register({ name })));
const at = (agent, method, path, json, more = {}) => send(method, API + path, { key: agent.key, json, base, mayBreak: true, patient: false, ...more });
const quote = (agent, chain, more) => at(agent, 'POST', '/quote', { from_token: 'ETH', to_token: 'USDC', amount: '0.01', chain }, more);

/** Those of both kinds, and the keeper. */
async function workers() {
    const children = (await readFile(`/proc/${gateway.pid}/task/${gateway.pid}/children`, 'utf8')).trim().split(' ').map(Number);
    const names = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')));
    return children.filter((_, i) => names[i].trim() === 'gateway');
}

/** Until the breaker admits another attempt. */
const recovered = () => until('the node to be asked again', async () => {
    node.awake = true;
    return (await quote(agents[0], 'base')).status === 200;
});

/** Calls in progress, of which it is known how many have ended. */
function begin(calls) {
    const group = { ended: [], all: [] };
    group.all = calls.map(async (call) => { group.ended.push(await call()); });
    return group;
}

/** A burst of quotes. On a machine that is too busy, the node is one that does not answer in time: then another burst, when that is forgotten. */
async function burst() {
    await recovered();
    for (let left = 3;; left--) {
        node.slowest = 0;
        const answers = await Promise.all(Array.from({ length: WORKERS }, () => quote(agents[0], 'base')));
        const bad = answers.filter(({ status }) => status !== 200).map(({ text }) => text);
        if (bad.length === 0 || node.slowest < IN_TIME_MS || left === 0) return bad;
        await pause(STRAINED_MS);
    }
}

test('a burst upon nodes that answer is no overload: it queues', async () => {
    assert.deepEqual(await burst(), []);
});

test(`with ${WAITING} quotes waiting for a node that hangs, calls that wait for no node are answered before them`, async () => {
    const group = await until('quotes that wait long enough to tell', async () => {
        await recovered();
        node.awake = false;
        const burst = begin(Array.from({ length: WAITING }, (_, i) => () => quote(agents[i % 3], 'base')));
        await until('questions at the node', () => node.held.size === HALF || burst.ended.length > WAITING - HALF);
        for (let i = 0; i < 5; i++) {
            granted(await at(agents[0], 'GET', '/me'));
            assert.equal((await send('GET', '/healthz', { base })).status, 200);
            granted(await at(agents[1], 'GET', '/swaps'));
        }
        // Those that found no place were told so, each naming the chain or the agent's own calls.
        await until('refusals', () => burst.ended.length >= WAITING - HALF);
        // Another chain has room too.
        granted(await quote(agents[3], 'ethereum'));
        if (node.held.size === HALF && burst.ended.length === WAITING - HALF) return burst;
        await Promise.all(burst.all); // the machine is busy: once more
        return false;
    });
    for (const answer of group.ended) {
        assert.ok(isBusy(refused(answer, 'Rate limit exceeded') && answer));
        assert.equal(answer.headers['retry-after'], '1');
    }
    await Promise.all(group.all);
    for (const answer of group.ended.slice(WAITING - HALF)) {
        assert.deepEqual([answer.status, answer.body.error, answer.body.error_code], [500, 'Internal server error', 'UPSTREAM_ERROR']);
        assert.match(answer.body.hint, /'base'/);
    }
});

test('an agent has a third of the places at most, whichever chains it asks', async () => {
    await recovered();
    node.awake = false;
    const group = begin(Array.from({ length: WORKERS }, () => () => quote(agents[0], 'base')));
    await until('questions at the node', () => node.held.size === THIRD);
    assert.ok(isBusy(await quote(agents[0], 'ethereum')));
    granted(await quote(agents[1], 'ethereum'));
    await Promise.all(group.all);
});

test('a node that failed again and again is not asked for a moment: the answer is there at once and names the chain', async () => {
    await recovered();
    node.awake = false;
    await Promise.all(Array.from({ length: FAILURES }, () => quote(agents[0], 'base')));
    const { asked } = node;
    for (const [method, path, json] of [
        ['POST', '/quote', { from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base' }],
        ['POST', '/swap', { wallet_address: '0x1111111111111111111111111111111111111111', from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base' }],
        ['POST', '/swap/simulate', { from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base' }],
        ['POST', '/execute', { command: 'quote 1 ETH to USDC on base' }],
    ]) {
        const answer = await at(agents[1], method, path, json);
        assert.deepEqual([answer.status, answer.body.error_code], [500, 'UPSTREAM_ERROR'], `${path}: ${answer.text}`);
        assert.match(answer.body.hint, /'base'/);
    }
    assert.equal(node.asked, asked, 'the node was asked all the same');
    await recovered();
    assert.ok(node.asked > asked);
});

test('a call about many chains is answered without the one that hangs, and names it', async () => {
    await recovered();
    const agent = await register({ name: 'on both chains' });
    const { wallet } = granted(await at(agent, 'POST', '/wallets', {}), 201);
    assert.ok(wallet.address);
    node.awake = false;
    assert.deepEqual(granted(await at(agent, 'GET', '/portfolio')).unavailable, ['base']);
    granted(await at(agent, 'GET', '/prices?symbols=ETH'));
});

test('every protocol passes the same gate', async () => {
    await recovered();
    node.awake = false;
    const key = agents[2];
    const group = begin(Array.from({ length: THIRD }, () => () => quote(key, 'base')));
    await until('questions at the node', () => node.held.size === THIRD);
    const call = { from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base' };
    const ask = async (path, method, params) => send('POST', path, {
        key: key.key, base, patient: false, json: { jsonrpc: '2.0', id: 1, method, params },
    });
    const [tool, message, sentence] = await Promise.all([
        ask('/mcp', 'tools/call', { name: 'get_quote', arguments: call }),
        ask('/a2a', 'SendMessage', { message: { messageId: 'busy', role: 'ROLE_USER', parts: [{ data: { operation: 'get_quote', arguments: call } }] } }),
        at(key, 'POST', '/execute', { command: 'quote 1 ETH to USDC on base' }),
    ]);
    for (const answer of [tool, message, sentence]) {
        assert.equal(answer.status, 429, answer.text);
        assert.equal(answer.headers['retry-after'], '1');
    }
    await Promise.all(group.all);
});

test('workers that are killed while they wait leave their places', async () => {
    await recovered();
    node.awake = false;
    const group = begin(Array.from({ length: THIRD }, () => () => quote(agents[0], 'base').catch(() => undefined)));
    await until('questions at the node', () => node.held.size === THIRD);
    assert.ok(isBusy(await quote(agents[0], 'ethereum')));
    for (const pid of await workers()) {
        try {
            process.kill(pid, 'SIGKILL');
        } catch {
            // It had nothing to do and has ended.
        }
    }
    await Promise.all(group.all);
    granted(await until('a place', async () => {
        const answer = await quote(agents[0], 'ethereum').catch(() => ({ status: 502 }));
        return answer.status === 200 && answer;
    }));
});
