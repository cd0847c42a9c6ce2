// Section: api
// What an agent has been told is never shown as it was before: behind a node that lags, behind one whose name stands for several that
// take turns, and behind two of which one lags.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Wallet, formatUnits } from 'ethers';
import { ADDRESSES } from '../../contrib/sandbox/polymarket.mjs';
import { Node } from '../faults/node.mjs';
import { sql } from '../jobs/lib.mjs';
import {
    balance, fund, give, rpc, text,
} from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    granted, refused, registerUnlimited, show, stack, stackSettings, until,
} from './lib.mjs';
import {
    ask as askVenue, becomes, honest, trader, wrong,
} from './perps-trading.mjs';
import {
    VENUE, at, completed, holder, placeSettled, trader as bettor, untilFinal,
} from './prediction.mjs';

const settings = await stackSettings();
const URL_OF = { ethereum: process.env.ETHEREUM_URL, base: process.env.BASE_CHAIN_URL, polygon: process.env.POLYGON_URL, solana: settings.SANDBOX_SOLANA_URL };
const BEHIND = 3; // blocks

/** Honest until it lags; its port stands for the chain. */
async function nodeOf(chain) {
    const node = new Node(URL_OF[chain]);
    const { port } = await node.listen(0);
    after(() => node.close());
    return Object.assign(node, { url: `http://127.0.0.1:${port}` });
}

const [alone, first, solana, polygon] = await Promise.all(['ethereum', 'base', 'solana', 'polygon'].map(nodeOf));
const gateway = await startGateway(['tier.standard = 100000', 'workers = 3', `rpc.ethereum = ${alone.url}`, `rpc.base = ${first.url}, ${URL_OF.base}`, `rpc.solana = ${solana.url}`]);
after(() => gateway.stop());

const agent = await registerUnlimited();
const wallet = await agent.wallet('ethereum', 10);
await fund('base', wallet, 10);
for (const chain of ['ethereum', 'base']) {
    await give(chain, wallet, 'USDC', 5000);
    await rpc(chain, 'anvil_mine', [`0x${BEHIND + 1}`]); // a node that lags knows of that
}
const there = (method, path, json) => agent.send(method, path, { json, base: gateway.base, mayBreak: true });

async function during(node, lag, work) {
    node.misbehave({ lag });
    try {
        return await work();
    } finally {
        node.behave();
    }
}

/** What the other gateway shows of the chain, by symbol. */
async function shown(chain) {
    const answer = await there('GET', `/portfolio?chain=${chain}`);
    const { balances, unavailable } = granted(answer);
    assert.equal(unavailable, undefined, show(answer));
    return Object.fromEntries(balances.map(({ symbol, balance: held }) => [symbol, held]));
}

const trimmed = (amount) => amount.replace(/\.0$/, '');

/** By the chain itself, which does not lag. */
async function held(chain, symbols) {
    return Object.fromEntries(await Promise.all(symbols.map(async (symbol) => [symbol, trimmed(text(chain, symbol, await balance(chain, wallet, symbol)))])));
}

const SYMBOLS = ['ETH', 'USDC', 'WETH'];

for (const [what, chain, node, lag] of [
    ['a node that lags', 'ethereum', alone, () => BEHIND],
    ['several nodes of one name that take turns', 'ethereum', alone, (turn) => (turn % 2 === 0 ? BEHIND : 0)],
    ['a first node that lags', 'base', first, () => BEHIND],
]) {
    for (const [from, to, amount] of [['USDC', 'WETH', '10'], ['USDC', 'ETH', '300'], ['ETH', 'USDC', '0.1']]) {
        test(`balances after ${amount} ${from} for ${to}, behind ${what}`, async () => {
            await agent.completed(await agent.swap(from, to, amount, { chain }));
            const now = await held(chain, SYMBOLS);
            await during(node, lag, async () => assert.deepEqual(await shown(chain), now));
            assert.deepEqual(await shown(chain), now);
        });
    }
}

test('a bought token can be sold at once, behind a node that lags', async () => {
    const chain = 'ethereum';
    await agent.completed(await agent.swap('USDC', 'WETH', '300', { chain }));
    await during(alone, () => BEHIND, async () => {
        const quote = granted(await agent.post('/quote', { from_token: 'WETH', to_token: 'USDC', amount: '0.05', chain }));
        const answer = await there('POST', '/swap/execute', { quote_id: quote.quote_id });
        if (answer.status !== 200) behind(answer);
        else await agent.completed(answer.body.swap_id); // until then it may still take what it has taken
    });
});

test('a sold token cannot be sold again, behind a node that lags', async () => {
    const chain = 'ethereum';
    await agent.completed(await agent.swap('WETH', 'USDC', formatUnits(await balance(chain, wallet, 'WETH'), 18), { chain }));
    const quote = granted(await agent.post('/quote', { from_token: 'WETH', to_token: 'USDC', amount: '0.05', chain }));
    await during(alone, () => BEHIND, async () => {
        assert.equal((await shown(chain)).WETH, undefined);
        const answer = await there('POST', '/swap/execute', { quote_id: quote.quote_id });
        refused(answer, 'Insufficient balance');
    });
});

test('balances after swaps on Solana, behind a node that lags', async () => {
    const { address } = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet;
    await stack('fund', address, 'solana');
    const older = new Map();
    const about = ({ method, params }) => /^get(MultipleAccounts|TokenAccountsByOwner)$/.test(method) && JSON.stringify([method, params]);
    const trade = { chain: 'solana', wallet_address: address };
    for (const [from, to, amount] of [['SOL', 'USDC', '2'], ['USDC', 'SOL', '10']]) {
        solana.misbehave({ answers: (call, answer) => { if (about(call)) older.set(about(call), answer); } });
        const before = await shown('solana');
        await agent.completed(granted(await agent.post('/swap/execute', { quote_id: (await agent.quote(from, to, amount, trade)).quote_id, wallet_address: address })).swap_id);
        solana.behave();
        const now = await shown('solana');
        assert.notDeepEqual(now, before);
        solana.misbehave({ answers: (call, answer) => (about(call) && older.has(about(call)) ? { ...older.get(about(call)), id: answer.id } : undefined) });
        try {
            assert.deepEqual(await shown('solana'), now);
        } finally {
            solana.behave();
        }
    }
});

// ---------------------------------------------------------------- lending

/** A refusal after which the same request may be repeated. */
function behind(answer) {
    assert.match(refused(answer, "The chain's nodes are behind").hint, /do not show the wallet's last transaction there yet: nothing was done, repeat the same request/);
    assert.equal(answer.headers['retry-after'], '2');
}

const lent = async (chain) => granted(await there('GET', `/lend/positions?wallet_address=${wallet}${chain === undefined ? '' : `&chain=${chain}`}`));

async function lendingEnds(who, { id }) {
    return until(`operation ${id} to be completed`, async () => {
        const { operation } = granted(await who.get(`/lend/operation/${id}`));
        assert.notEqual(operation.status, 'failed', JSON.stringify(operation));
        return operation.status === 'completed';
    });
}

const lend = async (kind, amount) => lendingEnds(agent, granted(await agent.post(`/lend/${kind}`, { asset: 'USDC', amount, chain: 'base' })).operation);

const height = async (chain) => Number(await rpc(chain, 'eth_blockNumber', []));
const supplied = ({ positions }) => Math.round(positions.reduce((sum, { asset, supplied: units }) => sum + (asset === 'USDC' ? Number(units) : 0), 0));

for (const [what, lag, others] of [
    ['a first node that lags', () => BEHIND, true],
    ['several nodes of one name that take turns', (turn) => (turn % 2 === 0 ? BEHIND : 0), true],
    ['a node that lags alone', () => BEHIND, false],
]) {
    test(`positions after a supply and a withdrawal are current, behind ${what}`, async () => {
        const at = others ? gateway : await startGateway(['tier.standard = 100000', 'workers = 2', `rpc.base = ${first.url}`]);
        const ask = async () => granted(await agent.send('GET', `/lend/positions?wallet_address=${wallet}`, { base: at.base }));
        try {
            const before = supplied(await lent());
            for (const [kind, sum] of [['supply', 200], ['withdraw', 80]]) {
                const held = supplied(await lent()), begun = await height('base');
                await lend(kind, String(sum));
                const missed = await height('base') - begun; // on a busy machine more than the operation's own
                const now = held + (kind === 'supply' ? sum : -sum);
                await during(first, (turn) => lag(turn) && lag(turn) + missed, async () => {
                    const answer = await ask();
                    if (others) assert.equal(supplied(answer), now);
                    else assert.deepEqual([answer.positions.filter(({ chain }) => chain === 'base'), answer.unavailable.includes('base')], [[], true]);
                });
                assert.equal(supplied(await ask()), now);
            }
            assert.equal(supplied(await lent()), before + 120);
        } finally {
            if (!others) await at.stop();
        }
    });
}

// Its simulation would be of the state before the last one: two that each leave enough may together leave too little.
test('no debt is judged without the last one, behind a node that lags alone', async () => {
    const at = await startGateway(['tier.standard = 100000', 'workers = 2', `rpc.base = ${first.url}`]);
    const terms = { asset: 'USDC', amount: '20', chain: 'base' };
    const ask = (path) => agent.send('POST', path, { base: at.base, json: path.endsWith('simulate') ? { type: 'borrow', ...terms } : terms, mayBreak: true });
    try {
        const begun = await height('base');
        await lend('supply', '400');
        await lend('borrow', '20');
        const missed = await height('base') - begun;
        await rpc('base', 'anvil_mine', [`0x${missed.toString(16)}`]); // the supply is known to the node, and not the debt
        await lend('borrow', '20');
        const newest = await height('base') - BEHIND;
        first.misbehave({ knows: () => newest });
        for (const path of ['/lend/borrow', '/lend/simulate']) behind(await ask(path));
        first.behave();
        granted(await ask('/lend/borrow'));
    } finally {
        first.behave();
        await at.stop();
    }
});

for (const waits of [true, false]) {
    test(`each lending operation right after another one, behind a node that lags alone ${waits ? 'for a moment' : 'for longer'}`, async () => {
        const at = await startGateway(['tier.standard = 100000', 'workers = 2', `rpc.base = ${first.url}`]);
        const who = await registerUnlimited(), address = await who.wallet('base', 1);
        const ask = (kind, amount) => who.send('POST', `/lend/${kind}`, { base: at.base, json: { asset: 'USDC', amount, chain: 'base' }, headers: { 'idempotency-key': `"${kind} ${amount}"` }, mayBreak: true });
        try {
            await give('base', address, 'USDC', 1000);
            let newest = await height('base');
            await lendingEnds(who, granted(await ask('supply', '900')).operation);
            for (const [kind, amount] of [['borrow', '100'], ['repay', '50'], ['withdraw', '700'], ['supply', '720']]) {
                first.misbehave({ knows: () => newest });
                const catchUp = async () => {
                    newest = await height('base');
                    first.behave();
                };
                const later = waits && pause(1000).then(catchUp);
                let answer = await ask(kind, amount);
                if (waits) {
                    await later;
                } else {
                    behind(answer);
                    await catchUp();
                    answer = await ask(kind, amount);
                }
                await lendingEnds(who, granted(answer).operation);
            }
        } finally {
            first.behave();
            await at.stop();
        }
    });
}

// ---------------------------------------------------------------- perpetuals

const ETH = { market: 'ETH', side: 'long', size: '0.2', leverage: 5 };
const positionsOf = async (who) => granted(await who.get('/perps/positions')).positions;
const accountOf = async (who) => granted(await who.get('/perps/account')).account;
const near = (one, other) => assert.ok(Math.abs(Number(one) - Number(other)) <= 0.02 * Math.abs(Number(other)) + 0.01, `${one} instead of ${other}`);

const state = (who) => askVenue('clearinghouseState', { user: who.address });

/** The venue answers what it is asked of the wallet as it was at that time. */
async function venueOf(who, at, work) {
    await wrong('lagging_reads', { wallet: who.address, value: { at } });
    try {
        return await work();
    } finally {
        await honest(who.address);
    }
}

/** It is filled; returns a moment before it. */
async function filled(who, path, terms) {
    const begun = Date.now();
    await until('another moment', () => Date.now() > begun);
    const { order } = granted(await who.post(path, terms));
    await becomes(who, order.id, 'filled');
    return begun;
}

test('positions and margin after orders, at a venue that lags', async () => {
    const who = await trader(10_000);
    for (const [path, terms] of [['/perps/order', ETH], ['/perps/order', { ...ETH, size: '0.3' }], ['/perps/close', { market: 'ETH', size: '0.1' }],
        ['/perps/order', { ...ETH, side: 'short', size: '0.9' }], ['/perps/close', { market: 'ETH' }]]) {
        const begun = await filled(who, path, terms);
        const { assetPositions, marginSummary, withdrawable } = await state(who);
        await venueOf(who, begun, async () => {
            const positions = await positionsOf(who), account = await accountOf(who);
            assert.notDeepEqual((await state(who)).assetPositions, assetPositions); // it does lag
            assert.deepEqual(positions.map(({ side, size }) => (side === 'short' ? -size : size)), assetPositions.map(({ position }) => Number(position.szi)));
            for (const [i, { position }] of assetPositions.entries()) {
                assert.deepEqual([positions[i].leverage, positions[i].marginMode], [position.leverage.value, position.leverage.type]);
                near(positions[i].entryPrice, position.entryPx);
                near(positions[i].margin, position.marginUsed);
                near(positions[i].positionValue, position.positionValue);
            }
            near(account.accountValue, marginSummary.accountValue);
            near(account.marginUsed, marginSummary.totalMarginUsed);
            near(account.withdrawable, withdrawable);
        });
    }
});

// ---------------------------------------------------------------- predictions

test('positions after orders, at a venue whose list lags', async () => {
    const kept = new Map();
    let lags = false;
    const list = createServer(async (request, response) => {
        const text = lags && kept.has(request.url) ? kept.get(request.url) : await (await fetch(`${VENUE}/polymarket/data${request.url}`)).text();
        if (!lags) kept.set(request.url, text);
        response.setHeader('content-type', 'application/json');
        response.end(text);
    }).listen(0, '127.0.0.1');
    await once(list, 'listening');
    const late = await startGateway(['tier.standard = 100000', 'workers = 2', `predict_data_url = http://127.0.0.1:${list.address().port}`]);
    try {
        const who = await bettor(50);
        const read = async (base) => granted(await who.send('GET', '/predict/positions', { base })).positions;
        const [{ outcomes: [{ tokenId }] }] = granted(await who.get('/predict/markets?query=Brandt')).markets;
        for (const size of [20, 5]) {
            lags = false;
            const before = await read(late.base);
            const { order } = granted(await who.post('/predict/order', { tokenId, side: 'BUY', size, price: 0.95, type: 'FAK' }));
            const shares = await until('it to be filled', async () => {
                const { status, error, filled } = granted(await who.get(`/predict/order/${order.id}`)).order;
                assert.notEqual(status, 'rejected', error);
                return status === 'filled' && filled; // for its money, more than its size
            });
            lags = true;
            const now = await read(late.base);
            const want = (before.find(({ asset }) => asset === tokenId)?.size ?? 0) + shares;
            assert.equal((now.find(({ asset }) => asset === tokenId)?.size ?? 0).toFixed(6), want.toFixed(6));
            await untilFinal('the chain to have it', async () => ((await read()).find(({ asset }) => asset === tokenId)?.size ?? 0).toFixed(6) === want.toFixed(6));
        }
    } finally {
        await late.stop();
        list.close();
        list.closeAllConnections();
    }
});

async function traded(who, terms) {
    const { id } = await placeSettled(who, { ...terms, type: 'FAK' });
    await untilFinal(`order ${id} to be settled`, async () => await sql(`SELECT COUNT(*) FROM predict_orders WHERE hash = ${id} AND matched > 0 AND settled = matched AND final`) === '1');
}

/** What the wallet can bet with is never shown as it was before what was told, whichever block the chain's only node has come to. */
for (const [kind, lines, places] of [
    ['a contract', [], ['/predict/account']],
    ['a wallet that trades itself', ['predict_wallet = eoa'], ['/predict/account', '/portfolio?chain=polygon']],
]) {
    test(`collateral of ${kind} after a deposit, trades and a withdrawal, behind a node that lags alone`, async () => {
        const late = await startGateway(['tier.standard = 100000', 'workers = 2', `rpc.polygon = ${polygon.url}`, ...lines]);
        const who = await holder(60, late.base), { tradingAddress } = granted(await who.get('/predict/account')).account;
        const heldIn = (answer) => answer.account?.collateral.balance ?? answer.balances.find(({ symbol }) => symbol === 'pUSD')?.balance ?? 0;
        const near = (one, other, why) => assert.ok(Math.abs(Number(one) - Number(other)) < 0.001, `${one} instead of ${other}: ${why}`);
        const [{ outcomes: [{ tokenId }] }] = granted(await who.get('/predict/markets?query=Brandt')).markets;
        try {
            for (const [what, change] of [
                ['a deposit', async () => completed(who, await who.post('/predict/deposit', { amount: '50' }))],
                ['a purchase', async () => traded(who, { tokenId, side: 'BUY', size: 20, price: 0.95 })],
                ['a sale', async () => traded(who, { tokenId, side: 'SELL', size: 10, price: 0.05 })],
                ['a withdrawal', async () => completed(who, await who.post('/predict/withdraw', { amount: '5' }))],
            ]) {
                const before = await height('polygon');
                await change();
                const after = await height('polygon'), held = formatUnits(await at(ADDRESSES.collateral).balanceOf(tradingAddress), 6);
                const blocks = [before, ...Array.from({ length: Math.min(after - before, 12) }, (_, i) => before + 1 + i), after];
                for (const block of blocks) {
                    polygon.misbehave({ knows: () => block });
                    for (const place of places) {
                        const answer = granted(await who.get(place));
                        near(heldIn(answer), held, `${what}, block ${block} of ${before} to ${after}, by ${place}`);
                        assert.deepEqual([answer.account?.ready ?? true, answer.unavailable], [true, undefined], what);
                    }
                }
                polygon.behave();
                for (const place of places) near(heldIn(granted(await who.get(place))), held, what);
            }
        } finally {
            polygon.behave();
            await late.stop();
        }
    });
}

/** What it can be paid right after a trade is neither what it had before nor refused as if it had that. */
for (const [what, path, where] of [
    ['into dollars', '/predict/withdraw', () => ({})],
    ['to another address', '/wallets/withdraw', ({ cold }) => ({ token: 'pUSD', chain: 'polygon', address_id: cold.id })],
]) {
    test(`a withdrawal of collateral ${what} right after a trade by a wallet that trades itself, behind a node that lags alone`, async () => {
        const late = await startGateway(['tier.standard = 100000', 'workers = 2', `rpc.polygon = ${polygon.url}`, 'predict_wallet = eoa']);
        const who = await holder(100, late.base), cold = Wallet.createRandom().address;
        const collateral = (address) => at(ADDRESSES.collateral).balanceOf(address);
        const [{ outcomes: [{ tokenId }] }] = granted(await who.get('/predict/markets?query=Brandt')).markets;
        const terms = where({ cold: granted(await who.post('/withdrawal-addresses', { address: cold }), 201).withdrawal_address });
        const ask = (amount) => who.send('POST', path, { base: late.base, json: { amount, ...terms }, mayBreak: true });
        const paid = async (answer) => {
            const { withdrawal } = granted(answer);
            if (withdrawal === undefined) return completed(who, answer);
            return untilFinal(`withdrawal ${withdrawal.id} to end`, async () => {
                const { withdrawal: now } = granted(await who.get(`/withdrawals/${withdrawal.id}`));
                assert.notEqual(now.status, 'failed', now.error);
                return now.status === 'completed' && now;
            });
        };
        try {
            await until('the address to be active', async () => granted(await who.get('/withdrawal-addresses')).withdrawal_addresses[0].status === 'active');
            for (const trade of [{ side: 'BUY', size: 20, price: 0.95 }, { side: 'SELL', size: 10, price: 0.05 }]) {
                await completed(who, await who.post('/predict/deposit', { amount: '40' }));
                const before = await height('polygon'), had = await collateral(who.address);
                await traded(who, { tokenId, ...trade });
                const has = await collateral(who.address);
                assert.equal(has > had, trade.side === 'SELL');
                polygon.misbehave({ knows: () => before });
                if (has < had) assert.match((await ask(formatUnits(had, 6))).body.error, /^Insufficient balance/);
                let answer = await ask('max');
                polygon.behave();
                if (answer.status !== 200) {
                    behind(answer);
                    answer = await ask('max');
                }
                const { amount } = await paid(answer);
                assert.equal(amount, formatUnits(has, 6).replace(/\.0$/, ''), trade.side);
                assert.equal(await collateral(who.address), 0n);
            }
        } finally {
            polygon.behave();
            await late.stop();
        }
    });
}
