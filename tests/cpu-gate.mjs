// Waits until the machine has room for another test file. Sections run next to each
// other, since most of what is tested waits for blocks, leases and clocks. Where more wants to run than the processors can,
// another file makes nothing faster: it only makes nodes, signer and providers late for the gateway, which then refuses.

import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { statOf } from './proc.mjs';

/** So many processes want to run at once, on average, before it is full. */
const FULL = 3 * availableParallelism();
const SAMPLES = 5, SAMPLE_MS = 100;
/** A section waits no longer than this, also on a full machine. */
const LONGEST_MS = 120_000;

/** Fields of statOf. */
const STATE = 0, NICE = 16;

function wantsToRun(pid) {
    const fields = statOf(pid);
    return fields[STATE] === 'R' && Number(fields[NICE]) <= 0;
}

const runningThreads = () => Number(/ (\d+)\//.exec(readFileSync('/proc/loadavg', 'utf8'))[1]) - 1; // but for this one

/** Processes of a low priority do not count, which takes a look at each process; few threads are few in any case. */
function wanting() {
    const threads = runningThreads();
    if (threads <= FULL) return threads;
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && wantsToRun(name)).length;
}

async function isFull() {
    let sum = 0;
    for (let i = 0; i < SAMPLES; i++) {
        sum += wanting();
        // Not all look at the same moments, nor go on at the same one.
        await pause(SAMPLE_MS * (0.5 + Math.random()));
    }
    return sum / SAMPLES > FULL;
}

export async function room() {
    const until = Date.now() + LONGEST_MS;
    while (Date.now() < until && await isFull());
}
