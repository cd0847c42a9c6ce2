// Section: operator
// agentctl withdrawal-address: the operator's word in place of the waiting time, which only the operator's key gives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair } from '@solana/web3.js';
import { Wallet } from 'ethers';
import { balance, token, units } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    granted, receiver, refused, register, until, verified,
} from '../api/lib.mjs';
import { agentctl, operate } from './lib.mjs';

const evmAddress = () => Wallet.createRandom().address;
const book = async (agent) => granted(await agent.get('/withdrawal-addresses')).withdrawal_addresses;
const withdraw = (agent, to) => agent.post('/wallets/withdraw', { token: 'ETH', amount: '0.1', chain: 'base', to });

async function withdrawn(agent, to) {
    const { id } = granted(await withdraw(agent, to)).withdrawal;
    await until('the withdrawal', async () => granted(await agent.get(`/withdrawals/${id}`)).withdrawal.status === 'completed');
    assert.equal(await balance('base', to, 'ETH'), units('base', 'ETH', '0.1'));
}

/** On a gateway where an address waits for a day. */
async function waiting(work) {
    const gateway = await startGateway(['withdrawal_delay = 86400']);
    try {
        const agent = Object.assign(await register(), { base: gateway.base });
        await agent.wallet('base', 2);
        await work(agent, gateway);
    } finally {
        await gateway.stop();
    }
}

test('an address that waits is active at once, and so is one that was not added before', () => waiting(async (agent, gateway) => {
    const [added, unknown] = [evmAddress(), evmAddress()];
    const { id } = granted(await agent.post('/withdrawal-addresses', { address: added, label: 'cold' }), 201).withdrawal_address;
    const hook = await receiver(), secret = await agent.listen(hook.url);
    refused(await withdraw(agent, added), 'Withdrawal address is not active');
    for (const address of [added, unknown]) {
        const said = await gateway.agentctl('withdrawal-address', agent.id, address.toLowerCase(), '--now', '--reason', 'asked for by phone');
        assert.match(said, new RegExp(`${address}.*from now on`));
        assert.equal(said.split('\n').length, 1);
        const { type, data } = verified(await hook.delivery(({ raw }) => raw.includes(address)), secret);
        assert.deepEqual([type, data.address, data.status], ['withdrawal_address.added', address, 'active']);
    }
    hook.close();
    assert.deepEqual((await book(agent)).map(({ address, label, status }) => [address, label, status]), [[unknown, null, 'active'], [added, 'cold', 'active']]);
    assert.equal((await book(agent))[1].id, id);
    await withdrawn(agent, added);
    await withdrawn(agent, unknown);
    const lines = (await gateway.agentctl('audit', agent.id)).split('\n').filter((line) => line.includes('withdrawal-address'));
    assert.equal(lines.length, 2);
    for (const line of lines) assert.match(line, /asked for by phone/);
    const listed = await gateway.agentctl('withdrawal-address', agent.id);
    for (const address of [added, unknown]) assert.ok(listed.includes(address), listed);
    const { withdrawal_addresses: list } = JSON.parse(await gateway.agentctl('--json', 'withdrawal-address', agent.id));
    assert.deepEqual(list.map(({ address, status, label }) => [address, status, label]), [[unknown, 'active', null], [added, 'active', 'cold']]);
}));

test('after a removal the operator can have it paid again', () => waiting(async (agent, gateway) => {
    const address = evmAddress();
    const { id } = granted(await agent.post('/withdrawal-addresses', { address }), 201).withdrawal_address;
    assert.equal((await agent.send('DELETE', `/withdrawal-addresses/${id}`)).status, 204);
    refused(await withdraw(agent, address), 'Withdrawal address not found');
    await gateway.agentctl('withdrawal-address', agent.id, address, '--now');
    await withdrawn(agent, address);
}));

test('without the operator’s key, --now or a valid address nothing is done', async () => {
    const agent = await register(), address = evmAddress(), own = await agent.wallet();
    for (const [args, code, why] of [
        [[agent.id, address], 2, /usage/], [[agent.id, address, '--stuck'], 2, /usage/], [[agent.id, '--now'], 2, /usage/],
        [[agent.id, 'nobody', '--now'], 1, /not an address: nobody/], [['00000000-0000-4000-8000-000000000000', address, '--now'], 1, /no such agent/i],
        [[agent.id, own, '--now'], 1, /managed wallet of the agent itself/], [[agent.id, token('base', 'USDC').address, '--now'], 1, /token's contract/],
    ]) {
        const said = await agentctl('withdrawal-address', ...args);
        assert.equal(said.code, code, args.join(' '));
        assert.match(said.err, why);
    }
    assert.deepEqual(await book(agent), []);
});

test('an address of Solana counts there', async () => {
    const agent = await register(), address = Keypair.generate().publicKey.toBase58();
    granted(await agent.post('/wallets', { chain_type: 'solana' }), 201);
    await operate('withdrawal-address', agent.id, address, '--now');
    const [entry] = await book(agent);
    assert.deepEqual([entry.address, entry.chain_type, entry.status], [address, 'solana', 'active']);
});
