// A thousand bridges that are under way, of all ages up to an hour: how often their carrier is asked about each, and what
// following them takes of a processor.

import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { record } from './figures.mjs';
import {
    VENUE, forgetFlights, jobSettings, makeFlights, makeWallets,
} from './flights.mjs';
import { cpuMicros } from './proc.mjs';

const CARRIER = fileURLToPath(new URL('carrier.mjs', import.meta.url));
const BRIDGES = 1000;
const WALLETS = 20;
const OLDEST_S = 3600;
const SECONDS = 40;
const TOLERANCE_MS = 100; // a question may take longer to come than the next one

/** Up to that age, in seconds, a carrier is asked every so often (exec/bridge.c). */
const PACES = [[60, 2], [300, 5], [900, 15], [3600, 60], [Infinity, 300]];
const paceAt = (age) => PACES.find(([until]) => age <= until)[1];

export async function measureBridges(stack) {
    const carrier = fork(CARRIER);
    try {
        const [port] = await once(carrier, 'message');
        const wallets = await makeWallets(stack, WALLETS);
        await stack.withoutJobs(async () => {
            const ages = await makeBridges(stack, wallets);
            const env = jobSettings(stack, `provider.relay.url = http://127.0.0.1:${port}\nprovider.relay.rate = 999999/s\n`);
            const used = await followed(stack, env);
            carrier.send('what was asked');
            const [asked] = await once(carrier, 'message');
            report(ages, asked, used);
        });
    } finally {
        await forgetFlights(stack);
        carrier.disconnect();
    }
}

/** Each with its deposit, which has settled. When each of them was made, in ms of the clock, by what its carrier calls it. */
async function makeBridges(stack, wallets) {
    const each = BRIDGES / WALLETS;
    await makeFlights(stack, wallets, BRIDGES, {
        status: 3, in_flight: 3, to_chain: 8453, to_address: "'0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'",
        created_at: `UTC_TIMESTAMP(3) - INTERVAL ${OLDEST_S * 1000} * (seq - RAND()) / ${each} * 1000 MICROSECOND`,
    }, { state: 3, block_number: 1, succeeded: 1 });
    const pace = 'ELT(INTERVAL(TIMESTAMPDIFF(SECOND, e.created_at, UTC_TIMESTAMP(3)), -1, 60, 300, 900), 2, 5, 15, 60)';
    await stack.sql(`
        INSERT INTO bridges (execution_id, provider, reference, recipient, seconds, far_block, proof, state, since, polls, polled_at, next_poll_at)
        SELECT e.id, 'relay', CONCAT('0x', LPAD(HEX(e.id), 64, '0')), w.address, 30, 1, '', 1, e.created_at, 1, UTC_TIMESTAMP(3),
            UTC_TIMESTAMP(3) + INTERVAL ${pace} * RAND() * 1000000 MICROSECOND
        FROM executions e JOIN wallets w ON w.id = e.wallet_id WHERE venue = '${VENUE}';
        UPDATE executions e JOIN bridges b ON b.execution_id = e.id SET e.due_at = b.next_poll_at WHERE venue = '${VENUE}'`, stack.schema);
    const rows = await stack.sql(`SELECT reference, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', created_at) / 1000
        FROM bridges JOIN executions ON id = execution_id WHERE venue = '${VENUE}'`, stack.schema);
    return new Map(rows.map(([reference, ms]) => [reference, Number(ms)]));
}

/** Microseconds of a processor that the job and the database take in a second. */
async function followed(stack, env) {
    const job = spawn(`${stack.settings.GATEWAY_BIN}/jobs/swap-poll`, ['--for', '60'], { env, stdio: ['ignore', 'ignore', 'ignore'] });
    const used = () => [job.pid, stack.pids.mariadbd].map((pid) => cpuMicros([pid]));
    try {
        await sleep(1000);
        const before = used();
        await sleep(SECONDS * 1000);
        const after = used();
        if (job.exitCode !== null) throw new Error(`swap-poll ended with ${job.exitCode}`);
        return after.map((micros, i) => (micros - before[i]) / SECONDS);
    } finally {
        job.kill('SIGKILL');
    }
}

function report(made, asked, [job, database]) {
    const questions = Object.values(asked).flat();
    const again = Object.entries(asked).flatMap(([id, times]) => times.slice(1).map((ms, i) => ({ age: times[i] - made.get(id), since: ms - times[i] })));
    const early = again.filter(({ age, since }) => since < paceAt(age / 1000) * 1000 - TOLERANCE_MS);
    if (again.length === 0) throw new Error('the carrier was asked about nothing twice');
    record('fanout.bridges.early', early.length, 'questions');
    record('fanout.bridges.cpu', job / 1e6, 'of a core');
    record('fanout.bridges.database', database / 1e6, 'of a core');
    console.log(`swap-poll follows ${BRIDGES} bridges with ${(questions.length / (SECONDS + 1)).toFixed(0)} questions a second, ${early.length} of them before their time; `
        + `it takes ${(job / 1e4).toFixed(1)} % of a core, the database ${(database / 1e4).toFixed(1)} %\n`);
}
