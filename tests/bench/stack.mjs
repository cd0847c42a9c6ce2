// The stack under measurement, in a directory of its own and on free ports, and calls of its API.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Starts an empty stack with the gateway of `root`, in place of one that an earlier run left. */
export async function startStack(root) {
    const [port, ethereum, base, polygon, solana, upstream] = await freePorts(6);
    const env = {
        ...process.env,
        GATEWAY_VAR: `${root}/var/bench`,
        GATEWAY_PORT: port,
        GATEWAY_WEB: 'lighttpd',
        SANDBOX_CHAINS: 'polygon solana',
        SANDBOX_ETHEREUM_PORT: ethereum,
        SANDBOX_BASE_PORT: base,
        SANDBOX_POLYGON_PORT: polygon,
        SANDBOX_SOLANA_PORT: solana,
        SANDBOX_UPSTREAM_PORT: upstream,
    };
    const command = async (...args) => (await run(`${root}/contrib/sandbox/stack`, args, { env })).stdout.trim();
    await command('down');
    rmSync(env.GATEWAY_VAR, { recursive: true, force: true });
    mkdirSync(env.GATEWAY_VAR, { recursive: true });
    env.SANDBOX_CONF = `${env.GATEWAY_VAR}/bench.conf`;
    writeSettings(root, env.SANDBOX_CONF, '');
    await command('up');
    const settings = readSettings(await command('env'));
    const stack = {
        root,
        settings,
        base: `http://127.0.0.1:${port}`,
        node: `http://127.0.0.1:${ethereum}`,
        command,
        reconfigure: (lines) => reconfigure(stack, env.SANDBOX_CONF, lines),
        findPids: async () => { stack.pids = firstPids(await command('status')); },
        schema: 'gateway',
        withoutJobs: (during) => withoutJobs(command, during),
        newKey: async () => (await command('key', 'unlimited')).split('\n').at(-1),
        sql: (text, ...options) => sql(settings.GATEWAY_DB_SOCKET, text, options),
        stop: () => command('down'),
    };
    await stack.findPids();
    return stack;
}

/** The sandbox's settings, but for services that are asked for routes too, and these lines after them. */
function writeSettings(root, path, lines) {
    const alone = `${root}/tests/no-aggregators.conf`; // which older trees have not
    const settings = [`${root}/contrib/sandbox/gateway.conf`, alone].filter((file) => existsSync(file));
    writeFileSync(path, `${settings.map((file) => `include ${file}\n`).join('')}${lines}`);
}

/** Restarts the gateway with these settings after its own. */
async function reconfigure(stack, path, lines) {
    writeSettings(stack.root, path, lines);
    await stack.command('restart');
    await stack.findPids();
}

/** Runs `during` while the stack's jobs rest: none is running, and cron starts none. */
async function withoutJobs(command, during) {
    const pidsOf = async (names) => [...(await command('status')).matchAll(/^(\S+) (\d+)$/gm)]
        .filter(([, name]) => names.includes(name)).map(([, , pid]) => Number(pid));
    const [cron] = await pidsOf(['cron']);
    process.kill(cron, 'SIGSTOP');
    try {
        const jobs = () => pidsOf(['swap-poll', 'order-poll', 'webhook-drain']);
        for (const pid of await jobs()) process.kill(pid, 'SIGTERM');
        await eventually('the jobs have ended', 20, async () => (await jobs()).length === 0);
        return await during();
    } finally {
        process.kill(cron, 'SIGCONT');
    }
}

/** Ports that nothing listens on at the moment. */
export async function freePorts(n) {
    const servers = Array.from({ length: n }, () => createServer().listen(0, '127.0.0.1'));
    await Promise.all(servers.map((server) => once(server, 'listening')));
    const ports = servers.map((server) => server.address().port);
    for (const server of servers) server.close();
    return ports;
}

/** NAME='value' lines. */
function readSettings(text) {
    return Object.fromEntries([...text.matchAll(/^(\w+)='(.*)'$/gm)].map(([, name, value]) => [name, value]));
}

/** The pid of each name in `name pid` lines; of several the first, which is the parent. */
function firstPids(text) {
    const pids = {};
    for (const [, name, pid] of text.matchAll(/^(\S+) (\d+)$/gm)) pids[name] ??= Number(pid);
    return pids;
}

/** Runs statements as the database's administrator; rows of text columns come back. */
async function sql(socket, text, options) {
    const client = spawn('mariadb', [
        '--no-defaults', `--socket=${socket}`, '--user=root', '--batch', '--skip-column-names', ...options,
    ], { stdio: ['pipe', 'pipe', 'pipe'] });
    let out = '';
    let err = '';
    client.stdout.on('data', (data) => { out += data; });
    client.stderr.on('data', (data) => { err += data; });
    client.stdin.on('error', () => {}); // its exit status says more
    client.stdin.end(text);
    const [code] = await once(client, 'close');
    if (code !== 0) throw new Error(`the database refused: ${err.trim()}`);
    return out.trim().split('\n').map((line) => line.split('\t'));
}

const kept = new Agent({ keepAlive: true });

/** One call of the API: { status, body }. Without a body the method is GET. fetch would take three times the processor. */
export async function call(base, path, key, body, method = body === undefined ? 'GET' : 'POST') {
    const headers = { 'content-length': Buffer.byteLength(body ?? '') };
    if (key) headers.authorization = `Bearer ${key}`;
    if (body) headers['content-type'] = 'application/json';
    const asked = request(`${base}/v1/agent${path}`, { method, headers, agent: kept });
    asked.end(body);
    const [response] = await once(asked, 'response');
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode, body: parsed(Buffer.concat(chunks)) };
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

/** The same, for what has to succeed. */
export async function need(...args) {
    const { status, body } = await call(...args);
    if (status < 200 || status > 299) throw new Error(`${args[1]} answered ${status}: ${JSON.stringify(body)}`);
    return body;
}

export async function askNode(url, method, ...params) {
    const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = await response.json();
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
}

/** Runs work(item) for all items, `width` at a time; results in the order of the items. */
export async function inParallel(width, items, work) {
    const results = [];
    let next = 0;
    const lane = async () => {
        while (next < items.length) {
            const i = next++;
            results[i] = await work(items[i]);
        }
    };
    await Promise.all(Array.from({ length: width }, lane));
    return results;
}

/** Repeats until the answer is true; an error that says what did not happen after `seconds`. */
export async function eventually(what, seconds, attempt) {
    const deadline = Date.now() + seconds * 1000;
    while (!await attempt()) {
        if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} s`);
        await sleep(200);
    }
}
