// Section: jobs
// The first trades in new pools: they write storage that later trades find written, and that a simulation in the block of the
// pool's creation does not touch yet. Such a trade must have enough gas.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Contract, Wallet, parseEther, toBeHex } from 'ethers';
import { granted, until } from '../api/lib.mjs';
import {
    CHAINS, included, outsider, rpc, token,
} from '../api/chain.mjs';
import { trader, withoutBlocks } from './lib.mjs';

const CHAIN = 'base';
const { v2, v3, tokens: { WETH } } = CHAINS[CHAIN];
const FAR_FUTURE = 0xffffffffffn;
const FULL_RANGE = 887_220;
const SQRT_OF_2000 = 44n * 2n ** 96n; // about, as the pool's price

const asWord = (text) => `0x${Buffer.from(text).toString('hex').padEnd(62, '0')}${(text.length * 2).toString(16).padStart(2, '0')}`;

/** A token of its own with the code of another one. */
async function freshToken(symbol) {
    const { address } = Wallet.createRandom();
    await rpc(CHAIN, 'anvil_setCode', [address, await rpc(CHAIN, 'eth_getCode', [token(CHAIN, 'DAI').address, 'latest'])]);
    for (const [slot, word] of [['0x0', asWord(symbol)], ['0x1', asWord(symbol)], ['0x2', toBeHex(18, 32)]]) {
        await rpc(CHAIN, 'anvil_setStorageAt', [address, slot, word]);
    }
    return address;
}

/** A provider of liquidity with plenty of coins and tokens, and an allowance of both. */
async function provider(fresh, spender) {
    const wallet = await outsider(CHAIN, 2000);
    await rpc(CHAIN, 'anvil_dealERC20', [wallet.address, fresh, toBeHex(parseEther('2000000'))]);
    await rpc(CHAIN, 'anvil_dealERC20', [wallet.address, WETH.address, toBeHex(parseEther('1000'))]);
    for (const each of [fresh, WETH.address]) {
        const { hash } = await new Contract(each, ['function approve(address, uint256)'], wallet).approve(spender, parseEther('2000000'));
        await included(CHAIN, hash);
    }
    return wallet;
}

async function pairV2(fresh) {
    const wallet = await provider(fresh, v2.router);
    const router = new Contract(v2.router, ['function addLiquidityETH(address, uint256, uint256, uint256, address, uint256) payable'], wallet);
    return router.addLiquidityETH(fresh, parseEther('1000000'), 0, 0, wallet.address, FAR_FUTURE, { value: parseEther('500'), gasLimit: 6_000_000 });
}

async function poolV3(fresh) {
    const wallet = await provider(fresh, v3.positions);
    const positions = new Contract(v3.positions, [
        'function createAndInitializePoolIfNecessary(address, address, uint24, uint160) payable',
        'function mint((address, address, uint24, int24, int24, uint256, uint256, uint256, uint256, address, uint256)) payable',
    ], wallet);
    const sorted = BigInt(fresh) < BigInt(WETH.address) ? [fresh, WETH.address] : [WETH.address, fresh];
    const price = sorted[0] === fresh ? 2n ** 192n / SQRT_OF_2000 : SQRT_OF_2000;
    const { nonce } = await positions.createAndInitializePoolIfNecessary(...sorted, 3000, price, { gasLimit: 8_000_000 });
    const amounts = sorted.map((each) => parseEther(each === fresh ? '900000' : '450'));
    return positions.mint([...sorted, 3000, -FULL_RANGE, FULL_RANGE, ...amounts, 0, 0, wallet.address, FAR_FUTURE], { gasLimit: 8_000_000, nonce: nonce + 1 });
}

for (const [name, make] of [['V2 pair', pairV2], ['V3 pool', poolV3]]) {
    for (const direction of ['into', 'out of']) {
        test(`the first trade ${direction} a ${name} that was made in the block before`, async () => {
            const agent = await trader(CHAIN);
            const fresh = await freshToken('COLD');
            await rpc(CHAIN, 'anvil_dealERC20', [agent.address, fresh, toBeHex(parseEther('1000'))]);
            const { hash } = await make(fresh);
            await included(CHAIN, hash);
            // The block that the simulation sees is the one that made the pool, and stays it until the trade is signed.
            const id = await withoutBlocks(CHAIN, async () => {
                const trade = direction === 'into' ? ['ETH', fresh, '0.1'] : [fresh, 'ETH', '100'];
                const quote = await agent.quote(...trade, { chain: CHAIN, slippage: 0.05 });
                const { swap_id: made } = granted(await agent.execute(quote));
                await until('the node to take it', async () => (await agent.status(made)).status === 'submitted');
                return made;
            });
            const swap = await agent.completed(id);
            const { gasUsed } = await rpc(CHAIN, 'eth_getTransactionReceipt', [swap.tx_hash]);
            const { gas } = await rpc(CHAIN, 'eth_getTransactionByHash', [swap.tx_hash]);
            assert.ok(Number(gas) < 2 * Number(gasUsed), `${Number(gasUsed)} of ${Number(gas)} gas`);
        });
    }
}
