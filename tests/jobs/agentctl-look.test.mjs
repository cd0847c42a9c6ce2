// Section: operator
// Reports of the operator's command: the state of the service, executions, webhooks, objects by name, the audit log.

import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { test } from 'node:test';
import {
    ISO_TIME, granted, receiver, register, until,
} from '../api/lib.mjs';
import {
    JOBS, agentctl, operate, processes, settings, signal, sql, trader, withoutBlocks,
} from './lib.mjs';

const look = async (...args) => JSON.parse(await operate('--json', ...args));
const part = async (name) => (await look('status')).parts.find((each) => each.name === name);
const ids = ({ swaps }) => swaps.map(({ id }) => id);

// ---------------------------------------------------------------- status and check

test('status names what the stack names, and the chains', async () => {
    const { parts, nodes, queues, stops } = await look('status');
    const names = parts.map(({ name }) => name);
    const running = new Set((await processes()).map(([name]) => name));
    for (const name of ['mariadbd', 'mysqld', 'lighttpd', 'apache2', 'gateway', 'signer', 'cron', ...JOBS]) if (running.has(name)) assert.ok(names.includes(name), `${name} of ${names}`);
    for (const name of ['schema', 'durable', 'logs', 'quote-expire', 'agent-purge', 'token-refresh', 'lend-watch', 'ethereum', 'base']) assert.ok(names.includes(name), `${name} of ${names}`);
    for (const { name, ok, detail } of parts) assert.ok(ok === true && detail.length > 0, `${name}: ${detail}`);
    const node = nodes.find(({ chain }) => chain === 'ethereum');
    assert.match(node.host, /^127\.0\.0\.1:\d+$/);
    assert.ok(node.head > 0 && node.age_s >= 0 && node.latency_ms >= 0);
    assert.equal(node.error, null);
    for (const { chain, age_s: age } of nodes) assert.ok(age >= 0 && age < 60, `${chain}: ${age}`);
    assert.deepEqual(queues.map(({ queue }) => queue), ['swaps', 'orders', 'bridges', 'webhooks', 'approvals']);
    assert.deepEqual(stops, []);
    assert.match(await operate('status'), /^ethereum +yes +1 of 1 nodes, block \d+$/m);
});

test('stops are seen', async () => {
    const agent = await register({ name: 'held' });
    await operate('stop', agent.id);
    await operate('ban', agent.id);
    await operate('stop', 'all');
    try {
        const { stops } = await look('status');
        assert.deepEqual(stops.map(({ agent: id, trading, access }) => [id, trading, access]), [['all', 'stopped', 'allowed'], [agent.id, 'stopped', 'banned']]);
        assert.equal(stops[1].name, 'held');
        const { code, out } = await agentctl('check');
        assert.equal(code, 1);
        assert.match(out, /^GATEWAY WARNING - (?:.*; )?trading: stopped for all agents \|.* stops=2;;;0/);
    } finally {
        for (const [verb, whom] of [['resume', 'all'], ['resume', agent.id], ['unban', agent.id]]) await operate(verb, whom);
    }
});

test('check says in a line that all is well, with figures', async () => {
    const { code, out } = await agentctl('check');
    assert.equal(code, 0, out);
    assert.match(out, /^GATEWAY OK - \d+ parts in order \| swaps=\d+;;;0 swaps_oldest=\d+s;;;0 .* ethereum_1_head_age=\d+s;;;0 [^\n]*\n$/);
});

test('a job that has not run is named, and degrades', async () => {
    await sql("UPDATE job_runs SET done_at = done_at - INTERVAL 1 DAY WHERE job = 'token-refresh'");
    try {
        assert.match((await part('token-refresh')).detail, /^has completed no step for 86\d\d\d s, and no process of it runs here: look at its unit or its line of the crontab$/);
        await sql("UPDATE job_runs SET failed_at = UTC_TIMESTAMP(3) WHERE job = 'token-refresh'");
        assert.match((await part('token-refresh')).detail, /^has completed no step for 86\d\d\d s: see its log$/);
        const { code, out } = await agentctl('check');
        assert.equal(code, 1);
        assert.match(out, /^GATEWAY WARNING - (?:.*; )?token-refresh: has completed no step/);
        await sql("DELETE FROM job_runs WHERE job = 'token-refresh'");
        assert.equal((await part('token-refresh')).detail, 'has never run: look at its unit or its line of the crontab');
    } finally {
        await sql("REPLACE INTO job_runs (job, done_at) VALUES ('token-refresh', UTC_TIMESTAMP(3))");
    }
});

test('a job whose process has ended is named within a minute; one that is busy with a long step is not', async () => {
    const running = async (...names) => (await processes()).filter(([name]) => names.includes(name)).map(([, pid]) => pid);
    const stopped = await running('cron', 'swap-poll');
    for (const pid of stopped) signal(pid, 'SIGSTOP');
    try {
        await sql("UPDATE job_runs SET done_at = UTC_TIMESTAMP(3) - INTERVAL 50 SECOND WHERE job = 'swap-poll'");
        assert.equal((await part('swap-poll')).ok, true);
        for (const pid of await running('swap-poll')) { signal(pid, 'SIGTERM'); signal(pid, 'SIGCONT'); }
        await until('the job to end', async () => (await running('swap-poll')).length === 0);
        await sql("UPDATE job_runs SET done_at = UTC_TIMESTAMP(3) - INTERVAL 50 SECOND WHERE job = 'swap-poll'");
        const { code, out } = await agentctl('check');
        assert.equal(code, 1, out);
        assert.match(out, /swap-poll: has completed no step for 5\d s, and no process of it runs here/);
    } finally {
        for (const pid of stopped) signal(pid, 'SIGCONT');
    }
    await until('the job to run again', async () => (await part('swap-poll')).ok);
});

test('cron counts as gone when no job was at work', async () => {
    const cron = (await processes()).filter(([name]) => name === 'cron' || JOBS.includes(name)).map(([, pid]) => pid);
    for (const pid of cron) signal(pid, 'SIGSTOP');
    try {
        await sql('UPDATE job_runs SET done_at = done_at - INTERVAL 200 SECOND, failed_at = failed_at - INTERVAL 1 DAY');
        const { ok, detail } = await part('cron');
        assert.equal(ok, false);
        assert.match(detail, /^no job has been at work for 2\d\d s: does cron, or do the timers run\?$/);
    } finally {
        for (const pid of cron) signal(pid, 'SIGCONT');
    }
    await until('a job to have run', async () => (await part('cron')).ok);
});

test('jobs say that they run', async () => {
    await sql("UPDATE job_runs SET done_at = NULL WHERE job = 'swap-poll'");
    await until('the job to have run', async () => (await part('swap-poll')).ok);
});

test('a signer that is gone is critical', async () => {
    const [[, pid]] = (await processes()).filter(([name]) => name === 'signer');
    signal(pid, 'SIGSTOP');
    try {
        const { code, out } = await agentctl('check');
        assert.equal(code, 2);
        assert.match(out, /^GATEWAY CRITICAL - (?:.*; )?signer: does not answer(?:;| \|)/);
    } finally {
        signal(pid, 'SIGCONT');
    }
});

test('a signer whose socket is gone is critical, and the cause is named', async () => {
    const socket = `${settings().GATEWAY_PRIVATE}/signer.sock`;
    renameSync(socket, `${socket}.away`);
    try {
        const { code, out } = await agentctl('check');
        assert.equal(code, 2);
        assert.match(out, /^GATEWAY CRITICAL - (?:.*; )?signer: does not answer: \/\S+: No such file or directory(?:;| \|)/);
    } finally {
        renameSync(`${socket}.away`, socket);
    }
});

test('a web server that is gone is critical', async () => {
    const web = (await processes()).filter(([name]) => /^(lighttpd|apache2)$/.test(name)).map(([, pid]) => pid);
    for (const pid of web) signal(pid, 'SIGSTOP');
    try {
        const { code, out } = await agentctl('check');
        assert.equal(code, 2);
        assert.match(out, /^GATEWAY CRITICAL - (?:.*; )?(?:lighttpd|apache2): http:\/\/127\.0\.0\.1:\d+: timed out/);
    } finally {
        for (const pid of web) signal(pid, 'SIGCONT');
    }
});

test('a node that is gone is named with its chain', async () => {
    const [[, pid]] = (await processes()).filter(([name]) => name === 'anvil-ethereum');
    signal(pid, 'SIGSTOP');
    try {
        const { ok, detail } = await part('ethereum');
        assert.equal(ok, false);
        assert.match(detail, /^no node answers: 127\.0\.0\.1:\d+: /);
    } finally {
        signal(pid, 'SIGCONT');
    }
});

// ---------------------------------------------------------------- executions

test('a swap is shown with its history, its transactions and what comes next', async () => {
    const agent = await trader('ethereum');
    const id = await withoutBlocks('ethereum', async () => {
        const swap = await agent.swap('ETH', 'USDC', '0.01');
        await until('the node to have it', async () => (await look('swap', swap)).status === 'submitted');
        const { next, next_at: at, transactions: [transaction] } = await look('swap', swap);
        assert.match(next, /^nodes have its transaction|^a job is at work on it$/);
        assert.ok(at === null || ISO_TIME.test(at));
        assert.deepEqual([transaction.chain, transaction.state, transaction.said], ['ethereum', 'open', 'taken']);
        assert.ok(!ids(await look('swaps', agent.id, '--stuck')).includes(swap));
        await sql(`UPDATE executions SET updated_at = updated_at - INTERVAL 11 MINUTE WHERE id = ${swap}`);
        assert.deepEqual(ids(await look('swaps', agent.id, '--stuck')), [swap]);
        return swap;
    });
    const { tx_hash: hash } = await agent.completed(id);
    const shown = await look('swap', id);
    assert.deepEqual([shown.id, shown.agent, shown.kind, shown.status, shown.in, shown.error], [id, agent.id, 'swap', 'completed', '0.01 ETH on ethereum', null]);
    assert.match(shown.out, /^\d+(\.\d+)? USDC on ethereum$/);
    assert.equal(shown.history[0].from, null);
    assert.equal(shown.history.at(-1).to, 'completed');
    for (const { at, why } of shown.history) assert.ok(ISO_TIME.test(at) && why.length > 0);
    assert.ok(shown.transactions.some((each) => each.hash === hash && each.block > 0));
    assert.deepEqual(ids(await look('swaps', agent.id)), [id]);
    assert.deepEqual(ids(await look('swaps', agent.id, '--failed')), []);
    assert.match(await operate('swap', id), /^next +\S/m);
    for (const unknown of ['0', '99999999', 'x']) {
        const { code, err } = await agentctl('swap', unknown);
        assert.deepEqual([code, err], [1, `agentctl: no such swap: ${unknown}\n`]);
    }
    agent.hook.close();
});

// ---------------------------------------------------------------- webhooks

test('events are listed by how they stand, and sent again', async () => {
    const dead = await receiver(() => 410);
    const agent = await trader('base');
    await agent.listen(dead.url);
    await agent.completed(await agent.swap('ETH', 'USDC', '0.01', { chain: 'base' }));
    const [event] = await until('the event to fail', async () => {
        const { events } = await look('events', agent.id, '--failed');
        return events.length === 1 && events;
    });
    assert.deepEqual([event.agent, event.type, event.attempts, event.response, event.error, event.next_attempt], [agent.id, 'swap.completed', 1, 410, 'HTTP 410', null]);
    assert.deepEqual((await look('events', agent.id, '--waiting')).events, []);
    const hook = await receiver();
    await agent.listen(hook.url);
    assert.equal(await operate('redeliver', event.id), `${event.id}: is sent again\n`);
    assert.equal((await hook.delivery()).headers['webhook-id'], event.id);
    await until('it to be delivered', async () => (await look('events', agent.id)).events.find(({ id }) => id === event.id).status === 'delivered');
    await agent.listen(null);
    for (const [id, why] of [[event.id, 'its agent has no callback_url'], [`msg_${'0'.repeat(32)}`, `no such event: msg_${'0'.repeat(32)}`], ['x', 'no such event: x']]) {
        const { code, err } = await agentctl('redeliver', id);
        assert.deepEqual([code, err], [1, `agentctl: ${why}\n`]);
    }
    for (const each of [dead, hook]) each.close();
});

// ---------------------------------------------------------------- find

test('an object is found by its id, name, address or hash', async () => {
    const agent = await trader('base');
    const id = await agent.swap('ETH', 'USDC', '0.01', { chain: 'base' });
    const { tx_hash: hash } = await agent.completed(id);
    await agent.hook.delivery();
    const [{ id: event }] = await agent.events();
    const { name } = granted(await agent.get('/me')).agent;
    const found = async (text) => (await look('find', text)).found;
    assert.deepEqual((await found(agent.id)).map((each) => [each.kind, each.id, each.what]), [['agent', agent.id, name]]);
    const other = await register({ name: 'Zwölf Störche' });
    assert.deepEqual((await found('zwölf st')).map((each) => [each.kind, each.id]), [['agent', other.id]]);
    assert.deepEqual((await found(agent.address)).map((each) => [each.kind, each.id]), [['agent', agent.id]]);
    assert.deepEqual((await found(hash)).map((each) => [each.kind, each.id, each.what]), [['swap', String(id), 'its transaction: swap of 0.01 ETH on base: completed']]);
    assert.ok((await found(String(id))).some((each) => each.kind === 'swap' && each.id === String(id)));
    assert.deepEqual((await found(event)).map((each) => [each.kind, each.what]), [['event', `swap.completed of agent ${agent.id}: delivered`]]);
    const { code, err } = await agentctl('find', 'nobody-is-called-this');
    assert.deepEqual([code, err], [1, 'agentctl: nothing is called that: nobody-is-called-this\n']);
    agent.hook.close();
});

test('a request is found by its id: by what it made, and in the log if it failed', async () => {
    const agent = await trader('base');
    const { quote_id: quote } = await agent.quote('ETH', 'USDC', '0.01', { chain: 'base' });
    const accepted = await agent.post('/swap/execute', { quote_id: quote });
    const refusal = await agent.post('/swap/execute', { quote_id: quote });
    const id = granted(accepted).swap_id;
    await agent.completed(id);
    const found = async ({ headers }) => (await look('find', headers['x-request-id'])).found;
    const made = (await found(accepted)).filter(({ kind }) => kind === 'swap');
    assert.deepEqual(made, [{ kind: 'swap', id: String(id), what: 'its request: swap of 0.01 ETH on base: completed' }]);
    assert.equal((await look('swap', id)).request_id, accepted.headers['x-request-id']);
    const [{ kind, id: file, what }] = await found(refusal);
    assert.deepEqual([kind, file], ['log', 'gateway.log']);
    assert.match(what, /event=request request_id=\S+ method=POST path="\/v1\/agent\/swap\/execute" status=404 .*error_code=QUOTE_NOT_FOUND$/);
    agent.hook.close();
});

// ---------------------------------------------------------------- top

test('top lists the agents that keep the host busy', async () => {
    const agent = await register({ name: 'busy one' });
    const before = (await look('top')).agents.find(({ agent: id }) => id === agent.id);
    assert.equal(before, undefined);
    for (let i = 0; i < 5; i += 1) granted(await agent.get('/me'));
    await agent.quote('ETH', 'USDC', '0.01', { chain: 'base' });
    await agent.get('/swap/status/99999999');
    const { requests, refused, work_ms: work, name } = (await look('top')).agents.find(({ agent: id }) => id === agent.id);
    assert.deepEqual([requests, refused, name], [7, 1, 'busy one']);
    assert.ok(work > 0 && work < 60_000, `${work} ms`);
    assert.match(await operate('top'), new RegExp(`^${agent.id} +7 +1 +${work} +busy one$`, 'm'));
});

// ---------------------------------------------------------------- audit

test('a change is in the audit log with its reason', async () => {
    const agent = await register();
    await operate('tier', agent.id, 'premium');
    await operate('--reason', 'asked for by mail', 'tier', agent.id, 'standard');
    const { lines } = await look('audit', agent.id);
    assert.deepEqual(lines.map(({ by, act, reason }) => [by, act, reason]), [['operator', 'tier', 'asked for by mail'], ['operator', 'tier', null]]);
    for (const { at, detail } of lines) assert.ok(ISO_TIME.test(at) && !detail.includes(agent.id));
    assert.match(await operate('audit'), /^\S+ +\S+ +operator +- +tier +\[.*"standard"\] +asked for by mail$/m);
    const { code, err } = await agentctl('--reason', 'two\nlines', 'tier', agent.id, 'premium');
    assert.deepEqual([code, err], [1, 'agentctl: the reason has to be a line of text, of at most 1024 bytes\n']);
    assert.equal(granted(await agent.get('/me')).agent.rate_limit_tier, 'standard');
    await operate('audit-verify');
});
