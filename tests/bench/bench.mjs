// bench.mjs ROOT BUILD: called by `run`, which has the settings.
//
// The gateway and the ideal stand behind the same web server configuration, with as many processes, on
// the same database server (and so with the same durability) and the same node, with the same agents and
// history. Both are warmed, then measured in turn, in each round in the other order, and a round's ratio
// is one of neighbours in time: absolute numbers on a shared machine move by a factor of two, ratios of
// a round by about a tenth. NOISE=1 shows by how much here.

import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { measureBig } from './big.mjs';
import { measureDrain } from './drain.mjs';
import { startIdeal } from './ideal.mjs';
import { measure } from './load.mjs';
import { memory, nameOf, tree } from './proc.mjs';
import { median, reportMemory, reportRequests } from './report.mjs';
import { measureSigner } from './signer.mjs';
import { askNode, call, eventually, inParallel, need, startStack } from './stack.mjs';

const [ROOT, BUILD] = process.argv.slice(2);
const setting = (name, otherwise) => process.env[name] || otherwise;
const ROUNDS = Number(setting('ROUNDS', 5));
const SECONDS = Number(setting('DUR', 3));
const CONNECTIONS = Number(setting('C', 32));
const AGENTS = Number(setting('AGENTS', 32));
const NOISE = setting('NOISE', '') !== '';
const WANTED = setting('ENDPOINTS', 'chains,me,swaps,quote,documents,execute,signer,drain,big').split(',');

const HISTORY = 60;
const EXECUTES = { rounds: 3, each: 200, width: 16, aim: 50 };

const quoteOf = (amount) => JSON.stringify({ from_token: 'ETH', to_token: 'USDC', amount, chain: 'ethereum' });

// Keys: none for the open endpoint; the first agent's where the history is.
const ENDPOINTS = {
    chains: { path: '/chains', keys: () => [], aim: 0.85 },
    me: { path: '/me', keys: (all) => all, aim: 0.75 },
    swaps: { path: '/swaps?limit=20', keys: (all) => all.slice(0, 1), aim: 0.75 },
    quote: { path: '/quote', body: quoteOf('1.5'), keys: (all) => all, aim: 0.6 },
};

const failures = [];
const cleanups = [];
let interrupted = 0;

/** What was started is ended with the run; at once, if the run is being ended already. */
async function started(thing) {
    cleanups.push(thing.stop);
    if (!interrupted) return thing;
    await cleanUp();
    throw new Error('interrupted');
}

async function main() {
    checkBuild();
    const stack = await started(await startStack(ROOT));
    const workers = Number(stack.settings.GATEWAY_WORKERS);
    const processes = Number(setting('IDEAL_PROCESSES', workers));

    const content = await makeContent(stack);
    const ideal = await started(await startIdeal(stack, `${BUILD}/ideal`, processes, content));
    const gateway = { name: 'gateway', base: stack.base, web: stack.pids.lighttpd, responders: stack.pids.gateway };
    const sides = [gateway, ideal];
    if (NOISE) sides[0] = await started(await startIdeal(stack, `${BUILD}/ideal`, processes, content, 'another'));

    console.log(`${ROUNDS} rounds of ${SECONDS} s each in turn, ${CONNECTIONS} connections, ${AGENTS} agents, `
        + `${workers} gateway workers, ${processes} ideal processes`
        + `${setting('IDEAL_COUNTS', '') === 'no' ? ' without a counter' : ''}; ${coreCount()} cores, load before `
        + `${loadavg()[0].toFixed(1)}\n`);
    const keys = content.agents.map((agent) => agent.key);
    await measureRequests(stack, sides, keys);
    if (WANTED.includes('documents') && !NOISE) await attempt('documents', () => measureDocuments(stack, gateway));
    if (WANTED.includes('execute') && !NOISE) await attempt('execute', () => measureExecutes(stack));
    if (WANTED.includes('signer') && !NOISE) await attempt('signer', () => measureSigner(setting('GATEWAY_BIN', ROOT), `${ROOT}/build/release/peek`));
    if (WANTED.includes('drain') && !NOISE) await attempt('drain', () => measureDrain(stack, `${BUILD}/ideal_drain`));
    if (WANTED.includes('big') && !NOISE) await attempt('big', () => measureBig(stack));
    await attempt('memory', () => showMemory(sides));
}

function coreCount() {
    return availableParallelism?.() ?? cpus().length;
}

/** Sanitizers make everything several times slower. */
function checkBuild() {
    const program = `${setting('GATEWAY_BIN', ROOT)}/fcgi/gateway`;
    if (readFileSync(program).includes('__asan_init')) throw new Error(`${program} is built with sanitizers`);
}

/** Whatever cannot be measured is named at the end, and the rest goes on. */
async function attempt(what, work) {
    try {
        return await work();
    } catch (error) {
        failures.push(`${what}: ${error.message}`);
        return undefined;
    }
}

// ---- Content ----

/** Agents, and a history of completed swaps of the first, made through the API alone. */
async function makeContent(stack) {
    const keys = await inParallel(4, Array.from({ length: AGENTS }), () => stack.newKey());
    await tradingWallet(stack, keys[0]);
    const quotes = await takeQuotes(stack, keys[0], HISTORY);
    await inParallel(4, quotes, (quote) => execute(stack, keys[0], quote));
    const completed = async () => (await need(stack.base, '/swaps?status=completed&limit=1', keys[0])).pagination.total;
    await eventually(`${HISTORY} swaps complete`, 90, async () => await completed() === HISTORY);
    const withProfile = async (key) => ({ key, profile: (await need(stack.base, '/me', key)).agent });
    return {
        chains: await need(stack.base, '/chains'),
        agents: await inParallel(4, keys, withProfile),
        swaps: (await need(stack.base, '/swaps?limit=100', keys[0])).swaps,
    };
}

async function tradingWallet(stack, key) {
    const { wallet } = await need(stack.base, '/wallets', key, '', 'POST');
    await askNode(stack.node, 'anvil_setBalance', wallet.address, `0x${(10n ** 22n).toString(16)}`);
    return wallet.address;
}

function takeQuotes(stack, key, n) {
    const body = quoteOf('0.01');
    return inParallel(8, Array.from({ length: n }), async () => (await need(stack.base, '/quote', key, body)).quote_id);
}

function execute(stack, key, quote) {
    return need(stack.base, '/swap/execute', key, JSON.stringify({ quote_id: quote }));
}

// ---- Requests ----

async function measureRequests(stack, sides, keys) {
    const results = {};
    for (const name of Object.keys(ENDPOINTS).filter((each) => WANTED.includes(each))) {
        const endpoint = ENDPOINTS[name];
        const rounds = await attempt(name, async () => {
            await compareAnswers(name, endpoint, sides, keys);
            return measureEndpoint(stack, sides, endpoint, endpoint.keys(keys));
        });
        if (rounds) results[name] = { aim: endpoint.aim, rounds };
    }
    if (Object.keys(results).length === 0) return;
    console.log(`${reportRequests(sides.map((side) => side.name), results)}\n`);
    for (const [name, { rounds }] of Object.entries(results)) {
        const bad = rounds.flat().reduce((sum, { bad: n }) => sum + n, 0);
        const all = rounds.flat().reduce((sum, { requests: n }) => sum + n, 0);
        if (bad > all / 100) failures.push(`${name}: ${bad} of ${all} answers were bad`);
    }
}

async function measureEndpoint(stack, sides, endpoint, keys) {
    const one = async (side, seconds) => {
        const result = await measure(stack, side, endpoint, keys, CONNECTIONS, seconds);
        if (!result) throw new Error(`${side.name} answered nothing`);
        return result;
    };
    for (const side of sides) await one(side, 1);
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
        const pair = [];
        for (const i of round % 2 === 0 ? [0, 1] : [1, 0]) pair[i] = await one(sides[i], SECONDS);
        rounds.push(pair);
    }
    return rounds;
}

/** Both have to answer; an answer of another shape is comparable with caution only, and said. */
async function compareAnswers(name, endpoint, sides, keys) {
    const answers = [];
    for (const side of sides) {
        answers.push(await need(side.base, endpoint.path, endpoint.keys(keys)[0], endpoint.body));
    }
    const [first, second] = answers.map((answer) => membersOf(answer));
    const only = (a, b) => [...a].filter((member) => !b.has(member)).join(' ') || 'nothing';
    if (only(first, second) === 'nothing' && only(second, first) === 'nothing') return;
    console.log(`Answers of ${name} differ: only ${sides[0].name} has ${only(first, second)}; `
        + `only ${sides[1].name} has ${only(second, first)}.\n`);
}

/** Paths of all members; elements of an array are alike. */
function membersOf(value, path = '', members = new Set()) {
    if (Array.isArray(value)) {
        value.forEach((element) => membersOf(element, `${path}[]`, members));
    } else if (value !== null && typeof value === 'object') {
        for (const [name, member] of Object.entries(value)) membersOf(member, `${path}.${name}`, members);
    } else {
        members.add(path);
    }
    return members;
}

// ---- Documents ----

/** From the web server's file, and from the gateway, which answers what bears an id. */
async function measureDocuments(stack, gateway) {
    const rates = { file: [], gateway: [] };
    for (let round = 0; round < ROUNDS; round++) {
        for (const [name, id] of [['file', ''], ['gateway', 'bench']]) {
            const { rate, bad } = await measure(stack, gateway, { path: '/openapi', id }, [], CONNECTIONS, SECONDS);
            if (bad > 0) throw new Error(`${bad} answers of the ${name} were bad`);
            rates[name].push(rate);
        }
    }
    const [file, own] = [median(rates.file), median(rates.gateway)];
    console.log(`The OpenAPI document per second: ${file.toFixed(0)} as a file, ${own.toFixed(0)} from the gateway, `
        + `ratio ${(file / own).toFixed(1)}\n`);
}

// ---- Executes ----

/** All quotes of one wallet, some at a time; each has to become a mined transaction of its own. */
async function measureExecutes(stack) {
    const key = await stack.newKey();
    const address = await tradingWallet(stack, key);
    const rates = [];
    for (let round = 0; round < EXECUTES.rounds; round++) rates.push(await executeAll(stack, key, address));
    console.log(`Executes on one wallet, ${EXECUTES.each} with ${EXECUTES.width} at a time: `
        + `${median(rates).toFixed(0)} per second (${rates.map((rate) => rate.toFixed(0)).join(', ')}; `
        + `aim: ${EXECUTES.aim}), all of them mined\n`);
}

async function executeAll(stack, key, address) {
    const quotes = await takeQuotes(stack, key, EXECUTES.each);
    const sent = async () => Number(await askNode(stack.node, 'eth_getTransactionCount', address, 'latest'));
    const before = await sent();
    const start = performance.now();
    const answers = await inParallel(EXECUTES.width, quotes,
        (quote) => call(stack.base, '/swap/execute', key, JSON.stringify({ quote_id: quote })));
    const seconds = (performance.now() - start) / 1000;
    const bad = answers.filter(({ status }) => status !== 200);
    if (bad.length > 0) throw new Error(`${bad.length} of ${quotes.length} failed: ${JSON.stringify(bad[0])}`);
    const swaps = new Set(answers.map(({ body }) => body.swap_id));
    if (swaps.size !== quotes.length) throw new Error(`${quotes.length} quotes became ${swaps.size} swaps`);
    await eventually(`${quotes.length} transactions mined`, 60, async () => await sent() === before + quotes.length);
    return quotes.length / seconds;
}

// ---- Memory ----

function showMemory(sides) {
    const workers = sides.map(({ name, responders }) => [
        name, tree([responders]).filter((pid) => pid !== responders && nameOf(pid) === nameOf(responders)).map(memory),
    ]);
    const missing = workers.find(([, list]) => list.length === 0);
    if (missing) throw new Error(`no workers of ${missing[0]}`);
    console.log(`${reportMemory(workers)}\n`);
}

// ---- Start and end ----

/** Ends what was started, last first. */
async function cleanUp() {
    while (cleanups.length > 0) await cleanups.pop()();
}

let ending;

// What is being measured then fails, which is how the run comes to its end.
for (const [signal, status] of [['SIGINT', 130], ['SIGTERM', 143]]) {
    process.on(signal, () => {
        interrupted = status;
        ending = cleanUp().catch(() => {});
    });
}

await attempt('the run', main);
await ending;
await attempt('the end', cleanUp);
if (interrupted) process.exit(interrupted);
for (const failure of failures) console.error(`Not measured: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
