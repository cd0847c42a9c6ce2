// What the black-box tests share: a client, agents, waiting on conditions, a webhook receiver, a list of messages.
// Where the service and the chains are comes from the environment; without it, the ports of `make up`.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, Agent as Connections, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { fund } from './chain.mjs';
import { Contract, OPERATORS, compacted } from './contract.mjs';
import { PATIENCE_MS, enough, noteWait } from '../patience.mjs';
import { stackSettings } from '../../contrib/sandbox/settings.mjs';
import { pulse } from '../progress.mjs';

export const GATEWAY = process.env.GATEWAY_URL ?? 'http://127.0.0.1:8080';
export const API = '/v1/agent';
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const STACK = `${ROOT}contrib/sandbox/stack`;

const REQUEST_LIMIT_MS = enough(60_000);

// ---------------------------------------------------------------- requests

// Idle ones are ended before the web server does so: who posts on one that ends just then gets no answer.
const connections = new Connections({ keepAlive: true, maxSockets: 256, timeout: 15_000 });

/**
 * One request, as exact as a test wants it: `json` is encoded, `body` goes out as it is. Resolves to { status, headers,
 * text, body }, `body` being the parsed JSON. A status of 500 or more fails the test unless `mayBreak` is set, and so does
 * an answer that the service's own description does not allow. `base` is another gateway's address. The request
 * fails after `limit` milliseconds. It is repeated as the service says while too many calls wait for others, unless it is
 * not `patient`; and a few times when others did not answer in time, unless it `mayBreak`.
 */
export async function send(method, path, {
    key, json, body = encoded(json), headers = {}, mayBreak = false, base = GATEWAY, limit = REQUEST_LIMIT_MS,
    patient = true,
} = {}) {
    const all = { ...headers };
    if (key !== undefined) all.authorization ??= `Bearer ${key}`;
    if (json !== undefined) all['content-type'] ??= 'application/json';
    if (body !== undefined) all['content-length'] ??= Buffer.byteLength(body);
    // A kept connection may end just when it is used again; to read once more does no harm.
    const ask = () => exchange(method, base + path, all, body, limit).catch((error) => {
        if (method === 'GET' && error.code === 'ECONNRESET') return exchange(method, base + path, all, body, limit);
        throw error;
    });
    let begun = Date.now(), answer = await ask();
    for (let tries = 0; patient; begun = Date.now(), answer = await ask()) {
        if (isBusy(answer)) await pause(Number(answer.headers['retry-after']) * 1000);
        else if (!mayBreak && (isLate(answer, Date.now() - begun) || isUnread(method, answer)) && tries < LATE_PAUSES.length) await pause(LATE_PAUSES[tries++]);
        else break;
    }
    assert.ok(mayBreak || answer.status < 500, `${method} ${path} ended with ${show(answer)}`);
    // What the web server says while the gateway is away is not the service's.
    if (answer.status < 500 || answer.body !== undefined) (await contract(path, isCompact(path, answer))).check(method, path, answer);
    return answer;
}

/** Too many calls wait for others at once: nothing was done, and nothing was wrong with this one. */
export const isBusy = ({ status, body }) => status === 429 && /^Too many calls are waiting/.test(body?.hint);

/**
 * Others did not answer in time, which happens on busy machines: the hint says that nothing was done, and what to do. An answer
 * that comes sooner, in `ms`, than any timeout of the service has another cause, and is a failure, unless no node or provider was
 * asked, since they had been late just before.
 */
export const isLate = ({ status, body }, ms) => status === 500
    && ((ms >= SOONEST_MS && /\bretry with backoff\b/i.test(body?.hint)) || /\bretry in a few seconds\b/.test(body?.hint));
/** Once in a while, while transactions reach the sandbox's chain, what a read asks of it comes soon, and cannot be read. */
const isUnread = (method, { status, body }) => method === 'GET' && status === 500 && /^No node of the chain '\w+' answers in time/.test(body?.hint);
const SOONEST_MS = 500; // the signer's; nodes and providers have longer
const LATE_PAUSES = [1_000, 3_000];

const encoded = (json) => (json === undefined ? undefined : JSON.stringify(json));

const agreed = new Map();

/** Whether an answer has the compact form. */
const isCompact = (path, { headers }) => headers['preference-applied'] !== undefined || /[?&]compact=true\b/.test(path);

/** The service's description of itself to agents, of the compact form too, or of what a path of the operator's belongs to, read once. */
export async function contract(path = API, compact = false) {
    const prefix = path.startsWith(`${OPERATORS}/`) ? OPERATORS : API;
    if (compact && !agreed.has('compact')) agreed.set('compact', new Contract(compacted((await contract(path)).document), prefix));
    if (compact) return agreed.get('compact');
    if (!agreed.has(prefix)) {
        const { body } = await until('the description', () => exchange('GET', `${GATEWAY}${prefix}/openapi`, {}).then(
            (answer) => answer.status === 200 && answer, () => false));
        if (!agreed.has(prefix)) agreed.set(prefix, new Contract(body, prefix));
    }
    return agreed.get(prefix);
}

function exchange(method, url, headers, body, limit = REQUEST_LIMIT_MS) {
    return new Promise((resolve, reject) => {
        const request = httpRequest(url, { method, headers, agent: connections, timeout: limit });
        let answered = false;
        request.on('response', (response) => {
            answered = true;
            const parts = [];
            response.on('data', (part) => parts.push(part));
            response.on('error', reject);
            response.on('end', () => resolve(readAnswer(response, Buffer.concat(parts).toString('utf8'))));
        });
        request.on('timeout', () => request.destroy(new Error(`no answer within ${limit} ms`)));
        // A server may refuse a large body before it has read all of it.
        request.on('error', (error) => { if (!answered) reject(error); });
        request.end(body);
    });
}

function readAnswer({ statusCode: status, headers }, text) {
    let body;
    try {
        body = JSON.parse(text);
    } catch {
        body = undefined;
    }
    return { status, headers, text, body };
}

/** What a portfolio shows in transit, without its worth, which is known. */
export const inTransit = ({ in_transit: list }) => list.map(({ usd_value: worth, ...rest }) => {
    assert.ok(Number(worth) > 0, JSON.stringify(list));
    return rest;
});

export function show({ status, headers, text }) {
    const again = headers?.['retry-after'] === undefined ? '' : ` (Retry-After: ${headers['retry-after']})`;
    return `${status}${again} ${text.slice(0, 500)}`;
}

// ---------------------------------------------------------------- messages

/** Every refusal that the tests expect, as the specification words it: status and error_code. */
const MESSAGES = [
    ['Validation failed', 400, 'VALIDATION_ERROR'],
    [/^Unknown field '[^']*'$/, 400, 'VALIDATION_ERROR'],
    [/^[A-Za-z_]+ is required$/, 400, 'VALIDATION_ERROR'],
    ['At least one field must be provided', 400, 'VALIDATION_ERROR'],
    ['operation or tags is required', 400, 'VALIDATION_ERROR'],
    ['The answer is too large for a tool', 400, 'VALIDATION_ERROR'],
    ['Unknown tool', 400, 'VALIDATION_ERROR'],
    ['Amount must be a positive number', 400, 'VALIDATION_ERROR'],
    ['Amount is too small for a new account', 400, 'VALIDATION_ERROR'],
    ['Slippage must be between 0 and 1', 400, 'VALIDATION_ERROR'],
    ['from_token and to_token must differ', 400, 'VALIDATION_ERROR'],
    ['No provider left to ask', 400, 'VALIDATION_ERROR'],
    [/^Unknown provider '.*'$/s, 400, 'VALIDATION_ERROR'],
    [/^to_wallet_address is not a valid address of [a-z]+$/, 400, 'VALIDATION_ERROR'],
    ['to_wallet_address is for swaps between Solana and other chains', 400, 'VALIDATION_ERROR'],
    [/^Unknown chain '.*'$/s, 400, 'CHAIN_UNSUPPORTED'],
    [/^Unknown token '.*' on chain '[a-z]+'$/s, 400, 'TOKEN_UNKNOWN'],
    ['Cross-chain route not available', 400, 'NO_ROUTE'],
    ['Insufficient liquidity for this trade', 400, 'INSUFFICIENT_LIQUIDITY'],
    ['Nothing in the book matches the order', 400, 'ORDER_NOT_MATCHED'],
    ['side must be BUY or SELL', 400, 'VALIDATION_ERROR'],
    ['Provide quote_id or (from_token, to_token, amount)', 400, 'VALIDATION_ERROR'],
    ['Quote has expired', 400, 'QUOTE_EXPIRED'],
    ['Quote expired', 400, 'QUOTE_EXPIRED'],
    ['Invalid quote_id', 400, 'QUOTE_NOT_FOUND'],
    ['Quote not found', 404, 'QUOTE_NOT_FOUND'],
    ['No managed wallet found', 404, 'WALLET_NOT_FOUND'],
    ['Swap not found', 404, 'SWAP_NOT_FOUND'],
    [/^Lending is not available on chain '.*'$/, 400, 'CHAIN_UNSUPPORTED'],
    ['collateral is not possible in this market', 400, 'VALIDATION_ERROR'],
    [/^Market is (not active|frozen|paused)$/, 400, 'MARKET_NOT_OPEN'],
    ['Borrowing is not enabled for this asset', 400, 'MARKET_NOT_OPEN'],
    [/^(Supply|Borrow) cap reached$/, 400, 'CAP_REACHED'],
    ['Insufficient collateral', 400, 'INSUFFICIENT_COLLATERAL'],
    ['Insufficient liquidity in this market', 400, 'INSUFFICIENT_LIQUIDITY'],
    [/^Health factor would fall below [0-9.]+$/, 400, 'HEALTH_FACTOR'],
    ['No debt to repay', 400, 'NO_DEBT'],
    ['Amount exceeds supplied balance', 400, 'INSUFFICIENT_BALANCE'],
    ['Market refuses this operation', 400, 'SIMULATION_REVERTED'],
    ['Operation not found', 404, 'OPERATION_NOT_FOUND'],
    ['Operation in progress', 409, 'OPERATION_IN_PROGRESS'],
    ['Lending operation failed', 500, 'INTERNAL_ERROR'],
    ['Market not found', 404, 'MARKET_NOT_FOUND'],
    [/^Unknown market '.*'$/s, 400, 'MARKET_NOT_FOUND'],
    ['side must be long or short', 400, 'VALIDATION_ERROR'],
    ['size must be a positive number', 400, 'VALIDATION_ERROR'],
    [/^size exceeds \d decimals$/, 400, 'VALIDATION_ERROR'],
    [/^Leverage must be between 1 and \d+$/, 400, 'VALIDATION_ERROR'],
    ['Perps trading is not configured', 400, 'NOT_CONFIGURED'],
    ['Amount must be at least 5 USDC', 400, 'VALIDATION_ERROR'],
    [/^Perps transfers are not available on chain '[a-z]+'$/, 400, 'CHAIN_UNSUPPORTED'],
    ['Insufficient margin', 400, 'INSUFFICIENT_BALANCE'],
    ['Perpetuals account is not funded', 400, 'INSUFFICIENT_BALANCE'],
    ['Perps transfer failed', 500, 'UPSTREAM_ERROR'],
    ['Transfer not found', 404, 'TRANSFER_NOT_FOUND'],
    ['Withdrawal address not found', 404, 'WITHDRAWAL_ADDRESS_NOT_FOUND'],
    ['Withdrawal address is not active', 403, 'WITHDRAWAL_ADDRESS_WAITING'],
    ['Withdrawal address is already known', 409, 'CONFLICT'],
    ['Another withdrawal address has this label', 409, 'CONFLICT'],
    ['address is not a valid address', 400, 'VALIDATION_ERROR'],
    ['address cannot be withdrawn to', 400, 'VALIDATION_ERROR'],
    ['Withdrawal address is for other chains', 400, 'VALIDATION_ERROR'],
    ['The recipient is an account of a program, and no wallet', 400, 'VALIDATION_ERROR'],
    ['The recipient cannot be paid', 400, 'VALIDATION_ERROR'],
    ['The recipient is a contract on another chain, and nothing on this one', 400, 'VALIDATION_ERROR'],
    ['label must not read as an address', 400, 'VALIDATION_ERROR'],
    ['to and address_id name different addresses', 400, 'VALIDATION_ERROR'],
    ['Withdrawal not found', 404, 'WITHDRAWAL_NOT_FOUND'],
    ['Token keeps a part of each transfer', 400, 'SIMULATION_REVERTED'],
    ['Order not found', 404, 'ORDER_NOT_FOUND'],
    ['Order is not open', 409, 'ORDER_NOT_OPEN'],
    ['Unknown tokenId', 400, 'TOKEN_UNKNOWN'],
    [/^Price must be a multiple of 0\.\d+$/, 400, 'VALIDATION_ERROR'],
    [/^Size must be at least [\d.]+$/, 400, 'VALIDATION_ERROR'],
    ['A purchase that matches at once must cost at least 1 dollar', 400, 'VALIDATION_ERROR'],
    ['Market is not accepting orders', 400, 'MARKET_NOT_OPEN'],
    ['Insufficient balance or allowance', 400, 'INSUFFICIENT_BALANCE'],
    ['Insufficient balance', 400, 'INSUFFICIENT_BALANCE'],
    ['Insufficient gas', 400, 'INSUFFICIENT_GAS'],
    ['An identical transaction of this wallet is already being sent', 409, 'CONFLICT'],
    ['Price moved beyond slippage', 400, 'SLIPPAGE_EXCEEDED'],
    ['Price impact too high', 400, 'PRICE_IMPACT'],
    ['Price could not be verified', 400, 'PRICE_UNVERIFIED'],
    ['Transaction would revert', 400, 'SIMULATION_REVERTED'],
    ['wallet_address is not a valid address', 400, 'VALIDATION_ERROR'],
    ['A portfolio shows at most 100 wallets', 400, 'VALIDATION_ERROR'],
    ['symbols must have at most 20 symbols', 400, 'VALIDATION_ERROR'],
    ['Unable to parse command', 400, 'COMMAND_NOT_UNDERSTOOD'],
    ['Command exceeds 500 character limit', 400, 'VALIDATION_ERROR'],
    ['Not configured on this service', 400, 'NOT_CONFIGURED'],
    ['Invalid status filter', 400, 'VALIDATION_ERROR'],
    ['limit must be between 1 and 100', 400, 'VALIDATION_ERROR'],
    ['offset must be 0 or more', 400, 'VALIDATION_ERROR'],
    ['Invalid or missing API key', 401, 'INVALID_API_KEY'],
    ['Unauthorized', 401, 'INVALID_API_KEY'],
    ['Invalid or missing API key', 401, 'AGENT_INACTIVE'],
    ['Unauthorized', 401, 'AGENT_INACTIVE'],
    ['Invalid or missing token', 401, 'INVALID_TOKEN'],
    ['HTTPS is required', 403, 'HTTPS_REQUIRED'],
    ['The token is read-only', 403, 'READ_ONLY'],
    ['Agent not found', 404, 'NOT_FOUND'],
    [/^Refused: /, 409, 'CONFLICT'],
    ['No callback_url configured', 400, 'VALIDATION_ERROR'],
    ['Webhook event not found', 404, 'NOT_FOUND'],
    ['Agent is already deactivated', 409, 'CONFLICT'],
    ['Agent is already active', 409, 'CONFLICT'],
    ['Refused while the operator has stopped the agent', 403, 'AGENT_STOPPED'],
    ['The operator has deactivated the agent', 403, 'AGENT_STOPPED'],
    ["The agent's wallets still hold something", 409, 'WALLETS_FUNDED'],
    ["Something of the agent's has not ended", 409, 'WALLETS_FUNDED'],
    ["confirm must be the agent's name", 400, 'VALIDATION_ERROR'],
    ['Trading not permitted for this wallet', 400, 'NOT_PERMITTED'],
    ['The agent has open orders', 409, 'ORDERS_OPEN'],
    ["What the agent's wallets hold could not be read", 409, 'WALLETS_FUNDED'],
    ['Request in progress', 409, 'REQUEST_IN_PROGRESS'],
    ['Idempotency-Key must have 1 to 255 characters', 400, 'VALIDATION_ERROR'],
    ['Idempotency-Key was already used with another body', 422, 'IDEMPOTENCY_MISMATCH'],
    ['Rate limit exceeded', 429, 'RATE_LIMITED'],
    ['Not found', 404, 'NOT_FOUND'],
    ['Method not allowed', 405, 'METHOD_NOT_ALLOWED'],
    ['Service unavailable', 503, 'SERVICE_UNAVAILABLE'],
    ["The chain's nodes are behind", 503, 'NODES_BEHIND'],
    ['Content-Length is required', 411, 'LENGTH_REQUIRED'],
    ['Request body too large', 413, 'PAYLOAD_TOO_LARGE'],
    ['Unsupported media type', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['Perps trading is not configured', 400, 'NOT_CONFIGURED'],
    ['Perpetuals account is not funded', 400, 'INSUFFICIENT_BALANCE'],
    [/^(price|timeInForce|slippage) belongs to (limit|market) orders$/, 400, 'VALIDATION_ERROR'],
    [/^No open position for [A-Z]+-USD$/, 404, 'POSITION_NOT_FOUND'],
    ['Leverage was refused by the venue', 400, 'VALIDATION_ERROR'],
    ['Rate limit exceeded', 429, 'RATE_LIMITED'],
    ['Trading is paused by the operator', 403, 'POLICY_VIOLATION'],
    ['Refused by a wallet policy', 403, 'POLICY_VIOLATION'],
    ["The policy is the operator's", 403, 'POLICY_VIOLATION'],
    ['Too many approval requests are waiting', 403, 'POLICY_VIOLATION'],
    ['Approval denied', 403, 'POLICY_VIOLATION'],
    ['Approval expired', 400, 'APPROVAL_EXPIRED'],
    ['Approval not found', 404, 'APPROVAL_NOT_FOUND'],
    ['Policy not found', 404, 'POLICY_NOT_FOUND'],
    ['Storage limit reached', 400, 'QUOTA_EXCEEDED'],
    ["Refused by the operator's limits", 403, 'POLICY_VIOLATION'],
];

const ENVELOPE = ['success', 'error', 'error_code', 'hint', 'fields', 'request_id', 'supported', 'examples', 'swap_id', 'approval_id', 'order_id',
    'transfer_id', 'withdrawal_id', 'operation_id', 'total_usd', 'holdings', 'under_way', 'unread'];

/**
 * The answer is this refusal and nothing else; returns its body. `fields` names members that must be explained; `code` chooses
 * among the codes of one message, the first by default.
 */
export function refused(answer, error, fields = [], code = undefined) {
    const row = MESSAGES.find(([message, , each]) => (message instanceof RegExp ? message.test(error) : message === error) && (code === undefined || each === code));
    assert.ok(row, `no such message in the list: ${error}`);
    const { body } = answer;
    assert.equal(body?.error, error, show(answer));
    assert.deepEqual([answer.status, body.success, body.error_code], [row[1], false, row[2]], show(answer));
    for (const name of fields) assert.equal(typeof body.fields?.[name], 'string', `fields.${name} in ${show(answer)}`);
    for (const name of Object.keys(body)) assert.ok(ENVELOPE.includes(name), `unexpected member ${name} in ${show(answer)}`);
    if (row[2] === 'REQUEST_IN_PROGRESS') assert.equal(answer.headers['retry-after'], '1');
    assert.match(answer.headers['content-type'], /^application\/json\b/);
    assert.equal(body.request_id, answer.headers['x-request-id']);
    return body;
}

/** The answer is a success with this status; returns its body. */
export function granted(answer, status = 200) {
    assert.equal(answer.status, status, show(answer));
    assert.equal(answer.body?.success, true, show(answer));
    assert.match(answer.headers['content-type'], /^application\/json\b/);
    return answer.body;
}

/** What /readyz says of a look that began after the call: it is looked up once a second. */
export function readiness(options) {
    const asked = Date.now();
    return until('a later look of /readyz', async () => {
        const answer = await send('GET', '/readyz', { mayBreak: true, ...options });
        return Date.parse(answer.body?.looked_at) >= asked && answer;
    });
}

// ---------------------------------------------------------------- agents

/** An agent and what it does; `key` is all that it needs. With a `base` it asks another gateway. */
export class Agent {
    constructor(key, id) {
        this.key = key;
        this.id = id;
    }

    send(method, path, options = {}) {
        return send(method, API + path, { key: this.key, base: this.base, ...options });
    }

    get(path) {
        return this.send('GET', path);
    }

    post(path, json) {
        return this.send('POST', path, { json });
    }

    patch(path, json) {
        return this.send('PATCH', path, { json });
    }

    /** A managed wallet, funded with that much of the native coin on a chain where `chain` is given. */
    async wallet(chain, coins) {
        const { wallet } = granted(await this.send('POST', '/wallets'), 201);
        if (chain !== undefined) await fund(chain, wallet.address, coins);
        return wallet.address;
    }

    async quote(from_token, to_token, amount, more = {}) {
        return granted(await this.post('/quote', { from_token, to_token, amount, ...more }));
    }

    execute(quote) {
        return this.post('/swap/execute', { quote_id: quote.quote_id });
    }

    /** Quotes and executes; returns the id of a swap that was accepted. */
    async swap(from_token, to_token, amount, more) {
        const answer = granted(await this.execute(await this.quote(from_token, to_token, amount, more)));
        assert.match(answer.status, /^(submitted|pending)$/);
        return answer.swap_id;
    }

    async status(swapId) {
        return granted(await this.get(`/swap/status/${swapId}`));
    }

    /** Waits for a final state and returns the swap as the status endpoint shows it. */
    settled(swapId) {
        return until(`swap ${swapId} to be completed or failed`, async () => {
            const swap = await this.status(swapId);
            return /^(completed|failed)$/.test(swap.status) && swap;
        });
    }

    async completed(swapId) {
        const swap = await this.settled(swapId);
        assert.equal(swap.status, 'completed', JSON.stringify(swap));
        return swap;
    }

    /** Sets the callback and returns the secret that comes with the first one. */
    async listen(url) {
        return granted(await this.patch('/me', { callback_url: url })).webhook_secret;
    }

    async events(query = '') {
        return granted(await this.get(`/webhooks${query}`)).events;
    }
}

export async function register(fields = {}) {
    const { agent } = granted(await send('POST', `${API}/register`, { json: { name: 'test', ...fields } }));
    return new Agent(agent.api_key, agent.id);
}

/** An agent of the operator's tier without limits, for tests that send many requests. */
export async function registerUnlimited() {
    const { code, out, err } = await agentctl('key', 'unlimited');
    assert.equal(code, 0, err);
    return new Agent(out.trimEnd().split('\n').pop());
}

/** Runs a command of the stack under test and returns the last line of its output. */
export async function stack(...args) {
    return (await stackOutput(...args)).split('\n').pop();
}

/** The same with all of its output. */
export async function stackOutput(...args) {
    const { stdout } = await promisify(execFile)(STACK, args, { maxBuffer: 1 << 24 });
    return stdout.trimEnd();
}

/** Names and values of the running stack's settings, which stay. */
export { stackSettings };

/** { code, out, err } of one call of the operator's command; `code` is the signal that ended it, if one did. */
export function agentctl(...args) {
    const env = { ...process.env, ...stackSettings() };
    return new Promise((resolve) => {
        execFile(join(env.GATEWAY_BIN, 'jobs', 'agentctl'), args, { env }, (error, out, err) => {
            resolve({ code: error === null ? 0 : error.code ?? error.signal, out, err });
        });
    });
}

// ---------------------------------------------------------------- waiting

/**
 * Asks every `interval` milliseconds until the answer is truthy, and returns it. Unless that is told, it asks less and less often:
 * what takes long may be known a tenth later. Less `patience` is part of what is tested.
 */
export async function until(what, ask, { interval, patience = PATIENCE_MS } = {}) {
    const begun = Date.now();
    for (;;) {
        const answer = await ask();
        if (answer) {
            noteWait(what, Date.now() - begun);
            return answer;
        }
        pulse();
        const waited = Date.now() - begun;
        assert.ok(waited < patience, `waited ${patience} ms for ${what}`);
        await pause(interval ?? Math.min(Math.max(100, waited / 10), 300));
    }
}

// ---------------------------------------------------------------- webhooks

/**
 * A webhook receiver on a port of its own. `answer(delivery)` may choose the status; it is 200 otherwise. Its path is its
 * own, too: what is still sent to one that had the port before is none of its deliveries.
 */
export async function receiver(answer = () => 200) {
    const deliveries = [];
    const path = `/hook-${randomUUID()}`;
    const server = createServer((request, response) => {
        if (request.url !== path) {
            response.writeHead(404).end();
            return;
        }
        const parts = [];
        request.on('data', (part) => parts.push(part));
        request.on('end', async () => {
            const raw = Buffer.concat(parts).toString('utf8');
            const delivery = { method: request.method, path: request.url, headers: request.headers, raw };
            deliveries.push(delivery);
            const status = await answer(delivery, deliveries.length);
            response.writeHead(status, status >= 300 && status < 400 ? { location: '/elsewhere' } : {}).end();
        });
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    // A test that fails before it closes its receiver shall not keep the others waiting.
    server.unref();
    return {
        deliveries,
        path,
        url: `http://127.0.0.1:${server.address().port}${path}`,
        /** Waits for the first delivery that `fits`. */
        delivery: (fits = () => true) => until('a delivery', () => deliveries.find(fits)),
        close: () => { server.close(); server.closeAllConnections?.(); },
    };
}

/** Checks a delivery's signature with the receivers' own library and returns the event. */
export function verified({ raw, headers }, secret) {
    const event = new Webhook(secret).verify(raw, headers);
    agreed.get(API)?.checkEvent(event);
    return event;
}

// ---------------------------------------------------------------- shapes

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/;
export const HASH = /^0x[0-9a-f]{64}$/;
export const API_KEY = /^svc_sk_[a-zA-Z0-9_-]{25,}$/;

/** A decimal number without exponent, sign or superfluous zeros. */
export const CANONICAL = /^(0|[1-9]\d*)(\.\d*[1-9])?$/;

export function isAmount(text, decimals, what) {
    assert.equal(typeof text, 'string', what);
    assert.match(text, CANONICAL, what);
    assert.ok((text.split('.')[1] ?? '').length <= decimals, `${what} ${text} has more than ${decimals} places`);
}

/** Has exactly these members, `optional` ones aside. */
export function hasMembers(object, members, optional = []) {
    const found = Object.keys(object).filter((name) => !optional.includes(name));
    assert.deepEqual(found.sort(), [...members].sort());
}
