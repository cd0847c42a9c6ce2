// chains.mjs [CHAIN...]: each EVM chain that is not started by itself, or these, once, beside those that are: a quote of several
// providers, an approval, a swap, and the coin wrapped and unwrapped; from bsc, a bridge and back. The last line is
// "N passed, N failed".

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CHAINS } from '../../contrib/sandbox/world.mjs';
import { ROOT, granted, register } from '../api/lib.mjs';

const ALWAYS = ['ethereum', 'base'];
const run = promisify(execFile);

async function stack(chain, ...args) {
    const { stdout } = await run(`${ROOT}contrib/sandbox/stack`, args, { env: { ...process.env, SANDBOX_CHAINS: chain, SANDBOX_CONF: `${ROOT}contrib/sandbox/gateway.conf` } });
    return stdout;
}

async function trades(chain) {
    const { coin, wrapped } = CHAINS[chain];
    const agent = await register();
    await stack(chain, 'fund', await agent.wallet(), chain);
    for (const [from, to, amount] of [[coin, 'USDC', '1'], ['USDC', coin, '50'], [coin, wrapped, '0.5'], [wrapped, coin, '0.2']]) {
        const quote = await agent.quote(from, to, amount, { chain });
        const asked = new Set(quote.routes.filter(({ error }) => error === undefined).map(({ provider }) => provider));
        if (to !== wrapped && from !== wrapped && asked.size < 2) throw new Error(`only ${[...asked]} give a price for ${from} in ${to}`);
        const swap = await agent.completed(granted(await agent.execute(quote)).swap_id);
        const kinds = swap.transactions.map(({ kind }) => kind).join(' ');
        if (from === 'USDC' && kinds !== 'approval swap') throw new Error(`${kinds} for a token`);
    }
}

/** Dollars go to ethereum and back; on bsc they are counted in other units. */
async function bridges(chain) {
    const agent = await register();
    const address = await agent.wallet();
    for (const each of [chain, 'ethereum']) await stack(chain, 'fund', address, each);
    for (const [from_chain, to_chain] of [[chain, 'ethereum'], ['ethereum', chain]]) {
        const quote = await agent.quote('USDC', 'USDC', '50', { from_chain, to_chain, providers: ['across'] });
        const swap = await agent.completed(granted(await agent.execute(quote)).swap_id);
        if (swap.delivery !== 'proven' || Math.abs(Number(swap.to_amount) - 50) > 0.5) throw new Error(`${swap.to_amount} dollars on ${to_chain}`);
    }
}

async function passes(chain) {
    try {
        await stack(chain, 'up');
        await trades(chain);
        if (chain === 'bsc') await bridges(chain);
        console.log(`${chain.padEnd(12)}trades`);
        return true;
    } catch (error) {
        console.log(`FAILED ${chain}: ${error.message}`);
        return false;
    } finally {
        await stack(chain, 'down');
    }
}

let passed = 0;
const wanted = process.argv.slice(2);
const chains = Object.keys(CHAINS).filter((chain) => !ALWAYS.includes(chain) && (wanted.length === 0 || wanted.includes(chain)));
for (const chain of chains) passed += await passes(chain);
console.log(`${passed} passed, ${chains.length - passed} failed`);
