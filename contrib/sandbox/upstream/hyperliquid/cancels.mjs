// Ending and changing orders that are open.

import { close, openOrder } from './orders.mjs';
import { placeAll } from './place.mjs';
import { touch } from './world.mjs';

const GONE = 'Order was never placed, already canceled, or filled.';
const FEWEST_MS = 5000;
const TRIGGERS_A_DAY = 10;
const DAY_MS = 86_400_000;

/** The statuses of a cancel, by the venue's numbers or the owner's. */
export function cancelAll(world, account, { cancels }) {
    return cancels.map(({ a, o, asset = a, cloid = o }) => {
        const order = openOrder(world, account.id, world.markets[asset], cloid);
        if (order === undefined) return { error: `${GONE} asset=${asset}` };
        close(world, order, 'canceled');
        return 'success';
    });
}

/** The statuses of orders that take the place of others. */
export function modifyAll(world, account, modifies) {
    return modifies.map(({ oid, order }) => {
        const old = openOrder(world, account.id, world.markets[order.a], oid);
        if (old === undefined) return { error: 'Cannot modify canceled or filled order' };
        close(world, old, 'canceled');
        return placeAll(world, account, { orders: [order], grouping: 'na' })[0];
    });
}

/** Sets the time at which all orders end, or takes it back: what is wrong with it, undefined for nothing. */
export function schedule(world, account, { time }) {
    const now = Date.now();
    if (time !== undefined && time < now + FEWEST_MS) return 'Scheduled cancel time must be at least 5 seconds in the future.';
    const today = account.triggers.filter((when) => when > now - DAY_MS);
    if (time !== undefined && today.length >= TRIGGERS_A_DAY) return 'Too many scheduled cancels triggered today.';
    Object.assign(account, { scheduled: time, triggers: today });
    touch(world, 'accounts', account);
    return undefined;
}

/** Ends what is due by then. */
export function cancelScheduled(world) {
    const now = Date.now();
    for (const account of world.store.rows('accounts').values()) {
        if (account.scheduled === undefined || account.scheduled > now) continue;
        for (const order of world.live.ofUser(account.id)) close(world, order, 'scheduledCancel');
        account.triggers.push(account.scheduled);
        account.scheduled = undefined;
        touch(world, 'accounts', account);
    }
}
