// Perpetuals: an agent with a history of orders, and what happens at the sandbox's venue.

import { endedOrders } from './perps-rows.mjs';
import { need } from './stack.mjs';

/** All perpetuals that can be traded. */
export const PERPETUALS = '/perps/markets';
/** An order that rests below every bid. */
export const RESTING_PERPETUAL = { market: 'ETH-USD', side: 'long', type: 'limit', size: '0.01', price: '2500' };

const OWN_ORDERS = 1000; // of the agent who is asked for
const OTHERS = 200; // wallets
const THEIR_ORDERS = 500;
const PAGE = 100;

/** What is asked of perpetuals: { perpetuals, perpsOrders }, the answer of the list of markets and a history in a table of many. */
export async function makePerps(stack, key) {
    const { wallets: [{ address }] } = await need(stack.base, '/wallets', key);
    await stack.sql(endedOrders(`SELECT 1000000 + seq id, 1000000 + seq agent_id, CONCAT('other ', seq) address FROM seq_1_to_${OTHERS}`, THEIR_ORDERS), stack.schema);
    await stack.sql(endedOrders(`SELECT id, agent_id, address FROM wallets WHERE address = '${address}'`, OWN_ORDERS), stack.schema);
    await stack.sql('ANALYZE TABLE perps_orders', stack.schema);
    const pages = Array.from({ length: OWN_ORDERS / PAGE }, (_, i) => `/perps/orders?limit=${PAGE}&offset=${i * PAGE}`);
    const perpsOrders = [];
    for (const path of pages) perpsOrders.push(...(await need(stack.base, path, key)).orders);
    return { perpetuals: await need(stack.base, PERPETUALS, key), perpsOrders };
}

/** Something happens at the venue, by the sandbox's control interface. */
export async function actAtVenue({ settings }, fault, value) {
    const response = await fetch(`http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}/_sandbox`, {
        method: 'POST', body: JSON.stringify({ service: 'hyperliquid', fault, value }),
    });
    if (response.status !== 200) throw new Error(`the venue's control answered ${response.status}: ${await response.text()}`);
}
