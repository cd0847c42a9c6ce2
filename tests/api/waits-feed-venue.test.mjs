// Section: api
// A price feed and a prediction venue that hang: who asks them waits, for at most half of the workers each, and everybody else is
// answered without them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { startGateway } from './gateway.mjs';
import {
    API, granted, isBusy, refused, register, send, until,
} from './lib.mjs';

const WORKERS = 16;
const HALF = WORKERS / 2;
const THIRD = Math.ceil(WORKERS / 3);
const TRADE = { from_token: 'ETH', to_token: 'USDC', amount: '0.01', chain: 'base', providers: ['uniswap'] };

/** A service that never answers; `most` were held at once. */
async function hangs() {
    const service = { held: new Set(), most: 0 };
    service.server = createServer((_, response) => {
        service.held.add(response);
        service.most = Math.max(service.most, service.held.size);
        response.on('close', () => service.held.delete(response));
    }).listen(0, '127.0.0.1');
    await once(service.server, 'listening');
    service.url = `http://127.0.0.1:${service.server.address().port}`;
    return service;
}

const [feed, venue] = [await hangs(), await hangs()];
const gateway = await startGateway([
    `workers = ${WORKERS}`, 'tier.standard = 100000', `price_feed_url = ${feed.url}/simple/price`, `predict_gamma_url = ${venue.url}`,
]);
after(async () => {
    await gateway.stop();
    for (const { server } of [feed, venue]) {
        server.closeAllConnections();
        server.close();
    }
});

const crowd = await Promise.all(['one', 'two', 'three'].map((name) => register({ name })));
const other = await register({ name: 'other' });
const get = (agent, path) => send('GET', API + path, { key: agent.key, base: gateway.base, mayBreak: true, patient: false });

/** Each of the crowd as often as it may; none but these. */
const many = (one) => crowd.flatMap((agent, i) => Array.from({ length: THIRD }, (_, k) => one(agent, THIRD * i + k)));

/** Others have room, while those wait. */
async function roomForOthers() {
    granted(await send('POST', `${API}/quote`, { key: other.key, base: gateway.base, json: TRADE, patient: false }));
    granted(await get(other, '/me'));
}

for (const [name, path] of [['of their own', (n) => `/predict/markets?limit=5&offset=${n}`], ['that is the same', () => '/predict/markets?limit=7']]) {
    test(`a venue that hangs, with a question ${name}: half of the workers wait, and who finds no place is told so`, async () => {
        const ended = [];
        venue.most = 0;
        const asked = many((agent, n) => get(agent, path(n)).then((each) => { ended.push(each); }));
        await until('refusals', () => ended.length === asked.length - HALF);
        await roomForOthers();
        for (const each of ended) {
            assert.ok(isBusy(refused(each, 'Rate limit exceeded') && each), each.text);
            assert.equal(each.headers['retry-after'], '1');
        }
        assert.equal(venue.held.size, name === 'of their own' ? HALF : 1, 'they did not wait long enough to tell');
        await Promise.all(asked);
        assert.ok(venue.most <= HALF, `${venue.most} waited`);
    });
}

test('a price feed that hangs: the prices are told without it', async () => {
    feed.most = 0;
    const answers = many((agent) => get(agent, '/prices?symbols=ETH'));
    await until('questions', () => feed.held.size > 0);
    for (const each of await Promise.all(answers)) assert.ok(isBusy(each) || granted(each).prices.ETH.usd !== null, each.text);
    assert.ok(feed.most > 0 && feed.most <= HALF, `${feed.most} waited`);
});
