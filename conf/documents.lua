-- For lighttpd.conf: the ETag of a document, which the gateway puts beside it, and its compressed form where
-- the client takes that. Reading a tag costs more than all the rest: it is kept until its file changes.
local r = lighty.r
local path = r.req_attr["physical.path"]
local name = path .. ".etag"
-- Looked at before lighttpd looks at the document: a tag is never newer than the text that it is sent with.
local found = lighty.stat(name)
local version = found and found.etag
local known = _G[name]

if not known or known.version ~= version then
    local file = found and io.open(name)
    -- Without one the gateway answers.
    if not file then
        return 404
    end
    known = { version = version, tag = file:read("*a") }
    file:close()
    _G[name] = known
end
r.resp_header["ETag"] = known.tag

local encodings = r.req_header["Accept-Encoding"]
if encodings and encodings:lower():find("gzip", 1, true) then
    r.resp_header["Content-Encoding"] = "gzip"
    r.req_attr["physical.path"] = path .. ".gz"
end
return 0
