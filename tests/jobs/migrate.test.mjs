// Section: operator
// The schema changes under load: a database as the programs of schema 29 or 46 have it, with swaps in every state, is migrated
// while such programs go on, and while requests wait for the next gateway. None fails, and nothing is lost. What only adds to
// the schema makes no request wait: programs go on, are ready, and are replaced by a reload.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
    chmodSync, cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import {
    API, ROOT, granted, readiness, send, until,
} from '../api/lib.mjs';
import { startGateway } from '../api/gateway.mjs';
import { children, isAlive } from './gateways.mjs';
import { settings } from './lib.mjs';

const DATABASE = `migrating_${process.pid}`;
const SWAPS = 5000; // there before: several batches
const TAKEN_NONCES = 31; // this and the next: the schema from which on there are such
const CORRECTED = 32;
const SAID = 43;
const APPROVAL_TOTALS = 46;
const EXCHANGE = 57;
let old; // the schema that is tested, by its number
const AGENTS = 40;
const PURGED = 39; // this agent's rows go while they are copied
const SWEPT = 20; // the agents up to this one have transfers, which counted as swaps
const BANNED = 30; // this agent is banned, the next is stopped, the one after is both
const PROGRAMS = 6; // old ones at work
const KILLS = 4; // of schema-migrate, at any moment

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

/** One swap, from the quote that is taken to its end or to wherever it stands when the time is up; one program after the other. */
const oneLife = (agent, salt, last) => `
START TRANSACTION;
INSERT INTO swaps (${SWAP_COLUMNS}) VALUES (${swapValues(agent, "'uniswap'", 1, `'${salt}'`)});
SET @s = LAST_INSERT_ID();
INSERT INTO swap_history (swap_id, from_status, to_status, why, created_at) SELECT id, 0, 1, 'accepted', updated_at FROM swaps WHERE id = @s;
INSERT INTO transactions (${TX_COLUMNS}) VALUES (${txValues('@s', agent, 1, 1, `'${salt}'`)}), (${txValues('@s', agent, 2, 1, `'${salt}'`)});
INSERT INTO spends (swap_id, agent_id, wallet_id, usd, ether, created_at) VALUES (@s, ${agent}, ${agent}, NULL, NULL, UTC_TIMESTAMP(3));
UPDATE wallet_nonces SET next_nonce = next_nonce + 2 WHERE wallet_id = ${agent} AND chain_id = 1;
UPDATE agents SET swaps_pending = swaps_pending + 1 WHERE id = ${agent};
COMMIT;
SELECT COUNT(*) FROM (SELECT s.id, s.tx_hash, p.id AS asked FROM swaps s FORCE INDEX (agent_listed_page) LEFT JOIN approvals p ON p.swap_id = s.id
    WHERE s.agent_id = ${agent} AND s.listed = 1 ORDER BY s.id DESC LIMIT 20) page;
UPDATE swaps SET lease_owner = UNHEX(LEFT(SHA2(@s, 256), 32)), lease_until = UTC_TIMESTAMP(3) + INTERVAL 30 SECOND WHERE id = @s AND in_flight = 1;
${[`UPDATE swaps SET status = 2, tx_hash = REPEAT('h', 32), updated_at = UTC_TIMESTAMP(3) WHERE id = @s AND status = 1;
    UPDATE transactions SET offers = offers + 1, accepted = 1${old >= SAID ? ', said = 1' : ''}, offered_at = UTC_TIMESTAMP(3) WHERE swap_id = @s;`,
    `UPDATE swaps SET status = 3, updated_at = UTC_TIMESTAMP(3) WHERE id = @s AND status = 2;
    UPDATE transactions SET state = 2, block_number = 7, succeeded = 1 WHERE swap_id = @s;`,
    `UPDATE swaps SET status = 4, amount_out = ${amount('2999')}, updated_at = UTC_TIMESTAMP(3), completed_at = UTC_TIMESTAMP(3) WHERE id = @s AND status = 3;
    UPDATE agents SET swaps_pending = swaps_pending - 1, swaps_completed = swaps_completed + 1 WHERE id = ${agent};`,
    'UPDATE transactions SET state = 3 WHERE swap_id = @s; UPDATE swaps SET in_flight = 0 WHERE id = @s;',
].slice(0, last).map((step) => `START TRANSACTION; ${step}
    INSERT INTO swap_history (swap_id, from_status, to_status, why, created_at) SELECT id, status, status, 'moved', updated_at FROM swaps WHERE id = @s; COMMIT;`).join('\n')}
UPDATE swaps SET lease_owner = NULL, lease_until = NULL, next_poll_at = UTC_TIMESTAMP(3) + INTERVAL 1 SECOND WHERE lease_owner = UNHEX(LEFT(SHA2(@s, 256), 32));
`;

/** Steps on a few swaps that were there before, each program's its own: they move, and settle, after they were copied; some are purged. */
const oldMoves = (program, turn) => {
    const first = 1 + ((program + turn * PROGRAMS) * 13) % (SWAPS - 13);
    const these = (table) => `${table}id BETWEEN ${first} AND ${first + 12}`;
    return `
UPDATE swaps s FORCE INDEX (PRIMARY) JOIN transactions t ON t.swap_id = s.id SET t.state = 4 WHERE ${these('s.')} AND s.in_flight = 1 AND t.kind = 1;
UPDATE swaps FORCE INDEX (PRIMARY) SET status = 5, in_flight = 2, error_code = 'REVERTED', error_message = 'no', updated_at = UTC_TIMESTAMP(3)
    WHERE ${these('')} AND in_flight = 1 AND status IN (2, 3);
UPDATE swaps FORCE INDEX (PRIMARY) SET in_flight = 0 WHERE ${these('')} AND in_flight = 2 AND id % 3 = 0;
UPDATE swaps FORCE INDEX (PRIMARY) SET status = 4, ${old >= CORRECTED ? 'corrected = 1, ' : ''}in_flight = 0 WHERE ${these('')} AND in_flight = 2 AND id % 3 = 1;
DELETE t FROM swaps s FORCE INDEX (PRIMARY) JOIN transactions t ON t.swap_id = s.id WHERE ${these('s.')} AND s.agent_id = ${PURGED};
DELETE h FROM swaps s FORCE INDEX (PRIMARY) JOIN swap_history h ON h.swap_id = s.id WHERE ${these('s.')} AND s.agent_id = ${PURGED};
DELETE FROM swaps WHERE ${these('')} AND agent_id = ${PURGED};
`;
};

/** An old program: statements over one connection, without a pause. A failed one ends it. */
class Program {
    constructor(number) {
        this.number = number;
        this.lives = 0;
        this.child = spawn('mariadb', [...options([DATABASE]), '--unbuffered'], { stdio: ['pipe', 'pipe', 'pipe'] });
        this.said = '';
        this.child.stderr.on('data', (text) => { this.said += text; });
        this.child.stdout.setEncoding('utf8');
        this.done = this.#work();
    }

    async #work() {
        const out = this.child.stdout[Symbol.asyncIterator]();
        let text = '';
        const answered = async (mark) => {
            while (!text.includes(mark)) {
                const { value, done } = await out.next();
                assert.ok(!done, `old program ${this.number}: ${this.said}`);
                text += value;
            }
            text = '';
        };
        await answered(this.#ask('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;'));
        while (!this.ends) {
            const agent = 1 + (this.number + this.lives * PROGRAMS) % (PURGED - 1);
            await answered(this.#ask(oneLife(agent, `${this.number}.${this.lives}`, this.lives % 5) + (this.lives % 2 === 0 ? oldMoves(this.number, this.lives / 2) : '')));
            this.lives += 1;
        }
        this.child.stdin.end();
    }

    #ask(statements) {
        const mark = `done ${randomBytes(8).toString('hex')}`;
        this.child.stdin.write(`${statements}\nSELECT '${mark}';\n`);
        return mark;
    }

    /** Finishes what it has in hand, as a gateway does that is told to end. */
    async end() {
        this.ends = true;
        await this.done;
        assert.equal(this.said, '');
    }
}

// ---------------------------------------------------------------- what is there before

/** Without rows, so that there is nothing to copy in batches. */
async function makeOldSchema(database, version) {
    await sql(`CREATE DATABASE ${database} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`, 'mysql');
    const files = readdirSync(join(ROOT, 'sql')).sort().filter((name) => Number(name.slice(0, 3)) <= version);
    const statements = files.map((name) => readFileSync(join(ROOT, 'sql', name), 'utf8')).filter((text) => !/^-- batches/m.test(text));
    await sql(statements.join(';\n'), database);
    await sql(`CREATE TABLE schema_version (one TINYINT UNSIGNED NOT NULL PRIMARY KEY, version INT UNSIGNED NOT NULL, lease_owner BINARY(16) NULL,
        lease_until DATETIME(3) NULL) ENGINE=InnoDB; INSERT INTO schema_version (one, version) VALUES (1, ${version})`, database);
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
    'block_number', 'succeeded', 'accepted', 'refusals', 'said', 'created_at'];

/** Each table's rows: names as they are in the old schema or in the new one. */
function rows(names) {
    const of = (table, columns, where = '') => sql(`SELECT ${hex(columns)} FROM ${table} ${where} ORDER BY 1`).then((text) => text.split('\n').sort());
    return Promise.all([
        of(names.swaps, [...SWAP_ROW, names.once, names.venue, names.due], `WHERE agent_id <> ${PURGED}`),
        of('transactions', [...TX_ROW, names.id, names.broadcasts, names.broadcastAt], `WHERE wallet_id <> ${PURGED}`),
        of(names.history, ['id', names.id, 'from_status', 'to_status', 'why', 'created_at']),
        of('spends', [names.id, 'agent_id', 'wallet_id', 'usd', 'ether', 'created_at']),
        of('approvals', ['id', 'agent_id', names.id, 'state', 'slippage_ppm', 'why', 'expires_at']),
        of('tasks', ['id', 'agent_id', 'state', names.id, 'updated_at']),
        of('wallets', ['id', 'uuid', 'agent_id', 'address', 'sealed_key']),
        of('wallet_nonces', ['wallet_id', 'chain_id', 'next_nonce']),
        of('taken_nonces', ['wallet_id', 'chain_id', 'nonce', 'block']),
        of('agents', ['id', 'swaps_pending', 'swaps_submitted', 'swaps_completed', 'swaps_failed'], `WHERE id BETWEEN ${SWEPT + 1} AND ${AGENTS}`),
    ]);
}

const OLD_NAMES = {
    swaps: 'swaps', history: 'swap_history', id: 'swap_id', once: 'quote_id', venue: 'provider', due: 'IF(in_flight, next_poll_at, 0)', broadcasts: 'offers', broadcastAt: 'offered_at',
};
const NEW_NAMES = {
    swaps: 'executions', history: 'execution_history', id: 'execution_id', once: 'once', venue: 'venue', due: 'IF(in_flight, due_at, 0)', broadcasts: 'broadcasts', broadcastAt: 'broadcast_at',
};

// ---------------------------------------------------------------- the programs

/** schema-migrate with the gateway's settings; a killed one's lease ends at once. Resolves to what it said, or undefined if it was killed. */
async function migrate(gateway, args, killAfterMs) {
    const child = spawn(join(stack.GATEWAY_BIN, 'jobs', 'schema-migrate'), ['-c', join(gateway.directory, 'gateway.conf'), ...args], {
        env: { ...process.env, ...stack, GATEWAY_RUN: gateway.directory }, stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (text) => { said += text; });
    const kill = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    const [code, signal] = await new Promise((resolve) => { child.on('exit', (...how) => resolve(how)); });
    clearTimeout(kill);
    if (signal === 'SIGKILL') {
        await pause(50);
        await sql('UPDATE schema_version SET lease_until = NULL');
        return undefined;
    }
    assert.equal(code, 0, said);
    return said;
}

const version = () => sql('SELECT version FROM schema_version');

const last = readdirSync(join(ROOT, 'sql')).sort().at(-1);
const lastNumber = Number(last.slice(0, 3));

async function migratesUnderLoad(t) {
    await makeOldSchema(DATABASE, old);
    t.after(() => sql(`DROP DATABASE ${DATABASE}`, 'mysql'));
    await fill();
    const programs = range(PROGRAMS).map((i) => new Program(i - 1));
    const failed = Promise.race(programs.map(({ done }) => done.then(() => new Promise(() => {}))));
    const unless = (work) => Promise.race([work, failed]);
    failed.catch(() => {});
    const lives = () => programs.reduce((sum, program) => sum + program.lives, 0);
    const lived = (more, from = lives()) => until('the old programs to go on', () => lives() >= from + more);

    // The next gateway takes the socket and waits; its jobs do not run yet.
    const gateway = await startGateway([`db_name = ${DATABASE}`], { held: true });
    t.after(() => gateway.stop());

    // Ahead: the running programs go on, also when schema-migrate is killed.
    for (let i = 0; i < KILLS; i++) await unless(migrate(gateway, ['-a'], 40 + 60 * i));
    await unless(migrate(gateway, ['-a']));
    assert.equal(await version(), String(old), 'programs that are started again would refuse the schema');
    // What is copied before depends on totals that the oldest programs do not keep.
    const applied = old < APPROVAL_TOTALS ? APPROVAL_TOTALS - 1 : EXCHANGE - 1;
    assert.equal(await sql('SELECT applied FROM schema_version'), String(applied));
    if (old >= APPROVAL_TOTALS) {
        const copied = Number(await sql('SELECT COUNT(*) FROM executions'));
        assert.ok(copied > SWAPS / 2, `${copied} copied`);
    }
    await unless(lived(100));
    await assert.rejects(gateway.pass('quote-expire'), /another schema/);

    // Requests that come now wait at the socket.
    let early = 0;
    const ask = (method, path, more) => send(method, API + path, { base: gateway.base, ...more }).then((answer) => { early += 1; return answer; });
    const waiting = range(20).flatMap((agent) => [
        ask('GET', '/me', { key: keyOf(agent) }),
        ask('GET', '/swaps?limit=100&offset=3', { key: keyOf(agent) }),
        ask('GET', '/swaps?limit=100&status=completed', { key: keyOf(agent) }),
        ask('POST', '/register', { json: { name: `late ${agent}` } }),
    ]);
    Promise.all(waiting).catch(() => {});
    await unless(lived(PROGRAMS * 5));
    assert.equal(early, 0, 'answered before the schema was there');

    // The old programs end, and the exchange takes a moment, however often it is interrupted.
    await Promise.all(programs.map((program) => program.end()));
    const before = await rows(OLD_NAMES);
    const flying = await sql(`SELECT COALESCE(GROUP_CONCAT(id), 0) FROM swaps WHERE agent_id = ${PURGED} AND in_flight = 1`);
    for (let i = 0; i < KILLS; i++) await migrate(gateway, [], 15 + 25 * i);
    await migrate(gateway, []);

    const answers = (await Promise.all(waiting)).map((answer) => granted(answer));
    const now = await rows(NEW_NAMES);
    before.forEach((table, i) => assert.deepEqual(now[i].filter((row) => table.includes(row)).length, table.length, `rows lost or changed in table ${i}`));
    [0, 1, 2, 3, 4, 5, 6, 7, 8].forEach((i) => assert.equal(now[i].length, before[i].length, `rows too many in table ${i}`));

    // The new programs see it all.
    assert.equal(await sql('SELECT COUNT(*) FROM executions e LEFT JOIN approvals p ON p.execution_id = e.id WHERE NOT (e.approval_id <=> p.id AND e.approval_expires_at <=> p.expires_at)'), '0');
    assert.equal(await sql('SELECT COUNT(*) FROM executions WHERE (kind = 2) <> (venue = \'sweep\') OR in_swaps <> (kind = 1)'), '0');
    assert.equal(await sql('SELECT GROUP_CONCAT(id ORDER BY id) FROM agents WHERE banned'), `${BANNED},${BANNED + 2}`);
    for (const [i, { agent }] of answers.filter((_, at) => at % 4 === 0).entries()) {
        assert.equal(agent.stats.total_swaps, Number(await sql(`SELECT swaps_completed FROM agents WHERE id = ${i + 1}`)));
    }
    for (const [i, { pagination }] of answers.filter((_, at) => at % 4 === 1).entries()) {
        assert.equal(pagination.total, Number(await sql(`SELECT COUNT(*) FROM executions WHERE kind = 1 AND agent_id = ${i + 1}`)));
    }
    assert.equal(await sql(`SELECT COUNT(*) FROM agents a JOIN (SELECT agent_id, SUM(listed = 1) p, SUM(listed = 2) s, SUM(listed = 4) c, SUM(listed = 5) f
        FROM executions WHERE kind = 1 GROUP BY agent_id) n ON n.agent_id = a.id
        WHERE a.id <= ${SWEPT} AND (a.swaps_pending, a.swaps_submitted, a.swaps_completed, a.swaps_failed) <> (n.p, n.s, n.c, n.f)`), '0', 'transfers still count as swaps');
    assert.equal(await sql('SELECT SUM(n) FROM execution_totals'), await sql('SELECT COUNT(*) FROM executions WHERE kind = 2'));
    await gateway.pass('quote-expire');
    await gateway.pass('agent-purge');
    assert.equal(await sql(`SELECT COUNT(*) FROM executions WHERE agent_id = ${PURGED} AND id NOT IN (${flying})`), '0', 'rows are left of an agent that was purged');
    const fresh = granted(await send('POST', `${API}/register`, { base: gateway.base, json: { name: 'afterwards' } }));
    assert.deepEqual(granted(await send('GET', `${API}/swaps`, { base: gateway.base, key: fresh.agent.api_key })).swaps, []);
    if (old < APPROVAL_TOTALS) assert.equal(await sql('SELECT COUNT(*) FROM (SELECT agent_id, state, COUNT(*) n FROM approvals GROUP BY agent_id, state) c'
        + ' LEFT JOIN approval_totals USING (agent_id, state) WHERE NOT (approval_totals.n <=> c.n)'), '0', 'approvals that were not counted');
    const [, oldest] = /^-- oldest (\d+)/.exec(readFileSync(join(ROOT, 'sql', last), 'utf8'));
    assert.deepEqual([await version(), await sql('SELECT applied FROM schema_version')], [oldest, String(lastNumber)]);

    // An old program that still writes fails, and nothing of it is written.
    await assert.rejects(sql(oneLife(1, 'late', 0)), /doesn't exist/);
    assert.equal(await sql("SELECT COUNT(*) FROM executions WHERE once = UNHEX(LEFT(SHA2('late', 256), 32))"), '0');
}

for (const number of [29, 46]) {
    test(`a database of schema ${number} is migrated while its programs work, and while requests wait`, (t) => {
        old = number;
        return migratesUnderLoad(t);
    });
}

// Later changes only add to that schema: no request has to wait.
for (const release of [84, 102]) {
    test(`a database of schema ${release} becomes the newest while its programs go on`, async (t) => {
        const database = `${DATABASE}_${release}`;
        await makeOldSchema(database, release);
        t.after(() => sql(`DROP DATABASE ${database}`, 'mysql'));
        if (release > 84) await sql(`ALTER TABLE schema_version ADD COLUMN applied INT UNSIGNED NULL; UPDATE schema_version SET version = 84, applied = ${release}`, database);
        const gateway = await startGateway([`db_name = ${database}`], { held: true });
        t.after(() => gateway.stop());
        await migrate(gateway, ['-a']);
        assert.equal(await sql('SELECT version, applied FROM schema_version', database), `84\t${lastNumber}`);
        await until('a gateway', async () => (await send('GET', '/healthz', { base: gateway.base, mayBreak: true })).status === 200);
        granted(await send('POST', `${API}/register`, { base: gateway.base, json: { name: 'at once' } }));
    });
}

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
    await sql(`CREATE DATABASE ${database} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`, 'mysql');
    t.after(() => sql(`DROP DATABASE ${database}`, 'mysql'));
    const files = mkdtempSync(join(tmpdir(), 'sql.'));
    t.after(() => rmSync(files, { recursive: true }));
    chmodSync(files, 0o755); // for workers with a user of their own
    cpSync(join(ROOT, 'sql'), files, { recursive: true });
    const gateway = await startGateway([`db_name = ${database}`, `sql_dir = ${files}`], { held: true });
    t.after(() => gateway.stop());
    await migrate(gateway, ['-a']); // no process is left to wait for
    await gateway.ready();
    const { seen, end } = traffic(gateway.base);
    const more = (count) => { const from = seen.asked; return until(`${count} more answers`, () => seen.asked >= from + count); };
    await more(50);

    const later = (name, oldest, statement) => writeFileSync(join(files, name), `-- oldest ${oldest}\n${statement}`);
    later('901_more.sql', lastNumber, 'ALTER TABLE agents ADD COLUMN later INT NOT NULL DEFAULT 7, ADD KEY later (later)');
    later('902_copy.sql', lastNumber, '-- batches agents\nUPDATE agents SET later = 8 WHERE id >= ? AND id < ?');
    later('903_less.sql', 903, 'ALTER TABLE agents DROP COLUMN later');
    assert.match(await migrate(gateway, ['-a']), /waits until older programs have ended" file=903_less\.sql oldest=903$/m);
    assert.equal(await sql('SELECT applied FROM schema_version', database), '902');
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
    assert.equal(await sql('SELECT version, applied FROM schema_version', database), '903\t903');
    const { status, body } = await readiness({ base: gateway.base });
    assert.deepEqual([status, body.checks.schema], [503, false]);
    await assert.rejects(gateway.pass('quote-expire'), /another schema/);
});
