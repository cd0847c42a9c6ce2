// What a perpetuals venue has on chains: the bridge of arbitrum, and Circle's contract on each chain that dollars come from.
// What build-chain.mjs puts there; the venue itself is in upstream/hyperliquid/.

import { parseUnits } from 'ethers';
import { contractAt, expect } from './builder.mjs';
import { rpc } from './chain.mjs';

/** Where dollars are transferred to, on arbitrum alone. */
export const BRIDGE = '0x2Df1c51E09aECF9cacB7bc98cB1742757f163dF7';
/** TokenMessengerV2, on every chain. */
export const MESSENGER = '0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d';
/** Who has to be named by a deposit through it. */
export const FORWARDER = '0xb21D281DEdb17AE5B501F6AA8256fe38C4e45757';
/** Circle's numbers: of the chains, and of the venue's own. */
export const DOMAINS = { ethereum: 0, arbitrum: 3, base: 6 };
export const VENUE_DOMAIN = 19;

/** Pays out for the venue: the eighth of the node's development accounts. */
export const OPERATOR = {
    address: '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
    key: '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356',
};

const STOCK = parseUnits('50000000', 6); // of dollars, in each contract

const addressesOn = (name) => (name === 'arbitrum' ? [BRIDGE, MESSENGER] : [MESSENGER]);

/** [contract, mainnet address, constructor arguments]. */
export function inventory({ name, tokens }, own) {
    const messenger = [own.TokenMessenger, MESSENGER, [tokens.USDC.address, OPERATOR.address]];
    return name === 'arbitrum' ? [[own.PerpsBridge, BRIDGE, [OPERATOR.address]], messenger] : [messenger];
}

/** What has come before, of which the first are paid out. */
export async function furnish(url, { name, tokens }, own) {
    const dollars = contractAt(url, own[tokens.USDC.kind], tokens.USDC.address);
    for (const address of addressesOn(name)) await dollars.send('mint', [address, STOCK]);
}

export async function verify(url, { name, tokens }, own) {
    const dollars = contractAt(url, own[tokens.USDC.kind], tokens.USDC.address);
    for (const address of addressesOn(name)) {
        if (await rpc(url, 'eth_getCode', [address, 'latest']) === '0x') throw new Error(`nothing stands at ${address}`);
        expect(`what ${address} has`, await dollars.call('balanceOf', [address]), STOCK);
    }
}
