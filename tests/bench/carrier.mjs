// carrier.mjs: a carrier of bridges for bridges.mjs, as a program of its own that tells its parent the port: each bridge is
// under way. Asked over the channel to its parent, it says when it was asked about each: { id: [ms of the clock] }.

import { createServer } from 'node:http';

const UNDER_WAY = JSON.stringify({ status: 'pending', originChainId: 1, destinationChainId: 8453, inTxHashes: [] });
const asked = {};

const server = createServer((request, response) => {
    const id = new URL(request.url, 'http://carrier').searchParams.get('requestId');
    (asked[id] ??= []).push(Date.now());
    response.setHeader('content-type', 'application/json');
    response.end(UNDER_WAY);
});
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('message', () => process.send(asked));
process.on('disconnect', () => process.exit());
