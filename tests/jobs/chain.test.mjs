// Section: nodes
// What chains do to swaps that are in progress: reorganisations, lost, stuck, late, refused, reverted and foreign transactions.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { toBeHex } from 'ethers';
import { granted, refused, until, verified } from '../api/lib.mjs';
import {
    APPROVE, balance, buyCoins, coinSales, erc20, feesPaid, fund, give, impersonated, nonceOf, outsider, routers, rpc, sellCoins, token, units,
} from '../api/chain.mjs';
import {
    arm, brokenExecute, disarm, elapse, endLeases, hashes, heard, hit, onlySwap, processes, restart, sql, trader, usable, withoutBlocks, withoutJobs,
} from './lib.mjs';

const DEAR = toBeHex(100_000_000_000n); // wei of gas, more than the gateway offers
const IN_FLIGHT = 1; // as the database has it: its transactions are looked at

afterEach(disarm);

const transaction = (chain, hash) => rpc(chain, 'eth_getTransactionByHash', [hash]);
const head = async (chain) => Number(await rpc(chain, 'eth_blockNumber'));

/** A swap that is stored, but that no node has got yet; the poller will offer it in a few seconds. */
async function stored(agent, chain, from, to, amount, more) {
    const quote = await agent.quote(from, to, amount, { chain, ...more });
    arm('execute.commit.after', 'kill', 1);
    await brokenExecute(agent, quote);
    disarm();
    return onlySwap(agent);
}

/** The swap failed, the agent was told, nothing but fees is gone, and the wallet works on. */
async function failedCleanly(agent, chain, id, codes) {
    const swap = await agent.settled(id);
    assert.equal(swap.status, 'failed', JSON.stringify(swap));
    assert.ok(codes.includes(swap.error_code), `${swap.error_code}: ${swap.error_message}`);
    assert.ok(typeof swap.error_message === 'string' && swap.error_message.length > 0);
    assert.equal(swap.to_amount, null);
    await until('the webhook', () => heard(agent, 'swap.failed', id).length > 0);
    const event = verified(heard(agent, 'swap.failed', id)[0], agent.secret);
    assert.deepEqual([event.data.status, event.data.error_code], ['failed', swap.error_code]);
    const { swaps, pagination } = granted(await agent.get('/swaps?status=failed'));
    assert.deepEqual([pagination.total, swaps[0].swap_id, swaps[0].error_code], [1, id, swap.error_code]);
    assert.equal(granted(await agent.get('/me')).agent.stats.total_swaps, 0);
    return swap;
}

// ---------------------------------------------------------------- reorganisations

/** The swap's transactions are with the node and then all in the one block that comes; what it has become. */
async function inOneBlock(agent, chain, id) {
    await until('the node to have it all', async () => {
        const found = await Promise.all(hashes(await agent.status(id)).map((hash) => transaction(chain, hash)));
        return found.length > 0 && found.every(Boolean);
    });
    await rpc(chain, 'anvil_mine', ['0x1', '0x0']);
    return agent.settled(id);
}

for (const [from, to, amount] of [['ETH', 'USDC', '0.5'], ['DAI', 'ETH', '300']]) {
    test(`reorganised away after completion: ${from} to ${to}`, async () => {
        const chain = 'base';
        const agent = await trader(chain);
        if (from !== 'ETH') await give(chain, agent.address, from, amount);
        const quote = await agent.quote(from, to, amount, { chain });
        const [id, first] = await withoutBlocks(chain, async () => {
            // The funds must be older than what is undone.
            await rpc(chain, 'anvil_mine', ['0x2', '0x0']);
            const { swap_id: swapId } = granted(await agent.execute(quote));
            const swap = await inOneBlock(agent, chain, swapId);
            assert.equal(swap.status, 'completed', JSON.stringify(swap));
            await rpc(chain, 'anvil_reorg', [1, []]);
            assert.equal(await nonceOf(chain, agent.address), 0);
            return [swapId, swap];
        });

        await until('a second event', () => heard(agent, 'swap.completed', id).length === 2);
        const second = await agent.completed(id);
        assert.deepEqual(hashes(second), hashes(first));
        assert.equal(await nonceOf(chain, agent.address), hashes(first).length);
        const ids = heard(agent, 'swap.completed', id).map(({ headers }) => headers['webhook-id']);
        assert.notEqual(ids[0], ids[1]);
        assert.equal(granted(await agent.get('/me')).agent.stats.total_swaps, 1);
        const fees = to === 'ETH' ? await feesPaid(chain, hashes(second)) : 0n;
        const had = to === 'ETH' ? units(chain, 'ETH', '10') : 0n;
        assert.equal(await balance(chain, agent.address, to) - had + fees, units(chain, to, second.to_amount));
        for (const router of from === 'ETH' ? [] : routers(chain)) {
            assert.equal(await erc20(chain, from).allowance(agent.address, router), 0n);
        }
        await usable(agent, chain);
    });
}

/** Transactions that make the coin cheaper, signed and not sent; of a wallet of their own. */
async function salesOfCoins(chain, share) {
    const whale = await outsider(chain, 100_000);
    const { chainId } = await whale.provider.getNetwork();
    return Promise.all(coinSales(chain, whale, share).map((request, nonce) => whale.signTransaction({
        ...request, nonce, chainId, type: 2, gasLimit: 400_000, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n,
    })));
}

for (const [from, to, amount] of [['ETH', 'USDC', '0.5'], ['DAI', 'ETH', '300']]) {
    test(`a block of the same number takes the place of that of a completed swap: ${from} to ${to}`, async () => {
        const chain = 'base';
        const agent = await trader(chain);
        if (from !== 'ETH') await give(chain, agent.address, from, amount);
        const sales = await salesOfCoins(chain, 0.002);
        const quote = await agent.quote(from, to, amount, { chain, slippage: 0.05 });
        const first = await withoutBlocks(chain, async () => {
            await rpc(chain, 'anvil_mine', ['0x2', '0x0']); // the funds must be older than what is undone
            const swap = await inOneBlock(agent, chain, granted(await agent.execute(quote)).swap_id);
            assert.equal(swap.status, 'completed', JSON.stringify(swap));
            const raws = await Promise.all(hashes(swap).map((hash) => rpc(chain, 'eth_getRawTransactionByHash', [hash])));
            const { blockNumber, blockHash } = await rpc(chain, 'eth_getTransactionReceipt', [swap.tx_hash]);
            await rpc(chain, 'anvil_reorg', [1, [...sales, ...raws].map((raw) => [raw, 0])]);
            const now = await rpc(chain, 'eth_getTransactionReceipt', [swap.tx_hash]);
            assert.deepEqual([now.blockNumber, now.status], [blockNumber, '0x1']);
            assert.notEqual(now.blockHash, blockHash);
            return swap;
        });
        await until('a second event', () => heard(agent, 'swap.completed', first.swap_id).length === 2);
        const second = await agent.completed(first.swap_id);
        assert.notEqual(second.to_amount, first.to_amount);
        assert.deepEqual(hashes(second), hashes(first));
        const fees = to === 'ETH' ? await feesPaid(chain, hashes(second)) : 0n;
        const had = to === 'ETH' ? units(chain, 'ETH', '10') : 0n;
        assert.equal(await balance(chain, agent.address, to) - had + fees, units(chain, to, second.to_amount));
        await buyCoins(chain, 0.002);
    });
}

test('a failure that is reorganised away is none', async () => {
    const chain = 'base';
    const agent = await trader(chain);
    await rpc(chain, 'anvil_mine', ['0x2', '0x0']); // the funds must be older than what is undone
    let before;
    const { swap_id: id } = await withoutJobs(async () => {
        const swap = await stored(agent, chain, 'ETH', 'USDC', '2', { slippage: 0.0001 });
        before = await head(chain);
        await sellCoins(chain, 0.03);
        return swap;
    });
    await withoutBlocks(chain, async () => {
        assert.equal((await inOneBlock(agent, chain, id)).status, 'failed');
        // With the block of the swap goes the one that spoilt its price.
        await rpc(chain, 'anvil_reorg', [await head(chain) - before, []]);
    });
    await until('the swap to be on its way again', async () => (await agent.status(id)).status !== 'failed');
    const swap = await agent.completed(id);
    assert.deepEqual([swap.error_code, swap.error_message], [null, null]);
    assert.equal(await nonceOf(chain, agent.address), 1);
    assert.equal(await balance(chain, agent.address, 'USDC'), units(chain, 'USDC', swap.to_amount));
    await until('the second event', () => heard(agent, 'swap.completed', id).length === 1);
    assert.equal(heard(agent, 'swap.failed', id).length, 1);
    const { swaps, pagination } = granted(await agent.get('/swaps?status=failed'));
    assert.deepEqual([swaps, pagination.total], [[], 0]);
    assert.equal(granted(await agent.get('/me')).agent.stats.total_swaps, 1);
});

// ---------------------------------------------------------------- trouble on two chains at once

const submitted = (agent, id) => until('the node to take it', async () => {
    const now = await agent.status(id);
    return now.status === 'submitted' && now;
});

/** While no block comes, what is in progress stays reserved; what the node forgot is offered again. */
async function forgotten(chain) {
    const agent = await trader(chain, 1.5);
    const quotes = [await agent.quote('ETH', 'USDC', '1', { chain }), await agent.quote('ETH', 'USDC', '1', { chain })];
    const id = await withoutBlocks(chain, async () => {
        const { swap_id: first } = granted(await agent.execute(quotes[0]));
        const { tx_hash: hash } = await submitted(agent, first);
        refused(await agent.execute(quotes[1]), 'Insufficient balance');
        await rpc(chain, 'anvil_dropTransaction', [hash]);
        assert.equal(await transaction(chain, hash), null);
        await elapse(first, 10);
        await until('the node to have it again', () => transaction(chain, hash));
        return first;
    });
    assert.equal(hashes(await agent.completed(id)).length, 1);
    assert.equal(await nonceOf(chain, agent.address, 'pending'), 1);
}

/** A transaction that is stuck is replaced by a dearer one. */
async function stuck(chain) {
    const agent = await trader(chain);
    const quote = await agent.quote('ETH', 'USDC', '1', { chain });
    const [id, cheap] = await withoutBlocks(chain, async () => {
        const { swap_id: stays } = granted(await agent.execute(quote));
        const found = await transaction(chain, (await submitted(agent, stays)).tx_hash);
        // So dear that it takes blocks and blocks until the old bid would do again.
        await rpc(chain, 'anvil_setNextBlockBaseFeePerGas', [toBeHex(BigInt(found.maxFeePerGas) * 1000n + 10n ** 9n)]);
        return [stays, found];
    });
    await elapse(id, 61);
    const swap = await agent.completed(id);
    assert.notEqual(swap.tx_hash, cheap.hash);
    const dear = await transaction(chain, swap.tx_hash);
    assert.deepEqual([dear.nonce, dear.to, dear.input, dear.value], [cheap.nonce, cheap.to, cheap.input, cheap.value]);
    for (const fee of ['maxFeePerGas', 'maxPriorityFeePerGas']) {
        assert.ok(BigInt(dear[fee]) * 1000n >= BigInt(cheap[fee]) * 1125n, `${fee} ${dear[fee]} after ${cheap[fee]}`);
    }
    assert.ok(hashes(swap, 'swap').includes(cheap.hash) && hashes(swap, 'swap').includes(dear.hash));
    assert.equal(await nonceOf(chain, agent.address), 1);
    assert.equal(await balance(chain, agent.address, 'USDC'), units(chain, 'USDC', swap.to_amount));
}

/** What is not included in time is taken back at its nonce. */
async function late(chain) {
    const agent = await trader(chain);
    const quote = await agent.quote('ETH', 'USDC', '1', { chain });
    const id = await withoutBlocks(chain, async () => {
        const { swap_id: stays } = granted(await agent.execute(quote));
        await submitted(agent, stays);
        await elapse(stays, 300);
        await until('the cancelling transaction', async () => {
            const [cancel] = hashes(await agent.status(stays), 'cancel');
            return cancel && transaction(chain, cancel);
        });
        assert.match((await agent.status(stays)).status, /^(pending|submitted)$/);
        return stays;
    });
    const swap = await failedCleanly(agent, chain, id, ['QUOTE_EXPIRED']);
    const [cancel] = hashes(swap, 'cancel');
    const { from, to, value, input, nonce } = await transaction(chain, cancel);
    assert.deepEqual([to, value, input, Number(nonce)], [from, '0x0', '0x', 0]);
    assert.equal(await balance(chain, agent.address, 'USDC'), 0n);
    assert.equal(units(chain, 'ETH', '10') - await balance(chain, agent.address, 'ETH'), await feesPaid(chain, [cancel]));
    await usable(agent, chain);
    assert.equal(await nonceOf(chain, agent.address), 2);
}

/** A transaction that nodes refuse for good does not block the wallet, and leaves neither allowance nor gap. */
async function refusedForGood(agent, chain, { swap_id: id }, from) {
    // There is not even enough for the fee of the transactions that take the nonces back, until later.
    const count = from === 'ETH' ? 1 : 2;
    const cancels = async () => {
        const shown = await agent.status(id);
        return ['cancel', 'revocation'].flatMap((kind) => hashes(shown, kind));
    };
    await until('refusals and what takes the nonces back', async () => (await cancels()).length === count);
    assert.equal((await agent.status(id)).status, 'pending');
    assert.equal(await nonceOf(chain, agent.address, 'pending'), 0);
    await fund(chain, agent.address, 1);
    const swap = await failedCleanly(agent, chain, id, ['INSUFFICIENT_BALANCE', 'SIMULATION_REVERTED']);
    const mined = await Promise.all(hashes(swap).map((hash) => rpc(chain, 'eth_getTransactionReceipt', [hash])));
    assert.equal(mined.filter(Boolean).length, count);
    assert.equal(await balance(chain, agent.address, 'USDC'), 0n);
    if (from !== 'ETH') {
        assert.equal(await balance(chain, agent.address, from), units(chain, from, swap.from_amount));
        for (const router of routers(chain)) assert.equal(await erc20(chain, from).allowance(agent.address, router), 0n);
    }
    await usable(agent, chain);
    assert.equal(await nonceOf(chain, agent.address), count + 1);
}

/** A swap that is reverted on the chain has failed and costs its fees alone. */
async function reverted(agent, chain, { swap_id: id }) {
    const swap = await failedCleanly(agent, chain, id, ['SLIPPAGE_EXCEEDED', 'SIMULATION_REVERTED']);
    assert.equal((await rpc(chain, 'eth_getTransactionReceipt', [swap.tx_hash])).status, '0x0');
    assert.equal(units(chain, 'ETH', '10') - await balance(chain, agent.address, 'ETH'), await feesPaid(chain, hashes(swap)));
    await usable(agent, chain);
}

/** A nonce that a transaction from outside used fails the swap once that is certain. */
async function overtaken(agent, chain, { swap_id: id, transactions }) {
    assert.equal(await nonceOf(chain, agent.address), 1);
    await failedCleanly(agent, chain, id, ['CONFLICT']);
    assert.equal(await transaction(chain, transactions[0].tx_hash), null);
    assert.equal(await balance(chain, agent.address, 'USDC'), 0n);
    await usable(agent, chain);
}

test('troubles of transactions', { concurrency: true }, async (t) => {
    const chain = 'base';
    const agents = await Promise.all(Array.from({ length: 4 }, () => trader(chain)));
    await give(chain, agents[1].address, 'DAI', '400');
    // The poller offers what is stored some seconds later; by then the world is another one.
    const swaps = [
        await stored(agents[0], chain, 'ETH', 'USDC', '5'),
        await stored(agents[1], chain, 'DAI', 'ETH', '400'),
        await stored(agents[2], chain, 'ETH', 'USDC', '2', { slippage: 0.0001 }),
        await stored(agents[3], chain, 'ETH', 'USDC', '1'),
    ];
    await Promise.all([
        fund(chain, agents[0].address, 0), fund(chain, agents[1].address, 0), sellCoins(chain, 0.03),
        impersonated(chain, agents[3].address, { to: agents[3].address, value: '0x1' }),
    ]);
    await Promise.all([
        t.test('a transaction that nodes refuse for good', () => refusedForGood(agents[0], chain, swaps[0], 'ETH')),
        t.test('a token swap that nodes refuse for good', () => refusedForGood(agents[1], chain, swaps[1], 'DAI')),
        t.test('a swap that is reverted on the chain', () => reverted(agents[2], chain, swaps[2])),
        t.test('a nonce that a transaction from outside used', () => overtaken(agents[3], chain, swaps[3])),
        t.test('blocks that do not come', async (inner) => {
            await inner.test('a transaction that the node forgot', () => forgotten('ethereum'));
            await inner.test('a transaction that is stuck', () => stuck('ethereum'));
            await inner.test('a transaction that is late', () => late('ethereum'));
        }),
    ]);
    await buyCoins(chain, 0.03);
});

// ---------------------------------------------------------------- allowances that are left

const REVOCATION = [['revoke.sign.before', 'error'], ['revoke.sign.after', 'kill'], ['revoke.store.before', 'kill'], ['revoke.store.after', 'kill']];

/** A token swap whose approval is carried out, and whose swap is reverted. */
async function revertedTokenSwap(chain) {
    const agent = await trader(chain);
    await give(chain, agent.address, 'DAI', '400');
    const { swap_id: id } = await stored(agent, chain, 'DAI', 'ETH', '400');
    await give(chain, agent.address, 'DAI', '1');
    return { agent, id };
}

const allowanceBack = (agent, id) => until('the revocation', async () => {
    const { transactions } = await agent.status(id);
    return transactions.some(({ kind, status }) => kind === 'revocation' && status === 'completed');
});

for (const [point, action] of REVOCATION) {
    test(`the allowance of a swap that was reverted is taken back once: ${point} ${action}`, async () => {
        const chain = 'base';
        const { agent, id } = await revertedTokenSwap(chain);
        arm(point, action, 1);
        await hit(point);
        disarm();
        if (action === 'kill') await endLeases();
        const swap = await failedCleanly(agent, chain, id, ['SIMULATION_REVERTED', 'INSUFFICIENT_BALANCE']);
        await allowanceBack(agent, id);
        const [revocation, ...more] = hashes(await agent.status(id), 'revocation');
        assert.deepEqual(more, []);
        const { to, nonce } = await transaction(chain, revocation);
        assert.deepEqual([to, Number(nonce)], [token(chain, 'DAI').address.toLowerCase(), 2]);
        const { to: router } = await transaction(chain, hashes(swap, 'swap')[0]);
        assert.equal(await erc20(chain, 'DAI').allowance(agent.address, router), 0n);
        await usable(agent, chain);
        assert.equal(await nonceOf(chain, agent.address), 4);
    });
}

test('an allowance is revoked once, after a transaction from outside used the next nonce', async () => {
    const chain = 'base';
    const { agent, id } = await revertedTokenSwap(chain);
    arm('revoke.sign.before', 'error');
    const swap = await failedCleanly(agent, chain, id, ['SIMULATION_REVERTED', 'INSUFFICIENT_BALANCE']);
    const { to: router } = await transaction(chain, hashes(swap, 'swap')[0]);
    await impersonated(chain, agent.address, { to: agent.address, value: '0x0' });
    assert.equal(await nonceOf(chain, agent.address), 3);
    disarm();
    await allowanceBack(agent, id);
    assert.equal(await erc20(chain, 'DAI').allowance(agent.address, router), 0n);
    await usable(agent, chain);
    assert.equal(await nonceOf(chain, agent.address), 5);
});

test('an allowance is revoked, after a transaction from outside used the nonce of the revocation', async () => {
    const chain = 'base';
    const { agent, id } = await revertedTokenSwap(chain);
    arm('revoke.sign.before', 'error');
    const swap = await failedCleanly(agent, chain, id, ['SIMULATION_REVERTED', 'INSUFFICIENT_BALANCE']);
    const { to: router } = await transaction(chain, hashes(swap, 'swap')[0]);
    await withoutBlocks(chain, async () => {
        disarm();
        const [sent] = await until('the revocation', async () => {
            const found = hashes(await agent.status(id), 'revocation');
            return found.length > 0 && await transaction(chain, found[0]) && found;
        });
        const { nonce } = await transaction(chain, sent);
        await rpc(chain, 'anvil_dropTransaction', [sent]);
        await rpc(chain, 'anvil_impersonateAccount', [agent.address]);
        await rpc(chain, 'eth_sendTransaction', [{ from: agent.address, to: agent.address, nonce, gas: '0x5208', gasPrice: DEAR }]);
        await rpc(chain, 'anvil_stopImpersonatingAccount', [agent.address]);
    });
    await allowanceBack(agent, id);
    assert.equal(await erc20(chain, 'DAI').allowance(agent.address, router), 0n);
    assert.equal(hashes(await agent.status(id), 'revocation').length, 2);
    await usable(agent, chain);
});

test('an allowance that was taken back elsewhere before needs no revocation, and the swap ends', async () => {
    const chain = 'base';
    const { agent, id } = await revertedTokenSwap(chain);
    arm('revoke.sign.before', 'error');
    const swap = await failedCleanly(agent, chain, id, ['SIMULATION_REVERTED', 'INSUFFICIENT_BALANCE']);
    const { to: router } = await transaction(chain, hashes(swap, 'swap')[0]);
    const { address } = token(chain, 'DAI');
    await impersonated(chain, agent.address, { to: address, data: APPROVE.encodeFunctionData('approve', [router, 0n]) });
    assert.equal(await erc20(chain, 'DAI').allowance(agent.address, router), 0n);
    assert.equal(await sql(`SELECT in_flight FROM executions WHERE id = ${id}`), String(IN_FLIGHT));
    disarm();
    await until('the swap to be left alone', async () => await sql(`SELECT in_flight FROM executions WHERE id = ${id}`) !== String(IN_FLIGHT));
    assert.deepEqual(hashes(await agent.status(id), 'revocation'), []);
    assert.equal(await nonceOf(chain, agent.address, 'pending'), 3);
    await usable(agent, chain);
    assert.equal(await nonceOf(chain, agent.address), 4);
});

// ---------------------------------------------------------------- no node

test('while a chain\'s node is silent, nothing is lost and calls to other chains go on', async () => {
    const agent = await trader('base');
    const quote = await agent.quote('ETH', 'USDC', '0.1', { chain: 'base' });
    const [[, pid]] = (await processes()).filter(([name]) => name === 'anvil-base');
    const ask = (path, json) => agent.send('POST', path, { json, mayBreak: true });
    process.kill(Number(pid), 'SIGSTOP');
    try {
        const answers = await Promise.all([
            ask('/quote', { from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base' }),
            ask('/swap', { from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base', wallet_address: agent.address }),
            ask('/swap/execute', { quote_id: quote.quote_id }),
        ]);
        for (const { status, body, text } of answers) {
            assert.deepEqual([status, body?.success, body?.error_code], [500, false, 'UPSTREAM_ERROR'], text);
            assert.match(body.error, /^(Internal server error|Swap execution failed)$/);
            assert.ok(!/127\.0\.0\.1|curl|timed|timeout|connect/i.test(text), text);
        }
        granted(await agent.get('/swaps'));
        await agent.quote('ETH', 'USDC', '0.1', { chain: 'ethereum' });
    } finally {
        process.kill(Number(pid), 'SIGCONT');
    }
    assert.equal(granted(await agent.get('/swaps')).pagination.total, 0);
    // After some failures in a row a node is left alone for a moment.
    const accepted = await until('the node to be asked again', async () => {
        const answer = await ask('/swap/execute', { quote_id: quote.quote_id });
        return answer.status === 200 && answer;
    });
    await agent.completed(accepted.body.swap_id);
    assert.equal(await nonceOf('base', agent.address), 1);
});

// ---------------------------------------------------------------- restart

test('the whole stack goes down and comes up in the middle of swaps', async () => {
    const agent = await trader('base');
    await fund('ethereum', agent.address, 10);
    await give('ethereum', agent.address, 'USDT', '100');
    const unused = await agent.quote('ETH', 'USDC', '0.1', { chain: 'base' });
    const open = [];
    await withoutBlocks('ethereum', () => withoutBlocks('base', async () => {
        open.push(await agent.swap('ETH', 'DAI', '0.1', { chain: 'base' }));
        open.push(await agent.swap('USDT', 'ETH', '100'));
        for (const id of open) await until('the node to take it', async () => (await agent.status(id)).status === 'submitted');
        await restart();
    }));
    const before = await Promise.all(open.map((id) => agent.status(id)));
    for (const [i, id] of open.entries()) {
        const swap = await agent.completed(id);
        assert.deepEqual(hashes(swap), hashes(before[i]));
    }
    assert.equal(await nonceOf('base', agent.address), 1);
    assert.equal(await nonceOf('ethereum', agent.address), 3);
    for (const id of open) await until('the webhook', () => heard(agent, 'swap.completed', id).length === 1);
    await agent.completed(granted(await agent.execute(unused)).swap_id);
    assert.deepEqual(granted(await agent.get('/wallets')).wallets.map(({ address }) => address), [agent.address]);
});
