// Aave V3, the published builds. Pool and configurator have mainnet's addresses because the provider creates them there,
// too; and the tokens, because the configurator does.

import { ZeroAddress, id, parseUnits, toBeHex } from 'ethers';
import { BUILDER, contractAt, create, expect } from '../builder.mjs';
import { rpc } from '../chain.mjs';
import { artefact } from '../contracts.mjs';
import * as feeds from './feeds.mjs';
import { borrowedOf, hand } from './money.mjs';

const published = (folder, name) => artefact(`@aave/core-v3/artifacts/contracts/${folder}/${name}.sol/${name}`);
const TOKENS = 'protocol/tokenization';
const LOGIC = 'protocol/libraries/logic';

const AAVE = {
    Provider: published('protocol/configuration', 'PoolAddressesProvider'),
    AclManager: published('protocol/configuration', 'ACLManager'),
    Pool: published('protocol/pool', 'Pool'),
    Configurator: published('protocol/pool', 'PoolConfigurator'),
    Strategy: published('protocol/pool', 'DefaultReserveInterestRateStrategy'),
    Oracle: published('misc', 'AaveOracle'),
    DataProvider: published('misc', 'AaveProtocolDataProvider'),
};
// Each after those that it needs.
const LIBRARIES = [
    'SupplyLogic', 'BorrowLogic', 'LiquidationLogic', 'EModeLogic', 'BridgeLogic', 'ConfiguratorLogic', 'PoolLogic', 'FlashLoanLogic',
];

const DOLLAR = parseUnits('1', 8); // in which the oracle answers
const VARIABLE_RATE = 2;
const RESERVE_FACTOR = 1000;
const percent = (number) => parseUnits(String(number), 25);
// Of all reserves: optimal use; variable rates without use, at the optimum, and how much more beyond it; and what concerns
// stable rates, which are not offered.
const RATES = [90, 0, 4, 60, 4, 60, 1, 8, 20].map(percent);

// ---------------------------------------------------------------- contracts

/** [contract, address, constructor arguments] of what the provider does not create, and of the feeds of its oracle. */
export function inventory(chain, own) {
    const { provider, dataProvider, oracle, reserves } = chain.lending.aave;
    const symbols = Object.keys(reserves);
    const assets = symbols.map((symbol) => chain.tokens[symbol].address);
    const sources = symbols.map((symbol) => feeds.feedOf(chain, symbol));
    return [
        ...feeds.inventory(chain, own),
        [AAVE.Provider, provider, [`Aave ${chain.name} market`, BUILDER]],
        [AAVE.DataProvider, dataProvider, [provider]],
        [AAVE.Oracle, oracle, [provider, assets, sources, ZeroAddress, ZeroAddress, DOLLAR]],
    ];
}

/** Creates Pool and configurator, lists the reserves, lends to them. */
export async function furnish(url, chain, own) {
    const { aave } = chain.lending;
    const provider = contractAt(url, AAVE.Provider, aave.provider);
    await appoint(url, provider);
    const libraries = await createLibraries(url);
    // In this order, as on mainnet: the addresses follow from it.
    await provider.send('setPoolImpl', [await create(url, linked(AAVE.Pool, libraries), [aave.provider])]);
    await provider.send('setPoolConfiguratorImpl', [await create(url, linked(AAVE.Configurator, libraries))]);
    await provider.send('setPoolDataProvider', [aave.dataProvider]);
    await provider.send('setPriceOracle', [aave.oracle]);
    await listReserves(url, chain);
    for (const [symbol, { lent }] of Object.entries(aave.reserves)) await lend(url, chain, own, symbol, lent);
}

/** Gives the builder every right. */
async function appoint(url, provider) {
    await provider.send('setACLAdmin', [BUILDER]);
    const manager = await create(url, AAVE.AclManager, [provider.address]);
    await provider.send('setACLManager', [manager]);
    for (const right of ['addPoolAdmin', 'addAssetListingAdmin', 'addRiskAdmin']) {
        await contractAt(url, AAVE.AclManager, manager).send(right, [BUILDER]);
    }
}

/** Addresses, by what stands for them in the code of those who call a library. */
async function createLibraries(url) {
    const addresses = {};
    for (const name of LIBRARIES) {
        const address = await create(url, linked(published(LOGIC, name), addresses));
        addresses[`__$${id(`contracts/${LOGIC}/${name}.sol:${name}`).slice(2, 36)}$__`] = address.slice(2);
    }
    return addresses;
}

function linked({ abi, bytecode }, addresses) {
    return { abi, bytecode: bytecode.replace(/__\$[0-9a-f]{34}\$__/g, (mark) => addresses[mark]) };
}

async function listReserves(url, chain) {
    const { provider, pool, configurator, reserves } = chain.lending.aave;
    const implementations = [];
    for (const name of ['AToken', 'StableDebtToken', 'VariableDebtToken']) {
        implementations.push(await create(url, published(TOKENS, name), [pool]));
    }
    const strategy = await create(url, AAVE.Strategy, [provider, ...RATES]);
    const admin = contractAt(url, AAVE.Configurator, configurator);
    for (const [symbol, reserve] of Object.entries(reserves)) {
        const { address } = chain.tokens[symbol];
        await rpc(url, 'anvil_setNonce', [configurator, toBeHex(reserve.creation)]);
        await admin.send('initReserves', [[listing(chain, symbol, implementations, strategy)]]);
        await admin.send('configureReserveAsCollateral', [address, reserve.ltv, reserve.threshold, reserve.bonus]);
        await admin.send('setReserveBorrowing', [address, true]);
        await admin.send('setReserveFactor', [address, RESERVE_FACTOR]);
        await admin.send('setSupplyCap', [address, reserve.supplyCap ?? 0]);
        await admin.send('setBorrowCap', [address, reserve.borrowCap ?? 0]);
    }
}

function listing({ lending, tokens }, symbol, implementations, strategy) {
    const { address, decimals } = tokens[symbol];
    const { short } = lending.aave;
    const names = ['a', 'variableDebt', 'stableDebt'].flatMap((kind) => [`Aave ${kind} ${short} ${symbol}`, `${kind}${short}${symbol}`]);
    return [...implementations, decimals, strategy, address, BUILDER, ZeroAddress, ...names, '0x'];
}

async function lend(url, chain, own, symbol, amount) {
    const pool = contractAt(url, AAVE.Pool, chain.lending.aave.pool);
    const { address } = chain.tokens[symbol];
    const lent = await hand(url, chain, own, symbol, amount, pool.address);
    await pool.send('supply', [address, lent, BUILDER, 0]);
    await pool.send('borrow', [address, borrowedOf(lent), VARIABLE_RATE, 0, BUILDER]);
}

// ---------------------------------------------------------------- proof

/** Refuses a world whose Pool or tokens are elsewhere than mainnet's, or whose oracle has other prices than the pools. */
export async function verify(url, chain) {
    const { aave, feeds: prices } = chain.lending;
    const provider = contractAt(url, AAVE.Provider, aave.provider);
    expect('the Pool', await provider.call('getPool'), aave.pool);
    expect('the configurator', await provider.call('getPoolConfigurator'), aave.configurator);
    expect('the data provider', await provider.call('getPoolDataProvider'), aave.dataProvider);
    expect('the oracle', await provider.call('getPriceOracle'), aave.oracle);
    for (const [symbol, { aToken, debtToken }] of Object.entries(aave.reserves)) {
        const { address } = chain.tokens[symbol];
        const found = await contractAt(url, AAVE.DataProvider, aave.dataProvider).call('getReserveTokensAddresses', [address]);
        expect(`the aToken of ${symbol}`, found.aTokenAddress, aToken);
        expect(`the debt token of ${symbol}`, found.variableDebtTokenAddress, debtToken);
        const price = await contractAt(url, AAVE.Oracle, aave.oracle).call('getAssetPrice', [address]);
        expect(`the price of ${symbol}`, price, BigInt(prices[symbol].price) * DOLLAR);
    }
}
