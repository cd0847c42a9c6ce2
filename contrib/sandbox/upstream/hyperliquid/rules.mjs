// What an order has to be: first what its form says, of which one fault refuses all that came with it, then what its market
// and its account say.

import { DOLLAR, abs, isPrice, sumOf, textOf, unitsOf } from './amounts.mjs';
import { best, meetings } from './book.mjs';
import { increaseOf, summaryOf, tierOf, valueOf } from './margin.mjs';
import { feeOf } from './positions.mjs';
import { leverageOf } from './world.mjs';

const LEAST_VALUE = 10n * DOLLAR;
const FAR = 80n; // percent away from the mark price
const FAR_FROM_ORACLE = 50n;
const ORDERS_LEAST = 1000, ORDERS_MOST = 5000;
const TRADED_FOR_AN_ORDER = 5_000_000n * DOLLAR;

const isAway = (price, from, percent) => abs(price - from) * 100n > from * percent;

/** What is wrong with an order's form; undefined for nothing. */
export function formFault(market, { p, s, t }, grouping) {
    if (market === undefined) return 'Order has invalid asset.';
    if (market.isDelisted || market.mark === undefined) return 'Trading is halted.';
    const prices = t.trigger === undefined ? [p] : [p, t.trigger.triggerPx];
    if (prices.some((price) => !isPrice(price, market.szDecimals))) return 'Price must be divisible by tick size.';
    if (prices.some((price) => unitsOf(price) === 0n)) return 'Order has invalid price.';
    const size = unitsOf(s, market.szDecimals);
    if (size === undefined) return 'Order has invalid size.';
    if (size === 0n && grouping !== 'positionTpsl') return 'Order has zero size.';
    if (t.limit !== undefined && isAway(unitsOf(p), market.mark, FAR)) return 'Order price cannot be more than 80% away from the reference price';
    return undefined;
}

/** Why an order is refused: [text, status]; undefined for one that is taken. `met`: what it would take at once. */
export function refusalOf(world, account, market, wish, met) {
    const position = account.positions[market.name];
    if (wish.reduceOnly && (position === undefined || position.size > 0n === wish.isBuy)) return ['Reduce only order would increase position.', 'reduceOnlyRejected'];
    if (isTooSmall(market, position, wish)) return ['Order must have minimum value of $10.', 'minTradeNtlRejected'];
    if (isTooMany(world, account)) return ['Too many open orders.', 'tooManyOpenOrdersRejected'];
    if (wish.trigger !== undefined && !wish.isTriggered) return isBadTrigger(market, wish) ? ['Invalid TP/SL price.', 'badTriggerPxRejected'] : undefined;
    if (isAway(wish.price, market.oracle, FAR_FROM_ORACLE)) return ['Order price too far from oracle', 'oracleRejected'];
    return bookRefusal(market, wish, met) ?? marginRefusal(world, account, market, wish, met);
}

/** A position may be closed whole, however small it is. */
function isTooSmall(market, position, { price, size, reduceOnly, isPositionTpsl }) {
    if (isPositionTpsl || (reduceOnly && size >= abs(position.size))) return false;
    return valueOf(market, price, size) < LEAST_VALUE;
}

function isTooMany(world, account) {
    const most = Math.min(ORDERS_MOST, ORDERS_LEAST + Number(account.traded / TRADED_FOR_AN_ORDER));
    return world.live.ofUser(account.id).length >= most;
}

/** Whether a trigger would act at once. That of a bracket is compared with what its parent will pay. */
function isBadTrigger(market, { isBuy, trigger, reference = market.mark }) {
    const isAbove = isBuy ? trigger.tpsl === 'sl' : trigger.tpsl === 'tp';
    return isAbove ? trigger.price <= reference : trigger.price >= reference;
}

function bookRefusal(market, { isBuy, tif }, met) {
    if (tif === 'Alo' && met.length > 0) {
        const [bid, ask] = [best(market, true), best(market, false)].map((price) => textOf(price ?? 0n).replace(/\.0$/, ''));
        return [`Post only order would have immediately matched, bbo was ${bid}@${ask}.`, 'badAloPxRejected'];
    }
    if ((tif !== 'Ioc' && tif !== 'FrontendMarket') || met.length > 0) return undefined;
    if (best(market, !isBuy) === undefined || tif === 'FrontendMarket') return ['No liquidity available for market order.', 'marketOrderNoLiquidityRejected'];
    return ['Order could not immediately match against any resting orders.', 'iocCancelRejected'];
}

function marginRefusal(world, account, market, wish, met) {
    const { isBuy, size, price, reduceOnly, tif } = wish;
    const position = account.positions[market.name];
    const taken = sumOf(met, (each) => each.size);
    const whole = tif === 'Gtc' || tif === 'Alo' ? size : taken;
    const more = reduceOnly ? 0n : increaseOf(position, isBuy, whole);
    if (more === 0n) return undefined;
    if (market.isCapped) return ['Order would increase open interest while open interest is capped', 'positionIncreaseAtOpenInterestCapRejected'];
    const takenFor = sumOf(met, (each) => valueOf(market, each.price, each.size));
    const cost = takenFor + valueOf(market, price, whole - taken);
    const { value: leverage } = leverageOf(account, market);
    const after = abs(position?.size ?? 0n) + more;
    if (leverage > tierOf(market, valueOf(market, market.mark, after)).leverage) {
        return ['Order would cause position to exceed margin tier limit at current leverage', 'perpMaxPositionRejected'];
    }
    const needed = (cost * more) / whole / BigInt(leverage) + feeOf(takenFor, true);
    return needed > summaryOf(world, account).free ? ['Insufficient margin to place order.', 'perpMarginRejected'] : undefined;
}

/** What an order would take, and no more than what it may reduce. */
export function taken(account, market, wish) {
    const held = abs(account.positions[market.name]?.size ?? 0n);
    const size = wish.reduceOnly && held < wish.size ? held : wish.size;
    return meetings(market, { ...wish, size, user: account.id });
}
