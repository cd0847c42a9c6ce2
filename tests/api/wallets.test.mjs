// Section: api
// POST /wallets, GET /wallets.

import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { test } from 'node:test';
import { decodeBase58, getAddress, toBeArray } from 'ethers';
import { API, granted, hasMembers, refused, register, send, show } from './lib.mjs';

const create = async (agent, options) => granted(await agent.send('POST', '/wallets', options), 201).wallet;
/** Keys of the chains of that kind on which anything is traded here. */
const trading = async (type) => granted(await send('GET', `${API}/chains`)).chains
    .filter((chain) => chain.type === type && chain.trading.length > 0).map(({ key }) => key);

const list = async (agent) => granted(await agent.get('/wallets')).wallets;

test('a wallet without a body', async () => {
    const agent = await register();
    const wallet = await create(agent);
    hasMembers(wallet, ['address', 'chain_type', 'supported_chains']);
    assert.equal(wallet.address, getAddress(wallet.address.toLowerCase()), 'EIP-55');
    assert.equal(wallet.chain_type, 'evm');
    assert.deepEqual(wallet.supported_chains, await trading('evm'));
});

test('a new agent has none; later they come oldest first', async () => {
    const agent = await register();
    assert.deepEqual(await list(agent), []);
    const made = [];
    for (const json of [undefined, {}, { chain_type: 'evm' }, { chain_type: null }]) made.push(await create(agent, { json }));
    assert.deepEqual(await list(agent), made);
    assert.equal(new Set(made.map(({ address }) => address)).size, 4);
});

/** The 32 bytes of an address; the leading zeros, which a number does not have, are its leading ones. */
const bytesOf = (address) => {
    const zeros = address.match(/^1*/)[0].length;
    return Buffer.concat([Buffer.alloc(zeros), toBeArray(decodeBase58(address))]);
};

test('a Solana wallet', async () => {
    const agent = await register();
    const wallet = await create(agent, { json: { chain_type: 'solana' } });
    assert.deepEqual(Object.keys(wallet).sort(), ['address', 'chain_type', 'supported_chains']);
    assert.match(wallet.address, /^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
    const key = bytesOf(wallet.address);
    assert.equal(key.length, 32);
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') }, format: 'jwk' });
    assert.equal(wallet.chain_type, 'solana');
    assert.deepEqual(wallet.supported_chains, await trading('solana'));
    assert.deepEqual(wallet.supported_chains, ['solana']);
});

test('both kinds in one list, oldest first', async () => {
    const agent = await register();
    const made = [];
    for (const chain_type of ['solana', 'evm', 'solana']) made.push(await create(agent, { json: { chain_type } }));
    assert.deepEqual(made.map(({ chain_type }) => chain_type), ['solana', 'evm', 'solana']);
    assert.equal(new Set(made.map(({ address }) => address)).size, 3);
    assert.deepEqual(await list(agent), made);
});

const EVM = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf';
test('the recipient on another family\'s chain has to be an address of that chain', async () => {
    const agent = await register();
    const { address } = await create(agent, { json: { chain_type: 'solana' } });
    const toSolana = { from_token: 'ETH', to_token: 'SOL', from_chain: 'ethereum', to_chain: 'solana', amount: '1' };
    const fromSolana = { from_token: 'SOL', to_token: 'ETH', from_chain: 'solana', to_chain: 'base', amount: '1' };
    for (const [pair, wrong, chain] of [
        [toSolana, EVM, 'solana'], [toSolana, address.slice(0, -2), 'solana'], [toSolana, 'nobody', 'solana'],
        [fromSolana, address, 'base'], [fromSolana, EVM.slice(0, -1), 'base'], [fromSolana, `0x${'0'.repeat(40)}`, 'base'],
    ]) {
        refused(await agent.post('/quote', { ...pair, to_wallet_address: wrong }), `to_wallet_address is not a valid address of ${chain}`, ['to_wallet_address']);
        refused(await agent.post('/swap', { ...pair, to_wallet_address: wrong, wallet_address: pair === toSolana ? EVM : address }),
            `to_wallet_address is not a valid address of ${chain}`, ['to_wallet_address']);
    }
    refused(await agent.post('/quote', { from_token: 'ETH', to_token: 'USDC', amount: '1', to_wallet_address: EVM }),
        'to_wallet_address is for swaps between Solana and other chains', ['to_wallet_address']);
});

test('a quote\'s wallet is of the source chain\'s kind', async () => {
    const agent = await register();
    const { address } = await create(agent, { json: { chain_type: 'solana' } });
    const onSolana = { from_token: 'SOL', to_token: 'USDC', chain: 'solana', amount: '1' };
    const wrong = 'wallet_address is not a valid address';
    refused(await agent.post('/quote', { ...onSolana, wallet_address: EVM }), wrong, ['wallet_address']);
    granted(await agent.post('/quote', { ...onSolana, wallet_address: address }));
    refused(await agent.post('/quote', { from_token: 'ETH', to_token: 'USDC', amount: '1', wallet_address: address }), wrong, ['wallet_address']);
    refused(await agent.post('/swap', { ...onSolana, wallet_address: EVM }), wrong, ['wallet_address']);
    refused(await agent.post('/swap', { from_token: 'ETH', to_token: 'USDC', amount: '1', wallet_address: address }), wrong, ['wallet_address']);
    const { quote_id } = granted(await agent.post('/quote', { from_token: 'ETH', to_token: 'USDC', amount: '1' }));
    refused(await agent.post('/swap', { quote_id, wallet_address: address }), wrong, ['wallet_address']);
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

for (const chain_type of ['EVM ', 'Solana', 'sol', 'solana ', 'bitcoin', '', 1, true, ['evm'], {}]) {
    test(`no wallet of type ${JSON.stringify(chain_type)}`, async () => {
        const agent = await register();
        const answer = await agent.post('/wallets', { chain_type });
        refused(answer, 'Validation failed', ['chain_type']);
        assert.deepEqual(await list(agent), [], show(answer));
    });
}
