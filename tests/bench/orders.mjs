// Orders on prediction markets: what placing one takes beside the venue's own answer to it, many at once. The venue is the
// sandbox's, whose one process checks signatures and balances: orders wait for one another there, so its answers are timed
// between it and the gateway. What one round has placed is taken back before the next, since the venue adds up what rests.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
    RESTING, depositCollateral, someToken, timed,
} from './content.mjs';
import { record } from './figures.mjs';
import { median } from './report.mjs';
import { inParallel, need } from './stack.mjs';

const RELAY = fileURLToPath(new URL('relay.mjs', import.meta.url));
const ROUNDS = 9;
const AT_ONCE = 16;
const EACH = 24; // orders of every wallet in a round

export async function measureOrders(stack) {
    const tokenId = await someToken(stack, await stack.newKey());
    const agents = await inParallel(4, Array.from({ length: AT_ONCE }), () => traderOf(stack));
    const relay = fork(RELAY, [stack.settings.SANDBOX_UPSTREAM_PORT]);
    try {
        const [port] = await once(relay, 'message');
        await stack.reconfigure(`predict_clob_url = http://127.0.0.1:${port}/polymarket/clob\n`);
        await measureRounds(() => placed(stack, agents, tokenId), () => answered(relay));
    } finally {
        relay.kill();
        await stack.reconfigure('');
    }
}

async function measureRounds(place, timesAtVenue) {
    const ours = [];
    const venues = [];
    for (let round = 0; round <= ROUNDS; round++) {
        const [own, venue] = [await place(), await timesAtVenue()];
        if (own.length !== venue.length) throw new Error(`the venue was sent ${venue.length} orders of ${own.length}`);
        if (round === 0) continue; // in which programs get warm
        ours.push(median(own));
        venues.push(median(venue));
    }
    record('place.gateway', ours, 'ms');
    record('place.venue', venues, 'ms');
    record('place.added', ours.map((ms, round) => ms - venues[round]), 'ms');
    const [all, own] = [ours, venues].map((list) => median(list).toFixed(1));
    console.log(`An order, ${AT_ONCE} at once: ${all} ms, of which the venue's own answer ${own} ms (medians)\n`);
}

/** Milliseconds that the venue took for each order since the last time. */
async function answered(relay) {
    relay.send('how long');
    const [times] = await once(relay, 'message');
    return times;
}

/** The key of an agent whose collateral is there. */
async function traderOf(stack) {
    const key = await stack.newKey();
    const { wallet } = await need(stack.base, '/wallets', key, '', 'POST');
    await depositCollateral(stack, key, wallet.address);
    return key;
}

/** Milliseconds of each order that agents place. */
async function placed(stack, agents, tokenId) {
    const body = JSON.stringify({ tokenId, ...RESTING });
    const jobs = Array.from({ length: EACH }, () => agents).flat();
    const orders = await inParallel(AT_ONCE, jobs, async (key) => {
        const { status, answer, ms } = await timed(stack, '/predict/order', key, body);
        if (status !== 200 || answer.order.status !== 'open') throw new Error(`an order was answered ${status}: ${JSON.stringify(answer)}`);
        return { key, id: answer.order.id, ms };
    });
    await inParallel(4, orders, ({ key, id }) => need(stack.base, `/predict/order/${id}`, key, undefined, 'DELETE'));
    return orders.map(({ ms }) => ms);
}
