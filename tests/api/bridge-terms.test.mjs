// Section: api
// Swaps between two chains: who may have one, of how much, and what is handed out to be signed. The gateway is the test's own, and
// so is who follows its swaps; the services and the solver are the stack's.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { getAddress } from 'ethers';
import { ROUTERS } from '../../contrib/sandbox/aggregators.mjs';
import {
    APPROVE, balance, fund, give, mined, nonceOf, outsider, token, units,
} from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    granted, inTransit, refused, registerUnlimited, stackSettings, until,
} from './lib.mjs';

const REFUSED = 'Refused by a wallet policy';
const NO_ROUTE = 'Cross-chain route not available';

const settings = await stackSettings();
const upstream = `http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}`;
const KEYS = ['relay', 'lifi', 'across'];
const CARRIERS = KEYS.flatMap((key) => [`provider.${key}.url = ${upstream}/${key}`, `provider.${key}.rate = 100/s`]);
const gateway = await startGateway(CARRIERS, { jobs: ['swap-poll'] });
after(() => gateway.stop());

/** What goes wrong for a wallet alone: others trade by the same services meanwhile. */
const wrong = (wallet, fault) => fetch(`${upstream}/_sandbox`, { method: 'POST', body: JSON.stringify({ wallet, ...fault }) });
const honest = (wallet) => fetch(`${upstream}/_sandbox?wallet=${wallet}`, { method: 'DELETE' });

/** An agent and its wallet, with coins and dollars on both chains. */
async function bridger(base = gateway.base) {
    const agent = await registerUnlimited();
    Object.assign(agent, { base, address: await agent.wallet() });
    for (const chain of ['ethereum', 'base']) {
        await fund(chain, agent.address, 10);
        await give(chain, agent.address, 'USDC', '1000');
    }
    agent.across = (more = {}) => agent.post('/quote', {
        from_chain: 'ethereum', to_chain: 'base', from_token: 'USDC', to_token: 'USDC', amount: '100', wallet_address: agent.address, ...more,
    });
    agent.policy = async (type, params) => granted(await agent.post('/wallet/policy', { type, params })).policy;
    return agent;
}

// ---------------------------------------------------------------- signed outside of the gateway

for (const key of KEYS) {
    test(`${key}: an unsigned bridge pays the wallet that signs it`, async () => {
        const agent = await bridger();
        const wallet = await outsider('ethereum', 5);
        await give('ethereum', wallet.address, 'USDC', '500');
        const router = getAddress(ROUTERS[key].ethereum);
        const bought = key === 'across' ? 'USDC' : 'ETH'; // which trades nothing for anything else
        const quote = granted(await agent.across({ to_token: bought, amount: '150', wallet_address: wallet.address, providers: [key] }));
        const { transaction, approvals, swap, instructions } = granted(await agent.post('/swap', { quote_id: quote.quote_id, wallet_address: wallet.address }));
        assert.deepEqual([quote.bridge, swap.bridge, swap.from_chain, swap.to_chain], [key, key, 'ethereum', 'base']);
        assert.ok(swap.estimated_time_seconds > 0 && quote.estimated_time_seconds >= swap.estimated_time_seconds, `${quote.estimated_time_seconds}`);
        assert.match(instructions.at(-1), new RegExp(` for at least [0-9.]+ ${bought} on base$`));
        assert.deepEqual([transaction.to, transaction.value, transaction.chain_id], [router, '0x0', 1]);
        assert.equal(approvals.length, 1);
        assert.deepEqual([...APPROVE.decodeFunctionData('approve', approvals[0].data)], [router, units('ethereum', 'USDC', '150')]);
        assert.ok(transaction.data.includes(wallet.address.slice(2).toLowerCase()));
        for (const { to, data, value } of [...approvals, transaction]) await mined(wallet, { to, data, value });
        await until('the payment on base', async () => await balance('base', wallet.address, bought) >= units('base', bought, swap.minimum_amount_out));
    });
}

// ---------------------------------------------------------------- meanwhile

test('money in transit is shown, and counts at neither end', async () => {
    const agent = await bridger();
    await wrong(agent.address, { service: 'solver', fault: 'delay', value: 8000, times: 1 });
    const quote = granted(await agent.across({ amount: '500', providers: ['relay'] }));
    const { swap_id: id } = granted(await agent.execute(quote));
    await until('the deposit', async () => (await agent.status(id)).status === 'processing');
    const held = async (query = '') => granted(await agent.get(`/portfolio${query}`));
    const now = await held();
    const transit = [{ swap_id: id, chain: 'base', symbol: 'USDC', amount: quote.amount_out }];
    assert.deepEqual(inTransit(now), transit);
    assert.deepEqual(inTransit(await held('?chain=base')), transit);
    assert.deepEqual(inTransit(await held(`?wallet_address=${agent.address}`)), transit);
    assert.deepEqual((await held('?chain=ethereum')).in_transit, []);
    const worth = now.balances.reduce((sum, { usd_value: usd }) => sum + Number(usd), 0);
    assert.ok(Math.abs(worth - Number(now.total_usd)) < 0.1, `${worth} of ${now.total_usd}`);
    await agent.completed(id);
    assert.deepEqual((await held()).in_transit, []);
});

// ---------------------------------------------------------------- runners-up

for (const fault of ['bridge_receiver', 'bridge_minimum', 'http_500', 'garbage', 'blocked', 'http_410']) {
    test(`the next best bridges what the winner does not: ${fault}`, async () => {
        const agent = await bridger();
        const quote = granted(await agent.across({ exclude_providers: ['across'] }));
        assert.deepEqual(quote.routes.map(({ provider }) => provider), ['lifi', 'relay']);
        await wrong(agent.address, { service: 'lifi', fault });
        const { swap_id: id } = granted(await agent.execute(quote));
        await honest(agent.address);
        const swap = await agent.completed(id);
        assert.equal(swap.bridge, 'relay');
        assert.ok(units('base', 'USDC', swap.to_amount) >= units('base', 'USDC', quote.amount_out_min), swap.to_amount);
    });
}

for (const [key, fault, code] of [['across', 'blocked', 'PROVIDER_REFUSED'], ['relay', 'http_410', 'PROVIDER_REFUSED'], ['across', 'other_pool', 'UPSTREAM_ERROR']]) {
    test(`a quote stays usable after its one carrier did not bridge it, and nothing is spent: ${key} ${fault}`, async () => {
        const agent = await bridger();
        const quote = granted(await agent.across({ providers: [key] }));
        await wrong(agent.address, { service: key, fault });
        for (const [call, json] of [['/swap/execute', {}], ['/swap', { wallet_address: agent.address }]]) {
            const { status, body } = await agent.send('POST', call, { json: { quote_id: quote.quote_id, ...json }, mayBreak: true });
            assert.deepEqual([status, body.error_code], [500, code], JSON.stringify(body));
            assert.doesNotMatch(body.hint, /smaller amount|answered in time/);
        }
        assert.deepEqual(granted(await agent.get('/swaps')).swaps, []);
        assert.deepEqual([await nonceOf('ethereum', agent.address, 'pending'), await balance('ethereum', agent.address, 'USDC')], [0, units('ethereum', 'USDC', '1000')]);
        await honest(agent.address);
        await agent.completed(granted(await agent.execute(quote)).swap_id);
    });
}

test('an offer with a fee next to the amount is refused', async () => {
    const agent = await bridger();
    await wrong(agent.address, { service: 'lifi', fault: 'fee_beside' });
    for (const sold of ['USDC', 'ETH']) {
        const { routes } = granted(await agent.across({ from_token: sold, amount: '1', exclude_providers: ['across'] }));
        assert.deepEqual(routes.map(({ provider, error }) => [provider, error]), [['relay', undefined], ['lifi', 'NO_ROUTE']]);
        assert.match(routes[1].reason, /a fee beside the amount/);
    }
    await honest(agent.address);
});

// ---------------------------------------------------------------- what no provider serves

const UNSERVED = [
    ['a chain without bridges', { to_chain: 'fantom', to_token: 'FTM' }, NO_ROUTE],
    ['a chain without providers', { to_chain: 'sui', to_token: 'SUI' }, NO_ROUTE],
    ['a token that is not there', { to_token: 'NOPE' }, "Unknown token 'NOPE' on chain 'base'", ['to_token']],
    ['a token of the other chain', { to_token: token('ethereum', 'USDC').address }, `Unknown token '${token('ethereum', 'USDC').address}' on chain 'base'`, ['to_token']],
    ['one chain, and one token', { to_chain: 'ethereum' }, 'from_token and to_token must differ', ['to_token']],
    ['providers of single chains', { providers: ['kyberswap', 'uniswap'] }, 'No provider left to ask'],
    ['all providers excluded', { exclude_providers: KEYS }, 'No provider left to ask'],
    ['a cent of a cent of a cent', { amount: '0.000001' }, NO_ROUTE],
    ...[...KEYS.map((key) => [key]), KEYS].flatMap((providers) => [['USDC', '2500000'], ['ETH', '700']]
        .map(([sold, amount]) => [`more ${sold} than ${providers} take`, { from_token: sold, to_token: sold, amount, providers }, NO_ROUTE])),
];
for (const [what, change, error, fields] of UNSERVED) {
    test(`no bridge for ${what}`, async () => {
        const agent = await bridger();
        refused(await agent.across(change), error, fields);
    });
}

test('both chains given, and equal, are one', async () => {
    const agent = await bridger();
    const quote = granted(await agent.across({ to_chain: 'ethereum', to_token: 'ETH' }));
    assert.deepEqual([quote.from_chain, quote.to_chain, quote.routes[0].provider, quote.bridge], ['ethereum', 'ethereum', 'uniswap', undefined]);
});

test('a coin bridged to its wrapped form is offered by bridges that deliver it', async () => {
    const agent = await bridger();
    const { routes } = granted(await agent.across({ from_token: 'ETH', to_token: 'WETH', amount: '0.1' }));
    assert.deepEqual(routes.map(({ provider }) => provider), ['relay']);
});

// ---------------------------------------------------------------- who may

const LISTS = [
    [{ allowedChains: ['ethereum'] }, { allowedChains: ['ethereum', 'base'] }],
    [{ allowedChains: ['base'] }, { allowedChains: ['base', 'ethereum'] }],
    [{ allowedTokens: [token('ethereum', 'USDC').address] }, { allowedTokens: [token('ethereum', 'USDC').address, token('base', 'USDC').address] }],
    [{ allowedAddresses: [ROUTERS.lifi.ethereum] }, { allowedAddresses: [ROUTERS.relay.ethereum] }],
];
for (const [short, long] of LISTS) {
    test(`a list sees both ends: ${Object.keys(short)} ${Object.values(short)}`, async () => {
        const [agent, other] = [await bridger(), await bridger()];
        await agent.policy('whitelist', short);
        const quote = granted(await agent.across({ providers: ['relay'] }));
        const check = granted(await agent.post('/swap/simulate', { quote_id: quote.quote_id }));
        assert.deepEqual([check.would_execute, check.checks.at(-1).status], [false, 'fail']);
        refused(await agent.execute(quote), REFUSED);
        assert.equal(await nonceOf('ethereum', agent.address, 'pending'), 0);
        await other.policy('whitelist', long);
        granted(await other.execute(granted(await other.across({ providers: ['relay'] }))));
    });
}

test('limits count what is given, on its chain', async () => {
    const agent = await bridger();
    await agent.policy('spending_limit', { maxAmountUsd: '250', timeWindowSeconds: 3600 });
    const trade = async (more) => agent.execute(granted(await agent.across(more)));
    granted(await trade());
    granted(await trade({ from_chain: 'base', to_chain: 'ethereum' }));
    refused(await trade(), REFUSED);
    granted(await trade({ amount: '40' }));
});

test('a bridge waits for its approval, and is carried out at the price of then', async () => {
    const agent = await bridger();
    await agent.policy('approval_limit', { maxAmountUsd: '50' });
    const quote = granted(await agent.across());
    const { approval_id, swap_id: id } = granted(await agent.execute(quote), 202);
    assert.equal(await nonceOf('ethereum', agent.address, 'pending'), 0);
    assert.deepEqual((await agent.status(id)).transactions, []);
    await gateway.agentctl('approve', approval_id);
    assert.equal(granted(await agent.post('/swap/execute', { approval_id })).swap_id, id);
    const swap = await agent.completed(id);
    assert.ok(units('base', 'USDC', swap.to_amount) >= units('base', 'USDC', quote.amount_out_min));
    assert.equal(swap.delivery, 'proven');
});

test('an operator says how much one bridge may be', async () => {
    const capped = await startGateway([...CARRIERS, 'bridge_max_usd = 99']);
    try {
        const agent = await bridger(capped.base);
        const quote = granted(await agent.across());
        for (const path of ['/swap/execute', '/swap/simulate', '/swap']) {
            const answer = await agent.post(path, { quote_id: quote.quote_id, wallet_address: agent.address });
            assert.match(refused(answer, "Refused by the operator's limits").hint, /at most 99 dollars/);
        }
        assert.equal(await nonceOf('ethereum', agent.address, 'pending'), 0);
        granted(await agent.execute(granted(await agent.across({ amount: '98' }))));
        granted(await agent.execute(await agent.quote('ETH', 'USDC', '0.1'))); // which is no bridge
    } finally {
        await capped.stop();
    }
});
