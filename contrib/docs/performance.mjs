// performance.mjs [--check]: draws the charts and fills the tables of performance.md and capacity.md from
// performance.json, which `RESULTS=contrib/docs/performance.json make bench` writes, and the chart of the fault matrix from
// faults.jsonl, where there is one: `RESULTS=contrib/docs/faults.jsonl make test-faults`. A table stands between the comments
// <!-- NAME --> and <!-- end of NAME -->. With --check it names the files that are out of date, and changes none.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
    budgetCheck, grouped, hostsCheck, hostsTable, machineTable, markdown, workersTable,
} from './capacity.mjs';
import { drawCharts } from './charts.mjs';

const DOCS = dirname(fileURLToPath(import.meta.url));
const ROOT = join(DOCS, '../..');
const PAGES = ['contrib/docs/performance.md', 'contrib/docs/capacity.md'];

const ENDPOINTS = {
    chains: '`GET /chains`', me: '`GET /me`', unknown: 'unknown key (401)', malformed: 'malformed key (401)', swaps: '`GET /swaps`, 20 rows',
    markets: '`GET /predict/markets`, 20 rows', orders: '`GET /predict/orders`, 20 rows',
    'lend.markets': '`GET /lend/markets`', 'lend.operations': '`GET /lend/operations`, 20 rows', 'perps.markets': '`GET /perps/markets`',
    'perps.orders': '`GET /perps/orders`, 20 rows', quote: '`POST /quote`, one exchange', market: '`POST /quote`, all exchanges',
    fanout: '`POST /quote`, all sources', solana: '`POST /quote` on Solana',
};
const SIDES = { gateway: 'gateway', ideal: 'ideal', peer: 'Node.js service' };

/** Why a goal is not met, where that is known, from the figures; shown only while it is not met. */
const REASONS = {
    'chains.rate.toPeer': oneWebServer,
    'unknown.p99.toPeer': (all) => slowest(all, 'unknown'),
    'swaps.rate.toIdeal': (all) => beyondIdeal(all, 'swaps', whyLonger(all, 'swaps')),
    'swaps.rate.toPeer': (all) => beyondIdeal(all, 'swaps', whyLonger(all, 'swaps')),
    'markets.rate.toIdeal': (all) => beyondIdeal(all, 'markets', 'as any of them may have to wait for the venue, each has a worker of the larger pool, and these take turns on the cores'),
    'orders.rate.toIdeal': (all) => beyondIdeal(all, 'orders', ORDERS_KEPT),
    'quote.rate.toIdeal': (all) => beyondIdeal(all, 'quote', QUOTE_CHECKS),
    'quote.rate.toPeer': (all) => `the ideal itself is ${times(all, 'quote.rate.ideal', 'quote.rate.peer')} times as fast as it: the database and the node, which all sides share, take most of the time`,
    'quote.cpu.toIdeal': (all) => beyondIdeal(all, 'quote', QUOTE_CHECKS),
    'execute.wallets.rate': (all) => fullAt(all, 'execute.wallets'),
    'execute.wallet.rate': (all) => fullAt(all, 'execute.wallet'),
    'execute.wallets.p99': (all) => fullAt(all, 'execute.wallets'),
    'execute.wallet.p99': (all) => fullAt(all, 'execute.wallet'),
    'place.added': ({ figures: all }) => `${shown(all['place.gateway'].median)} ms against ${shown(all['place.venue'].median)}: ${ORDER_TAKES}`,
    'perps.place.added': (all) => askedAndTaken(all, 'perps.place'),
    'perps.place.crowded.added': (all) => askedAndTaken(all, 'perps.place.crowded'),
    'frozen.me.ratio': ({ figures: all }) => `${shown(all['frozen.me.busy'].median)} ms against ${shown(all['frozen.me.idle'].median)}: quotes that have given up come and go on the same cores`,
    'drain.http.toIdeal': () => DRAIN,
    'drain.tls.toIdeal': () => DRAIN,
    'poll.toIdeal': () => 'the ideal asks for receipts alone; swap-poll also looks at the chain\'s head and each wallet\'s nonce, and judges what it sees',
    'million.follow.claim.ms': ({ figures: all }) => `the quickest took ${shown(all['million.follow.claim.ms'].min)} ms, the slowest ${shown(all['million.follow.claim.ms'].max)}, of ${shown(all['million.follow.claim.rows'].median)} rows each in a table larger than the database's cache`,
};
const ORDER_TAKES = 'an order is signed, and takes two commits, on the cores that work for the venue and for fifteen others, too';
const QUOTE_CHECKS = 'it validates, limits and counts, bounds the node\'s time, finds the best of all paths, and keeps the runners-up';
const ORDERS_KEPT = 'it makes the numbers and names of what is kept in smallest units, where the ideal keeps the very texts';
const DRAIN = 'the ideal neither shares out among agents nor keeps what was answered, and guards no address';

const times = ({ figures: all }, one, other) => shown(all[one].median / all[other].median);

const askedAndTaken = ({ figures: all }, name) => `${shown(all[`${name}.gateway`].median)} ms against ${shown(all[`${name}.asked`].median)} and ${shown(all[`${name}.venue`].median)}: ${ORDER_TAKES}`;

/** What a request takes next to the ideal's, part by part. */
function beyondIdeal({ figures: all }, name, why) {
    const part = (each) => `${each} ${Math.round(all[`${name}.cpu.${each}.gateway`].median)} µs (${Math.round(all[`${name}.cpu.${each}.ideal`].median)})`;
    return `${['web', 'service', 'database'].map(part).join(', ').replace('web', 'web server')}: ${why}`;
}

function whyLonger({ figures: all }, name) {
    return `its page has ${grouped(all[`${name}.bytes.gateway`].median)} bytes (${grouped(all[`${name}.bytes.ideal`].median)}), with members that clients of the specification read`;
}

/** Milliseconds and rates of both. */
function slowest({ figures: all }, name) {
    const side = (each) => `${shown(all[`${name}.p99.${each}`].median)} ms at ${grouped(all[`${name}.rate.${each}`].median)}/s`;
    return `${side('gateway')} against ${side('peer')}`;
}

/** A web server of one process has one core. */
function oneWebServer({ figures: all }) {
    const web = all['chains.cpu.web.gateway'].median;
    return `${shown(web)} µs of the web server each, whose one process is full at ${grouped(1e6 / web)}/s; the Node.js service has two`;
}

/** How many of them the processor time of the machine is enough for. */
function fullAt({ figures: all, machine: { cores } }, name) {
    const ms = (part) => (all[`${name}.cpu${part}`].median / 1000).toFixed(1);
    return `one takes ${ms('')} ms of processor time, the chain's node ${ms('.node')} and the database ${ms('.database')} of it: `
        + `${cores} cores are full at ${(cores * 1e6 / all[`${name}.cpu`].median).toFixed(0)}/s`;
}

const TABLES = {
    comparison, memory, reasons, goals, figures, growth, conditions, 'one machine': machineTable, 'budget check': budgetCheck, workers: workersTable,
    hosts: hostsTable, 'hosts check': hostsCheck,
};

// ---------------------------------------------------------------- tables

function shown(value) {
    if (value === 0) return '0';
    if (Math.abs(value) >= 1000) return grouped(value);
    if (Math.abs(value) >= 100) return value.toFixed(0);
    return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** The endpoints next to the others', each ratio with its goal. */
function comparison({ figures: all, goals: goalList }) {
    const ratio = (figure) => {
        if (!all[figure]) return '';
        const goal = goalList.find((each) => each.figure === figure);
        if (!goal) return shown(all[figure].median);
        return `${goal.met ? '' : '**'}${shown(all[figure].median)}${goal.met ? '' : '**'} (${bound(goal)})`;
    };
    const rows = Object.keys(ENDPOINTS).filter((name) => all[`${name}.rate.toIdeal`]).map((name) => [
        ENDPOINTS[name], grouped(all[`${name}.rate.gateway`].median), ratio(`${name}.rate.toIdeal`), ratio(`${name}.rate.toPeer`),
        all[`${name}.p99.gateway`].median.toFixed(1), ratio(`${name}.p99.toPeer`),
    ]);
    return markdown(['', 'requests/s', 'to the ideal\'s (goal)', 'to the Node.js service\'s (goal)', 'p99, ms', 'p99 to the Node.js service\'s (goal)'], rows);
}

/** The chart of memory, as a sentence. */
function memory({ figures: all }) {
    const mb = (when, side) => `${Math.round(all[`memory.${when}.${side}`].median)} MB`;
    const side = (name) => `${mb('idle', name)} when idle and ${mb('loaded', name)} after the load`;
    return `All processes of the gateway take ${side('gateway')}, those of the Node.js service ${side('peer')}.`;
}

/** What is short of its goal, and why. */
function reasons(results) {
    return results.goals.filter(({ met }) => !met).map((goal) => {
        const why = REASONS[goal.figure];
        return `* ${goal.what}: ${shown(goal.value)} (${bound(goal)})${why ? `. ${sentence(why(results))}` : ''}`;
    }).join('\n');
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

function bound({ atLeast, atMost }) {
    return atLeast !== undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
}

function goals(results) {
    const rows = results.goals.map((goal) => {
        const { min, max } = results.figures[goal.figure];
        const why = REASONS[goal.figure];
        const verdict = goal.met ? 'met' : `**not met**${why ? `: ${why(results)}` : ''}`;
        return [goal.what, bound(goal), shown(goal.value), min === max ? '' : `${shown(min)} to ${shown(max)}`, verdict];
    });
    return markdown(['', 'goal', 'figure', 'of rounds', ''], rows);
}

function figures({ figures: all }) {
    const value = (name) => all[name]?.median;
    const rows = Object.keys(ENDPOINTS).flatMap((name) => Object.keys(SIDES).filter((side) => all[`${name}.rate.${side}`]).map((side) => {
        const of = (figure, digits) => Math.max(0, value(`${name}.${figure}.${side}`)).toFixed(digits);
        const { median, min, max } = all[`${name}.rate.${side}`];
        return [
            `${ENDPOINTS[name]}, ${SIDES[side]}`, grouped(median), `${grouped(min)} to ${grouped(max)}`, of('p50', 1), of('p99', 1), of('cpu.web', 0),
            of('cpu.service', 0), of('cpu.database', 0), of('cpu.node', 0), of('queries', 2), of('rows', 1), of('prepares', 2), of('bytes', 0),
        ];
    }));
    return markdown([
        '', 'requests/s', 'of rounds', 'p50 ms', 'p99 ms', 'web server µs', 'service µs', 'database µs', 'node µs', 'queries', 'rows', 'prepares', 'bytes',
    ], rows);
}

const SIZES = { big: '20 000 agents, 200 000 swaps', million: '1 000 000 agents, 10 000 000 swaps' };
const GROWN = {
    'me.rows': 'rows read for `GET /me`',
    'swaps.rows': 'rows read for the first page of `GET /swaps`',
    'far.rows': 'rows read for a page in the middle of the longest history',
    'claim.ms': 'ms of the database to claim 100 events, of 20 000 or 1 000 000 that wait',
    'follow.claim.ms': 'ms of the database to claim 100 executions, all of as many being due',
    'follow.claim.rows': 'rows read for that',
    'purge.longest.ms': 'ms of the longest statement that removes an agent\'s history',
    'purge.p99.ratio': 'p99 of another agent\'s page meanwhile, to the one before',
    'marks.rate': 'swaps per second that `quote-expire` looks through for marks',
};

/** What big.mjs measured, at each size. */
function growth({ figures: all }) {
    const sizes = Object.keys(SIZES).filter((size) => all[`${size}.far.rows`]);
    const value = (name) => (all[name] ? shown(all[name].median) : '');
    return markdown(['', ...sizes.map((size) => SIZES[size])],
        Object.entries(GROWN).map(([figure, words]) => [words, ...sizes.map((size) => value(`${size}.${figure}`))]));
}

function conditions({
    when, source, machine, versions, settings, parts = {},
}) {
    return [
        `Measured ${when.slice(0, 10)} at \`${source}\`: ${machine.cores} cores of ${machine.cpu}, ${(machine.memoryMB / 1024).toFixed(0)} GB, Linux ${machine.kernel}; `
            + `database ${versions.database}, lighttpd ${versions.lighttpd}, gcc ${versions.compiler}; Node.js ${versions.node} with fastify ${versions.fastify}, `
            + `mysql2 ${versions.mysql2}, ethers ${versions.ethers}. ${settings.rounds} rounds of ${settings.seconds} s, ${settings.connections} connections, `
            + `${settings.agents} agents, ${settings.idealProcesses} processes of the ideal, 2 of the Node.js service. The machine's load before: ${settings.loadBefore}.`,
        ...Object.entries(parts).map(([name, part]) => `The figures of \`${name}\` are of a run of their own, ${part.when.slice(0, 10)} at \`${part.source}\`: `
            + `${part.machine.cores} cores of ${part.machine.cpu}; load before: ${part.settings.loadBefore}.`),
    ].join('\n');
}

// ---------------------------------------------------------------- pages

/** A page with its tables filled. */
function filled(page, results) {
    return page.replace(/<!-- ([a-z ]+) -->\n[^]*?<!-- end of \1 -->/g, (whole, name) => {
        if (!TABLES[name]) throw new Error(`no table is called ${name}`);
        return `<!-- ${name} -->\n${TABLES[name](results)}\n<!-- end of ${name} -->`;
    });
}

const measured = JSON.parse(readFileSync(join(DOCS, 'performance.json'), 'utf8'));
const wanted = new Map(PAGES.map((path) => [path, filled(readFileSync(join(ROOT, path), 'utf8'), measured)]));
const lines = existsSync(join(DOCS, 'faults.jsonl')) ? readFileSync(join(DOCS, 'faults.jsonl'), 'utf8').trim().split('\n').map(JSON.parse) : [];
const faults = [...new Map(lines.map((row) => [row.name, row])).values()];
for (const [name, svg] of drawCharts(measured, faults)) wanted.set(`contrib/docs/charts/${name}`, svg);

for (const [path, content] of wanted) {
    const file = join(ROOT, path);
    if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
    if (process.argv[2] === '--check') {
        console.log(`${path} is out of date: node contrib/docs/performance.mjs`);
        continue;
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
}
