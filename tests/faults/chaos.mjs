// Many wallets trade while programs of ours die at random: workers, the signer, jobs and the pool's parent all the time,
// the database now and then, the chain's node never.

import { setTimeout as pause } from 'node:timers/promises';
import { Life } from './life.mjs';
import {
    childrenOf, pidOf, revive, reviveDatabase, signal,
} from './programs.mjs';

const AT_ONCE = 2;
const TRADES = [['ETH', 'DAI', '0.01'], ['DAI', 'ETH', '12.5'], ['ETH', 'DAI', '0.02']];

/** Names and sizes: swaps altogether, wallets, how often somebody dies, how often the database. */
export const CHAOS = [
    ['programs die at random', { swaps: 1000, wallets: 20, everyMs: 200, databaseMs: 15_000 }],
    ['programs die at random, a little', { swaps: 48, wallets: 8, everyMs: 200, databaseMs: 6000 }],
];

const anyOf = (list) => list[Math.floor(Math.random() * list.length)];

/** Kills until told to stop; resolves to how often. */
async function killer({ everyMs, databaseMs }, jobs, stopped) {
    let [times, parent, database] = [0, await pidOf('gateway'), await pidOf('mariadbd')];
    const restarting = new Set();
    let databaseDue = Date.now() + databaseMs;
    const inBackground = (work) => {
        const done = work.finally(() => restarting.delete(done));
        restarting.add(done);
    };
    while (!stopped()) {
        const dice = Math.random();
        times++;
        if (Date.now() >= databaseDue) {
            databaseDue = Infinity;
            inBackground(reviveDatabase(database).then((pid) => {
                database = pid;
                databaseDue = Date.now() + databaseMs;
            }));
        } else if (dice < 0.02) parent = await revive(parent, 'gateway');
        else if (dice < 0.1) childrenOf(parent, 'signer').forEach((pid) => signal(pid));
        else if (dice < 0.3) signal(anyOf(jobs.pids));
        else signal(anyOf(childrenOf(parent, 'gateway')) ?? parent);
        await pause(everyMs);
    }
    await Promise.all(restarting);
    return times;
}

export async function chaos(size, jobs) {
    const trades = Array.from({ length: size.swaps / size.wallets }, (_, i) => TRADES[i % TRADES.length]);
    const lives = Array.from({ length: size.wallets }, () => new Life({ trades }));
    await Promise.all(lives.map((life) => life.prepare()));
    jobs.start();
    let over = false;
    const killing = killer(size, jobs, () => over);
    await Promise.all(lives.map((life) => life.execute(AT_ONCE))).finally(() => { over = true; });
    const hits = await killing;
    await Promise.all(lives.map((life) => life.follow()));
    await Promise.all(lives.map((life) => life.settle()));
    return { lives, hits };
}
