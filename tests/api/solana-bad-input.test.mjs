// Section: api
// What is wrong with an order, a wallet or an address on Solana: it is refused with what has to change, nothing is signed, and
// the quote is still good. What only looks odd is carried out.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { MINTS, poolOf } from '../../contrib/sandbox/solana/world.mjs';
import {
    LOOKUP_TABLES, SYSTEM, WRAPPED, fromBase58, tableData, tokenAccountOf,
} from '../../contrib/sandbox/solana/transaction.mjs';
import { tabled } from '../../contrib/sandbox/upstream/jupiter.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, refused, registerUnlimited, send, show, stack, stackSettings,
} from './lib.mjs';

const RENT = 2_039_280, FEE = 5400; // lamports, of one account and of one trade
const PACKET = 1232; // bytes
const FROZEN = 2, STATE_AT = 108; // of a token's account

const settings = await stackSettings();
const upstream = `http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}`, node = settings.SANDBOX_SOLANA_URL;
const connection = new Connection(node, 'confirmed');
const LINES = [`provider.jupiter.url = ${upstream}/jupiter`, 'provider.jupiter.rate = 100/s'];

async function atDoor(base, json) {
    const response = await fetch(`${base}/_sandbox`, { method: 'POST', body: JSON.stringify(json) });
    assert.equal(response.status, 200, await response.clone().text());
}
const wrong = (wallet, fault, value) => atDoor(upstream, { service: 'jupiter', fault, value, wallet, times: 1 });
const onChain = (act, value) => atDoor(node, { service: 'solana', fault: act, value });

/** How many signatures the signer has noted for a wallet. */
const signatures = ({ directory }, address) => readFileSync(join(directory, 'signer', 'audit.log'), 'utf8').split('\n')
    .filter((line) => line.includes(address) && line.includes('"decision":"signed"')).length;

/** An agent with 100 SOL and dollars on Solana, or so many lamports alone. */
async function trader({ base }, lamports) {
    const agent = Object.assign(await registerUnlimited(), { base });
    agent.address = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet.address;
    if (lamports === undefined) await stack('fund', agent.address, 'solana');
    else await onChain('fund', { address: agent.address, amount: String(lamports) });
    agent.quoted = (from, to, amount) => agent.quote(from, to, amount, { chain: 'solana' });
    agent.take = ({ quote_id }, path = '/swap/execute') => send('POST', `${API}${path}`, { key: agent.key, base, json: { quote_id, wallet_address: agent.address }, mayBreak: true });
    return agent;
}

const had = async ({ address }) => [
    await connection.getBalance(new PublicKey(address)),
    (await connection.getTokenAccountsByOwner(new PublicKey(address), { mint: new PublicKey(MINTS.USDC.mint) })).value[0]?.account.data.readBigUInt64LE(64),
];

const CALLS = ['/swap', '/swap/execute'];

/** Each call is refused so, before which it is `spoiled`; nothing has left, and the quote is good once that is `mended`. */
async function isRefused(gateway, agent, quote, [status, words, code], { calls = CALLS, spoiled = () => {}, mended = () => {} }) {
    const before = await had(agent);
    for (const path of calls) {
        await spoiled();
        const answer = await agent.take(quote, path);
        assert.deepEqual([answer.status, answer.body.error, answer.body.error_code], [status, words, code], `${path}: ${show(answer)}`);
        assert.ok(answer.body.hint.length > 20, answer.body.hint);
    }
    assert.deepEqual([signatures(gateway, agent.address), await had(agent)], [0, before]);
    await mended();
    await agent.completed(granted(await agent.take(quote)).swap_id);
    assert.equal(signatures(gateway, agent.address), 1);
}
const UPSTREAM = [500, 'Internal server error', 'UPSTREAM_ERROR'], REVERTS = [400, 'Transaction would revert', 'SIMULATION_REVERTED'];

const gateway = await startGateway(LINES, { jobs: ['swap-poll'] });
after(() => gateway.stop());

// ---------------------------------------------------------------- orders

describe('orders without a transaction', { concurrency: 3 }, () => {
    for (const [what, value, refusal] of [
        ['an empty one, since the input is missing', { code: 1 }, [400, 'Insufficient balance', 'INSUFFICIENT_BALANCE']],
        ['an empty one, since the coin for fees is missing', { code: 2 }, [400, 'Insufficient gas', 'INSUFFICIENT_GAS']],
        ['an empty one, too small for another account to pay its fees', { code: 3 }, [400, 'Insufficient gas', 'INSUFFICIENT_GAS']],
        ['an empty one, for an unknown reason', { code: 17 }, [400, 'Insufficient liquidity for this trade', 'INSUFFICIENT_LIQUIDITY']],
        ['none at all', null, UPSTREAM],
    ]) test(what, async () => {
        const agent = await trader(gateway), quote = await agent.quoted('SOL', 'USDC', '0.5');
        await isRefused(gateway, agent, quote, refusal, { spoiled: () => wrong(agent.address, 'empty', value) });
    });
});

describe('transactions in other forms', { concurrency: 3 }, () => {
    for (const [what, fault, value] of [['of the older form', 'legacy'], [`of ${PACKET} bytes`, 'length', PACKET]]) {
        test(`one ${what} is carried out`, async () => {
            const agent = await trader(gateway), quote = await agent.quoted('USDC', 'SOL', '50');
            await wrong(agent.address, fault, value);
            const { tx_hash: hash } = await agent.completed(granted(await agent.take(quote)).swap_id);
            const { version, transaction } = await connection.getTransaction(hash, { maxSupportedTransactionVersion: 0, commitment: 'confirmed' });
            assert.ok(fault !== 'legacy' || version === 'legacy');
            assert.ok(fault !== 'length' || transaction.message.serialize().length + 1 + 64 === PACKET);
        });
    }

    for (const [what, fault, value] of [
        ['of one byte too many', 'length', () => PACKET + 1],
        ['that bears a blockhash of another fork', 'blockhash', () => Keypair.generate().publicKey.toBase58()],
        ['that another wallet of the agent\'s has to sign, too', 'co_signer', ({ second }) => second],
    ]) test(`one ${what} is not signed, nor handed out`, async () => {
        const own = await startGateway(LINES, { jobs: ['swap-poll'] });
        const agent = await trader(own), quote = await agent.quoted('SOL', 'USDC', '0.5');
        agent.second = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet.address;
        await isRefused(own, agent, quote, UPSTREAM, { spoiled: () => wrong(agent.address, fault, value(agent)) });
        await own.stop();
    });
});

// ---------------------------------------------------------------- lookup tables

describe('what a transaction looks up', { concurrency: 3 }, () => {
    const DATA = tableData(tabled(poolOf(WRAPPED, MINTS.USDC.mint), WRAPPED, MINTS.USDC.mint));
    const stranger = () => Keypair.generate().publicKey.toBase58();
    const write = (address, data = DATA, owner = LOOKUP_TABLES) => onChain('set_account', { address, lamports: 10_000_000, data: data.toString('base64'), owner });
    const close = (address) => onChain('set_account', { address, lamports: 0, owner: SYSTEM });

    test('is there: it is carried out', async () => {
        const agent = await trader(gateway), quote = await agent.quoted('SOL', 'USDC', '0.5'), table = stranger();
        await write(table);
        await wrong(agent.address, 'table', table);
        const { tx_hash: hash } = await agent.completed(granted(await agent.take(quote)).swap_id);
        const { meta } = await connection.getTransaction(hash, { maxSupportedTransactionVersion: 0, commitment: 'confirmed' });
        assert.deepEqual([meta.loadedAddresses.writable.length, meta.loadedAddresses.readonly.length], [2, 1]);
    });

    for (const [what, change] of [
        ['is gone, since its table was closed', close],
        ['is being closed', (table) => write(table, Buffer.concat([DATA.subarray(0, 4), Buffer.alloc(8, 1), DATA.subarray(12)]))],
        ['lacks an address', (table) => write(table, DATA.subarray(0, DATA.length - 32))],
        ['belongs to another program', (table) => write(table, DATA, SYSTEM)],
    ]) test(`${what}: it is not`, async () => {
        const own = await startGateway(LINES, { jobs: ['swap-poll'] });
        const agent = await trader(own), table = stranger();
        await write(table);
        const quote = await agent.quoted('SOL', 'USDC', '0.5');
        await change(table);
        await isRefused(own, agent, quote, UPSTREAM, {
            spoiled: () => wrong(agent.address, 'table', table),
            mended: async () => { await write(table); await wrong(agent.address, 'table', table); },
        });
        await own.stop();
    });
});

// ---------------------------------------------------------------- wallets

describe('a wallet', { concurrency: 3 }, () => {
    /** Freezes an account of a token's, or thaws it. */
    async function setState(owner, { mint, program }, state) {
        const address = tokenAccountOf(owner, mint, program);
        const found = await connection.getAccountInfo(new PublicKey(address));
        found.data[STATE_AT] = state;
        await onChain('set_account', { address, lamports: found.lamports, data: found.data.toString('base64'), owner: found.owner.toBase58() });
    }

    for (const [what, from, to] of [['out of', 'USDC', 'SOL'], ['into', 'SOL', 'USDC']]) {
        test(`a frozen account: nothing is traded ${what} it`, async () => {
            const agent = await trader(gateway), quote = await agent.quoted(from, to, '1');
            await setState(agent.address, MINTS.USDC, FROZEN);
            const { would_execute: would, checks } = granted(await agent.post('/swap/simulate', { quote_id: quote.quote_id, wallet_address: agent.address }));
            assert.deepEqual([would, checks.find(({ name }) => name === 'eth_call_revert_check').status], [false, 'fail']);
            assert.match(checks.find(({ name }) => name === 'eth_call_revert_check').detail, /frozen/);
            await isRefused(gateway, agent, quote, REVERTS, { calls: ['/swap/execute'], mended: () => setState(agent.address, MINTS.USDC, 1) });
        });
    }

    // What is wrapped is paid for from an account that is open while the trade is made, and the other one stays open.
    test('must have the deposits of two accounts, to have one of them back', async () => {
        const sold = 50_000_000, needs = sold + 2 * RENT + FEE;
        const poor = await trader(gateway, needs - 1), able = await trader(gateway, needs);
        const take = async (agent) => agent.take(await agent.quoted('SOL', 'USDC', '0.05'));
        refused(await take(poor), 'Insufficient gas');
        assert.deepEqual([await connection.getBalance(new PublicKey(poor.address)), signatures(gateway, poor.address)], [needs - 1, 0]);
        await able.completed(granted(await take(able)).swap_id);
        assert.equal(await connection.getBalance(new PublicKey(able.address)), RENT);
    });

    test('0.001 SOL does not open an account', async () => {
        const agent = await trader(gateway, 1_000_000);
        refused(await agent.take(await agent.quoted('SOL', 'USDC', '0.0001')), 'Insufficient gas');
        assert.deepEqual([await connection.getBalance(new PublicKey(agent.address)), signatures(gateway, agent.address)], [1_000_000, 0]);
    });

    /** Addresses without their last character: of fewer bytes than one has, and of as many. */
    function shortened(length) {
        for (;;) {
            const short = Keypair.generate().publicKey.toBase58().slice(0, -1);
            if (fromBase58(short, length) !== undefined) return short;
        }
    }

    test('an address without its last character is refused as invalid or unmanaged', async () => {
        const agent = await trader(gateway), quote = await agent.quoted('SOL', 'USDC', '0.5');
        refused(await agent.post('/swap', { quote_id: quote.quote_id, wallet_address: shortened(31) }), 'wallet_address is not a valid address', ['wallet_address']);
        for (const length of [31, 32]) refused(await agent.post('/swap/execute', { quote_id: quote.quote_id, wallet_address: shortened(length) }), 'No managed wallet found');
        refused(await agent.post('/quote', { from_chain: 'base', to_chain: 'solana', from_token: 'USDC', to_token: 'USDC', amount: '5', to_wallet_address: shortened(31) }),
            'to_wallet_address is not a valid address of solana', ['to_wallet_address']);
        await agent.completed(granted(await agent.take(quote)).swap_id);
    });
});
