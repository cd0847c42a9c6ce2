// Programs are killed at random while many agents trade, and the database in the end. Agents only do what agents do: they
// ask again when they get no answer. Afterwards every quote is one swap, every nonce one transaction, every coin accounted for.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
    granted, refused, send, show, until,
} from '../api/lib.mjs';
import {
    balance, erc20, feesPaid, give, nonceOf, routers, rpc, units,
} from '../api/chain.mjs';
import {
    hashes, heard, processes, replaceJob, restart, trader,
} from './lib.mjs';

const CHAIN = 'base';
const AGENTS = 8;
const SWAPS_EACH = 6;
const KILL_EVERY_MS = 150;
const PATIENCE_MS = 90_000;

const kill = (pid) => {
    try {
        process.kill(Number(pid), 'SIGKILL');
        return 1;
    } catch (error) {
        assert.equal(error.code, 'ESRCH');
        return 0;
    }
};

const pidsOf = async (name) => (await processes()).filter(([each]) => each === name).map(([, pid]) => pid);

/** Pids of the pool's workers, which its parent has as children beside the signer. */
function workersOf(parent) {
    return readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ')
        .filter((pid) => existsSync(`/proc/${pid}/comm`) && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'gateway\n');
}

/** Kills a quarter of the workers each time, now and then a job, until told to stop; each kind at least once. */
async function killer(stopped) {
    const killed = { gateway: 0, 'swap-poll': 0, 'webhook-drain': 0 };
    const [parent] = await pidsOf('gateway');
    for (let turn = 1; !stopped() || Object.values(killed).includes(0); turn++) {
        for (const worker of workersOf(parent).filter((_, i) => i % 4 === turn % 4)) killed.gateway += kill(worker);
        const job = { 2: 'swap-poll', 5: 'webhook-drain' }[turn % 6];
        if (job !== undefined) {
            for (const pid of await pidsOf(job)) killed[job] += kill(pid);
            replaceJob(job);
        }
        await pause(KILL_EVERY_MS);
    }
}

/** Asks until there is an answer in the service's own words. */
function answered(what, ask) {
    return until(what, async () => {
        const answer = await ask().catch(() => null);
        if (answer?.body !== undefined && answer.status < 500) return answer;
        return false;
    }, PATIENCE_MS);
}

/** What an agent does to have a swap done: the id of the only swap that its quote became. */
async function insist(agent, from, to, amount) {
    const json = { from_token: from, to_token: to, amount, chain: CHAIN };
    const ask = (path, body) => () => agent.send('POST', path, { json: body, mayBreak: true });
    const { quote_id: id } = granted(await answered('a quote', ask('/quote', json)));
    const answer = await answered('an execution', ask('/swap/execute', { quote_id: id }));
    return answer.status === 200 ? granted(answer).swap_id : refused(answer, 'Quote not found').swap_id;
}

async function accountsAreRight(agent, ids) {
    assert.equal(new Set(ids).size, SWAPS_EACH);
    const { swaps, pagination } = granted(await agent.get('/swaps?limit=100'));
    assert.deepEqual(swaps.map(({ swap_id: id }) => id).sort((a, b) => a - b), [...ids].sort((a, b) => a - b));
    assert.equal(pagination.total, SWAPS_EACH);
    const all = await Promise.all(ids.map((id) => agent.completed(id, PATIENCE_MS)));
    const sent = all.flatMap((swap) => hashes(swap));
    const found = await Promise.all(sent.map((hash) => rpc(CHAIN, 'eth_getTransactionByHash', [hash])));
    assert.deepEqual(found.map(({ nonce }) => Number(nonce)).sort((a, b) => a - b), sent.map((_, i) => i));
    assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), sent.length);
    let coins = units(CHAIN, 'ETH', '10') - await feesPaid(CHAIN, sent);
    let dollars = units(CHAIN, 'USDC', '1000');
    for (const swap of all) {
        const [gave, got] = [units(CHAIN, swap.from_token, swap.from_amount), units(CHAIN, swap.to_token, swap.to_amount)];
        coins += swap.from_token === 'ETH' ? -gave : got;
        dollars += swap.from_token === 'ETH' ? got : -gave;
    }
    assert.deepEqual([await balance(CHAIN, agent.address, 'ETH'), await balance(CHAIN, agent.address, 'USDC')], [coins, dollars]);
    for (const router of routers(CHAIN)) assert.equal(await erc20(CHAIN, 'USDC').allowance(agent.address, router), 0n);
    for (const id of ids) await until('the webhook', () => heard(agent, 'swap.completed', id).length > 0, PATIENCE_MS);
    const { pagination: { total } } = granted(await agent.get('/webhooks?limit=1'));
    assert.equal(total, SWAPS_EACH);
    assert.equal(granted(await agent.get('/me')).agent.stats.total_swaps, SWAPS_EACH);
}

test('programs are killed at random', async () => {
    const agents = await Promise.all(Array.from({ length: AGENTS }, () => trader(CHAIN)));
    for (const agent of agents) await give(CHAIN, agent.address, 'USDC', '1000');
    let over = false;
    const killing = killer(() => over);
    const ids = await Promise.all(agents.map((agent) => Promise.all(Array.from({ length: SWAPS_EACH }, async (_, i) => {
        await pause(i * 700);
        return i % 2 === 0 ? insist(agent, 'ETH', 'USDC', `0.0${i + 1}`) : insist(agent, 'USDC', 'ETH', `1${i}.5`);
    }))));
    over = true;
    await killing;
    replaceJob('swap-poll');
    replaceJob('webhook-drain');
    await Promise.all(agents.map((agent, i) => accountsAreRight(agent, ids[i])));
});

test('the database server is killed: what was answered is still true', async () => {
    const agent = await trader(CHAIN);
    const quotes = await Promise.all(Array.from({ length: 10 }, () => agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN })));
    const [database] = await pidsOf('mariadbd');
    const execute = ({ quote_id: id }) => agent.send('POST', '/swap/execute', { json: { quote_id: id }, mayBreak: true })
        .catch((error) => ({ status: 599, text: error.message }));
    const answers = quotes.map(execute);
    await Promise.race(answers);
    kill(database);
    const accepted = (await Promise.all(answers)).filter(({ status }) => status === 200).map((answer) => granted(answer).swap_id);
    const denied = await agent.send('GET', '/me', { mayBreak: true });
    const { error, error_code: code } = denied.body ?? {};
    assert.deepEqual([denied.status, error, code], [500, 'Internal server error', 'INTERNAL_ERROR'], show(denied));
    assert.ok((await send('GET', '/readyz', { mayBreak: true })).status >= 500);
    assert.equal((await send('GET', '/healthz')).status, 200);
    await restart();
    const { swaps } = granted(await agent.get('/swaps'));
    const ids = swaps.map(({ swap_id: id }) => id);
    for (const id of accepted) assert.ok(ids.includes(id), `swap ${id} was answered and is gone`);
    for (const id of ids) await agent.completed(id, PATIENCE_MS);
    assert.equal(await nonceOf(CHAIN, agent.address), ids.length);
    for (const quote of quotes) {
        const answer = await agent.execute(quote);
        if (answer.status === 200) await agent.completed(granted(answer).swap_id);
        else assert.ok(ids.includes(refused(answer, 'Quote not found').swap_id));
    }
    assert.equal(await nonceOf(CHAIN, agent.address), quotes.length);
});
