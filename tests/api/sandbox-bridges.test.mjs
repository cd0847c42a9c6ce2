// Section: api
// The sandbox's bridges between EVM chains and Solana by themselves, used as their own clients use them: Relay both ways and
// LI.FI towards Solana, what the solver pays, what it gives back, and what it can be told to do wrong.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
    Connection, Keypair, PublicKey, TransactionInstruction, TransactionMessage, VersionedTransaction,
} from '@solana/web3.js';
import { Interface, ZeroAddress, parseUnits, zeroPadValue } from 'ethers';
import { MINTS } from '../../contrib/sandbox/solana/world.mjs';
import { DEPOSITORY, base58, keyOf } from '../../contrib/sandbox/solana/transaction.mjs';
import { hashOf, relay as service } from '../../contrib/sandbox/upstream/relay.mjs';
import { isCovered } from '../../contrib/sandbox/upstream/solver.mjs';
import { CHAINS } from '../../contrib/sandbox/world.mjs';
import { stackSettings, until } from './lib.mjs';
import {
    ALL_CHAINS, APPROVE, balance, give, mined, outsider, rpc, token,
} from './chain.mjs';

const SOLANA = 792703809, COIN = '11111111111111111111111111111111';
const SOL = 10n ** 9n;
const STRANGE = `0x${'77'.repeat(20)}`; // a token that no list has
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const VAULT = PublicKey.findProgramAddressSync([Buffer.from('vault')], new PublicKey(DEPOSITORY))[0].toBase58();

const settings = await stackSettings();
const node = `http://127.0.0.1:${settings.SANDBOX_SOLANA_PORT}`, services = `http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}`;
const connection = new Connection(node, 'confirmed');

const post = async (url, json) => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(json) });
    return { status: response.status, body: await response.json() };
};
const wrong = (wallet, service, fault, value, times) => post(`${services}/_sandbox`, { service, fault, value, times, wallet });

// ---------------------------------------------------------------- prices

/** Chains whose pools pay another price for the coin each. */
const priced = Object.fromEntries(Object.entries({ ethereum: 3000n, base: 2400n, bsc: 500n }).map(([name, dollars]) => {
    const chain = CHAINS[name], wrapped = chain.tokens[chain.wrapped].address;
    const isCoin = (token) => token === ZeroAddress || token === wrapped, unit = 10n ** BigInt(18 - chain.tokens.USDC.decimals);
    const best = (sold, bought, amount) => (isCoin(sold) ? amount * dollars / unit : amount * unit / dollars);
    return [name, { ...chain, name, pools: { wrapped }, best }];
}));

test('a coin is worth the same on all chains to the solver: none of an asset is quoted above what is put in', async () => {
    const [, , quote] = service.routes.find(([, path]) => path === '/quote/v3');
    const orders = [];
    const desk = {
        chain: (which) => Object.values(priced).find(({ id }) => id === which), wrong: () => undefined, router: () => token('base', 'USDC').address,
        offer: (chain, ...trade) => ({ out: chain.best(...trade) }), solver: { expect: (order) => orders.push(order) },
    };
    const user = `0x${'11'.repeat(20)}`;
    const ask = async (from, to, [sold, bought], amount) => (await quote(desk, {
        headers: { 'x-api-key': 'any' },
        body: JSON.stringify({
            user, tradeType: 'EXACT_INPUT', originChainId: priced[from].id, destinationChainId: priced[to].id, amount: String(amount), slippageTolerance: '0',
            originCurrency: sold, destinationCurrency: bought, includeProtocolData: true,
        }),
    })).json.details.currencyOut.amount;
    const ONE = 10n ** 18n, dollar = (name) => priced[name].tokens.USDC.address;
    const wrapped = (name) => priced[name].pools.wrapped;
    for (const [from, to] of [['ethereum', 'base'], ['base', 'ethereum']]) {
        for (const pair of [[ZeroAddress, ZeroAddress], [ZeroAddress, wrapped(to)], [wrapped(from), ZeroAddress]]) {
            assert.equal(await ask(from, to, pair, ONE), String(ONE * 9970n / 10_000n), `${from} ${pair}`);
        }
    }
    assert.equal(await ask('ethereum', 'bsc', [dollar('ethereum'), dollar('bsc')], 10n ** 6n), String(ONE * 9970n / 10_000n));
    assert.equal(await ask('ethereum', 'bsc', [ZeroAddress, ZeroAddress], ONE), String(6n * ONE)); // another asset, by dollars with other decimals
    assert.equal(await ask('ethereum', 'bsc', [ZeroAddress, dollar('bsc')], ONE), String(3000n * ONE * 9980n / 10_000n));
    const covered = (from, to, [given, wanted], [a, b]) => isCovered(priced[from], { token: given, amount: a }, priced[to], { token: wanted, amount: b });
    assert.ok(covered('ethereum', 'base', [wrapped('ethereum'), wrapped('base')], [ONE, ONE]) && covered('base', 'ethereum', [ZeroAddress, wrapped('ethereum')], [ONE, ONE]));
    assert.ok(!covered('base', 'ethereum', [ZeroAddress, ZeroAddress], [ONE, ONE + 1n]) && !covered('ethereum', 'bsc', [ZeroAddress, ZeroAddress], [ONE, 1n]));
    assert.ok(covered('ethereum', 'bsc', [dollar('ethereum'), dollar('bsc')], [10n ** 6n, ONE]) && !covered('ethereum', 'bsc', [dollar('ethereum'), dollar('bsc')], [10n ** 6n, ONE + 1n]));
    assert.ok(!covered('ethereum', 'base', [STRANGE, `0x${'22'.repeat(20)}`], [ONE, 1n]));
});

// ---------------------------------------------------------------- wallets

async function solanaWallet() {
    const key = Keypair.generate(), address = key.publicKey.toBase58();
    const fund = (value) => post(`${node}/_sandbox`, { service: 'solana', fault: 'fund', value: { address, ...value } });
    await fund({ amount: String(10n * SOL) });
    await fund({ mint: MINTS.USDC.mint, amount: '1000000000' });
    return { key, address };
}

/** Of a mint or the coin; what is not there is nothing. */
async function held(address, mint) {
    if (mint === COIN) return BigInt(await connection.getBalance(new PublicKey(address)));
    const { value } = await connection.getParsedTokenAccountsByOwner(new PublicKey(address), { mint: new PublicKey(mint) });
    return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}

async function evmWallet() {
    const wallet = await outsider('ethereum', 10);
    await give('ethereum', wallet.address, 'USDC', '1000');
    return wallet;
}

// ---------------------------------------------------------------- Relay

const relay = (json) => post(`${services}/relay/quote/v2`, { tradeType: 'EXACT_INPUT', slippageTolerance: '100', includeProtocolData: true, ...json });
const statusOf = async (quote) => (await fetch(`${services}/relay${quote.steps.at(-1).items[0].check.endpoint}`)).json();

/** One side of a question by chain and token: of Solana by its mint, of another chain by its symbol. */
const currency = (chain, what) => (chain === 'solana' ? { chain: SOLANA, token: MINTS[what]?.mint ?? COIN }
    : { chain: ALL_CHAINS[chain].id, token: what === 'ETH' ? ZeroAddress : token(chain, what).address });

async function quoted(user, recipient, [from, to], [sold, bought], amount) {
    const [origin, destination] = [currency(from, sold), currency(to, bought)];
    const { status, body } = await relay({
        user, recipient, originChainId: origin.chain, originCurrency: origin.token, destinationChainId: destination.chain, destinationCurrency: destination.token, amount: String(amount),
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
}

/** Makes the deposit of a quote on an EVM chain. */
async function depositedThere(wallet, { steps }) {
    let receipt;
    for (const { items: [{ data: { to, data, value } }] } of steps) receipt = await mined(wallet, { to, data, value: BigInt(value) });
    return receipt.hash;
}

/** Makes the deposit of a quote on Solana, as Relay's own library does. */
async function depositedHere({ key }, { steps: [{ id, items: [{ data }] }] }) {
    assert.equal(id, 'deposit');
    const tables = await Promise.all(data.addressLookupTableAddresses.map(async (table) => (await connection.getAddressLookupTable(new PublicKey(table))).value));
    const instructions = data.instructions.map(({ keys, programId, data: text }) => new TransactionInstruction({
        programId: new PublicKey(programId), data: Buffer.from(text, 'hex'), keys: keys.map((each) => ({ ...each, pubkey: new PublicKey(each.pubkey) })),
    }));
    const { blockhash } = await connection.getLatestBlockhash();
    const transaction = new VersionedTransaction(new TransactionMessage({ payerKey: key.publicKey, recentBlockhash: blockhash, instructions }).compileToV0Message(tables));
    assert.equal(transaction.message.addressTableLookups[0].accountKey.toBase58(), data.addressLookupTableAddresses[0]);
    transaction.sign([key]);
    return connection.sendTransaction(transaction);
}

const ended = (quote) => until('the end of a request', async () => {
    const told = await statusOf(quote);
    return ['success', 'refund', 'failure'].includes(told.status) && told;
});

/** The memos of a transaction on Solana. */
async function memosOf(signature) {
    const { transaction: { message } } = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
    return message.compiledInstructions.filter(({ programIdIndex }) => message.staticAccountKeys[programIdIndex].toBase58() === MEMO)
        .map(({ data }) => Buffer.from(data).toString());
}

describe('bridges between families', { concurrency: true }, () => {
    test("an order with a side on Solana has Relay's own id", () => {
        const currency = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', solver = `0x${'51'.repeat(20)}`;
        assert.equal(hashOf({
            version: 'v1', solverChainId: 'base', solver, salt: '0x8',
            inputs: [{
                payment: { chainId: 'base', currency, amount: '25000000', weight: '1' },
                refunds: [{ chainId: 'base', recipient: `0x${'a1'.repeat(20)}`, currency, minimumAmount: '0', deadline: 1_800_000_000, extraData: '0x' }],
            }],
            output: {
                chainId: 'solana', deadline: 1_800_000_000, calls: [], extraData: '0x',
                payments: [{ recipient: base58(Buffer.alloc(32, 0xb2)), currency: COIN, minimumAmount: '160000000', expectedAmount: '165000000' }],
            },
            fees: [{ recipientChainId: 'base', recipient: `0x${'c3'.repeat(20)}`, currencyChainId: 'base', currency: ZeroAddress, amount: '1' }],
        }), '0x37c255ee60f670fd66d0bd3c1b19f1b5662b36ab3866a9131f9fa99b2be854d7');
    });

    async function paidOnSolana([sold, bought, amount]) {
        const wallet = await evmWallet(), recipient = Keypair.generate().publicKey.toBase58();
        const quote = await quoted(wallet.address, recipient, ['ethereum', 'solana'], [sold, bought], amount);
        const { orderData, orderId } = quote.protocol.v2, [payment] = orderData.output.payments;
        assert.deepEqual([orderData.output.chainId, payment.recipient, payment.currency, orderData.output.extraData], ['solana', recipient, currency('solana', bought).token, '0x']);
        assert.deepEqual([quote.details.currencyOut.currency.chainId, quote.details.currencyOut.amount], [SOLANA, payment.expectedAmount]);
        assert.equal((await statusOf(quote)).status, 'waiting');
        const source = await depositedThere(wallet, quote);
        const told = await ended(quote);
        assert.deepEqual([told.status, told.inTxHashes, told.originChainId, told.destinationChainId], ['success', [source], 1, SOLANA]);
        assert.equal(String(await held(recipient, payment.currency)), payment.expectedAmount);
        assert.deepEqual(await memosOf(told.txHashes[0]), [orderId]);
    }

    test('Relay: what is deposited on ethereum is paid on Solana', () => Promise.all([
        ['ETH', 'SOL', parseUnits('0.1', 18)], ['USDC', 'USDC', 100_000_000n], ['USDC', 'BONK', 100_000_000n], ['USDC', 'PYUSD', 100_000_000n],
    ].map(paidOnSolana)));

    async function paidOnEthereum([sold, bought, amount]) {
        const wallet = await solanaWallet(), { address: recipient } = await outsider('ethereum', 0);
        const quote = await quoted(wallet.address, recipient, ['solana', 'ethereum'], [sold, bought], amount);
        const { orderData, paymentDetails } = quote.protocol.v2, [{ payment, refunds: [refund] }] = orderData.inputs;
        assert.deepEqual([payment.chainId, payment.currency, payment.amount, refund.recipient], ['solana', currency('solana', sold).token, String(amount), wallet.address]);
        assert.equal(paymentDetails.depository, '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2');
        const source = await depositedHere(wallet, quote);
        const told = await ended(quote);
        assert.deepEqual([told.status, told.inTxHashes, told.originChainId, told.destinationChainId], ['success', [source], SOLANA, 1]);
        assert.equal(String(await balance('ethereum', recipient, bought)), orderData.output.payments[0].expectedAmount);
    }

    test('Relay: what is deposited on Solana is paid on ethereum', () => Promise.all([['SOL', 'ETH', SOL], ['USDC', 'USDC', 100_000_000n]].map(paidOnEthereum)));

    test('Relay: what is refunded on ethereum leaves Solana as it was', async () => {
        const wallet = await evmWallet(), recipient = Keypair.generate().publicKey.toBase58();
        await wrong(wallet.address, 'solver', 'refund');
        const quote = await quoted(wallet.address, recipient, ['ethereum', 'solana'], ['USDC', 'SOL'], 100_000_000n);
        await depositedThere(wallet, quote);
        assert.equal((await ended(quote)).status, 'refund');
        assert.deepEqual([await balance('ethereum', wallet.address, 'USDC'), await held(recipient, COIN)], [1_000_000_000n, 0n]);
    });

    async function refundedOnSolana(sold) {
        const wallet = await solanaWallet(), { address: recipient } = await outsider('ethereum', 0);
        await wrong(wallet.address, 'solver', 'refund');
        const { token: mint } = currency('solana', sold), had = await held(wallet.address, mint);
        const quote = await quoted(wallet.address, recipient, ['solana', 'ethereum'], [sold, 'USDC'], 100_000_000n);
        await depositedHere(wallet, quote);
        const told = await ended(quote);
        const fees = sold === 'SOL' ? 5000n : 0n;
        assert.deepEqual([told.status, await held(wallet.address, mint)], ['refund', had - fees]);
        assert.deepEqual(await memosOf(told.txHashes[0]), [quote.protocol.v2.orderId]);
        assert.equal(await balance('ethereum', recipient, 'USDC'), 0n);
    }

    test('Relay: a refund on Solana comes back to the payer', () => Promise.all(['SOL', 'USDC'].map(refundedOnSolana)));

    test('Relay: another token is paid on Solana, and too little', async () => {
        const wallet = await evmWallet(), recipient = Keypair.generate().publicKey.toBase58();
        await wrong(wallet.address, 'solver', 'pays_other_token');
        await wrong(wallet.address, 'solver', 'pays_short', 1000);
        const quote = await quoted(wallet.address, recipient, ['ethereum', 'solana'], ['USDC', 'USDC'], 100_000_000n);
        await depositedThere(wallet, quote);
        await ended(quote);
        assert.equal(await held(recipient, MINTS.USDC.mint), 0n);
        assert.equal(await held(recipient, MINTS.USDT.mint), BigInt(quote.details.currencyOut.amount) * 9n / 10n);
    });

    test('Relay: what is paid on a fork of Solana that loses is paid by the same transaction on the other one', async () => {
        const wallet = await evmWallet(), recipient = Keypair.generate().publicKey.toBase58();
        const quote = await quoted(wallet.address, recipient, ['ethereum', 'solana'], ['USDC', 'SOL'], 100_000_000n);
        const wrongThere = (fault) => post(`${node}/_sandbox`, { service: 'solana', path: '/solver', wallet: recipient, ...fault });
        await wrongThere({ fault: 'fork', value: 25, times: 1 });
        await depositedThere(wallet, quote);
        const { status, txHashes: [hash] } = await ended(quote);
        const paid = async () => (await connection.getSignatureStatuses([hash], { searchTransactionHistory: true })).value[0];
        await wrongThere({ fault: 'drop' }); // it is not there again before that was seen
        await until('the fork', async () => status === 'success' && await paid() === null);
        await fetch(`${node}/_sandbox?wallet=${recipient}`, { method: 'DELETE' });
        await until('the payment', async () => (await paid())?.confirmationStatus === 'finalized');
        assert.equal(String(await held(recipient, COIN)), quote.details.currencyOut.amount);
    });

    test('Relay refuses addresses and currencies of the other family, no recipient, and what opens no account', async () => {
        const question = {
            user: (await outsider('ethereum', 0)).address, originChainId: 1, originCurrency: ZeroAddress, destinationChainId: SOLANA, destinationCurrency: COIN, amount: String(10n ** 17n),
            recipient: Keypair.generate().publicKey.toBase58(),
        };
        const refusals = [
            [{ recipient: undefined }, 'USER_RECIPIENT_MISMATCH'], [{ recipient: question.user }, 'INVALID_ADDRESS'], [{ user: question.recipient }, 'INVALID_ADDRESS'],
            [{ destinationCurrency: ZeroAddress }, 'INVALID_OUTPUT_CURRENCY'], [{ originCurrency: COIN }, 'INVALID_INPUT_CURRENCY'], [{ amount: '1000000000' }, 'AMOUNT_TOO_LOW'],
            [{ recipient: question.recipient.slice(0, -2) }, 'INVALID_ADDRESS'], [{ destinationCurrency: MINTS.USDC.mint.toLowerCase() }, 'INVALID_OUTPUT_CURRENCY'],
        ];
        for (const [change, code] of refusals) {
            const { status, body } = await relay({ ...question, ...change });
            assert.deepEqual([status, body.errorCode], [400, code], JSON.stringify(change));
        }
        assert.equal((await relay(question)).status, 200);
    });

    // ---------------------------------------------------------------- lies

    /** What a client would find wrong with a quote. */
    function flawsOf(quote, { user, recipient, from, to, sold, bought, amount }) {
        const { orderId, orderData: { inputs: [{ payment: input, refunds: [refund] }], output } } = quote.protocol?.v2 ?? { orderData: { inputs: [{ payment: {}, refunds: [{}] }], output: { payments: [{}] } } };
        const [payment] = output.payments, { data } = quote.steps.at(-1).items[0];
        const same = (a, b) => a?.toLowerCase() === b.toLowerCase();
        const [call, ...more] = data.instructions ?? [];
        const named = call === undefined ? `0x${data.data.slice(-64)}` : `0x${call.data.slice(32)}`;
        const sums = call === undefined ? String(amount) : String(Buffer.from(call.data, 'hex').readBigUInt64LE(8));
        return Object.entries({
            none: quote.protocol !== undefined, hash: quote.protocol && hashOf(quote.protocol.v2.orderData) === orderId, deposit: named === orderId,
            recipient: same(payment.recipient, recipient), refund: same(refund.recipient, user), minimum: BigInt(payment.minimumAmount ?? 0) > 1n,
            token: same(payment.currency, currency(to, bought).token), input: same(input.currency, currency(from, sold).token), amount: input.amount === String(amount),
            chain: output.chainId === to, calls: output.calls?.length === 0, late: output.deadline > Date.now() / 1000 + 60, extra: to === 'ethereum' ? output.extraData?.length === 66 && /^0x0{24}0729/.test(output.extraData) : output.extraData === '0x',
            ...(call && {
                program: same(call.programId, DEPOSITORY), depositor: call.keys[2].pubkey === user, vault: call.keys[3].pubkey === VAULT, mint: call.keys[4].pubkey === (sold === 'SOL' ? COIN : MINTS[sold].mint),
                sum: sums === String(amount), more: more.length === 0,
            }),
        }).filter(([, fine]) => !fine).map(([name]) => name);
    }

    const LIES = {
        order_recipient: ['recipient'], order_refund: ['refund'], order_other: ['recipient', 'refund'], order_minimum: ['minimum'], order_token: ['token'], order_calls: ['calls'],
        order_chain: ['chain'], order_amount: ['amount'], order_late: ['late'], order_extra: ['extra'], order_hash: ['hash', 'deposit'], order_id: ['deposit'],
    };
    const LIES_ON_SOLANA = {
        deposit_program: ['program'], deposit_depositor: ['depositor'], deposit_vault: ['vault'], deposit_token: ['mint'], deposit_amount: ['sum'], deposit_extra: ['more'],
    };

    for (const [from, to] of [['ethereum', 'solana'], ['solana', 'ethereum']]) {
        test(`Relay lies from ${from} to ${to} about what it is told to, and about nothing else`, async () => {
            const here = Keypair.generate().publicKey.toBase58(), { address: there } = await outsider('ethereum', 0);
            const [user, recipient] = from === 'solana' ? [here, there] : [there, here];
            const asked = { user, recipient, from, to, sold: 'USDC', bought: 'USDC', amount: 100_000_000n };
            const ask = () => quoted(user, recipient, [from, to], ['USDC', 'USDC'], asked.amount);
            assert.deepEqual(flawsOf(await ask(), asked), []);
            for (const [lie, flaws] of Object.entries({ ...LIES, ...(from === 'solana' ? LIES_ON_SOLANA : {}) })) {
                await wrong(user, 'relay', lie, undefined, 1);
                assert.deepEqual(flawsOf(await ask(), asked), flaws, lie);
            }
            await wrong(user, 'relay', 'no_protocol', undefined, 1);
            assert.ok(flawsOf(await ask(), asked).includes('none'));
            assert.deepEqual(flawsOf(await ask(), asked), []);
        });
    }

    test('Relay has the order in no answer that did not ask for it, and its third version wants a key', async () => {
        const [{ address: user }, { address: recipient }] = [await outsider('ethereum', 0), await outsider('ethereum', 0)];
        const [from, to] = ['ethereum', 'base'].map((name) => currency(name, 'USDC'));
        const asked = { user, recipient, originChainId: 1, destinationChainId: 8453, originCurrency: from.token, destinationCurrency: to.token, amount: '100000000', tradeType: 'EXACT_INPUT' };
        const ask = (version, json, headers = {}) => fetch(`${services}/relay/quote/${version}`, { method: 'POST', headers, body: JSON.stringify({ ...asked, ...json }) });
        const plain = await (await ask('v2', {})).json();
        assert.equal(plain.protocol, undefined);
        const second = await ask('v2', { includeProtocolData: true });
        assert.match(second.headers.get('sunset'), /23 Feb 2027/);
        assert.equal(second.status, 200);
        const keyless = await ask('v3', { includeProtocolData: true });
        assert.deepEqual([keyless.status, (await keyless.json()).errorCode], [401, 'UNAUTHORIZED_QUOTE']);
        const third = await (await ask('v3', { includeProtocolData: true }, { 'x-api-key': 'of-the-test' })).json();
        assert.deepEqual(third.steps.map(({ id, items, data }) => [id, items, typeof data.to]), [['approve', undefined, 'string'], ['deposit', undefined, 'string']]);
        assert.match(third.requestId, /^0x[0-9a-f]{64}$/);
        assert.equal(third.steps[1].requestId, undefined);
    });

    test('Relay says that it paid without a payment, by that of another one, or after a payment to another address', async () => {
        const wallet = await solanaWallet(), { address: recipient } = await outsider('ethereum', 0);
        const quote = await quoted(wallet.address, recipient, ['solana', 'ethereum'], ['USDC', 'USDC'], 100_000_000n);
        await wrong(wallet.address, 'solver', 'pays_stranger');
        await wrong(quote.steps[0].requestId, 'relay', 'status_done', undefined, 1);
        const { status, txHashes: [hash] } = await statusOf(quote);
        assert.deepEqual([status, await rpc('ethereum', 'eth_getTransactionReceipt', [hash])], ['success', null]);
        await wrong(quote.steps[0].requestId, 'relay', 'status_foreign', undefined, 1);
        assert.equal((await statusOf(quote)).status, 'success');
        assert.equal((await statusOf(quote)).status, 'waiting');
        await depositedHere(wallet, quote);
        assert.equal((await ended(quote)).status, 'success');
        assert.equal(await balance('ethereum', recipient, 'USDC'), 0n);
    });

    // ---------------------------------------------------------------- LI.FI

    const LIFI_SOLANA = 1151111081099710;

    async function lifi(path, query) {
        const response = await fetch(`${services}/lifi/v1${path}?${new URLSearchParams(query)}`);
        return { status: response.status, body: await response.json() };
    }

    const lifiQuestion = (wallet, recipient, sold, amount, more) => ({
        fromChain: '1', toChain: String(LIFI_SOLANA), fromToken: currency('ethereum', sold).token, toToken: MINTS.USDC.mint, fromAmount: String(amount),
        fromAddress: wallet, toAddress: recipient, slippage: '0.01', allowBridges: 'across', ...more,
    });

    /** Makes the deposit of a quote, and says what became of it. */
    async function bridgedByLifi(wallet, { transactionRequest: { to, data, value } }, sold, amount) {
        if (sold !== 'ETH') await mined(wallet, { to: token('ethereum', sold).address, data: APPROVE.encodeFunctionData('approve', [to, amount]) });
        const { hash } = await mined(wallet, { to, data, value: BigInt(value) });
        return until('the end of a transfer', async () => {
            const { body } = await lifi('/status', { txHash: hash, fromChain: '1', toChain: String(LIFI_SOLANA) });
            return ['DONE', 'FAILED'].includes(body.status) && body;
        });
    }

    const DIAMOND = new Interface([
        'function start((bytes32, string, string, address, address sendingAssetId, address receiver, uint256, uint256 destinationChainId, bool, bool) header, '
            + '(bytes32 receiverAddress, bytes32 refundAddress, bytes32 sendingAssetId, bytes32 receivingAssetId, uint256 outputAmount, uint128, bytes32, uint32, uint32, uint32, bytes) own)',
    ]);
    const written = (data) => DIAMOND.decodeFunctionData('start', `${DIAMOND.getFunction('start').selector}${data.slice(10)}`);
    const asWord = (address) => `0x${keyOf(address).toString('hex')}`;

    test('LI.FI: what is sent from ethereum by Across is paid on Solana', () => Promise.all([['USDC', 100_000_000n], ['ETH', parseUnits('0.1', 18)]].map(async ([sold, amount]) => {
        const wallet = await evmWallet(), recipient = Keypair.generate().publicKey.toBase58();
        const { body: quote } = await lifi('/quote', lifiQuestion(wallet.address, recipient, sold, amount, sold === 'ETH' ? { toChain: 'SOL' } : {}));
        assert.deepEqual([quote.tool, quote.action.toChainId, quote.action.toAddress, quote.action.toToken.decimals], ['across', LIFI_SOLANA, recipient, 6]);
        if (sold === 'USDC') {
            const { header, own } = written(quote.transactionRequest.data);
            assert.deepEqual([header.receiver, header.destinationChainId], ['0x11f111f111f111F111f111f111F111f111f111F1', BigInt(LIFI_SOLANA)]);
            assert.deepEqual([own.receiverAddress, own.receivingAssetId, own.refundAddress], [asWord(recipient), asWord(MINTS.USDC.mint), zeroPadValue(wallet.address.toLowerCase(), 32)]);
        }
        const told = await bridgedByLifi(wallet, quote, sold, amount);
        assert.deepEqual([told.status, told.substatus, told.receiving.chainId, told.receiving.token.address], ['DONE', 'COMPLETED', LIFI_SOLANA, MINTS.USDC.mint]);
        const arrived = await held(recipient, MINTS.USDC.mint);
        assert.equal(String(arrived), told.receiving.amount);
        assert.ok(arrived >= BigInt(quote.estimate.toAmountMin), String(arrived));
        assert.equal((await connection.getSignatureStatus(told.receiving.txHash)).value.err, null);
    })));

    test('LI.FI: what is refunded on ethereum leaves Solana as it was, and only dollars go there', async () => {
        const wallet = await evmWallet(), recipient = Keypair.generate().publicKey.toBase58();
        await wrong(wallet.address, 'solver', 'refund');
        const question = lifiQuestion(wallet.address, recipient, 'USDC', 100_000_000n);
        const told = await bridgedByLifi(wallet, (await lifi('/quote', question)).body, 'USDC', 100_000_000n);
        assert.deepEqual([told.status, told.substatus], ['DONE', 'REFUNDED']);
        assert.deepEqual([await balance('ethereum', wallet.address, 'USDC'), await held(recipient, MINTS.USDC.mint)], [1_000_000_000n, 0n]);
        for (const change of [{ toToken: COIN }, { toToken: MINTS.BONK.mint }]) assert.equal((await lifi('/quote', { ...question, ...change })).status, 404);
        for (const change of [{ toAddress: wallet.address }, { toToken: currency('ethereum', 'USDC').token }]) assert.equal((await lifi('/quote', { ...question, ...change })).status, 400);
    });
});
