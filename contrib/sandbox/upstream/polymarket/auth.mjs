// Who asks: by a signature of the key (L1) for credentials, by a HMAC with these (L2) for all else.

import { createHmac } from 'node:crypto';
import { getAddress, isAddress } from 'ethers';
import { hmacOf, isTimely } from './hmac.mjs';
import { Refusal } from '../refusal.mjs';
import { clobAuthDigest, signerOf } from './signatures.mjs';

// Credentials follow from address and nonce, as the venue's do. They are no secret to readers of this sandbox.
const SEED = 'credentials of the sandbox';
const BASE64_URL = /^[A-Za-z0-9_-]+={0,2}$/;

const header = (call, name) => call.headers[`poly_${name}`];

/** { address, nonce } of who signed, or a refusal. */
export function checkL1(call) {
    const refuse = (why) => { throw new Refusal(401, 'Invalid L1 Request headers', why); };
    const [address, signature, timestamp, nonce = '0'] = ['address', 'signature', 'timestamp', 'nonce'].map((name) => header(call, name));
    if (!isAddress(address)) refuse('POLY_ADDRESS is no address');
    if (!isTimely(timestamp ?? '')) refuse('POLY_TIMESTAMP is stale');
    if (!/^\d{1,18}$/.test(nonce)) refuse('POLY_NONCE is no number');
    if (signerOf(clobAuthDigest(address, timestamp, nonce), signature) !== getAddress(address)) refuse('POLY_SIGNATURE is of another key');
    call.seen.verified.push('L1');
    return { address: getAddress(address), nonce };
}

/** The credentials that signed the request, or a refusal. */
export function checkL2(world, call) {
    const refuse = (why) => { throw new Refusal(401, 'Unauthorized/Invalid api key', why); };
    const credentials = world.store.rows('credentials').get(header(call, 'api_key'));
    if (credentials === undefined || credentials.deleted) refuse('POLY_API_KEY is unknown');
    if (header(call, 'address')?.toLowerCase() !== credentials.address.toLowerCase()) refuse('POLY_ADDRESS is not of this key');
    if (header(call, 'passphrase') !== credentials.passphrase) refuse('POLY_PASSPHRASE is wrong');
    const timestamp = header(call, 'timestamp');
    if (!isTimely(timestamp ?? '')) refuse('POLY_TIMESTAMP is stale');
    const signature = header(call, 'signature') ?? '';
    if (!BASE64_URL.test(signature)) refuse('POLY_SIGNATURE is not base64url');
    if (signature !== hmacOf(credentials.secret, timestamp, call)) refuse('POLY_SIGNATURE is wrong');
    call.seen.verified.push('L2');
    return credentials;
}

// ---------------------------------------------------------------- credentials

/** Those of an address and a nonce. */
export function credentialsOf({ address, nonce }) {
    const bytes = (what) => createHmac('sha256', SEED).update(`${what} ${address.toLowerCase()} ${nonce}`).digest();
    const hex = bytes('key').toString('hex');
    const id = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
    const secret = bytes('secret').toString('base64').replaceAll('+', '-').replaceAll('/', '_');
    return { id, address, nonce, secret, passphrase: bytes('passphrase').toString('hex'), deleted: false };
}

const shown = ({ id, secret, passphrase }) => ({ apiKey: id, secret, passphrase });

/** The same for the same address and nonce, however often it is called. */
export function createKey(world, call) {
    const credentials = credentialsOf(checkL1(call));
    world.store.keep({ credentials: [credentials] });
    return { json: shown(credentials) };
}

export function deriveKey(world, call) {
    const known = world.store.rows('credentials').get(credentialsOf(checkL1(call)).id);
    if (known === undefined || known.deleted) throw new Refusal(400, 'Could not derive api key!');
    return { json: shown(known) };
}

export function listKeys(world, call, { address }) {
    const own = [...world.store.rows('credentials').values()].filter((each) => each.address === address && !each.deleted);
    return { json: { apiKeys: own.map(({ id }) => id) } };
}

export function deleteKey(world, call, credentials) {
    world.store.keep({ credentials: [{ ...credentials, deleted: true }] });
    return { json: 'OK' };
}

export function closedOnly(world, call) {
    return { json: { closed_only: world.wrong('closed_only') !== undefined } };
}
