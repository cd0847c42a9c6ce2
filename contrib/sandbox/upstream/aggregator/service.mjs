// What the services of aggregators have in common. One of them is a file that exports a description:
//
//   key         as the gateway's settings have it
//   haircut     bps that it gives less than the local pools
//   solana      its number of Solana, where it goes there; Solana is no chain of the others
//   routes      rows [method, path, handler(desk, call)] as in routes.mjs; a handler gives { json } or throws refusal(…)
//   refusal     (status, reason) => Refused: how the service words 404, 429 and its other refusals; `reason` is one of
//               'not found', 'rate limited'
//   layout      where its calldata has things, for lies about bytes: { selectors, offsets, address }, in words
//               behind the selector
//   lies        names of those of lies.mjs that its format can tell; all of them stand in the door
//   ownLies     beyond them, changes of an order as in OF_ORDERS, by name
//
// and startAggregator makes of it what the door (door.mjs) mounts. A handler prices with desk.offer, says a transaction
// with desk.transaction, and knows chains by desk.chain. Set by a test, in addition to what every service has and the lies:
//
//   bonus       { value: bps }: gives so much more than otherwise, out of the executor's stock
//   inflated    { value: bps }: says so much more than the transaction brings
//   no_route    knows of no way between any tokens
//   rate        { value: { count, seconds } }: refuses what comes beyond, with 429 and the usual headers

import { ZeroAddress, getAddress, isAddress } from 'ethers';
import { ROUTERS } from '../../aggregators.mjs';
import { Refusal } from '../refusal.mjs';
import { routed, routesOf } from '../routes.mjs';
import { COIN, ENCODERS, valueOf } from './calls.mjs';
import { DEADLINES, OF_BYTES, OF_ENVELOPES, OF_ORDERS } from './lies.mjs';

export const BPS = 10_000n;
const MILLION = 1_000_000n;
const INFLATED_BPS = 500n;
const OWN_FAULTS = ['bonus', 'inflated', 'no_route', 'rate'];
const HANDED_MAX = 100;
const ALL_LIES = { ...OF_ORDERS, ...OF_BYTES, ...OF_ENVELOPES, ...DEADLINES, token: true };

/** A refusal in a service's own words: status, JSON and headers; `why` is for the audit. */
export class Refused extends Refusal {
    constructor(status, json, { why = JSON.stringify(json), headers } = {}) {
        super(status, why);
        Object.assign(this, { json, headers });
    }

    get answer() {
        return { status: this.status, json: this.json, headers: this.headers, refused: this.why };
    }
}

/** The same amount in the units of another token; both by their decimals. */
export const scaled = (amount, from, to) => (to >= from ? amount * 10n ** BigInt(to - from) : amount / 10n ** BigInt(from - to));

/** The amount less a share in bps, rounded down. */
export const lessBps = (amount, bps) => amount * (BPS - BigInt(bps)) / BPS;

/** A positive whole number in decimal digits, or undefined. */
export const amountOf = (text) => (/^\d{1,78}$/.test(text ?? '') && BigInt(text) > 0n ? BigInt(text) : undefined);

/** A token as handlers have it: its address, zero for the coin, undefined for what is none. `coin` is the service's word for the coin. */
export function tokenOf(text, coin = COIN) {
    if (!isAddress(text)) return undefined;
    return getAddress(text) === getAddress(coin) ? ZeroAddress : getAddress(text);
}

/** { symbol, name, decimals } of a token as handlers have it. */
export function factsOf(chain, token) {
    const found = Object.entries(chain.tokens).find(([, { address }]) => address === token);
    const [symbol, { name, decimals }] = found ?? [token === ZeroAddress ? chain.coin : '', { decimals: 18 }];
    return { symbol, name: name ?? symbol, decimals };
}

/** What is worth as much on every chain: a coin, which what wraps it stands for too, or else the token of a symbol. */
export const assetOf = (chain, token) => (token === ZeroAddress || token === chain.pools.wrapped ? chain.coin : factsOf(chain, token).symbol || token);

/** As much of an asset as those who fill bridges hold on a chain: of a coin, a dollar, and all else, in whole tokens. */
const COINS_MOST = 600n, DOLLARS_MOST = 2_000_000n, TOKENS_MOST = 2_000_000_000n;
export function bridgedMost(chain, token) {
    const { symbol, decimals } = factsOf(chain, token);
    const most = assetOf(chain, token) === chain.coin ? COINS_MOST : /USD|DAI/.test(symbol) ? DOLLARS_MOST : TOKENS_MOST;
    return most * 10n ** BigInt(decimals);
}

/** What is left of an amount after so many per cent, as a number or text of at most four places; rounded down. */
export const lessPercent = (amount, percent) => amount * (MILLION - BigInt(Math.round(Number(percent) * 10_000))) / MILLION;

/** What a handler works with. */
class Desk {
    #service;
    #chains;
    #window = { since: 0, count: 0 };
    handed = []; // the last transactions that it handed over, lies and all

    constructor(service, { chains, solver, wrong }) {
        this.#service = service;
        this.#chains = chains.flatMap((chain) => this.#served(chain));
        this.solver = solver; // of bridges (solver.mjs)
        this.wrong = wrong;
    }

    /** A chain on which the service is, in a list. */
    #served(chain) {
        if (chain.name === 'solana') return this.#service.solana === undefined ? [] : [{ ...chain, id: this.#service.solana }];
        return this.router(chain) === undefined ? [] : [chain];
    }

    /** The chain of an id (number or text) or a name on which the service is and the sandbox has exchanges, or undefined. */
    chain(which) {
        return this.#chains.find(({ id, name }) => name === which || String(id) === String(which));
    }

    router(chain) {
        return ROUTERS[this.#service.key][chain.name];
    }

    /** The next block's number less one. */
    block(chain) {
        return chain.pools.block();
    }

    /**
     * What the service gives for an amount, undefined for no route: { chain, tokenIn, tokenOut, amount, out, gas, path,
     * share, shown }. `shown` is what it says that it gives: `out`, unless it lies.
     */
    async offer(chain, tokenIn, tokenOut, amount) {
        if (this.wrong('no_route')) return undefined;
        const best = await chain.pools.best(tokenIn, tokenOut, amount);
        if (best === undefined) return undefined;
        const share = BPS - BigInt(this.#service.haircut) + BigInt(this.wrong('bonus')?.value ?? 0);
        const out = best.out * share / BPS;
        const inflated = this.wrong('inflated');
        const shown = inflated ? out * (BPS + BigInt(inflated.value ?? INFLATED_BPS)) / BPS : out;
        return out === 0n ? undefined : { chain, tokenIn, tokenOut, amount, ...best, out, share, shown };
    }

    /**
     * The transaction that carries an offer out: { to, spender, value, data, from, chainId, gas, out, minimum }, with
     * the lies that are set. `terms`: sender, recipient, minimum, and all else that calls.mjs knows of orders.
     */
    async transaction(offer, terms) {
        const { chain, tokenIn, tokenOut, amount } = offer;
        const order = {
            chain, router: this.router(chain), tokenIn, tokenOut, amount, quoted: offer.out, recipient: terms.sender, ...terms,
            trade: { path: offer.path, share: offer.share, lie: {} },
        };
        const value = valueOf(order);
        await this.#otherToken(order, offer);
        for (const [name, change] of Object.entries({ ...OF_ORDERS, ...this.#service.ownLies })) this.#told(name, (wrong) => change(order, wrong.value));
        for (const [name, deadline] of Object.entries(DEADLINES)) this.#told(name, () => { order.deadline = deadline(); });
        const tx = {
            to: order.router, spender: order.router, value, from: terms.sender, chainId: chain.id, gas: offer.gas, out: offer.shown,
            minimum: terms.minimum, data: (this.#service.encode ?? ENCODERS[this.#service.key])(order),
        };
        for (const [name, change] of Object.entries(OF_BYTES)) this.#told(name, (wrong) => { tx.data = change(tx.data, wrong.value, this.#service.layout); });
        for (const [name, change] of Object.entries(OF_ENVELOPES)) this.#told(name, (wrong) => change(tx, wrong.value));
        this.handed.push({ sender: terms.sender, to: tx.to, value: String(tx.value), data: tx.data });
        if (this.handed.length > HANDED_MAX) this.handed.shift();
        return tx;
    }

    /** The lie `token`: buys another one, which the test names, and writes the minimum in units of that. */
    async #otherToken(order, { chain, tokenIn, amount }) {
        const wrong = this.#lies('token') && this.wrong('token');
        if (!wrong) return;
        const known = Object.values(chain.tokens).map(({ address }) => address);
        const token = wrong.value ?? known.find((address) => address !== order.tokenOut && address !== tokenIn && address !== chain.pools.wrapped);
        const best = await chain.pools.best(tokenIn, token, amount);
        Object.assign(order, { tokenOut: token, minimum: lessBps(best.out, 100), quoted: best.out, trade: { ...order.trade, path: best.path } });
    }

    #lies(name) {
        return this.#service.lies.includes(name) || name in (this.#service.ownLies ?? {});
    }

    #told(name, lie) {
        const wrong = this.#lies(name) && this.wrong(name);
        if (wrong) lie(wrong);
    }

    /** Headers for the answer of a service that counts requests; throws when there were too many. */
    admit() {
        const limit = this.wrong('rate')?.value;
        if (limit === undefined) return undefined;
        const now = Date.now();
        if (now - this.#window.since >= limit.seconds * 1000) this.#window = { since: now, count: 0 };
        this.#window.count += 1;
        const reset = Math.ceil((this.#window.since + limit.seconds * 1000 - now) / 1000);
        const headers = {
            'ratelimit-limit': String(limit.count), 'ratelimit-remaining': String(Math.max(0, limit.count - this.#window.count)), 'ratelimit-reset': String(reset),
        };
        if (this.#window.count <= limit.count) return headers;
        const refused = this.#service.refusal(429, 'rate limited');
        refused.headers = { ...headers, 'Retry-After': String(reset) };
        throw refused;
    }
}

/** The service as the door mounts it. `world.chains`: rows of world.mjs with `pools`, those that the sandbox has started. */
export function startAggregator(service, world) {
    const unknown = service.lies.filter((name) => !(name in ALL_LIES));
    if (unknown.length > 0) throw new Error(`${service.key} knows no lies ${unknown}`);
    const desk = new Desk(service, world);
    const rows = routesOf(service.routes);
    return {
        faults: [...OWN_FAULTS, ...service.lies, ...Object.keys(service.ownLies ?? {}), ...(service.faults ?? [])],
        audit: { transactions: () => desk.handed },
        async answer(call) {
            try {
                const headers = desk.admit();
                const { handler, call: named } = found(rows, call, service);
                const answer = await handler(desk, named);
                return { ...answer, headers: { ...answer.headers, ...headers } };
            } catch (error) {
                if (error instanceof Refusal) return error.answer;
                throw error;
            }
        },
    };
}

function found(rows, call, service) {
    try {
        return routed(rows, call);
    } catch {
        throw service.refusal(404, 'not found');
    }
}

/** The JSON of a request's body, or undefined. */
export function bodyOf({ body }) {
    try {
        return JSON.parse(body);
    } catch {
        return undefined;
    }
}
