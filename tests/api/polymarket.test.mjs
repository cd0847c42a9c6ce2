// Section: api
// The contracts of the sandbox's prediction markets: they accept the signatures that Polygon's accept, settle to the unit,
// and move no other account's money.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
    Signature, Wallet, concat, toBeHex,
} from 'ethers';
import {
    ADDRESSES, KINDS, OPERATOR, conditionId,
} from '../../contrib/sandbox/polymarket.mjs';
import { MARKETS } from '../../contrib/sandbox/upstream/markets.mjs';
import {
    BUY, SELL, VECTORS, batchTuple, decide, found, limitOrder, merging, newTrader, newWalletTrader, openMarket, orderTuple,
    ownChain, redemption, settle, splitting, units, unwrapping,
} from './polymarket.mjs';

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const FROM_OPERATOR = { from: OPERATOR.address };

let chain;
before(async () => { chain = await ownChain(); });
after(() => chain.stop());

/** The call fails with this error of the contracts, or with this text. */
async function fails(call, error) {
    await assert.rejects(call, (thrown) => {
        const told = thrown.reason ?? thrown.revert?.name ?? thrown.shortMessage ?? thrown.message;
        assert.match(told, error);
        return true;
    });
}

// ---------------------------------------------------------------- the vectors

const onPolygon = VECTORS.orders.filter((row) => row.chain_id === 137);
const kindOf = ({ verifying_contract: contract }) => Object.keys(KINDS).find((kind) => KINDS[kind].exchange === contract);

for (const row of onPolygon) {
    test(`the order ${row.name}: its hash, and whether its signature holds`, async () => {
        const exchange = chain.exchange(kindOf(row));
        const order = orderTuple(row.order, row.signature);
        assert.equal(await exchange.hashOrder(order), row.digest);
        const { maker, signatureType } = row.order;
        if (signatureType === 3) await chain.plantWallet(maker, new Wallet(row.private_key).address);
        if (signatureType === 1 || signatureType === 2) await fails(exchange.validateOrder(order), /InvalidSignature/);
        else await exchange.validateOrder(order);
    });
}

test('signatures that do not belong to their order are refused', async () => {
    const row = VECTORS.orders.find(({ name }) => name === 'v2-normal-0.1-BUY');
    for (const { name, order = row.order, signature } of VECTORS.reject) {
        const kinds = { 'signed-for-the-other-exchange': 'neg_risk', 'version-2-signature-on-a-version-3-market': 'v3' };
        await fails(chain.exchange(kinds[name] ?? 'v2').validateOrder(orderTuple(order, signature)), /InvalidSignature/);
    }
    await fails(chain.exchange('v2').validateOrder(orderTuple(row.order, withHighS(row.signature))), /InvalidSignature/);
    const nested = VECTORS.orders.find(({ name }) => name === 'deposit-wallet-BUY');
    await chain.plantWallet(nested.order.maker, Wallet.createRandom().address);
    await fails(chain.exchange('v2').validateOrder(orderTuple(nested.order, nested.signature)), /InvalidSignature/);
    await chain.plantWallet(nested.order.maker, new Wallet(nested.private_key).address);
    for (const cut of [nested.signature.slice(0, -4), `${nested.signature.slice(0, -4)}00b9`, nested.signature.slice(0, 132), '0x', '0x00']) {
        await fails(chain.exchange('v2').validateOrder(orderTuple(nested.order, cut)), /InvalidSignature/);
    }
});

/** The other signature that elliptic curves allow for each one. */
function withHighS(signature) {
    const { r, s, yParity } = Signature.from(signature);
    return concat([r, toBeHex(CURVE_ORDER - BigInt(s), 32), yParity === 0 ? '0x1c' : '0x1b']);
}

for (const { owner, beacon, uups } of VECTORS.deposit_wallet_addresses) {
    test(`the deposit wallets of ${owner}, of both generations`, async () => {
        assert.equal(await chain.factory.walletOf(owner), beacon.address);
        assert.equal(await chain.factory.uupsWalletOf(owner), uups.address);
        await chain.operate(chain.factory, 'deploy', [owner]);
        await chain.operate(chain.factory, 'deployUups', owner);
        for (const address of [beacon.address, uups.address]) {
            const wallet = chain.wallet(address);
            assert.deepEqual([await wallet.owner(), await wallet.factory(), await wallet.nonce()], [owner, ADDRESSES.walletFactory, 0n]);
        }
        await fails(chain.operate(chain.factory, 'deploy', [owner]), /DeploymentFailed|reverted/);
    });
}

for (const { name, wallet, digest, signature, ...batch } of VECTORS.deposit_wallet_batches) {
    test(`the batch ${name}: its hash, and that it is too late for it`, async () => {
        const { owner } = VECTORS.deposit_wallet_addresses.find(({ beacon }) => beacon.address === wallet);
        if (await chain.provider.getCode(wallet) === '0x') await chain.operate(chain.factory, 'deploy', [owner]);
        const tuple = batchTuple({ wallet, ...batch });
        assert.equal(await chain.wallet(wallet).hashBatch(tuple), digest);
        await fails(chain.factory.proxy.staticCall([tuple], [signature], FROM_OPERATOR), /WrongNonce/);
        await chain.provider.send('anvil_setStorageAt', [wallet, `0x${'0'.repeat(64)}`, `0x${BigInt(batch.nonce).toString(16).padStart(64, '0')}`]);
        await fails(chain.factory.proxy.staticCall([tuple], [signature], FROM_OPERATOR), /DeadlinePassed/);
    });
}

// ---------------------------------------------------------------- money and wallets

test('a dollar in, a dollar out: collateral comes by wrapping alone', async () => {
    const trader = await newTrader(chain, '25.5');
    assert.equal(await chain.collateral.balanceOf(trader.address), units('25.5'));
    await trader.act(...unwrapping(trader, trader.address, units('5.25')));
    assert.equal(await chain.dollars.balanceOf(trader.address), units('5.25'));
    assert.equal(await chain.collateral.totalSupply(), await chain.dollars.balanceOf(ADDRESSES.collateral));
    await fails(chain.collateral.mint.staticCall(trader.address, 1n), /wrap instead/);
    const native = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';
    const onramp = chain.at(ADDRESSES.onramp, ['function wrap(address, address, uint256)']);
    await fails(onramp.wrap.staticCall(native, trader.address, 1n), /asset not supported/);
});

test('a signature of an owner holds for the wallet that it names, and not for the other one', async () => {
    const market = await openMarket(chain, 'v2');
    const trader = await newWalletTrader(chain, '10');
    const other = await chain.factory.uupsWalletOf(trader.key.address);
    await chain.operate(chain.factory, 'deployUups', trader.key.address);
    await market.contract.validateOrder(await limitOrder(trader, market, BUY, 0, '0.40', '10'));
    const misplaced = await limitOrder(trader, market, BUY, 0, '0.40', '10', { maker: other, signer: other });
    await fails(market.contract.validateOrder(misplaced), /InvalidSignature/);
    trader.address = other;
    await market.contract.validateOrder(await limitOrder(trader, market, BUY, 0, '0.40', '10'));
});

test('a batch acts once, in time, for its owner, by way of the factory', async () => {
    const trader = await newWalletTrader(chain, '10');
    const calls = unwrapping(trader, trader.address, units('1'));
    const [batch, signature] = await trader.batch(calls);
    const { factory } = chain;
    const stranger = await newWalletTrader(chain);
    const foreign = (await stranger.batch(calls))[1];
    await fails(factory.proxy.staticCall([batch], [foreign], FROM_OPERATOR), /InvalidSignature/);
    await fails(factory.proxy.staticCall([batch], [signature], { from: trader.key.address }), /NotOperator/);
    await fails(chain.wallet(trader.address).execute.staticCall(batch, signature), /NotFactory/);
    const [late, lateSignature] = await trader.batch(calls, { deadline: 1n });
    await fails(factory.proxy.staticCall([late], [lateSignature], FROM_OPERATOR), /DeadlinePassed/);
    const [later, laterSignature] = await trader.batch(calls, { nonce: 2n });
    await fails(factory.proxy.staticCall([later], [laterSignature], FROM_OPERATOR), /WrongNonce/);
    await chain.operate(factory, 'proxy', [batch], [signature]);
    assert.equal(await chain.dollars.balanceOf(trader.address), units('1'));
    await fails(factory.proxy.staticCall([batch], [signature], FROM_OPERATOR), /WrongNonce/);
    const [tooMuch, its] = await trader.batch(unwrapping(trader, trader.address, units('10')));
    await fails(factory.proxy.staticCall([tooMuch], [its], FROM_OPERATOR), /exceeds balance/);
});

// ---------------------------------------------------------------- markets

test('the markets: their conditions are there, and the decided ones are decided', async () => {
    const tokens = new Set();
    for (const each of MARKETS) {
        const market = await found(chain, each);
        for (const token of market.tokens) tokens.add(token);
        const ledger = chain.ledger(market.kind);
        const payouts = await Promise.all(market.tokens.map((token, outcome) => (
            market.kind === 'v3' ? ledger.getPayout(token, 1n).catch(() => 0n) : ledger.payoutNumerators(market.condition, outcome))));
        assert.deepEqual(payouts, [0, 1].map((outcome) => (outcome === market.winner ? 1n : 0n)), market.slug);
    }
    assert.equal(tokens.size, 2 * MARKETS.length);
    assert.deepEqual(new Set(MARKETS.map(({ kind }) => kind)), new Set(Object.keys(KINDS)));
    assert.deepEqual(new Set(MARKETS.map(({ status }) => status)), new Set([undefined, 'paused', 'closed', 'resolved']));
    assert.ok(MARKETS.length >= 12 && new Set(MARKETS.map(({ category }) => category)).size >= 4);
    const ticks = new Set(MARKETS.map(({ tick }) => tick));
    assert.deepEqual([...ticks].sort(), ['0.0001', '0.001', '0.0025', '0.005', '0.01', '0.1']);
});

/** Shares of both outcomes and collateral of a trader. */
const holdings = async (market, { address }) => [
    ...await Promise.all(market.tokens.map((token) => chain.ledger(market.kind).balanceOf(address, token))),
    await chain.collateral.balanceOf(address),
];

const held = async (market, trader, wanted, what) => (
    assert.deepEqual(await holdings(market, trader), wanted.map(units), what));

/** Nothing stays with the exchange or its adapter, and every unit of collateral is backed. */
async function settled(market) {
    for (const address of [market.exchange, market.adapter, ADDRESSES.router].filter(Boolean)) {
        assert.deepEqual(await holdings(market, { address }), [0n, 0n, 0n], address);
    }
    assert.equal(await chain.collateral.totalSupply(), await chain.dollars.balanceOf(ADDRESSES.collateral));
}

for (const kind of Object.keys(KINDS)) {
    for (const [who, maker] of [['a key', newTrader], ['a deposit wallet', newWalletTrader]]) {
        test(`${kind}, the taker is ${who}: two purchases mint, a sale moves, two sales merge`, async () => {
            const market = await openMarket(chain, kind);
            const [ann, bob, cat] = await Promise.all([maker(chain, '100'), newTrader(chain, '100'), newTrader(chain, '100')]);

            // Ann buys 20 at 0.40; Bob's purchase of the other outcome at 0.65 makes them cheaper for her.
            const purchase = await limitOrder(ann, market, BUY, 0, '0.40', '20');
            const opposite = await limitOrder(bob, market, BUY, 1, '0.65', '10');
            await settle(chain, market, purchase, [opposite], units('4'), [units('6.5')]);
            await held(market, ann, ['10', '0', '96.5'], 'Ann');
            await held(market, bob, ['0', '10', '93.5'], 'Bob');
            const status = await market.contract.getOrderStatus(await market.contract.hashOrder(purchase));
            assert.deepEqual([status.filled, status.remaining], [false, units('4')]);
            await settled(market);

            // She sells 6 of them to Cat, who rests at 0.45.
            const bid = await limitOrder(cat, market, BUY, 0, '0.45', '6');
            const sale = await limitOrder(ann, market, SELL, 0, '0.44', '6');
            await settle(chain, market, sale, [bid], units('6'), [units('2.7')]);
            await held(market, ann, ['4', '0', '99.2'], 'Ann');
            await held(market, cat, ['6', '0', '97.3'], 'Cat');
            await settled(market);

            // Cat and Bob get rid of theirs together.
            const ask = await limitOrder(bob, market, SELL, 1, '0.50', '5');
            const exit = await limitOrder(cat, market, SELL, 0, '0.48', '5');
            await settle(chain, market, exit, [ask], units('5'), [units('5')]);
            await held(market, cat, ['1', '0', '99.8'], 'Cat');
            await held(market, bob, ['0', '5', '96'], 'Bob');
            await settled(market);
        });
    }

    test(`${kind}: one taker, makers of both kinds, fees of all, and what is reported`, async () => {
        const market = await openMarket(chain, kind);
        const [ann, bob, cat] = await Promise.all([newWalletTrader(chain, '100'), newTrader(chain, '100'), newTrader(chain, '100')]);
        await bob.act(splitting(market, units('10')));
        const purchase = await limitOrder(ann, market, BUY, 0, '0.42', '25');
        const makers = [await limitOrder(bob, market, SELL, 0, '0.40', '10'), await limitOrder(cat, market, BUY, 1, '0.58', '15')];
        const before = await chain.collateral.balanceOf(OPERATOR.address);
        const receipt = await settle(chain, market, purchase, makers, units('10.5'), [units('10'), units('8.7')], units('0.1'), [units('0.03'), units('0.02')]);
        await held(market, ann, ['25', '0', '89.6'], 'Ann: 4 + 6.3 + 0.1');
        await held(market, bob, ['0', '10', '93.97'], 'Bob: 4 less the fee');
        await held(market, cat, ['0', '15', '91.28'], 'Cat: 8.7 + 0.02');
        assert.equal(await chain.collateral.balanceOf(OPERATOR.address) - before, units('0.15'));
        const events = receipt.logs.map((log) => market.contract.interface.parseLog(log)).filter(Boolean);
        const fills = events.filter(({ name }) => name === 'OrderFilled').map(({ args }) => [args.maker, args.taker, args.making, args.taking, args.fee]);
        assert.deepEqual(fills, [
            [bob.address, ann.address, units('10'), units('4'), units('0.03')],
            [cat.address, ann.address, units('8.7'), units('15'), units('0.02')],
            [ann.address, market.exchange, units('10.3'), units('25'), units('0.1')],
        ]);
        assert.equal(events.filter(({ name }) => name === 'FeeCharged').length, 3);
        assert.equal(events.filter(({ name }) => name === 'OrdersMatched').length, 1);
        await settled(market);
    });

    test(`${kind}: what is rounded is rounded down for the maker, and not lost`, async () => {
        const market = await openMarket(chain, kind);
        const [ann, bob] = await Promise.all([newTrader(chain, '10'), newTrader(chain, '10')]);
        const purchase = await limitOrder(ann, market, BUY, 0, '0.50', '10');
        const opposite = await limitOrder(bob, market, BUY, 1, '0.7', '3');
        // 1 000 001 units buy 1 428 572.857 shares: 1 428 572.
        await settle(chain, market, purchase, [opposite], 500_000n, [1_000_001n]);
        assert.deepEqual(await holdings(market, bob), [0n, 1_428_572n, units('10') - 1_000_001n]);
        assert.deepEqual(await holdings(market, ann), [1_428_572n, 0n, units('10') - 428_571n]);
        await settled(market);
    });

    test(`${kind}: what must not be settled is refused`, async () => {
        const market = await openMarket(chain, kind);
        const [ann, bob] = await Promise.all([newTrader(chain, '10'), newWalletTrader(chain, '10')]);
        const purchase = await limitOrder(ann, market, BUY, 0, '0.40', '10');
        const opposite = await limitOrder(bob, market, BUY, 1, '0.60', '10');
        const attempt = (taker, makers, fill, fills, fee = 0n, condition = market.condition) => (
            market.contract.matchOrders.staticCall(condition, taker, makers, fill, fills, fee, makers.map(() => 0n), FROM_OPERATOR));
        await attempt(purchase, [opposite], units('4'), [units('6')]);
        await fails(market.contract.matchOrders.staticCall(market.condition, purchase, [opposite], 1n, [1n], 0n, [0n], { from: ann.address }), /NotOperator/);
        await fails(attempt(purchase, [], units('4'), []), /NoMakerOrders/);
        await fails(attempt(purchase, [opposite], units('4'), []), /MismatchedArrayLengths/);
        await fails(attempt(purchase, [await limitOrder(bob, market, BUY, 1, '0.59', '10')], units('4'), [units('5.9')]), /NotCrossing/);
        await fails(attempt(purchase, [await limitOrder(bob, market, BUY, 0, '0.60', '10')], units('4'), [units('6')]), /MismatchedTokenIds/);
        await fails(attempt(purchase, [await limitOrder(bob, market, SELL, 0, '0.41', '10')], units('4'), [units('10')]), /NotCrossing/);
        const cat = await newTrader(chain, '10');
        await cat.act(splitting(market, units('10')));
        const sale = await limitOrder(cat, market, SELL, 0, '0.61', '10');
        await fails(attempt(sale, [await limitOrder(bob, market, SELL, 1, '0.40', '10')], units('10'), [units('10')]), /NotCrossing/);
        const other = MARKETS.filter((each) => each.kind === kind)[1];
        await fails(attempt(purchase, [opposite], units('4'), [units('6')], 0n, conditionId(other)), /MismatchedTokenIds/);
        await fails(attempt(purchase, [opposite], units('4.000001'), [units('6')]), /MakingGtRemaining/);
        await fails(attempt(purchase, [opposite], units('4'), [units('3')]), /TooLittleTokensReceived/);
        await fails(attempt(purchase, [opposite], units('2'), [units('6')]), /TooLittleTokensReceived/);
        await fails(attempt(purchase, [opposite], units('4'), [units('6')], units('0.400001')), /FeeTooHigh/);
        await fails(attempt([...purchase.slice(0, 5), units('10.000001'), ...purchase.slice(6)], [opposite], units('4'), [units('6')]), /InvalidSignature/);
        const tampered = [...opposite.slice(0, 5), units('10.000001'), ...opposite.slice(6)];
        await fails(attempt(purchase, [tampered], units('4'), [units('6')]), /InvalidSignature/);
        const stolen = await limitOrder(ann, market, BUY, 0, '0.40', '10', { maker: bob.address, signer: ann.address });
        await fails(attempt(stolen, [opposite], units('4'), [units('6')]), /InvalidSignature/);
        const tooDear = await limitOrder(ann, market, BUY, 0, '0.40', '100');
        await fails(attempt(tooDear, [await limitOrder(bob, market, BUY, 1, '0.60', '100')], units('40'), [units('60')]), /exceeds balance/);
        await settle(chain, market, purchase, [opposite], units('4'), [units('6')]);
        await fails(attempt(purchase, [opposite], 1n, [1n]), /OrderAlreadyFilled/);
        await fails(market.contract.validateOrder(purchase), /OrderAlreadyFilled/);
    });
}

test('shares are split, merged and, once the market is decided, redeemed by way of adapters and router', async () => {
    for (const kind of Object.keys(KINDS)) {
        const market = await openMarket(chain, kind);
        const ann = await newWalletTrader(chain, '100');
        const bob = await newTrader(chain, '100');
        await ann.act(splitting(market, units('30')));
        await bob.act(splitting(market, units('7.000001')));
        await ann.act(merging(market, units('10')));
        await held(market, ann, ['20', '20', '80'], kind);
        await assert.rejects(ann.act(redemption(market, 1, units('20'))));
        await decide(chain, market, [0, 1]);
        await assert.rejects(decide(chain, market, [1, 0]));
        await ann.act(redemption(market, 1, units('20')));
        await held(market, ann, [kind === 'v3' ? '20' : '0', '0', '100'], kind);
        await bob.act(redemption(market, 1, units('7.000001')));
        assert.equal(await chain.collateral.balanceOf(bob.address), units('100'));
        await settled(market);
    }
});
