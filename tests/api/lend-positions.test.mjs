// Section: api
// Loans and debts of wallets, compared with the chain's own figures, on a chain of the test's own. The wallets' transactions
// are made by its node, which may act for any account.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
    Contract, JsonRpcSigner, MaxUint256, formatUnits, parseEther, parseUnits, toBeHex,
} from 'ethers';
import { paramsOf } from '../../contrib/sandbox/lending/morpho.mjs';
import { MORPHO } from '../../contrib/sandbox/world.mjs';
import { supplyFor } from '../faults/lender.mjs';
import { Node } from '../faults/node.mjs';
import { ALL_CHAINS } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, isAmount, refused, register, send,
} from './lib.mjs';
import {
    MONTH_S, MORPHO_ABI, POOL, heldAtMorpho, ownLending,
} from './lending.mjs';
import { ask as askMcp, result } from './mcp.mjs';

const VARIABLE = 2;
const { tokens, lending: { aave, morpho, feeds } } = ALL_CHAINS.base;
const [market] = morpho.markets;
const params = paramsOf(ALL_CHAINS.base, market);

let world, gateway, base, agent, wallet;
before(async () => {
    world = await ownLending('base');
    base = world.provider;
    gateway = await startGateway([`rpc.base = ${world.url}`, 'rpc.polygon =', 'rpc.arbitrum =']);
    agent = await register();
    ({ wallet: { address: wallet } } = granted(await agent.post('/wallets', {}), 201));
    await lendAndBorrow();
    await world.pass(MONTH_S);
});
after(async () => {
    await gateway?.stop();
    world?.stop();
});

const ask = (who, query) => send('GET', `${API}/lend/positions${query}`, { key: who.key, base: gateway.base });
const read = async (who, query = '') => granted(await ask(who, query));

/** Acts for a wallet of the gateway's: supplies, pledges and borrows. */
async function lendAndBorrow() {
    await base.send('anvil_setBalance', [wallet, toBeHex(parseEther('10'))]);
    await base.send('anvil_impersonateAccount', [wallet]);
    const signer = new JsonRpcSigner(base, wallet);
    const act = async (address, abi, name, ...args) => (await new Contract(address, abi, signer)[name](...args, { gasLimit: 3_000_000n })).wait();
    for (const [symbol, amount] of [['USDC', '100000'], ['WETH', '50']]) {
        const { address, decimals } = tokens[symbol];
        await base.send('anvil_dealERC20', [wallet, address, toBeHex(parseUnits(amount, decimals))]);
        for (const spender of [aave.pool, MORPHO]) await act(address, ['function approve(address, uint256)'], 'approve', spender, MaxUint256);
    }
    await act(aave.pool, POOL, 'supply', tokens.USDC.address, parseUnits('10000.123456', 6), wallet, 0);
    await act(aave.pool, POOL, 'supply', tokens.WETH.address, parseUnits('3', 18), wallet, 0);
    await act(aave.pool, POOL, 'setUserUseReserveAsCollateral', tokens.WETH.address, false);
    await act(aave.pool, POOL, 'borrow', tokens.WETH.address, parseUnits('1', 18), VARIABLE, 0, wallet);
    await act(MORPHO, MORPHO_ABI, 'supply', params, parseUnits('5000', 6), 0, wallet, '0x');
    await act(MORPHO, MORPHO_ABI, 'supplyCollateral', params, parseUnits('2', 18), wallet, '0x');
    await act(MORPHO, MORPHO_ABI, 'borrow', params, parseUnits('1000', 6), 0, wallet, wallet);
    await base.send('anvil_stopImpersonatingAccount', [wallet]);
}

const now = async () => (await base.getBlock('latest')).timestamp;

/** What the contract would say at that time. */
async function morphoAt(time) {
    return (await heldAtMorpho(world, market, wallet, time)).map((units) => formatUnits(units, 6).replace(/\.?0+$/, '')).join();
}

function isNear(found, wanted, what) {
    assert.ok(Math.abs(found - wanted) < 1e-5 * wanted + 0.02, `${what}: ${found} instead of ${wanted}`);
}

test('a wallet\'s positions at Aave are exact to the unit', async () => {
    const userData = (symbol) => world.dataProvider.getUserReserveData(tokens[symbol].address, wallet);
    for (const symbol of ['USDC', 'WETH']) {
        const { decimals } = tokens[symbol];
        const before = await userData(symbol);
        const { positions, unavailable } = await read(agent, '?chain=base');
        const after = await userData(symbol);
        const position = positions.find(({ protocol, asset }) => protocol === 'aave-v3' && asset === symbol);
        assert.deepEqual(unavailable, []);
        assert.deepEqual([position.market, position.chain, position.chainId], [`aave-v3:8453:${symbol}`, 'base', 8453]);
        for (const name of ['supplied', 'borrowed', 'collateral']) isAmount(position[name], decimals, name);
        for (const [name, member] of [['supplied', 'supplied'], ['borrowed', 'debt']]) {
            const units = parseUnits(position[name], decimals);
            assert.ok(before[member] <= units && units <= after[member], `${name} of ${symbol}: ${units} is not within ${before[member]} and ${after[member]}`);
            isNear(position[`${name}Usd`], Number(position[name]) * feeds[symbol].price, name);
        }
        assert.equal(position.collateralEnabled, symbol === 'USDC');
        assert.equal(position.collateral, symbol === 'USDC' ? position.supplied : '0');
        isNear(position.collateralUsd, symbol === 'USDC' ? Number(position.supplied) : 0, 'collateral');
        assert.ok(position.borrowApy > position.supplyApy);
    }
    const account = (await read(agent, '?chainId=8453')).accounts.find(({ protocol }) => protocol === 'aave-v3');
    const said = await new Contract(aave.pool, POOL, base).getUserAccountData(wallet);
    assert.equal(account.market, '');
    isNear(account.totalCollateralUsd, Number(said.collateral) / 1e8, 'collateral');
    isNear(account.totalDebtUsd, Number(said.debt) / 1e8, 'debt');
    isNear(account.availableBorrowUsd, Number(said.available) / 1e8, 'available');
    assert.deepEqual([account.ltv, account.liquidationThreshold], [Number(said.ltv) / 1e4, Number(said.threshold) / 1e4]);
    assert.ok(Math.abs(account.healthFactor - Number(said.healthFactor) / 1e18) < 1e-5);
});

test('a wallet\'s positions at Morpho are exact to the unit', async () => {
    const from = await now();
    const { positions, accounts } = await read(agent, `?chain=base&wallet_address=${wallet}`);
    const until = Math.max(await now(), from + 2);
    const position = positions.find(({ market: id }) => id === market.id);
    const possible = [];
    for (let time = from; time <= until; time++) possible.push(await morphoAt(time));
    assert.ok(possible.includes(`${position.supplied},${position.borrowed}`), `${position.supplied},${position.borrowed} is none of ${possible.join(' ')}`);
    assert.deepEqual([position.asset, position.collateral, position.collateralEnabled], ['USDC', '2', true]);
    isNear(position.collateralUsd, 2 * feeds.WETH.price, 'collateral');
    const account = accounts.find(({ market: id }) => id === market.id);
    const debt = Number(position.borrowed), limit = 2 * feeds.WETH.price * 0.86;
    assert.deepEqual([account.ltv, account.liquidationThreshold, account.protocol], [0.86, 0.86, 'morpho']);
    isNear(account.totalDebtUsd, debt, 'debt');
    isNear(account.availableBorrowUsd, limit - debt, 'available');
    isNear(account.healthFactor, limit / debt, 'health');
    assert.equal(accounts.length, 2);
});

test('nothing is shown of wallets that have nothing, and of those of others', async () => {
    const other = await register();
    assert.deepEqual((await read(other, '?chain=base')).positions, []);
    granted(await other.post('/wallets', {}), 201);
    const { positions, accounts } = await read(other, '?chain=base');
    assert.deepEqual([positions, accounts], [[], []]);
    const foreign = await ask(other, `?chain=base&wallet_address=${wallet}`);
    assert.notEqual(foreign.status, 200);
    assert.equal(JSON.stringify(foreign.body).includes('aave-v3:'), false);
    assert.deepEqual((await read(agent, '?chain=ethereum')).positions, []);
    assert.equal((await read(agent)).positions.length, 3);
    refused(await ask(agent, '?chain=fantom'), "Lending is not available on chain 'fantom'");
    refused(await send('GET', `${API}/lend/positions`), 'Invalid or missing API key');
    const { structuredContent } = result(await askMcp('tools/call', { name: 'get_lending_positions', arguments: { chain: 'base' } }, { key: agent.key, base: gateway.base }));
    assert.equal(structuredContent.positions.length, 3);
});

test('a chain that does not answer is named, and not shown as empty', async () => {
    const cut = await startGateway(['rpc.base = http://127.0.0.1:1', 'rpc.polygon =', 'rpc.arbitrum =']);
    try {
        const there = (query) => send('GET', `${API}/lend/positions${query}`, { key: agent.key, base: cut.base, mayBreak: true });
        const all = granted(await there(''));
        assert.deepEqual([all.positions, all.unavailable], [[], ['base']]);
        const alone = await there('?chain=base');
        assert.deepEqual([alone.status, alone.body.error_code], [500, 'UPSTREAM_ERROR']);
    } finally {
        await cut.stop();
    }
});

/** Nodes before the stack's own, which keep their first answers until all of them are asked; how often each is, by its chain. */
async function countedNodes(urls) {
    const nodes = new Map(Object.entries(urls).map(([chain, url]) => [chain, new Node(url)]));
    const asked = {};
    let tell;
    const count = () => {
        for (const chain of nodes.keys()) asked[chain] = 0;
        const all = new Promise((resolve) => { tell = resolve; });
        for (const node of nodes.values()) node.misbehave({ answers: (call, answer) => all.then(() => answer) });
    };
    for (const [chain, node] of nodes) {
        node.watch = () => {
            asked[chain]++;
            if (Object.values(asked).every((n) => n > 0)) tell();
        };
    }
    count();
    tell();
    const lines = await Promise.all([...nodes].map(async ([chain, node]) => `rpc.${chain} = http://127.0.0.1:${(await node.listen(0)).port}`));
    return { lines, asked, count, close: () => { for (const node of nodes.values()) node.close(); } };
}

test('positions on two chains take two requests to each node, made to both at once', async () => {
    const nodes = await countedNodes({ ethereum: process.env.ETHEREUM_URL, base: process.env.BASE_CHAIN_URL });
    const counted = await startGateway([...nodes.lines, 'rpc.polygon =', 'rpc.arbitrum =']);
    try {
        const lender = await register();
        const { wallet: { address } } = granted(await lender.post('/wallets', {}), 201);
        for (const chain of ['ethereum', 'base']) await supplyFor(chain, address, '1');
        const there = () => send('GET', `${API}/lend/positions`, { key: lender.key, base: counted.base });
        granted(await there());
        nodes.count();
        const { positions, unavailable } = granted(await there());
        assert.deepEqual(positions.map(({ chain, asset }) => `${asset} on ${chain}`).sort(), ['WETH on base', 'WETH on ethereum']);
        assert.deepEqual([unavailable, nodes.asked], [[], { ethereum: 2, base: 2 }]);
    } finally {
        await counted.stop();
        nodes.close();
    }
});
