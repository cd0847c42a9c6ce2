// Section: perps
// Policies, approvals and stops hold for perpetuals: for what opens or enlarges a position, and never for what reduces one.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { give } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    granted, refused, register, show, stackSettings, until,
} from './lib.mjs';

const REFUSED = 'Refused by a wallet policy';
const PAUSED = 'Trading is paused by the operator';
const HOUR = 3600;
const { SANDBOX_UPSTREAM_PORT } = await stackSettings();
const gateway = await startGateway(); // for its operator
after(() => gateway.stop());

/** The venue does so at once. */
async function act(fault, value) {
    const response = await fetch(`http://127.0.0.1:${SANDBOX_UPSTREAM_PORT}/_sandbox`, { method: 'POST', body: JSON.stringify({ service: 'hyperliquid', fault, value }) });
    assert.equal(response.status, 200, await response.text());
}

/** An agent whose wallet has dollars at the venue. */
async function trader(dollars = 10_000) {
    const agent = await register();
    agent.wallet_address = await agent.wallet();
    await act('give', { user: agent.wallet_address.toLowerCase(), amount: String(dollars + 1) }); // its first credit costs one
    return agent;
}

const place = (agent, order) => agent.post('/perps/order', { market: 'ETH-USD', side: 'long', size: '1', ...order });
/** Far below all asks, so that it rests: 2500 dollars, of which a fifth is bound, and a fee of 1.125. */
const bid = (agent, more) => place(agent, { type: 'limit', price: '2500', leverage: 5, ...more });
const close = (agent, more) => agent.post('/perps/close', { market: 'ETH-USD', ...more });
const setLeverage = (agent, leverage) => agent.post('/perps/leverage', { market: 'ETH-USD', leverage });
const cancel = (agent, { id }) => agent.send('DELETE', `/perps/order/${id}`);
const orderOf = (answer) => granted(answer).order;
const limit = async (agent, type, params) => granted(await agent.post('/wallet/policy', { type, params })).policy.id;
const hintOf = (answer) => refused(answer, REFUSED).hint;
const shown = async (agent, { id }) => granted(await agent.get(`/perps/order/${id}`)).order;
const becomes = (agent, order, status) => until(`the order to be ${status}`, async () => {
    const now = await shown(agent, order);
    return now.status === status && now;
});
const filled = async (agent, order) => becomes(agent, orderOf(await place(agent, order)), 'filled');
const rests = async (agent, order) => becomes(agent, orderOf(await bid(agent, order)), 'open');
const cancelled = async (agent, order) => {
    const answer = await cancel(agent, order);
    assert.ok([200, 202].includes(answer.status), show(answer));
    return becomes(agent, order, 'cancelled');
};

/** While the policy is in force. */
async function under(agent, type, params, work) {
    const id = await limit(agent, type, params);
    await work(id);
    await gateway.agentctl('unpolicy', agent.id, id);
}

test('a whitelist has to have perpetuals and the asset, and asks for no chain', async () => {
    const agent = await trader();
    for (const [params, hint] of [
        [{ allowedVenues: ['swap', 'predict', 'lend', 'withdraw'] }, /allowedVenues must include perps/],
        [{ allowedTokens: ['BTC', 'USDC', 'WETH'] }, /allowedTokens must include ETH/],
    ]) await under(agent, 'whitelist', params, async (id) => assert.match(hintOf(await bid(agent)), new RegExp(`Policy ${id} \\(whitelist\\): .*${hint.source}`)));
    await limit(agent, 'whitelist', { allowedVenues: ['perps'], allowedTokens: ['eth'], allowedChains: ['base'], allowedAddresses: [`0x${'7'.repeat(40)}`] });
    await cancelled(agent, await rests(agent));
    assert.match(hintOf(await place(agent, { market: 'BTC-USD', size: '0.01', type: 'limit', price: '50000', leverage: 5 })), /allowedTokens must include BTC/);
});

test('margin counts where a limit names the venue, to the unit, and nowhere else', async () => {
    const agent = await trader();
    await limit(agent, 'spending_limit', { maxAmountUsd: '1' });
    await under(agent, 'spending_limit', { maxAmountUsd: '501.125', venue: 'perps' }, async (id) => {
        await cancelled(agent, await rests(agent));
        const hint = hintOf(await bid(agent, { size: '1.0001' }));
        assert.match(hint, new RegExp(`Policy ${id} \\(spending_limit\\): it allows 501.125 USD per order, and this one binds 501.1751\\d* USD`));
        assert.match(hintOf(await bid(agent, { leverage: 4 })), /binds 626.125 USD/);
    });
    await under(agent, 'spending_limit', { maxAmountUsd: '501.124', venue: 'perps' }, async () => assert.match(hintOf(await bid(agent)), /binds 501.125 USD/));
});

test('orders add up within a window, and what they do not fill is given back', async () => {
    const agent = await trader();
    await limit(agent, 'spending_limit', { maxAmountUsd: '1100', venue: 'perps', timeWindowSeconds: HOUR });
    const first = await rests(agent), second = await rests(agent);
    assert.match(hintOf(await bid(agent)), /1002.25 USD of it is used, and this order binds 501.125 USD/);
    await cancelled(agent, first);
    await until('what it bound to be given back', async () => {
        const answer = await bid(agent);
        return answer.status === 200 && becomes(agent, answer.body.order, 'open');
    });
    assert.match(hintOf(await bid(agent)), /1002.25 USD of it is used/);
    await cancelled(agent, second);
});

test('an order that reduces a position counts nothing and needs no approval', async () => {
    const agent = await trader();
    await filled(agent, { leverage: 5 });
    await limit(agent, 'spending_limit', { maxAmountUsd: '0.01', venue: 'perps' });
    assert.match(hintOf(await place(agent, { size: '0.1' })), /this one binds/);
    assert.match(hintOf(await place(agent, { side: 'short', size: '0.1' })), /this one binds/); // it may open one by the time it is filled
    await limit(agent, 'approval_limit', { maxAmountUsd: '0.01' });
    await limit(agent, 'whitelist', { allowedVenues: ['swap'] });
    await filled(agent, { side: 'short', size: '0.25', reduceOnly: true });
    await becomes(agent, orderOf(await close(agent, { size: '0.25' })), 'filled');
    await becomes(agent, orderOf(await close(agent)), 'filled');
    assert.deepEqual(granted(await agent.get('/perps/positions')).positions, []);
});

test('leverage and slippage are bounded, in orders and where leverage is set', async () => {
    const agent = await trader();
    await filled(agent, { size: '0.1', leverage: 5 });
    await under(agent, 'execution_limit', { maxLeverage: 4 }, async (id) => {
        const above = new RegExp(`Policy ${id} \\(execution_limit\\): a leverage of 5 is above its maxLeverage of 4`);
        assert.match(hintOf(await bid(agent)), above);
        assert.match(hintOf(await bid(agent, { leverage: undefined })), above); // as the account has it
        assert.match(hintOf(await setLeverage(agent, 6)), /a leverage of 6 is above/);
        await becomes(agent, orderOf(await close(agent, { size: '0.05' })), 'filled');
        granted(await setLeverage(agent, 3));
        await cancelled(agent, await rests(agent, { leverage: 4 }));
    });
    await under(agent, 'execution_limit', { maxSlippage: 0.01 }, async () => {
        assert.match(hintOf(await place(agent, { size: '0.1' })), /maxSlippage/);
        await filled(agent, { size: '0.1', slippage: 0.01 });
        await becomes(agent, orderOf(await close(agent)), 'filled');
    });
});

test('beyond an approval limit an order waits for the operator, and goes on once, as it was approved', async () => {
    const agent = await trader();
    await limit(agent, 'approval_limit', { maxAmountUsd: '400' });
    const goOn = ({ approval_id }) => agent.post('/perps/order', { approval_id });
    await cancelled(agent, await rests(agent, { size: '0.5' }));
    const asked = granted(await bid(agent), 202);
    assert.equal(asked.status, 'pending_approval');
    assert.deepEqual(granted(await agent.get('/perps/orders?status=open')).orders, []);
    assert.equal(granted(await goOn(asked), 202).approval_id, asked.approval_id);
    await gateway.agentctl('approve', asked.approval_id);
    const answers = await Promise.all([goOn(asked), goOn(asked)]);
    const went = answers.find(({ status }) => status === 200);
    assert.ok(went, answers.map(show).join());
    const order = await becomes(agent, orderOf(went), 'open');
    assert.equal(granted(await agent.get('/perps/orders?status=open')).orders.length, 1);
    assert.deepEqual([order.price, order.size, order.leverage], ['2500', '1', 5]);
    refused(await goOn(asked), 'Approval not found');
    await cancelled(agent, order);
    const denied = granted(await bid(agent), 202);
    await gateway.agentctl('deny', denied.approval_id);
    refused(await goOn(denied), 'Approval denied');

    const market = granted(await place(agent, { leverage: 5 }), 202);
    await gateway.agentctl('approve', market.approval_id);
    const done = await becomes(agent, orderOf(await goOn(market)), 'filled');
    assert.ok(Number(done.averagePrice) <= Number(done.price), JSON.stringify(done));
    await becomes(agent, orderOf(await close(agent)), 'filled');
});

test('a stop of the agent lets through what reduces positions, the stop of all cancels alone', async () => {
    const agent = await trader();
    await filled(agent, { leverage: 5 });
    const [one, another] = [await rests(agent, { size: '0.1' }), await rests(agent, { size: '0.1' })];
    const stopped = async (whom, work) => {
        await gateway.agentctl('stop', whom);
        try { await work(); } finally { await gateway.agentctl('resume', whom); }
    };
    const held = async () => {
        refused(await place(agent, { size: '0.1' }), PAUSED);
        refused(await setLeverage(agent, 3), PAUSED);
    };
    await stopped('all', async () => {
        await held();
        await act('hasten', { user: agent.wallet_address.toLowerCase(), what: 'agents' }); // which costs the cancel a new key
        refused(await close(agent), PAUSED);
        refused(await place(agent, { side: 'short', size: '0.1', reduceOnly: true }), PAUSED);
        await cancelled(agent, one);
    });
    await stopped(agent.id, async () => {
        await held();
        await cancelled(agent, another);
        for (const order of [{ slippage: 0.5 }, { type: 'limit', price: 2900 }]) refused(await place(agent, { side: 'short', size: '0.1', reduceOnly: true, ...order }), PAUSED);
        refused(await close(agent, { slippage: 0.5 }), PAUSED);
        await filled(agent, { side: 'short', size: '0.25', reduceOnly: true });
        await becomes(agent, orderOf(await close(agent)), 'filled');
    });
});

// ---------------------------------------------------------------- deposits

const circle = await startGateway(['perps_route = cctp', 'tier.standard = 100000']);
after(() => circle.stop());

/** An agent with coins and so many dollars on base. */
async function depositor(dollars = '1000') {
    const agent = await register();
    agent.base = circle.base;
    agent.wallet_address = await agent.wallet('base', 1);
    await give('base', agent.wallet_address, 'USDC', dollars);
    return agent;
}

const deposit = (agent, amount, more = {}) => agent.post('/perps/deposit', { amount, chain: 'base', ...more });
const deposited = async (agent, amount) => {
    const { transfer } = granted(await deposit(agent, amount));
    assert.deepEqual([transfer.type, transfer.amount], ['deposit', amount]);
    return transfer;
};

test('a deposit counts as what it is, with swaps, and where the venue is named not at all', async () => {
    const agent = await depositor();
    await limit(agent, 'spending_limit', { maxAmountUsd: '1', venue: 'perps' });
    const id = await limit(agent, 'spending_limit', { maxAmount: '150', token: 'USDC', timeWindowSeconds: HOUR });
    await deposited(agent, '100');
    assert.match(hintOf(await deposit(agent, '60')), new RegExp(`Policy ${id} .*it allows 150 USDC in 3600 seconds, 100 USDC of it is used, and this deposit gives 60 USDC`));
    refused(await agent.execute(await agent.quote('USDC', 'ETH', '60', { chain: 'base' })), REFUSED);
    await deposited(agent, '50');
});

test('a whitelist has to have chain, token, venue and recipient of a deposit', async () => {
    const agent = await depositor();
    for (const [params, hint] of [
        [{ allowedVenues: ['swap'] }, /allowedVenues must include perps/], [{ allowedChains: ['arbitrum'] }, /allowedChains must include both chains/],
        [{ allowedTokens: ['ETH', 'BTC'] }, /allowedTokens must include both tokens/], [{ allowedAddresses: [`0x${'7'.repeat(40)}`] }, /allowedAddresses must include whom this deposit gives/],
    ]) {
        await limit(agent, 'whitelist', params).then(async (id) => {
            assert.match(hintOf(await deposit(agent, '10')), hint);
            await gateway.agentctl('unpolicy', agent.id, id);
        });
    }
    await limit(agent, 'whitelist', { allowedVenues: ['perps'], allowedChains: ['base'], allowedTokens: ['USDC'] });
    await deposited(agent, '10');
});

test('a large deposit waits for the operator, and an approval carries out what it was given for, once', async () => {
    const agent = await depositor();
    await limit(agent, 'approval_limit', { maxAmountUsd: '50' });
    const goOn = ({ approval_id }, where = 'deposit') => agent.post(`/perps/${where}`, { approval_id });
    await deposited(agent, '20');
    const asked = granted(await deposit(agent, '100'), 202);
    assert.deepEqual([asked.status, asked.transfer.status, asked.transfer.amount], ['pending_approval', 'pending', '100']);
    refused(await goOn(asked, 'order'), 'Approval not found');
    assert.equal(granted(await goOn(asked), 202).approval_id, asked.approval_id);
    await gateway.agentctl('approve', asked.approval_id);
    assert.equal(granted(await goOn(asked)).transfer.id, asked.transfer.id);
    refused(await goOn(asked), 'Approval not found');
});

test('a deposit is held while its agent is stopped', async () => {
    const agent = await depositor();
    for (const whom of [agent.id, 'all']) {
        await gateway.agentctl('stop', whom);
        try { refused(await deposit(agent, '10'), PAUSED); } finally { await gateway.agentctl('resume', whom); }
    }
    await deposited(agent, '10');
});
