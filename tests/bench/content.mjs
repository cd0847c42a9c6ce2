// What there is to ask about: agents, their wallets, quotes, a history.

import { askNode, call, eventually, inParallel, need } from './stack.mjs';

const PLENTY = 10n ** 22n;
const DEPOSIT = '100';

/** A page of prediction markets of all states, so that it is full. */
export const MARKETS = '/predict/markets?status=all&limit=20';
/** All markets of lenders. */
export const LENT = '/lend/markets?limit=50';
/** Orders that rest below every bid. */
export const RESTING = { side: 'BUY', price: '0.05', size: '5' };

/** Agents with keys, the first of them with a history of completed swaps, operations at lenders and as many open orders, made through the API alone. */
export async function makeContent(stack, agents, history) {
    const keys = await inParallel(4, Array.from({ length: agents }), () => stack.newKey());
    await depositCollateral(stack, keys[0], await fundedWallet(stack, keys[0]));
    await placeOrders(stack, keys[0], history);
    const quotes = await takeQuotes(stack, keys[0], history);
    await inParallel(4, quotes, (quote) => need(stack.base, '/swap/execute', keys[0], JSON.stringify({ quote_id: quote })));
    const completed = async () => (await need(stack.base, '/swaps?status=completed&limit=1', keys[0])).pagination.total;
    await supplyAll(stack, keys[0], history);
    await eventually(`${history} swaps complete`, 90, async () => await completed() === history);
    const withProfile = async (key) => ({ key, profile: (await need(stack.base, '/me', key)).agent });
    return {
        chains: await need(stack.base, '/chains'),
        agents: await inParallel(4, keys, withProfile),
        swaps: (await need(stack.base, '/swaps?limit=100', keys[0])).swaps,
        markets: await need(stack.base, MARKETS, keys[0]),
        orders: (await need(stack.base, '/predict/orders?limit=100', keys[0])).orders,
        lent: await need(stack.base, LENT, keys[0]),
        operations: (await need(stack.base, '/lend/operations?limit=100', keys[0])).operations,
    };
}

/** The address of a new wallet that can pay for everything. */
export async function fundedWallet(stack, key) {
    const { wallet } = await need(stack.base, '/wallets', key, '', 'POST');
    await askNode(stack.node, 'anvil_setBalance', wallet.address, `0x${PLENTY.toString(16)}`);
    return wallet.address;
}

const LITTLE = { from_token: 'ETH', to_token: 'USDC', amount: '0.0001', chain: 'ethereum' };

/** Ids of `n` quotes for so little that they leave the price where it is; `more`: what is asked otherwise. */
export function takeQuotes(stack, key, n, more = {}) {
    const body = JSON.stringify({ ...LITTLE, ...more });
    return inParallel(8, Array.from({ length: n }), async () => (await need(stack.base, '/quote', key, body)).quote_id);
}

/** Gives the wallet collateral to trade with. */
export async function depositCollateral(stack, key, address) {
    await stack.command('fund', address);
    const { transfer } = await need(stack.base, '/predict/deposit', key, JSON.stringify({ amount: DEPOSIT, token: 'USDC.e' }));
    await eventually('a deposit is there', 90, async () => {
        const { transfer: now } = await need(stack.base, `/predict/transfer/${transfer.id}`, key);
        if (now.status === 'failed') throw new Error(now.error);
        return now.status === 'completed';
    });
}

/** An outcome that is traded on the exchange v2. */
export async function someToken(stack, key) {
    const { markets } = await need(stack.base, '/predict/markets?limit=50', key);
    return markets.find(({ exchange }) => exchange === 'v2').outcomes[0].tokenId;
}

async function placeOrders(stack, key, n) {
    const body = JSON.stringify({ tokenId: await someToken(stack, key), ...RESTING });
    await inParallel(4, Array.from({ length: n }), () => need(stack.base, '/predict/order', key, body));
}

async function supplyAll(stack, key, n) {
    const body = JSON.stringify({ market: 'aave-v3:1:WETH', asset: 'ETH', amount: '0.001' });
    await inParallel(4, Array.from({ length: n }), () => need(stack.base, '/lend/supply', key, body));
    const completed = async () => (await need(stack.base, '/lend/operations?status=completed&limit=1', key)).pagination.total;
    await eventually(`${n} operations complete`, 90, async () => await completed() === n);
}

const QUOTER_V3 = '0x61fFE014bA17989E743c5F6cB21bF9697530B21e';

/**
 * While `during` runs the chain has no prices of Uniswap V3, so that all sides ask the node the same: one call, which asks
 * one exchange.
 */
export async function withOneExchange(stack, during) {
    const code = await askNode(stack.node, 'eth_getCode', QUOTER_V3, 'latest');
    await askNode(stack.node, 'anvil_setCode', QUOTER_V3, '0x');
    try {
        return await during();
    } finally {
        await askNode(stack.node, 'anvil_setCode', QUOTER_V3, code);
    }
}

/** A call of the API, and the milliseconds that its answer took. */
export async function timed(stack, path, key, body) {
    const begun = performance.now();
    const { status, body: answer } = await call(stack.base, path, key, body);
    return { status, answer, ms: performance.now() - begun };
}
