// A Solana of its own: the real virtual machine (LiteSVM), and around it what a node adds: slots, blockhashes that
// expire, transactions that are processed, confirmed, finalized, or dropped by a fork.

import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { COMPUTE_BUDGET, LOOKUP_TABLES, TOKEN, TOKEN_2022, base58, keyOf, readTransaction } from './transaction.mjs';

const { Account, LiteSvm } = createRequire(import.meta.url)(`litesvm-linux-${process.arch}-gnu`);

export const CONFIRMED_AFTER = 2, FINALIZED_AFTER = 32; // slots
const HASHES_KEPT = 300, HASH_AGE_MAX = 150; // blocks
const SKIPPED = 1000n; // slots without a block, so that heights and slots are different numbers
const HISTORY = 100_000;
const ERRORS = [
    'AccountInUse', 'AccountLoadedTwice', 'AccountNotFound', 'ProgramAccountNotFound', 'InsufficientFundsForFee', 'InvalidAccountForFee', 'AlreadyProcessed',
    'BlockhashNotFound', 'CallChainTooDeep', 'MissingSignatureForFee', 'InvalidAccountIndex', 'SignatureFailure', 'InvalidProgramForExecution', 'SanitizeFailure',
    'ClusterMaintenance', 'AccountBorrowOutstanding', 'WouldExceedMaxBlockCostLimit', 'UnsupportedVersion', 'InvalidWritableAccount',
    'WouldExceedMaxAccountCostLimit', 'WouldExceedAccountDataBlockLimit', 'TooManyAccountLocks', 'AddressLookupTableNotFound', 'InvalidAddressLookupTableOwner',
    'InvalidAddressLookupTableData', 'InvalidAddressLookupTableIndex', 'InvalidRentPayingAccount', 'WouldExceedMaxVoteCostLimit',
    'WouldExceedAccountDataTotalLimit', 'MaxLoadedAccountsDataSizeExceeded', 'ResanitizationNeeded', 'InvalidLoadedAccountsDataSizeLimit', 'UnbalancedTransaction',
    'ProgramCacheHitMaxLimit', 'CommitCancelled',
];
/** Of instructions, in the machine's order. */
const INSTRUCTION_ERRORS = [
    'GenericError', 'InvalidArgument', 'InvalidInstructionData', 'InvalidAccountData', 'AccountDataTooSmall', 'InsufficientFunds',
    'IncorrectProgramId', 'MissingRequiredSignature', 'AccountAlreadyInitialized', 'UninitializedAccount', 'UnbalancedInstruction',
    'ModifiedProgramId', 'ExternalAccountLamportSpend', 'ExternalAccountDataModified', 'ReadonlyLamportChange', 'ReadonlyDataModified',
    'DuplicateAccountIndex', 'ExecutableModified', 'RentEpochModified', 'NotEnoughAccountKeys', 'AccountDataSizeChanged', 'AccountNotExecutable',
    'AccountBorrowFailed', 'AccountBorrowOutstanding', 'DuplicateAccountOutOfSync', 'InvalidError', 'ExecutableDataModified',
    'ExecutableLamportChange', 'ExecutableAccountNotRentExempt', 'UnsupportedProgramId', 'CallDepth', 'MissingAccount', 'ReentrancyNotAllowed',
    'MaxSeedLengthExceeded', 'InvalidSeeds', 'InvalidRealloc', 'ComputationalBudgetExceeded', 'PrivilegeEscalation',
    'ProgramEnvironmentSetupFailure', 'ProgramFailedToComplete', 'ProgramFailedToCompile', 'Immutable', 'IncorrectAuthority',
    'AccountNotRentExempt', 'InvalidAccountOwner', 'ArithmeticOverflow', 'UnsupportedSysvar', 'IllegalOwner', 'MaxAccountsDataAllocationsExceeded',
    'MaxAccountsExceeded', 'MaxInstructionTraceLengthExceeded', 'BuiltinProgramsMustConsumeComputeUnits', 'BorshIoError',
];
/** What a node refuses before it runs a transaction, so that nothing of it gets into a block. */
const NEVER_IN_A_BLOCK = new Set([
    'AccountNotFound', 'InsufficientFundsForFee', 'InvalidAccountForFee', 'AlreadyProcessed', 'BlockhashNotFound', 'SignatureFailure', 'SanitizeFailure',
    'AddressLookupTableNotFound', 'InvalidAddressLookupTableOwner', 'InvalidAddressLookupTableData', 'InvalidAddressLookupTableIndex', 'AccountLoadedTwice',
    'ProgramAccountNotFound', 'InvalidProgramForExecution', 'UnsupportedVersion',
]);

/** As nodes write what the machine says. */
function errorOf(error) {
    if (typeof error === 'number') return ERRORS[error];
    const kind = error.constructor.name;
    if (kind.includes('InsufficientFundsForRent')) return { InsufficientFundsForRent: { account_index: error.accountIndex } };
    if (kind.includes('DuplicateInstruction')) return { DuplicateInstruction: error.index };
    const inner = error.err();
    return { InstructionError: [error.index, typeof inner === 'number' ? INSTRUCTION_ERRORS[inner] : { Custom: inner.code }] };
}

export class Ledger {
    #svm;
    #store;
    #hashes = []; // { hash, height }, the newest last
    #history = new Map(); // by signature, the oldest first
    #changed = false;

    /** `state`: what state() gave; `store` keeps the history. */
    constructor({ state, store }) {
        this.#store = store;
        if (state === undefined) {
            this.#svm = new LiteSvm();
            this.#svm.withNativeMints();
            this.slot = SKIPPED + 1n;
        } else {
            this.#svm = LiteSvm.fromBytes(state.machine);
            this.slot = state.slot;
            this.#hashes = state.hashes;
            for (const entry of store.rows('transactions').values()) if (entry.slot !== undefined) this.#history.set(entry.id, entry);
        }
        this.#svm.setBlockhashCheck(false);
        this.#svm.setTransactionHistory(0n);
        this.#toSlot(this.slot);
    }

    state() {
        return { machine: this.#svm.toBytes(), slot: this.slot, hashes: this.#hashes };
    }

    // ---------------------------------------------------------------- time

    get height() {
        return this.slot - SKIPPED;
    }

    /** The newest slot of a commitment. */
    slotOf(commitment) {
        const behind = { processed: 0n, confirmed: BigInt(CONFIRMED_AFTER) }[commitment] ?? BigInt(FINALIZED_AFTER);
        return this.slot - behind < SKIPPED ? SKIPPED : this.slot - behind;
    }

    heightOf(commitment) {
        return this.slotOf(commitment) - SKIPPED;
    }

    /** A block for each of so many slots. */
    advance(slots = 1) {
        for (let i = 0; i < slots; i += 1) this.#toSlot(this.slot + 1n);
    }

    #toSlot(slot) {
        this.slot = slot;
        this.#svm.warpToSlot(slot);
        const clock = this.#svm.getClock();
        clock.unixTimestamp = BigInt(Math.floor(Date.now() / 1000));
        this.#svm.setClock(clock);
        this.#hashes.push({ hash: base58(randomBytes(32)), height: this.height });
        if (this.#hashes.length > HASHES_KEPT) this.#hashes.shift();
    }

    blockhash(commitment) {
        const height = this.heightOf(commitment);
        const { hash, height: own } = this.#hashes.findLast((each) => each.height <= height) ?? this.#hashes[0];
        return { blockhash: hash, lastValidBlockHeight: Number(own) + HASH_AGE_MAX };
    }

    /** As of the newest block of a commitment: to what is final a later hash is not known yet. */
    isValid(blockhash, commitment = 'processed') {
        const found = this.#hashes.find(({ hash }) => hash === blockhash), height = this.heightOf(commitment);
        return found !== undefined && found.height <= height && height <= found.height + BigInt(HASH_AGE_MAX);
    }

    /** A block that was on a fork which lost. */
    forget(blockhash) {
        this.#hashes = this.#hashes.filter(({ hash }) => hash !== blockhash);
    }

    // ---------------------------------------------------------------- accounts

    account(address) {
        const found = this.#svm.getAccount(keyOf(address));
        if (found === null || (found.lamports() === 0n && found.data().length === 0)) return undefined;
        return { lamports: found.lamports(), data: Buffer.from(found.data()), owner: base58(found.owner()), executable: found.executable() };
    }

    balance(address) {
        return this.#svm.getBalance(keyOf(address)) ?? 0n;
    }

    setAccount(address, { lamports, data = Buffer.alloc(0), owner, executable = false }) {
        this.#svm.setAccount(keyOf(address), new Account(BigInt(lamports), data, keyOf(owner), executable, 0n));
        this.#changed = true;
    }

    addProgram(address, bytes) {
        this.#svm.addProgram(keyOf(address), bytes);
    }

    rentOf(length) {
        return this.#svm.minimumBalanceForRentExemption(BigInt(length));
    }

    accountsOf(program) {
        return this.#svm.getProgramAccounts(keyOf(program)).map((each) => ({ address: base58(each.address), ...this.account(base58(each.address)) }));
    }

    // ---------------------------------------------------------------- transactions

    /** All accounts that a transaction names, by place; throws the name of a node's error. */
    accountsNamed({ keys, lookups }) {
        const tables = lookups.map(({ table, ...places }) => {
            const found = this.account(table);
            if (found === undefined) throw new Error('AddressLookupTableNotFound');
            if (found.owner !== LOOKUP_TABLES) throw new Error('InvalidAddressLookupTableOwner');
            const at = (place) => {
                const from = 56 + 32 * place;
                if (from + 32 > found.data.length) throw new Error('InvalidAddressLookupTableIndex');
                return base58(found.data.subarray(from, from + 32));
            };
            return { writable: places.writable.map(at), readonly: places.readonly.map(at) };
        });
        const loaded = { writable: tables.flatMap(({ writable }) => writable), readonly: tables.flatMap(({ readonly }) => readonly) };
        return { keys: [...keys, ...loaded.writable, ...loaded.readonly], loaded };
    }

    /** What would become of a transaction: { error, logs, units, accounts, inner, returned }. */
    simulate(bytes, { sigVerify = false, watched = [] } = {}) {
        this.#svm.setSigverify(sigVerify);
        const answer = this.#svm.simulateVersionedTransaction(bytes);
        const failed = typeof answer.err === 'function';
        const meta = answer.meta();
        const after = failed ? [] : answer.postAccounts().map((each) => [base58(each.address), each.account()]);
        const seen = new Map(after.map(([key, each]) => [key, { lamports: each.lamports(), data: Buffer.from(each.data()), owner: base58(each.owner()), executable: each.executable() }]));
        return {
            error: failed ? errorOf(answer.err()) : null, logs: meta.logs(), units: meta.computeUnitsConsumed(), inner: innerOf(meta),
            returned: meta.returnData(), accounts: watched.map((key) => seen.get(key) ?? this.account(key) ?? null),
        };
    }

    /** Runs a transaction in the present slot: its entry of the history, or { refused } where no block can have it. */
    run(bytes) {
        const transaction = readTransaction(bytes);
        const signature = base58(transaction.signatures[0]);
        if (this.#history.has(signature)) return { refused: 'AlreadyProcessed', signature };
        if (!this.isValid(transaction.blockhash)) return { refused: 'BlockhashNotFound', signature };
        let named;
        try {
            named = this.accountsNamed(transaction);
        } catch (error) {
            return { refused: error.message, signature };
        }
        const before = this.#balances(named.keys);
        this.#svm.setSigverify(true);
        const answer = this.#svm.sendVersionedTransaction(bytes);
        const error = typeof answer.err === 'function' ? errorOf(answer.err()) : null;
        const meta = typeof answer.meta === 'function' ? answer.meta() : answer;
        if (NEVER_IN_A_BLOCK.has(error)) return { refused: error, signature, logs: meta.logs() };
        const after = this.#balances(named.keys);
        const entry = {
            id: signature, bytes: bytes.toString('base64'), slot: Number(this.slot), time: Math.floor(Date.now() / 1000), error, logs: meta.logs(),
            units: Number(meta.computeUnitsConsumed()), inner: innerOf(meta), loaded: named.loaded, keys: named.keys, before, after, fee: feeOf(transaction),
        };
        this.#keep(entry);
        return entry;
    }

    #keep(entry) {
        this.#history.set(entry.id, entry);
        this.#store.keep({ transactions: [entry] });
        if (this.#history.size > HISTORY) this.#history.delete(this.#history.keys().next().value);
        this.#changed = true;
    }

    #balances(keys) {
        return {
            lamports: keys.map((key) => Number(this.balance(key))),
            tokens: keys.flatMap((key, index) => {
                const token = this.tokenAccount(key);
                return token === undefined ? [] : [{ index, mint: token.mint, owner: token.owner, program: token.program, amount: String(token.amount), decimals: token.decimals }];
            }),
        };
    }

    /** What a token's program keeps in an account; undefined where it is none. */
    tokenAccount(address) {
        const found = this.account(address);
        if (found === undefined || ![TOKEN, TOKEN_2022].includes(found.owner) || found.data.length < 165 || found.data[108] === 0) return undefined;
        const mint = base58(found.data.subarray(0, 32));
        return {
            mint, owner: base58(found.data.subarray(32, 64)), amount: found.data.readBigUInt64LE(64), program: found.owner, lamports: found.lamports,
            state: found.data[108] === 2 ? 'frozen' : 'initialized', decimals: this.decimalsOf(mint), native: found.data.readUInt32LE(109) === 1, length: found.data.length,
        };
    }

    decimalsOf(mint) {
        return this.account(mint)?.data[44] ?? 0;
    }

    entry(signature) {
        return this.#history.get(signature);
    }

    /** How sure it is that a slot stays. */
    commitmentOf(slot) {
        const depth = Number(this.slot) - slot;
        if (depth >= FINALIZED_AFTER) return 'finalized';
        return depth >= CONFIRMED_AFTER ? 'confirmed' : 'processed';
    }

    /** Those that name an account, the newest first. */
    *naming(address) {
        for (const entry of [...this.#history.values()].reverse()) if (entry.keys.includes(address)) yield entry;
    }

    // ---------------------------------------------------------------- forks

    /** Before a transaction that a fork is to drop. */
    mark() {
        return { machine: this.#svm.toBytes(), count: this.#history.size };
    }

    /** Another fork wins: what came after the mark is gone, all but the dropped one being in it too. */
    fork({ machine, count }, dropped) {
        const since = [...this.#history.values()].slice(count);
        this.#svm = LiteSvm.fromBytes(machine);
        this.#svm.setBlockhashCheck(false);
        this.#svm.setTransactionHistory(0n);
        this.#toSlot(this.slot);
        for (const { id } of since) this.#history.delete(id);
        for (const entry of since) if (entry.id !== dropped) this.run(Buffer.from(entry.bytes, 'base64'));
        this.#store.keep({ transactions: [{ id: dropped }] });
        this.#changed = true;
    }

    /** Whether anything has happened since this was asked last. */
    takeChanged() {
        const changed = this.#changed;
        this.#changed = false;
        return changed;
    }
}

const innerOf = (meta) => meta.innerInstructions().flatMap((list, index) => (list.length === 0 ? [] : [{
    index,
    instructions: list.map((each) => {
        const instruction = each.instruction();
        return { programIdIndex: instruction.programIdIndex(), accounts: [...instruction.accounts()], data: base58(instruction.data()), stackHeight: each.stackHeight() };
    }),
}]));

const LAMPORTS_PER_SIGNATURE = 5000n;

/** What its payer is charged. */
function feeOf({ signatures, instructions, keys }) {
    let limit, price = 0n;
    for (const { program, data } of instructions) {
        if (keys[program] !== COMPUTE_BUDGET) continue;
        if (data[0] === 2) limit = BigInt(data.readUInt32LE(1));
        if (data[0] === 3) price = data.readBigUInt64LE(1);
    }
    const units = limit ?? 200_000n * BigInt(instructions.length);
    return Number(LAMPORTS_PER_SIGNATURE * BigInt(signatures.length) + (units * price + 999_999n) / 1_000_000n);
}

