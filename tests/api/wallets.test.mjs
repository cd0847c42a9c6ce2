// POST /wallets, GET /wallets.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getAddress } from 'ethers';
import { granted, hasMembers, refused, register, show } from './lib.mjs';

const create = async (agent, options) => granted(await agent.send('POST', '/wallets', options), 201).wallet;
const list = async (agent) => granted(await agent.get('/wallets')).wallets;

test('a wallet without a body', async () => {
    const agent = await register();
    const wallet = await create(agent);
    hasMembers(wallet, ['address', 'chain_type', 'supported_chains']);
    assert.equal(wallet.address, getAddress(wallet.address.toLowerCase()), 'EIP-55');
    assert.equal(wallet.chain_type, 'evm');
    for (const chain of ['ethereum', 'base', 'arbitrum']) assert.ok(wallet.supported_chains.includes(chain), chain);
    assert.ok(!wallet.supported_chains.includes('solana'));
});

test('a new agent has none; later they come oldest first', async () => {
    const agent = await register();
    assert.deepEqual(await list(agent), []);
    const made = [];
    for (const json of [undefined, {}, { chain_type: 'evm' }, { chain_type: null }]) made.push(await create(agent, { json }));
    assert.deepEqual(await list(agent), made);
    assert.equal(new Set(made.map(({ address }) => address)).size, 4);
});

test('wallets are their owner\'s alone', async () => {
    const [one, two] = [await register(), await register()];
    await create(one);
    assert.deepEqual(await list(two), []);
});

test('twenty at once are twenty', async () => {
    const agent = await register();
    const made = await Promise.all(Array.from({ length: 20 }, () => create(agent)));
    assert.equal(new Set(made.map(({ address }) => address)).size, 20);
    assert.equal((await list(agent)).length, 20);
});

for (const chain_type of ['EVM ', 'bitcoin', '', 1, true, ['evm'], {}]) {
    test(`no wallet of type ${JSON.stringify(chain_type)}`, async () => {
        const agent = await register();
        const answer = await agent.post('/wallets', { chain_type });
        refused(answer, 'Validation failed', ['chain_type']);
        assert.deepEqual(await list(agent), [], show(answer));
    });
}
