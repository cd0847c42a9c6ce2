// What an account is worth, and what that allows. All of it in millionths of a dollar.
//
// A position: { size (signed), entry (what its size cost), isCross, leverage, margin (of an isolated one, funding included),
// funding { allTime, sinceOpen, sinceChange } (paid) }.

import { abs, max, sumOf, unitsOf } from './amounts.mjs';
import { leverageOf } from './world.mjs';

/** What so much of a market is worth at a price. */
export const valueOf = (market, price, size) => (price * size) / 10n ** BigInt(market.szDecimals);

export const notional = (market, position) => valueOf(market, market.mark, abs(position.size));
const signOf = ({ size }) => (size < 0n ? -1n : 1n);

/** What closing it at the mark price would gain. */
export const gainOf = (market, position) => signOf(position) * (notional(market, position) - position.entry);

/** The tiers of a market: [{ from, leverage, deduction }]. Maintenance is continuous where one begins. */
function tiersOf({ tiers }) {
    const list = [];
    for (const [from, leverage] of tiers) {
        const before = list.at(-1);
        const start = unitsOf(from);
        const deduction = before === undefined ? 0n : before.deduction + start / BigInt(2 * leverage) - start / BigInt(2 * before.leverage);
        list.push({ from: start, leverage, deduction });
    }
    return list;
}

/** The tier of a position of so much. */
export const tierOf = (market, value) => tiersOf(market).findLast(({ from }) => from <= value);

/** Half of the initial margin at the most leverage: what a position may not go below. */
function maintenanceOf(market, position) {
    const value = notional(market, position);
    const { leverage, deduction } = tierOf(market, value);
    return value / BigInt(2 * leverage) - deduction;
}

const marginAt = (value, leverage) => value / BigInt(leverage);

/** What a position binds: a cross one its share of the account, an isolated one what it has. */
export function boundBy(market, position) {
    if (position.isCross) return marginAt(notional(market, position), position.leverage);
    return max(0n, position.margin + gainOf(market, position));
}

export const positionsOf = (world, account) => Object.entries(account.positions).map(([coin, position]) => ({ coin, position, market: world.byName.get(coin) }));

const crossOf = (world, account) => positionsOf(world, account).filter(({ position }) => position.isCross);

/** What an order's part adds to a position. */
export function increaseOf(position, isBuy, size) {
    const now = position?.size ?? 0n;
    return max(0n, abs(now + (isBuy ? size : -size)) - abs(now));
}

/** What open orders hold. */
function heldBy(world, account) {
    const orders = world.live.ofUser(account.id).filter(({ reduceOnly, trigger, isTriggered }) => !reduceOnly && (trigger === undefined || isTriggered));
    return sumOf(orders, (order) => {
        const market = world.byName.get(order.coin);
        const more = increaseOf(account.positions[order.coin], order.isBuy, order.left);
        return marginAt(valueOf(market, order.price, more), leverageOf(account, market).value);
    });
}

/** The account in whole. `free` is what new orders may bind, `withdrawable` what may leave. */
export function summaryOf(world, account) {
    const cross = crossOf(world, account);
    const isolated = positionsOf(world, account).filter(({ position }) => !position.isCross);
    const crossValue = account.usdc + sumOf(cross, ({ market, position }) => gainOf(market, position));
    const crossNotional = sumOf(cross, ({ market, position }) => notional(market, position));
    const crossMargin = sumOf(cross, ({ market, position }) => boundBy(market, position));
    const isolatedValue = sumOf(isolated, ({ market, position }) => position.margin + gainOf(market, position));
    const held = heldBy(world, account);
    const everywhere = [...cross, ...isolated];
    return {
        crossValue, crossNotional, crossMargin, held,
        crossMaintenance: sumOf(cross, ({ market, position }) => maintenanceOf(market, position)),
        value: crossValue + isolatedValue,
        notional: sumOf(everywhere, ({ market, position }) => notional(market, position)),
        margin: sumOf(everywhere, ({ market, position }) => boundBy(market, position)),
        signed: sumOf(everywhere, ({ market, position }) => signOf(position) * notional(market, position)),
        crossSigned: sumOf(cross, ({ market, position }) => signOf(position) * notional(market, position)),
        free: crossValue - crossMargin - held,
        withdrawable: max(0n, crossValue - max(crossMargin + held, crossNotional / 10n)),
    };
}

/** Whether an isolated position, or all cross ones together, are below their maintenance. */
export function isBelow(world, account, { market, position }) {
    if (!position.isCross) return position.margin + gainOf(market, position) < maintenanceOf(market, position);
    const { crossValue, crossMaintenance } = summaryOf(world, account);
    return crossValue < crossMaintenance;
}

const LIQUIDATION_PLACES = 10n ** 8n;

/** The mark price at which that happens, in hundred millionths; undefined where no price is. */
export function liquidationPrice(world, account, { market, position }) {
    const { crossValue, crossMaintenance } = summaryOf(world, account);
    const available = position.isCross ? crossValue - crossMaintenance
        : position.margin + gainOf(market, position) - maintenanceOf(market, position);
    const doubled = BigInt(2 * tierOf(market, notional(market, position)).leverage);
    const sign = signOf(position);
    const lots = 10n ** BigInt(market.szDecimals);
    const away = (available * doubled * lots * LIQUIDATION_PLACES) / (abs(position.size) * (doubled - sign) * 10n ** 6n);
    const price = market.mark * (LIQUIDATION_PLACES / 10n ** 6n) - sign * away;
    return price > 0n ? price : undefined;
}
