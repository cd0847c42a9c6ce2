// Section: api
// The money of the sandbox's perpetuals venue: what is paid in on arbitrum, ethereum and base, and what it pays out there, on
// chains of the test's own. Nothing here asks the gateway.

import assert from 'node:assert/strict';
import {
    mkdtempSync, readFileSync, rmSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
    Contract, JsonRpcProvider, Wallet, concat, parseEther, toBeHex, toUtf8Bytes, zeroPadBytes, zeroPadValue,
} from 'ethers';
import {
    BRIDGE, DOMAINS, FORWARDER, MESSENGER, OPERATOR, VENUE_DOMAIN,
} from '../../contrib/sandbox/perps.mjs';
import { CHAINS as WORLD } from '../../contrib/sandbox/world.mjs';
import { networkOf, ownNode, takenBack } from './chain.mjs';
import {
    Trader, newKey, newNonce, ownVenue,
} from './hyperliquid.mjs';
import { until } from './lib.mjs';

const NAMES = Object.keys(DOMAINS);
const BLOCK_MS = 200;
const SPOT = 4294967295;
const DOLLAR = 10n ** 6n;
const ERC20 = ['function balanceOf(address) view returns (uint256)', 'function mint(address, uint256)', 'function transfer(address, uint256)', 'function approve(address, uint256)'];
const CIRCLE = ['function depositForBurnWithHook(uint256, uint32, bytes32, address, bytes32, uint256, uint32, bytes)', 'function pay(address, address, uint256)'];

const folder = mkdtempSync(join(tmpdir(), 'perps-'));
const chains = {};
let venue;

const start = async () => {
    venue = await ownVenue({ state: join(folder, 'state'), chains: Object.fromEntries(NAMES.map((name) => [name, chains[name].url])) });
};

before(async () => {
    for (const name of NAMES) chains[name] = await chainOf(name);
    await start();
});
after(async () => {
    await venue.stop();
    for (const { stop } of Object.values(chains)) stop();
    rmSync(folder, { recursive: true });
});

/** With a block now and then. */
async function chainOf(name) {
    const { child, url } = await ownNode(name);
    const network = networkOf(name);
    const provider = new JsonRpcProvider(url, network, { staticNetwork: network, cacheTimeout: -1 });
    provider.pollingInterval = 10;
    const chain = { name, url, provider, dollars: new Contract(WORLD[name].tokens.USDC.address, ERC20, provider), circle: new Contract(MESSENGER, CIRCLE, provider) };
    const blocks = setInterval(() => { if (!chain.still) provider.send('evm_mine', []).catch(() => {}); }, BLOCK_MS);
    chain.stop = () => { clearInterval(blocks); provider.destroy(); child.kill('SIGKILL'); };
    return chain;
}

/** A holder of a key, coins and so many dollars on a chain. */
async function holder(chain, dollars, key = newKey()) {
    const { provider } = chain;
    await provider.send('anvil_setBalance', [key.address, toBeHex(parseEther('10'))]);
    await provider.send('anvil_dealERC20', [key.address, chain.dollars.target, toBeHex(dollars * DOLLAR)]);
    return { trader: new Trader(venue, key), wallet: new Wallet(key.privateKey, provider) };
}

const sent = async (wallet, contract, name, ...args) => (await (await contract.connect(wallet)[name](...args)).wait()).hash;
const deposit = (chain, wallet, amount) => sent(wallet, chain.dollars, 'transfer', BRIDGE, amount);
const held = (chain, address) => chain.dollars.balanceOf(address);
const withdrawable = async (trader) => (await trader.state()).withdrawable;
const ledger = async (trader) => (await trader.info('userNonFundingLedgerUpdates')).map(({ delta }) => delta);
const depositOf = async (hash) => (await venue.audit('deposits')).find(({ transaction }) => transaction === hash);
const taken = (hash) => until('a deposit', () => depositOf(hash));

const word = (address) => zeroPadValue(address, 32);
const hookFor = (recipient, dex = 0) => concat([zeroPadBytes(toUtf8Bytes('cctp-forward'), 24), toBeHex(0, 4), toBeHex(24, 4), recipient, toBeHex(dex, 4)]);

/** Burns for the venue; `changes` are to the arguments. */
async function burn(chain, wallet, amount, { maxFee = 0n, hook = hookFor(wallet.address), recipient = word(FORWARDER), caller = word(FORWARDER), domain = VENUE_DOMAIN, finality = 1000 } = {}) {
    await sent(wallet, chain.dollars, 'approve', MESSENGER, amount);
    return sent(wallet, chain.circle, 'depositForBurnWithHook', amount, domain, recipient, chain.dollars.target, caller, maxFee, finality, hook);
}

/** So that a venue looks at the chains from their beginnings. */
function forgetBlocks() {
    const file = join(folder, 'state.hyperliquid.jsonl');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\{"blocks":.*\n/gm, ''));
}

// ---------------------------------------------------------------- in

test('dollars that are transferred to the bridge are the sender\'s at the venue', async () => {
    const chain = chains.arbitrum;
    const { trader, wallet } = await holder(chain, 2000n);
    const earlier = await held(chain, BRIDGE);
    const hash = await deposit(chain, wallet, 1000n * DOLLAR);
    const { amount, why } = await taken(hash);
    assert.deepEqual([amount, why], [String(1000n * DOLLAR), undefined]);
    assert.deepEqual(await ledger(trader), [{ type: 'deposit', usdc: '1000.0' }, { type: 'accountActivationGas', amount: '1.0', token: 'USDC' }]);
    assert.deepEqual([await withdrawable(trader), await held(chain, BRIDGE) - earlier], ['999.0', 1000n * DOLLAR]);
    await taken(await deposit(chain, wallet, 5n * DOLLAR));
    assert.equal(await withdrawable(trader), '1004.0');
    const lost = await taken(await deposit(chain, wallet, 5n * DOLLAR - 1n));
    assert.deepEqual([lost.amount, lost.why], ['0', 'too little']);
    assert.equal(await withdrawable(trader), '1004.0');
});

test('any account may mint dollars on arbitrum, and deposit them', async () => {
    const chain = chains.arbitrum;
    const { trader, wallet } = await holder(chain, 0n);
    await sent(wallet, chain.dollars, 'mint', wallet.address, 10n * DOLLAR);
    await taken(await deposit(chain, wallet, 10n * DOLLAR));
    assert.equal(await withdrawable(trader), '9.0');
});

test('a deposit that a reorganisation takes back is none', async () => {
    const chain = chains.arbitrum;
    const { trader, wallet } = await holder(chain, 1000n);
    let hash;
    await takenBack(chain, async () => {
        hash = (await chain.dollars.connect(wallet).transfer(BRIDGE, 100n * DOLLAR)).hash;
        return hash;
    }, async () => {
        const { blockNumber } = await chain.provider.send('eth_getTransactionReceipt', [hash]);
        await until('a look at its block', async () => (await venue.audit('heads')).some((each) => each.chain === 'arbitrum' && each.block > Number(blockNumber)));
    });
    const next = await holder(chain, 1000n);
    await taken(await deposit(chain, next.wallet, 100n * DOLLAR));
    assert.deepEqual([await withdrawable(trader), await depositOf(hash)], ['0.0', undefined]);
});

for (const name of NAMES) {
    test(`dollars burnt on ${name} for the venue are credited, less Circle\'s fee`, async () => {
        const chain = chains[name];
        const { trader, wallet } = await holder(chain, 2000n);
        const [{ minimumFee, forwardFee }, standard] = (await venue.ask('GET', `/iris/v2/burn/USDC/fees/${DOMAINS[name]}/19?forward=true&hyperCoreDeposit=true`)).body;
        const amount = 1000n * DOLLAR;
        const maxFee = (amount * BigInt(10 * minimumFee)) / 100_000n + BigInt(forwardFee.med);
        assert.deepEqual([minimumFee, maxFee, standard.finalityThreshold], [1.3, 330_000n, 2000]);
        const earlier = await held(chain, MESSENGER);
        const first = await taken(await burn(chain, wallet, amount, { maxFee }));
        assert.deepEqual([first.amount, first.user, first.isSpot], [String(amount - maxFee), trader.address, false]);
        assert.equal(await held(chain, MESSENGER) - earlier, amount);
        assert.equal(await withdrawable(trader), '998.67');
        const [{ type, destination, usdcValue, destinationDex }] = await ledger(trader);
        assert.deepEqual([type, destination, usdcValue, destinationDex], ['send', trader.address, '999.67', '']);
        await taken(await burn(chain, wallet, 100n * DOLLAR, { maxFee: 200_000n, finality: 2000, hook: hookFor(wallet.address, SPOT) }));
        assert.equal((await trader.info('spotClearinghouseState')).balances[0].total, '99.8');
    });
}

test('dollars that are burnt, but not as the venue wants it, are credited to no account', async () => {
    const chain = chains.base;
    const { trader, wallet } = await holder(chain, 1000n);
    const amount = 10n * DOLLAR + 1n, maxFee = 201_301n; // the least share is rounded up
    const wrong = [
        [{ maxFee: 201_300n }, 'the fee is not paid'], [{ maxFee, recipient: word(wallet.address) }, 'not for the forwarder'], [{ maxFee, caller: word(wallet.address) }, 'not for the forwarder'],
        [{ maxFee, hook: hookFor(wallet.address, 7) }, 'a hook that says nothing'], [{ maxFee, hook: '0x00' }, 'a hook that says nothing'],
    ];
    for (const [change, why] of wrong) assert.equal((await taken(await burn(chain, wallet, amount, change))).why, why);
    const elsewhere = await burn(chain, wallet, amount, { maxFee, domain: 6 });
    await taken(await burn(chain, wallet, amount, { maxFee }));
    assert.equal(await depositOf(elsewhere), undefined);
    assert.equal(await withdrawable(trader), '8.7987');
    for (const [change, text] of [[{ maxFee: amount }, /Max fee/], [{ hook: '0x' }, /Hook data/], [{ recipient: toBeHex(0, 32) }, /Mint recipient/]]) {
        await assert.rejects(burn(chain, wallet, amount, change), text);
    }
    await assert.rejects(sent(wallet, chain.circle, 'pay', chain.dollars.target, wallet.address, 1n), /Unauthorized/);
    assert.equal((await venue.ask('GET', '/iris/v2/burn/USDC/fees/1/19')).status, 404);
});

// ---------------------------------------------------------------- out

const send = (trader, domain, amount, more) => trader.user('sendToEvmWithData', {
    token: 'USDC', amount, sourceDex: '', destinationRecipient: trader.address, addressEncoding: 'hex', destinationChainId: domain, gasLimit: 200_000, data: '0x', ...more,
});

test('a withdrawal is paid out on arbitrum, once, less a dollar', async () => {
    const chain = chains.arbitrum;
    const { trader, wallet } = await holder(chain, 1000n);
    await taken(await deposit(chain, wallet, 500n * DOLLAR));
    const earlier = await held(chain, BRIDGE);
    const nonce = newNonce();
    assert.equal((await trader.withdraw('100.5', trader.address, { nonce })).status, 'ok');
    assert.equal((await trader.withdraw('100.5', trader.address, { nonce })).response, `Invalid nonce: duplicate nonce ${nonce}`);
    assert.equal(await withdrawable(trader), '398.5');
    const row = () => venue.audit('withdrawals').then((rows) => rows.find((each) => each.user === trader.address && each.nonce === nonce));
    const paid = await until('a payment', async () => { const each = await row(); return each.state === 'paid' && each; });
    assert.deepEqual([paid.amount, paid.fee], [String(99_500_000), String(DOLLAR)]);
    assert.equal(await held(chain, wallet.address), 599_500_000n);
    assert.equal(earlier - await held(chain, BRIDGE), 99_500_000n);
    const receipt = await chain.provider.getTransactionReceipt(paid.transaction);
    assert.deepEqual([receipt.from, receipt.to], [OPERATOR.address, BRIDGE]);
    assert.deepEqual((await ledger(trader)).at(-1), { type: 'withdraw', usdc: '100.5', nonce, fee: '1.0' });
});

test('dollars sent to another chain arrive there, less their fee', async () => {
    const { trader, wallet } = await holder(chains.arbitrum, 1000n);
    await taken(await deposit(chains.arbitrum, wallet, 500n * DOLLAR));
    for (const name of NAMES) {
        const earlier = await held(chains[name], trader.address);
        assert.equal((await send(trader, DOMAINS[name], '50')).status, 'ok', name);
        await until('a payment', async () => await held(chains[name], trader.address) - earlier === 49_800_000n);
    }
    assert.equal(await withdrawable(trader), String(349 - NAMES.length * 0.0008));
    const { type, amount, fee, destination, sourceDex } = (await ledger(trader)).at(-1);
    assert.deepEqual([type, amount, fee, destination, sourceDex], ['send', '50.0', '0.2', '0x2000000000000000000000000000000000000000', '']);
    const wrong = [
        [7, '50', {}, 'Invalid destination chain'], [3, '50', { token: 'HYPE' }, 'Invalid token'], [3, '50', { sourceDex: 'x' }, 'Invalid source dex'], [3, '50', { data: '0x12' }, 'Invalid destination'],
        [3, '348.997', {}, 'Insufficient USDC or HYPE balance for token transfer gas'], [3, '0.2', {}, 'Insufficient balance for withdrawal'], [3, '500', {}, 'Insufficient balance for withdrawal'], [3, '1', { sourceDex: 'spot' }, 'Insufficient balance for withdrawal'],
    ];
    for (const [domain, text, more, response] of wrong) assert.deepEqual(await send(trader, domain, text, more), { status: 'err', response });
});

test('a venue that is killed pays what it owes, once, and credits what came meanwhile', async () => {
    const chain = chains.arbitrum;
    const { trader, wallet } = await holder(chain, 1000n);
    await taken(await deposit(chain, wallet, 500n * DOLLAR));
    await venue.fault('payout_delayed', 3_600_000);
    await trader.withdraw('20');
    await trader.withdraw('30');
    await until('the first steps of a payment', async () => (await venue.audit('withdrawals')).some(({ user, state }) => user === trader.address && state !== 'waiting'));
    await venue.kill();
    forgetBlocks();
    const hash = await deposit(chain, wallet, 50n * DOLLAR);
    await start();
    trader.venue = venue;
    await taken(hash);
    await until('the payments', async () => (await venue.audit('withdrawals')).filter(({ user, state }) => user === trader.address && state === 'paid').length === 1);
    assert.equal(await held(chain, wallet.address), 450n * DOLLAR + 29n * DOLLAR);
    assert.equal(await withdrawable(trader), '499.0');
    const late = (await venue.audit('withdrawals')).find(({ user, state }) => user === trader.address && state === 'waiting');
    assert.deepEqual([late.amount, late.due > Date.now()], [String(19n * DOLLAR), true]);
    await venue.act('hasten', { user: trader.address, what: 'payouts' });
    await until('the other payment', async () => await held(chain, wallet.address) === 498n * DOLLAR);
});

test('a payment that a reorganisation takes back comes again, once', async () => {
    const chain = chains.arbitrum;
    const { trader, wallet } = await holder(chain, 1000n);
    await taken(await deposit(chain, wallet, 500n * DOLLAR));
    const state = async () => (await venue.audit('withdrawals')).find(({ user }) => user === trader.address);
    await takenBack(chain, async () => {
        await trader.withdraw('20');
        return until('a payment', async () => (await state())?.transaction);
    }, () => until('a payment', async () => (await state()).state === 'paid'));
    assert.equal(await held(chain, wallet.address), 500n * DOLLAR);
    await until('the payment again', async () => await held(chain, wallet.address) === 519n * DOLLAR);
});

test('the venue says which way it recommends', async () => {
    assert.deepEqual(await venue.info('usdcRouting'), { depositRoute: 'bridge', withdrawalRoute: 'bridge' });
    await venue.act('routing', { depositRoute: 'cctp' });
    assert.deepEqual(await venue.info('usdcRouting'), { depositRoute: 'cctp', withdrawalRoute: 'bridge' });
});
