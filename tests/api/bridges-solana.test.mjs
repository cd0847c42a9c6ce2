// Section: api
// Bridges from chains of the EVM to Solana: who is paid there, what arrives, what comes back. The gateway is the test's own, and
// so is who follows its swaps; services, solver and chains are the stack's. Lies: bridge-lies.test.mjs.

import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Keypair } from '@solana/web3.js';
import { MINTS } from '../../contrib/sandbox/solana/world.mjs';
import {
    balance, fund, give, nonceOf, token, units,
} from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    granted, inTransit, refused, registerUnlimited, stackSettings, until,
} from './lib.mjs';


const settings = await stackSettings();
const upstream = `http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}`, node = settings.SANDBOX_SOLANA_URL;
const gateway = await startGateway(
    ['relay', 'lifi', 'across'].flatMap((key) => [`provider.${key}.url = ${upstream}/${key}`, `provider.${key}.rate = 100/s`]), { jobs: ['swap-poll'] },
);
after(() => gateway.stop());

/** What goes wrong for a wallet alone. */
const wrong = (wallet, service, fault, more = { times: 1 }) => fetch(`${upstream}/_sandbox`, { method: 'POST', body: JSON.stringify({ service, fault, wallet, ...more }) });

const stranger = () => Keypair.generate().publicKey.toBase58();

async function ask(method, params) {
    const response = await fetch(node, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) });
    return (await response.json()).result;
}

/** Of the coin or a token; what is not there is nothing. */
async function held(address, symbol) {
    const commitment = 'confirmed';
    if (symbol === 'SOL') return BigInt((await ask('getBalance', [address, { commitment }])).value);
    const { value } = await ask('getTokenAccountsByOwner', [address, { mint: MINTS[symbol].mint }, { encoding: 'jsonParsed', commitment }]);
    return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}

const farUnits = (symbol, text) => {
    const [whole, part = ''] = text.split('.');
    return BigInt(whole + part.padEnd(symbol === 'SOL' ? 9 : MINTS[symbol].decimals, '0'));
};

/** An agent with coins and dollars on two chains, and a wallet on Solana unless it is to have none. */
async function bridger({ far = true } = {}) {
    const agent = await registerUnlimited();
    Object.assign(agent, { base: gateway.base, address: await agent.wallet() });
    for (const chain of ['ethereum', 'base']) {
        await fund(chain, agent.address, 10);
        await give(chain, agent.address, 'USDC', '1000');
    }
    agent.policy = async (type, params) => granted(await agent.post('/wallet/policy', { type, params })).policy;
    agent.create = async () => granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet.address;
    if (far) agent.far = await agent.create();
    agent.ask = (from_chain, [from_token, to_token, amount], more = {}) => agent.post('/quote', {
        from_chain, to_chain: 'solana', from_token, to_token, amount, wallet_address: agent.address, ...more,
    });
    return agent;
}

/** So much leaves here, and what is told arrives there. */
async function arrives(key, chain, [sold, bought, amount]) {
    const agent = await bridger();
    const quote = granted(await agent.ask(chain, [sold, bought, amount], { providers: [key] }));
    assert.deepEqual([quote.to_wallet_address, quote.warnings, quote.bridge], [agent.far, [], key]);
    const had = await held(agent.far, bought);
    const swap = await agent.completed(granted(await agent.execute(quote)).swap_id);
    assert.deepEqual([swap.bridge, swap.delivery, swap.from_chain, swap.to_chain], [key, 'proven', chain, 'solana']);
    assert.deepEqual(swap.transactions.map((each) => [each.chain, each.kind]), [
        ...sold === 'ETH' ? [] : [[chain, 'approval']], [chain, 'bridge_in'], ['solana', 'bridge_out'],
    ]);
    assert.match(swap.transactions.at(-1).tx_hash, /^[1-9A-HJ-NP-Za-km-z]{86,88}$/);
    const arrived = farUnits(bought, swap.to_amount);
    assert.ok(arrived >= farUnits(bought, quote.amount_out_min), swap.to_amount);
    assert.equal(await held(agent.far, bought) - had, arrived);
}

describe('to Solana', { concurrency: true }, () => {
    for (const [key, chain, pair] of [
        ['relay', 'base', ['USDC', 'USDC', '50']], ['relay', 'base', ['USDC', 'SOL', '50']], ['relay', 'ethereum', ['ETH', 'SOL', '0.1']],
        ['relay', 'ethereum', ['ETH', 'USDC', '0.1']], ['lifi', 'base', ['USDC', 'USDC', '50']], ['lifi', 'ethereum', ['ETH', 'USDC', '0.1']],
    ]) test(`${key}: ${pair[0]} on ${chain} arrives as ${pair[1]}`, () => arrives(key, chain, pair));

    test('a named wallet of the agent is paid, and no other agent\'s', async () => {
        const agent = await bridger(), second = await agent.create();
        const quote = granted(await agent.ask('base', ['USDC', 'USDC', '20'], { to_wallet_address: second, providers: ['relay'] }));
        const swap = await agent.completed(granted(await agent.execute(quote)).swap_id);
        assert.equal(await held(second, 'USDC'), farUnits('USDC', swap.to_amount));
        assert.equal(await held(agent.far, 'USDC'), 0n);
        const other = await bridger();
        for (const foreign of [stranger(), other.far]) {
            const away = granted(await agent.ask('base', ['USDC', 'USDC', '20'], { to_wallet_address: foreign }));
            assert.equal(away.to_wallet_address, foreign);
            refused(await agent.execute(away), 'No managed wallet found');
            const { checks, would_execute: would } = granted(await agent.post('/swap/simulate', { quote_id: away.quote_id }));
            assert.deepEqual([would, checks.find(({ name }) => name === 'policies_allow').status], [false, 'fail']);
        }
    });

    test('a bridge without a wallet there is refused, with a hint how to create one', async () => {
        const agent = await bridger({ far: false });
        const quote = granted(await agent.ask('base', ['USDC', 'USDC', '20'], { providers: ['relay'] }));
        assert.equal(quote.to_wallet_address, null);
        assert.match(quote.warnings[0], /^You have no wallet on solana to be paid: POST \/wallets with chain_type solana/);
        assert.match(refused(await agent.execute(quote), 'No managed wallet found').hint, /POST \/wallets with chain_type solana/);
        refused(await agent.post('/swap', { quote_id: quote.quote_id, wallet_address: agent.address }), 'No managed wallet found');
        const far = await agent.create();
        const swap = await agent.completed(granted(await agent.execute(quote)).swap_id);
        assert.equal(await held(far, 'USDC'), farUnits('USDC', swap.to_amount));
    });

    test('an unsigned bridge may pay any address', async () => {
        const agent = await bridger({ far: false }), to_wallet_address = stranger();
        const { transaction, swap } = granted(await agent.post('/swap', {
            from_chain: 'base', to_chain: 'solana', from_token: 'USDC', to_token: 'SOL', amount: '20', wallet_address: agent.address, to_wallet_address, providers: ['relay'],
        }));
        assert.deepEqual([transaction.type, transaction.chain_id, swap.to_chain], ['evm', 8453, 'solana']);
    });

    test('a deposit that the solver does not fill is refunded', async () => {
        const agent = await bridger();
        await wrong(agent.address, 'solver', 'refund');
        const quote = granted(await agent.ask('base', ['USDC', 'SOL', '50'], { providers: ['relay'] }));
        const swap = await agent.settled(granted(await agent.execute(quote)).swap_id);
        assert.deepEqual([swap.status, swap.error_code, swap.delivery], ['failed', 'BRIDGE_REFUNDED', 'proven']);
        assert.equal(await balance('base', agent.address, 'USDC'), units('base', 'USDC', '1000'));
        assert.equal(await held(agent.far, 'SOL'), 0n);
    });

    test('another token that came is what was received', async () => {
        const agent = await bridger();
        await wrong(agent.address, 'solver', 'pays_other_token');
        const quote = granted(await agent.ask('base', ['USDC', 'USDC', '50'], { providers: ['lifi'] }));
        const swap = await agent.completed(granted(await agent.execute(quote)).swap_id);
        const { chain, token: symbol, token_address: mint, amount } = swap.received;
        assert.deepEqual([swap.delivery, swap.to_amount, chain], ['proven', null, 'solana']);
        assert.ok(symbol !== 'USDC' && mint === MINTS[symbol].mint, `${symbol} ${mint}`);
        assert.equal(farUnits(symbol, amount), await held(agent.far, symbol));
        assert.equal(await held(agent.far, 'USDC'), 0n);
    });

    test('a simulated bridge is executed, and shown while it is in transit', async () => {
        const agent = await bridger();
        await wrong(agent.address, 'solver', 'delay', { value: 6000, times: 1 });
        const body = granted(await agent.post('/swap/simulate', {
            from_chain: 'base', to_chain: 'solana', from_token: 'USDC', to_token: 'SOL', amount: '50', providers: ['relay'],
        }));
        assert.deepEqual([body.would_execute, body.chain_type, body.wallet_address], [true, 'evm', agent.address], JSON.stringify(body));
        assert.equal(await nonceOf('base', agent.address, 'pending'), 0);
        const { swap_id: id } = granted(await agent.execute(body));
        await until('the deposit', async () => (await agent.status(id)).status === 'processing');
        const moving = async (query) => inTransit(granted(await agent.get(`/portfolio${query}`)));
        const { token: symbol, amount } = body.expected_output, transit = [{ swap_id: id, chain: 'solana', symbol, amount }];
        for (const query of ['', '?chain=solana', `?wallet_address=${agent.address}`]) assert.deepEqual(await moving(query), transit, query);
        assert.deepEqual(await moving('?chain=base'), []);
        await agent.completed(id);
        assert.deepEqual(await moving(''), []);
    });

    test('an approved bridge pays the recipient of its quote', async () => {
        const agent = await bridger(), second = await agent.create();
        await agent.policy('approval_limit', { maxAmountUsd: '30' });
        const quote = granted(await agent.ask('base', ['USDC', 'USDC', '50'], { to_wallet_address: second, providers: ['relay'] }));
        const { approval_id, swap_id: id } = granted(await agent.execute(quote), 202);
        assert.equal(await nonceOf('base', agent.address, 'pending'), 0);
        await gateway.agentctl('approve', approval_id);
        assert.equal(granted(await agent.post('/swap/execute', { approval_id })).swap_id, id);
        const swap = await agent.completed(id);
        assert.deepEqual([await held(second, 'USDC'), await held(agent.far, 'USDC')], [farUnits('USDC', swap.to_amount), 0n]);
    });

    for (const [short, long] of [
        [{ allowedChains: ['base'] }, { allowedChains: ['base', 'solana'] }], [{ allowedChains: ['solana'] }, { allowedChains: ['solana', 'base'] }],
        [{ allowedTokens: [token('base', 'USDC').address] }, { allowedTokens: [token('base', 'USDC').address, MINTS.USDC.mint] }],
    ]) test(`a list sees both ends: ${Object.keys(short)} ${Object.values(short)}`, async () => {
        const [agent, other] = [await bridger(), await bridger()];
        const policy = await agent.policy('whitelist', short);
        const quote = granted(await agent.ask('base', ['USDC', 'USDC', '20'], { providers: ['relay'] }));
        const { would_execute: would, checks } = granted(await agent.post('/swap/simulate', { quote_id: quote.quote_id }));
        assert.deepEqual([would, checks.at(-1).name, checks.at(-1).status], [false, 'policies_allow', 'fail']);
        assert.ok(refused(await agent.execute(quote), 'Refused by a wallet policy').hint.includes(policy.id));
        assert.equal(await nonceOf('base', agent.address, 'pending'), 0);
        await other.policy('whitelist', long);
        granted(await other.execute(granted(await other.ask('base', ['USDC', 'USDC', '20'], { providers: ['relay'] }))));
    });
});
