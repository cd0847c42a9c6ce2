// order-poll over a venue that answers at once: how long it takes to look at the open orders of many wallets, and what it asks
// for that. It begins with so many wallets a second as the venue allows, so there is no ideal that could be faster.

import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { record } from './figures.mjs';
import { timesMicros } from './load.mjs';
import { median } from './report.mjs';
import { need } from './stack.mjs';

const VENUE = fileURLToPath(new URL('clob.mjs', import.meta.url));
const WALLETS = 200;
const EACH = 50; // orders of every wallet
const PAGE = 30; // orders that the venue lists at once
const PAGES = WALLETS * Math.ceil(EACH / PAGE);
const ROUNDS = 3;
const FIRST = 10 ** 9; // execution that nobody else has

export async function measureLooks(stack) {
    const venue = fork(VENUE, [String(EACH), String(PAGE)]);
    try {
        const [port] = await once(venue, 'message');
        const env = lookSettings(stack, port);
        await stack.withoutJobs(async () => {
            await othersDue(stack, 'INTERVAL 1 HOUR');
            await makeOrders(stack, env);
            const rounds = [];
            for (let round = 0; round < ROUNDS; round++) rounds.push(await lookAtAll(stack, env, venue));
            report(rounds);
        });
    } finally {
        await stack.sql(FORGET, stack.schema);
        await othersDue(stack, 'INTERVAL 0 HOUR');
        venue.disconnect();
    }
}

/** The settings with this venue, in a file of their own. */
function lookSettings(stack, port) {
    const path = `${stack.settings.GATEWAY_VAR}/look.conf`;
    writeFileSync(path, `include ${stack.settings.GATEWAY_CONF}\npredict_clob_url = http://127.0.0.1:${port}\n`);
    return { ...process.env, ...stack.settings, GATEWAY_CONF: path };
}

/** Wallets like the first, with accounts whose credentials the venue gave to that one. */
async function makeOrders(stack, env) {
    const key = await stack.newKey();
    const { wallet } = await need(stack.base, '/wallets', key, '', 'POST');
    const addresses = `SELECT id, agent_id, address FROM wallets WHERE address = '${wallet.address}'`;
    await stack.sql(openOrders(addresses, 'NULL', 1), stack.schema);
    await runOnce(stack, env);
    await stack.sql(`SELECT p.credentials INTO @credentials FROM predict_accounts p JOIN wallets w ON w.id = p.wallet_id
            WHERE w.address = '${wallet.address}';
        ${FORGET}
        INSERT INTO wallets (agent_id, uuid, agent_uuid, kind, address, sealed_key, created_at)
        SELECT agent_id, RANDOM_BYTES(16), agent_uuid, kind, CONCAT('0x', LOWER(HEX(RANDOM_BYTES(20)))), sealed_key, created_at FROM wallets
        JOIN seq_1_to_${WALLETS - 1} WHERE address = '${wallet.address}';
        ${openOrders(`SELECT w.id, w.agent_id, w.address FROM wallets w JOIN wallets f USING (agent_id) WHERE f.address = '${wallet.address}'`,
        '@credentials', EACH)}`, stack.schema);
}

/** Statements that give wallets accounts and so many open orders, as the venue has them. */
function openOrders(wallets, credentials, count) {
    return `INSERT INTO predict_accounts (wallet_id, agent_id, kind, form, trading, credentials, credentials_at, created_at)
        SELECT id, agent_id, 2, 0, UNHEX(SUBSTR(address, 3)), ${credentials}, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM (${wallets}) w;
        INSERT INTO orders (execution_id, agent_id, wallet_id, hash, market, condition_id, token, outcome, question, exchange, side, type, post_only,
            price, size, fee_most, status, created_at, updated_at)
        SELECT ${FIRST} + id * ${EACH} + seq, agent_id, id, UNHEX(SHA2(CONCAT(LOWER(address), ' ', seq), 256)), '1', REPEAT('c', 32), REPEAT('t', 32),
            'Yes', 'Will it?', 0, 0, 1, 0, 4000, 2000, 0, 2, UTC_TIMESTAMP(3) - INTERVAL 1 HOUR, UTC_TIMESTAMP(3)
        FROM (${wallets}) w JOIN seq_0_to_${count - 1};
        UPDATE predict_accounts p JOIN orders o USING (wallet_id) SET p.orders_due_at = UTC_TIMESTAMP(3) WHERE o.execution_id >= ${FIRST};`;
}

const FORGET = `DELETE p FROM predict_accounts p JOIN orders o USING (wallet_id) WHERE o.execution_id >= ${FIRST};
    DELETE FROM orders WHERE execution_id >= ${FIRST};`;

/** This venue knows nothing of the orders of other wallets. */
function othersDue(stack, after) {
    return stack.sql(`UPDATE predict_accounts SET orders_due_at = UTC_TIMESTAMP(3) + ${after} WHERE orders_due_at IS NOT NULL`, stack.schema);
}

/** { seconds, cpu }: the job looks at all that is due, and ends; the microseconds of a processor that it took. */
async function runOnce(stack, env) {
    const begun = performance.now();
    const { stdout } = await promisify(execFile)('sh', ['-c', '"$0" 2>/dev/null && times', `${stack.settings.GATEWAY_BIN}/jobs/order-poll`], { env });
    return { seconds: (performance.now() - begun) / 1000, cpu: timesMicros(stdout.trim().split('\n').at(-1)) };
}

async function lookAtAll(stack, env, venue) {
    await stack.sql(`UPDATE predict_accounts SET orders_due_at = UTC_TIMESTAMP(3)
        WHERE wallet_id IN (SELECT wallet_id FROM orders WHERE execution_id >= ${FIRST})`, stack.schema);
    await said(venue);
    const took = await runOnce(stack, env);
    const { lists, others, micros } = await said(venue);
    if (lists < PAGES) throw new Error(`the venue was asked for ${lists} of ${PAGES} pages`);
    return { ...took, asked: (lists + others) / PAGES, venue: micros / (lists + others) };
}

async function said(venue) {
    venue.send('what was asked');
    const [answer] = await once(venue, 'message');
    return answer;
}

function report(rounds) {
    const of = (figure) => rounds.map((round) => round[figure]);
    const orders = WALLETS * EACH;
    record('look.seconds', of('seconds'), 's');
    record('look.asked', of('asked'), '');
    record('look.cpu', of('cpu').map((micros) => micros / orders), 'µs');
    record('look.venue', of('venue'), 'µs');
    console.log(`order-poll looks at ${orders} open orders of ${WALLETS} wallets in ${median(of('seconds')).toFixed(1)} s (${of('seconds').map((s) => s.toFixed(1)).join(', ')}); `
        + `it asks ${median(of('asked')).toFixed(2)} times for each wallet and page, and takes ${(median(of('cpu')) / orders).toFixed(0)} µs of a processor for each order, `
        + `the venue ${median(of('venue')).toFixed(0)} µs for each answer\n`);
}
