// The tokens that services list next to those of the sandbox's pools: on chains of which the gateway itself knows only a
// few. Where such a chain is started, none of these has a contract.

import { getAddress, id } from 'ethers';

const WORDS = [
    'ANCHOR', 'BEACON', 'BUOY', 'CAPSTAN', 'DINGHY', 'EBB', 'FATHOM', 'GALLEY', 'HALYARD', 'JETTY', 'KEEL', 'LANYARD', 'MOORING',
    'OAR', 'PENNANT', 'QUAY', 'RUDDER', 'SEXTANT', 'TILLER', 'WINCH',
];
const KINDS = [['', ''], ['W', 'Wrapped '], ['st', 'Staked ']];
const CHAINS = [250, 59144, 5000, 100, 534352]; // fantom linea mantle gnosis scroll
const DECIMALS = [18, 8, 6];

const capitalized = (word) => word[0] + word.slice(1).toLowerCase();

/** { address, symbol, name, decimals } of a chain by its id; empty where there is no list. */
export function tokensOf(chainId) {
    if (!CHAINS.includes(chainId)) return [];
    return KINDS.flatMap(([prefix, kind]) => WORDS.map((word, i) => ({
        address: getAddress(`0x${id(`${chainId} ${prefix}${word}`).slice(-40)}`),
        symbol: `${prefix}${word}`,
        name: `${kind}${capitalized(word)}`,
        decimals: DECIMALS[i % DECIMALS.length],
    })));
}
