// Section: api
// The order side of the sandbox's venue, as its clients know the real one: who may ask, what an order has to be, what
// becomes of it in the book and on the chain. Nothing here asks the gateway.

import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Signature, Wallet, concat, toBeHex } from 'ethers';
import { ADDRESSES, KINDS } from '../../contrib/sandbox/polymarket.mjs';
import { Client, counterOrder } from '../../contrib/sandbox/trader.mjs';
import { FEE_RATES, MARKETS } from '../../contrib/sandbox/upstream/markets.mjs';
import { hmacOf } from '../../contrib/sandbox/upstream/polymarket/hmac.mjs';
import { orderIn } from '../../contrib/sandbox/upstream/polymarket/order-form.mjs';
import {
    clobAuthDigest, orderHash, orderSigner, signOrder, signerOf,
} from '../../contrib/sandbox/upstream/polymarket/signatures.mjs';
import { takenBack } from './chain.mjs';
import { until } from './lib.mjs';
import {
    VECTORS, found, newTrader, newWalletTrader, openMarket, ownChain, ownUpstream, splitting, units,
} from './polymarket.mjs';

const STATE = mkdtempSync(join(tmpdir(), 'upstream-'));
const state = join(STATE, 'upstream');
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

let chain;
let venue;
before(async () => { chain = await ownChain(); venue = await ownUpstream(chain, state); });
after(async () => { await venue.stop(); chain.stop(); rmSync(STATE, { recursive: true }); });

// ---------------------------------------------------------------- those who trade

const clientOf = ({ key, address: wallet, signatureType }) => new Client(key, { base: `${venue.base}/polymarket`, wallet, signatureType });

/** A trader whom the venue has looked at: { trader, client }. */
async function equipped(dollars = '100', make = newTrader) {
    const trader = await make(chain, dollars);
    const client = clientOf(trader);
    await client.look();
    return { trader, client };
}

/** The same with shares of both outcomes of a market. */
async function withShares(market, shares, make) {
    const both = await equipped(shares, make);
    await both.trader.act(splitting(market, units(shares)));
    for (const token of [undefined, ...market.tokens]) await both.client.look(token && String(token), market.kind);
    return both;
}

const terms = (market, side, outcome, price, size, more) => (
    { kind: market.kind, tokenId: String(market.tokens[outcome]), side, price, size, ...more });

/** A market of a kind in which nothing rests that a test did not bring. The first one of each kind is never taken. */
const used = new Set();
async function quietMarket(kind) {
    const market = await found(chain, MARKETS.findLast((each) => each.kind === kind && !each.status && !used.has(each.id)));
    used.add(market.id);
    const { body } = await venue.ask('GET', `/polymarket/clob/book?token_id=${market.tokens[0]}`);
    const { trader, client } = await equipped('100000');
    await trader.act(splitting(market, units('50000')));
    for (const token of [undefined, ...market.tokens]) await client.look(token && String(token), kind);
    for (const { price, size } of body.bids.reverse()) accepted(await client.place(terms(market, 'SELL', 0, price, size, { type: 'FAK' })));
    for (const { price, size } of body.asks.reverse()) accepted(await client.place(terms(market, 'BUY', 0, price, size, { type: 'FAK' })));
    await settledAll(client);
    return market;
}

function accepted({ status, body, hash }) {
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.success, body.errorMsg], [true, '']);
    if (hash !== undefined) assert.equal(body.orderID, hash);
    return body;
}

function refused({ status, body }, expected, text) {
    assert.deepEqual([status, Object.keys(body)], [expected, ['error']], JSON.stringify(body));
    if (text instanceof RegExp) assert.match(body.error, text);
    else assert.equal(body.error, text);
}

const trades = async (client, query = '') => (await client.ask('GET', '/data/trades', { query })).body.data;
const open = async (client) => (await client.ask('GET', '/data/orders')).body.data;
const shownOf = (client, hash) => client.ask('GET', `/data/order/${hash}`);

/** As the venue shows it; it shows none that has ended, and the audit tells what became of that one. */
async function orderOf(client, hash) {
    const shown = await shownOf(client, hash);
    if (shown.body !== null) return shown;
    const taken = await venue.control('GET', undefined, '/audit/taken?service=polymarket');
    const { status, matched } = taken.find(({ order }) => order === hash);
    return { status: shown.status, body: { status: `ORDER_STATUS_${status}`, size_matched: matched } };
}

/** All trades of a client, once they are what they stay. */
function settledAll(client) {
    return until('settlements', async () => {
        const list = await trades(client);
        return list.every(({ status }) => status === 'CONFIRMED' || status === 'FAILED') && list;
    });
}

const lastRefusal = async () => (await venue.control('GET', undefined, '/audit')).findLast(({ refused: why }) => why !== undefined).refused;

// ---------------------------------------------------------------- the vectors

const onPolygon = VECTORS.orders.filter((row) => row.chain_id === 137);
const kindOf = ({ verifying_contract: contract }) => Object.keys(KINDS).find((kind) => KINDS[kind].exchange === contract);

test('signatures of the vectors are those of their keys', () => {
    for (const row of VECTORS.clob_auth.filter((each) => each.chain_id === 137)) {
        assert.equal(signerOf(clobAuthDigest(row.address, String(row.timestamp), row.nonce), row.signature), row.address);
    }
    for (const { name, secret, timestamp, method, path, body, signature } of VECTORS.l2_hmac) {
        assert.equal(hmacOf(secret, timestamp, { method, path, body: body ?? '' }), signature, name);
    }
    for (const row of onPolygon) {
        const key = new Wallet(row.private_key);
        assert.equal(orderHash(kindOf(row), row.order), row.digest, row.name);
        assert.equal(orderSigner(kindOf(row), row.order, row.signature), key.address, row.name);
        assert.equal(signOrder(kindOf(row), row.order, key), row.signature, row.name);
        const read = orderIn(row.post.body);
        assert.equal(orderHash(kindOf(row), read.order), row.digest, row.name);
        assert.equal(hmacOf(row.post.secret, row.post.timestamp, { method: 'POST', path: '/order', body: row.post.body }), row.post.headers.POLY_SIGNATURE);
    }
});

test('signatures that the vectors reject have no signer, or another one', () => {
    const row = VECTORS.orders.find(({ name }) => name === 'v2-normal-0.1-BUY');
    const signer = new Wallet(row.private_key).address;
    const kinds = { 'signed-for-the-other-exchange': 'neg_risk', 'version-2-signature-on-a-version-3-market': 'v3' };
    for (const { name, order = row.order, signature } of VECTORS.reject) {
        assert.notEqual(orderSigner(kinds[name] ?? 'v2', order, signature), signer, name);
    }
    const { r, s, yParity } = Signature.from(row.signature);
    const highS = concat([r, toBeHex(CURVE_ORDER - BigInt(s), 32), yParity === 0 ? '0x1c' : '0x1b']);
    assert.equal(orderSigner('v2', row.order, highS), undefined);
    const nested = VECTORS.orders.find(({ name }) => name === 'deposit-wallet-BUY');
    for (const cut of [nested.signature.slice(0, -4), `${nested.signature.slice(0, -4)}00b9`, nested.signature.slice(0, 132), '0x', '0x00']) {
        assert.equal(orderSigner('v2', nested.order, cut), undefined);
    }
});

// ---------------------------------------------------------------- who asks

test('credentials: created by a signature, the same each time, until they are deleted', async () => {
    const client = clientOf({ key: Wallet.createRandom() });
    const ask = (method, path, headers) => client.send(method, path, { headers });
    refused(await ask('GET', '/auth/derive-api-key', client.l1()), 400, 'Could not derive api key!');
    const created = await ask('POST', '/auth/api-key', client.l1());
    assert.deepEqual(Object.keys(created.body), ['apiKey', 'secret', 'passphrase']);
    assert.deepEqual((await ask('GET', '/auth/derive-api-key', client.l1())).body, created.body);
    refused(await ask('GET', '/auth/derive-api-key', client.l1({ nonce: '1' })), 400, 'Could not derive api key!');
    assert.notEqual((await ask('POST', '/auth/api-key', client.l1({ nonce: '1' }))).body.apiKey, created.body.apiKey);
    assert.deepEqual((await client.ask('GET', '/auth/api-keys')).body.apiKeys.length, 2);
    assert.deepEqual((await client.ask('GET', '/auth/ban-status/closed-only')).body, { closed_only: false });
    assert.equal((await client.ask('DELETE', '/auth/api-key')).status, 200);
    refused(await client.ask('GET', '/data/orders'), 401, 'Unauthorized/Invalid api key');
    refused(await ask('GET', '/auth/derive-api-key', client.l1()), 400, 'Could not derive api key!');
});

test('a key\'s signature has to be its own, of now', async () => {
    const client = clientOf({ key: Wallet.createRandom() });
    const good = client.l1();
    const wrong = [
        ['POLY_TIMESTAMP is stale', client.l1({ timestamp: String(Math.floor(Date.now() / 1000) - 61) })],
        ['POLY_SIGNATURE is of another key', { ...good, POLY_NONCE: '1' }],
        ['POLY_SIGNATURE is of another key', { ...good, POLY_ADDRESS: Wallet.createRandom().address }],
        ['POLY_SIGNATURE is of another key', { ...good, POLY_SIGNATURE: `${good.POLY_SIGNATURE.slice(0, -2)}00` }],
        ['POLY_ADDRESS is no address', { ...good, POLY_ADDRESS: 'x' }],
        ['POLY_NONCE is no number', { ...good, POLY_NONCE: '-1' }],
    ];
    for (const [why, headers] of wrong) {
        refused(await client.send('POST', '/auth/api-key', { headers }), 401, 'Invalid L1 Request headers');
        assert.equal(await lastRefusal(), why);
    }
});

test('a private request has to be signed with the credentials, over path and body, now', async () => {
    const client = clientOf({ key: Wallet.createRandom() });
    const good = await client.l2('GET', '/data/orders');
    const stale = await client.l2('GET', '/data/orders', '', String(Math.floor(Date.now() / 1000) - 61));
    const wrong = [
        ['POLY_TIMESTAMP is stale', stale],
        ['POLY_API_KEY is unknown', { ...good, POLY_API_KEY: '00000000-0000-4000-8000-000000000000' }],
        ['POLY_PASSPHRASE is wrong', { ...good, POLY_PASSPHRASE: 'x' }],
        ['POLY_ADDRESS is not of this key', { ...good, POLY_ADDRESS: Wallet.createRandom().address }],
        ['POLY_SIGNATURE is not base64url', { ...good, POLY_SIGNATURE: '++//' }],
        ['POLY_SIGNATURE is wrong', { ...good, POLY_SIGNATURE: good.POLY_SIGNATURE.slice(0, -1) }],
        ['POLY_SIGNATURE is wrong', await client.l2('GET', '/data/trades')],
        ['POLY_SIGNATURE is wrong', await client.l2('GET', '/data/orders', '{}')],
        ['POLY_API_KEY is unknown', {}],
    ];
    for (const [why, headers] of wrong) {
        refused(await client.send('GET', '/data/orders', { headers }), 401, 'Unauthorized/Invalid api key');
        assert.equal(await lastRefusal(), why);
    }
    assert.equal((await client.send('GET', '/data/orders', { headers: good, query: '?market=x' })).status, 200);
});

// ---------------------------------------------------------------- what a market is

for (const kind of Object.keys(KINDS)) {
    test(`${kind}: what an order has to know of its market`, async () => {
        const market = await openMarket(chain, kind);
        const [token, other] = market.tokens.map(String);
        const get = async (path) => (await venue.ask('GET', `/polymarket/clob${path}`)).body;
        const info = await get(`/clob-markets/${market.condition}`);
        assert.deepEqual(info.t.map(({ t }) => t), [token, other]);
        assert.deepEqual([info.mts, info.mos, info.nr, info.ao], [Number(market.tick), Number(market.minSize), kind === 'neg_risk' ? true : undefined, true]);
        assert.deepEqual(info.fd, { r: Number(FEE_RATES[market.category]), e: 1, to: true });
        assert.deepEqual(await get(`/markets-by-token/${other}`), { condition_id: market.condition, primary_token_id: token, secondary_token_id: other });
        assert.deepEqual(await get(`/tick-size?token_id=${token}`), { minimum_tick_size: Number(market.tick) });
        assert.deepEqual(await get(`/neg-risk?token_id=${token}`), { neg_risk: kind === 'neg_risk' });
        assert.equal((await get(`/fee-rate?token_id=${token}`)).base_fee, Math.round(info.fd.r * 10000));
        const book = await get(`/book?token_id=${token}`);
        const mirror = await get(`/book?token_id=${other}`);
        assert.deepEqual(mirror.asks.map(({ price, size }) => [(1 - price).toFixed(4), size]), book.bids.map(({ price, size }) => [Number(price).toFixed(4), size]));
        assert.ok(Number(book.bids.at(-1).price) < Number(book.asks.at(-1).price));
        assert.deepEqual(await venue.ask('GET', '/polymarket/clob/book?token_id=1'), { status: 404, body: { error: 'No orderbook exists for the requested token id' } });
        assert.deepEqual(await venue.ask('GET', `/polymarket/clob/clob-markets/0x${'0'.repeat(64)}`), { status: 404, body: { error: 'market not found' } });
    });
}

// ---------------------------------------------------------------- what an order has to be

const PLACES = 'invalid amounts, the market buy orders maker amount supports a max accuracy of 2 decimals, taker amount a max of 4 decimals';

test('an order that is not as it has to be is refused, and says why', async () => {
    const market = await openMarket(chain, 'v2');
    const { client, trader } = await equipped('1000');
    const limit = (more) => client.order(terms(market, 'BUY', 0, '0.1', '10', more));
    const post = (body) => client.ask('POST', '/order', { body });
    const changed = async (change, more) => { const { body } = await limit(more); change(body); return post(body); };
    const inOrder = (members, more) => changed((body) => Object.assign(body.order, members), more);
    const hour = Math.floor(Date.now() / 1000) + 3600;
    const stranger = Wallet.createRandom().address;
    const cases = [
        ['not JSON', post('{'), 400, 'Invalid order payload'],
        ['no order', post('{}'), 400, 'Invalid order payload'],
        ['salt', inOrder({ salt: 2 ** 53 }), 400, 'Invalid order payload'],
        ['salt as text', inOrder({ salt: '1' }), 400, 'Invalid order payload'],
        ['amount as a number', inOrder({ makerAmount: 1 }), 400, 'Invalid order payload'],
        ['order type', changed((body) => { body.orderType = 'IOC'; }), 400, 'Invalid order payload'],
        ['side', inOrder({ side: 'HOLD' }), 400, 'Invalid side'],
        ['token', inOrder({ tokenId: 'x' }), 400, 'Invalid token id'],
        ['unknown token', inOrder({ tokenId: '1' }), 404, 'No orderbook exists for the requested token id'],
        ['version 1', inOrder({ nonce: '0', feeRateBps: '0' }), 400, 'order_version_mismatch'],
        ['owner', changed((body) => { body.owner = '00000000-0000-4000-8000-000000000000'; }), 400, 'the order owner has to be the owner of the API KEY'],
        ['signer', inOrder({ signer: stranger }), 400, 'the order signer address has to be the address of the API KEY'],
        ['maker', client.place(terms(market, 'BUY', 0, '0.1', '10', { more: { maker: stranger } })), 400, 'Invalid order payload'],
        ['proxy', client.place(terms(market, 'BUY', 0, '0.1', '10', { more: { maker: stranger, signatureType: 1 } })), 400, 'maker address not allowed, please use the deposit wallet flow'],
        ['amount', inOrder({ makerAmount: '1000001' }), 400, 'invalid signature'],
        ['signature', inOrder({ signature: `0x${'11'.repeat(65)}` }), 400, 'invalid signature'],
        ['no wallet', inOrder({ signatureType: 3 }), 400, 'invalid signature'],
        ['neg-risk', client.place({ ...terms(market, 'BUY', 0, '0.1', '10'), kind: 'neg_risk' }), 400, 'invalid signature'],
        ['version 3', client.place({ ...terms(market, 'BUY', 0, '0.1', '10'), kind: 'v3' }), 400, 'order_version_mismatch'],
        ['tick', client.place(terms(market, 'BUY', 0, '0.105', '10')), 400, /^order 0x[0-9a-f]{64} is invalid\. Price \(1050000\/10000000\) breaks minimum tick size rule: 0\.01$/],
        ['price of 1', client.place(terms(market, 'BUY', 0, '1', '10')), 400, /Price \(1\) breaks minimum tick size rule: 0\.01$/],
        ['minimum', client.place(terms(market, 'BUY', 0, '0.1', '4.99')), 400, /^order 0x[0-9a-f]{64} is invalid\. Size \(4\.99\) lower than the minimum: 5$/],
        ['places', client.place(terms(market, 'BUY', 0, '0.1', '5.001')), 400, 'Invalid order payload'],
        ['expiration', client.place(terms(market, 'BUY', 0, '0.1', '10', { expiration: hour })), 400, 'invalid expiration'],
        ['GTD too early', client.place(terms(market, 'BUY', 0, '0.1', '10', { type: 'GTD', expiration: hour - 3430 })), 400, 'invalid expiration'],
        ['post-only', client.place(terms(market, 'BUY', 0, '0.9', '10', { postOnly: true })), 400, 'invalid post-only order: order crosses book'],
        ['post-only FOK', client.place(terms(market, 'BUY', 0, '0.1', '10', { postOnly: true, type: 'FOK' })), 400, /^invalid post-only order: /],
        ['FOK', client.place(terms(market, 'BUY', 0, '0.41', '400.1', { type: 'FOK' })), 400, /^order couldn't be fully filled/],
        ['cents', client.place(terms(market, 'BUY', 0, '0.45', '10', { type: 'FOK', more: { makerAmount: '4504500', takerAmount: '10010000' } })), 400, PLACES],
        ['four decimals', client.place(terms(market, 'BUY', 0, '0.45', '10', { type: 'FAK', more: { takerAmount: '10000010' } })), 400, PLACES],
        ['a dollar, FAK', client.place(terms(market, 'BUY', 0, '0.09', '10.99', { type: 'FAK' })), 400, 'invalid amount for a marketable BUY order ($0.98), min size: $1'],
        ['FAK', client.place(terms(market, 'BUY', 0, '0.1', '10', { type: 'FAK' })), 400, /^no orders found to match with FAK order/],
        ['dollars', client.place(terms(market, 'BUY', 0, '0.1', '10000.01')), 400, /^not enough balance \/ allowance/],
        ['shares', client.place(terms(market, 'SELL', 0, '0.9', '5')), 400, /^not enough balance \/ allowance/],
    ];
    for (const [name, answer, status, text] of cases) {
        try {
            refused(await answer, status, text);
        } catch (error) {
            throw new Error(`${name}: ${error.message}`);
        }
    }
    assert.deepEqual(await open(client), []);
    assert.equal(await chain.collateral.balanceOf(trader.address), units('1000'));
});

test('the same order is taken once', async () => {
    const market = await openMarket(chain, 'v2');
    const { client } = await equipped();
    const { hash, body } = await client.order(terms(market, 'BUY', 0, '0.1', '10'));
    accepted({ ...await client.ask('POST', '/order', { body }), hash });
    refused(await client.ask('POST', '/order', { body }), 400, `order ${hash} is invalid. Duplicated.`);
    assert.equal((await client.ask('DELETE', '/order', { body: { orderID: hash } })).body.canceled[0], hash);
    refused(await client.ask('POST', '/order', { body }), 400, `order ${hash} is invalid. Duplicated.`);
});

test('a market that is paused or over takes no orders', async () => {
    const { client } = await equipped();
    const paused = await found(chain, MARKETS.find(({ status }) => status === 'paused'));
    refused(await client.place(terms(paused, 'BUY', 0, '0.1', '20')), 400, 'the market is not yet ready to process new orders');
    const over = await found(chain, MARKETS.find(({ status }) => status === 'resolved'));
    refused(await client.place(terms(over, 'BUY', 0, '0.1', '20')), 404, 'No orderbook exists for the requested token id');
});

test('the venue knows what a wallet has from its last look alone', async () => {
    const market = await openMarket(chain, 'v3');
    const trader = await newTrader(chain, '10');
    const client = clientOf(trader);
    const known = async (query) => (await client.ask('GET', '/balance-allowance', { query })).body;
    assert.deepEqual(await known('?asset_type=COLLATERAL&signature_type=0'), { balance: '0', allowances: {} });
    refused(await client.place(terms(market, 'BUY', 0, '0.01', '10')), 400, /^not enough balance \/ allowance/);
    const { balance, allowances } = (await client.look()).body;
    assert.equal(balance, String(units('10')));
    assert.deepEqual(Object.keys(allowances).sort(), Object.values(KINDS).map(({ exchange }) => exchange).sort());
    accepted(await client.place(terms(market, 'BUY', 0, '0.01', '10')));
    await trader.act(splitting(market, units('5')));
    assert.equal((await known('?asset_type=COLLATERAL&signature_type=0')).balance, String(units('10')));
    assert.equal((await client.look()).body.balance, String(units('5')));
    const shares = await client.look(String(market.tokens[1]), 'v3');
    assert.deepEqual([shares.body.balance, Object.keys(shares.body.allowances)], [String(units('5')), [ADDRESSES.exchangeV3]]);
    refused(await client.look(String(market.tokens[1]), 'v2'), 400, 'Invalid asset type');
});

test('a resting order holds its dollars: they pay no second one', async () => {
    const market = await openMarket(chain, 'neg_risk');
    const { client } = await equipped('10');
    const { orderID } = accepted(await client.place(terms(market, 'BUY', 0, '0.1', '60')));
    refused(await client.place(terms(market, 'BUY', 0, '0.1', '40.01')), 400, /^not enough balance \/ allowance: the balance is not enough -> balance: 10000000, order amount: 4001000$/);
    accepted(await client.place(terms(market, 'BUY', 0, '0.1', '40')));
    assert.deepEqual((await client.ask('DELETE', '/order', { body: { orderID } })).body, { canceled: [orderID], not_canceled: {} });
    accepted(await client.place(terms(market, 'BUY', 0, '0.1', '60')));
});

// ---------------------------------------------------------------- what rests, and what is canceled

test('an order rests, is shown to its owner and in the book, and is canceled once', async () => {
    const market = await openMarket(chain, 'v2');
    const { client, trader } = await equipped('100', newWalletTrader);
    const stranger = (await equipped('0')).client;
    const placed = accepted(await client.place(terms(market, 'BUY', 1, '0.07', '12.5')));
    assert.deepEqual([placed.status, placed.tradeIDs, placed.transactionsHashes], ['live', [], []]);
    const [row] = await open(client);
    assert.deepEqual(row, {
        id: placed.orderID, status: 'LIVE', owner: (await client.credentials()).apiKey, maker_address: trader.address, market: market.condition,
        asset_id: String(market.tokens[1]), side: 'BUY', original_size: '12.5', size_matched: '0', price: '0.07', associate_trades: [],
        outcome: 'No', created_at: row.created_at, expiration: '0', order_type: 'GTC',
    });
    assert.equal((await orderOf(client, placed.orderID)).body.status, 'ORDER_STATUS_LIVE');
    refused(await orderOf(stranger, placed.orderID), 404, 'order not found');
    assert.deepEqual(await open(stranger), []);
    const { body: book } = await venue.ask('GET', `/polymarket/clob/book?token_id=${market.tokens[1]}`);
    assert.deepEqual(book.bids[0], { price: '0.07', size: '12.5' });
    const cancel = async (who) => (await who.ask('DELETE', '/order', { body: { orderID: placed.orderID } })).body;
    const not = { canceled: [], not_canceled: { [placed.orderID]: "order can't be found - already canceled or matched" } };
    assert.deepEqual(await cancel(stranger), not);
    assert.deepEqual(await cancel(client), { canceled: [placed.orderID], not_canceled: {} });
    assert.deepEqual(await cancel(client), not);
    assert.deepEqual(await shownOf(client, placed.orderID), { status: 200, body: null });
    assert.deepEqual(await open(client), []);
    refused(await client.ask('DELETE', '/order', { body: { orderID: 'x' } }), 400, 'Invalid orderID');
});

test('lists come in pages; many are canceled at once', async () => {
    const market = await openMarket(chain, 'v3');
    const { client } = await equipped('100');
    const hashes = [];
    for (let i = 0; i < 103; i++) hashes.push(accepted(await client.place(terms(market, 'BUY', 0, '0.02', '5'))).orderID);
    const page = async (cursor) => (await client.ask('GET', '/data/orders', { query: `?next_cursor=${cursor}` })).body;
    const first = await page('MA==');
    assert.deepEqual([first.data.length, first.limit, first.count], [100, 100, 100]);
    const second = await page(first.next_cursor);
    assert.deepEqual([second.data.length, second.next_cursor], [3, 'LTE=']);
    assert.deepEqual([...first.data, ...second.data].map(({ id }) => id), hashes);
    const { body } = await client.ask('DELETE', '/orders', { body: hashes.slice(0, 2) });
    assert.deepEqual(body.canceled, hashes.slice(0, 2));
    assert.equal((await client.ask('DELETE', '/cancel-all')).body.canceled.length, 101);
    assert.deepEqual((await client.ask('GET', '/data/orders')).body, { data: [], next_cursor: 'LTE=', limit: 100, count: 0 });
});

// ---------------------------------------------------------------- what is matched

/** What takers pay, rounded to five decimals. */
const feeOf = (shares, rate, price) => (((shares * rate * price * (units('1') - price)) / units('1') ** 3n + 5n) / 10n) * 10n;

for (const kind of Object.keys(KINDS)) {
    test(`${kind}: a purchase is filled by shares and by the other side's purchase, in the order of price and time`, async () => {
        const market = await quietMarket(kind);
        const [ann, bob, cat, dan] = await Promise.all([withShares(market, '30'), equipped('100'), withShares(market, '30'), equipped('100', newWalletTrader)]);
        const rest = async ({ client }, ...what) => accepted(await client.place(terms(market, ...what))).orderID;
        const orders = [
            await rest(ann, 'SELL', 0, '0.4', '10'), await rest(bob, 'BUY', 1, '0.6', '10'), await rest(cat, 'SELL', 0, '0.4', '10'),
            await rest(ann, 'SELL', 0, '0.3', '5'),
        ];
        const placed = accepted(await dan.client.place(terms(market, 'BUY', 0, '0.5', '30')));
        assert.deepEqual([placed.status, placed.tradeIDs.length, placed.transactionsHashes, placed.takingAmount], ['matched', 2, [], '30']);
        const sizes = await Promise.all([[ann, 0], [bob, 1], [cat, 2], [ann, 3]].map(async ([{ client }, i]) => (await orderOf(client, orders[i])).body.size_matched));
        assert.deepEqual(sizes, ['10', '10', '5', '5']);
        const list = await settledAll(dan.client);
        assert.deepEqual(list.map(({ status, price, size }) => [status, price, size]), [['CONFIRMED', '0.4', '25'], ['CONFIRMED', '0.3', '5']]);
        assert.match(list[0].transaction_hash, /^0x[0-9a-f]{64}$/);
        assert.equal((await orderOf(dan.client, placed.orderID)).body.status, 'ORDER_STATUS_MATCHED');
        assert.deepEqual(await open(dan.client), []);
        // Dollars: what it cost, and the fee of the one who came last.
        const rate = units(FEE_RATES[market.category]);
        const fee = (size, price) => feeOf(units(size), rate, units(price));
        const paid = units('11.5') + fee('25', '0.4') + fee('5', '0.3');
        assert.equal(await chain.collateral.balanceOf(dan.trader.address), units('100') - paid);
        assert.equal(await chain.ledger(kind).balanceOf(dan.trader.address, market.tokens[0]), units('30'));
        assert.equal(await chain.collateral.balanceOf(ann.trader.address), units('5.5'));
        assert.equal(await chain.collateral.balanceOf(bob.trader.address), units('94'));
        assert.equal(await chain.ledger(kind).balanceOf(bob.trader.address, market.tokens[1]), units('10'));
        // The venue has looked by itself.
        const { body } = await dan.client.ask('GET', '/balance-allowance', { query: '?asset_type=COLLATERAL&signature_type=3' });
        assert.equal(body.balance, String(units('100') - paid));

        await cat.client.ask('DELETE', '/cancel-all');

        // What is sold together with the other outcome is merged; a maker sees its part.
        const sale = accepted(await cat.client.place(terms(market, 'SELL', 1, '0.45', '10')));
        assert.equal(sale.status, 'live');
        const exit = accepted(await dan.client.place(terms(market, 'SELL', 0, '0.5', '5')));
        assert.equal(exit.status, 'matched');
        await settledAll(dan.client);
        const price = units('0.55');
        const sold = (units('5') * price) / units('1') - feeOf(units('5'), rate, price);
        assert.equal(await chain.collateral.balanceOf(dan.trader.address), units('100') - paid + sold);
        const [made] = await trades(cat.client);
        assert.deepEqual([made.trader_side, made.maker_orders[0].order_id, made.maker_orders[0].matched_amount], ['MAKER', sale.orderID, '5']);
        const shown = (await venue.ask('GET', `/polymarket/data/trades?market=${market.condition}&limit=1`)).body;
        assert.deepEqual([shown[0].side, shown[0].size, shown[0].price, shown[0].proxyWallet], ['SELL', 5, 0.55, dan.trader.address]);
    });
}

let quiet; // a market, once more

test('types: FAK takes what there is, FOK all or nothing, GTD until its time, GTC rests', async () => {
    const market = await quietMarket('v2');
    quiet = market;
    const seller = await withShares(market, '100');
    const buyer = await equipped('100');
    const offer = async (size) => accepted(await seller.client.place(terms(market, 'SELL', 0, '0.4', size))).orderID;
    const buy = (size, type, more) => buyer.client.place(terms(market, 'BUY', 0, '0.4', size, { type, ...more }));
    await offer('10');
    const fak = accepted(await buy('15', 'FAK'));
    const { body } = await orderOf(buyer.client, fak.orderID);
    assert.deepEqual([fak.status, body.status, body.size_matched], ['matched', 'ORDER_STATUS_CANCELED', '10']);
    await offer('10');
    refused(await buy('10.1', 'FOK'), 400, /^order couldn't be fully filled/);
    assert.equal((await orderOf(buyer.client, accepted(await buy('10', 'FOK')).orderID)).body.status, 'ORDER_STATUS_MATCHED');
    const gtd = accepted(await buy('7', 'GTD', { expiration: Math.floor(Date.now() / 1000) + 600 }));
    assert.equal((await orderOf(buyer.client, gtd.orderID)).body.order_type, 'GTD');
    await offer('10');
    assert.equal((await orderOf(buyer.client, gtd.orderID)).body.size_matched, '7');
    const gtc = accepted(await buy('8', 'GTC'));
    const row = (await open(buyer.client)).find(({ id }) => id === gtc.orderID);
    assert.deepEqual([gtc.status, row.status, row.size_matched, row.original_size], ['matched', 'LIVE', '3', '8']);
    for (const { client } of [seller, buyer]) await client.ask('DELETE', '/cancel-all');
});

test('a purchase at once is for money: what is better than its price brings more shares, and it is of a dollar at least', async () => {
    const market = quiet;
    const seller = await withShares(market, '100');
    const buyer = await equipped('100');
    const offer = async (price, size) => accepted(await seller.client.place(terms(market, 'SELL', 0, price, size))).orderID;
    const buy = (price, size, type, more) => buyer.client.place(terms(market, 'BUY', 0, price, size, { type, ...more }));
    const held = () => chain.ledger('v2').balanceOf(buyer.trader.address, market.tokens[0]);
    await offer('0.3', '20');
    const fok = accepted(await buy('0.5', '10.01', 'FOK'));
    assert.deepEqual([fok.status, fok.makingAmount, fok.takingAmount], ['matched', '4.999998', '16.66666']);
    assert.deepEqual(await shownOf(buyer.client, fok.orderID), { status: 200, body: null });
    await fault('ended_order_shown');
    const { body: row } = await shownOf(buyer.client, fok.orderID);
    assert.deepEqual([row.status, row.original_size, row.size_matched], ['ORDER_STATUS_MATCHED', '5', '']);
    refused(await buy('0.5', '20', 'FOK'), 400, /^order couldn't be fully filled/);
    const fak = accepted(await buy('0.5', '20', 'FAK')); // 10 dollars, of which the rest of the offer takes a tenth
    assert.deepEqual([fak.status, fak.makingAmount, fak.takingAmount], ['matched', '1.000002', '3.33334']);
    await fault('ended_order_shown');
    assert.match((await shownOf(buyer.client, fak.orderID)).body.status, /^ORDER_STATUS_CANCELED_order couldn't be fully filled\. FAK/);
    await settledAll(buyer.client);
    assert.equal(await held(), units('20'));
    await offer('0.1', '20');
    refused(await buy('0.1', '9.9', 'GTC'), 400, 'invalid amount for a marketable BUY order ($0.99), min size: $1');
    accepted(await buy('0.1', '10', 'GTC'));
    await settledAll(buyer.client);
    assert.equal(await held(), units('30'));
});

test('the sandbox\'s trader meets what rests', async () => {
    const market = await openMarket(chain, 'neg_risk');
    const { client } = await equipped('100');
    const { orderID } = accepted(await client.place(terms(market, 'BUY', 0, '0.41', '20')));
    const { body: book } = await venue.ask('GET', `/polymarket/clob/book?token_id=${market.tokens[0]}`);
    const size = Number(book.bids.at(-1).size) - 10;
    const counter = await counterOrder({ tokenId: String(market.tokens[0]), side: 'SELL', price: '0.41', size: String(size), base: `${venue.base}/polymarket` });
    assert.equal(counter.status, 'matched');
    assert.equal((await orderOf(client, orderID)).body.size_matched, '10');
});

// ---------------------------------------------------------------- what goes wrong

const fault = (name, more) => venue.control('POST', { service: 'polymarket', fault: name, times: 1, ...more });

test('faults of the venue', async () => {
    const market = await openMarket(chain, 'v2');
    const { client } = await equipped('100');
    const buy = () => client.place(terms(market, 'BUY', 0, '0.1', '10'));
    await fault('cancel_only');
    refused(await buy(), 503, /^Trading is currently cancel-only/);
    await fault('eoa_refused');
    refused(await buy(), 400, 'maker address not allowed, please use the deposit wallet flow');
    await fault('order_version_mismatch');
    refused(await buy(), 400, 'order_version_mismatch');
    await fault('closed_only', { times: 2 });
    assert.deepEqual((await client.ask('GET', '/auth/ban-status/closed-only')).body, { closed_only: true });
    refused(await buy(), 400, /address in closed only mode$/);
    await fault('lying_book');
    const book = async () => (await venue.ask('GET', `/polymarket/clob/book?token_id=${market.tokens[0]}`)).body;
    const lie = await book();
    assert.ok(Number(lie.bids.at(-1).price) > Number(lie.asks.at(-1).price));
    assert.ok(Number((await book()).bids.at(-1).price) < Number((await book()).asks.at(-1).price));
    accepted(await buy());
});

test('a match that is delayed happens later', async () => {
    const market = await openMarket(chain, 'v2');
    const { client } = await equipped('100');
    await fault('delayed_match', { value: 500 });
    const placed = accepted(await client.place(terms(market, 'BUY', 0, '0.9', '10')));
    assert.deepEqual([placed.status, placed.tradeIDs], ['delayed', []]);
    assert.deepEqual((await open(client)).map(({ status }) => status), ['DELAYED']);
    await until('a match', async () => (await orderOf(client, placed.orderID)).body.status === 'ORDER_STATUS_MATCHED');
    assert.deepEqual((await settledAll(client)).map(({ status }) => status), ['CONFIRMED']);
});

test('a settlement that failed gives its size back', async () => {
    const market = await quietMarket('v3');
    const seller = await withShares(market, '20');
    const { client, trader } = await equipped('100');
    const { orderID: ask } = accepted(await seller.client.place(terms(market, 'SELL', 0, '0.4', '10')));
    await fault('settlement_failed');
    const { orderID: bid } = accepted(await client.place(terms(market, 'BUY', 0, '0.4', '10')));
    assert.deepEqual((await settledAll(client)).map(({ status, transaction_hash: hash }) => [status, hash]), [['FAILED', '']]);
    for (const [who, hash] of [[client, bid], [seller.client, ask]]) {
        const { body } = await orderOf(who, hash);
        assert.deepEqual([body.status, body.size_matched], ['ORDER_STATUS_LIVE', '0']);
    }
    assert.equal(await chain.collateral.balanceOf(trader.address), units('100'));
});

test('a maker who has no money any more is canceled, and the taker gets its size back', async () => {
    const market = await quietMarket('neg_risk');
    const maker = await equipped('10');
    const { orderID: bid } = accepted(await maker.client.place(terms(market, 'BUY', 0, '0.4', '10')));
    await maker.trader.act(splitting(market, units('8')));
    const seller = await withShares(market, '20');
    const { orderID: ask } = accepted(await seller.client.place(terms(market, 'SELL', 0, '0.4', '10')));
    assert.deepEqual((await settledAll(seller.client)).map(({ status }) => status), ['FAILED']);
    await until('a cancel', async () => (await orderOf(maker.client, bid)).body.status === 'ORDER_STATUS_CANCELED');
    const { body } = await orderOf(seller.client, ask);
    assert.deepEqual([body.status, body.size_matched], ['ORDER_STATUS_LIVE', '0']);
});

test('a settlement that a reorganisation took out of the chain comes back', async () => {
    const market = await openMarket(chain, 'v2');
    const { client, trader } = await equipped('100');
    let orderID;
    await takenBack(chain, async () => {
        ({ orderID } = accepted(await client.place(terms(market, 'BUY', 0, '0.9', '10'))));
        return until('its transaction', async () => (await trades(client))[0]?.transaction_hash);
    }, () => settledAll(client));
    await until('it to be back', async () => await chain.ledger('v2').balanceOf(trader.address, market.tokens[0]) === units('10'));
    assert.equal((await orderOf(client, orderID)).body.size_matched, '10');
    assert.deepEqual((await settledAll(client)).map(({ status }) => status), ['CONFIRMED']);
});

test('the audit: each order with its bodies, each refusal with its reason, each signature that was verified', async () => {
    const market = await openMarket(chain, 'v2');
    const { client } = await equipped('100');
    const { hash, body } = await client.order(terms(market, 'BUY', 0, '0.1', '10'));
    await fault('lost_answer', { method: 'POST', path: '/clob/order' });
    await assert.rejects(client.ask('POST', '/order', { body }));
    refused(await client.ask('POST', '/order', { body }), 400, /Duplicated\.$/);
    const bodiesOf = async () => (await venue.control('GET', undefined, '/audit/orders?service=polymarket')).find(({ order }) => order === hash).bodies;
    assert.deepEqual(await bodiesOf(), [JSON.stringify(body)]);
    const seen = (await venue.control('GET', undefined, '/audit')).filter(({ order }) => order === hash);
    assert.deepEqual(seen.map(({ verified, fault: wrong, status }) => [verified, wrong, status]), [[['L2', 'order'], 'lost_answer', 200], [['L2', 'order'], undefined, 400]]);
    assert.match(seen[1].refused, /Duplicated/);
    await client.ask('POST', '/order', { body: { ...body, orderType: 'FOK' } });
    assert.equal((await bodiesOf()).length, 2);
});

// ---------------------------------------------------------------- what a test does to a market

test('a market is paused, goes on, and is decided', async () => {
    const market = await quietMarket('v2');
    const holder = await withShares(market, '20');
    const buy = () => holder.client.place(terms(market, 'SELL', 1, '0.9', '10'));
    const { orderID } = accepted(await buy());
    const act = (name, value) => venue.control('POST', { service: 'polymarket', fault: name, value: { market: market.id, ...value } });
    const gamma = async () => (await venue.ask('GET', `/polymarket/gamma/markets/${market.id}`)).body;
    await act('pause');
    assert.equal((await gamma()).acceptingOrders, false);
    refused(await buy(), 400, 'the market is not yet ready to process new orders');
    assert.equal((await venue.ask('GET', `/polymarket/clob/clob-markets/${market.condition}`)).body.ao, false);
    await act('resume');
    assert.equal((await gamma()).acceptingOrders, true);
    assert.match((await act('resolve', { outcome: 'Perhaps' })).error, /no outcome/);
    await act('resolve', { outcome: 1 });
    const { closed, umaResolutionStatus, outcomePrices } = await gamma();
    assert.deepEqual([closed, umaResolutionStatus, outcomePrices], [true, 'resolved', '["0","1"]']);
    assert.equal((await orderOf(holder.client, orderID)).body.status, 'ORDER_STATUS_CANCELED');
    assert.equal(await chain.ledger('v2').payoutNumerators(market.condition, 1), 1n);
    assert.match((await act('resolve', { outcome: 0 })).error, /is resolved/);
});

// ---------------------------------------------------------------- what outlives the process

async function restart(...clients) {
    venue = await ownUpstream(chain, state);
    for (const client of clients) client.base = `${venue.base}/polymarket`;
}

test('a process that is killed has forgotten nothing that it answered', async () => {
    const market = await openMarket(chain, 'v2');
    const { client, trader } = await equipped('100');
    const resting = accepted(await client.place(terms(market, 'BUY', 0, '0.1', '10')));
    accepted(await client.place(terms(market, 'BUY', 0, '0.9', '10')));
    const [settled] = await settledAll(client);
    const matched = accepted(await client.place(terms(market, 'BUY', 0, '0.9', '10')));
    const before = await open(client);
    const { body: book } = await venue.ask('GET', `/polymarket/clob/book?token_id=${market.tokens[0]}`);
    await venue.kill();
    appendFileSync(`${state}.polymarket.jsonl`, '{"orders":[{"id":"0x'); // what it was writing
    await restart(client);
    assert.deepEqual(await open(client), before);
    const again = (await venue.ask('GET', `/polymarket/clob/book?token_id=${market.tokens[0]}`)).body;
    assert.deepEqual([again.bids, again.asks], [book.bids, book.asks]);
    assert.equal((await trades(client)).at(-1).status, settled.status);
    assert.deepEqual((await settledAll(client)).map(({ id, status }) => [id, status]), [[matched.tradeIDs[0], 'CONFIRMED'], [settled.id, 'CONFIRMED']]);
    assert.equal(await chain.ledger('v2').balanceOf(trader.address, market.tokens[0]), units('20'));
    assert.equal((await orderOf(client, resting.orderID)).body.status, 'ORDER_STATUS_LIVE');
});

test('killed while orders come: each order is there once, and venue and chain agree', async () => {
    const market = await openMarket(chain, 'neg_risk'); // makers leave 0.42 free
    const buyers = [await equipped('1000'), await equipped('1000', newWalletTrader)];
    const sellers = [await withShares(market, '500'), await withShares(market, '500', newWalletTrader)];
    const clients = [...buyers, ...sellers].map(({ client }) => client);
    let isOver = false;
    const killer = (async () => {
        for (let i = 0; i < 4; i++) {
            await pause(400);
            await venue.kill();
            await restart(...clients);
        }
        isOver = true;
    })();
    /** As often as it takes to hear whether it was taken. */
    const insist = async (client, body) => {
        for (;;) {
            const { status, body: { error } } = await client.ask('POST', '/order', { body }).catch(() => ({ body: {} }));
            if (status === 200 || /Duplicated/.test(error)) return;
            assert.equal(status, undefined, error);
            await pause(20);
        }
    };
    const placed = new Map(clients.map((client) => [client, []]));
    const life = async ({ client }, side) => {
        while (!isOver) {
            const { hash, body } = await client.order(terms(market, side, 0, '0.42', '5'));
            if (placed.get(client).push(hash) > 80) return;
            await insist(client, body);
        }
    };
    await Promise.all([...buyers.map((who) => life(who, 'BUY')), ...sellers.map((who) => life(who, 'SELL')), killer]);
    for (const client of clients) await settledAll(client);
    const traded = { BUY: 0n, SELL: 0n };
    for (const [side, list] of [['BUY', buyers], ['SELL', sellers]]) {
        for (const { client, trader } of list) {
            const rows = await Promise.all(placed.get(client).map((hash) => orderOf(client, hash)));
            const matched = rows.reduce((sum, { body }) => sum + units(body.size_matched ?? '0'), 0n);
            const shares = await chain.ledger('neg_risk').balanceOf(trader.address, market.tokens[0]);
            assert.equal(side === 'BUY' ? shares : units('500') - shares, matched);
            traded[side] += matched;
        }
    }
    assert.ok(traded.BUY > 0n);
    assert.equal(traded.BUY, traded.SELL);
    const bodies = await venue.control('GET', undefined, '/audit/orders?service=polymarket');
    const own = new Set([...placed.values()].flat());
    for (const { order, bodies: its } of bodies) if (own.has(order)) assert.equal(its.length, 1);
});
