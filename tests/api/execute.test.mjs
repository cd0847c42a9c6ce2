// Section: api
// POST /swap/execute: whole lives of swaps, seen from the agent's side and from the chain.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    HASH, ISO_TIME, granted, hasMembers, isAmount, receiver, refused, register, show, until, verified,
} from './lib.mjs';
import {
    APPROVE, CHAINS, balance, buyCoins, erc20, feesPaid, fund, give, impersonated, nonceOf, routers, rpc, sellCoins, token, units,
} from './chain.mjs';

const STATUS = [
    'success', 'swap_id', 'id', 'status', 'tx_hash', 'from_token', 'to_token', 'from_token_address', 'to_token_address', 'chain', 'from_chain', 'to_chain', 'from_amount',
    'expected_out', 'to_amount',
    'explorer_url', 'error_code', 'error_message', 'approval_id', 'approval_expires_at', 'created_at', 'updated_at', 'completed_at', 'transactions',
];

/** An agent with a callback of its own and a funded wallet. */
async function trader(chain, from, amount, coins = 10) {
    const agent = await register();
    const hook = await receiver();
    agent.secret = await agent.listen(hook.url);
    agent.hook = hook;
    agent.address = await agent.wallet(chain, coins);
    if (from !== 'ETH') await give(chain, agent.address, from, amount);
    return agent;
}

const holdings = async (chain, address, symbols) => {
    const found = {};
    for (const symbol of new Set(['ETH', ...symbols])) found[symbol] = await balance(chain, address, symbol);
    return found;
};

/** Executes one swap and checks all that can be seen of it, on the chain and in the service. */
async function live(agent, chain, from, to, amount, more = {}) {
    const { address } = agent;
    const before = await holdings(chain, address, [from, to]);
    const firstNonce = await nonceOf(chain, address);
    const quote = await agent.quote(from, to, amount, { chain, ...more });

    const accepted = granted(await agent.execute(quote));
    assert.ok(Number.isInteger(accepted.swap_id) && accepted.swap_id > 0);
    assert.match(accepted.status, /^(submitted|pending)$/);
    assert.match(accepted.tracking.poll_url, new RegExp(`/v1/agent/swap/status/${accepted.swap_id}$`));
    if (accepted.tx_hash !== null) assert.match(accepted.tx_hash, HASH);

    const swap = await agent.completed(accepted.swap_id);
    hasMembers(swap, STATUS);
    const { swap_id: id, from_token: gave, to_token: got, from_chain: here, to_chain: there } = swap;
    assert.deepEqual([id, gave, got, here, there], [accepted.swap_id, from, to, chain, chain]);
    assert.deepEqual([swap.from_amount, swap.error_code, swap.error_message], [amount, null, null]);
    isAmount(swap.to_amount, token(chain, to).decimals, 'to_amount');
    isAmount(swap.expected_out, token(chain, to).decimals, 'expected_out');
    for (const time of [swap.created_at, swap.updated_at, swap.completed_at]) assert.match(time, ISO_TIME);
    assert.ok(Date.parse(swap.created_at) <= Date.parse(swap.completed_at));
    assert.match(swap.tx_hash, HASH);
    if (accepted.tx_hash !== null) assert.equal(swap.tx_hash, accepted.tx_hash);

    await checkTransactions(agent, chain, swap, from, to, firstNonce);
    await checkBalances(chain, address, before, swap, from, to, quote);
    await checkWebhook(agent, swap);
    return swap;
}

async function checkTransactions({ address }, chain, swap, from, to, firstNonce) {
    const { transactions } = swap;
    const wraps = [from, to].sort().join() === 'ETH,WETH'; // by the coin's own contract, which needs no allowance
    const targets = wraps ? [token(chain, 'WETH').address] : routers(chain);
    const wanted = wraps || from === 'ETH' ? ['swap'] : ['approval', ...(from === 'USDT' ? ['approval'] : []), 'swap'];
    assert.deepEqual(transactions.map(({ kind }) => kind), wanted);
    assert.equal(transactions.at(-1).tx_hash, swap.tx_hash);
    const sent = [];
    for (const each of transactions) {
        hasMembers(each, ['chain', 'kind', 'tx_hash', 'status']);
        assert.equal(each.chain, chain);
        const found = await rpc(chain, 'eth_getTransactionByHash', [each.tx_hash]);
        const receipt = await rpc(chain, 'eth_getTransactionReceipt', [each.tx_hash]);
        assert.equal(receipt?.status, '0x1', each.tx_hash);
        assert.equal(found.from, address.toLowerCase());
        assert.equal(Number(found.chainId), CHAINS[chain].id);
        sent.push(found);
    }
    assert.deepEqual(sent.map(({ nonce }) => Number(nonce)), sent.map((_, i) => firstNonce + i));
    assert.equal(await nonceOf(chain, address), firstNonce + sent.length);
    const target = sent.at(-1).to;
    assert.ok(targets.some((each) => each.toLowerCase() === target), `${target} is no exchange`);
    const allowed = sent.slice(0, -1).map(({ to, input, value }) => {
        assert.deepEqual([to, value], [token(chain, from).address.toLowerCase(), '0x0']);
        const [spender, amount] = APPROVE.decodeFunctionData('approve', input);
        assert.equal(spender.toLowerCase(), target);
        return amount;
    });
    const exact = units(chain, from, swap.from_amount);
    assert.deepEqual(allowed, wanted.length === 3 ? [0n, exact] : wanted.length === 2 ? [exact] : []);
    if (from === 'ETH') return;
    for (const router of routers(chain)) assert.equal(await erc20(chain, from).allowance(address, router), 0n, `allowance of ${router}`);
}

async function checkBalances(chain, address, before, swap, from, to, quote) {
    const after = await holdings(chain, address, [from, to]);
    const fees = await feesPaid(chain, swap.transactions.map(({ tx_hash: hash }) => hash));
    const got = units(chain, to, swap.to_amount);
    const change = { ETH: -fees };
    change[from] = (change[from] ?? 0n) - units(chain, from, swap.from_amount);
    change[to] = (change[to] ?? 0n) + got;
    for (const [symbol, amount] of Object.entries(change)) assert.equal(after[symbol] - before[symbol], amount, `change of ${symbol}`);
    assert.equal(swap.explorer_url, null, 'the sandbox is in no explorer');
    assert.equal(swap.expected_out, quote.amount_out);
    assert.ok(got * 100n >= units(chain, to, quote.amount_out) * 97n, `${swap.to_amount} arrived of ${quote.amount_out}`);
}

async function checkWebhook(agent, swap) {
    const ofSwap = ({ raw }) => JSON.parse(raw).data?.swap_id === swap.swap_id;
    const delivery = await agent.hook.delivery(ofSwap);
    assert.equal(delivery.method, 'POST');
    assert.match(delivery.headers['content-type'], /^application\/json\b/);
    assert.match(delivery.headers['user-agent'], /^agent-gateway\//);
    const event = verified(delivery, agent.secret);
    hasMembers(event, ['type', 'timestamp', 'data']);
    assert.equal(event.type, 'swap.completed');
    assert.match(event.timestamp, ISO_TIME);
    const { success, updated_at: updated, ...shown } = swap;
    const { success: _, updated_at: __, ...data } = event.data;
    assert.deepEqual({ success, ...data }, { success, ...shown });
    assert.ok(updated);
    const record = await until('the delivery to be recorded', async () => (await agent.events())
        .find(({ id, status }) => id === delivery.headers['webhook-id'] && status === 'delivered'));
    assert.deepEqual(
        [record.event_type, record.attempts, record.last_error, record.response_status, record.callback_url],
        ['swap.completed', 1, null, 200, agent.hook.url],
    );
    assert.equal(agent.hook.deliveries.filter(ofSwap).length, 1);
}

const LIVES = [
    ['ethereum', 'ETH', 'USDC', '1'],
    ['ethereum', 'ETH', 'WBTC', '0.75'],
    ['ethereum', 'USDC', 'ETH', '2500.5'],
    ['ethereum', 'USDC', 'WBTC', '3000'],
    ['ethereum', 'USDT', 'ETH', '900'],
    ['ethereum', 'USDT', 'USDC', '123.456789'],
    ['ethereum', 'WBTC', 'USDT', '0.01234567'],
    ['ethereum', 'WETH', 'USDC', '0.5'],
    ['ethereum', 'ETH', 'WETH', '1.5'],
    ['ethereum', 'WETH', 'ETH', '0.25'],
    ['base', 'ETH', 'USDC', '0.333333333333333333'],
    ['base', 'ETH', 'DAI', '0.2'],
    ['base', 'USDC', 'DAI', '1000'],
    ['base', 'USDC', 'ETH', '50'],
    ['base', 'DAI', 'ETH', '777.000000000000000001'],
    ['base', 'DAI', 'USDC', '10'],
    ['base', 'ETH', 'WETH', '0.1'],
    ['base', 'WETH', 'ETH', '0.000000000000000001'],
];

test('the life of a swap', { concurrency: true }, async (t) => {
    await Promise.all(LIVES.map(([chain, from, to, amount]) => t.test(`${amount} ${from} to ${to} on ${chain}`, async () => {
        const agent = await trader(chain, from, amount);
        await live(agent, chain, from, to, amount);
        assert.equal(granted(await agent.get('/me')).agent.stats.total_swaps, 1);
        agent.hook.close();
    })));
});

test('one wallet, one swap after another, on both chains', async () => {
    const agent = await trader('ethereum', 'USDT', '1000');
    await fund('base', agent.address, 5);
    await live(agent, 'ethereum', 'USDT', 'USDC', '400');
    await live(agent, 'ethereum', 'USDT', 'ETH', '400');
    await live(agent, 'base', 'ETH', 'USDC', '0.1');
    await live(agent, 'ethereum', 'ETH', 'USDT', '0.1');
    assert.equal(granted(await agent.get('/me')).agent.stats.total_swaps, 4);
    agent.hook.close();
});

test('the whole balance of a token can be swapped', async () => {
    const agent = await trader('ethereum', 'USDC', '1000');
    await live(agent, 'ethereum', 'USDC', 'ETH', '1000');
    assert.equal(await balance('ethereum', agent.address, 'USDC'), 0n);
    agent.hook.close();
});

test('two swaps of one token at once, neither lives on the other\'s allowance', async () => {
    const agent = await trader('ethereum', 'USDT', '1000');
    const quotes = [await agent.quote('USDT', 'ETH', '300'), await agent.quote('USDT', 'ETH', '500')];
    const ids = (await Promise.all(quotes.map((quote) => agent.execute(quote)))).map((answer) => granted(answer).swap_id);
    for (const id of ids) await agent.completed(id);
    assert.equal(await balance('ethereum', agent.address, 'USDT'), units('ethereum', 'USDT', '200'));
    for (const router of routers('ethereum')) assert.equal(await erc20('ethereum', 'USDT').allowance(agent.address, router), 0n);
    assert.equal(await nonceOf('ethereum', agent.address), 6);
    agent.hook.close();
});

test('an allowance that was left standing, however it came, is gone afterwards', async () => {
    for (const [symbol, amount] of [['USDT', '50'], ['USDC', '50']]) {
        const agent = await trader('ethereum', symbol, '1000');
        for (const router of routers('ethereum')) await impersonated('ethereum', agent.address, {
                to: token('ethereum', symbol).address, data: APPROVE.encodeFunctionData('approve', [router, 7n]),
            });
        const swap = await agent.completed(await agent.swap(symbol, 'ETH', amount));
        const { to } = await rpc('ethereum', 'eth_getTransactionByHash', [swap.tx_hash]);
        assert.equal(await erc20('ethereum', symbol).allowance(agent.address, to), 0n, symbol);
        agent.hook.close();
    }
});

// ---------------------------------------------------------------- which wallet

test('the oldest wallet is used unless a request names another', async () => {
    const agent = await register();
    const [oldest, second] = [await agent.wallet('base', 3), await agent.wallet('base', 3)];
    const signer = async (body) => {
        const quote = await agent.quote('ETH', 'USDC', '0.01', { chain: 'base' });
        const swap = await agent.completed(granted(await agent.post('/swap/execute', { quote_id: quote.quote_id, ...body })).swap_id);
        return (await rpc('base', 'eth_getTransactionByHash', [swap.tx_hash])).from;
    };
    assert.equal(await signer({}), oldest.toLowerCase());
    assert.equal(await signer({ wallet_address: second }), second.toLowerCase());
    assert.equal(await signer({ wallet_address: second.toLowerCase() }), second.toLowerCase());
    assert.equal(await signer({ wallet_address: null }), oldest.toLowerCase());
});

test('another agent\'s wallet is no wallet', async () => {
    const [agent, other] = [await register(), await register()];
    await agent.wallet('base', 1);
    const foreign = await other.wallet('base', 1);
    const quote = await agent.quote('ETH', 'USDC', '0.01', { chain: 'base' });
    for (const wallet_address of [foreign, 'nonsense', '0x11']) {
        refused(await agent.post('/swap/execute', { quote_id: quote.quote_id, wallet_address }), 'No managed wallet found');
    }
    assert.equal(await nonceOf('base', foreign), 0);
});

test('no wallet at all', async () => {
    const agent = await register();
    const quote = await agent.quote('ETH', 'USDC', '1');
    refused(await agent.execute(quote), 'No managed wallet found');
    await agent.wallet('ethereum', 5);
    await agent.completed(granted(await agent.execute(quote)).swap_id);
});

// ---------------------------------------------------------------- refusals before signing

/** The wallet signed nothing, no swap came into being, and the quote is as good as before. */
async function untouched(agent, chain, address) {
    assert.equal(await nonceOf(chain, address, 'pending'), 0);
    assert.equal(granted(await agent.get('/swaps')).pagination.total, 0);
}

for (const [what, from, to, amount, coins, tokens, error] of [
    ['nothing in the wallet', 'ETH', 'USDC', '1', 0, 0, 'Insufficient balance'],
    ['too little of the coin', 'ETH', 'USDC', '1', 0.999, 0, 'Insufficient balance'],
    ['the coin without its fees', 'ETH', 'USDC', '1', 1, 0, 'Insufficient gas'],
    ['no token', 'USDC', 'ETH', '100', 1, 0, 'Insufficient balance'],
    ['too little of the token', 'USDC', 'ETH', '100', 1, '99.999999', 'Insufficient balance'],
    ['the token without fees', 'USDC', 'ETH', '100', 0, '100', 'Insufficient gas'],
    ['neither token nor fees', 'USDT', 'ETH', '100', 0, 0, 'Insufficient balance'],
]) {
    test(`refused before signing: ${what}`, async () => {
        const agent = await register();
        const address = await agent.wallet('ethereum', coins);
        if (tokens) await give('ethereum', address, from, tokens);
        const quote = await agent.quote(from, to, amount);
        for (let i = 0; i < 2; i++) {
            const { hint } = refused(await agent.execute(quote), error);
            const held = from === 'ETH' ? coins : tokens;
            if (error === 'Insufficient balance') assert.ok(hint.includes(`${address} has ${held} ${from} at hand on ethereum, ${amount} ${from} needed`), hint);
        }
        await untouched(agent, 'ethereum', address);
        await fund('ethereum', address, 5);
        if (from !== 'ETH') await give('ethereum', address, from, amount);
        await agent.completed(granted(await agent.execute(quote)).swap_id);
    });
}

test('refused before signing: the price moved beyond the slippage', async () => {
    const agent = await register();
    const address = await agent.wallet('base', 5);
    const exact = await agent.quote('ETH', 'DAI', '1', { chain: 'base', slippage: 0.0001 });
    const tolerant = await agent.quote('ETH', 'DAI', '1', { chain: 'base', slippage: 0.5 });
    // Little enough for the swaps of other tests, which allow three per cent.
    await sellCoins('base', 0.005);
    refused(await agent.execute(exact), 'Price moved beyond slippage');
    await untouched(agent, 'base', address);
    const swap = await agent.completed(granted(await agent.execute(tolerant)).swap_id);
    assert.ok(Number(swap.to_amount) < Number(swap.expected_out), `${swap.to_amount} < ${swap.expected_out}`);
    await buyCoins('base', 0.005);
});

// ---------------------------------------------------------------- quotes that cannot be executed

test('execute without a quote_id', async () => {
    const agent = await register();
    await agent.wallet();
    for (const json of [
        {}, { quote_id: null }, { reference: 'x' },
    ]) refused(await agent.post('/swap/execute', json), 'quote_id is required', ['quote_id']);
});

test('execute with a quote_id of another type', async () => {
    const agent = await register();
    await agent.wallet();
    for (const quote_id of [1, true, [], {}, ['x']]) {
        const answer = await agent.post('/swap/execute', { quote_id });
        assert.equal(answer.status, 400, show(answer));
        assert.equal(typeof answer.body.fields?.quote_id, 'string', show(answer));
    }
});

test('unknown and foreign quotes', async () => {
    const [agent, other] = [await register(), await register()];
    await agent.wallet('ethereum', 5);
    const { quote_id: foreign } = await other.quote('ETH', 'USDC', '1');
    for (const quote_id of [
        'nonsense', 'q_', `q_${'0'.repeat(32)}`, foreign, `${foreign}x`, foreign.toUpperCase(), ` ${foreign}`,
        "' OR 1=1 --", 'x'.repeat(30_000), '🚀',
    ]) {
        const body = refused(await agent.post('/swap/execute', { quote_id }), 'Quote not found');
        assert.ok(!('swap_id' in body));
    }
    await other.wallet('ethereum', 5);
    await other.completed(granted(await other.post('/swap/execute', { quote_id: foreign })).swap_id);
    assert.ok(!('swap_id' in refused(await agent.post('/swap/execute', { quote_id: foreign }), 'Quote not found')));
});

test('a quote is executed once; later attempts name the swap', async () => {
    const agent = await register();
    await agent.wallet('base', 5);
    const quote = await agent.quote('ETH', 'USDC', '0.1', { chain: 'base' });
    const { swap_id: id } = granted(await agent.execute(quote));
    assert.equal(refused(await agent.execute(quote), 'Quote not found').swap_id, id);
    await agent.completed(id);
    assert.equal(refused(await agent.execute(quote), 'Quote not found').swap_id, id);
    assert.equal(granted(await agent.get('/swaps')).pagination.total, 1);
});
