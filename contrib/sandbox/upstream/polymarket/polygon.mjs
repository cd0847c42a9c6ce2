// The contracts of the sandbox's polygon, as the services read them.

import { Contract, JsonRpcProvider, Network } from 'ethers';
import { ADDRESSES, KINDS } from '../../polymarket.mjs';

export const CHAIN_ID = 137;

const ERC20 = ['function balanceOf(address) view returns (uint256)', 'function allowance(address, address) view returns (uint256)'];
const LEDGER = [
    'function balanceOf(address, uint256) view returns (uint256)', 'function isApprovedForAll(address, address) view returns (bool)',
];
const EXCHANGE = ['function outcomeTokens(bytes32) view returns (uint256, uint256)'];
const FACTORY = ['function walletOf(address) view returns (address)', 'function uupsWalletOf(address) view returns (address)'];
const WALLET = ['function owner() view returns (address)'];
const CHAIN_ATTEMPTS = 600;

export class Polygon {
    constructor(url) {
        this.provider = new JsonRpcProvider(url, new Network('polygon', CHAIN_ID), { staticNetwork: true, batchMaxCount: 1, cacheTimeout: -1 });
        this.collateral = this.#at(ADDRESSES.collateral, ERC20);
        this.factory = this.#at(ADDRESSES.walletFactory, FACTORY);
    }

    #at(address, abi) {
        return new Contract(address, abi, this.provider);
    }

    ledger(kind) {
        return this.#at(KINDS[kind].ledger, LEDGER);
    }

    wallet(address) {
        return this.#at(address, WALLET);
    }

    async isContract(address) {
        return await this.provider.getCode(address) !== '0x';
    }

    /** The tokens of a market's outcomes, decimal. The chain starts next to this process. */
    async outcomeTokens(kind, condition) {
        const exchange = this.#at(KINDS[kind].exchange, EXCHANGE);
        for (let left = CHAIN_ATTEMPTS; ; left--) {
            try {
                return (await exchange.outcomeTokens(condition)).map(String);
            } catch (error) {
                if (left === 0) throw error;
                await new Promise((resolve) => setTimeout(resolve, 100));
            }
        }
    }
}
