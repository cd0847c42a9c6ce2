// Section: operator
// Code that runs in a worker gets no key by any attempt, and no signature that the operator does not allow. As root,
// workers and signer have users of their own, and `peek` runs as the workers' one; otherwise all have one user, and
// the protection within one user id is tested.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { APPROVE, nonceOf, routers, token } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    API, Agent, granted, refused, register, readiness, send, until,
} from '../api/lib.mjs';
import {
    ask as askVenue, cancel, placed, trader,
} from '../api/perps-trading.mjs';
import {
    children, isAlive, named, openFiles, read,
} from './gateways.mjs';
import { processes, settings } from './lib.mjs';
import {
    BAD_MESSAGE, OK, OVER_A_LIMIT, PEEK, REFUSED, ROOT, WORKER, asWorker, directory, peek, recordOf, sign,
} from './peek.mjs';

const STACK = settings();
const SIGNER = Number(STACK.GATEWAY_SIGNER_UID);
const SOCKET = join(STACK.GATEWAY_PRIVATE, 'signer.sock');
const KEYS = join(STACK.GATEWAY_VAR, 'keys');
const FILES = ['wallets/master.key', 'wallets/data.keys', 'signer/audit.log', 'signer/wallets', 'signer/ledger', 'signer/stop', 'signer/book', 'signer/removed-addresses', 'signer/trading-keys'].map((name) => join(KEYS, name));
const OF_THE_PROCESS = ['ptrace-attach', 'ptrace-seize', 'vm-read', 'vm-write', 'steal-descriptor', 'mem', 'environ', 'maps', 'auxv', 'fd'];
const CHAIN = 'base';
const CHAIN_ID = 8453;
const LIMITED = "Refused by the operator's limits";

// The gateway's parent starts the signer.
const PARENT = Number((await processes()).find(([name]) => name === 'gateway')[1]);

/** The signer that runs, or one that is not `former`. */
const signerPid = (former) => until('a signer', () => named(PARENT, 'signer').find((pid) => pid !== former));

/** The lines of a process's status file as an object; empty when the process is gone. */
const statusOf = (pid) => Object.fromEntries(read(pid, 'status').trim().split('\n').map((line) => line.split(/:\s*/)));

async function keyctl(...args) {
    return (await promisify(execFile)(join(STACK.GATEWAY_BIN, 'jobs', 'keyctl'), args, { env: { ...process.env, ...STACK } })).stdout;
}

/** An agent with a wallet, and what a worker knows of that from the database. */
async function walletInDatabase() {
    const agent = await register();
    const address = await agent.wallet(CHAIN, 5);
    return { agent, address, wallet: await recordOf(address) };
}

/** Asks for a signature as a worker would, without the gateway's own checks; the signer's status. */
const ask = ({ wallet }, { chain = CHAIN_ID, ...tx }) => sign(SOCKET, wallet, { chain, ...tx });

// ---------------------------------------------------------------- where the keys are

test("the signer's memory, descriptors and surroundings are closed to code in a worker", async () => {
    const seen = (await peek('at', await signerPid())).split('\n').map((line) => line.split(' '));
    assert.deepEqual(seen.map(([what]) => what), OF_THE_PROCESS);
    for (const [what, outcome] of seen) assert.match(outcome, /^E(PERM|ACCES)$/, what);
});

test('the same attempts do open an ordinary process', async () => {
    const other = spawn('sleep', ['60'], asWorker);
    try {
        await once(other, 'spawn');
        const seen = Object.fromEntries((await peek('at', other.pid)).split('\n').map((line) => line.split(' ')));
        for (const what of ['environ', 'maps', 'auxv', 'fd']) assert.equal(seen[what], 'open', what);
    } finally {
        other.kill('SIGKILL'); // it may have been left standing still
    }
});

test('with a user of its own, no file of the signer opens for a worker; with one user, that is not claimed', async () => {
    const { body } = await readiness();
    assert.equal(body.signer.keys_protected, ROOT ? 'from code in a worker' : 'in memory only');
    assert.equal(body.signer.stopped, false);
    assert.equal(typeof body.signer.memory_locked, 'boolean');
    for (const file of FILES) assert.ok(existsSync(file), file);
    const opened = (await peek('at', await signerPid(), ...FILES)).split('\n').slice(OF_THE_PROCESS.length);
    assert.equal(opened.length, 2 * FILES.length);
    if (ROOT) for (const line of opened) assert.match(line, / EACCES$/);
});

test('the signer runs under seccomp, without core files', async () => {
    const pid = await signerPid();
    const status = statusOf(pid);
    assert.deepEqual([status.Seccomp, status.NoNewPrivs], ['2', '1']);
    assert.match(readFileSync(`/proc/${pid}/limits`, 'utf8'), /^Max core file size +0 +0 /m);
    // The descriptors that are passed in; the last is there when the gateway waits for it to be ready.
    assert.match(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '), /^signer -c \S+ -f 3 (-r 4 )?$/);
    if (!ROOT) return;
    assert.deepEqual(status.Uid.split('\t'), Array(4).fill(String(SIGNER)));
    assert.deepEqual(status.Gid.split('\t'), Array(4).fill(String(SIGNER)));
    assert.equal(status.Groups.trim(), '');
    assert.match(status.CapPrm, /^0+$/);
    const open = openFiles(pid);
    assert.ok(open.length > 3, open.join(' '));
    const known = /^(\/dev\/null|socket:\[|anon_inode:\[(eventpoll|signalfd)\]|.*\/(gateway\.log|audit\.log|wallets|removed-addresses|trading-keys|(book|ledger)(\.new)?|settlers|prices|stop)$)/;
    for (const what of open) assert.match(what, known);
    const workers = named(PARENT, 'gateway').map(statusOf).filter(({ Uid }) => Uid !== undefined); // some leave: the pool shrinks
    assert.deepEqual([...new Set(workers.map(({ Uid }) => Uid.split('\t')[0]))], [String(WORKER)]);
});

test('a crash of the signer leaves no core and delays no request for long', async () => {
    const { agent } = await walletInDatabase();
    const pid = await signerPid();
    process.kill(pid, 'SIGABRT'); // whose default is a core file
    await signerPid(pid);
    const log = readFileSync(join(STACK.GATEWAY_LOG, 'gateway.log'), 'utf8');
    assert.match(log, new RegExp(`pid=${pid} .*what=signer status=0 signal=6 core=0`));
    await agent.completed(await agent.swap('ETH', 'USDC', '0.01', { chain: CHAIN }));
});

// ---------------------------------------------------------------- what is signed

const word = (value) => BigInt(value).toString(16).padStart(64, '0');

/** A trade of so many units of USDC for WETH at the router of the second version. */
const sale = (amount, minimum, recipient) => ({
    to: routers(CHAIN)[0],
    data: `0x38ed1739${[amount, minimum, 160, recipient, 9_999_999_999n, 2, token(CHAIN, 'USDC').address, token(CHAIN, 'WETH').address].map(word).join('')}`,
});

test('only calls that the list allows are signed for a worker, and all its requests are on record', async () => {
    const own = await walletInDatabase();
    const other = await walletInDatabase();
    const usdc = token(CHAIN, 'USDC').address;
    const [v2] = routers(CHAIN);
    const approve = (spender, amount) => APPROVE.encodeFunctionData('approve', [spender, amount]);
    const sell = (recipient) => sale(10, 1, recipient).data;
    const tries = [
        ['coins to another address', { to: other.address, value: 1 }, REFUSED],
        ['tokens to another address', { to: usdc, data: `0xa9059cbb${word(other.address)}${word(1)}` }, REFUSED],
        ['tokens on behalf of another address', { to: usdc, data: `0x23b872dd${word(own.address)}${word(other.address)}${word(1)}` }, REFUSED],
        ['an allowance without a bound', { to: usdc, data: approve(v2, 2n ** 256n - 1n) }, REFUSED],
        ['an allowance for another address', { to: usdc, data: approve(other.address, 1n) }, REFUSED],
        ['a trade for another address', { to: v2, data: sell(other.address) }, REFUSED],
        ['a contract off the list', { to: other.address, data: sell(own.address) }, REFUSED],
        ['another call of a listed contract', { to: v2, data: '0x12345678' }, REFUSED],
        ['a chain that is none', { chain: 31337, to: own.address }, REFUSED],
        ['a trade', { to: v2, data: sell(own.address) }, OK],
        ['a bounded allowance', { to: usdc, data: approve(v2, 1n) }, OK],
        ['nothing, to fill a nonce', { to: own.address }, OK],
    ];
    for (const [what, tx, status] of tries) assert.equal(await ask(own, tx), status, what);
    assert.equal(Number(await peek('garbage', SOCKET, ...own.wallet)), BAD_MESSAGE);
    const mixed = { wallet: [...own.wallet.slice(0, 3), other.wallet[3]] };
    assert.equal(await ask(mixed, { to: own.address }), REFUSED, "another wallet's key");
    assert.equal(await ask({ wallet: [...other.wallet.slice(0, 2), own.address, other.wallet[3]] }, { to: own.address }), REFUSED);

    const lines = readFileSync(FILES[2], 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter(({ wallet }) => wallet === own.address);
    assert.deepEqual(lines.map(({ decision }) => decision), [
        'created', ...tries.map(([, , status]) => (status === OK ? 'signed' : 'refused')), 'refused', 'refused', 'refused',
    ]);
    const { selector, token: sold, amount, chain, value } = lines.find(({ decision }) => decision === 'signed');
    assert.deepEqual([selector, sold, amount, chain, value], ['0x38ed1739', usdc, '10', CHAIN_ID, '0']);
    assert.match(await keyctl('audit-verify'), /each follows the one before/);
});

test('a crowd of connections that send nothing, or nonsense, does not keep a worker from its signature', async () => {
    const { agent } = await walletInDatabase();
    const crowds = Array.from({ length: 3 }, () => spawn(PEEK, ['crowd', SOCKET], { ...asWorker, stdio: ['ignore', 'pipe', 'ignore'] }));
    try {
        for (const crowd of crowds) assert.match(String((await once(crowd.stdout, 'data'))[0]), /^connected \d\d/);
        for (let i = 0; i < 3; i += 1) await agent.completed(await agent.swap('ETH', 'USDC', '0.01', { chain: CHAIN }));
    } finally {
        crowds.forEach((crowd) => crowd.kill());
    }
});

if (ROOT) {
    test('a user that is neither the workers\' nor the operator\'s is not heard', async () => {
        const { wallet, address } = await walletInDatabase();
        const stranger = { ...asWorker, uid: 61499, gid: 61499 };
        const { stdout } = await promisify(execFile)(PEEK, ['sign', SOCKET, ...wallet, CHAIN_ID, 0, address, 0, '0x'].map(String), stranger);
        assert.equal(stdout.trim(), '5'); // away
    });
}

// ---------------------------------------------------------------- the operator's limits and kill switch

const execute = ({ base }, agent, quote) => send('POST', `${API}/swap/execute`, { base, key: agent.key, json: { quote_id: quote.quote_id } });

test('limits of a transaction and of a day hold, and a quote that met one is not lost', async () => {
    const gateway = await startGateway([
        'signer_tx_max.base = ETH 300000000000000000', 'signer_day_max.base = ETH 500000000000000000',
    ]);
    try {
        const agent = await register();
        const address = await agent.wallet(CHAIN, 5);
        const sell = async (amount) => execute(gateway, agent, await agent.quote('ETH', 'USDC', amount, { chain: CHAIN }));
        refused(await sell('0.3'), LIMITED); // the fee comes on top
        await agent.completed(granted(await sell('0.2')).swap_id);
        await agent.completed(granted(await sell('0.2')).swap_id);
        const last = await agent.quote('ETH', 'USDC', '0.2', { chain: CHAIN });
        refused(await execute(gateway, agent, last), LIMITED);
        assert.equal(await nonceOf(CHAIN, address, 'pending'), 2);
        await agent.completed(granted(await agent.execute(last)).swap_id); // the other gateway's signer has no limits
    } finally {
        await gateway.stop();
    }
});

test('a chain that the signer does not serve gets no signature', async () => {
    const gateway = await startGateway(['signer_chains = ethereum']);
    try {
        const agent = await register();
        await agent.wallet(CHAIN, 5);
        refused(await execute(gateway, agent, await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN })), LIMITED);
    } finally {
        await gateway.stop();
    }
});

test('a trade whose minimum is worth too little by the list of prices, or without such a list, gets no signature', async () => {
    const gateway = await startGateway(['signer_floor = 0.90']);
    const { agent, address, wallet } = await walletInDatabase();
    const sell = (minimum) => sign(join(gateway.directory, 'signer.sock'), wallet, { chain: CHAIN_ID, ...sale(1_000_000_000, minimum, address) });
    const reason = () => JSON.parse(readFileSync(join(gateway.directory, 'signer', 'audit.log'), 'utf8').trim().split('\n').at(-1)).reason;
    try {
        const quote = await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN });
        refused(await execute(gateway, agent, quote), LIMITED);
        assert.equal(reason(), 'no list of prices');
        // A chain without any price, as some of the sandbox may be, makes it fail.
        const listed = await gateway.agentctl('prices').catch(({ stdout }) => stdout);
        assert.match(listed, new RegExp(`^${CHAIN} +[1-9]\\d* `, 'm'));
        await agent.completed(granted(await execute(gateway, agent, quote)).swap_id); // it is read anew

        const lines = readFileSync(join(gateway.directory, 'signer', 'prices'), 'utf8').split('\n').map((line) => line.split(' '));
        const [usdc, weth] = ['USDC', 'WETH'].map((symbol) => BigInt(lines.find(([id, at]) => id === String(CHAIN_ID) && at === token(CHAIN, symbol).address)[3]));
        const least = (900n * usdc * 10n ** 18n + weth - 1n) / weth; // for 1000 USDC
        assert.equal(await sell(least), OK);
        assert.equal(await sell(least - 1n), OVER_A_LIMIT);
        assert.equal(reason(), 'minimum is worth too little');
        assert.equal(await sell(1), OVER_A_LIMIT);
    } finally {
        await gateway.stop();
    }
});

test("the kill switch stops signatures at once, over the signer's restarts, until it is let go", async () => {
    const gateway = await startGateway();
    const stopped = async () => (await readiness({ base: gateway.base })).body.signer?.stopped;
    try {
        const agent = await register();
        await agent.wallet(CHAIN, 5);
        const quote = await agent.quote('ETH', 'USDC', '0.01', { chain: CHAIN });
        await gateway.keyctl('stop', 'a drill');
        refused(await execute(gateway, agent, quote), LIMITED);
        assert.equal(await stopped(), true);
        process.kill(gateway.pid, 'SIGHUP');
        assert.equal(await stopped(), true);
        refused(await execute(gateway, agent, quote), LIMITED);
        await gateway.keyctl('resume');
        assert.equal(await stopped(), false);
        await agent.completed(granted(await execute(gateway, agent, quote)).swap_id);
    } finally {
        await gateway.stop();
    }
});

// ---------------------------------------------------------------- the master key

test('while the master key is rotated and the signer renewed, wallets are made and swaps signed', async () => {
    const { agent } = await walletInDatabase();
    const before = readFileSync(FILES[0], 'utf8');
    let done = false;
    const work = (async () => {
        const swaps = [];
        while (!done) {
            granted(await (await register()).send('POST', '/wallets'), 201); // one has few: this may take long
            swaps.push(granted(await agent.execute(await agent.quote('ETH', 'USDC', '0.001', { chain: CHAIN }))).swap_id);
            await setTimeout(200);
        }
        return swaps;
    })();
    try {
        for (let i = 0; i < 3; i += 1) {
            const [pid, former] = [await signerPid(), children(PARENT)];
            assert.match(await keyctl('rotate'), /sound/);
            process.kill(PARENT, 'SIGHUP');
            await signerPid(pid);
            await until('the former workers to end', () => !former.some(isAlive));
        }
    } finally {
        done = true;
    }
    const swaps = await work;
    assert.ok(swaps.length > 0);
    for (const id of swaps) await agent.completed(id);
    assert.notEqual(readFileSync(FILES[0], 'utf8'), before);
});

const BID = { market: 'SOL-USD', side: 'long', size: 2, type: 'limit', price: 100 };
const tradingKeys = async ({ address }) => (await askVenue('extraAgents', { user: address })).map((key) => key.address);

test('keys that trade for wallets outlive the master key that they were made under', async () => {
    const [former, fresh] = [await trader(2000), await trader(2000)];
    assert.equal((await placed(former, BID)).status, 'open');
    const keys = await tradingKeys(former);
    const pid = await signerPid();
    assert.match(await keyctl('rotate'), /sound/);
    process.kill(PARENT, 'SIGHUP');
    await signerPid(pid);
    for (const agent of [former, fresh]) {
        const order = await placed(agent, BID);
        assert.equal(order.status, 'open');
        assert.equal(granted(await cancel(agent, order.id)).order.status, 'cancelled');
    }
    assert.deepEqual(await tradingKeys(former), keys);
    assert.match(await keyctl('verify'), /master key and \d+ data keys?, sound/);
});

test('a backup opens, and so do the keys of wallets and those that trade for them', async () => {
    const to = join(directory, 'backup');
    const agent = await trader(2000);
    await placed(agent, BID);
    const keys = await tradingKeys(agent);
    assert.equal((await keyctl('backup', to)).match(/sound/g).length, 2);
    assert.deepEqual(readdirSync(to).sort(), ['data.keys', 'master.key', 'operator.key', 'service.key', 'settings']);
    await assert.rejects(keyctl('backup', to), /File exists/);
    const gateway = await startGateway([`key_dir = ${to}`, `service_key_file = ${join(to, 'service.key')}`]);
    try {
        const there = Object.assign(new Agent(agent.key), { base: gateway.base });
        const order = await placed(there, BID);
        assert.equal(order.status, 'open');
        assert.equal(granted(await cancel(there, order.id)).order.status, 'cancelled');
        assert.deepEqual(await tradingKeys(agent), keys);
    } finally {
        await gateway.stop();
    }
});
