#!/usr/bin/env python3
"""rebalance-mcp.py [TOKEN [TOKEN [PERCENT]]]: keeps PERCENT of two tokens' worth in the first (ETH USDC 50), over MCP.

GATEWAY is the service, KEY the agent's API key, CHAIN the chain (ethereum). With EVERY=seconds it goes on for good.
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from decimal import ROUND_DOWN, Decimal

URL = os.environ.get("GATEWAY", "http://127.0.0.1:8080") + "/mcp"
CHAIN = os.environ.get("CHAIN", "ethereum")
TOLERANCE = Decimal("0.01")  # of the whole; what is less is not worth the fees


def request(method, params):
    """The result of a request; an error ends the program with its message."""
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
               "Authorization": f"Bearer {os.environ.get('KEY', '')}"}
    message = json.dumps({"jsonrpc": "2.0", "id": str(uuid.uuid4()), "method": method, "params": params})
    try:
        answer = json.load(urllib.request.urlopen(urllib.request.Request(URL, message.encode(), headers), timeout=60))
    except urllib.error.HTTPError as refusal:
        answer = json.load(refusal)
    except urllib.error.URLError as error:
        sys.exit(f"{method}: {error.reason}")
    return answer["result"] if "result" in answer else sys.exit(f"{method}: {answer['error']['message']}")


def use(tool, **arguments):
    """What a tool gives; what it refuses ends the program with its hint."""
    result = request("tools/call", {"name": tool, "arguments": arguments})
    answer = json.loads(result["content"][0]["text"])
    if result.get("isError"):
        sys.exit(f"{tool}: {answer['error']}. {answer.get('hint', '')}")
    return answer


def holdings(*tokens):
    """{symbol: (amount, dollars)}"""
    held = dict.fromkeys(tokens, (Decimal(0), Decimal(0)))
    for each in use("get_portfolio", chain=CHAIN)["balances"]:
        if each["symbol"] in tokens:
            dollars = each["usd_value"] or sys.exit(f"{each['symbol']} has no price now")
            held[each["symbol"]] = (Decimal(each["balance"]), Decimal(dollars))
    return held


def rebalance(first, second, share):
    held = holdings(first, second)
    whole = held[first][1] + held[second][1]
    excess = held[first][1] - whole * share  # in dollars
    print(f"{first} ${held[first][1]:.2f}, {second} ${held[second][1]:.2f}", flush=True)
    if abs(excess) <= whole * TOLERANCE:
        return
    sold, bought = (first, second) if excess > 0 else (second, first)
    amount = (held[sold][0] * abs(excess) / held[sold][1]).quantize(Decimal("0.000001"), ROUND_DOWN)
    quote = use("get_quote", chain=CHAIN, from_token=sold, to_token=bought, amount=f"{amount:f}")
    swap = use("execute_swap", quote_id=quote["quote_id"])
    while swap["status"] not in ("completed", "failed"):
        time.sleep(1)
        swap = use("get_swap_status", swapId=swap["swap_id"])
    print(f"{swap['from_amount']} {sold} for {swap['to_amount']} {bought}: {swap['status']}", flush=True)


def main(first="ETH", second="USDC", percent="50"):
    client = {"name": "rebalance", "version": "1"}
    request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
    while True:
        rebalance(first, second, Decimal(percent) / 100)
        if not os.environ.get("EVERY"):
            return
        time.sleep(float(os.environ["EVERY"]))


main(*sys.argv[1:])
