// For the audit: with which bodies each order and each batch came, whether they were answered or not. One order, one
// body; a batch has another body only when the one before it did not act.

import { getAddress } from 'ethers';
import { orderIn } from './order-form.mjs';
import { orderHash } from './signatures.mjs';

/** By path: the table of its bodies, and what identifies the thing in a body. */
const NOTED = {
    '/clob/order': { table: 'order_bodies', subject: orderOf },
    '/relayer/submit': { table: 'batch_bodies', subject: batchOf },
};

function orderOf(world, body) {
    const { order } = orderIn(body);
    return { order: orderHash(world.tokens.get(order.tokenId).market.kind, order) };
}

function batchOf(world, body) {
    const { nonce, depositWalletParams } = JSON.parse(body);
    return { wallet: getAddress(depositWalletParams.depositWallet), nonce: String(nonce) };
}

/** What the audit says of a request: what it is about, if it is about something that bodies are noted for. */
export function noteBody(world, { method, path, body }) {
    const noted = method === 'POST' ? NOTED[path] : undefined;
    const text = body.toString();
    const subject = noted && subjectOf(world, noted, text);
    if (subject === undefined) return undefined;
    const id = Object.values(subject).join('/');
    const { bodies = [] } = world.store.rows(noted.table).get(id) ?? {};
    if (!bodies.includes(text)) world.store.keep({ [noted.table]: [{ id, ...subject, bodies: [...bodies, text] }] });
    return subject;
}

/** Undefined for a body that is not of its form: what it is about is not known. */
function subjectOf(world, { subject }, body) {
    try {
        return subject(world, body);
    } catch {
        return undefined;
    }
}

/** The tables of the audit. */
export const bodyTables = (world) => ({
    orders: () => rowsOf(world, 'order_bodies'),
    batches: () => rowsOf(world, 'batch_bodies'),
});

const rowsOf = (world, table) => [...world.store.rows(table).values()].map(({ id, ...row }) => row);
