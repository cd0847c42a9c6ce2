// Section: api
// The sandbox's relayer, judged by the relayer's own client (@polymarket/builder-relayer-client 0.0.10): the wallet that it derives is
// the factory's, it makes that wallet, and a batch that it signs is carried out. Nothing here asks the gateway.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Wallet } from 'ethers';
import { CHAIN_ID } from '../../contrib/sandbox/upstream/polymarket/polygon.mjs';
import { BUILDER_KEY } from '../../contrib/sandbox/upstream/polymarket/relayer.mjs';
import { until } from './lib.mjs';
import {
    WalletTrader, ownChain, ownUpstream, units, unwrapping, wrapping,
} from './polymarket.mjs';

// Packages for CommonJS, as they come.
const require = createRequire(import.meta.url);
const { RelayClient } = require('@polymarket/builder-relayer-client');
const { BuilderConfig } = require('@polymarket/builder-signing-sdk');
const { Wallet: FormerWallet } = require('@ethersproject/wallet');
const { JsonRpcProvider } = require('@ethersproject/providers');
const { polygon } = require('viem/chains');

const STATE = mkdtempSync(join(tmpdir(), 'relayer-sdk-'));
let chain;
let venue;
let provider;
before(async () => {
    chain = await ownChain();
    venue = await ownUpstream(chain, join(STATE, 'upstream'));
    provider = new JsonRpcProvider(chain.url, CHAIN_ID);
});
after(async () => { await venue.stop(); chain.stop(); rmSync(STATE, { recursive: true }); });

/** A client of a new owner, with a builder's key, or another one. */
function client(creds = BUILDER_KEY) {
    const { privateKey, address } = Wallet.createRandom();
    const builder = new BuilderConfig({ localBuilderCreds: { key: creds.key, secret: creds.secret, passphrase: creds.passphrase } });
    const relayer = new RelayClient(`${venue.base}/polymarket/relayer`, CHAIN_ID, new FormerWallet(privateKey, provider), builder, undefined, {
        chain: { ...polygon, rpcUrls: { default: { http: [chain.url] } } },
    });
    return { owner: address, privateKey, relayer };
}

const outcome = ({ transactionID }, relayer) => until('an outcome', async () => {
    const [row] = await relayer.getTransaction(transactionID);
    return ['STATE_CONFIRMED', 'STATE_FAILED', 'STATE_INVALID'].includes(row.state) && row;
});

test('the client derives the wallet that the factory makes, and makes it once', async () => {
    const { owner, relayer } = client();
    const wallet = await chain.factory.walletOf(owner);
    assert.equal(await relayer.deriveDepositWalletAddress(), wallet);
    assert.equal(await relayer.getDeployed(wallet, 'WALLET'), false);
    const made = await relayer.deployDepositWallet();
    const { state, transactionHash } = await outcome(made, relayer);
    assert.equal(state, 'STATE_CONFIRMED');
    assert.ok(await chain.provider.getTransactionReceipt(transactionHash));
    assert.equal(await relayer.getDeployed(wallet, 'WALLET'), true);
    assert.equal(await relayer.deriveDepositWalletAddress(), wallet);
    assert.ok((await relayer.getTransactions()).some(({ transactionID }) => transactionID === made.transactionID));
});

test('a batch of the client\'s is carried out by the wallet, and counts its nonce', async () => {
    const { owner, privateKey, relayer } = client();
    const ann = new WalletTrader(chain);
    ann.key = new Wallet(privateKey, chain.provider);
    ann.address = await chain.factory.walletOf(owner);
    await chain.operate(chain.dollars, 'mint', owner, units('10'));
    await chain.provider.send('anvil_setBalance', [owner, '0xde0b6b3a7640000']);
    for (const [to, data] of wrapping(ann.address, units('10'))) await chain.send(owner, to, data);
    assert.equal((await outcome(await relayer.deployDepositWallet(), relayer)).state, 'STATE_CONFIRMED');
    assert.equal((await relayer.getNonce(owner, 'WALLET')).nonce, '0');
    const calls = unwrapping(ann, owner, units('4')).map(([target, data]) => ({ target, value: '0', data }));
    const deadline = String(Math.floor(Date.now() / 1000) + 600);
    const sent = await relayer.executeDepositWalletBatch(calls, ann.address, deadline);
    assert.equal((await outcome(sent, relayer)).state, 'STATE_CONFIRMED');
    assert.equal(await chain.dollars.balanceOf(owner), units('4'));
    assert.equal((await relayer.getNonce(owner, 'WALLET')).nonce, '1');
    const waited = await sent.wait();
    assert.equal(waited.state, 'STATE_CONFIRMED');
});

test('the client is refused with the key of another', async () => {
    const { relayer } = client({ ...BUILDER_KEY, secret: Buffer.alloc(32, 7).toString('base64') });
    await assert.rejects(relayer.deployDepositWallet(), (error) => /401|unauthori[sz]ed|invalid/i.test(JSON.stringify(error.response?.data ?? error.message ?? error)));
});
