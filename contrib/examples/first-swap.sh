#!/bin/sh
# first-swap.sh [AMOUNT [FROM [TO]]]: a new agent with a new wallet swaps 1.5 ETH for USDC, on ethereum or CHAIN.
set -eu
GATEWAY=${GATEWAY:-http://127.0.0.1:8080} CHAIN=${CHAIN:-ethereum}
amount=${1:-1.5} from=${2:-ETH} to=${3:-USDC}
KEY=

# call METHOD PATH [BODY]: leaves the answer in $answer, or stops with the hint of a refusal.
call() {
  answer=$(curl -sS -X "$1" "$GATEWAY/v1/agent$2" ${KEY:+-H "Authorization: Bearer $KEY"} \
    -H 'Content-Type: application/json' ${3:+-d "$3"})
  case $answer in
    *'"success":true'*) ;;
    *) echo "$1 $2: $(member error). $(member hint)" >&2; exit 1 ;;
  esac
}

# member NAME: the first text or number of that name in the answer.
member() {
  printf '%s\n' "$answer" | grep -oE '"'"$1"'":("([^"\]|\\.)*"|[0-9]+)' | head -n 1 | sed 's/^[^:]*:"*//; s/"$//'
}

# 1. Register. The key is shown this once.
call POST /register '{"name":"my-agent"}'
KEY=$(member api_key)

# 2. A wallet, whose key stays with the gateway.
call POST /wallets
wallet=$(member address)

# 3. Fund it. The sandbox funds every wallet: 100 ETH and some dollars.
curl -fsS "$GATEWAY/sandbox/fund" -o /dev/null -d '{"address":"'"$wallet"'","chain":"'"$CHAIN"'"}' 2>/dev/null || {
  echo "Send $amount $from, and ETH for the fee, to $wallet on $CHAIN. Then press Enter."
  read -r _
}

# 4. A price, good for 60 seconds.
call POST /quote '{"from_token":"'"$from"'","to_token":"'"$to"'","amount":"'"$amount"'","chain":"'"$CHAIN"'"}'
echo "$(member amount_in) $from for $(member amount_out) $to"

# 5. Take it.
call POST /swap/execute '{"quote_id":"'"$(member quote_id)"'"}'
swap=$(member swap_id)

# 6. See it complete.
status=pending
until [ "$status" = completed ] || [ "$status" = failed ]; do
  sleep 1
  call GET "/swap/status/$swap"
  status=$(member status)
done
echo "swap $swap: $status, transaction $(member tx_hash)"
[ "$status" = completed ]
