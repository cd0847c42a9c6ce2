// Section: api
// contrib/examples, run as a reader would run them: they do what they say, and stop with the server's hint where it refuses.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
    GATEWAY, ROOT, granted, register, until,
} from './lib.mjs';
import { balance, give, text } from './chain.mjs';

const FOLDER = `${ROOT}contrib/examples/`;
const PROGRAMS = readdirSync(FOLDER).filter((name) => name !== 'README.md');
const MOST_LINES = 80;
const HASH = '0x[0-9a-f]{64}';
const NOWHERE = 'http://127.0.0.1:9'; // where no server listens

/** An example that runs. What it says gathers in `out` and `err`; `ended` resolves to its status. */
class Run {
    constructor(name, args = [], { env = {}, input } = {}) {
        const { PATH } = process.env;
        this.child = spawn(FOLDER + name, args, { env: { PATH, GATEWAY, ...env } });
        this.out = '';
        this.err = '';
        this.child.stdout.setEncoding('utf8').on('data', (part) => { this.out += part; });
        this.child.stderr.setEncoding('utf8').on('data', (part) => { this.err += part; });
        this.ended = new Promise((resolve, reject) => { this.child.on('error', reject).on('close', resolve); });
        this.child.stdin.end(input);
    }
}

async function done(...how) {
    const run = new Run(...how);
    assert.equal(await run.ended, 0, run.out + run.err);
    assert.equal(run.err, '');
    return run.out;
}

/** It ends with status 1 and says this, and nothing that only its author understands. */
async function stops(complaint, ...how) {
    const run = new Run(...how);
    assert.equal(await run.ended, 1, run.out + run.err);
    assert.match(run.err, complaint);
    assert.ok(!/Traceback|^\s+at /m.test(run.err), run.err);
    return run;
}

/** An agent with ether and dollars on ethereum. */
async function trader() {
    const agent = await register();
    agent.address = await agent.wallet('ethereum', 10);
    await give('ethereum', agent.address, 'USDC', '1000');
    return agent;
}

// ---------------------------------------------------------------- all of them

for (const name of PROGRAMS) {
    test(`${name} is short, explains itself, and is in the list`, () => {
        const lines = readFileSync(FOLDER + name, 'utf8').trimEnd().split('\n');
        assert.ok(lines.length <= MOST_LINES, `${lines.length} lines`);
        assert.match(lines[0], /^#!\/(bin\/sh|usr\/bin\/env (node|python3))$/);
        assert.ok(lines[1].includes(name) && /^("""|\/\/ |# )\S+.*: /.test(lines[1]), lines[1]);
        assert.ok(readFileSync(`${FOLDER}README.md`, 'utf8').includes(`(${name})`));
    });
}

// ---------------------------------------------------------------- the README's session

/** The members that a shortened answer shows, in their order. */
const shown = (answer) => [...answer.matchAll(/"(\w+)":/g)].map(([, name]) => name);

test('the commands of the README lead to a completed swap, with the answers that it shows', async () => {
    const [, session] = /```console\n([^]*?)```/.exec(readFileSync(`${ROOT}README.md`, 'utf8'));
    const env = { PATH: process.env.PATH };
    let place, answers = 0;
    for (const [, line, expected] of session.matchAll(/^\$ (.*)\n((?!\$).*\n)?/gm)) {
        const command = line.replace('http://127.0.0.1:8080', GATEWAY);
        if (expected === undefined) {
            place = command;
            continue;
        }
        const answer = await until(`what the README shows of ${line}`, () => {
            const out = execFileSync('sh', ['-c', `${place}\n${command}`], { env, encoding: 'utf8' });
            return (!expected.includes('"completed"') || /"status":"(completed|failed)"/.test(out)) && out;
        });
        let rest = answer;
        for (const name of shown(expected)) {
            assert.ok(rest.includes(`"${name}":`), `${line}: no ${name} in ${rest}`);
            rest = rest.slice(rest.indexOf(`"${name}":`) + 1);
        }
        const [status] = /"status":"\w+"/.exec(expected) ?? [''];
        assert.ok(answer.includes(status), answer);
        for (const [variable, name] of [['KEY', 'api_key'], ['ADDRESS', 'address'], ['QUOTE', 'quote_id'], ['SWAP', 'swap_id']]) {
            env[variable] ??= new RegExp(`"${name}":"?([\\w-]+)`).exec(answer)?.[1];
        }
        answers++;
    }
    assert.equal(answers, 6);
});

// ---------------------------------------------------------------- a first swap

for (const name of PROGRAMS.filter((each) => each.startsWith('first-swap.'))) {
    test(`${name} swaps`, async () => {
        assert.match(await done(name), new RegExp(`^1\\.5 ETH for [0-9.]+ USDC\nswap \\d+: completed, transaction ${HASH}\n$`));
        assert.match(await done(name, ['0.25', 'eth', 'USDT']), new RegExp(`^0\\.25 \\w+ for [0-9.]+ USDT\nswap \\d+: completed, transaction ${HASH}\n$`));
    });

    test(`${name} stops with the hint of a refusal`, async () => {
        await stops(/Amount must be a positive number\. Send amount as a string/, name, ['0']);
        await stops(/Unknown token 'NOPE' on chain 'ethereum'\. GET \/tokens/, name, ['1', 'ETH', 'NOPE']);
        const { out } = await stops(/Insufficient balance\. Wallet 0x\w+ has 100 ETH at hand on ethereum, 101 ETH needed: fund it/, name, ['101']);
        assert.match(out, /^101 ETH for [0-9.]+ USDC\n$/);
    });

    test(`${name} reports a gateway that does not answer`, async () => {
        const run = new Run(name, [], { env: { GATEWAY: NOWHERE } });
        assert.notEqual(await run.ended, 0);
        assert.match(run.err, /connect|refused|bad port/i);
        assert.equal(run.out, '');
    });
}

// ---------------------------------------------------------------- webhooks

async function freePort() {
    const server = createServer();
    await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
    const { port } = server.address();
    await new Promise((resolve) => { server.close(resolve); });
    return port;
}

/** A receiver of an agent's events, which listens. */
async function receiving(name) {
    const agent = await register();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const secret = await agent.listen(`${url}/webhooks`);
    const run = new Run(name, [], { env: { WEBHOOK_SECRET: secret, PORT: String(port) } });
    await until('the receiver to listen', () => run.out.includes(`listening on ${url}\n`));
    return { agent, secret, run, url };
}

/** Posts an event as an attacker might send it; resolves to the status. */
async function forge(url, { secret, id = 'evt_1', at = new Date(), body = '{"type":"swap.completed","data":{"swap_id":1}}', sent = body, more = '' }) {
    const signature = new Webhook(secret).sign(id, at, body) + more;
    const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at / 1000)), 'webhook-signature': signature };
    return (await fetch(url, { method: 'POST', body: sent, headers })).status;
}

const verifiedLines = ({ out }) => out.split('\n').filter((line) => line.startsWith('verified: '));

for (const name of PROGRAMS.filter((each) => each.startsWith('webhook-receiver.'))) {
    test(`${name} believes what the gateway has signed, once each`, async () => {
        const { agent, secret, run, url } = await receiving(name);
        try {
            granted(await agent.post('/webhooks/test'));
            await until('the event', () => verifiedLines(run).length === 1);
            await agent.wallet('base', 1);
            const swap = await agent.completed(await agent.swap('ETH', 'USDC', '0.01', { chain: 'base' }));
            await until('the swap', () => new RegExp(`^verified: swap\\.completed .*"swap_id": ?${swap.swap_id}\\b`, 'm').test(run.out));
            for (const signature of ['', ' v1,AAAA v2,x']) assert.equal(await forge(url, { secret, more: signature }), 204);
            assert.equal(verifiedLines(run).length, 3, run.out);
            // While the previous secret still signs too.
            const { webhook_secret: next } = granted(await agent.post('/webhooks/secret'));
            granted(await agent.post('/webhooks/test'));
            assert.notEqual(next, secret);
            // A new secret is an event of its own.
            await until('the event of both secrets', () => run.out.match(/^verified: webhook\.test /gm).length === 2);
            await until('the event of the new one', () => run.out.includes('\nverified: webhook_secret.renewed '));
        } finally {
            run.child.kill();
            await run.ended;
        }
    });

    test(`${name} refuses everything else`, async () => {
        const { secret, run, url } = await receiving(name);
        try {
            const other = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
            const refusals = [
                { secret: other }, { secret, sent: '{"type":"swap.completed","data":{"swap_id":2}}' },
                { secret, at: new Date(Date.now() - 600_000) }, { secret, at: new Date(Date.now() + 600_000) },
            ];
            for (const each of refusals) assert.equal(await forge(url, each), 401, JSON.stringify(each));
            assert.equal((await fetch(url, { method: 'POST', body: '{}' })).status, 401, 'no signature');
            assert.equal((await fetch(url, { method: 'POST', body: 'x'.repeat(2 << 20) }).catch(() => ({ status: 413 }))).status, 413);
            assert.deepEqual(verifiedLines(run), []);
            assert.equal(await forge(url, { secret }), 204, 'goes on');
        } finally {
            run.child.kill();
            await run.ended;
        }
    });

    test(`${name} wants the secret`, async () => {
        await stops(/WEBHOOK_SECRET is missing/, name);
    });
}

// ---------------------------------------------------------------- MCP

test('rebalance-mcp.py makes both parts equal, and leaves them so', async () => {
    const { key, address } = await trader();
    const env = { KEY: key };
    const before = await balance('ethereum', address, 'USDC');
    const [, sold, bought] = /^ETH \$[0-9.]+, USDC \$[0-9.]+\n([0-9.]+) ETH for ([0-9.]+) USDC: completed\n$/.exec(await done('rebalance-mcp.py', [], { env }));
    assert.ok(Number(sold) > 3 && Number(sold) < 7, sold);
    assert.equal(text('ethereum', 'USDC', await balance('ethereum', address, 'USDC') - before), bought);
    const [, ether, dollars] = /^ETH \$([0-9.]+), USDC \$([0-9.]+)\n$/.exec(await done('rebalance-mcp.py', ['ETH', 'USDC', '50'], { env }));
    assert.ok(Math.abs(ether - dollars) < 0.03 * ether, `${ether} and ${dollars}`);
    assert.match(await done('rebalance-mcp.py', ['ETH', 'USDC', '80'], { env }), /\n[0-9.]+ USDC for [0-9.]+ ETH: completed\n$/);
});

test('rebalance-mcp.py stops with the hint of a refusal', async () => {
    const { key } = await trader();
    const env = { KEY: key };
    await stops(/get_quote: Unknown token 'NOPE' on chain 'ethereum'\. get_tokens/, 'rebalance-mcp.py', ['ETH', 'NOPE'], { env });
    await stops(/get_portfolio: Unknown chain 'nowhere'\. get_chains/, 'rebalance-mcp.py', [], { env: { KEY: key, CHAIN: 'nowhere' } });
    await stops(/Invalid or missing API key/, 'rebalance-mcp.py');
    await stops(/refused/, 'rebalance-mcp.py', [], { env: { KEY: key, GATEWAY: NOWHERE } });
});

// ---------------------------------------------------------------- A2A

test('a2a-client.mjs has a sentence done', async () => {
    const { key, address } = await trader();
    const before = await balance('ethereum', address, 'USDC');
    assert.match(await done('a2a-client.mjs', ['Swap 0.1 ETH to USDC on ethereum'], { env: { KEY: key } }), /Swap \d+ of ETH to USDC: completed\n$/);
    assert.ok(await balance('ethereum', address, 'USDC') > before);
    assert.match(await done('a2a-client.mjs', [], { env: { KEY: key } }), /^You hold [0-9.]+ ETH on ethereum/);
});

test('a2a-client.mjs answers when it is asked back', async () => {
    const { key } = await trader();
    const said = await done('a2a-client.mjs', ['Swap ETH to USDC'], { env: { KEY: key }, input: 'a little\n0.1\non ethereum\n' });
    assert.match(said, /^The amount is missing[^\n]*\n(.*\n)+Swap \d+ of ETH to USDC: completed\n$/);
    await stops(/the question got no answer/, 'a2a-client.mjs', ['Swap ETH to USDC'], { env: { KEY: key } });
});

test('a2a-client.mjs stops with the hint of a refusal', async () => {
    const { key } = await trader();
    const run = new Run('a2a-client.mjs', ['Swap 1000 ETH to USDC on ethereum'], { env: { KEY: key } });
    assert.equal(await run.ended, 1);
    assert.match(run.out, /^Insufficient balance\. Wallet 0x\w+ has 10 ETH at hand on ethereum, 1000 ETH needed/);
    await stops(/Invalid or missing API key/, 'a2a-client.mjs', ['Show my balances']);
});

// ---------------------------------------------------------------- plain English

test('prompt.py takes one sentence after the other', async () => {
    const { key, address } = await trader();
    const before = await balance('ethereum', address, 'USDC');
    const said = await done('prompt.py', [], { env: { KEY: key }, input: '? swap 1 ETH to USDC\nswap 0.5 ETH to USDC\n\nshow my balance on ethereum\nhelp\n' });
    const parts = said.split(/^(?=\[)/m);
    assert.deepEqual(parts.map((part) => part.split('\n')[0]), ['[swap]', '[swap]', '[balance]', '[help]']);
    assert.match(parts[0], /^from_token: ETH\nto_token: USDC\namount_in: 1\n/m);
    const [, swapId] = /^swap_id: (\d+)\nstatus: (?:submitted|pending)\n/m.exec(parts[1]);
    assert.match(parts[2], /^ {2}symbol USDC, .*balance [0-9.]+/m);
    const agent = Object.assign(await register(), { key });
    await agent.completed(Number(swapId));
    assert.ok(await balance('ethereum', address, 'USDC') > before, 'the second sentence alone was carried out');
    assert.equal(granted(await agent.get('/swaps')).pagination.total, 1);
});

test('prompt.py stops with the hint of a refusal', async () => {
    const { key } = await trader();
    const { out, err } = await stops(/^Unable to parse command\. \S/, 'prompt.py', [], { env: { KEY: key }, input: 'make me rich\nhelp\n' });
    assert.equal(out, '');
    assert.match(err, /\n {2}swap 1 ETH to USDC on base\n/);
    await stops(/Invalid or missing API key/, 'prompt.py', [], { input: 'help\n' });
    await stops(/refused/, 'prompt.py', [], { env: { KEY: key, GATEWAY: NOWHERE }, input: 'help\n' });
});
