// What the job tests share: fault points, time that passes at once, jobs started by hand, chains that stand still.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import {
    existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { basename, dirname, join } from 'node:path';
import { afterEach } from 'node:test';
import { promisify } from 'node:util';
import {
    STACK, agentctl, granted, receiver, register, stackSettings as settings, show, until,
} from '../api/lib.mjs';
import { rpc } from '../api/chain.mjs';
import { POINTS } from '../faults/points.mjs';
import { asker } from './sql.mjs';

const FAULTS = process.env.GATEWAY_FAULTS;
assert.ok(FAULTS, 'GATEWAY_FAULTS names the file of fault points that the stack was started with');

// ---------------------------------------------------------------- the stack

export { agentctl, settings };

/** `name pid` lines of the running stack as pairs, also when some are missing. */
export async function processes() {
    const { stdout } = await promisify(execFile)(STACK, ['status']).catch((error) => error);
    return stdout.trim().split('\n').map((line) => line.split(' ')).filter(([, pid]) => /^\d+$/.test(pid));
}

/** The pid of the database server, whichever it is. */
export async function databasePid() {
    const [[, pid]] = (await processes()).filter(([name]) => ['mariadbd', 'mysqld'].includes(name));
    return Number(pid);
}

/** Down, without waiting for work in progress, and up again. */
export async function restart() {
    await promisify(execFile)(STACK, ['down']);
    await promisify(execFile)(STACK, ['up']);
}

const client = () => ['--no-defaults', `--socket=${settings().GATEWAY_DB_SOCKET}`, '--user=root', 'gateway'];

/** Statements for the stack's own database. */
export const sql = asker(client);

const holders = new Set();
// What a test that failed still holds would hold up all that come after it.
afterEach(() => holders.forEach((child) => child.kill()));

/** Holds what a locking read locks; resolves once it is held, to the function that lets go, after a last statement. */
export async function held(statement) {
    const child = spawn('mariadb', [...client(), '--batch', '--skip-column-names', '--unbuffered'], { stdio: ['pipe', 'pipe', 'inherit'] });
    holders.add(child);
    child.once('exit', () => holders.delete(child));
    child.stdin.write(`START TRANSACTION; ${statement}; SELECT 'held';\n`);
    for await (const chunk of child.stdout.setEncoding('utf8')) if (chunk.includes('held')) break;
    return async (last = 'DO 0') => {
        child.stdin.end(`${last}; COMMIT;\n`);
        await once(child, 'exit');
    };
}

/** Waits until a statement waits for such a lock; `like` tells it from those that the gateway has of its own, such as its counters'. */
export function waiting(like = '%') {
    const query = `SELECT COUNT(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' AND trx_query LIKE '${like}'`;
    // MySQL says nothing while another statement has values that are no text: that one is over in a moment.
    const unreadable = (error) => { if (!/^ERROR 3854 /m.test(error.message)) throw error; return '0'; };
    return until(`a statement like ${like} to wait for a lock`, async () => await sql(query).catch(unreadable) !== '0');
}

/** What it says where it must succeed. */
export async function operate(...args) {
    const { code, out, err } = await agentctl(...args);
    assert.deepEqual([code, err], [0, ''], `agentctl ${args.join(' ')}: ${out}`);
    return out;
}

export const JOBS = ['swap-poll', 'order-poll', 'webhook-drain'];

/** Runs a job once, to its end, with other settings than the stack's if they are named. */
export async function runJob(name, conf = settings().GATEWAY_CONF) {
    const env = { ...process.env, ...settings(), GATEWAY_CONF: conf };
    await promisify(execFile)(join(env.GATEWAY_BIN, 'jobs', name), [], { env: { ...env, AGENT_GATEWAY_STACK: env.GATEWAY_VAR } });
}

/** Holds the jobs still meanwhile, and cron, which would start more of them: only the gateway does anything. */
export async function withoutJobs(during) {
    const cron = await signalAll(['cron'], 'SIGSTOP');
    const jobs = await signalAll(JOBS, 'SIGSTOP');
    try {
        return await during();
    } finally {
        for (const pid of [...jobs, ...cron]) signal(pid, 'SIGCONT');
    }
}

/** Sends a signal to the programs of these names; their pids. */
async function signalAll(names, name) {
    const pids = (await processes()).filter(([each]) => names.includes(each)).map(([, pid]) => pid);
    for (const pid of pids) signal(pid, name);
    return pids;
}

/** True when it was there. */
export function signal(pid, name = 'SIGKILL') {
    if (pid === undefined) return false;
    try {
        return process.kill(Number(pid), name);
    } catch (error) {
        if (error.code !== 'ESRCH') throw error;
        return false;
    }
}

// ---------------------------------------------------------------- fault points

/** From now on the point kills, hangs or fails each process that reaches it, or the nth only. */
export function arm(name, action, nth) {
    disarm();
    armOnly([name, action, nth]);
}

/** These points alone do so from now on: who stands at another one goes on, and who has come by these is counted. */
export function armOnly(...faults) {
    for (const [name, action] of faults) assert.ok(POINTS.get(name)?.includes(action), `${name} ${action} is no fault of the source`);
    writeFileSync(`${FAULTS}.new`, faults.map(([name, action, nth]) => `${name} ${action}${nth === undefined ? '' : ` ${nth}`}\n`).join(''));
    renameSync(`${FAULTS}.new`, FAULTS);
}

export function disarm() {
    for (const file of readdirSync(dirname(FAULTS))) {
        if (file.startsWith(basename(FAULTS))) rmSync(join(dirname(FAULTS), file));
    }
}

/** From now on all points count who comes by, and do nothing. */
export function watch() {
    disarm();
    writeFileSync(FAULTS, [...POINTS.keys()].map((name) => `${name} kill 1000000\n`).join(''));
}

/** How often a process reached an armed point that counts. */
export function hits(name) {
    const file = `${FAULTS}.count.${name}`;
    return existsSync(file) ? readFileSync(file).length : 0;
}

/** Waits until a process reached an armed point that counts. */
export function hit(name) {
    return until(`the fault point ${name} to be hit`, () => hits(name) > 0);
}

/** The wall clock of all programs goes wrong by so many seconds, until nothing is armed any more. */
export function shiftClock(seconds) {
    writeFileSync(`${FAULTS}.clock`, `${seconds * 1000}\n`);
}

/** Nothing is in progress but what was forgotten: the next to come by a fault point is what a test causes. */
export function quiet() {
    return until('all swaps to be settled and all events to be sent', async () => (await sql(
        // What waits for an approval is looked at when its day is over.
        'SELECT (SELECT COUNT(*) FROM executions WHERE in_flight = 1 AND due_at < UTC_TIMESTAMP(3) + INTERVAL 1 HOUR)'
        + ' + (SELECT COUNT(*) FROM webhook_events WHERE status = 1 AND next_at < UTC_TIMESTAMP(3) + INTERVAL 1 HOUR)',
    )) === '0');
}

// ---------------------------------------------------------------- time

/** For this swap, so many seconds pass at once. Leases on it run out. */
export async function elapse(swapId, seconds) {
    const ago = (column) => `${column} = ${column} - INTERVAL ${seconds} SECOND`;
    await sql(`UPDATE transactions SET ${ago('created_at')}, ${ago('broadcast_at')} WHERE execution_id = ${swapId};`
        + ` UPDATE executions SET ${['created_at', 'valid_until', 'due_at', 'lease_until'].map(ago)} WHERE id = ${swapId}`);
}

/** swap-poll looks at this swap, as if it were due now, so many times. */
export async function polled(swapId, times = 2) {
    const due = (condition) => sql(`SELECT COUNT(*) FROM executions WHERE id = ${swapId} AND ${condition}`);
    for (let i = 0; i < times; i += 1) {
        await sql(`UPDATE executions SET due_at = UTC_TIMESTAMP(3) - INTERVAL 1 HOUR WHERE id = ${swapId}`);
        await until('a look at the swap', async () => await due('due_at < UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE OR lease_until > UTC_TIMESTAMP(3)') === '0');
    }
}

/** Deliveries that no test waits for any more reach no point while fault points are armed; an attempt in progress is waited for. */
export async function forgetEvents() {
    const forget = () => sql('UPDATE webhook_events SET next_at = next_at + INTERVAL 1 DAY WHERE status = 1 AND next_at < UTC_TIMESTAMP(3) + INTERVAL 1 HOUR');
    await forget();
    const underWay = 'SELECT COUNT(*) FROM webhook_events WHERE status = 1 AND lease_until > UTC_TIMESTAMP(3)';
    await until('deliveries that are under way', async () => await sql(underWay) === '0');
    await forget();
}

/** Leases of webhook deliveries run out at once. */
export function endEventLeases() {
    return sql('UPDATE webhook_events SET lease_until = UTC_TIMESTAMP(3) WHERE lease_until IS NOT NULL;'
        + ' UPDATE event_queues SET next_at = LEAST(next_at, UTC_TIMESTAMP(3))');
}

/** The time of all leases is over. Who holds a lock that this waits for keeps its lease until the next call. */
export async function endLeases() {
    await sql('UPDATE idempotency SET lease_until = UTC_TIMESTAMP(3) WHERE lease_until > UTC_TIMESTAMP(3);'
        + ' UPDATE executions SET lease_until = NULL WHERE lease_until IS NOT NULL;'
        + ' UPDATE predict_accounts SET lease_until = NULL WHERE lease_until IS NOT NULL;'
        + ' UPDATE perps_accounts SET lease_until = NULL, due_at = UTC_TIMESTAMP(3) WHERE lease_until IS NOT NULL').catch(() => {});
    await endEventLeases().catch(() => {});
}

// ---------------------------------------------------------------- chains

/** Runs `during` while no block is made. */
export async function withoutBlocks(chain, during) {
    await rpc(chain, 'evm_setIntervalMining', [0]);
    try {
        return await during();
    } finally {
        await rpc(chain, 'evm_setIntervalMining', [1]);
    }
}

/**
 * Takes that block and those behind it off the chain, and drops the transactions that were in them. Without blocks meanwhile: one
 * more between counting them and taking them off, and the first would stay.
 */
export const reorganise = (chain, from) => withoutBlocks(chain, async () => {
    await rpc(chain, 'anvil_reorg', [Number(await rpc(chain, 'eth_blockNumber')) - Number(from) + 1, []]);
    await rpc(chain, 'anvil_dropAllTransactions', []).catch(() => undefined);
});

// ---------------------------------------------------------------- agents

/** An agent with a callback and a wallet with coins. */
export async function trader(chain, coins = 10) {
    const agent = await register();
    agent.hook = await receiver();
    agent.secret = await agent.listen(agent.hook.url);
    agent.address = await agent.wallet(chain, coins);
    return agent;
}

/** Events of a type that the agent's receiver got for a swap. */
export function heard(agent, type, swapId) {
    return agent.hook.deliveries.filter(({ raw }) => {
        const event = JSON.parse(raw);
        return event.type === type && event.data.swap_id === swapId;
    });
}

/** Executes while a fault point breaks the answer; nothing in the service's words came back. */
export async function brokenExecute(agent, quote, headers = {}) {
    const answer = await agent.send('POST', '/swap/execute', { json: { quote_id: quote.quote_id }, headers, mayBreak: true })
        .catch((error) => ({ status: 599, text: error.message }));
    assert.ok(answer.status >= 500, show(answer));
    assert.equal(answer.body?.swap_id, undefined, show(answer));
}

/** The one swap that the agent has. */
export async function onlySwap(agent) {
    const { swaps, pagination } = granted(await agent.get('/swaps'));
    assert.equal(pagination.total, 1);
    return agent.status(swaps[0].swap_id);
}

/** The wallet works: another swap completes. */
export async function usable(agent, chain) {
    await agent.completed(await agent.swap('ETH', 'USDC', '0.01', { chain }));
}

/** Of a swap's transactions, of one kind where it is given. */
export function hashes({ transactions }, kind) {
    return transactions.filter((each) => kind === undefined || each.kind === kind).map(({ tx_hash: hash }) => hash);
}
