// Jupiter on the sandbox's Solana: orders and their execution, quotes and their transactions, tokens and prices
// (api.jup.ag, Swap V2, Tokens V2, Price V3). What it sells comes out of the pools, by the program in Jupiter's place.
//
// True to dev.jup.ag and to an order of 2026-09-23; /swap/v2/quote and /swap/v2/swap, which no document has, to answers of 2026-07-25.
//
// Set by a test, in addition to what every service has and the lies about transactions below:
//
//   no_route     knows of no way between any tokens
//   inflated     { value: bps }: says so much more than the transaction brings
//   rfq          an order of its market maker, who pays for the transaction and signs it last
//   rate         { value: { count, seconds } }: refuses what comes beyond
//   empty        an order without a transaction: { value: { code, message } }, or { value: null } without a reason
//   legacy       a transaction in the older form, without a version
//   table        { value: address }: what belongs to the pool is looked up in that table
//   blockhash    { value }: a transaction that bears that one
//   co_signer    { value: address }: a transaction that this one has to sign, too
//   length       { value }: a transaction of so many bytes
//   lost         carries an order out, and never answers
//   pretends     says that it has carried an order out, and does nothing

import { createHash, randomUUID } from 'node:crypto';
import { COIN, LISTED, MINTS, SOLVER, programOf } from '../solana/world.mjs';
import {
    COMPUTE_BUDGET, JUPITER, TOKEN, WRAPPED, account, base58, closeWrapped, computeLimit, computePrice, keyOf, keyPair, memo, openAccount,
    payCoin, readTransaction, routeV2, signTransaction, syncNative, tokenAccountOf, transferToken, writeTransaction,
} from '../solana/transaction.mjs';
import { Refusal } from './refusal.mjs';
import { routed, routesOf } from './routes.mjs';
import { SolanaPools, solanaRpc } from './solana-pools.mjs';

const BPS = 10_000n;
const NOTE = 200; // bytes: its length takes two itself, as does that of a longer one
const SLIPPAGE = 50, UNITS = 400_000, PRICE = 1000;
const ORDER_MS = 120_000, EXECUTE_MS = 20_000, STEP_MS = 50;
const STRANGER = keyPair(createHash('sha256').update('a stranger').digest());

const ROUTERS = ['metis', 'jupiterz', 'dflow', 'okx'];
const asListed = ({ mint, symbol, name = symbol, decimals, price, program = TOKEN, isVerified = true }) => ({
    id: mint, name, symbol, decimals, tokenProgram: program, isVerified, tags: isVerified ? ['verified'] : [], organicScore: 99.5, organicScoreLabel: 'high',
    usdPrice: price, updatedAt: '2026-01-01T00:00:00Z',
});
const TOKENS = Object.entries({ SOL: COIN, ...MINTS }).map(([symbol, token]) => asListed({ symbol, ...token }));
const ALL = [...TOKENS, ...LISTED.map(asListed)];

class Refused extends Refusal {
    constructor(status, json, { headers, why = JSON.stringify(json) } = {}) {
        super(status, why);
        Object.assign(this, { json, headers });
    }

    get answer() {
        return { status: this.status, json: this.json, headers: this.headers, refused: this.why };
    }
}
const refused = (error, more = {}) => new Refused(400, { error, ...more });
const dollarsOf = (mint, amount) => {
    const { decimals, usdPrice } = ALL.find(({ id }) => id === mint);
    return Number(amount) / 10 ** decimals * usdPrice;
};
const unbuilt = ({ code = 1, message = 'Insufficient funds' } = {}) => ({ errorCode: code, errorMessage: message, error: message });
/** With a note that is as long as it takes. */
function filled(write, length) {
    const note = (n) => [memo('.'.repeat(n))];
    return write(note(NOTE + length - write(note(NOTE)).length));
}
/** What the table of a pool has, in this order. */
export const tabled = ({ authority, vaults }, sell, buy) => [vaults[sell], vaults[buy], authority];
const less = (amount, bps) => amount * (BPS - BigInt(bps)) / BPS;
const u64 = (text) => (/^\d{1,20}$/.test(text ?? '') && BigInt(text) > 0n && BigInt(text) < 1n << 64n ? BigInt(text) : undefined);

// ---------------------------------------------------------------- lies

const approve = (wallet, mint, amount) => {
    const data = Buffer.alloc(9);
    data[0] = 4;
    data.writeBigUInt64LE(amount, 1);
    return { program: TOKEN, accounts: [account(tokenAccountOf(wallet, mint), { writes: true }), account(STRANGER.address), account(wallet, { signs: true })], data };
};
const withRoute = (change) => (list, trade) => list.map((each) => (each.program === trade.route.program ? change(each, trade) : each));
const withData = (change) => withRoute((route, trade) => {
    const data = Buffer.from(route.data);
    change(data, trade);
    return { ...route, data };
});
const withAccount = (place, key) => withRoute((route, trade) => ({ ...route, accounts: route.accounts.map((each, i) => (i === place ? { ...each, key: key(trade) } : each)) }));

/** What a transaction does otherwise than it says; of instructions and the trade { wallet, sell, buy, amount, route }. */
const LIES = {
    recipient: withAccount(2, ({ buy, buyProgram }) => tokenAccountOf(STRANGER.address, buy, buyProgram)),
    other_destination: withAccount(7, ({ buy, buyProgram }) => tokenAccountOf(STRANGER.address, buy, buyProgram)),
    source: withAccount(1, ({ sell, sellProgram }) => tokenAccountOf(STRANGER.address, sell, sellProgram)),
    buy: withAccount(4, () => MINTS.WIF.mint),
    minimum_zero: withData((data) => data.writeUInt16LE(10_000, 24)),
    minimum: withData((data) => data.writeBigUInt64LE(data.readBigUInt64LE(16) * 9n / 10n, 16)),
    fee: withData((data) => data.writeUInt16LE(500, 26)),
    amount: withData((data) => data.writeBigUInt64LE(data.readBigUInt64LE(8) + 1n, 8)),
    exact_out: withData((data) => Buffer.from('9d8ab85215f4f324', 'hex').copy(data)),
    ledger_form: withData((data) => Buffer.from('96564774a75d0e68', 'hex').copy(data)),
    extra_transfer: (list, { wallet }) => [...list, payCoin(wallet, STRANGER.address, 1n)],
    approve: (list, { wallet, sell, amount }) => [...list.slice(0, 3), approve(wallet, sell, amount), ...list.slice(3)],
    close_to_stranger: (list, { wallet }) => [...list, { ...closeWrapped(wallet), accounts: closeWrapped(wallet).accounts.map((each, i) => (i === 1 ? account(STRANGER.address, { writes: true }) : each)) }],
    unknown_program: (list, { wallet }) => [...list, { program: STRANGER.address, accounts: [account(wallet, { signs: true })], data: Buffer.alloc(1) }],
    priority_fee: (list) => list.map((each) => (each.program === COMPUTE_BUDGET && each.data[0] === 3 ? computePrice(10n ** 12n) : each)),
    second_swap: (list, { route }) => [...list, route],
};

// ---------------------------------------------------------------- the service

export class Jupiter {
    #url;
    #pools;
    #wrong;
    #orders = new Map();
    #window = { since: 0, count: 0 };
    #routes;
    faults = ['no_route', 'inflated', 'rfq', 'rate', 'empty', 'legacy', 'table', 'blockhash', 'co_signer', 'length', 'lost', 'pretends', ...Object.keys(LIES)];

    /** `url` of the chain's node. */
    constructor({ url, wrong }) {
        this.#url = url;
        this.#pools = new SolanaPools(url);
        this.#wrong = wrong;
        this.#routes = routesOf([
            ['GET', '/swap/v2/order', (call) => this.#order(call)],
            ['POST', '/swap/v2/execute', (call) => this.#execute(call)],
            ['GET', '/swap/v2/quote', (call) => this.#quote(call)],
            ['POST', '/swap/v2/swap', (call) => this.#swap(call)],
            ['GET', '/tokens/v2/search', ({ query }) => ({ json: search(query.get('query') ?? '') })],
            ['GET', '/tokens/v2/tag', ({ query }) => ({ json: query.get('query') === 'verified' ? ALL : [] })],
            ['GET', '/price/v3', ({ query }) => ({ json: prices(query.get('ids') ?? '') })],
        ]);
    }

    async answer(call) {
        try {
            this.#admit();
            const { handler, call: whole } = routed(this.#routes, call);
            return await handler(whole);
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            return error.answer;
        }
    }

    #admit() {
        const rate = this.#wrong('rate')?.value;
        if (rate === undefined) return;
        const now = Date.now();
        if (now - this.#window.since >= rate.seconds * 1000) this.#window = { since: now, count: 0 };
        this.#window.count += 1;
        if (this.#window.count <= rate.count) return;
        const reset = Math.ceil((this.#window.since + rate.seconds * 1000) / 1000);
        throw new Refused(429, { error: '[API Gateway] Too many requests' }, { headers: { 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': String(reset) } });
    }

    #rpc(method, ...params) {
        return solanaRpc(this.#url, method, ...params);
    }

    // ------------------------------------------------------------ prices

    /** What the pool of a pair gives: { sell, buy, amount, out, pool, … }; throws where there is none. */
    async #priced(query) {
        const [sell, buy] = ['inputMint', 'outputMint'].map((name) => {
            const mint = query.get(name);
            if (keyOf(mint) === undefined) throw refused(`Invalid ${name}`);
            return mint;
        });
        const amount = u64(query.get('amount'));
        const slippage = Number(query.get('slippageBps') ?? SLIPPAGE);
        if (amount === undefined) throw refused('Invalid amount');
        if (sell === buy) throw refused('inputMint cannot be same as outputMint');
        if (!Number.isInteger(slippage) || slippage < 0 || slippage > 10_000) throw refused('Invalid slippageBps');
        const trade = this.#wrong('no_route') ? undefined : await this.#pools.trade(sell, buy, amount);
        if (trade === undefined) throw refused('Failed to get quotes', { errorCode: 'COULD_NOT_FIND_ANY_ROUTE' });
        const { pool, stocks, out } = trade;
        if (out === 0n) throw refused('Failed to get quotes');
        const said = less(out, 0) * (BPS + BigInt(this.#wrong('inflated')?.value ?? 0)) / BPS;
        return { sell, buy, amount, slippage, out, said, pool, sellProgram: programOf(sell), buyProgram: programOf(buy), impact: Number(amount * 1_000_000n / (stocks[0] + amount)) / 10_000 };
    }

    #quoted({ sell, buy, amount, slippage, said, pool, impact }) {
        return {
            inputMint: sell, outputMint: buy, inAmount: String(amount), outAmount: String(said), otherAmountThreshold: String(less(said, slippage)), swapMode: 'ExactIn',
            slippageBps: slippage, priceImpactPct: String(impact / 100),
            routePlan: [{ swapInfo: { ammKey: pool.authority, label: 'Sandbox', inputMint: sell, outputMint: buy, inAmount: String(amount), outAmount: String(said) }, percent: 100, bps: 10_000 }],
        };
    }

    // ------------------------------------------------------------ transactions

    /** The unsigned transaction of a trade, with the lies that are set. */
    async #built(priced, wallet, { payer = wallet, wraps: mayWrap = true } = {}) {
        const { sell, buy, amount, sellProgram, buyProgram, pool } = priced;
        const { value: { blockhash, lastValidBlockHeight } } = await this.#rpc('getLatestBlockhash', { commitment: 'confirmed' });
        const route = routeV2(wallet, { ...priced, quoted: priced.out }, pool);
        const wraps = mayWrap && (sell === WRAPPED || buy === WRAPPED);
        let list = [
            computeLimit(UNITS), computePrice(PRICE),
            ...(wraps && sell === WRAPPED ? [openAccount(wallet, wallet, WRAPPED), payCoin(wallet, tokenAccountOf(wallet, WRAPPED), amount), syncNative(wallet)] : []),
            openAccount(payer, wallet, buy, buyProgram), route, ...(wraps ? [closeWrapped(wallet)] : []),
        ];
        const trade = { wallet, sell, buy, amount, sellProgram, buyProgram, route };
        for (const [name, lie] of Object.entries(LIES)) if (this.#wrong(name)) list = lie(list, trade);
        return { bytes: this.#written(payer, list, blockhash, trade, pool), lastValidBlockHeight };
    }

    /** In the form that is set. */
    #written(payer, list, blockhash, { sell, buy }, pool) {
        const [legacy, table, stray, signer, length] = ['legacy', 'table', 'blockhash', 'co_signer', 'length'].map((name) => this.#wrong(name));
        const tables = table ? [{ key: table.value, addresses: tabled(pool, sell, buy) }] : [];
        const signs = (each) => ({ ...each, accounts: [...each.accounts, account(signer.value, { signs: true })] });
        const all = signer ? list.map((each) => (each.program === JUPITER ? signs(each) : each)) : list;
        const write = (more) => writeTransaction(payer, [...all, ...more], stray?.value ?? blockhash, { tables, legacy: legacy !== undefined });
        return length ? filled(write, length.value) : write([]);
    }

    /** The market maker's form: two transfers, paid by the maker, who signs last. */
    async #rfq({ sell, buy, amount, out }, wallet) {
        const { value: { blockhash, lastValidBlockHeight } } = await this.#rpc('getLatestBlockhash', { commitment: 'confirmed' });
        const leg = (from, mint, to, value) => (mint === WRAPPED ? payCoin(from, to, value) : transferToken(from, mint, TOKENS.find(({ id }) => id === mint).decimals, to, value, programOf(mint)));
        const opens = buy === WRAPPED ? [] : [openAccount(SOLVER.address, wallet, buy, programOf(buy))];
        return { bytes: writeTransaction(SOLVER.address, [computeLimit(UNITS), ...opens, leg(wallet, sell, SOLVER.address, amount), leg(SOLVER.address, buy, wallet, out)], blockhash), lastValidBlockHeight };
    }

    async #order({ query }) {
        const priced = await this.#priced(query);
        const taker = query.get('taker');
        if (taker !== null && keyOf(taker) === undefined) throw refused('Invalid taker');
        const excluded = (query.get('excludeRouters') ?? '').split(',').filter(Boolean);
        if (excluded.some((router) => !ROUTERS.includes(router))) throw refused('Invalid excludeRouters');
        const rfq = !excluded.includes('jupiterz') && this.#wrong('rfq') !== undefined;
        const shape = {
            ...this.#quoted(priced), mode: query.has('slippageBps') || excluded.length > 0 ? 'manual' : 'ultra', inUsdValue: dollarsOf(priced.sell, priced.amount), outUsdValue: dollarsOf(priced.buy, priced.said),
            swapUsdValue: dollarsOf(priced.sell, priced.amount),
            priceImpact: -priced.impact, feeMint: priced.buy, feeBps: 0, platformFee: { amount: '0', feeBps: 0, feeMint: priced.buy }, router: rfq ? 'jupiterz' : 'metis',
            swapType: rfq ? 'rfq' : 'aggregator', gasless: rfq, taker, requestId: randomUUID(), totalTime: 1,
        };
        const empty = this.#wrong('empty');
        if (taker === null) return { json: { ...shape, transaction: null, lastValidBlockHeight: null } };
        if (empty?.value === null) return { json: { ...shape, transaction: null } };
        if (empty !== undefined) return { json: { ...shape, transaction: '', ...unbuilt(empty.value) } };
        const { bytes, lastValidBlockHeight } = await (rfq ? this.#rfq(priced, taker) : this.#built(priced, taker));
        const payer = rfq ? SOLVER.address : taker;
        this.#orders.set(shape.requestId, { bytes, rfq, until: Date.now() + ORDER_MS });
        return {
            json: {
                ...shape, transaction: bytes.toString('base64'), lastValidBlockHeight: String(lastValidBlockHeight), signatureFeeLamports: 5000, signatureFeePayer: payer,
                prioritizationFeeLamports: 400, prioritizationFeePayer: payer, rentFeeLamports: 0, rentFeePayer: null,
                ...(rfq ? { maker: SOLVER.address, quoteId: randomUUID(), expireAt: String(Math.floor(Date.now() / 1000) + 60) } : {}),
            },
        };
    }

    /** Sends an order of ours, and waits until it has landed. */
    async #execute({ body }) {
        const { signedTransaction, requestId } = parsed(body);
        const order = this.#orders.get(requestId);
        if (order === undefined || order.until < Date.now()) return { json: { status: 'Failed', code: -1, error: 'Order not found' } };
        const signed = Buffer.from(String(signedTransaction), 'base64');
        if (!sameMessage(signed, order.bytes)) return { status: 400, json: { error: 'Invalid signed transaction', code: -3 } };
        const bytes = order.rfq ? signTransaction(signed, SOLVER) : signed;
        const signature = base58(readTransaction(bytes).signatures[0]);
        if (this.#wrong('pretends')) return { json: { status: 'Success', code: 0, signature, slot: '1' } };
        try {
            await this.#rpc('sendTransaction', bytes.toString('base64'), { encoding: 'base64', skipPreflight: true });
        } catch (error) {
            return { json: { status: 'Failed', code: -1002, error: error.message, signature } };
        }
        const landed = await this.#landed(signature);
        if (this.#wrong('lost')) return new Promise(() => {});
        if (landed === undefined) return { json: { status: 'Failed', code: -1000, error: 'Failed to land', signature } };
        if (landed.err !== null) return { json: { status: 'Failed', code: landed.err.InstructionError?.[1]?.Custom ?? -1001, error: JSON.stringify(landed.err), signature, slot: String(landed.slot) } };
        return { json: { status: 'Success', code: 0, signature, slot: String(landed.slot) } };
    }

    async #landed(signature) {
        for (const until = Date.now() + EXECUTE_MS; Date.now() < until;) {
            const [found] = (await this.#rpc('getSignatureStatuses', [signature], { searchTransactionHistory: true })).value;
            if (found !== null && found.confirmationStatus !== 'processed') return found;
            await new Promise((done) => { setTimeout(done, STEP_MS); });
        }
        return undefined;
    }

    // ------------------------------------------------------------ quote and swap apart

    async #quote({ query }) {
        return { json: { ...this.#quoted(await this.#priced(query)), contextSlot: await this.#rpc('getSlot', { commitment: 'processed' }), timeTaken: 0.001 } };
    }

    async #swap({ body }) {
        const { quoteResponse: quote = {}, taker, wrapAndUnwrapSol: wraps = true } = parsed(body);
        if (keyOf(taker) === undefined) throw refused('Invalid taker');
        const query = new URLSearchParams({ inputMint: quote.inputMint, outputMint: quote.outputMint, amount: quote.inAmount, slippageBps: quote.slippageBps });
        const { bytes, lastValidBlockHeight } = await this.#built(await this.#priced(query), taker, { wraps });
        return { json: { swapTransaction: bytes.toString('base64'), lastValidBlockHeight, prioritizationFeeLamports: 400, computeUnitPrice: String(PRICE) } };
    }
}

function parsed(body) {
    try {
        return JSON.parse(body);
    } catch {
        throw refused('Invalid JSON');
    }
}

/** Whether the message is as it was handed out, and its taker has signed. */
function sameMessage(signed, bytes) {
    try {
        return readTransaction(signed).message.equals(readTransaction(bytes).message);
    } catch {
        return false;
    }
}

const search = (text) => {
    const wanted = text.split(',').map((each) => each.trim()).filter(Boolean);
    return TOKENS.filter(({ id, symbol }) => wanted.some((each) => each === id || symbol.toLowerCase().includes(each.toLowerCase()))).slice(0, 20);
};
const prices = (ids) => Object.fromEntries(TOKENS.filter(({ id }) => ids.split(',').includes(id)).map(({ id, usdPrice, decimals }) => [id, { usdPrice, decimals, blockId: 1, priceChange24h: 0 }]));
