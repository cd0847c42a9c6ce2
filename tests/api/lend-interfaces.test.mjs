// Section: api
// Lending by plain English, MCP and A2A: each interface does what REST does, and none does more than the sentence says.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { Contract, JsonRpcSigner, parseEther, toBeHex } from 'ethers';
import { BUILDER } from '../../contrib/sandbox/builder.mjs';
import { A2A } from './a2a.mjs';
import { ALL_CHAINS, give, nonceOf } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import { ownLending } from './lending.mjs';
import {
    granted, refused, register, send, until,
} from './lib.mjs';
import { ask, listed, result } from './mcp.mjs';

const CHAIN = 'base';
const AAVE = 'aave-v3';
const { id: MORPHO } = ALL_CHAINS[CHAIN].lending.morpho.markets.find(({ terms }) => terms[0] === 'USDC' && terms[1] === 'WETH');
const ABSENT = `0x${'12'.repeat(32)}`;
const UNPARSED = 'Unable to parse command';

const say = (agent, command, more = {}) => agent.post('/execute', { command, ...more });
const rehearse = (agent, command) => say(agent, command, { dry_run: true });
const tool = async (agent, name, args = {}) => result(await ask('tools/call', { name, arguments: args }, { key: agent.key }));

/** An agent with 20 ETH and 10,000 USDC on Base. */
async function owner() {
    const agent = await register();
    agent.address = await agent.wallet(CHAIN, 20);
    await give(CHAIN, agent.address, 'USDC', '10000');
    return agent;
}

/** The command was understood as this; returns the result. */
function understood(answer, action, parsed) {
    const body = granted(answer);
    assert.deepEqual([body.action, body.parsed], [action, parsed]);
    return body.result;
}

const of = (asset, amount, more = {}) => ({ asset, amount, amount_kind: 'exact', chain: CHAIN, protocol: AAVE, ...more });
const shown = async (agent, id) => granted(await agent.get(`/lend/operation/${id}`)).operation;

const completed = (agent, { operation: { id } }) => until(`operation ${id} to end`, async () => {
    const now = await shown(agent, id);
    assert.notEqual(now.status, 'failed', now.error);
    return now.status === 'completed' && now;
});

/** Says it, and it has to be understood so and completed. */
const done = async (agent, command, action, parsed) => completed(agent, understood(await say(agent, command), action, parsed));

const position = async (agent, market) => (
    granted(await agent.get(`/lend/positions?chain=${CHAIN}`)).positions.find((each) => each.market === market));
const aave = (agent, symbol) => position(agent, `${AAVE}:${ALL_CHAINS[CHAIN].id}:${symbol}`);
const near = (text, wanted) => assert.ok(Math.abs(Number(text) - wanted) < wanted * 1e-3, `${text} is not about ${wanted}`);

/** An agent that has lent 2 ETH to Aave. */
async function lender() {
    const agent = await owner();
    await done(agent, 'supply 2 ETH on base', 'lend_supply', of('ETH', '2'));
    return agent;
}

let lent; // to be asked about, and rehearsed on
before(async () => { lent = await lender(); });

test('sentences supply, borrow against it, repay and withdraw', async () => {
    const agent = await lender();
    near((await aave(agent, 'WETH')).supplied, 2);
    const borrowed = await done(agent, 'borrow 1,000 USDC on base against my ETH', 'lend_borrow', of('USDC', '1000', { against: 'ETH' }));
    assert.deepEqual([borrowed.type, borrowed.asset, borrowed.amount], ['borrow', 'USDC', '1000']);
    near((await aave(agent, 'USDC')).borrowed, 1000);
    await done(agent, 'repay half of my USDC debt on base', 'lend_repay', of('USDC', '50', { amount_kind: 'percent' }));
    near((await aave(agent, 'USDC')).borrowed, 500);
    await done(agent, 'pay off all my USDC debt on base', 'lend_repay', of('USDC', '100', { amount_kind: 'percent' }));
    assert.equal(await aave(agent, 'USDC'), undefined);
    await done(agent, 'withdraw half of my WETH from aave on base', 'lend_withdraw', of('WETH', '50', { amount_kind: 'percent' }));
    near((await aave(agent, 'WETH')).supplied, 1);
    await done(agent, 'withdraw all my WETH from aave on base', 'lend_withdraw', of('WETH', '100', { amount_kind: 'percent' }));
    assert.equal(await aave(agent, 'WETH'), undefined);
});

test('shares of a supply are of what the wallet holds, and dollars are converted', async () => {
    const agent = await owner();
    const quarter = await done(agent, 'lend 25% of my USDC to aave on base', 'lend_supply', of('USDC', '25', { amount_kind: 'percent' }));
    assert.equal(quarter.amount, '2500');
    const half = await done(agent, 'supply half of my ETH on base', 'lend_supply', of('ETH', '50', { amount_kind: 'percent' }));
    near(half.amount, 10);
    const worth = await done(agent, 'borrow $300 worth of WETH on base', 'lend_borrow', of('WETH', '300', { amount_kind: 'usd' }));
    assert.ok(Number(worth.amount) > 0.05 && Number(worth.amount) < 0.2, worth.amount);
    refused(await say(agent, 'lend half of my DAI to aave on base'), 'Insufficient balance');
    refused(await say(agent, 'withdraw half of my DAI from aave on base'), 'Amount exceeds supplied balance');
    refused(await say(agent, 'repay half of my DAI debt on base'), 'No debt to repay');
});

test('a market of Morpho is named by its id, and what moves says on which side', async () => {
    const agent = await owner();
    await give(CHAIN, agent.address, 'WETH', '5');
    const there = { protocol: 'morpho', market_id: MORPHO };
    const pledged = await done(agent, `supply 2 WETH to morpho market ${MORPHO}`, 'lend_supply', of('WETH', '2', there));
    assert.deepEqual([pledged.asset, pledged.collateral], ['WETH', true]);
    await done(agent, `lend 100 USDC to market ${MORPHO} on base`, 'lend_supply', of('USDC', '100', there));
    await done(agent, `borrow 1000 USDC from morpho market ${MORPHO} against my WETH`, 'lend_borrow', of('USDC', '1000', { ...there, against: 'WETH' }));
    const now = await position(agent, MORPHO);
    near(now.collateral, 2);
    near(now.borrowed, 1000);
    near(now.supplied, 100);
    await done(agent, `repay all my USDC debt to market ${MORPHO}`, 'lend_repay', of('USDC', '100', { ...there, amount_kind: 'percent' }));
    await done(agent, `withdraw half of my WETH collateral from market ${MORPHO}`, 'lend_withdraw', of('WETH', '50', { ...there, amount_kind: 'percent', collateral: true }));
    near((await position(agent, MORPHO)).collateral, 1);
    for (const command of [
        `supply 1 DAI to market ${MORPHO}`, `supply 1 USDC as collateral to market ${MORPHO}`, `borrow 0.1 WETH from market ${MORPHO}`,
        `repay 0.1 WETH to market ${MORPHO}`,
    ]) assert.match(refused(await say(agent, command), UNPARSED).hint, /^That market lends USDC against WETH/, command);
    refused(await say(agent, `borrow 1 USDC from market ${MORPHO} against my DAI`), 'Insufficient collateral');
    refused(await say(agent, `supply 1 USDC to market ${ABSENT} on base`), 'Market not found');
});

test('collateral that a sentence names has to be there', async () => {
    const agent = await owner(), nonce = await nonceOf(CHAIN, agent.address, 'pending');
    const { hint } = refused(await say(agent, 'borrow 100 USDC on base against my ETH'), 'Insufficient collateral');
    assert.match(hint, /Nothing of ETH serves as collateral there/);
    refused(await say(lent, 'borrow 100 USDC on base against my DAI'), 'Insufficient collateral');
    assert.equal(understood(await rehearse(lent, 'borrow 100 USDC on base against my WETH'), 'lend_borrow', of('USDC', '100', { against: 'WETH' })).wouldExecute, true);
    assert.equal(understood(await rehearse(lent, 'supply 1 ETH as collateral on base'), 'lend_supply', of('ETH', '1', { collateral: true })).wouldExecute, true);
    assert.equal(await nonceOf(CHAIN, agent.address, 'pending'), nonce);
});

test('whether a supply serves as collateral is switched in words', async () => {
    const agent = await lender();
    const off = { asset: 'WETH', enabled: false, chain: CHAIN, protocol: AAVE }, on = { ...off, enabled: true };
    const serves = async () => (await aave(agent, 'WETH')).collateralEnabled;
    assert.equal(understood(await rehearse(agent, 'stop using my WETH as collateral on base'), 'lend_collateral', off).wouldExecute, true);
    assert.equal(await serves(), true);
    const { type, asset, collateral } = await done(agent, 'stop using my WETH as collateral on base', 'lend_collateral', off);
    assert.deepEqual([type, asset, collateral, await serves()], ['collateral', 'WETH', false, false]);
    await done(agent, 'use my ETH on base as collateral', 'lend_collateral', { ...on, asset: 'ETH' });
    assert.equal(await serves(), true);
    await done(agent, 'borrow 1,000 USDC on base against my ETH', 'lend_borrow', of('USDC', '1000', { against: 'ETH' }));
    refused(await say(agent, 'disable WETH as collateral on base'), 'Health factor would fall below 1.05');
    assert.equal(await serves(), true);
});

test('an asset that cannot be collateral is refused as collateral', async (t) => {
    const world = await ownLending(CHAIN), gateway = await startGateway([`rpc.base = ${world.url}`, 'rpc.polygon =']);
    t.after(async () => {
        await gateway.stop();
        world.stop();
    });
    const agent = await register();
    agent.base = gateway.base;
    for (const who of [await agent.wallet(), BUILDER]) await world.provider.send('anvil_setBalance', [who, toBeHex(parseEther('100'))]);
    await world.provider.send('anvil_impersonateAccount', [BUILDER]);
    const { lending: { aave: { configurator } }, tokens: { WETH } } = world.chain;
    const admin = new Contract(configurator, ['function configureReserveAsCollateral(address, uint256, uint256, uint256)'], new JsonRpcSigner(world.provider, BUILDER));
    await (await admin.configureReserveAsCollateral(WETH.address, 0, 8250, 10500)).wait(); // nothing is lent against it any more
    const said = 'collateral is not possible in this market';
    await until('the market to be read anew', async () => granted(await rehearse(agent, 'supply 1 ETH as collateral on base')).result.unavailable === said);
    refused(await say(agent, 'supply 1 ETH as collateral on base'), said);
    assert.equal(understood(await rehearse(agent, 'supply 1 ETH on base'), 'lend_supply', of('ETH', '1')).wouldExecute, true);
});

test('a dry run rehearses and moves nothing', async () => {
    const nonce = await nonceOf(CHAIN, lent.address, 'pending');
    const rehearsal = understood(await rehearse(lent, 'borrow 1000 USDC on base'), 'lend_borrow', of('USDC', '1000'));
    assert.deepEqual([rehearsal.wouldExecute, rehearsal.healthFactorBefore], [true, null]);
    assert.ok(rehearsal.healthFactorAfter > 1.05);
    assert.equal(understood(await rehearse(lent, 'borrow 1,000,000 USDC on base'), 'lend_borrow', of('USDC', '1000000')).wouldExecute, false);
    const nothing = understood(await rehearse(lent, 'repay all my USDC debt on base'), 'lend_repay', of('USDC', '100', { amount_kind: 'percent' }));
    assert.match(JSON.stringify(nothing), /No debt to repay/);
    assert.equal(await nonceOf(CHAIN, lent.address, 'pending'), nonce);
});

test('an incomplete sentence is refused with the missing part and examples, and moves nothing', async () => {
    const nonce = await nonceOf(CHAIN, lent.address, 'pending');
    for (const [command, hint, example] of [
        ['supply 1 ETH', /Say where/, /^supply /], ['lend my USDC to aave', /amount is missing/, /^lend /], ['deposit 1 ETH', /into what/, /^deposit /],
        ['borrow USDC on base', /amount is missing/, /^borrow /], ['repay all my debt', /is missing at its end/, /^repay /],
        ['supply 1 ETH to morpho', /Say which market of morpho/, /^supply /], ['borrow half of my USDC on base', /how much is borrowed/, /^borrow /],
        ['withdraw 1 WETH from aave on base to cold', /Not understood from "cold"/, /^withdraw /], ['borrow 100 USDC on base?', /A question is not carried out/, /^borrow /],
        ['use my WETH as collateral', /Say where/, /^use my WETH as collateral on base$/], ['stop using half of my WETH as collateral on base', /leave the amount away/, /^stop using /],
        ['use my WETH as collateral at morpho on base', /not switched/, /^use /], ['use my WETH as collateral on base?', /A question is not carried out/, /^use /],
        ['supply 1 ETH on base if gas is low', /Not understood from "if"/, /^supply /], ['do not lend 500 USDC to aave', /Not understood from/, /^lend /],
    ]) {
        const { hint: told, examples } = refused(await say(lent, command), UNPARSED);
        assert.match(told, hint, command);
        assert.match(examples[0], example, command);
        assert.equal(examples.length, 4);
    }
    refused(await say(lent, 'supply 1 SOL on solana'), "Lending is not available on chain 'solana'");
    assert.equal(await nonceOf(CHAIN, lent.address, 'pending'), nonce);
});

test('health, rates, positions and operations are asked for in words', async () => {
    const same = async (command, action, parsed, path) => (
        assert.deepEqual(understood(await say(lent, command), action, parsed), granted(await lent.get(path)), command));
    const { accounts } = understood(await say(lent, 'what is my health factor on base?'), 'lend_health', { chain: CHAIN });
    assert.deepEqual(accounts.map(({ protocol, healthFactor }) => [protocol, healthFactor]), [[AAVE, null]]);
    const { positions } = understood(await say(lent, 'show my lending positions on base'), 'lend_positions', { chain: CHAIN });
    assert.deepEqual(positions.map(({ asset }) => asset), ['WETH']);
    const rates = understood(await say(lent, 'best rate for USDC on base'), 'lend_markets', { asset: 'USDC', chain: CHAIN });
    assert.ok(rates.markets.length > 1 && rates.markets.every(({ chain, loanToken, collateralToken }) => chain === CHAIN && [loanToken, collateralToken].includes('USDC')));
    const own = understood(await say(lent, 'show morpho markets on base'), 'lend_markets', { protocol: 'morpho', chain: CHAIN });
    assert.ok(own.markets.length > 0 && own.markets.every(({ protocol }) => protocol === 'morpho'));
    const [{ id }] = granted(await lent.get('/lend/operations')).operations;
    await same('show my lending operations', 'lend_operations', {}, '/lend/operations');
    await same('list failed lending operations', 'lend_operations', { status: 'failed' }, '/lend/operations?status=failed');
    await same('did my last lending operation go through?', 'lend_operation', { operation_id: id }, `/lend/operation/${id}`);
    await same(`status of lending operation ${id}`, 'lend_operation', { operation_id: id }, `/lend/operation/${id}`);
    refused(await say(lent, 'status of lending operation 999999999'), 'Operation not found');
});

test('a sentence under an Idempotency-Key lends once', async () => {
    const agent = await owner();
    const once = { headers: { 'Idempotency-Key': randomUUID() }, json: { command: 'lend 70 USDC to aave on base' } };
    const [first, second] = [await agent.send('POST', '/execute', once), await agent.send('POST', '/execute', once)];
    assert.deepEqual(second.body, first.body);
    await completed(agent, granted(first).result);
    near((await aave(agent, 'USDC')).supplied, 70);
});

test('tools lend as REST does, and answer to the names that clients know', async () => {
    const agent = await owner();
    const called = async (name, args) => {
        const { isError, structuredContent } = await tool(agent, name, args);
        assert.equal(isError, false, JSON.stringify(structuredContent));
        return structuredContent;
    };
    const fields = { chain: CHAIN, asset: 'USDC', amount: '100' };
    assert.equal((await called('simulate_lending', { type: 'supply', ...fields })).wouldExecute, true);
    const { id, market } = await completed(agent, await called('supply_lending', fields));
    assert.equal((await called('get_lending_operation', { id })).operation.status, 'completed');
    assert.deepEqual((await called('list_lending_operations', { type: 'supply' })).operations.map((each) => each.id), [id]);
    assert.deepEqual((await called('get_lending_positions', { chain: CHAIN })).positions.map((each) => each.market), [market]);
    await completed(agent, await called('set_lending_collateral', { market, enabled: false }));
    await completed(agent, await called('withdraw_lending', { market, amount: 'max' }));
    const ids = ({ markets }) => markets.map((each) => each.id).sort();
    const { id: chain_id } = ALL_CHAINS[CHAIN];
    assert.deepEqual(ids(await called('lend_markets', { chain_id })), ids(await called('get_lending_markets', { chainId: chain_id })));
    const { address } = await called('lend_market', { market_id: market, chain_id });
    assert.equal(address.toLowerCase(), ALL_CHAINS[CHAIN].tokens.USDC.address.toLowerCase());
    assert.equal((await called('get_lending_market', { id: market })).address, address);
});

test('a task lends, asks for the chain that was not said, moves with the operation and ends with it', async () => {
    const agent = await owner(), a2a = new A2A(agent);
    const told = await a2a.send([{ text: 'supply 3 ETH' }]);
    a2a.is(told, 'input-required');
    assert.match(a2a.said(told)[0], /Say where/);
    await a2a.send([{ text: 'on base' }], { taskId: told.id });
    const supplied = a2a.is(await a2a.ended(told.id), 'completed');
    assert.equal(supplied.artifacts[0].parts[0].data.status, 'completed');
    const borrowing = await a2a.call('borrow_lending', { chain: CHAIN, asset: 'USDC', amount: '500' });
    a2a.is(await a2a.ended(borrowing.id), 'completed');
    near((await aave(agent, 'USDC')).borrowed, 500);
    a2a.is(await a2a.send([{ text: 'borrow 1,000,000 USDC on base' }]), 'rejected');
    const asked = a2a.is(await a2a.send([{ text: 'what is my health factor?' }]), 'completed');
    assert.match(a2a.said(asked)[0], /health factor \d+\.\d\d on base \(aave-v3\)/);
    const rates = a2a.is(await a2a.send([{ text: 'best rate for USDC on base' }]), 'completed');
    assert.match(a2a.said(rates)[0], /USDC on base.* at \d+\.\d\d %, borrowed at \d+\.\d\d %/);
});

test('every document and every list names all of them', async () => {
    const { key } = await register();
    const tools = await listed('lend', { key });
    const [card, openapi, llms] = await Promise.all(['/.well-known/agent-card.json', '/v1/agent/openapi', '/llms-full.txt'].map((path) => send('GET', path)));
    const skill = card.body.skills.find(({ id }) => id === 'lending');
    for (const name of [
        'get_lending_markets', 'get_lending_market', 'get_lending_positions', 'supply_lending', 'withdraw_lending', 'borrow_lending', 'repay_lending',
        'set_lending_collateral', 'simulate_lending', 'list_lending_operations', 'get_lending_operation',
    ]) {
        assert.ok(tools.some((each) => each.name === name), name);
        assert.ok(skill.description.includes(name), name);
    }
    assert.ok(skill.examples.some((example) => /borrow/i.test(example)), skill.examples.join());
    for (const path of ['supply', 'withdraw', 'borrow', 'repay', 'collateral', 'simulate', 'operations', 'operation/{id}']) {
        assert.ok(`/lend/${path}` in openapi.body.paths && llms.text.includes(`/lend/${path}`), path);
    }
});
