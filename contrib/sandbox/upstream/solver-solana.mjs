// The solver's account on Solana: what it sees deposited with Relay's depository, and how it pays. What it pays for an order
// bears the order's id in a memo, as a solver's payment has to.

import { setTimeout as sleep } from 'node:timers/promises';
import { depositsOf } from '../solana/depository.mjs';
import {
    DEPOSITORY, SYSTEM, base58, memo, openAccount, payCoin, readTransaction, signTransaction, transferToken, writeTransaction,
} from '../solana/transaction.mjs';
import { SOLVER } from '../solana/world.mjs';
import { solanaRpc } from './solana-pools.mjs';

const LOOK_MS = 1000, POLLING_MS = 200, AGAIN_MS = 2000;
const TABLE = 'transactions_solana';

/** As Solver has one for each chain. */
export class SolanaAccount {
    #chain;
    #store;
    #url;

    constructor(chain, store) {
        this.#chain = chain;
        this.#store = store;
        this.#url = `${chain.url}/solver`; // its faults are not used up by its questions, nor by others'
    }

    async resume() {
        for (const { hash } of this.#sent()) this.final(hash).catch(() => {});
    }

    /** Hands over what is deposited, as fills begin, for ever. */
    async watch(take) {
        const { name } = this.#chain;
        let last = this.#store.rows('blocks').get(name)?.block;
        for (;; await sleep(LOOK_MS)) {
            const found = await this.#rpc('getSignaturesForAddress', DEPOSITORY, { commitment: 'confirmed', until: last }).catch(() => []);
            for (const { signature } of found.reverse()) {
                const told = await this.#rpc('getTransaction', signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }).catch(() => undefined);
                if (told === undefined) break; // the node is away: all the rest once more
                const deposits = told === null ? [] : depositsOf(told);
                for (const [i, { token, amount, id, depositor }] of deposits.entries()) {
                    await take({ id: `${name} ${signature} ${i}`, source: signature, from: { chain: name, token, amount }, order: id, refundTo: depositor });
                }
                last = signature;
                this.#store.keep({ blocks: [{ id: name, block: last }] });
            }
        }
    }

    /** Pays by the one transaction that the id has unless it comes to nothing, and says by which. */
    pay(id, { token, amount, recipient }, order = id) {
        if (token === SYSTEM) return this.#send(id, [payCoin(SOLVER.address, recipient, amount), memo(order)]);
        const { decimals, program } = Object.values(this.#chain.tokens).find(({ address }) => address === token);
        return this.#send(id, [openAccount(SOLVER.address, recipient, token, program), transferToken(SOLVER.address, token, decimals, recipient, amount, program), memo(order)]);
    }

    refund(id, { from, refundTo, order }) {
        return this.pay(id, { ...from, recipient: refundTo }, order);
    }

    landed(transaction) {
        return this.#seen(transaction, ['confirmed', 'finalized']);
    }

    async final(transaction) {
        await this.#seen(transaction, ['finalized']);
        this.#keep({ ...this.#known(transaction), final: true });
    }

    // ---------------------------------------------------------------- sending

    async #send(id, instructions) {
        const known = this.#store.rows(TABLE).get(id);
        if (known !== undefined && !known.void) return known.hash;
        const { value: { blockhash, lastValidBlockHeight } } = await this.#rpc('getLatestBlockhash', { commitment: 'confirmed' });
        const raw = signTransaction(writeTransaction(SOLVER.address, instructions, blockhash), SOLVER);
        const hash = base58(readTransaction(raw).signatures[0]);
        const { value: { err } } = await this.#rpc('simulateTransaction', raw.toString('base64'), { encoding: 'base64' });
        if (err !== null) throw new Error(JSON.stringify(err));
        this.#keep({ id, hash, raw: raw.toString('base64'), until: lastValidBlockHeight, final: false });
        return hash;
    }

    /** Until a transaction is seen so; it is sent until then. Throws when it never can be. */
    async #seen(transaction, states) {
        for (let next = 0; ; await sleep(POLLING_MS)) {
            const { raw, until } = this.#known(transaction);
            const height = await this.#rpc('getBlockHeight', { commitment: 'finalized' }).catch(() => 0);
            const status = await this.#rpc('getSignatureStatuses', [transaction], { searchTransactionHistory: true }).then(({ value: [found] }) => found, () => undefined);
            if (status?.err || (status === null && height > until)) {
                this.#keep({ ...this.#known(transaction), void: true });
                throw new Error(status?.err ? JSON.stringify(status.err) : 'expired');
            }
            if (states.includes(status?.confirmationStatus)) return;
            if (status || Date.now() < next) continue;
            next = Date.now() + AGAIN_MS;
            await this.#rpc('sendTransaction', raw, { encoding: 'base64', skipPreflight: true }).catch(() => {});
        }
    }

    #sent() {
        return [...this.#store.rows(TABLE).values()].filter((row) => !row.final && !row.void);
    }

    #known(transaction) {
        return [...this.#store.rows(TABLE).values()].find(({ hash }) => hash === transaction);
    }

    #keep(row) {
        this.#store.keep({ [TABLE]: [row] });
    }

    #rpc(method, ...params) {
        return solanaRpc(this.#url, method, ...params);
    }
}
