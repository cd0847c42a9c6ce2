// relay.mjs PORT END: stands between the gateway and the venue at PORT, as a program of its own that tells its parent the port. Asked
// over the channel to its parent, it says how many milliseconds each order, a POST to a path with that END, took there since, and
// each other request.

import {
    Agent, createServer, request as ask,
} from 'node:http';

const [port, end] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, timeout: 2000 }); // before the venue ends what is idle
let times = { orders: [], others: [] };

const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const isOrder = method === 'POST' && url.endsWith(end);
    const begun = performance.now();
    const passed = ask({ host: '127.0.0.1', port, method, path: url, headers, agent }, (answer) => {
        outgoing.writeHead(answer.statusCode, answer.headers);
        answer.pipe(outgoing);
        answer.on('end', () => times[isOrder ? 'orders' : 'others'].push(performance.now() - begun));
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
});
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('message', () => {
    process.send(times);
    times = { orders: [], others: [] };
});
process.on('disconnect', () => process.exit());
