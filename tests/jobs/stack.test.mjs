// Section: starts
// The local stack: what its commands say, what it lets in, what it keeps to itself.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
    mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { counterOrder } from '../../contrib/sandbox/trader.mjs';
import {
    Agent, API_KEY, ROOT, granted, until,
} from '../api/lib.mjs';
import { freePort } from '../api/ports.mjs';
import { openFiles } from './gateways.mjs';
import { processes, settings } from './lib.mjs';

const STACK = `${ROOT}contrib/sandbox/stack`;

const run = (args, env = {}) => promisify(execFile)(STACK, args, { env: { ...process.env, ...env } })
    .then(({ stdout, stderr }) => ({ code: 0, stdout, stderr }), ({ code, stdout, stderr }) => ({ code, stdout, stderr }));

test('status names each process and each address', async () => {
    const { code, stdout } = await run(['status']);
    assert.equal(code, 0, stdout);
    const lines = stdout.trim().split('\n').map((line) => line.split(' '));
    for (const line of lines) assert.equal(line.length, 2, line.join(' '));
    const names = new Set(lines.map(([name]) => name));
    const { GATEWAY_DB } = settings();
    for (const name of [GATEWAY_DB === 'mysql' ? 'mysqld' : 'mariadbd', 'lighttpd', 'gateway', 'signer', 'cron', 'anvil-ethereum', 'anvil-base', 'anvil-polygon', 'anvil-arbitrum', 'solana-rpc', 'upstream', 'ethereum', 'base', 'polygon', 'arbitrum', 'solana']) {
        assert.ok(names.has(name), `${name} in ${[...names]}`);
    }
    const {
        GATEWAY_PORT, SANDBOX_ETHEREUM_PORT, SANDBOX_BASE_PORT, SANDBOX_POLYGON_PORT, SANDBOX_ARBITRUM_PORT, SANDBOX_SOLANA_PORT, SANDBOX_UPSTREAM_PORT,
    } = settings();
    const urls = Object.fromEntries(lines.filter(([, value]) => value.startsWith('http')));
    assert.deepEqual(urls, {
        gateway: `http://127.0.0.1:${GATEWAY_PORT}`,
        ethereum: `http://127.0.0.1:${SANDBOX_ETHEREUM_PORT}`,
        base: `http://127.0.0.1:${SANDBOX_BASE_PORT}`,
        polygon: `http://127.0.0.1:${SANDBOX_POLYGON_PORT}`,
        arbitrum: `http://127.0.0.1:${SANDBOX_ARBITRUM_PORT}`,
        solana: `http://127.0.0.1:${SANDBOX_SOLANA_PORT}`,
        upstream: `http://127.0.0.1:${SANDBOX_UPSTREAM_PORT}`,
    });
    const [parent, ...workers] = lines.filter(([name, pid]) => name === 'gateway' && /^\d+$/.test(pid)).map(([, pid]) => pid);
    const parents = await Promise.all(workers.map((pid) => readFile(`/proc/${pid}/status`, 'utf8') // some leave: the pool shrinks
        .then((status) => [/^PPid:\s*(\d+)$/m.exec(status)[1]], () => [])));
    assert.deepEqual([...new Set(parents.flat())], [parent]);
});

test("jobs that root starts are the workers' user, of its group alone", async () => {
    const jobs = await until('all jobs', async () => { // each ends after its minute
        const all = (await processes()).filter(([name]) => ['swap-poll', 'order-poll', 'webhook-drain'].includes(name));
        const statuses = await Promise.all(all.map(([, pid]) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')));
        // The parent of each only waits, and starts another one where it dies.
        const parents = new Set(all.map(([, pid]) => String(pid)));
        const working = statuses.filter((status) => parents.has(/^PPid:\s*(\d+)$/m.exec(status)?.[1]));
        return working.length >= 3 && statuses.every(Boolean) && working;
    });
    const { GATEWAY_WORKER_UID: uid } = settings();
    const [user, group] = uid === '0' ? [process.getuid(), process.getgid()] : [uid, uid];
    for (const status of jobs) {
        const line = (name) => new RegExp(`^${name}:[ \\t]*(.*?)[ \\t]*$`, 'm').exec(status)[1];
        assert.deepEqual([line('Uid'), line('Gid')], [Array(4).fill(user).join('\t'), Array(4).fill(group).join('\t')]);
        if (uid !== '0') assert.equal(line('Groups'), '');
    }
});

// Its environment is closed to its user where a process is not dumpable, as jobs and signer are: `down` finds them by their session.
test('all processes stay in a session that the stack has begun', async () => {
    const jobs = await until('all jobs', async () => {
        const all = (await processes()).filter(([name]) => ['swap-poll', 'order-poll', 'webhook-drain'].includes(name));
        return all.length >= 3 && all;
    });
    const run = join(settings().GATEWAY_VAR, 'run');
    const begun = readdirSync(run).filter((name) => name.endsWith('.pid')).map((name) => readFileSync(join(run, name), 'utf8').split(/\s/)[0]);
    for (const [name, pid] of [...await processes(), ...jobs]) {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''); // some leave
        const [, , , session] = stat.replace(/^.*\) /s, '').split(' ');
        if (stat !== '') assert.ok(begun.includes(session), `${name} ${pid} is in session ${session}`);
    }
});

test('restart puts other workers in the place of the previous ones, under the same parent', async () => {
    const gateways = async () => (await processes()).filter(([name]) => name === 'gateway').map(([, pid]) => pid);
    const restarted = async () => {
        const [same, ...former] = await gateways();
        const { code, stdout } = await run(['restart']);
        assert.equal(code, 0);
        assert.match(stdout, /is restarted: http:\/\/127\.0\.0\.1:\d+\n$/);
        return until('the former workers to end', async () => {
            const all = await gateways();
            return all[0] === same && !all.some((pid) => former.includes(pid)) && all;
        });
    };
    const [parent, ...former] = await restarted(); // without those that earlier tests needed besides
    const [same, ...workers] = await restarted();
    assert.deepEqual([same, workers.length], [parent, former.length]);
    assert.equal((await run(['status'])).code, 0);
});

test('a second up says that it is up', async () => {
    const before = (await processes()).find(([name]) => name === 'gateway');
    const { code, stdout } = await run(['up']);
    assert.equal(code, 0);
    assert.match(stdout, /is up already: http:\/\/127\.0\.0\.1:\d+\n$/);
    assert.deepEqual((await processes()).find(([name]) => name === 'gateway'), before);
});

test('a port in use is told by its name, and nothing is left running', async () => {
    const { GATEWAY_VAR } = settings();
    const other = { GATEWAY_VAR: join(GATEWAY_VAR, 'other') };
    const { code, stderr } = await run(['up'], other);
    assert.equal(code, 1);
    assert.match(stderr, /port \d+ is in use by another program; set [A-Z_]+_PORT to a free one/);
    assert.equal((await run(['status'], other)).code, 1);
});

test('another stack starts next to this one, in a directory that only its user may enter, with temporary files of its own', async () => {
    const [web, ethereum, base, polygon, arbitrum, solana, upstream] = await Promise.all(Array.from({ length: 7 }, freePort));
    const other = {
        GATEWAY_VAR: join(settings().GATEWAY_VAR, 'closed', 'other'), GATEWAY_WORKERS: '2', GATEWAY_WEB: 'apache', TMPDIR: '/nonexistent',
        GATEWAY_PORT: String(web), SANDBOX_ETHEREUM_PORT: String(ethereum), SANDBOX_BASE_PORT: String(base),
        SANDBOX_POLYGON_PORT: String(polygon), SANDBOX_ARBITRUM_PORT: String(arbitrum), SANDBOX_SOLANA_PORT: String(solana), SANDBOX_UPSTREAM_PORT: String(upstream),
    };
    rmSync(dirname(other.GATEWAY_VAR), { recursive: true, force: true });
    mkdirSync(dirname(other.GATEWAY_VAR), { mode: 0o700 });
    try {
        const { code, stderr } = await run(['up'], other);
        assert.deepEqual([code, stderr], [0, '']);
        const page = await fetch(`http://127.0.0.1:${web}/console/`, { headers: { accept: 'text/html' } });
        assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
        await venueRemembers(upstream, other);
    } finally {
        await run(['down'], other);
        rmSync(dirname(other.GATEWAY_VAR), { recursive: true });
    }
});

/**
 * What was traded outlives the stack's end, as the chain's balances do, and not its reset. That a chain is of another version
 * changes nothing about it, and is told.
 */
async function venueRemembers(port, env) {
    const base = `http://127.0.0.1:${port}/polymarket`;
    const get = async (path) => (await fetch(base + path)).json();
    const [tokenId] = JSON.parse((await get('/gamma/markets/9010')).clobTokenIds);
    await counterOrder({ tokenId, side: 'BUY', price: '0.6', size: '10', base });
    const [{ conditionId, proxyWallet }] = await get('/data/trades');
    const book = async () => { const { bids, asks } = await get(`/clob/book?token_id=${tokenId}`); return { bids, asks }; };
    const before = await book();
    await until('a settlement', async () => (await get('/data/trades'))[0].transactionHash);
    await run(['down'], env);
    writeFileSync(join(env.GATEWAY_VAR, 'sandbox', 'polygon.state.json.from'), 'another version');
    assert.match((await run(['up'], env)).stdout, /^Built by another version of the sandbox: polygon\. 'make reset' begins/);
    assert.deepEqual((await get('/data/trades')).map((trade) => [trade.conditionId, trade.proxyWallet, trade.size]), [[conditionId, proxyWallet, 10]]);
    assert.deepEqual(await book(), before);
    await run(['reset'], env);
    assert.deepEqual(await get('/data/trades'), []);
}

test('nothing listens beyond this machine', async () => {
    const inodes = new Set();
    for (const [, pid] of await processes()) {
        for (const fd of openFiles(pid)) {
            const socket = /^socket:\[(\d+)\]$/.exec(fd);
            if (socket) inodes.add(socket[1]);
        }
    }
    const listening = ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((table) => {
        const lines = readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n').slice(1);
        // 0A is a listening socket; any bound UDP socket takes what comes.
        return lines.map((line) => line.trim().split(/\s+/))
            .filter(([, , , state, , , , , , inode]) => (table.startsWith('udp') || state === '0A') && inodes.has(inode))
            .map(([, address]) => address);
    });
    assert.ok(listening.length >= 3, listening.join(' '));
    for (const address of listening) assert.match(address, /^0100007F:/, 'only 127.0.0.1');
});

for (const tier of ['standard', 'premium', 'unlimited']) {
    test(`a key of tier ${tier} is the last line`, async () => {
        const { stdout } = await run(['key', tier]);
        const key = stdout.trimEnd().split('\n').pop();
        assert.match(key, API_KEY);
        const { agent } = granted(await new Agent(key).get('/me'));
        assert.equal(agent.rate_limit_tier, tier);
    });
}

test('keys are files of their owner alone', () => {
    const look = (path) => {
        const { mode } = statSync(path);
        assert.equal(mode & 0o077, 0, `${path} has mode ${(mode & 0o777).toString(8)}`);
        if (statSync(path).isDirectory()) return readdirSync(path).map((name) => look(join(path, name))).reduce((a, b) => a + b, 0);
        return 1;
    };
    assert.ok(look(join(settings().GATEWAY_VAR, 'keys')) >= 3);
});

