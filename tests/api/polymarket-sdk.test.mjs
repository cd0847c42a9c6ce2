// Section: api
// The sandbox's venue, judged by the venue's own client (@polymarket/clob-client-v2 1.1.0): it trades there as with the real one,
// and what it signs is what the stand-in, and with it the gateway, holds for an order. The client's package asks for Node.js 20; with
// the global below it works on 18.20, Debian's. Nothing here asks the gateway.

import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { AssetType, Chain, ClobClient, OrderType, Side } from '@polymarket/clob-client-v2';
import { orderHash, orderSigner } from '../../contrib/sandbox/upstream/polymarket/signatures.mjs';
import { until } from './lib.mjs';
import {
    newTrader, newWalletTrader, openMarket, ownChain, ownUpstream,
} from './polymarket.mjs';

globalThis.crypto ??= webcrypto; // the client looks for it there, where Node.js 18 does not have it

const STATE = mkdtempSync(join(tmpdir(), 'upstream-'));
let chain;
let venue;
before(async () => { chain = await ownChain(); venue = await ownUpstream(chain, join(STATE, 'upstream')); });
after(async () => { await venue.stop(); chain.stop(); rmSync(STATE, { recursive: true }); });

/** The client wants a signer as former versions of ethers made them. */
function signerOf(key) {
    return { getAddress: async () => key.address, _signTypedData: (domain, types, value) => key.signTypedData(domain, types, value) };
}

/** A client with so many dollars that the venue has looked at. */
async function client(dollars, make = newTrader) {
    const trader = await make(chain, dollars);
    const options = {
        host: `${venue.base}/polymarket/clob`, chain: Chain.POLYGON, signer: signerOf(trader.key), signatureType: trader.signatureType,
        funderAddress: trader.address, throwOnError: true,
    };
    const creds = await new ClobClient(options).createOrDeriveApiKey();
    const clob = new ClobClient({ ...options, creds });
    await clob.updateBalanceAllowance({ asset_type: AssetType.COLLATERAL });
    return { trader, clob };
}

for (const [kind, make] of [['v2', newTrader], ['neg_risk', newWalletTrader]]) {
    test(`${kind}: the client reads a market, rests an order, sees and cancels it`, async () => {
        const market = await openMarket(chain, kind);
        const { trader, clob } = await client('100', make);
        const tokenID = String(market.tokens[0]);
        assert.equal(Number(await clob.getTickSize(tokenID)), Number(market.tick));
        assert.equal(await clob.getNegRisk(tokenID), kind === 'neg_risk');
        const book = await clob.getOrderBook(tokenID);
        assert.ok(Number(book.bids.at(-1).price) < Number(book.asks.at(-1).price));
        assert.ok((await clob.getClobMarketInfo(market.condition)).fd.r > 0);
        const order = await clob.createOrder({ tokenID, price: 0.1, size: 10, side: Side.BUY });
        const signed = { ...order, side: 0 };
        assert.equal(orderSigner(kind, signed, order.signature), trader.key.address);
        const { orderID, status } = await clob.postOrder(order, OrderType.GTC);
        assert.deepEqual([orderID, status], [orderHash(kind, signed), 'live']);
        assert.deepEqual((await clob.getOpenOrders()).map(({ id, original_size: size }) => [id, size]), [[orderID, '10']]);
        assert.equal((await clob.getOrder(orderID)).status, 'ORDER_STATUS_LIVE');
        assert.deepEqual((await clob.cancelOrder({ orderID })).canceled, [orderID]);
        assert.equal(await clob.getOrder(orderID), null, 'it has ended');
    });
}

test('the client buys for money, and hears what the venue refuses', async () => {
    const market = await openMarket(chain, 'v2');
    const { clob } = await client('100');
    const tokenID = String(market.tokens[0]);
    const bought = await clob.createAndPostMarketOrder({ tokenID, amount: 5, side: Side.BUY, price: 0.9 }, undefined, OrderType.FOK);
    assert.equal(bought.status, 'matched');
    assert.ok(Number(bought.makingAmount) > 4.99 && Number(bought.takingAmount) > 5 / 0.9);
    const [trade] = await until('its settlement', async () => {
        const list = await clob.getTrades();
        return list.length > 0 && list.every(({ status }) => status === 'CONFIRMED') && list;
    });
    assert.deepEqual([trade.taker_order_id, trade.fee_rate_bps, trade.size], [bought.orderID, '0', bought.takingAmount]);
    assert.equal(await clob.getOrder(bought.orderID), null);
    await assert.rejects(clob.createAndPostMarketOrder({ tokenID, amount: 0.95, side: Side.BUY, price: 0.19 }, undefined, OrderType.FOK), /min size: \$1/);
});
