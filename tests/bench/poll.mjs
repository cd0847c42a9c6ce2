// swap-poll beside the ideal poller, over a node that answers at once: executions that are still under way, of
// which nothing is recorded, and executions that all turn out to have ended.

import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { record } from './figures.mjs';
import {
    VENUE, forgetFlights, jobSettings, makeFlights, makeWallets,
} from './flights.mjs';
import { median } from './report.mjs';
import { eventually } from './stack.mjs';

const NODE = fileURLToPath(new URL('node.mjs', import.meta.url));
const WALLETS = 20;
const ROUNDS = 5;
const IDEAL = 'bench_poll';

// What is looked at is due again after `pause` seconds.
const KINDS = [
    { path: 'none', words: 'that are under way', pause: 10, count: 5000, name: 'poll' },
    { path: 'all', words: 'that have ended', pause: 5, count: 1000, name: 'poll.ended' },
];

export async function measurePoll(stack, idealProgram) {
    const child = fork(NODE);
    try {
        const [port] = await once(child, 'message');
        const wallets = await makeWallets(stack, WALLETS);
        await makeIdealTables(stack);
        await stack.withoutJobs(async () => {
            for (const kind of KINDS) await besideIdeal(stack, kind, `http://127.0.0.1:${port}/${kind.path}`, wallets, idealProgram);
        });
        console.log('');
    } finally {
        await forgetFlights(stack);
        child.disconnect();
    }
}

function makeIdealTables(stack) {
    return stack.sql(`DROP DATABASE IF EXISTS ${IDEAL}; CREATE DATABASE ${IDEAL};
        CREATE TABLE ${IDEAL}.flights (id BIGINT UNSIGNED NOT NULL PRIMARY KEY AUTO_INCREMENT, hash BINARY(32) NOT NULL,
            status TINYINT NOT NULL DEFAULT 0, due_at DATETIME(3) NOT NULL, KEY due (status, due_at)) ENGINE=InnoDB;
        CREATE TABLE ${IDEAL}.histories (id BIGINT UNSIGNED NOT NULL PRIMARY KEY AUTO_INCREMENT, flight_id BIGINT UNSIGNED NOT NULL,
            status TINYINT NOT NULL, created_at DATETIME(3) NOT NULL, KEY flight (flight_id)) ENGINE=InnoDB;
        CREATE TABLE ${IDEAL}.outbox (id BIGINT UNSIGNED NOT NULL PRIMARY KEY AUTO_INCREMENT, flight_id BIGINT UNSIGNED NOT NULL,
            payload TEXT NOT NULL, status TINYINT NOT NULL DEFAULT 0, next_at DATETIME(3) NOT NULL, KEY due (status, next_at)) ENGINE=InnoDB`);
}

/** Executions in flight and due, each with one transaction, old enough to be due again only after a while. */
async function makeDue(stack, wallets, count) {
    await forgetFlights(stack);
    await makeFlights(stack, wallets, count);
    await stack.sql(`TRUNCATE flights; TRUNCATE histories; TRUNCATE outbox;
        INSERT INTO flights (hash, due_at) SELECT RANDOM_BYTES(32), NOW(3) FROM seq_1_to_${count}`, IDEAL);
}

async function besideIdeal(stack, { path, words, pause, count, name }, url, wallets, program) {
    const env = jobSettings(stack, `rpc.ethereum = ${url}\n`);
    const rates = [];
    for (let round = 0; round <= ROUNDS; round++) {
        await makeDue(stack, wallets, count);
        const own = () => measured(stack, count, () => pollAll(stack, env, pause));
        const ideal = () => measured(stack, count, () => ended(spawn(program,
            [stack.settings.GATEWAY_DB_SOCKET, IDEAL, url, String(count)], { stdio: ['ignore', 'ignore', 'inherit'] })));
        const first = round % 2 === 0 ? await own() : await ideal();
        const second = round % 2 === 0 ? await ideal() : await own();
        if (path === 'all') await allEnded(stack, count);
        if (round > 0) rates.push(round % 2 === 0 ? [first, second] : [second, first]); // the first warms both
    }
    const ratios = rates.map(([a, b]) => a.rate / b.rate);
    record(`${name}.toIdeal`, ratios, '');
    const both = (field, digits) => [0, 1].map((side) => median(rates.map((pair) => pair[side][field])).toFixed(digits));
    const [own, ideal] = both('rate', 0);
    console.log(`Polling ${count} executions ${words}: swap-poll ${own} per second, ideal poller ${ideal}; `
        + `ratio ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`);
    console.log(`  statements for each of them: ${both('queries', 2).join(' and ')}`);
}

async function measured(stack, count, work) {
    const before = await questions(stack);
    const seconds = await work();
    return { rate: count / seconds, queries: (await questions(stack) - before) / count };
}

async function questions(stack) {
    return Number((await stack.sql("SHOW GLOBAL STATUS LIKE 'Questions'"))[0][1]);
}

async function ended(child) {
    const start = performance.now();
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}`);
    return (performance.now() - start) / 1000;
}

/** Seconds from the start of the job until it has looked at all that was due, by the times that it writes. */
async function pollAll(stack, env, pause) {
    const [[start]] = await stack.sql('SELECT UTC_TIMESTAMP(3)');
    const job = spawn(`${stack.settings.GATEWAY_BIN}/jobs/swap-poll`, ['--for', '60'], { env, stdio: ['ignore', 'ignore', 'ignore'] });
    try {
        await eventually('all were looked at', 55, async () => {
            const [[left]] = await stack.sql(`SELECT COUNT(*) FROM executions
                WHERE venue = '${VENUE}' AND due_at <= '${start}'`, stack.schema);
            return left === '0';
        });
    } finally {
        job.kill('SIGKILL');
        await once(job, 'exit');
    }
    const [[micros]] = await stack.sql(`SELECT TIMESTAMPDIFF(MICROSECOND, '${start}', MAX(due_at) - INTERVAL ${pause} SECOND)
        FROM executions WHERE venue = '${VENUE}'`, stack.schema);
    return Number(micros) / 1e6;
}

async function allEnded(stack, count) {
    const [[n]] = await stack.sql(`SELECT COUNT(*) FROM executions WHERE venue = '${VENUE}' AND status = 4 AND in_flight = 0`, stack.schema);
    if (Number(n) !== count) throw new Error(`${n} of ${count} executions ended`);
}
