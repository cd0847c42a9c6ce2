// Orders and trades as their owners read them. Sizes and prices are decimal, times are Unix seconds.
//
// True to the venue as of 2026-07, by rows that nautechsystems/nautilus_trader recorded: an order that has ended is
// answered null; the size of a FOK or FAK purchase is in dollars, with no word on what was matched; a status may have a
// sentence behind it. Rows of trades have the rate "0" and that of makers "", even where a fee was charged.

import { textOf } from './amounts.mjs';
import { makersOf } from './matching.mjs';
import {
    expireOrders, marketOf, mayRest, orderOf, spends,
} from './orders.mjs';
import { Refusal } from '../refusal.mjs';

const PAGE = 100;
const FIRST = 'MA=='; // 0
const END = 'LTE='; // -1

const KILLED = {
    FOK: 'FOK orders are fully filled or killed.', FAK: 'FAK orders are partially filled or killed if no match is found.',
};

const seconds = (ms) => Math.floor(ms / 1000);

// ---------------------------------------------------------------- orders

/** Those that rest or wait to be matched. */
export function listOrders(world, { query }, { id: owner }) {
    expireOrders(world);
    const fits = (row) => ['id', 'market', 'asset_id'].every((name) => !query.get(name) || query.get(name) === row[name]);
    const own = world.live.ofOwner(owner).sort((a, b) => a.sequence - b.sequence);
    return page(own.map((order) => orderJson(world, order)).filter(fits), query);
}

export function oneOrder(world, { id }, credentials) {
    expireOrders(world);
    const order = orderOf(world, id);
    if (order === undefined || order.owner !== credentials.id) throw new Refusal(404, 'order not found');
    if (!world.live.has(order) && world.wrong('ended_order_shown') === undefined) return { json: null };
    const json = orderJson(world, order);
    return { json: { ...json, status: `ORDER_STATUS_${json.status}${sentenceOf(order)}` } };
}

const sentenceOf = (order) => (order.status === 'CANCELED' && !mayRest(order) ? `_order couldn't be fully filled. ${KILLED[order.type]}` : '');

function orderJson(world, order) {
    const market = marketOf(world, order);
    return {
        id: order.id, status: order.status, owner: order.owner, maker_address: order.order.maker, market: market.conditionId,
        asset_id: order.order.tokenId, side: order.side,
        original_size: textOf(spends(order) ? BigInt(order.order.makerAmount) : order.size), size_matched: spends(order) ? '' : textOf(order.matched),
        price: textOf(order.price), associate_trades: order.trades, outcome: market.outcomes[order.outcome],
        created_at: seconds(order.created), expiration: String(order.expiration), order_type: order.type,
    };
}

// ---------------------------------------------------------------- trades

/** Newest first. */
export function listTrades(world, { query }, { id: owner }) {
    const filters = { id: 'id', market: 'market', asset_id: 'asset_id', maker_address: 'maker_address' };
    const fits = (row) => Object.entries(filters).every(([name, member]) => !query.get(name) || query.get(name) === row[member])
        && (!query.get('before') || Number(row.match_time) < Number(query.get('before')))
        && (!query.get('after') || Number(row.match_time) > Number(query.get('after')));
    const own = [...world.store.rows('trades').values()].reverse()
        .filter((trade) => [trade.taker, ...trade.makers.map(({ order }) => order)].some((id) => orderOf(world, id).owner === owner));
    return page(own.map((trade) => tradeJson(world, trade, owner)).filter(fits), query);
}

function tradeJson(world, trade, owner) {
    const market = marketOf(world, trade);
    const taker = orderOf(world, trade.taker);
    const isTaker = taker.owner === owner;
    const own = isTaker ? taker : makersOf(world, trade).find((order) => order.owner === owner);
    return {
        id: trade.id, taker_order_id: trade.taker, market: market.conditionId, asset_id: taker.order.tokenId, side: trade.side,
        size: textOf(trade.size), fee_rate_bps: '0', price: textOf(trade.price),
        status: trade.status, match_time: String(seconds(trade.at)), last_update: String(seconds(trade.updated)),
        outcome: market.outcomes[trade.outcome], owner: own.owner, maker_address: own.order.maker, bucket_index: 0,
        transaction_hash: trade.hash, trader_side: isTaker ? 'TAKER' : 'MAKER',
        maker_orders: trade.makers.map((part, i) => makerJson(market, makersOf(world, trade)[i], part)),
    };
}

function makerJson(market, order, { size, price }) {
    return {
        order_id: order.id, owner: order.owner ?? '', maker_address: order.order.maker, matched_amount: textOf(size), price: textOf(price),
        fee_rate_bps: '', asset_id: order.order.tokenId, outcome: market.outcomes[order.outcome], side: order.side,
    };
}

/** What everybody may see: of each trade that did not fail the taker's part, and the makers' if they are wanted. */
export function publicTrades(world, takerOnly) {
    return [...world.store.rows('trades').values()].filter(({ status }) => status !== 'FAILED').flatMap((trade) => {
        const makers = takerOnly ? [] : trade.makers.map(({ order, size, price }) => publicTrade(world, trade, orderOf(world, order), size, price));
        return [publicTrade(world, trade, orderOf(world, trade.taker), trade.size, trade.price), ...makers];
    });
}

function publicTrade(world, trade, order, size, price) {
    const market = marketOf(world, trade);
    return {
        proxyWallet: order.order.maker, side: order.side, asset: order.order.tokenId, conditionId: market.conditionId,
        size: Number(textOf(size)), price: Number(textOf(price)), timestamp: seconds(trade.at), title: market.question, slug: market.slug,
        eventSlug: market.event, outcome: market.outcomes[order.outcome], outcomeIndex: order.outcome, transactionHash: trade.hash,
    };
}

// ---------------------------------------------------------------- pages

function page(rows, query) {
    const cursor = query.get('next_cursor') || FIRST;
    const from = Number(Buffer.from(cursor, 'base64').toString());
    if (!Number.isSafeInteger(from) || from < 0) throw new Refusal(400, 'invalid next_cursor');
    const data = rows.slice(from, from + PAGE);
    const next = from + PAGE < rows.length ? Buffer.from(String(from + PAGE)).toString('base64') : END;
    return { json: { data, next_cursor: next, limit: PAGE, count: data.length } };
}
