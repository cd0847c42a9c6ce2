// Each hour, longs pay shorts what the rate says of what they hold at the oracle's price, or the other way round.

import { RATE_PLACES, abs } from './amounts.mjs';
import { liquidateIfBelow } from './liquidation.mjs';
import { valueOf } from './margin.mjs';
import {
    nextTid, nextTime, touch, touchMarket,
} from './world.mjs';

const HOUR_MS = 3_600_000;
const UNIT = 10n ** BigInt(RATE_PLACES);

const hourOf = (time) => Math.floor(time / HOUR_MS);

/** Pays once, now, for all markets or one. */
export function payFunding(world, only) {
    const markets = world.markets.filter((market) => market.mark !== undefined && (only === undefined || market === only));
    for (const market of markets) payIn(world, market);
}

/** Pays when an hour begins, unless a test wants it otherwise; hours in which the process did not run are not made up for. */
export function payWhenDue(world) {
    const { counters } = world;
    const hour = hourOf(Date.now());
    const last = counters.fundedHour ?? hour;
    if (counters.fundedHour === hour) return;
    counters.fundedHour = hour;
    touch(world, 'counters', counters);
    if (last !== hour && world.paysHourly) payFunding(world);
}

/** Whether hours pay by themselves; and whether one begins now. */
export function setHours(world, { on = true, begins = false }) {
    world.paysHourly = on;
    if (begins) world.counters.fundedHour = hourOf(Date.now()) - 1;
    return { on, begins };
}

function payIn(world, market) {
    const time = nextTime(world);
    touch(world, 'rates', { id: String(nextTid(world)), coin: market.name, rate: market.rate, premium: market.rate, time });
    for (const account of [...world.store.rows('accounts').values()]) {
        const position = account.positions[market.name];
        if (position !== undefined) payOne(world, market, account, position, time);
    }
    touchMarket(world, market);
}

function payOne(world, market, account, position, time) {
    const value = valueOf(market, market.oracle, abs(position.size));
    const paid = ((position.size > 0n ? value : -value) * market.rate) / UNIT;
    if (position.isCross) account.usdc -= paid;
    else position.margin -= paid;
    for (const since of ['allTime', 'sinceOpen', 'sinceChange']) position.funding[since] += paid;
    touch(world, 'accounts', account);
    touch(world, 'payments', { id: String(nextTid(world)), user: account.id, coin: market.name, rate: market.rate, size: position.size, paid, time });
    liquidateIfBelow(world, account);
}
