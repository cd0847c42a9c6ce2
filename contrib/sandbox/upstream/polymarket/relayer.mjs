// The relayer's requests. A builder key signs its requests and submits for any owner; a relayer API key submits for its
// own address alone. Of a builder's day so many transactions are taken, and then none until it is over, in the words of public
// issues of 2026.

import { readFileSync } from 'node:fs';
import { getAddress, isAddress, isHexString } from 'ethers';
import { ADDRESSES } from '../../polymarket.mjs';
import { hmacOf, isTimely } from './hmac.mjs';
import { Refusal } from '../refusal.mjs';
import { routed, routesOf } from '../routes.mjs';

const METADATA_MAX = 500;
const RECENT = 100;
const RESETS_S = 41230;

/** A builder's, which the gateway has. */
export const BUILDER_KEY = keyFile(new URL('../../relayer.key', import.meta.url));
/** Of one of the node's development accounts. */
export const API_KEY = { key: '019a6d2e-7c41-7b5e-9d38-4f0c2ab17e65', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' };

function keyFile(url) {
    const [key, secret, passphrase] = readFileSync(url, 'utf8').trim().split(' ');
    return { key, secret, passphrase };
}

const ROUTES = routesOf([
    ['POST', '/submit', submit],
    ['GET', '/deployed', deployed],
    ['GET', '/nonce', nonce],
    ['GET', '/transaction', (world, { query }) => [shown(relayOf(world, query.get('id')))]],
    ['GET', '/transactions', recent],
    ['GET', '/v1/account/transactions/params', params],
    ['GET', '/v1/account/transactions/:id', account],
]);

export async function answerRelayer(world, request) {
    const { handler, call } = routed(ROUTES, request);
    return { json: await handler(world, call) };
}

// ---------------------------------------------------------------- what is asked

async function deployed({ relays }, { query }) {
    const owner = await relays.ownerOf(addressIn(query));
    return { deployed: query.get('type') === 'WALLET' && owner !== undefined };
}

async function nonce({ relays }, { query }) {
    const owner = addressIn(query);
    if (query.get('type') !== 'WALLET') throw new Refusal(400, 'invalid type');
    return { nonce: String(await relays.nonceOf(owner)) };
}

async function params(world, call) {
    checkKey(call);
    return { address: call.query.get('address'), ...await nonce(world, call) };
}

function account(world, call) {
    checkKey(call);
    const { transactionID, transactionHash, state, errorMsg } = shown(relayOf(world, call.id));
    return { transaction_id: transactionID, transaction_hash: transactionHash || null, state, error_msg: errorMsg || null };
}

function recent({ relays }, call) {
    return relays.of(checkKey(call).key).slice(0, RECENT).map(shown);
}

function relayOf({ relays }, id) {
    const row = relays.get(id);
    if (row === undefined) throw new Refusal(404, 'transaction not found');
    return row;
}

function addressIn(query) {
    const address = query.get('address');
    if (!isAddress(address)) throw new Refusal(400, 'invalid address');
    return address;
}

function shown(row) {
    const { hash, state, error } = row.denied ? { hash: '', state: 'STATE_FAILED', error: 'internal error' } : row;
    return {
        transactionID: row.id, transactionHash: hash, from: row.owner, to: ADDRESSES.walletFactory, proxyAddress: row.wallet, data: row.data,
        nonce: row.nonce, value: '', signature: row.signature, state, type: row.type, owner: row.owner, metadata: row.metadata,
        createdAt: row.createdAt, updatedAt: row.updatedAt, errorMsg: error,
    };
}

// ---------------------------------------------------------------- what is submitted

const isNumber = (value) => typeof value === 'string' && /^(0|[1-9]\d{0,77})$/.test(value) && BigInt(value) < 2n ** 256n;
const isBytes = (value) => isHexString(value, true);
const isCall = (value) => isAddress(value?.target) && isNumber(value.value) && isBytes(value.data);
const isWalletParams = (value) => isAddress(value?.depositWallet) && isNumber(value.deadline) && Array.isArray(value.calls) && value.calls.every(isCall);
const isMetadata = (value) => value === undefined || (typeof value === 'string' && value.length <= METADATA_MAX);

const CREATION = { from: isAddress, to: isAddress, metadata: isMetadata };
const FORMS = {
    'WALLET-CREATE': CREATION,
    WALLET: { ...CREATION, nonce: isNumber, signature: isBytes, depositWalletParams: isWalletParams },
};

async function submit({ relays, wrong }, call) {
    const { key, address } = checkKey(call);
    const quota = wrong('relay_quota');
    if (quota !== undefined) throw new Refusal(429, `quota exceeded: 0 units remaining, resets in ${quota.value ?? RESETS_S} seconds`);
    const wanted = parsed(call.body);
    if (address !== undefined && getAddress(wanted.from) !== address) throw new Refusal(400, `from ${wanted.from} does not match auth ${address}`);
    if (getAddress(wanted.to) !== ADDRESSES.walletFactory) throw new Refusal(400, 'to is not the deposit wallet factory');
    const { id } = await relays.submit(key, wanted);
    return { transactionID: id, state: 'STATE_NEW' };
}

function parsed(body) {
    let wanted;
    try {
        wanted = JSON.parse(body);
    } catch {
        throw new Refusal(400, 'invalid request body');
    }
    const form = Object.hasOwn(FORMS, wanted?.type) ? FORMS[wanted.type] : undefined;
    if (form === undefined) throw new Refusal(400, 'unsupported transaction type');
    const wrong = Object.keys(form).find((name) => !form[name](wanted[name]));
    if (wrong !== undefined) throw new Refusal(400, `invalid ${wrong}`);
    return wanted;
}

// ---------------------------------------------------------------- who asks

/** The key of a request, with the address that it is bound to, or a refusal. */
function checkKey(call) {
    const { headers, seen } = call;
    if (headers.relayer_api_key === API_KEY.key && headers.relayer_api_key_address?.toLowerCase() === API_KEY.address.toLowerCase()) {
        seen.verified = ['relayer API key'];
        return API_KEY;
    }
    const refuse = (why) => { throw new Refusal(401, 'invalid authorization', why); };
    const header = (name) => headers[`poly_builder_${name}`] ?? '';
    if (header('api_key') !== BUILDER_KEY.key) refuse('the key is unknown');
    if (header('passphrase') !== BUILDER_KEY.passphrase) refuse('POLY_BUILDER_PASSPHRASE is wrong');
    if (!isTimely(header('timestamp'))) refuse('POLY_BUILDER_TIMESTAMP is stale');
    if (header('signature') !== hmacOf(BUILDER_KEY.secret, header('timestamp'), call)) refuse('POLY_BUILDER_SIGNATURE is wrong');
    seen.verified = ['builder key'];
    return { key: BUILDER_KEY.key };
}
