// What a request reads does not grow with the database: first pages and profiles with few rows and with many, and a page deep
// in a long history. Nor does what it takes to claim due events among many that wait, or due executions where all are due, as
// after an outage. An agent's long history is removed beside requests, which do not notice.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { makeAgents, makeDue, startReceiver } from './drain.mjs';
import { record } from './figures.mjs';
import { median } from './report.mjs';
import { statementsDuring, transactionsOf } from './statements.mjs';
import { call, eventually, need } from './stack.mjs';

const SMALL = { agents: 10000, swaps: 10000 };
/** Figures of each size have names of their own. */
const SIZES = {
    big: { agents: 20000, swaps: 200000, waiting: 20000, due: 2000 },
    million: { agents: 1000000, swaps: 10000000, waiting: 1000000, due: 10000 },
};
const SIZE = process.env.BIG ? 'million' : 'big';
const MANY = SIZES[SIZE];
const WAITERS = 1000; // agents
const FOLLOWED = MANY.waiting;
const CLAIMED_AT_ONCE = 200; // executions: BATCH of lib/exec/follow.c
const CHUNK = 500000;
const REQUESTS = 100;
const OWN_SHARE = 5; // every fifth swap is the measured agent's

const MARKS_WITHIN = 900; // seconds: what is young and still under way is marked after ten minutes

const COUNTERS = ['Rows_read', 'Handler_read_key', 'Handler_read_next', 'Handler_read_prev', 'Handler_read_rnd_next'];

export async function measureBig(stack) {
    const key = await stack.newKey();
    const uuid = (await need(stack.base, '/me', key)).agent.id.replaceAll('-', '');
    const [[own]] = await stack.sql(`SELECT id FROM agents WHERE uuid = UNHEX('${uuid}')`, stack.schema);
    const deep = Math.min(100000, MANY.swaps / OWN_SHARE / 2);
    await stack.withoutJobs(async () => {
        const state = { agents: 0, swaps: 0 };
        await seed(stack, own, state, SMALL);
        const few = await costs(stack, key, ['/me', '/swaps']);
        await seed(stack, own, state, MANY);
        await makeMarks(stack, own);
        const far = `/swaps?offset=${deep}`;
        const many = await costs(stack, key, ['/me', '/swaps', far]);
        for (const path of Object.keys(many)) report(path, few[path], many[path]);
        keep('me.rows', many['/me'].Rows_read, 'rows');
        keep('swaps.rows', many['/swaps'].Rows_read, 'rows');
        keep('far.rows', many[far].Rows_read, 'rows');
        for (const path of Object.keys(few)) {
            if (many[path].Rows_read > few[path].Rows_read + 1) throw new Error(`${path} reads more rows in a big database`);
        }
        await measureClaims(stack);
        await measureFollowing(stack);
        await measurePurge(stack, key, own);
        console.log('');
    });
}

const keep = (figure, values, unit) => record(`${SIZE}.${figure}`, values, unit);

function report(path, few, many) {
    const shown = ({ ms, ...counts }) => `${counts.Rows_read.toFixed(1)} rows (`
        + COUNTERS.slice(1).map((name) => `${name.replace('Handler_read_', '')} ${counts[name].toFixed(1)}`).join(', ')
        + `), ${ms.toFixed(1)} ms`;
    console.log(`GET ${path}`);
    if (few) console.log(`  ${SMALL.agents} agents, ${SMALL.swaps} swaps: ${shown(few)}`);
    console.log(`  ${MANY.agents} agents, ${MANY.swaps} swaps: ${shown(many)}`);
}

function startJob(stack, name, ...args) {
    return spawn(`${stack.settings.GATEWAY_BIN}/jobs/${name}`, args, { env: { ...process.env, ...stack.settings }, stdio: 'ignore' });
}

async function ended(job) {
    const [code] = await once(job, 'exit');
    if (code !== 0) throw new Error(`${job.spawnfile} ended with ${code}`);
}

// ---- Claims ----

/** The database's time for claiming a hundred due events, while many others wait for later. */
async function measureClaims(stack) {
    const receiver = await startReceiver();
    const agents = await makeAgents(stack);
    await seedWaiting(stack);
    await makeDue(stack, agents, MANY.due / agents.length, receiver.url(0));
    const statements = await statementsDuring(stack, () => ended(startJob(stack, 'webhook-drain')));
    receiver.stop();
    const claims = transactionsOf(statements).filter((all) => all.some(({ text }) => /SET lease_owner = (?!NULL)/.test(text)));
    const [[claimed]] = await stack.sql('SELECT COUNT(*) FROM webhook_events WHERE attempts > 0', stack.schema);
    const ms = claims.flat().reduce((sum, statement) => sum + statement.ms, 0);
    const examined = claims.flat().reduce((sum, statement) => sum + statement.examined, 0);
    await stack.sql('DELETE FROM webhook_events; DELETE FROM event_totals; DELETE FROM event_queues', stack.schema);
    if (Number(claimed) === 0) throw new Error('no event was claimed');
    keep('claim.ms', ms * 100 / claimed, 'ms');
    keep('claim.rows', examined / claimed, 'rows');
    console.log(`Claiming events, ${MANY.due} due of ${agents.length} agents and ${MANY.waiting} waiting of ${WAITERS}: ${(ms * 100 / claimed).toFixed(1)} ms `
        + `of the database and ${(examined * 100 / claimed).toFixed(0)} rows for 100 of them (${claimed} claimed in ${claims.length} claims)`);
}

/** Events of seeded agents that are due in an hour. */
function seedWaiting(stack) {
    const due = 'UTC_TIMESTAMP(3) + INTERVAL 1 HOUR';
    const each = MANY.waiting / WAITERS;
    const chosen = `(SELECT id FROM agents WHERE name = 'seeded' ORDER BY id LIMIT ${WAITERS})`;
    return stack.sql(`
        INSERT INTO webhook_events (id, agent_id, event_type, status, callback_url, body, created_at, next_at)
        SELECT RANDOM_BYTES(16), a.id, 'swap.completed', 1, 'http://127.0.0.1:9/none', '{}', UTC_TIMESTAMP(3), ${due}
        FROM seq_1_to_${each} s JOIN ${chosen} a;
        INSERT INTO event_totals (agent_id, event_type, status, n) SELECT id, 'swap.completed', 1, ${each} FROM ${chosen} a;
        INSERT INTO event_queues (agent_id, next_at) SELECT id, ${due} FROM ${chosen} a;
        ANALYZE TABLE webhook_events, event_queues`, stack.schema);
}

/** The database's time for claiming a hundred executions in flight, all of which are due. */
async function measureFollowing(stack) {
    const due = (to, where) => stack.sql(`UPDATE executions SET in_flight = ${to}, due_at = UTC_TIMESTAMP(3) WHERE ${where}`, stack.schema);
    await due(1, `in_flight = 0 LIMIT ${FOLLOWED}`);
    const statements = await statementsDuring(stack, () => ended(startJob(stack, 'swap-poll', '--for', '3')));
    await due(0, "in_flight = 1 AND venue = 'uniswap'");
    const claims = statements.filter(({ text }) => /^UPDATE executions .*SET lease_owner = (?!NULL)/s.test(text));
    if (claims.length === 0) throw new Error('no execution was claimed');
    const forHundred = (field) => claims.map((claim) => claim[field] * 100 / CLAIMED_AT_ONCE);
    keep('follow.claim.ms', forHundred('ms'), 'ms');
    keep('follow.claim.rows', forHundred('examined'), 'rows');
    console.log(`Claiming executions, ${FOLLOWED} due: ${median(forHundred('ms')).toFixed(1)} ms of the database and `
        + `${median(forHundred('examined'))} rows for 100 of them (${claims.length} claims)`);
}

// ---- Purges ----

const PURGE_SECONDS = 6;

/** Another agent's requests before and while the long history is removed, and the longest statement of that. */
async function measurePurge(stack, key, own) {
    const other = await stack.newKey();
    const before = await requestTimes(stack, other);
    await need(stack.base, '/me', key, '', 'DELETE');
    let during;
    const statements = await statementsDuring(stack, async () => {
        const job = startJob(stack, 'agent-purge', '--for', String(PURGE_SECONDS));
        during = await requestTimes(stack, other);
        await ended(job);
    });
    const removed = statements.filter(({ text }) => text.startsWith('DELETE FROM executions WHERE lease_owner')).length;
    const [[left]] = await stack.sql(`SELECT COUNT(*) FROM executions WHERE agent_id = ${own}`, stack.schema);
    const longest = Math.max(...statements.filter(({ text }) => /^(DELETE|UPDATE executions)/.test(text)).map(({ ms }) => ms));
    keep('purge.longest.ms', longest, 'ms');
    keep('purge.p99.ratio', p99(during) / p99(before), 'ratio');
    console.log(`Purging in ${PURGE_SECONDS} s: ${removed} batches, ${left} executions left, no statement above ${longest.toFixed(0)} ms; `
        + `p99 of another agent's page ${p99(before).toFixed(1)} ms before, ${p99(during).toFixed(1)} ms meanwhile`);
}

const p99 = (times) => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];

async function requestTimes(stack, key) {
    const times = [];
    for (const end = performance.now() + PURGE_SECONDS * 1000; performance.now() < end;) {
        const start = performance.now();
        await need(stack.base, '/swaps', key);
        times.push(performance.now() - start);
    }
    return times;
}

// ---- Content ----

/**
 * The marks in long histories, by which far pages are found: as many as the measured agent's swaps deserve. Executions made
 * before that are still under way, as other measurements leave some, hold up the marks of all that follow until they are old.
 */
async function makeMarks(stack, own) {
    const start = performance.now();
    const missing = async () => Number((await stack.sql(`SELECT FLOOR(a.swaps_completed / 16) * 16 - COALESCE(MAX(m.n), 0)
        FROM agents a LEFT JOIN execution_marks m ON m.agent_id = a.id AND m.upto_id <= a.swaps_marked_upto WHERE a.id = ${own}`, stack.schema))[0][0]);
    await eventually('the marks of far pages', MARKS_WITHIN, async () => {
        await ended(startJob(stack, 'quote-expire'));
        return await missing() <= 0;
    });
    const seconds = (performance.now() - start) / 1000;
    keep('marks.rate', MANY.swaps / seconds, '/s');
    console.log(`Marked ${MANY.swaps} swaps in ${seconds.toFixed(1)} s`);
}

/** Adds what is missing. Keys and hashes ascend, so that no index is filled at random places. */
async function seed(stack, own, state, want) {
    const start = performance.now();
    for (; state.agents < want.agents; state.agents += CHUNK) {
        const n = Math.min(CHUNK, want.agents - state.agents);
        await stack.sql(`INSERT INTO agents (uuid, key_hash, name, created_at, last_active_at)
            SELECT UNHEX(LPAD(HEX(${state.agents} + seq), 32, '0')), UNHEX(LPAD(HEX(${state.agents} + seq), 64, '0')), 'seeded',
                   UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM seq_1_to_${n}`, stack.schema);
    }
    state.agents = want.agents;
    const [[first]] = await stack.sql("SELECT MIN(id) FROM agents WHERE name = 'seeded'", stack.schema);
    for (; state.swaps < want.swaps; state.swaps += CHUNK) {
        const n = Math.min(CHUNK, want.swaps - state.swaps);
        await stack.sql(`SET unique_checks = 0; INSERT INTO executions (agent_id, wallet_id, once, kind, venue, status, in_flight, from_chain,
                to_chain, from_symbol, from_address, from_decimals, to_symbol, to_address, to_decimals, amount_in, expected_out, min_out,
                amount_out, created_at, updated_at, completed_at, valid_until, due_at)
            SELECT IF(seq % ${OWN_SHARE} = 0, ${own}, ${first} + seq % ${want.agents}), 1, UNHEX(LPAD(HEX(${state.swaps} + seq), 32, '0')),
                1, 'uniswap', 4, 0, 1, 1, 'ETH', '0x0000000000000000000000000000000000000000', 18, 'USDC',
                '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6, UNHEX(LPAD('0de0b6b3a7640000', 64, '0')), UNHEX(LPAD('ee6b2800', 64, '0')),
                UNHEX(LPAD('ee6b2800', 64, '0')), UNHEX(LPAD('ee6b2800', 64, '0')), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3),
                UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM seq_1_to_${n};
            UPDATE agents SET swaps_completed = swaps_completed + ${n / OWN_SHARE} WHERE id = ${own}`, stack.schema);
    }
    state.swaps = want.swaps;
    await stack.sql('ANALYZE TABLE agents, executions', stack.schema);
    console.log(`Seeded ${want.agents} agents and ${want.swaps} swaps in ${((performance.now() - start) / 1000).toFixed(0)} s`);
}

/** Of a request to each path: what the server read for it, and how long it took. */
async function costs(stack, key, paths) {
    const result = {};
    for (const path of paths) {
        await need(stack.base, path, key);
        const before = await counters(stack);
        const start = performance.now();
        for (let i = 0; i < REQUESTS; i++) {
            const { status } = await call(stack.base, path, key);
            if (status !== 200) throw new Error(`${path} answered ${status}`);
        }
        const ms = (performance.now() - start) / REQUESTS;
        const after = await counters(stack);
        result[path] = { ms, ...Object.fromEntries(COUNTERS.map((name) => [name, (after[name] - before[name]) / REQUESTS])) };
    }
    return result;
}

async function counters(stack) {
    const rows = await stack.sql(`SHOW GLOBAL STATUS WHERE Variable_name IN (${COUNTERS.map((name) => `'${name}'`)})`);
    return Object.fromEntries(rows.map(([name, value]) => [name, Number(value)]));
}
