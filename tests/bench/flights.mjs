// Executions that swap-poll follows, put into the database as if they had been sent, and settings for a job that follows them.

import { writeFileSync } from 'node:fs';
import { need } from './stack.mjs';

export const VENUE = 'bench-poll'; // whose all of them are

/** Rows { id, agent }: wallets of agents that have a callback. */
export async function makeWallets(stack, n, chainType = 'evm') {
    const wallets = [];
    for (let i = 0; i < n; i++) {
        const key = await stack.newKey();
        await need(stack.base, '/me', key, JSON.stringify({ callback_url: 'http://127.0.0.1:9/none' }), 'PATCH');
        const { wallet } = await need(stack.base, '/wallets', key, JSON.stringify({ chain_type: chainType }));
        const [[id, agent]] = await stack.sql(`SELECT id, agent_id FROM wallets WHERE address = '${wallet.address}'`, stack.schema);
        wallets.push({ id, agent });
    }
    return wallets;
}

export function forgetFlights(stack) {
    return stack.sql(`DELETE FROM transactions WHERE execution_id IN (SELECT id FROM executions WHERE venue = '${VENUE}');
        DELETE FROM bridges WHERE execution_id IN (SELECT id FROM executions WHERE venue = '${VENUE}');
        DELETE FROM executions WHERE venue = '${VENUE}'; DELETE FROM execution_history WHERE execution_id NOT IN (SELECT id FROM executions);
        DELETE FROM webhook_events; DELETE FROM event_totals; DELETE FROM event_queues`, stack.schema);
}

const ONE = "UNHEX(LPAD('01', 64, '0'))";
const EXECUTION = {
    kind: 1, venue: `'${VENUE}'`, once: 'RANDOM_BYTES(16)', status: 2, in_flight: 1, from_chain: 1, from_symbol: "'ETH'",
    from_address: "'0x0000000000000000000000000000000000000000'", from_decimals: 18, amount_in: ONE, to_chain: 1, to_symbol: "'USDC'",
    to_address: "'0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'", to_decimals: 6, expected_out: ONE, min_out: ONE,
    created_at: 'UTC_TIMESTAMP(3) - INTERVAL 6 MINUTE', updated_at: 'UTC_TIMESTAMP(3)', valid_until: 'UTC_TIMESTAMP(3) + INTERVAL 1 HOUR',
    due_at: 'UTC_TIMESTAMP(3)',
};
const TRANSACTION = {
    execution_id: 'id', wallet_id: 'wallet_id', chain_id: 'from_chain', nonce: '@nonce := @nonce + 1', kind: 2, state: 1,
    hash: "CONCAT('bench-poll', LPAD(id, 22, '0'))", raw: "'raw'", gas_limit: 100000, max_fee: "UNHEX(LPAD('0f4240000000', 64, '0'))",
    priority_fee: "UNHEX(LPAD('3b9aca00', 64, '0'))", value: ONE, broadcasts: 1, accepted: 1, last_reply: 1, broadcast_at: 'UTC_TIMESTAMP(3)',
    created_at: 'UTC_TIMESTAMP(3)',
};

/**
 * So many executions, in equal parts of these wallets, each with one transaction. What is not as in poll.mjs: columns with SQL,
 * of an execution, where `seq` counts those of a wallet from 1, and of its transaction, where the execution's are known.
 */
export async function makeFlights(stack, wallets, count, execution = {}, transaction = {}) {
    const each = count / wallets.length;
    const executions = { ...EXECUTION, ...execution };
    const transactions = { ...TRANSACTION, ...transaction };
    for (const { id, agent } of wallets) {
        await stack.sql(`
            INSERT INTO executions (agent_id, wallet_id, ${Object.keys(executions)})
            SELECT ${agent}, ${id}, ${Object.values(executions)} FROM seq_1_to_${each};
            UPDATE agents SET swaps_submitted = swaps_submitted + ${each} WHERE id = ${agent};
            SET @nonce = -1;
            INSERT INTO transactions (${Object.keys(transactions)})
            SELECT ${Object.values(transactions)} FROM executions WHERE wallet_id = ${id} AND venue = '${VENUE}' ORDER BY id`, stack.schema);
    }
}

/** The stack's settings with these lines after them, in a file of their own. */
export function jobSettings(stack, lines) {
    const path = `${stack.settings.GATEWAY_VAR}/poll.conf`;
    writeFileSync(path, `include ${stack.settings.GATEWAY_CONF}\n${lines}`);
    return { ...process.env, ...stack.settings, GATEWAY_CONF: path };
}
