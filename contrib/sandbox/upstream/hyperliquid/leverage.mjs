// Leverage and margin mode of an account in a market: settings of the account, which its next orders rely on.

import { gainOf, notional, summaryOf, tierOf } from './margin.mjs';
import { leverageOf, touch } from './world.mjs';

const ASKED_FOR_MORE = 'Not enough margin for this leverage.';

/** Sets them: what is wrong with it, undefined for nothing. */
export function setLeverage(world, account, { asset, isCross, leverage }) {
    const market = world.markets[asset];
    if (market === undefined || leverage < 1 || leverage > market.maxLeverage) return 'Invalid leverage value';
    const position = account.positions[market.name];
    const fault = position && changePosition(world, account, market, position, isCross, leverage);
    if (fault !== undefined) return fault;
    account.leverage[market.name] = { isCross, value: leverage };
    touch(world, 'accounts', account);
    return undefined;
}

function changePosition(world, account, market, position, isCross, leverage) {
    if (position.isCross !== isCross) return 'Cannot switch leverage type with open position.';
    if (leverage > tierOf(market, notional(market, position)).leverage) return 'Invalid leverage value';
    const [before, after] = [leverageOf(account, market).value, leverage].map((each) => (isCross ? notional(market, position) : position.entry) / BigInt(each));
    if (after - before > summaryOf(world, account).free) return ASKED_FOR_MORE;
    position.leverage = leverage;
    if (isCross) return undefined;
    // An isolated one is given what it lacks; what it has beyond it keeps.
    if (after > position.margin) {
        account.usdc -= after - position.margin;
        position.margin = after;
    }
    return undefined;
}

/** Adds to an isolated position's margin, or takes from it: what is wrong with it, undefined for nothing. */
export function moveMargin(world, account, { asset, ntli }) {
    const market = world.markets[asset];
    const position = account.positions[market?.name];
    const amount = BigInt(ntli);
    if (position === undefined || position.isCross) return 'Cannot update isolated margin without an isolated position.';
    if (amount > summaryOf(world, account).free) return 'Insufficient margin to add.';
    const left = position.margin + amount + gainOf(market, position);
    if (amount < 0n && left < notional(market, position) / BigInt(position.leverage)) return 'Not enough margin to remove.';
    position.margin += amount;
    account.usdc -= amount;
    touch(world, 'accounts', account);
    return undefined;
}
