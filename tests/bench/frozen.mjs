// How much longer calls take that wait for no node, while every node hangs: the chains are stopped, 120 quotes wait for them all
// the time, and the p99 of /me and /healthz is compared with that of the idle service.

import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { record } from './figures.mjs';
import { median } from './report.mjs';

const QUOTES = fileURLToPath(new URL('quotes.mjs', import.meta.url));
const WAITING = 120;
const ROUNDS = 3;
const SECONDS = 4;
const PAUSE_MS = 4;
const PATHS = { me: '/v1/agent/me', healthz: '/healthz' };

export async function measureFrozen(stack, keys) {
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
        const idle = await inTurn(stack, keys[0]);
        rounds.push({ idle, busy: await whileFrozen(stack, keys, () => inTurn(stack, keys[0])) });
    }
    for (const [name, path] of Object.entries(PATHS)) {
        const ratios = rounds.map(({ idle, busy }) => busy[name] / idle[name]);
        for (const when of ['idle', 'busy']) record(`frozen.${name}.${when}`, rounds.map((round) => round[when][name]), 'ms');
        record(`frozen.${name}.ratio`, ratios, 'ratio');
        console.log(`All nodes frozen, ${WAITING} quotes waiting: p99 of ${path} ${median(ratios).toFixed(2)} times that of the idle service `
            + `(${rounds.map(({ idle, busy }) => `${busy[name].toFixed(1)} / ${idle[name].toFixed(1)} ms`).join(', ')})`);
    }
    console.log('');
}

async function whileFrozen(stack, keys, during) {
    const nodes = ['anvil-ethereum', 'anvil-base'].map((name) => stack.pids[name]);
    const quotes = fork(QUOTES, [stack.base, WAITING]);
    for (const node of nodes) process.kill(node, 'SIGSTOP');
    try {
        quotes.send(keys);
        await sleep(1500);
        return await during();
    } finally {
        quotes.disconnect();
        for (const node of nodes) process.kill(node, 'SIGCONT');
        await sleep(1500); // what waits gets its answer
    }
}

/** The p99 of each path, asked one after another. */
async function inTurn(stack, key) {
    const times = Object.fromEntries(Object.keys(PATHS).map((name) => [name, []]));
    for (const end = Date.now() + SECONDS * 1000; Date.now() < end;) {
        for (const [name, path] of Object.entries(PATHS)) {
            const begun = performance.now();
            const response = await fetch(`${stack.base}${path}`, { headers: { authorization: `Bearer ${key}` } });
            await response.arrayBuffer();
            if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
            times[name].push(performance.now() - begun);
            await sleep(PAUSE_MS);
        }
    }
    const p99 = (list) => list.sort((a, b) => a - b)[Math.floor(list.length * 0.99)];
    return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, p99(list)]));
}
