// Agents that trade on prediction markets.

import assert from 'node:assert/strict';
import { Interface, parseUnits } from 'ethers';
import { fund, impersonated, token } from './chain.mjs';
import {
    API, granted, registerUnlimited, send, until,
} from './lib.mjs';

const MINT = new Interface(['function mint(address, uint256)']);
const DEPOSIT_LIMIT_MS = 90_000;

/** An agent that has deposited so many dollars; `ask` and `place` go to the gateway at `base`. */
export async function trader(base, amount = '100') {
    const agent = await registerUnlimited();
    const [address, me] = [await agent.wallet(), granted(await agent.get('/me'))];
    await fund('polygon', address, 1);
    const data = MINT.encodeFunctionData('mint', [address, parseUnits(amount, 6) + 1_000_000n]);
    await impersonated('polygon', address, { to: token('polygon', 'USDC.e').address, data });
    const { transfer: { id } } = granted(await agent.post('/predict/deposit', { amount, token: 'USDC.e' }));
    const { transfer } = await until('the deposit', async () => {
        const { body } = await agent.get(`/predict/transfer/${id}`);
        return ['completed', 'failed'].includes(body.transfer.status) && body;
    }, DEPOSIT_LIMIT_MS);
    assert.equal(transfer.status, 'completed', JSON.stringify(transfer));
    const ask = (method, path, json) => send(method, API + path, { base, key: agent.key, json });
    return Object.assign(agent, { id: (me.agent ?? me).id, address, ask, place: (order) => ask('POST', '/predict/order', order) });
}
