// The main job, as an agent goes through it: register, wallet, funds, quotes, executions, following the swaps to their
// ends, webhooks. The agent does what agents do: it asks again when it gets no answer. Afterwards the books are audited.

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { Wallet } from 'ethers';
import { granted, show, until } from '../api/lib.mjs';
import { hashes } from '../jobs/lib.mjs';
import { PatientAgent } from './agent.mjs';
import { booksOf } from './books.mjs';
import { borrowAs, supplyFor } from './lender.mjs';
import { sqlAgain } from './programs.mjs';

export const CHAIN = 'base';
export const PLAIN = [['ETH', 'DAI', '0.1'], ['DAI', 'ETH', '50']];

const PURSE = { [CHAIN]: { ETH: '10', DAI: '5000' } };
const AFAR = { ethereum: { ETH: '10', USDC: '1000' }, base: { ETH: '10', USDC: '1000' } };
const by = (provider, from_chain, to_chain) => ({ from_chain, to_chain, providers: [provider] });

// ---- what other lives trade, and what they have at first ----

/** Of one that several aggregators serve, a second if the first one does not. */
const OF_SEVERAL = { chain: CHAIN, providers: ['kyberswap', 'velora', 'openocean'] };
export const AGGREGATED = { trades: PLAIN.map((trade) => [...trade, OF_SEVERAL]) };
export const AGGREGATING = { trades: Array(3).fill(AGGREGATED.trades).flat() };

/** The aggregator is to hand over what fails in its block. */
export const REVERTED = { trades: [['DAI', 'ETH', '50', { chain: CHAIN, providers: ['kyberswap'] }]] };

/** Trades, and withdrawals of what they leave. */
export const WITHDRAWING = { withdrawals: [['DAI', '20'], ['ETH', '0.05']] };

/**
 * What is done at Aave, one after the other on a chain: borrowing and taking out wait until all before them has ended, the others
 * never do. `lent` is there beforehand, on behalf of the wallet, and so is the debt.
 */
export const LENDING = {
    trades: [],
    loans: [
        ['ethereum', 'withdraw', { asset: 'WETH', amount: '0.5' }], [CHAIN, 'borrow', { asset: 'DAI', amount: '100' }],
        [CHAIN, 'supply', { asset: 'ETH', amount: '0.25' }], [CHAIN, 'repay', { asset: 'DAI', amount: '50' }],
        [CHAIN, 'collateral', { market: 'aave-v3:8453:WETH', enabled: true }],
    ],
    lent: { ethereum: '5', [CHAIN]: '5' },
    purse: { [CHAIN]: { ETH: '10', DAI: '5000', WETH: '1' }, ethereum: { ETH: '10', WETH: '1' } },
};

/** By each carrier. */
export const BRIDGED = {
    trades: [
        ['USDC', 'USDC', '50', by('lifi', 'ethereum', 'base')], ['ETH', 'ETH', '0.1', by('relay', 'base', 'ethereum')],
        ['USDC', 'USDC', '50', by('across', 'base', 'ethereum')],
    ],
    purse: AFAR,
};

export const ON_SOLANA = {
    trades: [['SOL', 'USDC', '0.1', { chain: 'solana' }], ['USDC', 'SOL', '15', { chain: 'solana' }]],
    purse: { solana: { SOL: '10', USDC: '1000' } },
};

/** Each way by each carrier, to Solana and back too. */
export const BRIDGING = {
    trades: [
        ...BRIDGED.trades, ['USDC', 'USDC', '50', by('lifi', 'base', 'ethereum')], ['USDC', 'USDC', '50', by('relay', 'ethereum', 'base')],
        ['USDC', 'USDC', '50', by('lifi', 'ethereum', 'solana')], ['ETH', 'SOL', '0.1', by('relay', 'base', 'solana')],
        ['SOL', 'ETH', '1', by('relay', 'solana', 'base')],
    ],
    purse: { ...AFAR, ...ON_SOLANA.purse },
};

const QUOTED_AT_ONCE = 3;
const DEBT = '200';
// Kinds of transactions that spend what is sold, and the failure after which it is there again.
const SPENDS = ['swap', 'bridge_in'];
const PAID_BACK = 'BRIDGE_REFUNDED';
const TX_KINDS = { 1: 'approval', 2: 'swap', 3: 'cancel' };
const isFinal = ({ status }) => /^(completed|failed)$/.test(status);

const NOTHING = {
    accepted: 0, completed: 0, failed: 0, transactions: 0, duplicates: 0, lost: 0, due: 0, delivered: 0,
};

/** Adds up what audits have counted. */
export function sum(audits) {
    const total = { ...NOTHING, wrong: [] };
    for (const each of audits) {
        for (const name of Object.keys(NOTHING)) total[name] += each[name];
        total.wrong.push(...each.wrong);
    }
    return total;
}

export class Life extends PatientAgent {
    /**
     * Trades as [from, to, amount, where], withdrawals as [symbol, amount], loans as [chain, what, fields]; `purse` has by chain and
     * symbol what the wallet gets at first, `lent` by chain how many coins are supplied for it then.
     */
    constructor({
        trades = PLAIN, withdrawals = [], loans = [], lent = {}, purse = PURSE, fresh = false,
    } = {}) {
        super();
        this.trades = trades;
        this.fresh = fresh; // whether a lost answer is asked for again with a fresh quote
        this.purse = purse;
        this.chains = Object.keys(purse);
        this.addresses = new Map(); // by chain
        this.withdrawals = withdrawals;
        this.accepted = [];
        this.withdrawn = new Set(); // of these
        this.loans = loans;
        this.lent = lent;
        this.operated = new Map(); // by the operation's number: [chain, what] of operations at lenders
        this.foreign = []; // transactions that are sent from the wallet from outside
    }

    // ---------------------------------------------------------------- what the agent does

    async prepare() {
        await this.register();
        for (const chain of this.chains) this.addresses.set(chain, await this.#walletFor(booksOf(chain).wallet));
        for (const [chain, symbol, amount] of this.#endowment()) await booksOf(chain).give(chain, this.addresses.get(chain), symbol, amount);
        for (const [chain, coins] of Object.entries(this.lent)) await this.#lend(chain, coins);
        if (this.trades.length <= QUOTED_AT_ONCE) this.quotes = await Promise.all(this.trades.map((trade, i) => this.#quote(trade, i)));
    }

    /** Where it withdraws to, added while there has never been a wallet. */
    async beforeWallet() {
        if (this.withdrawals.length === 0) return;
        const address = Wallet.createRandom().address;
        this.cold = granted(await this.ask('POST', '/withdrawal-addresses', { address }, 'cold'), 201).withdrawal_address;
    }

    async #walletFor({ chain_type: type }) {
        if (type === undefined) return this.address;
        return granted(await this.ask('POST', '/wallets', { chain_type: type }, type), 201).wallet.address;
    }

    /** [chain, symbol, amount] of all that the purse had. */
    #endowment() {
        return this.chains.flatMap((chain) => Object.entries(this.purse[chain]).map(([symbol, amount]) => [chain, symbol, amount]));
    }

    async #quote([from_token, to_token, amount, where = { chain: CHAIN, providers: ['uniswap'] }], i) {
        const json = { from_token, to_token, amount, ...where };
        return granted(await this.ask('POST', '/quote', json, i % 2 === 0 ? undefined : `quote-${Math.random()}`)).quote_id;
    }

    /** Every second one with an Idempotency-Key. What is refused is quoted anew. */
    async #trade(trade, i) {
        if (this.fresh) return this.#tradeAfresh(trade, i);
        let quote = await this.quotes?.[i] ?? await this.#quote(trade, i);
        for (;;) {
            const answer = await this.ask('POST', '/swap/execute', { quote_id: quote }, i % 2 === 0 ? undefined : quote);
            const { swap_id: id } = answer.body;
            if (id !== undefined) return this.accepted.push(id);
            assert.ok(answer.status === 400, show(answer));
            await pause(200);
            quote = await this.#quote(trade, i);
        }
    }

    /** One key for all tries, of which each has a quote of its own: the one before is over by then. */
    async #tradeAfresh(trade, i) {
        for (let tries = 0; ; tries++) {
            const quote = await this.#quote(trade, i);
            const answer = await this.askOnce('POST', '/swap/execute', { quote_id: quote }, `trade-${i}`);
            if (answer?.body?.swap_id !== undefined) return this.accepted.push(answer.body.swap_id);
            assert.ok(answer === null || [400, 409].includes(answer.status), answer && show(answer));
            assert.ok(tries < 20, 'no answer came');
            await sqlAgain('UPDATE quotes SET expires_at = UTC_TIMESTAMP(3) WHERE consumed_at IS NULL');
        }
    }

    /** What is refused, since the wallet has not got it yet, is asked for anew. */
    async #withdraw([token, amount], i) {
        const json = { token, amount, chain: CHAIN, address_id: this.cold.id };
        for (;;) {
            const answer = await this.ask('POST', '/wallets/withdraw', json, `withdraw-${i}`);
            if (answer.status === 200) {
                this.withdrawn.add(answer.body.withdrawal.id);
                return this.accepted.push(answer.body.withdrawal.id);
            }
            assert.ok(answer.status === 400, show(answer));
            await pause(200);
        }
    }

    /** Another account supplies coins for the wallet, which then gets a debt where it is to repay. */
    async #lend(chain, coins) {
        const address = this.addresses.get(chain);
        await supplyFor(chain, address, coins);
        if (chain === CHAIN) this.foreign.push(await borrowAs(chain, address, 'DAI', DEBT));
    }

    /** In their order: each may need what the one before it does. What is refused is asked for anew. */
    async #operate() {
        for (const [i, [chain, what, fields]] of this.loans.entries()) {
            const json = fields.market === undefined ? { chain, ...fields } : fields;
            for (;;) {
                const answer = await this.ask('POST', `/lend/${what}`, json, `lend-${i}`);
                const id = answer.body.operation?.id;
                if (answer.status === 200) {
                    this.operated.set(id, [chain, what]);
                    this.accepted.push(id);
                    break;
                }
                assert.ok([400, 409].includes(answer.status), show(answer));
                await pause(200);
            }
        }
    }

    /** All trades and withdrawals, so many at a time, with a rest after each. */
    async execute(atOnce = this.trades.length + this.withdrawals.length + 1, restMs = 0) {
        const rest = [
            () => this.#operate(),
            ...this.trades.map((trade, i) => () => this.#trade(trade, i)), ...this.withdrawals.map((each, i) => () => this.#withdraw(each, i)),
        ];
        await Promise.all(Array.from({ length: atOnce }, async () => {
            while (rest.length > 0) {
                await rest.shift()();
                await pause(restMs);
            }
        }));
    }

    async ended() {
        for (const id of this.accepted) await until(`swap ${id} to end`, async () => isFinal(await this.#status(id)));
    }

    /** Until each swap is final and each event delivered. */
    async follow() {
        await this.ended();
        await until('all events to be delivered', () => this.#allHeard());
    }

    /** Until the chains are so far that nothing of it can change any more. */
    async settle() {
        for (const chain of this.chains) await booksOf(chain).settle(chain);
        const open = `in_flight IN (1, 3) AND id IN (${this.#ids()})`;
        await sqlAgain(`UPDATE bridges SET next_poll_at = UTC_TIMESTAMP(3) WHERE execution_id IN (${this.#ids()});`
            + ` UPDATE executions SET due_at = UTC_TIMESTAMP(3) WHERE ${open}`);
        await until('the chains to be deep enough', async () => await sqlAgain(`SELECT COUNT(*) FROM executions WHERE ${open}`) === '0');
        // Nothing of the wallet's stays reserved.
        assert.equal(await sqlAgain(`SELECT COUNT(*) FROM transactions WHERE state IN (1, 2) AND execution_id IN (${this.#ids()})`), '0');
    }

    async #status(id) {
        if (this.operated.has(id)) return this.#operation(id);
        return this.withdrawn.has(id) ? this.#withdrawal(id) : granted(await this.ask('GET', `/swap/status/${id}`));
    }

    /** As a swap is shown. */
    async #withdrawal(id) {
        const { withdrawal: w } = granted(await this.ask('GET', `/withdrawals/${id}`));
        const sent = (await sqlAgain(`SELECT kind, LOWER(HEX(hash)) FROM transactions WHERE execution_id = ${id}`)).split('\n').filter(Boolean)
            .map((line) => line.split('\t')).map(([kind, hash]) => ({ chain: w.chain, kind: TX_KINDS[kind], tx_hash: `0x${hash}` }));
        return {
            swap_id: id, status: w.status, tx_hash: w.tx_hash, from_chain: w.chain, from_token: w.token, from_amount: w.amount, transactions: sent,
        };
    }

    /** An operation, as a swap is shown. */
    async #operation(id) {
        const { operation: o } = granted(await this.ask('GET', `/lend/operation/${id}`));
        const sent = o.transactions.map(({ kind, tx_hash }) => ({ chain: o.chain, kind: kind === o.type ? 'swap' : kind, tx_hash }));
        return {
            swap_id: id, status: o.status, tx_hash: o.tx_hash, from_chain: o.chain, from_token: o.asset, from_amount: o.amount, transactions: sent, type: o.type,
        };
    }

    #isSwap(id) {
        return !this.withdrawn.has(id) && !this.operated.has(id);
    }

    async statuses() {
        return Promise.all(this.accepted.map(async (id) => (await this.#status(id)).status));
    }

    /** Where each one that failed did so, and why. */
    async failures() {
        const swaps = await Promise.all(this.accepted.map((id) => this.#status(id)));
        return swaps.filter(({ status }) => status === 'failed').map(({ from_chain: chain, error_code: code }) => `${chain} ${code}`);
    }

    /** Until each transaction that is known is in a block. */
    landed() {
        return until('all to be in blocks', async () => {
            const swaps = await Promise.all(this.accepted.map((id) => this.#status(id)));
            const found = await Promise.all(swaps.flatMap(({ transactions }) => transactions).map(({ chain, tx_hash: hash }) => booksOf(chain).carriedOut(chain, hash)));
            return found.length > 0 && found.every(Boolean);
        });
    }

    /** Of how many failures the agent heard that they are none. */
    corrections() {
        return [...this.heard.values()].filter(({ type, data }) => type === 'swap.completed' && data.corrected === true).length;
    }

    #ids() {
        return [0, ...this.accepted].join();
    }

    /** What was promised: an event for each move into a final status. */
    async #due() {
        return Number(await sqlAgain(`SELECT COUNT(*) FROM execution_history WHERE to_status IN (4, 5) AND execution_id IN (${this.#ids()})`));
    }

    async #allHeard() {
        return await this.total('/webhooks?limit=1&status=delivered') === await this.#due() + this.#added();
    }

    // ---------------------------------------------------------------- the books

    /** What became of it all. `wrong` says where answers, records, events and the chain disagree. */
    async audit() {
        const swaps = await Promise.all(this.accepted.map((id) => this.#status(id)));
        const count = (fits) => swaps.filter(fits).length;
        const chain = await this.#onChain(swaps);
        const events = await this.#eventsHeard(swaps);
        const extra = await this.total('/swaps?limit=1') + await this.total('/withdrawals?limit=1') + await this.total('/lend/operations?limit=1') - new Set(this.accepted).size;
        return {
            accepted: this.accepted.length,
            completed: count(({ status }) => status === 'completed'),
            failed: count(({ status }) => status === 'failed'),
            transactions: chain.mined.length,
            duplicates: extra + chain.duplicates,
            lost: count((swap) => !isFinal(swap)) + this.accepted.length - new Set(this.accepted).size,
            due: events.due,
            delivered: events.delivered,
            wrong: [...chain.wrong, ...events.wrong, ...await this.#money(swaps, chain.mined)],
        };
    }

    /** What each wallet sent is ours, once each, and of each completed swap one transaction succeeded. */
    async #onChain(swaps) {
        const ours = swaps.flatMap((swap) => swap.transactions.filter(({ kind }) => kind !== 'bridge_out').map((each) => ({ swap, ...each })));
        const found = await Promise.all(ours.map(async ({ swap, chain, kind, tx_hash: hash }) => ({
            swap, chain, kind, hash, ...await booksOf(chain).carriedOut(chain, hash),
        })));
        const mined = found.filter(({ cost }) => cost !== undefined);
        const succeeded = (swap) => mined.filter((each) => each.swap === swap && SPENDS.includes(each.kind) && each.succeeded);
        const wrong = [];
        for (const chain of this.chains) {
            const sent = mined.filter((each) => each.chain === chain).map(({ hash }) => hash);
            wrong.push(...await booksOf(chain).sent(chain, this.addresses.get(chain), [...sent, ...(chain === CHAIN ? this.foreign : [])]));
        }
        for (const swap of swaps) {
            const [one] = succeeded(swap);
            const spent = swap.status === 'completed' || swap.error_code === PAID_BACK;
            if (spent !== (one !== undefined)) wrong.push(`swap ${swap.swap_id} is ${swap.status}`);
            if (one !== undefined && swap.tx_hash !== one.hash) wrong.push(`swap ${swap.swap_id} shows another transaction`);
        }
        const duplicates = swaps.reduce((n, swap) => n + Math.max(0, succeeded(swap).length - 1), 0);
        return { mined, duplicates, wrong };
    }

    async #eventsHeard(swaps) {
        const events = [...this.heard.values()];
        const due = await this.#due();
        const tells = (type, id) => (this.#isSwap(id)
            ? (event) => event.type === `swap.${type}` && event.data.swap_id === id
            : (event) => event.type === `${this.withdrawn.has(id) ? 'withdrawal' : 'lend'}.${type}` && event.data.id === id);
        const wrong = swaps.filter(({ swap_id: id, status }) => (
            !events.some((event) => tells(status, id)(event) && event.data.status === status)))
            .map(({ swap_id: id, status }) => `no event says that swap ${id} is ${status}`);
        wrong.push(...this.unheard);
        const recorded = await this.total('/webhooks?limit=1') - this.#added();
        if (recorded !== due) wrong.push(`${recorded} events for ${due} moves`);
        return { due, delivered: events.length - this.#added(), wrong };
    }

    /** Events that tell of the address. */
    #added() {
        return this.cold === undefined ? 0 : 1;
    }

    /** Every unit is accounted for, and no contract has an allowance. */
    async #money(swaps, mined) {
        const wrong = [];
        const due = new Map();
        const move = (chain, symbol, amount) => due.set(`${chain} ${symbol}`, (due.get(`${chain} ${symbol}`) ?? 0n) + amount);
        const units = (chain, symbol, amount) => booksOf(chain).units(chain, symbol, amount);
        for (const [chain, symbol, amount] of this.#endowment()) move(chain, symbol, units(chain, symbol, amount));
        if (this.lent[CHAIN] !== undefined) move(CHAIN, 'DAI', units(CHAIN, 'DAI', DEBT));
        for (const { chain, cost } of mined) move(chain, booksOf(chain).coin, -cost);
        for (const hash of this.foreign) move(CHAIN, booksOf(CHAIN).coin, -(await booksOf(CHAIN).carriedOut(CHAIN, hash)).cost);
        for (const { chain, swap } of mined.filter(({ kind, succeeded }) => kind === 'wrap' && succeeded)) {
            const amount = units(chain, 'WETH', swap.from_amount);
            move(chain, 'ETH', -amount);
            move(chain, 'WETH', amount);
        }
        for (const swap of swaps.filter(({ status, type }) => status === 'completed' && type !== undefined && type !== 'collateral')) {
            const amount = units(swap.from_chain, swap.from_token, swap.from_amount);
            move(swap.from_chain, swap.from_token, ['withdraw', 'borrow'].includes(swap.type) ? amount : -amount);
        }
        for (const swap of swaps.filter(({ status, type }) => status === 'completed' && type === undefined)) {
            move(swap.from_chain, swap.from_token, -units(swap.from_chain, swap.from_token, swap.from_amount));
            if (!this.withdrawn.has(swap.swap_id)) move(swap.to_chain, swap.to_token, units(swap.to_chain, swap.to_token, swap.to_amount));
        }
        wrong.push(...await this.#arrived(swaps));
        for (const [chain, symbol] of this.#endowment()) {
            const [books, address] = [booksOf(chain), this.addresses.get(chain)];
            const [has, wanted] = [await books.balance(chain, address, symbol), due.get(`${chain} ${symbol}`)];
            if (has !== wanted) wrong.push(`${has} units of ${symbol} on ${chain} instead of ${wanted}`);
            if (symbol !== books.coin) wrong.push(...await books.allowed(chain, address, symbol));
        }
        const { agent } = granted(await this.ask('GET', '/me'));
        const completed = swaps.filter(({ status, swap_id: id }) => status === 'completed' && this.#isSwap(id)).length;
        if (agent.stats.total_swaps !== completed) wrong.push(`${agent.stats.total_swaps} swaps counted, ${completed} completed`);
        return wrong;
    }

    /** What was withdrawn is there, once, and nothing else. */
    async #arrived(swaps) {
        const done = swaps.filter(({ status, swap_id: id }) => status === 'completed' && this.withdrawn.has(id));
        const found = await Promise.all([...new Set(this.withdrawals.map(([symbol]) => symbol))].map(async (symbol) => {
            const [has, wanted] = [
                await booksOf(CHAIN).balance(CHAIN, this.cold.address, symbol),
                done.filter(({ from_token: token }) => token === symbol).reduce((n, { from_amount: amount }) => n + booksOf(CHAIN).units(CHAIN, symbol, amount), 0n),
            ];
            return has === wanted ? undefined : `${has} units of ${symbol} at the address instead of ${wanted}`;
        }));
        return found.filter(Boolean);
    }

    // ---------------------------------------------------------------- what troubles ask for

    /** Those of what was accepted that are carried out on the chain that suffers. */
    async here() {
        return (await Promise.all(this.accepted.map((id) => this.#status(id)))).filter(({ from_chain: chain }) => chain === CHAIN);
    }

    /** Hashes of their transactions, of some kinds where they are given. */
    async transactions(...kinds) {
        return (await this.here()).flatMap((swap) => (kinds.length === 0 ? hashes(swap) : kinds.flatMap((kind) => hashes(swap, kind))));
    }

    /** Waits until a node has taken all swaps. */
    taken() {
        return until('the node to take all swaps', async () => (
            await sqlAgain(`SELECT COUNT(*) FROM executions WHERE tx_hash IS NULL AND id IN (${this.#ids()})`) === '0'));
    }
}
