// The aggregators' contracts: where they stand on which chains, and what build-chain.mjs puts there. Those of executors
// and of 0x's Settlers are the sandbox's own choice, the others mainnet's.

import { Interface, parseUnits } from 'ethers';
import { contractAt } from './builder.mjs';
import { rpc } from './chain.mjs';
import { UNISWAP } from './contracts.mjs';
import { DEPOSITORY } from './solana/transaction.mjs';

/** Trades against the local pools for all of them. */
export const EXECUTOR = '0x00000000000000000000000000000000e8ec0702';
/** 0x's Settlers: the one in use, the one before it, one older than that, and one that only looks like them. */
export const SETTLERS = {
    current: '0x0000000000000000000000000000000000005E77',
    previous: '0x0000000000000000000000000000000000005e76',
    outdated: '0x0000000000000000000000000000000000005e75',
    forged: '0x000000000000000000000000000000000000F043',
};
/** Where LI.FI keeps the shares of those who bring it swaps. */
export const FEE_COLLECTOR = '0xbD6C7B0d2f68c2b7805d88388319cfB6EcB50eA9';
export const SETTLER_REGISTRY = '0x00000000000004533Fe15556B1E086BB1A72cEae';
/** The registry's number of what wallets send themselves. */
export const TAKER_SUBMITTED = 2;
/** Has what was deposited with LI.FI, and pays on far chains, as a solver: the ninth of the node's development accounts. */
export const SOLVER = {
    address: '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
    key: '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97',
};

const EVERYWHERE = 'ethereum optimism bsc polygon arbitrum base avalanche linea mantle gnosis scroll fantom';
const on = (address, chains) => Object.fromEntries(chains.split(' ').map((chain) => [chain, address]));

/** By provider and chain: the contract that is called. */
export const ROUTERS = {
    across: {
        ethereum: '0x5c7BCd6E7De5423a257D81B442095A1a6ced35C5',
        optimism: '0x6f26Bf09B1C792e3228e5467807a900A503c0281',
        bsc: '0x4e8E101924eDE233C13e2D8622DC8aED2872d505',
        polygon: '0x9295ee1d8C5b022Be115A2AD3c30C72E34e7F096',
        arbitrum: '0xe35e9842fceaCA96570B734083f4a58e8F7C5f2A',
        base: '0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64',
        linea: '0x7E63A5f1a8F0B4d0934B2f2327DAED3F6bb2ee75',
    },
    lifi: {
        ...on('0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE', 'ethereum optimism bsc polygon arbitrum base avalanche mantle gnosis scroll'),
        ...on('0xDE1E598b81620773454588B85D6b5D4eEC32573e', 'linea'),
    },
    kyberswap: on('0x6131B5fae19EA4f9D964eAc0408E4408b66337b5', 'ethereum bsc arbitrum polygon optimism avalanche base linea mantle'),
    '0x': {
        ...on('0x0000000000001fF3684f28c67538d4D072C22734', 'ethereum optimism bsc polygon arbitrum base avalanche linea scroll'),
        ...on('0x0000000000005E88410CcDFaDe4a5EfaE4b49562', 'mantle'),
    },
    velora: on('0x6A000F20005980200259B80c5102003040001068', 'ethereum optimism bsc polygon base arbitrum avalanche gnosis'),
    openocean: on('0x6352a56caadC4F1E25CD6c75970Fa768A3304e64', EVERYWHERE),
    '1inch': on('0x111111125421cA6dc452d289314280a0f8842A65', 'ethereum bsc polygon optimism arbitrum base avalanche gnosis linea'),
    relay: {
        ...on('0x4cd00e387622c35bddb9b4c962c136462338bc31', 'ethereum optimism bsc polygon arbitrum base avalanche gnosis scroll'),
        ...on('0x59916da825d2d2ec1bf878d71c88826f6633ecca', 'mantle linea'),
        solana: DEPOSITORY, // which its own world has
    },
};

// Of each token: what the executor can add to what the pools give, and what the solver can pay out.
const STOCK = { WETH9: '1000', Token: '1000000', TetherToken: '1000000', OpenToken: '1000000' };

function selectorsOf({ abi }, names) {
    const contract = new Interface(abi);
    return names.map((name) => contract.getFunction(name).selector);
}

/** What else an aggregator needs next to its router. */
function settlers(own, holder) {
    return [
        [own.SettlerRegistry, SETTLER_REGISTRY, [TAKER_SUBMITTED, SETTLERS.current, SETTLERS.previous]],
        ...['current', 'previous', 'outdated'].map((which) => [own.Settler, SETTLERS[which], [holder]]),
        [own.ForgedSettler, SETTLERS.forged, [holder]],
    ];
}

/** [contract, address, constructor arguments] of the aggregators on a chain. */
export function inventory(chain, own) {
    const callable = [
        ...selectorsOf(own.PoolExecutor, ['trade', 'tradeFrom']),
        ...selectorsOf(own.FeeCollector, ['collectTokenFees', 'collectNativeFees']),
    ];
    const contracts = {
        across: [own.Across, [SOLVER.address, chain.tokens[chain.wrapped].address]],
        lifi: [own.LiFi, [[EXECUTOR, FEE_COLLECTOR], callable, SOLVER.address, chain.tokens.USDC.address]],
        kyberswap: [own.KyberSwap, []],
        '0x': [own.AllowanceHolder, []],
        velora: [own.Velora, []],
        openocean: [own.OpenOcean, []],
        '1inch': [own.OneInch, []],
        relay: [own.Relay, [SOLVER.address]],
    };
    const list = [[own.PoolExecutor, EXECUTOR, [chain.v3.router02, chain.tokens[chain.wrapped].address]]];
    for (const [key, [contract, args]] of Object.entries(contracts)) {
        const router = ROUTERS[key][chain.name];
        if (router === undefined) continue;
        list.push([contract, router, args]);
        if (key === '0x') list.push(...settlers(own, router));
        if (key === 'lifi') list.push([own.FeeCollector, FEE_COLLECTOR, []]);
    }
    return list;
}

/** Gives executor and solver their stocks. */
export async function furnish(url, chain, own) {
    for (const { address, kind, decimals } of Object.values(chain.tokens)) {
        const token = contractAt(url, own[kind] ?? UNISWAP[kind], address);
        const amount = parseUnits(STOCK[kind], decimals);
        for (const holder of [EXECUTOR, SOLVER.address]) {
            if (kind === 'WETH9') {
                await token.send('deposit', [], amount);
                await token.send('transfer', [holder, amount]);
            } else {
                await token.send('mint', [holder, amount]);
            }
        }
    }
}

/** Refuses a world in which a contract is missing or the registry does not name its Settlers. */
export async function verify(url, chain, own) {
    for (const [, address] of inventory(chain, own)) {
        if (await rpc(url, 'eth_getCode', [address, 'latest']) === '0x') throw new Error(`nothing stands at ${address}`);
    }
    if (ROUTERS['0x'][chain.name] === undefined) return;
    const named = await contractAt(url, own.SettlerRegistry, SETTLER_REGISTRY).call('ownerOf', [TAKER_SUBMITTED]);
    if (named !== SETTLERS.current) throw new Error(`the registry names ${named}`);
}
