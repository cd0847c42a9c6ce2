// Gives an address coins and dollars of every kind on a chain, on top of what it has there.

import { isAddress, parseUnits, toBeHex } from 'ethers';
import { rpc } from './chain.mjs';
import { keyOf } from './solana/transaction.mjs';
import { MINTS } from './solana/world.mjs';
import { chainNamed } from './world.mjs';

const COINS = '100';
const DOLLARS = '100000';
const COIN_DECIMALS = 18, SOL_DECIMALS = 9;
const SOLANA_DOLLARS = ['USDC', 'USDT'];

/** Whether addresses of the chain look like this one. */
export const isAddressOf = (chain, address) => (chain === 'solana' ? keyOf(address) !== undefined : isAddress(address));

async function giveCoins(url, address) {
    const held = BigInt(await rpc(url, 'eth_getBalance', [address, 'latest']));
    await rpc(url, 'anvil_setBalance', [address, toBeHex(held + parseUnits(COINS, COIN_DECIMALS))]);
}

async function giveTokens(url, address, token) {
    const data = `0x70a08231${address.slice(2).padStart(64, '0')}`;
    const held = BigInt(await rpc(url, 'eth_call', [{ to: token.address, data }, 'latest']));
    await rpc(url, 'anvil_dealERC20', [address, token.address, toBeHex(held + parseUnits(DOLLARS, token.decimals))]);
}

async function fundSolana(url, address) {
    const act = (value) => fetch(`${url}/_sandbox`, { method: 'POST', body: JSON.stringify({ service: 'solana', fault: 'fund', value }) });
    await act({ address, amount: String(parseUnits(COINS, SOL_DECIMALS)) });
    for (const symbol of SOLANA_DOLLARS) await act({ address, mint: MINTS[symbol].mint, amount: String(parseUnits(DOLLARS, MINTS[symbol].decimals)) });
    return given('SOL', SOLANA_DOLLARS);
}

const given = (coin, dollars) => [{ symbol: coin, amount: COINS }, ...dollars.map((symbol) => ({ symbol, amount: DOLLARS }))];

/** Resolves to what was given, as [{ symbol, amount }]. */
export async function fund(chain, url, address) {
    if (chain === 'solana') return fundSolana(url, address);
    const { coin, tokens, dollars } = chainNamed(chain);
    await giveCoins(url, address);
    for (const symbol of dollars) await giveTokens(url, address, tokens[symbol]);
    return given(coin, dollars);
}
