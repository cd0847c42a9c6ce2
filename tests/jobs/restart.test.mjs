// Section: starts
// SIGHUP restarts the gateway without a gap, behind either web server; a fault in the new programs or settings changes
// nothing; a process that dies meanwhile leaves nothing behind. A plain stop answers all clients that have connected.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
    appendFileSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync,
    writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { after, afterEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
    ROOT, granted, isLate, refused, register, registerUnlimited, send, show, until,
} from '../api/lib.mjs';
import { nonceOf } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import { freePort } from '../api/ports.mjs';
import { Node } from '../faults/node.mjs';
import {
    ask, begun, children, isAlive, logOf, named, openFiles, pidFile, pidIn, read,
} from './gateways.mjs';
import {
    arm, disarm, hit, settings, sql,
} from './lib.mjs';

const CHAIN = 'base';
const WORKERS = 24; // eight for one agent
const SPARE = 4; // of them, while nothing is asked
const FAST = 3;
const SLOW_MS = 700; // each answer of a slow node
const STACK = settings();

// ---------------------------------------------------------------- gateways

async function started(lines, options) {
    const each = await startGateway([`workers = ${WORKERS}`, `fast_workers = ${FAST}`, nodeLine, ...lines], options);
    await begun(each);
    return each;
}

/** Programs of its own for a gateway, as `make install` leaves them. */
function installation() {
    const bin = mkdtempSync('/tmp/agent-gateway-bin.');
    const program = join(bin, 'fcgi', 'gateway');
    mkdirSync(join(bin, 'fcgi'));
    const install = () => {
        rmSync(program, { force: true });
        copyFileSync(join(STACK.GATEWAY_BIN, 'fcgi', 'gateway'), program);
    };
    install();
    symlinkSync(join(STACK.GATEWAY_BIN, 'fcgi', 'signer'), join(bin, 'fcgi', 'signer'));
    return { bin, program, install, remove: () => rmSync(bin, { recursive: true }) };
}

// ---------------------------------------------------------------- the gateway's processes

/** After its end. For a second, a web server does not use a socket that has refused; it may be the one that /readyz is not on. */
async function startAgain(each) {
    each.startAgain();
    await each.ready();
    await until('the other socket to be tried again', () => send('GET', '/none', { base: each.base, mayBreak: true }).then(({ status }) => status === 404));
    await begun(each);
}

const restarts = (each) => logOf(each).split('msg="restarting"').length - 1;
const refusals = (each) => logOf(each).split('msg="not restarted').length - 1;

/** Restarts it, and waits until only the new processes are left. */
async function restart(each) {
    const { pid } = each;
    const former = children(pid);
    const { ino, mtimeMs } = statSync(pidFile(each));
    process.kill(pid, 'SIGHUP');
    await until('the next programs to have begun', () => {
        const now = statSync(pidFile(each));
        return now.ino !== ino || now.mtimeMs !== mtimeMs;
    }, { interval: 20 });
    await until('the former processes to end', () => !former.some(isAlive), { interval: 20 });
    assert.equal(pidIn(pidFile(each)), pid);
    assert.equal(named(pid, 'signer').length, 1);
}

const isCheck = (pid) => read(pid, 'cmdline').endsWith('\0-t\0');

/** So many workers that may wait, and nothing of a restart in progress: no check, and no former process. */
function isSettled({ pid }, workers) {
    const all = children(pid);
    return all.length === workers + FAST + 3 && named(pid, 'gateway').length === workers + FAST + 1 && !all.some(isCheck);
}

/**
 * The parent goes round, woken by the end of a worker: a restart that it owed would begin. Twice, since what is there in the
 * place of the first one may be a check that cannot be told yet.
 */
async function pass(each, workers) {
    for (let i = 0; i < 2; i++) {
        const [worker] = named(each.pid, 'gateway');
        process.kill(worker, 'SIGKILL');
        await until('another worker', () => !children(each.pid).includes(worker) && isSettled(each, workers), { interval: 20 });
    }
}

/** Asks for a restart that must not come; no client notices. */
async function restartInVain(each) {
    const [before, signers, times] = [children(each.pid), named(each.pid, 'signer'), refusals(each)];
    process.kill(each.pid, 'SIGHUP');
    await until('a refusal', () => refusals(each) > times, { interval: 20 });
    // Now and then a worker that is not needed any more ends.
    await until('the check to be forgotten', () => children(each.pid).length <= before.length);
    assert.deepEqual(named(each.pid, 'signer'), signers);
    assert.ok(before.filter(isAlive).length > before.length / 2);
    await answers(each);
}

const read200 = ({ base }) => send('GET', '/readyz', { base }).then(granted);
const answers = ({ base }) => send('GET', '/readyz', { base }).then(({ status }) => assert.equal(status, 200));

/** Settings on top, until they are taken back. */
async function withSettings(each, text, during) {
    const file = join(each.directory, 'gateway.conf');
    const settled = readFileSync(file);
    appendFileSync(file, `${text}\n`);
    try {
        await during();
    } finally {
        writeFileSync(file, settled);
    }
}

// ---------------------------------------------------------------- what a web server writes

/** A request without a body, as FastCGI 1.0 has it; names and values are shorter than 128 bytes. */
function fastcgi(params) {
    const record = (type, content) => Buffer.concat([Buffer.from([1, type, 0, 1, content.length >> 8, content.length & 255, 0, 0]), content]);
    const pairs = Object.entries(params).map(([name, value]) => Buffer.from(`${String.fromCharCode(name.length, value.length)}${name}${value}`));
    const [BEGIN_REQUEST, PARAMS, STDIN] = [1, 4, 5];
    const nothing = Buffer.alloc(0);
    return Buffer.concat([
        record(BEGIN_REQUEST, Buffer.from([0, 1, 0, 0, 0, 0, 0, 0])), record(PARAMS, Buffer.concat(pairs)), record(PARAMS, nothing), record(STDIN, nothing),
    ]);
}

// ---------------------------------------------------------------- traffic

/** A node may be late on a busy machine, without a fault of the restart. */
const isNodeLate = (answer, ms) => isLate(answer, ms) && answer.body.error_code === 'UPSTREAM_ERROR';

/** Requests of all kinds, again and again until it is stopped. */
class Traffic {
    #over = false;

    #loops = [];

    failures = [];

    counts = {};

    constructor(gateway) {
        this.base = gateway.base;
    }

    /** So many at a time of what is called that; resolves to the answers' bodies when it is over. */
    begin(name, width, one) {
        const bodies = [];
        this.counts[name] = 0;
        const loop = async () => {
            while (!this.#over) {
                const begun = Date.now();
                const answer = await one().catch((error) => ({ status: 0, text: error.message }));
                if (isNodeLate(answer, Date.now() - begun)) continue;
                this.counts[name] += 1;
                if (answer.status !== 200) this.failures.push(`${name}: ${show(answer)}`);
                else bodies.push(answer.body);
            }
        };
        const all = Promise.all(Array.from({ length: width }, loop)).then(() => bodies);
        this.#loops.push(all);
        return all;
    }

    /** Each kind has been answered so many times more. */
    goesOn(count) {
        const before = { ...this.counts };
        return until('answers of each kind', () => Object.keys(before).every((name) => this.counts[name] >= before[name] + count));
    }

    async end() {
        this.#over = true;
        await Promise.all(this.#loops);
    }
}

/** An agent that trades through the gateway; one quote is one execution. */
async function tradingAgent({ base }) {
    const agent = await registerUnlimited();
    agent.address = await agent.wallet(CHAIN, 100);
    const call = (method, path, json) => ask(base, method, path, { key: agent.key, json });
    agent.quoteHere = () => call('POST', '/quote', { from_token: 'ETH', to_token: 'USDC', amount: '0.001', chain: CHAIN });
    agent.executeHere = async () => {
        const quote = await agent.quoteHere();
        return quote.status === 200 ? call('POST', '/swap/execute', { quote_id: quote.body.quote_id }) : quote;
    };
    return agent;
}

// ---------------------------------------------------------------- behind either web server

const node = new Node(process.env.BASE_CHAIN_URL);
const nodeLine = `rpc.${CHAIN} = http://127.0.0.1:${(await node.listen(0)).port}`;
const installed = installation();
const [behind, gateway] = await Promise.all([
    Promise.all(['lighttpd', 'apache'].map(async (web) => [web, await started([], { web })])),
    started(['tier.standard = 6'], { bin: installed.bin }),
]);

after(async () => {
    await Promise.all([...behind.map(([, each]) => each), gateway].map((each) => each.stop()));
    installed.remove();
    node.close();
});

afterEach(() => {
    disarm();
    node.behave();
    node.watch = undefined;
});

for (const [web, each] of behind) {
    test(`behind ${web}, restarts under traffic fail no request`, async () => {
        const { pid } = each;
        const [reader, asker, trader] = [await registerUnlimited(), await tradingAgent(each), await tradingAgent(each)];
        node.misbehave({ delays: () => Math.random() * 50 });
        const traffic = new Traffic(each);
        const { key } = reader;
        traffic.begin('kept connections', 4, () => ask(each.base, 'GET', '/me', { key }));
        traffic.begin('fresh connections', 4, () => ask(each.base, 'GET', '/me', { key, agent: false }));
        traffic.begin('without a key', 1, () => ask(each.base, 'GET', '/chains?', { agent: false }));
        traffic.begin('quotes', 2, asker.quoteHere);
        const executed = traffic.begin('executions', 2, trader.executeHere);
        for (let i = 0; i < 4; i++) {
            await traffic.goesOn(2);
            await restart(each);
            assert.ok(isAlive(pid));
        }
        await traffic.end();
        node.behave();
        assert.deepEqual(traffic.failures, [], JSON.stringify(traffic.counts));
        for (const [name, count] of Object.entries(traffic.counts)) assert.ok(count > 5, `${count} ${name}`);
        // Each once, and none counted twice or not at all.
        const ids = (await executed).map(({ swap_id: id }) => id);
        assert.equal(new Set(ids).size, ids.length);
        for (const id of ids) await trader.completed(id);
        assert.equal(await nonceOf(CHAIN, trader.address), ids.length);
        const { agent } = granted(await ask(each.base, 'GET', '/me', { key }));
        assert.equal(agent.stats.total_requests, traffic.counts['kept connections'] + traffic.counts['fresh connections'] + 1);
    });

    test(`behind ${web}, what former workers have in hand they finish`, async () => {
        const agent = await tradingAgent(each);
        const quotes = await Promise.all([1, 2].map(() => agent.quoteHere().then(granted)));
        const former = named(each.pid, 'gateway');
        // Old and new workers accept side by side.
        arm('restart.dismiss', 'hang', 1);
        process.kill(each.pid, 'SIGHUP');
        await hit('restart.dismiss');
        let asked = 0;
        node.misbehave({ delays: () => { asked += 1; return SLOW_MS; } });
        const execute = ({ quote_id }) => ask(each.base, 'POST', '/swap/execute', { key: agent.key, json: { quote_id } });
        const long = [...quotes.map(execute), ...Array.from({ length: 6 }, () => agent.quoteHere())];
        await until('all to be asked', () => asked >= long.length, { interval: 5 });
        disarm();
        await until('the idle ones to end', () => former.filter(isAlive).length <= long.length, { interval: 5 });
        assert.ok(former.some(isAlive), 'no process had requests in progress');
        for (const answer of await Promise.all(long)) granted(answer);
        await until('the former processes to end', () => !former.some(isAlive));
    });

    test(`behind ${web}, a plain stop answers all clients that have connected, and loses only requests that come while no process listens`, async () => {
        const agent = await tradingAgent(each);
        let asked = 0;
        node.misbehave({ delays: () => SLOW_MS });
        node.watch = (request, calls) => { asked += calls.filter(({ method }) => method === 'eth_call').length; }; // a quote's first one
        const waiting = Array.from({ length: 8 }, () => agent.quoteHere());
        await until('all to be asked', () => asked >= waiting.length, { interval: 5 });
        // More than there are workers: some wait to be accepted.
        let answered = 0;
        const brief = Array.from({ length: 60 }, () => ask(each.base, 'GET', '/me', { key: agent.key, agent: false }).finally(() => { answered += 1; }));
        await until('half of them to be answered', () => answered > brief.length / 2, { interval: 5 });
        await each.end('SIGTERM');
        for (const answer of await Promise.all(waiting)) granted(answer);
        const lost = (await Promise.all(brief)).filter(({ status }) => status !== 200);
        assert.deepEqual(lost.map(({ status }) => status).filter((status) => status !== 503), []);
        assert.ok(lost.length < brief.length / 2, `${lost.length} lost`);
        assert.ok(!existsSync(join(each.directory, 'gateway.sock')), 'clients can still connect');
        for (const [method, path, json] of [['GET', '/me'], ['GET', '/tokens?chain=base'], ['POST', '/quote', { chain: CHAIN }]]) {
            const { status, headers, body } = await ask(each.base, method, path, { key: agent.key, json });
            assert.deepEqual([status, headers['content-type'], headers['retry-after']], [503, 'application/json', '5']);
            assert.deepEqual([body.success, body.error_code], [false, 'SERVICE_UNAVAILABLE']);
        }
        await startAgain(each);
        granted(await ask(each.base, 'GET', '/me', { key: agent.key }));
    });
}

// A web server may be slow to hand a request over.
test('a request of which a part is there when its worker is stopped is answered', async () => {
    const [, each] = behind[0];
    const workers = named(each.pid, 'gateway');
    const sockets = () => workers.map((pid) => openFiles(pid).filter((file) => file.startsWith('socket:')).length);
    const before = sockets();
    const socket = connect(join(each.directory, 'fast.sock'));
    const answer = textOf(socket);
    const bytes = fastcgi({ REQUEST_METHOD: 'GET', REQUEST_URI: '/healthz' });
    socket.write(bytes.subarray(0, 12));
    const worker = await until('a worker to read it', () => workers.find((pid, i) => sockets()[i] > before[i]), { interval: 5 });
    process.kill(worker, 'SIGTERM');
    await until('the signal', () => /^ShdPnd:.*[^0\s]/m.test(read(worker, 'status')) || !isAlive(worker), { interval: 5 });
    socket.write(bytes.subarray(12));
    assert.match(await answer, /"status":"ok"/);
    await until('it to end', () => !isAlive(worker), { interval: 5 });
});

// ---------------------------------------------------------------- what comes next

/** { code, err } of another gateway with the same settings. */
function second(each, ...args) {
    const env = { ...process.env, ...STACK, GATEWAY_RUN: each.directory };
    return new Promise((resolve) => {
        execFile(join(STACK.GATEWAY_BIN, 'fcgi', 'gateway'), ['-c', join(each.directory, 'gateway.conf'), ...args], { env }, (error, out, err) => {
            resolve({ code: error === null ? 0 : error.code, err });
        });
    });
}

test('a second gateway reports the one that runs and disturbs no client, also after a restart, but starts after the end of the first', async () => {
    const [, each] = behind[0];
    const { key } = await registerUnlimited();
    const sockets = () => ['gateway.sock', 'fast.sock', 'signer.sock', 'gateway.pid'].map((name) => statSync(join(each.directory, name)).ino);
    const traffic = new Traffic(each);
    traffic.begin('requests', 4, () => ask(each.base, 'GET', '/me', { key, agent: false }));
    const inVain = async () => {
        const before = sockets();
        const { code, err } = await second(each);
        assert.equal(code, 1);
        assert.match(err, new RegExp(`already running, pid ${each.pid}"\n$`));
        assert.deepEqual(await second(each, '--if-absent'), { code: 0, err: '' });
        assert.deepEqual(sockets(), before);
    };
    await inVain();
    await restart(each);
    await inVain();
    await traffic.end();
    assert.deepEqual(traffic.failures, []);
    assert.ok(traffic.counts.requests > 5);
    await each.end('SIGKILL');
    await startAgain(each);
    granted(await ask(each.base, 'GET', '/me', { key }));
});

test('a signer without its keys is started at growing pauses, which is told once; "ready" is said when it is there', async () => {
    const home = mkdtempSync('/tmp/agent-gateway-home.');
    const own = installation();
    const [signer, notes] = [join(own.bin, 'fcgi', 'signer'), join(home, 'starts')];
    rmSync(signer);
    writeFileSync(signer, `#!/bin/sh\ncut -d ' ' -f 1 /proc/uptime >>${notes}\nexec ${join(STACK.GATEWAY_BIN, 'fcgi', 'signer')} "$@"\n`, { mode: 0o755 });
    const starts = () => (existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n').map(Number) : []);
    const each = await startGateway([`key_dir = ${home}/keys`], { wait: false, bin: own.bin });
    const lines = (text) => logOf(each).split('\n').filter((line) => line.includes(text));
    try {
        await until('it to be started for the sixth time', () => starts().length > 5);
        assert.ok(starts()[5] - starts()[0] > 3, `${starts()}`); // after pauses of 100, 200, 400, 800 and 1600 ms
        assert.deepEqual([lines('event=child_ended').length, lines('event=ready').length], [1, 0]);
        mkdirSync(join(home, 'keys'), { mode: 0o700 });
        cpSync(join(STACK.GATEWAY_VAR, 'keys/wallets'), join(home, 'keys'), { recursive: true });
        await until('it to be ready', () => lines('event=ready').length === 1);
        await until('the end of the trouble to be told', () => lines('event=child_recovered').length === 1);
        const times = Number(/ times=(\d+)/.exec(lines('event=child_recovered'))[1]);
        assert.ok(times > 3 && times < starts().length, `${times} times of ${starts().length}`);
    } finally {
        await each.stop();
        own.remove();
        rmSync(home, { recursive: true });
    }
});

// ---------------------------------------------------------------- without TLS

const away = Object.values(networkInterfaces()).flat().find(({ internal, family }) => !internal && family === 'IPv4')?.address;

/** A web server of the gateway that other hosts reach, too; resolves to its base there. */
async function openToOthers(web, each, home) {
    const [port, other] = [await freePort(), await freePort()];
    const conf = join(home, 'web.conf');
    writeFileSync(conf, web === 'apache'
        ? `Include "${ROOT}conf/apache-alone.conf"\nListen ${away}:${other}\n`
        : `include "${ROOT}conf/lighttpd-alone.conf"\n$SERVER["socket"] == "${away}:${other}" { }\n`);
    const env = { ...process.env, ...STACK, GATEWAY_PORT: String(port), GATEWAY_RUN: each.directory, GATEWAY_LOG: home, GATEWAY_CONF_DIR: `${ROOT}conf` };
    const server = web === 'apache' ? spawn('apache2', ['-D', 'FOREGROUND', '-f', conf], { env, stdio: 'inherit' }) : spawn('lighttpd', ['-D', '-f', conf], { env, stdio: 'inherit' });
    const base = `http://${away}:${other}`;
    await until('the web server', () => send('GET', '/healthz', { base, mayBreak: true }).then(({ status }) => status === 200, () => false));
    return { base, home: `http://127.0.0.1:${port}`, server };
}

for (const [web, each] of behind) {
    test(`behind ${web}, what comes without TLS from another host is refused, and pages are redirected`, { skip: away === undefined }, async () => {
        const home = mkdtempSync('/tmp/agent-gateway-web.');
        const { base, home: own, server } = await openToOthers(web, each, home);
        const page = (path, headers = {}) => fetch(`${base}${path}`, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });
        try {
            for (const [method, path] of [['POST', '/v1/agent/register'], ['GET', '/v1/agent/chains'], ['GET', '/v1/agent/me'], ['POST', '/mcp'], ['POST', '/execute']]) {
                const answer = await send(method, path, { base, json: method === 'POST' ? { name: 'plain' } : undefined });
                assert.deepEqual([answer.status, answer.body.error_code], [403, 'HTTPS_REQUIRED'], `${method} ${path}: ${show(answer)}`);
            }
            for (const path of ['/', '/console', '/console/', '/console/front.html']) {
                const { status, headers } = await page(path);
                assert.equal(status, 301, path);
                assert.match(headers.get('location'), new RegExp(`^https://${away.replaceAll('.', '\\.')}(:\\d+)?${path}$`));
                // To a proxy that has TLS, the page itself.
                assert.equal((await page(path, { 'x-forwarded-proto': 'https' })).status, path === '/console' ? 301 : 200, path);
            }
            for (const path of ['/healthz', '/llms.txt']) assert.equal((await send('GET', path, { base })).status, 200);
            assert.equal((await send('GET', '/v1/agent/chains', { base: own })).status, 200);
            assert.equal((await fetch(`${own}/console/`)).status, 200);
            assert.equal((await fetch(`${own}/v1/agent/chains`, { headers: { 'x-forwarded-proto': 'https' } })).status, 200);
        } finally {
            server.kill();
            await once(server, 'exit');
            rmSync(home, { recursive: true });
        }
    });
}

test('registration goes on over connections to the database that have been cut', async () => {
    const ids = (await sql("SELECT id FROM information_schema.processlist WHERE db = 'gateway' AND id <> CONNECTION_ID()")).split(/\s+/);
    assert.ok(ids.length > FAST);
    // Some end meanwhile.
    for (const id of ids) await sql(`KILL ${id}`).catch(() => {});
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(behind[0][1].base, 'POST', '/register', { json: { name: 'late' }, agent: false })));
    assert.deepEqual(answers.filter(({ status }) => status !== 200).map(show), []);
});

test('a restart takes the program that is installed and the settings as they are; limits and counters go on', async () => {
    const agent = await register();
    const me = () => ask(gateway.base, 'GET', '/me', { key: agent.key });
    for (let i = 0; i < 6; i++) granted(await me());
    installed.install();
    const runs = (pid) => statSync(`/proc/${pid}/exe`).ino === statSync(installed.program).ino;
    assert.ok(!runs(gateway.pid));
    await withSettings(gateway, 'workers = 2', () => restart(gateway));
    assert.ok(runs(gateway.pid) && named(gateway.pid, 'gateway').every(runs));
    assert.equal(named(gateway.pid, 'gateway').length, 2 + FAST + 1);
    assert.equal(refused(await me(), 'Rate limit exceeded').error_code, 'RATE_LIMITED');
    // Nothing of the exchange is left for the next one.
    await restart(gateway);
    assert.equal(named(gateway.pid, 'gateway').length, SPARE + FAST + 1);
});

const BAD_SETTINGS = [
    'no_such_setting = 1', 'workers = 0', 'trusted_proxies = somebody', 'db_name = nowhere', 'service_key_file = /nowhere/service.key',
    'predict_wallet = none',
    'fastcgi_socket = /nowhere/gateway.sock', 'signer_chains = atlantis', 'key_dir = /nowhere', 'rpc.atlantis = http://127.0.0.1:1',
];

test('with wrong settings nothing changes, and the next restart takes the right ones', async () => {
    for (const line of BAD_SETTINGS) await withSettings(gateway, line, () => restartInVain(gateway));
    await restart(gateway);
    await answers(gateway);
});

test('check says which program runs with older settings, and which optional key is missing; a restart takes both', async () => {
    const key = join(gateway.directory, 'provider.key');
    const check = async () => {
        const { ok, detail } = JSON.parse(await gateway.agentctl('--json', 'status')).parts.find(({ name }) => name === 'settings');
        const said = await gateway.agentctl('check').catch(({ code, stdout }) => `${code}: ${stdout}`);
        if (!ok) assert.match(said, new RegExp(`^[12]: GATEWAY .*settings: ${detail.replaceAll('.', '\\.')}`));
        return [ok, detail];
    };
    const notes = async () => (await read200(gateway)).notes.filter((note) => note.includes('key_file'));
    const providers = async () => (await read200(gateway)).providers.map(({ provider }) => provider);
    assert.deepEqual([await check(), await notes()], [[true, '1 programs have those of now'], []]);
    await withSettings(gateway, `provider.lifi.url = http://127.0.0.1:1\nprovider.lifi.key_file = ${key}\npredict_relayer_key_file = ${key}.too`, async () => {
        const [isOld, old] = await check();
        assert.ok(!isOld && /^older than the file: gateway;/.test(old), old);
        await restart(gateway);
        await until('what is off to be told', async () => (await notes()).length === 2);
        for (const note of await notes()) assert.match(note, /^(provider\.lifi|predict_relayer_)\.?key_file: it cannot be used, and is off: No such file or directory$/);
        const [isOn, off] = await check();
        assert.ok(!isOn && /^off is (provider\.lifi|predict_relayer_)\.?key_file: No such file or directory;/.test(off), off);
        assert.match(logOf(gateway), / warn .*setting_off msg="it cannot be used, and is off" .* value="[^"]*provider\.key" reason="No such file or directory" .*name=provider\.lifi\.key_file/);
        assert.ok(!(await providers()).includes('lifi'));
        for (const each of [key, `${key}.too`]) writeFileSync(each, 'two words\n', { mode: 0o600 });
        await restart(gateway);
        await until('the other reason', async () => (await notes()).length === 1);
        assert.match((await notes())[0], /^provider\.lifi\.key_file: .*: it has not just one word$/);
        writeFileSync(key, 'word\n');
        await restart(gateway);
        await until('nothing to be off', async () => (await notes()).length === 0);
        assert.ok((await check())[0] && (await providers()).includes('lifi'));
    });
    await restart(gateway);
});

test('with a program that does not work nothing changes', async () => {
    rmSync(installed.program);
    await restartInVain(gateway);
    for (const text of ['', 'not a program', '#!/bin/sh\nexit 1\n']) {
        rmSync(installed.program, { force: true });
        writeFileSync(installed.program, text, { mode: 0o755 });
        await restartInVain(gateway);
    }
    installed.install();
    await restart(gateway);
});

test('restarts that are asked for during a restart are one more, with the settings of then', async () => {
    const [former, before] = [children(gateway.pid), restarts(gateway)];
    process.kill(gateway.pid, 'SIGHUP');
    await withSettings(gateway, 'workers = 2', async () => {
        for (let i = 0; i < 20; i++) {
            process.kill(gateway.pid, 'SIGHUP');
            await pause(50);
        }
        await until('two that wait', () => isSettled(gateway, 2));
        for (let times = 0; times !== restarts(gateway); await pass(gateway, 2)) times = restarts(gateway);
    });
    assert.ok(isSettled(gateway, 2));
    assert.ok(restarts(gateway) <= before + 3, `${restarts(gateway) - before} restarts`);
    assert.ok(!former.some(isAlive));
    await answers(gateway);
});

test('a restart does not wait for a signer that hangs', async () => {
    const agent = await tradingAgent(gateway);
    const [signer] = named(gateway.pid, 'signer');
    process.kill(signer, 'SIGSTOP');
    process.kill(gateway.pid, 'SIGHUP');
    await until('another signer', () => !isAlive(signer) && named(gateway.pid, 'signer').length === 1);
    await until('an execution', async () => (await agent.executeHere()).status === 200);
});

test('a stop during a restart stops', async () => {
    for (const ms of [0, 50, 150, 300, 600]) {
        const former = children(gateway.pid);
        process.kill(gateway.pid, 'SIGHUP');
        await pause(ms);
        await gateway.end('SIGTERM');
        await until('all to end', () => !former.some(isAlive), { interval: 20 });
        await startAgain(gateway);
    }
});

// ---------------------------------------------------------------- fault points

const POINTS = ['restart.exec', 'restart.dismiss', 'restart.signer'];

for (const point of POINTS) {
    test(`killed at ${point}, the parent takes all with it, and a start finds nothing in its way`, async () => {
        const agent = await tradingAgent(gateway);
        const former = children(gateway.pid);
        arm(point, 'kill', 1);
        process.kill(gateway.pid, 'SIGHUP');
        await hit(point);
        await until('the parent to end', () => !isAlive(gateway.pid), { interval: 20 });
        disarm();
        await until('all to end', () => !former.some(isAlive), { interval: 20 });
        await startAgain(gateway);
        const { swap_id: id } = granted(await agent.executeHere());
        await agent.completed(id);
        await restart(gateway);
    });

    test(`while the parent hangs at ${point}, requests are answered; then it goes on`, async () => {
        const agent = await tradingAgent(gateway);
        const former = children(gateway.pid);
        arm(point, 'hang', 1);
        process.kill(gateway.pid, 'SIGHUP');
        await hit(point);
        const { swap_id: id } = granted(await agent.executeHere());
        disarm();
        await until('the former processes to end', () => !former.some(isAlive));
        await agent.completed(id);
        granted(await agent.executeHere());
    });
}

for (const [point, action] of [['restart.check', 'error'], ['restart.check', 'kill'], ['restart.exec', 'error']]) {
    test(`${point} ${action}: nothing changes, and the next restart is one`, async () => {
        arm(point, action, 1);
        await restartInVain(gateway);
        await hit(point);
        disarm();
        await restart(gateway);
    });
}

test('a check that hangs is given up', async () => {
    arm('restart.check', 'hang', 1);
    await restartInVain(gateway);
    disarm();
    await restart(gateway);
});
