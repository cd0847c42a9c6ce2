// What the makers of the sandbox's worlds have in common: sending transactions, and putting contracts at given addresses.

import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { Interface, getAddress, toBeHex } from 'ethers';
import { rpc } from './chain.mjs';

// Owns every contract that has an owner, and all liquidity. Its key is unknown: the node impersonates it while building only.
export const BUILDER = '0x00000000000000000000000000000000000B171D';
const GAS = toBeHex(12_000_000);
const PATIENCE_MS = 60_000; // on a busy machine blocks are late

/** Sends a transaction, of the builder unless another account is named, and returns its receipt. */
export async function send(url, to, data, value = 0n, from = BUILDER) {
    const request = { from, data, value: toBeHex(value), gas: GAS };
    if (to) request.to = to;
    const hash = await rpc(url, 'eth_sendTransaction', [request]);
    for (const late = Date.now() + PATIENCE_MS; Date.now() < late; await sleep(2)) {
        const receipt = await rpc(url, 'eth_getTransactionReceipt', [hash]);
        if (receipt?.status === '0x1') return receipt;
        if (receipt) throw new Error(`a transaction to ${to ?? 'a new contract'} was reverted`);
    }
    throw new Error(`transaction ${hash} was not mined`);
}

/** Creates a contract that may stand anywhere, and returns its address. */
export async function create(url, { abi, bytecode }, args = []) {
    const { contractAddress } = await send(url, null, bytecode + new Interface(abi).encodeDeploy(args).slice(2));
    return getAddress(contractAddress);
}

/** An object with the methods send(name, arguments, value) and call(name, arguments) for a contract at an address. */
export function contractAt(url, { abi }, address) {
    const codec = new Interface(abi);
    return {
        address,
        send: (name, args, value) => send(url, address, codec.encodeFunctionData(name, args), value),
        call: async (name, args = []) => {
            const data = await rpc(url, 'eth_call', [{ to: address, data: codec.encodeFunctionData(name, args) }, 'latest']);
            const result = codec.decodeFunctionResult(name, data);
            return result.length === 1 ? result[0] : result;
        },
    };
}

/**
 * Puts contracts at the mainnet addresses. Each constructor runs right there: the code that creates the contract stands at
 * its address and is called, so that storage and what is derived from the address are as they should be, and what it
 * returns replaces it.
 */
export async function deploy(url, contracts) {
    for (const [{ abi, bytecode }, address, args] of contracts) {
        await rpc(url, 'anvil_setCode', [address, bytecode + new Interface(abi).encodeDeploy(args).slice(2)]);
        const code = await rpc(url, 'eth_call', [{ from: BUILDER, to: address, gas: GAS }, 'latest']);
        await send(url, address, '0x');
        await rpc(url, 'anvil_setCode', [address, code]);
        // With which every contract begins to create others.
        await rpc(url, 'anvil_setNonce', [address, '0x1']);
    }
}

export async function dumpState(url) {
    const packed = await rpc(url, 'anvil_dumpState');
    return JSON.parse(gunzipSync(Buffer.from(packed.slice(2), 'hex')));
}

/** Refuses a world in which something is not as it has to be. */
export function expect(what, found, wanted) {
    if (found !== wanted) throw new Error(`${what} is ${found} instead of ${wanted}`);
}
