-- oldest 74
-- Those of executions that were made since, or were not committed yet when their neighbours were copied.
REPLACE INTO next_transactions (id, execution_id, wallet_id, chain_id, nonce, kind, state, hash, raw, gas_limit, max_fee, priority_fee, value, token,
    token_amount, spender, block_number, succeeded, broadcasts, accepted, refusals, said, broadcast_at, created_at)
SELECT t.id, t.swap_id, t.wallet_id, t.chain_id, t.nonce, t.kind, t.state, t.hash, t.raw, t.gas_limit, t.max_fee,
    t.priority_fee, t.value, t.token, t.token_amount, t.spender, t.block_number, t.succeeded, t.offers, t.accepted,
    t.refusals, t.said, t.offered_at, t.created_at
FROM transactions_046 t LEFT JOIN executions e ON e.id = t.swap_id
WHERE e.id IS NULL AND t.swap_id > (SELECT IF(MAX(id) > 100000, MAX(id) - 100000, 0) FROM executions)
