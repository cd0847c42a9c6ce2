#!/bin/sh
# load.sh URL: 2,000 requests in some seconds; how many got which status.
set -eu

key=$(curl -sS "$1/v1/agent/register" -H 'Content-Type: application/json' -d '{"name":"load"}' | sed 's/.*"api_key":"\([^"]*\)".*/\1/')
curl -sS --rate 100/s -H "Authorization: Bearer $key" -o /dev/null -w '%{http_code}\n' "$1/v1/agent/me?_n=[1-2000]" | sort | uniq -c | sed 's/^ *//'
