// What a wallet has of outcomes: the shares as the chain counts them, the prices from the trades that are on the chain.
// Shares that came another way count as split, at half a dollar. Amounts are millionths, and JSON numbers when shown.

import { ONE, costOf, textOf, unitsOf } from './amounts.mjs';
import { marketOf, orderOf } from './orders.mjs';
import { settlementId } from './settlement.mjs';
import { outcomePrices } from './world.mjs';

const HALF = ONE / 2n;

/** The positions of a wallet in these markets, as of one block. */
export async function positionsOf(world, wallet, markets) {
    const block = await world.polygon.provider.getBlockNumber();
    const trades = await tradesOnChain(world, block);
    return (await Promise.all(markets.map((market) => positionsIn(world, wallet, market, trades, block)))).flat();
}

/** The settlement may be in the chain before the venue knows it, and before its receipt: by its number it is there with the shares. */
async function tradesOnChain(world, block) {
    const count = await world.operator.countAt(block);
    const isIn = async (trade) => {
        if (trade.status === 'MINED' || trade.status === 'CONFIRMED') return true;
        const transaction = world.store.rows('transactions').get(settlementId(trade));
        if (trade.status === 'FAILED' || transaction === undefined || transaction.nonce >= count) return false;
        const receipt = await world.polygon.provider.getTransactionReceipt(transaction.hash);
        return receipt === null || receipt.status === 1;
    };
    const trades = [...world.store.rows('trades').values()];
    const isThere = await Promise.all(trades.map(isIn));
    return trades.filter((trade, i) => isThere[i]);
}

async function positionsIn(world, wallet, market, trades, block) {
    const ledger = world.polygon.ledger(market.kind);
    const shares = await Promise.all(market.tokens.map((token) => ledger.balanceOf(wallet, token, { blockTag: block })));
    const mergeable = shares.every((size) => size > 0n);
    const own = trades.filter((trade) => marketOf(world, trade) === market);
    return shares.flatMap((size, outcome) => {
        if (size === 0n) return [];
        return [{ ...positionJson(market, outcome, size, partsOf(world, wallet, own, outcome)), proxyWallet: wallet.toLowerCase(), mergeable }];
    });
}

function positionJson(market, outcome, size, parts) {
    const price = unitsOf(outcomePrices(market)[outcome]);
    const resolved = market.status === 'resolved';
    const { cost, bought, spent, gained } = reckon(parts, size, resolved ? price : undefined);
    const value = costOf(size, price);
    return {
        asset: market.tokens[outcome], conditionId: market.conditionId, size: numberOf(size),
        avgPrice: numberOf((cost * ONE) / size), initialValue: numberOf(cost), currentValue: numberOf(value), cashPnl: numberOf(value - cost),
        percentPnl: percentOf(value - cost, cost), totalBought: numberOf(bought), realizedPnl: numberOf(gained),
        percentRealizedPnl: percentOf(gained, spent), curPrice: numberOf(price), redeemable: resolved,
        title: market.question, slug: market.slug, eventSlug: market.event, outcome: market.outcomes[outcome], outcomeIndex: outcome,
        oppositeOutcome: market.outcomes[1 - outcome], oppositeAsset: market.tokens[1 - outcome], endDate: market.endDate.slice(0, 10),
        negativeRisk: market.kind === 'neg_risk',
    };
}

const numberOf = (units) => (units < 0n ? -Number(textOf(-units)) : Number(textOf(units)));
const percentOf = (part, whole) => (whole === 0n ? 0 : numberOf((part * 100n * ONE) / whole));

/** What a wallet bought and sold of an outcome by these trades, oldest first: { side, size, price }. */
function partsOf(world, wallet, trades, outcome) {
    const isOwn = ({ order }) => order.order.maker.toLowerCase() === wallet.toLowerCase() && order.outcome === outcome;
    return trades.flatMap(({ taker, size, price, makers }) => [{ order: taker, size, price }, ...makers])
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
