// For the audit: with which bodies each nonce of a key and each number that an owner gave an order came, whether they were
// answered or not, and which actions were taken when.

import { createHash } from 'node:crypto';
import { textOf } from './amounts.mjs';
import { agentOf } from './authority.mjs';
import { requestIn } from './forms.mjs';
import { authorOf } from './signatures.mjs';
import { touch } from './world.mjs';

/** What the audit says of a request: whose nonce it bears and for which account, if it is an action. */
export function noteBody(world, { method, path, body }) {
    const request = method === 'POST' && path === '/exchange' ? requestIn(body) : undefined;
    const signer = request && authorOf(request);
    if (signer === undefined) return undefined;
    const hash = createHash('sha256').update(body).digest('hex');
    const cloids = (request.action.orders ?? []).map(({ c }) => c?.toLowerCase()).filter(Boolean);
    const changes = { nonce_bodies: [withBody(world, 'nonce_bodies', `${signer}/${request.nonce}`, hash)] };
    changes.cloid_bodies = cloids.map((cloid) => withBody(world, 'cloid_bodies', cloid, hash));
    world.store.keep(changes);
    return { action: request.action.type, signer, user: agentOf(world, signer)?.user ?? signer, nonce: request.nonce };
}

/** Bodies by their hashes: what they say is in the list of requests. */
function withBody(world, table, id, hash) {
    const { bodies = [], times = 0 } = world.store.rows(table).get(id) ?? {};
    return { id, bodies: bodies.includes(hash) ? bodies : [...bodies, hash], times: times + 1 };
}

/** An action that was taken: its signature was verified by then, its nonce is new, its time not over. */
export function noteAccepted(world, account, signer, { action, nonce, expiresAfter }) {
    touch(world, 'accepted', { id: `${signer}/${nonce}`, user: account.id, signer, type: action.type, nonce, expiresAfter, at: Date.now() });
}

/** With amounts as texts. */
const plain = (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]));

/** What became of an order that has a number. */
function orderRow({ oid, user, coin, cloid, isBuy, status, size, left }, { szDecimals }) {
    return { oid, user, coin, cloid, isBuy, status, size: textOf(size, szDecimals), filled: textOf(size - left, szDecimals) };
}

/** The tables of the audit. */
export const auditOf = ({ store, rails, byName }) => ({
    orders: () => [...store.rows('orders').values()].map((order) => orderRow(order, byName.get(order.coin))),
    nonces: () => [...store.rows('nonce_bodies').values()],
    cloids: () => [...store.rows('cloid_bodies').values()],
    accepted: () => [...store.rows('accepted').values()],
    late: () => [...store.rows('accepted').values()].filter(({ expiresAfter, at }) => expiresAfter != null && at > expiresAfter),
    reused: () => ['nonce_bodies', 'cloid_bodies'].flatMap((table) => [...store.rows(table).values()].filter(({ bodies }) => bodies.length > 1)),
    withdrawals: () => [...store.rows('withdrawals').values()].map(plain),
    heads: () => rails.heads(),
    deposits: () => [...store.rows('deposits').values()].map(plain),
});
