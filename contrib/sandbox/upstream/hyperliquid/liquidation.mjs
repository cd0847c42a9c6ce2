// An account below its maintenance margin loses its positions: the venue closes them at the mark price. An isolated position
// goes by itself, cross ones go together.

import { abs, sumOf, textOf } from './amounts.mjs';
import { note } from './ledger.mjs';
import { isBelow, notional, positionsOf, summaryOf } from './margin.mjs';
import { close, makeOrder, setStatus } from './orders.mjs';
import { endReducing, fill } from './positions.mjs';
import { touch } from './world.mjs';

export function liquidateIfBelow(world, account) {
    for (const held of positionsOf(world, account)) {
        if (held.position.isCross || account.positions[held.coin] === undefined) continue;
        if (isBelow(world, account, held)) liquidate(world, account, [held]);
    }
    const cross = positionsOf(world, account).filter(({ position }) => position.isCross);
    if (cross.length > 0 && isBelow(world, account, cross[0])) liquidate(world, account, cross);
}

/** Closes positions [{ coin, position, market }], all cross or one isolated. */
export function liquidate(world, account, held) {
    const { isCross } = held[0].position;
    const { crossValue } = summaryOf(world, account);
    const value = isCross ? crossValue : held[0].position.margin;
    const told = {
        type: 'liquidation', liquidatedNtlPos: textOf(sumOf(held, ({ market, position }) => notional(market, position))), accountValue: textOf(value),
        leverageType: isCross ? 'Cross' : 'Isolated',
        liquidatedPositions: held.map(({ coin, position, market }) => ({ coin, szi: textOf(position.size, market.szDecimals) })),
    };
    for (const order of world.live.ofUser(account.id)) {
        if (isCross || order.coin === held[0].coin) close(world, order, 'liquidatedCanceled');
    }
    for (const each of held) closeAtMark(world, account, each);
    if (account.usdc < 0n) account.usdc = 0n; // the venue bears what is missing
    touch(world, 'accounts', account);
    note(world, account.id, told);
}

function closeAtMark(world, account, { market, position }) {
    const size = abs(position.size);
    const wish = { isBuy: position.size < 0n, price: market.mark, size, tif: 'Ioc', reduceOnly: true, isPositionTpsl: false };
    const order = makeOrder(world, account.id, market, wish);
    const liquidation = { liquidatedUser: account.id, markPx: textOf(market.mark), method: 'market' };
    fill(world, order, { price: market.mark, size, isTaker: true, feeRate: 0n, more: { liquidation } });
    setStatus(world, order, 'filled');
    endReducing(world, account, market);
}
