// The endpoints, measured on all three sides in turn.

import { LENT, MARKETS } from './content.mjs';
import { record } from './figures.mjs';
import { COSTS, measure } from './load.mjs';
import { PERPETUALS } from './perps.mjs';
import { median, table } from './report.mjs';
import { call } from './stack.mjs';

export const QUOTE = JSON.stringify({ from_token: 'ETH', to_token: 'USDC', amount: '1.5', chain: 'ethereum' });

/**
 * keys: of all agents', those that take turns. Histories are asked for by the agent who has them. waits: it may wait for others,
 * and so has workers that end when they are idle.
 */
export const ENDPOINTS = {
    chains: { path: '/chains', keys: () => [] },
    me: { path: '/me', keys: (all) => all },
    unknown: { path: '/me', keys: () => [`svc_sk_${'x'.repeat(32)}`], refused: true },
    malformed: { path: '/me', keys: () => ['nonsense'], refused: true },
    swaps: { path: '/swaps?limit=20', keys: (all) => all.slice(0, 1) },
    orders: { path: '/predict/orders?limit=20', keys: (all) => all.slice(0, 1) },
    quote: { path: '/quote', body: QUOTE, keys: (all) => all, waits: true },
    markets: { path: MARKETS, keys: (all) => all, waits: true },
    'lend.markets': { path: LENT, keys: (all) => all, waits: true },
    'lend.operations': { path: '/lend/operations?limit=20', keys: (all) => all.slice(0, 1) },
    'perps.markets': { path: PERPETUALS, keys: (all) => all, waits: true },
    'perps.orders': { path: '/perps/orders?limit=20', keys: (all) => all.slice(0, 1) },
    market: { path: '/quote', body: QUOTE, keys: (all) => all, waits: true }, // of all exchanges, by the gateway alone
};
export const ENDPOINT_NAMES = Object.keys(ENDPOINTS);

const PER_SIDE = { rate: '/s', p50: 'ms', p99: 'ms', bytes: 'bytes', 'cpu.load': 'µs', ...COSTS };

/** `plan` is { rounds, seconds, connections }; of `sides` the gateway is the first. */
export async function measureEndpoint(stack, sides, name, allKeys, plan, endpoint = ENDPOINTS[name]) {
    await compareAnswers(name, sides, endpoint, allKeys);
    const one = (side, seconds) => measureOnce(stack, side, endpoint, allKeys, plan.connections, seconds);
    for (const side of sides) await one(side, 1);
    const rounds = [];
    for (let round = 0; round < plan.rounds; round++) {
        const results = {};
        for (let turn = 0; turn < sides.length; turn++) {
            const side = sides[(round + turn) % sides.length];
            if (endpoint.waits) await one(side, 1);
            results[side.name] = await one(side, plan.seconds);
        }
        rounds.push(results);
    }
    recordAll(name, rounds);
    console.log(`${describe(name, rounds)}\n`);
    checkBad(name, rounds);
}

/** One side and endpoint, outside of any comparison. */
export async function measureOnce(stack, side, endpoint, allKeys, connections, seconds) {
    const result = await measure(stack, side, endpoint, endpoint.keys(allKeys), connections, seconds);
    if (!result) throw new Error(`${side.name} answered nothing`);
    return result;
}

function recordAll(name, rounds) {
    const own = (result) => result['cpu.web'] + result['cpu.service'];
    for (const side of Object.keys(rounds[0])) {
        for (const [figure, unit] of Object.entries(PER_SIDE)) {
            record(`${name}.${figure}.${side}`, rounds.map((round) => round[side][figure]), unit);
        }
    }
    const others = { ideal: 'toIdeal', peer: 'toPeer' };
    for (const [other, ratio] of Object.entries(others).filter(([side]) => rounds[0][side] && rounds[0].gateway)) {
        for (const figure of ['rate', 'p50', 'p99']) {
            record(`${name}.${figure}.${ratio}`, rounds.map((round) => round.gateway[figure] / round[other][figure]), 'ratio');
        }
        record(`${name}.cpu.${ratio}`, rounds.map((round) => own(round.gateway) / own(round[other])), 'ratio');
    }
}

function describe(name, rounds) {
    const lines = Object.keys(rounds[0]).map((side) => {
        const of = (figure, digits) => median(rounds.map((round) => round[side][figure])).toFixed(digits);
        const rates = rounds.map((round) => round[side].rate);
        return [
            side, of('rate', 0), `${Math.min(...rates).toFixed(0)}..${Math.max(...rates).toFixed(0)}`, of('p50', 1), of('p99', 1),
            of('cpu.web', 0), of('cpu.service', 0), of('cpu.database', 0), of('cpu.node', 0), of('queries', 2), of('rows', 1),
            of('prepares', 3), of('bytes', 0), String(rounds.reduce((sum, round) => sum + round[side].bad, 0)),
        ];
    });
    const head = ['', 'req/s', 'of rounds', 'p50 ms', 'p99 ms', 'web µs', 'service µs', 'database µs', 'node µs', 'queries', 'rows', 'prepares', 'bytes', 'bad'];
    return table(name, [head, ...lines]);
}

function checkBad(name, rounds) {
    const sum = (figure) => rounds.flatMap((round) => Object.values(round)).reduce((n, result) => n + result[figure], 0);
    if (sum('bad') > sum('requests') / 100) throw new Error(`${sum('bad')} of ${sum('requests')} answers were bad`);
}

/** All have to answer alike; members that only some have are comparable with caution, and named. */
async function compareAnswers(name, sides, endpoint, allKeys) {
    const [key] = endpoint.keys(allKeys);
    const members = {};
    for (const side of sides) {
        const { status, body } = await call(side.base, endpoint.path, key, endpoint.body);
        if (status !== (endpoint.refused ? 401 : 200)) throw new Error(`${side.name} answered ${status}: ${JSON.stringify(body)}`);
        members[side.name] = membersOf(body);
    }
    const [own, ...others] = Object.values(members);
    const common = (member) => others.every((other) => other.has(member));
    const more = [...own].filter((member) => !common(member));
    const less = [...new Set(others.flatMap((other) => [...other]))].filter((member) => !own.has(member));
    if (less.length > 0 && !endpoint.refused) throw new Error(`the gateway's answer lacks ${less.join(' ')}`);
    if (more.length > 0 && !endpoint.refused) console.log(`${name}: only the gateway has ${more.join(' ')}`);
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
