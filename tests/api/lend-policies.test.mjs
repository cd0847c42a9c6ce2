// Section: perps
// Policies, approvals, stops and the operator's limits hold what wallets do at lenders, and never a repayment.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ALL_CHAINS, balance, give, token, units } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import { granted, refused, register, until } from './lib.mjs';

const REFUSED = 'Refused by a wallet policy';
const PAUSED = 'Trading is paused by the operator';
const LIMITED = "Refused by the operator's limits";
const WETH = 'aave-v3:8453:WETH';
const USDC = 'aave-v3:8453:USDC';
const { pool } = ALL_CHAINS.base.lending.aave;
const { id: MORPHO } = ALL_CHAINS.base.lending.morpho.markets.find(({ terms }) => terms[0] === 'USDC' && terms[1] === 'WETH');
const gateway = await startGateway(); // for its operator
after(() => gateway.stop());

/** An agent with a wallet that has 1 ETH for its fees, and tokens on base. */
async function owner(tokens = { WETH: '20', USDC: '5000' }) {
    const agent = await register();
    agent.wallet_address = await agent.wallet('base', 1);
    for (const [symbol, amount] of Object.entries(tokens)) await give('base', agent.wallet_address, symbol, amount);
    return agent;
}

const act = (agent, what, market, amount, more = {}) => agent.post(`/lend/${what}`, { market, amount, ...more });
const limit = async (agent, type, params) => granted(await agent.post('/wallet/policy', { type, params })).policy.id;
const hintOf = (answer) => refused(answer, REFUSED).hint;
const completed = (agent, id) => until(`operation ${id} to end`, async () => {
    const { operation } = granted(await agent.get(`/lend/operation/${id}`));
    assert.notEqual(operation.status, 'failed', operation.error);
    return operation.status === 'completed' && operation;
});
const done = async (agent, ...what) => completed(agent, granted(await act(agent, ...what)).operation.id);
const rehearsed = async (agent, type, market, amount) => {
    const { wouldExecute, checks } = granted(await agent.post('/lend/simulate', { type, market, amount }));
    return [wouldExecute, checks.find(({ name }) => name === 'policies_allow').status];
};

/** While the policy is in force. */
async function under(agent, type, params, work) {
    const id = await limit(agent, type, params);
    await work(id);
    await gateway.agentctl('unpolicy', agent.id, id);
}

test('a whitelist has to have lending, the lender, the chain and both tokens', async () => {
    const agent = await owner();
    const bad = [
        [{ allowedVenues: ['swap', 'predict', 'perps', 'withdraw'] }, USDC, /allowedVenues must include lend/],
        [{ allowedChains: ['ethereum'] }, USDC, /allowedChains must include both chains/],
        [{ allowedTokens: ['WETH'] }, USDC, /allowedTokens must include both tokens/],
        [{ allowedTokens: ['USDC'] }, MORPHO, /allowedTokens must include both tokens/],
        [{ allowedAddresses: [token('base', 'USDC').address] }, USDC, new RegExp(`allowedAddresses must include.*${pool}`)],
    ];
    for (const [params, market, hint] of bad) {
        await under(agent, 'whitelist', params, async () => {
            assert.match(hintOf(await act(agent, 'supply', market, '100')), hint);
            assert.deepEqual(await rehearsed(agent, 'supply', market, '100'), [false, 'fail']);
        });
    }
    await limit(agent, 'whitelist', { allowedVenues: ['lend'], allowedChains: ['base'], allowedTokens: ['USDC', 'WETH'], allowedAddresses: [pool.toLowerCase()] });
    await done(agent, 'supply', WETH, '2');
    await done(agent, 'borrow', USDC, '1000');
    assert.match(hintOf(await act(agent, 'supply', MORPHO, '100')), /allowedAddresses must include/);
    await gateway.agentctl('policy', agent.id, JSON.stringify({ type: 'whitelist', params: { allowedVenues: ['swap'] } }));
    for (const [what, market, amount] of [['supply', WETH, '1'], ['borrow', USDC, '10'], ['withdraw', WETH, '0.1']]) {
        assert.match(hintOf(await act(agent, what, market, amount)), /allowedVenues must include lend/, what);
    }
    await done(agent, 'repay', USDC, 'max'); // no policy refuses it
});

test('limits count what is supplied, with swaps, and nothing that is borrowed, withdrawn or repaid', async () => {
    const agent = await owner();
    await done(agent, 'supply', WETH, '10');
    await limit(agent, 'spending_limit', { maxAmountUsd: '400', timeWindowSeconds: 3600 });
    await done(agent, 'supply', USDC, '250');
    await done(agent, 'borrow', USDC, '2000');
    await done(agent, 'repay', USDC, '1000');
    await done(agent, 'withdraw', WETH, '1');
    assert.match(hintOf(await act(agent, 'supply', USDC, '200')), /allows 400 USD in 3600 seconds, (?:250|249\.9)\d*\.?\d* USD of it is used, and this supply gives/);
    refused(await agent.execute(await agent.quote('USDC', 'ETH', '200', { chain: 'base' })), REFUSED);
    await agent.completed(await agent.swap('USDC', 'ETH', '100', { chain: 'base' }));
    refused(await act(agent, 'supply', MORPHO, '0.1', { collateral: true }), REFUSED); // 300 dollars
    await done(agent, 'supply', MORPHO, '0.01', { collateral: true });
    await done(agent, 'repay', USDC, 'max');
});

test('an operation that lowers the health factor below a policy is refused; one that raises it is not', async () => {
    const agent = await owner();
    await done(agent, 'supply', WETH, '10'); // 30,000 dollars, of which 82.5 % count
    await done(agent, 'supply', USDC, '2000'); // and 78 % of these
    const id = await limit(agent, 'execution_limit', { minHealthFactor: 2.5 });
    const hint = hintOf(await act(agent, 'borrow', USDC, '12000'));
    assert.match(hint, new RegExp(`Policy ${id} \\(execution_limit\\): the health factor would be 2\\.19\\d+, below its minHealthFactor`));
    assert.deepEqual(await rehearsed(agent, 'borrow', USDC, '12000'), [false, 'fail']);
    const { healthFactorAfter } = await done(agent, 'borrow', USDC, '10000');
    assert.ok(healthFactorAfter > 2.62 && healthFactorAfter < 2.64, `${healthFactorAfter}`);
    assert.match(hintOf(await act(agent, 'withdraw', WETH, '2')), /health factor would be 2\.13\d+, below/);
    const collateral = (enabled) => agent.post('/lend/collateral', { market: USDC, enabled });
    assert.match(hintOf(await collateral(false)), /health factor would be 2\.47\d+, below/);
    await done(agent, 'withdraw', WETH, '0.1');
    await done(agent, 'repay', USDC, '500');
    await completed(agent, granted(await collateral(false)).operation.id);

    const strict = await limit(agent, 'execution_limit', { minHealthFactor: '100' });
    refused(await act(agent, 'borrow', USDC, '1'), REFUSED);
    await completed(agent, granted(await collateral(true)).operation.id);
    await done(agent, 'supply', WETH, '0.1'); // far below 100 afterwards, and healthier than before
    await done(agent, 'repay', USDC, '100');
    await done(agent, 'repay', USDC, 'max');
    await done(agent, 'withdraw', WETH, '1'); // without debt there is no health factor
    await gateway.agentctl('unpolicy', agent.id, strict);
});

test('beyond an approval limit supplying and borrowing wait for the operator, and go on once', async () => {
    const agent = await owner();
    await limit(agent, 'approval_limit', { maxAmountUsd: '1500' });
    const goOn = (what, { approval_id }) => agent.post(`/lend/${what}`, { approval_id });
    const asked = granted(await act(agent, 'supply', WETH, '10'), 202);
    assert.deepEqual([asked.status, asked.operation.status, asked.operation.amount], ['pending_approval', 'pending', '10']);
    refused(await goOn('borrow', asked), 'Approval not found');
    assert.equal(granted(await goOn('supply', asked), 202).approval_id, asked.approval_id);
    await gateway.agentctl('approve', asked.approval_id);
    for (const terms of [{ amount: '11' }, { market: 'aave-v3:8453:USDC' }, { collateral: true }, { asset: 'USDC' }, { chainId: 1 }]) {
        refused(await agent.post('/lend/supply', { ...terms, approval_id: asked.approval_id }), 'Validation failed', Object.keys(terms));
    }
    const answers = await Promise.all([goOn('supply', asked), agent.post('/lend/supply', { amount: 10, approval_id: asked.approval_id })]);
    assert.ok(answers.some(({ status }) => status === 200));
    assert.equal((await completed(agent, asked.operation.id)).amount, '10');
    assert.equal(await balance('base', agent.wallet_address, 'WETH'), units('base', 'WETH', '10'));

    await done(agent, 'borrow', USDC, '1000');
    const more = granted(await act(agent, 'borrow', USDC, '2000'), 202);
    assert.ok(more.operation.healthFactorAfter > 8);
    assert.deepEqual(await rehearsed(agent, 'borrow', USDC, '2000'), [true, 'warn']);
    await gateway.agentctl('approve', more.approval_id);
    await completed(agent, granted(await goOn('borrow', more)).operation.id);
    refused(await goOn('borrow', more), 'Approval not found');
    await done(agent, 'repay', USDC, '2500'); // 2,500 dollars: no approval is needed
    const denied = granted(await act(agent, 'borrow', USDC, '3000'), 202);
    await gateway.agentctl('deny', denied.approval_id);
    refused(await goOn('borrow', denied), 'Approval denied');
});

test('within the window of an approval limit loans add up, and count for nothing else', async () => {
    const agent = await owner();
    await done(agent, 'supply', WETH, '10');
    await limit(agent, 'spending_limit', { maxAmountUsd: '1500', timeWindowSeconds: 3600 });
    await limit(agent, 'approval_limit', { maxAmountUsd: '1500', timeWindowSeconds: 3600 });
    await done(agent, 'borrow', USDC, '900');
    assert.deepEqual(await rehearsed(agent, 'borrow', USDC, '900'), [true, 'warn']);
    const asked = granted(await act(agent, 'borrow', USDC, '900'), 202);
    await done(agent, 'borrow', USDC, '500');
    await done(agent, 'supply', USDC, '1400'); // no more was given so far
    await done(agent, 'repay', USDC, '1000');
    await gateway.agentctl('deny', asked.approval_id);
    assert.equal((await act(agent, 'borrow', USDC, '1')).status, 202); // what was given counts, and so do the loans
});

test('an approved operation is refused when its health factor would be lower than shown', async () => {
    const agent = await owner();
    await done(agent, 'supply', WETH, '10');
    await limit(agent, 'approval_limit', { maxAmountUsd: '1500' });
    const asked = granted(await act(agent, 'borrow', USDC, '5000'), 202);
    assert.ok(asked.operation.healthFactorAfter >= 4.95 && asked.operation.healthFactorAfter < 4.96);
    await done(agent, 'withdraw', WETH, '0.4');
    await gateway.agentctl('approve', asked.approval_id);
    const goOn = () => agent.post('/lend/borrow', { approval_id: asked.approval_id });
    const { status, body } = await goOn();
    assert.deepEqual([status, body.error], [400, 'Health factor would fall below 4.95']);
    assert.equal(await balance('base', agent.wallet_address, 'USDC'), units('base', 'USDC', '5000'));
    await done(agent, 'supply', WETH, '0.41');
    await completed(agent, granted(await goOn()).operation.id);
    assert.equal(await balance('base', agent.wallet_address, 'USDC'), units('base', 'USDC', '10000'));
});

// ---------------------------------------------------------------- stops and the operator's limits

/** While the operator has stopped the agent, or all. */
async function stopped(whom, work) {
    await gateway.agentctl('stop', whom);
    try {
        await work();
    } finally {
        await gateway.agentctl('resume', whom);
    }
}

test('a stop of the agent holds all but a repayment, the stop of all holds that, too', async () => {
    const agent = await owner();
    await done(agent, 'supply', WETH, '5');
    await done(agent, 'borrow', USDC, '1000');
    const held = async () => {
        for (const [what, market, amount] of [['supply', WETH, '1'], ['borrow', USDC, '10'], ['withdraw', WETH, '1']]) {
            refused(await act(agent, what, market, amount), PAUSED);
        }
        refused(await agent.post('/lend/collateral', { market: WETH, enabled: true }), PAUSED);
    };
    await stopped('all', async () => {
        await held();
        refused(await act(agent, 'repay', USDC, '100'), PAUSED);
    });
    await stopped(agent.id, async () => {
        await held();
        await done(agent, 'repay', USDC, '100');
        await done(agent, 'repay', USDC, 'max');
    });
    await done(agent, 'withdraw', WETH, 'max');
});

test("the operator's limits hold what lenders take, and nothing that they pay out", async () => {
    const agent = await owner();
    const limited = await startGateway(['signer_tx_max.base = WETH 3000000000000000000, USDC 500000000', 'signer_day_max.base = USDC 800000000']);
    try {
        agent.base = limited.base;
        await done(agent, 'supply', WETH, '3');
        refused(await act(agent, 'supply', WETH, '3.1'), LIMITED);
        await done(agent, 'borrow', USDC, '2000');
        await done(agent, 'repay', USDC, '500');
        refused(await act(agent, 'repay', USDC, '501'), LIMITED);
        refused(await act(agent, 'supply', USDC, '301'), LIMITED);
        await done(agent, 'supply', USDC, '300');
        refused(await act(agent, 'repay', USDC, '1'), LIMITED);
        await done(agent, 'withdraw', USDC, 'max');
    } finally {
        agent.base = gateway.base;
        await limited.stop();
    }
    await done(agent, 'repay', USDC, 'max');
});
