// Orders for perpetuals, straight into the database, where placing so many would take too long. This is the one place of the
// benchmark that knows the tables.

/** Numbers of executions that no agent has: those of orders that rest, and of those that have ended. */
const RESTING = 10 ** 9;
const ENDED = 2 * 10 ** 9;
const BRACKETS = 10; // one order of so many has a child that takes its gain, and one that stops its loss

/**
 * Statements that give each wallet of the query `wallets` (id, agent_id, address) `count` orders that rest, as perps-venue.mjs has
 * them, and have it looked at from now on.
 */
export function restingOrders(wallets, count) {
    return `INSERT INTO perps_orders (execution_id, agent_id, wallet_id, role, cloid, oid, asset, sells, is_market, tif, reduce_only, size, price,
            trigger_price, leverage, isolated, status, created_at, updated_at)
        SELECT ${RESTING} + id * ${count} + seq, agent_id, id, 0, UNHEX(LEFT(SHA2(CONCAT(LOWER(address), ' ', seq), 256), 32)), seq + 1, 'ETH', 0, 0, 0, 0,
            50000000, 250000000000, 0, 20, 0, 2, UTC_TIMESTAMP(3) - INTERVAL 1 HOUR, UTC_TIMESTAMP(3)
        FROM (${wallets}) w JOIN seq_0_to_${count - 1} ORDER BY id, seq;
        INSERT INTO perps_accounts (wallet_id, agent_id, fills_since, funding_since, funding_at, due_at, created_at)
        SELECT id, agent_id, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) FROM (${wallets}) w;`;
}

/** All of them are looked at as soon as may be, and just were asked for trades and payments. */
export const RESTING_DUE = `UPDATE perps_accounts SET due_at = UTC_TIMESTAMP(3), fills_since = UTC_TIMESTAMP(3), funding_at = UTC_TIMESTAMP(3)
    WHERE wallet_id IN (SELECT wallet_id FROM perps_orders WHERE execution_id BETWEEN ${RESTING} AND ${ENDED - 1})`;

export const FORGET_RESTING = `DELETE p FROM perps_accounts p JOIN perps_orders o USING (wallet_id) WHERE o.execution_id BETWEEN ${RESTING} AND ${ENDED - 1};
    DELETE FROM perps_orders WHERE execution_id BETWEEN ${RESTING} AND ${ENDED - 1};`;

/** How many of those that rest are not open any more. */
export const RESTING_LOST = `SELECT COUNT(*) FROM perps_orders WHERE execution_id BETWEEN ${RESTING} AND ${ENDED - 1} AND status <> 2`;

/** Wallets are looked at so much later, those of others too. */
export const allDue = (after) => `UPDATE perps_accounts SET due_at = UTC_TIMESTAMP(3) + ${after} WHERE due_at IS NOT NULL`;

/** Statements that give each wallet `count` orders that have ended: filled, cancelled or, seldom, rejected; some with children. */
export function endedOrders(wallets, count) {
    const columns = `execution_id, agent_id, wallet_id, role, cloid, oid, asset, sells, is_market, tif, reduce_only, size, price, trigger_price, leverage,
        isolated, status, filled, paid, fee, final, error_code, error_message, children, take_profit_status,
        take_profit_cloid, take_profit_trigger, stop_loss_status, stop_loss_cloid, stop_loss_trigger, created_at, updated_at`;
    const number = `${ENDED} + id * ${count} + seq`;
    const asset = "ELT(1 + seq % 3, 'ETH', 'BTC', 'SOL')";
    const when = `UTC_TIMESTAMP(3) - INTERVAL ${count} * 10 MINUTE + INTERVAL seq * 10 MINUTE`;
    const trigger = (part) => `(300000 + seq % 1000) * ${part}`;
    const behind = (value) => `IF(seq % ${BRACKETS} = 0, ${value}, NULL)`;
    const cloid = (role) => `UNHEX(LEFT(SHA2(CONCAT(LOWER(address), ' ended ', seq, ' ', ${role}), 256), 32))`;
    return `INSERT INTO perps_orders (${columns})
        SELECT ${number}, agent_id, id, 0, ${cloid(0)}, ${number} * 4, ${asset}, seq % 2, seq % 3 = 0, IF(seq % 3 = 0, 1, 0), seq % 7 = 0,
            (10 + seq % 90) * 1000000, (300000 + seq % 1000) * 1000000, 0, 1 + seq % 20, seq % 5 = 0, CASE WHEN seq % 16 = 15 THEN 5 WHEN seq % 4 = 1 THEN 4 ELSE 3 END,
            IF(seq % 16 = 15 OR seq % 4 = 1, 0, (10 + seq % 90) * 1000000), IF(seq % 16 = 15 OR seq % 4 = 1, 0, (10 + seq % 90) * (300000 + seq % 1000) * 10000),
            IF(seq % 16 = 15 OR seq % 4 = 1, 0, (10 + seq % 90) * (300000 + seq % 1000) * 5), 1, IF(seq % 16 = 15, 'NO_LIQUIDITY', NULL),
            IF(seq % 16 = 15, 'Insufficient liquidity for this trade', NULL), IF(seq % ${BRACKETS} = 0, 2, 0),
            ${behind(3)}, ${behind(cloid(1))}, ${behind(trigger(1100000))}, ${behind(4)}, ${behind(cloid(2))}, ${behind(trigger(950000))}, ${when}, ${when}
        FROM (${wallets}) w JOIN seq_0_to_${count - 1} ORDER BY id, seq;
        INSERT INTO perps_orders (${columns})
        SELECT ${number}, agent_id, id, role, ${cloid('role')}, ${number} * 4 + role, ${asset}, 1 - seq % 2, 1, 1, 1, (10 + seq % 90) * 1000000,
            (300000 + seq % 1000) * 900000, IF(role = 1, ${trigger(1100000)}, ${trigger(950000)}), 1 + seq % 20, seq % 5 = 0, IF(role = 1, 3, 4), 0, 0, 0, 1, NULL, NULL,
            0, NULL, NULL, NULL, NULL, NULL, NULL, ${when}, ${when}
        FROM (${wallets}) w JOIN (SELECT seq FROM seq_0_to_${count - 1} WHERE seq % ${BRACKETS} = 0) s JOIN (SELECT seq role FROM seq_1_to_2) r ORDER BY id, seq, role;
        UPDATE agents SET perps_orders = perps_orders + ${count} WHERE id IN (SELECT agent_id FROM (${wallets}) w);`;
}
