#!/usr/bin/env python3
"""first-swap.py [AMOUNT [FROM [TO]]]: a new agent with a new wallet swaps 1.5 ETH for USDC."""
import json
import os
import sys
import time
import urllib.error
import urllib.request

GATEWAY = os.environ.get("GATEWAY", "http://127.0.0.1:8080")


def ask(method, url, body=None, key=None):
    """Sends JSON and reads JSON; a refusal ends the program with its hint."""
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    data = None if body is None else json.dumps(body).encode()
    try:
        request = urllib.request.Request(url, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as refusal:
        answer = json.load(refusal)
        sys.exit(f"{method} {url}: {answer['error']}. {answer.get('hint', '')}")
    except urllib.error.URLError as error:
        sys.exit(f"{method} {url}: {error.reason}")


class Agent:
    """An agent of its own, registered when it is made."""

    def __init__(self, name):
        self.key = None
        self.key = self.post("/register", {"name": name})["agent"]["api_key"]  # shown this once

    def post(self, path, body=None):
        return ask("POST", f"{GATEWAY}/v1/agent{path}", body, self.key)

    def get(self, path):
        return ask("GET", f"{GATEWAY}/v1/agent{path}", key=self.key)


def main(amount="1.5", from_token="ETH", to_token="USDC"):
    agent = Agent("my-agent")
    wallet = agent.post("/wallets")["wallet"]  # whose key stays with the gateway
    # The sandbox funds everybody: 100 ETH and some dollars.
    ask("POST", f"{GATEWAY}/sandbox/fund", {"address": wallet["address"], "chain": "ethereum"})

    # A price, good for 60 seconds, and the swap.
    quote = agent.post("/quote", {"from_token": from_token, "to_token": to_token, "amount": amount})
    print(f"{quote['amount_in']} {quote['from_token']['symbol']} for {quote['amount_out']} {quote['to_token']['symbol']}")
    swap = agent.post("/swap/execute", {"quote_id": quote["quote_id"]})
    while swap["status"] not in ("completed", "failed"):
        time.sleep(1)
        swap = agent.get(f"/swap/status/{swap['swap_id']}")
    print(f"swap {swap['swap_id']}: {swap['status']}, transaction {swap['tx_hash']}")
    return 0 if swap["status"] == "completed" else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
