// Section: api
// What the sandbox's perpetuals venue does to an account: leverage, margin, funding, liquidation, transfers, limits; what its control
// makes happen and go wrong; and what it still knows after it was killed. Nothing here asks the gateway.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
    abs, rounded, textOf, unitsOf,
} from '../../contrib/sandbox/upstream/hyperliquid/amounts.mjs';
import {
    A, Trader, newCloid, newKey, newNonce, orderOf, ownVenue, signedBody,
} from './hyperliquid.mjs';
import { until } from './lib.mjs';

const STATE = mkdtempSync(join(tmpdir(), 'perps-'));
const state = join(STATE, 'upstream');
const PRICES = { ETH: '3000', SOL: '150', BTC: '60000' };

let venue;
/** Where no hour begins while something is counted. */
async function start() {
    venue = await ownVenue({ state });
    await venue.act('funding_hours', { on: false });
}
before(start);
after(async () => { await venue.stop(); rmSync(STATE, { recursive: true }); });

const failed = (response) => ({ status: 'err', response });
const DONE = { status: 'ok', response: { type: 'default' } };
const wrongSetting = (error) => ({ status: 'ok', response: { type: 'default', data: { status: { error } } } });
const price = (coin, value = PRICES[coin]) => venue.act('move_price', { coin, price: value });
const money = (text) => unitsOf(text);
const bought = (trader, coin, size, limit) => trader.order(coin, 'buy', size, limit, { tif: 'Ioc' });

async function moved(coin, value, work) {
    await price(coin, value);
    try {
        return await work();
    } finally {
        await price(coin);
    }
}

// ---------------------------------------------------------------- leverage and margin

test('the first credit of an account costs a dollar, once', async () => {
    const trader = new Trader(venue);
    assert.deepEqual([(await trader.state()).withdrawable, await trader.info('userRole'), await trader.info('userAbstraction')], ['0.0', { role: 'missing' }, 'default']);
    assert.deepEqual(await trader.info('preTransferCheck'), { fee: '1.0', isSanctioned: false, userExists: false, userHasSentTx: false });
    await venue.act('give', { user: trader.address, amount: '100' });
    await venue.act('give', { user: trader.address, amount: '100' });
    const { withdrawable, marginSummary: { accountValue } } = await trader.state();
    assert.deepEqual([withdrawable, accountValue], ['199.0', '199.0']);
    const deltas = (await trader.info('userNonFundingLedgerUpdates')).map(({ delta }) => [delta.type, delta.usdc ?? delta.amount]);
    assert.deepEqual(deltas, [['deposit', '100.0'], ['accountActivationGas', '1.0'], ['deposit', '100.0']]);
    assert.deepEqual([await trader.info('userRole'), (await trader.info('preTransferCheck')).fee], [{ role: 'user' }, '0.0']);
});

test('a cross position: what it costs, binds and gains, to the last digit', async () => {
    const trader = await Trader.with(venue, 1000);
    assert.deepEqual(await trader.leverage(A.ETH, 5), DONE);
    await bought(trader, 'ETH', '1', '3100');
    const [{ px, fee }] = await trader.info('userFills');
    assert.deepEqual([px, fee], ['3000.6', '1.35027']);
    const position = await trader.position('ETH');
    assert.deepEqual({ ...position, liquidationPx: undefined }, {
        coin: 'ETH', szi: '1.0', leverage: { type: 'cross', value: 5 }, entryPx: '3000.6', positionValue: '3000.0', unrealizedPnl: '-0.6', returnOnEquity: '-0.0009998',
        liquidationPx: undefined, marginUsed: '600.0', maxLeverage: 25, cumFunding: { allTime: '0.0', sinceOpen: '0.0', sinceChange: '0.0' },
    });
    const { marginSummary, crossMaintenanceMarginUsed, withdrawable } = await trader.state();
    // 1000 - 1.35027 - 0.6; half of the margin at 25 is kept; 600 is bound.
    assert.deepEqual([marginSummary.accountValue, marginSummary.totalNtlPos, marginSummary.totalMarginUsed], ['998.04973', '3000.0', '600.0']);
    assert.deepEqual([marginSummary.totalRawUsd, crossMaintenanceMarginUsed, withdrawable], ['-2001.95027', '60.0', '398.04973']);
    // price - s × available / size / (1 - l × s), with l = 1 / (2 × 25)
    const available = money('998.04973') - money('60');
    const expected = money('3000') * 100n - rounded(available * 100n * 50n, 49n);
    assert.ok(abs(unitsOf(position.liquidationPx, 8) - expected) <= 1n, position.liquidationPx);
});

test('a short position loses when the price rises', async () => {
    const trader = await Trader.with(venue, 1000);
    await trader.order('ETH', 'sell', '0.5', '2900', { tif: 'Ioc' });
    await moved('ETH', '3100', async () => {
        const { szi, entryPx, unrealizedPnl, positionValue, liquidationPx } = await trader.position('ETH');
        assert.deepEqual([szi, entryPx, unrealizedPnl, positionValue], ['-0.5', '2999.4', '-50.3', '1550.0']);
        assert.ok(Number(liquidationPx) > 3100);
        const { marginSummary } = await trader.state();
        assert.equal(money(marginSummary.totalRawUsd), money(marginSummary.accountValue) + money('1550'));
    });
});

test('leverage: what may be set, and what an order may then bind', async () => {
    const trader = await Trader.with(venue, 1000);
    for (const leverage of [0, 26]) assert.deepEqual(await trader.leverage(A.ETH, leverage), wrongSetting('Invalid leverage value'));
    assert.deepEqual(await trader.leverage(99, 2), wrongSetting('Invalid leverage value'));
    assert.deepEqual((await trader.info('activeAssetData', { coin: 'ETH' })).leverage, { type: 'cross', value: 20 });
    await trader.leverage(A.ETH, 2);
    assert.match((await bought(trader, 'ETH', '0.7', '3100')).error, /^Insufficient margin/);
    await trader.leverage(A.ETH, 3);
    assert.ok((await bought(trader, 'ETH', '0.7', '3100')).filled);
    assert.deepEqual(await trader.leverage(A.ETH, 3, false), wrongSetting('Cannot switch leverage type with open position.'));
    assert.deepEqual(await trader.leverage(A.ETH, 2), wrongSetting('Not enough margin for this leverage.'));
    assert.deepEqual(await trader.leverage(A.ETH, 10), DONE);
    const { leverage, marginUsed } = await trader.position('ETH');
    assert.deepEqual([leverage, marginUsed], [{ type: 'cross', value: 10 }, '210.0']);
    const { leverage: seen, availableToTrade } = await trader.info('activeAssetData', { coin: 'ETH' });
    assert.equal(seen.value, 10);
    assert.ok(money(availableToTrade[0]) > money('780'));
});

test('orders that rest hold margin', async () => {
    const trader = await Trader.with(venue, 1000);
    await trader.leverage(A.ETH, 5);
    assert.ok((await trader.order('ETH', 'buy', '1', '2500')).resting);
    assert.equal((await trader.state()).withdrawable, '500.0');
    assert.ok((await trader.order('ETH', 'buy', '0.9', '2500')).resting);
    assert.match((await trader.order('ETH', 'buy', '0.2', '2500')).error, /^Insufficient margin/);
});

test('an isolated position has margin of its own, which is added to and taken from', async () => {
    const trader = await Trader.with(venue, 1000);
    await trader.leverage(A.ETH, 10, false);
    await bought(trader, 'ETH', '1', '3100');
    const isolated = async () => { const { marginUsed, leverage } = await trader.position('ETH'); return [marginUsed, leverage]; };
    // A tenth of what was paid, less what the mark price is below it.
    assert.deepEqual(await isolated(), ['299.46', { type: 'isolated', value: 10, rawUsd: '-2700.54' }]);
    assert.equal((await trader.state()).withdrawable, '698.58973');
    const margin = (dollars) => trader.l1({ type: 'updateIsolatedMargin', asset: A.ETH, isBuy: true, ntli: dollars * 1e6 });
    assert.deepEqual(await margin(100), DONE);
    assert.deepEqual((await isolated())[0], '399.46');
    assert.deepEqual(await margin(-90), DONE);
    assert.deepEqual(await margin(-50), wrongSetting('Not enough margin to remove.'));
    assert.deepEqual(await margin(5000), wrongSetting('Insufficient margin to add.'));
    const { liquidationPx } = await trader.position('ETH');
    const available = money('309.46') - money('60');
    assert.ok(abs(unitsOf(liquidationPx, 8) - (money('3000') * 100n - rounded(available * 100n * 50n, 49n))) <= 1n, liquidationPx);
    assert.deepEqual(await trader.l1({ type: 'updateIsolatedMargin', asset: A.SOL, isBuy: true, ntli: 1 }), wrongSetting('Cannot update isolated margin without an isolated position.'));
    await trader.order('ETH', 'sell', '0.5', '2900', { tif: 'Ioc', reduceOnly: true });
    assert.equal((await isolated())[0], textOf((money('310.06') / 2n) - money('0.3')));
    await trader.order('ETH', 'sell', '0.5', '2900', { tif: 'Ioc', reduceOnly: true });
    const { withdrawable, marginSummary } = await trader.state();
    assert.deepEqual([withdrawable, marginSummary.totalMarginUsed], [marginSummary.accountValue, '0.0']);
});

test('large positions allow less leverage and have to keep more', async () => {
    const trader = await Trader.with(venue, 100_000);
    await trader.leverage(A.SOL, 20);
    assert.ok((await bought(trader, 'SOL', '1300', '160')).filled);
    assert.match((await trader.order('SOL', 'buy', '100', '149')).error, /^Order would cause position to exceed margin tier limit at current leverage asset=5$/);
    await trader.leverage(A.SOL, 10);
    assert.ok((await bought(trader, 'SOL', '700', '160')).filled);
    // 200000 at 1/40, the next 100000 at 1/20.
    assert.equal((await trader.state()).crossMaintenanceMarginUsed, '10000.0');
    await trader.leverage(A.SOL, 5);
    assert.ok((await bought(trader, 'SOL', '1000', '160')).filled);
    // 200000 at 1/40, 200000 at 1/20, 50000 at 1/10.
    assert.equal((await trader.state()).crossMaintenanceMarginUsed, '20000.0');
    assert.deepEqual(await trader.leverage(A.SOL, 10), wrongSetting('Invalid leverage value'));
});

// ---------------------------------------------------------------- funding

test('an hour\'s funding: longs pay shorts what the rate says', async () => {
    const [long, short] = [await Trader.with(venue, 1000), await Trader.with(venue, 1000)];
    await short.leverage(A.ETH, 10, false);
    await bought(long, 'ETH', '0.5', '3100');
    await short.order('ETH', 'sell', '0.5', '2900', { tif: 'Ioc' });
    const values = async () => Promise.all([long, short].map(async (trader) => money((await trader.state()).marginSummary.accountValue)));
    const earlier = await values();
    await venue.act('next_funding', { coin: 'ETH', rate: '0.0001' });
    const later = await values();
    assert.deepEqual(later.map((value, i) => value - earlier[i]), [-money('0.15'), money('0.15')]);
    const [payment] = await long.info('userFunding', { startTime: 0 });
    assert.deepEqual(payment.delta, { type: 'funding', coin: 'ETH', usdc: '-0.15', szi: '0.5', fundingRate: '0.0001', nSamples: null });
    assert.equal((await short.info('userFunding', { startTime: 0 }))[0].delta.usdc, '0.15');
    assert.deepEqual([(await long.position('ETH')).cumFunding.sinceOpen, (await short.position('ETH')).cumFunding.allTime], ['0.15', '-0.15']);
    assert.equal((await venue.info('fundingHistory', { coin: 'ETH', startTime: payment.time })).at(-1).fundingRate, '0.0001');
    await venue.act('next_funding', { coin: 'ETH', rate: '-0.0001' });
    assert.deepEqual(await values(), earlier);
    assert.deepEqual(await long.info('userFunding', { startTime: payment.time + 60_000 }), []);
    await venue.act('next_funding', { coin: 'ETH', rate: '0.0000125' });
});

test('funding is paid when an hour begins', async () => {
    const trader = await Trader.with(venue, 1000);
    await bought(trader, 'ETH', '0.5', '3100');
    const paid = async () => (await trader.info('userFunding', { startTime: 0 })).length;
    assert.equal(await paid(), 0);
    await venue.act('funding_hours', { begins: true });
    await until('the hour', async () => await paid() === 1);
    await venue.act('funding_hours', { on: false });
});

test('all that an account ever paid and gained is what it is worth', async () => {
    const trader = await Trader.with(venue, 10_000);
    let seed = 7n;
    const some = (most) => { seed = (seed * 1103515245n + 12345n) % 2147483648n; return Number((seed >> 8n) % BigInt(most)); };
    await trader.leverage(A.SOL, 5, false);
    for (let i = 0; i < 60; i++) {
        const [coin, size] = [['ETH', (1 + some(9999)) / 10_000], ['SOL', (10 + some(990)) / 100], ['DOGE', 200 + some(3000)]][some(3)];
        const [side, limit] = [['buy', { ETH: '3200', SOL: '160', DOGE: '0.13' }], ['sell', { ETH: '2800', SOL: '140', DOGE: '0.11' }]][some(2)];
        await trader.order(coin, side, String(size), limit[coin], { tif: 'Ioc' });
        if (i % 10 === 5) await venue.act('next_funding', { rate: '0.0001' });
        if (i % 10 === 8) await price('ETH', String(2990 + some(20)));
    }
    const fills = await trader.info('userFills');
    const payments = await trader.info('userFunding', { startTime: 0 });
    const { marginSummary, assetPositions } = await trader.state();
    assert.ok(fills.length > 50 && payments.length > 6 && assetPositions.length > 1);
    const sum = (rows, member) => rows.reduce((total, row) => total + money(row[member]), 0n);
    const gained = sum(fills, 'closedPnl') - sum(fills, 'fee') + sum(payments.map(({ delta }) => delta), 'usdc');
    assert.equal(textOf(money('10000') + gained + sum(assetPositions.map(({ position }) => position), 'unrealizedPnl')), marginSummary.accountValue);
    for (const { position: { coin, szi } } of assetPositions) {
        const lots = fills.filter((fill) => fill.coin === coin).reduce((total, { side, sz }) => total + (side === 'B' ? 1n : -1n) * unitsOf(sz), 0n);
        assert.equal(lots, unitsOf(szi), coin);
    }
    await venue.act('next_funding', { rate: '0.0000125' });
    await price('ETH');
});

// ---------------------------------------------------------------- liquidation

test('an account below its maintenance margin loses its cross positions and its orders', async () => {
    const trader = await Trader.with(venue, 400);
    await trader.leverage(A.ETH, 10);
    await bought(trader, 'ETH', '1', '3100');
    const { resting } = await trader.order('ETH', 'sell', '0.5', '3300', { reduceOnly: true });
    const { liquidationPx } = await trader.position('ETH');
    const above = (Math.ceil(Number(liquidationPx) * 10) / 10).toFixed(1);
    await moved('ETH', above.replace(/\.0$/, ''), async () => {
        assert.equal((await trader.position('ETH')).szi, '1.0');
        await price('ETH', (Number(above) - 0.1).toFixed(1).replace(/\.0$/, ''));
        assert.equal(await trader.position('ETH'), undefined);
    });
    assert.equal(await trader.statusOf(resting.oid), 'liquidatedCanceled');
    const [fill] = await trader.info('userFills');
    assert.deepEqual([fill.dir, fill.liquidation.liquidatedUser, fill.liquidation.method, fill.fee], ['Close Long', trader.address, 'market', '0.0']);
    const { delta } = (await trader.info('userNonFundingLedgerUpdates')).at(-1);
    assert.deepEqual([delta.type, delta.leverageType, delta.liquidatedPositions], ['liquidation', 'Cross', [{ coin: 'ETH', szi: '1.0' }]]);
    const { marginSummary: { accountValue } } = await trader.state();
    assert.ok(money(accountValue) > 0n && money(accountValue) < money('60'));
    assert.equal(money(accountValue), money('400') - money('1.35027') + money(fill.closedPnl));
});

test('an isolated position is liquidated alone; what is left of a jump is nothing', async () => {
    const trader = await Trader.with(venue, 1000);
    await trader.leverage(A.ETH, 10, false);
    await bought(trader, 'ETH', '1', '3100');
    await bought(trader, 'SOL', '2', '160');
    const other = await Trader.with(venue, 200);
    await bought(other, 'ETH', '1', '3100');
    await moved('ETH', '2700', async () => {
        assert.deepEqual([await trader.position('ETH'), (await trader.position('SOL')).szi], [undefined, '2.0']);
        assert.equal((await trader.info('userNonFundingLedgerUpdates')).at(-1).delta.leverageType, 'Isolated');
        assert.deepEqual([await other.position('ETH'), (await other.state()).marginSummary.accountValue], [undefined, '0.0']);
    });
});

test('an account that a filled order liquidates has no other orders by then', async () => {
    const trader = await Trader.with(venue, 300);
    await trader.leverage(A.ETH, 25);
    const [first, second] = [await trader.order('ETH', 'buy', '1', '2900'), await trader.order('ETH', 'buy', '1', '2800')];
    await moved('ETH', '2500', async () => {
        assert.deepEqual([await trader.statusOf(first.resting.oid), await trader.statusOf(second.resting.oid)], ['filled', 'liquidatedCanceled']);
        assert.deepEqual([await trader.position('ETH'), (await trader.info('userFills')).length], [undefined, 2]);
    });
});

test('the test endpoint liquidates the named account', async () => {
    const trader = await Trader.with(venue, 1000);
    await bought(trader, 'ETH', '0.1', '3100');
    await bought(trader, 'SOL', '1', '160');
    assert.deepEqual(await venue.act('liquidate', { user: trader.address, coin: 'ETH' }), { liquidated: ['ETH'] });
    assert.deepEqual((await trader.state()).assetPositions, []);
    for (const value of [{ user: trader.address }, { user: newKey().address }]) await assert.rejects(venue.act('liquidate', value), /no position/);
    for (const [act, value] of [['move_price', { coin: 'NONE', price: '1' }], ['move_price', { coin: 'ETH', price: '3000.55' }], ['counter_order', { coin: 'ETH', side: 'up', price: '1', size: '1' }], ['next_funding', { rate: 'x' }]]) {
        await assert.rejects(venue.act(act, value));
    }
});

// ---------------------------------------------------------------- money between accounts

test('money moves between spot and perpetuals, and to other accounts', async () => {
    const trader = await Trader.with(venue, 1000);
    const balances = async () => [(await trader.state()).withdrawable, (await trader.info('spotClearinghouseState')).balances.map(({ total }) => total)];
    const move = (amount, toPerp) => trader.user('usdClassTransfer', { amount, toPerp });
    assert.deepEqual(await move('300.5', false), DONE);
    assert.deepEqual(await balances(), ['699.5', ['300.5']]);
    assert.deepEqual(await move('300.6', true), failed('Insufficient balance for token transfer'));
    assert.deepEqual(await move('0.5', true), DONE);
    assert.deepEqual(await balances(), ['700.0', ['300.0']]);
    for (const amount of ['0', '-1', 'x', '0.0000001']) assert.equal((await move(amount, true)).status, 'err', amount);
    const other = new Trader(venue);
    const send = (amount, to = other.address) => trader.user('usdSend', { destination: to, amount }, { name: 'time' });
    assert.deepEqual(await send('50'), DONE);
    assert.equal((await other.state()).withdrawable, '49.0');
    assert.deepEqual(await send('50'), DONE);
    assert.equal((await other.state()).withdrawable, '99.0');
    assert.deepEqual(await send('5000'), failed('Insufficient balance for token transfer'));
    assert.deepEqual((await trader.info('userNonFundingLedgerUpdates')).slice(-1)[0].delta, { type: 'internalTransfer', usdc: '50.0', user: trader.address, destination: other.address, fee: '0.0' });
});

test('bound margin cannot be withdrawn', async () => {
    const trader = await Trader.with(venue, 1000);
    await trader.leverage(A.ETH, 5);
    await bought(trader, 'ETH', '1', '3100');
    const { withdrawable } = await trader.state();
    assert.deepEqual(await trader.withdraw(textOf(money(withdrawable) + 1n)), failed('Insufficient balance for withdrawal'));
    assert.deepEqual(await trader.withdraw('1'), failed('Insufficient balance for withdrawal'));
    const nonce = newNonce();
    assert.deepEqual(await trader.withdraw(withdrawable, trader.address, { nonce }), DONE);
    const { delta } = (await trader.info('userNonFundingLedgerUpdates')).at(-1);
    assert.deepEqual(delta, { type: 'withdraw', usdc: withdrawable, nonce, fee: '1.0' });
    assert.equal((await trader.state()).withdrawable, '0.0');
    assert.deepEqual(await trader.user('sendToEvmWithData', {
        token: 'USDC', amount: '10', sourceDex: '', destinationRecipient: trader.address, addressEncoding: 'hex', destinationChainId: 6, gasLimit: 200_000, data: '0x',
    }), failed('Invalid destination chain'));
});

test('a unified account has its collateral among its spot balances, and stays one', async () => {
    const trader = await Trader.with(venue, 1000);
    await trader.user('usdClassTransfer', { amount: '400', toPerp: false });
    const set = (abstraction) => trader.user('userSetAbstraction', { user: trader.address, abstraction });
    assert.deepEqual(await set('unifiedAccount'), DONE);
    assert.equal(await trader.info('userAbstraction'), 'unifiedAccount');
    await trader.leverage(A.ETH, 5);
    await bought(trader, 'ETH', '1', '3100');
    const { withdrawable, marginSummary, assetPositions } = await trader.state();
    assert.deepEqual([withdrawable, marginSummary.accountValue, assetPositions.length], ['0.0', '0.0', 1]);
    assert.deepEqual((await trader.info('spotClearinghouseState')).balances, [{ coin: 'USDC', token: 0, total: '998.64973', hold: '600.0', entryNtl: '0.0' }]);
    for (const answer of [await trader.user('usdClassTransfer', { amount: '1', toPerp: true }), await trader.user('usdSend', { destination: trader.address, amount: '10' }, { name: 'time' })]) {
        assert.deepEqual(answer, failed('Action disabled when unified account is active'));
    }
    assert.deepEqual(await trader.withdraw('10'), DONE);
    assert.equal((await trader.info('spotClearinghouseState')).balances[0].total, '988.64973');
    assert.equal((await set('disabled')).status, 'err');
    assert.deepEqual(await (await Trader.with(venue, 10)).l1({ type: 'agentSetAbstraction', abstraction: 'u' }), DONE);
});

// ---------------------------------------------------------------- limits

test('all that is asked in a minute has a weight, and a limit', async () => {
    const trader = await Trader.with(venue, 1000);
    const asked = async (type, more) => (await venue.ask('POST', '/hyperliquid/info', { type, user: trader.address, ...more })).status;
    try {
        assert.deepEqual(await venue.act('limits'), { weight: 12_000, requests: 100_000 });
        await venue.act('limits', { weight: 66 });
        // 60, 2, 2 and, for one action, 1; a last one may begin while there is room.
        assert.deepEqual([await asked('userRole'), await asked('allMids'), await asked('l2Book', { coin: 'ETH' })], [200, 200, 200]);
        assert.equal((await venue.exchange(signedBody(trader.key, { type: 'noop' }))).status, 200);
        assert.deepEqual([await asked('meta'), await asked('allMids')], [200, 429]);
        assert.deepEqual(await venue.exchange(signedBody(trader.key, { type: 'noop' })), { status: 429, body: null });
        await venue.act('limits', { weight: 3 });
        const many = Array.from({ length: 80 }, () => ({ a: 1, o: 1 }));
        assert.equal((await trader.l1({ type: 'cancel', cancels: many })).status, 'ok');
        assert.equal(await asked('allMids'), 429);
        await venue.act('limits', { factor: 0 });
        assert.equal(await asked('allMids'), 200);
    } finally {
        await venue.act('limits');
    }
});

test('an account may send so many requests, and one more for each dollar that it traded', async () => {
    const trader = await Trader.with(venue, 1000);
    const noop = () => trader.l1({ type: 'noop' });
    try {
        await venue.act('limits', { requests: 3 });
        assert.deepEqual([await noop(), await noop(), await noop()], [DONE, DONE, DONE]);
        // One that is beyond the limit is let through now and then, the next one is not.
        assert.deepEqual(await noop(), DONE);
        const text = 'Too many cumulative requests sent (5 > 3) for cumulative volume traded $0.00. Place taker orders to free up 1 request per USDC traded.';
        assert.deepEqual(await noop(), failed(text));
        assert.deepEqual(await trader.l1({ type: 'cancelByCloid', cancels: [{ asset: 1, cloid: newCloid() }] }).then(({ status }) => status), 'ok');
        const { nRequestsUsed, nRequestsCap } = await trader.info('userRateLimit');
        assert.deepEqual([nRequestsUsed, nRequestsCap], [5, 3]);
        await venue.act('limits', { requests: 7 });
        assert.match((await trader.l1({ type: 'order', orders: Array(3).fill(orderOf('ETH', 'buy', '0.1', '2500')), grouping: 'na' })).response, /^Too many cumulative requests sent \(8 > 7\)/);
        assert.ok((await bought(trader, 'ETH', '0.1', '3100')).filled);
        assert.equal((await trader.info('userRateLimit')).nRequestsCap, 307);
        assert.deepEqual(await noop(), DONE);
    } finally {
        await venue.act('limits');
    }
});

test('an account has so many open orders, and no more', async () => {
    const trader = await Trader.with(venue, 100_000);
    const orders = Array.from({ length: 250 }, () => orderOf('DOGE', 'buy', '200', '0.1'));
    for (let i = 0; i < 4; i++) assert.ok((await trader.orders(orders)).every(({ resting }) => resting));
    assert.match((await trader.order('DOGE', 'buy', '200', '0.1')).error, /^Too many open orders\./);
    assert.equal((await trader.info('openOrders')).length, 1000);
});

// ---------------------------------------------------------------- what goes wrong

const wish = (cloid) => ({ type: 'order', orders: [orderOf('ETH', 'buy', '0.1', '2500', { cloid })], grouping: 'na' });
const known = async (trader, cloid) => (await trader.statusOf(cloid)) === 'open';
const exchange = { path: '/exchange', times: 1 };

test('an answer that is lost, and one that never comes', async () => {
    const trader = await Trader.with(venue, 1000);
    const [first, second] = [newCloid(), newCloid()];
    const lost = signedBody(trader.key, wish(first));
    await venue.fault('lost_answer', undefined, exchange);
    await assert.rejects(trader.send(lost));
    assert.ok(await known(trader, first));
    assert.match((await trader.send(lost)).response, /^Invalid nonce: duplicate nonce/);
    const stalled = signedBody(trader.key, wish(second));
    await venue.fault('stall', undefined, exchange);
    await assert.rejects(fetch(`${venue.base}/hyperliquid/exchange`, { method: 'POST', body: stalled, signal: AbortSignal.timeout(500) }));
    assert.ok(!await known(trader, second));
    assert.equal((await trader.send(stalled)).status, 'ok');
    assert.equal((await trader.info('openOrders')).length, 2);
});

test('refused by its load, by an error, by nonsense: nothing is done', async () => {
    const trader = await Trader.with(venue, 1000);
    const cloid = newCloid();
    const body = signedBody(trader.key, wish(cloid));
    await venue.fault('http_429', undefined, exchange);
    assert.equal((await venue.exchange(body)).status, 429);
    await venue.fault('garbage', undefined, exchange);
    assert.match((await venue.exchange(body)).body, /^<html>/);
    await venue.fault('status_err');
    assert.deepEqual((await venue.exchange(body)).body, failed('Unexpected error (code=148)'));
    await venue.fault('status_err', 'What the test says');
    assert.deepEqual((await venue.exchange(body)).body, failed('What the test says'));
    assert.ok(!await known(trader, cloid));
    await venue.fault('garbage', undefined, { path: '/info', times: 1 });
    assert.match(await trader.info('openOrders'), /^<html>/);
    assert.equal((await trader.send(body)).status, 'ok');
    assert.ok(await known(trader, cloid));
});

test('a nonce that is told to be used: the action was done, or it was not', async () => {
    const trader = await Trader.with(venue, 1000);
    const [done, undone] = [newCloid(), newCloid()];
    const nonce = newNonce();
    const duplicate = failed(`Invalid nonce: duplicate nonce ${nonce}`);
    await venue.fault('duplicate_nonce');
    assert.deepEqual(await trader.l1(wish(done), { nonce }), duplicate);
    assert.ok(await known(trader, done));
    const body = signedBody(trader.key, wish(undone), { nonce: nonce + 1 });
    await venue.fault('duplicate_nonce', 'undone');
    assert.match((await trader.send(body)).response, /duplicate nonce/);
    assert.ok(!await known(trader, undone));
    assert.equal((await trader.send(body)).status, 'ok');
    newNonce();
});

test('reads that lag show what was', async () => {
    const nothing = Date.now();
    await until('another moment', () => Date.now() > nothing);
    const trader = await Trader.with(venue, 1000);
    const resting = newCloid();
    await trader.l1(wish(resting));
    const begun = Date.now();
    await until('another moment', () => Date.now() > begun);
    const cloid = newCloid();
    await trader.order('ETH', 'buy', '0.1', '3100', { tif: 'Ioc', cloid });
    await trader.cancel(A.ETH, resting);
    await trader.withdraw('10');
    const seen = async () => [
        await trader.statusOf(cloid), await trader.statusOf(resting), (await trader.info('openOrders')).length, (await trader.info('userFills')).length,
        (await trader.state()).assetPositions.length, (await trader.info('userNonFundingLedgerUpdates')).length,
    ];
    const now = await seen();
    assert.deepEqual(now, ['filled', 'canceled', 0, 1, 1, 3]);
    await venue.fault('lagging_reads', { at: begun }, { times: 6 });
    assert.deepEqual(await seen(), ['unknownOid', 'open', 1, 0, 0, 2]);
    await venue.fault('lagging_reads', { at: nothing }, { times: 6 });
    assert.deepEqual(await seen(), ['unknownOid', 'unknownOid', 0, 0, 0, 0]);
    await venue.fault('lagging_reads', Date.now() - nothing + 3_600_000);
    assert.equal(await trader.statusOf(cloid), 'unknownOid');
    assert.deepEqual(await seen(), now);
});

test('a fault may be about one account, signed by itself or by an API wallet', async () => {
    const [trader, other] = [await Trader.with(venue, 1000), await Trader.with(venue, 1000)];
    const agent = newKey();
    await trader.approveAgent(agent, 'agent');
    await venue.fault('status_err', 'not you', { wallet: trader.address });
    assert.deepEqual([await trader.l1({ type: 'noop' }, { key: agent }), await trader.l1({ type: 'noop' })], [failed('not you'), failed('not you')]);
    assert.deepEqual(await other.l1({ type: 'noop' }), DONE);
    await venue.control('DELETE', undefined, `?wallet=${trader.address}`);
    assert.deepEqual(await trader.l1({ type: 'noop' }), DONE);
});

test('the status of an order is remembered until its account has made two thousand others', async () => {
    const trader = await Trader.with(venue, 1000);
    const cloid = newCloid();
    await trader.order('ETH', 'buy', '0.01', '2000', { cloid });
    const orders = (n) => Array.from({ length: n }, () => ({ a: A.ETH, b: true, p: '2000', s: '0.01', r: false, t: { limit: { tif: 'Ioc' } } }));
    const make = (n) => trader.l1({ type: 'order', orders: orders(n), grouping: 'na' });
    for (let i = 0; i < 4; i++) await make(499);
    await make(3);
    assert.equal(await trader.statusOf(cloid), 'open');
    await make(1);
    assert.equal(await trader.statusOf(cloid), 'unknownOid');
    assert.ok((await trader.info('frontendOpenOrders')).some((row) => row.cloid === cloid));
});

test('faults of the venue show false orders, accounts, markets and books', async () => {
    const [trader, other] = [await Trader.with(venue, 1000), await Trader.with(venue, 500)];
    const cloid = newCloid();
    await trader.order('ETH', 'buy', '0.1', '3100', { tif: 'Ioc', cloid });
    await venue.fault('forgotten_orders');
    assert.equal(await trader.statusOf(cloid), 'unknownOid');
    await venue.fault('other_address', other.address);
    assert.equal((await trader.state()).withdrawable, '500.0');
    await venue.fault('overfilled');
    assert.equal((await trader.info('userFills'))[0].sz, '10.1');
    await venue.fault('reordered_universe');
    assert.equal((await venue.info('meta')).universe[0].name, 'XRP');
    await venue.fault('delisted', 'ETH');
    assert.equal((await venue.info('meta')).universe[A.ETH].isDelisted, true);
    for (const [side, bids, asks] of [['bids', 20, 0], ['asks', 0, 20], ['none', 0, 0]]) {
        await venue.fault('one_sided_book', side);
        const { levels } = await venue.info('l2Book', { coin: 'ETH' });
        assert.deepEqual(levels.map((rows) => rows.length), [bids, asks], side);
    }
    assert.deepEqual([await trader.statusOf(cloid), (await trader.info('userFills'))[0].sz], ['filled', '0.1']);
});

// ---------------------------------------------------------------- what is kept, and what the audit says

test('a venue that was killed goes on as if it had not been', async () => {
    const trader = await Trader.with(venue, 1000);
    const agent = newKey();
    const cloids = [newCloid(), newCloid(), newCloid()];
    await trader.approveAgent(agent, 'kept');
    await trader.leverage(A.ETH, 7);
    const body = signedBody(agent, wish(cloids[0]));
    await trader.send(body);
    await bought(trader, 'ETH', '0.1', '3100');
    await trader.orders([
        orderOf('ETH', 'buy', '0.1', '2600', { cloid: cloids[1] }),
        orderOf('ETH', 'sell', '0.1', '3200', { reduceOnly: true, cloid: cloids[2], trigger: { isMarket: true, triggerPx: '3200', tpsl: 'tp' } }),
    ], { grouping: 'normalTpsl' });
    await price('BTC', '61000');
    const told = async () => {
        const [{ time: _, ...state_ }, [, contexts]] = [await trader.state(), await venue.info('metaAndAssetCtxs')];
        return { state_, contexts, open: await trader.info('frontendOpenOrders'), fills: await trader.info('userFills'), agents: await trader.info('extraAgents'), ledger: await trader.info('userNonFundingLedgerUpdates') };
    };
    const earlier = await told();
    await venue.kill();
    await start();
    trader.venue = venue;
    assert.deepEqual(await told(), earlier);
    assert.match((await trader.send(body)).response, /duplicate nonce/);
    await price('BTC');
    await moved('ETH', '2600', async () => {
        assert.equal((await trader.position('ETH')).szi, '0.2');
        assert.equal(await trader.statusOf(cloids[2]), 'open');
        await price('ETH', '3200');
        assert.equal((await trader.position('ETH')).szi, '0.1');
    });
    const oids = (await trader.info('userFills')).map(({ oid }) => oid);
    assert.equal(new Set(oids).size, oids.length);
});

test('the audit tells of nonces and of orders\' numbers that came with two bodies, of what was taken, and of who signed', async () => {
    const trader = await Trader.with(venue, 1000);
    const of = async (table) => (await venue.audit(table)).filter(({ id }) => id.includes(trader.address) || id === cloid);
    const cloid = newCloid();
    const body = signedBody(trader.key, wish(cloid), { expiresAfter: Date.now() + 60_000 });
    await trader.send(body);
    await trader.send(body);
    const { nonce } = JSON.parse(body);
    assert.deepEqual((await of('nonces')).map(({ bodies, times }) => [bodies.length, times]), [[1, 2]]);
    assert.deepEqual((await of('cloids')).map(({ bodies, times }) => [bodies.length, times]), [[1, 2]]);
    const [accepted, ...more] = await of('accepted');
    assert.deepEqual([accepted.signer, accepted.user, accepted.type, accepted.nonce, more], [trader.address, trader.address, 'order', nonce, []]);
    assert.deepEqual(await of('reused'), []);
    const [order] = (await venue.audit('orders')).filter(({ user }) => user === trader.address);
    assert.deepEqual([order.cloid, order.coin, order.status, order.filled], [cloid, 'ETH', await trader.statusOf(cloid), '0.0']);
    await trader.l1({ type: 'noop' }, { nonce });
    await trader.l1(wish(cloid));
    assert.deepEqual((await of('reused')).map(({ id }) => id), [`${trader.address}/${nonce}`, cloid]);
    assert.deepEqual(await venue.audit('late'), []);
    const seen = (await venue.control('GET', undefined, '/audit?service=hyperliquid')).filter(({ signer }) => signer === trader.address);
    assert.deepEqual(seen.map(({ verified, refused, user, action }) => [verified, refused, user, action])[0], [['signature'], undefined, trader.address, 'order']);
    assert.match(seen[1].refused, /duplicate nonce/);
});
