// The signatures of requests that are made with a secret instead of a wallet's key.

import { createHmac } from 'node:crypto';

const WINDOW_S = 60;

/** Base64 in the alphabet of URLs, with its padding. The path is the service's own, without a query. */
export function hmacOf(secret, timestamp, { method, path, body }) {
    const hmac = createHmac('sha256', Buffer.from(secret, 'base64url'));
    const digest = hmac.update(`${timestamp}${method}${path}`).update(body).digest('base64');
    return digest.replaceAll('+', '-').replaceAll('/', '_');
}

/** Seconds since 1970 as text, of about now. */
export function isTimely(timestamp) {
    return /^\d{1,12}$/.test(timestamp) && Math.abs(Date.now() / 1000 - Number(timestamp)) <= WINDOW_S;
}
