// Swaps executed from quotes that were taken before: as many as are accepted in a second, and how long one takes at half of
// the goal. Each has to become a mined transaction of its own.

import { setTimeout as sleep } from 'node:timers/promises';
import { fundedWallet, takeQuotes, timed } from './content.mjs';
import { record } from './figures.mjs';
import { COSTS, costs, snapshot } from './load.mjs';
import { median } from './report.mjs';
import { askNode, eventually, inParallel } from './stack.mjs';

const ROUNDS = 3;
const CASES = {
    wallets: { wallets: 32, each: 40, width: 32, atOnce: 200 },
    wallet: { wallets: 1, each: 900, width: 16, atOnce: 150 },
};
const SECONDS = 5; // of executing at a constant rate
const MINED_WITHIN = 120;

export async function measureExecutes(stack, gateway) {
    let bad = 0;
    for (const [name, plan] of Object.entries(CASES)) bad += await measureCase(stack, gateway, name, plan);
    record('execute.bad', bad, 'answers and swaps');
    console.log(`Answers other than 200 and swaps not mined: ${bad}\n`);
}

/** How much went wrong. */
async function measureCase(stack, gateway, name, plan) {
    const agents = await inParallel(4, Array.from({ length: plan.wallets }), async () => {
        const key = await stack.newKey();
        return { key, address: await fundedWallet(stack, key) };
    });
    const full = [];
    for (let round = 0; round < ROUNDS; round++) {
        full.push(await settled(stack, gateway, agents, plan.each, (jobs) => atFullRate(stack, jobs, plan.width)));
    }
    const each = Math.ceil(plan.atOnce * SECONDS / plan.wallets);
    const steady = await settled(stack, gateway, agents, each, (jobs) => atConstantRate(stack, jobs, plan.atOnce));
    report(name, plan, full, steady.answers.map(({ ms }) => ms).sort((a, b) => a - b));
    return [...full, steady].reduce((sum, { failed }) => sum + failed, 0);
}

/** `times`: of those executed at a constant rate, the shortest first. */
function report(name, plan, full, times) {
    const p99 = times[Math.floor(times.length * 0.99)];
    const rates = full.map(({ rate }) => rate);
    record(`execute.${name}.rate`, rates, '/s');
    record(`execute.${name}.p50`, median(times), 'ms');
    record(`execute.${name}.p99`, p99, 'ms');
    for (const [cost, unit] of Object.entries(COSTS)) record(`execute.${name}.${cost}`, full.map((round) => round.cost[cost]), unit);
    const taken = (what) => median(full.map(({ cost }) => cost[what]));
    const cpu = ['web', 'service', 'database', 'node'].map((part) => `${part} ${taken(`cpu.${part}`).toFixed(0)}`);
    console.log(`Executes over ${plan.wallets} wallets: ${median(rates).toFixed(0)} per second (${rates.map((rate) => rate.toFixed(0)).join(', ')}); `
        + `at ${plan.atOnce} per second p50 ${median(times).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`);
    console.log(`  CPU in µs for each: ${cpu.join(', ')}; queries ${taken('queries').toFixed(1)}`);
}

/** Has `each` quotes of every agent executed; what failed is what was refused and what was not mined as a transaction of its own. */
async function settled(stack, gateway, agents, each, executeAll) {
    const quotes = await inParallel(2, agents, ({ key }) => takeQuotes(stack, key, each));
    const jobs = Array.from({ length: each }, (_, i) => agents.map(({ key }, n) => ({ key, quote: quotes[n][i] }))).flat();
    const before = await sentBy(stack, agents);
    const atStart = await snapshot(stack, gateway);
    const start = performance.now();
    const answers = await executeAll(jobs);
    const seconds = (performance.now() - start) / 1000;
    const cost = costs(atStart, await snapshot(stack, gateway), answers.length);
    const good = answers.filter(({ status }) => status === 200);
    const first = answers.find(({ status }) => status !== 200);
    if (first) console.log(`${answers.length - good.length} executes were refused: ${JSON.stringify(first.answer)}`);
    const mined = async () => (await sentBy(stack, agents)).reduce((sum, n, i) => sum + n - before[i], 0);
    await eventually(`${good.length} transactions mined`, MINED_WITHIN, async () => await mined() >= good.length);
    const swaps = new Set(good.map(({ answer }) => answer.swap_id)).size;
    return { rate: good.length / seconds, cost, answers, failed: answers.length - good.length + Math.abs(await mined() - swaps) };
}

/** Mined transactions of each agent's wallet. */
function sentBy(stack, agents) {
    return inParallel(8, agents, async ({ address }) => Number(await askNode(stack.node, 'eth_getTransactionCount', address, 'latest')));
}

const execute = (stack, { key, quote }) => timed(stack, '/swap/execute', key, JSON.stringify({ quote_id: quote }));

function atFullRate(stack, jobs, width) {
    return inParallel(width, jobs, (job) => execute(stack, job));
}

/** Whatever the answers take: what waits before it is sent is part of its time. */
async function atConstantRate(stack, jobs, perSecond) {
    const start = performance.now();
    const answers = [];
    for (const [i, job] of jobs.entries()) {
        const due = start + i * 1000 / perSecond;
        const ahead = due - performance.now();
        if (ahead > 1) await sleep(ahead);
        const late = Math.max(0, performance.now() - due);
        answers.push(execute(stack, job).then((answer) => ({ ...answer, ms: answer.ms + late })));
    }
    return Promise.all(answers);
}
