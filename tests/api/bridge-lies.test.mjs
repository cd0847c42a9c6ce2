// Section: api
// What carriers of bridges lie about when they hand over a transaction: no lie is signed, and the honest twin of each is.
// Gateways are the test's own, a new one for every few lies: a provider that lies more often is not asked for a while.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fund, nonceOf } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    API, granted, register, send, show, stackSettings,
} from './lib.mjs';

const LIES = {
    lifi: ['bridge_receiver', 'bridge_refund', 'bridge_token', 'bridge_minimum', 'bridge_chain', 'bridge_message', 'bridge_call', 'bridge_amount'],
    relay: [
        'order_recipient', 'order_refund', 'order_currency', 'order_minimum', 'order_token', 'order_calls', 'order_chain', 'order_amount', 'order_late', 'order_extra', 'order_hash',
        'order_id', 'no_protocol',
    ],
    across: ['other_pool', 'other_token', 'other_chain', 'other_output', 'late'],
};
/** Towards Solana, where the recipient is another wallet of the agent's. */
const FAR_LIES = {
    lifi: ['bridge_receiver', 'bridge_mark', 'bridge_token', 'bridge_minimum'],
    relay: ['order_recipient', 'order_minimum', 'order_token', 'order_hash'],
};
const PATIENCE = 2; // lies that do not yet make a provider a suspect

const settings = await stackSettings();
const upstream = `http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}`; // the stack's own: a second solver would pay a second time
const keyFile = join(settings.GATEWAY_VAR, 'bridge-lies.key');
writeFileSync(keyFile, 'a-key-of-the-test\n', { mode: 0o600 });
const LINES = [
    `provider.lifi.key_file = ${keyFile}`,
    ...Object.keys(LIES).flatMap((key) => [`provider.${key}.url = ${upstream}/${key}`, `provider.${key}.rate = 100/s`]),
];

/** A carrier lies to a wallet alone: others trade by the same services meanwhile. */
const lies = (wallet, service, fault) => fetch(`${upstream}/_sandbox`, { method: 'POST', body: JSON.stringify({ service, fault, wallet }) });
const honest = (wallet) => fetch(`${upstream}/_sandbox?wallet=${wallet}`, { method: 'DELETE' });

async function trader(base) {
    const agent = await register();
    agent.base = base;
    agent.address = await agent.wallet();
    granted(await agent.post('/wallets', { chain_type: 'solana' }), 201);
    await fund('ethereum', agent.address, 10);
    return agent;
}

/** Decisions of the signer about a wallet's transactions. */
const decisions = (directory, address) => readFileSync(join(directory, 'signer', 'audit.log'), 'utf8').split('\n')
    .filter((line) => line.includes(address) && line.includes('"decision":"signed"')).length;

function refuses(key, all, to_chain, bought) {
    for (let i = 0; i < all.length; i += PATIENCE) {
        const few = all.slice(i, i + PATIENCE);
        test(`${key} to ${to_chain}: ${few.join(' and ')} are not signed, and the truth is`, async () => {
            const gateway = await startGateway(LINES);
            const agent = await trader(gateway.base);
            const quote = await agent.quote('ETH', bought, '0.1', { from_chain: 'ethereum', to_chain, providers: [key] });
            for (const lie of few) {
                assert.equal((await lies(agent.address, key, lie)).status, 200, lie);
                const answer = await send('POST', `${API}/swap/execute`, { key: agent.key, base: gateway.base, json: { quote_id: quote.quote_id }, mayBreak: true });
                assert.ok(answer.status === 400 || answer.status === 500, `${lie}: ${show(answer)}`);
                assert.equal(decisions(gateway.directory, agent.address), 0, lie);
                assert.equal(await nonceOf('ethereum', agent.address, 'pending'), 0, lie);
                await honest(agent.address);
            }
            granted(await agent.execute(quote));
            assert.equal(decisions(gateway.directory, agent.address), 1);
            await gateway.stop();
        });
    }
}

for (const [key, all] of Object.entries(LIES)) refuses(key, all, 'base', 'ETH');
for (const [key, all] of Object.entries(FAR_LIES)) refuses(key, all, 'solana', 'USDC');
