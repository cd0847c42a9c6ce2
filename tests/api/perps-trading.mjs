// Agents that trade perpetuals, and the venue that the stack plays for them.

import assert from 'node:assert/strict';
import {
    granted, register, stackSettings, until,
} from './lib.mjs';

const { SANDBOX_UPSTREAM_PORT } = await stackSettings();
const VENUE = `http://127.0.0.1:${SANDBOX_UPSTREAM_PORT}`;

/** By the control interface of the sandbox. */
async function control(method, path = '', json = undefined) {
    const response = await fetch(`${VENUE}/_sandbox${path}`, { method, body: JSON.stringify(json) });
    const body = await response.json();
    assert.equal(response.status, 200, JSON.stringify(body));
    return body;
}

/** Something happens at the venue. */
export const act = (name, value) => control('POST', '', { service: 'hyperliquid', fault: name, value });
/** The venue does something wrong from now on, until it is honest again: to all, or to a wallet alone. */
export const wrong = (fault, more) => control('POST', '', { service: 'hyperliquid', fault, ...more });
export const honest = (wallet) => control('DELETE', wallet === undefined ? '' : `?wallet=${wallet}`);
export const audit = (table) => control('GET', `/audit/${table}?service=hyperliquid`);

/** What the venue itself says. */
export async function ask(type, more) {
    const response = await fetch(`${VENUE}/hyperliquid/info`, { method: 'POST', body: JSON.stringify({ type, ...more }) });
    return response.json();
}

await act('limits', { factor: 0 }); // one host would not ask as much as all tests together

/** An agent with a wallet that has so many dollars at the venue; `hook` gets its events. */
export async function trader(dollars, fields = {}) {
    const agent = await register();
    if (fields.callback_url !== undefined) granted(await agent.patch('/me', fields));
    agent.address = (await agent.wallet()).toLowerCase();
    if (dollars > 0) await act('give', { user: agent.address, amount: String(dollars + 1) });
    return agent;
}

export const place = (agent, terms, headers = {}) => agent.send('POST', '/perps/order', { json: terms, headers });
/** The order that an answer has. */
export const placed = async (agent, terms) => granted(await place(agent, terms)).order;
export const orderOf = async (agent, id) => granted(await agent.get(`/perps/order/${id}`)).order;
export const cancel = (agent, id) => agent.send('DELETE', `/perps/order/${id}`);
export const becomes = (agent, id, status) => until(`order ${id} to be ${status}`, async () => {
    const order = await orderOf(agent, id);
    return order.status === status && order;
});

/** What the wallet holds in a market, as the venue says. */
export async function positionOf(agent, coin) {
    const { assetPositions } = await ask('clearinghouseState', { user: agent.address });
    return assetPositions.map(({ position }) => position).find((each) => each.coin === coin);
}

/** Orders that the venue has, by their cloids: what became of them. */
export const statusAt = async (agent, cloid) => {
    const { status, order } = await ask('orderStatus', { user: agent.address, oid: cloid });
    return order?.status ?? status;
};
