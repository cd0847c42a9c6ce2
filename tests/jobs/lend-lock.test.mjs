// Section: jobs
// From a worker's position, with its user id, the signer's socket and all that the database has: of what lenders can do only
// what is for the wallet itself is signed. Each lie is next to a valid call that is signed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
    AbiCoder, Interface, MaxUint256, Transaction, Wallet, ZeroAddress, id, keccak256,
} from 'ethers';
import { MORPHO_ABI, POOL } from '../api/lending.mjs';
import { startGateway } from '../api/gateway.mjs';
import { register } from '../api/lib.mjs';
import { settings } from './lib.mjs';
import {
    OK, OVER_A_LIMIT, REFUSED, recordOf, signAll,
} from './peek.mjs';

const SOCKET = join(settings().GATEWAY_PRIVATE, 'signer.sock');
const POOLS = [
    [1, '0x87870Bca3F3fD6335C3F4ce8392D69350B4fA4E2'], [10, '0x794a61358D6845594F94dc1DB02A252b5b4814aD'],
    [56, '0x6807dc923806fE8Fd134338EABCA509979a7e0cB'], [137, '0x794a61358D6845594F94dc1DB02A252b5b4814aD'],
    [42161, '0x794a61358D6845594F94dc1DB02A252b5b4814aD'], [8453, '0xA238Dd80C259a72e81d7e4664a9801593F98d1c5'],
    [43114, '0x794a61358D6845594F94dc1DB02A252b5b4814aD'], [59144, '0xc47b8C00b0f69a36fa203Ffeac0334874574a8Ac'],
    [5000, '0x458F293454fE0d67EC0655f3672301301DD51422'], [100, '0xb50201558B00496A145fE76f7424749556E326D8'],
    [534352, '0x11fCfe756c05AD438e312a7fd934381537D3cFfe'],
];
const BASE = 8453;
const BASE_POOL = POOLS.find(([chainId]) => chainId === BASE)[1];
const MORPHO = '0xBBBBBbbBBb9cC5e90e3b3Af64bdAF62C37EEFFCb';
const MORPHO_CHAINS = [1, BASE];
const BLUE = new Interface(MORPHO_ABI);
const TOKEN = '0x3333333333333333333333333333333333333333';
const COLLATERAL = '0x4444444444444444444444444444444444444444';
const TERMS = [TOKEN, COLLATERAL, '0x5555555555555555555555555555555555555555', '0x6666666666666666666666666666666666666666', 860000000000000000n];
const MARKET = keccak256(AbiCoder.defaultAbiCoder().encode(['address', 'address', 'address', 'address', 'uint256'], TERMS));
const APPROVE = new Interface(['function approve(address, uint256)', 'function approveDelegation(address, uint256)']);
const stranger = Wallet.createRandom().address;

const unsigned = (chainId, to, data, more = {}) => Transaction.from({
    type: 2, chainId, nonce: 0, gasLimit: 400_000, maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 0, to, data, ...more,
}).unsignedSerialized;

/** An agent with a wallet, another one of the same agent's, and what the database has of the first. */
async function owner() {
    const agent = await register();
    const address = await agent.wallet('base', 1);
    return { address, other: await agent.wallet('base', 1), wallet: await recordOf(address) };
}

/** What Aave's Pool may do for the wallet `me`, and the same with a lie in each place that could hold one. */
function poolCalls(me, whom) {
    const call = (name, ...args) => POOL.encodeFunctionData(name, args);
    const honest = [
        call('supply', TOKEN, 5n, me, 0), call('withdraw', TOKEN, 5n, me), call('withdraw', TOKEN, MaxUint256, me),
        call('borrow', TOKEN, 5n, 2, 0, me), call('repay', TOKEN, 5n, 2, me), call('repay', TOKEN, MaxUint256, 2, me),
        call('setUserUseReserveAsCollateral', TOKEN, true), call('setUserUseReserveAsCollateral', TOKEN, false),
    ];
    const lies = [
        ...whom.flatMap((other) => [
            call('supply', TOKEN, 5n, other, 0), call('withdraw', TOKEN, 5n, other), call('withdraw', TOKEN, MaxUint256, other),
            call('borrow', TOKEN, 5n, 2, 0, other), call('repay', TOKEN, 5n, 2, other), call('repay', TOKEN, MaxUint256, 2, other),
        ]),
        call('supply', TOKEN, 5n, me, 1), call('borrow', TOKEN, 5n, 2, 7, me), call('supply', TOKEN, 0n, me, 0),
        ...[0, 1, 3].flatMap((mode) => [call('borrow', TOKEN, 5n, mode, 0, me), call('repay', TOKEN, 5n, mode, me)]),
        `${honest[6].slice(0, -1)}2`, // neither on nor off
    ];
    return { honest, lies };
}

/** Honest calls and lies of Morpho. */
function blueCalls(me, whom) {
    const call = (name, ...args) => BLUE.encodeFunctionData(name, [TERMS, ...args]);
    const honest = [
        call('supply', 5n, 0n, me, '0x'), call('withdraw', 5n, 0n, me, me), call('withdraw', 0n, 9n, me, me), call('borrow', 5n, 0n, me, me),
        call('repay', 5n, 0n, me, '0x'), call('repay', 0n, 9n, me, '0x'), call('supplyCollateral', 5n, me, '0x'), call('withdrawCollateral', 5n, me, me),
    ];
    const lies = [
        ...whom.flatMap((other) => [
            call('supply', 5n, 0n, other, '0x'), call('repay', 5n, 0n, other, '0x'), call('repay', 0n, 9n, other, '0x'), call('supplyCollateral', 5n, other, '0x'),
            ...[[me, other], [other, me], [other, other]].flatMap((pair) => [
                call('withdraw', 5n, 0n, ...pair), call('withdraw', 0n, 9n, ...pair), call('borrow', 5n, 0n, ...pair), call('withdrawCollateral', 5n, ...pair),
            ]),
        ]),
        ...['0x00', `0x${'11'.repeat(32)}`, me].flatMap((back) => [
            call('supply', 5n, 0n, me, back), call('repay', 5n, 0n, me, back), call('supplyCollateral', 5n, me, back),
        ]),
        call('supply', 0n, 9n, me, '0x'), call('borrow', 0n, 9n, me, me), // for who knows how much
        call('repay', 5n, 9n, me, '0x'), call('withdraw', 0n, 0n, me, me),
    ];
    return { honest, lies };
}

/** Whether a call is one, what it carries, and what it is at. */
const bent = (chainId, to, data) => [
    unsigned(chainId, to, `${data}00`), unsigned(chainId, to, data.slice(0, -2)), unsigned(chainId, to, `${data}${'0'.repeat(64)}`),
    unsigned(chainId, to, data, { value: 1 }), unsigned(chainId, stranger, data), unsigned(chainId, TOKEN, data),
    unsigned(chainId, to, data, { accessList: [{ address: to, storageKeys: [] }] }), unsigned(31337, to, data), unsigned(250, to, data),
];

function signedAlone(decisions, status, rule, what) {
    decisions.forEach((decision, i) => assert.deepEqual([decision.status, decision.rule], [status, rule], `${what} ${i}`));
}

test('at each lender the wallet acts for itself alone, and nothing is called back', async () => {
    const own = await owner();
    const asked = (payloads) => signAll(SOCKET, own.wallet, payloads);
    const whom = [own.other, stranger, ZeroAddress, TOKEN];
    const lenders = [
        ...POOLS.map(([chainId, to]) => ({ chainId, to, ...poolCalls(own.address, [...whom, to]) })),
        ...MORPHO_CHAINS.map((chainId) => ({ chainId, to: MORPHO, ...blueCalls(own.address, [...whom, MORPHO]) })),
    ];
    for (const { chainId, to, honest, lies } of lenders) {
        const at = `${to} on ${chainId}`;
        signedAlone(await asked(honest.map((data) => unsigned(chainId, to, data))), OK, 'unknown', `the twin at ${at}`);
        signedAlone(await asked(lies.map((data) => unsigned(chainId, to, data))), REFUSED, 'call', `a lie at ${at}`);
        signedAlone(await asked(honest.flatMap((data) => bent(chainId, to, data))), REFUSED, 'call', `a bent call at ${at}`);
    }
});

test('a lender is one where it is listed, with its own calls, and may take what was allowed', async () => {
    const own = await owner();
    const asked = (payloads) => signAll(SOCKET, own.wallet, payloads);
    const { honest: [supply] } = poolCalls(own.address, []);
    const { honest: [lend] } = blueCalls(own.address, []);
    const elsewhere = POOLS.flatMap(([, to]) => POOLS.filter(([chainId]) => !POOLS.some((row) => row[0] === chainId && row[1] === to))
        .map(([chainId]) => unsigned(chainId, to, supply)));
    assert.ok(elsewhere.length > 50);
    signedAlone(await asked(elsewhere), REFUSED, 'call', "another chain's Pool");
    signedAlone(await asked([
        ...POOLS.filter(([chainId]) => !MORPHO_CHAINS.includes(chainId)).map(([chainId]) => unsigned(chainId, MORPHO, lend)),
        unsigned(BASE, MORPHO, supply), unsigned(BASE, BASE_POOL, lend),
    ]), REFUSED, 'call', "another lender's call");
    const word = own.address.slice(2).toLowerCase().padStart(64, '0');
    const others = (to, signatures) => signatures.map((signature) => unsigned(BASE, to, id(signature).slice(0, 10) + word.repeat(8)));
    signedAlone(await asked([
        ...others(BASE_POOL, [
            'supplyWithPermit(address,uint256,address,uint16,uint256,uint8,bytes32,bytes32)', 'repayWithATokens(address,uint256,uint256)',
            'flashLoanSimple(address,address,uint256,bytes,uint16)', 'setUserEMode(uint8)', 'liquidationCall(address,address,address,uint256,bool)',
        ]),
        ...others(MORPHO, [
            'setAuthorization(address,bool)', 'flashLoan(address,uint256,bytes)', 'createMarket((address,address,address,address,uint256))',
            'liquidate((address,address,address,address,uint256),address,uint256,uint256,bytes)',
        ]),
        unsigned(BASE, TOKEN, APPROVE.encodeFunctionData('approveDelegation', [stranger, 5n])),
        unsigned(BASE, TOKEN, APPROVE.encodeFunctionData('approveDelegation', [own.other, 5n])),
    ]), REFUSED, 'call', 'another call');
    const allows = (chainId, spender, amount) => unsigned(chainId, TOKEN, APPROVE.encodeFunctionData('approve', [spender, amount]));
    const lenders = [...POOLS, ...MORPHO_CHAINS.map((chainId) => [chainId, MORPHO])];
    signedAlone(await asked(lenders.flatMap(([chainId, to]) => [allows(chainId, to, 5n), allows(chainId, to, 0n)])), OK, 'unknown', 'an allowance');
    signedAlone(await asked([
        ...lenders.map(([chainId, to]) => allows(chainId, to, MaxUint256)), allows(BASE, BASE_POOL, 1n << 128n),
        allows(BASE, POOLS[0][1], 5n), allows(137, MORPHO, 5n), allows(BASE, stranger, 5n),
    ]), REFUSED, 'call', 'an allowance for another one, or for everything');
});

test('with signer_markets = listed none but the listed markets of Morpho are entered, and all are left', async () => {
    const gateway = await startGateway(['signer_markets = listed', `morpho_markets.base = ${MARKET}`]);
    const socket = join(gateway.directory, 'signer.sock');
    try {
        const own = await owner();
        const me = own.address;
        const calls = (terms, rows) => rows.map(([name, ...args]) => unsigned(BASE, MORPHO, BLUE.encodeFunctionData(name, [terms, ...args])));
        const enters = [['supply', 5n, 0n, me, '0x'], ['supplyCollateral', 5n, me, '0x'], ['borrow', 5n, 0n, me, me]];
        const leaves = [['withdraw', 5n, 0n, me, me], ['repay', 5n, 0n, me, '0x'], ['repay', 0n, 9n, me, '0x'], ['withdrawCollateral', 5n, me, me]];
        const worse = TERMS.with(2, stranger); // its oracle
        signedAlone(await signAll(socket, own.wallet, calls(TERMS, [...enters, ...leaves])), OK, 'unknown', 'in the listed one');
        signedAlone(await signAll(socket, own.wallet, calls(worse, enters)), OVER_A_LIMIT, 'market', 'in another one');
        signedAlone(await signAll(socket, own.wallet, calls(worse, leaves)), OK, 'unknown', 'out of another one');
        signedAlone(await signAll(socket, own.wallet, poolCalls(me, []).honest.map((data) => unsigned(BASE, BASE_POOL, data))), OK, 'unknown', 'at the Pool');
        signedAlone(await signAll(SOCKET, own.wallet, calls(worse, enters)), OK, 'unknown', 'where any may be entered');
    } finally {
        await gateway.stop();
    }
});

test("the operator's limits count what lenders take, and nothing that comes back", async () => {
    const gateway = await startGateway([`signer_tx_max.base = ${TOKEN} 5`, `signer_day_max.base = ${TOKEN} 12`]);
    const socket = join(gateway.directory, 'signer.sock');
    try {
        const own = await owner();
        const ask = async (nonce, to, data) => (await signAll(socket, own.wallet, [unsigned(BASE, to, data, { nonce })]))[0];
        const pool = (nonce, name, ...args) => ask(nonce, BASE_POOL, POOL.encodeFunctionData(name, args));
        const blue = (nonce, name, ...args) => ask(nonce, MORPHO, BLUE.encodeFunctionData(name, [TERMS, ...args]));
        const allow = (nonce, amount) => ask(nonce, TOKEN, APPROVE.encodeFunctionData('approve', [BASE_POOL, amount]));
        const me = own.address;
        signedAlone([
            await allow(0, 5n), await pool(1, 'supply', TOKEN, 5n, me, 0), await allow(2, 5n), await pool(3, 'repay', TOKEN, 5n, 2, me),
            await blue(4, 'supply', 5n, 0n, me, '0x'),
        ], OK, 'unknown', 'within them');
        signedAlone([
            await pool(5, 'supply', TOKEN, 6n, me, 0), await pool(5, 'repay', TOKEN, 6n, 2, me), await allow(5, 6n),
            await blue(5, 'supply', 6n, 0n, me, '0x'), await blue(5, 'repay', 6n, 0n, me, '0x'),
        ], OVER_A_LIMIT, 'tx_max', 'beyond one');
        signedAlone([await allow(5, 5n)], OVER_A_LIMIT, 'day_max', 'beyond a day');
        signedAlone([
            await pool(6, 'borrow', TOKEN, 1000n, 2, 0, me), await pool(7, 'withdraw', TOKEN, 1000n, me), await pool(8, 'withdraw', TOKEN, MaxUint256, me),
            await pool(9, 'repay', TOKEN, MaxUint256, 2, me), await blue(10, 'repay', 0n, 9n, me, '0x'), await blue(11, 'borrow', 1000n, 0n, me, me),
            await pool(12, 'setUserUseReserveAsCollateral', TOKEN, false), await allow(13, 2n),
        ], OK, 'unknown', 'nothing that counts');
        await gateway.keyctl('stop', 'a drill');
        signedAlone([await pool(14, 'repay', TOKEN, 1n, 2, me), await blue(14, 'withdraw', 1n, 0n, me, me)], OVER_A_LIMIT, 'stopped', 'stopped');

        const lines = readFileSync(join(gateway.directory, 'signer', 'audit.log'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
        const shown = lines.filter(({ loan, decision }) => loan !== undefined && decision === 'signed')
            .map(({ loan, venue, asset, amount, quantity, shares }) => [loan, venue, asset, amount ?? '', quantity ?? `${shares} shares`]);
        assert.deepEqual(shown, [
            ['supply', 'aave', TOKEN, '5', '5'], ['repay', 'aave', TOKEN, '5', '5'], ['supply', 'morpho', TOKEN, '5', '5'],
            ['borrow', 'aave', TOKEN, '', '1000'], ['withdraw', 'aave', TOKEN, '', '1000'], ['withdraw', 'aave', TOKEN, '', 'all'],
            ['repay', 'aave', TOKEN, '', 'all'], ['repay', 'morpho', TOKEN, '', '9 shares'], ['borrow', 'morpho', TOKEN, '', '1000'],
            ['collateral', 'aave', TOKEN, '', '0'],
        ]);
        assert.ok(lines.every(({ venue, market }) => (venue === 'morpho') === (market !== undefined)));
    } finally {
        await gateway.stop();
    }
});
