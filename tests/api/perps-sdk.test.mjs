// Section: perps
// Perpetuals, judged by a client of the venue that others made and use (@nktkas/hyperliquid 0.33.3): it trades with the venue that
// the stack plays, and every action that the gateway sends has the form that it knows, and its signer signed what it would sign.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { ExchangeClient, HttpTransport, InfoClient } from '@nktkas/hyperliquid';
import * as exchange from '@nktkas/hyperliquid/api/exchange';
import { createL1ActionHash } from '@nktkas/hyperliquid/signing';
import { Wallet, verifyTypedData, ZeroAddress } from 'ethers';
import { parse } from 'valibot';
import { startGateway } from './gateway.mjs';
import { Agent, granted, stackSettings, until } from './lib.mjs';
import { act, audit, becomes, cancel, placed, positionOf, trader } from './perps-trading.mjs';

const { SANDBOX_UPSTREAM_PORT } = await stackSettings();
const VENUE = `http://127.0.0.1:${SANDBOX_UPSTREAM_PORT}`;
const transport = new HttpTransport({ apiUrl: `${VENUE}/hyperliquid` });
const info = new InfoClient({ transport });
const LIMIT = { market: 'ETH-USD', side: 'long', size: '0.5', type: 'limit', price: '2500' };

before(async () => {
    for (const [coin, price] of [['ETH', '3000'], ['BTC', '60000']]) await act('move_price', { coin, price });
});

// ---------------------------------------------------------------- the stand-in, by the client

/** A wallet of the client's own, with so many dollars at the venue. */
async function client(dollars) {
    const wallet = Wallet.createRandom();
    await act('give', { user: wallet.address.toLowerCase(), amount: String(dollars) });
    return { user: wallet.address, venue: new ExchangeClient({ transport, wallet }) };
}

const indexOf = async (coin) => (await info.meta()).universe.findIndex(({ name }) => name === coin);
const buy = (a, terms) => ({ a, b: true, p: '2500', s: '0.5', r: false, t: { limit: { tif: 'Gtc' } }, ...terms });

test('the client reads markets, books and prices', async () => {
    const [{ universe }, contexts] = await info.metaAndAssetCtxs();
    assert.equal(universe.length, contexts.length);
    const a = await indexOf('ETH');
    const [mids, book] = [await info.allMids(), await info.l2Book({ coin: 'ETH' })];
    assert.ok(Math.abs(Number(mids.ETH) - 3000) < 30 && Math.abs(Number(contexts[a].markPx) - 3000) < 30);
    assert.ok(Number(book.levels[0][0].px) < Number(book.levels[1][0].px));
});

test('the client trades: leverage, an order that rests, its cancelling, one that fills', async () => {
    const { user, venue } = await client(10_000);
    const a = await indexOf('ETH');
    await venue.updateLeverage({ asset: a, isCross: true, leverage: 5 });
    const cloid = `0x${'ab'.repeat(16)}`;
    const { response } = await venue.order({ orders: [buy(a, { c: cloid })], grouping: 'na' });
    const [{ resting }] = response.data.statuses;
    assert.equal(resting.cloid, cloid);
    assert.deepEqual((await info.openOrders({ user })).map(({ oid }) => oid).filter((oid) => oid === resting.oid), [resting.oid]);
    assert.equal((await info.orderStatus({ user, oid: cloid })).order.order.oid, resting.oid);
    assert.deepEqual((await venue.cancelByCloid({ cancels: [{ asset: a, cloid }] })).response.data.statuses, ['success']);
    assert.equal((await info.orderStatus({ user, oid: resting.oid })).order.status, 'canceled');
    const filled = await venue.order({ orders: [buy(a, { p: '3100', t: { limit: { tif: 'Ioc' } } })], grouping: 'na' });
    assert.equal(Number(filled.response.data.statuses[0].filled.totalSz), 0.5);
    const { assetPositions, withdrawable } = await info.clearinghouseState({ user });
    assert.equal(Number(assetPositions.find(({ position }) => position.coin === 'ETH').position.szi), 0.5);
    assert.ok(Number(withdrawable) < 10_000);
    assert.ok((await info.userFills({ user })).some(({ coin, sz }) => coin === 'ETH' && Number(sz) === 0.5));
    assert.ok((await info.userFillsByTime({ user, startTime: 0 })).length > 0);
});

test('the client hears the venue refuse, and its account', async () => {
    const { user, venue } = await client(100);
    const a = await indexOf('ETH');
    await assert.rejects(venue.order({ orders: [buy(a, { s: '10' })], grouping: 'na' }), /Insufficient margin/);
    await assert.rejects(venue.order({ orders: [buy(a, { s: '0.001' })], grouping: 'na' }), /minimum value of \$10/);
    assert.equal((await info.userRole({ user })).role, 'user');
    assert.deepEqual(await info.extraAgents({ user }), []);
    assert.deepEqual((await info.userFunding({ user, startTime: 0 })).filter(({ delta }) => delta.coin === 'ETH'), []);
    assert.equal(typeof await info.userAbstraction({ user }), 'string');
});

test('a builder takes of an order what its account has approved, at most', async () => {
    const { user, venue } = await client(1000);
    const a = await indexOf('ETH'), builder = Wallet.createRandom().address;
    const order = (f) => venue.order({ orders: [buy(a, { s: '0.01' })], grouping: 'na', builder: { b: builder, f } });
    await assert.rejects(order(10), /Builder fee has not been approved\./);
    await venue.approveBuilderFee({ maxFeeRate: '0.01%', builder });
    assert.equal(await info.maxBuilderFee({ user, builder }), 10);
    assert.ok((await order(10)).response.data.statuses[0].resting);
    await assert.rejects(order(11), /Builder fee has not been approved\./);
    assert.equal(await info.maxBuilderFee({ user, builder: user }), 0);
});

test('the client withdraws', async () => {
    const { user, venue } = await client(100);
    await venue.withdraw3({ destination: user, amount: '20' });
    assert.ok((await audit('withdrawals')).some((each) => each.user === user.toLowerCase()));
});

// ---------------------------------------------------------------- the gateway, by the client's schemas and signatures

const sent = async () => (await (await fetch(`${VENUE}/_sandbox/audit?service=hyperliquid`)).json())
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/exchange'));

const named = (type) => type[0].toUpperCase() + type.slice(1);

/** Who signed a request, by what the client says is to be signed. */
function signerOf({ action, nonce, signature: { r, s, v }, vaultAddress, expiresAfter }) {
    const types = exchange[`${named(action.type)}Types`];
    const signature = `${r}${s.slice(2)}${v.toString(16)}`;
    if (types) {
        const domain = { name: 'HyperliquidSignTransaction', version: '1', chainId: Number(action.signatureChainId), verifyingContract: ZeroAddress };
        return verifyTypedData(domain, types, action, signature);
    }
    const hash = createL1ActionHash({ action, nonce, vaultAddress: vaultAddress ?? undefined, expiresAfter });
    return verifyTypedData({ name: 'Exchange', version: '1', chainId: 1337, verifyingContract: ZeroAddress },
        { Agent: [{ name: 'source', type: 'string' }, { name: 'connectionId', type: 'bytes32' }] }, { source: 'a', connectionId: hash }, signature);
}

/** Requests that the venue had of a wallet, or of a key that it let trade. */
async function requestsOf(address) {
    const keys = new Set([address.toLowerCase(), ...(await info.extraAgents({ user: address })).map((agent) => agent.address.toLowerCase())]);
    return (await sent()).map(({ body }) => JSON.parse(body)).filter((each) => keys.has(signerOf(each).toLowerCase()));
}

/** What these do; each is judged. */
async function judged(address) {
    const requests = await requestsOf(address);
    for (const each of requests) {
        const { vaultAddress, ...request } = each;
        assert.ok(vaultAddress == null);
        assert.deepEqual(parse(exchange[`${named(each.action.type)}Request`], request), request, each.action.type);
    }
    return requests.map(({ action }) => action);
}

test('the gateway sends and signs the same requests as the client library', async () => {
    const agent = await trader(10_000);
    const order = await placed(agent, { ...LIMIT, leverage: 7, takeProfit: '2700', stopLoss: '2400' });
    granted(await cancel(agent, order.id));
    await becomes(agent, order.id, 'cancelled');
    const market = await placed(agent, { market: 'ETH-USD', side: 'short', size: '0.4', type: 'market' });
    await becomes(agent, market.id, 'filled');
    granted(await agent.send('POST', '/perps/close', { json: { market: 'ETH-USD' } }));
    await until('the position to be closed', async () => (await positionOf(agent, 'ETH')) === undefined);
    const actions = await judged(agent.address);
    const orders = actions.filter(({ type }) => type === 'order');
    assert.deepEqual(orders.map(({ grouping, orders: each }) => [grouping, each.length]).sort(), [['na', 1], ['na', 1], ['normalTpsl', 3]]);
    assert.ok(['updateLeverage', 'cancelByCloid'].every((type) => actions.some((action) => action.type === type)), actions.map(({ type }) => type).join());
});

for (const [route, chain, type] of [['bridge', 'arbitrum', 'withdraw3'], ['cctp', 'base', 'sendToEvmWithData']]) {
    test(`a withdrawal by ${route} is what the client would send`, async () => {
        const gateway = await startGateway([`perps_route = ${route}`, 'perps_weight = 0']);
        try {
            const owner = await trader(200);
            const agent = Object.assign(new Agent(owner.key), { base: gateway.base });
            granted(await agent.send('POST', '/perps/withdraw', { json: { amount: '20', chain } }));
            const [action] = await until(`a ${type}`, async () => {
                const found = (await judged(owner.address)).filter((each) => each.type === type);
                return found.length > 0 && found;
            });
            assert.equal(action.amount, '20');
        } finally {
            await gateway.stop();
        }
    });
}

test('a request that was changed is judged wrong', async () => {
    const agent = await trader(1000);
    await placed(agent, LIMIT);
    const request = (await requestsOf(agent.address)).find(({ action }) => action.type === 'order');
    const signer = signerOf(request);
    request.action.orders[0].s = '0.6';
    assert.notEqual(signerOf(request), signer);
    assert.throws(() => parse(exchange.OrderRequest, { ...request, action: { ...request.action, orders: [{ ...request.action.orders[0], p: 'x' }] } }));
});
