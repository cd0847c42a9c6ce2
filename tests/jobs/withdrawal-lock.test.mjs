// Section: operator
// From a worker's position, with its user id, the signer's socket and all that the database has: no transfer to any other
// address than the one that the signer has known for long enough, and no time is shortened. Each table of tries stands
// next to a valid call that is signed.

import assert from 'node:assert/strict';
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Interface, Transaction, Wallet } from 'ethers';
import {
    Keypair, PublicKey, SystemProgram, TransactionInstruction, TransactionMessage, VersionedTransaction,
} from '@solana/web3.js';
import { token } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import { register, until } from '../api/lib.mjs';
import { enough } from '../patience.mjs';
import { named } from './gateways.mjs';
import { disarm, settings, shiftClock } from './lib.mjs';
import {
    BAD_MESSAGE, EVM, OK, OVER_A_LIMIT, REFUSED, SOLANA, allow, recordOf, remove, withdraw,
} from './peek.mjs';

after(disarm);

const STACK = settings();
const SOCKET = join(STACK.GATEWAY_PRIVATE, 'signer.sock');
const DELAY_S = 5;
const CHAIN_ID = 8453;
const DAY_S = 86400;

const ERC20 = new Interface([
    'function transfer(address, uint256)', 'function transferFrom(address, address, uint256)', 'function approve(address, uint256)',
    'function increaseAllowance(address, uint256)', 'function permit(address, address, uint256, uint256, uint8, bytes32, bytes32)',
]);
const USDC = token('base', 'USDC').address;
const somewhere = () => Wallet.createRandom().address;
const passes = (seconds) => setTimeout(1000 * (seconds + 1.5)); // the signer counts whole seconds

const unsigned = (tx) => Transaction.from({
    type: 2, chainId: CHAIN_ID, nonce: 0, gasLimit: 100_000, maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 0, ...tx,
}).unsignedSerialized;
const coinTo = (to) => unsigned({ to, value: 1 });
const calls = (name, args, more = {}) => unsigned({ to: USDC, data: ERC20.encodeFunctionData(name, args), ...more });
const tokenTo = (to) => calls('transfer', [to, 1]);

/** An agent with a wallet, and what the database has of it. */
async function owner(type = 'evm') {
    const agent = await register();
    const address = type === 'evm' ? await agent.wallet('base', 1) : (await agent.post('/wallets', { chain_type: type })).body.wallet.address;
    const wallet = await recordOf(address);
    return { wallet, agent: wallet[1], address };
}

async function known(own, address, { socket = SOCKET, family = EVM } = {}) {
    const answer = await allow(socket, { agent: own.agent, family, address });
    assert.equal(answer.status, OK);
    return answer;
}

/** Restarts a gateway; resolves once its next signer serves, alone. */
async function renewSigner({ pid }) {
    const [former] = named(pid, 'signer');
    process.kill(pid, 'SIGHUP');
    // The one that checks the settings is called so, too, while the previous one still serves.
    await until('a new signer', () => {
        const [signer, ...others] = named(pid, 'signer');
        return others.length === 0 && signer !== undefined && signer !== former;
    });
}

const refusedAs = (decisions, status, rules, what) => {
    for (const { status: said, rule } of decisions) {
        assert.equal(said, status, `${what}: ${rule}`);
        assert.ok(rules.includes(rule), `${what}: ${rule}`);
    }
};

test('no transfer to any other address is signed, and nothing but a plain transfer', async () => {
    const [own, other] = await Promise.all([owner(), owner()]);
    const [to, stranger] = [somewhere(), somewhere()];
    const { wait, record } = await known(own, to);
    assert.ok(wait <= DELAY_S && wait >= DELAY_S - 1, `${wait}`);
    refusedAs(await withdraw(SOCKET, own.wallet, record, [coinTo(to), tokenTo(to)]), REFUSED, ['waiting'], 'too early');
    await passes(DELAY_S);
    const asked = (payloads, wallet = own.wallet) => withdraw(SOCKET, wallet, record, payloads);
    refusedAs(await asked([coinTo(to), tokenTo(to), unsigned({ to, value: 1, chainId: 1 })]), OK, ['unknown'], 'the twin');

    const others = [stranger, other.address, own.address, USDC, `0x${'0'.repeat(40)}`, token('base', 'WETH').address];
    refusedAs(await asked(others.flatMap((address) => [coinTo(address), tokenTo(address)])), REFUSED, ['address'], 'another address');
    const data = ERC20.encodeFunctionData('transfer', [to, 1]);
    refusedAs(await asked([
        calls('transferFrom', [own.address, to, 1]), calls('approve', [to, 1]), calls('increaseAllowance', [to, 1]),
        calls('permit', [own.address, to, 1, 1, 27, `0x${'1'.repeat(64)}`, `0x${'1'.repeat(64)}`]),
        unsigned({ to: USDC, data: `${data}00` }), unsigned({ to: USDC, data: data.slice(0, -2) }),
        unsigned({ to: USDC, data: data.slice(0, 10) }), unsigned({ to: USDC, data: `${data}${data.slice(2)}` }),
        unsigned({ to: USDC, data, value: 1 }), unsigned({ to, value: 1, data: '0x00' }),
        unsigned({ to: null, value: 1, data: '0x6000' }), unsigned({ to: null, value: 1 }),
        unsigned({ to, value: 1, accessList: [{ address: to, storageKeys: [] }] }), unsigned({ to, value: 1, chainId: 31337 }),
    ]), REFUSED, ['call'], 'no plain transfer');
    assert.equal((await asked(['0x00']))[0].status, BAD_MESSAGE);
    refusedAs(await asked([coinTo(to)], other.wallet), REFUSED, ['address'], "another agent's wallet");
    const mixed = [own.wallet[0], own.wallet[1], other.address, other.wallet[3]];
    refusedAs(await asked([coinTo(to)], mixed), REFUSED, ['wallet'], "another agent's wallet under this agent's name");
    for (const op of [3, 4, 5]) {
        const [{ status }] = await withdraw(SOCKET, own.wallet, record, [coinTo(to)], { op });
        assert.notEqual(status, OK, `asked for in way ${op}`);
    }
});

test('a record that was changed anywhere, cut off anywhere, or is of another agent or family opens nothing', async () => {
    const [own, other] = await Promise.all([owner(), owner()]);
    const to = somewhere();
    const [{ record }, theirs, elsewhere] = await Promise.all([
        known(own, to), known(other, to), known(own, Keypair.generate().publicKey.toBase58(), { family: SOLANA }),
    ]);
    await passes(DELAY_S);
    const asked = async (shown) => (await withdraw(SOCKET, own.wallet, shown, [coinTo(to)]))[0];
    assert.equal((await asked(record)).status, OK);
    const bytes = Buffer.from(record, 'hex');
    const flipped = Array.from(bytes, (_, i) => bytes.map((byte, at) => (at === i ? byte ^ (1 << (i % 8)) : byte)));
    const cut = Array.from(bytes, (_, i) => bytes.subarray(0, i));
    const bad = [...flipped, ...cut, Buffer.concat([bytes, Buffer.from([0])])].map((b) => Buffer.from(b).toString('hex'));
    bad.push(theirs.record, elsewhere.record, `${theirs.record.slice(0, 34)}${record.slice(34)}`);
    for (const shown of bad) refusedAs([await asked(shown)], REFUSED, ['address'], shown);
    assert.equal((await asked(record)).status, OK);
});

test('what is removed stays removed, with every record of it, over a new signer, and while signing is stopped', async () => {
    const gateway = await startGateway();
    const socket = join(gateway.directory, 'signer.sock');
    try {
        const own = await owner();
        const to = somewhere();
        const [first, second] = [await known(own, to, { socket }), await known(own, to, { socket })];
        const asked = async ({ record }) => (await withdraw(socket, own.wallet, record, [coinTo(to)]))[0];
        const strike = (agent, address, record) => remove(socket, { agent, address, record });
        await passes(DELAY_S);
        assert.deepEqual([(await asked(first)).status, (await asked(second)).status], [OK, OK]);

        await gateway.keyctl('stop', 'a drill');
        refusedAs([await asked(first), await allow(socket, { agent: own.agent, address: to })], OVER_A_LIMIT, ['stopped'], 'stopped');
        refusedAs([await strike(randomUUID().replaceAll('-', ''), to, first.record), await strike(own.agent, somewhere(), first.record)], REFUSED, ['address'], 'of another agent');
        assert.equal((await strike(own.agent, to, first.record)).status, OK);
        await gateway.keyctl('resume');
        refusedAs([await asked(first), await asked(second)], REFUSED, ['address'], 'removed');
        await renewSigner(gateway);
        refusedAs([await asked(first), await asked(second)], REFUSED, ['address'], 'removed, with a new signer');
        const again = await known(own, to, { socket });
        refusedAs([await asked(again)], REFUSED, ['waiting'], 'again');
        await passes(DELAY_S);
        refusedAs([await asked(first), await asked(second)], REFUSED, ['address'], 'removed for good');
        assert.equal((await asked(again)).status, OK);
        const lines = readFileSync(join(gateway.directory, 'signer', 'audit.log'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
        const ofAgent = lines.filter(({ agent, address }) => agent?.replaceAll('-', '') === own.agent.toLowerCase() && address === to);
        assert.deepEqual(ofAgent.map(({ decision }) => decision), ['allowed', 'allowed', 'refused', 'removed', 'allowed']);
        const { recipient, order } = lines.findLast(({ decision }) => decision === 'signed');
        assert.deepEqual([recipient, order], [to, 'withdrawal']);
    } finally {
        await gateway.stop();
    }
});

test('a clock that is set forward or back by a day shortens nothing, and an address that was known stays so', async () => {
    const delay = Math.ceil(enough(20_000) / 1000);
    const gateway = await startGateway([`withdrawal_delay = ${delay}`]);
    const socket = join(gateway.directory, 'signer.sock');
    try {
        const own = await owner();
        const to = somewhere();
        const began = Date.now();
        const { wait, record } = await known(own, to, { socket });
        const asked = async () => (await withdraw(socket, own.wallet, record, [coinTo(to)]))[0];
        assert.ok(wait >= delay - 1);
        for (const seconds of [DAY_S, -DAY_S, 2 * DAY_S]) {
            shiftClock(seconds);
            refusedAs([await asked()], REFUSED, ['waiting'], `a clock off by ${seconds} s`);
            await renewSigner(gateway);
            await known(own, to, { socket });
            refusedAs([await asked()], REFUSED, ['waiting'], `a clock off by ${seconds} s, and a new signer`);
        }
        assert.ok(Date.now() - began < (delay - 2) * 1000, 'too slow to tell');
        disarm();
        await setTimeout(began + (delay + 2) * 1000 - Date.now());
        assert.equal((await asked()).status, OK);
        shiftClock(-DAY_S);
        assert.equal((await asked()).status, OK);
    } finally {
        disarm();
        await gateway.stop();
    }
});

test("an agent without a wallet need not wait, with one it does; a signer beside others never says so", async () => {
    const agent = await register();
    const to = somewhere();
    const uuid = agent.id.replaceAll('-', '');
    const gateway = await startGateway(['hosts = 2']);
    try {
        const beside = await allow(join(gateway.directory, 'signer.sock'), { agent: uuid, address: to });
        assert.ok(beside.status === OK && beside.wait > 0);
        const before = await allow(SOCKET, { agent: uuid, address: to });
        assert.deepEqual([before.status, before.wait], [OK, 0]);
        const address = await agent.wallet('base', 1);
        const later = await allow(SOCKET, { agent: uuid, address: to });
        assert.ok(later.status === OK && later.wait > 0);
        const wallet = await recordOf(address);
        assert.equal((await withdraw(SOCKET, wallet, before.record, [coinTo(to)]))[0].status, OK);
        refusedAs(await withdraw(SOCKET, wallet, later.record, [coinTo(to)]), REFUSED, ['waiting'], 'with a wallet');
    } finally {
        await gateway.stop();
    }
});

test("the operator's MAC spares one address the wait, and no other MAC passes for it", async () => {
    const own = await owner();
    const [to, stranger] = [somewhere(), somewhere()];
    const key = Buffer.from(readFileSync(join(STACK.GATEWAY_VAR, 'keys', 'wallets', 'operator.key'), 'utf8').trim(), 'hex');
    const text = (words, length = words.length + 1) => Buffer.concat([Buffer.from(words), Buffer.alloc(length - words.length)]);
    const mac = (...parts) => createHmac('sha256', key).update(Buffer.concat(parts)).digest('hex');
    const forAddress = (agent, family, address) => mac(text('agent-gateway withdrawal address'), Buffer.from(agent, 'hex'), Buffer.from([family]), text(address, 81));
    const forTransaction = (payload) => mac(text('agent-gateway sweep'), Buffer.from(own.wallet[0], 'hex'), text(own.address, 81), createHash('sha256').update(payload).digest());
    const asked = (sent, address = to) => allow(SOCKET, { agent: own.agent, address, mac: sent });
    for (const bad of [
        forAddress(own.agent, EVM, stranger), forAddress(own.agent, SOLANA, to), forAddress(own.wallet[0], EVM, to),
        forTransaction(Buffer.from(to)), forTransaction(Buffer.from(coinTo(to).slice(2), 'hex')), '00'.repeat(32),
    ]) refusedAs([await asked(bad)], REFUSED, ['order'], bad);
    const ordered = await asked(forAddress(own.agent, EVM, to));
    assert.deepEqual([ordered.status, ordered.wait], [OK, 0]);
    assert.equal((await withdraw(SOCKET, own.wallet, ordered.record, [coinTo(to)]))[0].status, OK);
    // Who has seen an order cannot repeat it once the address was removed, nor minutes later.
    const at = (seconds) => {
        const time = Buffer.alloc(8);
        time.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000) + seconds));
        return mac(text('agent-gateway withdrawal address at'), time, Buffer.from(own.agent, 'hex'), Buffer.from([EVM]), text(to, 81));
    };
    for (const bad of [at(-3600), at(-400), at(3600)]) refusedAs([await asked(bad)], REFUSED, ['order'], 'another time');
    const used = at(0);
    const { status, record } = await asked(used);
    assert.equal(status, OK);
    await passes(1);
    assert.equal((await remove(SOCKET, { agent: own.agent, address: to, record })).status, OK);
    for (const bad of [used, forAddress(own.agent, EVM, to)]) refusedAs([await asked(bad)], REFUSED, ['order'], 'removed since');
});

test("two hosts' signers pay what one has allowed, and refuse what both have removed", async () => {
    const [one, two] = await Promise.all([startGateway(['hosts = 2']), startGateway(['hosts = 2'])]);
    const sockets = [one, two].map(({ directory }) => join(directory, 'signer.sock'));
    try {
        // No record counts of the second in which a signer began, and each counts seconds of its own (withdrawals.test.mjs).
        const second = () => Math.floor(Date.now() / 1000), begun = second();
        const own = await owner();
        const to = somewhere();
        await until('a second that neither signer began in', () => second() > begun + 3);
        const { record } = await known(own, to, { socket: sockets[0] });
        await passes(DELAY_S);
        const asked = () => Promise.all(sockets.map(async (socket) => (await withdraw(socket, own.wallet, record, [coinTo(to)]))[0]));
        refusedAs(await asked(), OK, ['unknown'], 'allowed');
        for (const socket of sockets) assert.equal((await remove(socket, { agent: own.agent, address: to, record })).status, OK);
        refusedAs(await asked(), REFUSED, ['address'], 'removed');
    } finally {
        await Promise.all([one.stop(), two.stop()]);
    }
});

test('withdrawals have a limit of their own for a day', async () => {
    const gateway = await startGateway(['withdraw_day_max.base = USDC 5']);
    const socket = join(gateway.directory, 'signer.sock');
    try {
        const own = await owner();
        const to = somewhere();
        const { record } = await known(own, to, { socket });
        await passes(DELAY_S);
        const send = async (amount, nonce) => (await withdraw(socket, own.wallet, record, [calls('transfer', [to, amount], { nonce })]))[0];
        refusedAs([await send(3, 0), await send(3, 0), await send(2, 1)], OK, ['unknown'], 'within it');
        refusedAs([await send(1, 2)], OVER_A_LIMIT, ['withdraw_day_max'], 'beyond it');
    } finally {
        await gateway.stop();
    }
});

// ---------------------------------------------------------------- Solana

const TOKEN = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ASSOCIATED = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
const MINT = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const held = (who) => PublicKey.findProgramAddressSync([who.toBuffer(), TOKEN.toBuffer(), MINT.toBuffer()], ASSOCIATED)[0];
const meta = (pubkey, isSigner, isWritable) => ({ pubkey, isSigner, isWritable });

test('on Solana, too, the known address alone is paid', async () => {
    const own = await owner('solana');
    const wallet = new PublicKey(own.address);
    const [to, stranger] = [Keypair.generate().publicKey, Keypair.generate().publicKey];
    const { record } = await known(own, to.toBase58(), { family: SOLANA });
    await passes(DELAY_S);

    const pay = (who) => SystemProgram.transfer({ fromPubkey: wallet, toPubkey: who, lamports: 5000 });
    const open = (who, at = held(who)) => new TransactionInstruction({
        programId: ASSOCIATED,
        keys: [meta(wallet, true, true), meta(at, false, true), meta(who, false, false), meta(MINT, false, false), meta(SystemProgram.programId, false, false), meta(TOKEN, false, false)],
        data: Buffer.from([1]),
    });
    const move = (account) => new TransactionInstruction({
        programId: TOKEN,
        keys: [meta(held(wallet), false, true), meta(MINT, false, false), meta(account, false, true), meta(wallet, true, false)],
        data: Buffer.from([12, 5, 0, 0, 0, 0, 0, 0, 0, 6]),
    });
    const approve = new TransactionInstruction({
        programId: TOKEN, keys: [meta(held(wallet), false, true), meta(to, false, false), meta(wallet, true, false)], data: Buffer.from([4, 5, 0, 0, 0, 0, 0, 0, 0]),
    });
    const memo = new TransactionInstruction({ programId: new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'), keys: [], data: Buffer.from('x') });
    const payload = (...instructions) => `0x${Buffer.from(new VersionedTransaction(new TransactionMessage({
        payerKey: wallet, recentBlockhash: PublicKey.default.toBase58(), instructions,
    }).compileToV0Message()).serialize()).toString('hex')}`;
    const asked = (payloads, shown = record) => withdraw(SOCKET, own.wallet, shown, payloads, { family: SOLANA });

    refusedAs(await asked([payload(pay(to)), payload(open(to), move(held(to)))]), OK, ['unknown'], 'the twin');
    refusedAs(await asked([
        payload(pay(stranger)), payload(open(stranger), move(held(stranger))), payload(pay(wallet)), payload(pay(held(to))),
    ]), REFUSED, ['address'], 'another address');
    refusedAs(await asked([
        payload(pay(to), pay(stranger)), payload(pay(to), pay(to)), payload(open(to), move(held(to)), move(held(stranger))),
        payload(open(to), move(held(stranger))), payload(open(to, held(stranger)), move(held(stranger))),
        payload(move(held(to))), payload(move(held(stranger))), payload(pay(to), memo), payload(pay(to), approve), payload(approve),
        payload(pay(to), open(to)),
    ]), REFUSED, ['call'], 'no plain transfer');
    const evm = await known(own, somewhere());
    refusedAs(await asked([payload(pay(to))], evm.record), REFUSED, ['address'], 'a record of another family');
});
