// clob.mjs ORDERS PAGE: a prediction market's order book for the bench of order-poll (venue.mjs). Every wallet has ORDERS open
// orders, in pages of PAGE; their hashes are those of its address and a number.

import { createHash } from 'node:crypto';
import { startVenue } from './venue.mjs';

const [ORDERS, PAGE] = process.argv.slice(2).map(Number);
const LAST = 'LTE=';
const CREDENTIALS = { apiKey: '9180014b-33c8-9240-a14b-bdca11c0a465', secret: Buffer.from('secret').toString('base64url'), passphrase: 'passphrase' };

const pages = new Map();

function page(wallet, from) {
    const data = Array.from({ length: Math.min(PAGE, ORDERS - from) }, (_, i) => ({
        id: `0x${createHash('sha256').update(`${wallet.toLowerCase()} ${from + i}`).digest('hex')}`, status: 'LIVE', original_size: '20', size_matched: '0',
    }));
    return JSON.stringify({ data, next_cursor: from + PAGE < ORDERS ? Buffer.from(String(from + PAGE)).toString('base64') : LAST });
}

function listed(headers, searchParams) {
    const from = Number(Buffer.from(searchParams.get('next_cursor'), 'base64'));
    const key = `${headers.poly_address} ${from}`;
    if (!pages.has(key)) pages.set(key, page(headers.poly_address, from));
    return pages.get(key);
}

startVenue(({ url, headers }) => {
    const { pathname, searchParams } = new URL(url, 'http://clob');
    if (pathname === '/data/orders') return { text: listed(headers, searchParams), isLooked: true };
    if (pathname === '/time') return { text: String(Math.floor(Date.now() / 1000)) };
    if (pathname.startsWith('/auth/')) return { text: JSON.stringify(CREDENTIALS) };
    return { text: JSON.stringify({ data: [], next_cursor: LAST }) };
});
