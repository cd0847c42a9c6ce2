// Gives an address coins and dollars of every kind on chains of the running stack, on top of what it has.
//
//   node fund.mjs ADDRESS CHAIN...

import { chainUrl } from './chain.mjs';
import { fund, isAddressOf } from './funding.mjs';
import { chainNamed } from './world.mjs';

async function main([address, ...chains]) {
    if (chains.length === 0) throw new Error('usage: fund.mjs ADDRESS CHAIN...');
    if (!['ethereum', 'solana'].some((chain) => isAddressOf(chain, address))) throw new Error(`${address} is no address`);
    const wanted = chains.filter((chain) => isAddressOf(chain, address));
    if (wanted.length === 0) throw new Error(`${address} is no address of ${chains.join(', ')}`);
    wanted.filter((chain) => chain !== 'solana').forEach(chainNamed);
    for (const chain of wanted) {
        const given = await fund(chain, chainUrl(chain), address);
        console.log(`${chain}: ${given.map(({ symbol, amount }) => `${amount} ${symbol}`).join(', ')}`);
    }
}

main(process.argv.slice(2)).catch((error) => {
    console.error(`fund.mjs: ${error.message}`);
    process.exit(1);
});
