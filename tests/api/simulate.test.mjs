// Section: api
// POST /swap/simulate: a rehearsal says what the execution will do, and does nothing itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    API, granted, hasMembers, isAmount, refused, register, registerUnlimited, send,
} from './lib.mjs';
import {
    balance, fund, give, nonceOf, token, units,
} from './chain.mjs';

const agent = await registerUnlimited();
const address = await agent.wallet('ethereum', 10);
await fund('base', address, 10);

const NAMES = ['route_available', 'balance_sufficient', 'allowance_sufficient', 'gas_affordable', 'eth_call_revert_check', 'slippage_sane', 'price_impact', 'policies_allow'];

/** Checks the form and returns the answer, its checks by name. */
function rehearsed(answer, chain, to) {
    const body = granted(answer);
    hasMembers(body, ['success', 'would_execute', 'quote_id', 'chain_type', 'wallet_address', 'expected_output',
        'amount_in', 'min_output_after_slippage', 'price_impact_pct', 'fees', 'checks', 'warnings']);
    assert.equal(body.chain_type, 'evm');
    hasMembers(body.expected_output, ['token', 'amount', 'amount_usd']);
    assert.equal(body.expected_output.token, to);
    isAmount(body.expected_output.amount, token(chain, to).decimals, 'amount');
    isAmount(body.min_output_after_slippage, token(chain, to).decimals, 'min');
    assert.match(body.expected_output.amount_usd, /^\d+\.\d\d$/);
    hasMembers(body.fees, ['protocol', 'gas_estimate']);
    isAmount(body.fees.gas_estimate, 18, 'gas_estimate');
    assert.deepEqual(body.checks.map(({ name }) => name), NAMES);
    for (const check of body.checks) {
        hasMembers(check, ['name', 'status', 'detail'], ['unverified']);
        assert.match(check.status, /^(pass|warn|fail|unavailable)$/);
        assert.ok(check.detail.length > 0);
    }
    assert.equal(body.would_execute, body.checks.every(({ status }) => status === 'pass' || status === 'warn'));
    assert.deepEqual(body.warnings, body.checks.filter(({ status }) => status === 'warn').map(({ detail }) => detail));
    body.status = Object.fromEntries(body.checks.map(({ name, status }) => [name, status]));
    return body;
}

const simulate = (json, who = agent) => who.post('/swap/simulate', json);

test('a swap that would go through goes through, with the quote that was made', async () => {
    const before = await balance('ethereum', address, 'ETH');
    const body = rehearsed(await simulate({ from_token: 'ETH', to_token: 'USDC', amount: '1.5' }), 'ethereum', 'USDC');
    assert.equal(body.would_execute, true);
    assert.equal(body.wallet_address, address);
    assert.deepEqual(Object.values(body.status), NAMES.map(() => 'pass'));
    assert.ok(Number(body.expected_output.amount_usd) > 4000 && Number(body.expected_output.amount_usd) < 5000);
    assert.equal(units('ethereum', 'USDC', body.min_output_after_slippage), units('ethereum', 'USDC', body.expected_output.amount) * 97n / 100n);
    assert.ok(body.price_impact_pct >= 0 && body.price_impact_pct < 1, String(body.price_impact_pct));
    // Nothing happened.
    assert.deepEqual([await nonceOf('ethereum', address, 'pending'), await balance('ethereum', address, 'ETH')], [0, before]);
    assert.equal(granted(await agent.get('/swaps')).pagination.total, 0);

    const again = rehearsed(await simulate({ quote_id: body.quote_id }), 'ethereum', 'USDC');
    assert.deepEqual([again.quote_id, again.expected_output.amount], [body.quote_id, body.expected_output.amount]);
    const swap = await agent.completed(granted(await agent.execute(body)).swap_id);
    assert.equal(swap.expected_out, body.expected_output.amount);
    refused(await simulate({ quote_id: body.quote_id }), 'Quote not found');
});

test('a token without an allowance: execution approves it, so the simulation passes and the check warns', async () => {
    await give('ethereum', address, 'USDT', '800');
    const body = rehearsed(await simulate({ from_token: 'USDT', to_token: 'ETH', amount: '700' }), 'ethereum', 'ETH');
    assert.equal(body.would_execute, true);
    assert.deepEqual([body.status.allowance_sufficient, body.status.eth_call_revert_check, body.status.balance_sufficient], ['warn', 'pass', 'pass']);
    assert.equal(body.warnings.length, 1);
});

test('a simulation reports the faults of a refused execution', async () => {
    const poor = await register();
    await poor.wallet('ethereum', '0.1');
    const quote = await poor.quote('ETH', 'USDC', '1');
    const body = rehearsed(await simulate({ quote_id: quote.quote_id }, poor), 'ethereum', 'USDC');
    assert.deepEqual([body.would_execute, body.status.balance_sufficient, body.status.eth_call_revert_check], [false, 'fail', 'fail']);
    refused(await poor.execute(quote), 'Insufficient balance');
});

test('no coin for gas', async () => {
    const dry = await register();
    await give('ethereum', await dry.wallet(), 'USDC', '1000');
    const body = rehearsed(await simulate({ from_token: 'USDC', to_token: 'USDT', amount: '500' }, dry), 'ethereum', 'USDT');
    assert.deepEqual([body.would_execute, body.status.balance_sufficient, body.status.gas_affordable], [false, 'pass', 'fail']);
    refused(await dry.execute(body), 'Insufficient gas');
});

test('a price that is far off, and slippage without measure, are warned of', async () => {
    const far = rehearsed(await simulate({ from_token: 'ETH', to_token: 'DAI', amount: '3000', chain: 'base' }), 'base', 'DAI');
    assert.deepEqual([far.status.slippage_sane, far.status.price_impact, far.would_execute], ['warn', 'fail', false]);
    assert.ok(far.price_impact_pct > 5 && far.price_impact_pct < 100, String(far.price_impact_pct));
    const wide = rehearsed(await simulate({ from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base', slippage: 0.051 }), 'base', 'USDC');
    assert.deepEqual([wide.status.slippage_sane, wide.would_execute], ['warn', true]);
    const sane = rehearsed(await simulate({ from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base', slippage: 0.05 }), 'base', 'USDC');
    assert.equal(sane.status.slippage_sane, 'pass');
});

test('the impact is that of the amount: what a unit fetches less than one of a tiny amount', async () => {
    const [small, large] = await Promise.all(['1', '2000'].map((amount) => agent.quote('ETH', 'USDC', amount, { chain: 'base' })));
    const { price_impact_pct: impact } = rehearsed(await simulate({ quote_id: large.quote_id }), 'base', 'USDC');
    const expected = 100 * (1 - Number(large.amount_out) / 2000 / Number(small.amount_out));
    assert.ok(Math.abs(impact - expected) < 0.5, `${impact} instead of about ${expected}`);
});

test('wrapping has no impact', async () => {
    const body = rehearsed(await simulate({ from_token: 'ETH', to_token: 'WETH', amount: '1' }), 'ethereum', 'WETH');
    assert.deepEqual([body.price_impact_pct, body.would_execute], [0, true]);
});

test('the price impact of dust counts the units that are cut off', async () => {
    const body = rehearsed(await simulate({ from_token: 'ETH', to_token: 'USDC', amount: '0.00000001' }), 'ethereum', 'USDC');
    assert.ok(body.price_impact_pct > 0 && body.price_impact_pct < 5, String(body.price_impact_pct));
});

test('an unsigned swap of a wallet that is not managed is simulated', async () => {
    const other = `0x${'7'.repeat(40)}`;
    await fund('base', other, 1);
    const body = rehearsed(await simulate({ from_token: 'ETH', to_token: 'USDC', amount: '0.5', chain: 'base', wallet_address: other }), 'base', 'USDC');
    assert.deepEqual([body.wallet_address, body.would_execute], [other, true]);
});

test('faults', async () => {
    refused(await simulate({}), 'Provide quote_id or (from_token, to_token, amount)', ['quote_id']);
    refused(await simulate({ from_token: 'ETH', to_token: 'USDC' }), 'Provide quote_id or (from_token, to_token, amount)', ['amount']);
    refused(await simulate({ quote_id: 'q_nonsense' }), 'Quote not found');
    refused(await simulate({ quote_id: (await agent.quote('ETH', 'USDC', '1')).quote_id }, await register()), 'Quote not found');
    refused(await simulate({ from_token: 'ETH', to_token: 'NOPE', amount: '1' }), "Unknown token 'NOPE' on chain 'ethereum'", ['to_token']);
    refused(await simulate({ from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'nowhere' }), "Unknown chain 'nowhere'", ['chain']);
    refused(await simulate({ from_token: 'ETH', to_token: 'USDC', amount: '0' }), 'Amount must be a positive number', ['amount']);
    refused(await simulate({ from_token: 'ETH', to_token: 'USDC', amount: '1', slippage: 2 }), 'Slippage must be between 0 and 1', ['slippage']);
    refused(await simulate({ from_token: 'ETH', to_token: 'USDC', amount: '1', wallet_address: 'me' }), 'wallet_address is not a valid address', ['wallet_address']);
    refused(await simulate({ from_token: 'ETH', to_token: 'USDC', amount: '1', from_chain: 'base' }), 'Cross-chain route not available');
    refused(await simulate({ from_token: 'ETH', to_token: 'USDC', amount: '1' }, await register()), 'No managed wallet found');
    refused(await send('POST', `${API}/swap/simulate`, { json: {} }), 'Invalid or missing API key');
});
