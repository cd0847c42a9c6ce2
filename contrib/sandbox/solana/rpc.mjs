// The JSON-RPC of a Solana node over the ledger: methods, shapes and error codes as Agave has them.

import { JUPITER, Malformed, TOKEN, TOKEN_2022, base58, fromBase58, keyOf, readTransaction } from './transaction.mjs';

export const SLOT_MS = 100;
const VERSION = { 'solana-core': '3.0.0', 'feature-set': 3604001754 };
const RENT_EPOCH = '18446744073709551615'; // larger than any number of JSON's own: written as nodes write it
const SIGNATURES_MAX = 256, ACCOUNTS_MAX = 100, PAGE_MAX = 1000;
const COMMITMENTS = ['processed', 'confirmed', 'finalized'];

export class RpcError extends Error {
    constructor(code, message, data) {
        super(message);
        Object.assign(this, { code, data });
    }
}
const invalid = (message) => new RpcError(-32602, message);

// ---------------------------------------------------------------- parameters

const addressOf = (text) => {
    if (keyOf(text) === undefined) throw invalid('Invalid param: Invalid');
    return text;
};

function commitmentOf({ commitment = 'finalized' } = {}) {
    if (!COMMITMENTS.includes(commitment)) throw invalid(`Invalid params: unknown variant \`${commitment}\``);
    return commitment;
}

function bytesOf(text, { encoding = 'base58' } = {}) {
    const bytes = encoding === 'base64' && typeof text === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? Buffer.from(text, 'base64')
        : encoding === 'base58' ? fromBase58(text, Math.floor(String(text).length * 0.7322)) : undefined;
    if (bytes === undefined || bytes.length === 0) throw invalid(`invalid ${encoding} encoding`);
    if (bytes.length > 1232) throw invalid(`decoded solana_transaction::versioned::VersionedTransaction too large: ${bytes.length} bytes (max: 1232 bytes)`);
    try {
        readTransaction(bytes);
    } catch (error) {
        if (!(error instanceof Malformed)) throw error;
        throw invalid(`failed to deserialize solana_transaction::versioned::VersionedTransaction: ${error.message}`);
    }
    return bytes;
}

// ---------------------------------------------------------------- shapes

const big = (value) => ({ toJSON: () => Number(value) });

function amountOf(amount, decimals) {
    const text = String(amount).padStart(decimals + 1, '0');
    const point = text.length - decimals;
    const human = `${text.slice(0, point)}.${text.slice(point)}`.replace(/\.?0*$/, '');
    return { amount: String(amount), decimals, uiAmount: Number(human), uiAmountString: human };
}

function parsedToken(token) {
    return {
        program: token.program === TOKEN ? 'spl-token' : 'spl-token-2022', space: token.length,
        parsed: {
            type: 'account',
            info: { isNative: token.native, mint: token.mint, owner: token.owner, state: token.state, tokenAmount: amountOf(token.amount, token.decimals) },
        },
    };
}

function accountShape(ledger, address, found, { encoding = 'base64' } = {}) {
    if (found === undefined || found === null) return null;
    const token = encoding === 'jsonParsed' ? ledger.tokenAccount(address) : undefined;
    return {
        lamports: big(found.lamports), owner: found.owner, executable: found.executable, rentEpoch: RENT_EPOCH, space: found.data.length,
        data: token === undefined ? [found.data.toString('base64'), 'base64'] : parsedToken(token),
    };
}

const errStatus = (error) => (error === null ? { Ok: null } : { Err: error });

function metaOf({ error, logs, units, inner, loaded, before, after, fee }) {
    const tokens = ({ tokens: list }) => list.map(({ index, mint, owner, program, amount, decimals }) => ({
        accountIndex: index, mint, owner, programId: program, uiTokenAmount: amountOf(amount, decimals),
    }));
    return {
        err: error, status: errStatus(error), fee, preBalances: before.lamports, postBalances: after.lamports, preTokenBalances: tokens(before),
        postTokenBalances: tokens(after), innerInstructions: inner, logMessages: logs, loadedAddresses: loaded, computeUnitsConsumed: units, rewards: [],
    };
}

function messageOf(transaction) {
    const { signers, readonlySigners, readonlyOthers } = transaction.header;
    return {
        accountKeys: transaction.keys, header: { numRequiredSignatures: signers, numReadonlySignedAccounts: readonlySigners, numReadonlyUnsignedAccounts: readonlyOthers },
        recentBlockhash: transaction.blockhash,
        instructions: transaction.instructions.map(({ program, accounts, data }) => ({ programIdIndex: program, accounts, data: base58(data), stackHeight: null })),
        ...(transaction.legacy ? {} : { addressTableLookups: transaction.lookups.map(({ table, writable, readonly }) => ({ accountKey: table, writableIndexes: writable, readonlyIndexes: readonly })) }),
    };
}

function transactionShape(entry, { encoding = 'json', maxSupportedTransactionVersion } = {}) {
    const bytes = Buffer.from(entry.bytes, 'base64'), transaction = readTransaction(bytes);
    if (!transaction.legacy && maxSupportedTransactionVersion === undefined) {
        throw new RpcError(-32015, 'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0');
    }
    const signatures = transaction.signatures.map(base58);
    return {
        slot: entry.slot, blockTime: entry.time, meta: metaOf(entry), version: transaction.legacy ? 'legacy' : 0,
        transaction: encoding === 'json' ? { signatures, message: messageOf(transaction) } : [encoding === 'base64' ? entry.bytes : base58(bytes), encoding],
    };
}

// ---------------------------------------------------------------- methods

/** One node's methods. `wrong(fault)` tells whether it has to do something wrong now. */
export class Node {
    constructor(ledger, wrong) {
        this.ledger = ledger;
        this.wrong = wrong;
    }

    call(method, params = []) {
        const behind = method !== 'sendTransaction' && this.wrong('behind');
        if (behind) throw new RpcError(-32005, `Node is behind by ${behind.value ?? 200} slots`, { numSlotsBehind: behind.value ?? 200 });
        const found = METHODS[method];
        if (found === undefined) throw new RpcError(-32601, 'Method not found');
        if (!Array.isArray(params)) throw invalid('Invalid params: expected an array');
        return found(this, ...params);
    }

    /** With the slot that it was read at. */
    at(value, config) {
        return { context: { apiVersion: VERSION['solana-core'], slot: Number(this.ledger.slotOf(commitmentOf(config))) }, value };
    }

    known(signature) {
        return this.wrong('no_history') ? undefined : this.ledger.entry(signature);
    }
}

function statusOf(node, signature) {
    const entry = node.known(signature);
    if (entry === undefined) return null;
    const confirmationStatus = node.ledger.commitmentOf(entry.slot);
    return {
        slot: entry.slot, confirmations: confirmationStatus === 'finalized' ? null : Number(node.ledger.slot) - entry.slot, err: entry.error,
        status: errStatus(entry.error), confirmationStatus,
    };
}

function isSeen(node, entry, config) {
    return COMMITMENTS.indexOf(node.ledger.commitmentOf(entry.slot)) >= COMMITMENTS.indexOf(commitmentOf(config));
}

function tokenAccountsOf(node, owner, { mint, programId } = {}, config = {}) {
    if (mint === undefined && programId === undefined) throw invalid('Invalid params: unrecognized Token program id');
    const programs = programId === undefined ? [TOKEN, TOKEN_2022] : [addressOf(programId)];
    const found = programs.flatMap((program) => node.ledger.accountsOf(program)).filter(({ address }) => {
        const token = node.ledger.tokenAccount(address);
        return token !== undefined && token.owner === owner && (mint === undefined || token.mint === mint);
    });
    return node.at(found.map((each) => ({ pubkey: each.address, account: accountShape(node.ledger, each.address, each, config) })), config);
}

function simulated({ error, logs, units, returned }) {
    return { err: error, logs, unitsConsumed: Number(units), returnData: returned.data().length === 0 ? null : { programId: base58(returned.programId()), data: [Buffer.from(returned.data()).toString('base64'), 'base64'] } };
}

function simulateTransaction(node, text, config = {}) {
    if (config.sigVerify && config.replaceRecentBlockhash) throw invalid('sigVerify may not be used with replaceRecentBlockhash');
    const bytes = bytesOf(text, config), transaction = readTransaction(bytes);
    const watched = (config.accounts?.addresses ?? []).map(addressOf);
    const refusal = refusalOf(node, transaction, config);
    if (refusal !== undefined) return node.at({ err: refusal, logs: [], unitsConsumed: 0, returnData: null, accounts: watched.map(() => null) }, config);
    const seen = node.ledger.simulate(bytes, { sigVerify: config.sigVerify === true, watched });
    return node.at({
        ...simulated(seen),
        accounts: config.accounts === undefined ? null : watched.map((address, i) => accountShape(node.ledger, address, seen.accounts[i], { encoding: 'base64' })),
        ...(config.innerInstructions ? { innerInstructions: seen.inner } : {}),
        ...(config.replaceRecentBlockhash ? { replacementBlockhash: node.ledger.blockhash('confirmed') } : { replacementBlockhash: null }),
    }, config);
}

/** Why a transaction is not even run; undefined: it is. */
function refusalOf(node, transaction, { replaceRecentBlockhash } = {}) {
    if (!replaceRecentBlockhash && !node.ledger.isValid(transaction.blockhash)) return 'BlockhashNotFound';
    try {
        node.ledger.accountsNamed(transaction);
        return undefined;
    } catch (error) {
        return error.message;
    }
}

function preflight(node, bytes, transaction) {
    const refusal = node.ledger.entry(base58(transaction.signatures[0])) !== undefined ? 'AlreadyProcessed' : refusalOf(node, transaction);
    const seen = refusal === undefined ? node.ledger.simulate(bytes, { sigVerify: true }) : { error: refusal, logs: [], units: 0n };
    if (seen.error === null) return;
    throw new RpcError(-32002, `Transaction simulation failed: ${JSON.stringify(seen.error)}`, { accounts: null, err: seen.error, logs: seen.logs, returnData: null, unitsConsumed: Number(seen.units) });
}

function sendTransaction(node, text, config = {}) {
    const bytes = bytesOf(text, config), transaction = readTransaction(bytes);
    const signature = base58(transaction.signatures[0]);
    if (config.skipPreflight !== true) {
        const behind = node.wrong('behind');
        if (behind) throw new RpcError(-32005, `Node is behind by ${behind.value ?? 200} slots`, { numSlotsBehind: behind.value ?? 200 });
        preflight(node, bytes, transaction);
    }
    node.accept(bytes);
    return signature;
}

const METHODS = {
    getHealth: () => 'ok',
    getVersion: () => VERSION,
    getGenesisHash: () => '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    getIdentity: () => ({ identity: JUPITER }),
    getFirstAvailableBlock: (node) => (node.wrong('no_history') ? Number(node.ledger.slotOf('finalized')) : 0),
    getSlot: (node, config) => Number(node.ledger.slotOf(commitmentOf(config))),
    getBlockTime(node, slot) {
        const since = Number(node.ledger.slot) - slot;
        if (!Number.isInteger(slot) || since < 0) throw new RpcError(-32004, `Block not available for slot ${slot}`);
        return Math.floor((Date.now() - since * SLOT_MS) / 1000);
    },
    getBlockHeight: (node, config) => Number(node.ledger.heightOf(commitmentOf(config))),
    getEpochInfo: (node, config) => ({ absoluteSlot: Number(node.ledger.slotOf(commitmentOf(config))), blockHeight: Number(node.ledger.heightOf(commitmentOf(config))), epoch: 0, slotIndex: Number(node.ledger.slot), slotsInEpoch: 432000, transactionCount: 0 }),
    getLatestBlockhash: (node, config) => node.at(node.ledger.blockhash(commitmentOf(config)), config),
    isBlockhashValid: (node, hash, config) => node.at(node.ledger.isValid(addressOf(hash), commitmentOf(config)), config),
    getMinimumBalanceForRentExemption: (node, length) => Number(node.ledger.rentOf(length)),
    getRecentPrioritizationFees: (node) => Array.from({ length: 5 }, (_, i) => ({ slot: Number(node.ledger.slot) - i, prioritizationFee: 1000 * i })),
    getBalance: (node, address, config) => node.at(big(node.ledger.balance(addressOf(address))), config),
    getAccountInfo: (node, address, config) => node.at(accountShape(node.ledger, address, node.ledger.account(addressOf(address)), config), config),
    getMultipleAccounts(node, addresses, config) {
        if (addresses.length > ACCOUNTS_MAX) throw invalid(`Too many inputs provided; max ${ACCOUNTS_MAX}`);
        return node.at(addresses.map((address) => accountShape(node.ledger, address, node.ledger.account(addressOf(address)), config)), config);
    },
    getTokenAccountsByOwner: (node, owner, filter, config) => tokenAccountsOf(node, addressOf(owner), filter, config),
    getTokenAccountBalance(node, address, config) {
        const token = node.ledger.tokenAccount(addressOf(address));
        if (token === undefined) throw invalid('Invalid param: could not find account');
        return node.at(amountOf(token.amount, token.decimals), config);
    },
    getTokenSupply(node, mint, config) {
        const found = node.ledger.account(addressOf(mint));
        if (found === undefined) throw invalid('Invalid param: could not find mint');
        return node.at(amountOf(found.data.readBigUInt64LE(36), found.data[44]), config);
    },
    getSignatureStatuses(node, signatures, config) {
        if (signatures.length > SIGNATURES_MAX) throw invalid(`Too many inputs provided; max ${SIGNATURES_MAX}`);
        if (signatures.some((signature) => fromBase58(signature, 64) === undefined)) throw invalid('Invalid param: Invalid');
        const history = node.wrong('history_unavailable');
        if (history && config?.searchTransactionHistory) throw new RpcError(-32011, 'Transaction history is not available from this node');
        return node.at(signatures.map((signature) => statusOf(node, signature)), { commitment: 'processed' });
    },
    getTransaction(node, signature, config) {
        const entry = node.known(signature);
        if (commitmentOf(config) === 'processed') throw invalid('Method does not support commitment below `confirmed`');
        return entry === undefined || !isSeen(node, entry, config) ? null : transactionShape(entry, config);
    },
    getSignaturesForAddress(node, address, config = {}) {
        const found = [];
        let begun = config.before === undefined;
        for (const entry of node.ledger.naming(addressOf(address))) {
            if (entry.id === config.until || found.length >= Math.min(config.limit ?? PAGE_MAX, PAGE_MAX)) break;
            if (begun && isSeen(node, entry, config)) found.push({ signature: entry.id, slot: entry.slot, err: entry.error, memo: null, blockTime: entry.time, confirmationStatus: node.ledger.commitmentOf(entry.slot) });
            begun ||= entry.id === config.before;
        }
        return found;
    },
    requestAirdrop(node, address, lamports) {
        return node.airdrop(addressOf(address), BigInt(lamports));
    },
    sendTransaction,
    simulateTransaction,
};

/** As nodes write it: one number is larger than JSON's readers here can write. */
export const textOf = (answer) => JSON.stringify(answer).replaceAll(`"rentEpoch":"${RENT_EPOCH}"`, `"rentEpoch":${RENT_EPOCH}`);
