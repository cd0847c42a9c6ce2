// Section: api
// A provider that hangs: who asks it waits, for at most half of the workers, and everybody else is answered without it. The
// services are scripted here, or passed on to those of the stack.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { token } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, isBusy, refused, register, send, stackSettings, until,
} from './lib.mjs';

const WORKERS = 16;
const HALF = WORKERS / 2;
const THIRD = Math.ceil(WORKERS / 3);
const WAITING = WORKERS * 3 / 4;
const TRADE = { from_token: 'ETH', to_token: 'USDC', amount: '0.01' };
const HERE = { ...TRADE, chain: 'base' };
const ACROSS = { ...TRADE, from_chain: 'ethereum', to_chain: 'base' };
const PAYER = '0x1111111111111111111111111111111111111111';

/**
 * A service that answers as `velora` does, for as long as it is `awake`, with so many smallest units, and as the stack's own
 * where it is asked as `relay`; else never.
 */
const service = { awake: false, out: 0n, held: new Set(), most: 0 };
const answer = () => ({
    priceRoute: {
        network: 8453, srcToken: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', destToken: token('base', 'USDC').address, srcAmount: String(10n ** 16n),
        destAmount: String(service.out), side: 'SELL', version: '6.2', gasCost: '150000',
    },
});
const upstream = `http://127.0.0.1:${(await stackSettings()).SANDBOX_UPSTREAM_PORT}`;
async function passOn({ method, url, headers }, body, response) {
    const answered = await fetch(upstream + url, { method, headers: { 'content-type': headers['content-type'] ?? '', 'x-api-key': headers['x-api-key'] ?? '' }, body: body || undefined });
    response.writeHead(answered.status, { 'content-type': 'application/json' });
    response.end(await answered.text());
}
const server = createServer(async (request, response) => {
    if (service.awake) {
        const body = await text(request);
        if (request.url.startsWith('/relay/')) await passOn(request, body, response);
        else response.end(JSON.stringify(answer()));
        return;
    }
    service.held.add(response);
    service.most = Math.max(service.most, service.held.size);
    response.on('close', () => service.held.delete(response));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const gateway = await startGateway([
    `workers = ${WORKERS}`, 'tier.standard = 100000',
    ...['velora', 'relay'].flatMap((key) => [`provider.${key}.url = http://127.0.0.1:${server.address().port}/${key}`, `provider.${key}.rate = 1000/s`]),
]);
after(async () => {
    await gateway.stop();
    server.closeAllConnections();
    server.close();
});

const crowd = await Promise.all(['one', 'two', 'three'].map((name) => register({ name })));
const other = await register({ name: 'other' });
const post = (agent, path, json) => send('POST', API + path, { key: agent.key, json, base: gateway.base, mayBreak: true, patient: false });
const quote = (agent, json) => post(agent, '/quote', json);
const own = (agent, chain) => quote(agent, { ...TRADE, chain, providers: ['uniswap'] });
const reasonOf = ({ routes }) => routes.find(({ provider }) => provider === 'velora')?.reason;

/** Each of the crowd as often as it may; none but these. */
const many = (one) => crowd.flatMap((agent) => Array.from({ length: THIRD }, () => one(agent)));

/** Until the breaker admits another attempt, and the answer counts. */
const recovered = () => until('the provider to be asked again', async () => {
    service.awake = true;
    return granted(await quote(other, HERE)).dex.startsWith('Velora');
});

/** The others have room, each of them. */
async function roomForOthers() {
    const answers = await Promise.all(['base', 'ethereum', 'base', 'ethereum'].slice(0, WAITING - HALF).map((chain) => own(other, chain)));
    answers.forEach((each) => granted(each));
    granted(await send('GET', `${API}/me`, { key: other.key, base: gateway.base }));
}

service.out = BigInt(Math.round(Number(granted(await own(other, 'base')).amount_out) * 1.02e6));

test('between chains, where no other provider serves: half of the workers wait, and callers without a place get 429', async () => {
    const { asked, ended } = await until('quotes that wait long enough to tell', async () => {
        await recovered();
        service.awake = false;
        const burst = { ended: [] };
        burst.asked = many((agent) => quote(agent, ACROSS).then((each) => { burst.ended.push(each); }));
        const refusals = burst.asked.length - HALF;
        await until('questions', () => service.held.size === HALF || burst.ended.length > refusals);
        await until('refusals', () => burst.ended.length >= refusals);
        await roomForOthers();
        if (service.held.size === HALF && burst.ended.length === refusals) return burst;
        await Promise.all(burst.asked); // the machine is busy: once more
        return false;
    });
    for (const each of ended) {
        assert.ok(isBusy(refused(each, 'Rate limit exceeded') && each), each.text);
        assert.equal(each.headers['retry-after'], '1');
    }
    await Promise.all(asked);
    for (const each of ended.slice(asked.length - HALF)) assert.deepEqual([each.status, each.body.error_code], [500, 'UPSTREAM_ERROR']);
    // By now it is known.
    assert.match((await quote(crowd[0], ACROSS)).body.hint, /not asked at the moment/);
    assert.equal(service.held.size, 0);
});

test('on one chain: the others are answered without it', async () => {
    await recovered();
    service.awake = false;
    const bodies = (await Promise.all(many((agent) => quote(agent, HERE)))).filter((each) => !isBusy(each)).map((each) => granted(each));
    const reasons = bodies.map(reasonOf);
    assert.ok(reasons.filter((reason) => reason === 'It did not answer in time').length <= HALF, reasons.join('\n'));
    assert.ok(bodies.every(({ dex }) => dex.startsWith('Uniswap')));
    assert.equal(reasonOf(granted(await quote(other, HERE))), 'It has given no answer lately');
});

test('an unsigned swap goes on with the runner-up', async () => {
    await recovered();
    const quotes = await Promise.all(many(async (agent) => [agent, await until('a quote', async () => {
        const { body } = await quote(agent, HERE);
        return body.dex?.startsWith('Velora') && body;
    })]));
    service.awake = false;
    service.most = 0;
    const built = await Promise.all(quotes.map(([agent, { quote_id }]) => post(agent, '/swap', { quote_id, wallet_address: PAYER })));
    for (const each of built) assert.ok(isBusy(each) || granted(each), each.text);
    assert.ok(service.most > 0 && service.most <= HALF, `${service.most} waited`);
});

test('a swap to another chain has no runner-up: callers without a place get 429', async () => {
    await recovered();
    const quotes = await Promise.all(many(async (agent) => [agent, await until('a quote', async () => {
        const { body } = await quote(agent, ACROSS);
        return body.quote_id && body;
    })]));
    service.awake = false;
    service.most = 0;
    const built = await Promise.all(quotes.map(([agent, { quote_id }]) => post(agent, '/swap', { quote_id, wallet_address: PAYER })));
    const waited = built.filter((each) => !isBusy(each)); // one that comes late has the place of one that has waited
    assert.ok(service.most > 0 && service.most <= HALF && waited.length > 0, `${service.most} waited at once, ${waited.length} in all`);
    for (const { status, body } of waited) {
        assert.deepEqual([status, body.error_code], [500, 'UPSTREAM_ERROR']);
        assert.match(body.hint, /^The provider 'relay' hands over no transaction|are not asked at the moment/);
    }
});
