-- For lighttpd.conf: the answer while no process listens at the gateway's socket, in the service's envelope. Answers of
-- the gateway itself have a request's id.
local r = lighty.r
if r.req_item["http_status"] == 503 and not r.resp_header["X-Request-Id"] then
    r.resp_header["Content-Type"] = "application/json"
    r.resp_header["Cache-Control"] = "no-store"
    r.resp_header["Retry-After"] = "5"
    r.resp_body:set({ '{"success":false,"error":"Service unavailable","error_code":"SERVICE_UNAVAILABLE","hint":"The service is being restarted; nothing was done. Send the request again after the seconds in Retry-After"}' })
    return 503 -- the body is whole
end
return 0
