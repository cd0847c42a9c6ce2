// What the Uniswap pools of a sandbox chain give for an amount: the best path through one or two pools of one kind, as
// the gateway's own provider looks for it. Answers are kept while a block lasts.

import { Interface, ZeroAddress, getAddress, solidityPacked } from 'ethers';
import { rpc } from '../../chain.mjs';
import { MULTICALL } from '../../world.mjs';

const V2 = new Interface(['function getAmountsOut(uint256, address[]) view returns (uint256[])']);
const V3 = new Interface(['function quoteExactInput(bytes, uint256) returns (uint256, uint160[], uint32[], uint256)']);
const MULTI = new Interface([
    'function aggregate3((address target, bool allowFailure, bytes callData)[]) view returns ((bool success, bytes returnData)[])',
]);
const TIERS = [100, 500, 3000, 10000];
const BLOCK_AGE_MS = 100; // how old the number of the newest block may be
const GAS_BASE = 160_000;
const GAS_HOP = 80_000;

export class Pools {
    #chain;
    #url;
    #block = 0;
    #looked = 0;
    #looking;
    #kept = new Map();

    constructor(chain, url) {
        this.#chain = chain;
        this.#url = url;
        this.wrapped = chain.tokens[chain.wrapped].address;
    }

    /** The number of the newest block. */
    async block() {
        if (Date.now() - this.#looked > BLOCK_AGE_MS) this.#looking ??= this.#look().finally(() => { this.#looking = undefined; });
        await this.#looking;
        return this.#block;
    }

    /**
     * { out, path, gas } of the best path, undefined where there is none. Tokens are addresses, zero for the coin; a path
     * is what the executor takes: token, then kind, fee and token of each hop.
     */
    async best(tokenIn, tokenOut, amount) {
        const key = `${tokenIn} ${tokenOut} ${amount}`;
        await this.block();
        if (!this.#kept.has(key)) this.#kept.set(key, this.#ask(this.#pooled(tokenIn), this.#pooled(tokenOut), amount));
        return this.#kept.get(key);
    }

    async #look() {
        const block = Number(await rpc(this.#url, 'eth_blockNumber'));
        if (block !== this.#block) this.#kept.clear();
        this.#block = block;
        this.#looked = Date.now();
    }

    #pooled(token) {
        return token === ZeroAddress ? this.wrapped : getAddress(token);
    }

    async #ask(from, to, amount) {
        if (from === to || amount === 0n) return undefined;
        const paths = this.#paths(from, to);
        const data = MULTI.encodeFunctionData('aggregate3', [paths.map((path) => this.#question(path, amount))]);
        const [answers] = MULTI.decodeFunctionResult('aggregate3', await rpc(this.#url, 'eth_call', [{ to: MULTICALL, data }, 'latest']));
        let best;
        answers.forEach(({ success, returnData }, i) => {
            const out = success ? outputOf(paths[i], returnData) : 0n;
            if (out > (best?.out ?? 0n)) best = { out, path: packed(paths[i]), gas: GAS_BASE + paths[i].fees.length * GAS_HOP };
        });
        return best;
    }

    /** { kind, tokens, fees } of all that is worth asking. */
    #paths(from, to) {
        const paths = [{ kind: 2, tokens: [from, to], fees: [0] }, ...this.#tiers(from, to).map((fee) => ({ kind: 3, tokens: [from, to], fees: [fee] }))];
        const { tokens, dollars } = this.#chain;
        for (const middle of [this.wrapped, ...dollars.map((symbol) => tokens[symbol].address)]) {
            if (middle === from || middle === to) continue;
            paths.push({ kind: 2, tokens: [from, middle, to], fees: [0, 0] });
            for (const first of this.#tiers(from, middle)) {
                for (const second of this.#tiers(middle, to)) paths.push({ kind: 3, tokens: [from, middle, to], fees: [first, second] });
            }
        }
        return paths;
    }

    /** The tiers of V3 that two tokens may have pools of: all of them for tokens that came later. */
    #tiers(a, b) {
        const symbolOf = (wanted) => Object.keys(this.#chain.tokens).find((symbol) => this.#chain.tokens[symbol].address === wanted);
        const symbols = [symbolOf(a), symbolOf(b)];
        if (symbols.includes(undefined)) return TIERS;
        return this.#chain.pools.v3.filter(([first, , second]) => symbols.includes(first) && symbols.includes(second)).map((pool) => pool[4]);
    }

    #question({ kind, tokens, fees }, amount) {
        const { v2, v3 } = this.#chain;
        return kind === 2
            ? { target: v2.router, allowFailure: true, callData: V2.encodeFunctionData('getAmountsOut', [amount, tokens]) }
            : { target: v3.quoter, allowFailure: true, callData: V3.encodeFunctionData('quoteExactInput', [pathV3(tokens, fees), amount]) };
    }
}

function pathV3(tokens, fees) {
    const types = fees.flatMap(() => ['address', 'uint24']);
    return solidityPacked([...types, 'address'], [...fees.flatMap((fee, i) => [tokens[i], fee]), tokens.at(-1)]);
}

function outputOf({ kind }, data) {
    return kind === 2 ? V2.decodeFunctionResult('getAmountsOut', data)[0].at(-1) : V3.decodeFunctionResult('quoteExactInput', data)[0];
}

function packed({ kind, tokens, fees }) {
    const types = fees.flatMap(() => ['uint8', 'uint24', 'address']);
    return solidityPacked(['address', ...types], [tokens[0], ...fees.flatMap((fee, i) => [kind, fee, tokens[i + 1]])]);
}
