// Section: starts
// What `make install` leaves, with a PREFIX of its own: started from there as install.md says, it trades.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
    appendFileSync, chmodSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, readlinkSync, renameSync, rmSync, statSync,
    writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import {
    ROOT, granted, send, until,
} from '../api/lib.mjs';
import { fund } from '../api/chain.mjs';
import { freePort } from '../api/ports.mjs';
import { Database } from './database.mjs';
import { read } from './gateways.mjs';
import { settings, signal } from './lib.mjs';

const run = promisify(execFile);
const stack = settings();
const prefix = mkdtempSync('/tmp/agent-gateway-install.');
const at = (...names) => join(prefix, ...names);
const lib = (...names) => at('lib', 'agent-gateway', ...names);
const etc = (...names) => at('etc', 'agent-gateway', ...names);
const database = new Database(at());
const PASSWORD = 'said once';
// Nothing of the stack's: the installed files alone say where things are.
const environment = {
    PATH: process.env.PATH, AGENT_GATEWAY_STACK: stack.GATEWAY_VAR,
    ASAN_OPTIONS: process.env.ASAN_OPTIONS ?? '', UBSAN_OPTIONS: process.env.UBSAN_OPTIONS ?? '',
};
const started = [];
let base;

function start(program, args, more = {}) {
    const log = openSync(at('log'), 'a');
    started.push(spawn(program, args, { stdio: ['ignore', log, log], env: { ...environment, ...more }, cwd: lib() }));
    closeSync(log);
}

const installed = (program, ...args) => run(lib('jobs', program), args, { env: environment, cwd: lib() });
const valueOf = (file, name) => new RegExp(`^${name} ?= ?(.*)$`, 'm').exec(readFileSync(file, 'utf8'))[1];
const make = (target, ...more) => run('make', ['-s', '-C', ROOT, target, `BUILT=${stack.GATEWAY_BIN.replace(ROOT, '')}/`, ...more]);
const install = (...more) => make('install', ...more);

/** All processes that run from the prefix. */
function running() {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
        try {
            return readlinkSync(`/proc/${pid}/exe`).startsWith(lib());
        } catch {
            return false;
        }
    }).map(Number);
}

async function prepareDatabase() {
    await database.install();
    await database.start(`--defaults-file=${lib('conf', 'my.cnf')}`);
    await database.sql(`CREATE DATABASE gateway; CREATE USER gateway@localhost IDENTIFIED BY '${PASSWORD}'; GRANT ALL ON gateway.* TO gateway@localhost`);
    writeFileSync(etc('db-password'), `${PASSWORD}\n`, { mode: 0o600 });
}

/** The settings that an operator would change, and the sandbox's chains; no outside service is asked. */
function configure(port) {
    const lines = {
        base_url: `http://127.0.0.1:${port}`,
        workers: 4,
        signer_uid: stack.GATEWAY_SIGNER_UID,
        worker_uid: stack.GATEWAY_WORKER_UID,
        db_servers: database.socket,
        db_password_file: etc('db-password'),
        'rpc.ethereum': process.env.ETHEREUM_URL,
        'rpc.base': process.env.BASE_CHAIN_URL,
        'confirm_depth.base': 1,
    };
    const alone = readFileSync(`${ROOT}tests/no-aggregators.conf`, 'utf8');
    appendFileSync(etc('gateway.conf'), Object.entries(lines).map(([name, value]) => `${name} = ${value}\n`).join('') + alone);
}

before(async () => {
    chmodSync(prefix, 0o711); // for signer and workers with users of their own
    await install(`PREFIX=${prefix}`);
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    configure(port);
    await prepareDatabase();
    await installed('schema-migrate');
    await installed('keyctl', 'create');
    start(join(ROOT, 'contrib/sandbox/cron.sh'), [lib('conf', 'crontab')], { GATEWAY_WEB_GROUP: stack.GATEWAY_WEB_GROUP });
    const crontab = lib('conf', 'crontab');
    const web = { GATEWAY_PORT: String(port), GATEWAY_RUN: valueOf(crontab, 'GATEWAY_RUN'), GATEWAY_LOG: valueOf(crontab, 'GATEWAY_LOG') };
    start('lighttpd', ['-D', '-f', lib('conf', 'lighttpd-alone.conf')], web);
    await until('the service to be ready', () => send('GET', '/readyz', { base, mayBreak: true }).then(({ status }) => status === 200, () => false));
});

after(async () => {
    const ends = started.filter(({ exitCode }) => exitCode === null).map((program) => once(program, 'exit'));
    for (const program of started) program.kill();
    await Promise.all(ends);
    for (const pid of running()) signal(pid, 'SIGTERM');
    await until('what was installed to end', () => running().length === 0);
    await database.stop();
    rmSync(prefix, { recursive: true });
});

test('every path of the installed files lies below the prefix', () => {
    for (const name of readdirSync(lib('conf'))) {
        const others = readFileSync(lib('conf', name), 'utf8').replaceAll(new RegExp(`${prefix}[\\w./-]*`, 'g'), '');
        assert.doesNotMatch(others, /\/(lib|share|etc|log|run)\/agent-gateway/, name);
    }
    assert.equal(valueOf(etc('gateway.conf'), 'sql_dir'), lib('sql'));
});

test('the console is installed, and served to browsers', async () => {
    for (const [path, name] of [['/', 'front.html'], ['/console/', 'index.html'], ['/console/app.js', 'app.js']]) {
        const answer = await fetch(base + path, { headers: { accept: 'text/html' } });
        assert.equal(await answer.text(), readFileSync(lib('contrib', 'console', name), 'utf8'), path);
    }
    const sandbox = await send('GET', '/sandbox/', { base });
    assert.equal(sandbox.body.error_code, 'NOT_FOUND', 'there is none here');
});

test('an agent registers, and its swap is carried out by the jobs of the crontab', async () => {
    const { agent } = granted(await send('POST', '/v1/agent/register', { base, json: { name: 'installed' } }));
    const ask = async (method, path, json, status = 200) => granted(await send(method, `/v1/agent${path}`, { base, key: agent.api_key, json }), status);
    const { wallet } = await ask('POST', '/wallets', undefined, 201);
    await fund('base', wallet.address, 1);
    const { quote_id } = await ask('POST', '/quote', { from_token: 'ETH', to_token: 'USDC', amount: '0.1', chain: 'base' });
    const { swap_id: id } = await ask('POST', '/swap/execute', { quote_id });
    await until('the swap to be completed', async () => (await ask('GET', `/swap/status/${id}`)).status === 'completed');
    assert.match((await installed('agentctl', 'list')).stdout, new RegExp(agent.id));
});

test('dumps go where the settings say, by their account, and a check knows the age of the newest whole one', async () => {
    const [dumps, keys] = [at('dumps'), at('copies')];
    const backup = (...args) => run(lib('conf', 'backup'), args, { env: environment });
    const set = (name, value) => appendFileSync(etc('gateway.conf'), `${name} = ${value}\n`);
    const told = async () => {
        const { ok, detail } = JSON.parse((await installed('agentctl', '--json', 'status')).stdout).parts.find(({ name }) => name === 'backup');
        return [ok, detail];
    };
    const before = readFileSync(etc('gateway.conf'), 'utf8');
    try {
        await backup();
        assert.deepEqual(await told(), [true, 'none is made here: backup_dir is empty']);
        set('backup_dir', dumps);
        assert.deepEqual(await told(), [false, `${dumps}: No such file or directory`]);
        await backup();
        const [dump] = readdirSync(dumps).filter((name) => name !== 'wallets');
        assert.match(dump, /^\d{8}T\d{6}Z\.sql\.gz$/);
        assert.match((await run('gzip', ['-cd', join(dumps, dump)])).stdout, /REPLACE INTO `agents` VALUES/);
        const [fresh, together] = ['the newest whole dump is 0 min old', 'dumps and keys lie on one file system: both together open all wallets'];
        assert.deepEqual(await told(), [false, `${fresh}; ${together}`]);
        set('backup_beside_keys', 'allow');
        assert.deepEqual(await told(), [true, fresh]);

        // A failed dump leaves no file; an empty or unfinished file is no dump.
        await assert.rejects(run(lib('conf', 'backup'), [], { env: { ...environment, DUMP: 'false' } }), /the dump is incomplete/);
        assert.deepEqual(readdirSync(dumps).sort(), [dump, 'wallets']);
        const named = (hours, end = '') => `${new Date(Date.now() - hours * 3600_000).toISOString().replace(/[-:]|\.\d+/g, '')}.sql.gz${end}`;
        renameSync(join(dumps, dump), join(dumps, named(26.5)));
        writeFileSync(join(dumps, named(1)), '');
        writeFileSync(join(dumps, named(1, '.part')), 'half of one');
        assert.deepEqual(await told(), [false, 'the newest whole dump is 26 h old']);
        set('backup_age_h', '27');
        assert.deepEqual(await told(), [true, 'the newest whole dump is 26 h old']);

        // What one folder has is never apart. Settings go with the keys, and the dumps have neither.
        set('backup_dir', etc('keys', 'dumps'));
        await backup();
        assert.deepEqual(await told(), [false, `${fresh}; dumps and keys lie in one folder: both together open all wallets`]);
        set('backup_dir', dumps);
        await backup(dumps, keys);
        const copy = join(keys, readdirSync(keys)[0]);
        assert.deepEqual(readdirSync(copy).sort(), ['data.keys', 'master.key', 'operator.key', 'service.key', 'settings']);
        for (const name of ['gateway.conf', 'db-password']) assert.equal(readFileSync(join(copy, 'settings', etc(name)), 'utf8'), readFileSync(etc(name), 'utf8'));
        assert.ok(readdirSync(dumps).every((name) => /^\d{8}T\d{6}Z\.sql\.gz(\.part)?$|^wallets$/.test(name)));
    } finally {
        rmSync(etc('keys', 'dumps'), { recursive: true, force: true });
        writeFileSync(etc('gateway.conf'), before);
    }
});

test('the signer goes on in a new audit file after logrotate', async () => {
    const signer = () => running().find((pid) => read(pid, 'comm') === 'signer\n');
    const [, script] = /postrotate\n(.*?)endscript/s.exec(readFileSync(lib('conf', 'logrotate'), 'utf8'));
    const former = signer();
    await run('sh', ['-c', script], { env: environment });
    await until('another signer', () => ![undefined, former].includes(signer()));
    // A gateway that was killed leaves its number behind, which may be another program's by then.
    const file = valueOf(etc('gateway.conf'), 'pid_file');
    const [pid, bystander] = [readFileSync(file, 'utf8'), spawn('sleep', ['60'])];
    writeFileSync(file, `${bystander.pid}\n`);
    await run('sh', ['-c', script], { env: environment });
    rmSync(file);
    await run('sh', ['-c', script], { env: environment });
    assert.ok(bystander.exitCode === null && bystander.signalCode === null);
    bystander.kill();
    assert.equal((await once(bystander, 'exit'))[1], 'SIGTERM', 'no script ended it');
    writeFileSync(file, pid);
});

test('installing again keeps what the operator changed, and removes what the version before left', async () => {
    const changed = [etc('gateway.conf'), at('etc', 'logrotate.d', 'agent-gateway')];
    appendFileSync(changed[1], '# changed\n');
    const texts = changed.map((file) => readFileSync(file, 'utf8'));
    const left = [lib('jobs', 'former-job'), at('share', 'man', 'man8', 'former-job.8')];
    for (const file of left) writeFileSync(file, '');
    appendFileSync(lib('manifest'), `x  ${left[1]}\n`);
    rmSync(lib('conf'), { recursive: true });
    await install(`PREFIX=${prefix}`);
    assert.deepEqual(changed.map((file) => readFileSync(file, 'utf8')), texts);
    assert.ok(existsSync(lib('conf', 'gateway.conf')));
    assert.deepEqual(left.filter((file) => existsSync(file)), []);
});

test('settings that say no path have those of the prefix', async () => {
    const bare = at('bare.conf');
    writeFileSync(bare, `db_servers = ${database.socket}\ndb_name = gateway\ndb_user = gateway\ndb_password_file = ${etc('db-password')}\n`);
    await installed('schema-migrate', '-c', bare); // reads sql_dir
    assert.match((await installed('keyctl', '-c', bare, 'verify')).stdout, new RegExp(`^${etc('keys')}: .*\n${etc('service.key')}: `));
});

test('installed commands run, and have manual pages without faults', async () => {
    const names = readdirSync(at('sbin'));
    assert.deepEqual(names.sort(), ['agentctl', 'gateway', 'gateway-setup', 'keyctl', 'schema-migrate']);
    assert.match((await run('keyctl', ['verify'], { env: { ...environment, PATH: `${at('sbin')}:${environment.PATH}` } })).stdout, /sound/);
    assert.match((await run(at('sbin', 'gateway-setup'), ['--help'])).stdout, /--home DIR/);
    assert.match((await run('gw', ['--help'], { env: { ...environment, PATH: `${at('bin')}:${environment.PATH}` } })).stdout, /^usage: gw /);
    assert.equal(readFileSync(at('share', 'bash-completion', 'completions', 'gw'), 'utf8'), readFileSync(join(ROOT, 'contrib/cli/gw.bash'), 'utf8'));
    const pages = readdirSync(at('share', 'man', 'man8'));
    for (const name of [...names, ...readdirSync(lib('jobs')), 'signer', 'gateway.cgi']) assert.ok(pages.includes(`${name}.8`), name);
    for (const [section, name] of [...pages.map((page) => ['8', page]), ['5', 'gateway.conf.5'], ['1', 'gw.1']]) {
        const { stdout, stderr } = await run('man', ['--warnings', '-E', 'UTF-8', '-l', at('share', 'man', `man${section}`, name)]);
        assert.equal(stderr, '', name);
        assert.match(stdout, /^NAME\n[^]*? - +\w/m, name);
    }
});

test('units of systemd are sound and exposed to little', async () => {
    const units = at('lib', 'systemd', 'system');
    const services = readdirSync(units).filter((name) => name.endsWith('.service')).map((name) => join(units, name));
    assert.equal(services.length, 5);
    for (const service of services) await run('systemd-analyze', ['security', '--offline=yes', '--threshold=40', '--no-pager', service]);
    // An instance of each template; cron's programs are named in their place.
    const { stderr } = await run('systemd-analyze', ['verify', '--man=no', ...readdirSync(units).map((name) => join(units, name.replace('list@.', 'list@prices.').replace('@.', '@swap-poll.')))]);
    assert.equal(stderr, '');
});

/** What gateway-setup --home says at a terminal that gives these answers; crontab(1) only takes. */
function setUp(home, answers, ...args) {
    mkdirSync(at('stub'), { recursive: true });
    writeFileSync(at('stub', 'crontab'), '#!/bin/sh\n[ "$1" = -l ] || cat >"${0%/*}/lines"\n', { mode: 0o755 });
    const child = spawn('script', ['-qec', [lib('jobs', 'gateway-setup'), '--home', home, ...args].join(' '), '/dev/null'], { env: { ...environment, PATH: `${at('stub')}:${environment.PATH}` } });
    let said = '';
    child.stdout.on('data', (text) => { said += text; });
    child.stdin.end(answers.map((answer) => `${answer}\n`).join(''));
    return once(child, 'exit').then(([code]) => ({ code, said }));
}

test('gateway-setup asks at a terminal for what is not set, and nothing with --yes; settings of included files count', async () => {
    const home = at('home');
    const conf = join(home, 'gateway.conf');
    const inForce = async (name) => new RegExp(`^${name} = (.*?) *# .*$`, 'm').exec((await run(lib('fcgi', 'gateway'), ['-c', conf, '--settings'], { env: environment })).stdout)?.[1];
    const first = await setUp(home, ['https://agents.example.net', 'base http://127.0.0.1:1/node-key', 'atlantis http://127.0.0.1:1', 'ethereum nowhere', '', 'lifi a-key-of-ours', 'nobody key', '']);
    assert.equal(first.code, 0, first.said);
    for (const words of [/There is no chain atlantis/, /That is no chain with URLs: ethereum nowhere/, /There is no provider nobody/, /What remains:/]) assert.match(first.said, words);
    assert.doesNotMatch(first.said, /Name nodes of your own/);
    assert.deepEqual([await inForce('base_url'), await inForce('rpc.base'), await inForce('provider.lifi.key_file')], ['https://agents.example.net', 'http://127.0.0.1:1/...', join(home, 'lifi.key')]);
    assert.equal(readFileSync(join(home, 'lifi.key'), 'utf8'), 'a-key-of-ours\n');
    assert.equal(statSync(join(home, 'lifi.key')).mode & 0o777, 0o600);
    // Each job of the crontab has its line, and its log is kept small.
    const lines = readFileSync(at('stub', 'lines'), 'utf8');
    for (const name of ['swap-poll', 'drift-watch', '--needed settlers', '--needed prices', 'conf/backup']) assert.ok(lines.includes(name), name);
    for (const [, log] of lines.matchAll(/>>"\$GATEWAY_LOG\/([a-z-]+\.log)"/g)) assert.ok(existsSync(join(home, 'log', log)), log);
    assert.match(lines, /find "\$GATEWAY_LOG" -name '\*\.log' -size \+10M/);

    // All is set: no question follows, and an included setting counts until a change overrides it.
    writeFileSync(join(home, 'local.conf'), 'base_url = https://included.example.net\nlog_dir = /nowhere\n');
    appendFileSync(conf, 'include local.conf\n');
    const again = await setUp(home, []);
    assert.equal(again.code, 0, again.said);
    assert.match(again.said, /base_url: https:\/\/included\.example\.net/);
    assert.equal((await setUp(home, [], '--yes', '--base-url', 'https://changed.example.net')).code, 0);
    assert.equal(await inForce('base_url'), 'https://changed.example.net');
    const bare = await setUp(at('bare'), [], '--yes');
    assert.equal(bare.code, 1);
    assert.match(bare.said, /--base-url says/);
});

test('lists for the signer are written where settings have a use for them', async () => {
    const list = (name, line) => {
        writeFileSync(at('needed.conf'), `include ${etc('gateway.conf')}\n${line}\n`);
        return installed('agentctl', '-c', at('needed.conf'), '--needed', name).then(({ stdout }) => stdout, ({ stdout }) => stdout);
    };
    writeFileSync(at('0x.key'), 'key\n', { mode: 0o640 });
    assert.deepEqual([await list('prices', 'signer_floor = 0'), await list('settlers', 'provider.0x.key_file =')], ['', '']);
    assert.match(await list('prices', 'signer_floor = 0.9'), /^chain +tokens/);
    assert.match(await list('settlers', `provider.0x.url = http://127.0.0.1:1\nprovider.0x.key_file = ${at('0x.key')}`), /^base +0x[0-9a-fA-F]{40}/m);
});

test("with the system's prefix, settings and state have the system's places", async () => {
    await install(`DESTDIR=${at('packed')}`);
    const conf = at('packed', 'etc', 'agent-gateway', 'gateway.conf');
    assert.deepEqual(['sql_dir', 'key_dir', 'pid_file', 'signer_dir'].map((name) => valueOf(conf, name)), [
        '/usr/local/lib/agent-gateway/sql', '/etc/agent-gateway/keys', '/run/agent-gateway/gateway.pid', '/var/lib/agent-gateway/signer',
    ]);
    assert.equal(readFileSync(conf, 'utf8'), readFileSync(`${ROOT}conf/gateway.conf`, 'utf8'));
    assert.equal(statSync(conf).mode & 0o777, 0o640);
    for (const sample of ['lighttpd/conf-available/61-agent-gateway-tls.conf', 'apache2/sites-available/agent-gateway-tls.conf']) {
        assert.match(readFileSync(at('packed', 'etc', sample), 'utf8'), /^ +(?:Header always set|setenv\.add-response-header.*)\W*Strict-Transport-Security\W.*max-age=\d{8}/m);
    }
    assert.equal(readlinkSync(at('packed', 'usr', 'local', 'lib', 'agent-gateway', 'gateway.conf')), '/etc/agent-gateway/gateway.conf');
});

test('uninstalling leaves nothing but settings, keys, state and what was changed', async () => {
    const there = `PREFIX=${at('short')}`;
    await install(there, 'CONTACT=Owner of & this copy <owner@owner.example>');
    const document = (place) => readFileSync(join(place, 'share', 'doc', 'agent-gateway', 'SECURITY.md'), 'utf8');
    assert.match(document(at('short')), /^Report privately, to Owner of & this copy <owner@owner\.example> or/m);
    assert.doesNotMatch(document(at('short')), /gateway\.example/);
    const { stdout: control } = await run('sed', ['-n', 's/^Maintainer: //p', join(ROOT, 'contrib/debian/control')]);
    assert.ok(document(prefix).includes(control.trim()), 'the sources have one contact');
    appendFileSync(at('short', 'etc', 'lighttpd', 'conf-available', '60-agent-gateway.conf'), '# changed\n');
    const { stdout } = await make('uninstall', there);
    assert.match(stdout, /Settings and keys are still in/);
    const left = readdirSync(at('short'), { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory()).map(({ name }) => name);
    assert.deepEqual(left.sort(), ['60-agent-gateway.conf', 'gateway.conf']);
});
