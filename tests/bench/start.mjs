// How long the gateway takes from its exec to the first 200 on both of its sockets, with the web server left out: the gateway
// of the stack is ended and started again, as cron would. And what a restart by SIGHUP costs those who ask meanwhile.

import { spawn } from 'node:child_process';
import { openSync, statSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { record } from './figures.mjs';
import { median } from './report.mjs';
import { eventually } from './stack.mjs';

const ROUNDS = 5;
const LIMIT_MS = 10000;
const CONNECTIONS = 32;
const REST_MS = 1000; // before and after a restart

export async function measureStart(stack) {
    const { GATEWAY_RUN, GATEWAY_BIN, GATEWAY_LOG } = stack.settings;
    const times = [];
    await stack.withoutJobs(async () => {
        for (let round = 0; round < ROUNDS; round++) {
            await endGateway(stack);
            const log = openSync(`${GATEWAY_LOG}/gateway.log`, 'a');
            const begun = performance.now();
            spawn('sh', ['-c', 'umask 007; exec "$0"', `${GATEWAY_BIN}/fcgi/gateway`], {
                detached: true, stdio: ['ignore', log, log], env: { ...process.env, ...stack.settings, AGENT_GATEWAY_STACK: stack.settings.GATEWAY_VAR },
            }).unref();
            for (const socket of ['fast.sock', 'gateway.sock']) {
                while (!await answers200(`${GATEWAY_RUN}/${socket}`, '/healthz')) {
                    if (performance.now() - begun > LIMIT_MS) throw new Error('the gateway does not answer');
                    await sleep(1);
                }
            }
            times.push((performance.now() - begun) / 1000);
            await stack.findPids();
        }
    });
    record('start.seconds', times, 's');
    console.log(`From the start of the gateway to the first 200 on its sockets: ${median(times).toFixed(3)} s `
        + `(${times.map((time) => time.toFixed(3)).join(', ')})\n`);
}

/** Requests on kept connections through the web server while the gateway restarts: how many fail, how long the longest takes. */
export async function measureRestart(stack) {
    const { GATEWAY_RUN } = stack.settings;
    const key = await stack.newKey();
    const asked = { answers: 0, failed: 0, longest: [] };
    const begun = () => statSync(`${GATEWAY_RUN}/gateway.pid`, { bigint: true }).ctimeNs;
    for (let round = 0; round < ROUNDS; round++) {
        asked.longest.push(0);
        const traffic = startTraffic(`${stack.base}/v1/agent/me`, key, asked);
        await sleep(REST_MS);
        const former = begun();
        process.kill(stack.pids.gateway, 'SIGHUP');
        await eventually('the gateway has restarted', 20, () => begun() !== former);
        await sleep(REST_MS);
        await traffic.end();
    }
    record('restart.failed', asked.failed, 'requests');
    record('restart.longest', asked.longest, 'ms');
    console.log(`${ROUNDS} restarts under traffic of ${CONNECTIONS} connections: ${asked.failed} of ${asked.answers} requests failed, the longest `
        + `took ${asked.longest.map((ms) => ms.toFixed(0)).join(', ')} ms\n`);
}

function startTraffic(url, key, asked) {
    const agent = new Agent({ keepAlive: true });
    let over = false;
    const loop = async () => {
        while (!over) {
            const since = performance.now();
            const status = await statusOf(url, { agent, headers: { authorization: `Bearer ${key}` } });
            asked.answers++;
            if (status !== 200) asked.failed++;
            asked.longest.push(Math.max(asked.longest.pop(), performance.now() - since));
        }
    };
    const loops = Promise.all(Array.from({ length: CONNECTIONS }, loop));
    return {
        async end() {
            over = true;
            await loops;
            agent.destroy();
        },
    };
}

/** 0 when there is no answer. */
function statusOf(url, options) {
    return new Promise((resolve) => {
        get(url, options, (response) => {
            response.on('error', () => resolve(0)).on('end', () => resolve(response.statusCode)).resume();
        }).on('error', () => resolve(0));
    });
}

async function endGateway(stack) {
    const { gateway } = stack.pids;
    process.kill(gateway, 'SIGTERM');
    await eventually('the gateway has ended', 20, () => {
        try {
            return !process.kill(gateway, 0);
        } catch {
            return true;
        }
    });
}

// ---- FastCGI, as much as one request takes ----

const BEGIN = 1;
const PARAMS = 4;
const STDIN = 5;
const STDOUT = 6;

function recordOf(type, content = Buffer.alloc(0)) {
    const head = Buffer.from([1, type, 0, 1, content.length >> 8, content.length & 255, 0, 0]);
    return Buffer.concat([head, content]);
}

function requestFor(path) {
    const params = { REQUEST_METHOD: 'GET', REQUEST_URI: path, QUERY_STRING: '', SERVER_PROTOCOL: 'HTTP/1.1', REMOTE_ADDR: '127.0.0.1' };
    const pairs = Object.entries(params).map(([name, value]) => Buffer.from(`${String.fromCharCode(name.length, value.length)}${name}${value}`));
    return Buffer.concat([
        recordOf(BEGIN, Buffer.from([0, 1, 0, 0, 0, 0, 0, 0])), recordOf(PARAMS, Buffer.concat(pairs)), recordOf(PARAMS), recordOf(STDIN),
    ]);
}

/** Whether something behind the socket answers the path with 200, which FastCGI leaves out. */
function answers200(socket, path) {
    return new Promise((resolve) => {
        const chunks = [];
        const peer = connect(socket, () => peer.write(requestFor(path)));
        peer.on('data', (chunk) => chunks.push(chunk));
        peer.on('error', () => resolve(false));
        peer.on('close', () => {
            const all = Buffer.concat(chunks);
            const text = all.toString('latin1');
            resolve(all[1] === STDOUT && text.includes('Content-Type') && !/Status: [^2]/.test(text));
        });
    });
}
