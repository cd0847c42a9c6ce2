// Section: api
// The sandbox's Solana by itself, used as its developers' own library uses a node: real bytes, a real machine, and what
// a network does to transactions besides.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
    Connection, Keypair, PublicKey, SystemProgram, TransactionInstruction, TransactionMessage, VersionedTransaction,
} from '@solana/web3.js';
import { MINTS } from '../../contrib/sandbox/solana/world.mjs';
import { DEPOSITORY, WRAPPED } from '../../contrib/sandbox/solana/transaction.mjs';
import { PATIENCE_MS } from '../patience.mjs';
import { freePort } from './ports.mjs';

const SANDBOX = new URL('../../contrib/sandbox/', import.meta.url).pathname;
const SOL = 10n ** 9n;
const directory = mkdtempSync(join(tmpdir(), 'solana-'));
const { USDC } = MINTS;
let node, second, connection, chain, services;

async function start(file, ...args) {
    const child = spawn('node', [join(SANDBOX, file), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((done, failed) => {
        child.stdout.once('data', done);
        child.once('exit', (code) => failed(new Error(`${file} ended with ${code}`)));
    });
    child.removeAllListeners('exit');
    return child;
}

const stop = (child) => new Promise((done) => {
    child.once('exit', done);
    child.kill('SIGTERM');
});

before(async () => {
    const [chainPort, upstreamPort] = [await freePort(), await freePort()];
    node = `http://127.0.0.1:${chainPort}`;
    second = `${node}/second`;
    chain = await start('solana/server.mjs', String(chainPort), join(directory, 'solana'));
    services = await start('upstream/server.mjs', String(upstreamPort), '-', join(directory, 'upstream'), `solana=${node}`);
    connection = new Connection(node, 'confirmed');
    services.url = `http://127.0.0.1:${upstreamPort}`;
});
after(async () => {
    await Promise.all([chain, services].filter(Boolean).map(stop));
    rmSync(directory, { recursive: true });
});

const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });
const control = async (url, set) => {
    const response = await fetch(`${url}/_sandbox`, { method: 'POST', body: JSON.stringify(set) });
    assert.equal(response.status, 200, await response.clone().text());
    return response.json();
};
const atChain = (fault, more) => control(node, { service: 'solana', fault, times: 1, ...more });
const atJupiter = (fault, more) => control(services.url, { service: 'jupiter', fault, times: 1, ...more });

async function until(what, found) {
    for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20)) {
        const value = await found();
        if (value) return value;
    }
    return assert.fail(`in vain: ${what}`);
}

async function funded() {
    const key = Keypair.generate();
    await connection.requestAirdrop(key.publicKey, Number(10n * SOL));
    return key;
}

async function jupiter(path, query) {
    const response = await fetch(`${services.url}/jupiter${path}?${new URLSearchParams(query)}`);
    return { status: response.status, ...await response.json() };
}

const order = (key, more) => jupiter('/swap/v2/order', {
    inputMint: WRAPPED, outputMint: USDC.mint, amount: String(SOL), slippageBps: '100', taker: key.publicKey.toBase58(), excludeRouters: 'jupiterz,dflow,okx', ...more,
});

function signed(key, { transaction }) {
    const found = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
    found.sign([key]);
    return found;
}

const statusOf = async (signature) => (await connection.getSignatureStatuses([signature], { searchTransactionHistory: true })).value[0];
const confirmed = (signature) => until('a confirmed transaction', async () => {
    const status = await statusOf(signature);
    return status?.confirmationStatus !== 'processed' && status;
});
const tokens = async (key, mint) => {
    const { value } = await connection.getParsedTokenAccountsByOwner(key.publicKey, { mint: new PublicKey(mint) });
    return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
};

test('an order trades what it says, and is told by the transaction as nodes tell it', async () => {
    const key = await funded();
    const quote = await order(key);
    const signature = await connection.sendTransaction(signed(key, quote));
    assert.equal((await confirmed(signature)).err, null);
    assert.equal(String(await tokens(key, USDC.mint)), quote.outAmount);
    const { meta } = await connection.getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 });
    assert.equal(meta.fee, 5400);
    assert.equal(meta.postTokenBalances.find(({ owner }) => owner === key.publicKey.toBase58()).uiTokenAmount.amount, quote.outAmount);
    const rent = await connection.getMinimumBalanceForRentExemption(165);
    assert.equal(meta.preBalances[0] - meta.postBalances[0], Number(SOL) + meta.fee + rent);
    assert.deepEqual((await connection.getSignaturesForAddress(key.publicKey)).map((each) => each.signature), [signature]);
});

test('Jupiter carries an order out itself, once', async () => {
    const key = await funded();
    const quote = await order(key);
    const body = JSON.stringify({ signedTransaction: Buffer.from(signed(key, quote).serialize()).toString('base64'), requestId: quote.requestId });
    const execute = async () => (await fetch(`${services.url}/jupiter/swap/v2/execute`, { method: 'POST', body })).json();
    const first = await execute();
    assert.equal(first.status, 'Success');
    assert.equal((await execute()).signature, first.signature);
    assert.equal(String(await tokens(key, USDC.mint)), quote.outAmount);
});

test('below the minimum the program fails with 6001, and nothing moves', async () => {
    const [key, whale] = [await funded(), await funded()];
    const quote = await order(key, { slippageBps: '0' });
    await connection.requestAirdrop(whale.publicKey, Number(100_000n * SOL));
    await confirmed(await connection.sendTransaction(signed(whale, await order(whale, { amount: String(90_000n * SOL) }))));
    await assert.rejects(connection.sendTransaction(signed(key, quote)), /0x1771|6001/);
    const signature = await connection.sendTransaction(signed(key, quote), { skipPreflight: true });
    assert.deepEqual((await confirmed(signature)).err, { InstructionError: [6, { Custom: 6001 }] });
    assert.equal(await tokens(key, USDC.mint), 0n);
});

test('a token for another, and one of the newer token program', async () => {
    const key = await funded(), address = key.publicKey.toBase58();
    await control(node, { service: 'solana', fault: 'fund', value: { address, mint: USDC.mint, amount: '5000000' } });
    const quote = await order(key, { inputMint: USDC.mint, outputMint: MINTS.PYUSD.mint, amount: '5000000' });
    await confirmed(await connection.sendTransaction(signed(key, quote)));
    assert.deepEqual([await tokens(key, USDC.mint), String(await tokens(key, MINTS.PYUSD.mint))], [0n, quote.outAmount]);
});

test('no route, a bad amount, an unknown mint', async () => {
    const key = await funded();
    assert.deepEqual((({ status, error }) => [status, error])(await order(key, { outputMint: WRAPPED })), [400, 'inputMint cannot be same as outputMint']);
    assert.equal((await order(key, { inputMint: MINTS.JUP.mint, outputMint: MINTS.BONK.mint })).error, 'Failed to get quotes');
    assert.equal((await order(key, { amount: '0' })).error, 'Invalid amount');
    assert.equal((await order(key, { outputMint: 'moon' })).error, 'Invalid outputMint');
});

test('a transaction that is dropped expires after 150 blocks, and not before', async () => {
    const [key, other] = [await funded(), await funded()];
    const quote = await order(key), transaction = signed(key, quote);
    await atChain('drop');
    const signature = await connection.sendTransaction(transaction);
    await confirmed(await connection.sendTransaction(signed(other, await order(other)))); // as it would be itself by now
    assert.equal(await statusOf(signature), null);
    await atChain('advance', { value: 155 });
    assert.ok(await connection.getBlockHeight('confirmed') > Number(quote.lastValidBlockHeight));
    await assert.rejects(connection.sendTransaction(transaction), /Blockhash not found|BlockhashNotFound/);
});

test('a fork takes a transaction away again; the same bytes land on the other one', async () => {
    const key = await funded();
    const transaction = signed(key, await order(key));
    await atChain('fork', { value: 6 });
    const signature = await connection.sendTransaction(transaction);
    await confirmed(signature);
    await until('the fork', async () => await statusOf(signature) === null);
    assert.equal(await tokens(key, USDC.mint), 0n);
    assert.equal(await connection.sendTransaction(transaction), signature);
    await confirmed(signature);
    assert.ok(await tokens(key, USDC.mint) > 0n);
});

test('a node that lags leaves the other one alone', async () => {
    await atChain('behind', { path: '/', times: 2, value: 300 });
    await assert.rejects(connection.getSlot(), /behind by 300 slots/);
    assert.ok(await new Connection(second).getSlot() > 0);
    await assert.rejects(connection.getSlot(), /behind/);
    assert.ok(await connection.getSlot() > 0);
});

test('a node without history knows no status', async () => {
    const key = await funded();
    const signature = await connection.sendTransaction(signed(key, await order(key)));
    await confirmed(signature);
    await atChain('no_history');
    assert.equal(await statusOf(signature), null);
    assert.notEqual(await statusOf(signature), null);
});

test('a transaction that the market maker pays for has its signature first, and none before it is carried out', async () => {
    const key = await funded();
    await atJupiter('rfq');
    const quote = await order(key, { excludeRouters: '' });
    const transaction = VersionedTransaction.deserialize(Buffer.from(quote.transaction, 'base64'));
    assert.deepEqual([quote.router, quote.signatureFeePayer], ['jupiterz', transaction.message.staticAccountKeys[0].toBase58()]);
    transaction.sign([key]);
    assert.ok(transaction.signatures[0].every((byte) => byte === 0));
    const body = JSON.stringify({ signedTransaction: Buffer.from(transaction.serialize()).toString('base64'), requestId: quote.requestId });
    const { status } = await (await fetch(`${services.url}/jupiter/swap/v2/execute`, { method: 'POST', body })).json();
    assert.equal(status, 'Success');
    assert.equal(String(await tokens(key, USDC.mint)), quote.outAmount);
});

test('every lie about a transaction makes another one than the honest', async () => {
    const key = await funded();
    const { services: all } = await (await fetch(`${services.url}/_sandbox`)).json();
    const lies = all.find(({ name }) => name === 'jupiter').faults;
    const callsOf = ({ transaction }) => VersionedTransaction.deserialize(Buffer.from(transaction, 'base64')).message.compiledInstructions
        .map(({ data }) => Buffer.from(data).toString('hex')).join() + VersionedTransaction.deserialize(Buffer.from(transaction, 'base64')).message.staticAccountKeys.map(String).join();
    const honest = callsOf(await order(key));
    for (const lie of lies.slice(lies.indexOf('recipient'))) {
        await atJupiter(lie);
        assert.notEqual(callsOf(await order(key)), honest, lie);
    }
    assert.equal(callsOf(await order(key)), honest);
});

test('a chain that is stopped goes on from its last slot', async () => {
    const key = await funded();
    const signature = await connection.sendTransaction(signed(key, await order(key)));
    await confirmed(signature);
    const [slot, held] = [await connection.getSlot('processed'), await tokens(key, USDC.mint)];
    await stop(chain);
    chain = await start('solana/server.mjs', new URL(node).port, join(directory, 'solana'));
    assert.ok(await connection.getSlot('processed') >= slot);
    assert.equal(await tokens(key, USDC.mint), held);
    assert.equal((await statusOf(signature)).err, null);
});

const seeded = (name) => PublicKey.findProgramAddressSync([Buffer.from(name)], new PublicKey(DEPOSITORY))[0];
const STATE = seeded('relay_depository'), VAULT = seeded('vault');
const TOKENS = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', ASSOCIATED = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const heldBy = (owner, mint) => PublicKey.findProgramAddressSync([owner.toBuffer(), new PublicKey(TOKENS).toBuffer(), new PublicKey(mint).toBuffer()], new PublicKey(ASSOCIATED))[0];

/** What instructions of { programId, keys, data } do, with that key's signature. */
async function carriedOut(key, ...instructions) {
    const { blockhash } = await connection.getLatestBlockhash();
    const list = instructions.map(({ programId, keys, data }) => new TransactionInstruction({
        programId: new PublicKey(programId), data, keys: keys.map(([pubkey, isSigner, isWritable]) => ({ pubkey: new PublicKey(pubkey), isSigner, isWritable })),
    }));
    const transaction = new VersionedTransaction(new TransactionMessage({ payerKey: key.publicKey, recentBlockhash: blockhash, instructions: list }).compileToV0Message());
    transaction.sign([key]);
    const signature = await connection.sendTransaction(transaction);
    assert.equal((await confirmed(signature)).err, null);
    return signature;
}

function depositData(kind, amount) {
    const data = Buffer.concat([Buffer.from(kind, 'hex'), Buffer.alloc(8), Buffer.alloc(32, 7)]);
    data.writeBigUInt64LE(amount, 8);
    return data;
}

test('the depository takes coins into its own vault, for any depositor that the sender names', async () => {
    const [key, other] = [await funded(), await funded()];
    const deposit = ({ depositor = key.publicKey, vault = VAULT, state = STATE }) => carriedOut(key, {
        programId: DEPOSITORY, data: depositData('0d9e0ddf5fd51c06', SOL),
        keys: [[state, false, false], [key.publicKey, true, true], [depositor, false, false], [vault, false, true], [SystemProgram.programId, false, false]],
    });
    const held = await connection.getBalance(VAULT);
    await deposit({});
    await deposit({ depositor: other.publicKey });
    assert.equal(await connection.getBalance(VAULT), held + Number(2n * SOL));
    await assert.rejects(deposit({ vault: other.publicKey }), /0x7d6/);
    await assert.rejects(deposit({ state: DEPOSITORY }), /0x7d6/);
});

test("the depository takes tokens into its vault's account, which it opens", async () => {
    const key = await funded(), mint = MINTS.JUP.mint;
    await control(node, { service: 'solana', fault: 'fund', value: { address: key.publicKey.toBase58(), mint, amount: '5000000' } });
    const deposit = (to) => carriedOut(key, {
        programId: DEPOSITORY, data: depositData('0b9c60da27a3b413', 2_000_000n),
        keys: [
            [STATE, false, false], [key.publicKey, true, true], [key.publicKey, false, false], [VAULT, false, false], [mint, false, false],
            [heldBy(key.publicKey, mint), false, true], [to, false, true], [TOKENS, false, false], [ASSOCIATED, false, false], [SystemProgram.programId, false, false],
        ],
    });
    const held = heldBy(VAULT, mint);
    assert.equal(await connection.getAccountInfo(held), null);
    await deposit(held);
    await deposit(held);
    assert.equal((await connection.getTokenAccountBalance(held)).value.amount, '4000000');
    await assert.rejects(deposit(heldBy(key.publicKey, mint)), /0xbb8/);
});
