// What keys sign, and whose signature it is.

import { encode } from '@msgpack/msgpack';
import {
    TypedDataEncoder, concat, getBytes, hexlify, isHexString, keccak256, recoverAddress, toBeHex, zeroPadValue,
} from 'ethers';
import { canonical } from './amounts.mjs';

const NO_CONTRACT = `0x${'0'.repeat(40)}`;
const L1_DOMAIN = { name: 'Exchange', version: '1', chainId: 1337, verifyingContract: NO_CONTRACT };
const AGENT = { Agent: [{ name: 'source', type: 'string' }, { name: 'connectionId', type: 'bytes32' }] };
const SOURCES = { Mainnet: 'a', Testnet: 'b' };
const DECIMALS = ['p', 's', 'triggerPx'];
const ADDRESSES = ['b', 'c', 'cloid', 'oid', 'vaultAddress'];

const fields = (text) => text.split(',').map((each) => { const [type, name] = each.split(' '); return { name, type }; });
/** By action: [primary type, its members, the one that the request's nonce repeats]. */
const USER_SIGNED = {
    usdClassTransfer: ['UsdClassTransfer', 'string hyperliquidChain,string amount,bool toPerp,uint64 nonce', 'nonce'],
    usdSend: ['UsdSend', 'string hyperliquidChain,string destination,string amount,uint64 time', 'time'],
    withdraw3: ['Withdraw', 'string hyperliquidChain,string destination,string amount,uint64 time', 'time'],
    approveAgent: ['ApproveAgent', 'string hyperliquidChain,address agentAddress,string agentName,uint64 nonce', 'nonce'],
    approveBuilderFee: ['ApproveBuilderFee', 'string hyperliquidChain,string maxFeeRate,address builder,uint64 nonce', 'nonce'],
    userSetAbstraction: ['UserSetAbstraction', 'string hyperliquidChain,address user,string abstraction,uint64 nonce', 'nonce'],
    sendToEvmWithData: ['SendToEvmWithData', 'string hyperliquidChain,string token,string amount,string sourceDex,string destinationRecipient,'
        + 'string addressEncoding,uint32 destinationChainId,uint64 gasLimit,bytes data,uint64 nonce', 'nonce'],
};

export const isUserSigned = ({ type }) => Object.hasOwn(USER_SIGNED, type);

/** The nonce within a user-signed action. */
export const innerNonce = (action) => action[USER_SIGNED[action.type][2]];

/** An action as the venue encodes it: its members in the order in which they came, decimals and addresses in its own spelling. */
function asEncoded(value, name) {
    if (Array.isArray(value)) return value.map((each) => asEncoded(each));
    if (value !== null && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asEncoded(each, key)]));
    if (typeof value !== 'string') return value;
    if (DECIMALS.includes(name)) return canonical(value);
    return ADDRESSES.includes(name) && isHexString(value) ? value.toLowerCase() : value;
}

export const msgpackOf = (action) => hexlify(encode(asEncoded(action)));

/** What the hash of an L1 action is made of. */
export function preimageOf({ action, nonce, vaultAddress, expiresAfter }) {
    const vault = vaultAddress == null ? '0x00' : concat(['0x01', vaultAddress]);
    const expiry = expiresAfter == null ? '0x' : concat(['0x00', toBeHex(expiresAfter, 8)]);
    return concat([msgpackOf(action), toBeHex(nonce, 8), vault, expiry]);
}

export const connectionId = (request) => keccak256(preimageOf(request));

export function l1Digest(request, network = 'Mainnet') {
    return TypedDataEncoder.hash(L1_DOMAIN, AGENT, { source: SOURCES[network], connectionId: connectionId(request) });
}

export function userSignedDigest(action) {
    const [primary, members] = USER_SIGNED[action.type];
    const types = { [`HyperliquidTransaction:${primary}`]: fields(members) };
    const message = Object.fromEntries(fields(members).map(({ name, type }) => [name, type === 'address' ? action[name].toLowerCase() : action[name]]));
    const domain = { name: 'HyperliquidSignTransaction', version: '1', chainId: Number(action.signatureChainId), verifyingContract: NO_CONTRACT };
    return TypedDataEncoder.hash(domain, types, message);
}

export const digestOf = (request) => (isUserSigned(request.action) ? userSignedDigest(request.action) : l1Digest(request));

/** Whose signature a request bears; undefined for none, or for what cannot be encoded. */
export function authorOf(request) {
    try {
        return signerOf(digestOf(request), request.signature);
    } catch {
        return undefined;
    }
}

/** Whose signature a request bears, in lower case; undefined for what is none. Leading zeros may be missing. */
export function signerOf(digest, { r, s, v }) {
    try {
        const [first, second] = [r, s].map((part) => zeroPadValue(getBytes(toBeHex(BigInt(part))), 32));
        return recoverAddress(digest, concat([first, second, toBeHex(v, 1)])).toLowerCase();
    } catch {
        return undefined;
    }
}
