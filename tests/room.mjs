// Loaded before each test file (see node_tests in tests/run): waits until the machine has room for it. Sections run beside each
// other, since most of what is tested waits for blocks, leases and clocks. Where more wants to run than the processors can,
// another file makes nothing faster: it only makes nodes, signer and providers late for the gateway, which then refuses.

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** So many want to run at once, on average, before it is full: for each processor, who runs and who waits for it. */
const FULL = 3 * availableParallelism();
const SAMPLES = 5, SAMPLE_MS = 100;
/** A section gets on, whatever the others do. */
const LONGEST_MS = 900_000;

/** How many want to run just now, apart from this one. */
const wanting = () => Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[3].split('/')[0]) - 1;

async function isFull() {
    let sum = 0;
    for (let i = 0; i < SAMPLES; i++) {
        sum += wanting();
        // Not all look at the same moments, nor go on at the same one.
        await pause(SAMPLE_MS * (0.5 + Math.random()));
    }
    return sum / SAMPLES > FULL;
}

// The runner itself is no test, and what a test starts belongs to it.
if (process.env.NODE_TEST_CONTEXT !== undefined) {
    delete process.env.NODE_OPTIONS;
    const until = Date.now() + LONGEST_MS;
    while (Date.now() < until && await isFull());
}
