// Solana: quotes beside the ideal, which asks Jupiter the very same, and what swap-poll asks a node about swaps under way.

import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { record } from './figures.mjs';
import {
    VENUE, forgetFlights, jobSettings, makeFlights, makeWallets,
} from './flights.mjs';
import { startReplay } from './replay.mjs';
import { measureEndpoint } from './requests.mjs';
import { eventually, need } from './stack.mjs';

const NODE = fileURLToPath(new URL('node.mjs', import.meta.url));
const QUOTE = JSON.stringify({ from_token: 'SOL', to_token: 'USDC', amount: '1.5', chain: 'solana' });
const ORDERS = { path: '/quote', body: QUOTE, keys: (all) => all, waits: true };
const SWAPS = 1000;
const AT_ONCE = 256; // signatures that a node takes in one question
const WALLETS = 20;
const SOLANA = 1151111081099710; // the chain's id in the database

export async function measureSolana(stack, gateway, startIdeal, replayProgram, allKeys, plan) {
    await quotes(stack, gateway, startIdeal, replayProgram, allKeys.slice(1), plan);
    await polled(stack);
}

// ---- quotes ----

async function quotes(stack, gateway, startIdeal, replayProgram, keys, plan) {
    const replay = await startReplay(replayProgram, [['jupiter', `http://127.0.0.1:${stack.settings.SANDBOX_UPSTREAM_PORT}/jupiter`]]);
    try {
        await stack.reconfigure(`provider.jupiter.url = ${replay.base}/jupiter\nprovider.jupiter.rate = 999999/s\n`);
        const { amount_out } = await need(stack.base, '/quote', keys[0], QUOTE);
        const { path } = (await replay.asked()).find((each) => each.path.includes('/order?'));
        const ideal = await startIdeal('order', [{
            url: `${replay.base}/jupiter${path}`, body: '', headers: ['Accept: application/json'], mark: '"outAmount":"', skip: 0, base: 10,
        }]);
        try {
            const answer = await need(ideal.base, '/quote', keys[0], QUOTE);
            if (Number(answer.amount_out) !== Number(amount_out)) throw new Error(`the ideal has ${answer.amount_out}, the gateway ${amount_out}`);
            await measureEndpoint(stack, [gateway, { ...ideal, name: 'ideal' }], 'solana', keys, plan, ORDERS);
        } finally {
            await ideal.stop();
        }
    } finally {
        await stack.reconfigure('');
        await replay.stop();
    }
}

// ---- following ----

async function polled(stack) {
    const node = fork(NODE);
    try {
        const [port] = await once(node, 'message');
        const wallets = await makeWallets(stack, WALLETS, 'solana');
        await stack.withoutJobs(async () => {
            await makeSwaps(stack, wallets);
            await lookAtAll(stack, jobSettings(stack, `rpc.solana = http://127.0.0.1:${port}/none\n`));
            node.send('what was asked');
            const [asked] = await once(node, 'message');
            report(asked.getSignatureStatuses ?? 0);
        });
    } finally {
        await forgetFlights(stack);
        node.disconnect();
    }
}

/** Which no node knows yet, and which are not due to be sent again. */
function makeSwaps(stack, wallets) {
    return makeFlights(stack, wallets, SWAPS, {
        from_chain: SOLANA, from_symbol: "'SOL'", from_address: "'11111111111111111111111111111111'", from_decimals: 9, to_chain: SOLANA,
        to_address: "'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'",
    }, { nonce: 'NULL', hash: "CONCAT('bench-poll', LPAD(id, 54, '0'))", expiry: 2_000_000, broadcast_at: 'UTC_TIMESTAMP(3) + INTERVAL 1 HOUR' });
}

async function lookAtAll(stack, env) {
    const [[start]] = await stack.sql('SELECT UTC_TIMESTAMP(3)');
    const job = spawn(`${stack.settings.GATEWAY_BIN}/jobs/swap-poll`, ['--for', '5'], { env, stdio: ['ignore', 'ignore', 'ignore'] });
    const ended = once(job, 'exit');
    await eventually('all were looked at', 55, async () => {
        const [[left]] = await stack.sql(`SELECT COUNT(*) FROM executions WHERE venue = '${VENUE}' AND due_at <= '${start}'`, stack.schema);
        return left === '0';
    });
    await ended;
}

function report(asked) {
    const passes = Math.ceil(SWAPS / AT_ONCE);
    if (asked < passes) throw new Error(`the node was asked ${asked} times about ${SWAPS} swaps`);
    record('solana.poll.asked', asked / passes, '');
    console.log(`swap-poll asks ${asked} times about ${SWAPS} swaps on Solana, ${passes} times being the least\n`);
}
