// The relayer: makes deposit wallets and carries the batches that their owners signed, at the operator's expense.
//
// WALLET-CREATE needs no signature. A batch acts once, as its wallet's next nonce, until its deadline; a wallet has one
// batch on the way at a time. What is submitted gets an identifier at once; hash and outcome follow by it. Nothing is
// recognised: the same batch submitted again is refused, because its wallet is busy or its nonce used.
//
// A builder key signs its requests and submits for any owner. A relayer API key submits for its own address alone.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Contract, Interface, dataSlice, getAddress, isAddress, isHexString, verifyTypedData } from 'ethers';
import { ADDRESSES } from '../../polymarket.mjs';
import { hmacOf, isTimely } from './hmac.mjs';

const CHAIN_ID = 137;
const METADATA_MAX = 500;
const RECENT = 100;
const ACTIVE = ['STATE_NEW', 'STATE_EXECUTED'];

const BATCH = {
    Batch: [
        { name: 'wallet', type: 'address' }, { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' }, { name: 'calls', type: 'Call[]' },
    ],
    Call: [{ name: 'target', type: 'address' }, { name: 'value', type: 'uint256' }, { name: 'data', type: 'bytes' }],
};
const FACTORY = new Interface([
    'error WrongNonce()', 'error DeadlinePassed()', 'error InvalidSignature()',
    'function walletOf(address) view returns (address)', 'function uupsWalletOf(address) view returns (address)',
    'function deploy(address[])', 'function proxy((address,uint256,uint256,(address,uint256,bytes)[])[], bytes[])',
]);
const WALLET = ['function nonce() view returns (uint256)'];

/** In relayer.key: what the gateway has. */
const BUILDER_KEY = keyFile(new URL('../../relayer.key', import.meta.url));
/** Of one of the node's development accounts. */
export const API_KEY = { key: '019a6d2e-7c41-7b5e-9d38-4f0c2ab17e65', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' };

function keyFile(url) {
    return Object.fromEntries([...readFileSync(url, 'utf8').matchAll(/^(\w+) = (.*)$/gm)].map(([, name, value]) => [name, value]));
}

/** Why something is not carried out. */
class Refusal extends Error {
    constructor(message, status = 400) {
        super(message);
        this.status = status;
    }
}

export class Relayer {
    #operator;
    #factory;
    #rows = new Map();
    #last = Promise.resolve();

    constructor(operator) {
        this.#operator = operator;
        this.#factory = new Contract(ADDRESSES.walletFactory, FACTORY, operator.provider);
    }

    async answer(call) {
        try {
            return { json: await this.#route(call) };
        } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            return { status: error.status, json: { error: error.message }, refused: error.message };
        }
    }

    #route(call) {
        const { method, path, query } = call;
        if (method === 'POST' && path === '/submit') return this.#inTurn(() => this.#submit(keyOf(call), call.body));
        if (method !== 'GET') throw new Refusal('not found', 404);
        if (path === '/deployed') return this.#deployed(query);
        if (path === '/nonce') return this.#nonce(query);
        if (path === '/transaction') return [this.#row(query.get('id'))];
        if (path === '/transactions') return this.#recent(keyOf(call));
        if (!path.startsWith('/v1/account/transactions/')) throw new Refusal('not found', 404);
        keyOf(call);
        const id = path.split('/').at(-1);
        return id === 'params' ? this.#params(query) : summary(this.#row(id));
    }

    // ---------------------------------------------------------------- what is asked

    async #deployed(query) {
        const wallet = addressIn(query);
        return { deployed: query.get('type') === 'WALLET' && await this.#ownerOf(wallet) !== undefined };
    }

    async #nonce(query) {
        const owner = addressIn(query);
        if (query.get('type') !== 'WALLET') throw new Refusal('invalid type');
        for (const wallet of await this.#walletsOf(owner)) {
            if (await this.#ownerOf(wallet) !== undefined) return { nonce: String(await this.#nonceOf(wallet)) };
        }
        return { nonce: '0' };
    }

    async #params(query) {
        return { address: query.get('address'), ...await this.#nonce(query) };
    }

    #row(id) {
        const row = this.#rows.get(id);
        if (row === undefined) throw new Refusal('transaction not found', 404);
        return row.shown;
    }

    #recent({ key }) {
        return [...this.#rows.values()].filter((row) => row.key === key).map(({ shown }) => shown).reverse().slice(0, RECENT);
    }

    // ---------------------------------------------------------------- what is submitted

    /** One after the other, so that none comes between what another one looked at and what it does. */
    #inTurn(work) {
        const turn = this.#last.then(work);
        this.#last = turn.catch(() => {});
        return turn;
    }

    async #submit(auth, body) {
        const wanted = parsed(body);
        if (auth.address !== undefined && getAddress(wanted.from) !== auth.address) {
            throw new Refusal(`from ${wanted.from} does not match auth ${auth.address}`);
        }
        if (!same(wanted.to, ADDRESSES.walletFactory)) throw new Refusal('to is not the deposit wallet factory');
        const [wallet, data] = wanted.type === 'WALLET' ? await this.#batch(wanted) : await this.#creation(wanted);
        const now = new Date().toISOString();
        const shown = {
            transactionID: randomUUID(), transactionHash: '', from: wanted.from, to: wanted.to, proxyAddress: wallet, data,
            nonce: wanted.nonce ?? '', value: '', signature: wanted.signature ?? '', state: 'STATE_NEW', type: wanted.type,
            owner: wanted.from, metadata: wanted.metadata ?? '', createdAt: now, updatedAt: now, errorMsg: '',
        };
        this.#rows.set(shown.transactionID, { key: auth.key, shown });
        this.#carryOut(shown);
        return { transactionID: shown.transactionID, state: shown.state };
    }

    /** [wallet, what the factory is told]. */
    async #creation({ from }) {
        const [wallet] = await this.#walletsOf(from);
        this.#refuseBusy(wallet);
        if (await this.#ownerOf(wallet) !== undefined) throw new Refusal(`wallet ${wallet} already deployed`);
        return [wallet, FACTORY.encodeFunctionData('deploy', [[from]])];
    }

    async #batch({ from, nonce, signature, depositWalletParams: { depositWallet: wallet, deadline, calls } }) {
        const owner = await this.#ownerOf(wallet);
        if (owner === undefined) throw new Refusal(`wallet registry validation failed: wallet ${wallet.toLowerCase()} is not registered`);
        if (!same(owner, from)) throw new Refusal(`wallet ${wallet} does not belong to ${from}`);
        if (!isOwners(owner, { wallet, nonce, deadline, calls }, signature)) throw new Refusal('invalid signature');
        if (BigInt(deadline) * 1000n < Date.now()) throw new Refusal('batch deadline has passed');
        this.#refuseBusy(wallet);
        const next = await this.#nonceOf(wallet);
        if (BigInt(nonce) !== next) throw new Refusal(`batch nonce ${nonce} does not match on-chain nonce ${next}`);
        const tuple = [wallet, nonce, deadline, calls.map(({ target, value, data }) => [target, value, data])];
        return [wallet, FACTORY.encodeFunctionData('proxy', [[tuple], [signature]])];
    }

    #refuseBusy(wallet) {
        const busy = [...this.#rows.values()].find(({ shown }) => same(shown.proxyAddress, wallet) && ACTIVE.includes(shown.state));
        if (busy !== undefined) throw new Refusal(`wallet busy: wallet ${wallet} has active action ${busy.shown.transactionID}`);
    }

    /** From STATE_NEW to a final state. */
    async #carryOut(shown) {
        try {
            const hash = await this.#operator.send(shown.transactionID, shown.to, shown.data);
            become(shown, 'STATE_EXECUTED', { transactionHash: hash });
            const { status } = await this.#operator.receipt(hash);
            become(shown, status === 1 ? 'STATE_MINED' : 'STATE_FAILED');
            if (status !== 1) return;
            await this.#operator.finalReceipt(hash);
            become(shown, 'STATE_CONFIRMED');
        } catch (error) {
            become(shown, 'STATE_FAILED', { errorMsg: error.reason ?? error.shortMessage ?? error.message });
        }
    }

    // ---------------------------------------------------------------- what the chain knows

    /** The address of an owner's wallet, first as it is made now, then as it was made before. */
    async #walletsOf(owner) {
        return [await this.#factory.walletOf(owner), await this.#factory.uupsWalletOf(owner)];
    }

    async #nonceOf(wallet) {
        return new Contract(wallet, WALLET, this.#operator.provider).nonce();
    }

    /** Whose wallet it is; undefined when there is none. A wallet's code ends with its factory and its owner. */
    async #ownerOf(wallet) {
        const code = await this.#operator.provider.getCode(wallet);
        const length = (code.length - 2) / 2;
        if (length < 64) return undefined;
        const [factory, owner] = [dataSlice(code, length - 52, length - 32), dataSlice(code, length - 20)];
        return same(factory, ADDRESSES.walletFactory) ? getAddress(owner) : undefined;
    }
}

const same = (one, other) => one.toLowerCase() === other.toLowerCase();

function become(shown, state, more) {
    Object.assign(shown, { state, updatedAt: new Date().toISOString() }, more);
}

function summary({ transactionID, transactionHash, state, errorMsg }) {
    return { transaction_id: transactionID, transaction_hash: transactionHash || null, state, error_msg: errorMsg || null };
}

function addressIn(query) {
    const address = query.get('address');
    if (!isAddress(address)) throw new Refusal('invalid address');
    return address;
}

// ---------------------------------------------------------------- who asks

/** The key of a request's headers, with the address that it is bound to. */
function keyOf({ method, path, headers, body }) {
    if (headers.relayer_api_key === API_KEY.key && same(headers.relayer_api_key_address ?? '', API_KEY.address)) return API_KEY;
    const { poly_builder_timestamp: timestamp = '' } = headers;
    const isBuilders = headers.poly_builder_api_key === BUILDER_KEY.key && headers.poly_builder_passphrase === BUILDER_KEY.passphrase
        && isTimely(timestamp) && headers.poly_builder_signature === hmacOf(BUILDER_KEY.secret, timestamp, { method, path, body });
    if (!isBuilders) throw new Refusal('invalid authorization', 401);
    return { key: BUILDER_KEY.key };
}

function isOwners(owner, batch, signature) {
    const domain = { name: 'DepositWallet', version: '1', chainId: CHAIN_ID, verifyingContract: batch.wallet };
    try {
        return same(verifyTypedData(domain, BATCH, batch, signature), owner);
    } catch {
        return false;
    }
}

// ---------------------------------------------------------------- the form of a submission

const isNumber = (value) => typeof value === 'string' && /^(0|[1-9]\d{0,77})$/.test(value);
const isText = (value) => typeof value === 'string' && value.length <= METADATA_MAX;
const isCall = (value) => isAddress(value?.target) && isNumber(value.value) && isHexString(value.data);
const isWalletParams = (value) => isAddress(value?.depositWallet) && isNumber(value.deadline) && Array.isArray(value.calls) && value.calls.every(isCall);

const FORMS = {
    'WALLET-CREATE': { from: isAddress, to: isAddress },
    WALLET: { from: isAddress, to: isAddress, nonce: isNumber, signature: isHexString, depositWalletParams: isWalletParams },
};

function parsed(body) {
    let wanted;
    try {
        wanted = JSON.parse(body);
    } catch {
        throw new Refusal('invalid request body');
    }
    const form = Object.hasOwn(FORMS, wanted?.type) ? FORMS[wanted.type] : undefined;
    if (form === undefined) throw new Refusal('unsupported transaction type');
    const wrong = Object.keys(form).find((name) => !form[name](wanted[name]));
    if (wrong !== undefined) throw new Refusal(`invalid ${wrong}`);
    if (wanted.metadata !== undefined && !isText(wanted.metadata)) throw new Refusal('invalid metadata');
    return wanted;
}
