// Section: operator
// From a worker's position, with its user id, the signer's socket and all that the database has: nothing leaves an account
// at Hyperliquid but to its own wallet, and no key trades there but one that the signer made for that wallet. Each table of
// tries is next to a valid call that is signed.

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
    Interface, Transaction, TypedDataEncoder, Wallet, concat, dataLength, getAddress, recoverAddress, toBeHex, zeroPadValue,
} from 'ethers';
import { token } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import { register } from '../api/lib.mjs';
import { disarm, settings } from './lib.mjs';
import {
    BAD_MESSAGE, OK, OVER_A_LIMIT, REFUSED, act, createKey, recordOf, sign,
} from './peek.mjs';

after(disarm);

const SOCKET = join(settings().GATEWAY_PRIVATE, 'signer.sock');
const [EVM_KEY, TRADING_KEY] = [1, 3];
const VECTORS = JSON.parse(readFileSync(new URL('../vectors/hyperliquid.json', import.meta.url), 'utf8'));
const somewhere = () => Wallet.createRandom().address;

// ---------------------------------------------------------------- actions as the signer is given them

const [u8, u32, u64] = [1, 4, 8].map((bytes) => (n) => toBeHex(n, bytes));
const flag = (on) => u8(on ? 1 : 0);
const units = (text) => {
    const [whole, part = ''] = text.split('.');
    return u64(BigInt(whole + part.padEnd(8, '0')));
};
const KINDS = [undefined, 'order', 'cancelByCloid', 'updateLeverage', 'scheduleCancel', 'noop', 'approveAgent', 'withdraw3', 'usdClassTransfer', 'sendToEvmWithData'];
const GROUPINGS = ['na', 'normalTpsl', 'positionTpsl'];
const FORCES = ['Gtc', 'Ioc', 'Alo', 'tp', 'sl'];

const order = ({ a, b, p, s, r, t, c }) => concat([
    u32(a), flag(b), flag(r), units(p), units(s), u8(FORCES.indexOf(t.limit?.tif ?? t.trigger.tpsl)),
    ...(t.trigger ? [units(t.trigger.triggerPx), flag(t.trigger.isMarket)] : []), flag(c), c ?? '0x',
]);
const members = {
    order: ({ grouping, orders }) => [u8(GROUPINGS.indexOf(grouping)), u8(orders.length), ...orders.map(order)],
    cancelByCloid: ({ cancels }) => [u8(cancels.length), ...cancels.flatMap(({ asset, cloid }) => [u32(asset), cloid])],
    updateLeverage: ({ asset, isCross, leverage }) => [u32(asset), flag(isCross), u32(leverage)],
    scheduleCancel: ({ time = 0 }) => [u64(time)],
    noop: () => [],
    approveAgent: ({ agentAddress, name, validUntil = 0 }) => [agentAddress, u32(name.length), Buffer.from(name), u64(validUntil)],
    withdraw3: ({ destination, amount }) => [units(amount), destination],
    usdClassTransfer: ({ amount, toPerp }) => [units(amount), flag(toPerp)],
    sendToEvmWithData: ({ destination, amount, fromSpot, domain, gasLimit }) => [units(amount), destination, flag(fromSpot), u32(domain), u64(gasLimit)],
};
const isTrading = (type) => KINDS.indexOf(type) <= 5;
const NONCE = 1790000000123;
const message = (action, { nonce = NONCE, expires = 0, testnet = false } = {}) => concat([
    u8(KINDS.indexOf(action.type)), flag(testnet), u64(nonce), ...(isTrading(action.type) ? [u64(expires)] : []), ...members[action.type](action),
]);

const withdraw3 = (destination, amount = '10') => message({ type: 'withdraw3', destination, amount });
const send = (destination, more = {}) => message({ type: 'sendToEvmWithData', destination, amount: '10', fromSpot: false, domain: 3, gasLimit: 200000, ...more });
const approve = (agentAddress, more = {}, terms = {}) => message({ type: 'approveAgent', agentAddress, name: 'gateway', validUntil: NONCE + 86400000, ...more }, terms);
const buy = (s = '1', more = {}, terms = {}) => message({ type: 'order', grouping: 'na', orders: [{ a: 1, b: true, p: '20', s, r: false, t: { limit: { tif: 'Ioc' } }, ...more }] }, terms);

// ---------------------------------------------------------------- what the venue would recover

const ZERO = `0x${'0'.repeat(40)}`;
const MAINNET = { name: 'HyperliquidSignTransaction', version: '1', chainId: 42161, verifyingContract: ZERO };
const typed = (name, fields, value) => TypedDataEncoder.hash(MAINNET, {
    [`HyperliquidTransaction:${name}`]: `string hyperliquidChain,${fields}`.split(',').map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] })),
}, { hyperliquidChain: 'Mainnet', ...value });
const agentHash = (connectionId) => TypedDataEncoder.hash({ name: 'Exchange', version: '1', chainId: 1337, verifyingContract: ZERO }, {
    Agent: [{ name: 'source', type: 'string' }, { name: 'connectionId', type: 'bytes32' }],
}, { source: 'a', connectionId });
const signer = ({ signature }, digest) => {
    const [rs, parity] = [signature.slice(0, 128), Number(signature.slice(128))];
    return recoverAddress(digest, `0x${rs}${(27 + parity).toString(16)}`);
};

// ---------------------------------------------------------------- keys

/** An agent with a wallet, what the database has of it, and a trading key for it. */
async function owner(agent) {
    const who = agent ?? await register();
    const address = agent ? (await agent.post('/wallets')).body.wallet.address : await who.wallet('base', 1);
    const key = await recordOf(address);
    return {
        agent: who, address, wallet: { kind: EVM_KEY, key }, trader: await createKey(SOCKET, key, TRADING_KEY),
    };
}

const refusedAs = (decisions, status, rules, what) => {
    for (const { status: said, rule, signature } of decisions) {
        assert.equal(said, status, `${what}: ${rule}`);
        assert.ok(rules.includes(rule), `${what}: ${rule}`);
        assert.equal(signature !== '', status === OK, what);
    }
};

test('a trading key signs what the vectors have, as the venue recomputes it, and the wallet none of it', async () => {
    const { trader, wallet } = await owner();
    assert.equal(trader.status, OK);
    const rows = VECTORS.l1_actions.map((row) => ({ ...row, action: JSON.parse(row.action_json) }))
        .filter(({ action, vault_address }) => members[action.type] && !action.builder && vault_address === null)
        .filter(({ action }) => (action.orders ?? []).every(({ a }) => a < 10000));
    assert.equal(rows.length, 21);
    const payloads = rows.map(({ action, nonce, expires_after }) => message(action, { nonce, expires: expires_after ?? 0 }));
    const signed = await act(SOCKET, trader, payloads);
    refusedAs(signed, OK, ['unknown'], 'by the trading key');
    rows.forEach(({ name, connection_id }, i) => assert.equal(signer(signed[i], agentHash(connection_id)), trader.address, name));
    refusedAs(await act(SOCKET, wallet, payloads), REFUSED, ['call'], "by the wallet's own key");
});

test('nothing leaves an account but to its own wallet', async () => {
    const [own, other] = await Promise.all([owner(), owner()]);
    const second = await owner(own.agent);
    const asked = (payloads, key = own.wallet) => act(SOCKET, key, payloads);
    const [withdrawn, sent, moved] = await asked([withdraw3(own.address), send(own.address), message({ type: 'usdClassTransfer', amount: '10', toPerp: true })]);
    refusedAs([withdrawn, sent, moved], OK, ['unknown'], 'the twin');
    const destination = own.address.toLowerCase();
    assert.equal(signer(withdrawn, typed('Withdraw', 'string destination,string amount,uint64 time', { destination, amount: '10', time: NONCE })), own.address);
    assert.equal(signer(moved, typed('UsdClassTransfer', 'string amount,bool toPerp,uint64 nonce', { amount: '10', toPerp: true, nonce: NONCE })), own.address);
    assert.equal(signer(sent, typed('SendToEvmWithData', 'string token,string amount,string sourceDex,string destinationRecipient,string addressEncoding,uint32 destinationChainId,uint64 gasLimit,bytes data,uint64 nonce', {
        token: 'USDC', amount: '10', sourceDex: '', destinationRecipient: destination, addressEncoding: 'hex', destinationChainId: 3, gasLimit: 200000, data: '0x', nonce: NONCE,
    })), own.address);

    const elsewhere = [somewhere(), other.address, second.address, own.trader.address, ZERO, `0x${(BigInt(own.address) ^ 1n).toString(16).padStart(40, '0')}`];
    refusedAs(await asked(elsewhere.flatMap((address) => [withdraw3(address), send(address)])), REFUSED, ['call'], 'to another address');
    refusedAs(await asked([send(own.address, { domain: 5 }), send(own.address, { domain: 19 }), withdraw3(own.address, '0')]), REFUSED, ['call'], 'to another chain, or of nothing');
    refusedAs(await asked([withdraw3(own.address), send(own.address), message({ type: 'usdClassTransfer', amount: '10', toPerp: true }), withdraw3(own.trader.address)], own.trader), REFUSED, ['call'], 'by the trading key');
    refusedAs(await asked([message({ type: 'withdraw3', destination: own.address, amount: '10' }, { testnet: true })]), REFUSED, ['call'], 'on another network');
    const mixed = { kind: EVM_KEY, key: [...own.wallet.key.slice(0, 2), other.address, other.wallet.key[3]] };
    refusedAs(await asked([withdraw3(other.address)], mixed), REFUSED, ['wallet'], "another agent's wallet under this agent's name");
});

test('no message says what is not signed, and no other way of asking gets it', async () => {
    const own = await owner();
    const whole = withdraw3(own.address);
    const cut = Array.from({ length: dataLength(whole) }, (_, i) => (i === 0 ? [] : [whole.slice(0, 2 + 2 * i)])).flat();
    const kinds = Array.from({ length: 256 }, (_, kind) => kind).filter((kind) => kind !== 7).map((kind) => concat([u8(kind), `0x${whole.slice(4)}`]));
    for (const { status } of await act(SOCKET, own.wallet, [...cut, ...kinds, concat([whole, '0x00']), concat(['0x0702', `0x${whole.slice(6)}`])]))
        assert.equal(status, BAD_MESSAGE);
    const usdSend = Buffer.from(JSON.stringify({ type: 'usdSend', destination: somewhere(), amount: '10', time: NONCE }));
    assert.equal((await act(SOCKET, own.wallet, [`0x${usdSend.toString('hex')}`]))[0].status, BAD_MESSAGE);
    for (const op of [3, 4, 5, 8])
        for (const key of [own.wallet, own.trader])
            for (const { status } of await act(SOCKET, key, [whole, buy()], { op }))
                assert.notEqual(status, OK, `asked for in way ${op}`);
});

test('a trading key signs no transaction and no message of another venue, under any name', async () => {
    const own = await owner();
    const nothing = Transaction.from({ type: 2, chainId: 8453, nonce: 0, gasLimit: 21000, maxFeePerGas: 1, to: own.trader.address, value: 0 }).unsignedSerialized;
    const polymarket = concat([u8(2), u64(1), u64(0)]);
    const asked = async (key, op, payload) => (await act(SOCKET, key, [payload], { op }))[0];
    const posed = { ...own.trader, kind: EVM_KEY };
    for (const key of [own.trader, posed])
        refusedAs([await asked(key, 3, nothing), await asked(key, 5, polymarket), await asked(key, 9, key === posed ? withdraw3(own.trader.address) : withdraw3(own.address))], REFUSED, ['wallet', 'call'], 'by a trading key');
    refusedAs([await asked({ ...own.wallet, kind: TRADING_KEY }, 9, buy())], REFUSED, ['wallet'], 'a wallet under the name of a trading key');
    refusedAs([await asked(own.wallet, 5, polymarket), await asked(own.trader, 9, buy())], OK, ['unknown'], 'the twins');
});

test('no key is approved but one that the signer made for this very wallet', async () => {
    const [own, other] = await Promise.all([owner(), owner()]);
    const second = await owner(own.agent);
    const asked = async (address, shown) => (await act(SOCKET, own.wallet, [approve(address)], { shown }))[0];
    const stranger = somewhere();
    const refusals = [
        await asked(stranger), await asked(own.trader.address), await asked(stranger, own.trader), await asked(second.trader.address, own.trader),
    ];
    refusedAs(refusals, REFUSED, ['call'], 'without its record');
    const posed = (key, change) => ({ ...key, key: key.key.map((member, i) => change[i] ?? member) });
    const [wallet, agent] = own.wallet.key;
    for (const shown of [
        other.trader, second.trader, posed(other.trader, [wallet, agent]), posed(second.trader, [wallet]),
        other.wallet, own.wallet, { ...own.wallet, kind: TRADING_KEY }, { ...second.wallet, kind: TRADING_KEY },
        posed(own.trader, [undefined, undefined, stranger]), posed(own.trader, [undefined, undefined, stranger, randomBytes(77).toString('hex')]),
        await createKey(SOCKET, [randomUUID().replaceAll('-', ''), agent], TRADING_KEY), await createKey(SOCKET, [wallet, randomUUID().replaceAll('-', '')], TRADING_KEY),
    ])
        refusedAs([await asked(shown.key[2], shown)], REFUSED, ['wallet', 'call'], `with the record of ${shown.key}`);
    const sealed = Buffer.from(own.trader.key[3], 'hex');
    for (let i = 0; i < sealed.length; i++) {
        const flipped = Buffer.from(sealed.map((byte, at) => (at === i ? byte ^ 1 : byte))).toString('hex');
        refusedAs([await asked(own.trader.address, posed(own.trader, [undefined, undefined, undefined, flipped]))], REFUSED, ['wallet'], `byte ${i}`);
    }
    const approved = await asked(own.trader.address, own.trader);
    refusedAs([approved], OK, ['unknown'], 'the twin');
    assert.equal(signer(approved, typed('ApproveAgent', 'address agentAddress,string agentName,uint64 nonce', {
        agentAddress: own.trader.address, agentName: `gateway valid_until ${NONCE + 86400000}`, nonce: NONCE,
    })), own.address);
    refusedAs(await act(SOCKET, own.trader, [approve(own.trader.address)], { shown: own.trader }), REFUSED, ['call'], 'by itself');
    refusedAs(await act(SOCKET, own.wallet, [withdraw3(own.address)], { shown: own.trader }), REFUSED, ['call'], 'for anything else');
});

test('an address is approved once, with a new signer too, and its audit log says by whom', async () => {
    const gateway = await startGateway();
    const socket = join(gateway.directory, 'signer.sock');
    try {
        const own = await owner();
        const trader = await createKey(socket, own.wallet.key, TRADING_KEY);
        const asked = async (...words) => (await act(socket, own.wallet, [approve(trader.address, ...words)], { shown: trader }))[0];
        const first = await asked();
        refusedAs([first], OK, ['unknown'], 'at first');
        const others = async () => [await asked({}, { nonce: NONCE + 1 }), await asked({ name: 'other' }), await asked({ validUntil: NONCE + 2 * 86400000 })];
        refusedAs(await others(), REFUSED, ['call'], 'in other words');
        await gateway.end('SIGTERM');
        gateway.startAgain();
        await gateway.ready();
        refusedAs(await others(), REFUSED, ['call'], 'in other words, to a new signer');
        assert.deepEqual(await asked(), first);
        const lines = readFileSync(join(gateway.directory, 'signer', 'audit.log'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
        const ofKey = lines.filter(({ trading_key: key }) => key === trader.address);
        assert.deepEqual(ofKey.map(({ decision }) => decision), ['created', 'signed', ...Array(6).fill('refused'), 'signed']);
        assert.ok(ofKey.slice(1).every(({ wallet, action }) => wallet === own.address && action === 'approveAgent'));
        assert.ok(existsSync(join(gateway.directory, 'signer', 'trading-keys')));
    } finally {
        await gateway.stop();
    }
});

test('only perpetuals are traded, and within the limits of the operator', async () => {
    const gateway = await startGateway(['perps_order_max = 100', 'perps_day_max = 150', 'perps_withdraw_day_max = 15']);
    const socket = join(gateway.directory, 'signer.sock');
    try {
        const own = await owner();
        const asked = async (payload, key = own.trader) => (await act(socket, key, [payload]))[0];
        refusedAs([await asked(buy('1', { a: 10000 })), await asked(buy('1', { a: 110000 })), await asked(buy('0'))], REFUSED, ['call'], 'nothing of the kind');
        refusedAs([await asked(buy('5')), await asked(buy('5')), await asked(buy('6', { r: true })), await asked(buy('2.5', {}, { nonce: 2 }))], OK, ['unknown'], 'within them');
        refusedAs([await asked(buy('5.00000001'))], OVER_A_LIMIT, ['tx_max'], 'an order');
        refusedAs([await asked(buy('0.1', {}, { nonce: 3 })), await asked(buy('0.1', { b: false }))], OVER_A_LIMIT, ['day_max'], 'a day');
        refusedAs([await asked(withdraw3(own.address), own.wallet), await asked(withdraw3(own.address), own.wallet)], OK, ['unknown'], 'a withdrawal');
        refusedAs([await asked(send(own.address), own.wallet)], OVER_A_LIMIT, ['withdraw_day_max'], 'withdrawals of a day');
        await gateway.keyctl('stop', 'a drill');
        refusedAs([await asked(buy('1', { r: true })), await asked(withdraw3(own.address), own.wallet)], OVER_A_LIMIT, ['stopped'], 'stopped');
    } finally {
        await gateway.stop();
    }
});

test('without perps_trading, or with another network, no request is signed', async () => {
    for (const [line, terms] of [['perps_trading = no', {}], ['perps_network = testnet', {}]]) {
        const gateway = await startGateway([line]);
        const socket = join(gateway.directory, 'signer.sock');
        try {
            const own = await owner();
            refusedAs(await act(socket, own.trader, [buy('1', {}, terms), message({ type: 'noop' }, terms)]), REFUSED, ['call'], line);
            refusedAs(await act(socket, own.wallet, [withdraw3(own.address)]), REFUSED, ['call'], line);
            refusedAs(await act(socket, own.wallet, [approve(own.trader.address)], { shown: own.trader }), REFUSED, ['call'], line);
        } finally {
            await gateway.stop();
        }
    }
});

// ---------------------------------------------------------------- on the chains

const ERC20 = new Interface(['function transfer(address, uint256)', 'function approve(address, uint256)']);
const CCTP = new Interface(['function depositForBurnWithHook(uint256, uint32, bytes32, address, bytes32, uint256, uint32, bytes)', 'function depositForBurn(uint256, uint32, bytes32, address, bytes32, uint256, uint32)']);
const BRIDGE = '0x2Df1c51E09aECF9cacB7bc98cB1742757f163dF7';
const MESSENGER = '0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d';
const FORWARDER = '0xb21D281DEdb17AE5B501F6AA8256fe38C4e45757';
const word = (address) => zeroPadValue(address, 32);

test('dollars go to the account of the wallet that sends them', async () => {
    const own = await owner();
    const asked = (chain, to, data, value = 0) => sign(SOCKET, own.wallet.key, { chain, to, data, value });
    const usdc = '0xaf88d065e77c8cC2239327C5EDb3A432268e5831';
    const transfer = (to, amount) => ERC20.encodeFunctionData('transfer', [to, amount]);
    assert.equal(await asked(42161, usdc, transfer(BRIDGE, 5_000_000)), OK);
    for (const [chain, at, to, amount] of [
        [42161, usdc, BRIDGE, 4_999_999], [42161, usdc, somewhere(), 5_000_000], [42161, token('base', 'USDC').address, BRIDGE, 5_000_000],
        [8453, token('base', 'USDC').address, BRIDGE, 5_000_000], [42161, usdc, own.trader.address, 5_000_000],
    ]) assert.equal(await asked(chain, at, transfer(to, amount)), REFUSED, `${chain} ${at} ${to} ${amount}`);

    const hook = (recipient, { word: text = 'cctp-forward', dex = 0 } = {}) => concat([Buffer.from(text.padEnd(24, '\0')), toBeHex(0, 4), toBeHex(24, 4), recipient, toBeHex(dex, 4)]);
    const burn = (change = {}) => {
        const call = { amount: 1_000_000, domain: 19, minted: word(FORWARDER), at: token('base', 'USDC').address, caller: word(FORWARDER), fee: 200_000, finality: 1000, hook: hook(own.address), ...change };
        return CCTP.encodeFunctionData('depositForBurnWithHook', Object.values(call));
    };
    assert.equal(await asked(8453, MESSENGER, burn()), OK);
    assert.equal(await asked(8453, MESSENGER, burn({ hook: hook(own.address, { dex: 4294967295 }) })), OK);
    const plain = CCTP.encodeFunctionData('depositForBurn', [1_000_000, 19, word(own.address), token('base', 'USDC').address, word(FORWARDER), 1, 1000]);
    for (const data of [
        burn({ hook: hook(somewhere()) }), burn({ hook: hook(own.trader.address) }), burn({ hook: '0x' }), burn({ hook: hook(own.address, { word: 'cctp-other' }) }),
        burn({ hook: hook(own.address, { dex: 1 }) }), burn({ hook: concat([hook(own.address), '0x00']) }), burn({ domain: 3 }), burn({ domain: 6 }),
        burn({ minted: word(somewhere()) }), burn({ minted: word(own.address) }), burn({ caller: word(somewhere()) }), burn({ caller: word(ZERO) }),
        burn({ at: token('base', 'WETH').address }), burn({ fee: 1_000_000 }), burn({ fee: 1_000_001 }), burn({ finality: 2000 }), plain,
    ]) assert.equal(await asked(8453, MESSENGER, data), REFUSED, data);
    assert.equal(await asked(8453, getAddress(somewhere()), burn()), REFUSED);
    assert.equal(await asked(8453, MESSENGER, burn(), 1), REFUSED);
});
