// Section: api
// Many requests at once on one wallet, one quote, one balance.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { granted, refused, register, registerUnlimited, show, until } from './lib.mjs';
import { balance, feesPaid, fund, give, nonceOf, rpc, units } from './chain.mjs';

const MANY = 64;
const SAME = 50;

test(`${MANY} quotes executed at once on one wallet are ${MANY} swaps with nonces in a row`, async () => {
    const agent = await registerUnlimited();
    const address = await agent.wallet('base', 100);
    const quotes = await Promise.all(Array.from({ length: MANY }, (_, i) => agent.quote('ETH', 'USDC', `0.01${i + 1}`, { chain: 'base' })));
    const answers = await Promise.all(quotes.map((quote) => agent.execute(quote)));
    const ids = answers.map((answer) => granted(answer).swap_id);
    assert.equal(new Set(ids).size, MANY);

    await until('all of them to be completed', async () => {
        const { pagination } = granted(await agent.get('/swaps?status=completed&limit=1'));
        assert.equal(granted(await agent.get('/swaps?status=failed&limit=1')).pagination.total, 0);
        return pagination.total === MANY;
    });
    const { swaps } = granted(await agent.get('/swaps?limit=100'));
    assert.deepEqual(swaps.map(({ swap_id: id }) => id).sort((a, b) => a - b), [...ids].sort((a, b) => a - b));

    const hashes = swaps.map(({ tx_hash: hash }) => hash);
    const nonces = await Promise.all(hashes.map(async (hash) => {
        const receipt = await rpc('base', 'eth_getTransactionReceipt', [hash]);
        assert.equal(receipt.status, '0x1');
        return Number((await rpc('base', 'eth_getTransactionByHash', [hash])).nonce);
    }));
    assert.deepEqual(nonces.sort((a, b) => a - b), Array.from({ length: MANY }, (_, i) => i));
    assert.equal(await nonceOf('base', address), MANY);

    const spent = quotes.reduce((sum, { amount_in: amount }) => sum + units('base', 'ETH', amount), 0n);
    assert.equal(units('base', 'ETH', '100') - await balance('base', address, 'ETH'), spent + await feesPaid('base', hashes));
    const got = swaps.reduce((sum, { to_amount: amount }) => sum + units('base', 'USDC', amount), 0n);
    assert.equal(await balance('base', address, 'USDC'), got);
});

test(`one quote executed ${SAME} times at once is one swap`, async () => {
    const agent = await registerUnlimited();
    const address = await agent.wallet('ethereum', 100);
    const quote = await agent.quote('ETH', 'USDC', '1');
    const answers = await Promise.all(Array.from({ length: SAME }, () => agent.execute(quote)));
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1, answers.map(show).join('\n'));
    const { swap_id: id } = granted(won[0]);
    for (const answer of answers) if (answer !== won[0]) assert.equal(refused(answer, 'Quote not found').swap_id, id);
    await agent.completed(id);
    assert.equal(await nonceOf('ethereum', address, 'pending'), 1);
    assert.equal(granted(await agent.get('/swaps')).pagination.total, 1);
});

for (const [symbol, other, amount] of [['ETH', 'USDC', '1'], ['USDC', 'ETH', '600']]) {
    test(`two swaps of ${symbol} whose sum exceeds the balance: the second is refused, one after the other`, async () => {
        const { agent, address, quotes } = await twice(symbol, other, amount);
        const { swap_id: id } = granted(await agent.execute(quotes[0]));
        refused(await agent.execute(quotes[1]), 'Insufficient balance');
        await agent.completed(id);
        refused(await agent.execute(quotes[1]), 'Insufficient balance');
        await enough(address, symbol);
        await agent.completed(granted(await agent.execute(quotes[1])).swap_id);
    });

    test(`two swaps of ${symbol} whose sum exceeds the balance: the second is refused, both at once`, async () => {
        const { agent, address, quotes } = await twice(symbol, other, amount);
        const answers = await Promise.all(quotes.map((quote) => agent.execute(quote)));
        const won = answers.findIndex(({ status }) => status === 200);
        const { swap_id: id } = granted(answers[won] ?? answers[0]);
        refused(answers[1 - won], 'Insufficient balance');
        await agent.completed(id);
        await enough(address, symbol);
        await agent.completed(granted(await agent.execute(quotes[1 - won])).swap_id);
        assert.equal(granted(await agent.get('/swaps')).pagination.total, 2);
    });
}

/** Two quotes, and a wallet that has enough for either but not for both. */
async function twice(symbol, other, amount) {
    const agent = await register();
    const address = await agent.wallet('ethereum', 1.5);
    if (symbol !== 'ETH') await give('ethereum', address, symbol, '1000');
    return { agent, address, quotes: [await agent.quote(symbol, other, amount), await agent.quote(symbol, other, amount)] };
}

function enough(address, symbol) {
    return symbol === 'ETH' ? fund('ethereum', address, 5) : give('ethereum', address, symbol, '1000');
}

test('agents do not disturb each other', async () => {
    const agents = await Promise.all(Array.from({ length: 10 }, () => register()));
    await Promise.all(agents.map((agent) => agent.wallet('base', 5)));
    const ids = await Promise.all(agents.map((agent) => agent.swap('ETH', 'DAI', '0.05', { chain: 'base' })));
    await Promise.all(agents.map((agent, i) => agent.completed(ids[i])));
    for (const [i, agent] of agents.entries()) {
        const { swaps } = granted(await agent.get('/swaps'));
        assert.deepEqual(swaps.map(({ swap_id: id }) => id), [ids[i]]);
    }
});
