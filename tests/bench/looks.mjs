// order-poll over venues that answer at once: how long it takes to look at the open orders of many wallets, and what it asks
// for that. It begins with so many wallets a second as a venue allows, so there is no ideal that could be faster.

import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { record } from './figures.mjs';
import { timesMicros } from './load.mjs';
import {
    FORGET_RESTING, RESTING_DUE, RESTING_LOST, allDue, restingOrders,
} from './perps-rows.mjs';
import { median } from './report.mjs';
import { need } from './stack.mjs';

const WALLETS = 200;
const EACH = 50; // orders of every wallet
const PAGE = 30; // orders that the venue of predictions lists at once
const ROUNDS = 3;
const FIRST = 10 ** 9; // an execution of no agent

const FORGET_PREDICTED = `DELETE p FROM predict_accounts p JOIN predict_orders o USING (wallet_id) WHERE o.execution_id >= ${FIRST};
    DELETE FROM predict_orders WHERE execution_id >= ${FIRST};`;

/**
 * What is looked at: the `venue` that is played, and its `settings`; `questions`, that all wallets take, and `each` is one; statements that
 * make the orders, have them looked at (`due`), `forget` them, tell how many are `lost`, and have all looked at later (`rest`).
 */
const PREDICTED = {
    figure: 'look',
    what: 'open orders on prediction markets',
    each: 'wallet and page',
    venue: ['clob.mjs', String(EACH), String(PAGE)],
    settings: (url) => `predict_clob_url = ${url}\n`,
    questions: WALLETS * Math.ceil(EACH / PAGE),
    make: makePredicted,
    due: `UPDATE predict_accounts SET orders_due_at = UTC_TIMESTAMP(3) WHERE wallet_id IN (SELECT wallet_id FROM predict_orders WHERE execution_id >= ${FIRST})`,
    forget: FORGET_PREDICTED,
    lost: `SELECT COUNT(*) FROM predict_orders WHERE execution_id >= ${FIRST} AND status <> 2`,
    rest: (after) => `UPDATE predict_accounts SET orders_due_at = UTC_TIMESTAMP(3) + ${after} WHERE orders_due_at IS NOT NULL`,
};
const PERPETUAL = {
    figure: 'perps.look',
    what: 'open orders for perpetuals',
    each: 'list and state of a wallet',
    venue: ['perps-venue.mjs', String(EACH)],
    settings: (url) => `perps_url = ${url}\nperps_weight = 0\n`,
    questions: WALLETS * 2,
    make: makePerpetual,
    due: RESTING_DUE,
    forget: FORGET_RESTING,
    lost: RESTING_LOST,
    rest: allDue,
};

export const measureLooks = (stack) => measureLooksAt(stack, PREDICTED);

export const measurePerpsLooks = (stack) => measureLooksAt(stack, PERPETUAL);

async function measureLooksAt(stack, orders) {
    const [program, ...args] = orders.venue;
    const venue = fork(fileURLToPath(new URL(program, import.meta.url)), args);
    try {
        const [port] = await once(venue, 'message');
        const env = lookSettings(stack, orders.settings(`http://127.0.0.1:${port}`));
        await stack.withoutJobs(async () => {
            await stack.sql(orders.rest('INTERVAL 1 HOUR'), stack.schema); // this venue knows nothing of the orders of other wallets
            await orders.make(stack, env);
            const rounds = [];
            for (let round = 0; round < ROUNDS; round++) rounds.push(await lookAtAll(stack, env, venue, orders));
            report(orders, rounds);
        });
    } finally {
        await stack.sql(orders.forget, stack.schema);
        await stack.sql(orders.rest('INTERVAL 0 HOUR'), stack.schema);
        venue.disconnect();
    }
}

/** The settings with this venue, in a file of their own. */
function lookSettings(stack, lines) {
    const path = `${stack.settings.GATEWAY_VAR}/look.conf`;
    writeFileSync(path, `include ${stack.settings.GATEWAY_CONF}\n${lines}`);
    return { ...process.env, ...stack.settings, GATEWAY_CONF: path };
}

// ---------------------------------------------------------------- wallets and their orders

/** The address of a wallet of a new agent. */
async function firstWallet(stack) {
    const { wallet } = await need(stack.base, '/wallets', await stack.newKey(), '', 'POST');
    return wallet.address;
}

/** A statement that gives the agent of a wallet all the others. */
const otherWallets = (address) => `INSERT INTO wallets (agent_id, uuid, agent_uuid, kind, address, sealed_key, created_at)
    SELECT agent_id, RANDOM_BYTES(16), agent_uuid, kind, CONCAT('0x', LOWER(HEX(RANDOM_BYTES(20)))), sealed_key, created_at FROM wallets
    JOIN seq_1_to_${WALLETS - 1} WHERE address = '${address}';`;

const allWallets = (address) => `SELECT w.id, w.agent_id, w.address FROM wallets w JOIN wallets f USING (agent_id) WHERE f.address = '${address}'`;

/** Wallets like the first, with accounts whose credentials the venue gave to that one. */
async function makePredicted(stack, env) {
    const address = await firstWallet(stack);
    await stack.sql(predictedOrders(`SELECT id, agent_id, address FROM wallets WHERE address = '${address}'`, 'NULL', 1), stack.schema);
    await runOnce(stack, env);
    await stack.sql(`SELECT p.credentials INTO @credentials FROM predict_accounts p JOIN wallets w ON w.id = p.wallet_id
            WHERE w.address = '${address}';
        ${FORGET_PREDICTED}
        ${otherWallets(address)}
        ${predictedOrders(allWallets(address), '@credentials', EACH)}`, stack.schema);
}

/** Statements that give wallets accounts and so many open orders, as the venue has them. */
function predictedOrders(wallets, credentials, count) {
    return `INSERT INTO predict_accounts (wallet_id, agent_id, kind, proxy_kind, trading, credentials, credentials_at, created_at)
        SELECT id, agent_id, 2, 0, UNHEX(SUBSTR(address, 3)), ${credentials}, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM (${wallets}) w;
        INSERT INTO predict_orders (execution_id, agent_id, wallet_id, hash, market, condition_id, token, outcome, question, exchange, side, type, post_only,
            price, size, fee_most, status, created_at, updated_at)
        SELECT ${FIRST} + id * ${EACH} + seq, agent_id, id, UNHEX(SHA2(CONCAT(LOWER(address), ' ', seq), 256)), '1', REPEAT('c', 32), REPEAT('t', 32),
            'Yes', 'Will it?', 0, 0, 1, 0, 4000, 2000, 0, 2, UTC_TIMESTAMP(3) - INTERVAL 1 HOUR, UTC_TIMESTAMP(3)
        FROM (${wallets}) w JOIN seq_0_to_${count - 1};
        UPDATE predict_accounts p JOIN predict_orders o USING (wallet_id) SET p.orders_due_at = UTC_TIMESTAMP(3) WHERE o.execution_id >= ${FIRST};`;
}

async function makePerpetual(stack) {
    const address = await firstWallet(stack);
    await stack.sql(`${otherWallets(address)} ${restingOrders(allWallets(address), EACH)}`, stack.schema);
}

// ---------------------------------------------------------------- looks

/** { seconds, cpu }: the job looks at all that is due, and ends; the microseconds of a processor that it took. */
async function runOnce(stack, env) {
    const begun = performance.now();
    const { stdout } = await promisify(execFile)('sh', ['-c', '"$0" 2>/dev/null && times', `${stack.settings.GATEWAY_BIN}/jobs/order-poll`], { env });
    return { seconds: (performance.now() - begun) / 1000, cpu: timesMicros(stdout.trim().split('\n').at(-1)) };
}

async function lookAtAll(stack, env, venue, { due, lost, questions }) {
    await stack.sql(due, stack.schema);
    await said(venue);
    const took = await runOnce(stack, env);
    const { looked, others, micros } = await said(venue);
    if (looked < questions) throw new Error(`the venue was asked ${looked} of ${questions} questions`);
    const [[gone]] = await stack.sql(lost, stack.schema);
    if (gone !== '0') throw new Error(`${gone} orders that rest were taken for something else`);
    return { ...took, asked: (looked + others) / questions, venue: micros / (looked + others) };
}

async function said(venue) {
    venue.send('what was asked');
    const [answer] = await once(venue, 'message');
    return answer;
}

function report({ figure, what, each }, rounds) {
    const of = (measured) => rounds.map((round) => round[measured]);
    const orders = WALLETS * EACH;
    record(`${figure}.seconds`, of('seconds'), 's');
    record(`${figure}.asked`, of('asked'), '');
    record(`${figure}.cpu`, of('cpu').map((micros) => micros / orders), 'µs');
    record(`${figure}.venue`, of('venue'), 'µs');
    console.log(`order-poll looks at ${orders} ${what} of ${WALLETS} wallets in ${median(of('seconds')).toFixed(1)} s (${of('seconds').map((s) => s.toFixed(1)).join(', ')}); `
        + `it asks ${median(of('asked')).toFixed(2)} times for each ${each}, and takes ${(median(of('cpu')) / orders).toFixed(0)} µs of a processor for each order, `
        + `the venue ${median(of('venue')).toFixed(0)} µs for each answer\n`);
}
