// Section: operator
// Requests for approval are found again by an agent that lost the answer, and the operator's decision is reported: by
// GET /approvals, the swap, an event, and the A2A task that waits.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, test } from 'node:test';
import { A2A } from '../api/a2a.mjs';
import { buyCoins, nonceOf, sellCoins } from '../api/chain.mjs';
import {
    ISO_TIME, granted, hasMembers, receiver, refused, register, show, stack, until, verified,
} from '../api/lib.mjs';
import { ask, askModern, used } from '../api/mcp.mjs';
import {
    agentctl, arm, disarm, heard, operate, sql, trader, withoutJobs,
} from './lib.mjs';

const CHAIN = 'ethereum';

afterEach(disarm);

/** An agent whose swaps of more than 100 dollars want an approval. */
async function asker() {
    const agent = await trader(CHAIN);
    granted(await agent.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountUsd: '100' } }));
    /** Requests one; the answer, with the quote. */
    agent.ask = async () => {
        const quote = await agent.quote('ETH', 'USDC', '0.1');
        return { ...granted(await agent.execute(quote), 202), quote };
    };
    agent.approval = async ({ approval_id: id }) => granted(await agent.get(`/approvals/${id}`)).approval;
    return agent;
}

/** Its time is over, and the job has noticed. */
async function lapse(agent, { swap_id: id }) {
    await sql(`UPDATE approvals SET expires_at = UTC_TIMESTAMP(3) WHERE execution_id = ${id}; UPDATE executions SET due_at = UTC_TIMESTAMP(3) WHERE id = ${id}`);
    await until('the swap to expire', async () => (await agent.status(id)).status === 'expired');
}

/** What the operator, time or the agent makes of a request, by the status that it has then. */
const MAKE = {
    waiting: async () => {},
    granted: (agent, asked) => operate('approve', asked.approval_id),
    denied: (agent, asked) => operate('deny', asked.approval_id),
    lapsed: lapse,
    used: async (agent, asked) => {
        await operate('approve', asked.approval_id);
        await agent.completed(granted(await agent.post('/swap/execute', { approval_id: asked.approval_id })).swap_id);
    },
};

test('an approved swap on Solana is quoted anew, and carried out once', async () => {
    const agent = await register();
    const { address } = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet;
    await stack('fund', address, 'solana');
    granted(await agent.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountUsd: '100' } }));
    const request = async () => granted(await agent.execute(await agent.quote('SOL', 'USDC', '1', { chain: 'solana' })), 202);
    const [asked, denied] = [await request(), await request()];
    await operate('approve', asked.approval_id);
    await operate('deny', denied.approval_id);
    const use = ({ approval_id }) => agent.post('/swap/execute', { approval_id });
    const { swap_id } = granted(await use(asked));
    assert.equal(swap_id, asked.swap_id);
    const swap = await agent.completed(swap_id);
    assert.deepEqual([swap.chain, swap.from_amount, swap.transactions.length], ['solana', '1', 1]);
    assert.ok(Number(swap.to_amount) > 140, swap.to_amount);
    assert.notEqual((await use(denied)).status, 200);
    assert.equal((await agent.status(denied.swap_id)).tx_hash, null);
    // Once: what is used is not used again.
    await use(asked);
    assert.equal((await agent.status(swap_id)).tx_hash, swap.tx_hash);
});

test('a sentence lists approvals and goes on with a granted one, once, and grants none', async () => {
    const agent = await asker();
    const say = (command, more) => agent.post('/execute', { command, ...more });
    const [asked, other] = [await agent.ask(), await agent.ask()];
    const listed = async (command) => granted(await say(command)).result.approvals.map(({ id }) => id);
    assert.deepEqual(await listed('show my approvals'), [other.approval_id, asked.approval_id]);
    assert.deepEqual(await listed('which approvals are still waiting?'), [other.approval_id, asked.approval_id]);
    for (const command of [`approve ${asked.approval_id}`, `grant approval ${asked.approval_id}`]) {
        assert.match(refused(await say(command), 'Unable to parse command').hint, /operator alone grants and denies/);
    }
    const go = `continue with approval ${asked.approval_id}`;
    assert.equal(granted(await say(go), 202).result.approval_id, asked.approval_id);
    await operate('approve', asked.approval_id);
    assert.deepEqual(await listed('list granted approvals'), [asked.approval_id]);
    const once = { headers: { 'Idempotency-Key': randomUUID() }, json: { command: go } };
    assert.equal(granted(await say(go, { dry_run: true })).result.approval.status, 'granted');
    const answers = [await agent.send('POST', '/execute', once), await agent.send('POST', '/execute', once)];
    const [first, second] = answers.map((each) => granted(each));
    assert.deepEqual([first.action, first.parsed, first.result.swap_id], ['approval_resume', { approval_id: asked.approval_id }, asked.swap_id]);
    assert.deepEqual(second, first);
    await agent.completed(asked.swap_id);
    assert.equal(granted(await say(`status of approval ${asked.approval_id}`)).result.approval.status, 'used');
    assert.deepEqual(await listed('show my waiting approvals'), [other.approval_id]);
    const stranger = await trader(CHAIN);
    refused(await stranger.post('/execute', { command: `continue with approval ${other.approval_id}` }), 'Approval not found');
});

// ---------------------------------------------------------------- found again

test('a lost 202 is found again: by the swap, in its list, among the approvals, and by its quote', async () => {
    const agent = await asker();
    const asked = await agent.ask();
    const swap = await agent.status(asked.swap_id);
    assert.deepEqual([swap.status, swap.approval_id, swap.approval_expires_at], ['pending', asked.approval_id, asked.expires_at]);
    const [listed] = granted(await agent.get('/swaps')).swaps;
    assert.deepEqual([listed.approval_id, listed.approval_expires_at], [asked.approval_id, asked.expires_at]);
    const approval = await agent.approval(asked);
    hasMembers(approval, ['id', 'status', 'action', 'reason', 'swap_id', 'created_at', 'expires_at', 'decided_at']);
    assert.deepEqual([approval.id, approval.status, approval.action, approval.swap_id, approval.expires_at, approval.decided_at],
        [asked.approval_id, 'waiting', 'swap', asked.swap_id, asked.expires_at, null]);
    assert.match(approval.reason, /approval_limit/);
    assert.match(approval.created_at, ISO_TIME);
    assert.deepEqual(granted(await agent.get('/approvals?status=waiting')).approvals, [approval]);
    for (const query of ['token=usdc', `since=${approval.created_at}&status=waiting`]) {
        const { approvals, pagination } = granted(await agent.get(`/approvals?${query}`));
        assert.deepEqual([approvals, pagination.total], [[approval], 1], query);
    }
    for (const query of ['token=DAI', 'chain=polygon', `until=${approval.created_at}`, 'token=usdc&status=granted']) {
        assert.equal(granted(await agent.get(`/approvals?${query}`)).pagination.total, 0, query);
    }
    const { swap_id, approval_id } = refused(await agent.execute(asked.quote), 'Quote not found');
    assert.deepEqual([swap_id, approval_id], [asked.swap_id, asked.approval_id]);
    // Where there is none it is null.
    const plain = await agent.swap('ETH', 'USDC', '0.01');
    const without = await agent.status(plain);
    assert.deepEqual([without.approval_id, without.approval_expires_at], [null, null]);
    agent.hook.close();
});

test('MCP and A2A show approvals too', async () => {
    const agent = await asker();
    const asked = await agent.ask();
    const { approval } = granted(await agent.get(`/approvals/${asked.approval_id}?compact=true`));
    for (const how of [ask, askModern]) {
        assert.deepEqual((await used('list_approvals', { status: 'waiting' }, agent.key, how)).approvals, [approval]);
        assert.deepEqual((await used('get_approval', { id: asked.approval_id }, agent.key, how)).approval, approval);
    }
    for (const version of ['1.0', '0.3']) {
        const a2a = new A2A(agent, version);
        assert.deepEqual((await a2a.done('list_approvals')).approvals, [approval]);
        assert.deepEqual((await a2a.done('get_approval', { id: asked.approval_id })).approval, approval);
    }
    agent.hook.close();
});

test('another agent\'s request for approval is not found, and neither is an unknown one', async () => {
    const agent = await asker();
    const asked = await agent.ask();
    const other = await register();
    for (const id of [asked.approval_id, `ap_${'0'.repeat(32)}`, 'ap_', 'x', asked.approval_id.toUpperCase(), randomUUID()]) {
        const { hint } = refused(await other.get(`/approvals/${id}`), 'Approval not found');
        assert.match(hint, /GET \/approvals/);
    }
    assert.deepEqual(granted(await other.get('/approvals')), { success: true, approvals: [], pagination: { total: 0, limit: 20, offset: 0, has_more: false } });
    agent.hook.close();
});

test('filters, pages and totals, newest first', async () => {
    const agent = await asker();
    const all = [];
    for (const status of ['waiting', 'granted', 'denied', 'lapsed', 'used', 'waiting']) {
        const asked = await agent.ask();
        await MAKE[status](agent, asked);
        all.unshift({ ...asked, status });
    }
    const list = async (query) => granted(await agent.get(`/approvals${query}`));
    const ids = ({ approvals }) => approvals.map(({ id }) => id);
    const whole = await list('');
    assert.deepEqual(whole.approvals.map(({ id, status, swap_id }) => [id, status, swap_id]), all.map((each) => [each.approval_id, each.status, each.swap_id]));
    assert.deepEqual(whole.pagination, { total: 6, limit: 20, offset: 0, has_more: false });
    for (const { status, decided_at } of whole.approvals) assert[['granted', 'denied', 'used'].includes(status) ? 'match' : 'doesNotMatch'](`${decided_at}`, ISO_TIME);
    for (const status of Object.keys(MAKE)) {
        const wanted = all.filter((each) => each.status === status).map(({ approval_id: id }) => id);
        const page = await list(`?status=${status}`);
        assert.deepEqual([ids(page), page.pagination.total], [wanted, wanted.length], status);
    }
    const [first, second, third] = [await list('?limit=2'), await list('?limit=2&offset=2'), await list('?limit=2&offset=4')];
    assert.deepEqual([first, second, third].flatMap(ids), ids(whole));
    assert.deepEqual([first, third].map(({ pagination: { total, has_more } }) => [total, has_more]), [[6, true], [6, false]]);
    for (const status of ['', 'expired', 'WAITING', 'pending']) refused(await agent.get(`/approvals?status=${status}`), 'Invalid status filter');
    refused(await agent.get('/approvals?limit=0'), 'limit must be between 1 and 100');
    refused(await agent.get('/approvals?offset=-1'), 'offset must be 0 or more');
    agent.hook.close();
});

// ---------------------------------------------------------------- events

test('each decision is reported by an event, with the approval as it is then', async () => {
    const agent = await asker();
    const asked = { granted: await agent.ask(), denied: await agent.ask(), lapsed: await agent.ask() };
    for (const [status, one] of Object.entries(asked)) {
        await MAKE[status](agent, one);
        const delivery = await agent.hook.delivery(({ raw }) => JSON.parse(raw).type === `approval.${status}`);
        const event = verified(delivery, agent.secret);
        assert.deepEqual(event.data, await agent.approval(one));
        assert.equal(event.data.status, status);
    }
    // A swap that ends with it has its own event besides.
    for (const { swap_id: id } of [asked.denied, asked.lapsed]) await until('the event', () => heard(agent, 'swap.failed', id).length === 1);
    assert.deepEqual((await agent.events('?event_type=approval.granted')).map(({ status }) => status), ['delivered']);
    agent.hook.close();
});

for (const [command, status] of [['approve', 'granted'], ['deny', 'denied']]) {
    test(`${command}: the decision and its event are there together or not at all`, async () => {
        const agent = await asker();
        const asked = await agent.ask();
        const events = async () => (await agent.events()).map(({ event_type: type }) => type).filter((type) => type.startsWith('approval.'));
        const dies = (point) => withoutJobs(async () => {
            arm(point, 'kill', 2); // the first commit is the audit line's
            assert.equal((await agentctl(command, asked.approval_id)).code, 'SIGKILL');
            disarm();
        });
        await dies('db.commit.before');
        assert.deepEqual([(await agent.approval(asked)).status, await events()], ['waiting', []]);
        await dies('db.commit.after');
        assert.deepEqual([(await agent.approval(asked)).status, await events()], [status, [`approval.${status}`]]);
        agent.hook.close();
    });
}

// ---------------------------------------------------------------- A2A

/** A task that waits for the operator, of an operation or of a sentence. */
async function waiting(version, sentence = false) {
    const agent = await asker();
    const a2a = new A2A(agent, version);
    const { quote_id } = sentence ? {} : await agent.quote('ETH', 'USDC', '0.1');
    const task = sentence ? await a2a.send([{ text: 'swap 0.1 ETH to USDC on ethereum' }]) : await a2a.call('execute_swap', { quote_id, idempotency_key: 'first' });
    const [asked] = granted(await agent.get('/approvals')).approvals;
    a2a.is(task, 'submitted');
    return { agent, a2a, task, asked: { approval_id: asked.id, ...asked } };
}

/** The task asks for the approval to be used, and says which. */
async function asks(a2a, { id }, asked) {
    const task = a2a.is(await a2a.get(id), 'input-required');
    const [sentence, body] = a2a.said(task);
    assert.match(sentence, /approval_id/);
    assert.equal(body.approval_id, asked.approval_id);
    assert.equal(body.approval.status, 'granted');
    return task;
}

async function completes({ agent, a2a, task, asked }) {
    const done = a2a.is(await a2a.ended(task.id), 'completed');
    assert.equal(done.artifacts[0].parts[0].data.swap_id, asked.swap_id);
    assert.equal((await agent.approval(asked)).status, 'used');
    assert.equal(await nonceOf(CHAIN, agent.address), 1);
    agent.hook.close();
}

for (const version of ['1.0', '0.3']) {
    for (const [how, contents] of [
        ['as the operation', (id) => [{ data: { operation: 'execute_swap', arguments: { approval_id: id } } }]],
        ['alone as data', (id) => [{ data: { approval_id: id } }]],
        ['alone as text', (id) => [{ text: id }]],
    ]) {
        test(`${version}: granted, a task asks for its approval_id and takes it ${how}`, async () => {
            const one = await waiting(version, how === 'alone as text');
            const { a2a, task, asked } = one;
            await operate('approve', asked.approval_id);
            await asks(a2a, task, asked);
            const next = await a2a.send(contents(asked.approval_id), { taskId: task.id });
            assert.equal(next.id, task.id);
            await completes(one);
        });
    }

    test(`${version}: a task is rejected when the operator denies it, or it lapses, granted or not`, async () => {
        for (const [status, before, error] of [['denied', [], 'Approval denied'], ['lapsed', [], 'Approval expired'], ['denied', ['granted'], 'Approval denied'], ['lapsed', ['granted'], 'Approval expired']]) {
            const { agent, a2a, task, asked } = await waiting(version);
            for (const each of [...before, status]) await MAKE[each](agent, asked);
            const ended = a2a.is(await a2a.get(task.id), 'rejected');
            const [sentence, body] = a2a.said(ended);
            assert.match(sentence, /nothing was signed/);
            assert.deepEqual([body.success, body.error, body.approval.status], [false, error, status]);
            assert.equal(ended.artifacts[0].parts[0].data.swap_id, asked.swap_id);
            agent.hook.close();
        }
    });
}

test('a grant that cannot be used yet goes on being asked for', async () => {
    const one = await waiting('1.0');
    const { a2a, task, asked } = one;
    await operate('approve', asked.approval_id);
    await sellCoins(CHAIN, 0.03);
    try {
        const refusedOne = a2a.is(await a2a.call('execute_swap', { approval_id: asked.approval_id }, { taskId: task.id }), 'input-required');
        assert.equal(a2a.said(refusedOne)[1].error, 'Price moved beyond slippage');
    } finally {
        await buyCoins(CHAIN, 0.03);
    }
    await a2a.call('execute_swap', { approval_id: asked.approval_id }, { taskId: task.id });
    await completes(one);
});

test('a grant that could not be used and lapses ends its task', async () => {
    const { agent, a2a, task, asked } = await waiting('1.0');
    await operate('approve', asked.approval_id);
    await operate('stop', agent.id);
    try {
        const paused = a2a.is(await a2a.call('execute_swap', { approval_id: asked.approval_id }, { taskId: task.id }), 'input-required');
        assert.equal(a2a.said(paused)[0], 'Trading is paused by the operator');
    } finally {
        await operate('resume', agent.id);
    }
    await lapse(agent, asked);
    a2a.is(await a2a.get(task.id), 'rejected');
    agent.hook.close();
});

test('a task ends with its swap that is executed by REST', async () => {
    const one = await waiting('1.0');
    const { agent, a2a, task, asked } = one;
    await operate('approve', asked.approval_id);
    await asks(a2a, task, asked);
    granted(await agent.post('/swap/execute', { approval_id: asked.approval_id }));
    await completes(one);
    assert.equal((await a2a.post('send', { message: a2a.message([{ text: asked.approval_id }], { taskId: task.id }) })).body.error.code, a2a.words.unsupported);
});

test('lists know such tasks by their state, in the order of their moves', async () => {
    const { agent, a2a, task: first, asked } = await waiting('1.0');
    const second = await a2a.call('execute_swap', { quote_id: (await agent.quote('ETH', 'USDC', '0.1')).quote_id });
    const other = granted(await agent.get('/approvals')).approvals[0];
    const list = async (state) => ((await a2a.post('list', state === undefined ? {} : { status: a2a.words.state(state) })).body.result);
    const ids = ({ tasks }) => tasks.map(({ id }) => id);
    assert.deepEqual(ids(await list('submitted')), [second.id, first.id]);
    await operate('approve', asked.approval_id);
    assert.deepEqual([ids(await list('submitted')), ids(await list('input-required')), ids(await list())], [[second.id], [first.id], [first.id, second.id]]);
    await operate('deny', other.id);
    assert.deepEqual([ids(await list('failed')), ids(await list('rejected')), ids(await list())], [[], [second.id], [second.id, first.id]]);
    assert.equal((await list()).totalSize, 2);
    agent.hook.close();
});

test('a task that asks can be canceled, and its approval stays what it is', async () => {
    const { agent, a2a, task, asked } = await waiting('1.0');
    await operate('approve', asked.approval_id);
    a2a.is((await a2a.post('cancel', { id: task.id })).body.result, 'canceled');
    await operate('deny', asked.approval_id);
    a2a.is(await a2a.get(task.id), 'canceled');
    agent.hook.close();
});

test('pushes about the task report that it asks, then that it is rejected, and never that it failed', async () => {
    const { agent, a2a, task, asked } = await waiting('1.0');
    const hook = await receiver();
    assert.ok((await a2a.post('pushSet', { taskId: task.id, url: hook.url })).body.result);
    const told = () => hook.deliveries.map(({ raw }) => JSON.parse(raw).statusUpdate.status.state);
    await operate('approve', asked.approval_id);
    await until('the first push', () => told().length === 1);
    await operate('deny', asked.approval_id);
    await until('the second push', () => told().length === 2);
    assert.deepEqual(told(), ['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_REJECTED']);
    await until('the event of the swap', () => heard(agent, 'swap.failed', asked.swap_id).length === 1);
    assert.equal((await agent.events('?event_type=task.updated')).length, 2);
    hook.close();
    agent.hook.close();
});

test('the worker dies while a task takes its approval: the message finds its swap, or is run again', async () => {
    for (const point of ['a2a.begun', 'db.commit.before', 'db.commit.after', 'a2a.done']) {
        const one = await waiting('1.0');
        const { a2a, task, asked } = one;
        await operate('approve', asked.approval_id);
        const message = a2a.message([{ text: asked.approval_id }], { taskId: task.id });
        await withoutJobs(async () => {
            arm(point, 'kill', point.startsWith('db.') ? 2 : 1); // the first commit is the message's
            const answer = await a2a.post('send', { message }, { mayBreak: true }).catch((error) => ({ status: 599, text: error.message }));
            assert.ok(answer.status >= 500, show(answer));
            disarm();
        });
        await sql('UPDATE tasks SET lease_until = UTC_TIMESTAMP(3) WHERE lease_until > UTC_TIMESTAMP(3)');
        assert.equal((await a2a.send(message.parts, { messageId: message.messageId, taskId: task.id })).id, task.id);
        await completes(one);
    }
});
