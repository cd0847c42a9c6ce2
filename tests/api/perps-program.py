#!/usr/bin/env python3
"""perps-program.py URL KEY ADDRESS: as a program with the published client for Python does, it lists ETH-USD, quotes a long of 1.0 at
5.0, and shows the positions of the wallet. It ends with 1 at an answer that lacks what that client reads."""
import json
import math
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass, fields


@dataclass
class Market:
    name: str
    asset: str
    szDecimals: float
    maxLeverage: float
    venueMaxLeverage: float
    markPrice: float
    fundingRate: float


@dataclass
class Quote:
    market: str
    side: str
    size: float
    leverage: float
    entryPrice: float
    margin: float
    liquidationPrice: float
    fundingRate: float
    fee: float


@dataclass
class Position:
    id: str
    market: str
    side: str
    size: float
    leverage: float
    entryPrice: float
    markPrice: float
    margin: float
    unrealizedPnl: float
    liquidationPrice: float
    fundingRate: float


def read(kind, row):
    """A dataclass of what the row has of its fields; others may be there too."""
    for field in fields(kind):
        value = row.get(field.name)
        if field.type is str:
            good = isinstance(value, str) and value != ""
        else:
            good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        if not good:
            sys.exit(f"{kind.__name__}.{field.name} is {value!r}")
    return kind(**{field.name: row[field.name] for field in fields(kind)})


class Client:
    def __init__(self, url, key):
        self.url, self.key = url, key

    def ask(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/perps/{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                answer = json.load(response)
        except urllib.error.HTTPError as refusal:
            sys.exit(json.load(refusal)["error"])
        if answer["success"] is not True:
            sys.exit(f"{path}: {answer}")
        return answer

    def markets(self):
        return [read(Market, row) for row in self.ask("GET", "markets")["markets"]]

    def quote(self, **terms):
        return read(Quote, self.ask("POST", "quote", terms))

    def positions(self, address):
        return [read(Position, row) for row in self.ask("GET", f"positions?address={address}")["positions"]]


def main(url, key, address, market="ETH-USD"):
    client = Client(url, key)
    found = [each for each in client.markets() if each.name == market]
    for each in found:
        print(f"{each.name} {each.asset} ${each.markPrice:,.2f} up to {min(each.maxLeverage, 20):g}x, funding {each.fundingRate:.6%}")
    quote = client.quote(market=market, side="long", size=1.0, leverage=5.0)
    print(f"{quote.side} {quote.size:g} {quote.market} at {quote.leverage:g}x: entry ${quote.entryPrice:,.2f}, margin ${quote.margin:,.2f}, "
          f"liquidation ${quote.liquidationPrice:,.2f}, fee ${quote.fee:,.2f}")
    positions = client.positions(address)
    for each in positions:
        print(f"{each.side} {each.size:g} {each.market} at {each.leverage:g}x, PnL ${each.unrealizedPnl:,.2f}")
    if not positions:
        print("no open positions")


if __name__ == "__main__":
    main(*sys.argv[1:])
