-- oldest 84
UPDATE agents a JOIN trading_stops t ON t.agent_id = a.id SET a.banned = 1 WHERE t.stopped & 2 <> 0
