// The solver of bridges: sees what is deposited with LI.FI's diamond, Relay's depositories and Across' pools, looks at it as a
// solver would, and pays on the far chain after a while, or back on the same one. It has an account on each chain
// (solver-evm.mjs, solver-solana.mjs) and knows, for the services that tell of it, what became of each deposit. Told by the
// door, for the next deposits:
//
//   delay                 { value: ms } between the deposit and the payment
//   refund                gives the deposit back
//   expires               gives the deposit back, but not before the deadline for its payment
//   never                 keeps it
//   pays_short            { value: bps } less than what was promised
//   pays_other_token      { value: address }, as much of it: for dollars another dollar
//   pays_stranger         another address than the recipient
//   foreign_transaction   { value: hash }: pays nothing and names that transaction
//   goes_back             says that it is in progress once more, after it had said that it is done

import { setTimeout as sleep } from 'node:timers/promises';
import { assetOf, factsOf, lessBps, scaled } from './aggregator/service.mjs';
import { noTransaction, strangerOn } from './families.mjs';
import { SolanaAccount } from './solver-solana.mjs';
import { EvmAccount } from './solver-evm.mjs';

const FAULTS = ['delay', 'refund', 'expires', 'never', 'pays_short', 'pays_other_token', 'pays_stranger', 'foreign_transaction', 'goes_back'];
const DELAY_MS = 1500;
const AGAIN_MS = 3000;
const SHORT_BPS = 500;
const END_STATES = ['done', 'refunded', 'kept'];

const seconds = () => Math.floor(Date.now() / 1000);

/** Whether what is given on one chain is of the asset that is wanted on another, and as much at least: a coin is worth the same on all. */
export function isCovered(near, given, far, wanted) {
    const decimals = [[near, given], [far, wanted]].map(([chain, { token }]) => factsOf(chain, token).decimals);
    return assetOf(near, given.token) === assetOf(far, wanted.token) && wanted.amount <= scaled(given.amount, ...decimals);
}

export class Solver {
    #chains;
    #store;
    #wrong;
    #accounts = {};

    constructor({ chains, store, wrong }) {
        Object.assign(this, { faults: FAULTS });
        this.#chains = chains;
        this.#store = store;
        this.#wrong = wrong;
    }

    /** Goes on where the last process ended, and looks at the chains from then on. */
    start() {
        for (const chain of this.#chains) this.#accounts[chain.name] = new (chain.name === 'solana' ? SolanaAccount : EvmAccount)(chain, this.#store);
        this.#run().catch((error) => console.error(error));
    }

    /** The solver speaks no HTTP of its own. */
    answer() {
        return { status: 404, json: { error: 'not found' } };
    }

    /**
     * An order of Relay's that may be deposited for: { id, depositor, from: { chain, token, amount }, to: { chain, token, amount,
     * recipient }, refundTo, deadline, request }, chains by name, `deadline` in seconds, `request` by which it is asked about.
     */
    expect(order) {
        this.#store.keep({ orders: [order], requests: [{ id: order.request, order: order.id }] });
    }

    /** The order of a request; undefined for none. */
    ordered(request) {
        return this.#store.rows('orders').get(this.#store.rows('requests').get(request)?.order);
    }

    /** What became of a deposit, by the transaction on the source chain or by Relay's id of the order; undefined for none. */
    found({ transaction, order }) {
        const fill = [...this.#store.rows('fills').values()].find((each) => (order === undefined ? each.source === transaction : each.order === order));
        return fill && this.#told(fill);
    }

    /** The last payment on a chain for another deposit than that; an unknown transaction where there is none. */
    foreign({ chain, source }) {
        const other = [...this.#store.rows('fills').values()].findLast((fill) => fill.state === 'done' && fill.to.chain === chain && fill.source !== source);
        return other?.transaction ?? noTransaction({ name: chain });
    }

    /** A fill as the services tell it: `state` is pending, done or refunded; `transaction` what was paid in, on `chain`. */
    #told(fill) {
        const state = ['done', 'refunded'].includes(fill.state) ? fill.state : 'pending';
        const shown = fill.goesBack && fill.shown ? 'pending' : state;
        if (fill.goesBack && state === 'done' && !fill.shown) this.#keep(fill, { shown: true });
        const { from, to, source, payment, order, act, deadline } = fill;
        return { state: shown, from, to, source, order, deadline, chain: act === 'refund' ? from.chain : to.chain, payment, transaction: state === 'pending' ? undefined : fill.transaction };
    }

    // ---------------------------------------------------------------- looking

    async #run() {
        const accounts = Object.values(this.#accounts);
        for (const account of accounts) await account.resume();
        for (const fill of this.#store.rows('fills').values()) if (!END_STATES.includes(fill.state)) this.#serve(fill);
        for (const account of accounts) account.watch((deposit) => this.#take(deposit)).catch((error) => console.error(error));
    }

    /** Decides what is to become of a deposit, once. */
    async #take(deposit) {
        if (this.#store.rows('fills').has(deposit.id)) return;
        const order = deposit.to === undefined ? this.#store.rows('orders').get(deposit.order) : deposit;
        const fill = { ...deposit, to: order?.to, refundTo: order?.refundTo ?? deposit.refundTo, deadline: order?.deadline ?? seconds(), state: 'waiting' };
        const wrong = Object.fromEntries(FAULTS.map((name) => [name, this.#wrong(name, fill.refundTo)]));
        const due = Date.now() + Number(wrong.delay?.value ?? DELAY_MS);
        const serves = fill.to !== undefined && this.#pays(deposit, order);
        Object.assign(fill, { due, act: 'pay', goesBack: wrong.goes_back !== undefined, payment: fill.to && { token: fill.to.token, amount: fill.to.amount, recipient: fill.to.recipient } });
        if (!serves || wrong.expires) Object.assign(fill, { act: 'refund', due: Math.max(due, fill.deadline * 1000) });
        if (wrong.refund) Object.assign(fill, { act: 'refund' });
        if (wrong.never) Object.assign(fill, { act: 'keep' });
        if (wrong.foreign_transaction) Object.assign(fill, { act: 'name', transaction: wrong.foreign_transaction.value ?? noTransaction({ name: fill.to.chain }) });
        if (wrong.pays_other_token) Object.assign(fill.payment, this.#inOtherToken(fill.to, wrong.pays_other_token.value));
        if (wrong.pays_short) fill.payment.amount = lessBps(fill.payment.amount, wrong.pays_short.value ?? SHORT_BPS);
        if (wrong.pays_stranger) fill.payment.recipient = strangerOn({ name: fill.to.chain });
        if (fill.act === 'refund') fill.payment = { token: fill.from.token, amount: fill.from.amount };
        this.#keep(fill, {});
        this.#serve(fill);
    }

    /** Whether a deposit is what was ordered. What Relay has quoted is paid; else no more of an asset than is given. */
    #pays({ from, to, message = '0x' }, order) {
        const far = this.#chain(order.to.chain);
        if (far === undefined || message !== '0x' || order.deadline < seconds()) return false;
        if (from.token !== order.from.token || from.chain !== order.from.chain || from.amount < order.from.amount) return false;
        return to === undefined || isCovered(this.#chain(from.chain), from, far, to);
    }

    #inOtherToken({ chain, token, amount }, address = this.#otherDollar(chain, token)) {
        const coin = chain === 'solana' ? 9 : 18;
        const decimals = (wanted) => Object.values(this.#chain(chain).tokens).find((each) => each.address === wanted)?.decimals ?? coin;
        return { token: address, amount: scaled(amount, decimals(token), decimals(address)) };
    }

    #otherDollar(chain, token) {
        const { tokens, dollars } = this.#chain(chain);
        return tokens[dollars.find((symbol) => tokens[symbol].address !== token)].address;
    }

    #chain(wanted) {
        return this.#chains.find(({ name }) => name === wanted);
    }

    // ---------------------------------------------------------------- paying

    async #serve(fill) {
        await sleep(Math.max(0, fill.due - Date.now()));
        if (fill.act === 'keep') return this.#keep(fill, { state: 'kept' });
        if (fill.act === 'name') return this.#keep(fill, { state: 'done' });
        for (;;) {
            try {
                return await this.#pay(fill);
            } catch (error) {
                console.error(`a bridge's payment: ${error.shortMessage ?? error.message}`);
                await sleep(AGAIN_MS);
            }
        }
    }

    async #pay(fill) {
        const back = fill.act === 'refund';
        const account = this.#accounts[back ? fill.from.chain : fill.to.chain];
        const transaction = await (back ? account.refund(fill.id, fill) : account.pay(fill.id, fill.payment, fill.order));
        this.#keep(fill, { state: 'paying', transaction });
        await account.landed(transaction);
        this.#keep(fill, { state: back ? 'refunded' : 'done' });
        return account.final(transaction);
    }

    #keep(fill, changes) {
        this.#store.keep({ fills: [Object.assign(fill, changes)] });
    }
}
