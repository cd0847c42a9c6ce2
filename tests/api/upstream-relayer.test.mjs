// Section: api
// The relayer of the sandbox's venue, as its clients know the real one. Nothing here asks the gateway.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { Wallet } from 'ethers';
import { ADDRESSES, KINDS } from '../../contrib/sandbox/polymarket.mjs';
import { hmacOf } from '../../contrib/sandbox/upstream/polymarket/hmac.mjs';
import { API_KEY, BUILDER_KEY as BUILDER } from '../../contrib/sandbox/upstream/polymarket/relayer.mjs';
import { takenBack } from './chain.mjs';
import { until } from './lib.mjs';
import {
    BUY, VECTORS, WalletTrader, allowances, cashingIn, decide, limitOrder, newTrader, newWalletTrader, openMarket, ownChain, ownUpstream,
    settle, units, unwrapping, wrapping,
} from './polymarket.mjs';

const NOWHERE = '0x000000000000000000000000000000000000dEaD';
const FINAL = ['STATE_CONFIRMED', 'STATE_FAILED', 'STATE_INVALID'];
const BY_API_KEY = { RELAYER_API_KEY: API_KEY.key, RELAYER_API_KEY_ADDRESS: API_KEY.address };

let chain;
let venue;
const folder = mkdtempSync(join(tmpdir(), 'relayer-'));
const start = async () => { venue = await ownUpstream(chain, join(folder, 'state')); };
before(async () => { chain = await ownChain(); await start(); });
after(async () => {
    await venue.stop();
    chain.stop();
    rmSync(folder, { recursive: true });
});

const seconds = () => Math.floor(Date.now() / 1000);

/** The headers of the builder's key, with what a test wants otherwise. */
function signed(method, path, body, { secret = BUILDER.secret, timestamp = seconds(), ...other } = {}) {
    return {
        POLY_BUILDER_API_KEY: BUILDER.key, POLY_BUILDER_PASSPHRASE: BUILDER.passphrase, POLY_BUILDER_TIMESTAMP: String(timestamp),
        POLY_BUILDER_SIGNATURE: hmacOf(secret, String(timestamp), { method, path, body }), ...other,
    };
}

const ask = (method, path, more) => venue.ask(method, `/polymarket/relayer${path}`, more);
const get = (path) => ask('GET', path, { headers: signed('GET', path.replace(/\?.*/, ''), '') });
function submit(submission, headers) {
    const body = JSON.stringify(submission);
    return ask('POST', '/submit', { body, headers: headers ?? signed('POST', '/submit', body) });
}

const fault = (name, more) => venue.control('POST', { service: 'polymarket', fault: name, times: 1, ...more });
const creation = (owner) => ({ type: 'WALLET-CREATE', from: owner, to: ADDRESSES.walletFactory });

/** A signed batch as it is submitted. */
async function submission(trader, calls, changes) {
    const [[wallet, nonce, deadline, tuples], signature] = await trader.batch(calls, changes);
    return {
        type: 'WALLET', from: trader.key.address, to: ADDRESSES.walletFactory, nonce: String(nonce), signature,
        depositWalletParams: {
            depositWallet: wallet, deadline: String(deadline),
            calls: tuples.map(([target, value, data]) => ({ target, value: String(value), data })),
        },
    };
}

/** What became of it. */
async function outcome({ status, body }) {
    assert.equal(status, 200, JSON.stringify(body));
    return until('an outcome', async () => {
        const [row] = (await get(`/transaction?id=${body.transactionID}`)).body;
        return FINAL.includes(row.state) && row;
    });
}

function refused({ status, body }, expected, message) {
    assert.deepEqual([status, Object.keys(body)], [expected, ['error']], JSON.stringify(body));
    assert.match(body.error, message);
}

// ---------------------------------------------------------------- wallets

test('a wallet is made, once, where it belongs', async () => {
    const { address: owner } = Wallet.createRandom();
    const wallet = await chain.factory.walletOf(owner);
    const deployed = async (type = 'WALLET') => (await ask('GET', `/deployed?address=${wallet}&type=${type}`)).body.deployed;
    assert.equal(await deployed(), false);
    await fault('relay_delayed', { value: 0.5 });
    const first = await submit(creation(owner));
    assert.deepEqual(Object.keys(first.body), ['transactionID', 'state']);
    assert.equal(first.body.state, 'STATE_NEW');
    refused(await submit(creation(owner)), 400, new RegExp(`^wallet busy: wallet ${wallet} has active action ${first.body.transactionID}$`));
    const row = await outcome(first);
    assert.deepEqual(
        [row.transactionID, row.state, row.proxyAddress, row.from, row.to, row.type, row.nonce, row.errorMsg],
        [first.body.transactionID, 'STATE_CONFIRMED', wallet, owner, ADDRESSES.walletFactory, 'WALLET-CREATE', '', ''],
    );
    assert.equal((await chain.provider.getTransactionReceipt(row.transactionHash)).status, 1);
    assert.equal(await chain.wallet(wallet).owner(), owner);
    assert.deepEqual([await deployed(), await deployed('SAFE')], [true, false]);
    refused(await submit(creation(owner)), 400, new RegExp(`^wallet ${wallet} already deployed$`));
});

test('only wallets of the factory count as deployed', async () => {
    for (const address of [ADDRESSES.exchange, Wallet.createRandom().address]) {
        assert.deepEqual((await ask('GET', `/deployed?address=${address}&type=WALLET`)).body, { deployed: false });
    }
    refused(await ask('GET', '/deployed?address=0x12&type=WALLET'), 400, /^invalid address$/);
});

test('the number of the next batch is that of the owner\'s wallet', async () => {
    const trader = await newWalletTrader(chain);
    const owner = trader.key.address;
    const next = async (address) => {
        const { body } = await get(`/v1/account/transactions/params?address=${address}&type=WALLET`);
        assert.equal(body.address, address);
        assert.deepEqual((await ask('GET', `/nonce?address=${address}&type=WALLET`)).body, { nonce: body.nonce });
        return body.nonce;
    };
    assert.equal(await next(owner), String(await chain.wallet(trader.address).nonce()));
    await trader.act();
    assert.equal(await next(owner), String(await chain.wallet(trader.address).nonce()));
    assert.equal(await next(Wallet.createRandom().address), '0');
    refused(await get(`/v1/account/transactions/params?address=${owner}&type=EOA`), 400, /^invalid type$/);
    const { address: older } = Wallet.createRandom();
    await chain.operate(chain.factory, 'deployUups', older);
    assert.equal(await next(older), '0');
    assert.equal((await ask('GET', `/deployed?address=${await chain.factory.uupsWalletOf(older)}&type=WALLET`)).body.deployed, true);
});

// ---------------------------------------------------------------- batches

test('a batch acts once; what became of it is told in two forms', async () => {
    const trader = await newWalletTrader(chain, '10');
    const batch = await submission(trader, unwrapping(trader, trader.key.address, units('4')));
    const row = await outcome(await submit({ ...batch, metadata: 'withdraw' }));
    assert.deepEqual(
        [row.state, row.proxyAddress, row.nonce, row.signature, row.metadata], ['STATE_CONFIRMED', trader.address, batch.nonce, batch.signature, 'withdraw'],
    );
    assert.equal(await chain.dollars.balanceOf(trader.key.address), units('4'));
    assert.deepEqual((await get(`/v1/account/transactions/${row.transactionID}`)).body, {
        transaction_id: row.transactionID, transaction_hash: row.transactionHash, state: 'STATE_CONFIRMED', error_msg: null,
    });
    assert.equal((await get('/transactions')).body[0].transactionID, row.transactionID);
    const next = Number(batch.nonce) + 1;
    refused(await submit({ ...batch, metadata: 'withdraw' }), 400, new RegExp(`^batch nonce ${batch.nonce} does not match on-chain nonce ${next}$`));
    refused(await submit(await submission(trader, [], { nonce: BigInt(next + 1) })), 400, new RegExp(`^batch nonce ${next + 1} does not match on-chain nonce ${next}$`));
    refused(await ask('GET', '/transaction?id=unknown'), 404, /^transaction not found$/);
    refused(await get('/v1/account/transactions/unknown'), 404, /^transaction not found$/);
});

test('one of two equal batches at once is accepted', async () => {
    const trader = await newWalletTrader(chain, '10');
    const batch = await submission(trader, unwrapping(trader, trader.key.address, units('1')));
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(batch)));
    const taken = answers.filter(({ status }) => status === 200);
    assert.equal(taken.length, 1);
    for (const answer of answers) if (answer !== taken[0]) refused(answer, 400, /^wallet busy: |^batch nonce /);
    assert.equal((await outcome(taken[0])).state, 'STATE_CONFIRMED');
    assert.equal(await chain.dollars.balanceOf(trader.key.address), units('1'));
});

test('wallets do not wait for each other, nor do they get in each other\'s way', async () => {
    const traders = await Promise.all(Array.from({ length: 6 }, () => newWalletTrader(chain, '3')));
    const batches = await Promise.all(traders.map((trader) => submission(trader, unwrapping(trader, trader.key.address, units('3')))));
    const rows = await Promise.all(batches.map(async (batch) => outcome(await submit(batch))));
    assert.deepEqual(new Set(rows.map(({ state }) => state)), new Set(['STATE_CONFIRMED']));
    assert.equal(new Set(rows.map(({ transactionHash }) => transactionHash)).size, 6);
    for (const trader of traders) assert.equal(await chain.dollars.balanceOf(trader.key.address), units('3'));
});

test('a batch that fails is FAILED, without a transaction, and its number stays free', async () => {
    const trader = await newWalletTrader(chain, '1');
    const batch = await submission(trader, unwrapping(trader, trader.key.address, units('2')));
    const row = await outcome(await submit(batch));
    assert.deepEqual([row.state, row.transactionHash], ['STATE_FAILED', '']);
    assert.match(row.errorMsg, /exceeds balance/);
    const summary = (await get(`/v1/account/transactions/${row.transactionID}`)).body;
    assert.deepEqual([summary.state, summary.transaction_hash, summary.error_msg], ['STATE_FAILED', null, row.errorMsg]);
    const less = await submission(trader, unwrapping(trader, trader.key.address, units('1')));
    assert.equal(less.nonce, batch.nonce);
    assert.equal((await outcome(await submit(less))).state, 'STATE_CONFIRMED');
});

test('a batch that is not the owner\'s, late or of an unknown wallet is refused', async () => {
    const [trader, other] = await Promise.all([newWalletTrader(chain, '5'), newWalletTrader(chain)]);
    const calls = unwrapping(trader, trader.key.address, units('1'));
    const batch = await submission(trader, calls);
    const params = batch.depositWalletParams;
    refused(await submit({ ...batch, signature: (await submission(other, calls)).signature }), 400, /^invalid signature$/);
    refused(await submit({ ...batch, signature: '0x1234' }), 400, /^invalid signature$/);
    const dearer = { ...params, calls: [...params.calls, { target: NOWHERE, value: '0', data: '0x' }] };
    refused(await submit({ ...batch, depositWalletParams: dearer }), 400, /^invalid signature$/);
    refused(await submit({ ...batch, depositWalletParams: { ...params, deadline: String(2n ** 41n) } }), 400, /^invalid signature$/);
    refused(await submit({ ...batch, from: other.key.address }), 400, /does not belong to/);
    refused(await submit(await submission(trader, calls, { deadline: BigInt(seconds() - 1) })), 400, /^batch deadline has passed$/);
    const { address: unknownOwner } = Wallet.createRandom();
    const unmade = await chain.factory.walletOf(unknownOwner);
    refused(await submit({ ...batch, from: unknownOwner, depositWalletParams: { ...params, depositWallet: unmade } }), 400, new RegExp(`^wallet registry validation failed: wallet ${unmade.toLowerCase()} is not registered$`));
    assert.equal((await outcome(await submit(batch))).state, 'STATE_CONFIRMED');
});

test('a submission has its form: numbers are texts', async () => {
    const trader = await newWalletTrader(chain, '5');
    const batch = await submission(trader, unwrapping(trader, trader.key.address, units('1')));
    const params = batch.depositWalletParams;
    const [call] = params.calls;
    const wrong = {
        nonce: [Number(batch.nonce), '0x1', '01', '', String(2n ** 256n), undefined], signature: [undefined, 'abc', '0x123'], from: [undefined, '0x12'], to: [undefined],
        depositWalletParams: [
            undefined, { ...params, deadline: Number(params.deadline) }, { ...params, depositWallet: undefined }, { ...params, calls: undefined },
            { ...params, calls: [{ ...call, value: 0 }] }, { ...params, calls: [{ ...call, data: 'no' }] }, { ...params, calls: [{ ...call, data: '0x123' }] },
            { ...params, calls: [call, null] }, { ...params, calls: [{ ...call, target: '0x' }] },
        ],
        metadata: ['x'.repeat(501), 7],
    };
    for (const [name, values] of Object.entries(wrong)) {
        for (const value of values) refused(await submit({ ...batch, [name]: value }), 400, new RegExp(`^invalid ${name}$`));
    }
    refused(await submit({ ...batch, type: 'SAFE' }), 400, /^unsupported transaction type$/);
    refused(await submit({ ...batch, type: 'constructor' }), 400, /^unsupported transaction type$/);
    refused(await submit({ ...batch, to: NOWHERE }), 400, /factory/);
    refused(await ask('POST', '/submit', { body: 'no', headers: signed('POST', '/submit', 'no') }), 400, /^invalid request body$/);
    refused(await submit(null), 400, /^unsupported transaction type$/);
});

// ---------------------------------------------------------------- a wallet's life

for (const kind of Object.keys(KINDS)) {
    test(`${kind}: from a dollar to shares and back by the relayer alone`, async () => {
        const market = await openMarket(chain, kind);
        const ann = new WalletTrader(chain);
        const { address: owner } = ann.key;
        ann.address = await chain.factory.walletOf(owner);
        const relayed = async (calls) => assert.equal((await outcome(await submit(await submission(ann, calls)))).state, 'STATE_CONFIRMED');

        // The money may come before the wallet does.
        await chain.operate(chain.dollars, 'mint', owner, units('10'));
        await chain.provider.send('anvil_setBalance', [owner, '0xde0b6b3a7640000']);
        for (const [to, data] of wrapping(ann.address, units('10'))) await chain.send(owner, to, data);
        assert.equal(await chain.collateral.balanceOf(ann.address), units('10'));
        assert.equal((await outcome(await submit(creation(owner)))).state, 'STATE_CONFIRMED');
        await relayed(allowances(market, units('10')));

        // She buys 12.5 for 5 and another 2.5 for 1 of the other outcome.
        const bob = await newTrader(chain, '20');
        const purchases = [[0, '12.5', '5', '7.5'], [1, '2.5', '1', '1.5']];
        for (const [outcomeIndex, shares, cost, rest] of purchases) {
            const purchase = await limitOrder(ann, market, BUY, outcomeIndex, '0.4', shares);
            const opposite = await limitOrder(bob, market, BUY, 1 - outcomeIndex, '0.6', shares);
            await settle(chain, market, purchase, [opposite], units(cost), [units(rest)]);
        }
        await relayed(unwrapping(ann, owner, units('4')));
        assert.deepEqual([await chain.dollars.balanceOf(owner), await chain.collateral.balanceOf(ann.address)], [units('4'), 0n]);

        const early = await outcome(await submit(await submission(ann, cashingIn(ann, market, 0, units('12.5')))));
        assert.equal(early.state, 'STATE_FAILED');
        await decide(chain, market, [1, 0]);
        await relayed(cashingIn(ann, market, 0, units('12.5')));
        assert.deepEqual([await chain.dollars.balanceOf(owner), await chain.collateral.balanceOf(ann.address)], [units('16.5'), 0n]);
        assert.equal(await chain.ledger(kind).balanceOf(ann.address, market.tokens[0]), 0n);
    });
}

// ---------------------------------------------------------------- who asks

test('requests are signed with the builder\'s key, over the bytes that are sent', async () => {
    const { address: owner } = Wallet.createRandom();
    const body = JSON.stringify(creation(owner));
    const unauthorized = async (headers, sent = body) => refused(await ask('POST', '/submit', { body: sent, headers }), 401, /^invalid authorization$/);
    await unauthorized({});
    await unauthorized(signed('POST', '/submit', body), `${body} `);
    await unauthorized(signed('GET', '/submit', body));
    await unauthorized(signed('POST', '/polymarket/relayer/submit', body));
    await unauthorized(signed('POST', '/submit', body, { secret: 'YWJjZA==' }));
    await unauthorized(signed('POST', '/submit', body, { timestamp: seconds() - 90 }));
    await unauthorized(signed('POST', '/submit', body, { timestamp: `${seconds()}.5` }));
    await unauthorized(signed('POST', '/submit', body, { POLY_BUILDER_PASSPHRASE: 'other' }));
    await unauthorized(signed('POST', '/submit', body, { POLY_BUILDER_API_KEY: 'other' }));
    const signature = signed('POST', '/submit', body).POLY_BUILDER_SIGNATURE;
    await unauthorized(signed('POST', '/submit', body, { POLY_BUILDER_SIGNATURE: signature.replace(/=+$/, '') }));
    for (const path of ['/transactions', '/v1/account/transactions/x', `/v1/account/transactions/params?address=${owner}&type=WALLET`]) {
        refused(await ask('GET', path), 401, /^invalid authorization$/);
    }
    assert.equal((await outcome(await submit(creation(owner)))).state, 'STATE_CONFIRMED');
});

test('the vectors\' signatures of requests are ours', () => {
    for (const { secret, timestamp, method, path, body, signature, name } of VECTORS.l2_hmac) {
        assert.equal(hmacOf(secret, String(timestamp), { method, path, body: body ?? '' }), signature, name);
    }
});

test('a relayer API key acts for its own address alone', async () => {
    refused(await submit(creation(NOWHERE), BY_API_KEY), 400, new RegExp(`^from ${NOWHERE} does not match auth ${API_KEY.address}$`));
    refused(await submit(creation(API_KEY.address), { ...BY_API_KEY, RELAYER_API_KEY: 'other' }), 401, /^invalid authorization$/);
    refused(await submit(creation(API_KEY.address), { ...BY_API_KEY, RELAYER_API_KEY_ADDRESS: NOWHERE }), 401, /^invalid authorization$/);
    const row = await outcome(await submit(creation(API_KEY.address), BY_API_KEY));
    assert.equal(row.proxyAddress, await chain.factory.walletOf(API_KEY.address));
    const { body } = await ask('GET', '/transactions', { headers: BY_API_KEY });
    assert.deepEqual(body.map(({ transactionID }) => transactionID), [row.transactionID]);
});

// ---------------------------------------------------------------- faults

const SUBMIT = { path: '/relayer/submit' };
/** A trader with that many dollars to take out, one by one. */
async function withdrawer(dollars) {
    const trader = await newWalletTrader(chain, dollars);
    const { address } = trader.key;
    return {
        trader,
        one: () => submission(trader, unwrapping(trader, address, units('1'))),
        got: () => chain.dollars.balanceOf(address),
        nonce: async () => Number((await ask('GET', `/nonce?address=${address}&type=WALLET`)).body.nonce),
    };
}

for (const [name, status] of [['http_429', 429], ['http_500', 500], ['garbage', undefined], ['stall', undefined]]) {
    test(`${name}: nothing is done`, async () => {
        const { one, got, nonce } = await withdrawer('1');
        const before = await nonce();
        await fault(name, SUBMIT);
        if (status === undefined) await assert.rejects(async () => submit(await one()));
        else assert.equal((await submit(await one())).status, status);
        assert.deepEqual([await nonce(), await got()], [before, 0n]);
        assert.equal((await outcome(await submit(await one()))).state, 'STATE_CONFIRMED');
    });
}

for (const name of ['lost_answer', 'half_answer']) {
    test(`${name}: it is done all the same`, async () => {
        const { one, got, nonce, trader } = await withdrawer('1');
        const before = await nonce();
        await fault(name, SUBMIT);
        const batch = await one();
        await assert.rejects(() => submit(batch));
        await until('the batch', async () => await nonce() === before + 1);
        assert.equal(await got(), units('1'));
        refused(await submit(batch), 400, /^wallet busy: |^batch nonce /);
        const seen = (await venue.control('GET', undefined, '/audit')).findLast((each) => each.fault === name);
        assert.equal(JSON.parse(seen.body).depositWalletParams.depositWallet, trader.address);
        assert.deepEqual([seen.path, seen.wallet, seen.nonce, seen.verified, seen.status], ['/relayer/submit', trader.address, batch.nonce, ['builder key'], 200]);
        const bodiesOf = async () => (await venue.control('GET', undefined, '/audit/batches?service=polymarket'))
            .filter(({ wallet }) => wallet === trader.address).map(({ nonce: number, bodies }) => [number, bodies]);
        assert.deepEqual(await bodiesOf(), [[batch.nonce, [JSON.stringify(batch)]]]);
        await submit({ ...batch, metadata: 'once more' });
        assert.deepEqual((await bodiesOf()).map(([number, bodies]) => [number, bodies.length]), [[batch.nonce, 2]]);
    });
}

test('a batch that the relayer forgot is unknown, and is never carried out', async () => {
    const { one, nonce } = await withdrawer('1');
    const before = await nonce();
    await fault('relay_forgotten');
    const { status, body } = await submit(await one());
    assert.deepEqual([status, body.state], [200, 'STATE_NEW']);
    refused(await ask('GET', `/transaction?id=${body.transactionID}`), 404, /^transaction not found$/);
    assert.equal(await nonce(), before);
});

test('a batch that is claimed to be confirmed has no transaction', async () => {
    const { one, got } = await withdrawer('1');
    await fault('relay_claimed');
    const row = await outcome(await submit(await one()));
    assert.equal(row.state, 'STATE_CONFIRMED');
    assert.equal(await chain.provider.getTransactionReceipt(row.transactionHash), null);
    assert.equal(await got(), 0n);
});

test('a batch that is said to have failed acts all the same', async () => {
    const { one, got } = await withdrawer('1');
    await fault('relay_denied');
    const row = await outcome(await submit(await one()));
    assert.deepEqual([row.state, row.transactionHash], ['STATE_FAILED', '']);
    await until('the dollar', async () => await got() === units('1'));
});

test('a wallet may be unknown for a while', async () => {
    const { one } = await withdrawer('1');
    await fault('wallet_unregistered');
    refused(await submit(await one()), 400, /^wallet registry validation failed: /);
    assert.equal((await outcome(await submit(await one()))).state, 'STATE_CONFIRMED');
});

test('a batch that a reorganisation took out of the chain comes back', async () => {
    const { one, got } = await withdrawer('2');
    let answer;
    await takenBack(chain, async () => {
        answer = await submit(await one());
        return until('its transaction', async () => (await get(`/transaction?id=${answer.body.transactionID}`)).body[0].transactionHash);
    }, () => outcome(answer));
    await until('the dollar', async () => await got() === units('1'));
    assert.equal((await outcome(await submit(await one()))).state, 'STATE_CONFIRMED');
    assert.equal(await got(), units('2'));
});

// ---------------------------------------------------------------- the end of the process

test('an acknowledged batch is carried out, also when the process is killed', async () => {
    const [{ one, got }, other] = [await withdrawer('1'), await withdrawer('1')];
    await fault('relay_delayed', { value: 600 });
    const answer = await submit(await one());
    assert.equal((await outcome(await submit(await other.one()))).state, 'STATE_CONFIRMED'); // as it would be itself by now
    assert.equal((await ask('GET', `/transaction?id=${answer.body.transactionID}`)).body[0].state, 'STATE_NEW');
    await venue.kill();
    await start();
    assert.equal((await outcome(answer)).state, 'STATE_CONFIRMED');
    assert.equal(await got(), units('1'));
});

test('killed at any time, and what it was doing acts once', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, () => withdrawer('6')));
    for (let round = 1; round <= 6; round++) {
        const batches = await Promise.all(all.map(({ one }) => one()));
        const answers = Promise.allSettled(batches.map((batch) => submit(batch)));
        await pause(round * 60);
        await venue.kill();
        const answered = (await answers).map(({ value }) => value);
        await start();
        for (const [i, answer] of answered.entries()) {
            if (answer === undefined) await submit(batches[i]); // taken now, or it had been
            else assert.equal((await outcome(answer)).state, 'STATE_CONFIRMED');
        }
        for (const { got } of all) await until('a dollar of each round', async () => await got() === units(String(round)));
        await until('quiet', async () => (await get('/transactions')).body.every(({ state }) => FINAL.includes(state)));
    }
});
