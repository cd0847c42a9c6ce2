// Section: predict
// Orders on prediction markets, placed with the venue that the stack plays: what is refused, what is stored, what becomes
// of an order when the venue fails, and that none is ever placed twice.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { FEE_RATES } from '../../contrib/sandbox/upstream/markets.mjs';
import {
    HASH, ISO_TIME, granted, hasMembers, refused, registerUnlimited, until,
} from './lib.mjs';
import {
    cancel, control, honest, orderBecomes, orderOf, place as placeOf, trader, wrong,
} from './prediction.mjs';

const MEMBERS = ['id', 'tokenId', 'side', 'price', 'size', 'status', 'created_at', 'filled', 'averagePrice', 'market', 'outcome', 'type', 'expiration', 'tx_hashes', 'updated_at', 'fee'];
after(honest);

/** The bodies that the venue has seen for an order. */
const bodiesOf = async (id) => (await control('GET', '/audit/orders?service=polymarket')).find(({ order }) => order === id)?.bodies ?? [];

const agent = await trader('100');
const markets = granted(await agent.get('/predict/markets?limit=50')).markets;
const market = markets.find(({ exchange, outcomes }) => exchange === 'v2' && outcomes[0].price > 0.3 && outcomes[0].price < 0.7);
const { tickSize } = granted(await agent.get(`/predict/market/${market.id}`));
const tokenId = market.outcomes[0].tokenId;
const terms = { tokenId, price: 0.2, size: 20, side: 'BUY' };
const place = (more = {}, who = agent) => placeOf(who, { ...terms, ...more });
const order = (id) => orderOf(agent, id);
const becomes = (id, status) => orderBecomes(agent, id, status);
const cancelled = async (id) => {
    granted(await cancel(agent, id));
    return becomes(id, 'cancelled');
};

// ---------------------------------------------------------------- what can be seen beforehand

test('an invalid order is refused with a reason, and nothing is stored', async () => {
    const before = granted(await agent.get('/predict/orders?status=all')).pagination.total;
    const soon = Math.floor(Date.now() / 1000) + 150;
    for (const [change, error] of [
        [{ tokenId: undefined }, 'tokenId is required'], [{ tokenId: '123' }, 'Unknown tokenId'], [{ tokenId: 'x'.repeat(500) }, 'Unknown tokenId'],
        [{ tokenId: "1' OR '1'='1" }, 'Unknown tokenId'], [{ tokenId: '9'.repeat(400) }, 'Unknown tokenId'], [{ tokenId: '../book' }, 'Unknown tokenId'],
        [{ price: 0 }, 'price must be between 0 and 1'], [{ price: 1 }, 'price must be between 0 and 1'],
        [{ price: -0.5 }, 'price must be between 0 and 1'], [{ price: 'NaN' }, 'price must be between 0 and 1'], [{ price: 1e300 }, 'price must be between 0 and 1'],
        [{ price: '9'.repeat(400) }, 'price must be between 0 and 1'], [{ price: '0.4000000000000000000000000001' }, `Price must be a multiple of ${tickSize}`],
        [{ size: 0 }, 'size must be a positive number'], [{ size: -20 }, 'size must be a positive number'], [{ size: 'many' }, 'size must be a positive number'],
        [{ size: '1e300' }, 'size must be a positive number'], [{ size: 'NaN' }, 'size must be a positive number'], [{ size: '9'.repeat(400) }, 'size must be a positive number'],
        [{ size: 20.001 }, 'size must have at most 2 decimals'], [{ size: `20.${'0'.repeat(30)}1` }, 'size must have at most 2 decimals'],
        [{ size: 0.01 }, /^Size must be at least /], [{ side: 'HOLD' }, 'side must be BUY or SELL'],
        [{ type: 'GTD' }, 'expiration must be at least 180 seconds ahead'], [{ type: 'GTD', expiration: soon }, 'expiration must be at least 180 seconds ahead'],
        [{ type: 'GTD', expiration: 1e20 }, 'expiration must be at least 180 seconds ahead'], [{ expiration: soon + 600 }, 'expiration is not possible with GTC'],
        [{ type: 'FOK', postOnly: true }, 'postOnly is not possible with FOK'], [{ type: 'FAK', postOnly: true }, 'postOnly is not possible with FAK'],
        [{ size: 1000 }, 'Insufficient balance or allowance'], [{ side: 'SELL' }, 'Insufficient balance or allowance'],
    ]) {
        const answer = await place(change);
        assert.equal(answer.status, 400, JSON.stringify(change));
        if (error instanceof RegExp) assert.match(answer.body.error, error);
        else assert.equal(answer.body.error, error, JSON.stringify(change));
    }
    assert.equal(granted(await agent.get('/predict/orders?status=all')).pagination.total, before);
});

test('the venue’s own names of members are refused, not ignored', async () => {
    for (const [said, meant] of [
        ['orderType', 'type'], ['order_type', 'type'], ['timeInForce', 'type'], ['expires_at', 'expiration'], ['post_only', 'postOnly'],
    ]) {
        const { hint } = refused(await place({ [said]: 'FOK' }), `Unknown field '${said}'`, [said]);
        assert.ok(hint.startsWith(`did you mean '${meant}'? Known here: `), hint);
    }
    refused(await place({ type: 'GTC', orderType: 'FOK' }), "Unknown field 'orderType'", ['orderType']);
    const { hint } = refused(await place({ wallet: '0x0000000000000000000000000000000000000001' }), "Unknown field 'wallet'", ['wallet']);
    assert.ok(hint.startsWith("did you mean 'wallet_address'? Known here: "), hint);
    refused(await place({ tokenId: undefined, tokenID: tokenId }), "Unknown field 'tokenID'", ['tokenID']);
});

test('numbers are read digit by digit', async () => {
    const raw = (price, size) => agent.send('POST', '/predict/order', {
        body: `{"tokenId":"${tokenId}","price":${price},"size":${size},"side":"BUY"}`, headers: { 'Content-Type': 'application/json' },
    });
    for (const price of ['0.40000000000000001', '0.30000000000000004', `0.4${'0'.repeat(400)}1`]) refused(await raw(price, 20), `Price must be a multiple of ${tickSize}`, ['price']);
    const { order: { id, price, size } } = granted(await raw(`0.2${'0'.repeat(400)}`, '2.0e1'));
    assert.deepEqual([price, size], [0.2, 20]);
    await cancelled(id);
});

test('an order in a paused market, or without a wallet, is refused', async () => {
    const paused = granted(await agent.get('/predict/markets?status=paused')).markets[0];
    refused(await place({ tokenId: paused.outcomes[0].tokenId }), 'Market is not accepting orders');
    const poor = await registerUnlimited();
    refused(await place({}, poor), 'No managed wallet found');
});

// ---------------------------------------------------------------- an order's life

test('an order is placed, listed, shown and cancelled', async () => {
    const { order: placed } = granted(await place({ side: 'buy', price: '0.20', size: '20' }));
    hasMembers(placed, MEMBERS);
    assert.match(placed.id, HASH);
    assert.match(placed.created_at, ISO_TIME);
    const { id, status, price, size, filled, averagePrice, type, side } = placed;
    assert.deepEqual([status, price, size, filled, averagePrice, type, side], ['open', 0.2, 20, 0, 0, 'GTC', 'BUY']);
    assert.deepEqual([placed.tokenId, placed.market, placed.outcome, placed.expiration, placed.tx_hashes], [tokenId, market.id, 'Yes', null, []]);
    assert.deepEqual(granted(await agent.get('/predict/orders')).orders[0].id, id);
    const since = `since=${placed.created_at}`, until = `until=${placed.created_at}`;
    for (const query of [`market=${market.id}`, `tokenId=${tokenId}&${since}`, `${since}&status=open`]) {
        assert.equal(granted(await agent.get(`/predict/orders?${query}`)).orders[0].id, id, query);
    }
    for (const query of ['market=0', 'tokenId=7', `${until}&tokenId=${tokenId}&status=open`]) {
        const { orders, pagination } = granted(await agent.get(`/predict/orders?${query}`));
        assert.deepEqual([orders.filter((each) => each.id === id), pagination.total], [[], orders.length], query);
    }
    refused(await agent.get('/predict/orders?tokenId=Yes'), 'Unknown tokenId', ['tokenId']);
    assert.equal(granted(await agent.get('/predict/account')).account.collateral.reserved, '4.16');
    assert.deepEqual((await order(id)).id, id);

    const stranger = await registerUnlimited();
    refused(await stranger.get(`/predict/order/${id}`), 'Order not found');
    refused(await cancel(stranger, id), 'Order not found');
    for (const hostile of ['1', '0x', `${id}0`, '..%2f..', '%27']) {
        refused(await agent.get(`/predict/order/${hostile}`), 'Order not found');
        refused(await cancel(agent, hostile), 'Order not found');
    }

    assert.equal((await cancelled(id)).filled, 0);
    refused(await cancel(agent, id), 'Order is not open');
    assert.ok(!granted(await agent.get('/predict/orders')).orders.some((each) => each.id === id));
    assert.equal(granted(await agent.get('/predict/orders?status=cancelled')).orders[0].id, id);
    assert.equal(granted(await agent.get('/predict/orders?status=all')).orders[0].id, id);
    assert.equal(granted(await agent.get('/predict/orders?status=Cancelled')).orders[0].id, id);
    refused(await agent.get('/predict/orders?status=unknown'), 'Invalid status filter', ['status']);
});

test('an order that matches at once is shown so', async () => {
    const { order: bought } = granted(await place({ price: 0.9, size: 5, type: 'FAK' }));
    hasMembers(bought, [...MEMBERS, 'spent', 'shares']);
    assert.deepEqual([bought.status, bought.size], ['filled', 5]);
    assert.ok(bought.averagePrice > 0 && bought.averagePrice <= 0.9);
    assert.deepEqual([bought.filled, Math.abs(bought.spent - bought.shares * bought.averagePrice) < 1e-4], [bought.shares, true]);
    // It is an order for money: 4.5 dollars bring more shares than 5 where the price is better.
    assert.ok(bought.spent > 4.49 && bought.spent <= 4.5 && bought.shares > 5, JSON.stringify(bought));
    const settled = await until('its transaction', async () => (await order(bought.id)).tx_hashes.length > 0 && order(bought.id));
    assert.match(settled.tx_hashes[0], HASH);
    refused(await cancel(agent, bought.id), 'Order is not open');
});

const audited = async (id) => (await control('GET', '/audit/taken?service=polymarket')).find(({ order }) => order === id);

test('a purchase at once spends price x size in whole cents, not the size in shares', async () => {
    const who = await trader('20');
    for (const [type, size] of [['FOK', 10.01], ['FAK', 7.77]]) {
        const { order: bought } = granted(await place({ price: 0.57, size, type }, who));
        const [{ order: { makerAmount, takerAmount } }] = (await bodiesOf(bought.id)).map(JSON.parse);
        assert.equal(Number(makerAmount), Math.floor(57 * size) * 10_000);
        assert.ok(Number(takerAmount) % 100 === 0 && Number(takerAmount) <= size * 1e6);
        assert.deepEqual([bought.status, bought.size, bought.shares], ['filled', size, bought.filled]);
        assert.ok(bought.shares > size && bought.spent > makerAmount / 1e6 - 0.01 && bought.spent <= makerAmount / 1e6, JSON.stringify(bought));
        assert.equal(String(bought.shares), (await audited(bought.id)).matched);
    }
});

test('the fee of a trade is shown by its order, its market, and its quote', async () => {
    const who = await trader('50');
    const { feeRate, feeExponent } = granted(await who.get(`/predict/market/${market.id}`));
    assert.deepEqual([feeRate, feeExponent], [FEE_RATES[market.category], 1]);
    const terms = { tokenId, side: 'BUY', price: 0.9, size: 20, type: 'FOK' };
    const quoted = granted(await who.post('/predict/quote', terms));
    hasMembers(quoted, ['success', 'tokenId', 'market', 'outcome', 'side', 'size', 'shares', 'averagePrice', 'worstPrice', 'cost', 'fee', 'total', 'complete']);
    const { account: { collateral: before } } = granted(await who.get('/predict/account'));
    const { order: bought } = granted(await place(terms, who));
    const near = (a, b) => Math.abs(a - b) <= 0.0002;
    assert.ok(near(bought.shares, quoted.shares) && near(bought.spent, quoted.cost) && near(bought.fee, quoted.fee), JSON.stringify([bought, quoted]));
    assert.ok(near(quoted.fee, quoted.shares * Number(feeRate) * quoted.averagePrice * (1 - quoted.averagePrice)));
    assert.ok(near(quoted.total, quoted.cost + quoted.fee) && quoted.complete);
    await until('it to be settled', async () => {
        const { account: { collateral } } = granted(await who.get('/predict/account'));
        return collateral.reserved === '0' && near(Number(before.balance) - Number(collateral.balance), bought.spent + bought.fee);
    });
    const sale = granted(await who.post('/predict/quote', { tokenId, side: 'SELL', size: 20 }));
    assert.ok(near(sale.total, sale.cost - sale.fee) && sale.worstPrice <= sale.averagePrice);
});

test('a quote walks the book, and says what is not there', async () => {
    const ask = (more) => agent.post('/predict/quote', { tokenId, side: 'BUY', size: 20, ...more });
    const { outcomes: [{ asks }] } = granted(await agent.get(`/predict/market/${market.id}/book`));
    const [first, second] = asks.map(({ price, size }) => ({ price: Number(price), size: Number(size) }));
    const deep = granted(await ask({ size: Math.floor(first.size) + 10 }));
    assert.deepEqual([deep.worstPrice, deep.shares, deep.complete], [second.price, Math.floor(first.size) + 10, true]);
    assert.ok(deep.averagePrice > first.price && deep.averagePrice < second.price);
    const part = granted(await ask({ size: Math.floor(first.size) + 10, price: first.price }));
    assert.deepEqual([part.worstPrice, part.shares, part.complete], [first.price, first.size, false]);
    refused(await ask({ size: 1e9 }), 'Insufficient liquidity for this trade');
    refused(await ask({ size: Math.floor(first.size) + 10, price: first.price, type: 'FOK' }), 'Insufficient liquidity for this trade');
    refused(await ask({ price: 0.01 }), 'Nothing in the book matches the order');
    refused(await ask({ price: 0.1234567 }), `Price must be a multiple of ${tickSize}`, ['price']);
    refused(await ask({ size: 4 }), 'Size must be at least 5', ['size']);
    refused(await ask({ price: 0.19, size: 5, type: 'FAK' }), 'A purchase that matches at once must cost at least 1 dollar', ['size']);
    refused(await ask({ tokenId: '123' }), 'Unknown tokenId', ['tokenId']);
    refused(await ask({ side: 'HOLD' }), 'side must be BUY or SELL', ['side']);
    const paused = granted(await agent.get('/predict/markets?status=paused')).markets[0];
    refused(await ask({ tokenId: paused.outcomes[0].tokenId }), 'Market is not accepting orders');
});

test('the venue’s least amounts are told before anything is stored', async () => {
    refused(await place({ price: 0.19, size: 5, type: 'FOK' }), 'A purchase that matches at once must cost at least 1 dollar', ['size']);
    refused(await place({ price: 0.99, size: 1, type: 'FAK' }), 'A purchase that matches at once must cost at least 1 dollar', ['size']);
    refused(await place({ price: 0.5, size: 4, type: 'FAK' }), 'Size must be at least 5', ['size']);
    const { order: resting } = granted(await place({ price: 0.1, size: 5 }));
    assert.equal(resting.status, 'open');
    await cancelled(resting.id);
});

test('an order that matches at once for less than a dollar is rejected in those words', async () => {
    const cheap = markets.find(({ exchange, outcomes }) => exchange === 'v3' && outcomes[0].price < 0.15);
    const { order: rejected } = granted(await place({ tokenId: cheap.outcomes[0].tokenId, price: 0.19, size: 5 }));
    assert.deepEqual([rejected.status, rejected.error], ['rejected', 'A purchase that matches at once must cost at least 1 dollar']);
});

test('an order that ends is told by its trades: FAK in part, the rest is let go', async () => {
    const who = await trader('500');
    const { outcomes: [{ asks }] } = granted(await agent.get(`/predict/market/${market.id}/book`));
    const [{ price, size }] = asks;
    const { order: { id } } = granted(await place({ price: Number(price), size: Math.floor(Number(size)) + 100, type: 'FAK' }, who));
    const ended = await orderBecomes(who, id, 'cancelled');
    assert.equal(ended.filled, Number(size));
    assert.ok(Math.abs(ended.spent - Number(size) * Number(price)) < 1e-4);
    const { account } = granted(await who.get('/predict/account'));
    assert.ok(Number(account.collateral.reserved) <= ended.spent * 1.1, 'what it did not spend is free again');
    assert.equal(String(ended.filled), (await audited(id)).matched);
    granted(await place({ price: 0.2, size: 20 }, who));
});

test('an order that the venue shows after its end has a status with a sentence behind it', async () => {
    const who = await trader('10');
    await wrong('ended_order_shown');
    const { order: bought } = granted(await place({ price: 0.9, size: 5, type: 'FOK' }, who));
    await honest();
    assert.deepEqual([bought.status, bought.filled > 5], ['filled', true]);
});

test('the proceeds of a sale can be spent, once the exchange may take them', async () => {
    const sale = { price: 0.1, size: 10, side: 'SELL', type: 'FOK' };
    const sold = await until('the shares to be there', async () => {
        const answer = await place(sale);
        return answer.status === 200 && answer.body.order;
    });
    assert.deepEqual([sold.status, sold.filled, sold.spent], ['filled', 10, undefined]);
    const { balance } = await until('the sale to be settled', async () => {
        const { account } = granted(await agent.get('/predict/account'));
        return account.collateral.reserved === '0' && Number(account.collateral.balance) > 98 && account.collateral;
    });
    // The venue may see a moment later than the chain what a sale has brought.
    const { order: all } = granted(await until('the venue to have seen it', async () => {
        const answer = await place({ size: Math.floor(Number(balance) / 0.208) });
        return answer.status === 200 && answer;
    }));
    assert.equal(all.status, 'pending');
    await becomes(all.id, 'open');
    await cancelled(all.id);
});

test('a repeat under its key is the same order', async () => {
    const again = () => agent.send('POST', '/predict/order', { json: terms, headers: { 'Idempotency-Key': `orders-${agent.key.slice(-12)}` } });
    const [first, second] = [granted(await again()), granted(await again())];
    assert.deepEqual(second, first);
    assert.equal((await bodiesOf(first.order.id)).length, 1);
    const back = () => agent.send('DELETE', `/predict/order/${first.order.id}`, { headers: { 'Idempotency-Key': 'back' } });
    const [gone, still] = [granted(await back()), granted(await back())];
    assert.deepEqual([still, gone.order.status], [gone, 'cancelled']);
});

test('one of 32 orders at once is paid for', async () => {
    const who = await trader('5');
    const answers = await Promise.all(Array.from({ length: 32 }, () => place({ price: 0.2, size: 20 }, who)));
    const taken = answers.filter(({ status }) => status === 200);
    assert.equal(taken.length, 1, JSON.stringify(answers.map(({ status }) => status)));
    for (const answer of answers.filter(({ status }) => status === 400)) assert.equal(answer.body.error, 'Insufficient balance or allowance');
    assert.ok(answers.every(({ status }) => [200, 400, 429].includes(status)));
    granted(await cancel(who, taken[0].body.order.id));
});

// ---------------------------------------------------------------- what it is paid from

const balanceAsks = async () => (await control('GET', '/audit?service=polymarket')).filter(({ path }) => path === '/clob/balance-allowance').length;

test('a balance that the venue showed pays later orders, and no more than it is', async () => {
    const who = await trader('10');
    granted(await place({}, who));
    const asked = await balanceAsks();
    granted(await place({}, who));
    assert.equal(await balanceAsks(), asked);

    const answers = await Promise.all(Array.from({ length: 16 }, () => place({ size: 10 }, who)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 0, 'of 10 dollars 8.32 are taken');
    for (const answer of answers) refused(answer, 'Insufficient balance or allowance');
    assert.ok(await balanceAsks() > asked, 'it is asked again before it refuses');
});

test('money that a withdrawal has taken since pays no order', async () => {
    const who = await trader('10');
    granted(await place({}, who));
    const { transfer } = granted(await who.post('/predict/withdraw', { amount: '5' }));
    refused(await place({}, who), 'Insufficient balance or allowance');
    await until('the withdrawal', async () => granted(await who.get(`/predict/transfer/${transfer.id}`)).transfer.status === 'completed');
    const asked = await balanceAsks();
    await place({}, who);
    assert.equal(await balanceAsks(), asked + 1, 'what it showed before does not count');
});

test('shares that are not settled yet are not sold, and it says so', async () => {
    await wrong('settlement_failed', { times: 1 });
    const { order: bought } = granted(await place({ price: 0.9, size: 5, type: 'FAK' }));
    assert.ok(bought.filled > 5);
    const { hint } = refused(await place({ price: 0.1, size: 5, side: 'SELL' }), 'Insufficient balance or allowance');
    await honest();
    assert.match(hint, /still being settled: try again/);
    assert.doesNotMatch(refused(await place({ price: 0.1, size: 500, side: 'SELL' }), 'Insufficient balance or allowance').hint, /settled/);
    await until('the settlement to have failed', async () => (await order(bought.id)).filled === 0);
});

// ---------------------------------------------------------------- a venue that fails

const ORDER = { method: 'POST', path: '/clob/order' };

test('a stored order that the venue refuses is rejected, in the same words', async () => {
    await wrong('closed_only', { times: 1 });
    const { order: rejected } = granted(await place());
    await honest();
    assert.deepEqual([rejected.status, rejected.error], ['rejected', 'Trading not permitted for this wallet']);
    assert.equal(granted(await agent.get('/predict/orders?status=rejected')).orders[0].id, rejected.id);
    assert.equal((await bodiesOf(rejected.id)).length, 1);
    const asked = await balanceAsks();
    const { order: next } = granted(await place());
    assert.equal(await balanceAsks(), asked + 1, 'what it showed before may be wrong');
    await cancelled(next.id);
});

test('an order of another form is signed once more, with another hash', async () => {
    await wrong('order_version_mismatch', { times: 1 });
    const { order: placed } = granted(await place());
    await honest();
    assert.equal(placed.status, 'open');
    assert.equal((await bodiesOf(placed.id)).length, 1);
    await cancelled(placed.id);

    await wrong('order_version_mismatch', { times: 2 });
    const { order: rejected } = granted(await place());
    await honest();
    assert.deepEqual([rejected.status, rejected.error], ['rejected', 'Prediction order failed']);
    assert.equal((await bodiesOf(rejected.id)).length, 1);
});

for (const [fault, more] of [['lost_answer', ORDER], ['half_answer', ORDER], ['garbage', ORDER], ['endless', ORDER], ['http_500', ORDER], ['http_429', ORDER], ['cancel_only', {}]]) {
    test(`a venue with ${fault} has one order in the end`, async () => {
        await wrong(fault, { ...more, times: 1 });
        const { order: placed } = granted(await place());
        await honest();
        assert.match(placed.status, /^(pending|open)$/);
        await becomes(placed.id, 'open');
        assert.equal((await bodiesOf(placed.id)).length, 1, 'the same bytes each time');
        await cancelled(placed.id);
    });
}

for (const fault of ['lost_answer', 'http_500']) {
    test(`a purchase at once whose venue has ${fault} is paid for once, and told as filled`, async () => {
        const who = await trader('10');
        await wrong(fault, { ...ORDER, times: 1 });
        const { order: placed } = granted(await place({ price: 0.9, size: 5, type: 'FOK' }, who));
        await honest();
        const { spent, shares } = await orderBecomes(who, placed.id, 'filled');
        assert.ok(spent > 4.49 && spent <= 4.5 && shares > 5, `${spent} ${shares}`);
        assert.equal((await bodiesOf(placed.id)).length, 1, 'the same bytes each time');
        assert.equal(String(shares), (await audited(placed.id)).matched);
        await until('it to be settled', async () => {
            const { account: { collateral } } = granted(await who.get('/predict/account'));
            return collateral.reserved === '0' && Number(collateral.balance) < 10 - spent + 0.001;
        });
    });
}

test('a venue that stalls leaves the order pending after 3 seconds, and open later', async () => {
    await wrong('stall', { ...ORDER, times: 1 });
    const { order: placed } = granted(await place());
    assert.equal(placed.status, 'pending');
    await honest();
    await becomes(placed.id, 'open');
    assert.equal((await bodiesOf(placed.id)).length, 1);
    await cancelled(placed.id);
});

test('a book that shows purchases as sales has no midpoint, and no order pays more than its limit', async () => {
    const bookIs = (fits) => until('the book', async () => {
        const { outcomes: [book] } = granted(await agent.get(`/predict/market/${market.id}/book`));
        const { prices: [{ mid }] } = granted(await agent.get(`/predict/market/${market.id}/price`));
        return fits({ ...book, mid }) && { ...book, mid };
    });
    const best = ({ bids, asks }) => [bids[0], asks[0]].map(({ price }) => Number(price));
    const { asks: [{ price: ask }] } = await bookIs(({ mid }) => mid !== null);
    await wrong('lying_book');
    const lie = await bookIs(({ mid, midpoint }) => mid === null && midpoint === null);
    assert.ok(best(lie)[0] > best(lie)[1], JSON.stringify(best(lie)));
    const { order: low } = granted(await place());
    assert.equal(low.status, 'open');
    const { order: bought } = granted(await place({ price: Number(ask), size: 5, type: 'FAK' }));
    assert.deepEqual([bought.filled, bought.averagePrice], [5, Number(ask)]);
    await honest();
    await bookIs(({ mid, midpoint }) => mid !== null && midpoint !== null);
    await cancelled(low.id);
});

test('each of several cancels at once says that the order is cancelled', async () => {
    for (let i = 0; i < 3; i++) {
        const { order: { id } } = granted(await place());
        const answers = await Promise.all([1, 2, 3, 4].map(() => cancel(agent, id)));
        for (const answer of answers.filter(({ body }) => body.error !== 'Order is not open')) assert.equal(granted(answer).order.status, 'cancelled');
        assert.equal((await orderOf(agent, id)).status, 'cancelled');
    }
});

test('a cancel without an answer is recorded, and repeated', async () => {
    const { order: { id } } = granted(await place());
    await wrong('stall', { method: 'DELETE', path: '/clob/order' });
    const { order: asked } = granted(await cancel(agent, id), 202);
    assert.deepEqual([asked.status, asked.cancelRequested], ['open', true]);
    await honest();
    assert.equal((await becomes(id, 'cancelled')).cancelRequested, undefined);
});

for (const fault of ['http_500', 'stall', 'lost_answer', 'garbage', 'half_answer', 'endless']) {
    test(`a venue with ${fault} before anything is stored fails the order`, async () => {
        const before = granted(await agent.get('/predict/orders?status=all')).pagination.total;
        await wrong(fault, { method: 'GET', path: '/clob/balance-allowance' });
        const more = { ...terms, size: 600 }; // than it has shown moments ago
        const { status, body } = await agent.send('POST', '/predict/order', { json: more, mayBreak: true });
        await honest();
        assert.deepEqual([status, body.error, body.error_code], [500, 'Prediction order failed', 'UPSTREAM_ERROR']);
        assert.match(body.hint, /retry with backoff$/);
        assert.equal(granted(await agent.get('/predict/orders?status=all')).pagination.total, before);
    });
}
