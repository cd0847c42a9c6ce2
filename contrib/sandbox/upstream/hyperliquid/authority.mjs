// Who may do what: accounts by their own keys, and the keys that they let trade for them.
//
// An API wallet: { id (its address), user, name, validUntil }. What a key signed: { id (its address), nonces }.

import { innerNonce, isUserSigned } from './signatures.mjs';
import { accountOf, touch } from './world.mjs';

const NONCES_KEPT = 100;
const DAY_MS = 86_400_000;
const OLDEST_MS = 2 * DAY_MS, NEWEST_MS = DAY_MS;
const VALID_MS = 90 * DAY_MS, VALID_MOST_MS = 180 * DAY_MS;
const NAME_MAX = 16;
const NAMED_MAX = 3;
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** What is answered with status "err". */
export class Refused extends Error {}

/** The account that a key may act for: a wrong signature has a signer that the venue does not know. */
export function accountFor(world, request, signer) {
    const { action, nonce, vaultAddress } = request;
    const isUsers = isUserSigned(action);
    if (isUsers && innerNonce(action) !== nonce) throw new Refused('Nonce mismatch.');
    if (isUsers && action.hyperliquidChain !== 'Mainnet') throw new Refused('Mainnet and testnet require different signature.');
    if (signer === undefined) throw new Refused('Unable to recover signer.');
    const account = accountOf(world, isUsers ? signer : agentOf(world, signer)?.user ?? signer);
    if (account === undefined && isUsers) throw new Refused(`Must deposit before performing actions. User: ${signer}`);
    if (account === undefined) throw new Refused(`User or API Wallet ${signer} does not exist.`);
    if (vaultAddress != null) throw new Refused(`Vault not registered: ${vaultAddress.toLowerCase()}`);
    return account;
}

/** Whether the time until which an action may be taken has passed. */
export const isExpired = ({ expiresAfter }) => expiresAfter != null && Date.now() > expiresAfter;

// ---------------------------------------------------------------- nonces

/** Takes a nonce, which a key uses once. */
export function takeNonce(world, signer, nonce) {
    const now = Date.now();
    const { nonces = [] } = world.store.rows('nonces').get(signer) ?? {};
    if (nonces.includes(nonce)) throw new Refused(`Invalid nonce: duplicate nonce ${nonce}`);
    const least = Math.max(now - OLDEST_MS, nonces.length < NONCES_KEPT ? 0 : Math.min(...nonces));
    if (nonce <= least) throw new Refused(`Invalid nonce: nonce too low ${nonce} < ${least}`);
    if (nonce >= now + NEWEST_MS) throw new Refused(`Invalid nonce: nonce too high ${nonce} > ${now + NEWEST_MS}`);
    const kept = [...nonces, nonce].sort((a, b) => b - a).slice(0, NONCES_KEPT);
    const row = { id: signer, nonces: kept };
    world.store.rows('nonces').set(signer, row);
    touch(world, 'nonces', row);
}

// ---------------------------------------------------------------- API wallets

const isInForce = (agent) => agent?.user !== undefined && agent.validUntil > Date.now();

/** The API wallet at an address; one whose time is over is forgotten, and what it signed with it. */
export function agentOf(world, address) {
    const agent = world.store.rows('agents').get(address);
    if (isInForce(agent)) return agent;
    if (agent?.user !== undefined) dismiss(world, agent);
    return undefined;
}

export const agentsOf = (world, user) => [...world.store.rows('agents').values()].filter((agent) => agent.user === user && isInForce(agent));

/** Its nonces are forgotten: what it signed before would act again were it ever let in again. */
function dismiss(world, agent) {
    const gone = { id: agent.id };
    const unused = { id: agent.id, nonces: [] };
    world.store.rows('agents').set(agent.id, gone);
    world.store.rows('nonces').set(agent.id, unused);
    touch(world, 'agents', gone);
    touch(world, 'nonces', unused);
}

/** Lets a key trade for an account, in place of the one that had its name. */
export function approveAgent(world, account, { agentAddress, agentName }) {
    const address = agentAddress.toLowerCase();
    const { name, validUntil } = termsIn(agentName);
    const own = agentsOf(world, account.id);
    const replaced = own.find((agent) => agent.name === name);
    if (address !== ZERO_ADDRESS) {
        if (accountOf(world, address) !== undefined || agentOf(world, address) !== undefined) throw new Refused('Extra agent already used.');
        if (name !== '' && replaced === undefined && own.filter((agent) => agent.name !== '').length >= NAMED_MAX) throw new Refused('Too many extra agents.');
    }
    if (replaced !== undefined) dismiss(world, replaced);
    if (address === ZERO_ADDRESS) return;
    const agent = { id: address, user: account.id, name, validUntil };
    world.store.rows('agents').set(address, agent);
    touch(world, 'agents', agent);
}

/** A name may say until when. */
function termsIn(text) {
    const [, name = text, until] = /^(.*?) valid_until (\d{1,15})$/.exec(text) ?? [];
    const now = Date.now();
    if (text !== '' && (name.length < 1 || name.length > NAME_MAX)) throw new Refused('Extra agent name must be between 1 and 16 characters long');
    const validUntil = until === undefined ? now + VALID_MS : Number(until);
    if (validUntil <= now || validUntil > now + VALID_MOST_MS) throw new Refused('Extra agent valid until must be in the future and at most 180 days away');
    return { name, validUntil };
}

// ---------------------------------------------------------------- fees of builders

const TENTHS = 1000; // of a basis point, in a per cent

/** "0.01%": as much of each order a builder may take, in tenths of a basis point. */
export function approveBuilderFee(world, account, { maxFeeRate, builder }) {
    const [, share] = /^(\d+(?:\.\d{1,3})?)%$/.exec(maxFeeRate) ?? [];
    if (share === undefined) throw new Refused('Invalid fee rate.');
    account.builders = { ...account.builders, [builder.toLowerCase()]: Math.round(Number(share) * TENTHS) };
    touch(world, 'accounts', account);
}

export const builderFeeOf = (account, builder) => account?.builders?.[builder.toLowerCase()] ?? 0;

/** A builder takes of an order what its account has approved, at most. */
export function checkBuilder(account, { builder }) {
    if (builder != null && builder.f > builderFeeOf(account, builder.b)) throw new Refused('Builder fee has not been approved.');
}
