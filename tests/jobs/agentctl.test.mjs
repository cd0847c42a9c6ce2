// Section: operator
// The operator's command: agents listed and changed, trading stopped for one or for all.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
    API, API_KEY, ISO_TIME, granted, refused, register, send,
} from '../api/lib.mjs';
import {
    agentctl, operate, sql, trader,
} from './lib.mjs';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const PAUSED = 'Trading is paused by the operator';

after(() => operate('resume', 'all'));

const lineOf = async (agent, ...args) => (await operate('list', ...args)).split('\n').find((line) => line.startsWith(agent.id));

// ---------------------------------------------------------------- what it says

test('list shows each agent on a line, of one tier where one is named', async () => {
    const agent = await register({ name: 'listed one' });
    granted(await agent.get('/me'));
    const [id, tier, status, trading, requests, swaps, created, ...name] = (await lineOf(agent)).split(/ +/);
    assert.deepEqual([id, tier, status, trading, swaps, name.join(' ')], [agent.id, 'standard', 'active', 'allowed', '0', 'listed one']);
    assert.match(requests, /^[01]$/);
    assert.match(created, ISO_TIME);
    assert.ok(await lineOf(agent, 'standard'));
    assert.equal(await lineOf(agent, 'premium'), undefined);
    const lines = (await operate('list')).trimEnd().split('\n').slice(1);
    assert.equal(lines.length, Number(await sql('SELECT COUNT(*) FROM agents')));
});

test('more agents than a page are all listed', async () => {
    await sql(`INSERT INTO agents (uuid, key_hash, name, tier, created_at, last_active_at)
        SELECT RANDOM_BYTES(16), RANDOM_BYTES(32), 'many', 'crowd', NOW(3), NOW(3) FROM information_schema.columns LIMIT 1100`);
    try {
        assert.equal((await operate('list', 'crowd')).trimEnd().split('\n').length, 1101);
    } finally {
        await sql("DELETE FROM agents WHERE tier = 'crowd'");
    }
});

test('a name cannot steer the terminal or add a line', async () => {
    const agent = await register({ name: 'a\u001b[2Jb\nc\u0085d\te' });
    assert.ok((await lineOf(agent)).endsWith('  a?[2Jb?c?d?e'));
    assert.match(await operate('show', agent.id), /^name +a\?\[2Jb\?c\?d\?e$/m);
});

test('show prints all about an agent', async () => {
    const agent = await register({ name: 'shown' });
    await operate('tier', agent.id, 'premium');
    const out = await operate('show', agent.id);
    for (const line of [`id           ${agent.id}`, 'tier         premium (600 a minute)', 'status       active', 'trading      allowed', 'name         shown'])
        assert.ok(out.split('\n').includes(line), `${line} in ${out}`);
    assert.equal(await operate('show', agent.id.toUpperCase()).then((text) => text.split('\n')[0]), `id           ${agent.id}`);
});

test('--json says the same as one object', async () => {
    const agent = await register({ name: 'as data' });
    const { agents } = JSON.parse(await operate('list', '--json'));
    const one = agents.find(({ id }) => id === agent.id);
    assert.deepEqual([one.tier, one.status, one.trading, one.swaps, one.name], ['standard', 'active', 'allowed', 0, 'as data']);
    const { ok, id, swaps_failed: failed, name } = JSON.parse(await operate('--json', 'show', agent.id));
    assert.deepEqual([ok, id, failed, name], [true, agent.id, 0, 'as data']);
    assert.match(JSON.parse(await operate('--json', 'key', 'premium')).api_key, API_KEY);
    assert.deepEqual(JSON.parse(await operate('--json', 'tier', agent.id, 'premium')), { done: `${agent.id}: tier premium`, ok: true });
    const { code, out, err } = await agentctl('--json', 'show', UNKNOWN);
    assert.deepEqual([code, JSON.parse(out), err], [1, { ok: false, error: `no such agent: ${UNKNOWN}` }, '']);
});

test('each change says what it has done', async () => {
    const agent = await register();
    for (const [args, said] of [
        [['tier', agent.id, 'premium'], 'tier premium'], [['stop', agent.id], 'stopped, nothing is signed any more but what ends positions and brings money home'], [['resume', agent.id], 'resumed'],
        [['ban', agent.id], 'banned'], [['unban', agent.id], 'not banned'], [['deactivate', agent.id], 'deactivated'], [['reactivate', agent.id], 'active'],
    ]) assert.equal(await operate(...args), `${agent.id}: ${said}\n`);
});

test('key prints a key that works, and nothing else', async () => {
    const key = (await operate('key', 'premium')).trimEnd();
    assert.match(key, API_KEY);
    assert.equal(granted(await send('GET', `${API}/me`, { key })).agent.rate_limit_tier, 'premium');
});

test('wrong usage explains itself', async () => {
    for (const args of [[], ['nothing'], ['show'], ['show', UNKNOWN, 'x'], ['tier', UNKNOWN], ['list', 'a', 'b'], ['stop'], ['-x'], ['key'], ['list', '--stuck'], ['swaps', '--waiting'], ['swaps', '--stuck', '--failed'], ['list', '--reason', 'none is written'], ['status', 'x'], ['swap']]) {
        const { code, out, err } = await agentctl(...args);
        assert.deepEqual([code, out], [2, ''], args.join(' '));
        assert.match(err, /usage: agentctl/);
    }
});

test('unknown agents and tiers are named and nothing is changed', async () => {
    const agent = await register();
    for (const args of [['show', UNKNOWN], ['tier', UNKNOWN, 'premium'], ['deactivate', UNKNOWN], ['activate', UNKNOWN], ['stop', UNKNOWN], ['resume', UNKNOWN], ['show', 'x'], ['stop', '0'], ['show', '1']]) {
        const { code, out, err } = await agentctl(...args);
        assert.deepEqual([code, out, err], [1, '', `agentctl: no such agent: ${args[1]}\n`]);
    }
    for (const args of [['tier', agent.id, 'platinum'], ['key', 'platinum'], ['key', '']]) {
        const { code, out, err } = await agentctl(...args);
        assert.deepEqual([code, out], [1, ''], args.join(' '));
        assert.match(err, /no such tier/);
    }
    assert.equal(granted(await agent.get('/me')).agent.rate_limit_tier, 'standard');
});

// ---------------------------------------------------------------- what it changes

test('a deactivated agent is turned away until it is activated', async () => {
    const agent = await register();
    for (let i = 0; i < 2; i += 1) {
        await operate('deactivate', agent.id);
        refused(await agent.get('/me'), 'Invalid or missing API key', [], 'AGENT_INACTIVE');
        assert.match(await lineOf(agent), / deactivated /);
    }
    await operate('activate', agent.id);
    assert.equal(granted(await agent.get('/me')).agent.id, agent.id);
});

test('a stopped agent trades no more, but sees everything; its quote stays', async () => {
    const [agent, other] = [await trader('ethereum'), await trader('ethereum')];
    const quote = await agent.quote('ETH', 'USDC', '0.01');
    await operate('stop', agent.id);
    await operate('stop', agent.id);
    assert.match(await operate('show', agent.id), /^trading +stopped$/m);
    assert.match(await lineOf(agent), / active +stopped /);
    assert.match(await lineOf(other), / active +allowed /);
    refused(await agent.execute(quote), PAUSED);
    refused(await agent.send('POST', '/wallets'), PAUSED);
    for (const path of ['/me', '/swaps', '/wallets', '/webhooks']) granted(await agent.get(path));
    assert.deepEqual(granted(await agent.get('/swaps')).swaps, []);
    assert.equal(granted(await agent.get('/wallets')).wallets.length, 1);
    await other.swap('ETH', 'USDC', '0.01');
    await operate('resume', agent.id);
    granted(await agent.execute(quote));
    granted(await agent.send('POST', '/wallets'), 201);
    agent.hook.close();
    other.hook.close();
});

test('stop all stops all agents; one stopped by itself stays so after resume all', async () => {
    const [agent, other] = [await trader('base'), await trader('base')];
    const [mine, theirs] = [await agent.quote('ETH', 'USDC', '0.01', { chain: 'base' }), await other.quote('ETH', 'USDC', '0.01', { chain: 'base' })];
    await operate('stop', agent.id);
    await operate('stop', 'all');
    refused(await agent.execute(mine), PAUSED);
    refused(await other.execute(theirs), PAUSED);
    await operate('resume', 'all');
    refused(await agent.execute(mine), PAUSED);
    granted(await other.execute(theirs));
    await operate('resume', agent.id);
    granted(await agent.execute(mine));
    agent.hook.close();
    other.hook.close();
});

test('a swap that was in progress is followed to its end', async () => {
    const agent = await trader('ethereum');
    const id = await agent.swap('ETH', 'USDC', '0.01');
    await operate('stop', 'all');
    try {
        await agent.completed(id);
    } finally {
        await operate('resume', 'all');
    }
    agent.hook.close();
});

test('when stop has returned, no execute that was in progress signs any more', async () => {
    const agents = await Promise.all(Array.from({ length: 6 }, () => trader('ethereum')));
    const quotes = await Promise.all(agents.map((agent) => agent.quote('ETH', 'USDC', '0.01')));
    const answers = agents.map((agent, i) => agent.execute(quotes[i]));
    await operate('stop', 'all');
    const accepted = async () => Number(await sql('SELECT COUNT(*) FROM executions'));
    const before = await accepted();
    for (const answer of await Promise.all(answers)) if (answer.status !== 200) refused(answer, PAUSED);
    assert.equal(await accepted(), before);
    await operate('resume', 'all');
    for (const agent of agents) agent.hook.close();
});
