// Section: api, apache
// Clients that take their time. The web server waits for them, not the gateway: more of them than there are workers delay
// no other client, and once they go on they get what they asked for.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import {
    API, granted, register, stackSettings, until,
} from './lib.mjs';
import { hostname, port, readAnswers, request } from './raw.mjs';

const agent = await register({ name: 'slow' });
const AUTHORIZED = `Authorization: Bearer ${agent.key}`;
// With those that never wait, two for each core.
const workers = Number((await stackSettings()).GATEWAY_WORKERS) + 2 * availableParallelism();
// Waits for no other service: of calls that do, fewer are admitted at once.
const CHANGE = JSON.stringify({ description: 'changed by a slow client' });
const HEADERS = [AUTHORIZED, 'Content-Type: application/json'];
const ME = request('GET', `${API}/me`, [AUTHORIZED]);
const BODY = request('PATCH', `${API}/me`, [...HEADERS, `Content-Length: ${CHANGE.length}`], CHANGE);
const CHUNKED = request('PATCH', `${API}/me`, [...HEADERS, 'Transfer-Encoding: chunked'], `${CHANGE.length.toString(16)}\r\n${CHANGE}\r\n0\r\n\r\n`);
const OPENAPI = request('GET', `${API}/openapi`);

/** A connection on which the first part has been sent. */
async function begin(first, options = {}) {
    const socket = connect({ host: hostname, port, noDelay: true, ...options });
    const parts = [];
    const client = {
        socket,
        closed: false,
        answers: () => readAnswers(Buffer.concat(parts), client.closed),
        answered: (count) => until('an answer to a slow client', () => client.answers().length >= count && client.answers()[count - 1]),
    };
    socket.on('data', (part) => parts.push(part));
    socket.on('close', () => { client.closed = true; });
    socket.on('error', () => {});
    await once(socket, 'connect');
    if (first !== '') socket.write(first, 'latin1');
    return client;
}

const beginMany = (count, first) => Promise.all(Array.from({ length: count }, () => begin(first)));

// Nothing more comes from this one.
const abandoned = await begin(ME.slice(0, -2));
test('half a request is not waited for without end', () => until('the server to give it up', () => abandoned.closed));

/** Requests of every kind are answered, while nothing happens on the connections of the slow. */
async function othersAreServed(slow) {
    const other = await register({ name: 'in a hurry' });
    for (let i = 0; i < 3; i++) {
        granted(await other.get('/me'));
        await other.quote('ETH', 'USDC', '0.01', { chain: 'base' });
    }
    granted(await other.send('POST', '/wallets'), 201);
    for (const client of slow) assert.equal(client.closed, false, 'a slow client was sent away');
}

const KINDS = {
    'the first line': [ME, 7],
    'the headers': [ME, ME.indexOf(AUTHORIZED) + 20],
    'the last byte of the headers': [ME, ME.length - 1],
    'a body that was announced': [BODY, BODY.length - CHANGE.length],
    'half a body': [BODY, BODY.length - 10],
    'half a chunk': [CHUNKED, CHUNKED.length - 20],
    'the last chunk': [CHUNKED, CHUNKED.length - 3],
};

for (const [what, [bytes, cut]] of Object.entries(KINDS)) {
    test(`more clients than workers are waited for: ${what}`, async () => {
        const slow = await beginMany(workers + 8, bytes.slice(0, cut));
        await othersAreServed(slow);
        for (const client of slow) assert.deepEqual(client.answers(), []);
        for (const { socket } of slow) socket.write(bytes.slice(cut), 'latin1');
        for (const client of slow) {
            granted(await client.answered(1));
            client.socket.destroy();
        }
    });
}

test('more clients than workers that do not read their answers', async () => {
    // Many answers on a connection, more than its buffers take.
    const slow = await beginMany(workers + 8, '');
    for (const { socket } of slow) {
        socket.pause();
        socket.write(OPENAPI.repeat(40), 'latin1');
    }
    await othersAreServed(slow);
    for (const { socket } of slow) socket.destroy();
    granted(await agent.get('/me'));
});

// Longer than a web server needs to accept them all: it must have room, for it waits for each of them a while.
test('2,300 half-sent requests do not stop the server', async () => {
    const slow = [];
    for (let i = 0; i < 23; i++) slow.push(...await beginMany(100, ME.slice(0, -2)));
    await othersAreServed(slow);
    for (const { socket } of slow) socket.destroy();
});

test('500 connections that are held open', async () => {
    const silent = await beginMany(150, '');
    const halfway = await beginMany(150, ME.slice(0, 40));
    const kept = await beginMany(200, ME);
    for (const client of kept) assert.equal((await client.answered(1)).status, 200);
    const all = [...silent, ...halfway, ...kept];
    await othersAreServed(all);
    for (const { socket } of silent) socket.write(ME, 'latin1');
    for (const { socket } of halfway) socket.write(ME.slice(40), 'latin1');
    for (const { socket } of kept) socket.write(ME, 'latin1');
    for (const client of [...silent, ...halfway]) granted(await client.answered(1));
    for (const client of kept) assert.equal(granted(await client.answered(2)).agent.id, agent.id);
    for (const { socket } of all) socket.destroy();
});
