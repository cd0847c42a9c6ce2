// relay.mjs PORT END: stands between the gateway and the venue at PORT, as a program of its own that tells its parent the port. Asked
// over the channel to its parent, it says how many milliseconds each order, a POST to a path with that END, took there since, and
// all else: questions about one user that are asked at the same time are over when the last one is answered.

import {
    Agent, createServer, request as ask,
} from 'node:http';

const [port, end] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, timeout: 2000 }); // before the venue ends what is idle
const asking = new Map(); // by user: since when, and how many
let times = { orders: [], others: [] };

const whose = (body) => /"user":"([^"]*)"/.exec(body)?.[1] ?? Symbol('nobody');

function begin(user) {
    const of = asking.get(user) ?? { begun: performance.now(), open: 0 };
    of.open++;
    asking.set(user, of);
}

function finish(user) {
    const of = asking.get(user);
    if (of === undefined || --of.open > 0) return;
    asking.delete(user);
    times.others.push(performance.now() - of.begun);
}

/** Tells `over` when the venue's answer is whole. */
function pass({ method, url, headers }, body, outgoing, over) {
    const passed = ask({ host: '127.0.0.1', port, method, path: url, headers, agent }, (answer) => {
        outgoing.writeHead(answer.statusCode, answer.headers);
        answer.pipe(outgoing);
        answer.on('end', over);
    });
    passed.on('error', () => { over(); outgoing.destroy(); });
    passed.end(body);
}

const server = createServer(async (incoming, outgoing) => {
    const begun = performance.now();
    const body = Buffer.concat(await incoming.toArray());
    if (incoming.method === 'POST' && incoming.url.endsWith(end)) {
        pass(incoming, body, outgoing, () => times.orders.push(performance.now() - begun));
        return;
    }
    const user = whose(body);
    begin(user);
    pass(incoming, body, outgoing, () => finish(user));
});
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('message', () => {
    process.send(times);
    times = { orders: [], others: [] };
});
process.on('disconnect', () => process.exit());
