// Section: api
// Wallet policies over swaps on Solana: limits in dollars, in ether and in units, lists of tokens, chains and addresses.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { COIN, MINTS } from '../../contrib/sandbox/solana/world.mjs';
import {
    granted, hasMembers, refused, registerUnlimited, stack, stackSettings,
} from './lib.mjs';
import { startGateway } from './gateway.mjs';

const REFUSED = 'Refused by a wallet policy';
const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const HOUR = 3600;

/** An agent with a wallet of 100 SOL and dollars. */
async function owner() {
    const agent = await registerUnlimited();
    const { address } = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet;
    await stack('fund', address, 'solana');
    agent.address = address;
    agent.policy = async (type, params, more = {}) => granted(await agent.post('/wallet/policy', { type, params, ...more })).policy;
    agent.offer = (from, to, amount) => agent.quote(from, to, amount, { chain: 'solana' });
    /** Quotes and executes; the answer. */
    agent.trade = async (from, to, amount) => agent.execute(await agent.offer(from, to, amount));
    return agent;
}

// [type, params, what passes one after another, what does not], trades being [from, to, amount].
const LIMITS = [
    ['spending_limit', { maxAmountUsd: '200' }, [['SOL', 'USDC', '1'], ['USDC', 'SOL', '199']], [['SOL', 'USDC', '1.4'], ['USDC', 'BONK', '201']]],
    ['spending_limit', { maxAmountUsd: '200', timeWindowSeconds: HOUR }, [['SOL', 'USDC', '1']], [['SOL', 'USDC', '0.5'], ['USDC', 'SOL', '60']]],
    ['spending_limit', { maxAmount: '1', token: 'sol', timeWindowSeconds: HOUR }, [['SOL', 'USDC', '0.9'], ['USDC', 'SOL', '500']], [['SOL', 'USDC', '0.2']]],
    ['spending_limit', { maxAmount: '10', token: MINTS.USDC.mint }, [['USDC', 'SOL', '10'], ['SOL', 'USDC', '1']], [['USDC', 'SOL', '10.000001']]],
    ['spending_limit', { maxAmountWei: '1000000000000000000' }, [['SOL', 'USDC', '10']], [['SOL', 'USDC', '25']]],
    ['whitelist', { allowedTokens: ['SOL', 'USDC'] }, [['SOL', 'USDC', '0.1'], ['USDC', 'SOL', '1']], [['USDC', 'BONK', '1'], ['SOL', 'PYUSD', '0.1']]],
    ['whitelist', { allowedTokens: [COIN.mint, MINTS.PYUSD.mint] }, [['SOL', 'PYUSD', '0.1']], [['SOL', 'USDC', '0.1']]],
    ['whitelist', { allowedTokens: ['usdc', MINTS.BONK.mint] }, [['USDC', 'BONK', '1']], [['SOL', 'USDC', '0.1']]],
    ['whitelist', { allowedChains: ['sol'] }, [['SOL', 'USDC', '0.1']], []],
    ['whitelist', { allowedChains: ['ethereum', 'base'] }, [], [['SOL', 'USDC', '0.1']]],
    ['whitelist', { allowedAddresses: [JUPITER] }, [['SOL', 'USDC', '0.1']], []],
    ['whitelist', { allowedAddresses: [JUPITER.toLowerCase().replaceAll('l', 'L'), MINTS.USDC.mint] }, [], [['SOL', 'USDC', '0.1']]],
    ['whitelist', { allowedVenues: ['predict'] }, [], [['SOL', 'USDC', '0.1']]],
    ['execution_limit', { maxSlippage: 0.01 }, [], [['SOL', 'USDC', '0.1']]],
    ['execution_limit', { maxGasUsd: '0.5' }, [['SOL', 'USDC', '0.1']], []],
    ['execution_limit', { maxGasUsd: '0.0001' }, [], [['SOL', 'USDC', '0.1']]],
    ['execution_limit', { maxGasWei: '4999' }, [], [['SOL', 'USDC', '0.1']]], // lamports there
];

for (const [type, params, passing, refusing] of LIMITS) {
    test(`${type} ${JSON.stringify(params)}`, async () => {
        const agent = await owner();
        const { id } = await agent.policy(type, params);
        for (const trade of passing) {
            const { swap_id } = granted(await agent.trade(...trade));
            await agent.completed(swap_id);
        }
        for (const trade of refusing) {
            const quote = await agent.offer(...trade);
            const { would_execute, checks } = granted(await agent.post('/swap/simulate', { quote_id: quote.quote_id }));
            assert.deepEqual([would_execute, checks.at(-1).name, checks.at(-1).status], [false, 'policies_allow', 'fail']);
            assert.ok(refused(await agent.execute(quote), REFUSED).hint.includes(id));
        }
        assert.equal(granted(await agent.get('/swaps')).pagination.total, passing.length);
    });
}

test('twenty swaps at once do not get around a limit', async () => {
    const agent = await owner();
    await agent.policy('spending_limit', { maxAmount: '0.5', token: COIN.mint, timeWindowSeconds: HOUR });
    const quotes = await Promise.all(Array.from({ length: 20 }, (_, i) => agent.offer('SOL', 'USDC', `0.09${String(i).padStart(2, '0')}`)));
    const answers = await Promise.all(quotes.map((quote) => agent.execute(quote)));
    for (const answer of answers) if (answer.status !== 200) refused(answer, REFUSED);
    assert.equal(answers.filter(({ status }) => status === 200).length, 5);
});

test('a policy of one wallet holds for that alone; one for an unknown wallet is refused', async () => {
    const agent = await owner();
    const evm = await agent.wallet();
    await agent.policy('whitelist', { allowedChains: ['base'] }, { wallet_address: evm });
    granted(await agent.trade('SOL', 'USDC', '0.1'));
    const policy = await agent.policy('whitelist', { allowedChains: ['base'] }, { wallet_address: agent.address });
    assert.equal(policy.wallet_address, agent.address);
    refused(await agent.trade('SOL', 'USDC', '0.1'), REFUSED);
    refused(await agent.post('/wallet/policy', { type: 'whitelist', params: { allowedChains: ['base'] }, wallet_address: agent.address.toLowerCase() }), 'No managed wallet found');
});

test('beyond an approval limit nothing is signed, and the operator is asked', async () => {
    const agent = await owner();
    await agent.policy('approval_limit', { maxAmountUsd: '100' });
    granted(await agent.trade('SOL', 'USDC', '0.5'));
    const quote = await agent.offer('SOL', 'USDC', '1');
    const body = granted(await agent.execute(quote), 202);
    hasMembers(body, ['success', 'status', 'approval_id', 'expires_at', 'swap_id']);
    const swap = await agent.status(body.swap_id);
    assert.deepEqual([swap.status, swap.tx_hash, swap.transactions, swap.from_amount], ['pending', null, [], '1']);
    assert.deepEqual(granted(await agent.post('/swap/execute', { approval_id: body.approval_id }), 202), body);
});

// ---------------------------------------------------------------- without a price

async function service(answer) {
    const server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    after(() => { server.close(); server.closeAllConnections(); });
    return `http://127.0.0.1:${server.address().port}`;
}

async function gatewayWith(...lines) {
    const gateway = await startGateway(['tier.standard = 100000', ...lines]);
    after(() => gateway.stop());
    return { execute: (agent, { quote_id }) => agent.send('POST', '/swap/execute', { json: { quote_id, max_price_impact: 1 }, base: gateway.base }) };
}

test('a swap that cannot be valued is refused', async () => {
    const { SANDBOX_UPSTREAM_PORT: port } = await stackSettings();
    const url = await service(async (request, response) => {
        if (request.url.includes('/price/')) response.end('{}');
        else response.end(await (await fetch(`http://127.0.0.1:${port}${request.url}`)).text());
    });
    const bare = await gatewayWith(`provider.jupiter.url = ${url}/jupiter`);
    const [usd, gas, free] = await Promise.all(Array.from({ length: 3 }, () => owner()));
    await usd.policy('spending_limit', { maxAmountUsd: '1000000' });
    await gas.policy('execution_limit', { maxGasUsd: '1000000' });
    for (const agent of [usd, gas]) {
        const quote = await agent.offer('SOL', 'USDC', '0.1');
        assert.match(refused(await bare.execute(agent, quote), REFUSED).hint, /cannot be valued just now/);
        granted(await agent.execute(quote));
    }
    granted(await bare.execute(free, await free.offer('SOL', 'USDC', '0.1')));
});

test('a price from Jupiter alone values nothing', async () => {
    const { SANDBOX_UPSTREAM_PORT: port } = await stackSettings();
    const world = `http://127.0.0.1:${port}`;
    // A thousandth of each price, and all else as it is.
    const cheap = await service(async (request, response) => {
        const text = await (await fetch(`${world}${request.url}`)).text();
        response.end(request.url.includes('/price/') ? text.replaceAll(/("usdPrice":)([\d.e-]+)/g, (_, name, usd) => `${name}${usd / 1000}`) : text);
    });
    const gateway = (relay) => gatewayWith(`provider.jupiter.url = ${cheap}/jupiter`, `provider.relay.url = ${relay}`, 'provider.relay.rate = 100/s');
    const [held, silent, alone] = await Promise.all([gateway(`${world}/relay`), gateway('http://127.0.0.1:1'), gateway('')]);
    const agent = await owner();
    await agent.policy('spending_limit', { maxAmountUsd: '100' });
    for (const [from, to, amount] of [['SOL', 'USDC', '5'], ['SOL', 'BONK', '5'], ['USDC', 'SOL', '700']]) {
        const quote = await agent.offer(from, to, amount);
        for (const [lying, why] of [[held, /too far apart/], [silent, from === 'USDC' ? /too far apart/ : /cannot be valued/], [alone, /too far apart/]]) {
            assert.match(refused(await lying.execute(agent, quote), REFUSED).hint, why);
        }
        assert.match(refused(await agent.execute(quote), REFUSED).hint, /this one gives 7\d\d/);
    }
    granted(await agent.trade('SOL', 'USDC', '0.1'));
});

test('the feed is held against Jupiter: the higher price counts, and two that are far apart say nothing', async () => {
    const feed = async (usd) => {
        const url = await service((_, response) => response.end(JSON.stringify({ solana: { usd }, 'usd-coin': { usd: 1 } })));
        return gatewayWith(`price_feed_url = ${url}/simple/price`);
    };
    const [dear, apart] = await Promise.all([feed(160), feed(200)]);
    const agent = await owner();
    await agent.policy('spending_limit', { maxAmountUsd: '155' });
    const quote = await agent.offer('SOL', 'USDC', '1');
    assert.match(refused(await dear.execute(agent, quote), REFUSED).hint, /this one gives 160 USD/);
    assert.match(refused(await apart.execute(agent, quote), REFUSED).hint, /too far apart/);
    granted(await agent.execute(quote));
});
