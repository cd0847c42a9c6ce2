// Section: operator
// A database on another host: reached by name, with a password and TLS.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
    chmodSync, mkdtempSync, rmSync, writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT, granted, send } from '../api/lib.mjs';
import { startGateway } from '../api/gateway.mjs';
import { freePort } from '../api/ports.mjs';
import { Database } from './database.mjs';
import { agentctl, settings } from './lib.mjs';

const directory = mkdtempSync('/tmp/agent-gateway-db.');
const at = (name) => join(directory, name);
const database = new Database(directory);
const port = await freePort();
const stack = settings();
const PASSWORD = 'correct horse';

/** A certificate for the name localhost alone, of an authority of our own. */
async function certify() {
    const openssl = (line) => promisify(execFile)('openssl', line.split(' '), { cwd: directory });
    const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
    writeFileSync(at('names'), 'subjectAltName=DNS:localhost');
    await openssl(`req -x509 ${key} -keyout ca.key -out ca.pem -subj /CN=authority -days 2`);
    await openssl(`req ${key} -keyout server.key -out server.csr -subj /CN=server`);
    for (const [name, days] of [['server', 2], ['expired', -1]]) await openssl(`x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out ${name}.pem -days ${days} -extfile names`);
}

const serve = (...tls) => database.start('--no-defaults', '--bind-address=127.0.0.1', `--port=${port}`, ...tls);
const encrypted = (certificate = 'server.pem') => serve(`--ssl-cert=${at(certificate)}`, `--ssl-key=${at('server.key')}`);

before(async () => {
    chmodSync(directory, 0o711); // for programs that become another user
    writeFileSync(at('password'), `${PASSWORD}\n`, { mode: 0o600 });
    await Promise.all([certify(), database.install()]);
    chmodSync(at('ca.pem'), 0o644);
    await encrypted();
    await database.sql(`CREATE DATABASE gateway; CREATE USER gateway@'%' IDENTIFIED BY '${PASSWORD}' REQUIRE SSL;
        GRANT ALL ON gateway.* TO gateway@'%'`);
});

after(async () => {
    await database.stop();
    rmSync(directory, { recursive: true });
});

const lines = (host, tls, ca) => [`db_servers = ${host}:${port}`, 'db_user = gateway', `db_password_file = ${at('password')}`, `db_tls = ${tls}`, `db_tls_ca = ${ca}`];

/** Whether the schema could be made with these settings, and what was said. */
async function migrate(host, tls, ca) {
    writeFileSync(at('gateway.conf'), [`include ${ROOT}contrib/sandbox/gateway.conf`, ...lines(host, tls, ca), ''].join('\n'));
    return promisify(execFile)(join(stack.GATEWAY_BIN, 'jobs', 'schema-migrate'), ['-c', at('gateway.conf')], { env: { ...process.env, ...stack } })
        .then(({ stderr }) => ({ done: true, said: stderr }), ({ stderr }) => ({ done: false, said: stderr }));
}

const TLS_ERROR = /reason="error 2026: TLS handshake failed"/;
const TLS_NAME = /reason="error 2026: TLS certificate of another host name"/;
const TLS_EXPIRED = /reason="error 2026: TLS certificate expired"/;
const TLS_UNTRUSTED = /reason="error 2026: TLS certificate not trusted"/;
const REFUSED = /reason="error 1045: /;

for (const [what, host, tls, ca, failure] of [
    ['verified', 'localhost', 'verify', at('ca.pem')],
    ['preferred, under any name', '127.0.0.1', 'prefer', ''],
    ['a certificate for another name', '127.0.0.1', 'verify', at('ca.pem'), TLS_NAME],
    ['a certificate of an unknown authority', 'localhost', 'verify', '', TLS_UNTRUSTED],
    ['a file of authorities that is not there', 'localhost', 'verify', at('none'), TLS_ERROR],
    ['no TLS where the server wants it', 'localhost', 'off', '', REFUSED],
    ['a word that is none of the three', 'localhost', 'perhaps', '', /name=db_tls value="perhaps" allowed="off, prefer or verify"/],
]) {
    test(`TLS to the database: ${what}`, async () => {
        const { done, said } = await migrate(host, tls, ca);
        assert.equal(done, failure === undefined, said);
        if (failure) assert.match(said, failure);
    });
}

test('a gateway serves from a database across the network', async () => {
    assert.ok((await migrate('localhost', 'verify', at('ca.pem'))).done);
    const gateway = await startGateway(lines('localhost', 'verify', at('ca.pem')));
    try {
        const { agent } = granted(await send('POST', '/v1/agent/register', { base: gateway.base, json: { name: 'far' } }));
        assert.equal(granted(await send('GET', '/v1/agent/me', { base: gateway.base, key: agent.api_key })).agent.id, agent.id);
        assert.equal(await database.sql('SELECT name FROM gateway.agents'), 'far');
    } finally {
        await gateway.stop();
    }
});

test('a certificate that has expired is called so, by a check too', async () => {
    await database.stop();
    await encrypted('expired.pem');
    const { done, said } = await migrate('localhost', 'verify', at('ca.pem'));
    assert.ok(!done);
    assert.match(said, TLS_EXPIRED);
    const check = await agentctl('-c', at('gateway.conf'), 'check');
    assert.equal(check.code, 2, check.out);
    assert.match(check.out, /mariadbd: does not answer: error 2026: TLS certificate expired/);
});

test('a server without TLS: preferred is done without, verified is not', async () => {
    await database.sql("ALTER USER gateway@'%' REQUIRE NONE");
    await database.stop();
    await serve('--skip-ssl');
    assert.ok((await migrate('localhost', 'prefer', '')).done);
    const { done, said } = await migrate('localhost', 'verify', at('ca.pem'));
    assert.ok(!done);
    assert.match(said, TLS_ERROR);
});
