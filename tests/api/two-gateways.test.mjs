// Section: api
// Two gateways on two ports with one database are one service: what is done through one holds on the other at once.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { nonceOf } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, refused, register, registerUnlimited, send, show, until,
} from './lib.mjs';

const DENIED = 'Invalid or missing API key';
const QUOTA = 20;
const SETTINGS = [`tier.standard = ${QUOTA}`];

const east = await startGateway(SETTINGS);
const [west, twin] = await Promise.all([
    startGateway(SETTINGS), // another host
    startGateway(SETTINGS, { counters: east.counters }), // another gateway of the same host
]);
after(() => Promise.all([east, west, twin].map((each) => each.stop())));

/** One agent's requests through a gateway. */
const through = ({ base }, { key }) => ({
    get: (path) => send('GET', API + path, { base, key }),
    post: (path, json, headers) => send('POST', API + path, { base, key, json, headers }),
});

const both = [east, west];
const BOTH_WAYS = [['there', east, west], ['back', west, east]];

/** `n` requests at once, one after the other gateway's turn; the answers in this order. */
const spread = (n, request, gateways = both) => Promise.all(Array.from({ length: n }, (_, i) => request(gateways[i % gateways.length], i)));

/** The one answer that is no refusal; all others are refused so. */
function onlyWinner(answers, error) {
    const won = answers.filter(({ status }) => status < 300);
    assert.equal(won.length, 1, answers.map(show).join('\n'));
    return { won: won[0], lost: answers.filter((answer) => answer !== won[0]).map((answer) => refused(answer, error)) };
}

// ---------------------------------------------------------------- keys

for (const [way, here, there] of BOTH_WAYS) {
    test(`a key rotated on one is dead on the other in the same instant, ${way}`, async () => {
        const agent = await registerUnlimited();
        const { id } = granted(await through(here, agent).get('/me')).agent;
        for (let i = 0; i < 16; i += 1) granted(await through(there, agent).get('/me')); // every worker knows it
        const fresh = { key: granted(await through(here, agent).post('/keys/rotate')).api_key };
        const answers = await Promise.all(Array.from({ length: 32 }, (_, i) => through(there, i % 2 ? fresh : agent).get('/me')));
        answers.forEach((answer, i) => {
            if (i % 2) assert.equal(granted(answer).agent.id, id);
            else refused(answer, DENIED);
        });
        refused(await through(here, agent).get('/me'), DENIED);
    });
}

test('one of several rotations at once on both succeeds, and its key is valid on both', async () => {
    const agent = await registerUnlimited();
    const { won } = onlyWinner(await spread(20, (gateway) => through(gateway, agent).post('/keys/rotate')), 'Unauthorized');
    for (const gateway of both) {
        refused(await through(gateway, agent).get('/me'), DENIED);
        granted(await through(gateway, { key: won.body.api_key }).get('/me'));
    }
});

for (const [way, here, there] of BOTH_WAYS) {
    test(`an agent deactivated on one is shut out of the other at once, and let in again, ${way}`, async () => {
        const agent = await registerUnlimited();
        for (let i = 0; i < 16; i += 1) granted(await through(there, agent).get('/me'));
        granted(await through(here, agent).post('/me/deactivate'));
        for (const answer of await Promise.all(Array.from({ length: 16 }, () => through(there, agent).get('/me')))) refused(answer, DENIED, [], 'AGENT_INACTIVE');
        refused(await through(there, agent).post('/me/deactivate'), 'Agent is already deactivated');
        granted(await through(there, agent).post('/reactivate'));
        for (const answer of await Promise.all(Array.from({ length: 16 }, () => through(here, agent).get('/me')))) granted(answer);
    });
}

test('one of several deactivations at once on both succeeds', async () => {
    const agent = await registerUnlimited();
    onlyWinner(await spread(20, (gateway) => through(gateway, agent).post('/me/deactivate')), 'Agent is already deactivated');
});

// ---------------------------------------------------------------- quotes and swaps

for (const [way, here, there] of BOTH_WAYS) {
    test(`a quote taken on one is executed on the other, and the swap seen by both, ${way}`, async () => {
        const agent = await registerUnlimited();
        await agent.wallet('base', 5);
        const quote = granted(await through(here, agent).post('/quote', { from_token: 'ETH', to_token: 'USDC', amount: '0.01', chain: 'base' }));
        const { swap_id: id } = granted(await through(there, agent).post('/swap/execute', { quote_id: quote.quote_id }));
        assert.equal(refused(await through(here, agent).post('/swap/execute', { quote_id: quote.quote_id }), 'Quote not found').swap_id, id);
        await agent.completed(id);
        const [one, other] = await Promise.all([here, there].map((gateway) => through(gateway, agent).get(`/swap/status/${id}`)));
        assert.deepEqual(granted(one), granted(other));
        assert.equal(one.body.status, 'completed');
    });
}

test('one quote executed 20 times at once over both is one swap', async () => {
    const agent = await registerUnlimited();
    const address = await agent.wallet('base', 5);
    const { quote_id } = await agent.quote('ETH', 'USDC', '0.01', { chain: 'base' });
    const { won, lost } = onlyWinner(await spread(20, (gateway) => through(gateway, agent).post('/swap/execute', { quote_id })), 'Quote not found');
    const { swap_id: id } = won.body;
    for (const body of lost) assert.equal(body.swap_id, id);
    await agent.completed(id);
    assert.equal(await nonceOf('base', address, 'pending'), 1);
    assert.equal(granted(await agent.get('/swaps')).pagination.total, 1);
});

test('20 quotes executed at once over both on one wallet are 20 swaps with nonces in a row', async () => {
    const agent = await registerUnlimited();
    const address = await agent.wallet('base', 50);
    const quotes = await spread(20, (gateway, i) => through(gateway, agent).post('/quote', { from_token: 'ETH', to_token: 'USDC', amount: `0.01${i + 1}`, chain: 'base' }));
    const answers = await spread(20, (gateway, i) => through(gateway, agent).post('/swap/execute', { quote_id: granted(quotes[i]).quote_id }), [west, east]);
    const ids = answers.map((answer) => granted(answer).swap_id);
    assert.equal(new Set(ids).size, 20);
    for (const id of ids) await agent.completed(id);
    assert.equal(await nonceOf('base', address), 20);
});

// ---------------------------------------------------------------- idempotency

const idempotent = (gateway, agent, path, json) => through(gateway, agent).post(path, json, { 'idempotency-key': 'one' });

for (const [way, here, there] of BOTH_WAYS) {
    test(`an Idempotency-Key used on one is replayed by the other, ${way}`, async () => {
        const agent = await registerUnlimited();
        const first = await idempotent(here, agent, '/wallets', {});
        granted(first, 201);
        const again = await idempotent(there, agent, '/wallets', {});
        assert.deepEqual([again.status, again.text], [first.status, first.text]);
        assert.deepEqual([first, again].map(({ headers }) => headers['idempotent-replayed']), [undefined, 'true']);
        refused(await idempotent(there, agent, '/wallets', { chain_type: 'evm' }), 'Idempotency-Key was already used with another body');
        assert.equal(granted(await through(there, agent).get('/wallets')).wallets.length, 1);
    });
}

test('the same key 20 times at once over both is one execution', async () => {
    const agent = await registerUnlimited();
    const address = await agent.wallet('base', 5);
    const { quote_id } = await agent.quote('ETH', 'USDC', '0.01', { chain: 'base' });
    const answers = await spread(20, (gateway) => idempotent(gateway, agent, '/swap/execute', { quote_id }));
    const good = answers.filter(({ status }) => status === 200);
    assert.equal(good.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1, answers.map(show).join('\n'));
    for (const answer of answers) {
        if (answer.status === 200) assert.equal(answer.text, good[0].text);
        else refused(answer, 'Request in progress');
    }
    for (const gateway of both) {
        const again = await idempotent(gateway, agent, '/swap/execute', { quote_id });
        assert.deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [200, good[0].text, 'true']);
    }
    await agent.completed(good[0].body.swap_id);
    assert.equal(await nonceOf('base', address, 'pending'), 1);
});

// ---------------------------------------------------------------- limits and counters

/** 100 requests at once over these gateways: how many passed, and how many units came back meanwhile. */
async function rush(gateways) {
    const agent = await register();
    const begun = performance.now();
    const answers = await spread(100, (gateway) => through(gateway, agent).get('/me'), gateways);
    const back = Math.ceil(((performance.now() - begun) / 60_000) * QUOTA);
    for (const answer of answers) if (answer.status !== 200) refused(answer, 'Rate limit exceeded');
    return { passed: answers.filter(({ status }) => status === 200).length, back };
}

test('two hosts give an agent the quota at least and twice the quota at most', async () => {
    const { passed, back } = await rush(both);
    assert.ok(passed >= QUOTA && passed <= 2 * (QUOTA + back), `${passed} passed, ${back} came back`);
});

test('two gateways of one host give an agent the quota, exactly', async () => {
    const { passed, back } = await rush([east, twin]);
    assert.ok(passed >= QUOTA && passed <= QUOTA + back, `${passed} passed, ${back} came back`);
});

test('requests through both add up', async () => {
    const agent = await registerUnlimited();
    const { id } = granted(await through(east, agent).get('/me')).agent;
    await spread(60, (gateway) => through(gateway, agent).get('/wallets'), [east, west, twin]);
    const folded = (count) => until(`${count} in the database`, async () => new RegExp(`^requests +${count}$`, 'm').test(await east.agentctl('show', id)));
    const total = async (gateway) => granted(await through(gateway, agent).get('/me')).agent.stats.total_requests;
    await folded(61);
    assert.equal(await total(west), 62);
    await folded(62);
    assert.equal(await total(east), 63);
    await folded(63);
    assert.equal(await total(twin), 64);
});

test('counts of a gateway are not lost when it ends', async () => {
    const agent = await registerUnlimited();
    const { id } = granted(await through(east, agent).get('/me')).agent;
    const brief = await startGateway(SETTINGS);
    try {
        await Promise.all(Array.from({ length: 30 }, () => through(brief, agent).get('/wallets').then(granted)));
    } finally {
        await brief.stop();
    }
    await until('31 in the database', async () => /^requests +31$/m.test(await east.agentctl('show', id)));
});
