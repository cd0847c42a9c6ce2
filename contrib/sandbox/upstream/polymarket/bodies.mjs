// For the audit: with which bodies each order came, whether they were answered or not. One order, one body.

import { orderIn } from './order_form.mjs';
import { orderHash } from './signatures.mjs';

/** What the audit says of such a request: the order's hash, if it is one. */
export function noteBody(world, body) {
    const id = hashIn(world, body);
    if (id === undefined) return undefined;
    const { bodies = [] } = world.store.rows('bodies').get(id) ?? {};
    if (!bodies.includes(body)) world.store.keep({ bodies: [{ id, bodies: [...bodies, body] }] });
    return { order: id };
}

export const bodiesOfOrders = (world) => [...world.store.rows('bodies').values()].map(({ id, bodies }) => ({ order: id, bodies }));

function hashIn(world, body) {
    try {
        const { order } = orderIn(body);
        return orderHash(world.tokens.get(order.tokenId).market.kind, order);
    } catch {
        return undefined;
    }
}
