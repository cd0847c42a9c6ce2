// What a wallet has of outcomes: the shares as the chain counts them, the prices from the trades that are on the chain.
// Shares that came another way count as split, at half a dollar. Amounts are millionths, and JSON numbers when shown.

import { ONE, costOf, textOf, unitsOf } from './amounts.mjs';
import { marketOf, orderOf } from './orders.mjs';
import { outcomePrices } from './world.mjs';

const HALF = ONE / 2n;
const ON_CHAIN = ['MINED', 'CONFIRMED'];

/** The positions of a wallet in these markets. */
export async function positionsOf(world, wallet, markets) {
    return (await Promise.all(markets.map((market) => positionsIn(world, wallet, market)))).flat();
}

async function positionsIn(world, wallet, market) {
    const ledger = world.polygon.ledger(market.kind);
    const shares = await Promise.all(market.tokens.map((token) => ledger.balanceOf(wallet, token)));
    const isMergeable = shares.every((size) => size > 0n);
    return shares.flatMap((size, outcome) => (size === 0n ? [] : [positionJson(world, wallet, market, outcome, size, isMergeable)]));
}

function positionJson(world, wallet, market, outcome, size, mergeable) {
    const price = unitsOf(outcomePrices(market)[outcome]);
    const resolved = market.status === 'resolved';
    const { cost, bought, spent, gained } = reckon(partsOf(world, wallet, market, outcome), size, resolved ? price : undefined);
    const value = costOf(size, price);
    return {
        proxyWallet: wallet.toLowerCase(), asset: market.tokens[outcome], conditionId: market.conditionId, size: numberOf(size),
        avgPrice: numberOf((cost * ONE) / size), initialValue: numberOf(cost), currentValue: numberOf(value), cashPnl: numberOf(value - cost),
        percentPnl: percentOf(value - cost, cost), totalBought: numberOf(bought), realizedPnl: numberOf(gained),
        percentRealizedPnl: percentOf(gained, spent), curPrice: numberOf(price), redeemable: resolved, mergeable,
        title: market.question, slug: market.slug, eventSlug: market.event, outcome: market.outcomes[outcome], outcomeIndex: outcome,
        oppositeOutcome: market.outcomes[1 - outcome], oppositeAsset: market.tokens[1 - outcome], endDate: market.endDate.slice(0, 10),
        negativeRisk: market.kind === 'neg_risk',
    };
}

const numberOf = (units) => (units < 0n ? -Number(textOf(-units)) : Number(textOf(units)));
const percentOf = (part, whole) => (whole === 0n ? 0 : numberOf((part * 100n * ONE) / whole));

/** What a wallet bought and sold of an outcome, oldest first: { side, size, price }. */
function partsOf(world, wallet, market, outcome) {
    const isOwn = ({ order }) => order.order.maker.toLowerCase() === wallet.toLowerCase() && order.outcome === outcome;
    return [...world.store.rows('trades').values()].filter((trade) => ON_CHAIN.includes(trade.status) && marketOf(world, trade) === market)
        .flatMap(({ taker, size, price, makers }) => [{ order: taker, size, price }, ...makers])
        .map((part) => ({ ...part, order: orderOf(world, part.order) })).filter(isOwn)
        .map(({ order: { side }, size, price }) => ({ side, size, price }));
}

/**
 * What the shares that are left cost on average, how many were bought for what, and what the others gained. `payout` is
 * what those that left without a trade were redeemed for; undefined: nothing was gained with them.
 */
function reckon(parts, size, payout) {
    const sum = { size: 0n, cost: 0n, bought: 0n, spent: 0n, gained: 0n };
    for (const part of parts) (part.side === 'BUY' ? buy : sell)(sum, part.size, part.price);
    if (size > sum.size) buy(sum, size - sum.size, HALF);
    else sell(sum, sum.size - size, payout);
    return sum;
}

function buy(sum, size, price) {
    const cost = costOf(size, price);
    sum.size += size;
    sum.bought += size;
    sum.cost += cost;
    sum.spent += cost;
}

/** Shares that were not bought by a trade have cost half a dollar. */
function sell(sum, size, price) {
    if (size > sum.size) buy(sum, size - sum.size, HALF);
    if (size === 0n) return;
    const cost = (sum.cost * size) / sum.size;
    sum.gained += price === undefined ? 0n : costOf(size, price) - cost;
    sum.cost -= cost;
    sum.size -= size;
}
