// Section: api
// Quotes after their 60 seconds. One wait serves all cases.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { granted, refused, register, registerUnlimited, until } from './lib.mjs';
import { nonceOf } from './chain.mjs';

const LIFETIME_MS = 60_000;
const PAYER = '0x1111111111111111111111111111111111111111';

test('a quote lives for 60 seconds', async (t) => {
    const agent = await registerUnlimited();
    const address = await agent.wallet('base', 5);
    const chain = { chain: 'base' };
    const used = await agent.quote('ETH', 'USDC', '0.1', chain);
    const { swap_id: id } = granted(await agent.execute(used));
    await agent.completed(id);
    const begun = Date.now();
    const unused = await agent.quote('ETH', 'USDC', '0.1', chain);
    const answered = Date.now();
    let good; // when it was asked for last before its end
    const unpayable = await agent.quote('ETH', 'USDC', '100', chain);
    const poor = await register();
    await poor.wallet();
    const build = (quote) => agent.post('/swap', { quote_id: quote.quote_id, wallet_address: PAYER });

    await until('the quote to expire', async () => {
        const asked = Date.now();
        if ((await build(unused)).status !== 200) return true;
        good = asked;
        return false;
    }, { interval: 500 });
    const [least, most] = [good - answered, Date.now() - begun];
    assert.ok(least < LIFETIME_MS && most >= LIFETIME_MS, `it expired after ${least} to ${most} ms`);

    await t.test('build', async () => { refused(await build(unused), 'Quote has expired'); });
    await t.test('execute', async () => { refused(await agent.execute(unused), 'Quote expired'); });
    await t.test('simulate', async () => { refused(await agent.post('/swap/simulate', { quote_id: unused.quote_id }), 'Quote expired'); });
    await until('the others to expire', async () => (await build(unpayable)).status !== 200);
    await t.test('expired comes before insufficient', async () => { refused(await agent.execute(unpayable), 'Quote expired'); });
    await t.test('consumed comes before expired', async () => {
        assert.equal(refused(await agent.execute(used), 'Quote not found').swap_id, id);
        refused(await build(used), 'Invalid quote_id');
    });
    await t.test('foreign comes before expired', async () => {
        refused(await poor.execute(unused), 'Quote not found');
        refused(await poor.post('/swap', { quote_id: unused.quote_id, wallet_address: PAYER }), 'Invalid quote_id');
    });
    await t.test('nothing was signed', async () => {
        assert.equal(await nonceOf('base', address, 'pending'), 1);
        assert.equal(granted(await agent.get('/swaps')).pagination.total, 1);
    });
});
