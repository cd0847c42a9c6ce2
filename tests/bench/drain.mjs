// webhook-drain beside the ideal drain, over HTTP and over TLS, with slow receivers, and with a dead one among good ones.

import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { need } from './stack.mjs';
import { record } from './figures.mjs';
import { median } from './report.mjs';

const RECEIVER = fileURLToPath(new URL('receiver.mjs', import.meta.url));
const AGENTS = 10;
const EVENTS = 10000;
const ROUNDS = 4;
const BACKLOG = 100000;
const BODY = JSON.stringify({ type: 'swap.completed', timestamp: '2026-01-01T00:00:00.000Z', data: { filler: 'x'.repeat(320) } });

export async function measureDrain(stack, idealProgram) {
    const receiver = await startReceiver();
    try {
        const agents = await makeAgents(stack);
        await stack.withoutJobs(async () => {
            await besideIdeal(stack, 'http', receiver.url(0), agents, idealProgram);
            await overTls((url) => besideIdeal(stack, 'tls', url, agents, idealProgram));
            await slowReceivers(stack, receiver, agents);
            await oneDead(stack, receiver, agents);
            await deadBacklog(stack, receiver, agents);
        });
    } finally {
        receiver.stop();
    }
}

/** `files`: of its key and its certificate, for a receiver over TLS. */
export async function startReceiver(...files) {
    const child = fork(RECEIVER, files);
    const [port] = await once(child, 'message');
    return {
        url: (path) => `${files.length > 0 ? 'https' : 'http'}://127.0.0.1:${port}/${path}`,
        stop: () => child.disconnect(),
    };
}

/** With the URL of a receiver whose certificate everybody trusts who is started meanwhile. */
async function overTls(during) {
    const directory = mkdtempSync(join(tmpdir(), 'drain-bench.'));
    chmodSync(directory, 0o755); // the job gives root up
    const [key, certificate] = ['key.pem', 'certificate.pem'].map((file) => join(directory, file));
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
        '-subj', '/CN=receiver', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate], { stdio: 'ignore' });
    const receiver = await startReceiver(key, certificate);
    process.env.SSL_CERT_FILE = certificate;
    try {
        await during(receiver.url(0));
    } finally {
        delete process.env.SSL_CERT_FILE;
        receiver.stop();
        rmSync(directory, { recursive: true });
    }
}

/** Ids of agents that have a signing secret. */
export async function makeAgents(stack) {
    const ids = [];
    for (let i = 0; i < AGENTS; i++) {
        const key = await stack.newKey();
        await need(stack.base, '/me', key, JSON.stringify({ callback_url: 'http://127.0.0.1:9/none' }), 'PATCH');
        const uuid = (await need(stack.base, '/me', key)).agent.id.replaceAll('-', '');
        const [[id]] = await stack.sql(`SELECT id FROM agents WHERE uuid = UNHEX('${uuid}')`, stack.schema);
        ids.push(Number(id));
    }
    return ids;
}

/** Due events for `url`, `each` of every agent. */
export function makeDue(stack, agents, each, url, ago = 0) {
    const list = agents.join(', ');
    return stack.sql(`
        INSERT INTO webhook_events (id, agent_id, event_type, status, callback_url, body, created_at, next_at)
        SELECT RANDOM_BYTES(16), a.id, 'swap.completed', 1, '${url}', '${BODY}', UTC_TIMESTAMP(3),
               UTC_TIMESTAMP(3) - INTERVAL ${ago} SECOND
        FROM seq_1_to_${each} s JOIN agents a ON a.id IN (${list});
        INSERT INTO event_totals (agent_id, event_type, status, n)
        SELECT id, 'swap.completed', 1, ${each} FROM agents WHERE id IN (${list})
        ON DUPLICATE KEY UPDATE n = n + VALUES(n);
        INSERT INTO event_queues (agent_id, next_at)
        SELECT id, UTC_TIMESTAMP(3) - INTERVAL ${ago} SECOND FROM agents WHERE id IN (${list})
        ON DUPLICATE KEY UPDATE next_at = LEAST(next_at, VALUES(next_at));`, stack.schema);
}

function forgetAll(stack) {
    return stack.sql('DELETE FROM webhook_events; DELETE FROM event_totals; DELETE FROM event_queues', stack.schema);
}

async function delivered(stack, agents) {
    const [[n]] = await stack.sql(
        `SELECT COUNT(*) FROM webhook_events WHERE status = 2 AND agent_id IN (${agents.join(', ')})`, stack.schema);
    return Number(n);
}

function startJob(stack, ...args) {
    return spawn(`${stack.settings.GATEWAY_BIN}/jobs/webhook-drain`, args, {
        env: { ...process.env, ...stack.settings }, stdio: ['ignore', 'ignore', 'ignore'],
    });
}

/** Seconds that a program takes. */
async function timed(child) {
    const start = performance.now();
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}`);
    return (performance.now() - start) / 1000;
}

async function besideIdeal(stack, name, url, agents, program) {
    await stack.sql(`DROP DATABASE IF EXISTS bench_drain; CREATE DATABASE bench_drain; CREATE TABLE bench_drain.outbox (
        id BIGINT UNSIGNED NOT NULL PRIMARY KEY AUTO_INCREMENT, agent_id BIGINT UNSIGNED NOT NULL,
        event_type VARCHAR(32) CHARACTER SET ascii NOT NULL, payload TEXT NOT NULL, url VARCHAR(500) NOT NULL,
        status TINYINT NOT NULL DEFAULT 0, attempts INT NOT NULL DEFAULT 0, next_at DATETIME(3) NOT NULL,
        KEY due (status, next_at, id)) ENGINE=InnoDB`);
    const rates = [];
    for (let round = 0; round <= ROUNDS; round++) {
        await forgetAll(stack);
        await makeDue(stack, agents, EVENTS / AGENTS, url);
        await stack.sql(`TRUNCATE outbox; INSERT INTO outbox (agent_id, event_type, payload, url, next_at)
            SELECT 1, 'swap.completed', '${BODY}', '${url}', NOW(3) FROM seq_1_to_${EVENTS}`, 'bench_drain');
        const own = () => measured(stack, () => startJob(stack));
        const ideal = () => measured(stack, () => spawn(program,
            [stack.settings.GATEWAY_DB_SOCKET, 'bench_drain', String(EVENTS)], { stdio: ['ignore', 'ignore', 'inherit'] }));
        const first = round % 2 === 0 ? await own() : await ideal();
        const second = round % 2 === 0 ? await ideal() : await own();
        if (await delivered(stack, agents) !== EVENTS) throw new Error('webhook-drain did not deliver all');
        if (round > 0) rates.push(round % 2 === 0 ? [first, second] : [second, first]); // the first warms both
    }
    const ratios = rates.map(([a, b]) => a.rate / b.rate);
    const both = (field, digits) => [0, 1].map((side) => median(rates.map((pair) => pair[side][field])).toFixed(digits));
    const [own, ideal] = both('rate', 0);
    record(`drain.${name}.toIdeal`, ratios, 'ratio');
    record(`drain.${name}.rate.gateway`, rates.map(([a]) => a.rate), '/s');
    record(`drain.${name}.rate.ideal`, rates.map(([, b]) => b.rate), '/s');
    console.log(`Webhooks over ${name}, ${EVENTS} due of ${AGENTS} agents: webhook-drain ${own} per second, ideal drain ${ideal}; `
        + `ratio ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`);
    console.log(`  statements for each of them: ${both('queries', 2).join(' and ')}`);
}

async function measured(stack, start) {
    const before = await questions(stack);
    const seconds = await timed(start());
    return { rate: EVENTS / seconds, queries: (await questions(stack) - before) / EVENTS };
}

async function questions(stack) {
    return Number((await stack.sql("SHOW GLOBAL STATUS LIKE 'Questions'"))[0][1]);
}

async function slowReceivers(stack, receiver, agents) {
    const times = [];
    for (let round = 0; round < 3; round++) {
        await forgetAll(stack);
        await makeDue(stack, agents, 1000 / AGENTS, receiver.url(200));
        times.push(await timed(startJob(stack)));
        if (await delivered(stack, agents) !== 1000) throw new Error('webhook-drain did not deliver all');
    }
    console.log(`Webhooks, 1000 due, receivers of 200 ms: ${median(times).toFixed(2)} s by one job `
        + `(${times.map((time) => time.toFixed(2)).join(', ')}; aim: 3)`);
}

/** Seconds until the agents' events are all delivered by a job that is started now. */
async function untilDelivered(stack, agents, n) {
    const job = startJob(stack, '--for', '30');
    const start = performance.now();
    try {
        while (await delivered(stack, agents) < n) {
            if (performance.now() - start > 25000) throw new Error(`not delivered: ${n - await delivered(stack, agents)} of ${n}`);
            await sleep(20);
        }
        return (performance.now() - start) / 1000;
    } finally {
        job.kill('SIGKILL');
        await once(job, 'exit');
    }
}

async function oneDead(stack, receiver, agents) {
    const [dead, ...others] = agents;
    const ratios = [];
    for (let round = 0; round < 3; round++) {
        const times = [];
        for (const withDead of round % 2 === 0 ? [false, true] : [true, false]) {
            await forgetAll(stack);
            await makeDue(stack, others, 100, receiver.url(50));
            if (withDead) await makeDue(stack, [dead], 100, receiver.url('dead'), 1);
            times[Number(withDead)] = await untilDelivered(stack, others, 900);
        }
        ratios.push(times[1] / times[0]);
    }
    console.log(`Webhooks, one dead receiver among ten: the others take ${median(ratios).toFixed(2)} times as long `
        + `(${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}; aim: below 1.3)`);
}

async function deadBacklog(stack, receiver, agents) {
    const [dead, ...others] = agents;
    await forgetAll(stack);
    await makeDue(stack, [dead], BACKLOG, receiver.url('dead'), 3600);
    await makeDue(stack, others, 100, receiver.url(50));
    const seconds = await untilDelivered(stack, others, 900);
    console.log(`Webhooks, nine agents with 100 each behind ${BACKLOG} due of a dead receiver: ${seconds.toFixed(2)} s\n`);
    await forgetAll(stack);
}
