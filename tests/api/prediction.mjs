// Agents that trade on prediction markets, and the venue that the stack plays for them.

import assert from 'node:assert/strict';
import { Contract, Interface, dataSlice, parseUnits, toBeHex } from 'ethers';
import { ADDRESSES, KINDS, conditionId } from '../../contrib/sandbox/polymarket.mjs';
import {
    ALL_CHAINS, give, minedAll, outsider, provider, rpc,
} from './chain.mjs';
import {
    granted, registerUnlimited, stackSettings, until,
} from './lib.mjs';

// ---------------------------------------------------------------- the venue

const { SANDBOX_UPSTREAM_PORT } = await stackSettings();
export const VENUE = `http://127.0.0.1:${SANDBOX_UPSTREAM_PORT}`;

/** By the control interface of the sandbox. */
export async function control(method, path = '', json = undefined) {
    const response = await fetch(`${VENUE}/_sandbox${path}`, { method, body: JSON.stringify(json) });
    const body = await response.json();
    assert.equal(response.status, 200, JSON.stringify(body));
    return body;
}

/** The venue does something wrong from now on, until it is honest again. */
export const wrong = (fault, more) => control('POST', '', { service: 'polymarket', fault, ...more });
export const honest = () => control('DELETE');

/** What the venue was asked, as far as it fits. */
export const asked = async (fits) => (await control('GET', '/audit?service=polymarket')).filter(fits);

// ---------------------------------------------------------------- the chain

const MAX = 2n ** 256n - 1n;
export const DOLLARS = ALL_CHAINS.polygon.tokens['USDC.e'].address;
const ABI = new Interface([
    'function balanceOf(address) view returns (uint256)', 'function allowance(address, address) view returns (uint256)',
    'function approve(address, uint256)', 'function wrap(address, address, uint256)', 'function nonce() view returns (uint256)',
    'function splitPosition(address, bytes32, bytes32, uint256[], uint256)', 'function split(bytes31, uint256)',
    'function safeBatchTransferFrom(address, address, uint256[], uint256[], bytes)',
    'function outcomeTokens(bytes32) view returns (uint256, uint256)',
]);
const polygon = provider('polygon');

const BLOCK_MS = 200;
let blockedAt = 0;

/** A block, at most one in this time for all who wait: the node keeps the states of the newest 64 alone. */
async function blockPassed() {
    if (Date.now() - blockedAt < BLOCK_MS) return;
    blockedAt = Date.now();
    await rpc('polygon', 'anvil_mine', ['0x1', '0x0']);
}

/** As `until`, for what the chain has to be deep enough for: it gets blocks meanwhile. */
export const untilFinal = (what, ask) => until(what, async () => {
    const answer = await ask();
    if (!answer) await blockPassed();
    return answer;
}, { interval: BLOCK_MS });

/** Any contract of the venue, or wallet. */
export const at = (address) => new Contract(address, ABI, polygon);
export const units = (dollars) => parseUnits(String(dollars), 6);

/** Collateral from outside, as a third party may send it. */
export async function sendCollateral(to, dollars) {
    const giver = await outsider('polygon', 10);
    await give('polygon', giver.address, 'USDC.e', dollars);
    await minedAll(giver, [
        { to: DOLLARS, data: ABI.encodeFunctionData('approve', [ADDRESSES.onramp, MAX]) },
        { to: ADDRESSES.onramp, data: ABI.encodeFunctionData('wrap', [DOLLARS, to, units(dollars)]) },
    ]);
    return giver;
}

/** So many shares of both outcomes. */
export async function giveShares(market, to, shares) {
    const { exchange, ledger, adapter = ADDRESSES.router } = KINDS[market.kind];
    const condition = conditionId(market);
    const tokens = [...await at(exchange).outcomeTokens(condition)];
    const giver = await outsider('polygon', 10);
    await give('polygon', giver.address, 'USDC.e', shares);
    const amount = units(shares);
    const split = market.kind === 'v3'
        ? ABI.encodeFunctionData('split', [dataSlice(condition, 0, 31), amount])
        : ABI.encodeFunctionData('splitPosition', [ADDRESSES.collateral, toBeHex(0, 32), condition, [1, 2], amount]);
    await minedAll(giver, [
        { to: DOLLARS, data: ABI.encodeFunctionData('approve', [ADDRESSES.onramp, MAX]) },
        { to: ADDRESSES.onramp, data: ABI.encodeFunctionData('wrap', [DOLLARS, giver.address, amount]) },
        { to: ADDRESSES.collateral, data: ABI.encodeFunctionData('approve', [adapter, MAX]) },
        { to: adapter, data: split },
    ]);
    await minedAll(giver, [{ to: ledger, data: ABI.encodeFunctionData('safeBatchTransferFrom', [giver.address, to, tokens, [amount, amount], '0x']) }]);
}

// ---------------------------------------------------------------- agents

/** An agent with so many dollars on Polygon; with a `base` it asks that gateway. */
export async function holder(dollars, base = undefined) {
    const agent = Object.assign(await registerUnlimited(), { base });
    agent.id = granted(await agent.get('/me')).agent.id;
    agent.address = await agent.wallet('polygon', 100);
    if (dollars !== undefined) await give('polygon', agent.address, 'USDC.e', dollars);
    return agent;
}

/** A transfer that was accepted, once it has ended. */
export async function ended(agent, answer) {
    const { transfer: { id } } = granted(answer);
    return untilFinal(`transfer ${id} to end`, async () => {
        const { transfer } = granted(await agent.get(`/predict/transfer/${id}`));
        return /^(completed|failed)$/.test(transfer.status) && transfer;
    });
}

export async function completed(agent, answer) {
    const transfer = await ended(agent, answer);
    assert.deepEqual([transfer.status, transfer.error], ['completed', null], JSON.stringify(transfer));
    return transfer;
}

export const deposited = async (agent, amount, token = 'USDC.e') => completed(agent, await agent.post('/predict/deposit', { amount, token }));

/** An agent that has deposited so many dollars, and has no more. */
export async function trader(dollars, base = undefined) {
    const agent = await holder(dollars, base);
    await deposited(agent, dollars);
    return agent;
}

export const place = (agent, order) => agent.post('/predict/order', order);

/** Places it once all that was traded before is settled, which the venue may know a moment later than the chain; resolves to the order. */
export async function placeSettled(agent, order) {
    const answer = await until('what was traded before to be settled', async () => {
        const placed = await place(agent, order);
        return !/still being settled/.test(placed.body.hint) && placed;
    }, { interval: 300 });
    return granted(answer).order;
}

export const cancel = (agent, id) => agent.send('DELETE', `/predict/order/${id}`);
export const orderOf = async (agent, id) => granted(await agent.get(`/predict/order/${id}`)).order;

/** The order, once it is as it should be. */
export const orderIs = (agent, id, what, fits) => until(`${id}: ${what}`, async () => {
    const order = await orderOf(agent, id);
    return fits(order) && order;
});
export const orderBecomes = (agent, id, status) => orderIs(agent, id, status, (order) => order.status === status);
