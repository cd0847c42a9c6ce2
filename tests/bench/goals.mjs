// What the gateway has to reach, by the names of figures.mjs. The table at the end of a run, the README's and the charts are
// made of these rows.

/** Background work of the same server is counted with the requests: a few hundredths of a query or of a row for each. */
const COUNTED = 0.1;

const toIdeal = (name, atLeast) => ({ figure: `${name}.rate.toIdeal`, atLeast, what: `${name}: requests/s to the ideal's` });
const toPeer = (name, atLeast) => ({ figure: `${name}.rate.toPeer`, atLeast, what: `${name}: requests/s to the peer's` });
const p99 = (name) => ({ figure: `${name}.p99.toPeer`, atMost: 0.5, what: `${name}: p99 to the peer's` });
const queries = (name, atMost) => ({
    figure: `${name}.queries.gateway`, atMost, slack: COUNTED, what: `${name}: queries for each`,
});

/** Of one of big.mjs's sizes. */
const grown = (size, words) => [
    { figure: `${size}.far.rows`, atMost: 40, slack: 1 + COUNTED, what: `swaps: rows read for a page of 20, deep in a long history${words}` },
    { figure: `${size}.claim.ms`, atMost: 6, what: `webhook-drain: ms of the database to claim 100 events${words}` },
    { figure: `${size}.follow.claim.ms`, atMost: 6, what: `swap-poll: ms of the database to claim 100 executions${words}` },
];

export const GOALS = [
    toIdeal('chains', 3), toPeer('chains', 2.5), p99('chains'),
    toIdeal('me', 0.9), toPeer('me', 3), p99('me'), queries('me', 1),
    toIdeal('unknown', 0.9), toPeer('unknown', 1.3), p99('unknown'), queries('unknown', 1),
    toIdeal('malformed', 0.9), queries('malformed', 0),
    toIdeal('swaps', 0.85), toPeer('swaps', 2.8), p99('swaps'),
    { figure: 'swaps.rows.gateway', atMost: 25, slack: COUNTED, what: 'swaps: rows read for a page of 20' },
    toIdeal('quote', 0.75), toPeer('quote', 3.3), p99('quote'), queries('quote', 2),
    { figure: 'quote.cpu.toIdeal', atMost: 1.3, what: 'quote: CPU of web server and gateway to the ideal\'s' },
    toIdeal('markets', 0.75), queries('markets', 2),
    toIdeal('orders', 0.75), queries('orders', 2),
    { figure: 'orders.rows.gateway', atMost: 25, slack: COUNTED, what: 'orders: rows read for a page of 20' },
    toIdeal('lend.markets', 0.75),
    toIdeal('lend.operations', 0.75), queries('lend.operations', 2),
    toIdeal('perps.markets', 0.85), queries('perps.markets', 2),
    toIdeal('perps.orders', 0.75),
    { figure: 'memory.idle.toPeer', atMost: 0.1, what: 'memory when idle, to the peer\'s' },
    { figure: 'memory.loaded.toPeer', atMost: 0.1, what: 'memory after 200000 requests, to the peer\'s' },
    { figure: 'memory.growth', atMost: 0, slack: 0.02, what: 'memory: growth over 200000 requests' },
    { figure: 'execute.wallets.rate', atLeast: 400, what: 'execute/s over 32 wallets' },
    { figure: 'execute.wallet.rate', atLeast: 300, what: 'execute/s on one wallet' },
    { figure: 'execute.wallets.p99', atMost: 100, what: 'execute: p99 in ms at 200/s over 32 wallets' },
    { figure: 'execute.wallet.p99', atMost: 100, what: 'execute: p99 in ms at 150/s on one wallet' },
    { figure: 'execute.bad', atMost: 0, what: 'execute: answers that were not 200, swaps not mined' },
    { figure: 'lend.execute.toSwaps', atLeast: 0.9, what: 'operations at lenders/s over 32 wallets, to swaps of the same token' },
    { figure: 'place.added', atMost: 10, what: 'orders on prediction markets, 16 at once: median ms beyond the venue\'s own' },
    { figure: 'perps.place.added', atMost: 10, what: 'orders for perpetuals, 16 at once: median ms beyond what the venue takes for each, 200 for an order' },
    { figure: 'perps.place.crowded.added', atMost: 10, what: 'the same beside a venue that answers at once, on the same cores' },
    { figure: 'look.seconds', atMost: 10, what: 'order-poll: seconds to look at 10000 open orders of 200 wallets' },
    { figure: 'look.asked', atMost: 1, what: 'order-poll: what the venue is asked for each wallet and page' },
    { figure: 'perps.look.seconds', atMost: 10, what: 'order-poll: seconds to look at 10000 open orders for perpetuals of 200 wallets' },
    { figure: 'perps.look.asked', atMost: 1, what: 'order-poll: what their venue is asked for each list and state of a wallet' },
    { figure: 'fanout.rate.toIdeal', atLeast: 0.8, what: 'quotes of all sources that answer at once: requests/s to the ideal\'s, which asks the same' },
    { figure: 'fanout.slow.p50', atMost: 1.05, what: 'quotes of all sources of 200 ms: median to 200 ms' },
    { figure: 'fanout.slow.p99', atMost: 1.25, what: 'quotes of all sources of 200 ms: p99 to 200 ms' },
    { figure: 'fanout.faulty.latest', atMost: 2600, what: 'quotes with one source stalled and one of garbage: ms of the longest, where 2500 are the deadline' },
    { figure: 'fanout.faulty.p50', atMost: 1.1, what: 'the same once these are left alone: median to that without them' },
    { figure: 'fanout.judged.toSignature', atMost: 0.25, what: 'calls of aggregators: read and judged, to one signature' },
    { figure: 'fanout.execute.toUniswap', atLeast: 0.6, what: 'execute/s through an aggregator, to Uniswap\'s' },
    { figure: 'fanout.bridges.early', atMost: 0, what: 'swap-poll: what a carrier of 1000 bridges is asked before its time' },
    { figure: 'fanout.bridges.cpu', atMost: 0.05, what: 'swap-poll: of a core, for 1000 bridges that are under way' },
    { figure: 'solana.rate.toIdeal', atLeast: 0.85, what: 'quotes on Solana: requests/s to the ideal\'s, which asks the same' },
    { figure: 'solana.judged.toAllowed', atMost: 1, what: 'orders of Jupiter: read and judged, to half a signature and 30 µs' },
    { figure: 'solana.execute.toEvm', atLeast: 0.8, what: 'execute/s on Solana over 32 wallets, to the EVM path\'s' },
    { figure: 'solana.execute.cpuToEvm', atMost: 1.5, what: 'the same: processor time of web server, gateway and database, to the EVM path\'s' },
    { figure: 'solana.poll.asked', atMost: 1, what: 'swap-poll: what a node of Solana is asked for each 256 swaps' },
    { figure: 'frozen.me.ratio', atMost: 3, what: 'all nodes frozen, 120 quotes waiting: p99 of /me to its idle one' },
    { figure: 'start.seconds', atMost: 0.1, what: 'start: seconds to the first 200' },
    { figure: 'restart.failed', atMost: 0, what: 'restart under traffic: failed requests' },
    { figure: 'drain.http.toIdeal', atLeast: 0.8, what: 'webhook-drain over HTTP, to the ideal drain' },
    { figure: 'drain.tls.toIdeal', atLeast: 0.8, what: 'webhook-drain over TLS, to the ideal drain' },
    { figure: 'poll.toIdeal', atLeast: 0.6, what: 'swap-poll, to the ideal poller' },
    ...grown('big', ''), ...grown('million', ', with a million agents and ten million swaps'),
    { figure: 'signer.added', atMost: 150, what: 'signer: µs of a signature, asked and answered' },
    { figure: 'signer.rate', atLeast: 5000, what: 'signer: signatures/s of 8 clients' },
];

export function isMet({ atLeast, atMost, slack = 0 }, value) {
    return atLeast !== undefined ? value >= atLeast - slack : value <= atMost + slack;
}
