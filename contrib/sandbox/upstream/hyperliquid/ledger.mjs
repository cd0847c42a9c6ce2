// Money that comes, goes and moves, and the rows that tell its owner of it.

import { randomBytes } from 'node:crypto';
import { DOLLAR, textOf } from './amounts.mjs';
import { accountOf, makeAccount, nextTime, touch } from './world.mjs';

/** What the first credit of an account costs. */
export const ACTIVATION = DOLLAR;

/** A transaction of the venue's own chain, which cannot be looked up. */
export const newHash = () => `0x${randomBytes(32).toString('hex')}`;

export function note(world, user, delta) {
    const time = nextTime(world);
    const hash = newHash();
    touch(world, 'ledger', { id: `${user} ${hash}`, user, time, hash, delta });
}

/** Adds money to an account, which it makes if there is none: then a part of it is the price of that. */
export function credit(world, address, amount, delta, isSpot = false) {
    const known = accountOf(world, address);
    const account = known ?? makeAccount(world, address);
    const cost = known === undefined ? ACTIVATION : 0n;
    const kept = amount - cost;
    if (isSpot && account.mode === 'default') account.spot += kept;
    else account.usdc += kept;
    touch(world, 'accounts', account);
    note(world, address, delta);
    if (cost > 0n) note(world, address, { type: 'accountActivationGas', amount: textOf(cost), token: 'USDC' });
}
