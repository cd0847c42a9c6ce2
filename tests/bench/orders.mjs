// Orders on prediction markets: what placing one takes beside the venue's own answer to the same order, many at once. The
// venue is the sandbox's, whose one process checks signatures and balances, so each side waits in its queue alike, with as many
// deposit wallets. What one round has placed is taken back before the next, since the venue adds up what rests.

import { Client } from '../../contrib/sandbox/trader.mjs';
import { chainAt, newWalletTrader } from '../api/polymarket.mjs';
import {
    RESTING, depositCollateral, someToken, timed,
} from './content.mjs';
import { record } from './figures.mjs';
import { median } from './report.mjs';
import { inParallel, need } from './stack.mjs';

const ROUNDS = 9;
const AT_ONCE = 16;
const EACH = 24; // orders of every wallet in a round
const BLOCK_MS = 100; // of the chain, until all wallets are ready

export async function measureOrders(stack) {
    const tokenId = await someToken(stack, await stack.newKey());
    const agents = await inParallel(4, Array.from({ length: AT_ONCE }), () => traderOf(stack));
    const traders = await tradersAt(stack);
    const ours = [];
    const venues = [];
    for (let round = 0; round <= ROUNDS; round++) {
        const [venue, own] = [median(await placedAtVenue(traders, tokenId)), median(await placed(stack, agents, tokenId))];
        if (round === 0) continue; // in which programs get warm
        venues.push(venue);
        ours.push(own);
    }
    record('place.gateway', ours, 'ms');
    record('place.venue', venues, 'ms');
    record('place.added', ours.map((ms, round) => ms - venues[round]), 'ms');
    const [all, own] = [ours, venues].map((list) => median(list).toFixed(1));
    console.log(`An order, ${AT_ONCE} at once: ${all} ms, of the venue alone ${own} ms (medians)\n`);
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

/** Clients of the venue whose collateral is there. */
async function tradersAt({ settings }) {
    const chain = await chainAt(`http://127.0.0.1:${settings.SANDBOX_POLYGON_PORT}`);
    const base = `http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}/polymarket`;
    const blocks = setInterval(() => chain.provider.send('evm_mine', []).catch(() => {}), BLOCK_MS);
    const clients = await inParallel(4, Array.from({ length: AT_ONCE }), async () => {
        const { key, address: wallet, signatureType } = await newWalletTrader(chain, '100');
        const client = new Client(key, { base, wallet, signatureType });
        await client.look();
        return client;
    });
    clearInterval(blocks);
    chain.provider.destroy();
    return clients;
}

/** Of orders that were signed before, and go to the venue at once. */
async function placedAtVenue(traders, tokenId) {
    const all = Array.from({ length: EACH }, () => traders).flat();
    const jobs = await inParallel(1, all, async (trader) => ({ trader, ...await trader.order({ kind: 'v2', tokenId, ...RESTING }) }));
    const times = await inParallel(AT_ONCE, jobs, async ({ trader, body }) => {
        const begun = performance.now();
        const { status, body: answer } = await trader.ask('POST', '/order', { body });
        if (status !== 200) throw new Error(`the venue answered ${status}: ${JSON.stringify(answer)}`);
        return performance.now() - begun;
    });
    await inParallel(4, traders, (trader) => trader.ask('DELETE', '/cancel-all'));
    return times;
}
