// Section: operator
// Databases that begin sessions in another way, or take no writes: read-only, rights that are missing, a format of the binary log.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
    chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT, granted, send, until } from '../api/lib.mjs';
import { startGateway } from '../api/gateway.mjs';
import { Database } from './database.mjs';
import { settings } from './lib.mjs';

const stack = settings();
const directory = mkdtempSync('/tmp/agent-gateway-db.');
const password = join(directory, 'password');
const servers = ['first', 'second'].map((name) => new Database(join(directory, name)));
const [first, second] = servers;
// For all but root, whose statements set the scene.
const HOSTILE = "SET GLOBAL init_connect = \"SET SESSION autocommit = 0, completion_type = 'CHAIN', sql_mode = 'ANSI_QUOTES', sql_select_limit = 1,"
    + " tx_read_only = 1, tx_isolation = 'SERIALIZABLE', time_zone = '+05:00', character_set_connection = latin1, max_statement_time = 0.2\"";
let gateway;

const lines = ['db_user = gateway', `db_password_file = ${password}`, 'db_tls = off'];
const at = (list) => [`db_servers = ${list.map(({ socket }) => socket).join(', ')}`, ...lines];

async function prepare(server) {
    mkdirSync(server.directory, { mode: 0o711 });
    await server.install();
    await server.start('--no-defaults', '--skip-networking', '--innodb-buffer-pool-size=32M', `--log-bin=${join(server.directory, 'binlog')}`, '--sync-binlog=1');
    for (const statement of ['CREATE DATABASE gateway', "CREATE USER gateway@localhost IDENTIFIED BY 'pass'", 'GRANT ALL ON gateway.* TO gateway@localhost', HOSTILE]) await server.sql(statement);
    const conf = join(server.directory, 'gateway.conf');
    writeFileSync(conf, [`include ${ROOT}contrib/sandbox/gateway.conf`, ...at([server]), ''].join('\n'));
    await promisify(execFile)(join(stack.GATEWAY_BIN, 'jobs', 'schema-migrate'), ['-c', conf], { env: { ...process.env, ...stack } });
}

before(async () => {
    chmodSync(directory, 0o711); // for programs that become another user
    writeFileSync(password, 'pass\n', { mode: 0o600 });
    for (const server of servers) await prepare(server);
    gateway = await startGateway(at([first]));
});

after(async () => {
    await gateway?.stop();
    for (const server of servers) if (server.process) await server.stop();
    rmSync(directory, { recursive: true });
});

const ask = (method, path, options) => send(method, path, { base: gateway.base, mayBreak: true, ...options });
const register = async () => granted(await ask('POST', '/v1/agent/register', { json: { name: 'writer' } })).agent;
const readiness = () => ask('GET', '/readyz');

/** More than one worker answers, each as it has to. */
const AT_ONCE = 16;
const together = async (call, status) => (await Promise.all(Array.from({ length: AT_ONCE }, call))).forEach((answer) => assert.equal(answer.status, status, answer.text));

const cut = async (server) => {
    const ids = await server.sql("SELECT id FROM information_schema.processlist WHERE user = 'gateway'");
    for (const id of ids.split('\n').filter(Boolean)) await server.sql(`KILL ${id}`).catch(() => {}); // it may have ended by itself
};

test('acknowledged writes stay, at any session defaults of the server', async () => {
    const { api_key: key } = await register();
    const { wallet } = granted(await ask('POST', '/v1/agent/wallets', { key }), 201);
    assert.equal((await readiness()).body.checks.database_writes, true);
    await cut(first);
    assert.deepEqual(granted(await ask('GET', '/v1/agent/wallets', { key })).wallets.map(({ address }) => address), [wallet.address]);
    const stops = await until('a look at the stops', async () => (await readiness()).body.stops);
    assert.deepEqual([stops.trading_stopped, stops.database_older], [false, false]);
});

for (const [what, refuse, allow] of [
    ['a server that only allows reading', 'SET GLOBAL read_only = 1', 'SET GLOBAL read_only = 0'],
    ['a missing right', 'REVOKE INSERT ON gateway.* FROM gateway@localhost', 'GRANT ALL ON gateway.* TO gateway@localhost'],
    ['a format of the binary log that InnoDB cannot take', "SET GLOBAL binlog_format = 'STATEMENT'", "SET GLOBAL binlog_format = 'MIXED'"],
]) {
    test(`${what} is told, and answers say that the same request may be repeated`, async () => {
        const { api_key: key } = await register();
        await first.sql(refuse);
        await cut(first);
        const told = await until('/readyz to say so', async () => {
            const answer = await readiness();
            return answer.status === 503 && answer.body.checks.database_writes === false && answer;
        });
        assert.equal(told.body.checks.database, true);
        assert.match((await ask('GET', '/metrics')).text, /^gateway_check\{part="database_writes"\} 0$/m);
        assert.equal((await ask('GET', '/v1/agent/me', { key })).status, 200);
        const refused = await ask('POST', '/v1/agent/wallets', { key });
        assert.equal(refused.status, 500, refused.text);
        assert.equal(refused.body.error, 'Wallet creation failed');
        assert.match(refused.body.hint, /takes no writes.*repeat the same request/);
        assert.ok(Number(refused.headers['retry-after']) > 0);
        // Of sessions too that workers have had since then.
        await together(() => ask('GET', '/v1/agent/me', { key }), 200);
        await first.sql(allow);
        await until('/readyz to be green', async () => (await readiness()).status === 200);
        await together(() => ask('POST', '/v1/agent/register', { json: { name: 'writer' } }), 200);
    });
}

test('the one of several servers that takes writes is found, at the start and later', async () => {
    await gateway.stop();
    gateway = await startGateway(at(servers));
    await register();
    const count = (server) => server.sql('SELECT COUNT(*) FROM gateway.agents').then(Number);
    const before = await Promise.all(servers.map(count));
    await first.sql('SET GLOBAL read_only = 1');
    await register();
    assert.deepEqual(await Promise.all(servers.map(count)), [before[0], before[1] + 1]);
    assert.equal((await readiness()).status, 200);
    await gateway.stop();
    gateway = await startGateway(at(servers));
    await register();
    assert.deepEqual(await Promise.all(servers.map(count)), [before[0], before[1] + 2]);
    await second.sql('SET GLOBAL read_only = 1');
    await until('/readyz to say that none does', async () => (await readiness()).status === 503);
});
