// Section: api, apache
// GET /healthz, GET /readyz, GET /metrics.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { startGateway } from './gateway.mjs';
import {
    ROOT, readiness, receiver, refused, registerUnlimited, send, until,
} from './lib.mjs';

for (const path of ['/healthz', '/readyz']) {
    test(`${path} is green and needs no key`, async () => {
        const answer = await send('GET', path);
        assert.equal(answer.status, 200, answer.text);
        assert.match(answer.headers['content-type'], /^application\/json\b/);
        assert.match(answer.headers['cache-control'], /no-store/);
        assert.ok(!/password|svc_sk_|whsec_|\/var\/|\.sock/.test(answer.text), answer.text);
    });
}

test('/readyz shows the chains in use, the jobs and the stops', async () => {
    const agent = await registerUnlimited();
    await agent.quote('ETH', 'USDC', '0.1');
    const { chains, jobs, stops } = await until('a look at ethereum', async () => {
        const { body } = await send('GET', '/readyz');
        return body.chains.some(({ chain, height }) => chain === 'ethereum' && height !== null) && body;
    });
    const ethereum = chains.find(({ chain }) => chain === 'ethereum');
    assert.ok(ethereum.best_place === 1 && ethereum.height > 0 && ethereum.head_age_seconds >= 0, JSON.stringify(ethereum));
    for (const name of ['swap-poll', 'order-poll', 'webhook-drain', 'quote-expire', 'agent-purge', 'lend-watch']) {
        const job = jobs.find((each) => each.job === name);
        assert.ok(job.last_run_seconds >= 0 && job.failing === false, JSON.stringify(jobs));
    }
    assert.deepEqual([stops.trading_stopped, stops.database_older], [false, false]);
});

/** The notes about countries in /readyz of a gateway whose job got this answer. What another address said is kept, and a port comes again. */
async function notesAfter(answer) {
    const server = createServer((request, response) => response.end(answer)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const gateway = await startGateway([`predict_geoblock_url = http://127.0.0.1:${server.address().port}/${crypto.randomUUID()}`]);
    try {
        await gateway.pass('quote-expire');
        const { status, body } = await readiness({ base: gateway.base });
        assert.deepEqual([status, body.status], [200, 'ready']);
        return body.notes.filter((note) => /country/.test(note));
    } finally {
        await gateway.stop();
        server.close();
    }
}

test('/readyz notes that the prediction venue does not serve this country, and stays green', async () => {
    const served = { blocked: false, ip: '192.0.2.1', country: 'XX', region: '' };
    assert.deepEqual(await notesAfter(JSON.stringify(served)), []);
    assert.deepEqual(await notesAfter(JSON.stringify({ ...served, blocked: true })), ["Polymarket does not serve this server's country: XX"]);
    assert.deepEqual(await notesAfter(JSON.stringify({ blocked: true, country: '<b>' })), ["Polymarket does not serve this server's country"]);
    for (const nonsense of ['', '<html>', '[]', '{"blocked":"true"}', '{"blocked":true']) assert.deepEqual(await notesAfter(nonsense), []);
});

/** The figures by name and labels. */
async function metrics(options) {
    const answer = await send('GET', '/metrics', options);
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.headers['content-type'], /^text\/plain; version=0\.0\.4/);
    assert.match(answer.headers['cache-control'], /no-store/);
    const lines = answer.text.trim().split('\n');
    const types = new Set(lines.map((line) => /^# TYPE (\S+) (?:gauge|counter|histogram|summary)$/.exec(line)?.[1]));
    return new Map(lines.filter((line) => !line.startsWith('#')).map((line) => {
        const [, name, value] = /^([a-z_]+(?:\{.*\})?) (-?[\d.]+)$/.exec(line) ?? assert.fail(line);
        assert.ok(types.has(name.replace(/\{.*/, '')) || types.has(name.replace(/_(bucket|sum|count)\b.*/, '')), `${name} has no type`);
        return [name, Number(value)];
    }));
}

/** Does it again until each of these figures, by pattern, is larger than it was. */
async function grows(patterns, act) {
    const sum = (figures, pattern) => [...figures].filter(([name]) => pattern.test(name)).reduce((all, [, n]) => all + n, 0);
    const before = await metrics(), left = new Set(patterns);
    await until(`${patterns.length} figures to grow`, async () => {
        await act();
        const now = await metrics();
        for (const pattern of left) if (sum(now, pattern) > sum(before, pattern)) left.delete(pattern);
        return left.size === 0;
    }, { interval: 100 }).catch((error) => assert.fail(`${error.message}; left: ${[...left]}`));
}

test('/metrics tells monitors what is in order, what is due and what was answered', async () => {
    const before = await metrics();
    for (const part of ['database', 'durable', 'schema', 'room', 'signer', 'signer_writes', 'nodes']) assert.equal(before.get(`gateway_check{part="${part}"}`), 1);
    for (const work of ['swaps', 'orders', 'webhooks']) assert.ok(before.get(`gateway_overdue_seconds{work="${work}"}`) >= 0);
    for (const name of ['swaps_in_flight', 'webhooks_waiting', 'approvals_waiting', 'agents_stopped']) assert.ok(before.get(`gateway_${name}`) >= 0, name);
    assert.equal(before.get('gateway_ready'), 1);
    assert.equal(before.get('gateway_trading_stopped'), 0);
    assert.ok(before.get('gateway_start_time_seconds') > 1.7e9);
    assert.ok(before.get('gateway_workers{state="idle"}') > 0);
    assert.ok(before.get('gateway_job_last_run_time_seconds{job_name="swap-poll"}') > 1.7e9);
    assert.ok(before.size <= 2000, `${before.size} series`);
    refused(await send('GET', '/nothing'), 'Not found');
    const after = await metrics();
    for (const labels of ['method="",path="",code="404"', 'method="GET",path="/metrics",code="200"']) {
        const name = `gateway_requests_total{${labels}}`;
        assert.ok(after.get(name) > (before.get(name) ?? 0), `${name}: ${before.get(name)}, then ${after.get(name)}`);
    }
    const times = (le) => after.get(`gateway_request_seconds_bucket{method="GET",path="/metrics",le="${le}"}`);
    assert.ok(times('5.000000') <= times('+Inf') && times('0.005000') <= times('0.050000'));
    assert.equal(times('+Inf'), after.get('gateway_request_seconds_count{method="GET",path="/metrics"}'));
});

test('/metrics counts a swap on its whole way, in workers and in jobs', async () => {
    const hook = await receiver();
    const agent = await registerUnlimited();
    await agent.listen(hook.url);
    await agent.wallet('ethereum', '1');
    // One may be ended, and counted, by the job of a gateway that another test has started next to the stack's.
    await grows([
        /^gateway_quotes_total\{provider="[a-z0-9-]+",outcome="offered"\}/,
        /^gateway_signatures_total$/,
        /^gateway_rpc_seconds_count\{chain="ethereum",node="http:\/\/127\.0\.0\.1:\d+"\}/,
        /^gateway_swaps_accepted_total\{chain="ethereum"\}/,
        /^gateway_swaps_usd_total\{chain="ethereum"\}/,
        /^gateway_swaps_completed_total\{chain="ethereum"\}/,
        /^gateway_swap_seconds_count/,
        /^gateway_webhook_attempts_total\{outcome="delivered"\}/,
        /^gateway_request_seconds_bucket\{method="POST",path="\/v1\/agent\/swap\/execute",le="\+Inf"\}/,
    ], async () => agent.completed(await agent.swap('ETH', 'USDC', '0.001')));
    hook.close();
});

test('/metrics is there for those alone whom the operator names', async () => {
    const gateway = await startGateway(['trusted_proxies = 127.0.0.1', 'metrics_from = 198.51.100.0/24']);
    const from = (address) => ({ base: gateway.base, headers: { 'x-forwarded-for': address } });
    try {
        await metrics(from('198.51.100.7'));
        refused(await send('GET', '/metrics', from('203.0.113.1')), 'Not found');
        refused(await send('GET', '/metrics', { base: gateway.base }), 'Not found');
    } finally {
        await gateway.stop();
    }
});

test('/metrics is closed unless the operator says otherwise', async () => {
    const shipped = /^metrics_from =\s*$/m;
    assert.match(await readFile(`${ROOT}conf/gateway.conf`, 'utf8'), shipped);
    const gateway = await startGateway(['metrics_from =']);
    try {
        refused(await send('GET', '/metrics', { base: gateway.base }), 'Not found');
    } finally {
        await gateway.stop();
    }
});

test('/metrics does not exist for a request through a proxy that is not trusted', async () => {
    await metrics();
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-proto', 'x-forwarded-host'])
        refused(await send('GET', '/metrics', { headers: { [name]: '127.0.0.1' } }), 'Not found');
    // One that says nothing of itself passes on whom was asked for.
    for (const host of ['gw.example', 'localhost.example', '192.0.2.1', '127.0.0.1.example'])
        refused(await send('GET', '/metrics', { headers: { host } }), 'Not found');
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1', '[::1]:8080']) await metrics({ headers: { host } });
});
