// Section: operator
// What holds withdrawals back in addition to the agent's own addresses: the signers of all hosts, the operator's stops and limits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { Wallet } from 'ethers';
import {
    balance, fund, give, units,
} from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    API, granted, refused, register, send, stack, until,
} from '../api/lib.mjs';
import {
    operate, settings, sql, withoutBlocks, withoutJobs,
} from './lib.mjs';

const CHAIN = 'base', NOT_FOUND = 'Withdrawal address not found', PAUSED = 'Trading is paused by the operator';
const second = () => Math.floor(Date.now() / 1000);
const coins = (amount, { id }) => ({ token: 'ETH', amount, chain: CHAIN, address_id: id });

/** An agent whose address was added before it had a wallet; what it does through a gateway, the stack's unless it is another. */
async function owner(gateway) {
    const agent = await register();
    agent.base = gateway?.base;
    agent.add = async (address = Wallet.createRandom().address) => granted(await agent.post('/withdrawal-addresses', { address }), 201).withdrawal_address;
    agent.cold = await agent.add();
    agent.address = granted(await agent.send('POST', '/wallets'), 201).wallet.address;
    await fund(CHAIN, agent.address, 10);
    agent.withdraw = (amount, to = agent.cold) => agent.post('/wallets/withdraw', coins(amount, to));
    agent.done = async (answer) => {
        const { id } = granted(answer).withdrawal;
        return until(`withdrawal ${id}`, async () => {
            const { withdrawal } = granted(await agent.get(`/withdrawals/${id}`));
            assert.notEqual(withdrawal.status, 'failed', withdrawal.error);
            return withdrawal.status === 'completed' && withdrawal;
        });
    };
    agent.active = ({ id }) => until('the address to become active', async () => granted(await agent.get('/withdrawal-addresses')).withdrawal_addresses
        .some((each) => each.id === id && each.status === 'active'));
    return agent;
}

test('an address in full names itself, even where the database has it as a label', async () => {
    const agent = await owner(), own = await agent.add();
    await agent.active(agent.cold);
    await agent.active(own);
    for (const label of [own.address, own.address.toLowerCase()]) {
        await sql(`UPDATE withdrawal_addresses SET label = '${label}' WHERE id = ${agent.cold.id}`);
        for (const to of [own.address, own.address.toLowerCase(), ` ${own.address}`]) {
            const { withdrawal } = granted(await agent.post('/wallets/withdraw', { token: 'ETH', amount: '0.01', chain: CHAIN, to }));
            assert.deepEqual([withdrawal.to, withdrawal.address_id], [own.address, own.id]);
        }
    }
    const stranger = Wallet.createRandom().address;
    await sql(`UPDATE withdrawal_addresses SET label = '${stranger}' WHERE id = ${agent.cold.id}`);
    for (const to of [stranger, stranger.toLowerCase(), `0x${stranger.slice(2).toUpperCase()}`]) {
        refused(await agent.post('/wallets/withdraw', { token: 'ETH', amount: '0.01', chain: CHAIN, to }), NOT_FOUND);
        refused(await agent.post('/execute', { command: `withdraw 0.01 ETH on base to ${to}` }), NOT_FOUND);
    }
    assert.equal(await balance(CHAIN, agent.cold.address, 'ETH'), 0n);
});

test('on two hosts nothing is active at once, and a removal is taken by both signers or by none', async () => {
    const [east, west] = await Promise.all([startGateway(['hosts = 2']), startGateway(['hosts = 2'])]);
    try {
        // No record counts of the second in which a signer began. Each counts seconds of its own, which begin when the machine did:
        // up to two behind this clock, and up to one ahead.
        const begun = second();
        await until('a second that neither signer began in', () => second() > begun + 3);
        const agent = await owner(east), { cold } = agent;
        assert.equal(cold.status, 'waiting');
        await agent.active(cold);
        await agent.done(await agent.withdraw('0.1'));
        agent.base = west.base;
        await agent.done(await agent.withdraw('0.1'));
        assert.equal((await agent.send('DELETE', `/withdrawal-addresses/${cold.id}`)).status, 204);

        // An attacker with the database may write anything into it.
        await sql(`UPDATE withdrawal_addresses SET removed_at = NULL WHERE id = ${cold.id}`);
        for (const { base } of [east, west]) {
            agent.base = base;
            refused(await agent.withdraw('0.1'), NOT_FOUND);
        }
        assert.equal(await balance(CHAIN, cold.address, 'ETH'), units(CHAIN, 'ETH', '0.2'));

        const later = await agent.add();
        await agent.active(later);
        agent.base = east.base;
        await west.end('SIGTERM');
        const answer = await agent.send('DELETE', `/withdrawal-addresses/${later.id}`, { mayBreak: true });
        assert.deepEqual([answer.status, answer.body.error], [500, 'Withdrawal address was not removed']);
        await agent.done(await agent.withdraw('0.1', later));
        west.startAgain();
        await west.ready();
        assert.equal((await agent.send('DELETE', `/withdrawal-addresses/${later.id}`)).status, 204);
        refused(await agent.withdraw('0.1', later), NOT_FOUND);
    } finally {
        await Promise.all([east.stop(), west.stop()]);
    }
});

test('a stop holds new addresses and withdrawals back, of the agent or of all, and no removal', async () => {
    for (const [stop, resume] of [[(id) => ['stop', id], (id) => ['resume', id]], [() => ['stop', 'all'], () => ['resume', 'all']]]) {
        const agent = await owner();
        await operate(...stop(agent.id));
        try {
            refused(await agent.withdraw('1'), PAUSED);
            refused(await agent.post('/withdrawal-addresses', { address: Wallet.createRandom().address }), PAUSED);
            assert.equal((await agent.send('DELETE', `/withdrawal-addresses/${agent.cold.id}`)).status, 204);
        } finally {
            await operate(...resume(agent.id));
        }
        refused(await agent.withdraw('1'), NOT_FOUND);
    }
});

test("the signer's limits hold: of a transaction, of the day, and of the day's withdrawals alone", async () => {
    const gateway = await startGateway([
        `signer_tx_max.${CHAIN} = ETH 2000000000000000000`, `withdraw_day_max.${CHAIN} = ETH 1500000000000000000`,
    ]);
    try {
        const agent = await owner(gateway);
        await agent.active(agent.cold);
        refused(await agent.withdraw('3'), "Refused by the operator's limits");
        await agent.done(await agent.withdraw('1'));
        refused(await agent.withdraw('1'), "Refused by the operator's limits");
        await agent.done(await agent.withdraw('0.4'));
        // What is traded is none of it.
        const quote = granted(await send('POST', `${API}/quote`, {
            base: gateway.base, key: agent.key, json: { from_token: 'ETH', to_token: 'USDC', amount: '1.5', chain: CHAIN },
        }));
        granted(await agent.execute(quote));
        assert.equal(await balance(CHAIN, agent.cold.address, 'ETH'), units(CHAIN, 'ETH', '1.4'));
    } finally {
        await gateway.stop();
    }
});

test('a signer whose clock or book says otherwise than the database is believed', async () => {
    const agent = await owner(), late = await agent.add();
    await sql(`UPDATE withdrawal_addresses SET active_at = created_at WHERE id = ${late.id}`);
    refused(await agent.withdraw('1', late), 'Withdrawal address is not active');
    // Another agent's record, or none, in the place of its own.
    const other = await owner();
    for (const record of [`(SELECT record FROM (SELECT * FROM withdrawal_addresses) o WHERE o.id = ${other.cold.id})`, "'none'"]) {
        await sql(`UPDATE withdrawal_addresses SET record = ${record} WHERE id = ${agent.cold.id}`);
        refused(await agent.withdraw('1'), NOT_FOUND);
    }
    // Its own record says another address than the row.
    await sql(`UPDATE withdrawal_addresses SET address = '${Wallet.createRandom().address}' WHERE id = ${other.cold.id}`);
    refused(await other.withdraw('1'), NOT_FOUND);
    assert.equal(await balance(CHAIN, agent.cold.address, 'ETH'), 0n);
});

test('a payment in a block counts once, before any job records it', async (t) => {
    const agent = await owner(), connection = new Connection(settings().SANDBOX_SOLANA_URL, 'confirmed');
    const far = Keypair.generate().publicKey, near = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet.address;
    await Promise.all([give(CHAIN, agent.address, 'USDC', 100), stack('fund', near, 'solana')]); // 10 ETH, 100 SOL
    const { id } = granted(await agent.post('/withdrawal-addresses', { address: far.toBase58() }), 201).withdrawal_address;
    await Promise.all([agent.active(agent.cold), agent.active({ id })]);
    const ways = [
        ['ETH', CHAIN, agent.cold.id, ['4', '5.9'], () => balance(CHAIN, agent.cold.address, 'ETH')],
        ['USDC', CHAIN, agent.cold.id, ['60', 'max'], () => balance(CHAIN, agent.cold.address, 'USDC')],
        ['SOL', 'solana', id, ['60', '39'], () => connection.getBalance(new PublicKey(far)).then(BigInt)],
    ];
    for (const [token, chain, address_id, [first, rest], paid] of ways) {
        await t.test(`${token} on ${chain}`, () => withoutJobs(async () => {
            const asked = (amount) => ({ token, amount, chain, address_id });
            const before = granted(await agent.post('/wallets/withdraw', asked(first))).withdrawal;
            await until('it to be in a block', async () => await paid() > 0n);
            assert.notEqual(granted(await agent.get(`/withdrawals/${before.id}`)).withdrawal.status, 'completed');
            const shown = granted(await agent.post('/wallets/withdraw/simulate', asked(rest)));
            assert.equal(shown.would_execute, true, JSON.stringify(shown));
            const { withdrawal } = granted(await agent.post('/wallets/withdraw', asked(rest)));
            assert.equal(withdrawal.amount, rest === 'max' ? '40' : rest);
            if (rest === 'max') await until('all of it to be paid', async () => await paid() === units(CHAIN, 'USDC', '100'));
        }));
    }
});

test('a withdrawal that is in no block yet stays reserved', async () => {
    const agent = await owner();
    await agent.active(agent.cold);
    await withoutBlocks(CHAIN, async () => {
        granted(await agent.withdraw('4'));
        refused(await agent.withdraw('6'), 'Insufficient balance');
    });
});
