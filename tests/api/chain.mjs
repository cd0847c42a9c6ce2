// The sandbox chains as the tests see them: funding, balances, transactions. Nothing here asks the gateway.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import {
    Contract, Interface, JsonRpcProvider, Network, Wallet, ZeroAddress, formatUnits, parseEther, parseUnits, toBeHex,
} from 'ethers';
import { launch } from '../../contrib/sandbox/chain.mjs';
import { CHAINS as WORLD } from '../../contrib/sandbox/world.mjs';
import { PATIENCE_MS } from '../patience.mjs';
import { freePort } from './ports.mjs';

const { ethereum, base, polygon } = WORLD;

/** Those of the stack under test. */
export const ALL_CHAINS = { ethereum, base, polygon };

/** Those that swaps are tried on. */
export const CHAINS = { ethereum, base };

const URLS = {
    ethereum: process.env.ETHEREUM_URL ?? 'http://127.0.0.1:8545',
    base: process.env.BASE_CHAIN_URL ?? 'http://127.0.0.1:8546',
    polygon: process.env.POLYGON_URL ?? 'http://127.0.0.1:8547',
};
const ERC20 = [
    'function balanceOf(address) view returns (uint256)',
    'function allowance(address, address) view returns (uint256)',
    // Without a result, since Tether has none.
    'function approve(address, uint256)',
];
export const APPROVE = new Interface(['function approve(address spender, uint256 value)']);
const ROUTER_V2 = new Interface([
    'function swapExactETHForTokens(uint256, address[], address, uint256) payable',
    'function swapExactTokensForETH(uint256, uint256, address[], address, uint256)',
]);
const ROUTER_V3 = new Interface([
    'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, '
        + 'uint256 amountOutMinimum, uint160 limit)) payable',
]);
const FAR_FUTURE = 0xffffffffffn;
const COIN_PRICE = 3000;
const providers = new Map();

const CACHE = process.env.SANDBOX_CACHE ?? fileURLToPath(new URL('../../var/sandbox', import.meta.url));

/** The state that the sandbox's chain begins with. */
const pristine = (chain) => `${CACHE}/${chain}.pristine.json`;

/**
 * A node of a test's own, in the state that the sandbox's begins with: { url, child }. Blocks come with transactions. It has the
 * state of its last blocks in memory alone: a megabyte of each would stay in the home folder when it ends.
 */
export async function ownNode(chain, { id = WORLD[chain].id, options = [] } = {}) {
    return launch(id, await freePort(), ['--load-state', pristine(chain), '--prune-history', '64', ...options], 'ignore');
}

/**
 * While no block comes by itself: `begin` resolves to the hash of a transaction that waits for one; it gets one with another above
 * it, and once the venue has `confirmed` it, a reorganisation takes both.
 */
export async function takenBack(chain, begin, confirmed) {
    const { provider } = chain;
    chain.still = true;
    await provider.send('evm_setAutomine', [false]);
    try {
        const hash = await begin();
        await provider.send('anvil_mine', ['0x2', '0x0']);
        await confirmed();
        await provider.send('anvil_reorg', [2, []]);
        assert.equal(await provider.send('eth_getTransactionReceipt', [hash]), null);
    } finally {
        await provider.send('evm_setAutomine', [true]);
        chain.still = false;
    }
}

/** One provider for each chain; nothing is cached, since tests change what nodes say. */
export function provider(chain) {
    if (!providers.has(chain)) {
        const network = networkOf(chain);
        const made = new JsonRpcProvider(URLS[chain], network, { staticNetwork: network, cacheTimeout: -1 });
        made.pollingInterval = 100;
        providers.set(chain, made);
    }
    return providers.get(chain);
}

/** The network without the plugins that the library has for it: Polygon's asks a web page for the price of gas. */
export const networkOf = (chain) => new Network(chain, WORLD[chain].id);

export function rpc(chain, method, params = []) {
    return provider(chain).send(method, params);
}

/** So many blocks with the time of the last one. Each by a call of its own: of those of one call the node keeps every state in memory. */
export async function mine(chain, blocks) {
    for (let i = 0; i < blocks; i++) await rpc(chain, 'anvil_mine', ['0x1', '0x0']);
}

/** Address and decimals. */
export function token(chain, symbol) {
    return symbol === 'ETH' ? { address: ZeroAddress, decimals: 18 } : ALL_CHAINS[chain].tokens[symbol];
}

/** The exchanges that a swap may go to, which are the only ones that may be allowed to take tokens. */
export function routers(chain) {
    const { v2, v3 } = CHAINS[chain];
    return [v2.router, v3.router, v3.router02].filter(Boolean);
}

/** Sets the balance of the native coin. */
export async function fund(chain, address, coins) {
    await rpc(chain, 'anvil_setBalance', [address, toBeHex(parseEther(String(coins)))]);
}

/** Sets the balance of a token. */
export async function give(chain, address, symbol, amount) {
    const { address: contract, decimals } = token(chain, symbol);
    await rpc(chain, 'anvil_dealERC20', [address, contract, toBeHex(parseUnits(String(amount), decimals))]);
}

export function erc20(chain, symbol, runner = provider(chain)) {
    return new Contract(token(chain, symbol).address, ERC20, runner);
}

/** In smallest units. */
export async function balance(chain, address, symbol) {
    if (symbol === 'ETH') return BigInt(await rpc(chain, 'eth_getBalance', [address, 'latest']));
    return erc20(chain, symbol).balanceOf(address);
}

export function units(chain, symbol, text) {
    return parseUnits(text, token(chain, symbol).decimals);
}

export function text(chain, symbol, amount) {
    return formatUnits(amount, token(chain, symbol).decimals);
}

/** How many transactions of the address are in blocks. */
export async function nonceOf(chain, address, block = 'latest') {
    return Number(await rpc(chain, 'eth_getTransactionCount', [address, block]));
}

/** A wallet of the tests' own, with coins. */
export async function outsider(chain, coins) {
    const wallet = Object.assign(new Wallet(Wallet.createRandom().privateKey, provider(chain)), { chain });
    await fund(chain, wallet.address, coins);
    return wallet;
}

/** Sends transactions, all of them before the next block if it can be, and waits for their receipts. */
export async function minedAll(wallet, requests) {
    const first = await nonceOf(wallet.chain, wallet.address, 'pending');
    const send = (request, i) => wallet.sendTransaction({ nonce: first + i, gasLimit: 1_000_000, ...request });
    const sent = await Promise.all(requests.map(send));
    return Promise.all(sent.map(({ hash }) => included(wallet.chain, hash)));
}

export async function mined(wallet, request) {
    return (await minedAll(wallet, [request]))[0];
}

/** The receipt of a transaction that has to succeed. */
export async function included(chain, hash) {
    const receipt = await provider(chain).waitForTransaction(hash, 1, PATIENCE_MS);
    if (receipt.status !== 1) throw new Error(`transaction ${hash} was reverted`);
    return receipt;
}

/** Sends a transaction of an account whose key the test does not have. */
export async function impersonated(chain, address, request) {
    return included(chain, await sentBy(chain, address, request));
}

/** The same before any block has it: its hash. */
export async function sentBy(chain, address, request) {
    await rpc(chain, 'anvil_impersonateAccount', [address]);
    const hash = await rpc(chain, 'eth_sendTransaction', [{ from: address, gas: toBeHex(200_000), ...request }]);
    await rpc(chain, 'anvil_stopImpersonatingAccount', [address]);
    return hash;
}

/** What all of these transactions cost in fees. */
export async function feesPaid(chain, hashes) {
    let sum = 0n;
    for (const hash of hashes) {
        const { gasUsed, effectiveGasPrice } = await rpc(chain, 'eth_getTransactionReceipt', [hash]);
        sum += BigInt(gasUsed) * BigInt(effectiveGasPrice);
    }
    return sum;
}

// ---------------------------------------------------------------- prices

const QUOTER_V3 = [
    'function quoteExactInputSingle((address tokenIn, address tokenOut, uint256 amountIn, uint24 fee, uint160 limit)) returns (uint256, uint160, uint32, uint256)',
];
const QUOTER_V2 = ['function getAmountsOut(uint256, address[]) view returns (uint256[])'];

/** The most that one pool pays now for an amount, both as texts; the coin is wrapped. Pools that are missing pay nothing. */
export async function pays(chain, from, to, amount) {
    const { v2, v3 } = CHAINS[chain];
    const [of, other] = [from, to].map((symbol) => token(chain, symbol === 'ETH' ? 'WETH' : symbol).address);
    const raw = units(chain, from, amount);
    const quoter = new Contract(v3.quoter, QUOTER_V3, provider(chain));
    const outs = await Promise.all([
        new Contract(v2.router, QUOTER_V2, provider(chain)).getAmountsOut(raw, [of, other]).then((each) => each[1]).catch(() => 0n),
        ...[100, 500, 3000].map((fee) => quoter.quoteExactInputSingle.staticCall([of, other, raw, fee, 0]).then(([out]) => out).catch(() => 0n)),
    ]);
    return text(chain, to, outs.reduce((best, out) => (out > best ? out : best)));
}

/** The coin's pools as [other token, depth in coins, router, call that sells, call that buys]. */
function coinPools(chain, whale) {
    const { pools, tokens, v2, v3 } = CHAINS[chain];
    const coin = tokens.WETH.address;
    return [...pools.v2, ...pools.v3].filter(([first]) => first === 'WETH').map(([, depth, symbol, , fee]) => {
        const other = tokens[symbol].address;
        const exact = (...path) => (amount) => (
            ROUTER_V3.encodeFunctionData('exactInputSingle', [[...path, fee, whale.address, amount, 0, 0]]));
        return fee === undefined
            ? [symbol, depth, v2.router,
                () => ROUTER_V2.encodeFunctionData('swapExactETHForTokens', [0, [coin, other], whale.address, FAR_FUTURE]),
                (amount) => ROUTER_V2.encodeFunctionData('swapExactTokensForETH', [amount, 0, [other, coin], whale.address, FAR_FUTURE])]
            : [symbol, depth, v3.router02, exact(coin, other), exact(other, coin)];
    });
}

/** Transactions of a wallet that make the coin cheaper in all of its pools, by selling this share of their depth. */
export const coinSales = (chain, whale, share) => coinPools(chain, whale).map(([, depth, to, sell]) => {
    const value = units(chain, 'ETH', String(depth * share));
    return { to, value, data: sell(value) };
});

export async function sellCoins(chain, share) {
    const whale = await outsider(chain, 100_000);
    await minedAll(whale, coinSales(chain, whale, share));
}

/** Undoes, about, what selling that share did. */
export async function buyCoins(chain, share) {
    const whale = await outsider(chain, 100);
    const requests = [];
    for (const [symbol, depth, to, , buy] of coinPools(chain, whale)) {
        const price = symbol === 'WBTC' ? 0.05 : COIN_PRICE;
        const amount = units(chain, symbol, (depth * share * price / (1 + share)).toFixed(6));
        await give(chain, whale.address, symbol, '10000000');
        requests.push({ to: token(chain, symbol).address, data: APPROVE.encodeFunctionData('approve', [to, 0n]) });
        requests.push({ to: token(chain, symbol).address, data: APPROVE.encodeFunctionData('approve', [to, amount]) });
        requests.push({ to, data: buy(amount) });
    }
    await minedAll(whale, requests);
}
