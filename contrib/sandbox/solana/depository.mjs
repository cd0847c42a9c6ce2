// Relay's depository on Solana: where it keeps deposits, what it is told, and what it was told by transactions. Its program
// is programs/depository.c.

import { createHash } from 'node:crypto';
import { ASSOCIATED_TOKEN, DEPOSITORY, SYSTEM, TOKEN, account, derived, fromBase58, keyOf, keyPair, tokenAccountOf } from './transaction.mjs';

const DEPOSIT_COIN = '0d9e0ddf5fd51c06', DEPOSIT_TOKEN = '0b9c60da27a3b413', DEPOSIT_LEN = 8 + 8 + 32;

/** Its settings, and where it keeps deposits: accounts of tokens belong to the vault. */
export const STATE = derived(DEPOSITORY, [Buffer.from('relay_depository')]);
export const VAULT = derived(DEPOSITORY, [Buffer.from('vault')]);

/** A lookup table of what every deposit names, which Relay hands over with its instructions. */
export const TABLE = keyPair(createHash('sha256').update("the depository's table").digest()).address;
export const TABLED = [STATE.address, VAULT.address, TOKEN, ASSOCIATED_TOKEN, SYSTEM];

function depositData(kind, amount, id) {
    const data = Buffer.alloc(DEPOSIT_LEN);
    data.write(kind, 'hex');
    data.writeBigUInt64LE(amount, 8);
    data.write(id.slice(2), 16, 'hex');
    return data;
}

/** The instruction by which a wallet deposits so much of a token, or of the coin, for the order of that id. */
export function depositOf(wallet, { token, amount, program = TOKEN }, id) {
    const sender = account(wallet, { signs: true, writes: true });
    if (token === SYSTEM) {
        const accounts = [account(STATE.address), sender, account(wallet), account(VAULT.address, { writes: true }), account(SYSTEM)];
        return { program: DEPOSITORY, accounts, data: depositData(DEPOSIT_COIN, amount, id) };
    }
    const held = (owner) => account(tokenAccountOf(owner, token, program), { writes: true });
    return {
        program: DEPOSITORY, data: depositData(DEPOSIT_TOKEN, amount, id),
        accounts: [
            account(STATE.address), sender, account(wallet), account(VAULT.address), account(token), held(wallet), held(VAULT.address), account(program),
            account(ASSOCIATED_TOKEN), account(SYSTEM),
        ],
    };
}

/** The deposits of a transaction as a node tells of it: [{ token, amount, id, depositor }, …]. */
export function depositsOf({ meta, transaction: { message } }) {
    if (meta.err !== null) return [];
    const keys = [...message.accountKeys, ...meta.loadedAddresses.writable, ...meta.loadedAddresses.readonly];
    const calls = [...message.instructions, ...meta.innerInstructions.flatMap(({ instructions }) => instructions)];
    return calls.filter(({ programIdIndex }) => keys[programIdIndex] === DEPOSITORY).flatMap(({ accounts, data }) => {
        const bytes = fromBase58(data, DEPOSIT_LEN), kind = bytes?.toString('hex', 0, 8);
        if (![DEPOSIT_COIN, DEPOSIT_TOKEN].includes(kind)) return [];
        return [{
            token: kind === DEPOSIT_COIN ? SYSTEM : keys[accounts[4]], amount: bytes.readBigUInt64LE(8), id: `0x${bytes.toString('hex', 16)}`,
            depositor: keys[accounts[2]],
        }];
    });
}
