-- What wrk asks: one endpoint, the agents' keys in turn. Prints one line of JSON at the end.
-- Environment: BENCH_METHOD, BENCH_BODY, BENCH_KEYS (separated by spaces; none for an open endpoint).
local requests, turn = {}, 0

function init()
  wrk.method = os.getenv("BENCH_METHOD")
  local body = os.getenv("BENCH_BODY")
  if body ~= "" then
    wrk.body = body
    wrk.headers["Content-Type"] = "application/json"
  end
  for key in os.getenv("BENCH_KEYS"):gmatch("%S+") do
    wrk.headers["Authorization"] = "Bearer " .. key
    requests[#requests + 1] = wrk.format()
  end
  if #requests == 0 then requests[1] = wrk.format() end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format('\n{"requests":%d,"seconds":%f,"bytes":%d,"p50":%f,"p99":%f,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration / 1e6, summary.bytes, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, e.status, e.connect + e.read + e.write + e.timeout))
end
