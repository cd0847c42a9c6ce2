// What stands on the sandbox's Solana: mints at their mainnet addresses, pools at the sandbox's prices, and programs in the
// places of Jupiter's and of Relay's depository.

import { createHash } from 'node:crypto';
import { TABLE, TABLED, VAULT } from './depository.mjs';
import { buildProgram } from './link.mjs';
import { DEPOSITORY, JUPITER, LOOKUP_TABLES, MEMO, SYSTEM, TOKEN, TOKEN_2022, WRAPPED, derived, keyOf, keyPair, tableData, tokenAccountOf } from './transaction.mjs';

/** Prices in dollars, as far as a pool is worth. */
export const MINTS = {
    USDC: { mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6, price: 1 },
    USDT: { mint: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', decimals: 6, price: 1 },
    JUP: { mint: 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', decimals: 6, price: 0.5 },
    BONK: { mint: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', decimals: 5, price: 0.00002 },
    WIF: { mint: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm', decimals: 6, price: 1 },
    PYUSD: { mint: '2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo', decimals: 6, price: 1, program: TOKEN_2022 },
};
export const COIN = { mint: WRAPPED, decimals: 9, price: 150 };
const POOL_DOLLARS = 20_000_000;

const seedOf = (name) => createHash('sha256').update(`the sandbox's ${name}`).digest();
/** Who mints tokens for tests, and who pays what solvers pay. */
export const BANK = keyPair(seedOf('bank'));
export const SOLVER = keyPair(seedOf('solver'));

/**
 * Mints that Jupiter lists next to those, with the decimals that the list says; `real` are the chain's. Those with a price have a
 * pool, and extensions of the newer program that are rare: `toll` of ten thousand stay behind with every transfer, or each calls
 * a program that the caller does not pass.
 */
const listed = (symbol, decimals, more = {}) => ({ symbol, decimals, mint: keyPair(seedOf(`mint of ${more.name ?? symbol}`)).address, ...more });
export const LISTED = [
    listed('ANCHOR', 6), listed('BUOY', 9, { program: TOKEN_2022 }), listed('EBB', 6, { name: 'Ebb of the Atlantic' }), listed('ebb', 8, { name: 'Ebb of the Pacific' }),
    listed('USDC', 6, { name: 'False dollar' }), listed('KEEL', 9, { name: 'Keel with other decimals', real: 6 }), listed('JETTY', 6, { name: 'Unverified jetty', isVerified: false }),
    listed('TOLL', 6, { price: 1, program: TOKEN_2022, toll: 100 }), listed('HOOK', 6, { price: 1, program: TOKEN_2022, hook: true }),
];
const POOLED = LISTED.filter(({ price }) => price !== undefined);

/** The one account that all pools' stocks belong to. */
export const POOL = derived(JUPITER, [Buffer.from('pool')]);

/** The stock of `mint` in the pool against `other`: an account that only this pair uses. */
const stockOf = (mint, other) => derived(JUPITER, [Buffer.from('stock'), keyOf(mint), keyOf(other)]).address;

/** The pool of two mints, as routeV2 wants it. */
export const poolOf = (a, b) => ({ authority: POOL.address, bump: POOL.bump, vaults: { [a]: stockOf(a, b), [b]: stockOf(b, a) } });

/** Every token trades against USDC, and against the coin. */
export const PAIRS = [...Object.values(MINTS), ...POOLED].flatMap(({ mint }) => [[mint, MINTS.USDC.mint], [mint, WRAPPED]]).filter(([a, b]) => a !== b);

const PLAIN_LEN = 165, KIND_MINT = 1, KIND_ACCOUNT = 2;

/** With an extension behind it, if it has one: { type, data }. */
function extended(plain, kind, extension) {
    if (extension === undefined) return plain;
    const head = Buffer.alloc(4);
    head.writeUInt16LE(extension.type, 0);
    head.writeUInt16LE(extension.data.length, 2);
    return Buffer.concat([plain, Buffer.alloc(PLAIN_LEN - plain.length), Buffer.from([kind]), head, extension.data]);
}

function mintExtension({ toll, hook }) {
    if (hook) return { type: 14, data: Buffer.concat([keyOf(BANK.address), keyOf(MEMO)]) };
    if (toll === undefined) return undefined;
    const data = Buffer.alloc(108); // two authorities and what was withheld, then the toll twice: since when, at most, how much
    for (const at of [72, 90]) {
        data.writeBigUInt64LE(2n ** 64n - 1n, at + 8);
        data.writeUInt16LE(toll, at + 16);
    }
    return { type: 1, data };
}

function accountExtension({ toll, hook }) {
    if (hook) return { type: 15, data: Buffer.alloc(1) };
    return toll === undefined ? undefined : { type: 2, data: Buffer.alloc(8) };
}

function mintData({ decimals, ...more }) {
    const data = Buffer.alloc(82);
    data.writeUInt32LE(1, 0);
    keyOf(BANK.address).copy(data, 4);
    data.writeBigUInt64LE(10n ** 18n, 36);
    data.writeUInt8(decimals, 44);
    data.writeUInt8(1, 45);
    return extended(data, KIND_MINT, mintExtension(more));
}

function tokenData(mint, owner, amount, native) {
    const data = Buffer.alloc(PLAIN_LEN);
    keyOf(mint).copy(data);
    keyOf(owner).copy(data, 32);
    data.writeBigUInt64LE(amount, 64);
    data.writeUInt8(1, 108);
    if (native !== undefined) {
        data.writeUInt32LE(1, 109);
        data.writeBigUInt64LE(native, 113);
    }
    return extended(data, KIND_ACCOUNT, accountExtension(mintOf(mint)));
}

const known = [COIN, ...Object.values(MINTS), ...POOLED];
const mintOf = (mint) => known.find((each) => each.mint === mint);
export const programOf = (mint) => mintOf(mint)?.program ?? TOKEN;

/** Writes an account of a token with so much in it. */
function putTokens(ledger, address, mint, owner, amount) {
    const native = mint === WRAPPED ? ledger.rentOf(PLAIN_LEN) : undefined;
    const data = tokenData(mint, owner, amount, native);
    ledger.setAccount(address, { lamports: ledger.rentOf(data.length) + (native === undefined ? 0n : amount), data, owner: programOf(mint) });
}

/** Gives an address so much of a token on top of what it has. */
export function fundTokens(ledger, owner, mint, amount) {
    const address = tokenAccountOf(owner, mint, programOf(mint));
    putTokens(ledger, address, mint, owner, (ledger.tokenAccount(address)?.amount ?? 0n) + amount);
    return address;
}

export function fundCoin(ledger, owner, lamports) {
    ledger.setAccount(owner, { lamports: ledger.balance(owner) + lamports, owner: SYSTEM });
}

/** So many smallest units are worth the dollars. */
const worth = (mint, dollars) => {
    const { price, decimals } = mintOf(mint);
    return BigInt(Math.round(dollars / price * 1000)) * 10n ** BigInt(decimals) / 1000n;
};

/** The programs, built anew at each start, since only their bytes are kept with the state; and what they are used with. */
export function addPrograms(ledger) {
    for (const [address, name] of [[JUPITER, 'jupiter'], [DEPOSITORY, 'depository']]) {
        ledger.addProgram(address, buildProgram(new URL(`programs/${name}.c`, import.meta.url).pathname));
    }
    const table = tableData(TABLED);
    ledger.setAccount(TABLE, { lamports: ledger.rentOf(table.length), data: table, owner: LOOKUP_TABLES });
}

/** Everything on an empty ledger. */
export function buildWorld(ledger) {
    for (const { mint, decimals, real = decimals, program = TOKEN, ...more } of [...Object.values(MINTS), ...LISTED]) {
        const data = mintData({ decimals: real, ...more });
        ledger.setAccount(mint, { lamports: ledger.rentOf(data.length), data, owner: program });
    }
    for (const [a, b] of PAIRS) {
        putTokens(ledger, stockOf(a, b), a, POOL.address, worth(a, POOL_DOLLARS));
        putTokens(ledger, stockOf(b, a), b, POOL.address, worth(b, POOL_DOLLARS));
    }
    for (const { address } of [BANK, SOLVER]) fundCoin(ledger, address, 1_000_000n * 10n ** 9n);
    for (const { mint } of Object.values(MINTS)) fundTokens(ledger, SOLVER.address, mint, worth(mint, POOL_DOLLARS));
    fundCoin(ledger, VAULT.address, ledger.rentOf(0));
}
