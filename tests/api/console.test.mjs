// Section: api, apache
// The console as the web servers serve it, and the sandbox's service that helps its visitors. What its pages do is tested in
// a browser (tests/browser).

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import * as chain from './chain.mjs';
import {
    API, GATEWAY, ROOT, granted, register, send, stackSettings, until,
} from './lib.mjs';

const FOLDER = `${ROOT}contrib/console/`;
const FILES = readdirSync(FOLDER);
const SIZE_MAX = 200 * 1024;
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TYPES = { html: 'text/html; charset=utf-8', css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' };

const page = (path, headers = {}, method = 'GET') => fetch(GATEWAY + path, { method, headers, redirect: 'manual' });
const fileOf = (name) => readFileSync(FOLDER + name, 'utf8');

/** That a page came with what keeps it harmless. */
function guarded({ headers }) {
    const of = (name) => headers.get(name);
    assert.equal(of('content-security-policy'), POLICY);
    assert.deepEqual([of('x-content-type-options'), of('referrer-policy'), of('cross-origin-opener-policy'), of('cache-control')], ['nosniff', 'no-referrer', 'same-origin', 'no-cache']);
    assert.ok(of('etag'));
}

// ---------------------------------------------------------------- files

for (const name of FILES) {
    test(`/console/${name} is served as it is`, async () => {
        const answer = await page(`/console/${name}`);
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('content-type'), TYPES[name.split('.').at(-1)]);
        guarded(answer);
        assert.equal(await answer.text(), fileOf(name));
        const again = await page(`/console/${name}`, { 'if-none-match': answer.headers.get('etag') });
        assert.equal(again.status, 304);
        const head = await page(`/console/${name}`, {}, 'HEAD');
        assert.deepEqual([head.status, await head.text()], [200, '']);
    });
}

test('/console/ is the console, and /console leads there', async () => {
    const answer = await page('/console/');
    assert.deepEqual([answer.status, await answer.text()], [200, fileOf('index.html')]);
    guarded(answer);
    const other = await page('/console');
    assert.equal(other.status, 301);
    assert.equal(new URL(other.headers.get('location'), GATEWAY).href, `${GATEWAY}/console/`);
});

test('the console is small, whole, and calls no other host', () => {
    const texts = FILES.map(fileOf);
    assert.ok(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= SIZE_MAX);
    FILES.forEach((name, i) => {
        assert.doesNotMatch(texts[i].replaceAll('http://www.w3.org/2000/svg', ''), /(src|href|url\(|from |import\()\s*=?\s*["']?(https?:)?\/\//, `${name} names another server`);
        assert.doesNotMatch(texts[i], /\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval|localStorage|sessionStorage|document\.cookie)\b/, name);
        if (name.endsWith('.html')) assert.doesNotMatch(texts[i], /\son[a-z]+=|\sstyle=|<style|<script(?![^>]*src=)/, name);
        for (const [, other] of texts[i].matchAll(/from '\.\/([a-z_.]+)'/g)) assert.ok(FILES.includes(other), `${name} imports ${other}`);
    });
});

for (const [path, what] of [['/console/nothing.js', 'a file that is not there'], ['/console/..%2fdocs/api.md', 'what is beside it'], ['/console/%2e%2e/docs/api.md', 'what is above it'], ['/console/dom.js/x', 'what is below a file']]) {
    test(`${what} is not served: ${path}`, async () => {
        const { status, body } = await send('GET', path);
        assert.ok(status === 404 || status === 400, String(status));
        assert.equal(body.success, false);
    });
}

test('the console cannot be written to', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
        const { status, body } = await send(method, '/console/index.html', { json: method === 'DELETE' ? undefined : {} });
        assert.equal(status, 404, method);
        assert.equal(body.success, false);
    }
});

// ---------------------------------------------------------------- /

for (const accept of ['text/html', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json;q=0.5, text/html']) {
    test(`/ is the front page for a client that accepts ${accept}`, async () => {
        for (const path of ['/', '/?utm=x']) {
            const answer = await page(path, { accept });
            assert.deepEqual([answer.status, answer.headers.get('content-type'), answer.headers.get('vary')], [200, TYPES.html, 'Accept']);
            guarded(answer);
            assert.equal(await answer.text(), fileOf('front.html'));
        }
    });
}

for (const accept of ['*/*', 'application/json', 'text/*', 'text/plain', '']) {
    test(`/ is JSON for a client that accepts '${accept}'`, async () => {
        const { status, headers, body } = await send('GET', '/', { headers: accept ? { accept } : {} });
        assert.equal(status, 200);
        assert.equal(headers['content-type'], 'application/json');
        assert.ok(headers.vary.split(/, */).includes('Accept'));
        assert.equal(body.mcp, `${GATEWAY}/mcp`);
    });
}

test('the front page leads to files that are there', async () => {
    for (const [, path] of fileOf('front.html').matchAll(/(?:href|src)="([^"#]+)/g)) assert.equal((await page(`/${path}`)).status, 200, path);
});

// ---------------------------------------------------------------- what it says

test('every error code of the service has its meaning and its remedy', async () => {
    const { ERRORS } = await import(`${FOLDER}errors.js`);
    const codes = new Set(['SERVICE_UNAVAILABLE']); // said by the web server
    for (const [, code] of readFileSync(`${ROOT}lib/base/err.h`, 'utf8').matchAll(/^ {4}X\([A-Z0-9_]+,\s*\d+,\s*-?\d+,\s*"([A-Z_]+)"/gm)) codes.add(code);
    JSON.stringify((await send('GET', `${API}/openapi`)).body, (name, value) => {
        if (name === 'error_code' && typeof value === 'string') codes.add(value);
        return value;
    });
    assert.ok(codes.size > 50);
    assert.deepEqual(ERRORS.map(([code]) => code).sort(), [...codes].sort());
    for (const row of ERRORS) assert.ok(row.length === 3 && row.every((text) => text.length > 5), row[0]);
});

test('a signature is verified as receivers of webhooks do it', async () => {
    const { isSigned } = await import(`${FOLDER}verify.js`);
    const secret = `whsec_${Buffer.from('a secret of thirty-two bytes ....').toString('base64')}`;
    const body = '{"type":"swap.completed","data":{"name":"é"}}', at = new Date();
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(at / 1000)), 'webhook-signature': new Webhook(secret).sign('msg_1', at, body) };
    assert.equal(await isSigned(secret, headers, body), true);
    assert.equal(await isSigned(secret, { ...headers, 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} ${headers['webhook-signature']}` }, body), true, 'one of two');
    assert.equal(await isSigned(secret, headers, body.replace('completed', 'failed')), false);
    assert.equal(await isSigned(secret, { ...headers, 'webhook-id': 'msg_2' }, body), false);
    assert.equal(await isSigned(`whsec_${Buffer.alloc(32).toString('base64')}`, headers, body), false);
});

// ---------------------------------------------------------------- the sandbox's service

/** What the web server passes on. */
async function desk(method, path, json) {
    const response = await fetch(`${GATEWAY}/sandbox/${path}`, { method, body: json && JSON.stringify(json), headers: json && { 'content-type': 'application/json' } });
    return { status: response.status, body: await response.json() };
}

test('the sandbox tells that it is one, and its chains', async () => {
    const { status, body } = await desk('GET', '');
    assert.deepEqual([status, body.sandbox], [200, true]);
    assert.deepEqual(body.chains, ['ethereum', 'base', ...(await stackSettings()).SANDBOX_CHAINS.split(' ')]);
});

test('the sandbox funds an address, on top of what it has', async () => {
    const address = await (await register()).wallet();
    await chain.fund('base', address, 1);
    const { status, body } = await desk('POST', 'fund', { address, chain: 'base' });
    assert.equal(status, 200);
    assert.deepEqual(body.given[0], { symbol: 'ETH', amount: '100' });
    assert.equal(await chain.balance('base', address, 'ETH'), chain.units('base', 'ETH', '101'));
    assert.deepEqual(body.given[1], { symbol: 'USDC', amount: '100000' });
    assert.equal(await chain.balance('base', address, 'USDC'), chain.units('base', 'USDC', '100000'));
});

for (const [what, json] of [
    ['no address', { chain: 'base' }],
    ['another kind of address', { chain: 'base', address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' }],
    ['no such chain', { chain: 'nowhere', address: `0x${'11'.repeat(20)}` }],
    ['no object', 'base'],
    ['a list for an address', { chain: 'base', address: [] }],
]) {
    test(`the sandbox funds nothing: ${what}`, async () => {
        const { status, body } = await desk('POST', 'fund', json);
        assert.equal(status, 400);
        assert.ok(body.error);
    });
}

test('the sandbox keeps webhooks as they came, each receiver its own', async () => {
    const [mine, other] = [(await desk('POST', 'callbacks', {})).body, (await desk('POST', 'callbacks', {})).body];
    assert.notEqual(mine.path, other.path);
    const agent = await register();
    const secret = await agent.listen(mine.url);
    granted(await agent.post('/webhooks/test'));
    const { deliveries: [delivery] } = await until('the webhook', async () => {
        const { body } = await desk('GET', mine.path.replace('/sandbox/', ''));
        return body.deliveries.length > 0 && body;
    });
    assert.equal(new Webhook(secret).verify(delivery.body, delivery.headers).type, 'webhook.test');
    assert.deepEqual((await desk('GET', other.path.replace('/sandbox/', ''))).body, { deliveries: [] });
    assert.equal((await desk('GET', 'callbacks/unknown')).status, 404);
});

test('the web server passes requests on to one service of the sandbox alone', async () => {
    for (const path of ['/_sandbox', '/sandbox/../_sandbox', '/sandbox/%2e%2e/_sandbox', '/lifi/v1/tokens']) {
        const { status } = await send('GET', path);
        assert.equal(status, 404, path);
    }
});
