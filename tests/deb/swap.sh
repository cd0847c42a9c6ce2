#!/bin/sh
# swap.sh URL: an agent registers, gets a wallet and funds, and has a swap carried out on the local chain.
set -eu

BASE=$1/v1/agent
KEY=
CHAIN=http://127.0.0.1:8546
PATIENCE=60

ask() { # METHOD PATH [JSON]
  until answer=$(curl -sS --fail-with-body -X "$1" "$BASE$2" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' ${3:+-d "$3"}); do
    case $answer in
      *'"RATE_LIMITED"'*) sleep 1 ;; # with few workers, too many wait at the same time; nothing was done
      *) echo "$answer"; return 1 ;;
    esac
  done
  echo "$answer"
}

# Fails where there is none.
member() {
  sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" | grep .
}

waited=0
until curl -sf "$1/healthz" >/dev/null; do
  waited=$((waited + 1))
  [ "$waited" -lt "$PATIENCE" ]
  sleep 1
done
KEY=$(ask POST /register '{"name":"deb"}' | member api_key)
wallet=$(ask POST /wallets | member address)
curl -sSf $CHAIN -H 'Content-Type: application/json' -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"anvil_setBalance\",\"params\":[\"$wallet\",\"0x8ac7230489e80000\"]}"
quote=$(ask POST /quote '{"from_token":"ETH","to_token":"USDC","amount":"0.1","chain":"base"}' | tee /dev/stderr | member quote_id)
swap=$(ask POST /swap/execute "{\"quote_id\":\"$quote\"}" | tee /dev/stderr | member swap_id)
for _ in $(seq "$PATIENCE"); do
  status=$(ask GET "/swap/status/$swap" | member status)
  [ "$status" != completed ] || exit 0
  sleep 1
done
echo "the swap is $status"
exit 1
