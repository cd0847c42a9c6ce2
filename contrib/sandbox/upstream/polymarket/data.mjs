// The Data API: what was traded, and who has what.

import { isAddress } from 'ethers';
import { positionsOf } from './positions.mjs';
import { publicTrades } from './records.mjs';
import { Refusal } from '../refusal.mjs';

const LIMIT = 100;
const TRADES_MAX = 10_000;
const POSITIONS_MAX = 500;
const OFFSET_MAX = 10_000;
const SIZE_THRESHOLD = 1;

const SORTS = {
    CURRENT: 'currentValue', INITIAL: 'initialValue', TOKENS: 'size', CASHPNL: 'cashPnl', PERCENTPNL: 'percentPnl', TITLE: 'title',
    RESOLVING: 'endDate', PRICE: 'curPrice', AVGPRICE: 'avgPrice',
};

export async function answerData(world, { path, query }) {
    if (path === '/trades') return { json: tradesOf(world, query) };
    if (path === '/positions') return { json: await openPositions(world, query) };
    throw new Refusal(404, 'not found');
}

/** Newest first; makers' parts only when they are wanted. */
function tradesOf(world, query) {
    const user = query.has('user') ? userIn(query) : undefined;
    const conditions = marketsIn(world, query).map(({ conditionId }) => conditionId);
    const rows = publicTrades(world, query.get('takerOnly') !== 'false')
        .filter(({ conditionId }) => conditions.includes(conditionId))
        .filter(({ proxyWallet }) => user === undefined || proxyWallet.toLowerCase() === user)
        .filter(({ side }) => !query.has('side') || side === query.get('side'));
    return page(rows.reverse(), query, TRADES_MAX);
}

/** Largest first, unless something else is wanted. Small ones are left out unless they are wanted. */
async function openPositions(world, query) {
    if (!query.has('user')) throw new Refusal(400, "required query param 'user' not provided");
    const threshold = query.has('sizeThreshold') ? Number(query.get('sizeThreshold')) : SIZE_THRESHOLD;
    if (!(threshold >= 0)) throw new Refusal(400, 'invalid sizeThreshold');
    const rows = (await positionsOf(world, userIn(query), marketsIn(world, query)))
        .filter(({ size }) => size >= threshold)
        .filter((row) => ['redeemable', 'mergeable'].every((name) => query.get(name) !== 'true' || row[name]));
    return page(sorted(rows, query.get('sortBy') ?? 'TOKENS', query.get('sortDirection') ?? 'DESC'), query, POSITIONS_MAX);
}

function sorted(rows, by, direction) {
    if (!Object.hasOwn(SORTS, by)) throw new Refusal(400, 'invalid sortBy');
    if (!['ASC', 'DESC'].includes(direction)) throw new Refusal(400, 'invalid sortDirection');
    const [member, sign] = [SORTS[by], direction === 'ASC' ? 1 : -1];
    return rows.sort((a, b) => sign * (a[member] < b[member] ? -1 : Number(a[member] > b[member])));
}

/** Addresses are compared in small letters. */
function userIn(query) {
    const user = query.get('user');
    if (!isAddress(user)) throw new Refusal(400, 'invalid user');
    return user.toLowerCase();
}

/** Those of the conditions, separated by commas, or all. */
function marketsIn({ markets }, query) {
    const wanted = query.get('market')?.toLowerCase().split(',');
    return markets.filter(({ conditionId }) => wanted === undefined || wanted.includes(conditionId));
}

/** A limit may be too high, an offset may not. */
function page(rows, query, most) {
    const [limit, offset] = [numberIn(query, 'limit', LIMIT), numberIn(query, 'offset', 0)];
    if (offset > OFFSET_MAX) throw new Refusal(400, 'invalid offset');
    return rows.slice(offset, offset + Math.min(limit, most));
}

function numberIn(query, name, absent) {
    const text = query.get(name) ?? String(absent);
    if (!/^\d{1,9}$/.test(text)) throw new Refusal(400, `invalid ${name}`);
    return Number(text);
}
