// One measurement: requests of one endpoint against one side, and what they cost everywhere.

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cpuMicros, tree } from './proc.mjs';

const run = promisify(execFile);
const SCRIPT = fileURLToPath(new URL('load.lua', import.meta.url));

/** What the database server counts, by the names of the figures. */
const COUNTERS = {
    Questions: 'queries',
    Com_stmt_prepare: 'prepares',
    Rows_read: 'rows',
};

/** What a request costs, with its units. */
export const COSTS = {
    cpu: 'µs', 'cpu.web': 'µs', 'cpu.service': 'µs', 'cpu.database': 'µs', 'cpu.node': 'µs', queries: 'queries', rows: 'rows', prepares: 'prepares',
};

/**
 * Requests per second (rate), milliseconds (p50, p99), bad answers, and for each request: bytes of the answer, CPU in
 * microseconds of the side's web server, its service, the database server, the chain's node and all of these, of the load
 * generator too, and what the database counted. An endpoint is { path, body, refused }: with `refused`, every answer has to be an error. Null when there was no
 * answer at all.
 */
export async function measure(stack, side, endpoint, keys, connections, seconds) {
    const before = await snapshot(stack, side);
    const { load, ...result } = await wrk(side, endpoint, keys, connections, seconds);
    const after = await snapshot(stack, side);
    const { requests, seconds: took, bytes } = result;
    if (requests === 0) return null;
    return {
        ...result, rate: requests / took, bytes: bytes / requests, 'cpu.load': load / requests, ...costs(before, after, requests),
    };
}

/** The load alone: { requests, bad, seconds, bytes, p50, p99, load }, `load` being the generator's own microseconds. */
export async function wrk({ base }, endpoint, keys, connections, seconds) {
    const { stdout } = await run('sh', [
        '-c', 'wrk "$@" && times', 'wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', SCRIPT, `${base}/v1/agent${endpoint.path}`,
    ], {
        env: {
            ...process.env,
            BENCH_METHOD: endpoint.body ? 'POST' : 'GET',
            BENCH_BODY: endpoint.body ?? '',
            BENCH_KEYS: keys.join(' '),
        },
    });
    const [result, , children] = stdout.trim().split('\n').slice(-3);
    const { refused, broken, ...counted } = JSON.parse(result);
    const bad = broken + (endpoint.refused ? counted.requests - refused : refused);
    return { ...counted, bad, load: timesMicros(children) };
}

/** A line of the shell's times: user and system time, as in 0m1.50s 0m0.25s. */
export function timesMicros(line) {
    return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1e6, 0);
}

/** What one of `requests` took between two snapshots. */
export function costs(before, after, requests) {
    return Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] - before[name]) / requests]));
}

export async function snapshot(stack, { pids }) {
    const names = Object.keys(COUNTERS).map((name) => `'${name}'`);
    const rows = await stack.sql(`SHOW GLOBAL STATUS WHERE Variable_name IN (${names})`);
    const cpu = {
        'cpu.web': pids.web ? cpuMicros(tree([pids.web])) : 0,
        'cpu.service': cpuMicros(tree([pids.service])),
        'cpu.database': cpuMicros([stack.pids.mariadbd]),
        'cpu.node': cpuMicros([stack.pids['anvil-ethereum']]),
    };
    return {
        cpu: Object.values(cpu).reduce((sum, micros) => sum + micros),
        ...cpu,
        ...Object.fromEntries(rows.map(([name, value]) => [COUNTERS[name], Number(value)])),
    };
}
