// Section: operator
// A database from before release 1.0.0 is taken over with the service stopped: of schema 29 or 46 with swaps in every state, and
// of schema 141 and 150 with rows in each table. Nothing is lost, however often schema-migrate is killed, and the schema is that
// of a new database. It refuses while the service runs. What later only adds to the schema makes no request wait: programs go
// on, are ready, and are replaced by a reload.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
    chmodSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import {
    API, ROOT, granted, readiness, send, until,
} from '../api/lib.mjs';
import { startGateway } from '../api/gateway.mjs';
import { children, isAlive } from './gateways.mjs';
import { held, settings } from './lib.mjs';

const DATABASE = `migrating_${process.pid}`;
const SWAPS = 5000; // there before: several batches
const TAKEN_NONCES = 31; // this and the next: the schema from which on there are such
const CORRECTED = 32;
const SAID = 43;
const APPROVAL_TOTALS = 46;
let old; // the schema that is tested, by its number
const AGENTS = 40;
const PURGED = 39; // this agent's rows go while they are copied
const SWEPT = 20; // the agents up to this one have transfers, which counted as swaps
const BANNED = 30; // this agent is banned, the next is stopped, the one after is both

const stack = settings();
const options = (database) => ['--no-defaults', `--socket=${stack.GATEWAY_DB_SOCKET}`, '--user=root', '--batch', '--skip-column-names', ...database];

async function sql(statement, ...database) {
    const { stdout } = await promisify(execFile)('mariadb', [...options(database.length ? database : [DATABASE]), '--execute', statement], { maxBuffer: 1 << 28 })
        .catch(({ stderr }) => { throw new Error(stderr.split('\n').findLast((line) => line.includes('ERROR'))); });
    return stdout.trim();
}

const keyOf = (agent) => `svc_sk_${createHash('sha256').update(`${DATABASE} ${agent}`).digest('base64url')}`;
const range = (n) => Array.from({ length: n }, (_, i) => i + 1);

// ---------------------------------------------------------------- what the old programs do

const SWAP_COLUMNS = `agent_id, wallet_id, quote_id, provider, status, from_chain, to_chain, from_symbol, from_address, from_decimals,
    to_symbol, to_address, to_decimals, amount_in, expected_out, min_out, created_at, updated_at, valid_until, next_poll_at`;
const TX_COLUMNS = 'swap_id, wallet_id, chain_id, nonce, kind, state, hash, raw, gas_limit, max_fee, priority_fee, value, token, token_amount, spender, created_at';
const amount = (sql) => `UNHEX(LPAD(HEX(${sql}), 64, '0'))`;
const swapValues = (agent, provider, status, salt) => `${agent}, ${agent}, UNHEX(LEFT(SHA2(${salt}, 256), 32)), ${provider}, ${status}, 1, 1, 'ETH',
    '0x0000000000000000000000000000000000000000', 18, 'USDC', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 6, ${amount('1000')}, ${amount('3000')},
    ${amount('2900')}, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 180 SECOND, UTC_TIMESTAMP(3)`;
const txValues = (swap, wallet, kind, state, salt) => `${swap}, ${wallet}, 1, ${swap}, ${kind}, ${state}, UNHEX(SHA2(CONCAT('tx', ${kind}, ${salt}), 256)),
    REPEAT('x', 300), 200000, ${amount('30')}, ${amount('1')}, ${amount('0')}, IF(${kind} = 1, UNHEX(REPEAT('ab', 20)), NULL), ${amount('5')},
    IF(${kind} = 1, UNHEX(REPEAT('cd', 20)), NULL), UTC_TIMESTAMP(3)`;

// ---------------------------------------------------------------- what is there before

/** The migrations from before 1.0.0: number and statement of each. */
const BEFORE = readFileSync(join(ROOT, 'sql/before-1.0.sql'), 'utf8').split(/^-- migration (?=\d)/m).slice(1)
    .map((text) => ({ number: Number(text.slice(0, 3)), statement: text.slice(text.indexOf('\n')) }));

const makeDatabase = (database) => sql(`CREATE DATABASE ${database} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`, 'mysql');

/** Without rows, so that there is nothing to copy in batches. */
async function makeOldSchema(database, version) {
    await makeDatabase(database);
    await sql(BEFORE.filter(({ number, statement }) => number <= version && !/^-- batches/m.test(statement)).map(({ statement }) => statement).join('\n'), database);
    await sql(`CREATE TABLE schema_version (one TINYINT UNSIGNED NOT NULL PRIMARY KEY, version INT UNSIGNED NOT NULL, lease_owner BINARY(16) NULL,
        lease_until DATETIME(3) NULL) ENGINE=InnoDB; INSERT INTO schema_version (one, version) VALUES (1, ${Math.min(version, 84)})`, database);
    if (version > 84) await sql(`ALTER TABLE schema_version ADD COLUMN applied INT UNSIGNED NULL; UPDATE schema_version SET applied = ${version}`, database);
}

async function fill() {
    const agents = range(AGENTS).filter((id) => id !== PURGED);
    await sql(`CREATE TABLE numbers (seq INT NOT NULL PRIMARY KEY); INSERT INTO numbers VALUES ${range(SWAPS).map((n) => `(${n})`)}`);
    await sql(`INSERT INTO agents (id, uuid, key_hash, name, created_at, last_active_at) VALUES
        ${agents.map((id) => `(${id}, UNHEX(LEFT(SHA2('agent ${id}', 256), 32)), UNHEX(SHA2('${keyOf(id)}', 256)), 'agent ${id}', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))`)};
        INSERT INTO trading_stops (agent_id, stopped, changed_at) VALUES (${BANNED}, 2, UTC_TIMESTAMP(3)), (${BANNED + 1}, 1, UTC_TIMESTAMP(3)), (${BANNED + 2}, 3, UTC_TIMESTAMP(3));
        INSERT INTO wallets (id, uuid, agent_id, agent_uuid, kind, address, sealed_key, created_at) VALUES
        ${agents.map((id) => `(${id}, UNHEX(LEFT(SHA2('wallet ${id}', 256), 32)), ${id}, UNHEX(LEFT(SHA2('agent ${id}', 256), 32)), 1, CONCAT('0x', LEFT(SHA2(${id}, 256), 40)), REPEAT('k', 77), UTC_TIMESTAMP(3))`)};
        INSERT INTO wallet_nonces (wallet_id, chain_id, next_nonce) SELECT id, 1, 0 FROM wallets;
        ${old >= TAKEN_NONCES ? 'INSERT INTO taken_nonces (wallet_id, chain_id, nonce, top, span, block) SELECT id, 1, 5, 100, 10, 90 FROM wallets;' : ''}
        INSERT INTO swaps (${SWAP_COLUMNS}) SELECT ${swapValues(`1 + seq % ${PURGED}`, `IF(seq % 50 = 0 AND seq % ${PURGED} < ${SWEPT}, 'sweep', 'uniswap')`, '1 + seq % 6', "CONCAT('seed', seq)")} FROM numbers;
        UPDATE swaps SET in_flight = IF(status IN (4, 5, 6), IF(status = 5 AND id % 3 = 0, 2, 0), 1), amount_out = IF(status = 4, ${amount('2950')}, NULL),
            tx_hash = IF(status IN (2, 3, 4), UNHEX(SHA2(id, 256)), NULL), error_code = IF(status = 5, 'REVERTED', NULL), error_message = IF(status = 5, 'no', NULL),
            completed_at = IF(status > 3, UTC_TIMESTAMP(3), NULL)${old >= CORRECTED ? ', corrected = status = 4 AND id % 11 = 0' : ''};
        INSERT INTO swap_history (swap_id, from_status, to_status, why, created_at) SELECT id, 0, 1, 'accepted', created_at FROM swaps;
        INSERT INTO swap_history (swap_id, from_status, to_status, why, created_at) SELECT id, 1, status, 'seeded', updated_at FROM swaps WHERE status > 1;
        INSERT INTO transactions (${TX_COLUMNS}) SELECT ${txValues('s.id', 's.wallet_id', 'k.kind', 'IF(s.status > 3, 3 + (k.kind = 3), IF(s.status = 3, 2, 1))', "CONCAT('seed', s.id)")}
            FROM swaps s JOIN (SELECT 1 AS kind UNION SELECT 2 UNION SELECT 3) k WHERE s.status < 6 AND (k.kind < 3 OR s.id % 4 = 0);
        INSERT INTO spends (swap_id, agent_id, wallet_id, usd, ether, created_at) SELECT id, agent_id, wallet_id, ${amount('9')}, NULL, created_at FROM swaps WHERE id % 2 = 0;
        INSERT INTO approvals (id, agent_id, swap_id, state, slippage_ppm, why, created_at, expires_at)
            SELECT UNHEX(LEFT(SHA2(CONCAT('approval', id), 256), 32)), agent_id, id, 1 + id % 5, 5000, 'above the limit', created_at, created_at + INTERVAL 1 DAY FROM swaps WHERE id % 6 IN (0, 5);
        INSERT INTO tasks (id, agent_id, context_id, operation, state, swap_id, run, lease_until, created_at, updated_at)
            SELECT UNHEX(LEFT(SHA2(CONCAT('task', id), 256), 32)), agent_id, 'context', 'execute_swap', 1, id, UNHEX(LEFT(SHA2(id, 256), 32)), created_at, created_at, updated_at FROM swaps WHERE id % 3 = 0;
        UPDATE agents a JOIN (SELECT agent_id, SUM(listed = 1) p, SUM(listed = 2) s, SUM(listed = 4) c, SUM(listed = 5) f FROM swaps GROUP BY agent_id) n ON n.agent_id = a.id
            SET a.swaps_pending = n.p, a.swaps_submitted = n.s, a.swaps_completed = n.c, a.swaps_failed = n.f`);
}

// ---------------------------------------------------------------- what must be the same before and afterwards

const hex = (columns) => columns.map((column) => `COALESCE(HEX(${column}), '-')`).join();
const SWAP_ROW = ['id', 'agent_id', 'wallet_id', 'status', 'listed', 'in_flight', 'corrected', 'from_chain', 'from_symbol', 'from_address', 'from_decimals', 'amount_in',
    'to_chain', 'to_symbol', 'to_address', 'to_decimals', 'expected_out', 'min_out', 'amount_out', 'tx_hash', 'error_code', 'error_message', 'created_at', 'updated_at',
    'completed_at', 'valid_until'];
const TX_ROW = ['id', 'wallet_id', 'chain_id', 'nonce', 'kind', 'state', 'hash', 'raw', 'gas_limit', 'max_fee', 'priority_fee', 'value', 'token', 'token_amount', 'spender',
    'block_number', 'succeeded', 'accepted', 'refusals', 'created_at'];

/** Each table's rows: names as they are in the old schema or in the new one. */
function rows(names) {
    const without = [...(old < CORRECTED ? ['corrected'] : []), ...(old < SAID ? [names.said] : [])]; // what the old schema lacks
    const of = (table, all, where = '', columns = all.filter((name) => !without.includes(name))) => sql(`SELECT ${hex(columns)} FROM ${table} ${where} ORDER BY 1`).then((text) => text.split('\n').sort());
    return Promise.all([
        of(names.swaps, [...SWAP_ROW, names.once, names.venue, names.due], `WHERE agent_id <> ${PURGED}`),
        of('transactions', [...TX_ROW, names.said, names.id, names.broadcasts, names.broadcastAt], `WHERE wallet_id <> ${PURGED}`),
        of(names.history, ['id', names.id, 'from_status', 'to_status', 'why', 'created_at']),
        of('spends', [names.id, 'agent_id', 'wallet_id', 'usd', 'ether', 'created_at']),
        of('approvals', ['id', 'agent_id', names.id, 'state', 'slippage_ppm', 'why', 'expires_at']),
        of('tasks', ['id', 'agent_id', 'state', names.id, 'updated_at']),
        of('wallets', ['id', 'uuid', 'agent_id', 'address', 'sealed_key']),
        of('wallet_nonces', ['wallet_id', 'chain_id', 'next_nonce']),
        old < TAKEN_NONCES ? [] : of(names.nonces, ['wallet_id', 'chain_id', 'nonce', 'block']),
        of('agents', ['id', 'swaps_pending', 'swaps_submitted', 'swaps_completed', 'swaps_failed'], `WHERE id BETWEEN ${SWEPT + 1} AND ${AGENTS}`),
    ]);
}

const OLD_NAMES = {
    swaps: 'swaps', history: 'swap_history', id: 'swap_id', once: 'quote_id', venue: 'provider', due: 'IF(in_flight, next_poll_at, 0)', broadcasts: 'offers', broadcastAt: 'offered_at',
    nonces: 'taken_nonces', said: 'said',
};
const NEW_NAMES = {
    swaps: 'executions', history: 'execution_history', id: 'execution_id', once: 'once', venue: 'venue', due: 'IF(in_flight, due_at, 0)', broadcasts: 'broadcasts', broadcastAt: 'broadcast_at',
    nonces: 'foreign_nonces', said: 'last_reply',
};

// ---------------------------------------------------------------- the programs

/** The settings of a database alone, without a gateway. */
function settingsOf(t, database, ...lines) {
    const directory = mkdtempSync(join(tmpdir(), 'migrate.'));
    t.after(() => rmSync(directory, { recursive: true }));
    writeFileSync(join(directory, 'gateway.conf'), [`include ${ROOT}contrib/sandbox/gateway.conf`, `db_name = ${database}`, ...lines, ''].join('\n'));
    return { directory, database };
}

/** schema-migrate with these settings; a killed one's lease ends at once. */
async function run({ directory, database }, args, killing) {
    const child = spawn(join(stack.GATEWAY_BIN, 'jobs', 'schema-migrate'), ['-c', join(directory, 'gateway.conf'), ...args], {
        env: { ...process.env, ...stack, GATEWAY_RUN: directory }, stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (text) => { said += text; });
    const kill = () => child.kill('SIGKILL');
    killing?.addEventListener('abort', kill);
    const [code, signal] = await new Promise((resolve) => { child.on('close', (...how) => resolve(how)); });
    killing?.removeEventListener('abort', kill);
    if (signal === 'SIGKILL') await sql('UPDATE schema_version SET lease_until = NULL', database);
    return { code, said };
}

/** Resolves to what it said. */
async function migrate(settings, args) {
    const { code, said } = await run(settings, args);
    assert.equal(code, 0, said);
    return said;
}

const files = readdirSync(join(ROOT, 'sql')).filter((name) => /^\d/.test(name)).sort();
const FIRST = 1001; // the schema of 001_schema.sql
const LAST = FIRST - 1 + Number(files.at(-1).slice(0, 3));
const versions = (database) => sql('SELECT version, applied FROM schema_version', database);

const sessions = (database, state) => sql(`SELECT COUNT(*) FROM information_schema.processlist WHERE db = '${database}' AND id <> CONNECTION_ID() ${state}`, 'mysql');

/** Killed while the server has a statement of its own wait for this table, and carries it out afterwards. */
async function killedAt(settings, table) {
    const release = await held(`SELECT 1 FROM ${settings.database}.${table} LIMIT 1`);
    const killing = new AbortController(), running = run(settings, [], killing.signal);
    await until(`the takeover to come to ${table}`, async () => await sessions(settings.database, "AND state LIKE '%metadata lock%'") !== '0');
    killing.abort();
    const { code } = await running;
    assert.equal(code, null);
    await release();
    await until('its session to end', async () => await sessions(settings.database, '') === '0');
}

/** Killed at each of the tables, in the order in which they are renamed, and again and again, ever later. */
async function takeOver(settings, tables) {
    for (const table of tables) await killedAt(settings, table);
    const runs = [];
    do runs.push(await run(settings, [], AbortSignal.timeout(Math.round(10 * 1.3 ** runs.length)))); while (runs.at(-1).code !== 0);
    // One that is killed once all is done says nothing of it, and the next one finds nothing to do.
    const { said } = runs.at(-1);
    assert.ok(/event=schema_taken_over .* took_ms=\d+$/m.test(said) || !said.includes('event=schema_takeover '), said);
    assert.equal(await versions(settings.database), `${FIRST}\t${LAST}`);
}

/** What makes up a schema, but for comments and the order of columns. */
const schemaOf = (database) => sql(`SELECT CONCAT_WS('|', table_name, column_name, column_type, is_nullable, column_default, extra, generation_expression, collation_name) FROM information_schema.columns
        WHERE table_schema = '${database}' ORDER BY 1;
    SELECT CONCAT_WS('|', table_name, index_name, non_unique, seq_in_index, column_name, sub_part) FROM information_schema.statistics WHERE table_schema = '${database}' ORDER BY 1;
    SELECT CONCAT_WS('|', table_name, engine, table_collation) FROM information_schema.tables WHERE table_schema = '${database}' ORDER BY 1;
    SELECT CONCAT_WS('|', table_name, constraint_name, constraint_type) FROM information_schema.table_constraints WHERE table_schema = '${database}' ORDER BY 1;
    SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = '${database}'; SELECT event_name FROM information_schema.events WHERE event_schema = '${database}'`, 'mysql')
    .then((text) => text.split('\n'));

async function freshSchema(t) {
    const database = `${DATABASE}_fresh`;
    await makeDatabase(database);
    t.after(() => sql(`DROP DATABASE ${database}`, 'mysql'));
    await migrate(settingsOf(t, database), []);
    assert.equal(await versions(database), `${FIRST}\t${LAST}`);
    return schemaOf(database);
}

// ---------------------------------------------------------------- with swaps in every state

async function takesOverSwaps(t) {
    await makeOldSchema(DATABASE, old);
    t.after(() => sql(`DROP DATABASE ${DATABASE}`, 'mysql'));
    await fill();
    const before = await rows(OLD_NAMES);
    await takeOver(settingsOf(t, DATABASE), ['agents']);
    assert.deepEqual(await schemaOf(DATABASE).then((all) => all.filter((line) => !line.startsWith('numbers|'))), await freshSchema(t));
    const now = await rows(NEW_NAMES);
    before.forEach((table, i) => assert.deepEqual(now[i].filter((row) => table.includes(row)).length, table.length, `rows lost or changed in table ${i}`));
    [0, 1, 2, 3, 4, 5, 6, 7, 8].forEach((i) => assert.equal(now[i].length, before[i].length, `rows too many in table ${i}`));

    // The new programs see it all.
    const gateway = await startGateway([`db_name = ${DATABASE}`]);
    t.after(() => gateway.stop());
    const ask = (path, agent) => send('GET', API + path, { base: gateway.base, key: keyOf(agent) }).then(granted);
    assert.equal(await sql('SELECT COUNT(*) FROM executions e LEFT JOIN approvals p ON p.execution_id = e.id WHERE NOT (e.approval_id <=> p.id AND e.approval_expires_at <=> p.expires_at)'), '0');
    assert.equal(await sql('SELECT COUNT(*) FROM executions WHERE (kind = 2) <> (venue = \'sweep\') OR in_swaps <> (kind = 1)'), '0');
    assert.equal(await sql('SELECT GROUP_CONCAT(id ORDER BY id) FROM agents WHERE banned'), `${BANNED},${BANNED + 2}`);
    for (const agent of [1, 7, SWEPT]) {
        assert.equal((await ask('/me', agent)).agent.stats.total_swaps, Number(await sql(`SELECT swaps_completed FROM agents WHERE id = ${agent}`)));
        assert.equal((await ask('/swaps?limit=100&offset=3', agent)).pagination.total, Number(await sql(`SELECT COUNT(*) FROM executions WHERE kind = 1 AND agent_id = ${agent}`)));
    }
    assert.equal(await sql(`SELECT COUNT(*) FROM agents a JOIN (SELECT agent_id, SUM(listed = 1) p, SUM(listed = 2) s, SUM(listed = 4) c, SUM(listed = 5) f
        FROM executions WHERE kind = 1 GROUP BY agent_id) n ON n.agent_id = a.id
        WHERE a.id <= ${SWEPT} AND (a.swaps_pending, a.swaps_submitted, a.swaps_completed, a.swaps_failed) <> (n.p, n.s, n.c, n.f)`), '0', 'transfers still count as swaps');
    assert.equal(await sql('SELECT SUM(n) FROM execution_totals'), await sql('SELECT COUNT(*) FROM executions WHERE kind = 2'));
    await gateway.pass('quote-expire');
    await gateway.pass('agent-purge');
    assert.equal(await sql(`SELECT COUNT(*) FROM executions WHERE agent_id = ${PURGED} AND in_flight <> 1`), '0', 'rows are left of an agent that was purged');
    const fresh = granted(await send('POST', `${API}/register`, { base: gateway.base, json: { name: 'afterwards' } }));
    assert.deepEqual(granted(await send('GET', `${API}/swaps`, { base: gateway.base, key: fresh.agent.api_key })).swaps, []);
    if (old < APPROVAL_TOTALS) assert.equal(await sql('SELECT COUNT(*) FROM (SELECT agent_id, state, COUNT(*) n FROM approvals GROUP BY agent_id, state) c'
        + ' LEFT JOIN approval_totals USING (agent_id, state) WHERE NOT (approval_totals.n <=> c.n)'), '0', 'approvals that were not counted');
}

for (const number of [29, 46]) {
    test(`a database of schema ${number} is taken over without a loss, however often that is interrupted`, (t) => {
        old = number;
        return takesOverSwaps(t);
    });
}

// ---------------------------------------------------------------- with rows in each table

/** What has another name since 1.0.0: of a table its name, or its name and those of columns. */
const RENAMED = {
    agents: ['agents', { former_secret: 'previous_secret', former_until: 'previous_secret_until' }],
    arrivals: ['bridge_deliveries', {}],
    bridges: ['bridges', { carrier: 'provider', asks: 'polls', asked_at: 'polled_at', next_ask_at: 'next_poll_at' }],
    execution_marks_made: ['execution_marks_made', { one: 'id' }],
    fills: ['predict_fills', {}],
    idempotency: ['idempotency', { owner: 'lease_owner' }],
    lend_watches: ['lend_monitors', {
        turn: 'version', looked_at: 'polled_at', low: 'alerted', debtless: 'polls_without_debt', missing: 'polls_unexplained', held: 'position', held_block: 'position_block', told_block: 'announced_block',
    }],
    orders: ['predict_orders', { looked_at: 'polled_at', missed: 'missed_polls' }],
    perps_accounts: ['perps_accounts', { leased_until: 'lease_until' }],
    perps_fills: ['perps_fills', { gain: 'closed_pnl' }],
    perps_orders: ['perps_orders', {
        looked_at: 'unknown_at', behind: 'children', gain_cloid: 'take_profit_cloid', gain_trigger: 'take_profit_trigger', gain_status: 'take_profit_status',
        loss_cloid: 'stop_loss_cloid', loss_trigger: 'stop_loss_trigger', loss_status: 'stop_loss_status',
    }],
    predict_accounts: ['predict_accounts', { form: 'proxy_kind', seek: 'resync_orders', leased_until: 'lease_until' }],
    pulses: ['db_epochs', { beats: 'epoch' }],
    quotas: ['quotas', { turn: 'version' }],
    requests: ['requests', { said: 'last_reply' }],
    taken_nonces: ['foreign_nonces', {}],
    tasks: ['tasks', { run: 'lease_owner' }],
    trading_lanes: ['trading_shards', { lane: 'shard', passed: 'writes' }],
    trading_stops: ['trading_halts', { stopped: 'halts' }],
    transactions: ['transactions', { door: 'submit_via', said: 'last_reply' }],
    upstream_answers: ['upstream_cache', { question: 'cache_key', asker: 'lease_owner', asked_until: 'lease_until', touched_at: 'used_at' }],
    wallets: ['wallets', { turn: 'version' }],
};

/** A value of its own for each row and column. */
const valueOf = (row) => ({ table, column, type, size }) => {
    if (/int$/.test(type)) return `${100 + row}`;
    if (type === 'datetime') return `'2026-0${1 + row}-${10 + column.length % 18} 01:02:03.00${row}'`;
    if (type === 'date') return `'2026-0${1 + row}-02'`;
    return `LEFT(${/binary|blob/.test(type) ? 'UNHEX' : ''}(SHA2('${table} ${column} ${row}', 512)), ${Math.min(size, 60)})`;
};

/** Each table's columns that are stored. */
async function columnsOf(database) {
    const text = await sql(`SELECT table_name, column_name, data_type, COALESCE(character_maximum_length, 0) FROM information_schema.columns
        WHERE table_schema = '${database}' AND table_name <> 'schema_version' AND extra NOT LIKE '%GENERATED%' ORDER BY table_name, ordinal_position`, 'mysql');
    return Map.groupBy(text.split('\n').map((line) => line.split('\t')).map(([table, column, type, size]) => ({
        table, column, type, size: Number(size),
    })), ({ table }) => table);
}

const contentsOf = (database, table, names) => sql(`SELECT ${hex(names.map((name) => `\`${name}\``))} FROM \`${table}\``, database).then((text) => text.split('\n').sort());

for (const number of [141, 150]) {
    test(`a database of schema ${number} with rows in each table is taken over with each of them`, async (t) => {
        const database = `${DATABASE}_${number}`;
        await makeOldSchema(database, number);
        t.after(() => sql(`DROP DATABASE ${database}`, 'mysql'));
        const tables = await columnsOf(database), before = new Map();
        assert.ok(tables.size > 55);
        for (const [table, columns] of tables) {
            await sql([0, 1, 2].map((row) => `INSERT INTO \`${table}\` (${columns.map(({ column }) => `\`${column}\``)}) VALUES (${columns.map(valueOf(row))})`).join(';'), database);
            before.set(table, await contentsOf(database, table, columns.map(({ column }) => column)));
            assert.ok(before.get(table).length >= 3);
        }
        await takeOver(settingsOf(t, database), ['orders', 'fills', 'arrivals', 'lend_watches', 'trading_stops']);
        assert.deepEqual(await schemaOf(database), await freshSchema(t));
        for (const [table, columns] of tables) {
            const [name, renamed] = RENAMED[table] ?? [table, {}];
            assert.deepEqual(await contentsOf(database, name, columns.map(({ column }) => renamed[column] ?? column)), before.get(table), table);
        }
    });
}

test('a database is not taken over while gateways beat or a program is connected, nor ahead of an upgrade', async (t) => {
    const database = `${DATABASE}_used`;
    await makeOldSchema(database, 150);
    t.after(() => sql(`DROP DATABASE ${database}`, 'mysql'));
    await sql('INSERT INTO pulses (host, beats, at) VALUES (REPEAT(\'h\', 16), 1, UTC_TIMESTAMP(3))', database);
    const settings = settingsOf(t, database), before = await schemaOf(database);
    const beats = setInterval(() => sql('UPDATE pulses SET beats = beats + 1', database).catch(() => {}), 500);
    t.after(() => clearInterval(beats));
    await assert.rejects(migrate(settings, []), /event=schema_in_use .* gateways=yes/);
    clearInterval(beats);
    const program = spawn('mariadb', [...options([database]), '--execute', 'SELECT SLEEP(60)']);
    t.after(() => program.kill());
    await until('the program to be connected', async () => Number(await sql(`SELECT COUNT(*) FROM information_schema.processlist WHERE db = '${database}'`, 'mysql')) > 0);
    await assert.rejects(migrate(settings, []), /event=schema_in_use .* gateways=no connections=1/);
    assert.match(await migrate(settings, ['-a']), /event=migration_waits .* file=before-1\.0\.sql/);
    assert.equal(await versions(database), '84\t150');
    assert.deepEqual(await schemaOf(database), before);
});

// ---------------------------------------------------------------- later releases

/** Asks again and again, until it is told to end; answers that are none are kept. */
function traffic(base) {
    const seen = { asked: 0, wrong: [] };
    const keep = (answer, status) => { seen.asked += 1; if (answer.status !== status) seen.wrong.push(answer.text); };
    const loop = async (step) => { while (!seen.ends) await step(); };
    const agent = async () => {
        const made = await send('POST', `${API}/register`, { base, json: { name: 'meanwhile' }, mayBreak: true });
        keep(made, 200);
        if (made.status !== 200) return;
        const { api_key: key } = made.body.agent;
        keep(await send('GET', `${API}/me`, { base, key, mayBreak: true }), 200);
        keep(await send('GET', `${API}/swaps`, { base, key, mayBreak: true }), 200);
    };
    const ready = async () => keep(await send('GET', '/readyz', { base, mayBreak: true }), 200);
    const done = Promise.all([loop(agent), loop(agent), loop(agent), loop(ready)]);
    return { seen, end: () => { seen.ends = true; return done; } };
}

test('a later release migrates first and reloads then, and no request fails', async (t) => {
    const database = `${DATABASE}_next`;
    await makeDatabase(database);
    t.after(() => sql(`DROP DATABASE ${database}`, 'mysql'));
    const folder = mkdtempSync(join(tmpdir(), 'sql.'));
    t.after(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, 0o755); // for workers with a user of their own
    cpSync(join(ROOT, 'sql'), folder, { recursive: true });
    const gateway = await startGateway([`db_name = ${database}`, `sql_dir = ${folder}`], { held: true });
    t.after(() => gateway.stop());
    // Requests that come before it is there wait.
    await until('a web server', () => fetch(`${gateway.base}/healthz`, { signal: AbortSignal.timeout(300) }).then(() => false, ({ name }) => name === 'TimeoutError'));
    let early = 0;
    const waiting = range(20).map((i) => send('POST', `${API}/register`, { base: gateway.base, json: { name: `early ${i}` }, mayBreak: true }).then((answer) => { early += 1; return answer; }));
    await until('the gateway to wait for its schema', () => readFileSync(gateway.log, 'utf8').includes('event=schema_waited_for'));
    assert.equal(early, 0, 'answered before the schema was there');
    await migrate(gateway, ['-a']); // no process is left to wait for
    await gateway.ready();
    for (const answer of await Promise.all(waiting)) granted(answer);
    const { seen, end } = traffic(gateway.base);
    const more = (count) => { const from = seen.asked; return until(`${count} more answers`, () => seen.asked >= from + count); };
    await more(50);

    const later = (name, oldest, statement) => writeFileSync(join(folder, name), `-- oldest ${oldest}\n${statement}`);
    later('901_more.sql', LAST, 'ALTER TABLE agents ADD COLUMN later INT NOT NULL DEFAULT 7, ADD KEY later (later)');
    later('902_copy.sql', LAST, '-- batches agents\nUPDATE agents SET later = 8 WHERE id >= ? AND id < ?');
    later('903_less.sql', 1903, 'ALTER TABLE agents DROP COLUMN later');
    assert.match(await migrate(gateway, ['-a']), /waits until older programs have ended" file=903_less\.sql oldest=1903$/m);
    assert.equal(await sql('SELECT applied FROM schema_version', database), '1902');
    await more(50);
    await gateway.pass('quote-expire');
    const former = children(gateway.pid);
    process.kill(gateway.pid, 'SIGHUP');
    await until('the former processes to end', () => !former.some(isAlive));
    await more(50);
    await end();
    assert.deepEqual(seen.wrong, []);

    // What it cannot live with, it refuses.
    await assert.rejects(migrate(gateway, []), /not at the wanted version/);
    assert.equal(await sql('SELECT version, applied FROM schema_version', database), '1903\t1903');
    const { status, body } = await readiness({ base: gateway.base });
    assert.deepEqual([status, body.checks.schema], [503, false]);
    await assert.rejects(gateway.pass('quote-expire'), /another schema/);
});
