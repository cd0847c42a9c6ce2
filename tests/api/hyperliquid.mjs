// The sandbox's perpetuals as their traders see them. Nothing here asks the gateway.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Signature, Wallet } from 'ethers';
import { digestOf } from '../../contrib/sandbox/upstream/hyperliquid/signatures.mjs';
import { ROOT, until } from './lib.mjs';
import { freePort } from './ports.mjs';

export const VECTORS = JSON.parse(readFileSync(`${ROOT}tests/vectors/hyperliquid.json`, 'utf8'));
const ASK_LIMIT_MS = 10_000;

/**
 * The venue in a process of the test's own: { base, info, exchange, control, act, fault, audit, stop, kill }. With a `state` it goes
 * on from what others with that state have kept; `chains` are URLs by name.
 */
export async function ownVenue({ state = '-', chains = {} } = {}) {
    const port = await freePort();
    const named = Object.entries(chains).map(([name, url]) => `${name}=${url}`);
    const program = spawn(process.execPath, [`${ROOT}contrib/sandbox/upstream/server.mjs`, String(port), '-', state, ...named], { stdio: ['ignore', 'ignore', 'inherit'] });
    const gone = once(program, 'exit');
    const end = async (signal) => { program.kill(signal); await gone; };
    process.once('exit', () => program.kill('SIGKILL'));
    const base = `http://127.0.0.1:${port}`;
    const ask = async (method, path, body) => {
        const response = await fetch(base + path, { method, body: body && (typeof body === 'string' ? body : JSON.stringify(body)), signal: AbortSignal.timeout(ASK_LIMIT_MS) });
        const text = await response.text();
        try {
            return { status: response.status, body: JSON.parse(text) };
        } catch {
            return { status: response.status, body: text };
        }
    };
    const control = async (method, body, path = '') => (await ask(method, `/_sandbox${path}`, body)).body;
    await until('a venue', () => control('GET').then(() => true, () => false));
    const told = async (fault, value, more) => {
        const answer = await control('POST', { service: 'hyperliquid', fault, value, ...more });
        assert.equal(answer.error, undefined, answer.error);
        return answer.done;
    };
    return {
        base, ask, control,
        info: async (type, more) => (await ask('POST', '/hyperliquid/info', { type, ...more })).body,
        exchange: (body) => ask('POST', '/hyperliquid/exchange', body),
        act: (name, value) => told(name, value),
        fault: (name, value, more = { times: 1 }) => told(name, value, more),
        honest: () => control('DELETE'),
        audit: (table) => control('GET', undefined, `/audit/${table}?service=hyperliquid`),
        stop: () => end('SIGTERM'),
        kill: () => end('SIGKILL'),
    };
}

let last = 0;
/** Of now, and never twice. */
export const newNonce = () => { last = Math.max(Date.now(), last + 1); return last; };

export const newCloid = () => `0x${randomBytes(16).toString('hex')}`;
/** Without the words that the library makes of random ones, which takes its time. */
export const newKey = () => new Wallet(`0x${randomBytes(32).toString('hex')}`);

/** The body of a request that a key signs. `more`: nonce, expiresAfter, vaultAddress. */
export function signedBody(key, action, { nonce = newNonce(), ...more } = {}) {
    const request = { action, nonce, ...more };
    const { r, s, v } = Signature.from(key.signingKey.sign(digestOf(request)));
    return JSON.stringify({ action, nonce, signature: { r, s, v }, ...more });
}

const USER = { signatureChainId: '0xa4b1', hyperliquidChain: 'Mainnet' };

/** A trader with an account at the venue, unless there is no `money` for one. */
export class Trader {
    constructor(venue, key = newKey()) {
        Object.assign(this, { venue, key, address: key.address.toLowerCase() });
    }

    /** With so many dollars, after what the first credit costs. */
    static async with(venue, money) {
        const trader = new Trader(venue);
        await venue.act('give', { user: trader.address, amount: String(money + 1) });
        return trader;
    }

    async send(body) {
        return (await this.venue.exchange(body)).body;
    }

    /** An L1 action by this key or another one. */
    l1(action, { key = this.key, ...more } = {}) {
        return this.send(signedBody(key, action, more));
    }

    /** What a user signs: `time` where the nonce has that name. */
    user(type, members, { nonce = newNonce(), name = 'nonce', key = this.key } = {}) {
        return this.send(signedBody(key, { type, ...USER, ...members, [name]: nonce }, { nonce }));
    }

    approveAgent(agent, agentName) {
        return this.user('approveAgent', { agentAddress: agent.address.toLowerCase(), agentName });
    }

    withdraw(amount, destination = this.address, more) {
        return this.user('withdraw3', { destination, amount }, { name: 'time', ...more });
    }

    /** The statuses of orders. */
    async orders(orders, { grouping = 'na', ...more } = {}) {
        const answer = await this.l1({ type: 'order', orders, grouping }, more);
        assert.equal(answer.status, 'ok', JSON.stringify(answer));
        return answer.response.data.statuses;
    }

    /** The status of one. */
    async order(...args) {
        const statuses = await this.orders([orderOf(...args)]);
        assert.equal(statuses.length, 1);
        return statuses[0];
    }

    /** Lists without their rows of other markets. */
    async info(type, more) {
        const answer = await this.venue.info(type, { user: this.address, ...more });
        return Array.isArray(answer) ? answer.filter((row) => /^\w*$/.test(row?.coin ?? row?.delta?.coin ?? '')) : answer;
    }

    state() {
        return this.info('clearinghouseState');
    }

    async position(coin) {
        return (await this.state()).assetPositions.map(({ position }) => position).find((each) => each.coin === coin);
    }

    async statusOf(oid) {
        const { status, order } = await this.info('orderStatus', { oid });
        return order?.status ?? status;
    }

    async cancel(a, cloid) {
        return (await this.l1({ type: 'cancelByCloid', cancels: [{ asset: a, cloid }] })).response.data.statuses[0];
    }

    leverage(asset, leverage, isCross = true) {
        return this.l1({ type: 'updateLeverage', asset, isCross, leverage });
    }
}

/** The assets by name: their places in the universe. */
export const A = { BTC: 0, ETH: 1, SOL: 5, AVAX: 6, BNB: 7, ARB: 11, DOGE: 12, SUI: 14, LINK: 18, XRP: 25 };

/** An order as a request has it. `tif` or a trigger { isMarket, triggerPx, tpsl }. */
export function orderOf(coin, side, size, price, { tif = 'Gtc', reduceOnly = false, cloid, trigger } = {}) {
    return {
        a: A[coin] ?? coin, b: side === 'buy', p: price, s: size, r: reduceOnly, t: trigger === undefined ? { limit: { tif } } : { trigger }, ...(cloid && { c: cloid }),
    };
}
