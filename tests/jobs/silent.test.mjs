// Section: nodes
// What reads the chains, while one of them says nothing and while swaps are in progress.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { granted, until } from '../api/lib.mjs';
import { fund, give } from '../api/chain.mjs';
import { processes, trader, withoutBlocks } from './lib.mjs';


/** Stops a chain's node meanwhile: it takes connections and never answers. */
async function withSilent(chain, during) {
    const [[, pid]] = (await processes()).filter(([name]) => name === `anvil-${chain}`);
    process.kill(Number(pid), 'SIGSTOP');
    try {
        return await during();
    } finally {
        process.kill(Number(pid), 'SIGCONT');
    }
}

const statusOf = ({ checks }) => Object.fromEntries(checks.map(({ name, status }) => [name, status]));

test('a silent chain is named, what the others say is shown, nothing is zero', async () => {
    const agent = await trader('ethereum', 2);
    await fund('base', agent.address, 3);
    await give('base', agent.address, 'DAI', '10');
    const quote = await agent.quote('ETH', 'DAI', '1', { chain: 'base' });
    await withSilent('base', async () => {
        const [prices, portfolio, base, simulation] = (await Promise.all([
            agent.get('/prices?symbols=ETH,DAI,NOPE'),
            agent.get('/portfolio'),
            agent.get('/portfolio?chain=base'),
            agent.post('/swap/simulate', { quote_id: quote.quote_id }),
        ])).map((answer) => granted(answer));

        assert.deepEqual(Object.keys(prices.prices), ['ETH']);
        assert.deepEqual([prices.unavailable, prices.unknown_symbols], [['DAI'], ['NOPE']]);

        assert.deepEqual(portfolio.balances.map(({ chain, symbol, balance }) => [chain, symbol, balance]), [['ethereum', 'ETH', '2']]);
        assert.deepEqual([portfolio.unavailable, base.unavailable, base.balances], [['base'], ['base'], []]);
        assert.ok(Number(portfolio.total_usd) > 5000);

        assert.equal(simulation.would_execute, false);
        assert.deepEqual(statusOf(simulation), {
            route_available: 'pass', balance_sufficient: 'unavailable', allowance_sufficient: 'unavailable',
            gas_affordable: 'unavailable', eth_call_revert_check: 'unavailable', slippage_sane: 'unavailable',
            price_impact: 'unavailable', policies_allow: 'unavailable',
        });
        assert.deepEqual([simulation.price_impact_pct, simulation.expected_output.amount_usd, simulation.fees.gas_estimate], [null, null, null]);
        const fresh = await agent.send('POST', '/swap/simulate', { json: { from_token: 'ETH', to_token: 'DAI', amount: '1', chain: 'base' }, mayBreak: true });
        assert.deepEqual([fresh.status, fresh.body.error_code], [500, 'UPSTREAM_ERROR']);
    });
    // It is left alone for a moment more.
    const { balances } = await until('the chain to be asked again', async () => {
        const portfolio = granted(await agent.get('/portfolio'));
        return portfolio.unavailable === undefined && portfolio;
    });
    assert.equal(balances.length, 3);
});

test('a simulation excludes balances that swaps in progress have reserved', async () => {
    const agent = await trader('base', 1.5);
    const wanted = { from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base' };
    const quote = await agent.quote('ETH', 'USDC', '1', { chain: 'base' });
    await withoutBlocks('base', async () => {
        assert.equal(granted(await agent.post('/swap/simulate', wanted)).would_execute, true);
        granted(await agent.execute(quote));
        const simulation = granted(await agent.post('/swap/simulate', wanted));
        assert.deepEqual([simulation.would_execute, statusOf(simulation).balance_sufficient], [false, 'fail']);
    });
});
