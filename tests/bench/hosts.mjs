// What more hosts and more nodes of the database bring: the same load, spread over one, two and three gateways, on one
// database and on a Galera cluster with a node for each of them.
//
// All of it shares this machine's cores, so the rates cannot grow. What counts is the processor time that a request takes of
// each part, the database's summed over its nodes, and whether the rate is what the cores allow: those that were left over by all
// programs but these. The capacity page computes from the one and checks itself by the other.

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fundedWallet, takeQuotes, withOneExchange } from './content.mjs';
import { record } from './figures.mjs';
import { wrk } from './load.mjs';
import { TICK, cpuMicros, tree } from './proc.mjs';
import { median, table } from './report.mjs';
import { ENDPOINTS } from './requests.mjs';
import { call, inParallel } from './stack.mjs';

const run = promisify(execFile);
const HOSTS = [1, 2, 3];
const AGENTS = 16;
const HISTORY = 20;
const EXECUTES = 12; // of each agent in a round
const WIDTH = 16;
const LINES = ['workers = 64'];

export async function measureHosts(stack, plan) {
    // The tests' tools look for the stack under test when they are loaded.
    Object.assign(process.env, stack.settings, { GATEWAY_URL: stack.base });
    const { startGateway } = await import('../api/gateway.mjs');
    const { startCluster } = await import('../cluster/cluster.mjs');
    const places = {
        one: (n, measureOn) => onStack(stack, startGateway, n, measureOn),
        galera: async (n, measureOn) => onCluster(stack, startGateway, await startCluster(n), measureOn),
    };
    for (const [place, withHosts] of Object.entries(places)) {
        const lines = [];
        for (const n of HOSTS) await withHosts(n, async (on) => { lines.push(...await measurePlace(stack, `hosts.${place}`, on, plan)); });
        const head = ['', 'hosts', 'req/s', 'web µs', 'service µs', 'database µs', 'node µs', 'load µs', 'cores left', 'bad'];
        console.log(`${table(place === 'one' ? 'Hosts on one database' : 'Hosts with a Galera node for each', [head, ...lines])}\n`);
    }
}

// ---- Hosts ----

async function onStack(stack, startGateway, n, measureOn) {
    const hosts = await startAll(HOSTS.slice(0, n).map(() => () => startGateway([...LINES, `hosts = ${n}`])));
    try {
        await measureOn({ hosts, databases: [stack.pids.mariadbd] });
    } finally {
        await Promise.all(hosts.map((host) => host.stop()));
    }
}

async function onCluster(stack, startGateway, cluster, measureOn) {
    const { nodes, directory } = cluster;
    const hosts = [];
    try {
        await migrate(stack, directory, nodes[0]);
        const jobs = ['swap-poll'];
        hosts.push(...await startAll(nodes.map(({ socket }) => () => startGateway([...LINES, `db_servers = ${socket}`, `hosts = ${nodes.length}`], { jobs }))));
        await measureOn({ hosts, databases: nodes.map((node) => node.process.pid) });
    } finally {
        await Promise.all(hosts.map((host) => host.stop()));
        await cluster.stop();
    }
}

/** One after the other: each looks for a free port. */
async function startAll(starts) {
    const hosts = [];
    for (const start of starts) hosts.push(await start());
    return hosts;
}

async function migrate(stack, directory, { socket }) {
    const file = join(directory, 'migrate.conf');
    writeFileSync(file, `include ${stack.root}/contrib/sandbox/gateway.conf\ndb_servers = ${socket}\n`);
    await run(join(stack.settings.GATEWAY_BIN, 'jobs', 'schema-migrate'), ['-c', file], { env: { ...process.env, ...stack.settings } });
}

// ---- Measuring ----

/** Lines for the table, one of each endpoint. */
async function measurePlace(stack, figure, on, plan) {
    const through = { ...stack, base: on.hosts[0].base };
    const keys = [];
    for (let i = 0; i < AGENTS; i++) {
        const key = (await on.hosts[0].agentctl('key', 'unlimited')).split('\n').at(-1);
        await fundedWallet(through, key);
        keys.push(key);
    }
    await executeAll(on.hosts, await quotesOf(through, keys.slice(0, 1), HISTORY));
    const lines = [];
    const spread = (name) => () => askAll(on.hosts, ENDPOINTS[name], keys, plan);
    await withOneExchange(stack, async () => {
        for (const name of ['me', 'swaps', 'quote']) lines.push(await measureRounds(stack, figure, name, on, plan, async () => spread(name)));
        lines.push(await measureRounds(stack, figure, 'execute', on, plan, async () => {
            const jobs = await quotesOf(through, keys, EXECUTES);
            return () => executeAll(on.hosts, jobs);
        }));
    });
    return lines;
}

const PARTS = ['web', 'service', 'database', 'node', 'load'];

/** `prepare` resolves to what is measured, which resolves to { requests, bad, load }, the load generator's microseconds. */
async function measureRounds(stack, figure, name, on, plan, prepare) {
    const rounds = [];
    for (let round = 0; round <= plan.rounds; round++) {
        const work = await prepare();
        const result = await measured(stack, on, work);
        if (round > 0) rounds.push(result); // the first warms
    }
    const n = on.hosts.length;
    const of = (what) => rounds.map((round) => round[what]);
    record(`${figure}.${name}.rate.${n}`, of('rate'), '/s');
    record(`${figure}.${name}.cores.${n}`, of('cores'), '');
    for (const part of PARTS) record(`${figure}.${name}.cpu.${part}.${n}`, of(part), 'µs');
    const bad = of('bad').reduce((sum, each) => sum + each, 0);
    if (bad > of('requests').reduce((sum, each) => sum + each, 0) / 100) throw new Error(`${name} on ${n} hosts: ${bad} answers were bad`);
    return [name, String(n), median(of('rate')).toFixed(0), ...PARTS.map((part) => median(of(part)).toFixed(0)), median(of('cores')).toFixed(2), String(bad)];
}

async function measured(stack, on, work) {
    const before = usage(stack, on);
    const { requests, bad, load } = await work();
    const after = usage(stack, on);
    const took = (what) => after[what] - before[what];
    const micros = took('at');
    const own = ['web', 'service', 'database', 'node'].reduce((sum, part) => sum + took(part), load);
    return {
        requests,
        bad,
        rate: requests * 1e6 / micros,
        cores: availableParallelism() - (took('machine') - own) / micros,
        load: load / requests,
        ...Object.fromEntries(PARTS.slice(0, -1).map((part) => [part, took(part) / requests])),
    };
}

/** Microseconds of processor time so far: of the parts, and of all programs of the machine; and the time. */
function usage(stack, { hosts, databases }) {
    return {
        web: cpuMicros(tree(hosts.map((host) => host.webPid))),
        service: cpuMicros(tree(hosts.map((host) => host.pid))),
        database: cpuMicros(databases),
        node: cpuMicros([stack.pids['anvil-ethereum']]),
        machine: machineMicros(),
        at: performance.now() * 1000,
    };
}

function machineMicros() {
    const [user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'latin1').split('\n')[0].split(/\s+/).slice(1).map(Number);
    return (user + nice + system + irq + softirq + steal) * TICK;
}

// ---- Load ----

/** Each host gets its share of the connections. */
async function askAll(hosts, endpoint, keys, { connections, seconds }) {
    const each = Math.floor(connections / hosts.length);
    const results = await Promise.all(hosts.map((host) => wrk(host, endpoint, endpoint.keys(keys), each, seconds)));
    const sum = (what) => results.reduce((total, result) => total + result[what], 0);
    return { requests: sum('requests'), bad: sum('bad'), load: sum('load') };
}

async function quotesOf(through, keys, each) {
    const quotes = await inParallel(2, keys, (key) => takeQuotes(through, key, each));
    return Array.from({ length: each }, (_, i) => keys.map((key, n) => ({ key, quote: quotes[n][i] }))).flat();
}

/** In turn on all hosts. */
async function executeAll(hosts, jobs) {
    const before = process.cpuUsage();
    const turns = jobs.map((job, i) => ({ ...job, base: hosts[i % hosts.length].base }));
    const answers = await inParallel(WIDTH, turns, ({ base, key, quote }) => call(base, '/swap/execute', key, JSON.stringify({ quote_id: quote })));
    const { user, system } = process.cpuUsage(before);
    const bad = answers.filter(({ status }) => status !== 200);
    if (bad.length > 0) console.log(`${bad.length} executes were refused: ${JSON.stringify(bad[0].body)}`);
    return { requests: jobs.length, bad: bad.length, load: user + system };
}
