# Writes gateway.conf(5) from the comments and the lines of conf/gateway.conf.
BEGIN {
    print ".TH GATEWAY.CONF 5 \"\" \"\" \"Agent DeFi Gateway\"\n.ad l\n.SH NAME\ngateway.conf \\- settings of the gateway, its signer and its jobs\n.SH DESCRIPTION"
}
/^# ---- / { block(""); gsub(/^# ---- | ----$/, ""); print ".SH " toupper($0); next }
/^#?[a-z][a-z0-9_.]* *=/ { block("lines"); sub(/^#/, ""); print text($0); next }
/^# / { block("words"); print text(substr($0, 3)); next }
{ block("") }
END { block("") }

# Ends what is open and begins another; settings keep their lines.
function block(kind) {
    if (kind == open) return
    if (open == "lines") print ".fi\n.RE"
    if (kind == "lines") print ".RS 4\n.nf"
    if (kind == "words") print ".PP"
    open = kind
}

function text(line) {
    gsub(/\\/, "\\e", line)
    gsub(/-/, "\\-", line)
    return line ~ /^[.']/ ? "\\\\&" line : line
}
