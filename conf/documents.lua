-- For lighttpd.conf: the ETag of a document, which the gateway puts beside it, and its compressed form where
-- the client takes that.
local r = lighty.r
local path = r.req_attr["physical.path"]
local file = io.open(path .. ".etag")

-- Without one the gateway answers.
if not file then
    return 404
end
r.resp_header["ETag"] = file:read("*a")
file:close()
if (r.req_header["Accept-Encoding"] or ""):lower():find("gzip", 1, true) then
    r.resp_header["Content-Encoding"] = "gzip"
    r.req_attr["physical.path"] = path .. ".gz"
end
return 0
