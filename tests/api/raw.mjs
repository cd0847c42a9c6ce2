// Requests byte by byte over connections of their own, and the answers that come of them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { GATEWAY } from './lib.mjs';
import { PATIENCE_MS } from '../patience.mjs';

export const { hostname, port, host } = new URL(GATEWAY);

// A server that waits for the rest of a request says nothing for so long; then the client leaves.
const QUIET_MS = 600;
/** Where an answer has to come, however busy the machine is. */
export const ANSWERED = { wanted: 1, quiet: PATIENCE_MS };

/**
 * Sends these bytes over a connection of their own and resolves to { answers, closed }: all answers up to `wanted`, or
 * until the server closes or says nothing any more. `abort` breaks the connection off right after the last byte.
 */
export async function talk(bytes, { wanted = Infinity, abort = false, quiet = QUIET_MS } = {}) {
    const socket = connect({ host: hostname, port, noDelay: true });
    const parts = [];
    let closed = false;
    let heard = performance.now();
    socket.on('data', (part) => { parts.push(part); heard = performance.now(); });
    socket.on('close', () => { closed = true; });
    socket.on('error', () => {}); // the server may close while the request still goes out
    await Promise.race([once(socket, 'connect'), pause(PATIENCE_MS, undefined, { ref: false })]);
    for (const part of [bytes].flat()) {
        if (closed) break;
        await new Promise((sent) => { socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part, sent); });
    }
    if (abort) {
        await pause(50);
        socket.destroy();
        return { answers: [], closed: true };
    }
    const begun = performance.now();
    let answers = [];
    do {
        await pause(10);
        answers = readAnswers(Buffer.concat(parts), closed);
    } while (!closed && answers.length < wanted && performance.now() - begun < PATIENCE_MS
        && performance.now() - Math.max(heard, begun) < (answers.length > 0 && wanted === Infinity ? QUIET_MS / 2 : quiet));
    socket.destroy();
    return { answers, closed };
}

/** The complete answers in what came. What is no answer at all fails the test. */
export function readAnswers(bytes, closed) {
    const answers = [];
    let at = 0;
    while (at < bytes.length) {
        const end = bytes.indexOf('\r\n\r\n', at);
        if (end < 0) break;
        const [line, ...lines] = bytes.toString('latin1', at, end).split('\r\n');
        const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)\b/.exec(line)?.[1]);
        assert.ok(status, `no status line: ${line.slice(0, 200)}`);
        const headers = Object.fromEntries(lines.map((each) => {
            const colon = each.indexOf(':');
            return [each.slice(0, colon).toLowerCase(), each.slice(colon + 1).trim()];
        }));
        const body = readBody(bytes.subarray(end + 4), status, headers, closed);
        if (body === undefined) break;
        at = end + 4 + body.size;
        if (status >= 200) answers.push({ status, headers, ...parsed(body.text) });
    }
    return answers;
}

function readBody(bytes, status, headers, closed) {
    if (status < 200 || status === 204) return { size: 0, text: '' };
    if (headers['transfer-encoding'] === 'chunked') return readChunks(bytes);
    if (headers['content-length'] === undefined) return closed ? { size: bytes.length, text: bytes.toString() } : undefined;
    const size = Number(headers['content-length']);
    return size <= bytes.length ? { size, text: bytes.toString('utf8', 0, size) } : undefined;
}

function readChunks(bytes) {
    let text = '';
    let at = 0;
    for (;;) {
        const line = bytes.indexOf('\r\n', at);
        if (line < 0) return undefined;
        const size = parseInt(bytes.toString('latin1', at, line), 16);
        if (line + 4 + size > bytes.length) return undefined;
        text += bytes.toString('utf8', line + 2, line + 2 + size);
        at = line + 4 + size;
        if (size === 0) return { size: at, text };
    }
}

function parsed(text) {
    try {
        return { text, body: JSON.parse(text) };
    } catch {
        return { text, body: undefined };
    }
}

/** A request's head and body; `headers` are lines. */
export function request(method, path, headers = [], body = '') {
    return `${[`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...headers].join('\r\n')}\r\n\r\n${body}`;
}
