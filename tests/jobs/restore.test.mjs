// Section: operator
// The restore drill: a dump, wallets and swaps after it, the database gone. Then the dump is restored: every wallet opens, the
// gateway stays stopped until the chains were asked, and nothing is sent twice.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
    createReadStream, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { give, nonceOf } from '../api/chain.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    Agent, ROOT, granted, refused, readiness, send, stack as stackCommand, until,
} from '../api/lib.mjs';
import {
    cancel, deposited, orderOf, place,
} from '../api/prediction.mjs';
import {
    act, ask as askVenue, placed as placedAtMargin,
} from '../api/perps-trading.mjs';
import { settings } from './lib.mjs';
import { OK, sign } from './peek.mjs';

const STACK = settings();
const DATABASE = `restored_${process.pid}`;
const CHAIN = 'base';
const CHAIN_ID = 8453;
const options = ['--no-defaults', `--socket=${STACK.GATEWAY_DB_SOCKET}`, '--user=root'];
const run = promisify(execFile);

async function sql(statement, database = DATABASE) {
    const { stdout } = await run('mariadb', [...options, '--batch', '--skip-column-names', database, '--execute', statement]);
    return stdout.trim();
}

async function load(file) {
    const client = spawn('mariadb', [...options, DATABASE], { stdio: ['pipe', 'ignore', 'inherit'] });
    createReadStream(file).pipe(createGunzip()).pipe(client.stdin);
    const [code] = await once(client, 'exit');
    assert.equal(code, 0);
}

const makeDatabase = () => sql(`CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`, 'mysql');
const dropDatabase = () => sql(`DROP DATABASE ${DATABASE}`, 'mysql');

/** A gateway with a database of its own. */
async function ownGateway(t) {
    const directory = mkdtempSync(join(tmpdir(), 'restore.'));
    t.after(() => rmSync(directory, { recursive: true }));
    const conf = join(directory, 'gateway.conf');
    writeFileSync(conf, `include ${ROOT}contrib/sandbox/gateway.conf\ndb_name = ${DATABASE}\n`);
    await makeDatabase();
    t.after(dropDatabase);
    await run(join(STACK.GATEWAY_BIN, 'jobs', 'schema-migrate'), ['-c', conf], { env: { ...process.env, ...STACK } });
    const gateway = await startGateway([`db_name = ${DATABASE}`], { jobs: ['swap-poll'] });
    t.after(() => gateway.stop());
    return { gateway, dumps: join(directory, 'dumps'), keys: join(directory, 'keys') };
}

async function newAgent(gateway) {
    const agent = new Agent(await gateway.agentctl('key', 'unlimited'));
    agent.base = gateway.base;
    agent.id = granted(await agent.get('/me')).agent.id;
    return agent;
}

const walletOn = async (agent, type) => granted(await agent.post('/wallets', { chain_type: type }), 201).wallet.address;

const swapped = async (agent) => agent.completed(await agent.swap('ETH', 'USDC', '0.01', { chain: CHAIN }));
const swappedOnSolana = async (agent) => agent.completed(await agent.swap('SOL', 'USDC', '0.1', { chain: 'solana' }));

async function backup(gateway, dumps, keys) {
    await run(join(ROOT, 'conf', 'backup'), [dumps, keys], {
        env: {
            ...process.env, ...STACK, GATEWAY_RUN: gateway.directory, GATEWAY_CONF: join(gateway.directory, 'gateway.conf'), SIGNER_DIR: join(gateway.directory, 'signer'), DATABASE, DUMP_OPTIONS: options.join(' '),
        },
    });
    const [dump] = readdirSync(dumps).filter((name) => name.endsWith('.sql.gz'));
    return join(dumps, dump);
}

/** Whether the signer opens the key that the database has of a wallet. */
async function opens(gateway, address) {
    const [uuid, owner, sealed] = (await sql(`SELECT HEX(uuid), HEX(agent_uuid), HEX(sealed_key) FROM wallets WHERE address = '${address}'`)).split('\t');
    return await sign(join(gateway.directory, 'signer.sock'), [uuid, owner, address, sealed], { chain: CHAIN_ID, nonce: 1000, to: address }) === OK;
}

test('records that a dump lacks are restored, and nothing is sent twice', async (t) => {
    const { gateway, dumps, keys } = await ownGateway(t);
    const file = join(gateway.directory, 'signer', 'wallets');
    const agent = await newAgent(gateway);
    const address = await agent.wallet(CHAIN, 10);
    await swapped(agent);
    const careful = await newAgent(gateway);
    const purse = await careful.wallet(CHAIN, 10);
    granted(await careful.post('/wallet/policy', { type: 'approval_limit', params: { maxAmountUsd: '100' } }));
    const { approval_id } = granted(await careful.execute(await careful.quote('ETH', 'USDC', '0.1', { chain: CHAIN })), 202);
    await gateway.agentctl('approve', approval_id);
    const gone = await newAgent(gateway);
    await gone.wallet();
    assert.equal((await gone.send('DELETE', '/me')).status, 204);
    await gateway.pass('agent-purge');
    const quote = await agent.quote('ETH', 'USDC', '0.02', { chain: CHAIN });
    await sql('UPDATE quotes SET expires_at = UTC_TIMESTAMP(3) + INTERVAL 1 HOUR');
    // What is older than a minute before the dump and not in it was deleted.
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\d+/gm, (ms) => String(Number(ms) - 300000)));
    const dump = await backup(gateway, dumps, keys);

    // After the dump: quote and approval are carried out, and so are others; wallets come, also of an agent that the dump does
    // not know.
    const late = await newAgent(gateway);
    const wallets = [await late.wallet(CHAIN, 10)];
    for (let i = 0; i < 9; i++) wallets.push(await walletOn(i % 2 ? late : agent, 'evm'));
    const solana = [];
    for (let i = 0; i < 10; i++) solana.push(await walletOn(i % 2 ? late : agent, 'solana'));
    await stackCommand('fund', solana[0], 'solana');
    const before = granted(await agent.execute(quote)).swap_id;
    const approved = granted(await careful.post('/swap/execute', { approval_id })).swap_id;
    await Promise.all([agent.completed(before), careful.completed(approved), swapped(agent), swapped(late), swappedOnSolana(agent)]);
    const [sent, spent] = await Promise.all([address, purse].map((wallet) => nonceOf(CHAIN, wallet)));

    await gateway.end('SIGKILL');
    await dropDatabase();
    await makeDatabase();
    await load(dump);
    const imported = await gateway.keyctl('import', file);
    assert.match(imported, new RegExp(`^agent ${late.id} was registered after the dump`, 'm'));
    assert.match(imported, /^20 wallets are brought back, 2 were there, 1 are of agents deleted before the dump$/m);
    assert.match(await gateway.keyctl('import', file), /^0 wallets are brought back, 22 were there/m);

    // It comes up, stopped.
    gateway.startAgain();
    await gateway.ready();
    for (const wallet of [address, ...wallets]) assert.ok(await opens(gateway, wallet), wallet);
    for (const wallet of solana) assert.equal(await sql(`SELECT LENGTH(sealed_key) FROM wallets WHERE address = '${wallet}'`), '77');
    refused(await agent.execute(quote), 'Trading is paused by the operator');
    await assert.rejects(gateway.agentctl('resume', 'all'), /stopped until agentctl reconcile/);
    refused(await agent.execute(quote), 'Trading is paused by the operator');

    const told = await gateway.agentctl('reconcile');
    const expected = [[address, CHAIN, sent - Number(await firstSent(address))], [purse, CHAIN, spent], [wallets[0], CHAIN, await nonceOf(CHAIN, wallets[0])]];
    for (const [wallet, chain, count] of expected) assert.match(told, new RegExp(`^${wallet} +${chain} +${count} transactions`, 'm'));
    assert.match(told, new RegExp(`^${solana[0]} +solana +\\d+ transactions`, 'm'));
    assert.match(told, /^22 wallets are compared with the chains\. Trading goes on\.$/m);
    await assert.rejects(gateway.agentctl('reconcile'), /nothing is to be reconciled/);

    // What was carried out is not carried out again; what is new goes on where the chain is.
    refused(await agent.execute(quote), 'Quote expired');
    refused(await careful.post('/swap/execute', { approval_id }), 'Approval denied');
    assert.deepEqual([await nonceOf(CHAIN, address), await nonceOf(CHAIN, purse)], [sent, spent]);
    late.key = await gateway.agentctl('rotate', late.id);
    await Promise.all([swapped(agent), swapped(late), swappedOnSolana(agent)]);
    assert.equal(await sql('SELECT COUNT(*) FROM executions WHERE status <> 4 AND approval_id IS NULL'), '0');

    // The same database is known as such, and another host is none of its past.
    await gateway.end('SIGKILL');
    gateway.startAgain();
    await gateway.ready();
    await swapped(agent);
    const other = await startGateway([`db_name = ${DATABASE}`]);
    t.after(() => other.stop());
    await swapped(Object.assign(new Agent(agent.key), { base: other.base }));
    // Keys and dumps are apart, and the operator's key is among them, with all files of settings.
    const [copy] = readdirSync(keys);
    assert.deepEqual(readdirSync(join(keys, copy)).sort(), ['data.keys', 'master.key', 'operator.key', 'service.key', 'settings']);
    for (const file of [join(gateway.directory, 'gateway.conf'), join(ROOT, 'conf/gateway.conf')]) assert.equal(readFileSync(join(keys, copy, 'settings', file), 'utf8'), readFileSync(file, 'utf8'));
});

/** How many of the wallet's nonces the restored database knew. */
function firstSent(address) {
    return sql(`SELECT COUNT(*) FROM transactions t JOIN wallets w ON w.id = t.wallet_id WHERE w.address = '${address}' AND t.chain_id = ${CHAIN_ID}`);
}

test('orders that a dump lacks are found at their venue', async (t) => {
    const { gateway, dumps, keys } = await ownGateway(t);
    const bidder = async () => {
        const agent = await newAgent(gateway);
        await give('polygon', await agent.wallet('polygon', 100), 'USDC.e', '10');
        await deposited(agent, '10');
        return agent;
    };
    const [agent, other] = [await bidder(), await bidder()];
    const { outcomes: [{ tokenId }] } = granted(await agent.get('/predict/market/9010'));
    const placed = async (by, price) => ({
        ...granted(await place(by, {
            tokenId, side: 'BUY', price, size: 20,
        })).order,
        answered: Date.now(),
    });
    const known = await placed(agent, 0.05);
    const dump = await backup(gateway, dumps, keys);
    const lost = await placed(agent, 0.06);
    const others = await placed(other, 0.05);
    granted(await cancel(agent, (await placed(agent, 0.07)).id));

    await gateway.end('SIGKILL');
    await dropDatabase();
    await makeDatabase();
    await load(dump);
    gateway.startAgain();
    await gateway.ready();
    assert.equal((await agent.get(`/predict/order/${lost.id}`)).status, 404);
    assert.match(await gateway.agentctl('reconcile'), /^2 wallets are compared with the chains, and order-poll looks at 2 accounts at the prediction venue\./m);

    // One look finds them, and the next one only looks at them.
    for (let look = 0; look < 2; look++) {
        await sql('UPDATE predict_accounts SET orders_due_at = UTC_TIMESTAMP(3)');
        await gateway.pass('order-poll');
        await areOpen(agent, [lost, known]);
        await areOpen(other, [others]);
    }
    granted(await cancel(other, others.id));
    assert.equal((await orderOf(other, others.id)).status, 'cancelled');
});

test('a trading key that a dump lacks is no wallet, and is made anew', async (t) => {
    const { gateway, dumps, keys } = await ownGateway(t);
    const file = join(gateway.directory, 'signer', 'wallets');
    const agent = await newAgent(gateway);
    agent.address = (await agent.wallet()).toLowerCase();
    await act('give', { user: agent.address, amount: '2001' });
    const bid = { market: 'SOL-USD', side: 'long', size: 2, type: 'limit', price: 100 };
    const dump = await backup(gateway, dumps, keys);
    assert.equal((await placedAtMargin(agent, bid)).status, 'open');
    const [{ address: former }] = await askVenue('extraAgents', { user: agent.address });
    assert.ok(!readFileSync(file, 'utf8').includes(former));

    await gateway.end('SIGKILL');
    await dropDatabase();
    await makeDatabase();
    await load(dump);
    assert.match(await gateway.keyctl('import', file), /^0 wallets are brought back, 1 were there, 0 are of agents deleted/m);
    gateway.startAgain();
    await gateway.ready();
    await gateway.agentctl('reconcile');
    const order = await placedAtMargin(agent, bid);
    assert.equal(order.status, 'open');
    const inForce = await askVenue('extraAgents', { user: agent.address });
    assert.deepEqual([inForce.length, inForce[0].address === former], [1, false]);
    assert.equal(granted(await agent.send('DELETE', `/perps/order/${order.id}`)).order.status, 'cancelled');
});

/** These, newest first, as they were when they were placed. */
async function areOpen(agent, expected) {
    const { orders, pagination } = granted(await agent.get('/predict/orders?status=open'));
    const terms = ({ created_at, updated_at, answered, ...rest }) => rest;
    assert.deepEqual([orders.map(terms), pagination.total], [expected.map(terms), expected.length]);
    // One that was found has the second in which the venue took it: between its first row and its answer.
    orders.forEach(({ created_at: at }, i) => {
        const { created_at: stored, answered } = expected[i];
        assert.ok(Date.parse(at) >= Date.parse(`${stored.slice(0, -5)}Z`) && Date.parse(at) <= answered, `${at} of ${stored}`);
    });
}

test('a database that is put back while the gateway runs stops it, too', async (t) => {
    const { gateway, dumps, keys } = await ownGateway(t);
    const agent = await newAgent(gateway);
    await agent.wallet();
    const dump = await backup(gateway, dumps, keys);
    await load(dump);
    await until('trading to be stopped', async () => await sql('SELECT halts FROM trading_halts WHERE agent_id = 0') !== '0');
    refused(await agent.post('/wallets'), 'Trading is paused by the operator');
    const stops = async () => (await readiness({ base: gateway.base })).body.stops;
    assert.deepEqual(await stops(), {
        trading_stopped: true, database_older: true, agents_stopped: 0, agents_banned: 0,
    });
    assert.match(await gateway.agentctl('status'), /^all +stopped +allowed +\S+ +the database is older than it was: agentctl reconcile$/m);
    assert.equal(await gateway.agentctl('reconcile'), '1 wallets are compared with the chains. Trading goes on.');
    assert.equal((await stops()).database_older, false);
    await agent.wallet();
});
