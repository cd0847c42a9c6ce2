// Section: api
// Nodes of a chain that do not answer: the gateway goes on to the next.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGateway } from './gateway.mjs';
import { API, granted, receiver, registerUnlimited, send } from './lib.mjs';

const UNREACHABLE = 'http://127.0.0.1:1';

for (const [path, json] of [
    ['/quote', { from_token: 'ETH', to_token: 'USDC', amount: '1' }],
    ['/prices?symbols=ETH', undefined],
    ['/swap', { wallet_address: '0x1111111111111111111111111111111111111111', from_token: 'ETH', to_token: 'USDC', amount: '1' }],
]) {
    test(`${path} behind nodes that are gone, in trouble and silent`, async () => {
        const agent = await registerUnlimited();
        const troubled = await receiver(() => 503), silent = await receiver(() => new Promise(() => {}));
        const gateway = await startGateway([`rpc.ethereum = ${UNREACHABLE}, ${troubled.url}, ${silent.url}, ${process.env.ETHEREUM_URL}`]);
        try {
            const body = granted(await send(json ? 'POST' : 'GET', API + path, { key: agent.key, json, base: gateway.base }));
            assert.ok(troubled.deliveries.length > 0 && silent.deliveries.length > 0);
            if (body.prices) assert.ok(body.prices.ETH.usd > 0, JSON.stringify(body));
        } finally {
            await gateway.stop();
            troubled.close();
            silent.close();
        }
    });
}
