// node.mjs: a chain's node for the poll bench, as a program of its own that tells its parent the port. Under /none
// no transaction is in a block yet; under /all each has been in one for long, and succeeded.

import { createServer } from 'node:http';

const HEAD = 1000000;
const BLOCK = 900000;

const hex = (n) => `0x${n.toString(16)}`;
const receipt = (hash) => ({ transactionHash: hash, blockNumber: hex(BLOCK), blockHash: `0x${'b'.repeat(64)}`, status: '0x1', logs: [] });

function result(method, params, included) {
    switch (method) {
        case 'eth_blockNumber': return hex(HEAD);
        case 'eth_chainId': return '0x1';
        case 'eth_getTransactionCount': return included ? hex(HEAD) : '0x0';
        case 'eth_getTransactionReceipt': return included ? receipt(params[0]) : null;
        case 'eth_getBlockByNumber': return { number: hex(BLOCK + 1000) };
        case 'eth_feeHistory': return { oldestBlock: hex(HEAD - 10), baseFeePerGas: Array(11).fill('0x3b9aca00'), reward: Array(10).fill(['0x5f5e100']) };
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
process.on('disconnect', () => process.exit());
