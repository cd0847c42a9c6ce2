// Section: api, apache
// Requests that no decent client sends, byte by byte. The web server or the gateway refuses them cleanly or closes the
// connection; no client gets another's answer, nothing is left in the database, and the service goes on.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { promisify } from 'node:util';
import {
    API, GATEWAY, ROOT, UUID, granted, refused, register, registerUnlimited, stackSettings,
} from './lib.mjs';
import { PATIENCE_MS } from '../patience.mjs';
import { ANSWERED, host, request, talk } from './raw.mjs';

// ---------------------------------------------------------------- requests and what comes of them

const MARK = `abuse-${randomBytes(8).toString('hex')}`;
const agent = await registerUnlimited();
const other = await register();
const { agent: { id: AGENT } } = granted(await agent.get('/me'));
const { agent: { id: OTHER } } = granted(await other.get('/me'));
for (const id of [AGENT, OTHER]) assert.match(id, UUID);
const settings = await stackSettings();

const NEWCOMER = JSON.stringify({ name: MARK });
const QUOTE = JSON.stringify({ from_token: 'ETH', to_token: 'USDC', amount: '0.01', chain: 'base' });

const AUTHORIZED = `Authorization: Bearer ${agent.key}`;
const JSON_TYPE = 'Content-Type: application/json';
const length = (body) => `Content-Length: ${Buffer.byteLength(body)}`;

/** What a body can create: each with the body, and the lines that such a request needs. */
const CREATORS = [
    ['/register', NEWCOMER, [JSON_TYPE]],
    ['/wallets', '{"chain_type":"evm"}', [JSON_TYPE, AUTHORIZED]],
    ['/quote', QUOTE, [JSON_TYPE, AUTHORIZED]],
];

/** How much these tests have left in the database. */
async function rows() {
    const ofAgents = (table) => `SELECT COUNT(*) FROM ${table} WHERE agent_id IN (SELECT id FROM agents WHERE uuid IN (${[AGENT, OTHER].map((id) => `x'${id.replaceAll('-', '')}'`)}))`;
    const statement = [`SELECT COUNT(*) FROM agents WHERE name = '${MARK}'`, ...['wallets', 'quotes', 'executions', 'idempotency'].map(ofAgents)].join('; ');
    const { stdout } = await promisify(execFile)('mariadb', [
        '--no-defaults', `--socket=${settings.GATEWAY_DB_SOCKET}`, '--user=root', '--batch', '--skip-column-names', '--execute', statement, 'gateway',
    ]);
    return stdout.trim();
}

/** The service still serves these two agents. */
async function goesOn() {
    assert.equal(granted(await agent.get('/me')).agent.id, AGENT);
    assert.equal(granted(await other.get('/me')).agent.id, OTHER);
}

/** Nothing is left, and the service goes on. */
async function harmless(deeds) {
    const before = await rows();
    await deeds();
    await goesOn();
    assert.equal(await rows(), before);
}

const BROKEN_OFF = 10; // at once, of each kind

/** Requests of each kind, as many as were broken off, and later: once they are answered, those before them are done with. */
async function othersAreServed() {
    await Promise.all(Array.from({ length: BROKEN_OFF }, async () => {
        const later = await register();
        await later.wallet();
        await later.quote('ETH', 'USDC', '0.01', { chain: 'base' });
    }));
}

/** A clean refusal, in the service's envelope or in the web server's words. */
function refusal(answer) {
    const { status, headers, text, body } = answer;
    const shown = `${status} ${text.slice(0, 300)}`;
    // The web server's own: a coding or a version that it does not know.
    assert.ok((status >= 400 && status < 500) || status === 501 || status === 505, shown);
    if (/json/.test(headers['content-type'] ?? '')) {
        assert.equal(body?.success, false, shown);
        for (const member of ['error', 'error_code', 'request_id']) assert.equal(typeof body[member], 'string', shown);
        assert.equal(body.request_id, headers['x-request-id']);
    }
    assert.doesNotMatch(text, /\.sock|SELECT /);
    assert.ok(!text.includes(ROOT), shown);
}

/** One refusal, or none and the connection closed or left waiting; refusals again for what follows on the connection. */
async function refusedRaw(bytes, options) {
    const { answers } = await talk(bytes, options);
    answers.forEach(refusal);
    return answers;
}

// ---------------------------------------------------------------- lengths

const rest = 'x'.repeat(50);
const LENGTHS = {
    'shorter than the body': (body) => [[`Content-Length: ${body.length - 3}`], body],
    'of one byte': (body) => [['Content-Length: 1'], body],
    'longer than the body, then silence': (body) => [[`Content-Length: ${body.length + 10}`], body],
    'two different ones': (body) => [[length(body), `Content-Length: ${body.length + 1}`], `${body} `],
    'two different ones in a line': (body) => [[`Content-Length: ${body.length}, ${body.length + 1}`], `${body} `],
    'negative': (body) => [[`Content-Length: -${body.length}`], body],
    'with a plus sign': (body) => [[`Content-Length: +${body.length}`], body],
    'hexadecimal': (body) => [[`Content-Length: 0x${body.length.toString(16)}`], body],
    'with a fraction': (body) => [[`Content-Length: ${body.length}.0`], body],
    'in words': (body) => [['Content-Length: many'], body],
    'empty': (body) => [['Content-Length:'], body],
    'of digits beyond ASCII': (body) => [['Content-Length: \xb2\xb3'], body],
    'huge': (body) => [['Content-Length: 9223372036854775807'], body],
    'beyond 64 bits': (body) => [['Content-Length: 18446744073709551617'], body],
    'that wraps around to the right one': (body) => [[`Content-Length: ${(1n << 64n) + BigInt(body.length)}`], body],
    'of a terabyte': (body) => [['Content-Length: 1099511627776'], body],
    'none at all': (body) => [[], body],
};

for (const [what, make] of Object.entries(LENGTHS)) {
    test(`Content-Length: ${what}`, () => harmless(async () => {
        for (const [path, body, headers] of CREATORS) {
            // A wallet needs no body: nothing is wrong with a request that ends before it, and lighttpd reads an empty
            // length as none.
            if (path === '/wallets' && (what === 'none at all' || what === 'empty')) continue;
            const [lines, sent] = make(body);
            await refusedRaw(request('POST', API + path, [...headers, ...lines], sent));
        }
    }));
}

test('Content-Length: longer than the body, and the client is gone', () => harmless(async () => {
    for (const [path, body, headers] of CREATORS) {
        await Promise.all(Array.from({ length: BROKEN_OFF }, () => talk(request('POST', API + path, [...headers, `Content-Length: ${body.length + 100}`], body), { abort: true })));
    }
    await othersAreServed();
}));

test('Content-Length: the rest of a body is no request of its own that another client gets the answer to', () => harmless(async () => {
    const [first, ...others] = await refusedRaw(request('POST', `${API}/quote`, [JSON_TYPE, AUTHORIZED, 'Content-Length: 5'], `{"a":${rest}\r\n\r\n`), { quiet: PATIENCE_MS });
    assert.equal(first.status, 400);
    assert.ok(others.length <= 1);
}));

// ---------------------------------------------------------------- chunks

const chunk = (text, extension = '') => `${Buffer.byteLength(text).toString(16)}${extension}\r\n${text}\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked';
const LAST = '0\r\n\r\n';

const GOOD_CHUNKS = {
    'in one chunk': (body) => chunk(body) + LAST,
    'byte by byte': (body) => [...body].map((each) => chunk(each)).join('') + LAST,
    'with extensions': (body) => chunk(body, ';a=b;c="d"') + LAST,
    'in packets of their own': (body) => [chunk(body.slice(0, 7)), chunk(body.slice(7)), LAST],
};

for (const [what, make] of Object.entries(GOOD_CHUNKS)) {
    test(`a chunked body is read: ${what}`, async () => {
        const body = make(JSON.stringify({ name: 'chunked' }));
        const [head, ...parts] = [body].flat();
        const { answers } = await talk([request('POST', `${API}/register`, [JSON_TYPE, CHUNKED], head), ...parts], ANSWERED);
        assert.equal(granted(answers[0]).agent.name, 'chunked');
    });
}

const BAD_CHUNKS = {
    'without an end': (body) => chunk(body),
    'cut in a chunk': (body) => `${(body.length + 5).toString(16)}\r\n${body}`,
    'no size': (body) => `\r\n${body}\r\n${LAST}`,
    'no number': (body) => `zz\r\n${body}\r\n${LAST}`,
    'a negative size': (body) => `-${body.length.toString(16)}\r\n${body}\r\n${LAST}`,
    'a size with 0x': (body) => `0x${body.length.toString(16)}\r\n${body}\r\n${LAST}`,
    'a size beyond 64 bits': (body) => `1${body.length.toString(16).padStart(16, '0')}\r\n${body}\r\n${LAST}`,
    'a huge size': (body) => `7fffffffffffffff\r\n${body}\r\n${LAST}`,
    'a size too small': (body) => `2\r\n${body}\r\n${LAST}`,
    'no line end behind the data': (body) => `${body.length.toString(16)}\r\n${body}${LAST}`,
    'an endless extension': (body) => `${body.length.toString(16)};${'x'.repeat(100_000)}\r\n${body}\r\n${LAST}`,
    'an endless size': (body) => `${'0'.repeat(100_000)}${body.length.toString(16)}\r\n${body}\r\n${LAST}`,
};

for (const [what, make] of Object.entries(BAD_CHUNKS)) {
    test(`a chunked body is refused: ${what}`, () => harmless(async () => {
        for (const [path, body, headers] of CREATORS) await refusedRaw(request('POST', API + path, [...headers, CHUNKED], make(body)));
    }));
}

test('chunked bodies that are broken off leave nothing', () => harmless(async () => {
    for (const [path, body, headers] of CREATORS) {
        await Promise.all(Array.from({ length: BROKEN_OFF }, () => talk(request('POST', API + path, [...headers, CHUNKED], chunk(body)), { abort: true })));
    }
    await othersAreServed();
}));

const UNKNOWN_CODINGS = ['gzip', 'chunked, gzip', 'identity', 'xchunked', 'chunked, chunked', '"chunked"', '\x0bchunked', ''];

for (const coding of UNKNOWN_CODINGS) {
    test(`Transfer-Encoding ${JSON.stringify(coding)} is not taken for a length`, () => harmless(async () => {
        for (const [path, body, headers] of CREATORS.slice(2).concat(CREATORS.slice(0, 1))) {
            await refusedRaw(request('POST', API + path, [...headers, `Transfer-Encoding: ${coding}`], `5\r\n${body}\r\n${LAST}`));
        }
    }));
}

// ---------------------------------------------------------------- smuggling

const SMUGGLED = request('POST', `${API}/register`, [JSON_TYPE, length(NEWCOMER)], NEWCOMER);

for (const [what, lines] of Object.entries({
    'length first': (all) => [length(all), CHUNKED],
    'coding first': (all) => [CHUNKED, length(all)],
    'coding in capitals': (all) => [length(all), 'TRANSFER-ENCODING: CHUNKED'],
    'blank before the colon': (all) => [length(all), 'Transfer-Encoding : chunked'],
    'tab before the value': (all) => [length(all), 'Transfer-Encoding:\tchunked'],
    'folded': (all) => [length(all), 'Transfer-Encoding:\r\n chunked'],
    'underscore': (all) => [length(all), 'Transfer_Encoding: chunked'],
    'two codings': (all) => [length(all), CHUNKED, 'Transfer-Encoding: identity'],
    'hidden behind a bare CR': (all) => [length(all), `X-Nothing: x\r${CHUNKED}`],
    'hidden behind a NUL': (all) => [length(all), `X-Nothing: x\0\r\n${CHUNKED}`],
})) {
    test(`a request inside of another's body is none: Content-Length and Transfer-Encoding, ${what}`, () => harmless(async () => {
        const body = LAST + SMUGGLED;
        const answers = await refusedRaw(request('POST', `${API}/quote`, [AUTHORIZED, JSON_TYPE, ...lines(body)], body));
        assert.ok(answers.length <= 1, `${answers.length} answers`);
    }));
}

test('bytes after a length of 0 on GET and POST are refused or a request of the same client', () => harmless(async () => {
    for (const method of ['GET', 'POST']) {
        const { answers } = await talk(request(method, `${API}/me`, [AUTHORIZED, 'Content-Length: 0'], 'GET /smuggled'), { quiet: PATIENCE_MS });
        const [first, ...others] = answers;
        assert.equal(first.status, method === 'GET' ? 200 : 405);
        others.forEach(refusal);
        await goesOn();
    }
}));

/** Header lines that no client sends. None is answered with success. */
const HEADERS = {
    'a blank before the colon': [`Authorization : Bearer ${agent.key}`],
    'a tab before the colon': [`Authorization\t: Bearer ${agent.key}`],
    'a NUL in the value': [`Authorization: Bearer ${agent.key}\0`],
    'a NUL in the name': [`Authori\0zation: Bearer ${agent.key}`],
    'a NUL in another header': [AUTHORIZED, 'X-Other: a\0b'],
    'a bare CR in a value': [`X-Other: a\r${AUTHORIZED}`],
    'two keys': [AUTHORIZED, `Authorization: Bearer ${other.key}`],
    'two keys in a line': [`Authorization: Bearer ${agent.key}, Bearer ${other.key}`],
    'a key twice': [AUTHORIZED, AUTHORIZED],
    'a line without a colon': [AUTHORIZED, 'nonsense'],
    'a line without a name': [AUTHORIZED, ': nameless'],
    'a blank in a name': [AUTHORIZED, 'X Other: a'],
    'no Host': null,
};

for (const [what, lines] of Object.entries(HEADERS)) {
    test(`headers: ${what}`, () => harmless(async () => {
        const [get, post] = lines === null
            ? [`GET ${API}/me HTTP/1.1\r\n${AUTHORIZED}\r\n\r\n`, `POST ${API}/wallets HTTP/1.1\r\n${AUTHORIZED}\r\nContent-Length: 0\r\n\r\n`]
            : [request('GET', `${API}/me`, lines), request('POST', `${API}/wallets`, [...lines, 'Content-Length: 0'])];
        for (const bytes of [get, post]) assert.ok((await refusedRaw(bytes)).length <= 1);
    }));
}

/** Lines that servers may read leniently: then as the sender's own request, never as another client's. */
const LENIENT = {
    'bare line feeds': `GET ${API}/me HTTP/1.1\nHost: ${host}\n${AUTHORIZED}\n\n`,
    'one bare line feed': `GET ${API}/me HTTP/1.1\r\nHost: ${host}\nX-Other: a\r\n${AUTHORIZED}\r\n\r\n`,
    'a folded line': request('GET', `${API}/me`, ['X-Other: a', ` ${`Authorization: Bearer ${other.key}`}`, AUTHORIZED]),
    'a folded line with a tab': request('GET', `${API}/me`, ['X-Other: a', `\tAuthorization: Bearer ${other.key}`, AUTHORIZED]),
    'two Hosts': request('GET', `${API}/me`, ['Host: elsewhere.example', AUTHORIZED]),
    'underscores': request('GET', `${API}/me`, [AUTHORIZED, 'Content_Length: 99', 'Content_Type: text/plain', 'Request_Method: DELETE', 'Script_Name: /x']),
    'variables of the interface': request('GET', `${API}/me`, [AUTHORIZED, 'Proxy: http://127.0.0.1:1', 'Request-Uri: /', 'Remote-Addr: 1.2.3.4', 'Status: 500']),
    'empty lines in front': `\r\n${request('GET', `${API}/me`, [AUTHORIZED])}`,
    'Expect': request('GET', `${API}/me`, [AUTHORIZED, 'Expect: 100-continue']),
    'Upgrade': request('GET', `${API}/me`, [AUTHORIZED, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']),
};

for (const [what, bytes] of Object.entries(LENIENT)) {
    test(`headers, read or refused: ${what}`, () => harmless(async () => {
        const { answers } = await talk(bytes, { wanted: 1 });
        for (const answer of answers) {
            if (answer.status === 200) assert.equal(answer.body.agent.id, AGENT);
            else refusal(answer);
        }
    }));
}

test('an upgrade to HTTP/2 without TLS is not taken', async () => {
    const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'];
    const { answers: [answer] } = await talk(request('GET', `${API}/me`, [AUTHORIZED, ...upgrade]), ANSWERED);
    assert.equal(answer.status, 200);
});

test('a Proxy header is not a proxy for the gateway\'s own requests', async () => {
    const { answers } = await talk(request('POST', `${API}/quote`, [AUTHORIZED, JSON_TYPE, 'Proxy: http://127.0.0.1:1', length(QUOTE)], QUOTE), ANSWERED);
    granted(answers[0]);
});

// ---------------------------------------------------------------- sizes

test('a body of 10 MB is refused, with a length and in chunks', () => harmless(async () => {
    const filler = 'x'.repeat((10 << 20) - 30);
    for (const [path, body, headers] of CREATORS) {
        const large = `${body.slice(0, -1)},"x":"${filler}"}`;
        for (const bytes of [
            [request('POST', API + path, [...headers, length(large)]), large],
            [request('POST', API + path, [...headers, CHUNKED]), ...Array.from({ length: 160 }, () => chunk('y'.repeat(65_536))), LAST],
        ]) {
            const answers = await refusedRaw(bytes, ANSWERED);
            for (const { status } of answers) assert.equal(status, 413);
        }
    }
}));

test('a body nested 1,000 deep is refused in the envelope', () => harmless(async () => {
    for (const [open, close] of [['[', ']'], ['{"a":', '}']]) {
        for (const [path, body, headers] of CREATORS) {
            const deep = `${body.slice(0, -1)},"x":${open.repeat(1000)}1${close.repeat(1000)}}`;
            const [answer] = await refusedRaw(request('POST', API + path, [...headers, length(deep)], deep), ANSWERED);
            refused(answer, 'Validation failed', ['_root']);
        }
    }
}));

for (const size of [5_000, 9_000, 20_000, 70_000, 1_000_000]) {
    test(`a header of ${size} bytes, a key so long, a URL so long: read or refused`, () => harmless(async () => {
        const long = 'x'.repeat(size);
        for (const bytes of [
            request('GET', `${API}/me`, [AUTHORIZED, `X-Long: ${long}`]),
            request('GET', `${API}/me`, [AUTHORIZED, `X-Request-Id: ${long}`]),
            request('GET', `${API}/me`, [AUTHORIZED, `${long}: x`]),
            request('GET', `${API}/me?_x=${long}`, [AUTHORIZED]),
        ]) {
            const { answers } = await talk(bytes, { wanted: 1 });
            for (const answer of answers) {
                if (answer.status === 200) assert.equal(answer.body.agent.id, AGENT);
                else refusal(answer);
            }
        }
        await refusedRaw(request('GET', `${API}/me`, [`Authorization: Bearer svc_sk_${long}`]), { wanted: 1 });
        await refusedRaw(request('GET', `${API}/${long}`, [AUTHORIZED]), { wanted: 1 });
        await refusedRaw(request('GET', `${API}/swap/status/${'9'.repeat(size)}`, [AUTHORIZED]), { wanted: 1 });
        await refusedRaw(request('POST', `${API}/wallets`, [AUTHORIZED, `Idempotency-Key: ${long}`, 'Content-Length: 0']), { wanted: 1 });
    }));
}

for (const [count, size] of [[50, 100], [90, 700], [90, 8_000], [1_000, 10], [20_000, 10]]) {
    test(`${count} headers of ${size} bytes: read or refused`, () => harmless(async () => {
        const lines = Array.from({ length: count }, (_, i) => `X-Header-${i}: ${'x'.repeat(size)}`);
        const { answers } = await talk(request('GET', `${API}/me`, [...lines, AUTHORIZED]), { wanted: 1 });
        for (const answer of answers) {
            if (answer.status === 200) assert.equal(answer.body.agent.id, AGENT);
            else refusal(answer);
        }
    }));
}

// ---------------------------------------------------------------- pipelines

const KINDS = [
    (id) => [request('GET', `${API}/me`, [AUTHORIZED, id]), ({ body }) => assert.equal(body.agent.id, AGENT)],
    (id) => [request('GET', `${API}/me`, [`Authorization: Bearer ${other.key}`, id]), ({ body }) => assert.equal(body.agent.id, OTHER)],
    (id) => [request('GET', `${API}/me`, [id]), (answer) => refused(answer, 'Invalid or missing API key')],
    (id) => [request('PUT', `${API}/me`, [AUTHORIZED, id, length(QUOTE)], QUOTE), (answer) => refused(answer, 'Method not allowed')],
    (id) => [request('POST', `${API}/nothing`, [id, CHUNKED], chunk(QUOTE) + LAST), (answer) => refused(answer, 'Not found')],
];
const LARGE = 'x'.repeat(70_000);
// Behind these a server may close the connection; Apache does.
const FAULTY_KINDS = [
    (id) => [request('POST', `${API}/register`, [JSON_TYPE, id, length('{"name":7}')], '{"name":7}'), (answer) => refused(answer, 'Validation failed', ['name'])],
    (id) => [request('POST', `${API}/quote`, [AUTHORIZED, JSON_TYPE, id, CHUNKED], chunk('{') + LAST), (answer) => refused(answer, 'Validation failed', ['_root'])],
    (id) => [request('POST', `${API}/quote`, [AUTHORIZED, JSON_TYPE, id, length(LARGE)], LARGE), (answer) => refused(answer, 'Request body too large')],
];

/** Sends `count` requests of these kinds in turn, checks each answer, and returns how many there were. */
async function pipeline(kinds, count) {
    const requests = Array.from({ length: count }, (_, i) => kinds[i % kinds.length](`X-Request-Id: pipelined-${i}`));
    const { answers } = await talk(requests.map(([bytes]) => bytes).join(''), { wanted: count, quiet: PATIENCE_MS });
    answers.forEach((answer, i) => {
        assert.equal(answer.headers['x-request-id'], `pipelined-${i}`);
        requests[i][1](answer);
    });
    return answers.length;
}

test('pipelined requests are answered in their order, each with its own answer', () => harmless(async () => {
    assert.equal(await pipeline(KINDS, 70), 70);
}));

test('faulty requests in a pipeline have their own answers, and so have those behind them, if any', () => harmless(async () => {
    for (const faulty of FAULTY_KINDS) assert.ok(await pipeline([...KINDS, faulty], 24) > KINDS.length);
    assert.ok(await pipeline([...KINDS, ...FAULTY_KINDS], 40) > KINDS.length);
}));

test('pipelines of two agents side by side are not mixed up', () => harmless(async () => {
    await Promise.all(Array.from({ length: 20 }, async (_, lane) => {
        const [{ key }, id] = lane % 2 ? [agent, AGENT] : [other, OTHER];
        const bytes = Array.from({ length: 25 }, (__, i) => request('GET', `${API}/me`, [`Authorization: Bearer ${key}`, `X-Request-Id: lane-${lane}-${i}`])).join('');
        const { answers } = await talk(bytes, { wanted: 25, quiet: PATIENCE_MS });
        assert.equal(answers.length, 25);
        answers.forEach((answer, i) => {
            assert.equal(granted(answer).agent.id, id);
            assert.equal(answer.headers['x-request-id'], `lane-${lane}-${i}`);
        });
    }));
}));

test('a pipeline whose client is gone disturbs no other client', () => harmless(async () => {
    const bytes = request('GET', `${API}/me`, [AUTHORIZED]).repeat(100);
    await Promise.all(Array.from({ length: 10 }, () => talk(bytes, { abort: true })));
}));

// ---------------------------------------------------------------- targets and versions

test('an absolute target is the path in it; its host changes nothing', async () => {
    for (const target of [`${GATEWAY}${API}/openapi`, `http://foreign.example${API}/openapi`, `HTTP://FOREIGN.EXAMPLE:1${API}/openapi`]) {
        const { answers: [answer] } = await talk(request('GET', target), ANSWERED);
        if (answer.status !== 200) { refusal(answer); continue; }
        assert.ok(answer.body.openapi, answer.text.slice(0, 200));
        assert.doesNotMatch(answer.text, /foreign\.example/i);
    }
});

for (const target of [
    '*', 'http:///', 'http://', '//', '//elsewhere.example/v1/agent/me', `${API}/../../etc/passwd`, '/../../../../etc/passwd', `${API}/%2e%2e/%2e%2e/etc/passwd`,
    'ftp://elsewhere.example/', 'elsewhere.example:443', `${API}/me#x`, `${API}/me%00`, `${API}/me%0d%0aX-Other:%20x`, '\\', `${API}\\me`, `${API}/\x01`, `${API}/\xff`, '?', '', 'x',
]) {
    test(`target ${JSON.stringify(target)} is refused or found, cleanly`, () => harmless(async () => {
        for (const method of ['GET', 'POST', 'OPTIONS', 'CONNECT', 'TRACE', 'GÉT', 'get', 'X'.repeat(5000)]) {
            const { answers } = await talk(request(method, target, [AUTHORIZED, 'Content-Length: 0']), { wanted: 1 });
            for (const answer of answers) {
                assert.doesNotMatch(answer.text, /root:/);
                assert.equal(answer.headers['x-other'], undefined);
                if (answer.status >= 300) refusal(answer);
            }
        }
    }));
}

test('HTTP/1.0 is served, and the connection closed', async () => {
    const { answers: [answer], closed } = await talk(`GET ${API}/me HTTP/1.0\r\n${AUTHORIZED}\r\n\r\n`, { quiet: PATIENCE_MS });
    assert.equal(granted(answer).agent.id, AGENT);
    assert.equal(answer.headers['transfer-encoding'], undefined);
    assert.ok(closed || answer.headers.connection !== 'keep-alive');
});

test('HTTP/1.0 with a body, with and without its length', () => harmless(async () => {
    const head = `POST ${API}/quote HTTP/1.0\r\n${AUTHORIZED}\r\n${JSON_TYPE}\r\n`;
    const [answer] = await refusedRaw(`${head}${length('{}')}\r\n\r\n{}`, ANSWERED);
    refused(answer, 'from_token is required');
    await refusedRaw(`${head}\r\n${QUOTE}`);
    // HTTP/1.0 has no chunks: who reads them nevertheless finds a faulty body.
    await refusedRaw(`${head}${CHUNKED}\r\n\r\n${chunk('{}')}${LAST}`);
}));

for (const line of [
    `GET ${API}/me`, `GET ${API}/me HTTP/2.0`, `GET ${API}/me HTTP/9.9`, `GET ${API}/me HTTP/1.1 x`, `GET ${API}/me HTTP/x`, `GET ${API}/me ICY/1.0`, `GET  ${API}/me  HTTP/1.1`,
    `GET\t${API}/me\tHTTP/1.1`, 'GET', '', ' ', '\0', 'PRI * HTTP/2.0', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'nonsense', 'x'.repeat(100_000),
]) {
    test(`request line ${JSON.stringify(line).slice(0, 60)}`, () => harmless(async () => {
        const { answers } = await talk(`${line}\r\nHost: ${host}\r\n${AUTHORIZED}\r\n\r\n`, { wanted: 1 });
        for (const answer of answers) {
            if (answer.status === 200) assert.equal(answer.body.agent.id, AGENT);
            else refusal(answer);
        }
    }));
}

test('no refused request has left a row in the database', async () => {
    await goesOn();
    assert.match(await rows(), /^0\n0\n1\n0\n0$/); // the quote behind the Proxy header
});
