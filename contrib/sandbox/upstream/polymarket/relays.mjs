// What the relayer has taken on: wallets to be made, and batches that their owners signed. Each is carried out by one
// transaction of the operator's. A batch acts once, as its wallet's next nonce, until its deadline; a wallet has one on
// the way at a time. Nothing is recognised: what is submitted again is refused, since its wallet is busy or its nonce
// used.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Contract, Interface, TypedDataEncoder, dataSlice, getAddress, hexlify, randomBytes } from 'ethers';
import { ADDRESSES } from '../../polymarket.mjs';
import { CHAIN_ID } from './polygon.mjs';
import { Refusal } from '../refusal.mjs';
import { signerOf } from './signatures.mjs';

const BATCH = {
    Batch: [
        { name: 'wallet', type: 'address' }, { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' }, { name: 'calls', type: 'Call[]' },
    ],
    Call: [{ name: 'target', type: 'address' }, { name: 'value', type: 'uint256' }, { name: 'data', type: 'bytes' }],
};
const FACTORY = new Interface([
    'function walletOf(address) view returns (address)', 'function uupsWalletOf(address) view returns (address)',
    'function deploy(address[])', 'function proxy((address,uint256,uint256,(address,uint256,bytes)[])[], bytes[])',
]);
const WALLET = ['function nonce() view returns (uint256)'];
const ACTIVE = ['STATE_NEW', 'STATE_EXECUTED'];
const CONFIRMED_BLOCKS = 2;
const UNFINISHED = [...ACTIVE, 'STATE_MINED'];

/** What can be wrong with it beyond what any service does wrong; README.md has the list. */
export const RELAY_FAULTS = ['wallet_unregistered', 'relay_forgotten', 'relay_claimed', 'relay_denied', 'relay_delayed', 'relay_quota'];

export class Relays {
    #world;
    #factory;
    #last = Promise.resolve();

    constructor(world) {
        this.#world = world;
        this.#factory = new Contract(ADDRESSES.walletFactory, FACTORY, world.polygon.provider);
    }

    /** Goes on with what was not finished when the process ended. */
    resume() {
        for (const row of this.#rows()) if (UNFINISHED.includes(row.state)) this.#carryOut(row);
    }

    /** { id, key, type, owner, wallet, data, nonce, signature, metadata, state, hash, error, denied, createdAt, updatedAt } */
    get(id) {
        return this.#world.store.rows('relays').get(id);
    }

    /** Those of a key, the newest first. */
    of(key) {
        return this.#rows().filter((row) => row.key === key).reverse();
    }

    /** Takes a submission on, one after the other, so that none comes between what another one looked at and what it does. */
    submit(key, wanted) {
        const turn = this.#last.then(() => this.#submit(key, wanted));
        this.#last = turn.catch(() => {});
        return turn;
    }

    /** Whose wallet it is; undefined when there is none. A wallet's code ends with its factory and its owner. */
    async ownerOf(wallet) {
        const code = await this.#world.polygon.provider.getCode(wallet);
        const length = (code.length - 2) / 2;
        if (length < 64) return undefined;
        const factory = getAddress(dataSlice(code, length - 52, length - 32));
        return factory === ADDRESSES.walletFactory ? getAddress(dataSlice(code, length - 20)) : undefined;
    }

    /** Of the next batch of an owner's wallet. */
    async nonceOf(owner) {
        for (const wallet of [await this.#factory.walletOf(owner), await this.#factory.uupsWalletOf(owner)]) {
            if (await this.ownerOf(wallet) !== undefined) return this.#walletNonce(wallet);
        }
        return 0n;
    }

    // ---------------------------------------------------------------- submissions

    #rows() {
        return [...this.#world.store.rows('relays').values()];
    }

    async #submit(key, wanted) {
        const action = wanted.type === 'WALLET' ? await this.#batch(wanted) : await this.#creation(wanted);
        const now = new Date().toISOString();
        const row = {
            id: randomUUID(), key, type: wanted.type, owner: wanted.from, ...action, nonce: wanted.nonce ?? '', signature: wanted.signature ?? '',
            metadata: wanted.metadata ?? '', state: 'STATE_NEW', hash: '', error: '', createdAt: now, updatedAt: now,
        };
        if (this.#isWrong('relay_forgotten')) return row;
        if (this.#isWrong('relay_claimed')) Object.assign(row, { state: 'STATE_CONFIRMED', hash: hexlify(randomBytes(32)) });
        row.denied = this.#isWrong('relay_denied');
        this.#world.store.keep({ relays: [row] });
        if (row.state === 'STATE_NEW') this.#carryOut(row, Number(this.#world.wrong('relay_delayed')?.value ?? 0));
        return row;
    }

    #isWrong(fault) {
        return this.#world.wrong(fault) !== undefined;
    }

    async #creation({ from }) {
        const wallet = await this.#factory.walletOf(from);
        this.#refuseBusy(wallet);
        if (await this.ownerOf(wallet) !== undefined) throw new Refusal(400, `wallet ${wallet} already deployed`);
        return { wallet, data: FACTORY.encodeFunctionData('deploy', [[from]]) };
    }

    async #batch({ from, nonce, signature, depositWalletParams: { depositWallet, deadline, calls } }) {
        const wallet = getAddress(depositWallet);
        const owner = await this.ownerOf(wallet);
        if (owner === undefined || this.#isWrong('wallet_unregistered')) {
            throw new Refusal(400, `wallet registry validation failed: wallet ${wallet.toLowerCase()} is not registered`);
        }
        if (owner !== getAddress(from)) throw new Refusal(400, `wallet ${wallet} does not belong to ${from}`);
        if (signerOf(batchDigest({ wallet, nonce, deadline, calls }), signature) !== owner) throw new Refusal(400, 'invalid signature');
        if (BigInt(deadline) * 1000n < Date.now()) throw new Refusal(400, 'batch deadline has passed');
        this.#refuseBusy(wallet);
        const next = await this.#walletNonce(wallet);
        if (BigInt(nonce) !== next) throw new Refusal(400, `batch nonce ${nonce} does not match on-chain nonce ${next}`);
        const tuple = [wallet, nonce, deadline, calls.map(({ target, value, data }) => [target, value, data])];
        return { wallet, data: FACTORY.encodeFunctionData('proxy', [[tuple], [signature]]) };
    }

    #refuseBusy(wallet) {
        const busy = this.#rows().find((row) => row.wallet === wallet && ACTIVE.includes(row.state));
        if (busy !== undefined) throw new Refusal(400, `wallet busy: wallet ${wallet} has active action ${busy.id}`);
    }

    #walletNonce(wallet) {
        return new Contract(wallet, WALLET, this.#world.polygon.provider).nonce();
    }

    // ---------------------------------------------------------------- execution

    async #carryOut(row, delay = 0) {
        await sleep(delay * 1000);
        try {
            const hash = await this.#world.operator.send(`relay/${row.id}`, ADDRESSES.walletFactory, row.data);
            if (row.state === 'STATE_NEW') this.#become(row, 'STATE_EXECUTED', { hash });
            for (const [state, receipt] of this.#looksAt(hash)) this.#become(row, (await receipt()).status === 1 ? state : 'STATE_FAILED');
        } catch (error) {
            this.#become(row, 'STATE_FAILED', { error: error.reason ?? error.shortMessage ?? error.message });
        }
    }

    /** As it is said to be, by how deep it is; what a reorganisation takes out comes back, perhaps with another outcome. */
    #looksAt(hash) {
        const { operator } = this.#world;
        return [
            ['STATE_MINED', () => operator.receipt(hash)],
            ['STATE_CONFIRMED', () => operator.receipt(hash, CONFIRMED_BLOCKS)],
            ['STATE_CONFIRMED', () => operator.finalReceipt(hash)],
        ];
    }

    #become(row, state, more) {
        this.#world.store.keep({ relays: [Object.assign(row, more, { state, updatedAt: new Date().toISOString() })] });
    }
}

function batchDigest(batch) {
    const domain = { name: 'DepositWallet', version: '1', chainId: CHAIN_ID, verifyingContract: batch.wallet };
    return TypedDataEncoder.hash(domain, BATCH, batch);
}
