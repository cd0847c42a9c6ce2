// Swaps executed from quotes that were taken before: as many as are accepted in a second, and how long one takes at half of
// the goal. Each has to become a mined transaction of its own.

import { setTimeout as sleep } from 'node:timers/promises';
import { fundedWallet, takeQuotes, timed } from './content.mjs';
import { record } from './figures.mjs';
import { COSTS, costs, snapshot } from './load.mjs';
import { startReplay } from './replay.mjs';
import { median } from './report.mjs';
import {
    askNode, eventually, inParallel, need,
} from './stack.mjs';

const ROUNDS = 3;
const CASES = {
    wallets: { wallets: 32, each: 40, width: 32, atOnce: 200 },
    wallet: { wallets: 1, each: 900, width: 16, atOnce: 150 },
};
const AGGREGATED_EACH = 20;
const SOLANA_EACH = 20;
const LENT_EACH = 20;
const OF_WETH = { from_token: 'WETH', amount: '0.0001' };
const SUPPLY = JSON.stringify({ market: 'aave-v3:1:WETH', amount: OF_WETH.amount });
const WETH = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2';
const DEPOSIT = '0xd0e30db0';
const ON_SOLANA = { from_token: 'SOL', to_token: 'USDC', amount: '0.01', chain: 'solana' };
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
    const agents = await makeAgents(stack, plan.wallets);
    const full = [];
    for (let round = 0; round < ROUNDS; round++) {
        full.push(await settled(stack, gateway, agents, plan.each, (jobs) => atFullRate(stack, jobs, plan.width)));
    }
    const each = Math.ceil(plan.atOnce * SECONDS / plan.wallets);
    const steady = await settled(stack, gateway, agents, each, (jobs) => atConstantRate(stack, jobs, plan.atOnce));
    report(name, plan, full, steady.answers.map(({ ms }) => ms).sort((a, b) => a - b));
    return [...full, steady].reduce((sum, { failed }) => sum + failed, 0);
}

function makeAgents(stack, n, walletOf = fundedWallet) {
    return inParallel(4, Array.from({ length: n }), async () => {
        const key = await stack.newKey();
        return { key, address: await walletOf(stack, key) };
    });
}

/** The same through an aggregator beside those through Uniswap, in turn. What its service is asked takes no time. */
export async function measureAggregator(stack, gateway, replayProgram) {
    const service = `http://127.0.0.1:${stack.settings.SANDBOX_UPSTREAM_PORT}/1inch/swap/v6.1`;
    const replay = await startReplay(replayProgram, [['1inch', service]]);
    try {
        await stack.reconfigure(`provider.1inch.url = ${replay.base}/1inch\nprovider.1inch.rate = 999999/s\n`);
        const agents = await makeAgents(stack, CASES.wallets.wallets);
        const through = (provider, each) => settled(stack, gateway, agents, each, (jobs) => atFullRate(stack, jobs, CASES.wallets.width), swapsOf({ providers: [provider] }));
        const [direct, aggregated] = await inTurn(() => through('uniswap', AGGREGATED_EACH), () => through('1inch', AGGREGATED_EACH));
        reportAggregator(direct, aggregated);
    } finally {
        await stack.reconfigure('');
        await replay.stop();
    }
}

/** What each of two ways measures in every round, one first and then the other. In a first round programs get warm. */
async function inTurn(...ways) {
    const found = ways.map(() => []);
    for (let round = 0; round <= ROUNDS; round++) {
        const order = round % 2 === 0 ? [0, 1] : [1, 0];
        for (const way of order) {
            const measured = await ways[way]();
            if (round > 0) found[way].push(measured);
        }
    }
    return found;
}

function reportAggregator(direct, through) {
    reportBeside('fanout', 'through an aggregator', through, direct);
    record('fanout.execute.toUniswap', through.map(({ rate }, i) => rate / direct[i].rate), '');
}

/** One way beside Uniswap's, round by round. */
function reportBeside(figure, what, sides, direct) {
    const failed = [...direct, ...sides].reduce((sum, round) => sum + round.failed, 0);
    if (failed > 0) throw new Error(`${failed} executes were refused or not carried out`);
    record(`${figure}.execute.rate`, sides.map(({ rate }) => rate), '/s');
    const cpu = (side) => ['web', 'service', 'database', 'node'].map((part) => `${part} ${median(side.map(({ cost }) => cost[`cpu.${part}`])).toFixed(0)}`).join(', ');
    const rate = (side) => median(side.map((round) => round.rate)).toFixed(0);
    console.log(`Executes ${what}: ${rate(sides)} per second, through Uniswap ${rate(direct)}`);
    console.log(`  CPU in µs for each: ${cpu(sides)}; ${cpu(direct)}\n`);
}

/**
 * Swaps on Solana beside those through Uniswap, in turn. What Jupiter's service and the node of Solana take is theirs: both are
 * programs of the sandbox, and a part of the rate, but of no processor time that is told.
 */
export async function measureSolanaExecutes(stack, gateway) {
    await stack.reconfigure('provider.jupiter.rate = 999999/s\n');
    try {
        const { wallets, width } = CASES.wallets;
        const evm = await makeAgents(stack, wallets);
        const solana = await makeAgents(stack, wallets, solanaWallet);
        const full = (jobs) => atFullRate(stack, jobs, width);
        const [direct, there] = await inTurn(
            () => settled(stack, gateway, evm, SOLANA_EACH, full),
            () => settled(stack, gateway, solana, SOLANA_EACH, full, swapsOf(ON_SOLANA, completedOf)),
        );
        reportSolana(there, direct);
    } finally {
        await stack.reconfigure('');
    }
}

function reportSolana(solana, evm) {
    reportBeside('solana', 'on Solana', solana, evm);
    const cpuOf = ({ cost }) => cost['cpu.web'] + cost['cpu.service'] + cost['cpu.database'];
    record('solana.execute.toEvm', solana.map(({ rate }, i) => rate / evm[i].rate), '');
    record('solana.execute.cpuToEvm', solana.map((each, i) => cpuOf(each) / cpuOf(evm[i])), '');
}

/** Supplies to a lender beside swaps of the same token, in turn: either is an approval and a call. */
export async function measureLending(stack, gateway) {
    const { wallets, width } = CASES.wallets;
    const agents = await makeAgents(stack, wallets, walletWithWeth);
    const [direct, lent] = await inTurn(
        () => settled(stack, gateway, agents, LENT_EACH, (jobs) => atFullRate(stack, jobs, width), swapsOf(OF_WETH, completedOf)),
        () => settled(stack, gateway, agents, LENT_EACH, (jobs) => atFullRate(stack, jobs, width, supply), SUPPLIES),
    );
    reportBeside('lend', 'at a lender', lent, direct);
    record('lend.execute.toSwaps', lent.map(({ rate }, i) => rate / direct[i].rate), '');
}

/** The address of a new wallet that has wrapped coin of its own, before the gateway has sent anything from it. */
async function walletWithWeth(stack, key) {
    const address = await fundedWallet(stack, key);
    await askNode(stack.node, 'anvil_impersonateAccount', address);
    await askNode(stack.node, 'eth_sendTransaction', { from: address, to: WETH, data: DEPOSIT, value: '0xde0b6b3a7640000' });
    await eventually('coin is wrapped', 20, async () => Number(await askNode(stack.node, 'eth_getTransactionCount', address, 'latest')) === 1);
    await askNode(stack.node, 'anvil_stopImpersonatingAccount', address);
    return address;
}

/** The address of a new wallet with 1000 SOL. */
async function solanaWallet(stack, key) {
    const { wallet } = await need(stack.base, '/wallets', key, JSON.stringify({ chain_type: 'solana' }));
    const { status } = await fetch(`http://127.0.0.1:${stack.settings.SANDBOX_SOLANA_PORT}/_sandbox`, {
        method: 'POST', body: JSON.stringify({ service: 'solana', fault: 'fund', value: { address: wallet.address, amount: '1000000000000' } }),
    });
    if (status !== 200) throw new Error(`the node of Solana answered ${status}`);
    return wallet.address;
}

/** What of an agent's is completed, of the list at `path`. */
const completedAt = (path) => (stack, agents) => inParallel(8, agents, async ({ key }) => (await need(stack.base, `${path}?status=completed&limit=1`, key)).pagination.total);

/** Swaps of each agent that are completed. */
const completedOf = completedAt('/swaps');

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

/** What is executed: `each` for every agent, by what they are told apart, and how many of each agent's were carried out. */
const swapsOf = (question = {}, carriedOut = sentBy) => ({
    carriedOut,
    id: ({ swap_id: id }) => id,
    async jobs(stack, agents, each) {
        const quotes = await inParallel(2, agents, ({ key }) => takeQuotes(stack, key, each, question));
        return Array.from({ length: each }, (_, i) => agents.map(({ key }, n) => ({ key, quote: quotes[n][i] }))).flat();
    },
});
const SUPPLIES = {
    carriedOut: completedAt('/lend/operations'),
    id: ({ operation }) => operation.id,
    jobs: (stack, agents, each) => Array.from({ length: each }, () => agents).flat(),
};

/** Has `what` executed; what failed is what was refused and what was not carried out by itself. */
async function settled(stack, gateway, agents, each, executeAll, what = swapsOf()) {
    const { carriedOut } = what;
    const jobs = await what.jobs(stack, agents, each);
    const before = await carriedOut(stack, agents);
    const atStart = await snapshot(stack, gateway);
    const start = performance.now();
    const answers = await executeAll(jobs);
    const seconds = (performance.now() - start) / 1000;
    const cost = costs(atStart, await snapshot(stack, gateway), answers.length);
    const good = answers.filter(({ status }) => status === 200);
    const first = answers.find(({ status }) => status !== 200);
    if (first) console.log(`${answers.length - good.length} executes were refused: ${JSON.stringify(first.answer)}`);
    const mined = async () => (await carriedOut(stack, agents)).reduce((sum, n, i) => sum + n - before[i], 0);
    await eventually(`${good.length} transactions mined`, MINED_WITHIN, async () => await mined() >= good.length);
    const swaps = new Set(good.map(({ answer }) => what.id(answer))).size;
    return { rate: good.length / seconds, cost, answers, failed: answers.length - good.length + Math.abs(await mined() - swaps) };
}

/** Mined transactions of each agent's wallet. */
function sentBy(stack, agents) {
    return inParallel(8, agents, async ({ address }) => Number(await askNode(stack.node, 'eth_getTransactionCount', address, 'latest')));
}

const execute = (stack, { key, quote }) => timed(stack, '/swap/execute', key, JSON.stringify({ quote_id: quote }));

const supply = (stack, { key }) => timed(stack, '/lend/supply', key, SUPPLY);

function atFullRate(stack, jobs, width, one = execute) {
    return inParallel(width, jobs, (job) => one(stack, job));
}

/** At a rate that does not depend on the answers: the wait before a request is sent is part of its time. */
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
