// Canceling: what is canceled, and what is not because it does not rest, or is not the caller's.

import { isHexString } from 'ethers';
import { cancelOrders, expireOrders, marketOf, orderOf } from './orders.mjs';
import { Refusal } from '../refusal.mjs';

const IDS_MAX = 1000;
const NOT_THERE = "order can't be found - already canceled or matched";

export function cancelOne(world, { body }, credentials) {
    const { orderID } = jsonIn(body);
    return cancelByIds(world, [orderID], credentials);
}

export function cancelMany(world, { body }, credentials) {
    const ids = jsonIn(body);
    if (!Array.isArray(ids) || ids.length > IDS_MAX) throw new Refusal(400, 'Invalid order payload');
    return cancelByIds(world, ids, credentials);
}

export const cancelAll = (world, call, credentials) => cancelWhere(world, credentials, () => true);

export function cancelMarket(world, { body }, credentials) {
    const { market, asset_id: token } = jsonIn(body);
    return cancelWhere(world, credentials, (order) => (
        (!market || marketOf(world, order).conditionId === market) && (!token || order.order.tokenId === token)));
}

function cancelWhere(world, { id: owner }, fits) {
    const found = world.live.ofOwner(owner).filter(fits);
    cancelOrders(world, found);
    return { json: { canceled: found.map(({ id }) => id), not_canceled: {} } };
}

function cancelByIds(world, ids, { id: owner }) {
    if (!ids.every((id) => isHexString(id, 32))) throw new Refusal(400, 'Invalid orderID');
    expireOrders(world);
    const isCancelable = (id) => orderOf(world, id)?.owner === owner && world.live.has(orderOf(world, id));
    const canceled = ids.filter(isCancelable);
    cancelOrders(world, canceled.map((id) => orderOf(world, id)));
    const others = ids.filter((id) => !canceled.includes(id));
    return { json: { canceled, not_canceled: Object.fromEntries(others.map((id) => [id, NOT_THERE])) } };
}

function jsonIn(body) {
    try {
        return JSON.parse(body) ?? {};
    } catch {
        throw new Refusal(400, 'Invalid order payload', 'not JSON');
    }
}
