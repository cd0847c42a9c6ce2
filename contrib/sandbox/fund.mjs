// Gives an address coins and dollars of every kind on chains of the running stack, on top of what it has.
//
//   node fund.mjs ADDRESS CHAIN...

import { isAddress, parseUnits, toBeHex } from 'ethers';
import { chainUrl, rpc } from './chain.mjs';
import { keyOf } from './solana/transaction.mjs';
import { MINTS } from './solana/world.mjs';
import { chainNamed } from './world.mjs';

const COINS = '100';
const DOLLARS = '100000';
const COIN_DECIMALS = 18, SOL_DECIMALS = 9;

async function giveCoins(url, address) {
    const held = BigInt(await rpc(url, 'eth_getBalance', [address, 'latest']));
    await rpc(url, 'anvil_setBalance', [address, toBeHex(held + parseUnits(COINS, COIN_DECIMALS))]);
}

async function giveTokens(url, address, token) {
    const data = `0x70a08231${address.slice(2).padStart(64, '0')}`;
    const held = BigInt(await rpc(url, 'eth_call', [{ to: token.address, data }, 'latest']));
    await rpc(url, 'anvil_dealERC20', [address, token.address, toBeHex(held + parseUnits(DOLLARS, token.decimals))]);
}

async function fund(address, name) {
    const { coin, tokens, dollars } = chainNamed(name);
    const url = chainUrl(name);
    await giveCoins(url, address);
    for (const symbol of dollars) await giveTokens(url, address, tokens[symbol]);
    console.log(`${name}: ${[`${COINS} ${coin}`, ...dollars.map((symbol) => `${DOLLARS} ${symbol}`)].join(', ')}`);
}

async function fundSolana(address) {
    const act = (value) => fetch(`${chainUrl('solana')}/_sandbox`, { method: 'POST', body: JSON.stringify({ service: 'solana', fault: 'fund', value }) });
    const dollars = ['USDC', 'USDT'];
    await act({ address, amount: String(parseUnits(COINS, SOL_DECIMALS)) });
    for (const symbol of dollars) await act({ address, mint: MINTS[symbol].mint, amount: String(parseUnits(DOLLARS, MINTS[symbol].decimals)) });
    console.log(`solana: ${[`${COINS} SOL`, ...dollars.map((symbol) => `${DOLLARS} ${symbol}`)].join(', ')}`);
}

async function main([address, ...chains]) {
    if (chains.length === 0) throw new Error('usage: fund.mjs ADDRESS CHAIN...');
    const evm = isAddress(address), wanted = chains.filter((chain) => evm === (chain !== 'solana'));
    if (!evm && keyOf(address) === undefined) throw new Error(`${address} is no address`);
    if (wanted.length === 0) throw new Error(`${address} is no address of ${chains.join(', ')}`);
    if (!evm) return fundSolana(address);
    wanted.forEach(chainNamed);
    for (const chain of wanted) await fund(address, chain);
}

main(process.argv.slice(2)).catch((error) => {
    console.error(`fund.mjs: ${error.message}`);
    process.exit(1);
});
