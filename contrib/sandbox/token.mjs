// Deploys a token with a bad habit on a chain of the running stack, with Uniswap V2 pools against the wrapped coin and USDC in which
// it is worth a dollar. Its address is the last line.
//
//   node token.mjs fee|shares|pausable|frozen|fake-usdc CHAIN

import {
    Contract, ContractFactory, JsonRpcProvider, MaxUint256, NonceManager, Wallet, parseUnits, toBeHex,
} from 'ethers';
import { chainUrl } from './chain.mjs';
import { UNISWAP, compileOwnContracts } from './contracts.mjs';
import { chainNamed } from './world.mjs';

const HABITS = {
    fee: { kind: 'FeeToken', name: 'Fee on Transfer', symbol: 'FEE', decimals: 18, does: 'keeps 5 % of each transfer' },
    shares: { kind: 'ShareToken', name: 'Shares', symbol: 'SHARE', decimals: 18, does: 'counts shares: a unit less arrives than was sent' },
    pausable: {
        kind: 'PausableToken', name: 'Pausable', symbol: 'PAUSE', decimals: 18, does: 'stands still between pause() and unpause(), which are open',
    },
    frozen: {
        kind: 'FreezingToken', name: 'Freezing', symbol: 'FREEZE', decimals: 18,
        does: 'freezes its buyers; freeze(address) and unfreeze(address) are open',
    },
    'fake-usdc': { kind: 'Token', name: 'USD Coin', symbol: 'USDC', decimals: 6, does: 'has the symbol and the name of USDC' },
};

const POOL_DOLLARS = 300_000;
const FAR_FUTURE = 0xffffffffff;
const A_MILLION_COINS = parseUnits('1000000', 18);
// Named, so that what depends on a transaction before it need not wait for it: all fit into one block.
const GAS = { gasLimit: 4_000_000 };
const GAS_SMALL = { gasLimit: 200_000 };

function habitNamed(name) {
    if (!Object.hasOwn(HABITS, name)) throw new Error(`unknown habit ${name}: use ${Object.keys(HABITS).join(', ')}`);
    return HABITS[name];
}

/** An account of its own with coins, so that commands may run at the same time. */
async function newMaker(name) {
    const provider = new JsonRpcProvider(chainUrl(name), chainNamed(name).id, { staticNetwork: true, cacheTimeout: -1 });
    provider.pollingInterval = 100;
    const wallet = Wallet.createRandom(provider);
    await provider.send('anvil_setBalance', [wallet.address, toBeHex(A_MILLION_COINS)]);
    return { address: wallet.address, runner: new NonceManager(wallet), provider };
}

/** The other sides of the pools, in the maker's hands: [contract, amount]. */
async function counterparts({ address, runner, provider }, { tokens, wrapped, price }) {
    const weth = new Contract(tokens[wrapped].address, UNISWAP.WETH9.abi, runner);
    const usdc = new Contract(tokens.USDC.address, UNISWAP.WETH9.abi, runner);
    const coins = parseUnits(String(POOL_DOLLARS / price), tokens[wrapped].decimals);
    const dollars = parseUnits(String(POOL_DOLLARS), tokens.USDC.decimals);
    await provider.send('anvil_dealERC20', [address, usdc.target, toBeHex(dollars)]);
    return { sides: [[weth, coins], [usdc, dollars]], sent: [await weth.deposit({ ...GAS_SMALL, value: coins })] };
}

async function deploy({ kind, name, symbol, decimals }, runner) {
    const { abi, bytecode } = compileOwnContracts()[kind];
    return new ContractFactory(abi, bytecode, runner).deploy(name, symbol, decimals, GAS);
}

async function openPools(maker, chain, token, share) {
    const router = new Contract(chain.v2.router, UNISWAP.RouterV2.abi, maker.runner);
    const { sides, sent } = await counterparts(maker, chain);
    sent.push(await token.mint(maker.address, 2n * share, GAS_SMALL), await token.approve(router.target, MaxUint256, GAS_SMALL));
    for (const [other, amount] of sides) {
        sent.push(
            await other.approve(router.target, amount, GAS_SMALL),
            await router.addLiquidity(token.target, other.target, share, amount, 0, 0, maker.address, FAR_FUTURE, GAS),
        );
    }
    for (const transaction of sent) await transaction.wait();
}

async function main([habitName, chainName]) {
    if (!chainName) throw new Error('usage: token.mjs fee|shares|pausable|frozen|fake-usdc CHAIN');
    const habit = habitNamed(habitName);
    const chain = chainNamed(chainName);
    const maker = await newMaker(chainName);
    const token = await deploy(habit, maker.runner);
    await openPools(maker, chain, token, parseUnits(String(POOL_DOLLARS), habit.decimals));
    console.log(`${habit.symbol} on ${chainName} ${habit.does}.`);
    console.log(token.target);
}

main(process.argv.slice(2)).then(
    () => process.exit(0),
    (error) => { console.error(`token.mjs: ${error.shortMessage ?? error.message}`); process.exit(1); },
);
