// relay.mjs PORT END HELD: stands between the gateway and the venue at PORT, as a program of its own that tells its parent the port.
// Asked over the channel to its parent, it says how many milliseconds each order, a POST to a path with that END, took there since,
// and all else: questions about one user that are asked at the same time are over when the last one is answered. Orders are
// answered HELD ms after they were sent, if the venue is not later.
//
// It passes bytes on without a look at what they say, since what it takes itself counts as the gateway's: on a connection an
// exchange begins with what the gateway sends and ends with the last that the venue answers.

import { connect, createServer } from 'node:net';

const [port, end, held] = process.argv.slice(2);
let exchanges = [];

const isOrder = (bytes) => {
    const text = bytes.toString('latin1');
    return text.startsWith('POST ') && text.slice(0, text.indexOf(' HTTP/')).endsWith(end);
};

/** Passes on what came, now or when its time has come; in either case in the order in which it came. */
function answer(gateway, current, bytes) {
    const send = () => {
        current.ended = performance.now();
        gateway.write(Buffer.concat(current.waiting.splice(0)));
    };
    current.waiting.push(bytes);
    if (current.waiting.length > 1) return;
    const left = current.isOrder ? current.begun + Number(held) - performance.now() : 0;
    if (left > 0) setTimeout(send, left);
    else send();
}

function pass(gateway) {
    const venue = connect(port, '127.0.0.1');
    let current = null;
    gateway.on('data', (bytes) => {
        const now = performance.now();
        if (current === null || current.ended !== undefined) {
            current = { begun: now, asked: [], isOrder: isOrder(bytes), waiting: [] };
            exchanges.push(current);
        }
        current.asked.push(bytes);
        venue.write(bytes);
    });
    venue.on('data', (bytes) => {
        if (current !== null) answer(gateway, current, bytes);
    });
    for (const [one, other] of [[gateway, venue], [venue, gateway]]) {
        one.on('close', () => other.destroy());
        one.on('error', () => {});
        one.setNoDelay(true);
    }
}

/** The lengths of what is left when intervals that overlap are one. */
function joined(intervals) {
    const whole = [];
    for (const { begun, ended } of intervals.sort((a, b) => a.begun - b.begun)) {
        const last = whole.at(-1);
        if (last !== undefined && begun < last.ended) last.ended = Math.max(last.ended, ended);
        else whole.push({ begun, ended });
    }
    return whole.map(({ begun, ended }) => ended - begun);
}

function timesOf(over) {
    const orders = [];
    const others = new Map(); // by user
    for (const { begun, ended, asked, isOrder: is } of over) {
        if (is) {
            orders.push(ended - begun);
            continue;
        }
        const user = /"user":"([^"]*)"/.exec(Buffer.concat(asked).toString('latin1'))?.[1] ?? others.size;
        others.set(user, [...others.get(user) ?? [], { begun, ended }]);
    }
    return { orders, others: [...others.values()].flatMap(joined) };
}

const server = createServer(pass);
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('message', () => {
    process.send(timesOf(exchanges.filter(({ ended }) => ended !== undefined)));
    exchanges = exchanges.filter(({ ended }) => ended === undefined);
});
process.on('disconnect', () => process.exit());
