// What happens when a price moves: what rests there is taken, what waited for it acts, and who has lost too much is liquidated.

import { abs, roundedPrice } from './amounts.mjs';
import { liquidateIfBelow } from './liquidation.mjs';
import { close, noteState } from './orders.mjs';
import { settle, takeResting } from './place.mjs';
import { taken } from './rules.mjs';
import { accountOf, touchMarket } from './world.mjs';

const TOLERANCE = 10n; // percent, of triggers that take what the market gives
const EVERYTHING = 10n ** 30n;

export function movePrice(world, market, mark, oracle = mark) {
    Object.assign(market, { mark, oracle });
    touchMarket(world, market);
    for (const isBuy of [true, false]) takeResting(world, market, isBuy, mark, EVERYTHING);
    for (const order of world.live.triggersOf(market.name)) if (isDue(order, mark)) fire(world, market, order);
    for (const account of [...world.store.rows('accounts').values()]) if (account.positions[market.name]) liquidateIfBelow(world, account);
}

function isDue({ status, isBuy, trigger }, mark) {
    if (status !== 'open') return false;
    const isAbove = isBuy ? trigger.tpsl === 'sl' : trigger.tpsl === 'tp';
    return isAbove ? mark >= trigger.price : mark <= trigger.price;
}

function fire(world, market, order) {
    const account = accountOf(world, order.user);
    const held = abs(account.positions[market.name]?.size ?? 0n);
    if (order.isPositionTpsl || order.size > held) Object.assign(order, { size: held, left: held });
    if (held === 0n) return close(world, order, 'reduceOnlyCanceled');
    world.live.delete(order, market);
    const percent = order.isBuy ? 100n + TOLERANCE : 100n - TOLERANCE;
    const limit = order.trigger.isMarket ? roundedPrice((market.mark * percent) / 100n, market.szDecimals, order.isBuy) : order.price;
    Object.assign(order, { isTriggered: true, status: 'triggered', tif: order.trigger.isMarket ? 'Ioc' : 'Gtc' });
    noteState(world, order);
    const met = taken(account, market, { ...order, price: limit });
    return settle(world, market, order, met);
}
