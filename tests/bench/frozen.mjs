// How much longer what waits for nobody takes while every node hangs: the chains are stopped, 120 quotes wait for them all the
// time, and the p99 of /me and /healthz is set beside that of the idle service.

import { setTimeout as sleep } from 'node:timers/promises';
import { record } from './figures.mjs';
import { call } from './stack.mjs';

const WAITING = 120;
const SECONDS = 6;
const PAUSE_MS = 4;
const PATHS = { me: '/v1/agent/me', healthz: '/healthz' };
const CHAINS = ['ethereum', 'base'];

export async function measureFrozen(stack, keys) {
    const nodes = CHAINS.map((chain) => stack.pids[`anvil-${chain}`]);
    const idle = await inTurn(stack, keys[0]);
    let over = false;
    for (const node of nodes) process.kill(node, 'SIGSTOP');
    try {
        const quotes = Array.from({ length: WAITING }, (_, i) => quoteOnAndOn(stack, keys[i % keys.length], CHAINS[i % 2], () => over));
        await sleep(1000);
        const busy = await inTurn(stack, keys[0]);
        over = true;
        for (const node of nodes) process.kill(node, 'SIGCONT');
        await Promise.all(quotes);
        report(idle, busy);
    } finally {
        over = true;
        for (const node of nodes) process.kill(node, 'SIGCONT');
    }
}

function report(idle, busy) {
    for (const name of Object.keys(PATHS)) {
        record(`frozen.${name}.idle`, idle[name], 'ms');
        record(`frozen.${name}.busy`, busy[name], 'ms');
        record(`frozen.${name}.ratio`, busy[name] / idle[name], 'ratio');
        console.log(`All nodes frozen, ${WAITING} quotes waiting: p99 of ${PATHS[name]} ${busy[name].toFixed(1)} ms, idle ${idle[name].toFixed(1)} ms, `
            + `ratio ${(busy[name] / idle[name]).toFixed(2)}`);
    }
    console.log('');
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

/** A quote that is refused because too many wait is asked for again after a second, as its answer says. */
async function quoteOnAndOn(stack, key, chain, over) {
    while (!over()) {
        const { status } = await call(stack.base, '/quote', key, JSON.stringify({ from_token: 'ETH', to_token: 'USDC', amount: '1', chain }));
        if (status === 429) await sleep(1000);
    }
}
