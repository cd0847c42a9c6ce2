// Section: predict
// Collateral of bets: deposits into the trading wallet, withdrawals from it, and what decided markets pay. The venue and
// its relayer are played by the sandbox; every balance is read from the chain.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
    concat, id, keccak256, toBeHex,
} from 'ethers';
import { ADDRESSES, conditionId } from '../../contrib/sandbox/polymarket.mjs';
import { MARKETS } from '../../contrib/sandbox/upstream/markets.mjs';
import { sql } from '../jobs/lib.mjs';
import { impersonated, provider, rpc } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    CANONICAL, HASH, granted, hasMembers, receiver, registerUnlimited, until, verified,
} from './lib.mjs';
import {
    DOLLARS, asked, at, cancel, completed as completedOf, giveShares, holder, orderIs, place, placeSettled, sendCollateral, trader, units, untilFinal, wrong,
} from './prediction.mjs';

const EXCHANGES = [ADDRESSES.exchange, ADDRESSES.negRiskExchange, ADDRESSES.exchangeV3];
const polygon = provider('polygon');
const held = async (address) => ({ dollars: await at(DOLLARS).balanceOf(address), collateral: await at(ADDRESSES.collateral).balanceOf(address) });

/** An agent whose wallet has so many dollars on Polygon, by a gateway of its own if need be. */
async function newTrader(dollars, base = undefined) {
    const agent = await holder(dollars, base);
    return { agent, address: agent.address, trading: (await account(agent)).tradingAddress };
}

/** A refusal in these words. */
const says = ({ status, body, text }, error, wanted = 400) => assert.deepEqual([status, body.error], [wanted, error], text);

const account = async (agent) => granted(await agent.get('/predict/account')).account;

async function completed(agent, answer) {
    const transfer = await completedOf(agent, answer);
    assert.match(transfer.tx_hash, HASH);
    assert.ok(Date.parse(transfer.completed_at) > Date.parse(transfer.created_at));
    return transfer;
}

const deposited = async (agent, amount, token) => completed(agent, await agent.post('/predict/deposit', { amount, token }));

/** What the exchanges may take of the trading wallet, each. */
const allowances = (trading) => Promise.all(EXCHANGES.map((exchange) => at(ADDRESSES.collateral).allowance(trading, exchange)));

/** Decides a market of ConditionalTokens for its first outcome, on the chain alone: its catalogue still calls it open. */
async function decide(market) {
    const [NUMERATORS, DENOMINATOR] = [3n, 4n];
    const slot = (place) => keccak256(concat([conditionId(market), toBeHex(place, 32)]));
    for (const at of [keccak256(slot(NUMERATORS)), slot(DENOMINATOR)]) {
        await rpc('polygon', 'anvil_setStorageAt', [ADDRESSES.conditionalTokens, at, toBeHex(1, 32)]);
    }
}

const marketOf = (kind, fits = () => true) => MARKETS.find((market) => market.kind === kind && fits(market));
/** A bid of so many dollars that no order fills. */
async function bidOf(agent, dollars) {
    const { outcomes: [{ tokenId }] } = granted(await agent.get('/predict/market/9010'));
    return { tokenId, side: 'BUY', price: 0.05, size: dollars * 20 };
}

/** The venue, whose idea of the balance decides, knows of what went. */
const costsTooMuch = async (agent, dollars) => says(await place(agent, await bidOf(agent, dollars)), 'Insufficient balance or allowance');

// Of wallets without an account the gateway that they ask first says of which kind they are.
const itself = await startGateway(['predict_wallet = eoa']);
after(() => itself.stop());
const gateways = { deposit: undefined, eoa: itself.base };

const isResolved = ({ status }) => status === 'resolved';

// Each with an agent of its own, so that they may wait for the chain together.
describe('transfers', { concurrency: true }, () => {
    // ---------------------------------------------------------------- deposits

    test('dollars become collateral, and the wallet is ready for orders', async () => {
        const { agent, address, trading } = await newTrader(100);
        const before = await account(agent);
        hasMembers(before, ['wallet_address', 'tradingAddress', 'kind', 'ready', 'collateral', 'closedOnly']);
        assert.deepEqual([before.wallet_address, before.kind, before.ready, before.closedOnly], [address, 'deposit', false, false]);
        assert.notEqual(trading, address);
        assert.deepEqual(before.collateral, { token: 'pUSD', balance: '0', reserved: '0' });
        const callback = await receiver();
        const secret = await agent.listen(callback.url);
        const answer = await agent.post('/predict/deposit', { amount: '99.5' });
        const { transfer: begun } = granted(answer);
        assert.deepEqual([begun.type, begun.token, begun.amount, begun.completed_at, begun.error], ['deposit', 'USDC.e', '99.5', null, null]);
        assert.match(begun.status, /^(pending|submitted)$/);
        const transfer = await completed(agent, answer);
        assert.equal(transfer.amount, '99.5');
        assert.deepEqual(await held(address), { dollars: units('0.5'), collateral: 0n });
        assert.deepEqual(await held(trading), { dollars: 0n, collateral: units('99.5') });
        assert.deepEqual(await allowances(trading), EXCHANGES.map(() => units('99.5')), 'no more than it holds');
        const after = await account(agent);
        assert.deepEqual([after.ready, after.collateral], [true, { token: 'pUSD', balance: '99.5', reserved: '0' }]);
        const event = verified(await callback.delivery(), secret);
        assert.deepEqual([event.type, event.data], ['predict.transfer.completed', transfer]);
        callback.close();
    });

    test('collateral is deposited as it is; a second deposit finds the wallet there', async () => {
        const { agent, address, trading } = await newTrader(5);
        await sendCollateral(address, 20);
        assert.equal((await deposited(agent, '12.345678', 'pUSD')).token, 'pUSD');
        assert.deepEqual(await held(address), { dollars: units('5'), collateral: units('7.654322') });
        assert.deepEqual(await held(trading), { dollars: 0n, collateral: units('12.345678') });
        assert.equal(await at(trading).nonce(), 1n);
        await deposited(agent, '5');
        assert.deepEqual(await held(trading), { dollars: 0n, collateral: units('17.345678') });
        assert.deepEqual(await allowances(trading), EXCHANGES.map(() => units('17.345678')));
        assert.equal(await at(trading).nonce(), 2n);
        const { transfers, pagination } = granted(await agent.get('/predict/transfers?limit=1'));
        assert.deepEqual([transfers.length, transfers[0].amount, pagination.total, pagination.has_more], [1, '5', 2, true]);
    });

    test('a deposit is made once for one Idempotency-Key', async () => {
        const { agent, trading } = await newTrader(30);
        const options = { json: { amount: '10' }, headers: { 'Idempotency-Key': 'ten-dollars' } };
        const answers = await Promise.all([1, 2, 3].map(() => agent.send('POST', '/predict/deposit', options)));
        const ids = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.transfer.id));
        assert.equal(ids.size, 1);
        const again = await agent.send('POST', '/predict/deposit', options);
        assert.deepEqual([...ids], [granted(again).transfer.id]);
        await completed(agent, again);
        assert.equal((await held(trading)).collateral, units('10'));
    });

    test('one batch of a wallet is in progress at a time', async () => {
        const { agent, trading } = await newTrader(30);
        const answers = await Promise.all(['1', '2', '4'].map((amount) => agent.post('/predict/deposit', { amount })));
        const accepted = answers.filter(({ status }) => status === 200);
        assert.equal(accepted.length, 1);
        for (const answer of answers) {
            if (answer.status !== 200) says(answer, 'Another transfer of this wallet is under way', 409);
        }
        const { amount } = await completed(agent, accepted[0]);
        assert.equal((await held(trading)).collateral, units(amount));
    });

    for (const [what, faults] of Object.entries({
        'whose answers are lost': [['lost_answer', { times: 2, path: '/relayer/submit' }]],
        'that is busy, and sends garbage': [['http_429', { times: 1, path: '/relayer/submit' }], ['garbage', { times: 1, path: '/relayer/submit' }]],
        'that forgets': [['relay_forgotten', { times: 1 }]],
        'that calls done what it has not done': [['relay_claimed', { times: 1 }]],
        'that calls failed what it does': [['relay_denied', { times: 2 }]],
    })) {
        test(`a relayer ${what} holds a deposit up, and loses nothing`, async () => {
            const { agent, trading } = await newTrader(50);
            for (const [fault, more] of faults) await wrong(fault, more);
            await deposited(agent, '50');
            assert.equal((await held(trading)).collateral, units('50'));
            assert.equal(await at(trading).nonce(), 1n, 'the batch acted once');
        });
    }

    test('an exchange that does not answer about balances holds a deposit up', async () => {
        const { agent } = await newTrader(50);
        await wrong('http_500', { times: 1, path: '/clob/balance-allowance' });
        await deposited(agent, '50');
    });

    // ---------------------------------------------------------------- withdrawals

    test('collateral comes back as dollars, a part and the rest', async () => {
        const { agent, address, trading } = await newTrader(100);
        await deposited(agent, '100');
        const transfer = await completed(agent, await agent.post('/predict/withdraw', { amount: '30.000001' }));
        assert.deepEqual([transfer.type, transfer.token, transfer.amount], ['withdrawal', 'USDC.e', '30.000001']);
        await costsTooMuch(agent, 71);
        assert.deepEqual(await held(address), { dollars: units('30.000001'), collateral: 0n });
        assert.deepEqual(await held(trading), { dollars: 0n, collateral: units('69.999999') });
        assert.deepEqual(await allowances(trading), EXCHANGES.map(() => units('69.999999')));
        assert.equal((await completed(agent, await agent.post('/predict/withdraw', { amount: 'max' }))).amount, '69.999999');
        assert.deepEqual(await held(address), { dollars: units('100'), collateral: 0n });
        assert.deepEqual(await held(trading), { dollars: 0n, collateral: 0n });
        assert.equal(await at(ADDRESSES.collateral).allowance(trading, ADDRESSES.offramp), 0n);
        says(await agent.post('/predict/withdraw', { amount: 'max' }), 'Insufficient balance or allowance');
    });

    test('money sent to a trading wallet before its deployment is its owner’s', async () => {
        const { agent, address, trading } = await newTrader();
        await sendCollateral(trading, 7);
        assert.equal(await polygon.getCode(trading), '0x');
        await completed(agent, await agent.post('/predict/withdraw', { amount: 'max' }));
        assert.deepEqual(await held(address), { dollars: units('7'), collateral: 0n });
    });

    // ---------------------------------------------------------------- orders

    test('purchases use up what a deposit allowed; an order sees to what its exchange may take', async () => {
        const { agent, trading } = await newTrader(20);
        await deposited(agent, '20');
        const market = MARKETS.find(({ id }) => id === '9010');
        const { outcomes: [{ tokenId, bids: [bid], asks: [ask] }] } = granted(await agent.get(`/predict/market/${market.id}/book`));
        const trade = async (side, price, size, type, status) => {
            const { id } = await placeSettled(agent, { tokenId, price, size, side, type });
            return orderIs(agent, id, status, (order) => order.status === status && (status !== 'filled' || order.tx_hashes.length > 0));
        };
        await trade('BUY', ask.price, 25, 'FOK', 'filled');
        await until('the purchase to be settled', async () => (await held(trading)).collateral < units('8'), { interval: 500 });
        await trade('SELL', bid.price, 25, 'FOK', 'filled');
        await until('the sale to be settled', async () => (await held(trading)).collateral > units('15'), { interval: 500 });
        const { collateral } = await held(trading);
        assert.ok((await allowances(trading))[0] < units('8'));
        const { id } = await trade('BUY', 0.1, 120, 'GTC', 'open');
        assert.equal((await allowances(trading))[0], collateral);
        assert.equal(granted(await agent.get('/predict/account')).account.collateral.reserved, '12.54', 'with the highest fee');
        says(await agent.post('/predict/withdraw', { amount: '10' }), 'Insufficient balance or allowance');
        granted(await cancel(agent, id));
        await until('nothing to be reserved', async () => (await account(agent)).collateral.reserved === '0', { interval: 500 });
        await completed(agent, await agent.post('/predict/withdraw', { amount: 'max' }));
        assert.deepEqual(await held(trading), { dollars: 0n, collateral: 0n });
    });

    // ---------------------------------------------------------------- redemptions

    for (const [kind, fits] of [['v2', isResolved], ['neg_risk', ({ status = 'open' }) => status === 'open'], ['v3', isResolved]]) {
        const market = MARKETS.findLast((each) => each.kind === kind && fits(each));

        for (const [wallet, token, paid, left] of [['deposit', 'USDC.e', ['40', '0'], '1'], ['eoa', 'pUSD', ['0', '41'], '41']]) {
            test(`a decided market pays: ${kind}, ${wallet}`, async () => {
                const { agent, address, trading } = await newTrader(1, gateways[wallet]);
                await deposited(agent, '1');
                await giveShares(market, trading, 40);
                if (kind === 'neg_risk') await decide(market);
                const transfer = await completed(agent, await agent.post('/predict/redeem', { market: market.id }));
                assert.deepEqual([transfer.type, transfer.token, transfer.amount], ['redemption', token, '40']);
                const [dollars, collateral] = paid.map(units);
                assert.deepEqual(await held(address), { dollars, collateral });
                assert.deepEqual(await held(trading), { dollars: 0n, collateral: units(left) });
                says(await agent.post('/predict/redeem', { market: market.id }), 'Nothing to redeem');
            });
        }
    }

    test('a market that is open pays nothing yet', async () => {
        const { agent, trading } = await newTrader();
        const market = marketOf('v2', ({ status = 'open' }) => status === 'open');
        const early = await agent.post('/predict/redeem', { market: Number(market.id) });
        says(early, 'Nothing to redeem');
        assert.match(early.body.hint, /still open/);
        await giveShares(market, trading, 3);
        says(await agent.post('/predict/redeem', { market: market.id }), 'Market is not resolved');
    });

    // ---------------------------------------------------------------- without a deposit wallet

    test('a wallet that trades itself wraps, unwraps and redeems by its own transactions', async () => {
        const { agent, address, trading } = await newTrader(50, itself.base);
        assert.deepEqual([trading, (await account(agent)).kind], [address, 'eoa']);
        await deposited(agent, '40');
        assert.deepEqual(await held(address), { dollars: units('10'), collateral: units('40') });
        await completed(agent, await agent.post('/predict/withdraw', { amount: '15' }));
        assert.deepEqual(await held(address), { dollars: units('25'), collateral: units('25') });
        const market = marketOf('v2', isResolved);
        await giveShares(market, address, 6);
        assert.equal((await completed(agent, await agent.post('/predict/redeem', { market: market.id }))).token, 'pUSD');
        assert.deepEqual(await held(address), { dollars: units('25'), collateral: units('31') });
        // Once the transaction is confirmed the venue is told; before, it refuses.
        const { id } = await until('the venue to know of what came', async () => (await place(agent, await bidOf(agent, 28))).body.order);
        await orderIs(agent, id, 'open', ({ status }) => status === 'open');
        granted(await cancel(agent, id));
    });

    test('a wallet that trades itself allows the exchange what an order needs, and then places it', async () => {
        const { agent, address } = await newTrader(50, itself.base);
        await deposited(agent, '40');
        const { outcomes: [{ tokenId }] } = granted(await agent.get('/predict/market/9010'));
        const placed = async (terms) => {
            const order = await placeSettled(agent, { tokenId, size: 20, ...terms });
            assert.equal(order.status, 'pending');
            return orderIs(agent, order.id, 'open', ({ status }) => status !== 'pending');
        };
        const bid = await placed({ side: 'BUY', price: 0.05 });
        assert.deepEqual([bid.status, bid.error], ['open', undefined]);
        assert.deepEqual(await allowances(address), [units(40), 0n, 0n], 'no more than it holds, and to no other exchange');
        const { order: second } = granted(await place(agent, { tokenId, size: 20, side: 'BUY', price: 0.05 }));
        assert.equal(second.status, 'open', 'what is allowed serves the next order too');
        const bought = granted(await place(agent, { tokenId, size: 5, side: 'BUY', price: 0.7 })).order;
        await orderIs(agent, bought.id, 'settled', ({ tx_hashes: hashes }) => hashes.length > 0);
        await until('the venue to show the shares', async () => (await agent.get('/predict/positions')).body.positions?.length > 0);
        const ask = await placed({ side: 'SELL', price: 0.95, size: 5 });
        assert.deepEqual([ask.status, ask.error], ['open', undefined]);
        for (const { id } of [bid, second, ask]) granted(await cancel(agent, id));
    });

    test('a wallet that cannot pay for the gas of an allowance is told so, and nothing is stored', async () => {
        const { agent, address } = await newTrader(20, itself.base);
        await deposited(agent, '20');
        await rpc('polygon', 'anvil_setBalance', [address, '0x0']);
        const { outcomes: [{ tokenId }] } = granted(await agent.get('/predict/market/9010'));
        const bid = { tokenId, side: 'BUY', price: 0.05, size: 20 };
        says(await place(agent, bid), 'Insufficient gas');
        assert.equal(granted(await agent.get('/predict/orders?status=all')).pagination.total, 0);
        await rpc('polygon', 'anvil_setBalance', [address, toBeHex(10n ** 18n)]);
        const { order: { id } } = granted(await place(agent, bid));
        await orderIs(agent, id, 'open', ({ status }) => status === 'open');
        granted(await cancel(agent, id));
    });

    test('the venue may refuse orders of a wallet that trades itself', async () => {
        const { agent, address } = await newTrader(20, itself.base);
        const allowance = at(DOLLARS).interface.encodeFunctionData('approve', [ADDRESSES.exchange, units(20)]);
        await impersonated('polygon', address, { to: ADDRESSES.collateral, data: allowance });
        await deposited(agent, '20'); // after which the venue looks at both
        const { outcomes: [{ tokenId }] } = granted(await agent.get('/predict/market/9010'));
        const bid = { tokenId, side: 'BUY', price: 0.05, size: 20 };
        await wrong('eoa_refused', { times: 1 });
        const { order: rejected } = granted(await place(agent, bid));
        assert.deepEqual([rejected.status, rejected.error], ['rejected', 'Trading not permitted for this wallet']);
        assert.equal((await account(agent)).collateral.reserved, '0');
        const { order: { id, status } } = granted(await place(agent, bid));
        assert.equal(status, 'open');
        granted(await cancel(agent, id));
    });

    // ---------------------------------------------------------------- refusals

    test('a gateway without prediction trading shows markets, and refuses all that trades', async () => {
        const gateway = await startGateway(['predict_trading = off']);
        try {
            const agent = await registerUnlimited();
            await agent.post('/wallets');
            agent.base = gateway.base;
            const { outcomes: [{ tokenId }] } = granted(await agent.get('/predict/market/9010'));
            for (const answer of await Promise.all([
                place(agent, { tokenId, side: 'BUY', price: 0.05, size: 20 }), agent.get('/predict/account'),
                agent.post('/predict/deposit', { amount: '1' }), agent.post('/predict/withdraw', { amount: 'max' }), agent.post('/predict/redeem', { market: '9010' }),
            ])) {
                says(answer, 'Prediction trading is not configured');
                assert.equal(answer.body.error_code, 'NOT_CONFIGURED');
            }
        } finally {
            await gateway.stop();
        }
    });

    test('an invalid transfer is refused with a reason', async () => {
        const { agent } = await newTrader(10);
        for (const [path, json, error, status = 400] of [
            ['deposit', {}, 'amount is required'],
            ['deposit', { amount: '0' }, 'Amount must be a positive number'],
            ['deposit', { amount: '-1' }, 'Amount must be a positive number'],
            ['deposit', { amount: '1e300' }, 'Amount must be a positive number'],
            ['deposit', { amount: 'NaN' }, 'Amount must be a positive number'],
            ['deposit', { amount: '9'.repeat(60) }, 'Insufficient balance'],
            ['deposit', { amount: '0.0000001' }, 'Amount must be a positive number'],
            ['deposit', { amount: '10.0000019' }, 'Insufficient balance'],
            ['deposit', { amount: '1', token: 'USDC' }, 'token must be USDC.e or pUSD'],
            ['deposit', { amount: '10.000001' }, 'Insufficient balance'],
            ['deposit', { amount: '1', token: 'pUSD' }, 'Insufficient balance'],
            ['withdraw', {}, 'amount is required'],
            ['withdraw', { amount: 'all' }, 'Amount must be a positive number'],
            ['withdraw', { amount: '0' }, 'Amount must be a positive number'],
            ['withdraw', { amount: '0.0000001' }, 'Amount must be a positive number'],
            ['withdraw', { amount: '1' }, 'Insufficient balance or allowance'],
            ['withdraw', { amount: 'max' }, 'Insufficient balance or allowance'],
            ['redeem', {}, 'market is required'],
            ['redeem', { market: '1' }, 'Market not found', 404],
            ['redeem', { market: '../../x' }, 'Market not found', 404],
            ['redeem', { market: 1 }, 'Market not found', 404],
            ['redeem', { market: '' }, 'Validation failed'],
            ['redeem', { market: ['1'] }, 'Validation failed'],
        ]) {
            says(await agent.post(`/predict/${path}`, json), error, status);
        }
        assert.equal(granted(await agent.get('/predict/transfers')).pagination.total, 0, 'nothing is stored of it');
    });

    test('no wallet, no transfer; others’ transfers are not there', async () => {
        const agent = await registerUnlimited();
        says(await agent.get('/predict/account'), 'No managed wallet found', 404);
        const { agent: other } = await newTrader(2);
        const { transfer } = granted(await other.post('/predict/deposit', { amount: '2' }));
        for (const id of [transfer.id, 0, 'x', '1e9', '9'.repeat(30)]) {
            says(await agent.get(`/predict/transfer/${id}`), 'Transfer not found', 404);
        }
        assert.match(transfer.amount, CANONICAL);
    });

    for (const [query, error] of [['limit=0', 'limit must be between 1 and 100'], ['limit=101', 'limit must be between 1 and 100'], ['offset=-1', 'offset must be 0 or more']]) {
        test(`a page of transfers: ${query}`, async () => {
            says(await (await registerUnlimited()).get(`/predict/transfers?${query}`), error);
        });
    }
});

// Beside the others a fault that is meant for one of them would come upon its order.
describe('a relayer whose quota is used up', () => {
    const submitted = async () => (await asked(({ path }) => path === '/relayer/submit')).length;

    test('is left alone until it has some again, and the transfer says so', async () => {
        const { agent } = await newTrader(20);
        const before = await submitted();
        await wrong('relay_quota', { times: 1, value: 12 });
        const { transfer: { id } } = granted(await agent.post('/predict/deposit', { amount: '5', token: 'USDC.e' }));
        const waiting = await until('it to wait', async () => {
            const { transfer } = granted(await agent.get(`/predict/transfer/${id}`));
            return transfer.waiting_until && transfer;
        });
        assert.match(waiting.status, /^(submitted|processing)$/);
        const left = Date.parse(waiting.waiting_until) - Date.now();
        assert.ok(left > 0 && left <= 12_000, String(left));
        assert.equal(await submitted(), before + 1);
        await until('its time to be over', () => Date.now() > Date.parse(waiting.waiting_until) - 500, { interval: 100 });
        assert.equal(await submitted(), before + 1, 'nothing was sent meanwhile');
        const { transfer } = await untilFinal('it to be completed', async () => {
            const answer = granted(await agent.get(`/predict/transfer/${id}`));
            return answer.transfer.status === 'completed' && answer;
        });
        assert.equal(transfer.waiting_until, undefined);
    });

    // Ten minutes: what was signed for them, and what is kept of them, ends in the past.
    const tenMinutesPass = async (id) => {
        const ago = Math.floor(Date.now() / 1000) - 600;
        await sql(`UPDATE requests SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 600 SECOND, body = REGEXP_REPLACE(CONVERT(body USING utf8mb4), '"deadline":"[0-9]+"', '"deadline":"${ago}"') WHERE execution_id = ${id}`);
        await sql(`UPDATE executions SET valid_until = UTC_TIMESTAMP(3) - INTERVAL 600 SECOND WHERE id = ${id}`);
    };
    const hasQuotaAgain = () => sql("DELETE FROM upstream_cache WHERE cache_key = UNHEX(SHA2('relayer quota', 256))");

    for (const [what, path, json, came] of [
        ['a deposit that has been paid', 'deposit', { amount: '5', token: 'USDC.e' }, { dollars: -5, collateral: 5 }],
        ['a withdrawal', 'withdraw', { amount: '5' }, { dollars: 5, collateral: -5 }],
    ]) {
        test(`for longer than ${what} lives: it waits, and is carried out once`, async () => {
            const { agent, address, trading } = await newTrader(20);
            if (path === 'withdraw') await deposited(agent, '20');
            const before = { dollars: (await held(address)).dollars, collateral: (await held(trading)).collateral };
            const nonce = path === 'withdraw' ? await at(trading).nonce() : 0n;
            await wrong('relay_quota', { times: 1 });
            const { transfer: { id } } = granted(await agent.post(`/predict/${path}`, json));
            const shown = async () => granted(await agent.get(`/predict/transfer/${id}`)).transfer;
            try {
                await until('it to wait', async () => (await shown()).waiting_until);
                await tenMinutesPass(id);
                await until('it to live longer', async () => Number(await sql(`SELECT MIN(expires_at > UTC_TIMESTAMP(3) + INTERVAL 11 HOUR) FROM requests WHERE execution_id = ${id}`)) === 1);
                const { status, waiting_until } = await shown();
                assert.match(status, /^(pending|submitted|processing)$/);
                assert.ok(Date.parse(waiting_until) > Date.now() + 11 * 3600_000, waiting_until);
                assert.deepEqual(granted(await agent.get('/predict/transfers')).transfers.map((each) => each.status).filter((each) => each === 'failed'), []);
            } finally {
                await hasQuotaAgain();
            }
            await untilFinal('it to be completed', async () => {
                const { status, error } = await shown();
                assert.notEqual(status, 'failed', error);
                return status === 'completed';
            });
            const after = { dollars: (await held(address)).dollars, collateral: (await held(trading)).collateral };
            assert.deepEqual(after, { dollars: before.dollars + units(came.dollars), collateral: before.collateral + units(came.collateral) });
            assert.equal(await at(trading).nonce(), nonce + 1n);
        });
    }

    test('for longer than a transfer lives refuses it before anything is paid, and no order', async () => {
        const [{ agent: first, address }, rich] = [await newTrader(20), await trader(20)];
        await wrong('relay_quota', { times: 1 });
        const { transfer: { id } } = granted(await first.post('/predict/deposit', { amount: '5', token: 'USDC.e' }));
        try {
            await until('it to wait', async () => granted(await first.get(`/predict/transfer/${id}`)).transfer.waiting_until);
            const { dollars } = await held(address);
            const answer = await rich.send('POST', '/predict/withdraw', { json: { amount: '5' }, mayBreak: true });
            says(answer, 'Prediction transfer failed', 500);
            assert.match(answer.body.hint, /quota is used up/);
            assert.ok(Number(answer.headers['retry-after']) > 3600, answer.headers['retry-after']);
            assert.equal((await held(address)).dollars, dollars);
            granted(await place(rich, await bidOf(rich, 5)));
        } finally {
            await hasQuotaAgain();
        }
        await untilFinal('it to be completed', async () => granted(await first.get(`/predict/transfer/${id}`)).transfer.status === 'completed');
    });
});

test('the first deposit is paid only where the factory would make the wallet', async () => {
    const bare = (address) => address.slice(2).toLowerCase();
    const code = await rpc('polygon', 'eth_getCode', [ADDRESSES.walletFactory, 'latest']);
    const become = (other) => rpc('polygon', 'anvil_setCode', [ADDRESSES.walletFactory, other]);
    const elsewhere = code.replaceAll(bare(ADDRESSES.walletBeacon), bare(ADDRESSES.walletImplementation));
    const [predicts, beacon] = [id('predictWalletAddress(bytes32)'), id('BEACON()')].map((hash) => hash.slice(2, 10));
    const { agent, address, trading } = await newTrader(20);
    const refuse = async () => {
        const answer = await agent.send('POST', '/predict/deposit', { json: { amount: '5', token: 'USDC.e' }, mayBreak: true });
        says(answer, 'Prediction transfer failed', 500);
        assert.match(answer.body.hint, /^Nothing was paid: the venue's factory/);
    };
    try {
        await become(elsewhere); // says so
        await refuse();
        await become(elsewhere.replaceAll(predicts, '01020304')); // names another beacon alone
        await refuse();
        await become(code.replaceAll(predicts, '01020304').replaceAll(beacon, '01020305')); // says nothing
        await refuse();
        assert.deepEqual([await held(address), (await held(trading)).collateral], [{ dollars: units(20), collateral: 0n }, 0n]);
        assert.deepEqual(granted(await agent.get('/predict/transfers')).transfers, []);
        await become(code.replaceAll(predicts, '01020304')); // the beacon is enough
        await deposited(agent, '5', 'USDC.e');
        await become(elsewhere); // where there is a wallet it stays
        const more = await agent.post('/predict/deposit', { amount: '5', token: 'USDC.e' });
        await become(code);
        await completed(agent, more);
    } finally {
        await become(code);
    }
});

test('an order before the deposit has ended is told of it', async () => {
    const { agent } = await newTrader(30);
    const deposit = await agent.post('/predict/deposit', { amount: '2' });
    const early = await place(agent, await bidOf(agent, 1));
    says(early, 'Insufficient balance or allowance');
    assert.match(early.body.hint, new RegExp(`^Deposit ${granted(deposit).transfer.id} of 2 USDC.e has not ended: .*/predict/transfer/`));
    await completed(agent, deposit);
});
