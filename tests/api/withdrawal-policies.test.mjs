// Section: api
// Policies and approvals hold for withdrawals as they do for swaps.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Wallet } from 'ethers';
import {
    balance, give, impersonated, nonceOf, units,
} from './chain.mjs';
import { startGateway } from './gateway.mjs';
import { granted, refused, register, until } from './lib.mjs';

const REFUSED = 'Refused by a wallet policy';
const gateway = await startGateway(); // for its operator
after(() => gateway.stop());

/** An agent with two active addresses, and 10 ETH and 1000 USDC on Base. */
async function owner() {
    const agent = await register();
    const added = async (label) => granted(await agent.post('/withdrawal-addresses', { address: Wallet.createRandom().address, label }), 201).withdrawal_address;
    [agent.cold, agent.hot] = [await added('cold'), await added('hot')];
    agent.wallet_address = await agent.wallet('base', 10);
    await give('base', agent.wallet_address, 'USDC', '1000');
    return agent;
}

const withdraw = (agent, to, amount, token = 'USDC') => agent.post('/wallets/withdraw', { token, amount, chain: 'base', to });
const limit = async (agent, type, params) => granted(await agent.post('/wallet/policy', { type, params })).policy.id;
const hintOf = (answer) => refused(answer, REFUSED).hint;
const completed = (agent, id) => until(`withdrawal ${id} to end`, async () => {
    const now = granted(await agent.get(`/withdrawals/${id}`)).withdrawal;
    assert.notEqual(now.status, 'failed', now.error);
    return now.status === 'completed' && now;
});
const withdrawn = async (agent, ...what) => completed(agent, granted(await withdraw(agent, ...what)).withdrawal.id);

test('a whitelist of what a wallet is for has to have withdrawals', async () => {
    const agent = await owner();
    const id = await limit(agent, 'whitelist', { allowedVenues: ['swap', 'predict', 'perps', 'lend'] });
    assert.match(hintOf(await withdraw(agent, 'cold', '10')), /allowedVenues must include withdraw/);
    const rehearsal = granted(await agent.post('/wallets/withdraw/simulate', { token: 'USDC', amount: '10', chain: 'base', to: 'cold' }));
    assert.deepEqual([rehearsal.would_execute, rehearsal.checks.find(({ name }) => name === 'policies_allow').status], [false, 'fail']);
    await gateway.agentctl('unpolicy', agent.id, id);
    await limit(agent, 'whitelist', { allowedVenues: ['withdraw'], allowedAddresses: [agent.cold.address.toLowerCase()] });
    await withdrawn(agent, 'cold', '10');
    await withdrawn(agent, 'cold', '0.1', 'ETH');
    for (const token of ['USDC', 'ETH']) assert.match(hintOf(await withdraw(agent, 'hot', '1', token)), new RegExp(`allowedAddresses.*${agent.hot.address}`));
    assert.equal(await balance('base', agent.hot.address, 'USDC'), 0n);
});

test('a spending limit counts withdrawals and swaps together', async () => {
    const agent = await owner();
    await limit(agent, 'spending_limit', { maxAmountUsd: '100', timeWindowSeconds: 3600 });
    await withdrawn(agent, 'cold', '60');
    assert.match(hintOf(await withdraw(agent, 'cold', '60')), /100/);
    refused(await agent.execute(await agent.quote('USDC', 'ETH', '60', { chain: 'base' })), REFUSED);
    await agent.completed(await agent.swap('USDC', 'ETH', '30', { chain: 'base' }));
    refused(await withdraw(agent, 'cold', '20'), REFUSED);
    await withdrawn(agent, 'cold', '5');
    assert.equal(await balance('base', agent.cold.address, 'USDC'), units('base', 'USDC', '65'));
});

test('beyond an approval limit it waits for the operator, and the approval alone goes on with it, once', async () => {
    const agent = await owner();
    await limit(agent, 'approval_limit', { maxAmountUsd: '50' });
    await withdrawn(agent, 'cold', '10');
    const asked = granted(await withdraw(agent, 'cold', '200'), 202);
    assert.deepEqual([asked.status, asked.withdrawal.status, asked.withdrawal.amount], ['pending_approval', 'pending', '200']);
    const goOn = ({ approval_id }) => agent.post('/wallets/withdraw', { approval_id });
    assert.equal(granted(await goOn(asked), 202).approval_id, asked.approval_id);
    const nonce = await nonceOf('base', agent.wallet_address, 'pending');
    // Terms that are sent with it have to be those that were approved.
    const terms = { token: 'USDC', amount: '200', chain: 'base', to: 'cold' };
    const other = Wallet.createRandom().address;
    await gateway.agentctl('approve', asked.approval_id);
    for (const [name, value] of Object.entries({ token: 'ETH', amount: '201', chain: 'ethereum', address_id: agent.hot.id, to: other, wallet_address: other })) {
        for (const json of [{ [name]: value }, { ...terms, [name]: value }]) {
            const { fields } = refused(await agent.post('/wallets/withdraw', { ...json, approval_id: asked.approval_id }), 'Validation failed', [name]);
            assert.deepEqual(fields, { [name]: 'differs from what the approval was asked for' });
        }
    }
    assert.equal(granted(await agent.get(`/withdrawals/${asked.withdrawal.id}`)).withdrawal.status, 'pending');
    const answers = await Promise.all([goOn(asked), agent.post('/wallets/withdraw', { ...terms, amount: 200.0, token: 'usdc', approval_id: asked.approval_id }), goOn(asked)]);
    assert.ok(answers.some(({ status }) => status === 200));
    const done = await completed(agent, asked.withdrawal.id);
    assert.deepEqual([done.amount, done.to], ['200', agent.cold.address]);
    assert.deepEqual([await nonceOf('base', agent.wallet_address, 'pending'), await balance('base', agent.cold.address, 'USDC')], [nonce + 1, units('base', 'USDC', '210')]);
    const denied = granted(await withdraw(agent, 'cold', '300'), 202);
    await gateway.agentctl('deny', denied.approval_id);
    refused(await goOn(denied), 'Approval denied');
    refused(await agent.post('/wallets/withdraw', { approval_id: `ap_${'0'.repeat(32)}` }), 'Approval not found');
});

test('all of the coin that was approved is what is left of that once it is paid', async () => {
    const agent = await owner();
    await limit(agent, 'approval_limit', { maxAmountUsd: '50' });
    const { approval_id, withdrawal } = granted(await withdraw(agent, 'cold', 'max', 'ETH'), 202);
    await impersonated('base', agent.wallet_address, { to: Wallet.createRandom().address, value: '0xde0b6b3a7640000' });
    await gateway.agentctl('approve', approval_id);
    granted(await agent.post('/wallets/withdraw', { approval_id }));
    const done = await completed(agent, withdrawal.id);
    assert.ok(Number(done.amount) > 8.9 && Number(done.amount) < 9, done.amount);
    assert.equal(await balance('base', agent.cold.address, 'ETH'), units('base', 'ETH', done.amount));
});

test('an address that is removed after the approval is not paid', async () => {
    const agent = await owner();
    await limit(agent, 'approval_limit', { maxAmountUsd: '50' });
    const { approval_id } = granted(await withdraw(agent, 'cold', '200'), 202);
    await gateway.agentctl('approve', approval_id);
    assert.equal((await agent.send('DELETE', `/withdrawal-addresses/${agent.cold.id}`)).status, 204);
    refused(await agent.post('/wallets/withdraw', { approval_id }), 'Withdrawal address not found');
    assert.equal(await balance('base', agent.cold.address, 'USDC'), 0n);
});
