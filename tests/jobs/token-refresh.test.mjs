// Section: operator
// token-refresh, against a scripted list: what of it is taken over, shown and traded.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
    ROOT, granted, refused, register, stack,
} from '../api/lib.mjs';
import { token } from '../api/chain.mjs';
import { COIN, LISTED, MINTS } from '../../contrib/sandbox/solana/world.mjs';
import {
    processes, runJob, settings, signal, sql,
} from './lib.mjs';

const honest = await stack('token', 'pausable', 'ethereum'); // PAUSE, 18 decimals
const other = await stack('token', 'fake-usdc', 'ethereum'); // 6 decimals
const NO_CODE = '0x1111111111111111111111111111111111111111';
const address = (i) => `0x${(0xabc0000 + i).toString(16).padStart(40, '0')}`;
const row = (chainId, at, symbol, more = {}) => ({ chainId, address: at, symbol, name: `${symbol} by a list`, decimals: 18, ...more });
const many = (chainId, count) => Array.from({ length: count }, (_, i) => row(chainId, address(i), `LONGTAIL${i}`));

const ETHEREUM = 1;
const GNOSIS = 100;
const FANTOM = 250;
const SOLANA = '1151111081099710';
let lists = {};
let asked = [];
let agent;
const folder = mkdtempSync('/tmp/agent-gateway-test.');
const conf = join(folder, 'gateway.conf');

const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    if (url.pathname === '/jupiter/tokens/v2/tag') {
        asked.push(`${url.pathname}${url.search}`);
        if (lists.solana === undefined) response.writeHead(404);
        response.end(JSON.stringify(lists.solana ?? {}));
        return;
    }
    const ocean = /^\/openocean\/v4\/(\d+)\/tokenList$/.exec(url.pathname);
    const id = ocean?.[1] ?? url.searchParams.get('chains');
    asked.push(`${url.pathname}${url.search}`);
    if (lists[id] === undefined) response.writeHead(404).end('{}');
    else response.end(typeof lists[id] === 'string' ? lists[id] : JSON.stringify(ocean ? { code: 200, data: lists[id] } : { tokens: { [id]: lists[id] } }));
});

// It would run the job with the stack's lists, at its minute of each hour.
let cron = [];
const cronGoesOn = () => cron.splice(0).forEach((pid) => signal(pid, 'SIGCONT'));

before(async () => {
    cron = (await processes()).filter(([name]) => name === 'cron').map(([, pid]) => pid);
    cron.forEach((pid) => signal(pid, 'SIGSTOP'));
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => { server.once('listening', resolve); });
    const { port } = server.address();
    writeFileSync(conf, [
        `include ${settings().GATEWAY_CONF}`,
        `provider.lifi.url = http://127.0.0.1:${port}/lifi`,
        `provider.openocean.url = http://127.0.0.1:${port}/openocean`,
        `provider.jupiter.url = http://127.0.0.1:${port}/jupiter`, '',
    ].join('\n'));
    agent = await register({ name: 'long tail' });
});

after(async () => {
    cronGoesOn();
    await sql(`DELETE FROM tokens WHERE chain_id IN (${ETHEREUM}, ${GNOSIS}, ${FANTOM}, ${SOLANA})`);
    rmSync(folder, { recursive: true });
    server.close();
});

async function refresh(next) {
    lists = next;
    asked = [];
    await runJob('token-refresh', conf);
}

const shown = async (chain, query = '') => granted(await agent.get(`/tokens?chain=${chain}${query}`)).tokens;
const symbolsBeyond = async (chain, builtIn) => (await shown(chain, '&limit=1000')).slice(builtIn.length).map(({ symbol }) => symbol);

test('the lists of the sandbox are taken over', async () => {
    await runJob('token-refresh', `${ROOT}contrib/sandbox/gateway.conf`);
    for (const chain of ['fantom', 'linea', 'mantle', 'gnosis', 'scroll']) assert.ok((await shown(chain)).length >= 50, chain);
    const beyond = (await shown('solana', '&limit=1000')).map(({ symbol }) => symbol);
    assert.deepEqual(beyond.slice(-6), ['ANCHOR', 'BUOY', 'EBB', 'ebb', 'TOLL', 'HOOK']);
    await sql('DELETE FROM tokens');
});

test('tokens of a list follow the built-in ones, only for the chain that was asked for', async () => {
    const builtIn = await shown('gnosis');
    await refresh({ [GNOSIS]: [...many(GNOSIS, 60), row(ETHEREUM, address(99), 'ELSEWHERE')] });
    assert.ok(asked.includes(`/lifi/v1/tokens?chains=${GNOSIS}`), asked.join());
    const tokens = await shown('gnosis', '&limit=1000');
    assert.deepEqual(tokens.slice(0, builtIn.length), builtIn);
    assert.equal(tokens.length, builtIn.length + 60);
    assert.deepEqual(tokens.at(-1), { symbol: 'LONGTAIL59', name: 'LONGTAIL59 by a list', address: tokens.at(-1).address, decimals: 18, chain: 'gnosis' });
    assert.equal(tokens.at(-1).address.toLowerCase(), address(59));
});

test('its pages and its search', async () => {
    const all = await shown('gnosis', '&limit=1000');
    assert.deepEqual(await shown('gnosis', '&limit=10&offset=3'), all.slice(3, 13));
    assert.deepEqual(await shown('gnosis', `&limit=5&offset=${all.length - 2}`), all.slice(-2));
    assert.deepEqual((await shown('gnosis', '&search=longtail5')).map(({ symbol }) => symbol), ['5', '50', '51', '52', '53', '54', '55', '56', '57', '58', '59'].map((n) => `LONGTAIL${n}`));
    assert.deepEqual(await shown('gnosis', '&search=%25'), []);
    const { chains } = granted(await agent.get('/tokens?search=longtail59'));
    assert.deepEqual(chains.filter(({ tokens }) => tokens.length > 0).map(({ chain }) => chain), ['gnosis']);
});

test('OpenOcean is asked where LI.FI has no list', async () => {
    await refresh({ [FANTOM]: many(FANTOM, 50).map(({ chainId, ...rest }) => rest) });
    assert.equal((await symbolsBeyond('fantom', [])).filter((symbol) => symbol.startsWith('LONGTAIL')).length, 50);
    assert.ok(asked.includes(`/openocean/v4/${FANTOM}/tokenList`), asked.join());
});

test('a listed token that imitates another one, hides characters or is malformed is left out', async () => {
    const builtIn = await shown('gnosis');
    const good = many(GNOSIS, 60);
    await refresh({
        [GNOSIS]: [
            row(GNOSIS, address(200), 'USDC'), row(GNOSIS, address(201), 'U5DC'), row(GNOSIS, address(202), '$wxdai'),
            row(GNOSIS, address(203), 'SCRIPT', { name: '<script>alert(1)</script>' }), row(GNOSIS, address(204), 'TURN', { name: 'a\u202eb' }),
            row(GNOSIS, address(205), 'DE\u0421EIT'), row(GNOSIS, address(206), '...'), row(GNOSIS, address(207), 'A'.repeat(33)),
            row(GNOSIS, address(208), 'BIG', { decimals: 256 }), row(GNOSIS, address(209), 'HALF', { decimals: 1.5 }), row(GNOSIS, address(210), 'MINUS', { decimals: -1 }),
            row(GNOSIS, '0x12', 'SHORT'), row(GNOSIS, `0x${'0'.repeat(40)}`, 'COIN'), row(GNOSIS, `0x${'e'.repeat(40)}`, 'COIN2'), { chainId: GNOSIS }, null, 7,
            row(GNOSIS, token('ethereum', 'USDC').address, 'FIRST'), row(GNOSIS, token('ethereum', 'USDC').address.toLowerCase(), 'AGAIN'), row(GNOSIS, address(211), 'f1r5t'),
            ...good,
        ],
    });
    assert.deepEqual(await symbolsBeyond('gnosis', builtIn.filter(({ symbol }) => !symbol.startsWith('LONGTAIL'))), ['FIRST', ...good.map(({ symbol }) => symbol)]);
});

test('dollars that nothing backs any more are never listed', async () => {
    await refresh({ [FANTOM]: [...many(FANTOM, 50), row(FANTOM, '0x04068DA6C83AFCFA0e13ba15A6696662335D5B75', 'MULTI'), row(FANTOM, '0x049d68029688eabf473097a2fc38ef61633a3c7a', 'fUSDT')] });
    assert.deepEqual((await symbolsBeyond('fantom', [])).filter((symbol) => ['MULTI', 'fUSDT'].includes(symbol)), []);
});

test('with a node, only tokens that the chain confirms are accepted', async () => {
    const builtIn = await shown('ethereum');
    await refresh({ [ETHEREUM]: [row(ETHEREUM, NO_CODE, 'NOCODE'), row(ETHEREUM, other, 'WRONG', { decimals: 18 }), row(ETHEREUM, honest.toLowerCase(), 'PAUSE')] });
    assert.deepEqual(await symbolsBeyond('ethereum', builtIn), ['PAUSE']);
    const quote = (from) => agent.post('/quote', { from_token: from, to_token: 'USDC', amount: '1', chain: 'ethereum' });
    assert.equal(granted(await quote('pause')).from_token.address, honest);
    assert.match((await quote('NOCODE')).body.error, /Unknown token/);
});

test('a list that shrank by half, is too long, or is none changes nothing', async () => {
    await refresh({ [GNOSIS]: many(GNOSIS, 60) });
    const before60 = await shown('gnosis', '&limit=1000');
    for (const list of [many(GNOSIS, 29), many(GNOSIS, 20001), many(GNOSIS, 100_000), [], {}, '[', '{"tokens":7}', '', JSON.stringify({ tokens: { [ETHEREUM]: many(GNOSIS, 70) } })]) {
        await refresh({ [GNOSIS]: list });
        assert.deepEqual(await shown('gnosis', '&limit=1000'), before60);
    }
    await refresh({ [GNOSIS]: many(GNOSIS, 40) });
    assert.equal((await shown('gnosis', '&limit=1000')).length, before60.length - 20);
});

// ---------------------------------------------------------------- Solana

const mintOf = (name) => LISTED.find(({ symbol, name: also = symbol }) => also === name);
const listed = ({ mint, symbol, name = symbol, decimals, isVerified = true }, more = {}) => ({ id: mint, symbol, name, decimals, isVerified, tokenProgram: 'x', usdPrice: 1.5, ...more });
const onSolana = (from, to, amount = '1') => agent.post('/quote', { from_token: from, to_token: to, amount, chain: 'solana' });

test('on Solana, what Jupiter has verified and the chain confirms is taken over', async () => {
    const builtIn = await shown('solana'), [anchor, buoy] = ['ANCHOR', 'BUOY'].map(mintOf);
    await refresh({
        solana: [
            { id: COIN.mint, symbol: 'SOL', name: 'Wrapped SOL', decimals: 9, isVerified: true }, ...LISTED.map((each) => listed(each)),
            listed(anchor, { name: 'The same again' }), ...[1, 'true', null, {}].map((isVerified, i) => listed({ ...anchor, mint: MINTS.WIF.mint, symbol: `FLAG${i}` }, { isVerified })),
            listed({ ...anchor, symbol: 'ANCHOR2' }, { id: anchor.mint.toLowerCase() }), listed({ ...anchor, symbol: 'EVM' }, { id: honest }), listed({ ...anchor, symbol: 'W50L' }, { id: MINTS.WIF.mint.slice(0, -1) }),
            listed({ ...buoy, symbol: 'JU P' }), { isVerified: true }, null, 7,
        ],
    });
    assert.ok(asked.includes('/jupiter/tokens/v2/tag?query=verified'), asked.join());
    const beyond = (await shown('solana')).slice(builtIn.length);
    assert.deepEqual(beyond, [anchor, buoy, mintOf('Ebb of the Atlantic'), mintOf('Ebb of the Pacific'), mintOf('TOLL'), mintOf('HOOK')].map(({ mint, symbol, name = symbol, decimals }) => ({
        symbol, name, address: mint, decimals, chain: 'solana',
    })));
});

test('a symbol means the built-in mint, else the one that is listed, and of several it means none', async () => {
    const known = async (name) => {
        const { body } = await onSolana('SOL', name);
        // They have no pool here: the name was understood.
        assert.equal(body.error, 'Insufficient liquidity for this trade', JSON.stringify(body));
    };
    for (const name of ['anchor', 'ANCHOR', mintOf('ANCHOR').mint, 'Buoy', mintOf('Ebb of the Pacific').mint]) await known(name);
    assert.equal(granted(await onSolana('SOL', 'usdc')).to_token.address, MINTS.USDC.mint);
    const { error, hint } = (await onSolana('SOL', 'Ebb')).body;
    assert.equal(error, "Unknown token 'Ebb' on chain 'solana'");
    assert.equal(hint, `Several tokens have this symbol on solana: give the address of one, such as ${['Ebb of the Atlantic', 'Ebb of the Pacific'].map((name) => `${mintOf(name).mint} (${name})`).join(', ')}`);
    for (const name of ['KEEL', 'JETTY', mintOf('ANCHOR').mint.toLowerCase()]) assert.equal((await onSolana('SOL', name)).body.error, `Unknown token '${name}' on chain 'solana'`);
});

/** An agent with 100 SOL, and what becomes of a quote that it takes. */
async function trader() {
    const own = await register();
    own.address = granted(await own.post('/wallets', { chain_type: 'solana' }), 201).wallet.address;
    await stack('fund', own.address, 'solana');
    own.quoted = (from_token, to_token, amount, slippage) => own.quote(from_token, to_token, amount, { chain: 'solana', slippage });
    own.refuses = async (quote, words, hint) => {
        const { would_execute: would, checks } = granted(await own.post('/swap/simulate', { quote_id: quote.quote_id }));
        assert.deepEqual([would, checks.find(({ name }) => name === 'eth_call_revert_check').status], [false, 'fail']);
        assert.match(refused(await own.execute(quote), words).hint, hint);
        assert.deepEqual(granted(await own.get('/swaps')).swaps, []);
    };
    return own;
}

test('a token that keeps a part of each transfer is bought where the minimum is left, and what arrived is told', async () => {
    cronGoesOn(); // swaps are followed by jobs that it starts anew, and the stack's list has this token as well
    const own = await trader(), toll = mintOf('TOLL');
    await own.refuses(await own.quoted('SOL', toll.mint, '1', 0.005), 'Price moved beyond slippage', /kept a part of each transfer.*more slippage/);
    const quote = await own.quoted('SOL', toll.mint, '1', 0.03);
    const swap = await own.completed(granted(await own.execute(quote)).swap_id);
    const share = swap.to_amount / quote.amount_out;
    assert.ok(share > 0.989 && share < 0.991, share);
    const sold = await own.completed(granted(await own.execute(await own.quoted(toll.mint, 'USDC', swap.to_amount, 0.03))).swap_id);
    assert.equal(sold.from_amount, swap.to_amount);
});

test('a token that wants a program called with each transfer is not bought, and the reason is told', async () => {
    const own = await trader();
    await own.refuses(await own.quoted('SOL', mintOf('HOOK').mint, '1', 0.03), 'Transaction would revert', /refuses it.*another token/);
});

test('a list of Jupiter that is none changes nothing there', async () => {
    const before4 = await shown('solana');
    for (const list of [{}, [], [listed(mintOf('ANCHOR'))], undefined]) {
        await refresh({ solana: list });
        assert.deepEqual(await shown('solana'), before4);
    }
});
