// Section: starts
// Settings: one table, with which the sample and gateway.conf(5) agree; a mistake ends a start with its file, line and
// the values that are allowed. Checks, and the help of programs.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import {
    chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync,
} from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../api/lib.mjs';
import { settings } from './lib.mjs';

const STACK = settings();
const MANUAL = join(ROOT, 'contrib/docs/man');
const FIRST = 2; // the line behind the include
const folder = mkdtempSync('/tmp/agent-gateway-settings.');
after(() => rmSync(folder, { recursive: true }));

const rows = (...what) => execFileSync(join(STACK.GATEWAY_BIN, 'rows'), what, { encoding: 'utf8' }).trim().split('\n');

/** { code, signal, out, err } of a program of the service. */
function run(program, ...args) {
    const env = { ...process.env, ...STACK };
    return new Promise((resolve) => {
        execFile(join(STACK.GATEWAY_BIN, program), args, { env, timeout: 60_000 }, (error, out, err) => {
            resolve({ code: error === null ? 0 : error.code, signal: error?.signal ?? null, out, err });
        });
    });
}

let files = 0;

/** A file of the stack's settings with further lines, from line FIRST on, and sockets in a folder of its own. */
function settingsFile(...lines) {
    files += 1;
    const directory = join(folder, String(files));
    mkdirSync(directory);
    chmodSync(directory, 0o2751);
    execFileSync('chgrp', [STACK.GATEWAY_WEB_GROUP, directory]);
    const file = join(directory, 'gateway.conf');
    writeFileSync(join(directory, 'stack.conf'), [
        `include ${STACK.GATEWAY_CONF}`,
        ...['fastcgi_socket = gateway.sock', 'signer_socket = signer.sock', 'pid_file = gateway.pid', 'shm_file = counters']
            .map((line) => line.replace('= ', `= ${directory}/`)),
        '',
    ].join('\n'));
    writeFileSync(file, ['include stack.conf', ...lines, ''].join('\n'));
    return file;
}

const hash = '1'.repeat(64);
// [line, what the message says it must be]
const WRONG = [
    ['workers = many', 'a whole number from 1 to 1024'],
    ['workers = 0', 'a whole number from 1 to 1024'],
    ['workers = 1025', 'a whole number from 1 to 1024'],
    ['workers =', 'a whole number from 1 to 1024'],
    ['worker = 3', 'such as workers'],
    ['somebodys_setting = 3', 'gateway.conf(5)'],
    ['no setting at all', 'name = value'],
    ['db_name = ${OPEN', '${NAME}'],
    ['include nowhere.conf', 'No such file'],
    ['base_url = gw.test', 'https://gateway.example.com'],
    ['base_url = https://gw.test?x=1', 'without query'],
    ['fastcgi_socket = gateway.sock', 'an absolute path'],
    ['fastcgi_socket = /nowhere/gateway.sock', 'folder that can be written to'],
    ['pid_file = /nowhere/gateway.pid', 'folder that can be written to'],
    [`signer_socket = /tmp/${'s'.repeat(100)}`, 'about 100 characters'],
    ['rpc.ethereum = ftp://node.test', 'URLs with http:// or https://'],
    [`rpc.ethereum = ${Array.from({ length: 9 }, (_, i) => `http://n${i}.test`).join(', ')}`, 'up to 8'],
    ['rpc.atlantis = http://127.0.0.1:1', 'of a chain that this program knows'],
    ['confirm_depth.ethereum = 0', 'a whole number from 1 to 10000'],
    ['settle_depth.ethereum = 100001', 'a whole number from 1 to 100000'],
    ['tip_max.ethereum = 10000000000001', 'a whole number from 0 to 10000000000000'],
    ['explorer.ethereum = etherscan.io/tx/', 'a URL'],
    ['a2a_wait_ms = 99999999', 'a whole number from 0 to 30000'],
    ['allowed_origins = foo', 'origins such as'],
    ['allowed_origins = https://a.test/page', 'origins such as'],
    ['trusted_proxies = somebody', 'addresses and networks'],
    ['metrics_from = 10.0.0.0/33', 'addresses and networks'],
    ['hosts = 0', 'a whole number from 1 to 1000'],
    ['register_per_minute = 1000001', 'a whole number from 0 to 1000000'],
    ['tier.gold = 0', 'a whole number from 1 to 1000000'],
    ['tier.unlimited = 5', 'gateway.conf(5)'],
    ['quota.standard.wallets = -1', 'a whole number from 0'],
    ['quota.standard.castles = 1', 'gateway.conf(5)'],
    ['delete_funded = perhaps', 'confirm, yes or no'],
    ['signer_floor = 1.5', 'a number from 0 to 1'],
    ['signer_tokens = some', 'any or built-in'],
    ['signer_markets = mine', 'any or listed'],
    ['signer_chains = atlantis', 'chains such as ethereum'],
    ['signer_tx_max.ethereum = NOSUCH 1', 'tokens with smallest units'],
    ['solana_fee_max = 1', 'a whole number from 5000'],
    ['db_servers = host:0', 'host:port'],
    ['db_user = some body', 'letters, digits'],
    ['db_tls = maybe', 'off, prefer or verify'],
    ['db_password_file = /nowhere/password', 'a file that can be read'],
    ['service_key_file = /nowhere/service.key', 'a file that can be read'],
    ['provider.atlantis.url = http://127.0.0.1:1', 'of a provider that this program knows'],
    ['provider.lifi.rate = often', 'such as 3/s'],
    ['provider.lifi.fee_bps = 20', 'together with fee_receiver'],
    ['predict_wallet = none', 'deposit or eoa'],
    [`predict_builder_code = 0x${hash}1`, '0x and 64 hexadecimal digits'],
];

test('the gateway does not start with any wrong setting, and names file, line and what is allowed', async () => {
    assert.ok(WRONG.length >= 40);
    const left = [...WRONG];
    const one = async () => {
        for (let row = left.pop(); row !== undefined; row = left.pop()) {
            const [line, allowed] = row;
            const file = settingsFile('# good', line);
            const { code, signal, err } = await run('fcgi/gateway', '-c', file);
            assert.deepEqual([code, signal], [70, null], `${line}: ${err}`);
            const said = err.trim().split('\n').filter((each) => each.includes(' error '));
            assert.equal(said.length, 1, `${line}: ${err}`);
            assert.ok(said[0].includes(`file=${file} line=${FIRST + 1} `) && said[0].includes(allowed), `${line}: ${err}`);
            assert.deepEqual(readdirSync(join(file, '..')).sort(), ['gateway.conf', 'stack.conf'], `${line} left something`);
        }
    };
    await Promise.all([one(), one()]);
});

test('the key of an optional provider that cannot be read is a warning, in a check and for a job', async () => {
    const file = settingsFile('provider.0x.key_file = /nowhere/0x.key', 'predict_relayer_key_file = /nowhere/relayer.key');
    const { code, out } = await run('fcgi/gateway', '-c', file, '--check');
    assert.equal(code, 0, out);
    for (const [n, name] of ['provider.0x.key_file', 'predict_relayer_key_file'].entries()) {
        assert.match(out, new RegExp(`^warn   settings +${file}:${FIRST + n}: ${name} = /nowhere/\\S+: it cannot be used, and is off: No such file or directory$`, 'm'));
    }
    for (const [program, ...args] of [['fcgi/gateway', '-c', file, '-t'], ['jobs/quote-expire', '-c', file]]) {
        const { code: ended, err } = await run(program, ...args);
        assert.equal(ended, 0, err);
        assert.equal(err.match(/ warn .*setting_off/g).length, 2, err);
    }
});

test('a file with a key or a password that others may read is refused, and the reason is told', async () => {
    const key = join(folder, 'open.key');
    const file = settingsFile(`provider.0x.key_file = ${key}`, `db_password_file = ${key}`, `service_key_file = ${key}`);
    const said = async (mode, reason) => {
        writeFileSync(key, 'a-word\n');
        chmodSync(key, mode);
        const { code, out } = await run('fcgi/gateway', '-c', file, '--check');
        assert.equal(code, 1, out);
        return out.split('\n').filter((line) => line.endsWith(reason)).map((line) => line.split(/\s+/).slice(0, 4).join(' ').replace(`${file}:`, ''));
    };
    assert.deepEqual(await said(0o644, ': others have access to it: chmod o='), [
        'WRONG settings 4: service_key_file', 'WRONG settings 3: db_password_file', 'warn settings 2: provider.0x.key_file',
    ]);
    assert.deepEqual(await said(0o640, ': others have access to it: chmod o='), []);
});

test('a check names all that is wrong at once; keys and passwords stay unsaid', async () => {
    const lines = WRONG.filter(([line]) => !/^(fastcgi|signer)_socket|^include|^service_key/.test(line)).map(([line]) => line);
    const file = settingsFile(...lines, 'send.ethereum = ftp://user:secret@relay.test/secret', 'db_password_file = hunter2', 'hunter2 = hunter2');
    const { code, out, err } = await run('fcgi/gateway', '-c', file, '--check');
    assert.equal(code, 1, err);
    const wrong = out.split('\n').filter((line) => line.startsWith('WRONG  settings'));
    for (const n of lines.keys()) assert.equal(wrong.filter((line) => line.includes(`${file}:${FIRST + n}:`)).length, 1, `${lines[n]}: ${out}`);
    assert.match(out, /ftp:\/\/\.\.\.@relay\.test\/\.\.\./);
    assert.doesNotMatch(out + err, /secret@|test\/secret|= hunter2/);
    assert.doesNotMatch(out + err, /Sanitizer|runtime error/);
    assert.ok(!existsSync(join(file, '..', 'gateway.sock')) && !existsSync(join(file, '..', 'gateway.lock')));
});

test('a check of what is well says how everything stands, next to a gateway that runs', async () => {
    const file = settingsFile();
    const { code, out, err } = await run('fcgi/gateway', '-c', file, '--check');
    assert.deepEqual([code, err], [0, ''], out);
    for (const part of ['settings', 'folder', 'keys', 'signer', 'database', 'schema', 'durability', 'node', 'clock', 'web server']) assert.match(out, new RegExp(`^ok     ${part} `, 'm'));
    assert.match(out, /rpc\.ethereum, place 1, .*: of this chain, its newest block is \d+/);
    const others = await run('fcgi/gateway', '-c', settingsFile(
        'rpc.ethereum = http://127.0.0.1:1', `rpc.base = ${process.env.ETHEREUM_URL}`, 'db_name = nowhere', 'key_dir = /nowhere',
    ), '--check');
    assert.equal(others.code, 1);
    assert.match(others.out, /^WRONG {2}node .*rpc\.ethereum, place 1, .*: connection refused$/m);
    assert.match(others.out, /^WRONG {2}node .*rpc\.base, place 1, .*: wrong chain/m);
    for (const [server, words] of [['127.0.0.1:1', 'connection refused'], ['nowhere.invalid', 'host not found']]) {
        const away = await run('fcgi/gateway', '-c', settingsFile(`db_servers = ${server}`), '--check');
        assert.match(away.out, new RegExp(`^WRONG  database .* on ${server}: error \\d+: ${words} \\(`, 'm'));
    }
    assert.match(others.out, /^WRONG {2}database .*nowhere as root on .*Unknown database 'nowhere'/m);
    assert.match(others.out, /^WRONG {2}keys .*\/nowhere/m);
});

/** An authority, and certificates of it for 127.0.0.1 that end in so many days. */
function certificates(...days) {
    const at = (name) => join(folder, name);
    const openssl = (...args) => execFileSync('openssl', args, { stdio: 'ignore' });
    const key = ['-newkey', 'rsa:2048', '-nodes'];
    openssl('req', '-x509', ...key, '-days', '2', '-subj', '/CN=authority', '-keyout', at('ca.key'), '-out', at('ca.pem'));
    writeFileSync(at('san'), 'subjectAltName = IP:127.0.0.1\n');
    openssl('req', ...key, '-subj', '/CN=127.0.0.1', '-keyout', at('tls.key'), '-out', at('tls.csr'));
    return days.map((each, i) => {
        openssl('x509', '-req', '-in', at('tls.csr'), '-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-set_serial', String(i), '-days', String(each), '-extfile', at('san'), '-out', at(`${i}.pem`));
        return { key: readFileSync(at('tls.key')), cert: readFileSync(at(`${i}.pem`)) };
    });
}

test('certificates of nodes and providers that have expired, are not trusted or are of another host are called so', async (t) => {
    const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
    const apart = ['unshare', '--mount', 'sh', '-c'];
    if (process.getuid() !== 0 || !existsSync(AUTHORITIES)) return t.skip('needs root, and the bundle of authorities');
    const [expired, good] = certificates(-1, 1);
    const servers = [expired, good].map((certificate) => createServer(certificate, (request, response) => response.end('{}')));
    const ports = await Promise.all(servers.map((server) => new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(server.address().port)); })));
    t.after(() => servers.forEach((server) => server.close()));
    const file = settingsFile(`rpc.base = ${ports.map((port) => `https://127.0.0.1:${port}`).join(', ')}, https://localhost:${ports[1]}`, `provider.across.url = https://127.0.0.1:${ports[0]}`);
    const bundle = join(folder, 'bundle.pem');
    writeFileSync(bundle, readFileSync(AUTHORITIES, 'utf8') + readFileSync(join(folder, 'ca.pem'), 'utf8'));
    const told = async (trusted, ...command) => {
        const line = [...command].map((word) => `'${word}'`).join(' ');
        const [program, ...args] = trusted ? [...apart, `mount --bind ${bundle} ${AUTHORITIES} && exec ${line}`] : ['sh', '-c', `exec ${line}`];
        return new Promise((resolve) => { execFile(program, args, { env: { ...process.env, ...STACK }, timeout: 60_000 }, (error, out, err) => resolve(out + err)); });
    };
    const check = [join(STACK.GATEWAY_BIN, 'fcgi/gateway'), '-c', file, '--check'];
    const known = await told(true, ...check);
    assert.match(known, /^WRONG {2}node .*rpc\.base, place 1, .*: TLS certificate expired$/m);
    assert.match(known, /^WRONG {2}node .*rpc\.base, place 2, .*: its answer is no JSON-RPC$/m);
    assert.match(known, /^WRONG {2}node .*rpc\.base, place 3, .*: TLS certificate of another host name$/m);
    const unknown = await told(false, ...check);
    for (const place of [1, 2]) assert.match(unknown, new RegExp(`^WRONG  node .*rpc\\.base, place ${place}, .*: TLS certificate not trusted$`, 'm'));
    const drift = [join(STACK.GATEWAY_BIN, 'jobs/agentctl'), '-c', file, 'drift', 'across'];
    assert.match(await told(true, ...drift), /^across +silent .*TLS certificate expired/m);
    assert.match(await told(false, ...drift), /^across +silent .*TLS certificate not trusted/m);
    return undefined;
});

test('the sample names every setting, with its default; the manual page is written from the same table', () => {
    const sample = readFileSync(join(ROOT, 'conf/gateway.conf'), 'utf8');
    const table = rows('settings').map((row) => row.split('\t'));
    const patterns = table.map(([name]) => name.replaceAll('.', '\\.').replace(/<\w+>/g, '[\\w-]+'));
    for (const [i, [name, preset]] of table.entries()) {
        const lines = [...sample.matchAll(new RegExp(`^(#?)${patterns[i]} *= ?(.*)$`, 'gm'))];
        assert.ok(lines.length > 0, `${name} is not in the sample`);
        // base_url alone is the operator's own.
        if (preset === '-' || name === 'base_url') continue;
        for (const [line, hidden, value] of lines) assert.ok(hidden === '#' || value === preset, `${line}: the default is ${preset}`);
    }
    for (const [, name] of sample.matchAll(/^#?([a-z0-9_.]+) *=/gm)) assert.ok(patterns.some((each) => new RegExp(`^${each}$`).test(name)), `${name} is no setting`);
    for (const line of rows('nodes').filter((each) => !each.endsWith('(null)'))) {
        const [name, urls] = line.split(' = ');
        assert.deepEqual(new RegExp(`^${name} *= (.*)$`, 'm').exec(sample)?.[1].split(', '), urls.split(','), name);
    }
    const page = execFileSync('node', [join(ROOT, 'contrib/docs/settings.mjs')], { input: `${rows('settings').join('\n')}\n`, encoding: 'utf8' });
    assert.equal(readFileSync(join(ROOT, 'contrib/docs/man/gateway.conf.5'), 'utf8'), page, 'write it anew with contrib/docs/settings.mjs');
});

test('settings in force are printed with the places that they come from', async () => {
    const file = settingsFile('workers = 7', 'workers = 9', 'rpc.base = http://user:secret@127.0.0.1:1/secret');
    const { code, out } = await run('fcgi/gateway', '-c', file, '--settings');
    assert.equal(code, 0);
    assert.match(out, new RegExp(`^workers = 9 {2}# ${file}:3$`, 'm'));
    assert.match(out, new RegExp(`^rpc\\.base = http://\\.\\.\\.@127\\.0\\.0\\.1:1/\\.\\.\\. {2}# ${file}:4$`, 'm'));
    assert.match(out, /^predict_builder_code = {3}# .*conf\/gateway\.conf:\d+$/m);
    assert.equal(out.match(/^workers = /gm).length, 1);
    writeFileSync(join(file, '..', 'bare.conf'), '');
    assert.match((await run('fcgi/gateway', '-c', join(file, '..', 'bare.conf'), '--settings')).out, /^workers = 64 {2}# default$/m);
});

test('pages of the manual say what programs say', async () => {
    const { stdout } = await promisify(execFile)('node', [join(ROOT, 'contrib/docs/manual.mjs'), '--check', STACK.GATEWAY_BIN]);
    assert.equal(stdout, '');
    const optionsOf = (text) => [...new Set(text.replaceAll('\\-', '-').replace(/\\f[BIR]/g, '').match(/(?<![\w-])--?[a-z][a-z-]*/g))].sort();
    const { stdout: setup } = await promisify(execFile)(join(ROOT, 'jobs/gateway-setup'), ['--help']);
    assert.deepEqual(optionsOf(readFileSync(join(MANUAL, 'gateway-setup.8'), 'utf8')), optionsOf(setup));
});

test('pages of the manual are without faults', async () => {
    for (const name of readdirSync(MANUAL)) {
        const { stdout } = await promisify(execFile)('mandoc', ['-T', 'lint', join(MANUAL, name)]).catch((error) => error);
        assert.equal(stdout, '', name);
    }
});

test('every program explains itself and says its version', async () => {
    const programs = ['fcgi/gateway', 'fcgi/signer', 'contrib/cli/gw', ...readdirSync(join(STACK.GATEWAY_BIN, 'jobs')).map((name) => `jobs/${name}`)];
    assert.equal(programs.length, 14);
    for (const program of programs) {
        const name = program.split('/').at(-1);
        const help = await run(program, '--help');
        assert.deepEqual([help.code, help.err], [0, ''], program);
        assert.match(help.out, new RegExp(`^usage: ${name} `));
        assert.ok(existsSync(join(MANUAL, `${name}.${name === 'gw' ? 1 : 8}`)), `${name} has a page of the manual`);
        assert.ok(help.out.includes('--version'), program);
        const version = await run(program, '--version');
        assert.deepEqual([version.code, version.err], [0, ''], program);
        assert.match(version.out, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+(\\+\\d{8}\\.[0-9a-f]{8})?\n$`));
    }
});
