// The sandbox's lending as its users see it, on a chain of the test's own: a month may pass there, and prices may fall.
// Nothing here asks the gateway.

import { readFileSync } from 'node:fs';
import {
    Contract, ContractFactory, Interface, JsonRpcProvider, MaxUint256, NonceManager, Wallet, dataSlice, id, parseEther,
    parseUnits, toBeHex, zeroPadValue,
} from 'ethers';
import { compileOwnContracts } from '../../contrib/sandbox/contracts.mjs';
import { setPrice } from '../../contrib/sandbox/lending/feeds.mjs';
import { paramsOf } from '../../contrib/sandbox/lending/morpho.mjs';
import { MORPHO, chainNamed } from '../../contrib/sandbox/world.mjs';
import { networkOf, ownNode } from './chain.mjs';

const VECTORS = JSON.parse(readFileSync(new URL('../vectors/evm-signing.json', import.meta.url), 'utf8'));
const OF_POOL = /^(supply|withdraw\(address|borrow|repay|setUserUseReserveAsCollateral|getUserAccountData)/;

/** What the vectors say about calls of Aave's Pool. */
export const POOL_CALLS = VECTORS.abi_calls.filter(({ signature }) => OF_POOL.test(signature));
export const POOL = new Interface([
    'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referral)',
    'function withdraw(address asset, uint256 amount, address to)',
    'function borrow(address asset, uint256 amount, uint256 mode, uint16 referral, address onBehalfOf)',
    'function repay(address asset, uint256 amount, uint256 mode, address onBehalfOf)',
    'function setUserUseReserveAsCollateral(address asset, bool enabled)',
    'function getUserAccountData(address) view returns (uint256 collateral, uint256 debt, uint256 available, uint256 threshold, '
        + 'uint256 ltv, uint256 healthFactor)',
    'function liquidationCall(address collateral, address debt, address user, uint256 amount, bool receiveAToken)',
]);
export const PROVIDER = [
    'function getPool() view returns (address)', 'function getPoolDataProvider() view returns (address)',
    'function getPriceOracle() view returns (address)',
];
export const DATA_PROVIDER = [
    'function getAllReservesTokens() view returns ((string symbol, address token)[])',
    'function getReserveTokensAddresses(address) view returns (address aToken, address stableDebt, address debtToken)',
    'function getReserveConfigurationData(address) view returns (uint256 decimals, uint256 ltv, uint256 threshold, uint256 bonus, '
        + 'uint256 reserveFactor, bool collateral, bool borrowing, bool stable, bool active, bool frozen)',
    'function getReserveCaps(address) view returns (uint256 borrowCap, uint256 supplyCap)',
    'function getReserveData(address) view returns (uint256, uint256, uint256 supplied, uint256, uint256 borrowed, '
        + 'uint256 supplyRate, uint256 borrowRate, uint256, uint256, uint256, uint256, uint40)',
    'function getUserReserveData(address asset, address user) view returns (uint256 supplied, uint256, uint256 debt, uint256, '
        + 'uint256, uint256, uint256, uint40, bool collateral)',
];
const TERMS = '(address loan, address collateral, address oracle, address irm, uint256 lltv)';
export const MORPHO_ABI = [
    `function supply(${TERMS}, uint256 assets, uint256 shares, address onBehalf, bytes data)`,
    `function withdraw(${TERMS}, uint256 assets, uint256 shares, address onBehalf, address receiver)`,
    `function borrow(${TERMS}, uint256 assets, uint256 shares, address onBehalf, address receiver)`,
    `function repay(${TERMS}, uint256 assets, uint256 shares, address onBehalf, bytes data)`,
    `function supplyCollateral(${TERMS}, uint256 assets, address onBehalf, bytes data)`,
    `function withdrawCollateral(${TERMS}, uint256 assets, address onBehalf, address receiver)`,
    `function liquidate(${TERMS}, address borrower, uint256 seized, uint256 shares, bytes data)`,
    `function accrueInterest(${TERMS})`,
    `function idToMarketParams(bytes32) view returns ${TERMS}`,
    'function market(bytes32) view returns (uint128 supplied, uint128 supplyShares, uint128 borrowed, uint128 borrowShares, '
        + 'uint128 lastUpdate, uint128 fee)',
    'function position(bytes32, address) view returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral)',
];
const ERC20 = [
    'function balanceOf(address) view returns (uint256)', 'function approve(address, uint256)', 'function symbol() view returns (string)',
];
const GAS = 3_000_000n;
const IMPLEMENTATION = toBeHex(BigInt(id('eip1967.proxy.implementation')) - 1n, 32); // where proxies keep its address
export const MONTH_S = 30 * 24 * 3600;

/** The sandbox's chain of that name, for a test alone. */
export async function ownLending(name) {
    const chain = chainNamed(name);
    const { child, url } = await ownNode(name);
    const network = networkOf(name);
    const provider = new JsonRpcProvider(url, network, { staticNetwork: network, cacheTimeout: -1 });
    provider.pollingInterval = 10;
    const at = (address, abi) => new Contract(address, abi, provider);
    return {
        chain,
        url,
        provider,
        at,
        pool: at(chain.lending.aave.pool, POOL),
        dataProvider: at(chain.lending.aave.dataProvider, DATA_PROVIDER),
        morpho: at(MORPHO, MORPHO_ABI),
        token: (symbol) => at(chain.tokens[symbol].address, ERC20),
        units: (amount, symbol) => parseUnits(amount, chain.tokens[symbol].decimals),
        price: (symbol, dollars) => setPrice(url, chain, symbol, dollars),
        /** Time passes, and a block shows it. */
        pass: async (seconds) => {
            await provider.send('evm_increaseTime', [seconds]);
            await provider.send('evm_mine', []);
        },
        stop: () => { provider.destroy(); child.kill('SIGKILL'); },
    };
}

/** A user with coins and tokens, as [symbol, amount] pairs. */
export async function userOf({ provider, chain, at, units, token }, ...holdings) {
    const { address, privateKey } = Wallet.createRandom();
    const wallet = new NonceManager(new Wallet(privateKey, provider));
    await provider.send('anvil_setBalance', [address, toBeHex(parseEther('10'))]);
    for (const [symbol, amount] of holdings) {
        await provider.send('anvil_dealERC20', [address, chain.tokens[symbol].address, toBeHex(units(amount, symbol))]);
    }
    /** Sends it, and the transaction has to succeed. */
    const act = async (contract, name, ...args) => {
        const sent = await contract.connect(wallet)[name](...args, { gasLimit: GAS });
        return sent.wait();
    };
    return {
        address,
        wallet,
        act,
        approve: (symbol, spender, amount = MaxUint256) => act(token(symbol), 'approve', spender, amount),
        holds: (symbol) => token(symbol).balanceOf(address),
        /** What the call is refused with: the text, or the data of an error that has none. */
        refusal: (contract, name, ...args) => contract[name].staticCall(...args, { from: address })
            .then(() => assertRefused(name), ({ reason, data }) => reason ?? data),
    };
}

function assertRefused(name) {
    throw new Error(`${name} went through`);
}

const WAD = 10n ** 18n;
const IRM = [
    'function borrowRateView((address, address, address, address, uint256), (uint128, uint128, uint128, uint128, uint128, uint128)) view returns (uint256)',
];

/** What a wallet has and owes in a market of Morpho at that time, by the contract's own arithmetic: [supplied, borrowed] in units. */
export async function heldAtMorpho({ chain, morpho, at }, market, wallet, time) {
    const state = await morpho.market(market.id), held = await morpho.position(market.id, wallet);
    const rate = await at(chain.lending.morpho.irm, IRM).borrowRateView(paramsOf(chain, market), [...state]);
    const first = rate * (BigInt(time) - state.lastUpdate), second = first * first / (2n * WAD), third = second * first / (3n * WAD);
    const interest = state.borrowed * (first + second + third) / WAD;
    const [supplied, borrowed] = [state.supplied + interest + 1n, state.borrowed + interest + 1n];
    const [supplyShares, borrowShares] = [state.supplyShares + 10n ** 6n, state.borrowShares + 10n ** 6n];
    return [held.supplyShares * supplied / supplyShares, (held.borrowShares * borrowed + borrowShares - 1n) / borrowShares];
}

/** A market of Morpho by [loan, collateral]: { id, params, … }. */
export function marketOf({ chain }, loan, collateral) {
    const market = chain.lending.morpho.markets.find(({ terms }) => terms[0] === loan && terms[1] === collateral);
    return { ...market, params: paramsOf(chain, market) };
}

/**
 * Has Aave's Pool refuse as newer versions do: `refuse(address, selector)` of what is returned says whom and how, by
 * the selector of one of its errors. Others see no difference.
 */
export async function refusingPool({ provider, chain }, wallet) {
    const { pool } = chain.lending.aave;
    const { abi, bytecode } = compileOwnContracts().RefusingPool;
    const real = dataSlice(await provider.getStorage(pool, IMPLEMENTATION), 12);
    const stub = await new ContractFactory(abi, bytecode, wallet).deploy(real);
    await stub.waitForDeployment();
    await provider.send('anvil_setStorageAt', [pool, IMPLEMENTATION, zeroPadValue(stub.target, 32)]);
    return stub;
}
