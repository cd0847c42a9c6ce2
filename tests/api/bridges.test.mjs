// Section: api
// The lives of bridges, from the quote to what arrives: each carrier, both ways, coins and dollars. The gateway is the test's own,
// and so is who follows its swaps; the services and the solver are the stack's.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ROUTERS } from '../../contrib/sandbox/aggregators.mjs';
import {
    balance, erc20, feesPaid, fund, give, rpc, token, units,
} from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    granted, receiver, registerUnlimited, stackSettings, verified,
} from './lib.mjs';

const SHORTEST_S = 100; // in which a deposit is signed, and a relayer may pay it
const KEYS = ['relay', 'lifi', 'across'];
const WAYS = [['ethereum', 'base'], ['base', 'ethereum']];
const PAIRS = [['ETH', 'USDC', '0.1'], ['USDC', 'USDC', '100'], ['USDC', 'ETH', '200'], ['ETH', 'ETH', '0.1']];
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const settings = await stackSettings();
const upstream = `http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}`;
const gateway = await startGateway(
    KEYS.flatMap((key) => [`provider.${key}.url = ${upstream}/${key}`, `provider.${key}.rate = 100/s`]), { jobs: ['swap-poll', 'webhook-drain'] },
);
after(() => gateway.stop());

/** What goes wrong for a wallet alone: others trade by the same services meanwhile. */
const wrong = (wallet, service, fault, more = { times: 1 }) => fetch(`${upstream}/_sandbox`, { method: 'POST', body: JSON.stringify({ service, fault, wallet, ...more }) });

/** An agent and its wallet, with coins and dollars on both chains. */
async function bridger() {
    const agent = await registerUnlimited();
    Object.assign(agent, { base: gateway.base, address: await agent.wallet() });
    for (const chain of ['ethereum', 'base']) {
        await fund(chain, agent.address, 10);
        await give(chain, agent.address, 'USDC', '1000');
    }
    agent.across = async ([from_chain, to_chain], [from_token, to_token, amount], more = {}) => granted(await agent.post('/quote', {
        from_chain, to_chain, from_token, to_token, amount, wallet_address: agent.address, ...more,
    }));
    return agent;
}

const hashOf = ({ transactions }, wanted) => transactions.find(({ kind }) => kind === wanted).tx_hash;

/** What a transaction paid to an address, by its receipt or its value. */
async function paidBy(chain, hash, symbol, address) {
    if (symbol === 'ETH') {
        const { to, value } = await rpc(chain, 'eth_getTransactionByHash', [hash]);
        assert.equal(to, address.toLowerCase());
        return BigInt(value);
    }
    const { status, logs } = await rpc(chain, 'eth_getTransactionReceipt', [hash]);
    assert.equal(status, '0x1');
    const to = `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
    const mine = logs.filter(({ address: of, topics }) => of === token(chain, symbol).address.toLowerCase() && topics[0] === TRANSFER && topics[2] === to);
    return mine.reduce((sum, { data }) => sum + BigInt(data), 0n);
}

/** So much leaves on the one side, and what the receipt of the other one says arrives there; nothing else moves. */
async function arrives(key, [from, to], [sold, bought, amount]) {
    const agent = await bridger();
    const had = [await balance(from, agent.address, sold), await balance(to, agent.address, bought)];
    const quote = await agent.across([from, to], [sold, bought, amount], { providers: [key] });
    assert.deepEqual(quote.routes.map(({ provider, selected }) => [provider, selected]), [[key, true]]);
    const swap = await agent.completed(granted(await agent.execute(quote)).swap_id);
    assert.deepEqual([swap.bridge, swap.delivery, swap.from_chain, swap.to_chain], [key, 'proven', from, to]);
    assert.deepEqual(swap.transactions.map(({ chain, kind }) => [chain, kind]), [
        ...sold === 'ETH' ? [] : [[from, 'approval']], [from, 'bridge_in'], [to, 'bridge_out'],
    ]);
    const arrived = units(to, bought, swap.to_amount);
    assert.ok(arrived >= units(to, bought, quote.amount_out_min), swap.to_amount);
    assert.equal(await paidBy(to, hashOf(swap, 'bridge_out'), bought, agent.address), arrived);
    assert.equal(await balance(to, agent.address, bought) - had[1], arrived);
    const left = had[0] - await balance(from, agent.address, sold);
    const fees = sold === 'ETH' ? await feesPaid(from, [hashOf(swap, 'bridge_in')]) : 0n;
    assert.equal(left, units(from, sold, amount) + fees);
    if (sold !== 'ETH') assert.equal(await erc20(from, sold).allowance(agent.address, ROUTERS[key][from]), 0n);
}

/** A deposit that no relayer fills is refunded once none may fill it any more: it waits while other tests run. */
async function deposited(sold, back) {
    const agent = await bridger();
    await wrong(agent.address, 'across', 'fill_seconds', { value: SHORTEST_S });
    await wrong(agent.address, 'solver', 'expires');
    const began = Date.now();
    const quote = await agent.across(WAYS[0], [sold, sold, sold === 'ETH' ? '0.1' : '100'], { providers: ['across'] });
    const { swap_id: id } = granted(await agent.execute(quote));
    return { agent, began, quote, id, had: await balance('ethereum', agent.address, back) };
}

const unpaid = [['USDC', 'USDC'], ['ETH', 'WETH']].map(([sold, back]) => ({ sold, back, deposit: deposited(sold, back) }));
for (const { deposit } of unpaid) deposit.catch(() => {}); // its test tells

/** Across trades nothing for anything else. */
const served = (key) => PAIRS.filter(([sold, bought]) => key !== 'across' || sold === bought);

for (const key of KEYS) for (const [from, to] of WAYS) {
    test(`${key}: coins and dollars from ${from} arrive on ${to}`, () => Promise.all(served(key).map((pair) => arrives(key, [from, to], pair))));
}

for (const way of WAYS) {
    test(`all providers that serve a pair answer between ${way.join(' and ')}`, async () => {
        const agent = await bridger();
        for (const pair of PAIRS) {
            const { routes } = await agent.across(way, pair);
            const answered = routes.filter(({ error }) => error === undefined).map(({ provider }) => provider);
            assert.deepEqual(answered.sort(), KEYS.filter((key) => served(key).includes(pair)).sort(), `${pair}: ${JSON.stringify(routes)}`);
        }
    });
}

for (const key of KEYS) {
    test(`${key}: who listens hears of a bridge once, at its end`, async () => {
        const agent = await bridger();
        const hook = await receiver();
        const secret = await agent.listen(hook.url);
        const { swap_id: id } = granted(await agent.execute(await agent.across(WAYS[0], PAIRS[1], { providers: [key] })));
        const swap = await agent.completed(id);
        const { type, data } = verified(await hook.delivery(), secret);
        assert.deepEqual([type, data.swap_id, data.status, data.to_amount], ['swap.completed', id, 'completed', swap.to_amount]);
        const [listed] = granted(await agent.get('/swaps')).swaps;
        assert.deepEqual([listed.swap_id, listed.from_chain, listed.to_chain, listed.to_amount], [id, 'ethereum', 'base', swap.to_amount]);
        const { agent: { stats } } = granted(await agent.get('/me'));
        assert.equal(stats.total_swaps, 1);
        assert.equal(hook.deliveries.length, 1);
        hook.close();
    });

    test(`${key}: who listens hears that a bridge was paid back`, async () => {
        const agent = await bridger();
        const hook = await receiver();
        const secret = await agent.listen(hook.url);
        await wrong(agent.address, 'solver', 'refund');
        const { swap_id: id } = granted(await agent.execute(await agent.across(WAYS[0], PAIRS[1], { providers: [key] })));
        const swap = await agent.settled(id);
        assert.deepEqual([swap.status, swap.error_code], ['failed', 'BRIDGE_REFUNDED']);
        const { type, data } = verified(await hook.delivery(), secret);
        assert.deepEqual([type, data.swap_id, data.status], ['swap.failed', id, 'failed']);
        assert.equal(await balance('ethereum', agent.address, 'USDC'), units('ethereum', 'USDC', '1000'));
        hook.close();
    });
}

for (const { sold, back, deposit } of unpaid) {
    test(`across: ${sold} that no relayer paid for in time comes back as ${back}`, async () => {
        const { agent, began, quote, id, had } = await deposit;
        const swap = await agent.settled(id);
        assert.deepEqual([swap.status, swap.error_code, swap.delivery], ['failed', 'BRIDGE_REFUNDED', 'proven']);
        assert.ok(Date.now() - began >= SHORTEST_S * 1000 - 1000);
        const refund = swap.transactions.find(({ kind }) => kind === 'bridge_out');
        assert.equal(refund.chain, 'ethereum');
        assert.equal(await paidBy('ethereum', refund.tx_hash, back, agent.address), units('ethereum', sold, quote.amount_in));
        if (back !== sold) assert.equal(await balance('ethereum', agent.address, back) - had, units('ethereum', sold, quote.amount_in));
    });
}
