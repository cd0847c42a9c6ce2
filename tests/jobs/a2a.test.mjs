// Section: jobs
// Tasks of A2A and processes that die: what was done for a message is its task's, what was not is done once; and tasks
// are there again when the whole stack was down.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, before, test } from 'node:test';
import { granted, show, until } from '../api/lib.mjs';
import { A2A, CLIENTS, result } from '../api/a2a.mjs';
import { nonceOf } from '../api/chain.mjs';
import {
    arm, disarm, forgetEvents, hit, onlySwap, restart, trader, withoutJobs,
} from './lib.mjs';

const CHAIN = 'base';
const SOONER_MS = 20_000; // than the end of its lease

before(forgetEvents);
afterEach(disarm);


/** The message whose request dies at the point. */
async function killed(a2a, message, point, nth) {
    await withoutJobs(async () => {
        arm(point, 'kill', nth);
        const answer = await a2a.post('send', { message }, { mayBreak: true }).catch((error) => ({ status: 599, text: error.message }));
        assert.ok(answer.status >= 500, show(answer));
        await hit(point);
        disarm();
    });
}

async function begun(text) {
    const agent = await trader(CHAIN);
    const a2a = new A2A(agent);
    const { quote_id } = await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN });
    const part = text === undefined ? { data: { operation: 'execute_swap', arguments: { quote_id } } } : { text };
    return { agent, a2a, message: a2a.message([part]) };
}

/** The agent's only task, once the gateway has seen that the worker is dead and ended its lease of 30 s. */
const interrupted = (a2a) => until('the task to be free', async () => {
    const { tasks: [task] } = result(await a2a.post('ListTasks', {}));
    return /^Interrupted before anything was done/.test(task.status.message?.parts[0].text) && task;
}, { patience: SOONER_MS });

const again = async (a2a, { parts, messageId, taskId }) => a2a.send(parts, { messageId, ...(taskId !== undefined && { taskId }) });

async function doneOnce(agent, a2a, task) {
    const done = a2a.is(await a2a.ended(task.id), 'completed');
    assert.equal(done.artifacts[0].parts[0].data.swap_id, (await onlySwap(agent)).swap_id);
    assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), 1);
}

// The first commit of the request is the task's, the second one the swap's, which names it in the task.
for (const [point, nth, what] of [
    ['db.commit.after', 2, 'in the commit, after the database made it'],
    ['a2a.done', 1, 'before it answers'],
]) {
    test(`the worker dies ${what}: the message finds its swap`, async () => {
        const { agent, a2a, message } = await begun();
        await killed(a2a, message, point, nth);
        const task = await again(a2a, message);
        await doneOnce(agent, a2a, task);
        assert.equal((await again(a2a, message)).id, task.id);
    });
}

for (const [point, nth, what, text] of [
    ['a2a.begun', 1, 'with the task alone'],
    ['db.commit.before', 2, 'before the swap’s commit'],
    // A sentence asks for a quote of its own first: that is not what it was sent for.
    ['execute.sign.after', 1, 'between the quote and the swap of a sentence', `swap 0.01 ETH to USDC on ${CHAIN}`],
]) {
    test(`the worker dies ${what}: when its parent has seen it, the message is run again`, async () => {
        const { agent, a2a, message } = await begun(text);
        await killed(a2a, message, point, nth);
        const { id } = await interrupted(a2a);
        assert.equal(granted(await agent.get('/swaps')).pagination.total, 0);
        const task = await again(a2a, message);
        assert.equal(task.id, id);
        await doneOnce(agent, a2a, task);
    });
}

for (const point of ['a2a.begun', 'execute.sign.after']) {
    test(`the worker dies with a piece that was asked for, at ${point}: the piece is put in place again`, async () => {
        const { agent, a2a } = await begun();
        const { id: taskId } = a2a.is(await a2a.send([{ text: `swap ETH to USDC on ${CHAIN}` }]), 'input-required');
        a2a.is(await a2a.send([{ text: 'banana' }], { taskId }), 'input-required');
        const message = a2a.message([{ text: '0.01' }], { taskId });
        await killed(a2a, message, point, 1);
        assert.equal((await interrupted(a2a)).id, taskId);
        const task = await again(a2a, message);
        assert.deepEqual([task.id, task.history.length], [taskId, 3]);
        await doneOnce(agent, a2a, task);
    });
}

// Commits of such a request: the task, the key, the swap with the answers under both.
for (const [point, what] of [['db.commit.before', 'before'], ['db.commit.after', 'after']]) {
    test(`the worker dies ${what} the commit of a swap that has an idempotency key too: it is done once, under either`, async () => {
        const { agent, a2a, message } = await begun();
        message.parts[0].data.arguments.idempotency_key = 'once';
        await killed(a2a, message, point, 3);
        assert.equal(granted(await agent.get('/swaps')).pagination.total, what === 'before' ? 0 : 1);
        if (what === 'before') await interrupted(a2a);
        const task = await again(a2a, message);
        await doneOnce(agent, a2a, task);
        const anew = await a2a.send(message.parts);
        assert.notEqual(anew.id, task.id);
        await doneOnce(agent, a2a, anew);
    });
}

test('tasks are there again after the stack was down', async () => {
    const { agent, a2a, message } = await begun();
    const client = await CLIENTS['1.0'](agent);
    const old = await CLIENTS['0.3'](agent);
    const swap = await again(a2a, message);
    const asking = a2a.is(await a2a.call('execute_swap', {}, { contextId: randomUUID() }), 'input-required');
    const quoted = await old.call('get_quote', { from_token: 'ETH', to_token: 'USDC', amount: '1', chain: CHAIN });
    await restart();
    await doneOnce(agent, a2a, swap);
    assert.deepEqual(await old.get(quoted.id), quoted);
    assert.deepEqual(await a2a.get(asking.id), asking);
    assert.equal((await client.get(swap.id)).state, 'completed');
    assert.equal((await again(a2a, message)).id, swap.id);
    assert.equal((await client.cancel(asking.id)).state, 'canceled');
});
