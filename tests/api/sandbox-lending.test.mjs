// Section: api
// Aave and Morpho in the sandbox: they stand where mainnet has them, lend, take interest, and liquidate when a price falls.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MaxUint256, formatUnits, parseEther } from 'ethers';
import { idOf } from '../../contrib/sandbox/lending/morpho.mjs';
import {
    MONTH_S, POOL, POOL_CALLS, PROVIDER, marketOf, ownLending, refusingPool, userOf,
} from './lending.mjs';

const VARIABLE = 2;
const NOT_ANY_MORE = '0x00000000';
const NAMES = ['ethereum', 'base'];
// Of Aave's newer versions, as they come back.
const ERRORS = {
    InvalidAmount: '0x2c5211c6',
    ReserveInactive: '0x90cd6f24',
    ReserveFrozen: '0x6d305815',
    ReservePaused: '0xd37f5f1c',
    BorrowingNotEnabled: '0x53587745',
    NotEnoughAvailableUserBalance: '0x47bc4b2c',
    InvalidInterestRateModeSelected: '0x17c5a78e',
    CollateralBalanceIsZero: '0xe43ec917',
    HealthFactorLowerThanLiquidationThreshold: '0x6679996d',
    CollateralCannotCoverNewBorrow: '0x911ceb81',
    NoDebtOfSelectedType: '0xf0788fb2',
    UnderlyingBalanceZero: '0x5fe10377',
    BorrowCapExceeded: '0x77a6a896',
    SupplyCapExceeded: '0xf58f733a',
    LtvValidationFailed: '0x5b263df7',
    AssetNotListed: '0xb77e1e0f',
};

const worlds = {};
before(async () => { for (const name of NAMES) worlds[name] = await ownLending(name); });
after(() => { for (const { stop } of Object.values(worlds)) stop(); });

/** A test on each of the chains, which no other test sees. */
function onEach(title, check) {
    for (const name of NAMES) {
        test(`${title}, on ${name}`, async () => {
            const { provider } = worlds[name];
            const point = await provider.send('evm_snapshot', []);
            try {
                await check(worlds[name]);
            } finally {
                await provider.send('evm_revert', [point]);
            }
        });
    }
}

const wad = (number) => Number(formatUnits(number, 18));

test("calls of Aave's Pool are encoded as the vectors say", () => {
    assert.equal(POOL_CALLS.length, 6);
    for (const { signature, args, calldata } of POOL_CALLS) assert.equal(POOL.encodeFunctionData(signature, args), calldata, signature);
});

onEach("Aave's contracts know each other, at mainnet's addresses", async ({ chain, at, dataProvider }) => {
    const { aave } = chain.lending;
    const provider = at(aave.provider, PROVIDER);
    assert.equal(await provider.getPool(), aave.pool);
    assert.equal(await provider.getPoolDataProvider(), aave.dataProvider);
    assert.equal(await provider.getPriceOracle(), aave.oracle);
    const reserves = await dataProvider.getAllReservesTokens();
    assert.deepEqual(reserves.map(({ symbol, token }) => [symbol, token]), Object.keys(aave.reserves).map((symbol) => [symbol, chain.tokens[symbol].address]));
    for (const [symbol, { aToken, debtToken }] of Object.entries(aave.reserves)) {
        const tokens = await dataProvider.getReserveTokensAddresses(chain.tokens[symbol].address);
        assert.deepEqual([tokens.aToken, tokens.debtToken], [aToken, debtToken], symbol);
        assert.equal(await at(aToken, ['function symbol() view returns (string)']).symbol(), `a${aave.short}${symbol}`);
    }
});

onEach("Aave's reserves lend on their terms, and have something to lend", async ({ chain, dataProvider, units }) => {
    for (const [symbol, reserve] of Object.entries(chain.lending.aave.reserves)) {
        const { address } = chain.tokens[symbol];
        const terms = await dataProvider.getReserveConfigurationData(address);
        assert.deepEqual([terms.ltv, terms.threshold, terms.bonus].map(Number), [reserve.ltv, reserve.threshold, reserve.bonus], symbol);
        assert.ok(terms.active && !terms.frozen && terms.borrowing && terms.collateral && !terms.stable, symbol);
        const caps = await dataProvider.getReserveCaps(address);
        assert.deepEqual([caps.supplyCap, caps.borrowCap].map(Number), [reserve.supplyCap ?? 0, reserve.borrowCap ?? 0], symbol);
        const { supplied, borrowed, supplyRate, borrowRate } = await dataProvider.getReserveData(address);
        const lent = units(String(reserve.lent), symbol);
        assert.ok(supplied >= lent && supplied - borrowed > lent / 2n, symbol);
        assert.ok(supplyRate > 0n && borrowRate > supplyRate, symbol);
    }
});

/** A user who has supplied 10 WETH and borrowed 12000 USDC. */
async function debtor(world) {
    const user = await userOf(world, ['WETH', '10'], ['USDC', '100']);
    const { pool, chain, units } = world;
    const [weth, usdc] = ['WETH', 'USDC'].map((symbol) => chain.tokens[symbol].address);
    await user.approve('WETH', pool.target);
    await user.act(pool, 'supply', weth, units('10', 'WETH'), user.address, 0);
    await user.act(pool, 'borrow', usdc, units('12000', 'USDC'), VARIABLE, 0, user.address);
    return { user, weth, usdc };
}

onEach('Aave lends 12000 USDC for 10 WETH, takes interest for a month, and gives everything back', async (world) => {
    const { pool, dataProvider, units, pass } = world;
    const { user, weth, usdc } = await debtor(world);
    assert.equal(await user.holds('USDC'), units('12100', 'USDC'));
    const { healthFactor, ltv, threshold } = await pool.getUserAccountData(user.address);
    assert.equal(wad(healthFactor).toFixed(2), '2.06');
    assert.deepEqual([ltv, threshold], [8000n, 8250n]);

    await pass(MONTH_S);
    const { debt } = await dataProvider.getUserReserveData(usdc, user.address);
    assert.ok(debt > units('12010', 'USDC') && debt < units('12050', 'USDC'), `${debt} after a month`);
    await user.approve('USDC', pool.target);
    await user.act(pool, 'repay', usdc, MaxUint256, VARIABLE, user.address);
    assert.equal((await pool.getUserAccountData(user.address)).debt, 0n);
    await user.act(pool, 'withdraw', weth, MaxUint256, user.address);
    const back = await user.holds('WETH');
    assert.ok(back > units('10', 'WETH') && back < units('10.1', 'WETH'), `${back} came back`);
});

onEach('Aave refuses what it cannot do, by the numbers of its older versions', async (world) => {
    const { pool, units } = world;
    const { user, weth, usdc } = await debtor(world);
    const refusal = (name, ...args) => user.refusal(pool, name, ...args);
    assert.equal(await refusal('borrow', usdc, units('12001', 'USDC'), VARIABLE, 0, user.address), '36');
    assert.equal(await refusal('withdraw', weth, MaxUint256, user.address), '35');
    assert.equal(await refusal('withdraw', weth, units('11', 'WETH'), user.address), '32');
    assert.equal(await refusal('supply', weth, 0, user.address, 0), '26');
    assert.equal(await refusal('repay', weth, 1, VARIABLE, user.address), '39');
    assert.equal(await refusal('borrow', usdc, 1, 1, 0, user.address), '31');
    assert.match(await refusal('supply', usdc, units('20000', 'USDC'), user.address, 0), /ERC20/);
});

onEach('Aave has a debtor liquidated once the price of the collateral falls', async (world) => {
    const { pool, price, units } = world;
    const { user, weth, usdc } = await debtor(world);
    const liquidator = await userOf(world, ['USDC', '10000']);
    await liquidator.approve('USDC', pool.target);
    const call = [weth, usdc, user.address, units('6000', 'USDC'), false];
    assert.equal(await liquidator.refusal(pool, 'liquidationCall', ...call), '45');
    await price('WETH', 1400);
    assert.equal(wad((await pool.getUserAccountData(user.address)).healthFactor).toFixed(4), '0.9625');
    await liquidator.act(pool, 'liquidationCall', ...call);
    assert.equal(await liquidator.holds('WETH'), units('4.5', 'WETH')); // worth 6300
    assert.ok((await pool.getUserAccountData(user.address)).healthFactor > parseEther('1'));
});

onEach('Morpho has its markets, each on its terms and with something to lend', async (world) => {
    const { chain, morpho, at, units } = world;
    const { markets, irm } = chain.lending.morpho;
    assert.equal(markets.length, 4);
    for (const { id, terms: [loan, collateral], lent } of markets) {
        const { params, oracle } = marketOf(world, loan, collateral);
        assert.equal(idOf(params), id);
        const found = await morpho.idToMarketParams(id);
        assert.deepEqual([...found], params);
        assert.deepEqual([found.oracle, found.irm], [oracle, irm]);
        const { supplied, borrowed } = await morpho.market(id);
        assert.equal(supplied, units(String(lent), loan));
        assert.equal(borrowed, supplied * 4n / 10n);
        const one = units('1', collateral) * await at(oracle, ['function price() view returns (uint256)']).price() / 10n ** 36n;
        const { feeds } = chain.lending;
        const ratio = Number(formatUnits(one, chain.tokens[loan].decimals)) * feeds[loan].price / feeds[collateral].price;
        assert.ok(Math.abs(ratio - 1) < 1e-9, `the oracle of ${id} says ${one}`);
    }
});

/** A user who has pledged 10 WETH in a market of Morpho and borrowed 12000 USDC there. */
async function pledger(world) {
    const { morpho, units } = world;
    const market = marketOf(world, 'USDC', 'WETH');
    const user = await userOf(world, ['WETH', '10'], ['USDC', '1000']);
    await user.approve('WETH', morpho.target);
    await user.act(morpho, 'supplyCollateral', market.params, units('10', 'WETH'), user.address, '0x');
    await user.act(morpho, 'borrow', market.params, units('12000', 'USDC'), 0, user.address, user.address);
    return { user, market };
}

onEach('Morpho lends 12000 USDC for 10 WETH, takes interest for a month, and gives everything back', async (world) => {
    const { morpho, units, pass } = world;
    const { user, market: { id, params } } = await pledger(world);
    assert.equal(await user.holds('USDC'), units('13000', 'USDC'));
    assert.equal(await user.refusal(morpho, 'borrow', params, units('13801', 'USDC'), 0, user.address, user.address), 'insufficient collateral');
    assert.equal(await user.refusal(morpho, 'withdrawCollateral', params, units('9', 'WETH'), user.address, user.address), 'insufficient collateral');
    assert.equal(await user.refusal(morpho, 'borrow', params, 0, 0, user.address, user.address), 'inconsistent input');

    await pass(MONTH_S);
    const { borrowShares } = await morpho.position(id, user.address);
    await user.approve('USDC', morpho.target);
    await user.act(morpho, 'repay', params, 0, borrowShares, user.address, '0x');
    const interest = units('1000', 'USDC') - await user.holds('USDC');
    assert.ok(interest > units('350', 'USDC') && interest < units('450', 'USDC'), `${interest} after a month`);
    await user.act(morpho, 'withdrawCollateral', params, units('10', 'WETH'), user.address, user.address);
    assert.equal(await user.holds('WETH'), units('10', 'WETH'));
    assert.deepEqual([...await morpho.position(id, user.address)], [0n, 0n, 0n]);
});

onEach('Morpho pays its lenders', async (world) => {
    const { morpho, units, pass } = world;
    const { id, params } = marketOf(world, 'USDC', 'WETH');
    const user = await userOf(world, ['USDC', '1000']);
    await user.approve('USDC', morpho.target);
    await user.act(morpho, 'supply', params, units('1000', 'USDC'), 0, user.address, '0x');
    await pass(MONTH_S);
    const { supplyShares } = await morpho.position(id, user.address);
    await user.act(morpho, 'withdraw', params, 0, supplyShares, user.address, user.address);
    const earned = await user.holds('USDC') - units('1000', 'USDC');
    assert.ok(earned > units('12', 'USDC') && earned < units('15', 'USDC'), `${earned} in a month`);
});

onEach('Morpho has a debtor liquidated once the price of the collateral falls', async (world) => {
    const { morpho, price, units } = world;
    const { user, market: { id, params } } = await pledger(world);
    const liquidator = await userOf(world, ['USDC', '12000']);
    await liquidator.approve('USDC', morpho.target);
    const call = [params, user.address, units('2', 'WETH'), 0, '0x'];
    assert.equal(await liquidator.refusal(morpho, 'liquidate', ...call), 'position is healthy');
    await price('WETH', 1390);
    const before = await morpho.position(id, user.address);
    await liquidator.act(morpho, 'liquidate', ...call);
    const left = await morpho.position(id, user.address);
    assert.equal(await liquidator.holds('WETH'), units('2', 'WETH'));
    assert.equal(before.collateral - left.collateral, units('2', 'WETH'));
    assert.ok(left.borrowShares < before.borrowShares);
});

test("Aave's Pool refuses by each error of its newer versions, and whom it is told to alone", async () => {
    const world = worlds.ethereum;
    const { pool, units } = world;
    const { user, weth, usdc } = await debtor(world);
    const other = await userOf(world, ['WETH', '1']);
    await other.approve('WETH', pool.target);
    const stub = await refusingPool(world, user.wallet);
    const acts = [
        ['supply', weth, 1, user.address, 0], ['withdraw', weth, 1, user.address], ['borrow', usdc, 1, VARIABLE, 0, user.address],
        ['repay', usdc, 1, VARIABLE, user.address], ['setUserUseReserveAsCollateral', weth, false],
    ];
    for (const [name, selector] of Object.entries(ERRORS)) {
        assert.equal(stub.interface.getError(name).selector, selector);
        await user.act(stub, 'refuse', user.address, selector);
        for (const act of acts) assert.equal(await user.refusal(pool, ...act), selector, name);
    }
    assert.equal(wad((await pool.getUserAccountData.staticCall(user.address, { from: user.address })).healthFactor).toFixed(2), '2.06');
    await other.act(pool, 'supply', weth, units('1', 'WETH'), other.address, 0);
    await user.act(stub, 'refuse', user.address, NOT_ANY_MORE);
    await user.act(pool, 'withdraw', weth, units('1', 'WETH'), user.address);
});
