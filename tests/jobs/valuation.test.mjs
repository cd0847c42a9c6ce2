// Section: jobs
// Limits in dollars while an attacker moves the market: the amount given counts at its recent price, too.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { granted, refused } from '../api/lib.mjs';
import { buyCoins, sellCoins } from '../api/chain.mjs';
import { operate, trader } from './lib.mjs';

const REFUSED = 'Refused by a wallet policy';

after(() => operate('resume', 'all'));

/** An agent that may give that many dollars with each swap. */
async function limited(maxAmountUsd) {
    const agent = await trader('ethereum');
    granted(await agent.post('/wallet/policy', { type: 'spending_limit', params: { maxAmountUsd } }));
    agent.spot = async () => granted(await agent.get('/prices?symbols=ETH')).prices.ETH.usd;
    return agent;
}

/** Sells that share of the pools' depth, and buys it back after the work. */
async function pushedDown(share, work) {
    await sellCoins('ethereum', share);
    try {
        await work();
    } finally {
        await buyCoins('ethereum', share);
    }
}

test('a price that was pushed down a moment ago makes no room', async () => {
    const probe = await limited('1000000');
    const before = await probe.spot();
    const agent = await limited(String(Math.floor(0.1 * before * 0.985)));
    await pushedDown(0.02, async () => {
        const now = await probe.spot();
        assert.ok(now < before * 0.97, `${now} after ${before}`);
        const { hint } = refused(await agent.execute(await agent.quote('ETH', 'USDC', '0.1')), REFUSED);
        const [, given] = hint.match(/this one gives ([\d.]+) USD/) ?? assert.fail(hint);
        assert.ok(Math.abs(given / (0.1 * before) - 1) < 0.01, `${given} for a tenth of ${before}`);
        granted(await probe.execute(await probe.quote('ETH', 'USDC', '0.1')));
    });
});

test('a price that was pushed far down values nothing until it is back', async () => {
    const agent = await limited('1000000');
    await pushedDown(0.1, async () => {
        const quote = await agent.quote('ETH', 'USDC', '0.01');
        assert.match(refused(await agent.execute(quote), REFUSED).hint, /too far apart/);
        assert.equal(granted(await agent.post('/swap/simulate', { quote_id: quote.quote_id })).would_execute, false);
    });
    granted(await agent.execute(await agent.quote('ETH', 'USDC', '0.01')));
});
