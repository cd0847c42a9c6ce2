// main.mjs all|some|PATTERN|NAME [K/N]: the main job goes through every fault point and every trouble, and the books are audited after
// each. Prints a table; a row passes when what had to happen did, and duplicates, lost swaps, undelivered events and
// disagreements are zero. The last line is "N passed, N failed". PATTERN chooses rows by their names; the
// NAME of a trouble or of a chaos is that row alone, without the survey of points. Of N runs beside each other the Kth takes its
// share of the rows. RESULTS is a file that gets a line for each row; rows that the file SKIP has without faults are left out, so
// that a run which was ended can be gone on with. Programs, ports and chains are those of the
// stack that runs (tests/run), whose jobs this takes over.

import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../api/lib.mjs';
import { rpc } from '../api/chain.mjs';
import { progress } from '../progress.mjs';
import {
    arm, disarm, endLeases, hits, watch,
} from '../jobs/lib.mjs';
import { CHAOS, chaos } from './chaos.mjs';
import {
    behave, crossed, crossedAtLenders, crossedAtPerps, crossedAtRedemptions,
} from './crossed.mjs';
import { solanaBehaves } from './books.mjs';
import { INTERLEAVED } from './interleaved.mjs';
import { CHAIN, sum } from './life.mjs';
import { Node } from './node.mjs';
import { OF_THE_JOB, POINTS } from './points.mjs';
import { Jobs, takeOver } from './programs.mjs';
import {
    AT_LENDERS, PERPETUALS, PREDICTING, REDEEMING, SWAPPING, late,
} from './stories.mjs';
import { AT_VENUES, TROUBLES, suffer } from './troubles.mjs';

const [WHICH, SHARE = '1/1'] = process.argv.slice(2);
const jobs = new Jobs();
const node = new Node(process.env.BASE_CHAIN_URL);
const lives = [];
let [passed, failed] = [0, 0];

// ---------------------------------------------------------------- the table

const COLUMNS = ['hit', 'accepted', 'completed', 'failed', 'transactions', 'duplicates', 'lost', 'due', 'delivered', 'wrong'];
const WIDTH = 58;

function head() {
    console.log(`${'fault'.padEnd(WIDTH)}${COLUMNS.map((name) => name.padStart(name.length + 2)).join('')}`);
}

function line(name, { hit: times, ...audit }) {
    const counts = { ...audit, hit: times, wrong: audit.wrong.length };
    console.log(`${name.padEnd(WIDTH)}${COLUMNS.map((column) => String(counts[column]).padStart(column.length + 2)).join('')}`);
}

function faultsOf({ hit: times, accepted, duplicates, lost, due, delivered, wrong }) {
    const zeros = { duplicates, lost, undelivered: due - delivered };
    const bad = Object.entries(zeros).filter(([, n]) => n !== 0).map(([name, n]) => `${n} ${name}`);
    if (times === 0) bad.push('never hit');
    if (accepted === 0) bad.push('nothing accepted');
    return [...bad, ...wrong];
}

/** A line in the file that RESULTS names; the last one of a row counts: hours of rows need not run at once. */
function keep(result) {
    if (process.env.RESULTS) appendFileSync(process.env.RESULTS, `${JSON.stringify(result)}\n`);
}

/** One row: `run` resolves to { lives, hits }, and a `note` where there is more to say. */
async function row(name, run) {
    let audit;
    try {
        const { lives: some, hits: times, note } = await run();
        lives.push(...some);
        audit = { ...sum(await Promise.all(some.map((life) => life.audit()))), hit: times };
        line(name, audit);
        if (note !== undefined) console.log(`    killed: ${note}`);
    } catch (error) {
        audit = { ...sum([]), hit: 0, wrong: [error.stack] };
        console.log(name);
    }
    const faults = faultsOf(audit);
    keep({ name, ...Object.fromEntries(COLUMNS.map((column) => [column, audit[column]])), wrong: audit.wrong.length, faults: faults.length });
    if (faults.length === 0) passed++;
    else failed++;
    for (const each of faults) console.log(`    FAILED ${each}`);
    await calm();
}

/** Ends all troubles that a row left behind. */
async function calm() {
    disarm();
    node.behave();
    await behave();
    await solanaBehaves();
    await jobs.stop();
    await rpc(CHAIN, 'evm_setIntervalMining', [1]);
}

// ---------------------------------------------------------------- fault points

/** Where each point is hit: [{ point, part, story }], one for each part of the jobs that comes by. */
async function survey() {
    const found = [];
    await row('nothing at all', async () => {
        const all = [];
        for (const story of [...SWAPPING, ...PREDICTING, ...REDEEMING, ...PERPETUALS]) {
            const life = await story(async (part, during) => {
                watch();
                await during();
                for (const point of OF_THE_JOB) if (hits(point) > 0) found.push({ point, part, story });
                disarm();
            }, jobs);
            await life.settle();
            all.push(life);
            await jobs.stop();
        }
        return { lives: all, hits: found.length };
    });
    return found;
}

/** The points that are hit at all, as if it were by one part of the first story. Where no block comes, no other points are hit. */
async function glance() {
    const [story] = SWAPPING, part = 'execute';
    let found = [];
    await row('nothing at all', async () => {
        watch();
        jobs.start();
        const tell = (each) => each((_, during) => during(), { start() {} });
        const all = [await tell(late), ...await Promise.all([...SWAPPING, ...PREDICTING, ...REDEEMING, ...PERPETUALS].filter((each) => each !== late).map(tell))];
        found = OF_THE_JOB.filter((point) => hits(point) > 0).map((point) => ({ point, part, story }));
        disarm();
        await Promise.all(all.map((life) => life.settle()));
        return { lives: all, hits: found.length };
    });
    return found;
}

/** From the moment on when the point is hit, no process waits for leases. */
async function impatient(point, over) {
    while (!over()) {
        if (hits(point) > 0) await endLeases();
        await pause(300);
    }
}

/** Once a process has reached the point, `then` happens. Returns how often the point was reached before. */
async function struck(point, then) {
    await until(`the fault point ${point} to be hit`, () => hits(point) > 0);
    const times = hits(point);
    await then?.();
    return times;
}

/** `before` happens before the part in which the point is armed. */
async function through({ point, part, story }, { action, before, then }) {
    let times = 0;
    const life = await story(async (now, during) => {
        if (now !== part) return during();
        let over = false;
        await before?.();
        arm(point, action, 1);
        const waiting = impatient(point, () => over);
        const striking = struck(point, then);
        striking.catch(() => {}); // what failed first is told
        await during().finally(() => { over = true; });
        await waiting;
        times = await striking;
        if (action !== 'hang') disarm();
        return undefined;
    }, jobs);
    // Who stood still goes on, long after others did the work, and lets go of what it had locked.
    disarm();
    await pause(action === 'hang' ? 500 : 0);
    await life.settle();
    return { lives: [life], hits: times };
}

// ---------------------------------------------------------------- all of it

// What the ordinary test run takes of the matrix, beside the crashes in tests/jobs: a pause after which others have done the
// work, and what no single fault point shows. The survey finds points that nothing comes by.
const SOME = [
    'quote.take.after hang (execute)', 'the database is killed while swaps are accepted',
    'the node takes transactions and the reply is lost', 'batches of three: batch too large, as its first item',
    'the node omits receipts for longer than it takes to settle', 'withdrawals: nodes find the transactions underpriced', 'five hosts\' jobs at once, whose leases never hold',
    'programs die at random, a little', 'programs die at random while perpetuals are traded, a little',
];

const elsewhere = () => [
    ...TROUBLES.map(([name, run, how]) => [name, () => suffer(run, how, jobs, node)]),
    ...AT_VENUES.map(([name, run]) => [name, () => run(jobs)]),
    ...INTERLEAVED.map(([name, run]) => [name, () => run(jobs, node)]),
    ...CHAOS.map(([name, size]) => [name, () => chaos(size, jobs, node)]),
];

/** All rows as [name, run]. */
async function matrix(which) {
    const alone = elsewhere().filter(([name]) => name === which);
    if (alone.length > 0) return alone;
    const found = await (which === 'some' ? glance() : survey());
    const missing = OF_THE_JOB.filter((point) => !found.some((each) => each.point === point));
    return [
        ...missing.map((point) => [point, async () => ({ lives: [], hits: 0 })]),
        ...found.filter(({ story }) => SWAPPING.includes(story)).flatMap((each) => POINTS.get(each.point).map((action) => (
            [`${each.point} ${action} (${each.part})`, () => through(each, { action })]))),
        ...crossed(found.filter(({ story }) => PREDICTING.includes(story)), through),
        ...crossedAtRedemptions(found.filter(({ story }) => REDEEMING.includes(story)), through),
        ...crossedAtPerps(found.filter(({ story }) => PERPETUALS.includes(story)), through),
        ...crossedAtLenders(found.filter(({ story }) => story === AT_LENDERS), through, node),
        ...elsewhere(),
    ];
}

function chosen(which) {
    if (which === 'all') return ([name]) => !/a little$/.test(name);
    if (which === 'some') return ([name]) => SOME.includes(name);
    return ([name]) => name === which || new RegExp(which).test(name);
}

/** Whether the row is of this run: told by its name, since no two surveys need find the same points. */
function isOurs([name]) {
    const [mine, all] = SHARE.split('/').map(Number);
    return createHash('sha256').update(name).digest().readUInt32BE() % all === mine - 1;
}

/** The names of rows that passed before: the last line of a row counts. */
function known() {
    if (!process.env.SKIP) return new Set();
    const rows = readFileSync(process.env.SKIP, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
    return new Set([...new Map(rows.map(({ name, faults }) => [name, faults]))].filter(([, faults]) => faults === 0).map(([name]) => name));
}

await node.listen(Number(process.env.FAULTS_NODE_PORT));
await takeOver();
head();
const before = known();
const rows = (await matrix(WHICH)).filter(chosen(WHICH)).filter(isOurs).filter(([name]) => !before.has(name));
progress('of', process.env.PROGRESS_STAGE, rows.length);
for (const each of rows) {
    await row(...each);
    progress('did', process.env.PROGRESS_STAGE);
}
// Once more over everything: what came late must not have changed anything.
await row('all of it, afterwards', async () => ({ lives: lives.splice(0), hits: 1 }));
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
