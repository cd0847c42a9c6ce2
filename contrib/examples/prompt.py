#!/usr/bin/env python3
"""prompt.py: a prompt that takes plain English, such as: swap half of my ETH to USDC on base

GATEWAY is the service, KEY the agent's API key. A sentence that begins with ? is only shown as it is understood and priced;
"help" lists what can be said. On a terminal a refusal is told, and the next sentence taken; in a script it is the end.
"""
import json
import os
import sys
import urllib.error
import urllib.request

GATEWAY = os.environ.get("GATEWAY", "http://127.0.0.1:8080")


def execute(command, dry_run):
    """(whether it was done, the answer)"""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('KEY', '')}"}
    body = json.dumps({"command": command, "dry_run": dry_run}).encode()
    request = urllib.request.Request(f"{GATEWAY}/v1/agent/execute", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return True, json.load(response)
    except urllib.error.HTTPError as refusal:
        return False, json.load(refusal)
    except urllib.error.URLError as error:
        return False, {"error": str(error.reason)}


def brief(value):
    """A line of what people like to read of a JSON object."""
    if not isinstance(value, dict):
        return str(value)
    if "symbol" in value and "balance" not in value:
        return value["symbol"]
    return ", ".join(f"{name} {each}" for name, each in value.items() if isinstance(each, (str, int, float)))


def tell(answer):
    print(f"[{answer['action']}]")
    for name, value in answer["result"].items():
        if isinstance(value, list) and value:
            print("\n".join([f"{name}:"] + [f"  {brief(each)}" for each in value]))
        elif name != "success" and value is not None and value != []:
            print(f"{name}: {brief(value)}")
    sys.stdout.flush()


def complain(answer):
    print(f"{answer['error']}. {answer.get('hint', '')}", file=sys.stderr)
    for example in answer.get("examples", []):
        print(f"  {example}", file=sys.stderr)


def sentences(terminal):
    while True:
        try:
            line = input("> " if terminal else "").strip()
        except (EOFError, KeyboardInterrupt):
            return
        if line:
            yield line


def main():
    terminal = sys.stdin.isatty()
    for line in sentences(terminal):
        done, answer = execute(line.lstrip("? "), line.startswith("?"))
        if done:
            tell(answer)
            continue
        complain(answer)
        if not terminal:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
