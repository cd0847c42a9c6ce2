// Section: operator
// lend-watch, on the sandbox's base: the events that agents get about wallets with debts, each once. The wallets' debts are made
// by the chain's node, which may act for any account, and cron is stopped, so that only these looks happen.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { Interface, MaxUint256, toBeHex } from 'ethers';
import { setPrice } from '../../contrib/sandbox/lending/feeds.mjs';
import { MORPHO } from '../../contrib/sandbox/world.mjs';
import {
    ALL_CHAINS, give, impersonated, outsider, token, units,
} from '../api/chain.mjs';
import {
    receiver, register, until, verified,
} from '../api/lib.mjs';
import { MORPHO_ABI, POOL, marketOf } from '../api/lending.mjs';
import {
    arm, disarm, processes, runJob, settings, signal, sql,
} from './lib.mjs';

const CHAIN = 'base';
const BASE = ALL_CHAINS[CHAIN];
const { aave } = BASE.lending;
const WETH = token(CHAIN, 'WETH').address, USDC = token(CHAIN, 'USDC').address;
const VARIABLE = 2;
const PRICE = BASE.lending.feeds.WETH.price;
const DEBTLESS_LOOKS = 15, MISSING_LOOKS = 3;
const BLUE = new Interface(MORPHO_ABI);
const TOKEN = new Interface(['function approve(address, uint256)']);
const market = marketOf({ chain: BASE }, 'USDC', 'WETH');

const nodeUrl = process.env.BASE_CHAIN_URL;
const folder = mkdtempSync('/tmp/agent-gateway-test.');
const conf = join(folder, 'gateway.conf');
const price = (dollars) => setPrice(nodeUrl, BASE, 'WETH', dollars);

// ---------------------------------------------------------------- a node that says what a test wants

let lie = (method, answer) => answer;

/** Passes everything on to the chain's node; `lie` changes its answers. */
const node = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const asked = JSON.parse(Buffer.concat(parts));
    const answers = await (await fetch(nodeUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(asked) })).json();
    const told = [answers].flat().map((answer) => lie([asked].flat().find(({ id }) => id === answer.id), answer));
    response.setHeader('content-type', 'application/json').end(JSON.stringify(Array.isArray(answers) ? told : told[0]));
});

const looks = () => runJob('lend-watch', conf);

let cron = [];
before(async () => {
    node.listen(0, '127.0.0.1');
    await new Promise((resolve) => { node.once('listening', resolve); });
    writeFileSync(conf, `include ${settings().GATEWAY_CONF}\nrpc.base = http://127.0.0.1:${node.address().port}\n`);
    cron = (await processes()).filter(([name]) => name === 'cron').map(([, pid]) => pid);
    cron.forEach((pid) => signal(pid, 'SIGSTOP'));
    await price(PRICE);
});
afterEach(async () => {
    disarm();
    lie = (asked, answer) => answer;
    await price(PRICE);
    await sql('DELETE FROM lend_monitors; DELETE FROM lend_scans');
});
after(() => {
    cron.forEach((pid) => signal(pid, 'SIGCONT'));
    node.close();
    node.closeAllConnections();
    rmSync(folder, { recursive: true });
});

// ---------------------------------------------------------------- wallets that owe something

const act = (from, to, abi, name, ...args) => impersonated(CHAIN, from, { to, data: abi.encodeFunctionData(name, args), gas: toBeHex(3_000_000) });

/** An agent whose wallet may be spent from by a lender. */
async function debtor(spender) {
    const agent = await register();
    agent.hook = await receiver();
    agent.secret = await agent.listen(agent.hook.url);
    agent.address = await agent.wallet(CHAIN, 1);
    await give(CHAIN, agent.address, 'WETH', '10');
    await act(agent.address, WETH, TOKEN, 'approve', spender, MaxUint256);
    return agent;
}

/** As a borrow does. */
const watched = ({ address }, protocol, id) => sql('INSERT INTO lend_monitors (agent_id, wallet_id, chain_id, protocol, market)'
    + ` SELECT agent_id, id, ${BASE.id}, '${protocol}', '${id}' FROM wallets WHERE address = '${address}'`);

/** Owes Aave 12000 USDC for 10 WETH, of which 82.5 % may be owed: 2.06 at 3000, 1.1 at 1600. */
async function aaveDebtor() {
    const agent = await debtor(aave.pool);
    await act(agent.address, aave.pool, POOL, 'supply', WETH, units(CHAIN, 'WETH', '10'), agent.address, 0);
    await act(agent.address, aave.pool, POOL, 'borrow', USDC, units(CHAIN, 'USDC', '12000'), VARIABLE, 0, agent.address);
    await watched(agent, 'aave-v3', '');
    return agent;
}

async function morphoDebtor() {
    const agent = await debtor(MORPHO);
    await act(agent.address, MORPHO, BLUE, 'supplyCollateral', market.params, units(CHAIN, 'WETH', '10'), agent.address, '0x');
    await act(agent.address, MORPHO, BLUE, 'borrow', market.params, units(CHAIN, 'USDC', '12000'), 0, agent.address, agent.address);
    await watched(agent, 'morpho', market.id);
    return agent;
}

async function liquidator(spender) {
    const { address } = await outsider(CHAIN, 1);
    await give(CHAIN, address, 'USDC', '12000');
    await act(address, USDC, TOKEN, 'approve', spender, MaxUint256);
    return address;
}

/** A liquidator repays 6000 USDC for it and takes 4.5 WETH, at 1400; the transaction. */
async function liquidateAtAave({ address }) {
    const keeper = await liquidator(aave.pool);
    const { hash } = await act(keeper, aave.pool, POOL, 'liquidationCall', WETH, USDC, address, units(CHAIN, 'USDC', '6000'), false);
    return hash;
}

/** What was told, oldest first: [type, data] pairs. */
async function told({ id }) {
    const rows = await sql(`SELECT e.body FROM webhook_events e JOIN agents a ON a.id = e.agent_id WHERE LOWER(HEX(a.uuid)) = '${id.replaceAll('-', '')}' AND e.event_type LIKE 'lend.%' ORDER BY e.seq`);
    return rows.split('\n').filter(Boolean).map((body) => { const { type, data } = JSON.parse(body); return [type, data]; });
}
/** The event as the agent's receiver got it, by a job of the test's own where cron starts none. */
async function delivered(agent, type) {
    await runJob('webhook-drain');
    return verified(await agent.hook.delivery(({ raw }) => raw.includes(type)), agent.secret);
}
const types = async (agent) => (await told(agent)).map(([type]) => type);
const watches = ({ address }) => sql(`SELECT COUNT(*) FROM lend_monitors l JOIN wallets w ON w.id = l.wallet_id WHERE w.address = '${address}'`).then(Number);

// ---------------------------------------------------------------- what is told

test('a health factor that falls is told once, and again only after it has recovered', async () => {
    const agent = await aaveDebtor();
    await looks();
    assert.deepEqual(await told(agent), []);
    await price(1600);
    await looks();
    await looks();
    const [[type, data], ...more] = await told(agent);
    assert.deepEqual([type, more], ['lend.health.low', []]);
    const { healthFactor, totalCollateralUsd, totalDebtUsd, ...rest } = data;
    assert.deepEqual(rest, { wallet_address: agent.address, chain: CHAIN, chainId: BASE.id, protocol: 'aave-v3', market: '', alert: 1.15 });
    assert.ok(Math.abs(healthFactor - 1.1) < 1e-3 && Math.abs(totalCollateralUsd - 16000) < 1 && Math.abs(totalDebtUsd - 12000) < 1, JSON.stringify(data));
    await price(1500);
    await looks();
    assert.equal((await told(agent)).length, 1);
    await price(PRICE);
    await looks();
    await price(1600);
    await looks();
    await looks();
    assert.deepEqual(await types(agent), ['lend.health.low', 'lend.health.low']);
    assert.equal((await delivered(agent, 'lend.health.low')).data.wallet_address, agent.address);
});

test('a liquidation at Aave is told once, with what was taken', async () => {
    const agent = await aaveDebtor();
    await looks();
    await price(1400);
    await looks();
    const hash = await liquidateAtAave(agent);
    await looks();
    await looks();
    await sql(`DELETE FROM lend_scans WHERE chain_id = ${BASE.id}`);
    await looks();
    const events = await told(agent);
    assert.deepEqual(events.map(([type]) => type), ['lend.health.low', 'lend.liquidated']);
    const { collateralAsset, collateralTaken, debtAsset, debtRepaid, tx_hash: tx, healthFactor } = events[1][1];
    assert.deepEqual([collateralAsset, collateralTaken, debtAsset, debtRepaid, tx], ['WETH', '4.5', 'USDC', '6000', hash]);
    assert.ok(healthFactor > 1, `${healthFactor}`);
    assert.equal((await delivered(agent, 'lend.liquidated')).data.tx_hash, hash);
});

test('a liquidation at Morpho is told once, and of its market', async () => {
    const agent = await morphoDebtor();
    await looks();
    await price(1390);
    const { hash } = await act(await liquidator(MORPHO), MORPHO, BLUE, 'liquidate', market.params, agent.address, units(CHAIN, 'WETH', '2'), 0, '0x');
    await looks();
    await looks();
    const events = await told(agent);
    assert.deepEqual(events.map(([type]) => type), ['lend.health.low', 'lend.liquidated']);
    assert.deepEqual(events.map(([, { protocol, market: of }]) => [protocol, of]), Array(2).fill(['morpho', market.id]));
    const { collateralAsset, collateralTaken, debtAsset, tx_hash: tx } = events[1][1];
    assert.deepEqual([collateralAsset, collateralTaken, debtAsset, tx], ['WETH', '2', 'USDC', hash]);
});

test('a wallet without debts is watched for a while, and then no more', async () => {
    const agent = await aaveDebtor();
    await looks();
    await give(CHAIN, agent.address, 'USDC', '13000');
    await act(agent.address, USDC, TOKEN, 'approve', aave.pool, MaxUint256);
    await act(agent.address, aave.pool, POOL, 'repay', USDC, MaxUint256, VARIABLE, agent.address);
    for (let i = 1; i < DEBTLESS_LOOKS; i++) await looks();
    assert.equal(await watches(agent), 1);
    await looks();
    assert.equal(await watches(agent), 0);
    await looks();
    assert.equal(await sql(`SELECT COUNT(*) FROM lend_scans WHERE chain_id = ${BASE.id}`), '0');
    assert.deepEqual(await told(agent), []);
});

// ---------------------------------------------------------------- nodes that cannot be trusted

const isLogs = ({ method }) => method === 'eth_getLogs';

test('a liquidation that no node logs is told by what the wallet has, and not again when a log turns up', async () => {
    const agent = await aaveDebtor();
    await looks();
    await price(1400);
    await looks();
    lie = (asked, answer) => (isLogs(asked) ? { ...answer, result: [] } : answer);
    await liquidateAtAave(agent);
    for (let i = 0; i < MISSING_LOOKS; i++) await looks();
    assert.deepEqual(await types(agent), ['lend.health.low']);
    await looks();
    const events = await told(agent);
    assert.deepEqual(events.map(([type]) => type), ['lend.health.low', 'lend.liquidated']);
    const { collateralAsset, collateralTaken, debtAsset, debtRepaid, tx_hash: tx } = events[1][1];
    assert.deepEqual([collateralAsset, debtAsset, tx], ['WETH', 'USDC', null]);
    assert.ok(Math.abs(collateralTaken - 4.5) < 0.01 && Math.abs(debtRepaid - 6000) < 1, JSON.stringify(events[1]));
    lie = (asked, answer) => answer;
    await looks();
    await looks();
    assert.equal((await told(agent)).length, 2);
});

test('a log that one node leaves out and the next one has is told by the log', async () => {
    const agent = await aaveDebtor();
    await looks();
    await price(1400);
    lie = (asked, answer) => (isLogs(asked) ? { ...answer, result: [] } : answer);
    const hash = await liquidateAtAave(agent);
    await looks();
    await looks();
    assert.deepEqual(await types(agent), ['lend.health.low']);
    lie = (asked, answer) => answer;
    await looks();
    await looks();
    assert.equal((await told(agent))[1][1].tx_hash, hash);
    assert.equal((await told(agent)).length, 2);
});

test('logs of another contract, and those that are none, tell nothing', async () => {
    const agent = await aaveDebtor();
    await looks();
    await price(1400);
    await liquidateAtAave(agent);
    lie = (asked, answer) => (!isLogs(asked) ? answer
        : { ...answer, result: answer.result.flatMap((log) => [{ ...log, address: USDC }, { ...log, topics: [] }, { ...log, data: '0x' }, null, 7]) });
    await looks();
    assert.deepEqual(await types(agent), ['lend.health.low']);
});

test('the answer of a node that lags is ignored', async () => {
    const agent = await aaveDebtor();
    await looks();
    await looks();
    await sql('UPDATE lend_monitors SET block = block + 1000');
    await price(1600);
    await looks();
    assert.deepEqual(await told(agent), []);
    await sql('UPDATE lend_monitors SET polled_at = polled_at - INTERVAL 11 MINUTE');
    await looks();
    assert.deepEqual(await types(agent), ['lend.health.low']);
});

const TAKES = 10;
const spanOf = ({ params: [{ fromBlock, toBlock }] }) => Number(toBlock) - Number(fromBlock) + 1;

test('a liquidation is told by its log where the node takes few blocks at once', async () => {
    const agent = await aaveDebtor();
    await looks();
    await price(1400);
    const spans = [];
    lie = (asked, answer) => {
        if (!isLogs(asked)) return answer;
        spans.push(spanOf(asked));
        return spanOf(asked) <= TAKES ? answer
            : { id: answer.id, jsonrpc: '2.0', error: { code: -32600, message: `You can make eth_getLogs requests with up to a ${TAKES} block range` } };
    };
    const hash = await liquidateAtAave(agent);
    await until('the liquidation', async () => { await looks(); return (await types(agent)).includes('lend.liquidated'); });
    assert.equal((await told(agent)).find(([type]) => type === 'lend.liquidated')[1].tx_hash, hash);
    assert.ok(spans.some((span) => span > TAKES), String(spans));
});

test('logs that cannot be read are read later', async () => {
    const agent = await aaveDebtor();
    await looks();
    const scanned = () => sql(`SELECT block FROM lend_scans WHERE chain_id = ${BASE.id}`);
    const before = await scanned();
    await price(1400);
    lie = (asked, answer) => (isLogs(asked) ? { id: answer.id, jsonrpc: '2.0', error: { code: -32000, message: 'query returned too many results' } } : answer);
    const hash = await liquidateAtAave(agent);
    await looks();
    assert.equal(await scanned(), before);
    lie = (asked, answer) => answer;
    await looks();
    assert.equal((await told(agent)).find(([type]) => type === 'lend.liquidated')[1].tx_hash, hash);
});

// ---------------------------------------------------------------- killed

const POINTS = ['lend_watch.move', 'lend_watch.told', 'outbox.add', 'lend_watch.record', 'lend_watch.scan'];

test('wherever it is killed, each event is told once', async () => {
    for (const point of POINTS) {
        for (const side of ['before', 'after']) {
            const agent = await aaveDebtor();
            await looks();
            await price(1400);
            await liquidateAtAave(agent);
            arm(`${point}.${side}`, 'kill');
            await assert.rejects(looks(), ({ signal: by }) => by === 'SIGKILL', `${point}.${side}`);
            disarm();
            await looks();
            await looks();
            assert.deepEqual((await types(agent)).sort(), ['lend.health.low', 'lend.liquidated'], `${point}.${side}`);
            await sql('DELETE FROM lend_monitors; DELETE FROM lend_scans');
            await price(PRICE);
        }
    }
});

test('the database gone in the middle of it: told once', async () => {
    for (const point of POINTS) {
        for (const side of ['before', 'after']) {
            const agent = await aaveDebtor();
            await looks();
            await price(1400);
            await liquidateAtAave(agent);
            arm(`${point}.${side}`, 'error', 1);
            await looks().catch(() => {});
            disarm();
            await looks();
            assert.deepEqual((await types(agent)).sort(), ['lend.health.low', 'lend.liquidated'], `${point}.${side}`);
            await sql('DELETE FROM lend_monitors; DELETE FROM lend_scans');
            await price(PRICE);
        }
    }
});

test('two hosts that look at the same time tell it once', async () => {
    const agent = await aaveDebtor();
    await looks();
    await price(1400);
    await liquidateAtAave(agent);
    await Promise.all([looks(), looks(), looks()]);
    await looks();
    assert.deepEqual((await types(agent)).sort(), ['lend.health.low', 'lend.liquidated']);
});
