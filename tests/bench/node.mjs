// node.mjs: a chain's node for the poll bench, as a program of its own that tells its parent the port. Under /none
// no transaction is in a block yet; under /all each has been in one for long, and succeeded. On Solana none is known. Asked over
// the channel to its parent, it says how often it was asked each question.

import { createServer } from 'node:http';

const HEAD = 1000000;
const BLOCK = 900000;

const hex = (n) => `0x${n.toString(16)}`;
const receipt = (hash) => ({ transactionHash: hash, blockNumber: hex(BLOCK), blockHash: `0x${'b'.repeat(64)}`, status: '0x1', logs: [] });

const asked = {};

function result(method, params, included) {
    asked[method] = (asked[method] ?? 0) + 1;
    switch (method) {
        case 'eth_blockNumber': return hex(HEAD);
        case 'eth_chainId': return '0x1';
        case 'eth_getTransactionCount': return included ? hex(HEAD) : '0x0';
        case 'eth_getTransactionReceipt': return included ? receipt(params[0]) : null;
        case 'eth_getBlockByNumber': return { number: hex(BLOCK + 1000) };
        case 'eth_feeHistory': return { oldestBlock: hex(HEAD - 10), baseFeePerGas: Array(11).fill('0x3b9aca00'), reward: Array(10).fill(['0x5f5e100']) };
        case 'getGenesisHash': return '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
        case 'getEpochInfo': return { absoluteSlot: HEAD, blockHeight: BLOCK };
        case 'getSignatureStatuses': return { context: { slot: HEAD }, value: params[0].map(() => null) };
        default: return null;
    }
}

const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const asked = JSON.parse(Buffer.concat(chunks));
    const one = ({ id, method, params }) => ({ jsonrpc: '2.0', id, result: result(method, params, request.url === '/all') });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked)));
});
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('message', () => process.send(asked));
process.on('disconnect', () => process.exit());
