// The sandbox's Solana as services see it: its node, and what its pools give.

import { postJson } from '../post.mjs';
import { MINTS, PAIRS, poolOf, programOf } from '../solana/world.mjs';
import { SYSTEM, WRAPPED } from '../solana/transaction.mjs';

const GAS = 100_000; // compute units of a trade, which have no price here

export async function solanaRpc(url, method, ...params) {
    // One number is larger than JSON's readers take exactly; no caller needs it.
    const { result, error } = await postJson(url, { jsonrpc: '2.0', id: 1, method, params });
    if (error !== undefined) throw Object.assign(new Error(error.message), error);
    return result;
}

/** As Pools (aggregator/pools.mjs) are for a chain of the other family. */
export class SolanaPools {
    #url;
    wrapped = SYSTEM; // the coin has no token that another chain sends or is paid by

    constructor(url) {
        this.#url = url;
    }

    block() {
        return solanaRpc(this.#url, 'getSlot', { commitment: 'confirmed' });
    }

    /** { pool, stocks, out } of the pool of two mints; undefined where there is none. */
    async trade(sell, buy, amount) {
        if (!PAIRS.some(([a, b]) => (a === sell && b === buy) || (a === buy && b === sell))) return undefined;
        const pool = poolOf(sell, buy);
        const { value } = await solanaRpc(this.#url, 'getMultipleAccounts', [pool.vaults[sell], pool.vaults[buy]], { encoding: 'base64', commitment: 'confirmed' });
        const stocks = value.map(({ data: [text] }) => Buffer.from(text, 'base64').readBigUInt64LE(64));
        return { pool, stocks, out: stocks[1] * amount / (stocks[0] + amount) };
    }

    /** { out, gas } for tokens as bridges name them; undefined for no route. */
    async best(tokenIn, tokenOut, amount) {
        const [sell, buy] = [tokenIn, tokenOut].map((token) => (token === SYSTEM ? WRAPPED : token));
        const found = await this.trade(sell, buy, amount);
        return found && { out: found.out, gas: GAS };
    }
}

/** A row as those of world.mjs, as far as bridges need it; what the chain's number is every service says for itself. */
export const solanaChain = (url) => ({
    name: 'solana', url, coin: 'SOL', pools: new SolanaPools(url), dollars: ['USDC', 'USDT'],
    tokens: Object.fromEntries(Object.entries(MINTS).map(([symbol, { mint, decimals }]) => [symbol, { address: mint, decimals, name: symbol, program: programOf(mint) }])),
});
