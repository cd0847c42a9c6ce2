// What wallets have and owe at Aave before anything is asked of the gateway.

import { Contract, JsonRpcSigner, MaxUint256 } from 'ethers';
import { POOL } from '../api/lending.mjs';
import {
    ALL_CHAINS, erc20, give, included, mined, outsider, provider, rpc, units,
} from '../api/chain.mjs';

const VARIABLE = 2;
const GAS = 1_000_000n;
const poolOf = (chain) => ALL_CHAINS[chain].lending.aave.pool;
const tokenOf = (chain, symbol) => ALL_CHAINS[chain].tokens[symbol].address;

/** Another account supplies so many wrapped coins, which are the wallet's then, and its collateral. */
export async function supplyFor(chain, wallet, coins) {
    const giver = await outsider(chain, 1), amount = units(chain, 'WETH', coins);
    await give(chain, giver.address, 'WETH', coins);
    await mined(giver, { to: tokenOf(chain, 'WETH'), data: erc20(chain, 'WETH').interface.encodeFunctionData('approve', [poolOf(chain), MaxUint256]) });
    await mined(giver, { to: poolOf(chain), data: POOL.encodeFunctionData('supply', [tokenOf(chain, 'WETH'), amount, wallet, 0]) });
}

/** The wallet borrows, without a request to the gateway; the transaction's hash. */
export async function borrowAs(chain, wallet, symbol, amount) {
    await rpc(chain, 'anvil_impersonateAccount', [wallet]);
    const pool = new Contract(poolOf(chain), POOL, new JsonRpcSigner(provider(chain), wallet));
    const { hash } = await pool.borrow(tokenOf(chain, symbol), units(chain, symbol, amount), VARIABLE, 0, wallet, { gasLimit: GAS });
    await rpc(chain, 'anvil_stopImpersonatingAccount', [wallet]);
    await included(chain, hash);
    return hash;
}
