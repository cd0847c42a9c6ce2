// The first lender and borrower of lending's markets: the builder of the chain, who has all liquidity.

import { parseUnits } from 'ethers';
import { BUILDER, contractAt } from '../builder.mjs';
import { UNISWAP } from '../contracts.mjs';

/** Of what is lent to a market: interest is earned and owed from the start. */
export const borrowedOf = (lent) => lent * 4n / 10n;

/** Gives the builder so much of a token, allows a contract to take it, and returns it in smallest units. */
export async function hand(url, chain, own, symbol, amount, spender) {
    const { address, kind, decimals } = chain.tokens[symbol];
    const token = contractAt(url, own[kind] ?? UNISWAP[kind], address);
    const units = parseUnits(String(amount), decimals);
    if (kind === 'WETH9') await token.send('deposit', [], units);
    else await token.send('mint', [BUILDER, units]);
    await token.send('approve', [spender, units]);
    return units;
}
