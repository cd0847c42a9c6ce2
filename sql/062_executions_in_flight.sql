-- oldest 74
REPLACE INTO executions (id, agent_id, wallet_id, kind, venue, once, status, in_flight, corrected, from_chain, from_symbol,
    from_address, from_decimals, amount_in, to_chain, to_symbol, to_address, to_decimals, expected_out, min_out,
    amount_out, tx_hash, error_code, error_message, created_at, updated_at, completed_at, valid_until, due_at)
SELECT s.id, s.agent_id, s.wallet_id, IF(s.provider = 'sweep', 2, 1), s.provider, s.quote_id, s.status, s.in_flight,
    s.corrected, s.from_chain, s.from_symbol, s.from_address, s.from_decimals, s.amount_in, s.to_chain, s.to_symbol,
    s.to_address, s.to_decimals, s.expected_out, s.min_out, s.amount_out, s.tx_hash, s.error_code, s.error_message,
    s.created_at, s.updated_at, s.completed_at, s.valid_until, s.next_poll_at
FROM executions e JOIN swaps_046 s ON s.id = e.id WHERE e.in_flight IN (1, 2)
