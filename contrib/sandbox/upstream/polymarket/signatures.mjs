// What keys sign, and whose signature it is.

import {
    TypedDataEncoder, concat, dataLength, dataSlice, id, isHexString, keccak256, recoverAddress, toBeHex, toUtf8Bytes,
} from 'ethers';
import { KINDS } from '../../polymarket.mjs';
import { CHAIN_ID } from './polygon.mjs';

export const [EOA, POLY_PROXY, POLY_GNOSIS_SAFE, POLY_1271] = [0, 1, 2, 3];

const INNER_LENGTH = 65;

const CLOB_AUTH_DOMAIN = { name: 'ClobAuthDomain', version: '1', chainId: CHAIN_ID };
const CLOB_AUTH = {
    ClobAuth: [
        { name: 'address', type: 'address' }, { name: 'timestamp', type: 'string' },
        { name: 'nonce', type: 'uint256' }, { name: 'message', type: 'string' },
    ],
};
const CLOB_AUTH_MESSAGE = 'This message attests that I control the given wallet';

export const ORDER = {
    Order: [
        ['uint256', 'salt'], ['address', 'maker'], ['address', 'signer'], ['uint256', 'tokenId'],
        ['uint256', 'makerAmount'], ['uint256', 'takerAmount'], ['uint8', 'side'], ['uint8', 'signatureType'],
        ['uint256', 'timestamp'], ['bytes32', 'metadata'], ['bytes32', 'builder'],
    ].map(([type, name]) => ({ type, name })),
};
const ORDER_ENCODER = TypedDataEncoder.from(ORDER);
const ORDER_TYPE = ORDER_ENCODER.encodeType('Order');
const WRAPPED_TYPE_HASH = id(
    `TypedDataSign(Order contents,string name,string version,uint256 chainId,address verifyingContract,bytes32 salt)${ORDER_TYPE}`,
);

const WALLET_DOMAIN = [id('DepositWallet'), id('1'), toBeHex(CHAIN_ID, 32)]; // without the address
const NO_SALT = toBeHex(0, 32);
const ORDER_TYPE_TAIL = concat([toUtf8Bytes(ORDER_TYPE), toBeHex(ORDER_TYPE.length, 2)]);

/** Whose signature of a digest this is; undefined for one that the contracts would not take. */
export function signerOf(digest, signature) {
    if (!isHexString(signature, INNER_LENGTH)) return undefined;
    const v = Number(dataSlice(signature, 64, 65));
    if (v !== 27 && v !== 28) return undefined;
    try {
        return recoverAddress(digest, signature); // refuses a high s
    } catch {
        return undefined;
    }
}

export function clobAuthDigest(address, timestamp, nonce) {
    return TypedDataEncoder.hash(CLOB_AUTH_DOMAIN, CLOB_AUTH, { address, timestamp, nonce, message: CLOB_AUTH_MESSAGE });
}

// ---------------------------------------------------------------- orders

/** Of the exchange of each kind of market. */
const SEPARATORS = Object.fromEntries(Object.entries(KINDS).map(([kind, { exchange, version }]) => [
    kind, TypedDataEncoder.hashDomain({ name: 'Polymarket CTF Exchange', version, chainId: CHAIN_ID, verifyingContract: exchange }),
]));

const digestOf = (separator, struct) => keccak256(concat(['0x1901', separator, struct]));

/** Of the members alone: it takes as long as all else that is asked about an order, and is asked for several times. */
const structs = new WeakMap();
function structOf(order) {
    if (!structs.has(order)) structs.set(order, ORDER_ENCODER.hash(order));
    return structs.get(order);
}

/** An order's id. */
export const orderHash = (kind, order) => digestOf(SEPARATORS[kind], structOf(order));

/** What the owner of a deposit wallet signs for an order of the wallet. */
export function wrappedDigest(kind, order) {
    const struct = keccak256(concat([WRAPPED_TYPE_HASH, structOf(order), ...WALLET_DOMAIN, toBeHex(order.maker, 32), NO_SALT]));
    return digestOf(SEPARATORS[kind], struct);
}

/** That signature with all that the wallet needs to check it (ERC-7739). */
export function wrapSignature(kind, order, inner) {
    return concat([inner, SEPARATORS[kind], structOf(order), ORDER_TYPE_TAIL]);
}

/** Whose signature an order bears: undefined if it is no signature of this order on the exchange of such markets. */
export function orderSigner(kind, order, signature) {
    if (order.signatureType !== POLY_1271) return signerOf(orderHash(kind, order), signature);
    if (!isHexString(signature) || dataLength(signature) < INNER_LENGTH) return undefined;
    const inner = dataSlice(signature, 0, INNER_LENGTH);
    if (signature.toLowerCase() !== wrapSignature(kind, order, inner)) return undefined;
    return signerOf(wrappedDigest(kind, order), inner);
}

/** The signature of a key for an order of its own, or for one of its deposit wallet. */
export function signOrder(kind, order, key) {
    if (order.signatureType !== POLY_1271) return key.signingKey.sign(orderHash(kind, order)).serialized;
    return wrapSignature(kind, order, key.signingKey.sign(wrappedDigest(kind, order)).serialized);
}
