// The Uniswap exchanges of a chain and their pools: what build-chain.mjs puts there.

import { Interface, MaxUint256, ZeroAddress, parseUnits } from 'ethers';
import { BUILDER, contractAt, expect, send } from './builder.mjs';
import { UNISWAP } from './contracts.mjs';

const FAR_FUTURE = 0xffffffffff;
// Pools of mainnet remember their prices for a while, those of a new one only the last.
const GROW_OBSERVATIONS = new Interface(['function increaseObservationCardinalityNext(uint16)'])
    .encodeFunctionData('increaseObservationCardinalityNext', [400]);
// Whole range of ticks a pool can have, rounded to its spacing.
const MAX_TICK = 887_272;
const TICK_SPACING = { 100: 1, 500: 10, 3000: 60, 10000: 200 };

// ---------------------------------------------------------------- contracts

/** [contract, mainnet address, constructor arguments] of the exchanges. */
export function inventory(chain, own) {
    const { tokens, wrapped, v2, v3, oracle, arbSys } = chain;
    const weth = tokens[wrapped].address;
    const list = [
        [UNISWAP.FactoryV2, v2.factory, [BUILDER]],
        [UNISWAP.RouterV2, v2.router, [v2.factory, weth]],
        [UNISWAP.FactoryV3, v3.factory, []],
        // The descriptor only draws pictures of positions.
        [UNISWAP.Positions, v3.positions, [v3.factory, weth, ZeroAddress]],
        [UNISWAP.Quoter, v3.quoter, [v3.factory, weth]],
        [UNISWAP.Router02, v3.router02, [v2.factory, v3.factory, v3.positions, weth]],
    ];
    if (v3.router) list.push([UNISWAP.RouterV3, v3.router, [v3.factory, weth]]);
    if (oracle) list.push([own.DataFeeOracle, oracle, []]);
    if (arbSys) list.push([own.ArbSys, arbSys, []]);
    return list;
}

// ---------------------------------------------------------------- pools

/** Fills the pools. */
export async function furnish(url, chain, own) {
    await stock(url, chain, own);
    await seedV2(url, chain);
    await seedV3(url, chain);
}

/** Mints all that the pools need and lets routers and the position manager take it. */
async function stock(url, chain, own) {
    for (const [symbol, { address, kind, decimals }] of Object.entries(chain.tokens)) {
        const token = contractAt(url, own[kind] ?? UNISWAP[kind], address);
        let needed = 0n;
        for (const [first, firstAmount, second, secondAmount] of [...chain.pools.v2, ...chain.pools.v3]) {
            if (first === symbol) needed += parseUnits(String(firstAmount), decimals);
            if (second === symbol) needed += parseUnits(String(secondAmount), decimals);
        }
        if (kind === 'WETH9') await token.send('deposit', [], needed);
        else await token.send('mint', [BUILDER, needed]);
        for (const spender of [chain.v2.router, chain.v3.positions]) await token.send('approve', [spender, MaxUint256]);
    }
}

/** The two sides of a pool in the order that exchanges use: by address. */
function sides(chain, [first, firstAmount, second, secondAmount]) {
    const side = (symbol, amount) => {
        const { address, decimals } = chain.tokens[symbol];
        return { address, amount: parseUnits(String(amount), decimals) };
    };
    return [side(first, firstAmount), side(second, secondAmount)]
        .sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1));
}

async function seedV2(url, chain) {
    const router = contractAt(url, UNISWAP.RouterV2, chain.v2.router);
    for (const pool of chain.pools.v2) {
        const [a, b] = sides(chain, pool);
        await router.send('addLiquidity', [a.address, b.address, a.amount, b.amount, 0, 0, BUILDER, FAR_FUTURE]);
    }
}

async function seedV3(url, chain) {
    const factory = contractAt(url, UNISWAP.FactoryV3, chain.v3.factory);
    const positions = contractAt(url, UNISWAP.Positions, chain.v3.positions);
    // Mainnet's owner enabled this tier later; the constructor does not know it.
    await factory.send('enableFeeAmount', [100, TICK_SPACING[100]]);
    for (const pool of chain.pools.v3) {
        const [a, b] = sides(chain, pool);
        const fee = pool[4];
        const tick = MAX_TICK - (MAX_TICK % TICK_SPACING[fee]);
        await positions.send('createAndInitializePoolIfNecessary', [a.address, b.address, fee, rootPrice(a.amount, b.amount)]);
        await positions.send('mint', [[a.address, b.address, fee, -tick, tick, a.amount, b.amount, 0, 0, BUILDER, FAR_FUTURE]]);
        await send(url, await factory.call('getPool', [a.address, b.address, fee]), GROW_OBSERVATIONS);
    }
}

/** sqrt(b / a) as the fixed-point number with 96 fraction bits that V3 pools start from. */
function rootPrice(a, b) {
    return integerRoot((b << 192n) / a);
}

function integerRoot(value) {
    let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
    for (;;) {
        const next = (root + value / root) >> 1n;
        if (next >= root) return root;
        root = next;
    }
}

// ---------------------------------------------------------------- proof

/** Refuses a world whose contracts do not know each other or whose pools are not where mainnet has them. */
export async function verify(url, chain) {
    const { tokens, wrapped, v2, v3, knownPools } = chain;
    const weth = tokens[wrapped].address;
    const routerV2 = contractAt(url, UNISWAP.RouterV2, v2.router);
    expect('V2 router factory()', await routerV2.call('factory'), v2.factory);
    expect('V2 router WETH()', await routerV2.call('WETH'), weth);
    const users = [[UNISWAP.Quoter, v3.quoter], [UNISWAP.Router02, v3.router02], [UNISWAP.Positions, v3.positions]];
    if (v3.router) users.push([UNISWAP.RouterV3, v3.router]);
    for (const [contract, address] of users) {
        const user = contractAt(url, contract, address);
        expect(`factory() of ${address}`, await user.call('factory'), v3.factory);
        expect(`WETH9() of ${address}`, await user.call('WETH9'), weth);
    }
    const factoryV2 = contractAt(url, UNISWAP.FactoryV2, v2.factory);
    const factoryV3 = contractAt(url, UNISWAP.FactoryV3, v3.factory);
    expect('V2 pools', Number(await factoryV2.call('allPairsLength')), chain.pools.v2.length);
    for (const [first, , second, , fee] of chain.pools.v3) {
        const pool = await factoryV3.call('getPool', [tokens[first].address, tokens[second].address, fee]);
        if (pool === ZeroAddress) throw new Error(`V3 pool ${first}/${second} ${fee} is missing`);
    }
    if (!knownPools) return;
    const [a2, b2, pair] = knownPools.v2;
    expect(`V2 pair ${a2}/${b2}`, await factoryV2.call('getPair', [tokens[a2].address, tokens[b2].address]), pair);
    const [a3, b3, fee, pool] = knownPools.v3;
    expect(`V3 pool ${a3}/${b3} ${fee}`, await factoryV3.call('getPool', [tokens[a3].address, tokens[b3].address, fee]), pool);
}
