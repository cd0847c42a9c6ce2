// Section: predict
// What becomes of orders on prediction markets: matches that others bring, settlements that fail, cancels, positions; and
// that the agent is told of each, once.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ADDRESSES } from '../../contrib/sandbox/polymarket.mjs';
import { counterOrder } from '../../contrib/sandbox/trader.mjs';
import { FEE_RATES } from '../../contrib/sandbox/upstream/markets.mjs';
import { startGateway } from './gateway.mjs';
import {
    HASH, granted, hasMembers, receiver, register, until, verified,
} from './lib.mjs';
import {
    DOLLARS, asked, at, cancel, completed, honest, orderBecomes, orderIs, orderOf, place as placeOf, trader, units, wrong,
} from './prediction.mjs';

const KINDS = ['v2', 'neg_risk', 'v3'];
const POSITION = ['asset', 'conditionId', 'size', 'avgPrice', 'realizedPnl', 'unrealizedPnl', 'currentPrice', 'question', 'outcome'];
after(honest);

const hook = await receiver();
after(() => hook.close());
const agent = await trader('100');
const secret = await agent.listen(hook.url);
const untraded = granted(await agent.get('/predict/positions')).positions;

// Of wallets without an account the gateway that they ask first says of which kind they are.
const itself = await startGateway(['predict_wallet = eoa']);
after(() => itself.stop());
const gateways = { deposit: undefined, eoa: itself.base };

/** An outcome in a market of an exchange, with a price that crosses no order. */
const markets = granted(await agent.get('/predict/markets?limit=50')).markets;
async function roomIn(exchange) {
    for (const market of markets.filter((each) => each.exchange === exchange)) {
        const { outcomes } = granted(await agent.get(`/predict/market/${market.id}/book`));
        for (const { tokenId, bids, asks, tickSize } of outcomes) {
            const [bid, ask] = [Number(bids[0]?.price ?? 0), Number(asks[0]?.price ?? 1)];
            const price = Number((bid + Number(tickSize)).toFixed(4));
            if (price < ask && price > 0.05 && price < 0.6) return { tokenId, price, category: market.category };
        }
    }
    throw new Error(`no room in ${exchange}`);
}

const place = async (terms) => granted(await placeOf(agent, { size: 20, side: 'BUY', ...terms })).order;
const positionOf = async (tokenId, who) => granted(await who.get('/predict/positions')).positions.find(({ asset }) => asset === tokenId);

/** Waits for an event of an order; `of` has all of them. */
function teller(callback, key) {
    const of = (id) => callback.deliveries.map((delivery) => verified(delivery, key)).filter(({ data }) => data.id === id);
    const told = (id, type, fits = () => true) => until(`${type} of ${id}`, () => of(id).find((event) => event.type === type && fits(event.data)));
    return Object.assign(told, { of });
}

const told = teller(hook, secret);

/** Once the venue was asked a few times more for open orders. */
async function lookedAt() {
    const looks = async () => (await asked(({ path }) => path === '/clob/data/orders')).length;
    const before = await looks();
    await until('some looks at its orders', async () => await looks() >= before + 3);
}

const collateralOf = (address) => at(ADDRESSES.collateral).balanceOf(address);
const dollarsOf = (address) => at(DOLLARS).balanceOf(address);

/** What the chain says, once that is this, and what the agent is shown. */
async function collateralIs(who, expected) {
    const { tradingAddress } = granted(await who.get('/predict/account')).account;
    await until(`${expected} units of collateral`, async () => await collateralOf(tradingAddress) === expected, { interval: 500 });
    await until('the account to show them', async () => {
        const { collateral: { balance, reserved } } = granted(await who.get('/predict/account')).account;
        return units(balance) === expected && reserved === '0';
    }, { interval: 500 });
}

/** What takers pay, rounded to five decimals. */
const feeOf = (shares, rate, price) => (((shares * rate * price * (units(1) - price)) / units(1) ** 3n + 5n) / 10n) * 10n;

/** A sale in a market for the best bid: what it brings, less the taker's fee. */
async function soldAtOnce(who, { tokenId, category }, size) {
    const { order: { id } } = granted(await until('the shares to be there', async () => {
        const answer = await placeOf(who, { tokenId, price: 0.01, size, side: 'SELL', type: 'FOK' });
        return answer.body.error_code !== 'INSUFFICIENT_BALANCE' && answer;
    }, { interval: 1000 }));
    const { averagePrice } = await orderIs(who, id, 'the sale', ({ tx_hashes: hashes }) => hashes.length === 1);
    const [shares, price, rate] = [size, averagePrice, FEE_RATES[category]].map(units);
    return { id, brought: (shares * price) / units(1) - feeOf(shares, rate, price) };
}

// Each with an agent of its own, so that they may wait for the chain together.
for (const kind of ['deposit', 'eoa']) {
    describe(`with a wallet of the kind ${kind}`, { concurrency: true }, () => {
        for (const exchange of KINDS) {
            test(`${exchange}: half is filled and told, the rest is cancelled, what was bought is sold, and all is paid out`, () => lived(kind, exchange));
        }
    });
}

async function lived(kind, exchange) {
    const who = await trader('100', gateways[kind]);
    const callback = await receiver();
    const told = teller(callback, await who.listen(callback.url));
    assert.equal(granted(await who.get('/predict/account')).account.kind, kind);
    const { tokenId, price, category } = await roomIn(exchange);
    const { id } = granted(await placeOf(who, { tokenId, price, size: 20, side: 'BUY' })).order;
    await orderBecomes(who, id, 'open');
    await counterOrder({ tokenId, side: 'SELL', price, size: 10 });
    const half = await orderIs(who, id, 'half of it filled', ({ filled }) => filled > 0);
    assert.deepEqual([half.status, half.filled, half.averagePrice], ['open', 10, price]);
    const { data } = await told(id, 'order.partially_filled');
    assert.deepEqual([data.filled, data.averagePrice, data.corrected], [10, price, undefined]);
    assert.equal(typeof data.settled, 'boolean');
    const settled = await orderIs(who, id, 'the transaction', ({ tx_hashes: hashes }) => hashes.length === 1);
    assert.match(settled.tx_hashes[0], HASH);
    const position = await until('the position', () => positionOf(tokenId, who));
    hasMembers(position, POSITION);
    assert.deepEqual([position.size, position.avgPrice], [10, price]);

    await cancel(who, id);
    const rest = await orderBecomes(who, id, 'cancelled');
    assert.deepEqual([rest.filled, rest.cancelRequested], [10, undefined]);
    assert.equal((await told(id, 'order.cancelled')).data.filled, 10);
    const late = await cancel(who, id);
    assert.deepEqual([late.status, late.body.error], [409, 'Order is not open']);
    const left = units(100) - 10n * units(price);
    await collateralIs(who, left);

    const sold = await soldAtOnce(who, { tokenId, category }, 10);
    const { data: sale } = await told(sold.id, 'order.filled');
    assert.deepEqual([sale.filled, sale.side], [10, 'SELL']);
    await until('no position', async () => await positionOf(tokenId, who) === undefined);
    await collateralIs(who, left + sold.brought);
    for (const each of [id, sold.id]) assert.equal(new Set(told.of(each).map(({ type }) => type)).size, told.of(each).length);

    const { amount } = await completed(who, await who.post('/predict/withdraw', { amount: 'max' }));
    assert.equal(units(amount), left + sold.brought);
    await collateralIs(who, 0n);
    assert.equal(await dollarsOf(who.address), left + sold.brought);
    callback.close();
}

test('a settlement that fails gives its size back, and the agent is told', async () => {
    const { tokenId, price } = await roomIn('v2');
    const { id } = await place({ tokenId, price });
    await wrong('settlement_failed', { value: 8000 }); // so that a look falls into the time before
    await counterOrder({ tokenId, side: 'SELL', price, size: 20 });
    const { data: early } = await told(id, 'order.filled');
    assert.deepEqual([early.status, early.filled, early.settled], ['filled', 20, false]);
    const { data } = await told(id, 'order.partially_filled', ({ corrected }) => corrected);
    assert.deepEqual([data.filled, data.averagePrice], [0, 0]);
    await honest();
    assert.equal((await orderOf(agent, id)).status, 'open');
    await place({ tokenId, price, type: 'FOK' }); // what the other side was given back rests as well
    await cancel(agent, id);
    await orderIs(agent, id, 'its end', ({ status }) => status === 'cancelled' || status === 'filled');
});

test('an open order stays as it is while the venue is silent, and goes on afterwards', async () => {
    const { tokenId, price } = await roomIn('v2');
    const { id } = await place({ tokenId, price });
    await wrong('http_500');
    await lookedAt();
    assert.equal((await orderOf(agent, id)).status, 'open');
    const { status, body } = await cancel(agent, id);
    assert.deepEqual([status, body.order.cancelRequested], [202, true]);
    await honest();
    await orderBecomes(agent, id, 'cancelled');
    assert.equal((await told(id, 'order.cancelled')).data.filled, 0);
});

test('an order that is matched as it is placed is filled at once', async () => {
    const { tokenId, price } = await roomIn('v2');
    await counterOrder({ tokenId, side: 'SELL', price, size: 20 });
    const { status, filled, averagePrice } = await place({ tokenId, price, type: 'FOK' });
    assert.deepEqual([status, filled, averagePrice], ['filled', 20, price]);
});

test('an order whose match the venue delays is open until then, and filled and told once', async () => {
    const { tokenId, price } = await roomIn('v2');
    await counterOrder({ tokenId, side: 'SELL', price, size: 20 });
    await wrong('delayed_match', { times: 1, value: 3000 });
    const { id, status, filled } = await place({ tokenId, price });
    await honest();
    assert.deepEqual([status, filled], ['open', 0]);
    const { filled: now } = await orderBecomes(agent, id, 'filled');
    assert.equal(now, 20);
    const { data } = await told(id, 'order.filled');
    assert.deepEqual([data.filled, data.averagePrice], [20, price]);
    await orderIs(agent, id, 'the transaction', ({ tx_hashes: hashes }) => hashes.length === 1);
    assert.equal(told.of(id).length, 1);
});

test('an order whose match the venue delays can be taken back', async () => {
    const { tokenId, price } = await roomIn('v2');
    await wrong('delayed_match', { times: 1, value: 60_000 });
    const { id } = await place({ tokenId, price });
    await honest();
    await lookedAt();
    assert.equal((await orderOf(agent, id)).status, 'open');
    granted(await cancel(agent, id));
    assert.equal((await orderBecomes(agent, id, 'cancelled')).filled, 0);
    assert.equal((await told(id, 'order.cancelled')).data.filled, 0);
});

test('an agent that has never traded has no positions, and other agents\' wallets are refused', async () => {
    assert.deepEqual(untraded, []);
    const newcomer = await register();
    assert.deepEqual(granted(await newcomer.get('/predict/positions')).positions, []);
    const { status } = await newcomer.get(`/predict/positions?wallet_address=${await agent.wallet()}`);
    assert.ok(status >= 400 && status < 500, String(status));
    await wrong('garbage', { path: '/data/positions' });
    const silent = await until('what was kept to be too old', async () => {
        const answer = await agent.send('GET', '/predict/positions', { mayBreak: true });
        return answer.status !== 200 && answer;
    });
    await honest();
    assert.deepEqual([silent.status, silent.body.error_code], [500, 'UPSTREAM_ERROR']);
});
