// Starts and stops the local chains; the only place that knows how the node is run.
//
//   node chain.mjs start CHAIN PORT STATEFILE PIDFILE LOGFILE
//   node chain.mjs stop PIDFILE

import { spawn } from 'node:child_process';
import {
    closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, renameSync, rmSync, statSync,
    writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { postJson } from './post.mjs';
import { chainNamed } from './world.mjs';

const HOST = '127.0.0.1';
const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 60_000;
const SLOTS_IN_AN_EPOCH = 4;

/** The node's own binary. Its npm wrapper would leave the node running when the wrapper is killed. */
export function nodeBinary() {
    const cpu = process.arch === 'x64' ? 'amd64' : process.arch;
    const require = createRequire(import.meta.url);
    return join(dirname(require.resolve(`@foundry-rs/anvil-${process.platform}-${cpu}/package.json`)), 'bin', 'anvil');
}

/** Options that the state was built for and that every start must repeat; README.md says why each one. */
export function nodeOptions(chainId, port) {
    return [
        '--quiet',
        '--no-cors',
        '--host', HOST,
        '--port', String(port),
        '--chain-id', String(chainId),
        '--hardfork', 'cancun',
        '--gas-limit', '30000000',
        '--slots-in-an-epoch', String(SLOTS_IN_AN_EPOCH),
    ];
}

/** Where a chain of the running stack answers: the stack's settings are in the environment. */
export function chainUrl(name) {
    return `http://${HOST}:${process.env[`SANDBOX_${name.toUpperCase()}_PORT`]}`;
}

/** One JSON-RPC call. Failures of the call throw an Error with `code` and `data`. */
export async function rpc(url, method, params = []) {
    const { result, error } = await postJson(url, { jsonrpc: '2.0', id: 1, method, params });
    if (error) throw Object.assign(new Error(`${method}: ${error.message}`), { code: error.code, data: error.data });
    return result;
}

/** Runs the node and returns { child, url } once it answers as the right chain. */
export async function launch(chainId, port, options, stdio, detached = false) {
    // Without this look a foreign node on the port would be taken for ours.
    if (await isListening(port)) throw new Error(`port ${port} is in use`);
    const child = spawn(nodeBinary(), [...nodeOptions(chainId, port), ...options], { stdio, detached });
    let failure = null;
    child.on('error', (error) => { failure = error; });
    child.on('exit', (code, signal) => { failure ??= new Error(`the node ended at once (${signal ?? code})`); });

    const url = `http://${HOST}:${port}`;
    const deadline = Date.now() + START_LIMIT_MS;
    while (Date.now() < deadline && !failure) {
        const answered = await rpc(url, 'eth_chainId').catch(() => null);
        if (answered !== null && !failure) {
            if (Number(answered) === chainId) return { child, url };
            failure = new Error(`port ${port} answers for chain ${Number(answered)}`);
        }
        await sleep(10);
    }
    child.kill('SIGKILL');
    throw failure ?? new Error(`no answer on port ${port} within ${START_LIMIT_MS} ms`);
}

function isListening(port) {
    return new Promise((resolve) => {
        const socket = connect(port, HOST);
        socket.on('connect', () => { socket.destroy(); resolve(true); });
        socket.on('error', () => resolve(false));
    });
}

/**
 * Takes over what the node dumped. It writes its dump in place, so the dump goes to a file of its own and replaces the
 * state only when it is whole; after a crash in the middle of a dump the older state is still there.
 */
function adoptDump(stateFile) {
    const dump = dumpFile(stateFile);
    if (!existsSync(dump)) return;
    // A state that is newer than the dump was put there by a reset: the dump belongs to the world before it.
    const isCurrent = !existsSync(stateFile) || statSync(dump).mtimeMs >= statSync(stateFile).mtimeMs;
    if (isCurrent && isWhole(dump)) renameSync(dump, stateFile);
    else rmSync(dump);
}

const dumpFile = (stateFile) => `${stateFile}.dump`;

function isWhole(file) {
    const end = '"historical_states":null}';
    const handle = openSync(file, 'r');
    try {
        const tail = Buffer.alloc(end.length + 1);
        const from = Math.max(0, fstatSync(handle).size - tail.length);
        return tail.toString('utf8', 0, readSync(handle, tail, 0, tail.length, from)).trimEnd().endsWith(end);
    } finally {
        closeSync(handle);
    }
}

async function start(chainName, port, stateFile, pidFile, logFile) {
    const { id } = chainNamed(chainName);
    adoptDump(stateFile);
    if (!existsSync(stateFile)) throw new Error(`${stateFile} is missing: make it with build-chain.mjs`);
    // Old states go to a folder of the chain's own, which the node does not clear when it ends.
    const cache = `${stateFile}.cache`;
    rmSync(cache, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    const log = openSync(logFile, 'a');
    const { child, url } = await launch(id, port, [
        '--block-time', String(Number(process.env.SANDBOX_BLOCK_MS ?? 1000) / 1000),
        ...(process.env.SANDBOX_MINING === 'mixed' ? ['--mixed-mining'] : []),
        '--load-state', stateFile,
        '--dump-state', dumpFile(stateFile),
        '--state-interval', '60',
        '--max-persisted-states', '32',
        '--cache-path', cache,
    ], ['ignore', log, log], true);
    writeFileSync(pidFile, `${child.pid}\n`);
    child.unref();
    // The state at blocks from before the start is gone, so questions about the "finalized" block would fail for the
    // first seconds. A few blocks with the time of the last one make that block new enough to be answered for.
    await rpc(url, 'anvil_mine', [`0x${(2 * SLOTS_IN_AN_EPOCH).toString(16)}`, '0x0']);
}

async function stop(pidFile) {
    if (!existsSync(pidFile)) return;
    const pid = Number(readFileSync(pidFile, 'utf8'));
    // A stale file may name a process that is not ours by now.
    if (!isNode(pid)) return rmSync(pidFile);
    process.kill(pid, 'SIGTERM');
    const deadline = Date.now() + STOP_LIMIT_MS;
    while (isNode(pid)) {
        if (Date.now() > deadline) throw new Error(`process ${pid} does not end`);
        await sleep(10);
    }
    rmSync(pidFile);
}

/**
 * Whether the process exists and is a chain node. One that only waits to be reaped does not count, unless it has
 * threads left: those may still hold the port.
 */
function isNode(pid) {
    if (!Number.isInteger(pid) || pid <= 1) return false;
    try {
        if (!existsSync('/proc/self/stat')) return process.kill(pid, 0);
        // pid (name) state ppid … with the number of threads as the 20th field
        const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'));
        const fields = rest.split(' ');
        const isGone = 'ZX'.includes(fields[0]) && Number(fields[17]) <= 1;
        return name === 'anvil' && !isGone;
    } catch {
        return false;
    }
}

async function main([command, ...rest]) {
    if (command === 'start' && rest.length === 5) return start(...rest);
    if (command === 'stop' && rest.length === 1) return stop(...rest);
    throw new Error('usage: chain.mjs start CHAIN PORT STATEFILE PIDFILE LOGFILE | stop PIDFILE');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
    main(process.argv.slice(2)).then(
        () => process.exit(0),
        (error) => { console.error(`chain.mjs: ${error.message}`); process.exit(1); },
    );
}
