// Section: api
// POST /keys/rotate.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    API, API_KEY, Agent, granted, hasMembers, receiver, refused, register, send, verified,
} from './lib.mjs';

const rotate = (agent) => agent.send('POST', '/keys/rotate');

test('the new key works, the old one is dead on every worker', async () => {
    const agent = await register();
    const before = granted(await agent.get('/me')).agent;
    const body = granted(await rotate(agent));
    hasMembers(body, ['success', 'api_key', 'message']);
    assert.match(body.api_key, API_KEY);
    assert.notEqual(body.api_key, agent.key);
    assert.equal(typeof body.message, 'string');
    const fresh = new Agent(body.api_key);
    const answers = await Promise.all(Array.from({ length: 60 }, (_, i) => (i % 2 ? fresh : agent).get('/me')));
    answers.forEach((answer, i) => {
        if (i % 2) assert.equal(granted(answer).agent.id, before.id);
        else refused(answer, 'Invalid or missing API key');
    });
    refused(await rotate(agent), 'Unauthorized');
    granted(await rotate(fresh));
});

test('one of many rotations at once succeeds; the others are unauthorized', async () => {
    const agent = await register();
    const answers = await Promise.all(Array.from({ length: 30 }, () => rotate(agent)));
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    for (const answer of answers) if (answer !== won[0]) refused(answer, 'Unauthorized');
    granted(await new Agent(won[0].body.api_key).get('/me'));
    refused(await agent.get('/me'), 'Invalid or missing API key');
});

test('changes at once with a rotation are made or refused, never broken', async () => {
    const agent = await register();
    const [rotated, ...changes] = await Promise.all([rotate(agent), ...Array.from({ length: 20 }, (_, i) => agent.patch('/me', { description: `${i}` }))]);
    granted(rotated);
    for (const answer of changes) if (answer.status !== 200) refused(answer, 'Invalid or missing API key');
});

test('a rotation needs a key', async () => refused(await send('POST', `${API}/keys/rotate`), 'Unauthorized'));

test('wallets stay, and the webhook secret is the same', async () => {
    const agent = await register();
    const hook = await receiver();
    const secret = await agent.listen(hook.url);
    const address = await agent.wallet();
    const fresh = new Agent(granted(await rotate(agent)).api_key);
    assert.deepEqual(granted(await fresh.get('/wallets')).wallets.map((wallet) => wallet.address), [address]);
    assert.equal(granted(await fresh.send('POST', '/webhooks/test')).success, true);
    verified(hook.deliveries[0], secret);
    hook.close();
});

test('an Idempotency-Key means nothing here: no key is recorded', async () => {
    const agent = await register();
    const headers = { 'idempotency-key': 'rotate-1' };
    const fresh = new Agent(granted(await agent.send('POST', '/keys/rotate', { headers })).api_key);
    const again = await fresh.send('POST', '/keys/rotate', { headers });
    assert.notEqual(granted(again).api_key, fresh.key);
    assert.equal(again.headers['idempotent-replayed'], undefined);
});
