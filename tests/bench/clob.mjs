// clob.mjs ORDERS PAGE: a prediction market's order book for the bench of order-poll, as a program of its own that tells its
// parent the port. Every wallet has ORDERS open orders, in pages of PAGE; their hashes are those of its address and a number.
// Asked over the channel to its parent, it says what it was asked since, and what that took of a processor.

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const [ORDERS, PAGE] = process.argv.slice(2).map(Number);
const LAST = 'LTE=';
const CREDENTIALS = { apiKey: '9180014b-33c8-9240-a14b-bdca11c0a465', secret: Buffer.from('secret').toString('base64url'), passphrase: 'passphrase' };

const pages = new Map();
let lists = 0;
let others = 0;
let cpu = process.cpuUsage();

function page(wallet, from) {
    const data = Array.from({ length: Math.min(PAGE, ORDERS - from) }, (_, i) => ({
        id: `0x${createHash('sha256').update(`${wallet.toLowerCase()} ${from + i}`).digest('hex')}`, status: 'LIVE', original_size: '20', size_matched: '0',
    }));
    return JSON.stringify({ data, next_cursor: from + PAGE < ORDERS ? Buffer.from(String(from + PAGE)).toString('base64') : LAST });
}

function answer({ url, headers }) {
    const { pathname, searchParams } = new URL(url, 'http://clob');
    if (pathname === '/time') return String(Math.floor(Date.now() / 1000));
    if (pathname.startsWith('/auth/')) return JSON.stringify(CREDENTIALS);
    if (pathname !== '/data/orders') {
        others++;
        return JSON.stringify({ data: [], next_cursor: LAST });
    }
    lists++;
    const from = Number(Buffer.from(searchParams.get('next_cursor'), 'base64'));
    const key = `${headers.poly_address} ${from}`;
    if (!pages.has(key)) pages.set(key, page(headers.poly_address, from));
    return pages.get(key);
}

const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(answer(request));
});
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('message', () => {
    const { user, system } = process.cpuUsage(cpu);
    process.send({ lists, others, micros: user + system });
    [lists, others, cpu] = [0, 0, process.cpuUsage()];
});
process.on('disconnect', () => process.exit());
