-- oldest 46
-- batches swaps
-- Agents whose totals counted transfers among their swaps; 065 and 066 count anew for these.
INSERT IGNORE INTO execution_totals (agent_id, kind, listed, n)
SELECT DISTINCT s.agent_id, 2, 1, 0 FROM swaps s WHERE s.provider = 'sweep' AND s.id >= ? AND s.id < ?
