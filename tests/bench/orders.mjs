// Orders: what placing one takes beside the venue's own answer to it, many at once. The venue is the sandbox's, whose one
// process checks signatures and balances: orders wait for one another there, so its answers are timed between it and the gateway.
// As it answers at once it keeps the processors busy that the gateway has, which no venue elsewhere does: so orders for perpetuals
// are placed twice, also with answers that come as late as the real venue's. What one round has placed is taken back before the
// next, since the venue adds up what rests.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
    RESTING, depositCollateral, someToken, timed,
} from './content.mjs';
import { record } from './figures.mjs';
import { actAtVenue, RESTING_PERPETUAL } from './perps.mjs';
import { median } from './report.mjs';
import { eventually, inParallel, need } from './stack.mjs';

const RELAY = fileURLToPath(new URL('relay.mjs', import.meta.url));
const ROUNDS = 9;
const AT_ONCE = 16;
const EACH = 24; // orders of every wallet in a round ...
const EACH_HELD = 8; // ... and where each takes its time

const REAL_MS = 200; // the median from an order to its answer, for clients near the venue of perpetuals, as its documents say

/**
 * Each market has the path of an order, and its end at the venue; its body, and the agents that may place it; the delay of the
 * venue's answers.
 */
const PREDICTIONS = {
    figure: 'place',
    held: 0,
    what: 'An order on a prediction market',
    path: '/predict/order',
    end: '/order',
    settings: (url) => `predict_clob_url = ${url}/polymarket/clob\n`,
    order: async (stack) => ({ tokenId: await someToken(stack, await stack.newKey()), ...RESTING }),
    fund: depositCollateral,
};
const PERPETUALS = {
    figure: 'perps.place',
    held: REAL_MS,
    what: 'An order for a perpetual',
    path: '/perps/order',
    end: '/exchange',
    settings: (url) => `perps_url = ${url}/hyperliquid\nperps_weight = 0\n`,
    order: async () => RESTING_PERPETUAL,
    fund: giveDollars,
};

const PERPETUALS_AT_ONCE = { ...PERPETUALS, figure: 'perps.place.crowded', held: 0, what: 'The same beside a venue that answers at once' };

export const measureOrders = (stack) => measureOrdersAt(stack, PREDICTIONS);

/** The venue answers as much as it is asked meanwhile. */
export async function measurePerpsOrders(stack) {
    await actAtVenue(stack, 'limits', { factor: 0 });
    try {
        await measureOrdersAt(stack, PERPETUALS);
        await measureOrdersAt(stack, PERPETUALS_AT_ONCE);
    } finally {
        await actAtVenue(stack, 'limits', {});
    }
}

async function measureOrdersAt(stack, market) {
    const body = JSON.stringify(await market.order(stack));
    const agents = await inParallel(4, Array.from({ length: AT_ONCE }), () => traderOf(stack, market));
    const relay = fork(RELAY, [stack.settings.SANDBOX_UPSTREAM_PORT, market.end, market.held]);
    try {
        const [port] = await once(relay, 'message');
        await stack.reconfigure(market.settings(`http://127.0.0.1:${port}`));
        await measureRounds(market, () => placed(stack, agents, market, body, () => answered(relay)));
    } finally {
        relay.kill();
        await stack.reconfigure('');
    }
}

async function measureRounds({ figure, what }, placeAll) {
    const rounds = [];
    for (let round = 0; round <= ROUNDS; round++) {
        const measured = timesOf(await placeAll());
        if (round > 0) rounds.push(measured); // in the first programs get warm
    }
    const of = (part) => rounds.map((round) => round[part]);
    for (const part of ['gateway', 'venue', 'asked', 'added']) record(`${figure}.${part}`, of(part), 'ms');
    const [all, venue, asked] = ['gateway', 'venue', 'asked'].map((part) => median(of(part)).toFixed(1));
    console.log(`${what}, ${AT_ONCE} at once: ${all} ms, of which the venue's own answer ${venue} ms, and what it is asked beforehand ${asked} ms (medians)\n`);
}

/** Medians of a round: in all, of the venue's answers to orders and to what each is preceded by, all at once; and what is beyond these. */
function timesOf({ own, orders, others }) {
    if (own.length > orders.length) throw new Error(`the venue was sent ${orders.length} orders of ${own.length}`);
    const [gateway, venue] = [median(own), median(orders)];
    const asked = 2 * others.length < own.length ? 0 : median(others);
    return { gateway, venue, asked, added: gateway - venue - asked };
}

/** { orders, others }: milliseconds that the venue took for each order since the last time, and for all else. */
async function answered(relay) {
    relay.send('how long');
    const [times] = await once(relay, 'message');
    return times;
}

/** The key of an agent whose money is there. */
async function traderOf(stack, market) {
    const key = await stack.newKey();
    const { wallet } = await need(stack.base, '/wallets', key, '', 'POST');
    await market.fund(stack, key, wallet.address);
    return key;
}

/** With a first order, which gives the account the key that signs the others. */
async function giveDollars(stack, key, address) {
    await actAtVenue(stack, 'give', { user: address, amount: '1000' });
    const { order } = await need(stack.base, '/perps/order', key, JSON.stringify(RESTING_PERPETUAL));
    await eventually('a key is approved', 30, async () => (await need(stack.base, `/perps/order/${order.id}`, key)).order.status === 'open');
    await need(stack.base, `/perps/order/${order.id}`, key, undefined, 'DELETE');
}

/** Milliseconds of each order that agents place, `own`, and beside them what the venue took. */
async function placed(stack, agents, { path, held }, body, venueTimes) {
    const jobs = Array.from({ length: held > 0 ? EACH_HELD : EACH }, () => agents).flat();
    const orders = await inParallel(AT_ONCE, jobs, async (key) => {
        const { status, answer, ms } = await timed(stack, path, key, body);
        if (status !== 200 || answer.order.status !== 'open') throw new Error(`an order was answered ${status}: ${JSON.stringify(answer)}`);
        return { key, id: answer.order.id, ms };
    });
    const times = await venueTimes();
    await inParallel(4, orders, ({ key, id }) => need(stack.base, `${path}/${id}`, key, undefined, 'DELETE'));
    await venueTimes();
    return { own: orders.map(({ ms }) => ms), ...times };
}
