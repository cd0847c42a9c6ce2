// Section: operator
// What the operator can do about a stolen key: stop, ban, another key, a deactivation that holds, and the funds swept.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Wallet } from 'ethers';
import { MINTS } from '../../contrib/sandbox/solana/world.mjs';
import { A2A } from '../api/a2a.mjs';
import { balance, fund, give, rpc } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    API, API_KEY, granted, receiver, refused, register, readiness, send, show,
} from '../api/lib.mjs';
import { ask, askModern, use } from '../api/mcp.mjs';
import {
    agentctl, held, operate, settings, sql, trader, waiting,
} from './lib.mjs';

const DENIED = 'Invalid or missing API key';
const STOPPED = 'Refused while the operator has stopped the agent';
const SHUT = 'The operator has deactivated the agent';
const CAP = { type: 'whitelist', params: { allowedChains: ['base'] } };

after(() => operate('resume', 'all'));

/** An agent with a callback, a wallet and a policy. */
async function victim() {
    const agent = await trader('ethereum', 1);
    agent.policy = granted(await agent.post('/wallet/policy', CAP)).policy.id;
    return agent;
}

/** Requests that a thief would like to make, by REST and as an operation; `done` is the status of success. */
const harms = (agent, url) => [
    { tool: 'rotate_api_key', request: ['POST', '/keys/rotate'] },
    { tool: 'deactivate_me', request: ['POST', '/me/deactivate'] },
    { tool: 'update_me', request: ['PATCH', '/me'], args: { callback_url: url } },
    { tool: 'update_me', request: ['PATCH', '/me'], args: { callback_url: null, description: 'mine' } },
    { tool: 'renew_webhook_secret', request: ['POST', '/webhooks/secret'] },
    { tool: 'create_wallet_policy', request: ['POST', '/wallet/policy'], args: CAP },
    { tool: 'delete_wallet_policy', request: ['DELETE', `/wallet/policy/${agent.policy}`], path: { id: agent.policy } },
    { tool: 'delete_me', request: ['DELETE', '/me'], args: { confirm: 'test' } },
];

const stopped = (body) => {
    assert.deepEqual([body?.error, body?.error_code, body?.success], [STOPPED, 'AGENT_STOPPED', false], JSON.stringify(body));
    assert.match(body.hint, /operator/);
};

/** Each of them is refused over each protocol, and nothing is changed by it. */
async function refusesHarm(agent, url) {
    const state = () => sql(`SELECT a.status, HEX(a.key_hash), a.description, a.callback_url, HEX(a.webhook_secret), COUNT(p.id), MAX(p.ends_at)
        FROM agents a LEFT JOIN policies p ON p.agent_id = a.id WHERE a.uuid = UNHEX('${agent.id.replaceAll('-', '')}') GROUP BY a.id`);
    const before = await state();
    for (const { tool, request: [method, path], args, path: inPath } of harms(agent, url)) {
        const answer = await agent.send(method, path, args && { json: args });
        assert.equal(answer.status, 403, `${method} ${path}: ${show(answer)}`);
        stopped(refused(answer, STOPPED));
        for (const how of [ask, askModern]) {
            const { isError, body } = await use(tool, { ...args, ...inPath }, agent.key, how);
            assert.ok(isError, tool);
            stopped(body);
        }
        for (const version of ['1.0', '0.3']) {
            const a2a = new A2A(agent, version);
            stopped(a2a.said(a2a.is(await a2a.call(tool, { ...args, ...inPath }), 'rejected'))[1]);
        }
    }
    assert.equal(await state(), before);
}

const reads = ['/me', '/swaps', '/wallets', '/webhooks', '/wallet/policies', '/portfolio', '/prices?symbols=ETH'];

// ---------------------------------------------------------------- stop

/** Operators see it everywhere; it is their own doing, so that the service stays ready. */
async function showsStop(all) {
    const { stops } = granted(await readiness());
    assert.equal(stops.trading_stopped, all);
    assert.ok(all || stops.agents_stopped > 0);
    const { text } = await send('GET', '/metrics');
    assert.match(text, new RegExp(`^gateway_trading_stopped ${Number(all)}$`, 'm'));
    assert.match(text, new RegExp(`^gateway_agents_stopped ${stops.agents_stopped}$`, 'm'));
}

for (const whom of ['the agent', 'all']) {
    test(`while ${whom} is stopped a key can do no harm over any protocol; reading stays`, async () => {
        const agent = await victim();
        const other = await receiver();
        await operate('stop', whom === 'all' ? 'all' : agent.id);
        try {
            await refusesHarm(agent, other.url);
            for (const path of reads) granted(await agent.get(path));
            granted(await agent.patch('/me', { description: 'words are free' }));
            await showsStop(whom === 'all');
        } finally {
            await operate('resume', whom === 'all' ? 'all' : agent.id);
        }
        for (const { request: [method, path], args } of harms(agent, other.url)) {
            const answer = await agent.send(method, path, args && { json: args });
            assert.ok(answer.status < 300, show(answer));
            agent.key = path === '/keys/rotate' ? answer.body.api_key : agent.key;
            if (path === '/me/deactivate') granted(await agent.send('POST', '/reactivate'));
        }
        agent.hook.close();
        other.close();
    });
}

test('a thief deletes nothing, and the operator saves the funds', async () => {
    const agent = await trader('ethereum', 1);
    await give('ethereum', agent.address, 'USDC', '500');
    const to = Wallet.createRandom().address;
    await operate('stop', agent.id);
    refused(await agent.send('DELETE', '/me'), STOPPED);
    const { code, out } = await agentctl('sweep', agent.id, to);
    assert.equal(code, 0, out);
    for (const [, id] of out.matchAll(/transfer (\d+)/g)) await agent.completed(Number(id));
    assert.equal(await balance('ethereum', to, 'USDC'), 500_000_000n);
    agent.hook.close();
});

test('a stop waits for a deletion in progress, and none comes after it', async () => {
    const [early, late] = [await register(), await register()];
    const letGo = await held(`SELECT id FROM agents WHERE uuid = UNHEX('${early.id.replaceAll('-', '')}') FOR UPDATE`);
    const deletion = early.send('DELETE', '/me');
    await waiting('DELETE FROM agents%');
    let over = false;
    const stop = operate('stop', 'all').finally(() => { over = true; });
    // The stop waits for the deletion, which waits for the row.
    await waiting('%trading_halts%');
    assert.ok(!over, 'the stop did not wait');
    await letGo();
    assert.equal((await deletion).status, 204);
    await stop;
    refused(await late.send('DELETE', '/me'), STOPPED);
    await operate('resume', 'all');
    assert.equal((await late.send('DELETE', '/me')).status, 204);
});

test('no deletion is carried out after a stop at the same time returned', async () => {
    const agents = await Promise.all(Array.from({ length: 24 }, () => register()));
    const answers = agents.map((agent) => agent.send('DELETE', '/me'));
    await operate('stop', 'all');
    const left = () => sql('SELECT COUNT(*) FROM agents');
    const before = await left();
    for (const answer of await Promise.all(answers)) if (answer.status !== 204) refused(answer, STOPPED);
    assert.equal(await left(), before);
    await operate('resume', 'all');
});

// ---------------------------------------------------------------- ban

/** The key opens no endpoint. */
async function locksOut(agent) {
    for (const [method, path] of [
        ...reads.map((each) => ['GET', each]), ['PATCH', '/me'], ['DELETE', '/me'], ['POST', '/me/deactivate'], ['POST', '/reactivate'],
        ['POST', '/quote'], ['POST', '/execute'], ['POST', '/wallets'], ['POST', '/keys/rotate'],
    ]) {
        const { status, body } = await agent.send(method, path, method === 'PATCH' ? { json: { description: 'x' } } : {});
        assert.deepEqual([status, body.error_code], [401, 'INVALID_API_KEY'], `${method} ${path}`);
    }
    for (const how of [ask, askModern]) for (const name of ['get_me', 'delete_me', 'reactivate_me']) assert.equal((await how('tools/call', { name, arguments: {} }, { key: agent.key })).status, 401);
    for (const operation of ['get_me', 'delete_me', 'reactivate_me']) {
        const a2a = new A2A(agent);
        assert.equal((await a2a.post('send', { message: a2a.message([{ data: { operation, arguments: {} } }]) })).status, 401);
    }
}

test('a banned agent is let in nowhere until it is unbanned, and trades then as before', async () => {
    const agent = await trader('ethereum');
    await operate('ban', agent.id);
    await operate('ban', agent.id);
    await locksOut(agent);
    assert.match(await operate('list'), new RegExp(`^${agent.id}  standard +banned `, 'm'));
    assert.match(await operate('show', agent.id), /^status +banned$/m);
    await operate('unban', agent.id);
    assert.equal(granted(await agent.get('/me')).agent.id, agent.id);
    await agent.completed(await agent.swap('ETH', 'USDC', '0.01'));
    agent.hook.close();
});

test('a ban and a stop end each for itself', async () => {
    const agent = await register();
    await operate('stop', agent.id);
    await operate('ban', agent.id);
    await operate('unban', agent.id);
    refused(await agent.send('DELETE', '/me'), STOPPED);
    await operate('ban', agent.id);
    await operate('resume', agent.id);
    refused(await agent.get('/me'), DENIED);
    await operate('unban', agent.id);
    assert.equal((await agent.send('DELETE', '/me')).status, 204);
});

test('a banned agent stays deactivated if it was, and is swept without a stop', async () => {
    const agent = await trader('base', 1);
    granted(await agent.send('POST', '/me/deactivate'));
    await operate('ban', agent.id);
    await locksOut(agent);
    const to = Wallet.createRandom().address;
    const { code, out } = await agentctl('sweep', agent.id, to);
    assert.equal(code, 0, out);
    assert.match(out, /transfer \d+ +[0-9.]+ ETH/);
    await operate('unban', agent.id);
    refused(await agent.get('/me'), DENIED, [], 'AGENT_INACTIVE');
    granted(await agent.send('POST', '/reactivate'));
    agent.hook.close();
});

// ---------------------------------------------------------------- another key

test('rotate prints a key once, and the previous one is invalid, stopped or not', async () => {
    const agent = await register();
    for (const act of ['resume', 'stop']) {
        await operate(act, agent.id);
        const thief = agent.key;
        agent.key = (await operate('rotate', agent.id)).trimEnd();
        assert.match(agent.key, API_KEY);
        refused(await send('GET', `${API}/me`, { key: thief }), DENIED);
        assert.equal(granted(await agent.get('/me')).agent.id, agent.id);
    }
    assert.equal(await sql(`SELECT COUNT(*) FROM audit WHERE line LIKE '%"act":"rotate"%' AND line LIKE CONCAT('%', SHA2('${agent.id}', 256), '%')`), '2');
    assert.equal(await sql("SELECT COUNT(*) FROM audit WHERE line LIKE '%svc_sk_%'"), '0');
});

// ---------------------------------------------------------------- deactivation

test('an agent that the operator deactivated cannot reactivate itself', async () => {
    const agent = await register();
    granted(await agent.send('POST', '/me/deactivate'));
    await operate('deactivate', agent.id);
    assert.match(refused(await agent.send('POST', '/reactivate'), SHUT).hint, /operator/);
    assert.match(refused(await agent.send('POST', '/me/deactivate'), 'Agent is already deactivated').hint, /operator/);
    refused(await agent.get('/me'), DENIED, [], 'AGENT_INACTIVE');
    const a2a = new A2A(agent);
    assert.equal(a2a.said(a2a.is(await a2a.call('reactivate_me'), 'rejected'))[1].error, SHUT);
    assert.match(await operate('show', agent.id), /^status +deactivated by the operator$/m);
    await operate('reactivate', agent.id);
    granted(await agent.get('/me'));
    granted(await agent.send('POST', '/me/deactivate'));
    await operate('reactivate', agent.id);
    granted(await agent.get('/me'));
    await operate('deactivate', agent.id);
    assert.equal((await agent.send('DELETE', '/me')).status, 204);
});

// ---------------------------------------------------------------- delete_funded

/** On Solana, too: the coin, and a token in an account of its own. */
async function solanaFunded(remove) {
    for (const mint of [undefined, MINTS.PYUSD.mint]) {
        const agent = await register();
        const { address } = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet;
        await fetch(`${settings().SANDBOX_SOLANA_URL}/_sandbox`, { method: 'POST', body: JSON.stringify({ service: 'solana', fault: 'fund', value: { address, mint, amount: '1000000' } }) });
        refused(await remove(agent), "The agent's wallets still hold something");
    }
}

test('delete_funded = no keeps agents whose wallets hold something', async () => {
    const gateway = await startGateway(['delete_funded = no']);
    try {
        const remove = (agent) => send('DELETE', `${API}/me`, { base: gateway.base, key: agent.key });
        const bare = await register();
        assert.equal((await remove(bare)).status, 204);
        const agent = await register();
        const [first, second] = [await agent.wallet(), await agent.wallet()];
        await fund('base', second, 0.000001);
        assert.match(refused(await remove(agent), "The agent's wallets still hold something").hint, /portfolio.*withdraw/);
        await rpc('base', 'anvil_setBalance', [second, '0x0']);
        await give('ethereum', first, 'USDC', '0.000001');
        refused(await remove(agent), "The agent's wallets still hold something");
        await solanaFunded(remove);
        await operate('stop', agent.id);
        refused(await remove(agent), STOPPED);
        await operate('resume', agent.id);
        // No name is enough here, as it is elsewhere; the setting `yes` wants none.
        refused(await send('DELETE', `${API}/me?confirm=test`, { base: gateway.base, key: agent.key }), "The agent's wallets still hold something");
        const lenient = await startGateway(['delete_funded = yes']);
        try {
            assert.equal((await send('DELETE', `${API}/me`, { base: lenient.base, key: agent.key })).status, 204);
        } finally {
            await lenient.stop();
        }
    } finally {
        await gateway.stop();
    }
});

test('delete_funded = no keeps agents whose deposit wallets hold something', async () => {
    const gateway = await startGateway(['delete_funded = no']);
    try {
        const remove = (agent) => send('DELETE', `${API}/me`, { base: gateway.base, key: agent.key });
        const agent = await register();
        const wallet = await agent.wallet();
        const trading = `0x${randomBytes(20).toString('hex')}`;
        await sql(`INSERT INTO predict_accounts (wallet_id, agent_id, kind, proxy_kind, trading, created_at)
            SELECT id, agent_id, 1, 0, UNHEX('${trading.slice(2)}'), UTC_TIMESTAMP(3) FROM wallets WHERE address = '${wallet}'`);
        await fund('polygon', trading, 0.000001);
        assert.match(refused(await remove(agent), "The agent's wallets still hold something").hint, /predict\/withdraw/);
        await rpc('polygon', 'anvil_setBalance', [trading, '0x0']);
        assert.equal((await remove(agent)).status, 204);
    } finally {
        await gateway.stop();
    }
});

test('delete_funded = no keeps agents of whom a chain tells nothing', async () => {
    const gateway = await startGateway(['delete_funded = no', 'rpc.gnosis = http://127.0.0.1:9']);
    try {
        const agent = await register();
        await agent.wallet();
        refused(await send('DELETE', `${API}/me`, { base: gateway.base, key: agent.key }), "What the agent's wallets hold could not be read");
        granted(await agent.get('/me'));
    } finally {
        await gateway.stop();
    }
});

// ---------------------------------------------------------------- settings that are wrong

/** The stack's settings and these lines, as a file that `-c` names. */
async function withSettings(lines, during) {
    const { GATEWAY_CONF, GATEWAY_VAR } = settings();
    const conf = join(GATEWAY_VAR, 'wrong.conf');
    writeFileSync(conf, [`include ${GATEWAY_CONF}`, ...lines, ''].join('\n'));
    try {
        return await during(conf);
    } finally {
        rmSync(conf);
    }
}

test('a wrong line in the settings disarms no stop, and check names it', async () => {
    const agent = await victim();
    await withSettings(['workerz = 3', 'a line that says nothing', 'workers = many'], async (conf) => {
        for (const [stop, resume] of [['stop', 'resume'], ['ban', 'unban']]) {
            const { code, out } = await agentctl('-c', conf, stop, agent.id);
            assert.equal(code, 0, out);
            assert.equal((await agent.post('/wallets')).status, stop === 'stop' ? 403 : 401);
            assert.equal((await agentctl('-c', conf, resume, agent.id)).code, 0);
            granted(await agent.post('/wallets'), 201);
        }
        const { code, out } = await agentctl('-c', conf, 'check');
        assert.equal(code, 2);
        for (const line of ['wrong.conf line 2: unknown setting workerz', 'wrong.conf line 3: wrong line', 'wrong.conf line 4: wrong setting workers']) {
            assert.ok(out.startsWith('GATEWAY CRITICAL - ') && out.includes(`${line}`), out);
        }
        const { code: refusedCode, err } = await agentctl('-c', conf, 'list');
        assert.ok(refusedCode !== 0 && /settings_wrong/.test(err), err);
        assert.equal((await agentctl('-c', conf, 'status')).code, 0);
    });
    // By which database and signer are found: what was meant cannot be known.
    for (const line of ['db_server = /nowhere.sock', 'db_servers = ', 'include nowhere.conf']) {
        await withSettings([line], async (conf) => {
            const { code, err } = await agentctl('-c', conf, 'stop', agent.id);
            assert.ok(code !== 0 && /settings_wrong/.test(err), `${line}: ${err}`);
            const { code: checked, out } = await agentctl('-c', conf, 'check');
            assert.ok(checked === 2 && /^GATEWAY CRITICAL - settings: /.test(out), `${line}: ${out}`);
        });
    }
    granted(await agent.post('/wallets'), 201);
});
