#!/usr/bin/env node
// webhook-receiver.mjs: prints the gateway's events, and refuses requests that it has not signed. For Node.js 18 or later.
//
// WEBHOOK_SECRET is what came with the first callback_url; PORT is 9000 unless it says otherwise:
//   curl -X PATCH $GATEWAY/v1/agent/me -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
//        -d '{"callback_url":"https://agent.example/webhooks"}'
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const MAX_BODY = 1 << 20;
const TOLERANCE_S = 300; // older deliveries may be an attacker's recordings
const secret = process.env.WEBHOOK_SECRET;
const seen = new Set(); // keep these ids where you keep your books: an event may come more than once

/** Whether one of the signatures is over these very bytes. There are two for a day after a new secret. */
function isSigned(headers, body) {
    const { 'webhook-id': id = '', 'webhook-timestamp': sent = '', 'webhook-signature': signatures = '' } = headers;
    if (!/^\d+$/.test(sent) || Math.abs(Date.now() / 1000 - Number(sent)) > TOLERANCE_S) return false;
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${sent}.`).update(body).digest();
    return signatures.split(' ').filter((each) => each.startsWith('v1,')).some((each) => {
        const offered = Buffer.from(each.slice(3), 'base64');
        return offered.length === expected.length && timingSafeEqual(offered, expected);
    });
}

/** The body of a request; undefined where it is too long. */
async function bodyOf(request) {
    const parts = [];
    let length = 0;
    for await (const part of request) {
        length += part.length;
        if (length <= MAX_BODY) parts.push(part);
    }
    return length <= MAX_BODY ? Buffer.concat(parts) : undefined;
}

function take(id, { type, data }) {
    if (seen.has(id)) return;
    seen.add(id);
    console.log(`verified: ${type} ${JSON.stringify(data)}`);
}

/** The status to answer with. */
async function receive(request) {
    const body = await bodyOf(request);
    if (request.method !== 'POST') return 405;
    if (body === undefined) return 413;
    if (!isSigned(request.headers, body)) {
        console.log('refused: not signed with this secret');
        return 401;
    }
    take(request.headers['webhook-id'], JSON.parse(body));
    return 204;
}

if (!secret) {
    console.error('webhook-receiver.mjs: WEBHOOK_SECRET is missing');
    process.exit(1);
}
const server = createServer(async (request, response) => {
    const status = await receive(request).catch(() => 400);
    response.writeHead(status).end();
});
server.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () => {
    console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
