-- oldest 74
-- Those that may have changed since they were copied: their executions were followed at that time.
REPLACE INTO next_transactions (id, execution_id, wallet_id, chain_id, nonce, kind, state, hash, raw, gas_limit, max_fee, priority_fee, value, token,
    token_amount, spender, block_number, succeeded, broadcasts, accepted, refusals, said, broadcast_at, created_at)
SELECT t.id, t.swap_id, t.wallet_id, t.chain_id, t.nonce, t.kind, t.state, t.hash, t.raw, t.gas_limit, t.max_fee,
    t.priority_fee, t.value, t.token, t.token_amount, t.spender, t.block_number, t.succeeded, t.offers, t.accepted,
    t.refusals, t.said, t.offered_at, t.created_at
FROM executions e JOIN transactions_046 t ON t.swap_id = e.id WHERE e.in_flight IN (1, 2)
