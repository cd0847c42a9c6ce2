// One measurement: requests of one endpoint against one side, and what they cost everywhere.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cpuMicros, tree } from './proc.mjs';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('load.lua', import.meta.url));

/** What the database server counts, by the names of the report. */
const COUNTERS = {
    Questions: 'queries',
    Com_stmt_prepare: 'prepares',
    Rows_read: 'rows',
    Connections: 'connections',
};

/**
 * A side is { base, web, responders }, the latter two being processes whose descendants count too. Answers
 * per second, and costs per request: CPU of the side, of the database server and of the chain's node, and
 * the database's counters. Null when there was no answer at all.
 */
export async function measure(stack, side, endpoint, keys, connections, seconds) {
    const before = await snapshot(stack, side);
    const { stdout } = await run('wrk', [
        '-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', SCRIPT,
        `${side.base}/v1/agent${endpoint.path}`,
    ], {
        env: {
            ...process.env,
            BENCH_METHOD: endpoint.body ? 'POST' : 'GET',
            BENCH_BODY: endpoint.body ?? '',
            BENCH_ID: endpoint.id ?? '',
            BENCH_KEYS: keys.join(' '),
        },
    });
    const after = await snapshot(stack, side);
    const result = JSON.parse(stdout.trim().split('\n').at(-1));
    if (result.requests === 0) return null;
    const costs = Object.fromEntries(
        Object.keys(after).map((name) => [name, (after[name] - before[name]) / result.requests]));
    return { ...result, rate: result.requests / result.seconds, ...costs };
}

async function snapshot(stack, side) {
    const names = Object.keys(COUNTERS).map((name) => `'${name}'`);
    const rows = await stack.sql(`SHOW GLOBAL STATUS WHERE Variable_name IN (${names})`);
    return {
        webCpu: cpuMicros(tree([side.web])),
        responderCpu: cpuMicros(tree([side.responders])),
        dbCpu: cpuMicros([stack.pids.mariadbd]),
        nodeCpu: cpuMicros([stack.pids['anvil-ethereum']]),
        ...Object.fromEntries(rows.map(([name, value]) => [COUNTERS[name], Number(value)])),
    };
}
