// Section: api
// Prediction markets as agents read them: the catalogue, books, prices and trades. The venue is played by the sandbox.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { MARKETS } from '../../contrib/sandbox/upstream/markets.mjs';
import { startGateway } from './gateway.mjs';
import { freePort } from './ports.mjs';
import {
    API, ROOT, granted, hasMembers, refused, registerUnlimited, send, stackSettings, until,
} from './lib.mjs';

const agent = await registerUnlimited();
const settings = await stackSettings();
const read = async (path, who = agent) => granted(await who.get(`/predict/${path}`));
const ids = ({ markets }) => markets.map(({ id }) => id);
const known = (fits) => MARKETS.filter(fits).map(({ id }) => id).sort();
const isOpen = ({ status = 'open' }) => status === 'open';

// ---------------------------------------------------------------- lists

test('open markets are listed, a page at a time', async () => {
    const { markets, pagination } = await read('markets');
    assert.deepEqual(ids({ markets }).sort(), known(isOpen));
    assert.deepEqual(pagination, { limit: 20, offset: 0, has_more: false });
    const pages = [await read('markets?limit=3'), await read('markets?limit=3&offset=3')];
    assert.deepEqual(pages.flatMap(ids), ids({ markets }).slice(0, 6));
    assert.deepEqual(pages[0].pagination, { limit: 3, offset: 0, has_more: true });
    const past = await read('markets?offset=1000');
    assert.deepEqual([ids(past), past.pagination.has_more], [[], false]);
});

test('a market has the members that clients read', async () => {
    const [market] = (await read('markets?query=Adler')).markets;
    hasMembers(market, [
        'id', 'conditionId', 'question', 'category', 'endDate', 'volume', 'liquidity', 'outcomes', 'outcomePrices', 'tokens',
        'active', 'status', 'exchange',
    ]);
    assert.equal(market.question, 'Will Ada Adler be elected mayor of Sandport?');
    assert.equal(market.category, 'politics');
    assert.equal(market.exchange, 'neg_risk');
    assert.deepEqual(market.outcomes.map(({ name, price }) => [name, price]), [['Yes', 0.42], ['No', 0.58]]);
    assert.deepEqual(market.outcomePrices, [0.42, 0.58]);
    assert.deepEqual(market.tokens, market.outcomes.map(({ name, tokenId }) => ({ tokenId, outcome: name })));
    for (const { tokenId } of market.tokens) assert.match(tokenId, /^\d{60,78}$/);
});

for (const status of ['open', 'paused', 'closed', 'resolved', 'all']) {
    test(`status ${status}`, async () => {
        const { markets } = await read(`markets?status=${status}&limit=100`);
        assert.deepEqual(ids({ markets }).sort(), known((market) => status === 'all' || (market.status ?? 'open') === status));
        for (const market of markets) assert.ok(status === 'all' || market.status === status);
    });
}

test('a category selects markets of exactly that category', async () => {
    const categories = new Set(MARKETS.map(({ category }) => category));
    assert.ok(categories.size >= 4);
    for (const category of categories) {
        assert.deepEqual(ids(await read(`markets?category=${category}`)).sort(), known((market) => isOpen(market) && market.category === category), category);
    }
    // Any tag will do, wherever it stands among the others.
    for (const [tag, of] of [['global-elections', 'politics'], ['primaries', 'politics'], ['hide-from-new', 'crypto']]) {
        assert.deepEqual(ids(await read(`markets?category=${tag}`)).sort(), known((market) => isOpen(market) && market.category === of), tag);
    }
    assert.deepEqual((await read('events?category=primaries')).events.map(({ id, category }) => [id, category]), [['501', 'politics']]);
    assert.deepEqual(ids(await read('markets?query=mayor&category=primaries')).length, 3);
    for (const none of ['cryp', 'nothing', 'a%2Fb', '..']) assert.deepEqual((await read(`markets?category=${none}`)).markets, []);
});

test('an empty parameter is not sent to the venue, and spoils no cached answer', async () => {
    const all = known(isOpen);
    for (const query of ['category=', 'query=&category=', 'category=%20']) {
        assert.deepEqual(ids(await read(`markets?${query}&limit=90`)).sort(), all, query);
        assert.deepEqual(ids(await read('markets?limit=90')).sort(), all);
    }
});

test('prices of the oldest markets have all of their decimals', async () => {
    const { body, text } = await agent.get('/predict/market/9011');
    assert.deepEqual(body.outcomePrices, [0.5843311669077693, 0.4156688330922307]);
    assert.match(text, /0\.5843311669077693146635445446077281/);
});

test('words find questions that have all of them', async () => {
    assert.deepEqual(ids(await read('markets?query=bitcoin%20above')).sort(), known(({ question }) => /Bitcoin.*above/.test(question)));
    assert.deepEqual((await read('markets?query=bitcoin%20mayor')).markets, []);
    assert.deepEqual(ids(await read('markets?query=BITCOIN&category=crypto')).length, 3);
    assert.deepEqual((await read('markets?query=bitcoin&category=sports')).markets, []);
    assert.equal((await read('markets?query=%20')).markets.length, known(isOpen).length);
});

test('events come with their markets', async () => {
    const { events, pagination } = await read('events');
    const mayor = events.find(({ id }) => id === '501');
    hasMembers(mayor, ['id', 'title', 'description', 'category', 'endDate', 'volume', 'liquidity', 'markets']);
    assert.deepEqual(ids(mayor).sort(), known(({ event }) => event === 'mayor-of-sandport-2031'));
    assert.equal(pagination.has_more, false);
    assert.deepEqual((await read('events?category=politics')).events.map(({ id }) => id), ['501']);
});

test('pages and filters that are none', async () => {
    for (const list of ['markets', 'events']) {
        for (const limit of ['0', '101', '-1', 'x']) {
            refused(await agent.get(`/predict/${list}?limit=${limit}`), 'limit must be between 1 and 100', ['limit']);
        }
        refused(await agent.get(`/predict/${list}?offset=-1`), 'offset must be 0 or more', ['offset']);
    }
    granted(await agent.get('/predict/markets?status=OPEN'));
    refused(await agent.get('/predict/markets?status=nonsense'), 'Validation failed', ['status']);
});

// ---------------------------------------------------------------- one market

test('a market says how it is decided, and by what it was', async () => {
    const market = await read('market/9012');
    assert.equal(market.status, 'resolved');
    assert.equal(market.resolvedOutcome, 'Yes');
    assert.deepEqual([market.tickSize, market.minOrderSize, market.negRisk, market.closed], ['0.01', '5', false, true]);
    assert.match(market.createdAt, /^2025-01-02T/);
    assert.equal((await read('market/9001')).resolvedOutcome, null);
});

test('the book has the best levels first, and the price is between them', async () => {
    const book = await read('market/9001/book');
    assert.equal(book.marketId, '9001');
    const [yes, no] = book.outcomes;
    assert.deepEqual([yes.outcome, no.outcome], ['Yes', 'No']);
    assert.deepEqual(yes.bids.map(({ price }) => price), ['0.41', '0.4', '0.39', '0.38', '0.37']);
    assert.deepEqual(yes.asks.map(({ price }) => price), ['0.43', '0.44', '0.45', '0.46', '0.47']);
    assert.equal(yes.midpoint, '0.42');
    assert.equal(yes.assetId, yes.tokenId);
    const { prices } = await read('market/9001/price');
    assert.deepEqual(prices.map(({ outcome, mid }) => [outcome, mid]), [['Yes', '0.42'], ['No', '0.58']]);
});

test('a market that has ended has an empty book', async () => {
    const { outcomes } = await read('market/9011/book');
    assert.deepEqual(outcomes.map(({ bids, asks, midpoint }) => [bids, asks, midpoint]), [[[], [], null], [[], [], null]]);
});

test('a market\'s trades are a list with a limit', async () => {
    assert.ok(Array.isArray((await read('market/9001/trades?limit=5')).trades));
    refused(await agent.get('/predict/market/9001/trades?limit=0'), 'limit must be between 1 and 100', ['limit']);
});

for (const id of ['77', 'x', '9001x', '123456789012345678901', '..%2f9001', '%00', '9001%0a', '%F0%9F%98%80']) {
    test(`no market ${id}`, async () => {
        for (const part of ['', '/book', '/price', '/trades']) {
            const answer = await agent.get(`/predict/market/${id}${part}`);
            assert.ok([400, 404].includes(answer.status), `${id}${part}: ${answer.status}`);
        }
    });
}

test('no market is a 404 with its own code', async () => {
    const answer = await agent.get('/predict/market/77/book');
    assert.deepEqual([answer.status, answer.body.error, answer.body.error_code], [404, 'Market not found', 'MARKET_NOT_FOUND']);
});

test('prediction markets need a key', async () => {
    for (const path of ['markets', 'events', 'market/9001', 'market/9001/book', 'market/9001/price', 'market/9001/trades']) {
        assert.equal((await send('GET', `${API}/predict/${path}`)).status, 401);
    }
});

test('plain English searches too', async () => {
    const { action, result } = granted(await agent.post('/execute', { command: 'search prediction markets about bitcoin' }));
    assert.equal(action, 'markets');
    assert.equal(ids(result).length, 3);
});

// ---------------------------------------------------------------- a venue that fails

/** A venue of its own, with a gateway that asks it and keeps nothing of what others have asked. */
async function venueApart() {
    const port = await freePort();
    const program = spawn(process.execPath, [`${ROOT}contrib/sandbox/upstream/server.mjs`, String(port), `http://127.0.0.1:${settings.SANDBOX_POLYGON_PORT}`], { stdio: 'ignore' });
    process.once('exit', () => program.kill('SIGKILL'));
    const base = `http://127.0.0.1:${port}`;
    const control = async (method, body, path = '') => (await fetch(`${base}/_sandbox${path}`, { method, body: body && JSON.stringify(body) })).json();
    await until('a venue', () => control('GET').then(() => true, () => false));
    const lines = ['gamma', 'clob', 'data'].map((part) => `predict_${part}_url = ${base}/polymarket/${part}`);
    const gateway = await startGateway(lines);
    return { control, gateway, stop: async () => { program.kill(); await once(program, 'exit'); await gateway.stop(); } };
}

const venue = await venueApart();
const ask = (path) => send('GET', `${API}/predict/${path}`, { key: agent.key, base: venue.gateway.base, mayBreak: true });
// The cache is shared by the whole service: each test asks for something new.
let unasked = 100;
const fresh = () => ask(`markets?offset=${unasked++}`);

function failed(answer) {
    assert.deepEqual([answer.status, answer.body.error, answer.body.error_code], [500, 'Internal server error', 'UPSTREAM_ERROR']);
}

for (const fault of ['http_429', 'http_500', 'garbage', 'lost_answer', 'half_answer', 'endless', 'stall']) {
    test(`a venue with ${fault} is an error, and is asked again`, async () => {
        await venue.control('POST', { service: 'polymarket', fault });
        const answer = await fresh();
        await venue.control('DELETE');
        failed(answer);
        granted(await ask(`markets?offset=${unasked - 1}`));
    });
}

test('one question to the venue answers all callers who ask the same', async () => {
    const path = `market/9010/trades?limit=${7 + (unasked % 50)}`;
    await venue.control('DELETE');
    granted(await ask('market/9010')); // which trades begin with
    const before = (await venue.control('GET', undefined, '/audit')).length;
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(path)));
    const asked = (await venue.control('GET', undefined, '/audit')).slice(before).filter(({ path: seen }) => seen === '/data/trades');
    for (const answer of answers) assert.deepEqual(granted(answer).trades, []);
    assert.ok(asked.length <= 1, `${asked.length} questions`);
});

test('the test\'s own venue stops', () => venue.stop());
