// What an order meets in the book, and the trades that come of it.
//
// True to the venue as of 2026-07: a FOK or FAK purchase is an order for money. It spends makerAmount, and brings more
// shares than takerAmount where the price is better (Polymarket/py-clob-client-v2 #89, rs-clob-client-v2 #79).

import { randomUUID } from 'node:crypto';
import { ONE, costOf, textOf, unitsOf } from './amounts.mjs';
import { placeOf, remaining } from './book.mjs';
import { givenAt, isWhole, marketOf, mayRest, outlay, setStatus, spends, unspent } from './orders.mjs';
import { changedMarket } from './world.mjs';

const FEE_STEP = 10n;
const MAKERS_MAX = 10; // in one settlement

/** [{ maker, size, price }] best first; the price is that of the taker's outcome. */
export function meetings(market, taker) {
    const found = [];
    const wanted = spends(taker) ? wantedOfMoney(market, taker) : wantedOfShares(taker);
    for (const maker of market.book.against(taker)) {
        const price = inOutcome(taker.outcome, placeOf(maker).price);
        const most = wanted.at(price);
        if (most === 0n) break;
        const size = most < remaining(maker) ? most : remaining(maker);
        found.push({ maker, size, price });
        wanted.take(size, price);
    }
    return found;
}

function wantedOfShares(taker) {
    let left = remaining(taker);
    return { at: () => left, take: (size) => { left -= size; } };
}

/** In steps of which each price of the market makes whole units of money. */
function wantedOfMoney({ tick }, taker) {
    const step = ONE / greatestDivisor(ONE, unitsOf(tick));
    let left = unspent(taker);
    return {
        at(price) {
            const size = (left * ONE) / price;
            return size - (size % step);
        },
        take: (size, price) => { left -= costOf(size, price); },
    };
}

const greatestDivisor = (a, b) => (b === 0n ? a : greatestDivisor(b, a % b));

const inOutcome = (outcome, price) => (outcome === 0 ? price : ONE - price);
const sumOf = (list, amount) => list.reduce((sum, each) => sum + amount(each), 0n);

/** What the taker pays for it, in dollars, rounded to five decimals. */
export function feeOf({ feeRate }, { size, price }) {
    const fee = (size * unitsOf(feeRate) * price * (ONE - price)) / (ONE * ONE * ONE);
    return ((fee + FEE_STEP / 2n) / FEE_STEP) * FEE_STEP;
}

/**
 * Carries out the meetings: a trade for each price, and what is left of the taker's order rests unless its type says
 * otherwise. Nothing of it is forgotten once this returns. Gives the trades.
 */
export function carryOut(world, taker, met) {
    const market = marketOf(world, taker);
    const trades = groups(met).map((group) => tradeOf(market, taker, group));
    for (const { maker, size } of met) take(world, maker, size);
    taker.matched += sumOf(met, ({ size }) => size);
    taker.paid = (taker.paid ?? 0n) + sumOf(met, ({ size, price }) => costOf(size, price));
    for (const trade of trades) for (const order of [taker, ...makersOf(world, trade)]) order.trades.push(trade.id);
    setStatus(world, taker, isWhole(taker) ? 'MATCHED' : mayRest(taker) ? 'LIVE' : 'CANCELED');
    const orders = [taker, ...new Set(met.map(({ maker }) => maker))];
    const markets = trades.length > 0 ? [changedMarket(market, lastOf(market, trades))] : [];
    world.store.keep({ orders, trades, markets });
    for (const trade of trades) world.unsettled.add(trade);
    return trades;
}

export const makersOf = (world, { makers }) => makers.map(({ order }) => world.store.rows('orders').get(order));

/** By price; those of one price by tens. */
function groups(met) {
    const list = [];
    for (const meeting of met) {
        const last = list.at(-1);
        if (last === undefined || last[0].price !== meeting.price || last.length === MAKERS_MAX) list.push([meeting]);
        else last.push(meeting);
    }
    return list;
}

function tradeOf(market, taker, group) {
    const size = sumOf(group, (meeting) => meeting.size);
    const { price } = group[0];
    return {
        id: randomUUID(), taker: taker.id, market: market.id, outcome: taker.outcome, side: taker.side, size, price,
        fee: feeOf(market, { size, price }),
        makers: group.map(({ maker, size: part }) => ({ order: maker.id, size: part, price: maker.price })),
        status: 'MATCHED', hash: '', attempt: 0, wasMined: false, isFinal: false, at: Date.now(), updated: Date.now(),
    };
}

function take(world, maker, size) {
    maker.matched += size;
    if (remaining(maker) === 0n) setStatus(world, maker, 'MATCHED');
}

function lastOf({ volume }, trades) {
    const { outcome, price } = trades.at(-1);
    return { price: textOf(inOutcome(outcome, price)), volume: volume + sumOf(trades, (trade) => costOf(trade.size, trade.price)) };
}

// ---------------------------------------------------------------- what is held

/**
 * What a wallet's orders and unsettled trades hold of an asset: dollars, or shares of a token. With an exchange: only
 * what that one will take.
 */
export function held(world, wallet, asset, exchangeKind) {
    const isOf = (order) => order.order.maker === wallet && assetOf(order) === asset
        && (exchangeKind === undefined || marketOf(world, order).kind === exchangeKind);
    const resting = sumOf(world.live.ofMaker(wallet).filter(isOf), (order) => outlay(order));
    const parts = [...world.unsettled].flatMap((trade) => [
        { order: world.store.rows('orders').get(trade.taker), size: trade.size, price: trade.price, fee: trade.side === 'BUY' ? trade.fee : 0n },
        ...trade.makers.map(({ order, size, price }) => ({ order: world.store.rows('orders').get(order), size, price, fee: 0n })),
    ]).filter(({ order }) => isOf(order));
    return resting + sumOf(parts, ({ order, size, price, fee }) => givenAt(order, size, price) + fee);
}

export const assetOf = ({ side, order }) => (side === 'BUY' ? 'collateral' : order.tokenId);
