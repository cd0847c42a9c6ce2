// The operator's account on polygon: it settles trades and carries what wallets signed.

import { setTimeout as sleep } from 'node:timers/promises';
import { JsonRpcProvider, Network, Transaction, Wallet } from 'ethers';
import { OPERATOR } from '../../polymarket.mjs';

const POLLING_MS = 200;
const PATIENCE_MS = 60_000;
const SENT_BEFORE = /already known|already imported|nonce too low/;

export class Operator {
    #wallet;
    #signed = new Map();
    #last = Promise.resolve();

    constructor(polygonUrl) {
        this.provider = new JsonRpcProvider(polygonUrl, new Network('polygon', 137), { staticNetwork: true, batchMaxCount: 1, cacheTimeout: -1 });
        this.provider.pollingInterval = POLLING_MS;
        this.#wallet = new Wallet(OPERATOR.key, this.provider);
    }

    /**
     * Sends a call behind those before it and returns the transaction's hash. What was sent under an id is sent again
     * for that id, so a call acts once, whatever is interrupted. Fails without a transaction when the call would fail.
     */
    send(id, to, data) {
        const turn = this.#last.then(() => this.#send(id, to, data));
        this.#last = turn.catch(() => {});
        return turn;
    }

    async #send(id, to, data) {
        if (!this.#signed.has(id)) this.#signed.set(id, await this.#sign(to, data));
        const signed = this.#signed.get(id);
        try {
            await this.provider.send('eth_sendRawTransaction', [signed]);
        } catch (error) {
            if (!SENT_BEFORE.test(error.error?.message ?? error.message)) throw error;
        }
        return Transaction.from(signed).hash;
    }

    async #sign(to, data) {
        const nonce = await this.provider.getTransactionCount(this.#wallet.address, 'pending');
        const gas = await this.#wallet.estimateGas({ to, data, blockTag: 'pending' });
        return this.#wallet.signTransaction(await this.#wallet.populateTransaction({ to, data, nonce, gasLimit: gas * 2n }));
    }

    /** The receipt, once it is so many blocks deep; of a transaction that reverted, too. */
    async receipt(hash, confirmations = 1) {
        for (let left = PATIENCE_MS; left > 0; left -= POLLING_MS) {
            const receipt = await this.provider.getTransactionReceipt(hash);
            if (receipt !== null && (await this.provider.getBlockNumber()) - receipt.blockNumber + 1 >= confirmations) return receipt;
            await sleep(POLLING_MS);
        }
        throw new Error(`transaction ${hash} is not in a block`);
    }
}
