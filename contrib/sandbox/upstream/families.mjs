// What bridges have to tell apart between chains of the EVM and Solana: addresses are texts as their chain writes them.

import { ZeroAddress, getAddress, hexlify, id, isAddress, randomBytes } from 'ethers';
import { SIGNATURE_LEN, SYSTEM, base58, keyOf } from '../solana/transaction.mjs';

export const isSolana = ({ name }) => name === 'solana';
/** How bridges write the coin. */
export const coinOf = (chain) => (isSolana(chain) ? SYSTEM : ZeroAddress);
/** An address of a chain, or undefined. */
export const addressOn = (chain, text) => {
    if (isSolana(chain)) return keyOf(text) && text;
    return isAddress(text) ? getAddress(text) : undefined;
};
/** The bytes of an address, in hex. */
export const bytesOf = (address) => (address.startsWith('0x') ? address : hexlify(keyOf(address)));

const STRANGER = id('a stranger');
/** An address that no wallet here has. */
export const strangerOn = (chain) => (isSolana(chain) ? base58(Buffer.from(STRANGER.slice(2), 'hex')) : getAddress(`0x${STRANGER.slice(-40)}`));
/** A transaction that does not exist. */
export const noTransaction = (chain) => (isSolana(chain) ? base58(randomBytes(SIGNATURE_LEN)) : hexlify(randomBytes(32)));
