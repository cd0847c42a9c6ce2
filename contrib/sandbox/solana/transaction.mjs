// Solana's wire formats: addresses, transactions, what tokens' programs are told.

import { ed25519 } from '@noble/curves/ed25519';
import { createHash, createPrivateKey, sign } from 'node:crypto';

export const SIGNATURE_LEN = 64, KEY_LEN = 32, TRANSACTION_MAX = 1232;
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const VERSIONED = 0x80;
const TABLE_HEADER = 56;

// ---------------------------------------------------------------- Base58

export function base58(bytes) {
    let value = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`), text = '';
    for (; value > 0n; value /= 58n) text = ALPHABET[Number(value % 58n)] + text;
    for (const byte of bytes) {
        if (byte !== 0) break;
        text = `1${text}`;
    }
    return text;
}

/** The bytes of a text; undefined unless they are that many. */
export function fromBase58(text, length) {
    if (typeof text !== 'string' || text.length > 90) return undefined;
    let value = 0n, zeros = 0;
    for (const letter of text) {
        const digit = ALPHABET.indexOf(letter);
        if (digit < 0) return undefined;
        value = value * 58n + BigInt(digit);
    }
    while (text[zeros] === '1') zeros += 1;
    const hex = value === 0n ? '' : value.toString(16);
    const bytes = Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')]);
    return bytes.length === length ? bytes : undefined;
}

export const keyOf = (text) => fromBase58(text, KEY_LEN);

// ---------------------------------------------------------------- programs and accounts of theirs

export const SYSTEM = '11111111111111111111111111111111';
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ASSOCIATED_TOKEN = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
export const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
export const LOOKUP_TABLES = 'AddressLookupTab1e1111111111111111111111111';
export const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
export const JUPITER_EVENTS = 'D8cy77BBepLMngZx6ZukaTff5hCt1HrWyKk3Hnd9oitf';
export const DEPOSITORY = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2';
export const WRAPPED = 'So11111111111111111111111111111111111111112';

const isOnCurve = (bytes) => {
    try {
        ed25519.ExtendedPoint.fromHex(bytes, true);
        return true;
    } catch {
        return false;
    }
};

/** The address that a program derives from seeds, and its bump. */
export function derived(program, seeds) {
    for (let bump = 255; bump >= 0; bump -= 1) {
        const parts = [...seeds, Buffer.from([bump]), keyOf(program), 'ProgramDerivedAddress'];
        const hash = parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest();
        if (!isOnCurve(hash)) return { address: base58(hash), bump };
    }
    throw new Error('no address can be derived');
}

export const tokenAccountOf = (owner, mint, program = TOKEN) => derived(ASSOCIATED_TOKEN, [keyOf(owner), keyOf(program), keyOf(mint)]).address;

// ---------------------------------------------------------------- keys

/** A key pair of a seed of 32 bytes. */
export function keyPair(seed) {
    const key = createPrivateKey({ key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]), format: 'der', type: 'pkcs8' });
    return { address: base58(ed25519.getPublicKey(seed)), sign: (message) => sign(null, message, key) };
}

// ---------------------------------------------------------------- reading

export class Malformed extends Error {}

class Reader {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }

    take(n) {
        if (this.at + n > this.bytes.length) throw new Malformed('it ends too early');
        this.at += n;
        return this.bytes.subarray(this.at - n, this.at);
    }

    u8() {
        return this.take(1)[0];
    }

    compactU16() {
        let value = 0;
        for (let i = 0; ; i += 1) {
            const byte = this.u8();
            if ((i === 2 && byte > 3) || (i > 0 && byte === 0)) throw new Malformed('a number that is not in its shortest form');
            value |= (byte & 0x7f) << (7 * i);
            if (!(byte & VERSIONED)) return value;
        }
    }

    counted() {
        return this.take(this.compactU16());
    }

    list(read) {
        return Array.from({ length: this.compactU16() }, () => read());
    }
}

/** A transaction of its bytes; throws Malformed. */
export function readTransaction(bytes) {
    if (bytes.length > TRANSACTION_MAX) throw new Malformed('it is too large');
    const r = new Reader(bytes);
    if (bytes[0] & VERSIONED) throw new Malformed('an unknown version');
    const signatures = r.list(() => r.take(SIGNATURE_LEN));
    const message = bytes.subarray(r.at);
    const legacy = !(message[0] & VERSIONED);
    if (!legacy && r.u8() !== VERSIONED) throw new Malformed('an unknown version');
    const [signers, readonlySigners, readonlyOthers] = [r.u8(), r.u8(), r.u8()];
    const keys = r.list(() => base58(r.take(KEY_LEN)));
    const blockhash = base58(r.take(KEY_LEN));
    const instructions = r.list(() => ({ program: r.u8(), accounts: [...r.counted()], data: Buffer.from(r.counted()) }));
    const lookups = legacy ? [] : r.list(() => ({ table: base58(r.take(KEY_LEN)), writable: [...r.counted()], readonly: [...r.counted()] }));
    if (r.at !== bytes.length) throw new Malformed('bytes are left over');
    if (signatures.length !== signers || signers === 0 || readonlySigners >= signers || signers + readonlyOthers > keys.length) throw new Malformed('a wrong header');
    const count = keys.length + lookups.reduce((sum, { writable, readonly }) => sum + writable.length + readonly.length, 0);
    for (const { program, accounts } of instructions) {
        if (program === 0 || program >= keys.length || accounts.some((place) => place >= count)) throw new Malformed('an account that is not in it');
    }
    return { signatures, message, legacy, header: { signers, readonlySigners, readonlyOthers }, keys, blockhash, instructions, lookups };
}

// ---------------------------------------------------------------- writing

const compactU16 = (value) => {
    const bytes = [];
    for (; value > 0x7f; value >>= 7) bytes.push((value & 0x7f) | VERSIONED);
    return Buffer.from([...bytes, value]);
};
const listOf = (parts) => Buffer.concat([compactU16(parts.length), ...parts]);

/** An account that an instruction names. */
export const account = (key, { signs = false, writes = false } = {}) => ({ key, signs, writes });

/** The unsigned transaction that `payer` pays for. `tables`: lookup tables, each { key, addresses }; a `legacy` one has none. */
export function writeTransaction(payer, instructions, blockhash, { tables = [], legacy = false } = {}) {
    const all = new Map([[payer, account(payer, { signs: true, writes: true })]]);
    const add = ({ key, signs, writes }) => {
        const known = all.get(key);
        all.set(key, account(key, { signs: signs || known?.signs, writes: writes || known?.writes }));
    };
    for (const { accounts } of instructions) accounts.forEach(add);
    for (const { program } of instructions) add(account(program));
    const programs = new Set(instructions.map(({ program }) => program));
    const lookups = tables.map(({ key, addresses }) => {
        const found = [...all.values()].filter((each) => !each.signs && !programs.has(each.key) && addresses.includes(each.key));
        found.forEach(({ key: taken }) => all.delete(taken));
        return { key, addresses, writable: found.filter(({ writes }) => writes), readonly: found.filter(({ writes }) => !writes) };
    }).filter(({ writable, readonly }) => writable.length + readonly.length > 0);
    const groups = [[true, true], [true, false], [false, true], [false, false]]
        .map(([signs, writes]) => [...all.values()].filter((each) => Boolean(each.signs) === signs && Boolean(each.writes) === writes));
    const keys = [...groups.flat(), ...lookups.flatMap(({ writable }) => writable), ...lookups.flatMap(({ readonly }) => readonly)].map(({ key }) => key);
    const own = groups.flat().map(({ key }) => keyOf(key));
    const signers = groups[0].length + groups[1].length;
    const message = Buffer.concat([
        Buffer.from([...(legacy ? [] : [VERSIONED]), signers, groups[1].length, groups[3].length]),
        listOf(own), keyOf(blockhash),
        listOf(instructions.map(({ program, accounts, data }) => Buffer.concat([
            Buffer.from([keys.indexOf(program)]), listOf(accounts.map(({ key }) => Buffer.from([keys.indexOf(key)]))), compactU16(data.length), data,
        ]))),
        ...(legacy ? [] : [listOf(lookups.map(({ key, addresses, writable, readonly }) => Buffer.concat([
            keyOf(key), ...[writable, readonly].map((part) => listOf(part.map(({ key: each }) => Buffer.from([addresses.indexOf(each)])))),
        ])))]),
    ]);
    return Buffer.concat([compactU16(signers), Buffer.alloc(signers * SIGNATURE_LEN), message]);
}

/** The same with the signatures of these keys. */
export function signTransaction(bytes, ...keys) {
    const { message, keys: accounts } = readTransaction(bytes);
    const signed = Buffer.from(bytes);
    for (const key of keys) key.sign(message).copy(signed, 1 + accounts.indexOf(key.address) * SIGNATURE_LEN);
    return signed;
}

// ---------------------------------------------------------------- instructions

const numbers = (...parts) => Buffer.concat(parts.map(([value, length]) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    return bytes.subarray(0, length);
}));
const signer = (key) => account(key, { signs: true, writes: true });
const written = (key) => account(key, { writes: true });

export const computeLimit = (units) => ({ program: COMPUTE_BUDGET, accounts: [], data: numbers([2, 1], [units, 4]) });
export const computePrice = (price) => ({ program: COMPUTE_BUDGET, accounts: [], data: numbers([3, 1], [price, 8]) });
export const memo = (text) => ({ program: MEMO, accounts: [], data: Buffer.from(text) });
/** The account of a lookup table. */
export function tableData(addresses) {
    const header = Buffer.alloc(TABLE_HEADER);
    header.writeUInt32LE(1);
    header.fill(0xff, 4, 12); // never deactivated
    return Buffer.concat([header, ...addresses.map(keyOf)]);
}

export const payCoin = (from, to, lamports) => ({ program: SYSTEM, accounts: [signer(from), written(to)], data: numbers([2, 4], [lamports, 8]) });
export const openAccount = (payer, owner, mint, program = TOKEN) => ({
    program: ASSOCIATED_TOKEN, data: Buffer.from([1]),
    accounts: [signer(payer), written(tokenAccountOf(owner, mint, program)), account(owner), account(mint), account(SYSTEM), account(program)],
});
export const syncNative = (owner) => ({ program: TOKEN, accounts: [written(tokenAccountOf(owner, WRAPPED))], data: Buffer.from([17]) });
export const closeWrapped = (owner) => ({ program: TOKEN, accounts: [written(tokenAccountOf(owner, WRAPPED)), written(owner), signer(owner)], data: Buffer.from([9]) });
export const transferToken = (owner, mint, decimals, to, amount, program = TOKEN) => ({
    program, data: numbers([12, 1], [amount, 8], [decimals, 1]),
    accounts: [written(tokenAccountOf(owner, mint, program)), account(mint), written(tokenAccountOf(to, mint, program)), account(owner, { signs: true })],
});

/** Jupiter's route_v2 through one pool of the sandbox: { authority, bump, vaults: { mint: account } }. */
export const routeV2 = (wallet, { sell, buy, amount, quoted, slippage, fee = 0, sellProgram = TOKEN, buyProgram = TOKEN }, pool) => ({
    program: JUPITER,
    data: Buffer.concat([Buffer.from('bb64facc31c4af14', 'hex'), numbers([amount, 8], [quoted, 8], [slippage, 2], [fee, 2], [0, 2]), Buffer.from([1, 0, 0, 0, pool.bump])]),
    accounts: [
        account(wallet, { signs: true }), written(tokenAccountOf(wallet, sell, sellProgram)), written(tokenAccountOf(wallet, buy, buyProgram)),
        account(sell), account(buy), account(sellProgram), account(buyProgram), account(JUPITER), account(JUPITER_EVENTS), account(JUPITER),
        written(pool.vaults[sell]), written(pool.vaults[buy]), account(pool.authority),
    ],
});
