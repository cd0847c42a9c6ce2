// Section: api
// Deliveries, GET /webhooks and /webhooks/{id}, POST /webhooks/test, /webhooks/secret, /webhooks/{id}/redeliver and
// /webhooks/recover.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
    ISO_TIME, granted, hasMembers, receiver, refused, register, registerUnlimited, until, verified,
} from './lib.mjs';
import { testListFaults } from './lists.mjs';

const EVENT = ['id', 'event_type', 'status', 'attempts', 'last_error', 'response_status', 'callback_url', 'created_at', 'delivered_at', 'next_attempt_at'];
const UNREACHABLE = 'http://127.0.0.1:9/unreachable';

/** An agent that hears of its swaps at this URL. */
async function listener(url) {
    const agent = await register();
    agent.secret = await agent.listen(url);
    await agent.wallet('base', 5);
    agent.trade = () => agent.swap('ETH', 'USDC', '0.01', { chain: 'base' });
    agent.traded = async () => agent.completed(await agent.trade());
    return agent;
}

// Security events have a file of their own, security-events.test.mjs.
const ofSwaps = (agent, query = '') => agent.events(`?event_type=swap.completed${query}`);
const eventWhere = (agent, what, fits) => until(what, async () => (await ofSwaps(agent)).find(fits));
const swapsTold = ({ deliveries }) => deliveries.filter(({ raw }) => JSON.parse(raw).type === 'swap.completed');

const shown = async (agent, id) => granted(await agent.get(`/webhooks/${id}`)).event;

// ---------------------------------------------------------------- deliveries

test('a delivery is signed over exactly what was sent', async () => {
    const hook = await receiver();
    const agent = await listener(hook.url);
    const begun = Date.now() / 1000;
    const swap = await agent.traded();
    const delivery = await hook.delivery();
    assert.equal(verified(delivery, agent.secret).data.swap_id, swap.swap_id);
    assert.equal(delivery.path, hook.path);
    assert.equal(delivery.headers.authorization, undefined);
    assert.match(delivery.headers['webhook-id'], /^[^.\s]{10,}$/);
    assert.match(delivery.headers['webhook-timestamp'], /^\d{10}$/);
    const sent = Number(delivery.headers['webhook-timestamp']);
    assert.ok(sent >= begun - 1 && sent <= Date.now() / 1000 + 1, String(sent));
    assert.ok(!delivery.raw.includes(agent.key) && !delivery.raw.includes('whsec_'));
    const foreign = await (await register()).listen(UNREACHABLE);
    assert.throws(() => verified(delivery, foreign));
    assert.throws(() => verified({ ...delivery, raw: delivery.raw.replace('completed', 'completeD') }, agent.secret));
    assert.throws(() => new Webhook(agent.secret).verify(delivery.raw, { ...delivery.headers, 'webhook-id': 'msg_other' }));
    hook.close();
});

test('a kept connection that ends without an answer costs an attempt, and each attempt is one request', async () => {
    const seen = [];
    const used = new WeakSet();
    const server = createServer((request, response) => {
        request.resume().on('end', () => {
            seen.push(request.headers['webhook-id']);
            if (used.has(request.socket)) {
                request.socket.destroy();
                return;
            }
            used.add(request.socket);
            response.end();
        });
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    const agent = await listener(`http://127.0.0.1:${server.address().port}/hook`);
    // The job that delivers is one process: it keeps the connection of the first event for the second one.
    for (let i = 1; i <= 3; i += 1) {
        await agent.traded();
        await until(`event ${i} to be delivered`, async () => (await agent.events('?status=delivered')).length === i);
    }
    const events = await agent.events();
    assert.equal(seen.length, events.reduce((sum, { attempts }) => sum + attempts, 0), JSON.stringify(events));
    assert.ok(seen.length > 3, 'no kept connection was used');
    server.close();
});

test('an event that is not acknowledged is sent again, with the same id and a new signature', async () => {
    const hook = await receiver((_, count) => (count === 1 ? 500 : 204));
    const agent = await listener(hook.url);
    await agent.traded();
    const waiting = await eventWhere(agent, 'the first attempt', ({ attempts }) => attempts === 1);
    hasMembers(waiting, EVENT);
    assert.deepEqual([waiting.status, waiting.response_status, waiting.delivered_at], ['pending', 500, null]);
    assert.equal(typeof waiting.last_error, 'string');
    assert.ok(Date.parse(waiting.next_attempt_at) > Date.parse(waiting.created_at));
    const done = await eventWhere(agent, 'the second attempt', ({ status }) => status === 'delivered');
    assert.deepEqual([done.id, done.attempts, done.response_status], [waiting.id, 2, 204]);
    assert.match(done.delivered_at, ISO_TIME);
    const [first, second] = hook.deliveries;
    assert.deepEqual([first.raw, first.headers['webhook-id']], [second.raw, second.headers['webhook-id']]);
    assert.equal(first.headers['webhook-id'], done.id);
    assert.notEqual(first.headers['webhook-timestamp'], second.headers['webhook-timestamp']);
    const gap = Number(second.headers['webhook-timestamp']) - Number(first.headers['webhook-timestamp']);
    assert.ok(gap >= 3 && gap <= 12, `the second attempt came after ${gap} s`);
    for (const delivery of [first, second]) verified(delivery, agent.secret);
    assert.equal(done.next_attempt_at, null);
    const { attempt_log: log, payload, ...rest } = await shown(agent, done.id);
    assert.deepEqual([rest, payload], [done, JSON.parse(first.raw)]);
    assert.deepEqual(log.map(({ response_status: status, error }) => [status, error]), [[500, 'HTTP 500'], [204, null]]);
    for (const { at, ms } of log) {
        assert.match(at, ISO_TIME);
        assert.ok(Number.isInteger(ms) && ms >= 0, `${ms} ms`);
    }
    assert.ok(log[0].at < log[1].at);
    assert.equal(hook.deliveries.length, 2);
    hook.close();
});

test('410 ends an event at once; the URL stays', async () => {
    const hook = await receiver(() => 410);
    const agent = await listener(hook.url);
    await agent.traded();
    const event = await eventWhere(agent, 'the event to fail', ({ status }) => status === 'failed');
    assert.deepEqual([event.attempts, event.response_status, event.delivered_at], [1, 410, null]);
    assert.equal(granted(await agent.get('/me')).agent.callback_url, hook.url);
    hook.close();
});

test('redirects are a failure and are not followed', async () => {
    const hook = await receiver(() => 302);
    const agent = await listener(hook.url);
    await agent.traded();
    const event = await eventWhere(agent, 'an attempt', ({ attempts }) => attempts >= 1);
    assert.deepEqual([event.status, event.response_status], ['pending', 302]);
    assert.deepEqual(new Set(hook.deliveries.map(({ path }) => path)), new Set([hook.path]));
    hook.close();
});

test('a receiver that does not listen: the attempt counts and its reason is reported', async () => {
    const agent = await listener(UNREACHABLE);
    await agent.traded();
    const event = await eventWhere(agent, 'an attempt', ({ attempts }) => attempts >= 1);
    assert.deepEqual([event.status, event.response_status, event.callback_url, event.delivered_at], ['pending', null, UNREACHABLE, null]);
    assert.ok(typeof event.last_error === 'string' && event.last_error.length > 0);
    const [attempt] = (await shown(agent, event.id)).attempt_log;
    assert.deepEqual([attempt.response_status, attempt.error], [null, event.last_error]);
});

test('a receiver that never answers delays no other receiver', async () => {
    const held = [];
    const slow = await receiver(() => new Promise((resolve) => { held.push(resolve); }));
    const quick = await receiver();
    const [patient, hasty] = [await listener(slow.url), await listener(quick.url)];
    await Promise.all([patient.traded(), patient.traded(), patient.traded()]);
    await slow.delivery();
    await hasty.traded();
    await quick.delivery();
    assert.deepEqual((await patient.events()).map(({ attempts }) => attempts), [0, 0, 0], 'the slow ones are still waited for');
    assert.equal((await eventWhere(hasty, 'the delivery', ({ status }) => status === 'delivered')).attempts, 1);
    for (const release of held) release(200);
    await until('the slow ones to be delivered', async () => {
        for (const release of held) release(200);
        return (await patient.events()).filter(({ status }) => status === 'delivered').length === 3;
    });
    slow.close();
    quick.close();
});

test('the time of their creation narrows the list of events and its total', async () => {
    const agent = await listener(UNREACHABLE);
    await agent.traded();
    await agent.traded();
    const all = await ofSwaps(agent);
    const at = all[0].created_at;
    const page = async (query) => {
        const { events, pagination } = granted(await agent.get(`/webhooks?${query}`));
        return [events.map(({ id }) => id), pagination.total];
    };
    const ids = (events) => [events.map(({ id }) => id), events.length];
    const type = `event_type=${all[0].event_type}`;
    const alike = all.filter(({ event_type: each }) => each === all[0].event_type);
    assert.deepEqual(await page(`since=${at}&${type}`), ids(alike.filter((each) => each.created_at >= at)));
    assert.deepEqual(await page(`until=${at}&${type}`), ids(alike.filter((each) => each.created_at < at)));
    assert.deepEqual(await page(`since=${at}&status=delivered`), [[], 0]);
    refused(await agent.get('/webhooks?until=2026'), 'Validation failed', ['until']);
});

test('without a callback there is no event', async () => {
    const agent = await register();
    await agent.wallet('base', 5);
    await agent.completed(await agent.swap('ETH', 'USDC', '0.01', { chain: 'base' }));
    const { events, pagination } = granted(await agent.get('/webhooks'));
    assert.deepEqual([events, pagination], [[], { total: 0, limit: 20, offset: 0, has_more: false }]);
});

test('the URL is the one of the time of the event; removing it fails what is pending', async () => {
    const agent = await listener(UNREACHABLE);
    await agent.traded();
    await eventWhere(agent, 'an attempt', ({ attempts }) => attempts >= 1);
    const hook = await receiver();
    await agent.listen(hook.url);
    await agent.traded();
    await hook.delivery();
    const [second, first] = await until('the delivery to be recorded', async () => {
        const events = await ofSwaps(agent);
        return events[0].status === 'delivered' && events;
    });
    assert.deepEqual([first.callback_url, first.status, second.callback_url], [UNREACHABLE, 'pending', hook.url]);
    await agent.listen(null);
    const after = await ofSwaps(agent);
    assert.deepEqual(after.map(({ status }) => status), ['delivered', 'failed']);
    assert.equal(typeof after[1].last_error, 'string');
    assert.equal(granted(await agent.get('/webhooks?event_type=swap.completed&status=pending')).pagination.total, 0);
    assert.equal(granted(await agent.get('/webhooks?event_type=swap.completed&status=failed')).pagination.total, 1);
    hook.close();
});

// ---------------------------------------------------------------- the list

test('the list of deliveries', async (t) => {
    const hook = await receiver((_, count) => (count === 1 ? 410 : 200));
    const agent = await listener(hook.url);
    await agent.traded();
    await eventWhere(agent, 'the first event to fail', ({ status }) => status === 'failed');
    for (let i = 0; i < 2; i++) await agent.traded();
    const all = await until('all to be delivered', async () => {
        const events = await agent.events();
        return events.length === 3 && events.every(({ status }) => status !== 'pending') && events;
    });
    const ids = all.map(({ id }) => id);
    const page = async (query) => granted(await agent.get(`/webhooks${query}`));

    await t.test('newest first, with all their members', () => {
        for (const event of all) {
            hasMembers(event, EVENT);
            assert.equal(typeof event.id, 'string');
            assert.match(event.created_at, ISO_TIME);
        }
        assert.deepEqual(all.map(({ status }) => status), ['delivered', 'delivered', 'failed']);
        const times = all.map(({ created_at: time }) => Date.parse(time));
        assert.deepEqual(times, [...times].sort((a, b) => b - a));
    });
    for (const [query, wanted, total, limit, offset] of [
        ['', [0, 1, 2], 3, 20, 0],
        ['?limit=2', [0, 1], 3, 2, 0],
        ['?limit=2&offset=2', [2], 3, 2, 2],
        ['?offset=3', [], 3, 20, 3],
        ['?limit=100', [0, 1, 2], 3, 100, 0],
        ['?status=delivered', [0, 1], 2, 20, 0],
        ['?status=delivered&limit=1&offset=1', [1], 2, 1, 1],
        ['?status=failed', [2], 1, 20, 0],
        ['?status=pending', [], 0, 20, 0],
        ['?event_type=swap.completed', [0, 1, 2], 3, 20, 0],
        ['?event_type=swap.completed&status=failed', [2], 1, 20, 0],
        ['?event_type=swap.completed&limit=1', [0], 3, 1, 0],
        ['?event_type=swap.failed', [], 0, 20, 0],
        ['?event_type=nothing.known', [], 0, 20, 0],
        ['?event_type=%27%20OR%201=1', [], 0, 20, 0],
        ['?event_type=caf%C3%A9', [], 0, 20, 0],
        ['?event_type=%F0%9F%98%80&status=failed', [], 0, 20, 0],
    ]) {
        await t.test(`page ${query}`, async () => {
            const { events, pagination } = await page(query);
            assert.deepEqual(events.map(({ id }) => id), wanted.map((i) => ids[i]));
            assert.deepEqual(pagination, { total, limit, offset, has_more: offset + wanted.length < total });
        });
    }
    await t.test('others do not see it', async () => {
        assert.deepEqual(await (await register()).events(), []);
    });
    hook.close();
});

testListFaults(await register(), '/webhooks', ['submitted', 'completed', 'DELIVERED', '', 'x', '1', "'"]);

// ---------------------------------------------------------------- POST /webhooks/test

const tryOut = (who, more) => who.send('POST', '/webhooks/test', more);

test('a test event is delivered within the request, and listed', async () => {
    const hook = await receiver(() => 202);
    const tester = await register();
    const secret = await tester.listen(hook.url);
    const begun = Date.now();
    const body = granted(await tryOut(tester));
    const took = Date.now() - begun;
    hasMembers(body, ['success', 'callback_url', 'status_code', 'response_time_ms']);
    assert.deepEqual([body.callback_url, body.status_code], [hook.url, 202]);
    assert.ok(Number.isInteger(body.response_time_ms) && body.response_time_ms >= 0 && body.response_time_ms <= took);
    assert.equal(hook.deliveries.length, 1);
    const payload = verified(hook.deliveries[0], secret);
    assert.equal(payload.type, 'webhook.test');
    assert.match(payload.timestamp, ISO_TIME);
    assert.equal(payload.data.agent_id, tester.id);
    const { events, pagination } = granted(await tester.get('/webhooks?event_type=webhook.test&status=delivered'));
    assert.equal(pagination.total, 1);
    hasMembers(events[0], EVENT);
    assert.equal(events[0].id, hook.deliveries[0].headers['webhook-id']);
    assert.deepEqual([events[0].status, events[0].attempts, events[0].response_status, events[0].last_error], ['delivered', 1, 202, null]);
    assert.match(events[0].delivered_at, ISO_TIME);
    hook.close();
});

for (const [status, error] of [[500, 'HTTP 500'], [410, 'HTTP 410'], [302, 'HTTP 302 (redirects are not followed)']]) {
    test(`a test event that is answered with ${status} failed, and is not sent again`, async () => {
        const hook = await receiver(() => status);
        const tester = await register();
        await tester.listen(hook.url);
        const answer = await tryOut(tester);
        assert.deepEqual([answer.status, answer.body.success, answer.body.status_code, answer.body.error], [200, false, status, error]);
        const [event] = await tester.events();
        assert.deepEqual([event.status, event.attempts, event.response_status, event.last_error, event.delivered_at], ['failed', 1, status, error, null]);
        assert.equal(event.next_attempt_at, null);
        assert.equal(hook.deliveries.length, 1);
        hook.close();
    });
}

test('a test event without an answer has no status code', async () => {
    const tester = await register();
    await tester.listen(UNREACHABLE);
    const answer = await tryOut(tester);
    assert.deepEqual([answer.status, answer.body.success, answer.body.status_code, answer.body.callback_url], [200, false, null, UNREACHABLE]);
    assert.equal(answer.body.error, 'could not connect');
    const [event] = await tester.events();
    assert.deepEqual([event.status, event.response_status, event.last_error], ['failed', null, 'could not connect']);
});

test('without a callback there is nothing to test', async () => {
    const tester = await register();
    refused(await tryOut(tester), 'No callback_url configured');
    assert.deepEqual(await tester.events(), []);
});

test('test events wait for at most a third of the workers; beyond it 429', async () => {
    const held = [];
    const hook = await receiver(() => new Promise((resolve) => { held.push(resolve); }));
    const tester = await registerUnlimited();
    await tester.listen(hook.url);
    const ended = [];
    const underWay = Array.from({ length: 60 }, () => tryOut(tester, { patient: false }).then((answer) => { ended.push(answer); return answer; }));
    await until('each to wait or to be refused', () => ended.length + held.length === 60);
    const refusals = [...ended];
    assert.ok(refusals.length > 0 && held.length > 0, `${refusals.length} refused, ${held.length} under way`);
    for (const answer of refusals) {
        refused(answer, 'Rate limit exceeded');
        assert.equal(answer.headers['retry-after'], '1');
    }
    // Others, and what does not wait, have room meanwhile.
    const prompt = await receiver();
    const other = await register();
    await other.listen(prompt.url);
    assert.equal(granted(await tryOut(other)).success, true);
    granted(await tester.get('/me'));
    held.forEach((release) => release(200));
    const answers = await Promise.all(underWay);
    assert.equal(answers.filter(({ status }) => status === 200).length, held.length);
    assert.equal(granted(await tryOut(other)).success, true);
    for (const each of [hook, prompt]) each.close();
});

// ---------------------------------------------------------------- POST /webhooks/secret

test('after a renewal both secrets sign', async () => {
    const hook = await receiver();
    const owner = await register();
    const former = await owner.listen(hook.url);
    const body = granted(await owner.send('POST', '/webhooks/secret'));
    hasMembers(body, ['success', 'webhook_secret']);
    assert.match(body.webhook_secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(body.webhook_secret, former);
    const tests = () => hook.deliveries.filter(({ raw }) => JSON.parse(raw).type === 'webhook.test');
    granted(await tryOut(owner));
    verified(tests()[0], former);
    verified(tests()[0], body.webhook_secret);
    const third = granted(await owner.send('POST', '/webhooks/secret')).webhook_secret;
    granted(await tryOut(owner));
    verified(tests()[1], third);
    verified(tests()[1], body.webhook_secret);
    assert.throws(() => verified(tests()[1], former));
    hook.close();
});

test('a secret that was asked for before the callback is the one that signs', async () => {
    const hook = await receiver();
    const owner = await register();
    const secret = granted(await owner.send('POST', '/webhooks/secret')).webhook_secret;
    assert.equal(await owner.listen(hook.url), undefined);
    granted(await tryOut(owner));
    verified(hook.deliveries[0], secret);
    hook.close();
});

// ---------------------------------------------------------------- POST /webhooks/{id}/redeliver

const redeliver = (who, id) => who.send('POST', `/webhooks/${id}/redeliver`);

test('a recorded event is sent again, with the same id, to where the callback is now', async () => {
    const dead = await receiver(() => 410);
    const owner = await listener(dead.url);
    await owner.traded();
    const failed = await eventWhere(owner, 'the event to fail', ({ status }) => status === 'failed');
    const hook = await receiver();
    await owner.listen(hook.url);
    const { event } = granted(await redeliver(owner, failed.id));
    hasMembers(event, EVENT);
    assert.deepEqual(event, {
        ...failed, status: 'pending', last_error: null, response_status: null, callback_url: hook.url, next_attempt_at: event.next_attempt_at,
    });
    assert.match(event.next_attempt_at, ISO_TIME);
    const delivery = await hook.delivery();
    assert.equal(delivery.headers['webhook-id'], failed.id);
    assert.equal(delivery.raw, dead.deliveries[0].raw);
    verified(delivery, owner.secret);
    const done = await eventWhere(owner, 'it to be delivered', ({ status }) => status === 'delivered');
    assert.deepEqual([done.id, done.attempts], [failed.id, 2]);
    granted(await redeliver(owner, failed.id));
    await until('another delivery', () => swapsTold(hook).length === 2);
    await eventWhere(owner, 'all attempts to be counted', ({ status, attempts }) => status === 'delivered' && attempts === 3);
    assert.deepEqual((await shown(owner, failed.id)).attempt_log.map(({ response_status: status }) => status), [410, 200, 200]);
    for (const [status, total] of [['delivered', 1], ['failed', 0]]) {
        await until(`${total} ${status}`, async () => granted(await owner.get(`/webhooks?event_type=swap.completed&status=${status}`)).pagination.total === total);
    }
    for (const each of [dead, hook]) each.close();
});

test('a redelivery of an unknown event, or without a callback URL, is refused', async () => {
    const hook = await receiver();
    const [owner, other] = [await register(), await register()];
    await owner.listen(hook.url);
    granted(await tryOut(owner));
    const [{ id }] = await owner.events();
    for (const unknown of ['x', 'msg_', `msg_${'0'.repeat(32)}`, `${id}0`, id.slice(4), '1', 'test']) refused(await redeliver(owner, unknown), 'Webhook event not found');
    refused(await redeliver(other, id), 'Webhook event not found');
    await owner.listen(null);
    refused(await redeliver(owner, id), 'No callback_url configured');
    assert.equal((await owner.events('?event_type=webhook.test'))[0].status, 'delivered');
    refused(await owner.get(`/webhooks/${id}/redeliver`), 'Method not allowed');
    hook.close();
});

// ---------------------------------------------------------------- GET /webhooks/{id}

test('an agent is shown its own events alone', async () => {
    const hook = await receiver();
    const [owner, other] = [await register(), await register()];
    await owner.listen(hook.url);
    granted(await tryOut(owner));
    const [{ id }] = await owner.events();
    assert.equal((await shown(owner, id)).payload.type, 'webhook.test');
    for (const unknown of ['x', 'msg_', `msg_${'0'.repeat(32)}`, `${id}0`]) refused(await owner.get(`/webhooks/${unknown}`), 'Webhook event not found');
    refused(await other.get(`/webhooks/${id}`), 'Webhook event not found');
    hook.close();
});

// ---------------------------------------------------------------- POST /webhooks/recover

const recover = (who, body) => who.post('/webhooks/recover', body);

test('all that failed since a time is sent again', async () => {
    const dead = await receiver(() => 410);
    const owner = await listener(dead.url);
    for (let i = 1; i <= 3; i += 1) {
        await owner.traded();
        await until(`event ${i} to fail`, async () => (await ofSwaps(owner, '&status=failed')).length === i);
    }
    const [last, second, first] = await ofSwaps(owner);
    const hook = await receiver();
    await owner.listen(hook.url);
    assert.equal(granted(await recover(owner, { since: new Date(Date.parse(last.created_at) + 1).toISOString() })).recovered, 0);
    const key = { 'idempotency-key': 'recovery' };
    const body = { since: second.created_at };
    for (let i = 0; i < 2; i += 1) assert.equal(granted(await owner.send('POST', '/webhooks/recover', { json: body, headers: key })).recovered, 2);
    await until('both to be delivered', async () => (await ofSwaps(owner, '&status=delivered')).length === 2);
    assert.deepEqual(new Set(hook.deliveries.map(({ headers }) => headers['webhook-id'])), new Set([last.id, second.id]));
    assert.equal(hook.deliveries.length, 2);
    assert.deepEqual((await ofSwaps(owner, '&status=failed')).map(({ id }) => id), [first.id]);
    assert.equal(granted(await recover(owner, body)).recovered, 0);
    for (const each of [dead, hook]) each.close();
});

test('a recovery without a URL or a valid time is refused', async () => {
    const owner = await register();
    const since = '2026-01-01T00:00:00Z';
    refused(await recover(owner, { since }), 'No callback_url configured');
    await owner.listen(UNREACHABLE);
    refused(await recover(owner, {}), 'since is required');
    for (const bad of ['yesterday', '2026-01-01', 1767225600, '']) refused(await recover(owner, { since: bad }), 'Validation failed');
    assert.equal(granted(await recover(owner, { since })).recovered, 0);
});
