// Section: api
// Bridges from Solana to chains of the EVM: what leaves, what arrives at the agent's own wallet there, what comes back, and who
// signs alone. The gateway is the test's own, and so is who follows its swaps; services, solver and chains are the stack's.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Connection, Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import { MINTS } from '../../contrib/sandbox/solana/world.mjs';
import { DEPOSITORY } from '../../contrib/sandbox/solana/transaction.mjs';
import { balance, token, units } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, inTransit, refused, registerUnlimited, send, show, stack, stackSettings, until,
} from './lib.mjs';

const SOL = 1_000_000_000n;
/** Lamports that a deposit costs at most: its fee, and the depository's account of the token. */
const FEE = 20_000n, RENT = 2_074_080n;
/** Lamports that a wallet keeps at least, unless it keeps none. */
const LEAST = 890_880n;

const settings = await stackSettings();
const upstream = `http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}`;
const connection = new Connection(settings.SANDBOX_SOLANA_URL, 'confirmed');
/** Without a key Relay is asked by the second version of its API. */
const LINES = [`provider.relay.url = ${upstream}/relay`, 'provider.relay.rate = 100/s', 'provider.relay.key_file ='];
const gateway = await startGateway(LINES, { jobs: ['swap-poll'] });
after(() => gateway.stop());

/** What goes wrong for a wallet alone. */
const wrong = (wallet, service, fault, more = { times: 1 }) => fetch(`${upstream}/_sandbox`, { method: 'POST', body: JSON.stringify({ service, fault, wallet, ...more }) });
const solver = async (fault, wallet) => assert.equal((await wrong(wallet, 'solver', fault)).status, 200);

/** How often the signer has decided about a transaction of the wallet's. */
const decisions = (directory, address) => readFileSync(join(directory, 'signer', 'audit.log'), 'utf8').split('\n')
    .filter((line) => line.includes(`"${address}"`) && line.includes('"decision":"signed"')).length;

const coins = async (owner) => BigInt(await connection.getBalance(new PublicKey(owner)));
async function dollars(owner) {
    const { value } = await connection.getTokenAccountsByOwner(new PublicKey(owner), { mint: new PublicKey(MINTS.USDC.mint) });
    return value.reduce((sum, { account }) => sum + account.data.readBigUInt64LE(64), 0n);
}

const credit = (address, lamports) => fetch(`${settings.SANDBOX_SOLANA_URL}/_sandbox`, {
    method: 'POST', body: JSON.stringify({ service: 'solana', fault: 'fund', value: { address, amount: String(lamports) } }),
});

/** An agent with 100 SOL and dollars on Solana, or so many lamports alone, and a wallet on EVM chains unless it is to have none. */
async function bridger({ far = true, base = gateway.base, lamports } = {}) {
    const agent = await registerUnlimited();
    agent.base = base;
    agent.near = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet.address;
    if (lamports === undefined) await stack('fund', agent.near, 'solana');
    else assert.equal((await credit(agent.near, lamports)).status, 200);
    if (far) agent.far = await agent.wallet();
    agent.policy = async (type, params) => granted(await agent.post('/wallet/policy', { type, params })).policy;
    agent.ask = (to_chain, [from_token, to_token, amount], more = {}) => agent.post('/quote', {
        from_chain: 'solana', to_chain, from_token, to_token, amount, wallet_address: agent.near, ...more,
    });
    return agent;
}

/** So much leaves here, fees apart, and what is told arrives there. */
async function arrives(chain, [sold, bought, amount]) {
    const agent = await bridger();
    const [coin, usdc] = [await coins(agent.near), await dollars(agent.near)];
    const quote = granted(await agent.ask(chain, [sold, bought, amount]));
    assert.deepEqual([quote.to_wallet_address, quote.bridge], [agent.far, 'relay']);
    const had = await balance(chain, agent.far, bought);
    const swap = await agent.completed(granted(await agent.execute(quote)).swap_id);
    assert.deepEqual([swap.bridge, swap.delivery, swap.from_chain, swap.to_chain], ['relay', 'proven', 'solana', chain]);
    assert.deepEqual(swap.transactions.map((each) => [each.chain, each.kind]), [['solana', 'bridge_in'], [chain, 'bridge_out']]);
    assert.equal(await balance(chain, agent.far, bought) - had, units(chain, bought, swap.to_amount));
    const spent = coin - await coins(agent.near), left = usdc - await dollars(agent.near);
    if (sold === 'SOL') assert.deepEqual([spent, left], [BigInt(Number(amount) * 1e9) + FEE, 0n]);
    else assert.ok(left === BigInt(Number(amount) * 1e6) && spent >= FEE && spent <= FEE + RENT, `${left} ${spent}`);
}

describe('from Solana', { concurrency: true }, () => {
    for (const [chain, pair] of [['ethereum', ['SOL', 'USDC', '1']], ['ethereum', ['USDC', 'ETH', '50']], ['base', ['USDC', 'USDC', '50']]]) {
        test(`${pair[0]} arrives on ${chain} as ${pair[1]}`, () => arrives(chain, pair));
    }

    for (const sold of ['SOL', 'USDC']) {
        test(`${sold} that the solver does not pay for comes back`, async () => {
            const agent = await bridger();
            await solver('refund', agent.near);
            const quote = granted(await agent.ask('ethereum', [sold, 'USDC', '2']));
            const swap = await agent.settled(granted(await agent.execute(quote)).swap_id);
            assert.deepEqual([swap.status, swap.error_code, swap.delivery], ['failed', 'BRIDGE_REFUNDED', 'proven']);
            assert.ok(await coins(agent.near) >= 100n * SOL - FEE - RENT);
        });
    }

    for (const left of [LEAST, 0n]) {
        test(`a wallet may keep ${left} lamports, and nothing close to that which is too little`, async () => {
            const close = left === 0n ? left + 1n : left - 1n, deposit = SOL / 10n + FEE;
            const [agent, able] = [await bridger({ lamports: deposit + close }), await bridger({ lamports: deposit + left })];
            const asked = (each) => each.ask('base', ['SOL', 'USDC', '0.1']).then(granted);
            const { hint } = refused(await agent.execute(await asked(agent)), 'Insufficient gas');
            assert.match(hint, /^Too close to rent exemption: .* must keep 0\.00089088 SOL or more, or nothing/);
            assert.deepEqual([await coins(agent.near), decisions(gateway.directory, agent.near)], [deposit + close, 0]);
            await able.completed(granted(await able.execute(await asked(able))).swap_id);
            assert.equal(await coins(able.near), left);
        });
    }

    /** A third one within minutes, and the carrier is left alone: so few for one gateway. */
    const few = (list) => (list.length === 0 ? [] : [list.slice(0, 2), ...few(list.slice(2))]);
    for (const lies of few(['order_recipient', 'order_refund', 'order_minimum', 'order_token', 'order_calls', 'order_chain', 'order_amount', 'order_late', 'order_id', 'order_hash'])) {
        test(`${lies.join(' and ')} are not signed, and the truth is`, async () => {
            const alone = await startGateway(LINES);
            const agent = await bridger({ base: alone.base }), before = await coins(agent.near);
            const quote = granted(await agent.ask('base', ['SOL', 'USDC', '1']));
            for (const lie of lies) {
                await wrong(agent.near, 'relay', lie);
                const answer = await send('POST', `${API}/swap/execute`, { key: agent.key, base: agent.base, json: { quote_id: quote.quote_id }, mayBreak: true });
                assert.ok(answer.status === 400 || answer.status === 500, `${lie}: ${show(answer)}`);
                assert.deepEqual([decisions(alone.directory, agent.near), await coins(agent.near)], [0, before], lie);
            }
            granted(await agent.execute(quote));
            assert.equal(decisions(alone.directory, agent.near), 1);
            await alone.stop();
        });
    }

    test('an unsigned bridge is answered with the deposit', async () => {
        const agent = await bridger({ far: false }), key = Keypair.generate(), to_wallet_address = `0x${'ab'.repeat(20)}`;
        const wallet_address = key.publicKey.toBase58();
        await stack('fund', wallet_address, 'solana');
        const { transaction, swap } = granted(await agent.post('/swap', {
            from_chain: 'solana', to_chain: 'base', from_token: 'USDC', to_token: 'USDC', amount: '20', wallet_address, to_wallet_address,
        }));
        assert.deepEqual([transaction.encoding, transaction.to, transaction.value, swap.to_chain], ['base64', DEPOSITORY, '0x0', 'base']);
        const had = await balance('base', to_wallet_address, 'USDC');
        const signed = VersionedTransaction.deserialize(Buffer.from(transaction.data, 'base64'));
        signed.sign([key]);
        await connection.sendRawTransaction(signed.serialize());
        await until('what the solver pays', async () => await balance('base', to_wallet_address, 'USDC') > had);
    });

    test('a bridge without a wallet on the other chain is refused', async () => {
        const agent = await bridger({ far: false });
        const quote = granted(await agent.ask('base', ['SOL', 'USDC', '1']));
        refused(await agent.execute(quote), 'No managed wallet found');
    });

    test('a simulated bridge is executed, and shown while it is in transit', async () => {
        const agent = await bridger(), had = await coins(agent.near);
        await wrong(agent.near, 'solver', 'delay', { value: 6000, times: 1 });
        const body = granted(await agent.post('/swap/simulate', { from_chain: 'solana', to_chain: 'base', from_token: 'SOL', to_token: 'USDC', amount: '1' }));
        assert.deepEqual([body.would_execute, body.chain_type, body.wallet_address], [true, 'solana', agent.near], JSON.stringify(body));
        assert.equal(await coins(agent.near), had);
        const { swap_id: id } = granted(await agent.execute(body));
        await until('the deposit', async () => (await agent.status(id)).status === 'processing');
        const moving = async (query) => inTransit(granted(await agent.get(`/portfolio${query}`)));
        const { token: symbol, amount } = body.expected_output, transit = [{ swap_id: id, chain: 'base', symbol, amount }];
        for (const query of ['', '?chain=base', `?wallet_address=${agent.near}`]) assert.deepEqual(await moving(query), transit, query);
        assert.deepEqual(await moving('?chain=solana'), []);
        await agent.completed(id);
        assert.deepEqual(await moving(''), []);
    });

    test('an approved bridge pays the recipient of its quote', async () => {
        const agent = await bridger(), second = await agent.wallet(), had = await coins(agent.near);
        await agent.policy('approval_limit', { maxAmountUsd: '30' });
        const quote = granted(await agent.ask('base', ['USDC', 'USDC', '50'], { to_wallet_address: second }));
        const { approval_id, swap_id: id } = granted(await agent.execute(quote), 202);
        assert.equal(await coins(agent.near), had);
        await gateway.agentctl('approve', approval_id);
        assert.equal(granted(await agent.post('/swap/execute', { approval_id })).swap_id, id);
        const swap = await agent.completed(id);
        assert.deepEqual([await balance('base', second, 'USDC'), await balance('base', agent.far, 'USDC')], [units('base', 'USDC', swap.to_amount), 0n]);
    });

    test('an execution that pays another agent\'s wallet is refused', async () => {
        const [agent, other] = [await bridger(), await bridger()], had = await coins(agent.near);
        const quote = granted(await agent.ask('base', ['SOL', 'USDC', '1'], { to_wallet_address: other.far }));
        const { would_execute: would, checks } = granted(await agent.post('/swap/simulate', { quote_id: quote.quote_id }));
        assert.deepEqual([would, checks.find(({ name }) => name === 'policies_allow').status], [false, 'fail']);
        refused(await agent.execute(quote), 'No managed wallet found');
        assert.equal(await coins(agent.near), had);
    });

    for (const [short, long] of [
        [{ allowedChains: ['base'] }, { allowedChains: ['base', 'solana'] }], [{ allowedChains: ['solana'] }, { allowedChains: ['solana', 'base'] }],
        [{ allowedTokens: [MINTS.USDC.mint] }, { allowedTokens: [MINTS.USDC.mint, token('base', 'USDC').address] }],
    ]) test(`a list sees both ends: ${Object.keys(short)} ${Object.values(short)}`, async () => {
        const [agent, other] = [await bridger(), await bridger()], had = await coins(agent.near);
        const policy = await agent.policy('whitelist', short);
        const quote = granted(await agent.ask('base', ['USDC', 'USDC', '20']));
        const { would_execute: would, checks } = granted(await agent.post('/swap/simulate', { quote_id: quote.quote_id }));
        assert.deepEqual([would, checks.at(-1).name, checks.at(-1).status], [false, 'policies_allow', 'fail']);
        assert.ok(refused(await agent.execute(quote), 'Refused by a wallet policy').hint.includes(policy.id));
        assert.equal(await coins(agent.near), had);
        await other.policy('whitelist', long);
        granted(await other.execute(granted(await other.ask('base', ['USDC', 'USDC', '20'], { providers: ['relay'] }))));
    });

    test('limits count what leaves here', async () => {
        const agent = await bridger();
        await agent.policy('spending_limit', { maxAmount: '1', token: 'sol', timeWindowSeconds: 3600 });
        await agent.policy('spending_limit', { maxAmount: '1', token: token('base', 'USDC').address });
        const trade = async (...pair) => agent.execute(granted(await agent.ask('base', pair)));
        granted(await trade('SOL', 'USDC', '0.9')); // far more than a dollar of what is bought
        refused(await trade('SOL', 'USDC', '0.2'), 'Refused by a wallet policy');
        granted(await trade('USDC', 'USDC', '50'));
    });
});
