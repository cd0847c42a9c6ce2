// Section: api
// The Data API of the sandbox's venue, as its clients know the real one: trades of both parties, and positions with what
// they cost. Nothing here asks the gateway.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { KINDS } from '../../contrib/sandbox/polymarket.mjs';
import { Client } from '../../contrib/sandbox/trader.mjs';
import { MARKETS } from '../../contrib/sandbox/upstream/markets.mjs';
import { until } from './lib.mjs';
import {
    found, newTrader, newWalletTrader, openMarket, ownChain, ownUpstream, redemption, splitting, units,
} from './polymarket.mjs';

let chain;
let venue;
before(async () => { chain = await ownChain(); venue = await ownUpstream(chain); });
after(async () => { await venue.stop(); chain.stop(); });

const data = (path) => venue.ask('GET', `/polymarket/data${path}`);
const positions = async ({ address }, query = '&sizeThreshold=0') => granted(await data(`/positions?user=${address}${query}`));
const trades = async ({ address }, query = '') => granted(await data(`/trades?user=${address}${query}`));

function granted({ status, body }) {
    assert.equal(status, 200, JSON.stringify(body));
    return body;
}

async function refused(path, message) {
    assert.deepEqual(await data(path), { status: 400, body: { error: message } });
}

/** Carried out at once at the best price of the book: that price, and when it is `settled`. */
async function place(trader, market, side, outcome, size) {
    const client = new Client(trader.key, { base: `${venue.base}/polymarket`, wallet: trader.address, signatureType: trader.signatureType });
    const tokenId = String(market.tokens[outcome]);
    await client.look();
    await client.look(tokenId, market.kind);
    const { bids, asks } = (await venue.ask('GET', `/polymarket/clob/book?token_id=${tokenId}`)).body;
    const { price } = (side === 'BUY' ? asks : bids).at(-1);
    const order = await client.place({ kind: market.kind, tokenId, side, price, size, type: 'FOK' });
    assert.equal(order.status, 200, JSON.stringify(order.body));
    const isConfirmed = async (id) => (await client.ask('GET', '/data/trades', { query: `?id=${id}` })).body.data[0].status === 'CONFIRMED';
    const settled = async () => { for (const id of order.body.tradeIDs) await until('a settlement', () => isConfirmed(id)); };
    return { price: Number(price), settled };
}

async function trade(...terms) {
    const { price, settled } = await place(...terms);
    await settled();
    return price;
}

const near = (found, expected, what) => assert.ok(Math.abs(found - expected) < 0.00001, `${what}: ${found} instead of ${expected}`);

for (const [kind, make] of [['v2', newWalletTrader], ['neg_risk', newTrader], ['v3', newWalletTrader]]) {
    test(`${kind}: a position has its size from the chain and its prices from the trades`, async () => {
        const market = await openMarket(chain, kind);
        const ann = await make(chain, '200');
        assert.deepEqual(await positions(ann), []);
        const asked = await trade(ann, market, 'BUY', 0, '20');
        const bid = await trade(ann, market, 'SELL', 0, '5');
        const [position, ...others] = await positions(ann);
        assert.deepEqual(others, []);
        const { id, slug, question, event } = MARKETS.find((each) => each.id === market.id);
        const { outcomePrices } = granted(await venue.ask('GET', `/polymarket/gamma/markets/${id}`));
        const current = Number(JSON.parse(outcomePrices)[0]);
        const { avgPrice, initialValue, currentValue, cashPnl, percentPnl, realizedPnl, percentRealizedPnl, ...rest } = position;
        assert.deepEqual(rest, {
            proxyWallet: ann.address.toLowerCase(), asset: String(market.tokens[0]), conditionId: market.condition, size: 15, totalBought: 20,
            curPrice: current, redeemable: false, mergeable: false, title: question, slug, eventSlug: event, outcome: 'Yes', outcomeIndex: 0,
            oppositeOutcome: 'No', oppositeAsset: String(market.tokens[1]), endDate: market.endDate.slice(0, 10), negativeRisk: kind === 'neg_risk',
        });
        near(avgPrice, asked, 'avgPrice');
        near(initialValue, 15 * asked, 'initialValue');
        near(currentValue, 15 * current, 'currentValue');
        near(cashPnl, 15 * (current - asked), 'cashPnl');
        near(percentPnl, 100 * (current / asked - 1), 'percentPnl');
        near(realizedPnl, 5 * (bid - asked), 'realizedPnl');
        near(percentRealizedPnl, (100 * realizedPnl) / (20 * asked), 'percentRealizedPnl');
        assert.ok(realizedPnl < 0);
    });
}

test('the cost of shares is known as soon as they are there', async () => {
    const market = await openMarket(chain, 'neg_risk');
    const ann = await newTrader(chain, '200');
    const paid = [];
    for (let size = 10; size <= 30; size += 10) {
        const { price, settled } = await place(ann, market, 'BUY', 0, '10');
        paid.push(price);
        const position = await until('the shares', async () => (await positions(ann)).find((each) => each.size === size), { interval: 1 });
        near(position.avgPrice, paid.reduce((sum, each) => sum + each, 0) / paid.length, 'avgPrice');
        await settled();
    }
});

test('trades of takers and of makers', async () => {
    const market = await openMarket(chain, 'v2');
    const ann = await newTrader(chain, '200');
    await trade(ann, market, 'BUY', 0, '8');
    await trade(ann, market, 'SELL', 0, '6');
    const own = await trades(ann);
    assert.deepEqual(own.map(({ side, size }) => [side, size]), [['SELL', 6], ['BUY', 8]]);
    assert.equal((await chain.provider.getTransactionReceipt(own[0].transactionHash)).status, 1);
    assert.deepEqual(await trades(ann, '&side=BUY'), own.slice(1));
    assert.deepEqual(await trades(ann, '&limit=1'), own.slice(0, 1));
    assert.deepEqual(await trades(ann, '&limit=1&offset=1'), own.slice(1));
    assert.deepEqual(await trades(ann, `&market=0x12,${market.condition}`), own);
    assert.deepEqual(await trades(ann, '&market=0x12'), []);
    const all = granted(await data(`/trades?market=${market.condition}&takerOnly=false`)).filter((row) => row.transactionHash === own[1].transactionHash);
    assert.equal(all.length, 2);
    const maker = all.find(({ proxyWallet }) => proxyWallet !== own[1].proxyWallet);
    const by = { address: maker.proxyWallet };
    assert.ok((await trades(by)).every(({ transactionHash }) => transactionHash !== maker.transactionHash));
    assert.deepEqual((await trades(by, '&takerOnly=false')).find(({ transactionHash }) => transactionHash === maker.transactionHash), maker);
});

test('small positions are left out unless they are wanted; shares that were split cost half a dollar', async () => {
    const market = await openMarket(chain, 'v3');
    const bob = await newTrader(chain, '10');
    await bob.act(splitting(market, units('0.5')));
    assert.deepEqual(await positions(bob, ''), []);
    assert.deepEqual(await positions(bob, '&sizeThreshold=0.6'), []);
    const both = await positions(bob, '&sizeThreshold=0.5');
    assert.deepEqual(both.map(({ size, avgPrice, totalBought, mergeable }) => [size, avgPrice, totalBought, mergeable]), [[0.5, 0.5, 0.5, true], [0.5, 0.5, 0.5, true]]);
    assert.deepEqual(new Set(both.map(({ outcome }) => outcome)), new Set(['Yes', 'No']));
    assert.deepEqual(await positions(bob, '&sizeThreshold=0&redeemable=true'), []);
    assert.equal((await positions(bob, '&sizeThreshold=0&mergeable=true')).length, 2);
});

test('positions are sorted and paged', async () => {
    const ann = await newTrader(chain, '300');
    for (const [i, kind] of Object.keys(KINDS).entries()) await ann.act(splitting(await openMarket(chain, kind), units(String(10 + i))));
    const all = await positions(ann);
    assert.deepEqual(all.map(({ size }) => size), [12, 12, 11, 11, 10, 10]);
    assert.deepEqual((await positions(ann, '&sizeThreshold=11.5')).map(({ size }) => size), [12, 12]);
    assert.deepEqual((await positions(ann, '&sortDirection=ASC')).map(({ size }) => size), [10, 10, 11, 11, 12, 12]);
    for (const [by, member] of Object.entries({ CURRENT: 'currentValue', INITIAL: 'initialValue', CASHPNL: 'cashPnl', PERCENTPNL: 'percentPnl', PRICE: 'curPrice', RESOLVING: 'endDate' })) {
        const values = (await positions(ann, `&sortBy=${by}&sortDirection=ASC`)).map((row) => row[member]);
        assert.deepEqual(values, values.toSorted((a, b) => (a < b ? -1 : Number(a > b))), by);
    }
    assert.deepEqual(await positions(ann, '&limit=2&offset=1'), all.slice(1, 3));
    assert.deepEqual((await positions(ann, '&limit=9999')).length, 6);
    const { conditionId } = all[2];
    assert.deepEqual(await positions(ann, `&market=${conditionId}`), all.filter((row) => row.conditionId === conditionId));
});

test('a decided market: its positions are to be redeemed, and gone after that', async () => {
    const market = await found(chain, MARKETS.findLast(({ kind, status }) => kind === 'v2' && !status));
    const ann = await newTrader(chain, '50');
    const asked = await trade(ann, market, 'BUY', 0, '10');
    const askedForNo = await trade(ann, market, 'BUY', 1, '6');
    await ann.act(splitting(market, units('4')));
    await venue.control('POST', { service: 'polymarket', fault: 'resolve', value: { market: market.id, outcome: 0 } });
    const [won, lost] = await positions(ann, '&sizeThreshold=0&redeemable=true');
    assert.deepEqual([won.size, won.curPrice, won.currentValue, won.outcomeIndex], [14, 1, 14, 0]);
    assert.deepEqual([lost.size, lost.curPrice, lost.currentValue, lost.outcomeIndex], [10, 0, 0, 1]);
    near(lost.avgPrice, (6 * askedForNo + 4 * 0.5) / 10, 'avgPrice');
    near(won.avgPrice, (10 * asked + 4 * 0.5) / 14, 'avgPrice');
    near(won.cashPnl, 14 - 10 * asked - 2, 'cashPnl');
    await ann.act(redemption(market, 0, units('14')));
    assert.deepEqual(await positions(ann), []);
});

test('a query that cannot be answered is refused', async () => {
    const { address } = await newTrader(chain);
    await refused('/positions', "required query param 'user' not provided");
    await refused('/positions?user=me', 'invalid user');
    await refused('/trades?user=me', 'invalid user');
    for (const [name, value] of [['sizeThreshold', '-1'], ['sizeThreshold', 'x'], ['sortBy', 'SIZE'], ['sortBy', 'constructor'], ['sortDirection', 'up'], ['limit', '-1'], ['offset', '10001'], ['offset', 'x']]) {
        await refused(`/positions?user=${address}&${name}=${value}`, `invalid ${name}`);
    }
    assert.equal((await data('/nothing')).status, 404);
    for (const fault of ['http_500', 'http_429']) {
        await venue.control('POST', { service: 'polymarket', fault, times: 1, path: '/data' });
        assert.equal((await data(`/positions?user=${address}`)).status, Number(fault.slice(5)));
        granted(await data(`/positions?user=${address}`));
    }
});
