// Section: api
// What the log says of requests, by the setting log_requests.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { API, register, send, until } from './lib.mjs';
import { startGateway } from './gateway.mjs';

let [agent, quiet, talking] = [];

before(async () => {
    agent = await register();
    [quiet, talking] = await Promise.all([startGateway(), startGateway(['log_requests = all'])]);
});
after(() => Promise.all([quiet, talking].map((gateway) => gateway?.stop())));

/** One request of a known id. */
const ask = async ({ base }, path, key = agent.key) => {
    const id = randomUUID();
    await send('GET', API + path, { base, key, headers: { 'x-request-id': id } });
    return id;
};
const lines = ({ log }, part) => readFileSync(log, 'utf8').split('\n').filter((line) => line.includes(part));
const line = (gateway, part) => until(`a line with ${part}`, () => lines(gateway, part)[0]);

test('a request that was refused is told of with agent, error_code and its request_id', async () => {
    const path = `/swap/status/${'9'.repeat(12)}`;
    assert.match(await line(quiet, await ask(quiet, path)), new RegExp(
        `^\\S+Z info gateway\\[\\d+\\] event=request request_id=[0-9a-f-]{36} method=GET path="${API}${path}" status=404 ms=\\d+ agent=${agent.id} error_code=SWAP_NOT_FOUND$`));
});

test('a successful request is logged where all are', async () => {
    const id = await ask(quiet, '/me');
    await line(quiet, await ask(quiet, '/nowhere'));
    assert.deepEqual(lines(quiet, id), []);
    assert.match(await line(talking, await ask(talking, '/me')), new RegExp(`event=request .*path="${API}/me" status=200 ms=\\d+ agent=${agent.id} error_code=-$`));
});

test('requests with unknown keys are counted, unless all are told of', async () => {
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await ask(quiet, '/me', `${agent.key.slice(0, -4)}aaaa`));
    await line(quiet, await ask(quiet, '/nowhere'));
    assert.equal(lines(quiet, 'event=unknown_key').length, 1);
    for (const id of ids.slice(1)) assert.deepEqual(lines(quiet, id), []);
    assert.match(await line(talking, await ask(talking, '/me', `${agent.key.slice(0, -4)}aaaa`)), /status=401 ms=\d+ agent=- error_code=INVALID_API_KEY$/);
});
