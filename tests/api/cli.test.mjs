// Section: api
// The command gw: from register to what has ended, its options and exit statuses, and what it does when answers are lost.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
    chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { fund, give } from './chain.mjs';
import {
    API, GATEWAY, ROOT, contract, register, send, stack, stackSettings,
} from './lib.mjs';

const { GATEWAY_BIN } = await stackSettings();
const GW = join(GATEWAY_BIN, 'contrib/cli/gw');
const scratch = mkdtempSync(join(tmpdir(), 'gw-'));
after(() => rmSync(scratch, { recursive: true }));

const newHome = () => mkdtempSync(join(scratch, 'home-'));

/** { code, out, err } of gw with these arguments, in an environment of nothing but `env`. */
function gw(env, ...args) {
    return new Promise((resolve) => {
        execFile(GW, args, { env: { PATH: process.env.PATH, ASAN_OPTIONS: process.env.ASAN_OPTIONS ?? '', ...env } }, (error, out, err) => {
            resolve({ code: error === null ? 0 : error.code, out, err });
        });
    });
}

/** It ends with 0; returns what it printed. */
async function good(env, ...args) {
    const { code, out, err } = await gw(env, ...args);
    assert.equal(code, 0, `${args.join(' ')}: ${out}${err}`);
    return out;
}

async function bad(status, env, ...args) {
    const { code, out, err } = await gw(env, ...args);
    assert.equal(code, status, `${args.join(' ')}: ${out}${err}`);
    return { out, err };
}

/** A home with a registered agent. */
async function newcomer() {
    const HOME = newHome();
    const { out, err } = await bad(0, { HOME }, '--url', GATEWAY, 'register', 'shell');
    return { env: { HOME }, out, err, key: readFileSync(join(HOME, '.config/gw/key'), 'utf8').trim() };
}

/** One with coins and dollars on base. */
async function funded() {
    const agent = await newcomer();
    await good(agent.env, 'add-address', `0x${'c01d'.repeat(10)}`, 'cold');
    const { wallet } = JSON.parse(await good(agent.env, '--json', 'create-wallet'));
    await fund('base', wallet.address, '10');
    await give('base', wallet.address, 'USDC', '1000');
    return agent;
}

/** A web server between gw and the gateway. `each(request, forward)` may answer itself: { status, headers, text }, or 'lose' it. */
async function between(each) {
    const seen = [];
    const server = createServer(async (request, response) => {
        const chunks = [];
        for await (const chunk of request) chunks.push(chunk);
        const body = Buffer.concat(chunks).toString();
        seen.push({ method: request.method, path: request.url, headers: request.headers, body });
        const forward = async () => {
            const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => /^(authorization|content-type|idempotency-key|prefer)$/.test(name)));
            const answer = await fetch(GATEWAY + request.url, { method: request.method, headers, body: body === '' ? undefined : body });
            return { status: answer.status, headers: { 'content-type': answer.headers.get('content-type') }, text: await answer.text() };
        };
        const answer = await each(seen.at(-1), forward, seen.length) ?? await forward();
        if (answer === 'lose') request.socket.destroy();
        else response.writeHead(answer.status, answer.headers).end(answer.text);
    });
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    after(() => { server.closeAllConnections(); server.close(); });
    return { url: `http://127.0.0.1:${server.address().port}`, seen };
}

const agent = await funded();

// ---------------------------------------------------------------- what it knows

test('the table of calls is the one of the endpoints, byte for byte', async () => {
    const { stdout } = await promisify(execFile)(join(ROOT, 'build/test/rows'), ['calls']);
    assert.equal(readFileSync(join(ROOT, 'contrib/cli/calls.inc'), 'utf8'), stdout, 'run build/test/rows calls >contrib/cli/calls.inc');
    const { document } = await contract();
    const tools = Object.values(document.paths).flatMap((item) => Object.values(item)).map(({ operationId }) => operationId.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    assert.deepEqual((await good({}, 'tools')).trim().split('\n').map((line) => line.split(' ')[0]).sort(), tools.sort());
});

test('the command is small', async () => {
    const stripped = join(scratch, 'gw');
    await promisify(execFile)('strip', ['-o', stripped, join(ROOT, 'build/fault/contrib/cli/gw')]);
    assert.ok(statSync(stripped).size <= 300 * 1024, `${statSync(stripped).size} bytes`);
});

test('bash completes commands, tools and arguments', async () => {
    const complete = async (...words) => {
        const script = `PATH=${join(GATEWAY_BIN, 'contrib/cli')}:$PATH; . ${join(ROOT, 'contrib/cli/gw.bash')}; COMP_WORDS=(gw ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _gw 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`;
        return (await promisify(execFile)('bash', ['-c', script])).stdout.trim().split('\n');
    };
    assert.deepEqual(await complete('quo'), ['quote']);
    assert.deepEqual(await complete('call', 'get_pri'), ['get_prices']);
    assert.deepEqual(await complete('call', 'get_prices', 'sy'), ['symbols=']);
    assert.deepEqual(await complete('quote', '1', '--from-c'), ['--from-chain']);
    assert.deepEqual(await complete('swaps', '--js'), ['--json']);
});

// ---------------------------------------------------------------- keys

test('register shows the key once and keeps it where no other user reads it', async () => {
    const { env, out, err, key } = await newcomer();
    assert.equal(out.split(key).length, 2, out);
    assert.ok(!err.includes(key) && err.includes('not shown again'), err);
    const folder = join(env.HOME, '.config/gw');
    assert.deepEqual([folder, join(folder, 'key')].map((path) => statSync(path).mode & 0o777), [0o700, 0o600]);
    assert.equal(readFileSync(join(folder, 'url'), 'utf8'), `${GATEWAY}\n`);
    assert.match(await good(env, 'call', 'get_me'), /^agent\.name +shell$/m);
    for (const url of [GATEWAY, 'https://gateway.example.com']) assert.match((await bad(2, env, '--url', url, 'register', 'another')).err, /has a key already/);
    assert.equal(readFileSync(join(folder, 'key'), 'utf8').trim(), key);
});

test('a registration that is refused leaves no file', async () => {
    const HOME = newHome();
    const { err } = await bad(1, { HOME }, '--url', GATEWAY, 'register', 'x'.repeat(500));
    assert.match(err, /\(VALIDATION_ERROR\)\n {2}name /);
    assert.equal(existsSync(join(HOME, '.config/gw/key')), false);
    const closed = await bad(3, { HOME }, '--url', 'http://127.0.0.1:9', '--timeout', '1', 'register', 'x');
    assert.match(closed.err, /http:\/\/127\.0\.0\.1:9: /);
    assert.equal(existsSync(join(HOME, '.config/gw/key')), false);
});

test('the key comes from a file or the environment, and from no argument', async () => {
    const { key } = await register();
    const file = join(scratch, 'key');
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    const GATEWAY_URL = GATEWAY;
    for (const [env, ...args] of [
        [{ GATEWAY_URL, GATEWAY_API_KEY: key }], [{ GATEWAY_URL, GATEWAY_API_KEY_FILE: file }], [{ GATEWAY_URL }, '--key-file', file],
        [{ GATEWAY_URL, GATEWAY_API_KEY: 'svc_sk_wrong', GATEWAY_API_KEY_FILE: file }], [{ GATEWAY_API_KEY_FILE: file }, `--url=${GATEWAY}/`],
    ]) await good(env, ...args, 'call', 'get_me');
    chmodSync(file, 0o644);
    assert.match((await bad(2, { GATEWAY_URL }, '--key-file', file, 'wallets')).err, /others have access to it/);
    assert.match((await bad(2, { GATEWAY_URL }, '--key', key, 'wallets')).err, /a key is no argument/);
    assert.match((await bad(2, { GATEWAY_URL, HOME: newHome() }, 'wallets')).err, /no API key: `gw register NAME`/);
    assert.match((await bad(2, { GATEWAY_URL, GATEWAY_API_KEY: 'a b' }, 'wallets')).err, /characters that no key has/);
    assert.match((await bad(1, { GATEWAY_URL, GATEWAY_API_KEY: 'svc_sk_wrong' }, 'wallets')).err, /\(INVALID_API_KEY\)/);
});

test('a kept key goes to the gateway that issued it, and to no other', async () => {
    const other = await between(() => ({ status: 200, headers: { 'content-type': 'application/json' }, text: '{"success":true}' }));
    assert.match((await bad(2, agent.env, '--url', other.url, 'wallets')).err, /is of another gateway/);
    assert.equal(other.seen.length, 0);
    await good(agent.env, '--url', other.url, 'chains');
    assert.equal(other.seen[0].headers.authorization, undefined, 'no key for a public call');
});

test('a renewed key takes the place of the former one', async () => {
    const { env, key } = await newcomer();
    const { api_key: next } = JSON.parse(await good(env, 'call', 'rotate_api_key', '--json'));
    const file = join(env.HOME, '.config/gw/key');
    assert.deepEqual([readFileSync(file, 'utf8').trim(), statSync(file).mode & 0o777], [next, 0o600]);
    assert.notEqual(next, key);
    await good(env, 'call', 'get_me');
});

// ---------------------------------------------------------------- jobs

test('a quote, a swap to its end, and what it shows', async () => {
    assert.match(await good(agent.env, 'quote', '1', 'ETH', 'USDC', '--chain', 'base'), /^from_token +ETH on base\nto_token +USDC on base\namount_in +1\namount_out +\d+\.\d+$/m);
    const { out, err } = await bad(0, agent.env, 'swap', '1', 'ETH', 'USDC', '--chain', 'base', '--slippage', '0.01');
    assert.match(out, /^status +completed$/m);
    assert.match(err, /^gw: 1 ETH for \d+\.\d+ USDC\nswap \d+: submitted\n/);
    const id = /^swap_id +(\d+)$/m.exec(out)[1];
    assert.match(await good(agent.env, 'status', id), /^status +completed$/m);
    assert.match(await good(agent.env, 'swaps'), new RegExp(`^swaps:\nswap_id +status +.*\n${id} +completed +0x`));
    const { swaps } = JSON.parse(await good(agent.env, 'swaps', '--json', '--limit', '1'));
    assert.deepEqual(swaps.map(({ swap_id, status }) => [String(swap_id), status]), [[id, 'completed']]);
    assert.match(await good(agent.env, 'balance', '--chain=base'), /^symbol +chain +balance +usd_value\n(.*\n)*USDC +base +\d/m);
    assert.match(await good(agent.env, 'price', 'ETH', '--chain', 'base', 'USDC'), /^ETH +\d+(\.\d+)? .*\nUSDC +\d/m);
});

test('a sentence', async () => {
    assert.match(await good(agent.env, 'do', 'swap 0.1 ETH to USDC on base'), /^status +completed$/m);
    assert.match(await good(agent.env, 'do', 'swap', '0.1', '--dry-run', 'ETH', 'to', 'USDC', 'on', 'base'), /^parsed\.chain +base$/m);
    assert.match((await bad(1, agent.env, 'do', 'swap some ETH')).err, /^gw: .* \(COMMAND_NOT_UNDERSTOOD\)\n {2}hint: /);
});

test('a withdrawal to an address by its label', async () => {
    const { out, err } = await bad(0, agent.env, 'withdraw', '10', 'USDC', 'cold', '--chain', 'base');
    assert.match(out, /^withdrawal\.status +completed$/m);
    assert.match(err, /^withdrawal \d+: /m);
});

test('what is not over by the end of the wait', async () => {
    const { out, err } = await bad(4, agent.env, 'swap', '0.01', 'ETH', 'USDC', '--chain', 'base', '--wait', '0');
    const id = /^swap_id +(\d+)$/m.exec(out)[1];
    assert.ok(err.includes(`gw: swap ${id} is not over yet: gw call get_swap_status swapId=${id}\n`), err);
    assert.match(await good(agent.env, 'status', id, '--wait', '60'), /^status +completed$/m);
});

test('a swap that waits for approval, and what has failed', async () => {
    const { env } = await funded();
    await good(env, 'call', 'create_wallet_policy', 'type=approval_limit', 'params={"maxAmountUsd":"1"}');
    const { out, err } = await bad(4, env, 'swap', '0.1', 'ETH', 'USDC', '--chain', 'base');
    const id = /^approval_id +(\S+)$/m.exec(out)[1];
    const again = `gw call execute_swap approval_id=${id}`;
    assert.ok(err.includes(`once granted: ${again}\n`), err);
    await stack('agentctl', 'approve', id);
    assert.match(await good(env, ...again.split(' ').slice(1), '--wait', '60'), /^status +completed$/m);
    const { url } = await between(({ path }) => (path.includes('/swap/status/') ? { status: 200, headers: { 'content-type': 'application/json' }, text: '{"success":true,"swap_id":1,"status":"failed","error":"Reverted"}' } : undefined));
    assert.match((await bad(1, { GATEWAY_URL: url, GATEWAY_API_KEY: agent.key }, 'swap', '0.01', 'ETH', 'USDC', '--chain', 'base')).out, /^status +failed\nerror +Reverted$/m);
});

test('values have the types of the call', async () => {
    const { url, seen } = await between(() => undefined);
    const env = { GATEWAY_URL: url, GATEWAY_API_KEY: agent.key };
    await good(env, 'call', 'get_quote', 'from_token=ETH', 'to_token=USDC', 'amount=0.10', 'chain=base', 'slippage=0.010', 'providers=uniswap,0x');
    assert.equal(seen[0].body, '{"from_token":"ETH","to_token":"USDC","amount":"0.10","chain":"base","slippage":0.010,"providers":["uniswap","0x"]}');
    await good(env, 'call', 'update-me', 'metadata={"a":1}', 'callback_url=');
    assert.deepEqual(JSON.parse(seen[1].body), { metadata: { a: 1 }, callback_url: null });
    await good(env, 'call', 'get_tokens', 'chain=base', 'search=a b&c', 'limit=1');
    assert.equal(seen[2].path, `${API}/tokens?chain=base&search=a%20b%26c&limit=1`);
    await bad(1, env, 'call', 'get_perps_market', 'name=../me');
    assert.equal(seen[3].path, `${API}/perps/market/..%2Fme`);
    assert.ok(seen.every(({ headers }) => headers.prefer === 'return=minimal' && headers['user-agent'].startsWith('gw/')));
});

// ---------------------------------------------------------------- refusals

test('a refusal has error, code, fields and hint, and as JSON all of its answer', async () => {
    const { out, err } = await bad(1, agent.env, 'quote', '1', 'ETH', 'NOPE', '--chain', 'base');
    assert.equal(out, '');
    assert.match(err, /^gw: Unknown token 'NOPE' on chain 'base' \(TOKEN_UNKNOWN\)\n {2}to_token .*\n {2}hint: /);
    const json = await bad(1, agent.env, '--json', 'quote', '1', 'ETH', 'NOPE', '--chain', 'base');
    assert.deepEqual([JSON.parse(json.out).error_code, json.err], ['TOKEN_UNKNOWN', '']);
});

test('wrong usage names what is wrong, and calls nothing', async () => {
    for (const [said, ...args] of [
        [/^usage: gw /], [/no command qoute; is it quote\?/, 'qoute'], [/no tool getquot; is it get_quote\?/, 'call', 'getquot'], [/names? of a tool/, 'call'],
        [/amount is missing/, 'quote'], [/to_token is missing/, 'quote', '1', 'ETH'], [/takes no more arguments: x/, 'swaps', 'x'], [/no argument chian; is it chain\?/, 'quote', '1', 'ETH', 'USDC', '--chian', 'base'],
        [/slippage must be a number/, 'quote', '1', 'ETH', 'USDC', '--slippage', 'much'], [/--wait takes seconds/, '--wait', '-1', 'swaps'], [/--chain takes a value/, 'quote', '1', 'ETH', 'USDC', '--chain'],
        [/amount is given twice/, 'quote', '1', 'ETH', 'USDC', '--amount', '2'], [/are NAME=VALUE: base/, 'call', 'get_tokens', 'base'], [/metadata must be a JSON object/, 'call', 'update_me', 'metadata=[]'],
        [/must begin with https:/, '--url', 'http://gateway.example.com', 'chains'], [/must be a URL/, '--url', 'https://a:b@gateway.example.com', 'chains'], [/must be a URL/, '--url', 'nowhere://x', 'chains'],
        [/visible characters/, '--idempotency-key', 'a b', 'swaps'],
    ]) assert.match((await bad(2, agent.env, ...args)).err, said, args.join(' '));
    assert.match((await bad(2, { HOME: newHome() }, 'chains')).err, /which gateway\?/);
});

test('a gateway that is not there, or is none', async () => {
    assert.match((await bad(3, {}, '--url', 'http://127.0.0.1:9', '--timeout', '1', 'chains')).err, /^gw: http:\/\/127\.0\.0\.1:9: \S/m);
    const { url } = await between(() => ({ status: 200, headers: { 'content-type': 'text/html' }, text: '<p>Hello' }));
    assert.match((await bad(3, {}, '--url', url, 'chains')).err, /status 200 without an answer of the API/);
    const away = await between(() => ({ status: 302, headers: { location: GATEWAY }, text: '' }));
    await bad(3, {}, '--url', away.url, 'chains');
    assert.equal(away.seen.length, 1);
});

test('characters that control a terminal are not printed', async () => {
    const { url } = await between(() => ({ status: 200, headers: { 'content-type': 'application/json' }, text: JSON.stringify({ success: true, name: 'a\u001b[2Jb', rows: [{ 'x\u001b': '\u202Ey' }] }) }));
    const out = await good({}, '--url', url, 'chains');
    assert.match(out, /^name +a\?\[2Jb$/m);
    assert.ok(!/[\u001b\u202E]/.test(out), out);
});

// ---------------------------------------------------------------- lost and late answers

const count = async ({ key }) => (await send('GET', `${API}/swaps`, { key })).body.pagination.total;

test('a lost answer is asked for again with the same key, and the swap is done once', async () => {
    const before = await count(agent);
    let lost = 0;
    const { url, seen } = await between(async ({ path }, forward) => {
        if (!path.endsWith('/swap/execute') || (lost += 1) > 2) return undefined;
        if (lost === 2) await forward();
        return 'lose';
    });
    assert.match(await good({ GATEWAY_URL: url, GATEWAY_API_KEY: agent.key }, 'swap', '0.01', 'ETH', 'USDC', '--chain', 'base'), /^status +completed$/m);
    const keys = seen.filter(({ path }) => path.endsWith('/swap/execute')).map(({ headers }) => headers['idempotency-key']);
    assert.deepEqual([keys.length, new Set(keys).size], [3, 1]);
    assert.match(keys[0], /^[0-9a-f]{32}$/);
    assert.notEqual(seen[0].headers['idempotency-key'], keys[0], 'a quote of its own: a recorded one would be over');
    assert.equal(await count(agent), before + 1);
});

test('a call that gives up names the key with which the same command does it once', async () => {
    const before = await count(agent);
    const { url } = await between(async ({ path }, forward) => {
        if (!path.endsWith('/swap/execute')) return undefined;
        await forward();
        return 'lose';
    });
    const { err } = await bad(3, { GATEWAY_URL: url, GATEWAY_API_KEY: agent.key }, 'swap', '0.01', 'ETH', 'USDC', '--chain', 'base', '--timeout', '2');
    const key = /--idempotency-key (\S+) does it once/.exec(err)[1];
    assert.match(await good(agent.env, 'swap', '0.01', 'ETH', 'USDC', '--chain', 'base', '--idempotency-key', key), /^status +completed$/m);
    assert.equal(await count(agent), before + 1);
});

test('a call that is not done once is not repeated after a lost answer', async () => {
    const { url, seen } = await between(() => 'lose');
    assert.ok(!(await bad(3, { GATEWAY_URL: url, GATEWAY_API_KEY: agent.key }, 'call', 'rotate_api_key')).err.includes('--idempotency-key'));
    assert.equal(seen.length, 1);
});

test('429 and 503 are repeated after their Retry-After, while there is time', async () => {
    const busy = (status, seconds) => ({ status, headers: { 'content-type': 'application/json', 'retry-after': String(seconds) }, text: '{"success":false,"error":"Later","error_code":"RATE_LIMITED"}' });
    const { url, seen } = await between((request, forward, n) => (n === 1 ? busy(429, 1) : n === 2 ? busy(503, 1) : undefined));
    const { err } = await bad(0, { GATEWAY_URL: url }, 'chains');
    assert.equal(seen.length, 3);
    assert.match(err, /^the gateway is busy \(429\); again in 1 s\nthe gateway is busy \(503\); again in 1 s$/m);
    const long = await between(() => busy(429, 3600));
    assert.match((await bad(1, { GATEWAY_URL: long.url }, 'chains')).err, /^gw: Later \(RATE_LIMITED\)$/m);
    assert.equal(long.seen.length, 1);
    // Before it, an answer was lost: what became of the call is not known.
    const lost = await between((request, forward, n) => (n === 1 ? 'lose' : busy(429, 3600)));
    const unknown = await bad(1, { GATEWAY_URL: lost.url, GATEWAY_API_KEY: agent.key }, 'create-wallet');
    assert.ok(unknown.err.endsWith(`with --idempotency-key ${lost.seen[0].headers['idempotency-key']} does it once\n`), unknown.err);
    assert.ok(!(await bad(1, { GATEWAY_URL: long.url, GATEWAY_API_KEY: agent.key }, 'create-wallet')).err.includes('may have been done'));
});

test('what was accepted is named when the gateway goes away while it is followed', async () => {
    const { url } = await between(({ path }) => (path.includes('/swap/status/') ? 'lose' : undefined));
    const { out, err } = await bad(3, { GATEWAY_URL: url, GATEWAY_API_KEY: agent.key }, 'swap', '0.01', 'ETH', 'USDC', '--chain', 'base', '--timeout', '2');
    const id = /^swap_id +(\d+)$/m.exec(out)[1];
    assert.ok(err.includes(`gw call get_swap_status swapId=${id}\n`), err);
    await good(agent.env, 'status', id, '--wait', '60');
});
