// Many wallets trade while programs of ours die at random: workers, the signer, jobs and the pool's parent all the time,
// the database and the venue now and then, the chain's node never. In between the gateway is told to restart.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { startGateway } from '../api/gateway.mjs';
import { named } from '../jobs/gateways.mjs';
import { signal } from '../jobs/lib.mjs';
import { LENDING, Life } from './life.mjs';
import { PerpsLife } from './perps.mjs';
import { PredictionLife } from './prediction.mjs';
import { Kept, killDatabase } from './programs.mjs';

const TRADES = [['ETH', 'DAI', '0.01'], ['DAI', 'ETH', '12.5'], ['ETH', 'DAI', '0.02']];
const WITHDRAWALS = [['DAI', '1'], ['ETH', '0.001']];

/** A node that forgets to answer, answers from the past, and is not there at all. */
const NODES_TOO = {
    drops: ({ method }) => method === 'eth_sendRawTransaction' && Math.random() < 0.3,
    lag: (turn) => (turn % 3 === 0 ? 2 : 0),
    dead: () => Math.random() < 0.05,
};

const LOANS = LENDING.loans.filter(([, what]) => what !== 'withdraw');

/** Half of them at a lender. */
function lending(count) {
    const life = new Life({
        ...LENDING,
        trades: Array.from({ length: count / 2 }, (_, i) => TRADES[i % TRADES.length]),
        loans: Array.from({ length: count / 2 }, (_, i) => LOANS[i % LOANS.length]),
    });
    return { life, prepare: () => life.prepare(), execute: ({ atOnce, restMs }) => life.execute(atOnce, restMs) };
}

function swapping(count) {
    const life = new Life({ trades: Array.from({ length: count }, (_, i) => TRADES[i % TRADES.length]), withdrawals: WITHDRAWALS });
    return { life, prepare: () => life.prepare(), execute: ({ atOnce, restMs }) => life.execute(atOnce, restMs) };
}

function predicting(count) {
    const life = new PredictionLife();
    return {
        life,
        prepare: async () => {
            await life.prepare();
            await life.deposit();
        },
        execute: ({ restMs }) => life.execute(count, restMs),
    };
}

/** Its dollars go to the venue, and some of them back, while programs die. */
function tradingPerpetuals(count) {
    const life = new PerpsLife();
    return { life, prepare: () => life.prepare(), execute: ({ restMs }) => life.execute(count, restMs) };
}

/**
 * Names and sizes: the kind of trader, the number of trades, wallets, swaps of a wallet at once, the pauses between deaths of a
 * program, of the database, of the venue, and the rest of agents between trades, so that it all takes several lives of the
 * database; `gateways` with one database, which each agent asks in turn.
 */
export const CHAOS = [
    ['programs die at random', {
        trader: swapping, trades: 1000, wallets: 20, atOnce: 2, everyMs: 200, databaseMs: 15_000, restMs: 2500,
    }],
    ['programs die at random, and nodes misbehave', {
        trader: swapping, trades: 240, wallets: 4, atOnce: 8, everyMs: 100, databaseMs: 5000, restMs: 2000, nodes: NODES_TOO,
    }],
    ['programs die at random while wallets lend and borrow', {
        trader: lending, trades: 300, wallets: 30, atOnce: 2, everyMs: 200, databaseMs: 15_000, restMs: 2500,
    }],
    ['programs and the venue die at random', {
        trader: predicting, trades: 1000, wallets: 50, everyMs: 200, databaseMs: 15_000, venueMs: 15_000, restMs: 2500,
    }],
    ['programs and the venue of perpetuals die at random', {
        trader: tradingPerpetuals, trades: 1000, wallets: 50, everyMs: 200, databaseMs: 15_000, venueMs: 15_000, restMs: 2500,
    }],
    ['programs of two gateways die at random while perpetuals are traded', {
        trader: tradingPerpetuals, trades: 240, wallets: 12, everyMs: 200, databaseMs: 15_000, venueMs: 15_000, restMs: 1500, gateways: 2,
    }],
    ['programs die at random while perpetuals are traded, a little', {
        trader: tradingPerpetuals, trades: 16, wallets: 4, everyMs: 200, databaseMs: 4000, restMs: 300,
    }],
    ['programs die at random, a little', {
        trader: swapping, trades: 48, wallets: 8, atOnce: 2, everyMs: 100, databaseMs: 1500, restMs: 500,
    }],
];

/** When an agent has waited for longer, programs die more rarely: else slow machines would never come to an answer. */
const WAITED_MS = 15_000;

// Nodes that are asked for thirty wallets' tokens and loans at once may take minutes for each answer.
const PREPARED_AT_ONCE = 6;

/** By what is killed, how its processes are called. */
const NAMES = { worker: 'gateway', signer: 'signer' };

const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

/** Kills until told to stop; resolves to how often who was killed. */
async function killer({ everyMs, databaseMs, venueMs = Infinity }, { gateway, others, database, venue, jobs }, lives, stopped) {
    const times = () => Math.max(WAITED_MS, ...lives.map(({ waitedMs }) => waitedMs)) / WAITED_MS;
    const killed = {
        worker: 0, signer: 0, job: 0, parent: 0, database: 0, venue: 0, restart: 0,
    };
    const [due, coming] = [{ database: Date.now() + databaseMs, venue: Date.now() + venueMs }, []];
    /** One that takes a while to come back. */
    const killSlow = (kind, every, kill) => {
        due[kind] = Infinity;
        coming.push(kill().then(() => { due[kind] = Date.now() + every * times(); }));
    };
    const kill = async (kind) => {
        killed[kind]++;
        if (kind === 'parent') await gateway.kill();
        else if (kind === 'restart') signal(gateway.pid, 'SIGHUP');
        else if (kind === 'database') killSlow(kind, databaseMs, () => killDatabase(database));
        else if (kind === 'venue') killSlow(kind, venueMs, () => venue.kill());
        else signal(anyOf(kind === 'job' ? jobs.pids : [...gateway.children(NAMES[kind]), ...others.flatMap(({ pid }) => named(pid, NAMES[kind]))]));
    };
    while (!stopped()) {
        const dice = Math.random();
        const slow = Object.keys(due).find((kind) => Date.now() >= due[kind]);
        await kill(slow ?? (dice < 0.02 ? 'parent' : dice < 0.05 ? 'restart' : dice < 0.12 ? 'signer' : dice < 0.3 ? 'job' : 'worker'));
        await pause(everyMs * times());
    }
    await Promise.all(coming);
    return killed;
}

export async function chaos(size, jobs, node) {
    const traders = Array.from({ length: size.wallets }, () => size.trader(size.trades / size.wallets));
    const lives = traders.map(({ life }) => life);
    jobs.start();
    for (let i = 0; i < traders.length; i += PREPARED_AT_ONCE) {
        await Promise.all(traders.slice(i, i + PREPARED_AT_ONCE).map(({ prepare }) => prepare()));
    }
    const others = await Promise.all(Array.from({ length: (size.gateways ?? 1) - 1 }, () => startGateway(['tier.standard = 100000'])));
    for (const life of lives) life.gateways = [undefined, ...others.map(({ base }) => base)];
    const victims = {
        gateway: await Kept.of('gateway'), others, database: await Kept.of('mariadbd'), venue: await Kept.of('upstream'), jobs,
    };
    if (size.nodes !== undefined) node.misbehave(size.nodes);
    let over = false;
    const executing = Promise.all(traders.map(({ execute }) => execute(size))).finally(() => { over = true; });
    const [killed] = await Promise.all([killer(size, victims, lives, () => over), executing]);
    assert.ok(killed.database > 0, 'it was over before the database died');
    await Promise.all(lives.map((life) => life.follow()));
    await Promise.all(lives.map((life) => life.settle()));
    for (const life of lives) life.gateways = [undefined];
    await Promise.all(others.map((each) => each.stop()));
    const hits = Object.values(killed).reduce((a, b) => a + b);
    return { lives, hits, note: Object.entries(killed).map(([name, n]) => `${n} ${name}`).join(', ') };
}
