// Who may see and change what, for every operation of the service's description: with each key that must not open it,
// and with everything of another agent's that a parameter can name. New operations are in it by themselves; one with a
// parameter that looks like an id and is not explained in OWNED fails.
//
// The same matrix runs over every protocol. A transport is { name, call, offers }:
//   call(operation, args, key)  calls an operation; `args` has parameters of path, query and body and the Idempotency-Key
//                               by their names, `key` may be undefined. Resolves to { ok, code, body }: whether it was
//                               done, the error_code otherwise, and what the service says, as REST has it in its body.
//   offers(operation)           whether the protocol has this operation (all by default).

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { fund } from './chain.mjs';
import {
    contract, granted, receiver, register, until,
} from './lib.mjs';

const hex = (bytes) => randomBytes(bytes).toString('hex');
const MARK = `matrix-${hex(8)}`;

// ---------------------------------------------------------------- operations

/** Whether it may be called without a key; one that is sent may have to be valid all the same. */
export function needsNoKey({ security }) {
    return security !== undefined && (security.length === 0 || security.some((way) => Object.keys(way).length === 0));
}

/** All operations of the description: { id, tool, method, path, closed, parameters: [{ name, in, required, example }] }. */
export async function operations() {
    const { document } = await contract();
    return Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({
        id: operation.operationId,
        tool: operation.operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        method: method.toUpperCase(),
        path,
        closed: !needsNoKey(operation),
        parameters: [...(operation.parameters ?? []), ...bodyParameters(document, operation)],
    })));
}

function bodyParameters(document, operation) {
    const content = operation.requestBody?.content['application/json'];
    if (content === undefined) return [];
    const schema = document.components.schemas[content.schema.$ref.split('/').pop()];
    return Object.keys(schema.properties).map((name) => ({
        name, in: 'body', required: (schema.required ?? []).includes(name), example: content.example?.[name],
    }));
}

// ---------------------------------------------------------------- what belongs to an agent

/** Values of parameters that name an agent's objects, and values that name none. Those of paths go with their place. */
const OWNED = {
    quote_id: { of: (one) => one.quote(), nobodys: () => `q_${hex(16)}` },
    approval_id: { of: (one) => one.approval, nobodys: () => `ap_${hex(16)}` },
    'supplyLending approval_id': { of: (one) => one.supplyApproval, nobodys: () => `ap_${hex(16)}` },
    'borrowLending approval_id': { of: (one) => one.borrowApproval, nobodys: () => `ap_${hex(16)}` },
    '/lend/operation/{id}': { of: (one) => one.operation, nobodys: nobodysNumber },
    'withdraw approval_id': { of: (one) => one.withdrawalApproval, nobodys: () => `ap_${hex(16)}` },
    '/approvals/{id}': { of: (one) => one.approval, nobodys: () => `ap_${hex(16)}` },
    wallet_address: { of: (one) => one.wallet, nobodys: strangersAddress },
    '/wallet/policy/{id}': { of: (one) => one.policy, nobodys: () => randomUUID() },
    '/swap/status/{swapId}': { of: (one) => one.swap, nobodys: nobodysNumber },
    '/predict/order/{id}': { nobodys: () => `0x${hex(32)}` },
    '/perps/order/{id}': { nobodys: () => `0x${hex(16)}` },
    '/predict/transfer/{id}': { nobodys: nobodysNumber },
    '/perps/transfer/{id}': { nobodys: nobodysNumber },
    '/webhooks/{id}': { of: (one) => one.event, nobodys: () => `msg_${hex(16)}` },
    '/webhooks/{id}/redeliver': { of: (one) => one.event, nobodys: () => `msg_${hex(16)}` },
    // What an agent adds is its own from then on; two may add the same.
    address: { of: strangersAddress, nobodys: strangersAddress },
    'listPerpsPositions address': { of: (one) => one.wallet, nobodys: strangersAddress },
    address_id: { of: (one) => one.address, nobodys: nobodysNumber },
    '/withdrawal-addresses/{id}': { of: (one) => one.oldAddress, nobodys: nobodysNumber },
    '/withdrawals/{id}': { of: (one) => one.withdrawal, nobodys: nobodysNumber },
    'Idempotency-Key': { of: (one) => one.idempotencyKey, nobodys: () => hex(16) },
};

/** Ids that are no agent's. */
const PUBLIC_IDS = { tokenId: '1', chainId: 8453, '/lend/market/{id}': 'aave-v3:8453:USDC', '/perps/market/{name}': 'ETH-USD', ...Object.fromEntries(['quotePerps', 'placePerpsOrder', 'closePerpsPosition', 'setPerpsLeverage'].map((id) => [`${id} market`, 'ETH-USD'])), ...Object.fromEntries(['', '/book', '/price', '/trades'].map((what) => [`/predict/market/{id}${what}`, '9001'])) };

/** Looks like an owned address, and is the recipient of a payment. */
const ANYBODYS = ['to_wallet_address'];

/**
 * These want collateral at the venue, and orders and transfers that came of it: here only their keys are tried, and that they
 * show nothing. What agents have of them is told apart in predict-policies.test.mjs, perps-orders.test.mjs and perps-money.test.mjs.
 */
const TRADES = new Set([
    'placePredictionOrder', 'getPredictionOrder', 'cancelPredictionOrder', 'depositPrediction', 'withdrawPrediction', 'redeemPrediction',
    'getPredictionTransfer', 'placePerpsOrder', 'closePerpsPosition', 'setPerpsLeverage', 'getPerpsOrder', 'cancelPerpsOrder',
    'depositPerps', 'withdrawPerps', 'getPerpsTransfer',
]);

/** Of these parameters an operation wants one; the first, unless another is given. */
const ONE_OF = { executeSwap: ['quote_id', 'approval_id'], withdraw: ['address_id', 'approval_id'], simulateWithdrawal: ['address_id'] };

const LOOKS_OWNED = /(^|[_-])(id|address|key)$|Id$/i;

/** Of lending, where a market is named otherwise. */
const LENDING_SAMPLES = { market: 'aave-v3:8453:WETH', asset: 'ETH', type: 'borrow' };

/** What other parameters get, so that a call gets past them. */
const SAMPLES = {
    from_token: 'ETH', to_token: 'USDC', amount: '0.001', chain: 'base', symbols: 'ETH', name: 'matrix', description: 'matrix',
    command: 'swap 0.001 ETH to USDC on base', market: '9001', token: 'ETH',
};

function owned(operation, { name, in: place }) {
    const special = `${operation.id} ${name}`;
    const key = place === 'path' ? operation.path : special in OWNED ? special : name;
    const found = OWNED[key];
    assert.ok(found !== undefined || key in PUBLIC_IDS || ANYBODYS.includes(name) || !LOOKS_OWNED.test(name), `OWNED in matrix.mjs does not say whose ${name} of ${operation.id} is`);
    return found;
}

function nobodysNumber() {
    return 2 ** 40 + randomBytes(4).readUInt32BE();
}

async function strangersAddress() {
    const address = `0x${hex(20)}`;
    await fund('base', address, '1');
    return address;
}

/** Arguments with which `one` can call the operation; `varied` has another's value for a parameter. */
async function argumentsOf(operation, one, varied = {}) {
    const args = { ...varied };
    for (const parameter of operation.parameters) {
        const { name, required, example } = parameter;
        // An approval says all that the rest would.
        if (name in args || 'approval_id' in varied) continue;
        const kind = owned(operation, parameter);
        const choice = ONE_OF[operation.id] ?? [];
        const chosen = choice[0] === name && !choice.some((other) => other in args);
        const everybodys = PUBLIC_IDS[`${operation.id} ${name}`] ?? PUBLIC_IDS[parameter.in === 'path' ? operation.path : name];
        if (everybodys !== undefined) args[name] = everybodys;
        else if ((required || chosen) && kind !== undefined) args[name] = await (TRADES.has(operation.id) ? kind.nobodys() : kind.of(one));
        else if (operation.path.startsWith('/lend/') && operation.method === 'POST' && name in LENDING_SAMPLES) args[name] = LENDING_SAMPLES[name];
        // A quote says all that these would.
        else if (name in SAMPLES && !('quote_id' in varied)) args[name] = SAMPLES[name];
        else if (required) args[name] = example;
    }
    return args;
}

/** A text of at least this length is in no answer by chance. */
const LONG = 16;

/** An agent with something of everything. */
class Owner {
    constructor(agent) {
        this.agent = agent;
        this.marks = new Set([agent.key]);
        this.idempotencyKey = hex(16);
    }

    static async create() {
        const hook = await receiver();
        const one = new Owner(await register());
        one.note(granted(await one.agent.patch('/me', { description: MARK, callback_url: hook.url, metadata: { mark: MARK } })));
        [one.address, one.oldAddress] = [await one.allow(), await one.allow()]; // at once, as there is no wallet yet
        one.wallet = await one.agent.wallet('base', '10');
        one.marks.add(one.wallet);
        await one.ask();
        one.withdrawal = await one.withdrawn((await one.withdraw(200)).withdrawal.id);
        await one.lend('supply', 200, { asset: 'ETH', amount: '1' });
        one.operation = await one.lend('borrow', 200, { asset: 'WETH', amount: '0.01' });
        one.swap = await one.agent.swap('ETH', 'USDC', '0.01', { chain: 'base' });
        one.note(await one.agent.completed(one.swap));
        await hook.delivery();
        [{ id: one.event }] = await until('the event', async () => {
            const events = await one.agent.events();
            return events.length > 0 && events.every(({ status }) => status === 'delivered') && events;
        });
        one.marks.add(one.event);
        return one;
    }

    /** A second wallet, whose policy leaves a swap waiting for the operator. */
    async ask() {
        const wallet_address = await this.agent.wallet('base', '1');
        await this.lend('supply', 200, { asset: 'ETH', amount: '0.1', wallet_address });
        const { policy } = granted(await this.agent.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountWei: '1' }, wallet_address }));
        const { approval_id } = granted(await this.agent.post('/swap/execute', { quote_id: await this.quote(), wallet_address }), 202);
        this.policy = policy.id;
        this.approval = approval_id;
        this.withdrawalApproval = (await this.withdraw(202, { wallet_address })).approval_id;
        this.supplyApproval = await this.lend('supply', 202, { asset: 'ETH', amount: '0.01', wallet_address });
        this.borrowApproval = await this.lend('borrow', 202, { asset: 'WETH', amount: '0.001', wallet_address });
        for (const mark of [wallet_address, policy.id, approval_id, this.withdrawalApproval, this.supplyApproval, this.borrowApproval]) this.marks.add(mark);
    }

    /** Adds a withdrawal address. */
    async allow() {
        const address = await strangersAddress();
        this.marks.add(address);
        return granted(await this.agent.post('/withdrawal-addresses', { address }), 201).withdrawal_address.id;
    }

    async withdraw(status, more = {}) {
        return granted(await this.agent.post('/wallets/withdraw', { token: 'ETH', amount: '0.001', chain: 'base', address_id: this.address, ...more }), status);
    }

    async withdrawn(id) {
        await until('the withdrawal', async () => granted(await this.agent.get(`/withdrawals/${id}`)).withdrawal.status === 'completed');
        return id;
    }

    /** Has a lender do something: the operation's id once it has ended, or that of its approval. */
    async lend(path, status, fields) {
        const body = granted(await this.agent.post(`/lend/${path}`, { chain: 'base', ...fields }), status);
        return body.approval_id ?? this.ended({ body });
    }

    /** Waits for what the answer says has begun at a lender: another operation may have to wait for it. A task is the operation. */
    async ended({ body }) {
        const { id } = body?.operation ?? (body?.healthFactorAfter === undefined ? {} : body);
        if (id !== undefined && body.approval_id === undefined) await until('the operation', async () => granted(await this.agent.get(`/lend/operation/${id}`)).operation.status === 'completed');
        return id;
    }

    async quote() {
        const quote = await this.agent.quote('ETH', 'USDC', '0.001', { chain: 'base' });
        this.note(quote);
        return quote.quote_id;
    }

    /** Remembers the members of an answer that no other agent may ever be shown. */
    note(value, name) {
        if (typeof value === 'string' && value.length >= LONG && /^(id|quote_id|tx_hash|callback_url|webhook_secret|description)$/.test(name)) this.marks.add(value);
        if (value !== null && typeof value === 'object') for (const [member, inner] of Object.entries(value)) this.note(inner, member);
        return value;
    }

    /** What it has, by all that tells it without being asked for something in particular, less what time changes. */
    async holdings(all) {
        const told = {};
        for (const operation of all) {
            if (operation.method !== 'GET' || !operation.closed || operation.path.includes('{') || MOVING.has(operation.id)) continue;
            told[operation.id] = granted(await this.agent.get(operation.path));
        }
        return JSON.parse(JSON.stringify(told, (name, value) => (/^(last_active_at|total_requests|request_id)$/.test(name) ? undefined : value)));
    }
}

/** Operations whose answers change by themselves. */
const MOVING = new Set(['getPrices', 'getPortfolio', 'getTokens', 'getLendingPositions']);
/** What a deactivated agent's key is still good for. */
const FOR_DEACTIVATED = new Set(['deleteMe', 'deactivateMe', 'reactivateMe']);

function showsNothingOf(one, answer, except = []) {
    const text = JSON.stringify(answer);
    for (const mark of one.marks) assert.ok(except.includes(mark) || !text.includes(mark), `${mark} in ${text.slice(0, 600)}`);
}

/** An answer less what differs each time, for comparison with another. */
function alike({ ok, code, body }, ...ids) {
    if (ok) return { ok, members: Object.keys(body ?? {}).sort() };
    const { request_id: _, ...rest } = body ?? {};
    let text = JSON.stringify(rest);
    for (const id of ids) text = text.replaceAll(String(id), '…');
    return { ok, code, text };
}

// ---------------------------------------------------------------- the matrix

/** Keys that open nothing (any more). */
async function deadKeys(key) {
    const [rotated, deleted] = [await register(), await register()];
    granted(await rotated.send('POST', '/keys/rotate'));
    assert.equal((await deleted.send('DELETE', '/me')).status, 204);
    return {
        'no key': undefined,
        'a malformed key': 'nonsense',
        'an unknown key': key.slice(0, -1) + (key.endsWith('A') ? 'B' : 'A'),
        'a key that was rotated away': rotated.key,
        'a deleted agent\'s key': deleted.key,
    };
}

/** Defines the tests of a transport; returns what they cover, as "tool parameter" for what can belong to another. */
export async function matrix({ name, call, offers = () => true }) {
    const all = await operations();
    const offered = all.filter(offers);
    const closed = offered.filter((operation) => operation.closed);
    const [alice, mallory] = await Promise.all([Owner.create(), Owner.create()]);
    const keys = await deadKeys(alice.agent.key);
    const sleeper = await register();
    granted(await sleeper.send('POST', '/me/deactivate'));
    // Under its Idempotency-Key alice has done each of these before.
    const done = new Map();
    for (const operation of closed.filter(({ id, parameters }) => !TRADES.has(id) && parameters.some((one) => one.name === 'Idempotency-Key'))) {
        const args = await argumentsOf(operation, alice, { 'Idempotency-Key': alice.idempotencyKey });
        const answer = await call(operation, args, alice.agent.key);
        assert.ok(answer.ok, `${operation.id}: ${JSON.stringify(answer)}`);
        alice.note(answer.body);
        if (answer.body.wallet !== undefined) alice.marks.add(answer.body.wallet.address);
        const swap = answer.body.swap_id ?? answer.body.result?.swap_id;
        if (swap !== undefined) await alice.agent.completed(swap);
        if (answer.body.withdrawal !== undefined) await alice.withdrawn(answer.body.withdrawal.id);
        // A task that has moved since then is shown as it is.
        const begun = await alice.ended(answer);
        done.set(operation.id, { args, answer: begun === undefined ? answer : await call(operation, args, alice.agent.key) });
    }
    await until('all addresses to be active', async () => granted(await alice.agent.get('/withdrawal-addresses')).withdrawal_addresses.every(({ status }) => status === 'active'));
    await until('all events to be delivered', async () => (await alice.agent.events()).every(({ status }) => status === 'delivered'));
    const before = await alice.holdings(all);
    const controls = [];
    const covered = [...done.keys()].map((id) => `${all.find((each) => each.id === id).tool} Idempotency-Key`);

    for (const operation of closed) {
        test(`${name}: ${operation.tool} wants a key that is alive`, async () => {
            const args = await argumentsOf(operation, alice);
            for (const [what, key] of Object.entries(keys)) {
                const answer = await call(operation, args, key);
                assert.deepEqual([answer.ok, answer.code], [false, 'INVALID_API_KEY'], `${what}: ${JSON.stringify(answer)}`);
                showsNothingOf(alice, answer);
            }
            if (FOR_DEACTIVATED.has(operation.id)) return;
            const answer = await call(operation, args, sleeper.key);
            assert.deepEqual([answer.ok, answer.code], [false, 'AGENT_INACTIVE'], `a deactivated agent's key: ${JSON.stringify(answer)}`);
        });
    }

    for (const operation of offered) {
        test(`${name}: ${operation.tool} shows nothing of another agent's`, async () => {
            // A newcomer each time, since some of these are the end of an agent.
            const args = await argumentsOf(operation, alice);
            showsNothingOf(alice, await call(operation, args, (await register()).key), Object.values(args));
        });

        for (const parameter of operation.closed && !TRADES.has(operation.id) ? operation.parameters : []) {
            const kind = owned(operation, parameter);
            if (kind === undefined || parameter.name === 'Idempotency-Key') continue;
            covered.push(`${operation.tool} ${parameter.name}`);
            test(`${name}: ${operation.tool} with another agent's ${parameter.name} answers as with an unknown one`, async () => {
                const [hers, nobodys] = [await kind.of(alice), await kind.nobodys()];
                const answers = [];
                for (const value of [hers, nobodys]) {
                    answers.push(await call(operation, await argumentsOf(operation, mallory, { [parameter.name]: value }), mallory.agent.key));
                }
                assert.deepEqual(alike(answers[0], hers), alike(answers[1], nobodys));
                showsNothingOf(alice, answers[0], [hers]);
                controls.push([operation, await argumentsOf(operation, alice, { [parameter.name]: hers })]);
            });
        }
    }

    for (const [id, { args, answer }] of done) {
        const operation = all.find((each) => each.id === id);
        test(`${name}: ${operation.tool} under another agent's Idempotency-Key is not its request`, async () => {
            const again = await call(operation, args, alice.agent.key);
            assert.deepEqual(again.body, answer.body, 'the key\'s own agent gets its answer again');
            const hers = await call(operation, args, mallory.agent.key);
            await mallory.ended(hers);
            const nobodys = await call(operation, await argumentsOf(operation, alice, { 'Idempotency-Key': hex(16) }), mallory.agent.key);
            await mallory.ended(nobodys);
            assert.deepEqual(alike(hers), alike(nobodys));
            showsNothingOf(alice, hers, Object.values(args));
        });
    }

    test(`${name}: after all that the other agent has what it had`, async () => {
        assert.deepEqual(await alice.holdings(all), before);
        assert.ok(Object.keys(before).length >= 4);
    });

    test(`${name}: its own agent can do all that`, async () => {
        assert.ok(controls.length > 0);
        for (const [operation, args] of controls) {
            const answer = await call(operation, args, alice.agent.key);
            assert.ok(answer.ok, `${operation.id} ${JSON.stringify(args)}: ${JSON.stringify(answer)}`);
            // What still waits for the operator does not end.
            if (args.approval_id === undefined) await alice.ended(answer);
        }
    });

    return covered;
}
