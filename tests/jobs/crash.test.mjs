// Section: jobs
// kill -9 at the worst moments. An execution on record is carried out exactly once, one that is not costs nothing.

import assert from 'node:assert/strict';
import { afterEach, before, test } from 'node:test';
import {
    granted, refused, readiness, send, show, until, verified,
} from '../api/lib.mjs';
import { balance, erc20, give, nonceOf, routers, rpc, units } from '../api/chain.mjs';
import {
    arm, brokenExecute, databasePid, disarm, elapse, endEventLeases, forgetEvents, hashes, heard, hit, onlySwap, processes, quiet,
    restart, runJob, signal, sql, trader, usable, waiting, withoutBlocks, withoutJobs,
} from './lib.mjs';

const SPARE_WORKERS = 4; // that a pool keeps
const CHAIN = 'base';

before(forgetEvents);
afterEach(disarm);

/** Everything that the swap stored is on the chain once, in the order of its nonces, and nothing else is. */
async function carriedOutOnce(agent, before, from = 'ETH') {
    const swap = await agent.completed(before.swap_id);
    assert.deepEqual(hashes(swap), hashes(before));
    const found = await Promise.all(hashes(swap).map((hash) => rpc(CHAIN, 'eth_getTransactionByHash', [hash])));
    const nonces = found.map(({ nonce }) => Number(nonce));
    assert.deepEqual(nonces, nonces.map((_, i) => i));
    assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), nonces.length);
    const change = from === 'DAI' ? -units(CHAIN, 'DAI', swap.from_amount) : units(CHAIN, 'DAI', swap.to_amount);
    assert.equal(await balance(CHAIN, agent.address, 'DAI') - (agent.hadDai ?? 0n), change);
    if (from === 'DAI') for (const router of routers(CHAIN)) assert.equal(await erc20(CHAIN, 'DAI').allowance(agent.address, router), 0n);
    await until('the webhook', () => heard(agent, 'swap.completed', swap.swap_id).length > 0);
    verified(heard(agent, 'swap.completed', swap.swap_id)[0], agent.secret);
    assert.equal((await agent.events()).length, 1);
}

const LIVED = [
    ['db.commit.after', 'the process dies in the commit, after the database made it'],
    ['execute.commit.after', 'the worker dies between storing and sending'],
    ['offer.post.after', 'the worker dies when the node has it and no record says so'],
    ['execute.send.after', 'the worker dies before it answers'],
];

test('a committed swap is carried out exactly once', async (t) => {
    const open = [];
    for (const from of ['ETH', 'DAI']) {
        for (const [point, what] of LIVED) {
            const agent = await trader(CHAIN);
            if (from === 'DAI') {
                await give(CHAIN, agent.address, 'DAI', '500');
                agent.hadDai = units(CHAIN, 'DAI', '500');
            }
            const trade = from === 'ETH' ? ['ETH', 'DAI', '0.1'] : ['DAI', 'ETH', '500'];
            const quote = await agent.quote(...trade, { chain: CHAIN });
            await withoutJobs(async () => {
                arm(point, 'kill', 1);
                await brokenExecute(agent, quote);
                await hit(point);
                disarm();
            });
            const swap = await onlySwap(agent);
            assert.match(swap.status, /^(pending|submitted|processing|completed)$/);
            if (point === 'execute.commit.after') assert.deepEqual([swap.status, swap.tx_hash], ['pending', null]);
            assert.equal(refused(await agent.execute(quote), 'Quote not found').swap_id, swap.swap_id);
            open.push([`${what}: ${from}`, () => carriedOutOnce(agent, swap, from)]);
        }
    }
    for (const [what, look] of open) await t.test(what, look);
});

for (const [point, action, what] of [
    ['db.commit.before', 'kill', 'the process dies before the commit'],
    ['execute.sign.after', 'kill', 'the worker dies with signed bytes in its hands'],
    ['execute.sign.after', 'error', 'the signer does not answer'],
]) {
    test(`a swap that was not committed leaves nothing: ${what}`, async () => {
        const agent = await trader(CHAIN);
        const quote = await agent.quote('ETH', 'DAI', '0.1', { chain: CHAIN });
        await withoutJobs(async () => {
            arm(point, action, 1);
            if (action === 'kill') {
                await brokenExecute(agent, quote);
            } else {
                const answer = await agent.send('POST', '/swap/execute', { json: { quote_id: quote.quote_id }, mayBreak: true });
                const { status, body } = answer;
                assert.deepEqual([status, body?.error, body?.success], [500, 'Swap execution failed', false], show(answer));
            }
            await hit(point);
            disarm();
        });
        assert.equal(granted(await agent.get('/swaps')).pagination.total, 0);
        assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 0);
        const { swap_id: id } = granted(await agent.execute(quote));
        await agent.completed(id);
        assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 1);
    });
}

test('the connection breaks in the commit: what is recorded decides', async () => {
    const agent = await trader(CHAIN);
    const quote = await agent.quote('ETH', 'DAI', '0.1', { chain: CHAIN });
    const { swap_id: id } = await withoutJobs(async () => {
        arm('db.commit.after', 'error', 1);
        const answer = granted(await agent.execute(quote));
        await hit('db.commit.after');
        disarm();
        return answer;
    });
    assert.equal((await agent.completed(id)).swap_id, id);
    assert.equal(granted(await agent.get('/swaps')).pagination.total, 1);
    assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 1);
});

test('a quote whose time is over while a request has it in hand is not said to be expired', async () => {
    const agent = await trader(CHAIN);
    const quote = await agent.quote('ETH', 'DAI', '0.1', { chain: CHAIN });
    const itself = `WHERE id = UNHEX('${quote.quote_id.slice(2)}')`;
    await sql(`UPDATE quotes SET expires_at = UTC_TIMESTAMP(3) + INTERVAL 2 SECOND ${itself}`);
    arm('quote.take.after', 'hang', 1);
    const first = agent.execute(quote);
    await hit('quote.take.after');
    await until('its time to be over', async () => await sql(`SELECT expires_at < UTC_TIMESTAMP(3) FROM quotes ${itself}`) === '1');
    const second = agent.execute(quote);
    await waiting('%quotes%'); // for the first one, before any answer; or it has answered too early
    disarm();
    const { swap_id: id } = granted(await first);
    assert.equal(refused(await second, 'Quote not found').swap_id, id);
    await agent.completed(id);
});

test('swap-poll dies after a move: one event, and the next run goes on', async () => {
    const agent = await trader(CHAIN);
    await quiet();
    arm('poll.record.after', 'kill', 1);
    const id = await agent.swap('ETH', 'DAI', '0.1', { chain: CHAIN });
    await hit('poll.record.after');
    disarm();
    await elapse(id, 60);
    await agent.completed(id);
    await usable(agent, CHAIN);
    await until('the webhook', () => heard(agent, 'swap.completed', id).length > 0);
    await until('both events to be recorded', async () => (
        (await agent.events()).filter(({ status }) => status === 'delivered').length === 2));
    assert.equal(heard(agent, 'swap.completed', id).length, 1);
});

test('swap-poll dies between storing a transaction and sending it: the next run sends it', async () => {
    const agent = await trader(CHAIN);
    const quote = await agent.quote('ETH', 'DAI', '0.1', { chain: CHAIN });
    const id = await withoutBlocks(CHAIN, async () => {
        const { swap_id: stays } = granted(await agent.execute(quote));
        await until('the node to take it', async () => (await agent.status(stays)).status === 'submitted');
        arm('repair.store.after', 'kill', 1);
        await elapse(stays, 300);
        await hit('repair.store.after');
        disarm();
        const [cancel, ...more] = hashes(await agent.status(stays), 'cancel');
        assert.deepEqual([await rpc(CHAIN, 'eth_getTransactionByHash', [cancel]), more], [null, []]);
        await elapse(stays, 40);
        await until('the node to have it', () => rpc(CHAIN, 'eth_getTransactionByHash', [cancel]));
        return stays;
    });
    const swap = await agent.settled(id);
    assert.deepEqual([swap.status, hashes(swap, 'cancel').length], ['failed', 1]);
    assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 1);
    await usable(agent, CHAIN);
});

test('webhook-drain dies between a delivery and its record: it is delivered again under the same id', async () => {
    const agent = await trader(CHAIN);
    await quiet();
    arm('drain.post.after', 'kill', 1);
    const id = await agent.swap('ETH', 'DAI', '0.1', { chain: CHAIN });
    await agent.hook.delivery();
    await hit('drain.post.after');
    disarm();
    await endEventLeases();
    await until('the record', async () => (await agent.events())[0].status === 'delivered');
    const [first, second, ...more] = heard(agent, 'swap.completed', id);
    assert.deepEqual([second.raw, second.headers['webhook-id'], more.length], [first.raw, first.headers['webhook-id'], 0]);
    verified(second, agent.secret);
});

/** Waits until another signer serves in the place of this one. */
function replaced(signer) {
    return until('the signer to be replaced', async () => {
        const signers = (await processes()).filter(([name]) => name === 'signer');
        return signers.length === 1 && signers[0][1] !== signer;
    });
}

test('killed workers are replaced, and so is the signer', async () => {
    const agent = await trader(CHAIN);
    const count = async (name) => (await processes()).filter(([each]) => each === name);
    const [, ...workers] = (await count('gateway')).map(([, pid]) => pid); // the first one is the parent
    const killed = workers.slice(0, 8);
    for (const pid of killed) signal(pid);
    // Not all of them may be needed any more.
    await until('the workers to be replaced', async () => {
        const [, ...now] = (await count('gateway')).map(([, pid]) => pid);
        return !killed.some((pid) => now.includes(pid)) && now.some((pid) => !workers.includes(pid)) && now.length >= SPARE_WORKERS;
    });
    for (let i = 0; i < 20; i++) granted(await agent.get('/me'));
    const [[, signer]] = await count('signer');
    process.kill(Number(signer), 'SIGKILL');
    await replaced(signer);
    await until('wallets to be created again', async () => (await agent.send('POST', '/wallets', { mayBreak: true })).status === 201);
    await usable(agent, CHAIN);
});

test('a signer that stands still is replaced, and what was to be signed meanwhile is signed once', async () => {
    const agent = await trader(CHAIN);
    const quote = await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN });
    const [[, signer]] = (await processes()).filter(([name]) => name === 'signer');
    process.kill(Number(signer), 'SIGSTOP');
    const refusal = await agent.send('POST', '/swap/execute', { json: { quote_id: quote.quote_id }, mayBreak: true });
    assert.deepEqual([refusal.status, refusal.body.error], [500, 'Swap execution failed'], show(refusal));
    await replaced(signer);
    const { swap_id: id } = granted(await agent.execute(quote));
    await agent.completed(id);
    await usable(agent, CHAIN);
});

test('quote-expire keeps quotes for a day after their time, so that messages stay right', async () => {
    const agent = await trader(CHAIN);
    const ask = () => agent.quote('ETH', 'DAI', '0.01', { chain: CHAIN });
    const [fresh, used, young, old] = await Promise.all([ask(), ask(), ask(), ask()]);
    const { swap_id: id } = granted(await agent.execute(used));
    const age = ({ quote_id: quote }, hours) => sql(
        `UPDATE quotes SET expires_at = expires_at - INTERVAL ${hours} HOUR WHERE id = UNHEX('${quote.slice(2)}')`);
    await Promise.all([age(used, 23), age(young, 23), age(old, 25)]);
    await runJob('quote-expire');
    refused(await agent.execute(young), 'Quote expired');
    refused(await agent.execute(old), 'Quote not found');
    assert.equal(refused(await agent.execute(used), 'Quote not found').swap_id, id);
    await agent.completed(granted(await agent.execute(fresh)).swap_id);
});

test('the database server is killed: what was answered is still true', async () => {
    const agent = await trader(CHAIN);
    const quotes = await Promise.all(Array.from({ length: 10 }, () => agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN })));
    const database = await databasePid();
    const execute = ({ quote_id: id }) => agent.send('POST', '/swap/execute', { json: { quote_id: id }, mayBreak: true })
        .catch((error) => ({ status: 599, text: error.message }));
    const answers = quotes.map(execute);
    await Promise.race(answers);
    process.kill(database, 'SIGKILL');
    const accepted = (await Promise.all(answers)).filter(({ status }) => status === 200).map((answer) => granted(answer).swap_id);
    const denied = await agent.send('GET', '/me', { mayBreak: true });
    const { error, error_code: code } = denied.body ?? {};
    assert.deepEqual([denied.status, error, code], [500, 'Internal server error', 'INTERNAL_ERROR'], show(denied));
    assert.ok((await readiness()).status >= 500);
    assert.equal((await send('GET', '/healthz')).status, 200);
    await restart();
    const { swaps } = granted(await agent.get('/swaps'));
    const ids = swaps.map(({ swap_id: id }) => id);
    for (const id of accepted) assert.ok(ids.includes(id), `swap ${id} was answered and is gone`);
    for (const id of ids) await agent.completed(id);
    assert.equal(await nonceOf(CHAIN, agent.address), ids.length);
    for (const quote of quotes) {
        const answer = await agent.execute(quote);
        if (answer.status === 200) await agent.completed(granted(answer).swap_id);
        else assert.ok(ids.includes(refused(answer, 'Quote not found').swap_id));
    }
    assert.equal(await nonceOf(CHAIN, agent.address), quotes.length);
});
