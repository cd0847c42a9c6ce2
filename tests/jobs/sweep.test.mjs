// Section: operator
// The operator empties an agent's wallets; the signer does so only on the operator's order.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { Wallet } from 'ethers';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { MINTS } from '../../contrib/sandbox/solana/world.mjs';
import {
    granted, refused, register, until,
} from '../api/lib.mjs';
import {
    balance, feesPaid, fund, give, nonceOf, units,
} from '../api/chain.mjs';
import {
    agentctl, arm, disarm, hashes, heard, settings, sql, trader,
} from './lib.mjs';

after(disarm);

const somewhere = () => Wallet.createRandom().address;

/** The transfers that a sweep printed, completed. */
async function swept(agent, out) {
    const ids = [...out.matchAll(/transfer (\d+)/g)].map(([, id]) => Number(id));
    return Promise.all(ids.map((id) => agent.completed(id)));
}

test('all wallets are emptied on all chains, and GET /swaps shows swaps only', async () => {
    const agent = await trader('ethereum', 2);
    const second = await agent.wallet('base', 3);
    await fund('base', agent.address, 1);
    await give('ethereum', agent.address, 'USDC', '1234.567891');
    await give('ethereum', agent.address, 'USDT', '50');
    await give('base', second, 'DAI', '7.000000000000000001');
    const to = somewhere();

    const early = await agentctl('sweep', agent.id, to);
    assert.deepEqual([early.code, early.out], [1, '']);
    assert.match(early.err, /stop the agent first/);
    assert.equal(await balance('ethereum', to, 'USDC'), 0n);

    await agentctl('stop', agent.id);
    const { code, out, err } = await agentctl('sweep', agent.id, to);
    assert.deepEqual([code, err], [0, ''], out);
    const transfers = await swept(agent, out);
    assert.equal(transfers.length, 6);
    assert.equal(await balance('ethereum', to, 'USDC'), units('ethereum', 'USDC', '1234.567891'));
    assert.equal(await balance('ethereum', to, 'USDT'), units('ethereum', 'USDT', '50'));
    assert.equal(await balance('base', to, 'DAI'), units('base', 'DAI', '7.000000000000000001'));
    // Of the coin everything but the fees and what they might have been.
    for (const [chain, wallet, coins] of [['ethereum', agent.address, '2'], ['base', agent.address, '1'], ['base', second, '3']]) {
        const left = await balance(chain, wallet, 'ETH');
        assert.ok(left < units(chain, 'ETH', '0.01'), `${left} left on ${chain}`);
        const paid = await feesPaid(chain, transfers.filter((transfer) => transfer.from_chain === chain).flatMap((transfer) => hashes(transfer)));
        if (chain === 'ethereum') assert.equal(left + paid + await balance(chain, to, 'ETH'), units(chain, 'ETH', coins));
    }
    for (const transfer of transfers) assert.deepEqual([transfer.from_token, transfer.transactions.length], [transfer.to_token, 1]);
    await until('the events', () => transfers.every(({ swap_id: id }) => heard(agent, 'transfer.completed', id).length === 1));
    const { swaps, pagination } = granted(await agent.get('/swaps'));
    assert.deepEqual([swaps, pagination.total, granted(await agent.get('/me')).agent.stats.total_swaps], [[], 0, 0]);
    const digest = createHash('sha256').update(agent.id).digest('hex');
    assert.equal(await sql(`SELECT COUNT(*) FROM audit WHERE line LIKE '%"act":"sweep"%${digest}%${to}%'`), '2');

    // Once more there is only dust, too little for its own fees or nearly.
    const again = await agentctl('sweep', agent.id, to);
    assert.equal(again.code, 0, again.out);
    assert.doesNotMatch(again.out, /USD|DAI/);
    agent.hook.close();
});

test('an order that is cut off after a transfer is written down is carried out, and nothing twice', async () => {
    const agent = await trader('base', 1);
    await give('base', agent.address, 'USDC', '100');
    await give('base', agent.address, 'DAI', '200');
    const to = somewhere();
    await agentctl('stop', agent.id);
    arm('sweep.committed', 'kill');
    const cut = await agentctl('sweep', agent.id, to);
    assert.equal(cut.code, 'SIGKILL', cut.out);
    disarm();
    const { code, out } = await agentctl('sweep', agent.id, to);
    assert.equal(code, 0, out);
    await swept(agent, out);
    const ids = (await sql(`SELECT e.id FROM executions e JOIN agents a ON a.id = e.agent_id WHERE a.uuid = UNHEX('${agent.id.replaceAll('-', '')}')`)).split('\n');
    assert.equal(ids.length, 3);
    for (const id of ids) await agent.completed(id);
    assert.deepEqual([await balance('base', to, 'USDC'), await balance('base', to, 'DAI')], [units('base', 'USDC', '100'), units('base', 'DAI', '200')]);
    assert.equal(await nonceOf('base', agent.address), 3);
    agent.hook.close();
});

test('a sweep that is impossible is refused with a reason, and nothing is sent', async () => {
    const agent = await trader('ethereum', 0);
    await give('ethereum', agent.address, 'USDC', '100');
    await agentctl('stop', agent.id);
    const to = somewhere();
    const { code, out } = await agentctl('sweep', agent.id, to);
    assert.equal(code, 1);
    assert.match(out, /USDC not swept: Insufficient gas/);
    for (const place of ['', 'x', `0x${'0'.repeat(40)}`, to.slice(0, -1)]) assert.match((await agentctl('sweep', agent.id, place)).err, /not an address/);
    assert.equal((await agentctl('sweep', '00000000-0000-4000-8000-000000000000', to)).code, 1);
    assert.equal(await nonceOf('ethereum', agent.address, 'pending'), 0);
    refused(await agent.execute(await agent.quote('ETH', 'USDC', '0.01')), 'Insufficient balance');
    agent.hook.close();
});

// ---------------------------------------------------------------- Solana

const { SANDBOX_SOLANA_URL: SOLANA_URL } = settings();
const connection = new Connection(SOLANA_URL, 'confirmed');
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
/** Lamports that a wallet has to have once it has paid, that a transfer of the coin pays, and that are in a token's account. */
const LEAST = 890_880n, FEE = 5_100n, TOKEN_RENT = 2_039_280n, TOKEN_2022_RENT = 2_074_080n;

async function onSolana(act, value) {
    const response = await fetch(`${SOLANA_URL}/_sandbox`, { method: 'POST', body: JSON.stringify({ service: 'solana', fault: act, value }) });
    assert.equal(response.status, 200, await response.clone().text());
}

const lamports = async (address) => BigInt(await connection.getBalance(new PublicKey(address)));

async function tokens(address, symbol) {
    const { value } = await connection.getTokenAccountsByOwner(new PublicKey(address), { mint: new PublicKey(MINTS[symbol].mint) });
    return value.reduce((sum, { account }) => sum + account.data.readBigUInt64LE(64), 0n);
}

/** Token accounts of both programs, with any balance. */
async function tokenAccounts(address) {
    const of = (programId) => connection.getTokenAccountsByOwner(new PublicKey(address), { programId: new PublicKey(programId) });
    return (await Promise.all([TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map(of))).flatMap(({ value }) => value);
}

/** An agent whose Solana wallet has this, in smallest units. */
async function solanaTrader(held) {
    const agent = await register();
    agent.address = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet.address;
    for (const [symbol, amount] of Object.entries(held)) {
        await onSolana('fund', { address: agent.address, amount: String(amount), ...(symbol === 'SOL' ? {} : { mint: MINTS[symbol].mint }) });
    }
    return agent;
}

const anyone = () => Keypair.generate().publicKey.toBase58();

/** What the transfers paid for their fees, in all. */
async function lamportsPaid(transfers) {
    const found = await Promise.all(transfers.map(({ tx_hash: signature }) => connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })));
    return found.reduce((sum, { meta }) => sum + BigInt(meta.fee), 0n);
}

test('a Solana wallet is emptied: tokens of both programs, their accounts, and the coin to the last lamport', async () => {
    const agent = await solanaTrader({ SOL: 10n ** 9n, USDC: 1_234_567_891n, PYUSD: 50_000_001n });
    const to = anyone(), held = await tokenAccounts(agent.address);
    const deposited = held.reduce((sum, { account }) => sum + BigInt(account.lamports), 0n);
    assert.equal(held.length, 2);
    const early = await agentctl('sweep', agent.id, to);
    assert.match(early.err, /stop the agent first/);
    await agentctl('stop', agent.id);

    const { code, out, err } = await agentctl('sweep', agent.id, to);
    assert.deepEqual([code, err], [0, ''], out);
    const transfers = await swept(agent, out);
    assert.equal(transfers.length, 3, out);
    for (const transfer of transfers) assert.deepEqual([transfer.from_chain, transfer.from_token, transfer.transactions.length], ['solana', transfer.to_token, 1]);
    assert.deepEqual([await tokens(to, 'USDC'), await tokens(to, 'PYUSD')], [1_234_567_891n, 50_000_001n]);
    assert.deepEqual([await tokens(agent.address, 'USDC'), await tokens(agent.address, 'PYUSD')], [0n, 0n]);

    // What the wallet kept while its tokens were on their way comes once they have arrived, and what their accounts held at the
    // latest. It keeps nothing where they have arrived before the coin's turn, as they may have on a busy machine.
    const kept = await lamports(agent.address), fees = await lamportsPaid(transfers);
    const onTheirWay = kept >= LEAST + FEE && kept <= LEAST + FEE + TOKEN_RENT + TOKEN_2022_RENT + fees;
    assert.ok(onTheirWay || kept === 0n, `${kept} kept`);
    const rest = await agentctl('sweep', agent.id, to);
    assert.deepEqual([rest.code, rest.err], [0, ''], rest.out);
    transfers.push(...await swept(agent, rest.out));
    assert.equal(transfers.length, onTheirWay ? 4 : 3, rest.out);
    assert.deepEqual([await lamports(agent.address), await tokenAccounts(agent.address)], [0n, []]);
    assert.equal(await lamports(to) + TOKEN_RENT + TOKEN_2022_RENT + await lamportsPaid(transfers), 10n ** 9n + deposited);

    const again = await agentctl('sweep', agent.id, to);
    assert.deepEqual([again.code, again.out, again.err], [0, '', '']);
});

test('the coin alone leaves nothing behind', async () => {
    const agent = await solanaTrader({ SOL: 10n ** 9n });
    const to = anyone();
    await agentctl('stop', agent.id);
    const { code, out } = await agentctl('sweep', agent.id, to);
    assert.equal(code, 0, out);
    const transfers = await swept(agent, out);
    assert.deepEqual([await lamports(agent.address), await lamports(to) + await lamportsPaid(transfers)], [0n, 10n ** 9n]);
});

test('an order for a Solana wallet that is cut off is carried out, and nothing twice', async () => {
    const agent = await solanaTrader({ SOL: 10n ** 9n, USDC: 100_000_000n });
    const to = anyone();
    await agentctl('stop', agent.id);
    arm('sweep.committed', 'kill');
    const cut = await agentctl('sweep', agent.id, to);
    assert.equal(cut.code, 'SIGKILL', cut.out);
    disarm();
    await until('the transfer that was cut off', async () => await tokens(to, 'USDC') === 100_000_000n);
    const { code, out } = await agentctl('sweep', agent.id, to);
    assert.equal(code, 0, out);
    assert.doesNotMatch(out, /USDC/);
    await swept(agent, out);
    assert.equal(await tokens(to, 'USDC'), 100_000_000n);
});

test('a sweep on Solana that is impossible is refused with a reason, and nothing is sent', async () => {
    const agent = await solanaTrader({ USDC: 100_000_000n });
    await agentctl('stop', agent.id);
    const poor = await agentctl('sweep', agent.id, anyone());
    assert.equal(poor.code, 1);
    assert.match(poor.out, /USDC not swept: Insufficient gas/);
    // Who has less once the fee is paid cannot pay it.
    const dust = await solanaTrader({ SOL: LEAST + FEE - 1n });
    await agentctl('stop', dust.id);
    const silent = await agentctl('sweep', dust.id, anyone());
    assert.deepEqual([silent.code, silent.out], [0, '']);
    assert.equal(await lamports(dust.address), LEAST + FEE - 1n);
    await onSolana('fund', { address: dust.address, amount: '1' });
    // Coins sent to a program's account may be lost.
    for (const place of [MINTS.USDC.mint, TOKEN_PROGRAM]) {
        const { code, out } = await agentctl('sweep', dust.id, place);
        assert.equal(code, 1);
        assert.match(out, /SOL not swept: The recipient cannot be paid/);
    }
    const to = anyone(), least = await agentctl('sweep', dust.id, to);
    assert.deepEqual([least.code, least.err], [0, ''], least.out);
    assert.equal((await swept(dust, least.out)).length, 1);
    assert.deepEqual([await lamports(dust.address), await lamports(to)], [0n, LEAST]);
    assert.equal((await connection.getSignaturesForAddress(new PublicKey(agent.address))).length, 0);
});
