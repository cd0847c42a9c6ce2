// Quotes of all sources at once: the gateway beside the ideal, which asks the very same things, over services that answer at
// once; services that take their time; and some that do not answer, or not well. The services are the sandbox's, recorded
// (replay.c), so that what they take is no part of the figures.

import { setTimeout as sleep } from 'node:timers/promises';
import { timed } from './content.mjs';
import { record } from './figures.mjs';
import { startReplay } from './replay.mjs';
import { median } from './report.mjs';
import { QUOTE, measureEndpoint, measureOnce } from './requests.mjs';
import { hexAt } from './sides.mjs';
import { eventually, inParallel, need } from './stack.mjs';

/** What stands before the price in a service's answer. */
const MARKS = {
    kyberswap: '"amountOut":"',
    '0x': '"buyAmount":"',
    velora: '"destAmount":"',
    openocean: '"outAmount":"',
    '1inch': '"dstAmount":"',
    lifi: '"toAmount":"',
};
const SERVICES = Object.keys(MARKS);
const NODE = 'ethereum';
const SLOW_MS = 200;
const SLOW_CONNECTIONS = 16; // few enough that no request waits for anything else
const STALLED = 'kyberswap';
const GARBAGE = 'openocean';
const ALL = { path: '/quote', body: QUOTE, keys: (all) => all, waits: true };
const FEWER = { ...ALL, body: quoteWith({ exclude_providers: [STALLED, GARBAGE] }) };
const BURST = 16;
const PAUSE_MS = 2500; // after which one that is left alone was tried again

function quoteWith(more) {
    return JSON.stringify({ ...JSON.parse(QUOTE), ...more });
}

/** `startIdeal` does so, with a name and its calls. */
export async function measureFanout(stack, gateway, startIdeal, replayProgram, allKeys, plan) {
    const keys = allKeys.slice(1); // the first one has a wallet, whose address would make its questions others
    const upstream = `http://127.0.0.1:${stack.settings.SANDBOX_UPSTREAM_PORT}`;
    const paths = { '1inch': '1inch/swap/v6.1' };
    const replay = await startReplay(replayProgram, [
        ...SERVICES.map((name) => [name, `${upstream}/${paths[name] ?? name}`]), [NODE, stack.node, 'eth_call'],
    ]);
    try {
        await stack.reconfigure(settingsOf(replay));
        await beside(stack, gateway, startIdeal, replay, keys, plan);
        await whenSlow(stack, gateway, replay, keys, plan);
        await whenFaulty(stack, gateway, replay, keys, plan);
    } finally {
        await stack.reconfigure('');
        await replay.stop();
    }
}

function settingsOf({ base }) {
    const services = SERVICES.map((name) => `provider.${name}.url = ${base}/${name}\nprovider.${name}.rate = 999999/s\n`);
    return `${services.join('')}rpc.${NODE} = ${base}/${NODE}\n`;
}

/** All of them, and each has an offer. */
async function askedAll(stack, key) {
    const quote = await need(stack.base, '/quote', key, QUOTE);
    const offered = quote.routes.filter(({ error }) => !error).map(({ provider }) => provider);
    const missing = ['uniswap', ...SERVICES].filter((name) => !offered.includes(name));
    if (missing.length > 0) throw new Error(`no offer of ${missing}: ${JSON.stringify(quote.routes)}`);
    return quote;
}

// ---- at once ----

async function beside(stack, gateway, startIdeal, replay, keys, plan) {
    const quote = await askedAll(stack, keys[0]);
    await inParallel(8, keys, (key) => askedAll(stack, key));
    const calls = await recordedCalls(replay, quote);
    const ideal = await startIdeal('eight', calls);
    try {
        const sides = [gateway, { ...ideal, name: 'ideal' }];
        await sameBest(sides, keys[0], quote);
        await measureEndpoint(stack, sides, 'fanout', keys, plan, ALL);
    } finally {
        await ideal.stop();
    }
}

/** What the gateway has asked each of them most often. */
async function recordedCalls(replay, quote) {
    const asked = (await replay.asked()).sort((a, b) => b.asked - a.asked);
    return Promise.all([NODE, ...SERVICES].map(async (name) => {
        const { path, body } = asked.find((each) => each.name === name);
        const url = `${replay.base}/${name}${path}`;
        const headers = ['Accept: application/json', ...(body ? ['Content-Type: application/json'] : [])];
        if (name !== NODE) return { url, body, headers, mark: MARKS[name], skip: 0, base: 10 };
        return { url, body, headers, ...hexAt(await priceWord(url, body, quote)) };
    }));
}

/** In which word of the node's answer Uniswap's price stands. */
async function priceWord(url, body, { routes }) {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const result = /"result":"0x([0-9a-f]*)"/.exec(await response.text())[1];
    const { amount_out } = routes.find(({ provider }) => provider === 'uniswap');
    const [whole, places = ''] = amount_out.split('.');
    const price = BigInt(whole + places.padEnd(6, '0')).toString(16).padStart(64, '0');
    for (let word = 0; word * 64 < result.length; word++) if (result.slice(word * 64, word * 64 + 64) === price) return word;
    throw new Error(`the node's answer has no ${amount_out}`);
}

/** Both have read all eight answers: the best one is that of a service, some of which count a fee of their own. */
async function sameBest(sides, key, { routes }) {
    const best = Math.max(...routes.map(({ amount_out }) => Number(amount_out)));
    for (const { name, base } of sides) {
        const { amount_out } = await need(base, '/quote', key, QUOTE);
        if (Math.abs(Number(amount_out) / best - 1) > 0.001) throw new Error(`${name} has ${amount_out}, the best offer is ${best}`);
    }
}

// ---- slow ----

async function whenSlow(stack, gateway, replay, keys, plan) {
    await setAll(replay, SLOW_MS);
    await measureOnce(stack, gateway, ALL, keys, SLOW_CONNECTIONS, 1);
    const rounds = [];
    for (let round = 0; round < plan.rounds; round++) {
        rounds.push(await measureOnce(stack, gateway, ALL, keys, SLOW_CONNECTIONS, plan.seconds));
    }
    if (rounds.some(({ bad }) => bad > 0)) throw new Error('quotes of slow services were refused');
    const of = (figure) => rounds.map((round) => round[figure] / SLOW_MS);
    record('fanout.slow.p50', of('p50'), '');
    record('fanout.slow.p99', of('p99'), '');
    console.log(`Eight sources of ${SLOW_MS} ms: p50 ${(median(of('p50')) * SLOW_MS).toFixed(0)} ms, p99 ${(median(of('p99')) * SLOW_MS).toFixed(0)} ms`);
}

async function setAll(replay, how) {
    for (const name of [NODE, ...SERVICES]) await replay.set(name, how);
}

// ---- faulty ----

/**
 * One provider is silent and one answers nonsense: how long the first quotes wait, also where no other provider is asked, so that
 * the deadline alone ends it; and how long later quotes wait, once the two are not asked any more, next to quotes that exclude them.
 */
async function whenFaulty(stack, gateway, replay, keys, plan) {
    const latest = [];
    const rounds = [];
    for (const more of [{ providers: [STALLED, GARBAGE] }, {}]) latest.push(await firstOnes(stack, replay, keys, more));
    for (let round = 0; round < plan.rounds; round++) {
        const results = {};
        const pair = [['all', ALL], ['fewer', FEWER]];
        for (const [name, endpoint] of round % 2 === 0 ? pair : pair.toReversed()) {
            results[name] = await measureOnce(stack, gateway, endpoint, keys, SLOW_CONNECTIONS, plan.seconds);
        }
        rounds.push(results);
    }
    await setAll(replay, 0);
    record('fanout.faulty.latest', Math.max(...latest), 'ms');
    for (const figure of ['p50', 'p99']) record(`fanout.faulty.${figure}`, rounds.map(({ all, fewer }) => all[figure] / fewer[figure]), '');
    const ms = (name) => median(rounds.map((round) => round[name].p50)).toFixed(0);
    console.log(`One of them stalled, one garbage: asked alone ${latest[0].toFixed(0)} ms at the latest, with the others ${latest[1].toFixed(0)} ms; `
        + `then, left alone, p50 ${ms('all')} ms, without them ${ms('fewer')} ms\n`);
}

/** The longest of many at once, who come while nothing is known of the two. */
async function firstOnes(stack, replay, keys, more) {
    await setAll(replay, SLOW_MS);
    await eventually('all are asked again', 30, async () => {
        await sleep(PAUSE_MS / 5);
        return askedAll(stack, keys[0]).then(() => true, () => false);
    });
    await replay.set(STALLED, 'stalled');
    await replay.set(GARBAGE, 'garbage');
    const body = quoteWith(more);
    const answers = await inParallel(BURST, keys.slice(0, BURST), (key) => timed(stack, '/quote', key, body));
    const wanted = more.providers ? 500 : 200; // there is no offer where these alone are asked
    const other = answers.find(({ status }) => status !== wanted);
    if (other) throw new Error(`a quote was answered ${other.status}: ${JSON.stringify(other.answer)}`);
    return Math.max(...answers.map(({ ms }) => ms));
}
