// Section: perps
// Orders for perpetuals, placed with the venue that the stack plays: what is refused, what is stored, what becomes of an order
// when the venue fails, and that none is ever placed twice.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startGateway } from './gateway.mjs';
import {
    Agent, ISO_TIME, granted, hasMembers, receiver, refused, register, registerUnlimited, until,
} from './lib.mjs';
import { ask as askMcp, result } from './mcp.mjs';
import {
    act, ask, audit, becomes, cancel, honest, orderOf, place, placed, positionOf, statusAt, trader, wrong,
} from './perps-trading.mjs';

const MEMBERS = [
    'id', 'market', 'side', 'type', 'size', 'price', 'filledSize', 'averagePrice', 'status', 'reduceOnly', 'leverage', 'marginMode', 'timeInForce', 'fee',
    'children', 'error', 'created_at', 'updated_at',
];
const CLOID = /^0x[0-9a-f]{32}$/;
const PRICES = { ETH: '3000', SOL: '150', BTC: '60000', BNB: '500' };
const AT_ONCE = 8;
const LONG = { market: 'ETH-USD', side: 'long', size: '0.5' };
const LIMIT = { ...LONG, type: 'limit', price: '2500' };

before(async () => {
    await act('funding_hours', { on: false });
    for (const [coin, price] of Object.entries(PRICES)) await act('move_price', { coin, price });
});
after(() => honest());

const isNear = (number, expected) => assert.ok(Math.abs(number - expected) < 1e-6, `${number} is not ${expected}`);
const bodiesOf = async (cloid) => (await audit('cloids')).find(({ id }) => id === cloid)?.bodies ?? [];
/** What a receiver was told. */
const told = ({ deliveries }) => deliveries.map(({ raw }) => JSON.parse(raw));
/** While the venue does something wrong to the agent alone. */
async function failing(who, fault, more, work) {
    await wrong(fault, { wallet: who.address, ...more });
    try {
        return await work();
    } finally {
        await honest(who.address);
    }
}

// Each with agents of its own, to whom alone the venue does wrong, and each price moves in one alone: they may wait together.
describe('orders', { concurrency: AT_ONCE }, () => {
    // ---------------------------------------------------------------- what can be seen beforehand

    test('an invalid order is refused with a reason, and nothing is stored', async () => {
        const agent = await trader(10_000);
        const before_ = granted(await agent.get('/perps/orders')).pagination.total;
        for (const [change, error, status = 400] of [
            [{ market: undefined }, 'market is required'], [{ market: 'NOPE' }, "Unknown market 'NOPE'"],
            [{ side: undefined }, 'side must be long or short'], [{ side: 'buy' }, 'side must be long or short'],
            [{ size: undefined }, 'size must be a positive number'], [{ size: 0 }, 'size must be a positive number'],
            [{ size: -1 }, 'size must be a positive number'], [{ size: 'NaN' }, 'size must be a positive number'],
            [{ size: 0.00001 }, 'size exceeds 4 decimals'], [{ size: '9'.repeat(400) }, 'Insufficient liquidity for this trade'],
            [{ size: '0.00000000000000000001' }, 'size exceeds 4 decimals'],
            [{ type: 'stop' }, 'type must be market or limit'], [{ price: undefined }, 'price is required for limit orders'],
            [{ price: 2500.001 }, 'Price has too many decimals or significant figures'], [{ price: '2500.05' }, 'Price has too many decimals or significant figures'],
            [{ price: '9'.repeat(400) }, 'Price has too many decimals or significant figures'],
            [{ leverage: 0 }, 'Leverage must be between 1 and 20'], [{ leverage: 21 }, 'Leverage must be between 1 and 20'],
            [{ leverage: 1.5 }, 'Leverage must be between 1 and 20'], [{ marginMode: 'both' }, 'marginMode must be cross or isolated'],
            [{ timeInForce: 'FOK' }, 'timeInForce must be GTC, IOC or ALO'],
            [{ type: 'market', slippage: 1.5 }, 'Slippage must be between 0 and 1'], [{ type: 'market', slippage: -0.1 }, 'Slippage must be between 0 and 1'],
            [{ size: '0.001' }, 'Order value must be at least 10 USDC'], [{ size: '10000', leverage: 1 }, 'Insufficient margin'],
            [{ price: 'NaN' }, 'Validation failed'], [{ price: 0 }, 'Validation failed'], [{ stopLoss: 'NaN' }, 'Validation failed'], [{ takeProfit: 0 }, 'Validation failed'],
            [{ price: '0.00000000000000000001' }, 'Price has too many decimals or significant figures'],
            [{ leverage: 'NaN' }, 'Leverage must be between 1 and 20'], [{ leverage: '9'.repeat(400) }, 'Leverage must be between 1 and 20'],
            [{ leverage: -5 }, 'Leverage must be between 1 and 20'],
            [{ type: 'market', slippage: '9'.repeat(400) }, 'Slippage must be between 0 and 1'], [{ type: 'market', slippage: 'NaN' }, 'Slippage must be between 0 and 1'],
            [{ takeProfit: '9'.repeat(400) }, 'Price has too many decimals or significant figures'],
            [{ takeProfit: 2600.001 }, 'Price has too many decimals or significant figures'], [{ stopLoss: '2400.05' }, 'Price has too many decimals or significant figures'],
            [{ type: 'market', price: undefined, size: '100000' }, 'Insufficient liquidity for this trade'],
            [{ takeProfit: 2400 }, 'takeProfit must be above the price'], [{ stopLoss: 2600 }, 'stopLoss must be below the price'],
            [{ side: 'short', price: 3500, takeProfit: 3600 }, 'takeProfit must be below the price'],
            [{ side: 'short', price: 3500, stopLoss: 3400 }, 'stopLoss must be above the price'],
            [{ reduceOnly: true }, 'No open position for ETH-USD', 404],
        ]) {
            const answer = await place(agent, { ...LIMIT, ...change });
            assert.deepEqual([answer.status, answer.body.error], [status, error], JSON.stringify(change));
        }
        assert.equal(granted(await agent.get('/perps/orders')).pagination.total, before_);
        refused(await agent.post('/perps/close', { market: 'ETH-USD' }), 'No open position for ETH-USD');
    });

    test('a term that the type of an order does not have is refused', async () => {
        const agent = await trader(10_000), market = { market: 'ETH-USD', side: 'long', size: '0.01' };
        for (const [order, error] of [
            [{ ...market, price: 2500 }, 'price belongs to limit orders'], [{ ...market, type: 'market', price: 2500 }, 'price belongs to limit orders'],
            [{ ...market, timeInForce: 'ALO' }, 'timeInForce belongs to limit orders'], [{ ...market, type: 'market', timeInForce: 'GTC' }, 'timeInForce belongs to limit orders'],
            [{ ...market, type: 'limit', price: 2500, slippage: 0.01 }, 'slippage belongs to market orders'],
        ]) {
            const { fields, hint } = refused(await place(agent, order), error, [error.split(' ')[0]]);
            assert.match(hint, /no effect/, JSON.stringify(fields));
        }
    });

    test('without a wallet, and without money at the venue', async () => {
        const newcomer = await registerUnlimited();
        refused(await place(newcomer, LONG), 'No managed wallet found');
        await newcomer.wallet();
        refused(await place(newcomer, LONG), 'Perpetuals account is not funded');
    });

    test('without perps_trading orders are refused', async () => {
        const gateway = await startGateway(['perps_trading = no', 'tier.standard = 100000']);
        try {
            const other = new Agent((await register()).key);
            other.base = gateway.base;
            for (const [path, json] of [['order', LONG], ['close', { market: 'ETH' }], ['leverage', { market: 'ETH', leverage: 2 }]]) {
                const answer = await other.post(`/perps/${path}`, json);
                assert.deepEqual([answer.status, answer.body.error, answer.body.error_code], [400, 'Perps trading is not configured', 'NOT_CONFIGURED']);
            }
            granted(await other.get('/perps/orders'));
        } finally {
            await gateway.stop();
        }
    });

    // ---------------------------------------------------------------- orders

    test('a market order is filled, its trade is listed, and the position is what was quoted', async () => {
        const who = await trader(5000);
        const quote = granted(await who.post('/perps/quote', { ...LONG, leverage: 5 }));
        const order = await placed(who, { ...LONG, leverage: 5.0 });
        hasMembers(order, MEMBERS);
        assert.match(order.id, CLOID);
        assert.match(order.created_at, ISO_TIME);
        assert.deepEqual([order.status, order.filledSize, order.leverage, order.marginMode, order.timeInForce, order.type], ['filled', '0.5', 5, 'cross', 'IOC', 'market']);
        assert.equal(Number(order.averagePrice), quote.entryPrice);
        assert.ok(Math.abs(Number(order.fee) - quote.fee) < 0.00001);
        const position = await positionOf(who, 'ETH');
        assert.deepEqual([position.szi, position.leverage.value], ['0.5', 5]);
        assert.equal(Number(position.entryPx), quote.entryPrice);
        const { fills } = await until('the trade', async () => {
            const page = granted(await who.get('/perps/fills'));
            return page.pagination.total === 1 && page;
        });
        const at = fills[0].created_at;
        assert.deepEqual(granted(await who.get(`/perps/fills?since=${at}&market=ETH`)).fills, fills);
        assert.equal(granted(await who.get(`/perps/fills?until=${at}`)).pagination.total, 0);
        for (const list of ['orders', 'fills', 'funding']) refused(await who.get(`/perps/${list}?since=yesterday`), 'Validation failed', ['since']);
        hasMembers(fills[0], ['id', 'order', 'market', 'side', 'price', 'size', 'fee', 'closedPnl', 'liquidation', 'created_at']);
        assert.deepEqual([fills[0].order, fills[0].size, fills[0].side, fills[0].liquidation], [order.id, '0.5', 'long', false]);
        const { account } = granted(await who.get('/perps/account'));
        assert.equal(account.tradingKey.status, 'active');
        const days = (Date.parse(account.tradingKey.expiresAt) - Date.now()) / 86_400_000;
        assert.ok(days > 179.9 && days < 180, String(days));
    });

    test('the key that trades is shown soon after the first order', async () => {
        const who = await trader(1000);
        const key = async () => granted(await who.get('/perps/account')).account.tradingKey;
        assert.deepEqual(await key(), { address: null, status: 'none', expiresAt: null });
        await placed(who, { ...LONG, size: '0.1' });
        const { address, status } = await until('the key', async () => {
            const now = await key();
            return now.status !== 'none' && now;
        }, { patience: 20_000 });
        assert.equal(status, 'active');
        assert.match(address, /^0x[0-9a-fA-F]{40}$/);
    });

    test('a limit order rests, is listed and cancelled', async () => {
        const agent = await trader(10_000);
        const order = await placed(agent, { ...LIMIT, price: 2500 });
        assert.deepEqual([order.status, order.price, order.filledSize, order.averagePrice], ['open', '2500', '0', null]);
        assert.equal(await statusAt(agent, order.id), 'open');
        assert.deepEqual(await orderOf(agent, order.id), order);
        const since = `since=${order.created_at}`, until = `until=${order.created_at}`;
        for (const query of ['', '?status=open', '?market=eth', '?market=ETH-USD&status=open&limit=1', `?${since}`, `?${since}&status=open`]) {
            assert.deepEqual(granted(await agent.get(`/perps/orders${query}`)).orders[0], order, query);
        }
        for (const query of ['?market=SOL', `?${until}`, `?${until}&status=open`, `?${until}&market=ETH`]) {
            const { orders, pagination } = granted(await agent.get(`/perps/orders${query}`));
            assert.deepEqual([orders, pagination.total], [[], 0], query);
        }
        const { order: gone } = granted(await cancel(agent, order.id));
        assert.equal(gone.status, 'cancelled');
        assert.equal(await statusAt(agent, order.id), 'canceled');
        refused(await cancel(agent, order.id), 'Order is not open');
    });

    test('a resting order is filled in part and then whole, and its events are sent', async () => {
        const hook = await receiver();
        try {
            const who = await trader(5000, { callback_url: hook.url });
            const order = await placed(who, { ...LIMIT, price: '2900' }); // the best price of all that rest
            await act('counter_order', { coin: 'ETH', side: 'sell', price: '2900', size: '0.2' });
            const part = await until('a part to be filled', async () => {
                const now = await orderOf(who, order.id);
                return now.filledSize === '0.2' && now;
            });
            assert.equal(part.status, 'open');
            await act('counter_order', { coin: 'ETH', side: 'sell', price: '2900', size: '0.3' });
            const whole = await becomes(who, order.id, 'filled');
            await until('its trades', async () => (await orderOf(who, order.id)).averagePrice === '2900');
            assert.equal(whole.filledSize, '0.5');
            const own = () => told(hook).filter(({ data }) => data?.id === order.id);
            await until('two events', () => own().length >= 2);
            assert.deepEqual(own().map(({ type }) => type), ['perps.order.partially_filled', 'perps.order.filled']);
        } finally {
            hook.close();
        }
    });

    test('an order that the venue’s status forgot rests as long as the list has it, and is told by its trades', async () => {
        const who = await trader(5000), terms = { market: 'AVAX-USD', side: 'long', size: '5', type: 'limit', price: '24' };
        const meets = (size) => act('counter_order', { coin: 'AVAX', side: 'sell', price: '24', size });
        const order = await placed(who, terms);
        await wrong('forgotten_orders', { wallet: who.address });
        assert.equal(await statusAt(who, order.id), 'unknownOid');
        await meets('2');
        await until('a part to be filled', async () => (await orderOf(who, order.id)).filledSize === '2');
        assert.equal((await orderOf(who, order.id)).status, 'open');
        await meets('3');
        const whole = await becomes(who, order.id, 'filled');
        assert.deepEqual([whole.filledSize, whole.averagePrice], ['5', '24']);
        const other = await placed(who, terms);
        granted(await cancel(who, other.id), 202);
        assert.equal((await becomes(who, other.id, 'cancelled')).filledSize, '0');
        await honest(who.address);
    });

    test('an order that the venue refuses at once is rejected', async () => {
        const agent = await trader(10_000);
        const ioc = await placed(agent, { ...LIMIT, timeInForce: 'IOC' });
        assert.deepEqual([ioc.status, ioc.error], ['rejected', 'Insufficient liquidity for this trade']);
        const alo = await placed(agent, { ...LIMIT, price: 3100, timeInForce: 'ALO' });
        assert.deepEqual([alo.status, alo.error], ['rejected', 'Order would have matched at once']);
        const resting = await placed(agent, { ...LIMIT, timeInForce: 'ALO' });
        assert.equal(resting.status, 'open');
        granted(await cancel(agent, resting.id));
    });

    test('leverage and mode are set first, by themselves or with an order', async () => {
        const who = await trader(5000);
        assert.deepEqual(granted(await who.post('/perps/leverage', { market: 'SOL', leverage: 7, marginMode: 'isolated' })),
            { success: true, market: 'SOL-USD', leverage: 7, marginMode: 'isolated', status: 'completed' });
        const { leverage } = await ask('activeAssetData', { user: who.address, coin: 'SOL' });
        assert.deepEqual([leverage.type, leverage.value], ['isolated', 7]);
        const order = await placed(who, { market: 'SOL', side: 'short', size: 10, leverage: '3', marginMode: 'isolated' });
        assert.deepEqual([order.status, order.leverage, order.marginMode], ['filled', 3, 'isolated']);
        const position = await positionOf(who, 'SOL');
        assert.deepEqual([position.szi, position.leverage.type, position.leverage.value], ['-10.0', 'isolated', 3]);
        const held = refused(await who.post('/perps/leverage', { market: 'SOL', leverage: 3, marginMode: 'cross' }), 'Leverage was refused by the venue');
        assert.equal(held.hint, 'Margin mode cannot change while a position is open');
        refused(await who.post('/perps/leverage', { market: 'SOL', leverage: 21 }), 'Leverage must be between 1 and 20', ['leverage']);
        const other = await placed(who, { market: 'SOL', side: 'short', size: 1, marginMode: 'cross' });
        assert.deepEqual([other.status, other.error], ['rejected', 'Margin mode cannot change while a position is open']);
    });

    test('gains are taken, and what would have stopped losses ends with that', async () => {
        const who = await trader(5000);
        const order = await placed(who, { market: 'BNB', side: 'long', size: 2, leverage: 5, takeProfit: 550, stopLoss: 450 });
        assert.equal(order.status, 'filled');
        assert.deepEqual(order.children.map(({ kind, triggerPrice }) => [kind, triggerPrice]), [['takeProfit', '550'], ['stopLoss', '450']]);
        const [take, stop] = order.children;
        await act('move_price', { coin: 'BNB', price: '552' });
        try {
            const taken = await becomes(who, take.id, 'filled');
            assert.deepEqual([taken.type, taken.reduceOnly, taken.filledSize], ['takeProfit', true, '2']);
            await becomes(who, stop.id, 'cancelled');
            const shown = ({ children }) => children.map(({ id, status }) => [id, status]);
            assert.deepEqual(shown(await orderOf(who, order.id)), [[take.id, 'filled'], [stop.id, 'cancelled']]);
            assert.deepEqual(shown(granted(await who.get('/perps/orders')).orders[0]), [[take.id, 'filled'], [stop.id, 'cancelled']]);
            assert.equal(await positionOf(who, 'BNB'), undefined);
        } finally {
            await act('move_price', { coin: 'BNB', price: PRICES.BNB });
        }
    });

    test('half a position is closed, and then the rest', async () => {
        const who = await trader(5000);
        await placed(who, LONG);
        const half = granted(await who.post('/perps/close', { market: 'eth', size: 0.25 })).order;
        assert.deepEqual([half.status, half.side, half.reduceOnly, half.filledSize], ['filled', 'short', true, '0.25']);
        assert.equal((await positionOf(who, 'ETH')).szi, '0.25');
        const rest = granted(await who.post('/perps/close', { market: 'ETH-USD' })).order;
        assert.deepEqual([rest.status, rest.size], ['filled', '0.25']);
        assert.equal(await positionOf(who, 'ETH'), undefined);
        const { fills } = granted(await who.get('/perps/fills?market=ETH&limit=2'));
        assert.ok(fills.every(({ closedPnl }) => closedPnl !== '0'));
        refused(await who.post('/perps/close', { market: 'ETH' }), 'No open position for ETH-USD');
    });

    test('a position that is liquidated is told, and funding is listed', async () => {
        const hook = await receiver();
        try {
            const who = await trader(1000, { callback_url: hook.url });
            await placed(who, { market: 'BTC', side: 'long', size: '0.1', leverage: 10 });
            await act('next_funding', { coin: 'BTC', rate: '0.0001' });
            const resting = await placed(who, { market: 'SOL', side: 'long', size: 1, type: 'limit', price: 100 });
            await act('liquidate', { user: who.address });
            await becomes(who, resting.id, 'cancelled');
            await until('it to be told', () => told(hook).find(({ type }) => type === 'perps.position.liquidated'));
            const { fills } = granted(await who.get('/perps/fills?market=BTC'));
            assert.ok(fills.some(({ liquidation, order }) => liquidation && order === null));
            const { payments } = granted(await who.get('/perps/funding'));
            assert.deepEqual(payments.map(({ market, rate, size }) => [market, rate, size]), [['BTC-USD', '0.0001', '0.1']]);
            assert.ok(Number(payments[0].amount) < -0.5 && Number(payments[0].amount) > -0.7);
        } finally {
            hook.close();
        }
    });

    test('an order against a position needs margin only for the part beyond it', async () => {
        const who = await trader(1000);
        const against = { market: 'ETH', side: 'short', type: 'limit', price: 3100 };
        await placed(who, { market: 'ETH', side: 'long', size: '6', leverage: 20 });
        refused(await place(who, { ...against, size: '12.5' }), 'Insufficient margin');
        refused(await place(who, { ...against, side: 'long', size: '6.2' }), 'Insufficient margin');
        const order = await placed(who, { ...against, size: '6.2' });
        assert.deepEqual([order.status, order.filledSize], ['open', '0']);
        granted(await who.send('DELETE', `/perps/order/${order.id}`));
    });

    test('a unified account trades with what its spot balance holds', async () => {
        const who = await trader(2000);
        await act('mode', { user: who.address, mode: 'unifiedAccount' });
        refused(await place(who, { ...LIMIT, size: '5', leverage: 5 }), 'Insufficient margin');
        const quote = granted(await who.post('/perps/quote', { ...LONG, leverage: 5 }));
        const order = await placed(who, { ...LONG, leverage: 5, takeProfit: 3300, stopLoss: 2800 });
        assert.deepEqual([order.status, Number(order.averagePrice)], ['filled', quote.entryPrice]);
        const { account } = await until('the account', async () => {
            const now = granted(await who.get('/perps/account'));
            return now.account.marginUsed !== '0' && now;
        });
        const { positions: [position] } = granted(await who.get('/perps/positions'));
        assert.deepEqual([account.mode, position.size, position.leverage, position.marginMode], ['unifiedAccount', 0.5, 5, 'cross']);
        isNear(Number(account.marginUsed), position.margin);
        isNear(Number(account.accountValue), 2000 - Number(order.fee) + position.unrealizedPnl);
        isNear(Number(account.withdrawable), 2000 - Number(order.fee) - position.margin);
        const rest = granted(await who.post('/perps/close', { market: 'ETH' })).order;
        assert.equal(rest.status, 'filled');
        for (const { id } of order.children) await becomes(who, id, 'cancelled');
        assert.equal(await positionOf(who, 'ETH'), undefined);
    });

    // ---------------------------------------------------------------- a venue that is down, or lies

    test('a venue that is down, or sends garbage, is reported with a hint, and nothing is stored', async () => {
        const who = await trader(5000);
        const position = await placed(who, LONG);
        const INFO = { path: '/info' };
        const failed = (answer) => {
            assert.deepEqual([answer.status, answer.body.error, answer.body.error_code, typeof answer.body.hint], [500, 'Perps order failed', 'UPSTREAM_ERROR', 'string']);
        };
        for (const [fault, more] of [['http_500', INFO], ['garbage', INFO], ['other_address', { value: `0x${'1'.repeat(40)}` }]]) {
            await failing(who, fault, more, async () => {
                failed(await who.send('POST', '/perps/order', { json: LIMIT, mayBreak: true }));
                failed(await who.send('POST', '/perps/close', { json: { market: 'ETH' }, mayBreak: true }));
                failed(await who.send('POST', '/perps/leverage', { json: { market: 'ETH', leverage: 7 }, mayBreak: true }));
            });
        }
        assert.deepEqual(granted(await who.get('/perps/orders')).orders.map(({ id }) => id), [position.id]);
        assert.equal(granted(await who.post('/perps/close', { market: 'ETH' })).order.status, 'filled');
    });

    test('a venue that is asked too much is told as busy, and nothing is stored', async () => {
        const gateway = await startGateway(['tier.standard = 100000']); // which alone asks less from then on
        try {
            const who = await trader(5000);
            const elsewhere = Object.assign(new Agent(who.key), { base: gateway.base });
            await failing(who, 'http_429', { path: '/info' }, async () => {
                for (const [path, json] of [['order', LIMIT], ['close', { market: 'ETH' }], ['leverage', { market: 'ETH', leverage: 7 }]]) {
                    const answer = await elsewhere.post(`/perps/${path}`, json);
                    assert.deepEqual([answer.status, answer.body.error_code], [429, 'RATE_LIMITED'], path);
                    assert.ok(Number(answer.headers['retry-after']) >= 1);
                }
            });
            assert.equal(granted(await who.get('/perps/orders')).pagination.total, 0);
            assert.equal((await placed(elsewhere, LIMIT)).status, 'open');
        } finally {
            await gateway.stop();
        }
    });

    test('a market order at a book without the other side is refused, and a limit order rests', async () => {
        const who = await trader(5000);
        for (const [makers, side] of [[{ asks: false }, 'long'], [{ bids: false }, 'short'], [{ bids: false, asks: false }, 'long']]) {
            await act('makers', { coin: 'LINK', ...makers });
            await until('the book to be seen', async () => {
                const { bids, asks } = granted(await who.get('/perps/market/LINK'));
                return (makers.bids === false) === (bids.length === 0) && (makers.asks === false) === (asks.length === 0);
            });
            refused(await place(who, { market: 'LINK', side, size: 10 }), 'Insufficient liquidity for this trade');
            const order = await placed(who, { market: 'LINK', side: 'long', size: 10, type: 'limit', price: 13 });
            assert.equal(order.status, 'open');
            granted(await cancel(who, order.id));
        }
        await act('makers', { coin: 'LINK' });
    });

    test('the operator\'s limits hold for orders that do not reduce a position, and the operator\'s stop for all', async () => {
        const gateway = await startGateway(['perps_order_max = 1000', 'perps_day_max = 2500', 'tier.standard = 100000']);
        try {
            const who = await trader(5000);
            await placed(who, { ...LONG, size: '0.9' }); // by the stack's own gateway, which has no such limits
            const elsewhere = Object.assign(new Agent(who.key), { base: gateway.base });
            const limited = (answer) => refused(answer, "Refused by the operator's limits");
            limited(await place(elsewhere, { ...LIMIT, price: 2500, size: '0.5' }));
            assert.equal((await placed(elsewhere, { ...LIMIT, side: 'short', price: 3400, size: '0.5', reduceOnly: true })).status, 'open');
            assert.equal(granted(await elsewhere.post('/perps/close', { market: 'ETH', size: '0.4' })).order.status, 'filled');
            const order = await placed(elsewhere, { ...LIMIT, price: 2500, size: '0.4' });
            granted(await cancel(elsewhere, order.id));
            granted(await elsewhere.post('/perps/leverage', { market: 'ETH', leverage: 7 })); // which is no trade
            await placed(elsewhere, { ...LIMIT, price: 2500, size: '0.4' });
            limited(await place(elsewhere, { ...LIMIT, price: 2500, size: '0.3' })); // of the day
            await gateway.keyctl('stop', 'a drill');
            const resting = granted(await who.get('/perps/orders?status=open')).orders[0];
            limited(await place(elsewhere, { ...LIMIT, size: '0.1' }));
            limited(await elsewhere.post('/perps/close', { market: 'ETH' }));
            limited(await elsewhere.post('/perps/leverage', { market: 'ETH', leverage: 8 }));
            assert.equal((await cancel(elsewhere, resting.id)).status, 202);
            await becomes(who, resting.id, 'cancelled'); // by the signer of another host
        } finally {
            await gateway.stop();
        }
    });

    // ---------------------------------------------------------------- exactly once

    test('two placings under one Idempotency-Key are one order', async () => {
        const agent = await trader(10_000);
        const headers = { 'idempotency-key': `perps-${Date.now()}` };
        const both = await Promise.all([place(agent, LIMIT, headers), place(agent, LIMIT, headers)]);
        const ids = both.filter(({ status }) => status === 200).map(({ body }) => body.order.id);
        assert.ok(ids.length > 0 && new Set(ids).size === 1);
        const again = granted(await place(agent, LIMIT, headers)).order;
        assert.equal(again.id, ids[0]);
        assert.equal((await bodiesOf(again.id)).length, 1);
        granted(await cancel(agent, again.id));
    });

    test('an order is its agent\'s alone', async () => {
        const agent = await trader(10_000);
        const order = await placed(agent, LIMIT);
        const other = await trader(0);
        refused(await other.get(`/perps/order/${order.id}`), 'Order not found');
        refused(await cancel(other, order.id), 'Order not found');
        for (const id of ['1', `0x${'0'.repeat(32)}`, 'x'.repeat(300)]) refused(await agent.get(`/perps/order/${id}`), 'Order not found');
        granted(await cancel(agent, order.id));
    });

    for (const [what, fault, more] of [
        ['an answer that is lost', 'lost_answer', { path: '/exchange', times: 1 }],
        ['an answer that is no sense', 'garbage', { path: '/exchange', times: 1 }],
        ['a venue that is asked too much', 'http_429', { path: '/exchange', times: 1 }],
        ['a nonce that is said to be used', 'duplicate_nonce', { times: 1 }],
        ['a nonce that is used up without an order', 'duplicate_nonce', { times: 1, value: 'undone' }],
        ['an unknown error', 'status_err', { times: 1 }],
        ['reads that lag', 'lagging_reads', { times: 2 }],
    ]) {
        test(`an order is placed once: ${what}`, async () => {
            const who = await trader(5000);
            await placed(who, { ...LIMIT, price: 2400 }); // so that the venue knows its key
            const order = await failing(who, fault, more, () => placed(who, LIMIT));
            const now = await becomes(who, order.id, 'open');
            assert.equal(now.error, null);
            assert.equal(await statusAt(who, order.id), 'open');
            assert.equal((await bodiesOf(order.id)).length, 1);
            const { orders } = granted(await who.get('/perps/orders'));
            assert.equal(orders.length, 2);
            assert.equal((await ask('openOrders', { user: who.address })).length, 2);
        });
    }

    test('while the venue hangs an order is pending, and is never placed twice', async () => {
        const who = await trader(5000);
        await placed(who, { ...LIMIT, price: 2400 });
        const order = await failing(who, 'stall', { path: '/exchange' }, () => placed(who, LIMIT));
        assert.equal(order.status, 'pending');
        await becomes(who, order.id, 'open');
        assert.equal((await bodiesOf(order.id)).length, 1);
    });

    test('an order that never arrived is rejected when its time is over, and not before', async () => {
        const who = await trader(5000);
        await placed(who, { ...LIMIT, price: 2400 });
        await wrong('http_500', { wallet: who.address, path: '/exchange' });
        try {
            const order = await placed(who, LIMIT);
            const began = Date.now();
            assert.equal(order.status, 'pending');
            const lost = await becomes(who, order.id, 'rejected');
            assert.ok(Date.now() - began > 35_000);
            assert.ok(lost.error.length > 0);
            assert.equal(await statusAt(who, order.id), 'unknownOid');
        } finally {
            await honest(who.address);
        }
    });

    test('a first order whose approval is lost on its way goes out behind it', async () => {
        const who = await trader(5000);
        const order = await failing(who, 'lost_answer', { path: '/exchange', times: 1 }, () => placed(who, { ...LIMIT, leverage: 4 }));
        await becomes(who, order.id, 'open');
        assert.equal((await ask('extraAgents', { user: who.address })).length, 1);
    });

    test('first orders that come at once share a key', async () => {
        const who = await trader(9000);
        const orders = await Promise.all([1, 2, 3, 4].map((n) => placed(who, { ...LIMIT, price: 2400 + n })));
        for (const { id } of orders) await becomes(who, id, 'open');
        assert.equal((await ask('extraAgents', { user: who.address })).length, 1);
        assert.equal((await ask('openOrders', { user: who.address })).length, 4);
    });

    test('a cancel without an answer is recorded, and repeated', async () => {
        const who = await trader(5000);
        const order = await placed(who, LIMIT);
        const answer = await failing(who, 'stall', { path: '/exchange' }, () => cancel(who, order.id));
        assert.equal(answer.status, 202);
        assert.deepEqual([answer.body.order.status, answer.body.order.cancelRequested], ['open', true]);
        const gone = await becomes(who, order.id, 'cancelled');
        assert.equal(gone.cancelRequested, undefined);
        assert.equal(await statusAt(who, order.id), 'canceled');
    });

    test('a venue that tells of more than was ordered is not believed', async () => {
        const who = await trader(5000);
        await wrong('overfilled', { wallet: who.address });
        try {
            const order = await placed(who, LONG);
            assert.equal(order.filledSize, '0.5');
            assert.ok(granted(await who.get('/perps/fills')).fills.every(({ size }) => Number(size) <= 0.5));
        } finally {
            await honest(who.address);
        }
    });

    // ---------------------------------------------------------------- interfaces

    test('tools do what REST does', async () => {
        const who = await trader(5000);
        const call = async (name, args) => result(await askMcp('tools/call', { name, arguments: args }, { key: who.key })).structuredContent;
        const { order } = await call('place_perps_order', LIMIT);
        assert.equal(order.status, 'open');
        assert.deepEqual((await call('get_perps_order', { id: order.id })).order, order);
        assert.equal((await call('list_perps_orders', {})).orders.length, 1);
        assert.equal((await call('cancel_perps_order', { id: order.id })).order.status, 'cancelled');
        assert.equal((await call('set_perps_leverage', { market: 'ETH', leverage: 3 })).leverage, 3);
        await call('place_perps_order', LONG);
        await until('the trade', async () => (await call('list_perps_fills', {})).fills.length === 1);
        assert.equal((await call('close_perps_position', { market: 'ETH' })).order.status, 'filled');
        assert.deepEqual((await call('list_perps_funding', {})).payments, []);
    });
});

test('nothing was signed twice, and nothing was taken after its time', async () => {
    assert.deepEqual(await audit('reused'), []);
    assert.deepEqual(await audit('late'), []);
});
