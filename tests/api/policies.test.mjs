// Section: api
// Wallet policies: what a wallet may give away, decided where it is signed.

import assert from 'node:assert/strict';
import { createServer, request as httpRequest } from 'node:http';
import { after, test } from 'node:test';
import {
    API, ISO_TIME, UUID, granted, hasMembers, refused, register, registerUnlimited, send, show,
} from './lib.mjs';
import { Node } from '../faults/node.mjs';
import { callOperation } from './a2a.mjs';
import {
    fund, give, nonceOf, routers, token, units,
} from './chain.mjs';
import { startGateway } from './gateway.mjs';
import { pricesLess } from './lying.mjs';
import { callTool } from './mcp.mjs';

const REFUSED = 'Refused by a wallet policy';
const HOUR = 3600;

/** An agent and its wallet with coins on both chains. */
async function owner() {
    const agent = await registerUnlimited();
    agent.address = await agent.wallet('ethereum', 10);
    await fund('base', agent.address, 10);
    agent.policy = async (type, params, more = {}) => granted(await agent.post('/wallet/policy', { type, params, ...more })).policy;
    /** Quotes and executes; the answer. */
    agent.trade = async (from, to, amount, more) => agent.execute(await agent.quote(from, to, amount, more));
    return agent;
}

// ---------------------------------------------------------------- what is taken

const A_ROUTER = routers('ethereum')[0];
const GOOD = [
    ['spending_limit', { maxAmountUsd: '1000.5' }],
    ['spending_limit', { maxAmountUsd: '0.000000000000000001', timeWindowSeconds: 0 }],
    ['spending_limit', { maxAmountWei: '1000000000000000000', timeWindowSeconds: 86400 }],
    ['spending_limit', { maxAmount: '250', token: 'usdc', timeWindowSeconds: 604800 }],
    ['spending_limit', { maxAmount: '1', token: A_ROUTER }],
    ['approval_limit', { maxAmountUsd: '500', timeWindowSeconds: HOUR }],
    ['whitelist', { allowedChains: ['ethereum', 'base'] }],
    ['whitelist', { allowedVenues: ['swap', 'predict', 'perps', 'lend'] }],
    ['whitelist', { allowedTokens: ['ETH', A_ROUTER], allowedAddresses: [A_ROUTER.toLowerCase()], allowedChains: ['arbitrum'] }],
    ['whitelist', { allowedAddresses: ['JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'], allowedTokens: ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'] }],
    ['execution_limit', { maxSlippage: 0.01 }],
    ['execution_limit', { maxSlippage: 0, maxGasWei: '1', maxGasUsd: '2.5' }],
    ['execution_limit', { minHealthFactor: 1.3 }],
    ['execution_limit', { minHealthFactor: '1.050001', maxSlippage: 0.5 }],
    ['execution_limit', { maxLeverage: 3 }],
    ['spending_limit', { maxAmountUsd: '100', venue: 'perps', timeWindowSeconds: HOUR }],
    ['approval_limit', { maxAmountWei: '1000', venue: 'perps' }],
    ['whitelist', { allowedTokens: ['BTC', 'doge', 'USDC'], allowedVenues: ['perps'] }],
];

test('policies are shown as they were set, oldest first', async () => {
    const agent = await owner();
    const made = [];
    for (const [type, params] of GOOD) {
        const policy = await agent.policy(type, params);
        hasMembers(policy, ['id', 'policyId', 'type', 'params', 'wallet_address', 'set_by', 'created_at']);
        assert.match(policy.id, UUID);
        assert.match(policy.created_at, ISO_TIME);
        assert.deepEqual([policy.policyId, policy.type, policy.params, policy.wallet_address, policy.set_by], [policy.id, type, params, null, 'agent']);
        made.push(params.timeWindowSeconds > 0 ? { ...policy, used: [] } : policy);
    }
    const one = await agent.policy('whitelist', { allowedChains: ['base'] }, { wallet_address: agent.address.toLowerCase() });
    assert.equal(one.wallet_address, agent.address);
    assert.deepEqual(granted(await agent.get('/wallet/policies')).policies, [...made, one]);
    assert.deepEqual(granted(await (await register()).get('/wallet/policies')).policies, []);
});

test('chains are kept by their keys, amounts without needless digits', async () => {
    const agent = await owner();
    for (const [type, given, kept] of [
        ['whitelist', { allowedChains: ['eth', 'BASE'] }, { allowedChains: ['ethereum', 'base'] }],
        ['spending_limit', { maxAmountUsd: '0100.500', timeWindowSeconds: 3600 }, { maxAmountUsd: '100.5', timeWindowSeconds: 3600 }],
        ['execution_limit', { maxGasUsd: '2.50' }, { maxGasUsd: '2.5' }],
    ]) assert.deepEqual((await agent.policy(type, given)).params, kept);
});

const many = (item) => Array.from({ length: 33 }, () => item);
const BAD = [
    [{ params: {} }, 'type', 'type is required'],
    [{ type: 'whitelist' }, 'params', 'params is required'],
    [{ type: 'cap', params: {} }, 'type'],
    [{ type: 7, params: {} }, 'type'],
    [{ type: 'whitelist', params: [] }, 'params'],
    [{ type: 'whitelist', params: 'x' }, 'params'],
    [{ type: 'whitelist', params: {} }, 'params'],
    [{ type: 'spending_limit', params: {} }, 'params'],
    [{ type: 'spending_limit', params: { timeWindowSeconds: 60 } }, 'params'],
    [{ type: 'spending_limit', params: { maxAmountUsd: '1', maxAmountWei: '1' } }, 'params'],
    [{ type: 'execution_limit', params: {} }, 'params'],
    [{ type: 'execution_limit', params: { maxSlippage: 1 } }, 'params'],
    // Misspelt, or of another type: it would be no limit at all.
    [{ type: 'spending_limit', params: { maxAmountUsd: '1', timeWindow: 60 } }, 'params.timeWindow'],
    [{ type: 'spending_limit', params: { maxAmountUsd: '1', allowedChains: ['base'] } }, 'params.allowedChains'],
    [{ type: 'whitelist', params: { allowedChains: ['base'], maxSlippage: 0.1 } }, 'params.maxSlippage'],
    [{ type: 'spending_limit', params: { maxAmount: '1' } }, 'params.token'],
    [{ type: 'spending_limit', params: { maxAmountUsd: '1', token: 'ETH' } }, 'params.maxAmount'],
    [{ type: 'spending_limit', params: { maxAmount: '1', token: 'NOPE' } }, 'params.token'],
    [{ type: 'spending_limit', params: { maxAmount: '1', token: 'x'.repeat(100) } }, 'params.token'],
    ...[1, '0', '-1', '1e3', '', '.5', 'x'].map((v) => [{ type: 'spending_limit', params: { maxAmountUsd: v } }, 'params.maxAmountUsd']),
    [{ type: 'spending_limit', params: { maxAmountUsd: '0.0000000000000000001' } }, 'params.maxAmountUsd'],
    [{ type: 'spending_limit', params: { maxAmountUsd: '9'.repeat(70) } }, 'params.maxAmountUsd'],
    ...[1, '0', '1.5', '-1', '0x1', '9'.repeat(79)].map((v) => [{ type: 'spending_limit', params: { maxAmountWei: v } }, 'params.maxAmountWei']),
    ...[-1, 1.5, '60', 604801].map((v) => [{ type: 'spending_limit', params: { maxAmountUsd: '1', timeWindowSeconds: v } }, 'params.timeWindowSeconds']),
    ...['base', [], [1], [''], ['mars'], [null], many('base')].map((v) => [{ type: 'whitelist', params: { allowedChains: v } }, 'params.allowedChains']),
    ...['ETH', [], [7], ['NOPE'], ['0x12'], many('ETH')].map((v) => [{ type: 'whitelist', params: { allowedTokens: v } }, 'params.allowedTokens']),
    ...['swap', [], [1], ['Swap'], ['nft'], many('swap')].map((v) => [{ type: 'whitelist', params: { allowedVenues: v } }, 'params.allowedVenues']),
    ...[[], ['x'], [`0x${'0'.repeat(40)}`], [A_ROUTER, 1], many(A_ROUTER)].map((v) => [{ type: 'whitelist', params: { allowedAddresses: v } }, 'params.allowedAddresses']),
    ...['0.1', -0.1, 1.1, true].map((v) => [{ type: 'execution_limit', params: { maxSlippage: v } }, 'params.maxSlippage']),
    [{ type: 'execution_limit', params: { maxGasWei: '1.0' } }, 'params.maxGasWei'],
    [{ type: 'execution_limit', params: { maxGasUsd: 1 } }, 'params.maxGasUsd'],
    // Not above the service's own floor, which would look like a limit and be none.
    ...[1.05, '1.05', 1, 0, -2, 1e30, '1.0500001', '', true, [2]].map((v) => [{ type: 'execution_limit', params: { minHealthFactor: v } }, 'params.minHealthFactor']),
    ...[0, -1, 2.5, '3', 101, true].map((v) => [{ type: 'execution_limit', params: { maxLeverage: v } }, 'params.maxLeverage']),
    ...['swap', '', 7, 'Perps'].map((v) => [{ type: 'spending_limit', params: { maxAmountUsd: '1', venue: v } }, 'params.venue']),
    [{ type: 'spending_limit', params: { maxAmount: '1', token: 'USDC', venue: 'perps' } }, 'params.maxAmount'],
    [{ type: 'execution_limit', params: { maxLeverage: 3, venue: 'perps' } }, 'params.venue'],
    ...['DOGECOIN', 'BTC-USD', 'BTCETH'].map((v) => [{ type: 'whitelist', params: { allowedTokens: [v] } }, 'params.allowedTokens']),
];

test('a policy that cannot be read is refused, and nothing is in force', async () => {
    const agent = await registerUnlimited();
    for (const [json, field, error = 'Validation failed'] of BAD) {
        const answer = await agent.post('/wallet/policy', json);
        assert.equal(answer.body?.error, error, `${JSON.stringify(json).slice(0, 200)}: ${show(answer)}`);
        refused(answer, error, [field]);
    }
    for (const wallet_address of [`0x${'7'.repeat(40)}`, 'x', 'é', '\u{1f600}', (await owner()).address])
        refused(await agent.post('/wallet/policy', { type: 'whitelist', params: { allowedChains: ['base'] }, wallet_address }), 'No managed wallet found');
    assert.deepEqual(granted(await agent.get('/wallet/policies')).policies, []);
});

test('a sentence reads policies and adds one that is stricter, and loosens none', async () => {
    const agent = await owner();
    const say = (command, more) => agent.post('/execute', { command, ...more });
    const DAY = 24 * HOUR;
    const caps = [
        ['limit my spending to $500 per day', 'spending_limit', { maxAmountUsd: '500', timeWindowSeconds: DAY }],
        ['never spend more than $200 per swap', 'spending_limit', { maxAmountUsd: '200' }],
        ['set a spending limit of $400 a day', 'spending_limit', { maxAmountUsd: '400', timeWindowSeconds: DAY }],
        ['require approval above $100', 'approval_limit', { maxAmountUsd: '100' }],
        ['limit slippage to 1%', 'execution_limit', { maxSlippage: 0.01 }],
        ['limit my leverage to 5x', 'execution_limit', { maxLeverage: 5 }],
        ['keep my health factor above 1.5', 'execution_limit', { minHealthFactor: '1.5' }],
    ];
    for (const [command, type, params] of caps) {
        for (const dry_run of [true, false]) {
            const body = granted(await say(command, { dry_run }));
            assert.deepEqual([body.action, body.parsed], ['policy_add', { policy: type, params }], command);
            if (!dry_run) assert.deepEqual([body.result.policy.type, body.result.policy.params], [type, params]);
        }
    }
    const shown = granted(await say('what are my spending limits?'));
    assert.deepEqual([shown.action, shown.result.policies.map(({ type, params }) => [type, params])], ['policies', caps.map(([, type, params]) => [type, params])]);
    for (const command of ['limit my spending to $400 per day', 'set my daily limit to $5000', 'require approval above $1000', 'limit slippage to 2%', 'limit leverage to 5x', 'keep my health factor above 1.2']) {
        for (const dry_run of [true, false]) assert.match(refused(await say(command, { dry_run }), 'Unable to parse command').hint, /is in force already; a sentence adds what is stricter/, command);
    }
    for (const [command, hint] of [
        ['remove my spending limit', /loosens no policy/], ['raise my daily limit to $5000', /loosens no policy/], ['limit my spending', /how many dollars/], ['limit my spending to $500', /in which time/],
    ]) assert.match(refused(await say(command), 'Unable to parse command').hint, hint, command);
    assert.equal(granted(await agent.get('/wallet/policies')).policies.length, caps.length);
    // Another time is another limit, and so is one wallet's own.
    granted(await say('limit my spending to $1000 per week'));
    granted(await say('limit my spending to $300 per day', { wallet_address: agent.address }));
    granted(await say('limit my spending to $350 per day'));
});

test('fifty at most', async () => {
    const agent = await owner();
    for (let i = 0; i < 50; i += 1) await agent.policy('execution_limit', { maxSlippage: 0.5 });
    refused(await agent.post('/wallet/policy', { type: 'execution_limit', params: { maxSlippage: 0.5 } }), 'Storage limit reached');
    assert.equal(granted(await agent.get('/wallet/policies')).policies.length, 50);
});

test('a request that is sent again makes no second policy', async () => {
    const agent = await owner();
    const again = () => agent.send('POST', '/wallet/policy', { json: { type: 'whitelist', params: { allowedChains: ['base'] } }, headers: { 'idempotency-key': 'p1' } });
    assert.deepEqual(granted(await again()).policy, granted(await again()).policy);
    assert.equal(granted(await agent.get('/wallet/policies')).policies.length, 1);
});

// ---------------------------------------------------------------- each limit

// [type, params, what passes, what does not], trades being [from, to, amount, more].
const LIMITS = [
    ['spending_limit', { maxAmountUsd: '400' }, [['ETH', 'USDC', '0.1'], ['USDC', 'ETH', '300'], ['ETH', 'USDC', '0.1']], [['ETH', 'USDC', '0.2'], ['USDC', 'USDT', '450']]],
    ['spending_limit', { maxAmountWei: '100000000000000000' }, [['ETH', 'USDC', '0.1'], ['WETH', 'USDC', '0.1'], ['USDC', 'ETH', '250']], [['ETH', 'USDC', '0.100000000000000001'], ['USDC', 'ETH', '350']]],
    ['spending_limit', { maxAmount: '100', token: 'USDC' }, [['USDC', 'ETH', '100'], ['ETH', 'USDC', '1'], ['USDT', 'ETH', '200']], [['USDC', 'ETH', '100.000001']]],
    ['spending_limit', { maxAmountUsd: '400', timeWindowSeconds: HOUR }, [['ETH', 'USDC', '0.07'], ['ETH', 'USDC', '0.05', { chain: 'base' }]], [['ETH', 'USDC', '0.03'], ['ETH', 'USDC', '0.03', { chain: 'base' }]]],
    ['spending_limit', { maxAmountWei: '100000000000000000', timeWindowSeconds: 86400 }, [['ETH', 'USDC', '0.06'], ['ETH', 'USDC', '0.04', { chain: 'base' }]], [['ETH', 'USDC', '0.0001'], ['USDC', 'ETH', '1']]],
    ['spending_limit', { maxAmount: '0.1', token: 'ETH', timeWindowSeconds: HOUR }, [['ETH', 'USDC', '0.05'], ['ETH', 'USDC', '0.05', { chain: 'base' }], ['USDC', 'ETH', '300']], [['ETH', 'USDC', '0.0001', { chain: 'base' }]]],
    ['whitelist', { allowedChains: ['base'] }, [['ETH', 'USDC', '0.01', { chain: 'base' }]], [['ETH', 'USDC', '0.01']]],
    ['whitelist', { allowedTokens: ['eth', 'USDC'] }, [['ETH', 'USDC', '0.01'], ['USDC', 'ETH', '10']], [['ETH', 'USDT', '0.01'], ['USDT', 'ETH', '10']]],
    ['whitelist', { allowedAddresses: routers('ethereum') }, [['ETH', 'USDC', '0.01'], ['USDC', 'ETH', '10']], [['ETH', 'WETH', '0.01']]],
    // Wrapping and unwrapping give value to the wrapped coin's contract alone.
    ['whitelist', { allowedAddresses: [token('ethereum', 'WETH').address] }, [['ETH', 'WETH', '0.01'], ['WETH', 'ETH', '0.01']], [['ETH', 'USDC', '0.01']]],
    ['whitelist', { allowedAddresses: [`0x${'7'.repeat(40)}`] }, [], [['ETH', 'USDC', '0.01'], ['USDC', 'ETH', '10']]],
    ['whitelist', { allowedVenues: ['predict', 'swap'] }, [['ETH', 'USDC', '0.01']], []],
    ['whitelist', { allowedVenues: ['predict'] }, [], [['ETH', 'USDC', '0.01']]],
    ['execution_limit', { maxSlippage: 0.01 }, [['ETH', 'USDC', '0.01', { slippage: 0.01 }]], [['ETH', 'USDC', '0.01', { slippage: 0.0101 }], ['ETH', 'USDC', '0.01']]],
    ['execution_limit', { maxGasWei: '1000000000000000000' }, [['ETH', 'USDC', '0.01']], []],
    ['execution_limit', { maxGasWei: '1000' }, [], [['ETH', 'USDC', '0.01']]],
    ['execution_limit', { maxGasUsd: '3000' }, [['ETH', 'USDC', '0.01']], []],
    ['execution_limit', { maxGasUsd: '0.0000001' }, [], [['ETH', 'USDC', '0.01']]],
];

for (const [type, params, passing, failing] of LIMITS) {
    test(`${type} ${JSON.stringify(params)}`, async () => {
        const agent = await owner();
        for (const [symbol, amount] of [['USDC', '2000'], ['USDT', '2000'], ['WETH', '5']]) await give('ethereum', agent.address, symbol, amount);
        const { id } = await agent.policy(type, params);
        for (const trade of passing) {
            const answer = await agent.trade(...trade);
            assert.equal(answer.status, 200, `${trade}: ${show(answer)}`);
        }
        const nonces = await Promise.all(['ethereum', 'base'].map((chain) => nonceOf(chain, agent.address, 'pending')));
        for (const trade of failing) {
            const quote = await agent.quote(...trade);
            const check = granted(await agent.post('/swap/simulate', { quote_id: quote.quote_id }));
            assert.deepEqual([check.would_execute, check.checks.find(({ name }) => name === 'policies_allow').status], [false, 'fail'], String(trade));
            assert.match(refused(await agent.execute(quote), REFUSED).hint, new RegExp(`^Policy ${id} \\(${type}\\): .`));
        }
        assert.deepEqual(await Promise.all(['ethereum', 'base'].map((chain) => nonceOf(chain, agent.address, 'pending'))), nonces);
        assert.equal(granted(await agent.get('/swaps')).pagination.total, passing.length);
    });
}

test('a refusal leaves the quote usable', async () => {
    const agent = await owner();
    await agent.policy('whitelist', { allowedChains: ['base'] }, { wallet_address: agent.address });
    const quote = await agent.quote('ETH', 'USDC', '0.01');
    refused(await agent.execute(quote), REFUSED);
    const other = await agent.wallet('ethereum', 1);
    granted(await agent.post('/swap/execute', { quote_id: quote.quote_id, wallet_address: other }));
});

test('a swap needs the consent of all policies', async () => {
    const agent = await owner();
    await agent.policy('spending_limit', { maxAmountUsd: '10000' });
    const { id } = await agent.policy('spending_limit', { maxAmountUsd: '10' });
    await agent.policy('whitelist', { allowedChains: ['ethereum'] });
    assert.ok(refused(await agent.trade('ETH', 'USDC', '0.1'), REFUSED).hint.includes(id));
    granted(await agent.trade('ETH', 'USDC', '0.001'));
});

test('each wallet for itself, later ones too', async () => {
    const agent = await owner();
    const second = await agent.wallet('ethereum', 1);
    await agent.policy('spending_limit', { maxAmountWei: '100000000000000000', timeWindowSeconds: HOUR });
    const third = await agent.wallet('ethereum', 1);
    const swap = async (amount, wallet_address) => agent.post('/swap/execute', { quote_id: (await agent.quote('ETH', 'USDC', amount)).quote_id, wallet_address });
    for (const address of [agent.address, second, third]) {
        granted(await swap('0.1', address));
        refused(await swap('0.01', address), REFUSED);
    }
});

test('a sum begins when its policy does', async () => {
    const agent = await owner();
    granted(await agent.trade('ETH', 'USDC', '0.1'));
    await agent.policy('spending_limit', { maxAmountUsd: '400', timeWindowSeconds: HOUR });
    granted(await agent.trade('ETH', 'USDC', '0.1'));
    await agent.policy('spending_limit', { maxAmountWei: '100000000000000000', timeWindowSeconds: HOUR });
    refused(await agent.trade('ETH', 'USDC', '0.1'), REFUSED);
    granted(await agent.trade('ETH', 'USDC', '0.02'));
});

// ---------------------------------------------------------------- at once

test('20 executes at once never exceed the cap of an hour, on two chains', async () => {
    const agent = await owner();
    await agent.policy('spending_limit', { maxAmount: '0.05', token: 'ETH', timeWindowSeconds: HOUR });
    const quotes = await Promise.all(Array.from({ length: 20 }, (_, i) => agent.quote('ETH', 'USDC', '0.01', { chain: i % 2 ? 'base' : 'ethereum' })));
    const answers = await Promise.all(quotes.map((quote) => agent.execute(quote)));
    for (const answer of answers) if (answer.status !== 200) refused(answer, REFUSED);
    assert.equal(answers.filter(({ status }) => status === 200).length, 5, answers.map(show).join('\n'));
});

test('a policy holds once its answer is there, also for executions in progress', async () => {
    const agent = await owner();
    const quotes = await Promise.all(Array.from({ length: 12 }, () => agent.quote('ETH', 'USDC', '0.01')));
    const under = quotes.slice(0, 8).map((quote) => agent.execute(quote));
    await agent.policy('whitelist', { allowedChains: ['base'] });
    const { total } = granted(await agent.get('/swaps')).pagination;
    for (const quote of quotes.slice(8)) refused(await agent.execute(quote), REFUSED);
    const done = (await Promise.all(under)).filter(({ status }) => status === 200).length;
    assert.deepEqual([done, granted(await agent.get('/swaps')).pagination.total], [total, total]);
});

// ---------------------------------------------------------------- without a price

/** A node whose pools say nothing when prices (those of such calls) are asked for: what an execute asks has the wallet's count in it. */
async function withoutPrices(which = /0x/) {
    const server = createServer((request, response) => {
        const parts = [];
        request.on('data', (part) => parts.push(part));
        request.on('end', () => {
            const body = Buffer.concat(parts);
            const calls = [JSON.parse(body)].flat();
            if (calls.every(({ method }) => method === 'eth_call') && which.test(body)) {
                response.writeHead(200, { 'content-type': 'application/json' });
                response.end(JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x' }))));
                return;
            }
            const onward = httpRequest(process.env.ETHEREUM_URL ?? 'http://127.0.0.1:8545', { method: 'POST', headers: { 'content-type': 'application/json' } }, (answer) => {
                response.writeHead(answer.statusCode, { 'content-type': 'application/json' });
                answer.pipe(response);
            });
            onward.on('error', () => response.destroy());
            onward.end(body);
        });
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    return server;
}

test('a swap that cannot be valued is refused', async () => {
    const node = await withoutPrices();
    const gateway = await startGateway([`rpc.ethereum = http://127.0.0.1:${node.address().port}`, 'tier.standard = 100000']);
    after(async () => {
        await gateway.stop();
        node.closeAllConnections?.();
        node.close();
    });
    const [usd, wei, gas, free] = await Promise.all(Array.from({ length: 4 }, () => owner()));
    await usd.policy('spending_limit', { maxAmountUsd: '1000000' });
    await wei.policy('spending_limit', { maxAmountWei: '1000000000000000000' });
    await gas.policy('execution_limit', { maxGasUsd: '1000000' });
    const execute = async (agent, quote) => agent.send('POST', '/swap/execute', { json: { quote_id: quote.quote_id }, base: gateway.base });
    for (const agent of [usd, gas]) {
        const quote = await agent.quote('ETH', 'USDC', '0.01');
        assert.match(refused(await execute(agent, quote), REFUSED).hint, /cannot be valued just now/);
        granted(await agent.execute(quote));
    }
    // Ether counts in wei without a price, and without policies none is asked for.
    for (const agent of [wei, free]) granted(await execute(agent, await agent.quote('ETH', 'USDC', '0.01')));
    await give('ethereum', wei.address, 'USDC', '100');
    refused(await execute(wei, await wei.quote('USDC', 'ETH', '10')), REFUSED);
});

// ---------------------------------------------------------------- prices that are manipulated

/** A price service that says what it is told. */
async function feed(coins) {
    const server = createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(coins));
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    after(() => { server.close(); server.closeAllConnections?.(); });
    return `price_feed_url = http://127.0.0.1:${server.address().port}/simple/price`;
}

async function gatewayWith(...lines) {
    const gateway = await startGateway(['tier.standard = 100000', ...lines]);
    after(() => gateway.stop());
    return { execute: (agent, { quote_id }) => agent.send('POST', '/swap/execute', { json: { quote_id, max_price_impact: 1 }, base: gateway.base }) };
}

const coins = (ether) => ({ ethereum: { usd: ether }, 'usd-coin': { usd: 1 } });

test('the amount given counts at the highest price of all sources', async () => {
    const dear = await gatewayWith(await feed(coins(3200)));
    const cheap = await gatewayWith(await feed(coins(2800)));
    const agent = await owner();
    await agent.policy('spending_limit', { maxAmountUsd: '310' });
    const quote = await agent.quote('ETH', 'USDC', '0.1');
    assert.match(refused(await dear.execute(agent, quote), REFUSED).hint, /this one gives 320 USD/);
    granted(await cheap.execute(agent, quote));
    const other = await owner();
    await other.policy('spending_limit', { maxAmountUsd: '290' });
    refused(await cheap.execute(other, await other.quote('ETH', 'USDC', '0.1')), REFUSED);
});

test('in ether, what is given counts at the lowest price of ether', async () => {
    const dear = await gatewayWith(await feed(coins(3200)));
    const agent = await owner();
    await give('ethereum', agent.address, 'USDC', '5000');
    await agent.policy('spending_limit', { maxAmountWei: units('ethereum', 'ETH', '0.32').toString() });
    refused(await dear.execute(agent, await agent.quote('USDC', 'ETH', '1000')), REFUSED);
    granted(await dear.execute(agent, await agent.quote('USDC', 'ETH', '900')));
    const cheap = await gatewayWith(await feed(coins(2800)));
    refused(await cheap.execute(agent, await agent.quote('USDC', 'ETH', '900')), REFUSED);
});

test('prices that are too far apart say nothing, and how far is a setting', async () => {
    const apart = await gatewayWith(await feed(coins(3400)));
    const wide = await gatewayWith(await feed(coins(3400)), 'price_divergence_max = 0.2');
    const [usd, wei, gas, free] = await Promise.all(Array.from({ length: 4 }, () => owner()));
    await usd.policy('spending_limit', { maxAmountUsd: '1000000' });
    await gas.policy('execution_limit', { maxGasUsd: '1000000' });
    await wei.policy('spending_limit', { maxAmountWei: '1000000000000000000' });
    for (const agent of [usd, gas]) {
        const quote = await agent.quote('ETH', 'USDC', '0.1');
        const check = granted(await agent.post('/swap/simulate', { quote_id: quote.quote_id }));
        assert.equal(check.would_execute, true);
        assert.match(refused(await apart.execute(agent, quote), REFUSED).hint, /too far apart/);
        granted(await wide.execute(agent, quote));
    }
    // Ether counts in wei without a price.
    for (const agent of [wei, free]) granted(await apart.execute(agent, await agent.quote('ETH', 'USDC', '0.1')));
});

test('the pools of the moment alone are no price', async () => {
    const node = await withoutPrices(/883bdbfd/);
    after(() => { node.closeAllConnections?.(); node.close(); });
    const rpc = `rpc.ethereum = http://127.0.0.1:${node.address().port}`;
    const bare = await gatewayWith(rpc);
    const fed = await gatewayWith(rpc, await feed(coins(3000)));
    const agent = await owner();
    await agent.policy('spending_limit', { maxAmountUsd: '1000' });
    const quote = await agent.quote('ETH', 'USDC', '0.1');
    assert.match(refused(await bare.execute(agent, quote), REFUSED).hint, /cannot be valued just now/);
    granted(await fed.execute(agent, quote));
});

// ---------------------------------------------------------------- what is used

test('the list tells what each wallet has used of a limit with a window', async () => {
    const agent = await owner();
    const other = await agent.wallet('ethereum', 10);
    let listed;
    const look = async () => { listed = granted(await agent.get('/wallet/policies')).policies; };
    const usedOf = (id) => listed.find((each) => each.id === id).used;
    const { id: dollars } = await agent.policy('spending_limit', { maxAmountUsd: '5000', timeWindowSeconds: HOUR });
    const { id: once } = await agent.policy('spending_limit', { maxAmountUsd: '5000' });
    const { id: ether } = await agent.policy('approval_limit', { maxAmountWei: '2000000000000000000', timeWindowSeconds: HOUR }, { wallet_address: other });
    const { id: list } = await agent.policy('whitelist', { allowedChains: ['ethereum'] });
    await look();
    assert.deepEqual([dollars, once, ether, list].map(usedOf), [[], undefined, [{ wallet_address: other, amount: '0', limit: '2', unit: 'ether' }], undefined]);
    granted(await agent.trade('ETH', 'USDC', '0.5'));
    await look();
    const [{ wallet_address: wallet, amount, limit, unit }, ...more] = usedOf(dollars);
    assert.deepEqual([limit, unit, more], ['5000', 'USD', []]);
    assert.notEqual(wallet, other);
    assert.ok(Number(amount) > 1400 && Number(amount) < 1600, amount);
    assert.equal(usedOf(ether)[0].amount, '0', 'another wallet\'s');
});

// ---------------------------------------------------------------- loosening

test('a deleted policy holds for 24 hours and says until when', async () => {
    const agent = await owner();
    const { id } = await agent.policy('whitelist', { allowedChains: ['base'] });
    const answer = granted(await agent.send('DELETE', `/wallet/policy/${id}`));
    hasMembers(answer, ['success', 'deleted', 'effective_at']);
    const hours = (Date.parse(answer.effective_at) - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours < 24.1, answer.effective_at);
    const [shown] = granted(await agent.get('/wallet/policies')).policies;
    assert.deepEqual([shown.id, shown.pending], [id, { change: 'delete', effective_at: answer.effective_at }]);
    refused(await agent.trade('ETH', 'USDC', '0.01'), REFUSED);
    // Once more changes nothing.
    assert.equal(granted(await agent.send('DELETE', `/wallet/policy/${id}`)).effective_at, answer.effective_at);
});

test('the removal of another agent\'s policy, or of an unknown one, is refused', async () => {
    const [agent, other] = [await owner(), await owner()];
    const { id } = await agent.policy('whitelist', { allowedChains: ['base'] });
    for (const path of [id, '00000000-0000-4000-8000-000000000000', 'x', '1', `${id}x`]) refused(await other.send('DELETE', `/wallet/policy/${path}`), 'Policy not found');
    assert.equal(granted(await agent.get('/wallet/policies')).policies[0].pending, undefined);
    granted(await other.trade('ETH', 'USDC', '0.01'));
});

// ---------------------------------------------------------------- approvals

test('beyond an approval limit nothing is signed, and the operator is asked', async () => {
    const agent = await owner();
    await agent.policy('approval_limit', { maxAmountUsd: '100' });
    granted(await agent.trade('ETH', 'USDC', '0.01'));
    const quote = await agent.quote('ETH', 'USDC', '0.1');
    const check = granted(await agent.post('/swap/simulate', { quote_id: quote.quote_id }));
    assert.deepEqual([check.would_execute, check.checks.at(-1).status, check.warnings.length], [true, 'warn', 1]);
    const nonce = await nonceOf('ethereum', agent.address, 'pending');
    const body = granted(await agent.execute(quote), 202);
    hasMembers(body, ['success', 'status', 'approval_id', 'expires_at', 'swap_id']);
    assert.equal(body.status, 'pending_approval');
    assert.match(body.approval_id, /^ap_[0-9a-f]{32}$/);
    assert.match(body.expires_at, ISO_TIME);
    const swap = await agent.status(body.swap_id);
    assert.deepEqual([swap.status, swap.tx_hash, swap.transactions, swap.from_amount], ['pending', null, [], '0.1']);
    assert.equal(await nonceOf('ethereum', agent.address, 'pending'), nonce);
    // One quote, one request; asking again tells the same.
    assert.equal(refused(await agent.execute(quote), 'Quote not found').swap_id, body.swap_id);
    assert.deepEqual(granted(await agent.post('/swap/execute', { approval_id: body.approval_id }), 202), body);
    assert.equal(granted(await agent.get('/swaps?status=pending')).pagination.total, 1);
    // It is the agent's own.
    const other = await owner();
    for (const approval_id of [body.approval_id, `ap_${'0'.repeat(32)}`, 'ap_', 'x']) refused(await other.post('/swap/execute', { approval_id }), 'Approval not found');
});

test('a request that was answered under a key is answered again', async () => {
    const agent = await owner();
    await agent.policy('approval_limit', { maxAmountWei: '1' });
    const { quote_id } = await agent.quote('ETH', 'USDC', '0.1');
    const again = () => agent.send('POST', '/swap/execute', { json: { quote_id }, headers: { 'idempotency-key': 'a1' } });
    assert.deepEqual(granted(await again(), 202), granted(await again(), 202));
});

test('a limit is above an approval', async () => {
    const agent = await owner();
    await agent.policy('approval_limit', { maxAmountUsd: '100' });
    await agent.policy('spending_limit', { maxAmountUsd: '200' });
    refused(await agent.trade('ETH', 'USDC', '0.1'), REFUSED);
    granted(await agent.trade('ETH', 'USDC', '0.05'), 202);
});

test('twenty requests wait at most', async () => {
    const agent = await owner();
    await agent.policy('approval_limit', { maxAmountWei: '1' });
    for (let i = 0; i < 20; i += 1) granted(await agent.trade('ETH', 'USDC', '0.01'), 202);
    refused(await agent.trade('ETH', 'USDC', '0.01'), 'Too many approval requests are waiting');
});

test('neither quote nor approval', async () => {
    const agent = await owner();
    for (const json of [{}, { quote_id: '' }, { approval_id: null }, { wallet_address: agent.address }]) refused(await agent.post('/swap/execute', json), 'quote_id is required', ['quote_id']);
    refused(await agent.post('/swap/execute', { approval_id: 7 }), 'Validation failed', ['approval_id']);
});

// ---------------------------------------------------------------- whichever way it is asked

const SENTENCE = 'swap 0.1 ETH to USDC on ethereum';

/** Ways to execute a quote, or a sentence that means the same; { ok, code, body } as matrix.mjs has it. */
const WAYS = {
    'a sentence': async ({ key }) => rest(await send('POST', `${API}/execute`, { key, json: { command: SENTENCE } })),
    MCP: ({ key }, quote_id) => callTool({ tool: 'execute_swap', parameters: [quote_id] }, { quote_id }, key),
    'a sentence over MCP': ({ key }) => callTool({ tool: 'execute_command', parameters: [SENTENCE] }, { command: SENTENCE }, key),
    A2A: ({ key }, quote_id) => callOperation({ tool: 'execute_swap' }, { quote_id }, key),
    'a sentence over A2A': ({ key }) => callOperation({ tool: 'execute_command' }, { command: SENTENCE }, key),
};

function rest({ status, body }) {
    return { ok: status < 300, code: body.error_code, body };
}

for (const [way, execute] of Object.entries(WAYS)) {
    test(`policies hold over ${way}`, async () => {
        const agent = await owner();
        const quote = async () => (await agent.quote('ETH', 'USDC', '0.1')).quote_id;
        await agent.policy('approval_limit', { maxAmountUsd: '100' });
        const asked = await execute(agent, await quote());
        assert.ok(asked.ok, JSON.stringify(asked));
        const { swaps: [waiting], pagination } = granted(await agent.get('/swaps'));
        assert.deepEqual([pagination.total, waiting.status, waiting.tx_hash], [1, 'pending', null]);
        await agent.policy('spending_limit', { maxAmountUsd: '100' });
        const denied = await execute(agent, await quote());
        assert.deepEqual([denied.ok, denied.code, denied.body.error], [false, 'POLICY_VIOLATION', REFUSED], JSON.stringify(denied));
        assert.equal(granted(await agent.get('/swaps')).pagination.total, 1);
    });
}

// ---------------------------------------------------------------- a node that lies about prices

test('prices of one of two nodes alone make no room', async () => {
    const liar = new Node(process.env.ETHEREUM_URL);
    const { port } = await liar.listen(0);
    after(() => liar.close());
    const lies = `http://127.0.0.1:${port}`;
    const [alone, first, second] = await Promise.all([lies, `${lies}, ${process.env.ETHEREUM_URL}`, `${process.env.ETHEREUM_URL}, ${lies}`]
        .map((urls) => startGateway(['tier.standard = 100000', `rpc.ethereum = ${urls}`])));
    after(() => Promise.all([alone, first, second].map((gateway) => gateway.stop())));
    const agent = await owner();
    await agent.policy('spending_limit', { maxAmountUsd: '10' });
    const quote = await agent.quote('ETH', 'WETH', '0.1');
    const allows = async ({ base }) => {
        const { checks } = granted(await agent.send('POST', '/swap/simulate', { json: { quote_id: quote.quote_id }, base }));
        return checks.find(({ name }) => name === 'policies_allow');
    };
    for (const gateway of [alone, first, second]) assert.match(JSON.stringify(await allows(gateway)), /this one gives [23]\d\d/);
    liar.misbehave({ answers: pricesLess });
    const lied = await allows(alone);
    assert.equal(lied.status, 'pass', JSON.stringify(lied)); // the operator has been told
    for (const gateway of [first, second]) {
        for (let i = 0; i < 3; i++) assert.match(JSON.stringify(await allows(gateway)), /too far apart/);
    }
});
