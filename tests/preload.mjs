// Loaded before each test file (see node_tests in tests/run), which it loads itself: a file that fails in its preparation ends
// there, and all processes that a file has started end with it. Otherwise the runner would wait for the output of both. What a file
// has cost goes to the file that COSTS names, and a file that failed next to a sound stack to the one that SOUND names.

import { randomUUID } from 'node:crypto';
import { appendFileSync, readdirSync } from 'node:fs';
import module from 'node:module';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { read, statOf } from './proc.mjs';
import { room } from './cpu-gate.mjs';
import { isSound, stackAt } from './second-look.mjs';

const MARK = 'GATEWAY_TEST_FILE'; // in the environment of all that a file starts
const OWN_PID = String(process.pid);
const OWN = `${MARK}=${randomUUID()}`; // a number of a process comes again
const GRACE_MS = 5000;
const LOOK_MS = 50;

const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Fields of statOf. */
const STATE = 0, PARENT = 1, SESSION = 3, MINOR_FAULTS = 7, CHILDRENS_MINOR_FAULTS = 8, TIMES = [11, 12, 13, 14];

const isAlive = (pid) => /^[^ZX]/.test(statOf(pid)[STATE]);

const parentOf = (pid) => statOf(pid)[PARENT] ?? '0';

/** Tells a process below this one, having read each parent once. */
function descent() {
    const parents = new Map();
    const above = (pid) => {
        if (!parents.has(pid)) parents.set(pid, parentOf(pid));
        return parents.get(pid);
    };
    return (pid) => {
        let parent = above(pid);
        while (parent > 1 && parent !== OWN_PID) parent = above(parent);
        return parent === OWN_PID;
    };
}

/**
 * What this file has started and not ended, but for the stack under test, which a test may have started anew. A process that is
 * not dumpable shows its environment to root alone.
 */
function leftovers() {
    const stack = `AGENT_GATEWAY_STACK=${process.env.GATEWAY_VAR}`;
    const isDescendant = descent();
    return readdirSync('/proc').filter((pid) => {
        if (!/^\d+$/.test(pid) || pid === OWN_PID || !isAlive(pid)) return false;
        if (isDescendant(pid)) return true;
        const environment = read(pid, 'environ').split('\0');
        return environment.includes(OWN) && !environment.includes(stack);
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

// ---------------------------------------------------------------- what it loads

/**
 * As CommonJS these load in half the time, and each file of tests loads them, with what it takes from the sandbox once more. Other
 * packages get the versions that they ask for.
 */
function loadQuicker(...libraries) {
    const { resolve } = module.createRequire(import.meta.url);
    const urls = new Map(libraries.map((name) => [name, pathToFileURL(resolve(name)).href]));
    module.registerHooks?.({ // older ones load as they do
        resolve: (name, context, next) => (urls.has(name) && !context.parentURL?.includes('/node_modules/')
            ? { url: urls.get(name), format: 'commonjs', shortCircuit: true } : next(name, context)),
    });
}

// ---------------------------------------------------------------- what it costs

const TICKS_PER_S = 100;

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);
const timeOf = (stat) => sum(TIMES.map((field) => Number(stat[field] ?? 0))) / TICKS_PER_S;

/** Processor seconds of the stack under test so far, but for what was lost with a parent. */
function stackTime(stack) {
    const leaders = new Set(stack.processes.split('\n').map((line) => line.split(' ')[1]));
    const stats = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid)).map(statOf);
    return sum(stats.filter((stat) => leaders.has(stat[SESSION])).map(timeOf));
}

/** Seconds in which this file neither ran nor waited for a processor; zero where the kernel does not count them. */
function idleTime() {
    const [ran, delayed] = read('self', 'schedstat').split(' ').map(Number);
    return delayed === undefined ? 0 : process.uptime() - (ran + delayed) / 1e9;
}

/**
 * A line: file, seconds, processor seconds of the tests and what they started, its part of the stack's meanwhile, seconds of
 * waiting for anything but a processor, and page faults.
 */
function noteCost(file, stack, before) {
    const own = statOf('self');
    const faults = Number(own[MINOR_FAULTS]) + Number(own[CHILDRENS_MINOR_FAULTS]);
    const stackPart = Math.max(0, stackTime(stack) - before) / Number(process.env.FILES_AT_ONCE ?? 1);
    const figures = [process.uptime(), timeOf(own), stackPart, idleTime()].map((each) => each.toFixed(1));
    appendFileSync(process.env.COSTS, `${[file, ...figures, faults].join('\t')}\n`);
}

const addresses = () => [process.env.GATEWAY_URL && `${process.env.GATEWAY_URL}/healthz`, process.env.ETHEREUM_URL, process.env.BASE_CHAIN_URL].filter(Boolean);

// The runner itself is no test.
if (process.env.NODE_TEST_CONTEXT !== undefined) {
    delete process.env.NODE_OPTIONS;
    process.env[MARK] = OWN.split('=')[1];
    process.once('exit', endLeftovers);
    await room();
    loadQuicker('ethers', '@solana/web3.js');
    const stack = stackAt(process.env.GATEWAY_VAR), before = stackTime(stack);
    process.once('exit', (status) => {
        if (process.env.COSTS) noteCost(basename(process.argv[1]), stack, before);
        if (status !== 0 && process.env.SOUND && isSound(stack, addresses())) appendFileSync(process.env.SOUND, `${process.argv[1]}\n`);
    });
    try {
        await import(pathToFileURL(process.argv[1]));
    } catch (error) {
        console.error(error);
        process.exit(1);
    }
}
