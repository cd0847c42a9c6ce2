// Loaded before each test file (see node_tests in tests/run), which it loads itself: a file that fails in its preparation ends
// there, and all processes that a file has started end with it. Otherwise the runner would wait for the output of both.

import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { room } from './room.mjs';

const MARK = 'GATEWAY_TEST_FILE'; // in the environment of all that a file starts
const OWN_PID = String(process.pid);
const OWN = `${MARK}=${randomUUID()}`; // a number of a process comes again
const GRACE_MS = 5000;
const LOOK_MS = 50;

const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function read(pid, file) {
    try {
        return readFileSync(`/proc/${pid}/${file}`, 'utf8');
    } catch {
        return ''; // it has ended, or is closed to this user
    }
}

const isAlive = (pid) => /^[^ZX]/.test(read(pid, 'stat').replace(/^.*\) /s, ''));

const parentOf = (pid) => read(pid, 'stat').replace(/^.*\) /s, '').split(' ')[1] ?? '0';

function isDescendant(pid) {
    let parent = parentOf(pid);
    while (parent > 1 && parent !== OWN_PID) parent = parentOf(parent);
    return parent === OWN_PID;
}

/**
 * What this file has started and not ended, but for the stack under test, which a test may have started anew. A process that is
 * not dumpable shows its environment to root alone.
 */
function leftovers() {
    const stack = `AGENT_GATEWAY_STACK=${process.env.GATEWAY_VAR}`;
    return readdirSync('/proc').filter((pid) => {
        if (!/^\d+$/.test(pid) || pid === OWN_PID || !isAlive(pid)) return false;
        const environment = read(pid, 'environ').split('\0');
        return isDescendant(pid) || (environment.includes(OWN) && !environment.includes(stack));
    });
}

function signal(pids, name) {
    for (const pid of pids) {
        try {
            process.kill(pid, name);
        } catch {
            // It has ended.
        }
    }
}

/** Those of a file that failed are named. */
function endLeftovers(status) {
    let left = leftovers();
    if (status !== 0) for (const pid of left) console.error(`left running: ${pid} ${read(pid, 'cmdline').replaceAll('\0', ' ')}`);
    signal(left, 'SIGTERM');
    for (const until = Date.now() + GRACE_MS; left.length > 0 && Date.now() < until; left = left.filter(isAlive)) sleep(LOOK_MS);
    signal(left, 'SIGKILL');
}

// The runner itself is no test.
if (process.env.NODE_TEST_CONTEXT !== undefined) {
    delete process.env.NODE_OPTIONS;
    process.env[MARK] = OWN.split('=')[1];
    process.once('exit', endLeftovers);
    await room();
    try {
        await import(pathToFileURL(process.argv[1]));
    } catch (error) {
        console.error(error);
        process.exit(1);
    }
}
