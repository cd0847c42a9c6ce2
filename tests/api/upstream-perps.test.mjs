// Section: api
// The sandbox's perpetuals venue, as its clients know the real one: whose action is taken, what an order has to be, what becomes
// of it, and what it does to an account. Nothing here asks the gateway. Its money on chains: upstream-perps-money.test.mjs.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
    canonical, isPrice, roundedPrice, textOf, unitsOf,
} from '../../contrib/sandbox/upstream/hyperliquid/amounts.mjs';
import { requestIn } from '../../contrib/sandbox/upstream/hyperliquid/forms.mjs';
import {
    connectionId, l1Digest, msgpackOf, preimageOf, signerOf, userSignedDigest,
} from '../../contrib/sandbox/upstream/hyperliquid/signatures.mjs';
import {
    A, Trader, VECTORS, newCloid, newKey, newNonce, orderOf, ownVenue, signedBody,
} from './hyperliquid.mjs';
import { until } from './lib.mjs';

const STATE = mkdtempSync(join(tmpdir(), 'perps-'));
const state = join(STATE, 'upstream');
const DAY_MS = 86_400_000;
const PRICES = { BTC: '60000', ETH: '3000', SOL: '150', DOGE: '0.12', XRP: '0.6' };

let venue;
before(async () => {
    venue = await ownVenue({ state });
    await venue.act('funding_hours', { on: false });
});
after(async () => { await venue.stop(); rmSync(STATE, { recursive: true }); });

const failed = (response) => ({ status: 'err', response });
const DONE = { status: 'ok', response: { type: 'default' } };
const price = (coin, value = PRICES[coin]) => venue.act('move_price', { coin, price: value });

/** Runs with other prices, and puts them back. */
async function moved(coin, value, work) {
    await price(coin, value);
    try {
        return await work();
    } finally {
        await price(coin);
    }
}

// ---------------------------------------------------------------- signatures

test('L1 actions of the vectors: what is signed, and whose signature it is', () => {
    assert.ok(VECTORS.l1_actions.length > 50);
    for (const row of VECTORS.l1_actions) {
        const request = { action: JSON.parse(row.action_json), nonce: row.nonce, vaultAddress: row.vault_address, expiresAfter: row.expires_after };
        assert.equal(msgpackOf(request.action), row.msgpack, row.name);
        assert.equal(preimageOf(request), row.hash_preimage, row.name);
        assert.equal(connectionId(request), row.connection_id, row.name);
        for (const [network, signature] of [['Mainnet', row.signatures.mainnet], ['Testnet', row.signatures.testnet]]) {
            assert.equal(l1Digest(request, network), signature.digest, row.name);
            assert.equal(signerOf(signature.digest, signature), row.address.toLowerCase(), row.name);
        }
    }
});

test('actions that users sign have the vectors\' signatures', () => {
    for (const row of VECTORS.user_signed) {
        assert.equal(userSignedDigest(JSON.parse(row.action_json)), row.digest, row.name);
        assert.equal(signerOf(row.digest, row), row.address.toLowerCase(), row.name);
    }
});

test('the venue finds the signer of each vector, and knows none of them', async () => {
    for (const { name, request_body: body, address } of VECTORS.l1_actions) {
        assert.deepEqual((await venue.exchange(body)).body, failed(`User or API Wallet ${address.toLowerCase()} does not exist.`), name);
    }
    for (const { name, action_json: text, r, s, v, nonce, address } of VECTORS.user_signed) {
        const action = JSON.parse(text);
        const answer = await venue.exchange(JSON.stringify({ action, nonce: nonce ?? action.nonce ?? action.time, signature: { r, s, v } }));
        const expected = action.hyperliquidChain === 'Mainnet' ? `Must deposit before performing actions. User: ${address.toLowerCase()}`
            : 'Mainnet and testnet require different signature.';
        assert.deepEqual(answer.body, failed(expected), name);
    }
});

test('a body that is changed after it was signed has another signer', async () => {
    const trader = await Trader.with(venue, 1000);
    const wish = (p, s = '1') => ({ type: 'order', orders: [orderOf('ETH', 'buy', s, p)], grouping: 'na' });
    const strange = async (change) => {
        const answer = await trader.send(change(signedBody(trader.key, wish('2500'))));
        assert.equal(answer.status, 'err');
        const [, found] = /^User or API Wallet (0x[0-9a-f]{40}) does not exist\.$/.exec(answer.response) ?? [];
        assert.ok(found !== undefined && found !== trader.address, answer.response);
    };
    await strange((body) => body.replace('"2500"', '"2501"'));
    await strange((body) => body.replace('"b":true', '"b":false'));
    await strange((body) => body.replace(/"nonce":(\d+)/, (_, nonce) => `"nonce":${Number(nonce) + 1}`));
    await strange((body) => body.replace('"signature"', `"expiresAfter":${Date.now() + 60_000},"signature"`));
    const bad = signedBody(trader.key, wish('2500')).replace(/"r":"0x[0-9a-f]+"/, '"r":"0x0"');
    assert.deepEqual(await trader.send(bad), failed('Unable to recover signer.'));
    assert.equal((await trader.orders(wish('2500').orders))[0].error, undefined);
});

test('zeros behind a decimal and capitals in an address are not what the venue encodes', () => {
    for (const [text, short] of [['2500.0', '2500'], ['0.10', '0.1'], ['100', '100'], ['0.5', '0.5'], ['1.00000', '1']]) assert.equal(canonical(text), short);
    const order = (p, c) => ({ type: 'order', orders: [orderOf('ETH', 'buy', '1', p, { cloid: c })], grouping: 'na' });
    assert.equal(msgpackOf(order('2500.0', `0x${'AB'.repeat(16)}`)), msgpackOf(order('2500', `0x${'ab'.repeat(16)}`)));
});

test('requests that are not of their form', async () => {
    const trader = await Trader.with(venue, 1000);
    const text = 'Failed to deserialize the JSON body into the target type';
    const good = { type: 'order', orders: [orderOf('ETH', 'buy', '1', '2500')], grouping: 'na' };
    const { orders: [order] } = good;
    const reversed = Object.fromEntries(Object.entries(order).reverse());
    const wrong = [
        { type: 'nonsense' }, { ...good, grouping: 'all' }, { ...good, orders: [] }, { ...good, orders: [{ ...order, p: 2500 }] }, { ...good, orders: [{ ...order, p: '-1' }] },
        { ...good, orders: [{ ...order, s: '1e3' }] }, { ...good, orders: [reversed] }, { ...good, orders: [{ ...order, x: 1 }] }, { ...good, orders: [{ ...order, c: '0x12' }] },
        { ...good, orders: [{ ...order, t: { limit: { tif: 'GTC' } } }] }, { ...good, orders: [{ ...order, a: '1' }] }, { orders: good.orders, grouping: 'na' },
        { type: 'updateLeverage', asset: 1, isCross: true, leverage: 5.5 }, { type: 'cancel', cancels: [{ a: 1, o: -1 }] }, { type: 'noop', more: 1 },
    ];
    for (const action of wrong) {
        const body = JSON.stringify({ action, nonce: newNonce(), signature: { r: '0x1', s: '0x1', v: 27 } });
        assert.deepEqual(await venue.exchange(body), { status: 422, body: text }, JSON.stringify(action));
        assert.equal(requestIn(body), undefined);
    }
    const signed = signedBody(trader.key, good);
    for (const body of ['', '{', '[]', 'null', signed.replace(/"v":\d+/, '"v":0'), signed.replace(/"nonce":(\d+)/, '"nonce":"$1"'), signed.replace('"signature"', '"signatures"')]) {
        assert.deepEqual(await venue.exchange(body), { status: 422, body: text }, body);
    }
    for (const question of [{}, { type: 'nonsense' }, { type: 'openOrders' }, { type: 'openOrders', user: '0x12' }, { type: 'l2Book', coin: 'NONE' }, { type: 'l2Book', coin: 'ETH', nSigFigs: 7 }, { type: 'orderStatus', user: trader.address, oid: 'x' }]) {
        assert.deepEqual(await venue.ask('POST', '/hyperliquid/info', question), { status: 422, body: text }, JSON.stringify(question));
    }
    assert.equal((await venue.ask('GET', '/hyperliquid/info')).status, 405);
    assert.equal((await venue.ask('POST', '/hyperliquid/other', {})).status, 404);
});

// ---------------------------------------------------------------- nonces, expiry, API wallets

test('a nonce is used once, by each key; of the 100 highest, one has to be above the lowest', async () => {
    const trader = await Trader.with(venue, 1000);
    const noop = { type: 'noop' };
    const now = newNonce();
    assert.deepEqual(await trader.l1(noop, { nonce: now }), DONE);
    assert.deepEqual(await trader.l1(noop, { nonce: now }), failed(`Invalid nonce: duplicate nonce ${now}`));
    assert.match((await trader.l1(noop, { nonce: now - 2 * DAY_MS })).response, new RegExp(`^Invalid nonce: nonce too low ${now - 2 * DAY_MS} < \\d+$`));
    assert.match((await trader.l1(noop, { nonce: now + DAY_MS + 60_000 })).response, new RegExp(`^Invalid nonce: nonce too high ${now + DAY_MS + 60_000} > \\d+$`));
    assert.deepEqual(await trader.l1(noop, { nonce: now - DAY_MS }), DONE);
    for (let i = 1; i <= 99; i++) assert.deepEqual(await trader.l1(noop, { nonce: now + i }), DONE);
    assert.deepEqual(await trader.l1(noop, { nonce: now - DAY_MS }), failed(`Invalid nonce: nonce too low ${now - DAY_MS} < ${now}`));
    assert.deepEqual(await trader.l1(noop, { nonce: now - 1 }), failed(`Invalid nonce: nonce too low ${now - 1} < ${now}`));
    assert.deepEqual(await trader.user('usdClassTransfer', { amount: '1', toPerp: false }, { nonce: now + 50 }), failed(`Invalid nonce: duplicate nonce ${now + 50}`));
    const other = await Trader.with(venue, 10);
    assert.deepEqual(await other.l1(noop, { nonce: now }), DONE);
});

test('an action is not taken after its time, and its nonce stays unused', async () => {
    const trader = await Trader.with(venue, 1000);
    const nonce = newNonce();
    const late = { nonce, expiresAfter: Date.now() - 1 };
    const used = async () => (await trader.info('userRateLimit')).nRequestsUsed;
    const earlier = await used();
    assert.deepEqual(await trader.l1({ type: 'noop' }, late), failed('Action already expired'));
    assert.deepEqual(await trader.l1({ type: 'noop' }, late), failed('Action already expired'));
    assert.equal(await used(), earlier + 2 * 5);
    assert.deepEqual(await trader.l1({ type: 'noop' }, { nonce, expiresAfter: Date.now() + 60_000 }), DONE);
    const body = JSON.parse(signedBody(trader.key, { type: 'usdClassTransfer', signatureChainId: '0xa4b1', hyperliquidChain: 'Mainnet', amount: '1', toPerp: false, nonce: nonce + 1 }, { nonce: nonce + 1 }));
    assert.equal((await trader.send(JSON.stringify({ ...body, expiresAfter: Date.now() + 60_000 }))).status, 'err');
    assert.deepEqual((await venue.audit('late')), []);
});

test('an API wallet trades for its account, by nonces of its own, and moves no money', async () => {
    const trader = await Trader.with(venue, 1000);
    const agent = newKey();
    const asAgent = { key: agent };
    const unknownSigner = failed(`User or API Wallet ${agent.address.toLowerCase()} does not exist.`);
    assert.deepEqual(await trader.l1({ type: 'noop' }, asAgent), unknownSigner);
    assert.deepEqual(await trader.approveAgent(agent, 'gateway'), DONE);
    const [{ resting }] = await trader.orders([orderOf('ETH', 'buy', '0.1', '2500')], asAgent);
    assert.equal((await trader.info('openOrders'))[0].oid, resting.oid);
    assert.deepEqual(await venue.info('openOrders', { user: agent.address }), []);
    assert.deepEqual(await venue.info('userRole', { user: agent.address }), { role: 'agent', data: { user: trader.address } });
    assert.deepEqual(await trader.withdraw('10', trader.address, asAgent), failed(`Must deposit before performing actions. User: ${agent.address.toLowerCase()}`));
    assert.deepEqual(await trader.user('approveAgent', { agentAddress: newKey().address.toLowerCase(), agentName: '' }, asAgent), failed(`Must deposit before performing actions. User: ${agent.address.toLowerCase()}`));
    const [{ address, name, validUntil }] = await trader.info('extraAgents');
    assert.deepEqual([address, name], [agent.address.toLowerCase(), 'gateway']);
    assert.ok(Math.abs(validUntil - Date.now() - 90 * DAY_MS) < 60_000);
});

test('names of API wallets: how many, how long, until when', async () => {
    const trader = await Trader.with(venue, 1000);
    const made = async (name) => { const agent = newKey(); return [await trader.approveAgent(agent, name), agent]; };
    const inForce = async () => (await trader.info('extraAgents')).map(({ name }) => name);
    const until_ = (days) => ` valid_until ${Date.now() + days * DAY_MS}`;
    for (const name of ['one', `two${until_(179)}`, 'sixteen letters!', '']) assert.deepEqual((await made(name))[0], DONE, name);
    assert.deepEqual(await inForce(), ['one', 'two', 'sixteen letters!']);
    const [{ validUntil }] = (await trader.info('extraAgents')).filter(({ name }) => name === 'two');
    assert.ok(Math.abs(validUntil - Date.now() - 179 * DAY_MS) < 60_000);
    assert.deepEqual((await made('four'))[0], failed('Too many extra agents.'));
    assert.deepEqual((await made('seventeen letters'))[0], failed('Extra agent name must be between 1 and 16 characters long'));
    for (const days of [181, -1]) assert.match((await made(`one${until_(days)}`))[0].response, /^Extra agent valid until/);
    const [, second] = await made('one');
    assert.deepEqual((await inForce()).sort(), ['one', 'sixteen letters!', 'two']);
    assert.deepEqual(await trader.approveAgent(second, 'two'), failed('Extra agent already used.'));
    assert.deepEqual(await trader.approveAgent(trader.key, 'two'), failed('Extra agent already used.'));
    assert.deepEqual(await trader.l1({ type: 'noop' }, { key: second }), DONE);
});

test('a request signed by an API wallet is valid again once its address is approved again', async () => {
    const trader = await Trader.with(venue, 1000);
    const agent = newKey();
    const unknownSigner = failed(`User or API Wallet ${agent.address.toLowerCase()} does not exist.`);
    await trader.approveAgent(agent, 'short');
    const body = signedBody(agent, { type: 'noop' });
    assert.deepEqual(await trader.send(body), DONE);
    assert.match((await trader.send(body)).response, /duplicate nonce/);
    await venue.act('hasten', { user: trader.address, what: 'agents' });
    await until('the end of an API wallet', async () => (await trader.send(signedBody(agent, { type: 'noop' }))).response === unknownSigner.response);
    assert.deepEqual(await trader.info('extraAgents'), []);
    await trader.approveAgent(agent, 'again');
    assert.deepEqual(await trader.send(body), DONE);
    await trader.approveAgent(newKey(), 'again');
    assert.deepEqual(await trader.send(body), unknownSigner);
});

// ---------------------------------------------------------------- markets

test('the universe, its tiers and its prices', async () => {
    const [meta, contexts] = await venue.info('metaAndAssetCtxs');
    assert.deepEqual(await venue.info('meta'), meta);
    assert.equal(meta.universe.length, contexts.length);
    const sizes = { BTC: 5, ETH: 4, SOL: 2, AVAX: 2, BNB: 3, ARB: 1, DOGE: 0, SUI: 1, LINK: 1, XRP: 0 };
    for (const [name, szDecimals] of Object.entries(sizes)) {
        const [asset, context] = [meta.universe[A[name]], contexts[A[name]]];
        assert.deepEqual([asset.name, asset.szDecimals], [name, szDecimals]);
        assert.equal(meta.marginTables.find(([id]) => id === asset.marginTableId)[1].marginTiers[0].maxLeverage, asset.maxLeverage);
        for (const member of ['markPx', 'midPx', 'oraclePx', 'funding', 'openInterest', 'prevDayPx', 'dayNtlVlm']) assert.match(context[member], /^\d+\.\d+$/, `${name} ${member}`);
    }
    const matic = meta.universe.findIndex(({ name }) => name === 'MATIC');
    assert.deepEqual([meta.universe[matic].isDelisted, contexts[matic].midPx, contexts[matic].impactPxs], [true, null, null]);
    assert.deepEqual(Object.keys(await venue.info('allMids')).sort(), Object.keys(sizes).sort());
});

test('a book has both sides, best first, by so many figures as one wants', async () => {
    for (const coin of Object.keys(A)) {
        const { levels: [bids, asks], time } = await venue.info('l2Book', { coin });
        assert.ok(Number.isInteger(time) && bids.length === 20 && asks.length === 20, coin);
        const prices = (rows) => rows.map(({ px }) => Number(px));
        assert.deepEqual(prices(bids), prices(bids).sort((a, b) => b - a));
        assert.deepEqual(prices(asks), prices(asks).sort((a, b) => a - b));
        assert.ok(Number(bids[0].px) < Number(asks[0].px));
        for (const { px, sz, n } of [...bids, ...asks]) assert.ok(/^\d+\.\d+$/.test(px) && Number(sz) > 0 && n === 1);
    }
    const { levels: [bids] } = await venue.info('l2Book', { coin: 'BTC', nSigFigs: 3 });
    assert.deepEqual(bids.map(({ px }) => px), ['59900.0', '59800.0', '59700.0']);
});

test('the rules of prices and sizes, as the vectors have them', async () => {
    for (const { price: text, sz_decimals: places, already_valid: isValid, formatted } of VECTORS.price_format_perp) {
        assert.equal(isPrice(text, places), isValid, `${text} ${places}`);
        if (formatted !== undefined) assert.ok(isPrice(formatted, places), formatted);
    }
    for (const { size, sz_decimals: places, formatted } of VECTORS.size_format) {
        assert.equal(unitsOf(size, places) !== undefined, canonical(size) === formatted, `${size} ${places}`);
    }
    for (const [text, places, down, up] of [['2999.97', 4, '2999.9', '3000.0'], ['123456.7', 0, '123456.0', '123457.0'], ['64250.55', 5, '64250.0', '64251.0']]) {
        const units = unitsOf(text);
        assert.deepEqual([roundedPrice(units, places), roundedPrice(units, places, true)].map((each) => textOf(each)), [down, up], text);
    }
});

test('the venue takes the prices and the sizes that the vectors call good', async () => {
    const trader = await Trader.with(venue, 100);
    const assets = { 0: 'DOGE', 1: 'ARB', 2: 'SOL', 4: 'ETH', 5: 'BTC' };
    const tick = /^Price must be divisible by tick size\./;
    for (const { price: p, sz_decimals: places, already_valid: isValid } of VECTORS.price_format_perp) {
        const { error } = await trader.order(assets[places], 'buy', '1', canonical(p));
        assert.equal(tick.test(error ?? ''), !isValid, `${p} ${assets[places]}: ${error}`);
    }
    for (const { size, sz_decimals: places, formatted } of VECTORS.size_format) {
        const { error } = await trader.order(assets[places], 'buy', canonical(size), '1');
        assert.equal(/^Order has invalid size\./.test(error ?? ''), canonical(size) !== formatted, `${size} ${assets[places]}: ${error}`);
    }
});

// ---------------------------------------------------------------- orders

test('a limit order rests, is seen, and is cancelled by either number', async () => {
    const trader = await Trader.with(venue, 1000);
    const cloid = newCloid();
    const { resting } = await trader.order('ETH', 'buy', '0.5', '2500.5', { cloid });
    assert.deepEqual(resting.cloid, cloid);
    const [shown] = await trader.info('openOrders');
    assert.deepEqual([shown.coin, shown.side, shown.limitPx, shown.sz, shown.oid, shown.origSz, shown.cloid], ['ETH', 'B', '2500.5', '0.5', resting.oid, '0.5', cloid]);
    const [front] = await trader.info('frontendOpenOrders');
    assert.deepEqual([front.orderType, front.tif, front.reduceOnly, front.isTrigger, front.children], ['Limit', 'Gtc', false, false, []]);
    for (const oid of [resting.oid, cloid, cloid.toUpperCase().replace('0X', '0x')]) {
        const { status, order } = await trader.info('orderStatus', { oid });
        assert.deepEqual([status, order.status, order.order.oid, order.order.cloid], ['order', 'open', resting.oid, cloid]);
    }
    assert.equal((await trader.l1({ type: 'cancel', cancels: [{ a: A.ETH, o: resting.oid }] })).response.data.statuses[0], 'success');
    assert.equal(await trader.statusOf(cloid), 'canceled');
    assert.deepEqual(await trader.info('openOrders'), []);
    const other = newCloid();
    await trader.order('ETH', 'sell', '0.5', '3500', { cloid: other });
    assert.match((await trader.cancel(A.BTC, other)).error, /^Order was never placed, already canceled, or filled\. asset=0$/);
    assert.equal(await trader.cancel(A.ETH, other), 'success');
    assert.match((await trader.cancel(A.ETH, other)).error, /^Order was never placed, already canceled, or filled\. asset=1$/);
    assert.deepEqual(await trader.info('orderStatus', { oid: newCloid() }), { status: 'unknownOid' });
    const stranger = await Trader.with(venue, 10);
    assert.deepEqual(await stranger.info('orderStatus', { oid: resting.oid }), { status: 'unknownOid' });
});

test('an order that is taken at once pays what rests, level by level', async () => {
    const trader = await Trader.with(venue, 10_000);
    const { levels: [, [first, second]] } = await venue.info('l2Book', { coin: 'ETH' });
    const size = (Number(first.sz) + 1).toFixed(4);
    const { filled } = await trader.order('ETH', 'buy', size, '3100', { tif: 'Ioc' });
    const cost = Number(first.px) * Number(first.sz) + Number(second.px);
    assert.deepEqual([filled.totalSz, filled.avgPx], [textOf(unitsOf(size, 4), 4), textOf(unitsOf((cost / Number(size)).toFixed(2)))]);
    assert.equal(await trader.statusOf(filled.oid), 'filled');
    const fills = await trader.info('userFills');
    assert.deepEqual(fills.map(({ px, sz }) => [px, sz]), [[second.px, '1.0'], [first.px, first.sz]]);
    for (const { coin, side, dir, crossed, oid, closedPnl, feeToken, fee, px, sz, hash, tid } of fills) {
        assert.deepEqual([coin, side, dir, crossed, oid, closedPnl, feeToken], ['ETH', 'B', 'Open Long', true, filled.oid, '0.0', 'USDC']);
        assert.ok(Math.abs(Number(fee) - Number(px) * Number(sz) * 0.00045) <= 0.000001 && /^0x[0-9a-f]{64}$/.test(hash) && Number.isInteger(tid));
    }
    const raw = await trader.venue.info('userFillsByTime', { user: trader.address, startTime: fills[0].time });
    assert.deepEqual([raw[0], raw.at(-1)].map(({ coin, dir, tid }) => [coin, dir, tid]), [['@142', 'Spot Dust Conversion', 0], ['xyz:NVDA', 'Spot Dust Conversion', 0]]);
    assert.deepEqual(await trader.info('userFillsByTime', { startTime: fills[0].time }), [...fills].reverse());
    assert.deepEqual(await trader.info('userFillsByTime', { startTime: fills[0].time + 1 }), []);
    assert.deepEqual(await trader.info('userFillsByTime', { startTime: 0, endTime: fills[0].time - 1 }), []);
    const [{ sz: sum }] = await trader.info('userFillsByTime', { startTime: 0, aggregateByTime: true });
    assert.equal(sum, first.sz);
});

test('each refusal of an order has its words and its status', async () => {
    const trader = await Trader.with(venue, 1000);
    await trader.order('SOL', 'buy', '1', '151', { tif: 'Ioc' });
    const far = { cloid: newCloid() };
    const cases = [
        ['Price must be divisible by tick size.', undefined, 'ETH', 'buy', '1', '2500.55'],
        ['Order has invalid price.', undefined, 'ETH', 'buy', '1', '0'],
        ['Order has invalid size.', undefined, 'ETH', 'buy', '0.00001', '2500'],
        ['Order has zero size.', undefined, 'ETH', 'buy', '0', '2500'],
        ['Order has invalid asset.', undefined, 99, 'buy', '1', '2500'],
        ['Trading is halted.', undefined, 3, 'buy', '1', '1'],
        ['Order price cannot be more than 80% away from the reference price', undefined, 'ETH', 'buy', '1', '599'],
        ['Order price too far from oracle', 'oracleRejected', 'ETH', 'buy', '0.1', '1400', far],
        ['Order must have minimum value of $10.', 'minTradeNtlRejected', 'ETH', 'buy', '0.0039', '2500'],
        ['Insufficient margin to place order.', 'perpMarginRejected', 'ETH', 'buy', '10', '2500'],
        ['Reduce only order would increase position.', 'reduceOnlyRejected', 'ETH', 'sell', '1', '3100', { reduceOnly: true }],
        ['Reduce only order would increase position.', 'reduceOnlyRejected', 'SOL', 'buy', '1', '140', { reduceOnly: true }],
        ['Post only order would have immediately matched, bbo was 2999.4@3000.6.', 'badAloPxRejected', 'ETH', 'buy', '0.1', '3001', { tif: 'Alo' }],
        ['Order could not immediately match against any resting orders.', 'iocCancelRejected', 'ETH', 'buy', '0.1', '2900', { tif: 'Ioc' }],
        ['No liquidity available for market order.', 'marketOrderNoLiquidityRejected', 'ETH', 'buy', '0.1', '2900', { tif: 'FrontendMarket' }],
        ['Invalid TP/SL price.', 'badTriggerPxRejected', 'SOL', 'sell', '1', '140', { reduceOnly: true, trigger: { isMarket: true, triggerPx: '140', tpsl: 'tp' } }],
        ['Invalid TP/SL price.', 'badTriggerPxRejected', 'SOL', 'sell', '1', '160', { reduceOnly: true, trigger: { isMarket: true, triggerPx: '160', tpsl: 'sl' } }],
    ];
    for (const [text, status, coin, side, size, at, more] of cases) {
        const cloid = newCloid();
        const { error } = await trader.order(coin, side, size, at, { ...more, cloid });
        assert.equal(error, `${text} asset=${A[coin] ?? coin}`);
        assert.equal(await trader.statusOf(cloid), status ?? 'unknownOid', text);
    }
    assert.deepEqual((await trader.info('openOrders')), []);
});

test('markets without room, without makers, without a side', async () => {
    const trader = await Trader.with(venue, 1000);
    await venue.act('cap_open_interest', { coin: 'LINK' });
    assert.equal((await trader.order('LINK', 'buy', '10', '14')).error, 'Order would increase open interest while open interest is capped asset=18');
    await venue.act('cap_open_interest', { coin: 'LINK', capped: false });
    await venue.act('makers', { coin: 'LINK', asks: false });
    assert.equal((await trader.order('LINK', 'buy', '10', '16', { tif: 'Ioc' })).error, 'No liquidity available for market order. asset=18');
    const [, contexts] = await venue.info('metaAndAssetCtxs');
    assert.equal(contexts[A.LINK].midPx, null);
    assert.deepEqual((await venue.info('l2Book', { coin: 'LINK' })).levels[1], []);
    await venue.act('makers', { coin: 'LINK' });
    assert.ok((await trader.order('LINK', 'buy', '10', '16', { tif: 'Ioc' })).filled);
});

test('one order with a wrong form refuses its whole request; otherwise each has its own status', async () => {
    const trader = await Trader.with(venue, 1000);
    const good = orderOf('ETH', 'buy', '0.1', '2500');
    assert.deepEqual(await trader.orders([good, orderOf('ETH', 'buy', '0.1', '2500.55')]), [{ error: 'Price must be divisible by tick size. asset=1' }]);
    const statuses = await trader.orders([good, orderOf('ETH', 'buy', '0.001', '2500'), orderOf('SOL', 'buy', '1', '151')]);
    assert.deepEqual(statuses.map((status) => Object.keys(status)[0]), ['resting', 'error', 'filled']);
});

test('an order that takes more than there is: what is left rests, or ends', async () => {
    const trader = await Trader.with(venue, 1_000_000);
    const { levels: [, asks] } = await venue.info('l2Book', { coin: 'XRP' });
    const limit = asks[1].px.replace(/\.0$/, '');
    const there = Number(asks[0].sz) + Number(asks[1].sz);
    const ioc = await trader.order('XRP', 'buy', String(there + 100), limit, { tif: 'Ioc' });
    assert.equal(ioc.filled.totalSz, `${there}.0`);
    assert.equal(await trader.statusOf(ioc.filled.oid), 'canceled');
    const gtc = await trader.order('XRP', 'buy', String(there + 100), limit);
    assert.deepEqual((await trader.info('openOrders')).map(({ oid, sz }) => [oid, sz]), [[gtc.resting.oid, '100.0']]);
    const { levels: [bids, others] } = await venue.info('l2Book', { coin: 'XRP' });
    assert.deepEqual([bids[0].px, bids[0].sz], [asks[1].px, '100.0']);
    assert.ok(Number(others[0].px) > Number(bids[0].px));
    await venue.act('counter_order', { coin: 'XRP', side: 'sell', price: limit, size: '40' });
    assert.deepEqual((await trader.info('openOrders'))[0].sz, '60.0');
    assert.equal((await venue.act('counter_order', { coin: 'XRP', side: 'sell', price: limit, size: '1000' })).filled, '60.0');
    assert.equal(await trader.statusOf(gtc.resting.oid), 'filled');
    const [fill] = await trader.info('userFills');
    assert.deepEqual([fill.crossed, fill.px, Math.abs(Number(fill.fee) - 60 * Number(fill.px) * 0.00015) < 0.000001], [false, asks[1].px, true]);
});

test('traders meet each other, and none meets himself', async () => {
    const [one, other] = [await Trader.with(venue, 1000), await Trader.with(venue, 1000)];
    const { resting } = await one.order('ETH', 'sell', '0.2', '3000');
    const { filled } = await other.order('ETH', 'buy', '0.1', '3000.5', { tif: 'Ioc' });
    assert.deepEqual([filled.totalSz, filled.avgPx], ['0.1', '3000.0']);
    assert.deepEqual([(await one.position('ETH')).szi, (await other.position('ETH')).szi], ['-0.1', '0.1']);
    const own = await one.order('ETH', 'buy', '0.1', '3000.5', { tif: 'Ioc' });
    assert.match(own.error, /^Order could not immediately match/);
    await one.order('ETH', 'buy', '0.1', '3000.6', { tif: 'Ioc' });
    assert.equal(await one.statusOf(resting.oid), 'selfTradeCanceled');
});

test('reduce-only orders reduce, and end with the position', async () => {
    const trader = await Trader.with(venue, 1000);
    await trader.order('ETH', 'buy', '0.3', '3010', { tif: 'Ioc' });
    const close = newCloid();
    assert.ok((await trader.order('ETH', 'sell', '5', '3100', { reduceOnly: true, cloid: close })).resting);
    const { filled } = await trader.order('ETH', 'sell', '1', '2990', { tif: 'Ioc', reduceOnly: true });
    assert.equal(filled.totalSz, '0.3');
    assert.equal(await trader.position('ETH'), undefined);
    assert.equal(await trader.statusOf(close), 'reduceOnlyCanceled');
    const dirs = (await trader.info('userFills')).map(({ dir }) => dir);
    assert.deepEqual(dirs, ['Close Long', 'Open Long']);
    await trader.order('ETH', 'sell', '0.2', '2990', { tif: 'Ioc' });
    await trader.order('ETH', 'buy', '0.5', '3010', { tif: 'Ioc' });
    assert.deepEqual([(await trader.info('userFills'))[0].dir, (await trader.position('ETH')).szi], ['Short > Long', '0.3']);
});

test('orders are changed, one or several', async () => {
    const trader = await Trader.with(venue, 1000);
    const cloid = newCloid();
    const { resting: { oid } } = await trader.order('ETH', 'buy', '0.1', '2500');
    assert.deepEqual(await trader.l1({ type: 'modify', oid, order: orderOf('ETH', 'buy', '0.2', '2600', { cloid }) }), DONE);
    assert.deepEqual((await trader.info('openOrders')).map(({ limitPx, sz }) => [limitPx, sz]), [['2600.0', '0.2']]);
    assert.deepEqual(await trader.l1({ type: 'modify', oid, order: orderOf('ETH', 'buy', '0.2', '2600') }), failed('Cannot modify canceled or filled order'));
    const answer = await trader.l1({ type: 'batchModify', modifies: [{ oid: cloid, order: orderOf('ETH', 'buy', '0.3', '2600') }, { oid, order: orderOf('ETH', 'buy', '0.3', '2600') }] });
    assert.deepEqual(answer.response.data.statuses.map((status) => Object.keys(status)[0]), ['resting', 'error']);
});

test('all orders end at a time that is set', async () => {
    const trader = await Trader.with(venue, 1000);
    const { resting: { oid } } = await trader.order('ETH', 'buy', '0.1', '2500');
    const schedule = (time) => trader.l1({ type: 'scheduleCancel', ...(time !== undefined && { time }) });
    assert.match((await schedule(Date.now() + 4000)).response.data.status.error, /at least 5 seconds/);
    assert.deepEqual(await schedule(Date.now() + 60_000), DONE);
    assert.deepEqual(await schedule(), DONE);
    assert.deepEqual(await schedule(Date.now() + 60_000), DONE);
    assert.equal(await trader.statusOf(oid), 'open');
    await venue.act('hasten', { user: trader.address, what: 'cancel' });
    await until('the scheduled cancel', async () => await trader.statusOf(oid) === 'scheduledCancel');
});

// ---------------------------------------------------------------- take profit, stop loss

const bracket = (size, limit, tif, tp, sl, names = []) => [
    orderOf('ETH', 'buy', size, limit, { tif, cloid: names[0] }),
    orderOf('ETH', 'sell', size, tp, { reduceOnly: true, cloid: names[1], trigger: { isMarket: true, triggerPx: tp, tpsl: 'tp' } }),
    orderOf('ETH', 'sell', size, sl, { reduceOnly: true, cloid: names[2], trigger: { isMarket: true, triggerPx: sl, tpsl: 'sl' } }),
];

test('a take profit and a stop loss wait for their parent, act once, and end the other one', async () => {
    const trader = await Trader.with(venue, 1000);
    const names = [newCloid(), newCloid(), newCloid()];
    const statuses = await trader.orders(bracket('0.5', '2900', 'Gtc', '3200', '2800', names), { grouping: 'normalTpsl' });
    assert.deepEqual([Object.keys(statuses[0])[0], ...statuses.slice(1)], ['resting', 'waitingForFill', 'waitingForFill']);
    assert.equal(await trader.statusOf(names[1]), 'unknownOid');
    const [parent] = await trader.info('frontendOpenOrders');
    assert.deepEqual(parent.children.map(({ orderType, triggerPx, cloid }) => [orderType, triggerPx, cloid]), [['Take Profit Market', '3200.0', names[1]], ['Stop Market', '2800.0', names[2]]]);
    await moved('ETH', '2900', async () => {
        assert.deepEqual([await trader.statusOf(names[0]), await trader.statusOf(names[1]), await trader.statusOf(names[2])], ['filled', 'open', 'open']);
        const waiting = await trader.info('frontendOpenOrders');
        assert.deepEqual(waiting.map(({ isTrigger, triggerCondition }) => [isTrigger, triggerCondition]).sort(), [[true, 'Price above 3200'], [true, 'Price below 2800']]);
        await price('ETH', '3199.9');
        assert.equal(await trader.statusOf(names[1]), 'open');
        await price('ETH', '3200');
        assert.deepEqual([await trader.statusOf(names[1]), await trader.statusOf(names[2])], ['filled', 'siblingFilledCanceled']);
        assert.equal(await trader.position('ETH'), undefined);
        const [{ closedPnl, dir, px }] = await trader.info('userFills');
        assert.deepEqual([dir, px], ['Close Long', '3199.3']);
        assert.equal(closedPnl, textOf(unitsOf(((3199.3 - 2900) * 0.5).toFixed(6))));
    });
});

test('a parent that is filled at once has children that wait for the price; one that is refused or cancelled has none', async () => {
    const trader = await Trader.with(venue, 1000);
    const names = [newCloid(), newCloid(), newCloid()];
    const statuses = await trader.orders(bracket('0.5', '3150', 'Ioc', '3200', '2800', names), { grouping: 'normalTpsl' });
    assert.deepEqual([Object.keys(statuses[0])[0], ...statuses.slice(1)], ['filled', 'waitingForTrigger', 'waitingForTrigger']);
    assert.deepEqual([await trader.statusOf(names[1]), await trader.statusOf(names[2])], ['open', 'open']);
    await moved('ETH', '2750', async () => {
        assert.deepEqual([await trader.statusOf(names[2]), await trader.statusOf(names[1])], ['filled', 'siblingFilledCanceled']);
    });
    const poor = [newCloid(), newCloid(), newCloid()];
    assert.deepEqual(await trader.orders(bracket('50', '3150', 'Ioc', '3200', '2800', poor), { grouping: 'normalTpsl' }), [{ error: 'Insufficient margin to place order. asset=1' }]);
    assert.deepEqual([await trader.statusOf(poor[0]), await trader.statusOf(poor[1])], ['perpMarginRejected', 'unknownOid']);
    for (const [tp, sl] of [['2900', '2800'], ['3200', '3100']]) {
        assert.deepEqual(await trader.orders(bracket('0.1', '3000.6', 'Ioc', tp, sl), { grouping: 'normalTpsl' }), [{ error: 'Invalid TP/SL price. asset=1' }]);
    }
    const gone = [newCloid(), newCloid(), newCloid()];
    await trader.orders(bracket('0.1', '2500', 'Gtc', '3200', '2400', gone), { grouping: 'normalTpsl' });
    assert.equal(await trader.cancel(A.ETH, gone[0]), 'success');
    await moved('ETH', '2450', async () => assert.equal(await trader.statusOf(gone[1]), 'unknownOid'));
});

test('triggers for a position, with and without a limit', async () => {
    const trader = await Trader.with(venue, 1000);
    const stop = (size, tpsl, at, isMarket, cloid) => orderOf('ETH', 'buy', size, at, { reduceOnly: true, cloid, trigger: { isMarket, triggerPx: at, tpsl } });
    assert.match((await trader.orders([stop('0', 'sl', '3300', true)], { grouping: 'positionTpsl' }))[0].error, /^Reduce only/);
    await trader.order('ETH', 'sell', '0.4', '2990', { tif: 'Ioc' });
    const [whole, part] = [newCloid(), newCloid()];
    const [{ resting }] = await trader.orders([stop('0', 'sl', '3300', true, whole)], { grouping: 'positionTpsl' });
    assert.ok(resting.oid > 0);
    assert.ok((await trader.orders([stop('0.1', 'tp', '2700', false, part)]))[0].resting);
    await moved('ETH', '2690', async () => {
        // The makers ask more than its limit of 2700 no longer: it is taken by the first of them.
        assert.equal(await trader.statusOf(part), 'filled');
        assert.equal((await trader.position('ETH')).szi, '-0.3');
        await price('ETH', '3300');
        assert.equal(await trader.statusOf(whole), 'filled');
        assert.equal(await trader.position('ETH'), undefined);
    });
});
