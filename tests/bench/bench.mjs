// bench.mjs ROOT BUILD: called by `run`, which has the settings.
//
// The method. Three sides answer the same endpoints in turn: the gateway behind the operator's web server configuration; an
// ideal, the least program that can answer (ideal.c) behind lighttpd; and a peer, what an operator would otherwise put there
// (peer/server.mjs). All use the same database server, and so the same durability, the same node, the same agents and history.
// Each is warmed; then each is measured in each round, the rounds beginning with another side in turn. A figure is the median of
// the rounds, with the least and the greatest. A ratio is taken within a round, between neighbours in time, before the
// median: absolute numbers on a shared machine move by a factor of two, ratios of a round by about a tenth. NOISE=1
// puts a second ideal in the gateway's place and shows by how much here.
//
// The traps.
//   The load comes from the same machine: wrk takes a part of a core from the side that is measured, more the faster that is.
//   wrk is a closed loop: each connection asks when it was answered, so a slow side is asked less, and its p99 says nothing
//   about arrivals that do not wait. Executes at a constant rate (executes.mjs) are measured from when they were due.
//   Counts (queries, rows, CPU per request) hardly depend on what else runs; judge by them first, then by rates.
//   What the database counts is counted for the whole server: jobs add a few hundredths to each request.
//   A quote asks a node. Uniswap V3 is priced by running its pools, which costs the node several times as much as all else
//   together and would level all sides: its prices are taken away while the sides are compared, and the gateway's
//   quotes of both exchanges are measured apart (market).
//   The peer counts each request in a row, as such services do; the gateway and the ideal count in shared memory.
//   PEER_COUNTS=batched shows what that is worth.
//   Workers that wait for others end when they are idle for a second: what needs them is asked for a second before each
//   measurement, so that none begins with starting them.
//   The gateway answers with more members than the specification names, which the others do not: see `bytes`.
//   A build with sanitizers is several times slower: refused.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { measureBig } from './big.mjs';
import { measureBridges } from './bridges.mjs';
import { measureCapacity } from './capacity.mjs';
import { makeContent, withOneExchange } from './content.mjs';
import { measureDrain } from './drain.mjs';
import {
    measureAggregator, measureExecutes, measureLending, measureSolanaExecutes,
} from './executes.mjs';
import { measureFanout } from './fanout.mjs';
import {
    asText, joined, judged, partOf, summary,
} from './figures.mjs';
import { measureFrozen } from './frozen.mjs';
import { measureHosts } from './hosts.mjs';
import { measureCalls, measureOrderReading } from './judge.mjs';
import { measureLooks, measurePerpsLooks } from './looks.mjs';
import { idleMemory, measureMemory } from './memory.mjs';
import { measureOrders, measurePerpsOrders } from './orders.mjs';
import { makePerps } from './perps.mjs';
import { measurePoll } from './poll.mjs';
import { reportGoals } from './report.mjs';
import { ENDPOINT_NAMES, measureEndpoint } from './requests.mjs';
import { startIdeal, startPeer } from './sides.mjs';
import { measureSigner } from './signer.mjs';
import { measureSolana } from './solana.mjs';
import { progress } from '../progress.mjs';
import { startStack } from './stack.mjs';
import { measureRestart, measureStart } from './start.mjs';

const [ROOT, BUILD] = process.argv.slice(2);
const setting = (name, otherwise) => process.env[name] || otherwise;
const NOISE = setting('NOISE', '') !== '';
const PLAN = { rounds: Number(setting('ROUNDS', 5)), seconds: Number(setting('DUR', 3)), connections: Number(setting('C', 32)) };
const AGENTS = Number(setting('AGENTS', 32));
const HISTORY = 60;
const IDEAL_PROCESSES = Number(setting('IDEAL_PROCESSES', 8));
const LOAD_BEFORE = Number(loadavg()[0].toFixed(1));
const RESULTS = setting('RESULTS', `${ROOT}/var/bench.json`);

/** What concerns the gateway alone or brings its own comparison, in this order. */
const OTHERS = {
    memory: ({ stack, sides, idle, keys }) => measureMemory(stack, sides, idle, keys, PLAN.connections),
    execute: ({ stack, sides }) => measureExecutes(stack, sides[0]),
    'lend.execute': ({ stack, sides }) => measureLending(stack, sides[0]),
    place: ({ stack }) => measureOrders(stack),
    'perps.place': ({ stack }) => measurePerpsOrders(stack),
    'perps.look': ({ stack }) => measurePerpsLooks(stack),
    frozen: ({ stack, keys }) => measureFrozen(stack, keys),
    signer: () => measureSigner(setting('GATEWAY_BIN', ROOT), `${ROOT}/build/release/peek`),
    drain: ({ stack }) => measureDrain(stack, `${BUILD}/ideal_drain`),
    poll: ({ stack }) => measurePoll(stack, `${BUILD}/ideal_poll`),
    look: ({ stack }) => measureLooks(stack),
    big: ({ stack }) => measureBig(stack),
    capacity: ({ stack, sides, keys }) => measureCapacity(stack, sides[0], keys, PLAN),
    start: ({ stack }) => measureStart(stack),
    restart: ({ stack }) => measureRestart(stack),
    fanout: async ({ stack, sides, ideal, keys }) => {
        await measureCalls(ROOT, `${BUILD}/judge`);
        await measureFanout(stack, sides[0], ideal, `${BUILD}/replay`, keys, PLAN);
        await measureAggregator(stack, sides[0], `${BUILD}/replay`);
        await measureBridges(stack);
    },
    solana: async ({ stack, sides, ideal, keys }) => {
        await measureOrderReading(ROOT, `${BUILD}/judge`);
        await measureSolana(stack, sides[0], ideal, `${BUILD}/replay`, keys, PLAN);
        await measureSolanaExecutes(stack, sides[0]);
    },
    hosts: ({ stack }) => measureHosts(stack, PLAN),
};
const ON_REQUEST = ['hosts'];
const WANTED = setting('ENDPOINTS', undefined)?.split(',');
/** What has a part in common is asked for by that. */
const isWanted = (name) => (WANTED ? WANTED.includes(partOf(name)) : !ON_REQUEST.includes(name));

const failures = [];
const cleanups = [];
let interrupted = 0;

/** What was started is ended with the run; at once, if the run is being ended already. */
async function started(thing) {
    cleanups.push(thing.stop);
    if (!interrupted) return thing;
    await cleanUp();
    throw new Error('interrupted');
}

async function main() {
    checkBuild();
    progress('stages', [...ENDPOINT_NAMES, ...Object.keys(OTHERS)].filter(isWanted).length);
    const stack = await started(await startStack(ROOT));
    const gateway = { name: 'gateway', base: stack.base, get pids() { return { web: stack.pids.lighttpd, service: stack.pids.gateway }; } };
    const idle = idleMemory([gateway]);
    const content = await makeContent(stack, AGENTS, HISTORY);
    const keys = content.agents.map((agent) => agent.key);
    if (isWanted('perps')) Object.assign(content, await makePerps(stack, keys[0]));
    const ideal = (name, calls) => startIdeal(stack, `${BUILD}/ideal`, IDEAL_PROCESSES, content, name, calls);
    const sides = NOISE ? [await started(await ideal('another'))] : [gateway];
    sides.push(await started(await ideal('ideal')), await started(await startPeer(stack, content)));
    Object.assign(idle, idleMemory(sides.slice(1)));

    console.log(`${PLAN.rounds} rounds of ${PLAN.seconds} s each in turn, ${PLAN.connections} connections, ${AGENTS} agents; load before `
        + `${LOAD_BEFORE}\n`);
    for (const name of ENDPOINT_NAMES.filter(isWanted)) {
        await stage(name, () => measureOne(name, stack, sides, keys));
    }
    if (NOISE) return;
    for (const [name, measure] of Object.entries(OTHERS).filter(([each]) => isWanted(each))) {
        await stage(name, () => measure({ stack, sides, ideal, idle, keys }));
    }
}

async function stage(name, work) {
    progress('begin', name);
    await attempt(name, work);
    progress('end', name);
}

function measureOne(name, stack, sides, keys) {
    if (name === 'market') return measureEndpoint(stack, sides.slice(0, 1), name, keys, PLAN);
    return withOneExchange(stack, () => measureEndpoint(stack, sides, name, keys, PLAN));
}

/** Sanitizers make everything several times slower. */
function checkBuild() {
    const program = `${setting('GATEWAY_BIN', ROOT)}/fcgi/gateway`;
    if (readFileSync(program).includes('__asan_init')) throw new Error(`${program} is built with sanitizers`);
}

/** A measurement that fails is named at the end, and the rest goes on. */
async function attempt(what, work) {
    try {
        return await work();
    } catch (error) {
        failures.push(`${what}: ${error.message}`);
        return undefined;
    }
}

/** The figures for programs, the goals for people. */
function conclude() {
    const settings = { ...PLAN, agents: AGENTS, idealProcesses: IDEAL_PROCESSES, loadBefore: LOAD_BEFORE };
    const results = summary(ROOT, settings);
    const before = existsSync(RESULTS) && !NOISE ? JSON.parse(readFileSync(RESULTS, 'utf8')) : undefined;
    writeFileSync(RESULTS, asText(before ? joined(before, results, 'ENDPOINTS' in process.env) : results));
    console.log(`${reportGoals(judged())}\n\nAll figures: ${RESULTS}`);
}

// ---- Start and end ----

/** Ends what was started, last first. */
async function cleanUp() {
    while (cleanups.length > 0) await cleanups.pop()();
}

let ending;

// What is being measured then fails, which is how the run comes to its end.
for (const [signal, status] of [['SIGINT', 130], ['SIGTERM', 143]]) {
    process.on(signal, () => {
        interrupted = status;
        ending ??= cleanUp().catch(() => {});
    });
}

await attempt('the run', main);
await ending;
await attempt('the end', cleanUp);
if (interrupted) process.exit(interrupted);
progress('over');
await attempt('the results', conclude);
for (const failure of failures) console.error(`Not measured: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
