// GET /healthz, GET /readyz, GET /metrics.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { startGateway } from './gateway.mjs';
import { ROOT, refused, send } from './lib.mjs';

for (const path of ['/healthz', '/readyz']) {
    test(`${path} is green and needs no key`, async () => {
        const answer = await send('GET', path);
        assert.equal(answer.status, 200, answer.text);
        assert.match(answer.headers['content-type'], /^application\/json\b/);
        assert.match(answer.headers['cache-control'], /no-store/);
        assert.ok(!/password|svc_sk_|whsec_|\/var\/|\.sock/.test(answer.text), answer.text);
    });
}

/** What /readyz of a gateway notes, whose job has asked somebody who answers so. */
async function notesAfter(answer) {
    const server = createServer((request, response) => response.end(answer)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const gateway = await startGateway([`predict_geoblock_url = http://127.0.0.1:${server.address().port}/`]);
    try {
        await gateway.pass('quote-expire');
        const { status, body } = await send('GET', '/readyz', { base: gateway.base });
        assert.deepEqual([status, body.status], [200, 'ready']);
        return body.notes.filter((note) => /country/.test(note));
    } finally {
        await gateway.stop();
        server.close();
    }
}

test('/readyz notes that the prediction venue does not serve this country, and stays green', async () => {
    const served = { blocked: false, ip: '192.0.2.1', country: 'XX', region: '' };
    assert.deepEqual(await notesAfter(JSON.stringify(served)), []);
    assert.deepEqual(await notesAfter(JSON.stringify({ ...served, blocked: true })), ["Polymarket does not serve this server's country: XX"]);
    assert.deepEqual(await notesAfter(JSON.stringify({ blocked: true, country: '<b>' })), ["Polymarket does not serve this server's country"]);
    for (const nonsense of ['', '<html>', '[]', '{"blocked":"true"}', '{"blocked":true']) assert.deepEqual(await notesAfter(nonsense), []);
});

/** The figures by name and labels. */
async function metrics(options) {
    const answer = await send('GET', '/metrics', options);
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.headers['content-type'], /^text\/plain; version=0\.0\.4/);
    assert.match(answer.headers['cache-control'], /no-store/);
    const lines = answer.text.trim().split('\n');
    const types = new Set(lines.map((line) => /^# TYPE (\S+) (?:gauge|counter)$/.exec(line)?.[1]));
    return new Map(lines.filter((line) => !line.startsWith('#')).map((line) => {
        const [, name, value] = /^([a-z_]+(?:\{[a-z]+="[^"]*"\})?) (-?[\d.]+)$/.exec(line) ?? assert.fail(line);
        assert.ok(types.has(name.replace(/\{.*/, '')), `${name} has no type`);
        return [name, Number(value)];
    }));
}

test('/metrics tells monitors what is in order, what is due and what was answered', async () => {
    const before = await metrics();
    for (const part of ['database', 'durable', 'schema', 'signer']) assert.equal(before.get(`gateway_check{part="${part}"}`), 1);
    for (const work of ['swaps', 'orders', 'webhooks']) assert.ok(before.get(`gateway_overdue_seconds{work="${work}"}`) >= 0);
    assert.ok(before.get('gateway_swaps_in_flight') >= 0);
    refused(await send('GET', '/nothing'), 'Not found');
    const after = await metrics();
    for (const status of ['2xx', '4xx']) {
        const name = `gateway_answers_total{status="${status}"}`;
        assert.ok(after.get(name) > before.get(name), `${name}: ${before.get(name)}, then ${after.get(name)}`);
    }
});

test('/metrics is there for those alone whom the operator names', async () => {
    const gateway = await startGateway(['trusted_proxies = 127.0.0.1', 'metrics_from = 198.51.100.0/24']);
    const from = (address) => ({ base: gateway.base, headers: { 'x-forwarded-for': address } });
    try {
        await metrics(from('198.51.100.7'));
        refused(await send('GET', '/metrics', from('203.0.113.1')), 'Not found');
        refused(await send('GET', '/metrics', { base: gateway.base }), 'Not found');
    } finally {
        await gateway.stop();
    }
});

test('/metrics is closed unless the operator says otherwise', async () => {
    const shipped = /^metrics_from =\s*$/m;
    assert.match(await readFile(`${ROOT}conf/gateway.conf`, 'utf8'), shipped);
    const gateway = await startGateway(['metrics_from =']);
    try {
        refused(await send('GET', '/metrics', { base: gateway.base }), 'Not found');
    } finally {
        await gateway.stop();
    }
});

test('who asks for /metrics through a proxy that nobody trusts is not at home', async () => {
    await metrics();
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
        refused(await send('GET', '/metrics', { headers: { [name]: '127.0.0.1' } }), 'Not found');
});
