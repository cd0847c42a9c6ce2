// What the venue tells: markets, books, accounts, orders, trades. `at`: a time; what came later is not seen yet.

import { PLACES, RATE_PLACES, abs, rounded, sumOf, textOf } from './amounts.mjs';
import { best, levelsOf, middle } from './book.mjs';
import {
    boundBy, gainOf, liquidationPrice, notional, positionsOf, summaryOf,
} from './margin.mjs';
import { stateAt } from './orders.mjs';
import { openInterest } from './positions.mjs';
import { ASSETS, TIERS } from './universe.mjs';
import { accountAt, accountOf, leverageOf } from './world.mjs';

const NONE = null;
const BASE_INTEREST = 1_000_000n; // dollars that others hold in each market
const LIQUIDATION_PLACES = 8;

const price = (units) => (units === undefined ? NONE : textOf(units));
const money = (units) => textOf(units);

// ---------------------------------------------------------------- markets

const single = [...new Set(ASSETS.filter(({ table }) => TIERS[table] === undefined).map(({ table }) => table))];

export function meta() {
    return {
        universe: ASSETS.map(({ name, szDecimals, maxLeverage, table, isDelisted }) => ({
            szDecimals, name, maxLeverage, marginTableId: table, ...(isDelisted && { isDelisted }),
        })),
        marginTables: [...single.map((leverage) => [leverage, [['0', leverage]]]), ...Object.entries(TIERS).map(([id, tiers]) => [Number(id), tiers])]
            .map(([id, tiers]) => [id, { description: tiers.length > 1 ? 'tiered' : '', marginTiers: tiers.map(([from, maxLeverage]) => ({ lowerBound: `${from}.0`, maxLeverage })) }]),
        collateralToken: 0,
    };
}

export function contextOf(world, market) {
    const rate = { funding: textOf(market.rate, RATE_PLACES), premium: NONE, midPx: NONE, impactPxs: NONE };
    if (market.mark === undefined) return { ...rate, openInterest: '0.0', prevDayPx: '0.0', dayNtlVlm: '0.0', dayBaseVlm: '0.0', oraclePx: '0.0', markPx: '0.0' };
    const [bid, ask] = [best(market, true), best(market, false)];
    const interest = openInterest(world, market) + (BASE_INTEREST * 10n ** BigInt(PLACES + market.szDecimals)) / market.mark;
    return {
        funding: rate.funding, openInterest: textOf(interest, market.szDecimals), prevDayPx: price(market.previous), dayNtlVlm: money(market.volume),
        premium: middle(market) === undefined ? NONE : '0.0', oraclePx: price(market.oracle), markPx: price(market.mark), midPx: price(middle(market)),
        impactPxs: bid === undefined || ask === undefined ? NONE : [price(bid), price(ask)],
        dayBaseVlm: textOf((market.volume * 10n ** BigInt(market.szDecimals)) / market.mark, market.szDecimals),
    };
}

/** Of markets without a book, the price that they had. */
export function allMids({ markets }) {
    const rows = markets.filter(({ mark }) => mark !== undefined).map((market) => [market.name, price(middle(market) ?? market.mark)]);
    return Object.fromEntries(rows);
}

export function bookOf(market, figures, mantissa) {
    const level = ({ price: px, size, count }) => ({ px: price(px), sz: textOf(size, market.szDecimals), n: count });
    return { coin: market.name, time: Date.now(), levels: [true, false].map((isBuy) => levelsOf(market, isBuy, figures, mantissa).map(level)) };
}

// ---------------------------------------------------------------- accounts

const NOTHING = { crossValue: 0n, crossNotional: 0n, crossSigned: 0n, crossMargin: 0n, crossMaintenance: 0n, value: 0n, notional: 0n, margin: 0n, signed: 0n, withdrawable: 0n };
const isUnified = (account) => account?.mode === 'unifiedAccount' || account?.mode === 'portfolioMargin';

export function clearinghouse(world, user, at) {
    const account = accountAt(world, user, at);
    const all = account === undefined ? NOTHING : summaryOf(world, account);
    // The money of a unified account is told of with its spot balances.
    const seen = isUnified(account) ? { ...all, value: all.value - all.crossValue, crossValue: 0n, withdrawable: 0n, crossSigned: all.crossSigned, signed: all.signed } : all;
    const summary = (value, total, signed, margin) => ({
        accountValue: money(value), totalNtlPos: money(total), totalRawUsd: money(value - signed), totalMarginUsed: money(margin),
    });
    return {
        marginSummary: summary(seen.value, seen.notional, seen.signed, seen.margin),
        crossMarginSummary: summary(seen.crossValue, seen.crossNotional, seen.crossSigned, seen.crossMargin),
        crossMaintenanceMarginUsed: money(seen.crossMaintenance),
        withdrawable: money(seen.withdrawable),
        assetPositions: account === undefined ? [] : positionsOf(world, account).map((held) => ({ type: 'oneWay', position: positionJson(world, account, held) })),
        time: Date.now(),
    };
}

function positionJson(world, account, { coin, position, market }) {
    const gain = gainOf(market, position);
    const bound = position.entry / BigInt(position.leverage);
    const { isCross, leverage, funding } = position;
    const raw = position.margin - (position.size > 0n ? position.entry : -position.entry);
    const liquidation = liquidationPrice(world, account, { market, position });
    return {
        coin, szi: textOf(position.size, market.szDecimals),
        leverage: isCross ? { type: 'cross', value: leverage } : { type: 'isolated', value: leverage, rawUsd: money(raw) },
        entryPx: textOf(rounded(position.entry, abs(position.size)), PLACES - market.szDecimals),
        positionValue: money(notional(market, position)), unrealizedPnl: money(gain),
        returnOnEquity: bound === 0n ? '0.0' : textOf((gain * 10n ** 10n) / bound, 10),
        liquidationPx: liquidation === undefined ? NONE : textOf(liquidation, LIQUIDATION_PLACES), marginUsed: money(boundBy(market, position)),
        maxLeverage: market.maxLeverage,
        cumFunding: Object.fromEntries(Object.entries(funding).map(([since, paid]) => [since, money(paid)])),
    };
}

export function spotState(world, user, at) {
    const account = accountAt(world, user, at);
    const balance = (total, hold) => ({ coin: 'USDC', token: 0, total: money(total), hold: money(hold), entryNtl: '0.0' });
    if (account === undefined) return { balances: [] };
    if (!isUnified(account)) return { balances: account.spot === 0n ? [] : [balance(account.spot, 0n)] };
    const { crossMargin, held } = summaryOf(world, account);
    return { balances: [balance(account.usdc, crossMargin + held)] };
}

export function activeAsset(world, user, market) {
    const account = accountOf(world, user) ?? { id: user, usdc: 0n, positions: {}, leverage: {} };
    const { isCross, value } = leverageOf(account, market);
    const { free } = summaryOf(world, account);
    const available = free > 0n ? free : 0n;
    const size = market.mark === undefined ? 0n : (available * BigInt(value) * 10n ** BigInt(market.szDecimals)) / market.mark;
    return {
        user, coin: market.name, leverage: { type: isCross ? 'cross' : 'isolated', value, ...(!isCross && { rawUsd: money(account.positions[market.name]?.margin ?? 0n) }) },
        maxTradeSzs: [size, size].map((each) => textOf(each, market.szDecimals)), availableToTrade: [available, available].map(money), markPx: price(market.mark) ?? '0.0',
    };
}

// ---------------------------------------------------------------- orders

const WORDS = { tp: 'Take Profit', sl: 'Stop' };

function typeOf({ trigger, tif }) {
    if (trigger === undefined) return tif === 'FrontendMarket' ? 'Market' : 'Limit';
    return `${WORDS[trigger.tpsl]} ${trigger.isMarket ? 'Market' : 'Limit'}`;
}

function conditionOf({ trigger, isTriggered, isBuy }) {
    if (trigger === undefined) return 'N/A';
    if (isTriggered) return 'Triggered';
    return `Price ${isBuy === (trigger.tpsl === 'sl') ? 'above' : 'below'} ${textOf(trigger.price).replace(/\.0$/, '')}`;
}

/** An order in short. */
export function orderJson(world, order, left = order.left) {
    const { szDecimals } = world.byName.get(order.coin);
    return {
        coin: order.coin, side: order.isBuy ? 'B' : 'A', limitPx: price(order.price), sz: textOf(left, szDecimals), oid: order.oid, timestamp: order.created,
        origSz: textOf(order.size, szDecimals), ...(order.reduceOnly && { reduceOnly: true }), ...(order.cloid && { cloid: order.cloid }),
    };
}

/** The same with all that is known of it. */
export function frontendJson(world, order, left = order.left) {
    const { szDecimals } = world.byName.get(order.coin);
    const { coin, isBuy, reduceOnly, cloid, trigger, tif, isPositionTpsl, oid, created, size } = order;
    return {
        coin, side: isBuy ? 'B' : 'A', limitPx: price(order.price), sz: textOf(left, szDecimals), oid, timestamp: created,
        triggerCondition: conditionOf(order), isTrigger: trigger !== undefined, triggerPx: trigger === undefined ? '0.0' : price(trigger.price),
        children: order.waiting.map((each) => waitingJson(world, order, each)), isPositionTpsl: isPositionTpsl === true, reduceOnly,
        orderType: typeOf(order), origSz: textOf(size, szDecimals), tif: trigger === undefined ? tif : NONE, cloid: cloid ?? NONE,
    };
}

/** One that has no number yet. */
function waitingJson(world, { coin, created }, wish) {
    return frontendJson(world, { ...wish, coin, created, oid: 0, left: wish.size, waiting: [] });
}

export function orderStatus(world, order, at) {
    const state = order && stateAt(order, at);
    if (state === undefined) return { status: 'unknownOid' };
    return { status: 'order', order: { order: frontendJson(world, order, state.left), status: state.status, statusTimestamp: state.changed } };
}

/** Orders that are open, newest first, as they were. */
export function openOrders(world, user, at) {
    if (at === undefined) return world.live.ofUser(user).sort((a, b) => b.oid - a.oid).map((order) => ({ order, left: order.left }));
    const all = [...world.store.rows('orders').values()].filter((order) => order.user === user);
    return all.map((order) => ({ order, state: stateAt(order, at) })).filter(({ state }) => state?.status === 'open')
        .map(({ order, state }) => ({ order, left: state.left })).sort((a, b) => b.order.oid - a.order.oid);
}

// ---------------------------------------------------------------- what was

export function fillJson(world, fill) {
    const { szDecimals } = world.byName.get(fill.coin);
    return {
        coin: fill.coin, px: price(fill.price), sz: textOf(fill.size, szDecimals), side: fill.isBuy ? 'B' : 'A', time: fill.time,
        startPosition: textOf(fill.before, szDecimals), dir: fill.direction, closedPnl: money(fill.gain), hash: fill.hash, oid: fill.oid, crossed: fill.isTaker,
        fee: money(fill.fee), tid: fill.tid, feeToken: 'USDC', ...(fill.cloid && { cloid: fill.cloid }), ...(fill.liquidation && { liquidation: fill.liquidation }),
    };
}

/** Fills of one order at one price and time, as one. */
export function together(fills) {
    const groups = new Map();
    for (const fill of fills) {
        const key = `${fill.oid} ${fill.price} ${fill.direction}`;
        const known = groups.get(key);
        groups.set(key, known === undefined ? { ...fill } : { ...known, ...Object.fromEntries(['size', 'gain', 'fee'].map((each) => [each, sumOf([known, fill], (row) => row[each])])) });
    }
    return [...groups.values()];
}

export function paymentJson(world, { coin, rate, size, paid, time }) {
    const { szDecimals } = world.byName.get(coin);
    const delta = { type: 'funding', coin, usdc: money(-paid), szi: textOf(size, szDecimals), fundingRate: textOf(rate, RATE_PLACES), nSamples: NONE };
    return { time, hash: `0x${'0'.repeat(64)}`, delta };
}
