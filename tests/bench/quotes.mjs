// quotes.mjs BASE WIDTH: a program of its own, so that its work does not delay its parent: asks for WIDTH quotes all the time,
// of both chains in turn, with the keys that its parent sends it. A refused quote is asked for again as the answer says: after
// a second and a bit where too many wait, a moment later where no node has answered. Refusals do not wait for a node.

import { setTimeout as sleep } from 'node:timers/promises';
import { call } from './stack.mjs';

const CHAINS = ['ethereum', 'base'];
const [base, width] = process.argv.slice(2);

async function quoteOnAndOn(key, chain) {
    const body = JSON.stringify({ from_token: 'ETH', to_token: 'USDC', amount: '1', chain });
    while (process.connected) {
        const { status } = await call(base, '/quote', key, body).catch(() => ({}));
        if (status === 429) await sleep(1000 + 1000 * Math.random());
        else if (status !== 200) await sleep(100 + 100 * Math.random());
    }
}

process.on('disconnect', () => process.exit());
process.on('message', (keys) => {
    for (let i = 0; i < Number(width); i++) quoteOnAndOn(keys[i % keys.length], CHAINS[i % CHAINS.length]);
});
