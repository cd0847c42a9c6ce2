// Section: predict
// Policies, approvals, stops and the operator's limits hold for orders on prediction markets as they do for swaps.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ADDRESSES, KINDS } from '../../contrib/sandbox/polymarket.mjs';
import { MARKETS } from '../../contrib/sandbox/upstream/markets.mjs';
import { give } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    granted, refused, registerUnlimited, show, until,
} from './lib.mjs';
import {
    at, cancel as cancelOf, completed, deposited, giveShares, orderBecomes, place as placeOf, trader, units, wrong,
} from './prediction.mjs';

const REFUSED = 'Refused by a wallet policy';
const PAUSED = 'Trading is paused by the operator';
const LIMITED = "Refused by the operator's limits";
const MARKET = '9010'; // v2, a tick of 0.01, about 0.55, a fee rate of 0.05
const HOUR = 3600;
const gateway = await startGateway(['signer_tx_max.polygon = pUSD 20000000']);
after(() => gateway.stop());

/** Those whose wallets trade themselves, as the gateway that they ask first decides. */
async function tradersThemselves(...dollars) {
    const first = await startGateway(['predict_wallet = eoa']);
    try {
        const agents = await Promise.all(dollars.map((some) => trader(some, first.base)));
        return agents.map((one) => Object.assign(one, { base: gateway.base }));
    } finally {
        await first.stop();
    }
}

const [agent, [itself, newcomer]] = await Promise.all([trader('200', gateway.base), tradersThemselves('200', '200')]);
const [{ tokenId }] = granted(await agent.get(`/predict/market/${MARKET}`)).outcomes;
/** Far below all asks, so that it rests. */
const bid = (size, price = 0.05) => ({ tokenId, side: 'BUY', price, size });
const orderOf = (answer) => granted(answer).order;
const listed = async (status = 'open', who = agent) => granted(await who.get(`/predict/orders?status=${status}`)).orders.map(({ id }) => id);
const place = (order, who = agent) => placeOf(who, order);
const cancel = (id, who = agent) => cancelOf(who, id);
const cancelAll = async (who = agent) => { for (const id of await listed('open', who)) assert.equal(orderOf(await cancel(id, who)).status, 'cancelled'); };

/** Under that policy, which no other agent's order meets. */
async function under(type, params, work, who = agent) {
    const { id } = granted(await who.post('/wallet/policy', { type, params })).policy;
    try {
        await work(id);
    } finally {
        await gateway.agentctl('unpolicy', who.id, id);
        await cancelAll(who);
    }
}

// ---------------------------------------------------------------- policies

// [type, params, orders that pass, orders that do not]
const LIMITS = [
    ['whitelist', { allowedVenues: ['predict'] }, [bid(10)], []],
    ['whitelist', { allowedVenues: ['swap', 'lend', 'perps'] }, [], [bid(10)]],
    ['whitelist', { allowedTokens: ['pusd'] }, [bid(10)], []],
    ['whitelist', { allowedTokens: ['USDC.e', 'USDC'] }, [], [bid(10)]],
    ['whitelist', { allowedChains: ['polygon'] }, [bid(10)], []],
    ['whitelist', { allowedChains: ['base'] }, [], [bid(10)]],
    ['whitelist', { allowedAddresses: [KINDS.v2.exchange] }, [bid(10)], []],
    ['whitelist', { allowedAddresses: [KINDS.v3.exchange] }, [], [bid(10)]],
    // The highest fee comes on top: 100 shares at 0.05 cost 5 and up to 0.2375.
    ['spending_limit', { maxAmountUsd: '5.2375' }, [bid(100), bid(100)], [bid(100.01)]],
    ['spending_limit', { maxAmount: '5.2374', token: 'pUSD' }, [bid(99)], [bid(100)]],
    ['spending_limit', { maxAmount: '1', token: 'USDC.e' }, [bid(100)], []],
    ['spending_limit', { maxAmountUsd: '10', timeWindowSeconds: HOUR }, [bid(90), bid(90)], [bid(20)]],
    ['execution_limit', { maxGasUsd: '0.01', maxSlippage: 0 }, [bid(10)], []],
];

// The first order of a wallet that trades itself begins with a transaction: the exchange is allowed what it may take.
for (const [kind, who, open] of [['deposit', agent, /^open$/], ['eoa', itself, /^(open|pending)$/]]) {
    for (const [type, params, passing, failing] of LIMITS) {
        test(`${type} ${JSON.stringify(params)}: ${kind}`, () => under(type, params, async (id) => {
            for (const order of passing) {
                const placed = orderOf(await place(order, who));
                assert.match(placed.status, open);
                await orderBecomes(who, placed.id, 'open');
            }
            for (const order of failing) assert.match(refused(await place(order, who), REFUSED).hint, new RegExp(`^Policy ${id} \\(${type}\\): .*`));
            assert.equal((await listed('open', who)).length, passing.length);
        }, who));
    }
}

test('the part that a cancelled order did not buy no longer counts', () => under('spending_limit', { maxAmountUsd: '6', timeWindowSeconds: HOUR }, async () => {
    const { id } = orderOf(await place(bid(100)));
    refused(await place(bid(100)), REFUSED);
    assert.equal(orderOf(await cancel(id)).status, 'cancelled');
    await until('the rest is given back', async () => (await place(bid(100))).status === 200);
}));

test('a sale counts as what the book says, however low its price', async () => {
    assert.match(orderOf(await place(bid(10, 0.9))).status, /^(open|filled)$/);
    const sale = (price) => place({ tokenId, side: 'SELL', price, size: 10 });
    await until('the shares', async () => (await sale(0.99)).status === 200);
    await cancelAll();
    // 10 at the midpoint are more than two dollars, at the price less.
    await under('spending_limit', { maxAmountUsd: '2' }, async () => refused(await sale(0.01), REFUSED));
    // An inconsistent book values nothing.
    await under('spending_limit', { maxAmountUsd: '1000' }, async () => {
        await wrong('lying_book', { times: 1 });
        refused(await sale(0.99), REFUSED);
        assert.equal(orderOf(await sale(0.99)).status, 'open');
    });
});

// ---------------------------------------------------------------- approvals

/** Under a policy that asks for an order of more than a dollar: what waits is given to `work`. */
const waiting = (more, work, who = agent) => under('approval_limit', { maxAmountUsd: '1' }, async () => {
    const answer = await place({ ...bid(100), ...more }, who);
    assert.equal(answer.status, 202, show(answer));
    const { approval_id, status, expires_at } = granted(answer, 202);
    assert.equal(status, 'pending_approval');
    await work(approval_id, () => place({ approval_id }, who), expires_at);
}, who);

for (const [kind, who] of [['deposit', agent], ['eoa', itself]]) {
    test(`an order beyond an approval limit waits, is placed once it is granted, and only once: ${kind}`, () => waiting({}, async (approval_id, goOn) => {
        assert.deepEqual(await listed('open', who), []);
        assert.equal(granted(await goOn(), 202).approval_id, approval_id);
        const terms = (await gateway.agentctl('approvals')).split('\n').find((line) => line.startsWith(approval_id));
        assert.match(terms, /BUY 100 .*0\.05/);
        const { approvals: [shown] } = granted(await who.get('/approvals'));
        assert.deepEqual([shown.id, shown.action, shown.status, shown.swap_id], [approval_id, 'order', 'waiting', null]);
        await gateway.agentctl('approve', approval_id);
        const placed = orderOf(await goOn());
        assert.deepEqual([placed.tokenId, placed.side, placed.price, placed.size, placed.status], [tokenId, 'BUY', 0.05, 100, 'open']);
        refused(await goOn(), 'Approval not found');
        assert.equal(orderOf(await place(bid(10), who)).status, 'open'); // below the limit no approval is needed
        assert.equal((await listed('open', who)).length, 2);
    }, who));
}

// ---------------------------------------------------------------- what a wallet that trades itself allows

const allowance = () => at(ADDRESSES.collateral).allowance(newcomer.address, ADDRESSES.exchange);

test('an order whose exchange is allowed nothing yet waits for the operator, then for the allowance', () => waiting({}, async (approval_id, goOn) => {
    assert.equal(await allowance(), 0n);
    await gateway.agentctl('approve', approval_id);
    const placed = orderOf(await goOn());
    refused(await goOn(), 'Approval not found');
    await orderBecomes(newcomer, placed.id, 'open');
    assert.deepEqual(await listed('all', newcomer), [placed.id]);
    assert.equal(await allowance(), units(20)); // of 200: no more than the operator has it sign
}, newcomer));

test('a wallet allows what is open and what it orders, and is told what to do where that is over the limit', async () => {
    // With the highest fee each may take 5.2375 of the 20 that are allowed.
    const answers = await Promise.all(Array.from({ length: 4 }, () => place(bid(100), newcomer)));
    const [over] = answers.filter(({ status }) => status !== 200);
    assert.deepEqual((await listed('open', newcomer)).length, 3, answers.map(show).join('\n'));
    assert.match(refused(over, LIMITED).hint, /to be allowed 20\.95 pUSD, .* over the limit .*: cancel some, or place a smaller one$/);
    await cancelAll(newcomer);
    await until('what the cancelled orders held', async () => (await place(bid(300), newcomer)).status === 200);
    await cancelAll(newcomer);
});

test('many at once use an approval once', () => waiting({}, async (approval_id, goOn) => {
    await gateway.agentctl('approve', approval_id);
    const answers = await Promise.all(Array.from({ length: 6 }, goOn));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(show).join('\n'));
    assert.equal((await listed()).length, 1);
}));

test('an order that the operator denies is not placed', () => waiting({}, async (approval_id, goOn) => {
    await gateway.agentctl('deny', approval_id);
    refused(await goOn(), 'Approval denied');
    assert.deepEqual([await listed(), await listed('rejected')], [[], []]);
}));

test('an order whose end has come near waits no longer', () => {
    const expiration = Math.floor(Date.now() / 1000) + 192;
    return waiting({ type: 'GTD', expiration }, async (approval_id, goOn, expires_at) => {
        assert.ok(Date.parse(expires_at) <= (expiration - 180) * 1000, expires_at);
        await until('its end', () => Date.now() > Date.parse(expires_at) + 500);
        refused(await goOn(), 'Approval expired');
        assert.deepEqual(await listed('all').then((ids) => ids.length > 0), true);
    });
});

// ---------------------------------------------------------------- whose it is

test('another agent’s orders, transfers and approvals are not found', () => waiting({}, async (approval_id) => {
    const stranger = await registerUnlimited();
    await stranger.wallet();
    const [{ id: transfer }] = granted(await agent.get('/predict/transfers')).transfers;
    const [order] = await listed('all');
    for (const [answer, error] of [
        [await stranger.get(`/predict/order/${order}`), 'Order not found'],
        [await stranger.send('DELETE', `/predict/order/${order}`), 'Order not found'],
        [await stranger.get(`/predict/transfer/${transfer}`), 'Transfer not found'],
        [await stranger.post('/predict/order', { approval_id }), 'Approval not found'],
        [await stranger.post('/predict/order', { ...bid(10), wallet_address: agent.address }), 'No managed wallet found'],
        [await stranger.post('/predict/deposit', { amount: '1', token: 'pUSD', wallet_address: agent.address }), 'No managed wallet found'],
        [await stranger.post('/predict/withdraw', { amount: 'max', wallet_address: agent.address }), 'No managed wallet found'],
    ]) refused(answer, error);
    for (const what of ['orders?status=all', 'transfers', 'positions']) {
        const { success: _, pagination: __, ...lists } = granted(await stranger.get(`/predict/${what}`));
        assert.deepEqual(Object.values(lists), [[]], what);
    }
}));

// ---------------------------------------------------------------- stops

const transfer = (what, terms) => agent.post(`/predict/${what}`, terms);
const resolved = MARKETS.find(({ kind, status }) => kind === 'v2' && status === 'resolved');

/** While the operator has stopped the agent, or all. */
async function stopped(whom, work) {
    await gateway.agentctl('stop', whom);
    try {
        await work();
    } finally {
        await gateway.agentctl('resume', whom);
    }
}

test('a stop holds orders and deposits, and no cancel; what comes home is held by the stop of all alone', async () => {
    await give('polygon', agent.address, 'USDC.e', 5);
    await giveShares(resolved, granted(await agent.get('/predict/account')).account.tradingAddress, 3);
    const held = async () => {
        refused(await place(bid(10)), PAUSED);
        refused(await transfer('deposit', { amount: '1' }), PAUSED);
    };
    const [first, second] = [orderOf(await place(bid(10))), orderOf(await place(bid(10)))];
    await stopped('all', async () => {
        await held();
        refused(await transfer('withdraw', { amount: '1' }), PAUSED);
        refused(await transfer('redeem', { market: resolved.id }), PAUSED);
        assert.equal(orderOf(await cancel(first.id)).status, 'cancelled');
    });
    await stopped(agent.id, async () => {
        await held();
        assert.equal((await completed(agent, await transfer('withdraw', { amount: '1' }))).amount, '1');
        assert.equal((await completed(agent, await transfer('redeem', { market: resolved.id }))).amount, '3');
        assert.equal(orderOf(await cancel(second.id)).status, 'cancelled');
    });
    assert.equal(orderOf(await place(bid(10))).status, 'open');
    await cancelAll();
});

// ---------------------------------------------------------------- deposits

for (const params of [
    { allowedVenues: ['swap', 'perps'] }, { allowedTokens: ['pUSD'] }, { allowedChains: ['base'] }, { allowedAddresses: [KINDS.v2.exchange] },
]) {
    test(`no deposit under a whitelist ${JSON.stringify(params)}`, () => under('whitelist', params, async (id) => {
        const { hint } = refused(await transfer('deposit', { amount: '1' }), REFUSED);
        assert.ok(hint.startsWith(`Policy ${id} (whitelist): its ${Object.keys(params)[0]} must include`), hint);
    }));
}

test('a deposit that a whitelist allows counts in no limit', () => under('whitelist', { allowedVenues: ['predict'], allowedChains: ['polygon'] }, () => (
    under('spending_limit', { maxAmountUsd: '1.5', timeWindowSeconds: HOUR }, async () => {
        await deposited(agent, '2');
        assert.equal(orderOf(await place(bid(20))).status, 'open');
    }))));

// ---------------------------------------------------------------- the operator's limits

test('the operator’s limit of a signature holds', async () => {
    refused(await place(bid(401)), LIMITED);
    assert.equal(orderOf(await place(bid(400))).status, 'open');
    assert.equal((await listed()).length, 1);
    await cancelAll();
});

test('the operator’s limit of a day holds, and what was cancelled counts', async () => {
    const limited = await startGateway(['signer_day_max.polygon = pUSD 8000000']);
    try {
        agent.base = limited.base;
        const { id } = orderOf(await place(bid(100))); // 5 dollars
        assert.equal(orderOf(await cancel(id)).status, 'cancelled');
        refused(await place(bid(80)), LIMITED);
        assert.equal(orderOf(await place(bid(60))).status, 'open');
        refused(await place(bid(20)), LIMITED);
        assert.deepEqual([(await listed()).length, await listed('rejected')], [1, []]);
        await cancelAll();
    } finally {
        agent.base = gateway.base;
        await limited.stop();
    }
});
