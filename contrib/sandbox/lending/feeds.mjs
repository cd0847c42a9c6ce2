// What lending's oracles think that tokens are worth: one feed for each token, which Aave and Morpho share.

import { parseUnits, toBeHex } from 'ethers';
import { rpc } from '../chain.mjs';

const DECIMALS = 8;
const PLACE = toBeHex(0, 32); // of the price, in the feed's storage

const answerOf = (dollars) => parseUnits(String(dollars), DECIMALS);

export const feedOf = ({ lending }, symbol) => lending.feeds[symbol].address;

/** [contract, address, constructor arguments] of the feeds. */
export function inventory(chain, own) {
    return Object.keys(chain.lending.aave.reserves).map((symbol) => (
        [own.PriceFeed, feedOf(chain, symbol), [answerOf(chain.lending.feeds[symbol].price)]]));
}

/** Has the oracles of a running chain think that a token is worth so many dollars. The pools' prices stay. */
export function setPrice(url, chain, symbol, dollars) {
    return rpc(url, 'anvil_setStorageAt', [feedOf(chain, symbol), PLACE, toBeHex(answerOf(dollars), 32)]);
}
