// Section: accounts
// order-poll next to a venue that is made up here, so that there can be many orders, and any answer.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { getAddress } from 'ethers';
import { registerUnlimited, until } from '../api/lib.mjs';
import { runJob, settings, sql, withoutJobs } from './lib.mjs';

const WALLETS = 200;
const ORDERS = 50; // of each
const PAGE = 30;
const AT_ONCE = 10;

// ---------------------------------------------------------------- a venue

const CREDENTIALS = { apiKey: '9180014b-33c8-9240-a14b-bdca11c0a465', secret: Buffer.from('secret').toString('base64url'), passphrase: 'passphrase' };
const row = (id, status = 'LIVE') => ({ id, status, original_size: '20', size_matched: '0' });
const venue = { lists: new Map(), asked: [], omits: new Set(), knows: () => true };

const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://venue');
    const wallet = request.headers.poly_address;
    const say = (json, status = 200) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    venue.asked.push({ wallet, method: request.method, path: pathname, cursor: searchParams.get('next_cursor') });
    if (pathname === '/time') return say(Math.floor(Date.now() / 1000));
    if (pathname.startsWith('/auth/')) return say(CREDENTIALS);
    if (wallet === venue.slow) await venue.answered;
    if (pathname === '/data/orders') {
        const list = (venue.lists.get(wallet) ?? []).filter((id) => !venue.omits.has(id));
        const from = Number(Buffer.from(searchParams.get('next_cursor'), 'base64'));
        const next = from + PAGE < list.length ? Buffer.from(String(from + PAGE)).toString('base64') : 'LTE=';
        return say({ data: list.slice(from, from + PAGE).map((id) => row(id)), next_cursor: next });
    }
    const id = pathname.split('/').at(-1);
    if (pathname.startsWith('/data/order/')) return venue.knows(id) ? say(row(id)) : say({ error: 'order not found' }, 404);
    if (pathname === '/data/trades') return say({ data: [], next_cursor: 'LTE=' });
    return say({ canceled: [], not_canceled: {} });
}).listen(0, '127.0.0.1');
after(() => { server.close(); server.closeAllConnections(); });
await once(server, 'listening');
server.unref();

const conf = join(settings().GATEWAY_VAR, 'order-poll.conf');
writeFileSync(conf, `include ${settings().GATEWAY_CONF}\npredict_clob_url = http://127.0.0.1:${server.address().port}\n`, { mode: 0o644 });
const poll = () => runJob('order-poll', conf);

// ---------------------------------------------------------------- wallets with orders

const FIRST = 10 ** 9; // an execution of no other test
let last = FIRST;
let first; // wallet, made like any other

const hashOf = (execution) => createHash('sha256').update(String(execution)).digest('hex');

/** What gives a wallet an account and so many open orders. */
function openOrders(address, orders) {
    const rows = orders.map((n) => `(${n}, @a, @w, UNHEX(SHA2(${n}, 256)), '1', @h, @h, 'Yes', 'Will it?', 0, 0, 1, 0, 4000, 2000, 0, 2, @t, @t)`);
    venue.lists.set(address, orders.map((n) => `0x${hashOf(n)}`));
    return `SELECT id, agent_id, REPEAT('h', 32), UTC_TIMESTAMP(3) - INTERVAL 1 HOUR INTO @w, @a, @h, @t FROM wallets WHERE address = '${address}';
        INSERT INTO predict_accounts (wallet_id, agent_id, kind, proxy_kind, trading, credentials, credentials_at, created_at)
        VALUES (@w, @a, 2, 0, UNHEX('${address.slice(2)}'), @c, @t, @t);
        INSERT INTO predict_orders (execution_id, agent_id, wallet_id, hash, market, condition_id, token, outcome, question, exchange, side, type,
        post_only, price, size, fee_most, status, created_at, updated_at) VALUES ${rows};`;
}

/** A copy of the first wallet under another address, with the credentials that the venue gave that one. */
function copy(count) {
    const address = getAddress(`0x${randomBytes(20).toString('hex')}`);
    const orders = Array.from({ length: count }, () => (last += 1));
    return {
        address,
        orders,
        statements: `INSERT INTO wallets (agent_id, uuid, agent_uuid, kind, address, sealed_key, created_at)
            SELECT agent_id, UNHEX('${randomBytes(16).toString('hex')}'), agent_uuid, kind, '${address}', sealed_key, created_at FROM wallets WHERE address = '${first}';
            ${openOrders(address, orders)}`,
    };
}

async function firstWallet() {
    first = await (await registerUnlimited()).wallet();
    await sql(openOrders(first, [last += 1]));
    await dueNow();
    await poll();
    await remove();
}

async function walletsWithOrders(wallets, count) {
    if (first === undefined) await firstWallet();
    const made = Array.from({ length: wallets }, () => copy(count));
    const credentials = `SELECT p.credentials INTO @c FROM predict_accounts p JOIN wallets w ON w.id = p.wallet_id WHERE w.address = '${first}';`;
    for (let i = 0; i < made.length; i += AT_ONCE) await sql(credentials + made.slice(i, i + AT_ONCE).map(({ statements }) => statements).join('\n'));
    return made;
}

const dueNow = () => sql(`UPDATE predict_accounts SET orders_due_at = UTC_TIMESTAMP(3) WHERE wallet_id IN (SELECT wallet_id FROM predict_orders WHERE execution_id > ${FIRST})`);
const statusOf = async (n) => (await sql(`SELECT status, missed_polls FROM predict_orders WHERE execution_id = ${n}`)).split('\t').map(Number);
const remove = () => sql(`DELETE FROM predict_orders WHERE execution_id > ${FIRST}`);
afterEach(remove);
/** Other wallets may have orders that are due. */
const isOwn = ({ wallet }) => venue.lists.has(wallet);
const listed = () => venue.asked.filter((asked) => asked.path === '/data/orders' && isOwn(asked));
// On a machine so busy that a pass takes longer than a wallet is left alone, the first are asked about again.
const pages = () => new Set(listed().map(({ wallet, cursor }) => `${wallet} ${cursor}`)).size;
const cancels = () => venue.asked.filter((asked) => asked.method === 'DELETE' && isOwn(asked)).length;
const OPEN = 2;
const CANCELLED = 4;

test('an order that a list omits is looked up, and one that is unknown stays until it was cancelled', () => withoutJobs(async () => {
    const [{ orders: [omitted, lost, listedOne] }] = await walletsWithOrders(1, 3);
    venue.omits = new Set([omitted, lost].map((n) => `0x${hashOf(n)}`));
    venue.knows = (id) => id !== `0x${hashOf(lost)}`;
    for (let look = 0; look < 3; look += 1) {
        await dueNow();
        await poll();
        assert.deepEqual([await statusOf(omitted), await statusOf(lost), await statusOf(listedOne)], [[OPEN, 0], [OPEN, 1], [OPEN, 0]]);
    }
    assert.equal(cancels(), 0);
    await sql(`UPDATE predict_orders SET polled_at = polled_at - INTERVAL 61 SECOND WHERE execution_id = ${lost}`);
    await dueNow();
    await poll();
    assert.ok(cancels() > 0);
    assert.deepEqual((await statusOf(lost))[0], CANCELLED);
    venue.omits.clear(); // and there it is again
    venue.knows = () => true;
    await dueNow();
    await poll();
    assert.deepEqual(await statusOf(lost), [OPEN, 0]);
}));

test('a wallet that the venue is slow about does not hold up the others', () => withoutJobs(async () => {
    const wallets = await walletsWithOrders(12, 1);
    venue.slow = wallets[0].address;
    let answer;
    venue.answered = new Promise((resolve) => { answer = resolve; });
    venue.asked.length = 0;
    await dueNow();
    const begun = await sql('SELECT UTC_TIMESTAMP(3)');
    const polled = poll();
    const unread = () => sql(`SELECT GROUP_CONCAT(address) FROM predict_accounts JOIN wallets w ON w.id = wallet_id
        WHERE address IN (${wallets.map(({ address }) => `'${address}'`)}) AND (lease_owner IS NOT NULL OR orders_due_at <= '${begun}')`);
    await until('all others', async () => await unread() === venue.slow);
    answer();
    await polled;
    assert.equal(pages(), wallets.length);
    venue.slow = undefined;
}));

test('each page of ten thousand orders of 200 wallets is fetched once', () => withoutJobs(async () => {
    await walletsWithOrders(WALLETS, ORDERS);
    venue.asked.length = 0;
    await dueNow();
    await poll();
    assert.equal(pages(), WALLETS * Math.ceil(ORDERS / PAGE));
    assert.ok(listed().length < pages() * 1.1, `${listed().length} questions for ${pages()} pages`);
    assert.equal(venue.asked.filter(isOwn).length, listed().length);
}));
