// Section: jobs
// A thousand calls of fifty agents wait at once: what they cost, and what others notice of them.

import assert from 'node:assert/strict';
import { Agent as Connections, get } from 'node:http';
import { after, test } from 'node:test';
import { startGateway } from '../api/gateway.mjs';
import {
    API, granted, register, registerUnlimited, until,
} from '../api/lib.mjs';
import {
    begun, named, read, waitingCalls,
} from './gateways.mjs';
import { databasePid, signal, withoutBlocks } from './lib.mjs';

const CHAIN = 'base';
const AGENTS = 50;
const CALLS = 20;
const WAIT_S = 30;
const SAMPLES = 30;
const MB_MAX = 20;
const connections = new Connections({ keepAlive: true, maxSockets: Infinity });
const gateway = await startGateway(['workers = 8']);
await begun(gateway);

after(async () => {
    connections.destroy();
    await gateway.stop();
});

async function trader(agent) {
    agent.base = gateway.base;
    await agent.wallet(CHAIN, 5);
    return agent;
}

const quoted = (agent) => agent.quote('ETH', 'USDC', '0.001', { chain: CHAIN });

function waiting(agent, id, seconds = WAIT_S) {
    return new Promise((resolve, reject) => {
        const url = `${gateway.base}${API}/swap/status/${id}?wait=${seconds}`;
        get(url, { agent: connections, headers: { authorization: `Bearer ${agent.key}` } }, (answer) => {
            let text = '';
            answer.setEncoding('utf8').on('data', (part) => { text += part; }).on('end', () => resolve({ status: answer.statusCode, body: JSON.parse(text) }));
        }).on('error', reject);
    });
}

const parker = () => named(gateway.pid, 'gateway-parker')[0];
/** Its own memory, in MB: what it does not share with the others. */
function memory() {
    const kb = [...read(parker(), 'smaps_rollup').matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].map(([, each]) => Number(each));
    return kb.reduce((sum, each) => sum + each, 0) / 1024;
}

/** Milliseconds of the median and of the slowest. */
async function times(call) {
    const all = [];
    for (let i = 0; i < SAMPLES; i++) {
        const begins = performance.now();
        await call();
        all.push(performance.now() - begins);
    }
    all.sort((a, b) => a - b);
    return { median: all[SAMPLES >> 1], slowest: all.at(-1) };
}

async function measured(agent) {
    return {
        me: await times(() => agent.get('/me').then(granted)),
        quote: await times(() => quoted(agent)),
        execute: await times(async () => granted(await agent.execute(await quoted(agent)))),
    };
}

test('a thousand calls that wait cost less than twenty megabytes and no worker', async () => {
    const [other, beside] = [await trader(await registerUnlimited()), await trader(await registerUnlimited())];
    const agents = [];
    for (let i = 0; i < AGENTS; i++) agents.push(await trader(await register()));
    granted(await other.send('POST', '/swap/execute', { json: { quote_id: (await quoted(other)).quote_id, wait: WAIT_S } })); // it opens its connection to the database
    const before = memory();
    const {
        calls, alone, busy, full,
    } = await withoutBlocks(CHAIN, async () => {
        const first = await measured(other);
        const all = [];
        for (const agent of agents) {
            const { swap_id: id } = granted(await agent.execute(await quoted(agent)));
            for (let i = 0; i < CALLS; i++) all.push(waiting(agent, id));
        }
        await until('all to wait', async () => await waitingCalls(gateway) === AGENTS * CALLS);
        return {
            calls: all, alone: first, full: memory(), busy: await measured(beside),
        };
    });
    for (const { status, body } of await Promise.all(calls)) assert.deepEqual([status, body.success], [200, true], JSON.stringify(body));
    await until('no call to wait', async () => await waitingCalls(gateway) === 0);
    console.log(`${AGENTS * CALLS} calls wait: ${(full - before).toFixed(1)} MB; milliseconds alone and beside them:`);
    for (const what of Object.keys(alone)) console.log(`  ${what.padEnd(8)} median ${alone[what].median.toFixed(1)} ${busy[what].median.toFixed(1)}, slowest ${alone[what].slowest.toFixed(1)} ${busy[what].slowest.toFixed(1)}`);
    for (const what of Object.keys(alone)) {
        assert.ok(busy[what].median < 3 * alone[what].median + 20, `${what}: ${JSON.stringify([alone[what], busy[what]])}`);
    }
    assert.ok(full - before < MB_MAX, `${full - before} MB`);
});

test('where the database hangs, calls are answered soon after their time all the same', async () => {
    const wait = 6;
    const agents = [];
    for (let i = 0; i < 17; i++) agents.push(await trader(await register())); // with as many calls as three queries look at
    const database = await databasePid();
    await withoutBlocks(CHAIN, async () => {
        const ids = [];
        for (const agent of agents) ids.push(granted(await agent.execute(await quoted(agent))).swap_id);
        const calls = agents.flatMap((agent, n) => Array.from({ length: CALLS }, () => waiting(agent, ids[n], wait)));
        await until('all to wait', async () => await waitingCalls(gateway) === calls.length);
        const begins = Date.now();
        signal(database, 'SIGSTOP');
        const goesOn = setTimeout(() => signal(database, 'SIGCONT'), 60_000);
        try {
            for (const { status, body } of await Promise.all(calls)) assert.deepEqual([status, body.status], [200, 'submitted'], JSON.stringify(body));
            assert.ok(Date.now() - begins < 25_000, `${Date.now() - begins} ms`); // a worker that is asked has ten seconds
        } finally {
            clearTimeout(goesOn);
            signal(database, 'SIGCONT');
        }
    });
});
