// Section: cluster
// Three hosts, each with a gateway, jobs and a database server of its own; the servers are one Galera cluster. They are
// one service: nothing is lost, doubled or behind, also while a server is killed, comes back, or is cut off.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CHAINS, fund, nonceOf, rpc } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    API, ROOT, granted, receiver, refused, send, show, stackSettings, until, verified,
} from '../api/lib.mjs';
import { startCluster } from './cluster.mjs';

const DENIED = 'Invalid or missing API key';
const JOBS = ['swap-poll', 'order-poll', 'webhook-drain', 'quote-expire', 'agent-purge'];

const settings = await stackSettings();
const run = (program, args, env = {}) => promisify(execFile)(program, args, { env: { ...process.env, ...settings, ...env } });

const cluster = await startCluster();
const { nodes } = cluster;
const hosts = [];
after(async () => {
    await Promise.all(hosts.map((host) => host.stop()));
    await cluster.stop();
});

/** The servers as a host names them: its own first. */
const serversOf = (own) => `db_servers = ${[...nodes.slice(own), ...nodes.slice(0, own)].map(({ socket }) => socket).join(', ')}`;

// All three apply the schema at once.
await Promise.all(nodes.map(async (node, own) => {
    const file = join(cluster.directory, `migrate${own}.conf`);
    writeFileSync(file, `include ${ROOT}contrib/sandbox/gateway.conf\n${serversOf(own)}\n`);
    await run(join(settings.GATEWAY_BIN, 'jobs', 'schema-migrate'), ['-c', file]);
}));
// Before there are jobs, which would take part.
const races = await run(join(settings.GATEWAY_BIN, 'cluster', 'races'), [], { CLUSTER_SOCKETS: `${nodes[0].socket},${nodes[1].socket}` })
    .catch((error) => error);

hosts.push(...await Promise.all(nodes.map((node, own) => startGateway([serversOf(own), 'hosts = 3'], { jobs: JOBS }))));
const cut = await startGateway([`db_servers = ${nodes[2].socket}`]); // a gateway that knows one server alone
hosts.push(cut);
const [east, west, north] = hosts;
const three = [east, west, north];

const any = () => three[Math.floor(Math.random() * three.length)];
const through = ({ base }, { key }) => ({
    get: (path) => send('GET', API + path, { base, key, mayBreak: true }),
    post: (path, json, headers) => send('POST', API + path, { base, key, json, headers, mayBreak: true }),
    patch: (path, json) => send('PATCH', API + path, { base, key, json, mayBreak: true }),
});
const newAgent = async () => ({ key: (await any().agentctl('key', 'unlimited')).split('\n').pop() });
const trade = (amount, chain) => ({ from_token: 'ETH', to_token: 'USDC', amount, chain });

/** A managed wallet with that much of the coin. */
async function newWallet(agent, chain, coins) {
    const { wallet } = granted(await through(any(), agent).post('/wallets'), 201);
    await fund(chain, wallet.address, coins);
    return wallet.address;
}

const everywhere = (sql) => Promise.all(nodes.map((node) => node.query(sql)));
const swapsOf = async (agent) => granted(await through(any(), agent).get('/swaps?limit=100'));

/** Waits until all swaps of the agent have ended, and returns them. */
const ended = (agent) => until('all swaps to end', async () => {
    const { swaps } = await swapsOf(agent);
    return swaps.every(({ status }) => /^(completed|failed)$/.test(status)) && swaps;
}, { interval: 300 });

async function conflicts() {
    return await cluster.sum('wsrep_local_cert_failures') + await cluster.sum('wsrep_local_bf_aborts');
}

// ---------------------------------------------------------------- in the same instant

test('writes on two nodes at once collide, and a commit is seen on both', () => {
    assert.match(races.stdout, /^[1-9]\d* passed, 0 failed$/m, races.stdout + races.stderr);
});

test('an agent registered, rotated, quoted and deactivated on one host is so on all others at once', async () => {
    for (let i = 0; i < 12; i += 1) {
        const [here, ...there] = [...three.slice(i % 3), ...three.slice(0, i % 3)];
        const { agent } = granted(await send('POST', `${API}/register`, { base: here.base, json: { name: 'test' } }));
        const old = { key: agent.api_key };
        for (const host of there) granted(await through(host, old).get('/me'));
        const fresh = { key: granted(await through(here, old).post('/keys/rotate')).api_key };
        for (const host of there) {
            refused(await through(host, old).get('/me'), DENIED);
            granted(await through(host, fresh).get('/me'));
        }
        const { quote_id } = granted(await through(here, fresh).post('/quote', trade('0.01', 'base')));
        for (const host of there) refused(await through(host, fresh).post('/swap/execute', { quote_id }), 'No managed wallet found');
        granted(await through(here, fresh).post('/me/deactivate'));
        for (const host of there) refused(await through(host, fresh).get('/me'), DENIED);
    }
});

test('many quotes of one wallet executed over all hosts never spend more than it has, with nonces in a row', async (t) => {
    const before = await conflicts();
    const agent = await newAgent();
    const address = await newWallet(agent, 'base', 1.005); // ten and their fees
    const quotes = await Promise.all(Array.from({ length: 30 }, (_, i) => through(three[i % 3], agent).post('/quote', trade('0.1', 'base'))));
    const answers = await Promise.all(quotes.map((quote, i) => through(three[(i + 1) % 3], agent).post('/swap/execute', { quote_id: granted(quote).quote_id })));
    const good = answers.filter(({ status }) => status === 200);
    for (const answer of answers.filter((each) => !good.includes(each))) assert.match(answer.body.error, /^Insufficient (balance|gas)$/, show(answer));
    assert.ok(good.length >= 9 && good.length <= 10, `${good.length} accepted`);
    const swaps = await ended(agent);
    assert.equal(swaps.length, good.length);
    for (const swap of swaps) assert.equal(swap.status, 'completed', JSON.stringify(swap));
    assert.equal(await nonceOf('base', address), good.length);
    t.diagnostic(`${await conflicts() - before} conflicts between nodes`);
});

test('one quote, and one Idempotency-Key, used on all hosts at once is one swap', async () => {
    const agent = await newAgent();
    const address = await newWallet(agent, 'base', 5);
    const quote = async () => granted(await through(any(), agent).post('/quote', trade('0.01', 'base'))).quote_id;
    for (const headers of [{}, { 'idempotency-key': 'one' }]) {
        const quote_id = await quote();
        const answers = await Promise.all(Array.from({ length: 18 }, (_, i) => through(three[i % 3], agent).post('/swap/execute', { quote_id }, headers)));
        const good = answers.filter(({ status }) => status === 200);
        const first = good.filter((answer) => answer.headers['idempotent-replayed'] === undefined);
        assert.equal(first.length, 1, answers.map(show).join('\n'));
        for (const answer of answers.filter((each) => !good.includes(each))) {
            if (answer.status === 409) refused(answer, 'Request in progress');
            else assert.equal(refused(answer, 'Quote not found').swap_id, first[0].body.swap_id);
        }
    }
    assert.equal((await ended(agent)).length, 2);
    assert.equal(await nonceOf('base', address), 2);
});

// ---------------------------------------------------------------- under load

/** What the load did: accepted swaps by quote, and answers of the service's own fault. */
const seen = { accepted: new Map(), broken: [], rotations: 0 };
const load = { on: true, troubled: false };

function note(what, answer) {
    if (answer.status >= 500) {
        assert.ok(load.troubled, `${what} ended with ${show(answer)} though all was well`);
        seen.broken.push(`${what}: ${show(answer)}`);
    }
    return answer;
}

/** Quotes here, executes on two hosts at once, over and over. */
async function trader(agent, chain) {
    while (load.on) {
        await pause(200);
        const asked = note('quote', await through(any(), agent).post('/quote', trade('0.001', chain)));
        if (asked.status >= 500) continue;
        const { quote_id } = granted(asked);
        const [one, other] = [...three].sort(() => Math.random() - 0.5);
        const answers = await Promise.all([one, other].map((host) => through(host, agent).post('/swap/execute', { quote_id })));
        const good = answers.filter((answer) => note('execute', answer).status === 200);
        assert.ok(good.length <= 1, answers.map(show).join('\n'));
        if (good.length === 1) seen.accepted.set(quote_id, { agent, id: good[0].body.swap_id });
        else assert.ok(answers.some(({ status }) => status >= 500), answers.map(show).join('\n'));
    }
}

/** A key that is rotated on one host works on another at once, and the previous one no more. */
async function rotator() {
    let agent = await newAgent();
    while (load.on) {
        await pause(50);
        const rotated = note('rotation', await through(any(), agent).post('/keys/rotate'));
        if (rotated.status >= 500) {
            agent = await newAgent().catch(() => agent);
            continue;
        }
        const former = agent;
        agent = { key: granted(rotated).api_key };
        const [fresh, dead] = await Promise.all([agent, former].map((each) => through(any(), each).get('/me')));
        if (note('fresh key', fresh).status < 500) granted(fresh);
        if (note('dead key', dead).status < 500) refused(dead, DENIED);
        seen.rotations += 1;
    }
}

const readiness = async (host) => send('GET', '/readyz', { base: host.base, mayBreak: true });

test('under load, with a server killed and another cut off, nothing is lost, doubled or behind', async (t) => {
    const before = await conflicts();
    const begun = performance.now();
    const since = () => ((performance.now() - begun) / 1000).toFixed(1);
    const inbox = await receiver();
    const agents = await Promise.all(Array.from({ length: 3 }, newAgent));
    for (const agent of agents) {
        agent.secret = granted(await through(any(), agent).patch('/me', { callback_url: inbox.url })).webhook_secret;
        agent.wallet = await newWallet(agent, 'base', 50);
        await fund('ethereum', agent.wallet, 50);
    }
    const work = Promise.all([...agents.flatMap((agent) => ['base', 'base', 'ethereum'].map((chain) => trader(agent, chain))), rotator(), rotator()]);
    work.catch(() => { load.on = false; });

    await pause(3000);
    load.troubled = true;
    await nodes[1].end('SIGKILL');
    const moved = await until('the host to use another server', async () => {
        const answer = await readiness(west);
        return answer.status === 200 && answer;
    });
    assert.ok(moved.body.database.server > 1, moved.text);
    const accepted = seen.accepted.size;
    await until('trading to go on without it', () => seen.accepted.size > accepted + 10 || !load.on);
    t.diagnostic(`trading goes on after ${since()} s`);
    await nodes[1].start();
    t.diagnostic(`rejoined after ${since()} s`);

    // Cut off, a server runs on, but takes no part.
    await nodes[2].query("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'", '');
    const red = await until('the gateway that knows it alone to be red', async () => {
        const answer = await readiness(cut);
        return answer.status === 503 && /non-Primary component/.test(answer.text) && answer;
    });
    assert.equal(red.body.checks.database, false, red.text);
    assert.equal(typeof red.body.database.reason, 'string', red.text);
    await until('its host to use another server', async () => (await readiness(north)).status === 200);
    await nodes[2].query("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'", '');
    await until('it to take part again', async () => (await nodes[2].status('wsrep_local_state_comment')) === 'Synced');
    assert.equal((await until('green', async () => { const answer = await readiness(cut); return answer.status === 200 && answer; })).body.database.server, 1);

    t.diagnostic(`cut off and back after ${since()} s`);
    await pause(500);
    load.troubled = false;
    await pause(3000);
    load.on = false;
    await work;
    t.diagnostic(`${seen.accepted.size} swaps, ${seen.rotations} rotations, ${seen.broken.length} answers of 500, ${await conflicts() - before} conflicts between nodes`);
    assert.ok(seen.accepted.size > 30 && seen.rotations > 20);

    for (const check of [checkSwaps, checkEvents, checkTotals, checkAgreement]) {
        await check(agents, inbox);
        t.diagnostic(`${check.name} after ${since()} s`);
    }
    inbox.close();
});

/** One swap for each accepted quote, one transaction for each nonce, none left out, as the chain has it. */
async function checkSwaps(agents) {
    for (const agent of agents) await until('all swaps to end', async () => (await nodes[0].query(`SELECT 1 FROM executions s JOIN wallets w ON w.id = s.wallet_id
        WHERE w.address = '${agent.wallet}' AND s.status NOT IN (4, 5) LIMIT 1`)).length === 0, 300);
    const rows = new Map((await nodes[0].query('SELECT id, LOWER(HEX(once)), status FROM executions')).map(([id, quote, status]) => [Number(id), { quote, status }]));
    for (const [quote, { id }] of seen.accepted) {
        assert.ok(rows.has(id), `swap ${id} is lost`);
        assert.ok(quote.toLowerCase().replace(/[^0-9a-f]/g, '').endsWith(rows.get(id).quote), `${quote} is not of swap ${id}`);
        assert.equal(rows.get(id).status, '4', `swap ${id}`);
    }
    const wallets = await nodes[0].query('SELECT id, address FROM wallets');
    for (const [wallet, address] of wallets) {
        for (const [chain, { id }] of Object.entries(CHAINS)) {
            const txs = await nodes[0].query(`SELECT nonce, CONCAT('0x', LOWER(HEX(hash))), kind, state FROM transactions WHERE wallet_id = ${wallet} AND chain_id = ${id} ORDER BY nonce`);
            assert.deepEqual(txs.map(([nonce]) => Number(nonce)), txs.map((_, i) => i), `nonces of ${address} on ${chain}`);
            assert.equal(await nonceOf(chain, address), txs.length, `${address} on ${chain}`);
            const mined = await Promise.all(txs.map(([, hash]) => rpc(chain, 'eth_getTransactionReceipt', [hash])));
            mined.forEach((receipt, i) => assert.equal(receipt?.status, '0x1', `nonce ${i} of ${address}`));
        }
    }
}

/** Each swap's end was told, signed, at least once. */
async function checkEvents(agents, inbox) {
    const swaps = await nodes[0].query(`SELECT s.id, w.address FROM executions s JOIN wallets w ON w.id = s.wallet_id
        WHERE w.address IN (${agents.map(({ wallet }) => `'${wallet}'`).join(', ')})`);
    const secrets = new Map(agents.map(({ wallet, secret }) => [wallet, secret]));
    const told = () => new Map(inbox.deliveries.map((delivery) => [JSON.parse(delivery.raw).data.swap_id, delivery]));
    await until('all events', () => swaps.every(([id]) => told().has(Number(id))), { interval: 300 });
    const deliveries = told();
    for (const [id, wallet] of swaps) assert.equal(verified(deliveries.get(Number(id)), secrets.get(wallet)).type, 'swap.completed');
    const here = `callback_url = '${inbox.url}'`;
    await until('all events to be recorded', async () => (await nodes[0].query(`SELECT 1 FROM webhook_events WHERE ${here} AND status <> 2 LIMIT 1`)).length === 0, { interval: 300 });
    assert.deepEqual(await nodes[0].query(`SELECT agent_id, COUNT(*) FROM webhook_events WHERE ${here} GROUP BY agent_id`),
        await nodes[0].query(`SELECT s.agent_id, COUNT(*) FROM executions s JOIN agents a ON a.id = s.agent_id WHERE ${here} GROUP BY s.agent_id`));
}

/** The kept totals are the numbers of rows. */
async function checkTotals() {
    assert.deepEqual(await nodes[1].query(`SELECT a.id, a.swaps_pending, a.swaps_submitted, a.swaps_completed, a.swaps_failed FROM agents a ORDER BY a.id`),
        await nodes[1].query(`SELECT a.id, COALESCE(SUM(s.listed = 1), 0), COALESCE(SUM(s.listed = 2), 0), COALESCE(SUM(s.listed = 4), 0), COALESCE(SUM(s.listed = 5), 0)
            FROM agents a LEFT JOIN executions s ON s.agent_id = a.id GROUP BY a.id ORDER BY a.id`));
    assert.deepEqual(await nodes[2].query('SELECT agent_id, event_type, status, n FROM event_totals WHERE n <> 0 ORDER BY 1, 2, 3'),
        await nodes[2].query('SELECT agent_id, event_type, status, COUNT(*) FROM webhook_events GROUP BY 1, 2, 3 ORDER BY 1, 2, 3'));
}

/** All nodes have the same rows, once no host writes any more. */
async function checkAgreement() {
    await Promise.all(hosts.splice(0).map((host) => host.stop()));
    for (const [table] of await nodes[0].query('SHOW TABLES')) {
        const [{ length }] = await everywhere(`SET SESSION wsrep_sync_wait = 15; SHOW COLUMNS FROM ${table}`);
        const order = Array.from({ length }, (_, i) => i + 1).join(', ');
        const [one, ...others] = await everywhere(`SET SESSION wsrep_sync_wait = 15; SELECT * FROM ${table} ORDER BY ${order}`);
        for (const other of others) assert.deepEqual(other, one, table);
    }
}
