// Proves on a running chain that exchanges and lending work: asks for prices, swaps, approves, borrows.
//
//   node check-chain.mjs RPCURL CHAIN
//
// Prints one line per check; the exit status is 0 when all of them hold. Wallets are made up and funded for each run.

import {
    Contract, Interface, JsonRpcProvider, Network, NonceManager, Wallet, ZeroAddress, formatUnits, parseEther, parseUnits,
    solidityPacked, toBeHex,
} from 'ethers';
import { ROUTERS, SETTLERS, SETTLER_REGISTRY, TAKER_SUBMITTED } from './aggregators.mjs';
import { paramsOf } from './lending/morpho.mjs';
import { ENCODERS, settlerCall, valueOf } from './upstream/aggregator/calls.mjs';
import { Pools } from './upstream/aggregator/pools.mjs';
import { MORPHO, MULTICALL, chainNamed } from './world.mjs';

const ONE_ETH = parseEther('1');
// More than a trade takes: an estimate does not know that the first one of a block writes what later ones find there.
const TRADE_GAS = 2_000_000n;
const THIS_ROUTER = '0x0000000000000000000000000000000000000002';

const ERC20 = [
    'function balanceOf(address) view returns (uint256)',
    'function decimals() view returns (uint8)',
    'function symbol() view returns (string)',
    'function allowance(address, address) view returns (uint256)',
    // Without a return value, since Tether returns none.
    'function approve(address, uint256)',
];
const ROUTER_V2 = [
    'function factory() view returns (address)',
    'function WETH() view returns (address)',
    'function getAmountsOut(uint256, address[]) view returns (uint256[])',
    'function swapExactETHForTokens(uint256, address[], address, uint256) payable returns (uint256[])',
    'function swapExactTokensForETH(uint256, uint256, address[], address, uint256) returns (uint256[])',
];
const FACTORY_V2 = ['function getPair(address, address) view returns (address)'];
const FACTORY_V3 = ['function getPool(address, address, uint24) view returns (address)'];
const QUOTER = [
    'function factory() view returns (address)',
    'function WETH9() view returns (address)',
    'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 limit)) '
        + 'returns (uint256 amountOut, uint160, uint32, uint256)',
    'function quoteExactInput(bytes, uint256) returns (uint256 amountOut, uint160[], uint32[], uint256)',
];
const ROUTER_02 = [
    'function factory() view returns (address)',
    'function factoryV2() view returns (address)',
    'function WETH9() view returns (address)',
    'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, '
        + 'uint256 amountOutMinimum, uint160 limit)) payable returns (uint256)',
    'function unwrapWETH9(uint256, address) payable',
    'function multicall(uint256, bytes[]) payable returns (bytes[])',
];
const MULTICALL_ABI = [
    'function aggregate3((address target, bool allowFailure, bytes callData)[]) payable '
        + 'returns ((bool success, bytes returnData)[])',
    'function getEthBalance(address) view returns (uint256)',
    'function getBlockNumber() view returns (uint256)',
    'function getBasefee() view returns (uint256)',
    'function getCurrentBlockTimestamp() view returns (uint256)',
];
const AAVE_POOL = [
    'function supply(address asset, uint256 amount, address onBehalfOf, uint16 referral)',
    'function borrow(address asset, uint256 amount, uint256 mode, uint16 referral, address onBehalfOf)',
    'function repay(address asset, uint256 amount, uint256 mode, address onBehalfOf)',
    'function withdraw(address asset, uint256 amount, address to)',
    'function getUserAccountData(address) view returns (uint256, uint256, uint256, uint256, uint256, uint256 healthFactor)',
];
const AAVE_ORACLE = ['function getAssetPrice(address) view returns (uint256)'];
const TERMS = '(address loan, address collateral, address oracle, address irm, uint256 lltv)';
const MORPHO_ABI = [
    `function supplyCollateral(${TERMS}, uint256 assets, address onBehalf, bytes data)`,
    `function borrow(${TERMS}, uint256 assets, uint256 shares, address onBehalf, address receiver)`,
    `function repay(${TERMS}, uint256 assets, uint256 shares, address onBehalf, bytes data)`,
    `function withdrawCollateral(${TERMS}, uint256 assets, address onBehalf, address receiver)`,
    'function position(bytes32, address) view returns (uint256 supplyShares, uint128 borrowShares, uint128 collateral)',
];

function holds(condition, what) {
    if (!condition) throw new Error(what);
}

function same(found, wanted, what) {
    holds(found === wanted, `${what} is ${found} instead of ${wanted}`);
}

/** Refuses a price that is further than `share` from the wanted one. */
function near(found, wanted, share, what) {
    holds(Math.abs(found / wanted - 1) <= share, `${what} is ${found}, far from ${wanted}`);
}

/** Runs the call and returns the error it must end with. */
async function failureOf(call, what) {
    try {
        await call();
    } catch (error) {
        return error;
    }
    throw new Error(`${what} went through`);
}

/** Everything that the checks use, for one chain. */
async function openWorld(url, chain) {
    const provider = new JsonRpcProvider(url, new Network(chain.name, chain.id), { staticNetwork: true, cacheTimeout: -1, batchMaxCount: 1 });
    provider.pollingInterval = 50;
    const key = Wallet.createRandom(provider);
    await provider.send('anvil_setBalance', [key.address, toBeHex(parseEther('1000'))]);
    const wallet = new NonceManager(key);
    const at = (address, abi) => new Contract(address, abi, wallet);
    const tokens = {};
    for (const [symbol, { address }] of Object.entries(chain.tokens)) tokens[symbol] = at(address, ERC20);
    return {
        chain, provider, tokens, wallet, pools: new Pools(chain, url),
        owner: key.address,
        address: (symbol) => chain.tokens[symbol].address,
        units: (amount, symbol) => Number(formatUnits(amount, chain.tokens[symbol].decimals)),
        routerV2: at(chain.v2.router, ROUTER_V2),
        factoryV2: at(chain.v2.factory, FACTORY_V2),
        factoryV3: at(chain.v3.factory, FACTORY_V3),
        quoter: at(chain.v3.quoter, QUOTER),
        router02: at(chain.v3.router02, ROUTER_02),
        multicall: at(MULTICALL, MULTICALL_ABI),
    };
}

const deadline = () => Math.floor(Date.now() / 1000) + 180;

async function mined(transaction) {
    const receipt = await (await transaction).wait();
    same(receipt.status, 1, 'status of the receipt');
    return receipt;
}

async function approve({ tokens }, symbol, spender, amount) {
    await mined(tokens[symbol].approve(spender, amount));
}

function quoteSingle({ quoter, address }, tokenIn, tokenOut, amountIn, fee) {
    return quoter.quoteExactInputSingle.staticCall({
        tokenIn: address(tokenIn), tokenOut: address(tokenOut), amountIn, fee, limit: 0,
    });
}

// ---------------------------------------------------------------- checks

async function contractsKnowEachOther({ provider, chain, routerV2, quoter, router02 }) {
    const { v2, v3, tokens, wrapped, id } = chain;
    same(Number(await provider.send('eth_chainId', [])), id, 'the chain id');
    same(await routerV2.factory(), v2.factory, 'factory() of the V2 router');
    same(await routerV2.WETH(), tokens[wrapped].address, 'WETH() of the V2 router');
    same(await quoter.factory(), v3.factory, 'factory() of QuoterV2');
    same(await quoter.WETH9(), tokens[wrapped].address, 'WETH9() of QuoterV2');
    same(await router02.factory(), v3.factory, 'factory() of SwapRouter02');
    same(await router02.factoryV2(), v2.factory, 'factoryV2() of SwapRouter02');
    same(await router02.WETH9(), tokens[wrapped].address, 'WETH9() of SwapRouter02');
}

async function tokensDescribeThemselves({ chain, tokens }) {
    for (const [symbol, { decimals }] of Object.entries(chain.tokens)) {
        same(await tokens[symbol].symbol(), symbol, 'symbol()');
        same(Number(await tokens[symbol].decimals()), decimals, `decimals() of ${symbol}`);
    }
}

async function poolsAreWhereMainnetHasThem({ chain, address, factoryV2, factoryV3 }) {
    if (!chain.knownPools) return 'no known addresses to compare';
    const [a2, b2, pair] = chain.knownPools.v2;
    same(await factoryV2.getPair(address(a2), address(b2)), pair, 'the V2 pair');
    const [a3, b3, fee, pool] = chain.knownPools.v3;
    same(await factoryV3.getPool(address(a3), address(b3), fee), pool, 'the V3 pool');
}

async function v2QuotesEther({ chain, routerV2, address, units }) {
    const [, out] = await routerV2.getAmountsOut(ONE_ETH, [address(chain.wrapped), address('USDC')]);
    near(units(out, 'USDC'), chain.price, 0.1, '1 ETH by V2');
    return `${units(out, 'USDC')} USDC`;
}

async function v3QuotesEther(world) {
    const quotes = [];
    for (const fee of [500, 3000]) {
        const { amountOut } = await quoteSingle(world, world.chain.wrapped, 'USDC', ONE_ETH, fee);
        near(world.units(amountOut, 'USDC'), world.chain.price, 0.1, `1 ETH by V3 ${fee}`);
        quotes.push(`${world.units(amountOut, 'USDC')} USDC (${fee})`);
    }
    return quotes.join(', ');
}

async function tokensQuoteAgainstTokens(world) {
    const { chain, routerV2, quoter, address, units } = world;
    const [, stable] = chain.dollars;
    if (!stable) return 'no other dollars on this chain';
    const amount = parseUnits('1000', chain.tokens.USDC.decimals);
    const direct = await quoteSingle(world, 'USDC', stable, amount, 100);
    near(units(direct.amountOut, stable), 1000, 0.02, '1000 USDC by V3 100');
    const viaCoin = await routerV2.getAmountsOut(amount, ['USDC', chain.wrapped, stable].map(address));
    near(units(viaCoin[2], stable), 1000, 0.05, '1000 USDC by V2 through the coin');
    const path = solidityPacked(
        ['address', 'uint24', 'address', 'uint24', 'address'],
        [address(chain.wrapped), 500, address('USDC'), 100, address(stable)],
    );
    const hops = await quoter.quoteExactInput.staticCall(path, ONE_ETH);
    near(units(hops.amountOut, stable), chain.price, 0.1, '1 ETH by V3 in two hops');
    return undefined;
}

async function missingPoolsRevertEmpty(world) {
    const error = await failureOf(() => quoteSingle(world, world.chain.wrapped, 'USDC', ONE_ETH, 10000), 'a quote without a pool');
    same(error.data ?? error.info?.error?.data, '0x', 'the revert data');
}

async function multicallAnswers({ chain, multicall, tokens, owner, provider }) {
    const codec = new Interface(ERC20);
    const results = await multicall.aggregate3.staticCall([
        [chain.tokens.USDC.address, true, codec.encodeFunctionData('decimals')],
        [chain.tokens.USDC.address, true, '0xdeadbeef'],
    ]);
    same(Number(results[0].returnData), chain.tokens.USDC.decimals, 'decimals() by aggregate3');
    same(results[1].success, false, 'success of an unknown function');
    same(await multicall.getEthBalance(owner), await provider.getBalance(owner), 'getEthBalance()');
    holds(await multicall.getBlockNumber() > 0n, 'getBlockNumber() is 0');
    holds(await multicall.getBasefee() > 0n, 'getBasefee() is 0');
    near(Number(await multicall.getCurrentBlockTimestamp()), Date.now() / 1000, 1e-7, 'the time of the chain');
    holds(await tokens.USDC.balanceOf(ZeroAddress) >= 0n, 'balanceOf() fails');
}

async function v2SwapsEtherAndBack(world) {
    const { chain, routerV2, tokens, address, owner, provider, units } = world;
    const path = [address(chain.wrapped), address('USDC')];
    const [, wanted] = await routerV2.getAmountsOut(ONE_ETH, path);
    const minimum = wanted * 97n / 100n;
    await mined(routerV2.swapExactETHForTokens(minimum, path, owner, deadline(), { value: ONE_ETH }));
    const received = await tokens.USDC.balanceOf(owner);
    holds(received >= minimum, `received only ${received}`);

    await approve(world, 'USDC', routerV2.target, received);
    const before = await provider.getBalance(owner);
    await mined(routerV2.swapExactTokensForETH(received, 0, [...path].reverse(), owner, deadline()));
    const back = await provider.getBalance(owner) - before;
    holds(back > ONE_ETH * 98n / 100n, `only ${back} wei came back`);
    same(await tokens.USDC.allowance(owner, routerV2.target), 0n, 'the allowance afterwards');
    return `${units(received, 'USDC')} USDC, and ${formatUnits(back)} ETH back`;
}

async function v3SwapsEtherAndBack(world) {
    const { chain, router02, tokens, address, owner, provider, units } = world;
    const codec = router02.interface;
    const leg = (tokenIn, tokenOut, recipient, amountIn) => codec.encodeFunctionData('exactInputSingle', [{
        tokenIn: address(tokenIn), tokenOut: address(tokenOut), fee: 500, recipient, amountIn, amountOutMinimum: 0, limit: 0,
    }]);
    const held = await tokens.USDC.balanceOf(owner);
    await mined(router02.multicall(deadline(), [leg(chain.wrapped, 'USDC', owner, ONE_ETH)], { value: ONE_ETH }));
    const received = await tokens.USDC.balanceOf(owner) - held;
    near(units(received, 'USDC'), chain.price, 0.1, '1 ETH swapped by V3');

    await approve(world, 'USDC', router02.target, received);
    const before = await provider.getBalance(owner);
    await mined(router02.multicall(deadline(), [
        leg('USDC', chain.wrapped, THIS_ROUTER, received),
        codec.encodeFunctionData('unwrapWETH9', [0, owner]),
    ]));
    const back = await provider.getBalance(owner) - before;
    holds(back > ONE_ETH * 98n / 100n, `only ${back} wei came back`);
    return `${units(received, 'USDC')} USDC, and ${formatUnits(back)} ETH back`;
}

async function tetherRefusesToChangeAnAllowance({ chain, tokens, routerV2, provider, owner }) {
    if (chain.tokens.USDT?.kind !== 'TetherToken') return 'no Tether on this chain';
    const { USDT } = tokens;
    await mined(USDT.approve(routerV2.target, 100));
    const data = USDT.interface.encodeFunctionData('approve', [routerV2.target, 200]);
    const call = { from: owner, to: USDT.target, data };
    const error = await failureOf(() => provider.send('eth_call', [call, 'latest']), 'a changed allowance');
    same(error.data ?? error.info?.error?.data ?? error.error?.data, '0x', 'the revert data');
    await mined(USDT.approve(routerV2.target, 0));
    same(await provider.send('eth_call', [call, 'latest']), '0x', 'what approve() returns');
    await mined(USDT.approve(routerV2.target, 200));
    same(await USDT.allowance(owner, routerV2.target), 200n, 'the allowance');
}

/** Trades through an aggregator's contract and says what arrived: the pools' output less 5 bps. */
async function tradeBy(key, world, tokenIn, tokenOut, amount, to = ROUTERS[key][world.chain.name], encode = ENCODERS[key]) {
    const { pools, wallet, owner, provider, tokens, chain } = world;
    const { out, path } = await pools.best(tokenIn, tokenOut, amount);
    const honest = out * 9995n / 10000n;
    const order = {
        chain, router: ROUTERS[key][chain.name], sender: owner, recipient: owner, tokenIn, tokenOut, amount, quoted: honest,
        minimum: honest * 99n / 100n, trade: { path, share: 9995n },
    };
    const token = Object.values(tokens).find(({ target }) => target === tokenOut);
    const held = () => (token ? token.balanceOf(owner) : provider.getBalance(owner));
    if (tokenIn !== ZeroAddress) await mined(Object.values(tokens).find(({ target }) => target === tokenIn).approve(order.router, amount));
    const before = await held();
    const receipt = await mined(wallet.sendTransaction({ to, data: encode(order), value: valueOf(order), gasLimit: TRADE_GAS }));
    const gained = await held() - before + (token ? 0n : receipt.fee);
    // Others than the sender's own transactions move nothing here; some of the contracts keep a unit.
    holds(gained >= honest - 1n && gained <= honest, `${key} paid ${gained} instead of ${honest}`);
    return gained;
}

/** Coin for dollars, dollars for other dollars, and back into the coin, by each aggregator. */
async function aggregatorsSwap(world) {
    const [first, second = first] = world.chain.dollars.map(world.address);
    const seen = [];
    for (const key of Object.keys(ENCODERS)) {
        if (ROUTERS[key][world.chain.name] === undefined) continue;
        const dollars = await tradeBy(key, world, ZeroAddress, first, ONE_ETH);
        const others = second === first ? dollars : await tradeBy(key, world, first, second, dollars);
        await tradeBy(key, world, second, ZeroAddress, others);
        seen.push(key);
    }
    return seen.join(', ');
}

async function settlersAreRegistered(world) {
    if (ROUTERS['0x'][world.chain.name] === undefined) return 'no 0x on this chain';
    const registry = new Contract(SETTLER_REGISTRY, ['function ownerOf(uint256) view returns (address)', 'function prev(uint128) view returns (address)'], world.provider);
    same(await registry.ownerOf(TAKER_SUBMITTED), SETTLERS.current, 'the Settler in use');
    same(await registry.prev(TAKER_SUBMITTED), SETTLERS.previous, 'the Settler before it');
    await tradeBy('0x', world, ZeroAddress, world.address('USDC'), ONE_ETH, SETTLERS.current, settlerCall);
}

/** Wraps one ETH, which a contract may take then. */
async function wrap({ wallet, address, chain }, spender) {
    const wrapped = new Contract(address(chain.wrapped), [...ERC20, 'function deposit() payable'], wallet);
    await mined(wrapped.deposit({ value: ONE_ETH }));
    await mined(wrapped.approve(spender, ONE_ETH));
}

async function aaveLends(world) {
    const { chain, wallet, owner, address, tokens, units } = world;
    if (!chain.lending) return 'no lending on this chain';
    const oracle = new Contract(chain.lending.aave.oracle, AAVE_ORACLE, wallet);
    near(Number(await oracle.getAssetPrice(address(chain.wrapped))) / 1e8, chain.price, 0.1, 'the price of the coin');
    const pool = new Contract(chain.lending.aave.pool, AAVE_POOL, wallet);
    const [coin, dollar, amount] = [address(chain.wrapped), address('USDC'), parseUnits('1000', chain.tokens.USDC.decimals)];
    const held = await tokens.USDC.balanceOf(owner);
    await wrap(world, pool.target);
    await mined(pool.supply(coin, ONE_ETH, owner, 0));
    await mined(pool.borrow(dollar, amount, 2, 0, owner, { gasLimit: TRADE_GAS }));
    same(await tokens.USDC.balanceOf(owner) - held, amount, 'what was borrowed');
    const { healthFactor } = await pool.getUserAccountData(owner);
    await approve(world, 'USDC', pool.target, amount);
    await mined(pool.repay(dollar, amount, 2, owner, { gasLimit: TRADE_GAS }));
    await mined(pool.withdraw(coin, ONE_ETH / 2n, owner, { gasLimit: TRADE_GAS }));
    return `${units(amount, 'USDC')} USDC for 1 ETH, health factor ${formatUnits(healthFactor)}`;
}

async function morphoLends(world) {
    const { chain, wallet, owner, tokens, units } = world;
    if (!chain.lending) return 'no lending on this chain';
    const market = chain.lending.morpho.markets.find(({ terms }) => terms[0] === 'USDC' && terms[1] === chain.wrapped);
    const params = paramsOf(chain, market);
    const morpho = new Contract(MORPHO, MORPHO_ABI, wallet);
    const amount = parseUnits('1000', chain.tokens.USDC.decimals);
    const held = await tokens.USDC.balanceOf(owner);
    await wrap(world, MORPHO);
    await mined(morpho.supplyCollateral(params, ONE_ETH, owner, '0x'));
    await mined(morpho.borrow(params, amount, 0, owner, owner, { gasLimit: TRADE_GAS }));
    same(await tokens.USDC.balanceOf(owner) - held, amount, 'what was borrowed');
    await approve(world, 'USDC', MORPHO, amount);
    await mined(morpho.repay(params, amount, 0, owner, '0x', { gasLimit: TRADE_GAS }));
    await mined(morpho.withdrawCollateral(params, ONE_ETH / 2n, owner, owner, { gasLimit: TRADE_GAS }));
    same((await morpho.position(market.id, owner)).collateral, ONE_ETH / 2n, 'the collateral that is left');
    return `${units(amount, 'USDC')} USDC for 1 ETH`;
}

const CHECKS = [
    contractsKnowEachOther, tokensDescribeThemselves, poolsAreWhereMainnetHasThem, v2QuotesEther, v3QuotesEther,
    tokensQuoteAgainstTokens, missingPoolsRevertEmpty, multicallAnswers, v2SwapsEtherAndBack, v3SwapsEtherAndBack,
    tetherRefusesToChangeAnAllowance, aggregatorsSwap, settlersAreRegistered,
    aaveLends, morphoLends,
];

/** v2SwapsEtherAndBack -> "v2 swaps ether and back" */
const title = ({ name }) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

async function main([url, chainName]) {
    if (!url || !chainName) throw new Error('usage: check-chain.mjs RPCURL CHAIN');
    const world = await openWorld(url, chainNamed(chainName));
    let failures = 0;
    for (const check of CHECKS) {
        try {
            const detail = await check(world);
            console.log(`ok ${title(check)}${detail ? `: ${detail}` : ''}`);
        } catch (error) {
            failures++;
            console.log(`not ok ${title(check)}: ${error.shortMessage ?? error.message}`);
        }
    }
    return failures;
}

main(process.argv.slice(2)).then(
    (failures) => process.exit(failures === 0 ? 0 : 1),
    (error) => { console.error(`check-chain.mjs: ${error.message}`); process.exit(1); },
);
