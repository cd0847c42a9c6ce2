// Transactions of an account of ours, as the markets' operator or a solver of bridges has one. Each is kept, signed,
// before it is sent, under an id that its cause has, so that a cause has one transaction also when this process is killed
// in between.

import { setTimeout as sleep } from 'node:timers/promises';
import { Wallet, keccak256 } from 'ethers';

const POLLING_MS = 200;
const FINAL_BLOCKS = 8; // nothing takes a block out of the chain that has so many above it
const PATIENCE_MS = 3000; // without a block, before what is missing is sent again

export class Sender {
    #store;
    #table;
    #wallet;
    #last = Promise.resolve();
    #nextNonce = 0;
    #height = 0;
    #block;

    /** `table`: of the store, for accounts that share one. */
    constructor(provider, key, store, table = 'transactions') {
        this.provider = provider;
        this.#store = store;
        this.#table = table;
        this.#wallet = new Wallet(key, provider);
    }

    /** Sends again what was on its way when the process ended, in the order of its numbers. Do this first of all. */
    async resume() {
        const open = [...this.#store.rows(this.#table).values()].filter(({ final }) => !final).sort((a, b) => a.nonce - b.nonce);
        for (const { raw } of open) await this.#broadcast(raw);
        for (const { hash } of open) this.finalReceipt(hash).catch(() => {});
    }

    /**
     * Sends a call behind those before it and returns the transaction's hash. What was sent under an id is that id's
     * transaction for ever. Fails without a transaction when the call would fail.
     */
    send(id, to, data, value = 0n) {
        const turn = this.#last.then(() => this.#send(id, { to, data, value }));
        this.#last = turn.catch(() => {});
        return turn;
    }

    /**
     * The receipt, once it is so many blocks deep; of a transaction that reverted, too. A transaction that is missing is
     * sent again meanwhile. Fails with the code NONCE_EXPIRED when another one has its number: then it never acts.
     */
    async receipt(hash, confirmations = 1) {
        for (;;) {
            const receipt = await this.#receiptNow(hash);
            if (receipt && this.#height - receipt.blockNumber + 1 >= confirmations) return receipt;
            await this.#nextBlock();
            if (receipt === null) await this.#sendAgain(hash);
        }
    }

    /** The receipt, once it stays in the chain for good: until then a caller has to wait for it. */
    async finalReceipt(hash) {
        const receipt = await this.receipt(hash, FINAL_BLOCKS);
        this.#store.keep({ [this.#table]: [{ ...this.#transaction(hash), final: true }] });
        return receipt;
    }

    /** How many of its transactions the chain has at a block. Their receipts may come a moment later. */
    countAt(block) {
        return this.provider.getTransactionCount(this.#wallet.address, block);
    }

    async #send(id, call) {
        const known = this.#store.rows(this.#table).get(id);
        if (known !== undefined) return known.hash;
        const gas = await this.#wallet.estimateGas({ ...call, blockTag: 'pending' });
        const pending = await this.provider.getTransactionCount(this.#wallet.address, 'pending');
        const nonce = Math.max(pending, this.#nextNonce);
        const raw = await this.#wallet.signTransaction(await this.#wallet.populateTransaction({ ...call, nonce, gasLimit: gas * 2n }));
        const hash = keccak256(raw);
        this.#store.keep({ [this.#table]: [{ id, nonce, hash, raw, final: false }] });
        this.#nextNonce = nonce + 1;
        await this.#broadcast(raw);
        return hash;
    }

    #transaction(hash) {
        return [...this.#store.rows(this.#table).values()].find((each) => each.hash === hash);
    }

    /** A node may know that the number is used a moment before it has the receipt: a block later it has it. */
    async #sendAgain(hash) {
        if (!await this.#broadcast(this.#transaction(hash).raw) || await this.#receiptNow(hash) !== null) return;
        await this.#nextBlock();
        if (await this.#receiptNow(hash) === null) {
            throw Object.assign(new Error(`another transaction has the number of ${hash}`), { code: 'NONCE_EXPIRED' });
        }
    }

    /** Whether its number was used before. What is known is not taken again, which is well. */
    async #broadcast(raw) {
        try {
            await this.provider.send('eth_sendRawTransaction', [raw]);
            return false;
        } catch (error) {
            return /nonce too low/.test(error.error?.message ?? error.message);
        }
    }

    /** Null when the chain has none, undefined when it does not answer. */
    async #receiptNow(hash) {
        try {
            const receipt = await this.provider.getTransactionReceipt(hash);
            this.#height = Math.max(this.#height, receipt?.blockNumber ?? 0);
            return receipt;
        } catch {
            return undefined;
        }
    }

    /** All who wait look at the chain by one loop. */
    #nextBlock() {
        this.#block ??= this.#waitForBlock().finally(() => { this.#block = undefined; });
        return this.#block;
    }

    async #waitForBlock() {
        for (let waited = 0; waited < PATIENCE_MS; waited += POLLING_MS) {
            await sleep(POLLING_MS);
            const height = await this.provider.getBlockNumber().catch(() => this.#height);
            if (height === this.#height) continue;
            this.#height = height;
            return;
        }
    }
}
