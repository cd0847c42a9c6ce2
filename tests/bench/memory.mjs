// Memory of everything that serves: the proportional shares of all pages of web server, gateway and signer, and of the other
// sides' processes.

import { setTimeout as sleep } from 'node:timers/promises';
import { record } from './figures.mjs';
import { pss, tree } from './proc.mjs';
import { measureOnce } from './requests.mjs';

/** Of requests after the measured rounds, as they are mixed. */
const AFTER = { me: 140000, swaps: 40000, quote: 20000 };

/** After a second without work those of the gateway's workers have ended that are not needed. */
const REST_MS = 4000;

export function pssMB(side) {
    return tree(Object.values(side.pids)).reduce((sum, pid) => sum + pss(pid), 0) / 1024;
}

/** Memory before the load, of sides that have just been started: { name: MB }. */
export function idleMemory(sides) {
    return Object.fromEntries(sides.map((side) => [side.name, pssMB(side)]));
}

export async function measureMemory(stack, sides, idle, keys, connections) {
    const [gateway] = sides;
    await sleep(REST_MS);
    const warm = pssMB(gateway);
    for (const [name, requests] of Object.entries(AFTER)) {
        for (let done = 0; done < requests;) done += (await measureOnce(stack, gateway, name, keys, connections, 2)).requests;
    }
    await sleep(REST_MS);
    const loaded = Object.fromEntries(sides.map((side) => [side.name, pssMB(side)]));
    for (const [when, values] of Object.entries({ idle, loaded })) {
        for (const [name, mb] of Object.entries(values)) record(`memory.${when}.${name}`, mb, 'MB');
        if (values.peer) record(`memory.${when}.toPeer`, values.gateway / values.peer, 'ratio');
    }
    record('memory.growth', loaded.gateway / warm - 1, 'share');
    const shown = (values) => Object.entries(values).map(([name, mb]) => `${name} ${mb.toFixed(1)}`).join(', ');
    console.log(`Memory in MB of all processes: idle ${shown(idle)}; after the load ${shown(loaded)}; `
        + `the gateway after the rounds ${warm.toFixed(1)}, 200000 requests later ${loaded.gateway.toFixed(1)}\n`);
}
