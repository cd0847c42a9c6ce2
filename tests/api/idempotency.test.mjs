// Section: api
// Idempotency-Key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nonceOf } from './chain.mjs';
import {
    granted, receiver, refused, register, registerUnlimited, show,
} from './lib.mjs';

const post = (agent, path, key, json) => agent.send('POST', path, { json, headers: key === undefined ? {} : { 'idempotency-key': key } });
const wallets = async (agent) => granted(await agent.get('/wallets')).wallets.length;

function replayed(answer, first) {
    assert.deepEqual([answer.status, answer.text], [first.status, first.text], show(answer));
    assert.equal(answer.headers['idempotent-replayed'], 'true');
    assert.match(answer.headers['content-type'], /^application\/json\b/);
    assert.equal(first.headers['idempotent-replayed'], undefined);
}

test('the same again is answered again, not done again', async () => {
    const agent = await register();
    const first = await post(agent, '/wallets', 'one');
    granted(first, 201);
    for (let i = 0; i < 3; i++) replayed(await post(agent, '/wallets', 'one'), first);
    assert.equal(await wallets(agent), 1);
    granted(await post(agent, '/wallets', 'two'), 201);
    granted(await post(agent, '/wallets'), 201);
    granted(await post(agent, '/wallets'), 201);
    assert.equal(await wallets(agent), 4);
});

test('with another body it is refused', async () => {
    const agent = await register();
    granted(await post(agent, '/wallets', 'one'), 201);
    refused(await post(agent, '/wallets', 'one', {}), 'Idempotency-Key was already used with another body');
    refused(await post(agent, '/wallets', 'one', { chain_type: 'evm' }), 'Idempotency-Key was already used with another body');
    assert.equal(await wallets(agent), 1);
});

test('keys are an agent\'s own, and a path\'s', async () => {
    const [one, two] = [await register(), await register()];
    const [first, second] = [await post(one, '/wallets', 'same', {}), await post(two, '/wallets', 'same', {})];
    assert.notEqual(granted(first, 201).wallet.address, granted(second, 201).wallet.address);
    const quote = { from_token: 'ETH', to_token: 'USDC', amount: '1' };
    granted(await post(one, '/quote', 'same', quote));
});

test('in quotes or not it is the same key', async () => {
    const agent = await register();
    const first = await post(agent, '/wallets', '"a-1"');
    granted(first, 201);
    replayed(await post(agent, '/wallets', 'a-1'), first);
    const odd = await post(agent, '/wallets', '"with \\"quotes\\" and \\\\ in it"');
    granted(odd, 201);
    replayed(await post(agent, '/wallets', '"with \\"quotes\\" and \\\\ in it"'), odd);
});

for (const [what, key] of [
    ['nothing in quotes', '""'], ['256 characters', 'k'.repeat(256)], ['256 in quotes', `"${'k'.repeat(256)}"`], ['an open quote', '"abc'],
    ['a quote alone', '"'], ['text behind the quotes', '"abc"d'], ['two of them', 'one, two'], ['another escape', '"a\\b"'], ['Latin-1', 'caf\u00e9'],
    ['a blank', 'a b'], ['an escape at the end', '"a\\'],
]) {
    test(`no key: ${what}`, async () => {
        const agent = await register();
        refused(await post(agent, '/wallets', key), 'Idempotency-Key must have 1 to 255 characters');
        assert.equal(await wallets(agent), 0);
    });
}

for (const key of ['k', 'k'.repeat(255), `"${'k'.repeat(255)}"`, '8e03978e-40d5-43dd-bc93-6894a57f9324', '!#$%&\'()*+,-./:;<=>?@[]^_`{|}~']) {
    test(`a key of ${key.length}: ${key.slice(0, 40)}`, async () => {
        const agent = await register();
        const first = await post(agent, '/wallets', key);
        granted(first, 201);
        replayed(await post(agent, '/wallets', key), first);
    });
}

test('refusals are not recorded', async () => {
    const agent = await register();
    const quote = await agent.quote('ETH', 'USDC', '1', { chain: 'base' });
    const body = { quote_id: quote.quote_id };
    refused(await post(agent, '/swap/execute', 'go', body), 'No managed wallet found');
    const address = await agent.wallet();
    refused(await post(agent, '/swap/execute', 'go', body), 'Insufficient balance');
    await agent.wallet('base', 5);
    refused(await post(agent, '/swap/execute', 'go', body), 'Insufficient balance');
    const { fund } = await import('./chain.mjs');
    await fund('base', address, 5);
    const first = await post(agent, '/swap/execute', 'go', body);
    granted(first);
    replayed(await post(agent, '/swap/execute', 'go', body), first);
});

test('a faulty body is refused as ever', async () => {
    const agent = await register();
    refused(await post(agent, '/quote', 'k', { to_token: 'USDC', amount: '1' }), 'from_token is required');
    granted(await post(agent, '/quote', 'k', { from_token: 'ETH', to_token: 'USDC', amount: '1' }));
});

test('each endpoint that takes a key repeats its answer', async () => {
    const agent = await register();
    const hook = await receiver();
    await agent.listen(hook.url);
    const address = await agent.wallet('base', 5);
    const twice = async (path, json) => {
        const first = await post(agent, path, 'k', json);
        granted(first);
        replayed(await post(agent, path, 'k', json), first);
        return first.body;
    };
    const quote = await twice('/quote', { from_token: 'ETH', to_token: 'USDC', amount: '0.01', chain: 'base' });
    await twice('/swap', { quote_id: quote.quote_id, wallet_address: address });
    const { swap_id: id } = await twice('/swap/execute', { quote_id: quote.quote_id });
    await agent.completed(id);
    assert.equal(await nonceOf('base', address), 1);
    const tested = await twice('/webhooks/test');
    assert.equal(tested.success, true);
    assert.equal(hook.deliveries.filter(({ raw }) => JSON.parse(raw).type === 'webhook.test').length, 1);
    const [event] = await agent.events('?event_type=swap.completed');
    await twice(`/webhooks/${event.id}/redeliver`);
    await twice('/webhooks/recover', { since: '2026-01-01T00:00:00Z' });
    hook.close();
});

test('those that do not take it do not mind it', async () => {
    const agent = await register();
    const once = granted(await post(agent, '/webhooks/secret', 'k'));
    assert.notEqual(granted(await post(agent, '/webhooks/secret', 'k')).webhook_secret, once.webhook_secret);
    granted(await post(agent, '/me/deactivate', 'k'));
    refused(await post(agent, '/me/deactivate', 'k'), 'Agent is already deactivated');
});

test('50 at once with the same key are one execution', async () => {
    const agent = await registerUnlimited();
    const address = await agent.wallet('base', 5);
    const quote = await agent.quote('ETH', 'USDC', '0.01', { chain: 'base' });
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(agent, '/swap/execute', 'all', { quote_id: quote.quote_id })));
    const won = answers.filter(({ status }) => status === 200);
    assert.ok(won.length >= 1, answers.map(show).join('\n'));
    assert.equal(won.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1);
    for (const answer of answers) {
        if (answer.status === 200) assert.equal(answer.text, won[0].text);
        else refused(answer, 'Request in progress');
    }
    const again = await post(agent, '/swap/execute', 'all', { quote_id: quote.quote_id });
    assert.deepEqual([again.status, again.text], [200, won[0].text]);
    await agent.completed(won[0].body.swap_id);
    assert.equal(await nonceOf('base', address, 'pending'), 1);
    assert.equal(granted(await agent.get('/swaps')).pagination.total, 1);
});

test('50 wallets at once with the same key are one wallet', async () => {
    const agent = await registerUnlimited();
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(agent, '/wallets', 'all')));
    for (const answer of answers) if (answer.status !== 201) refused(answer, 'Request in progress');
    assert.ok(answers.some(({ status }) => status === 201));
    assert.equal(await wallets(agent), 1);
});

test('many at once that are refused leave the key free', async () => {
    const agent = await registerUnlimited();
    const quote = await agent.quote('ETH', 'USDC', '0.01', { chain: 'base' });
    const body = { quote_id: quote.quote_id };
    const answers = await Promise.all(Array.from({ length: 40 }, () => post(agent, '/swap/execute', 'k', body)));
    for (const answer of answers) refused(answer, answer.status === 409 ? 'Request in progress' : 'No managed wallet found');
    await agent.wallet('base', 5);
    granted(await post(agent, '/swap/execute', 'k', body));
});
