// Section: api
// What Jupiter may lie about when it hands over a transaction: none of it is signed, nor handed out to be signed. Gateways
// are the test's own, a new one for every few lies: a provider that lies more often is not asked for a while.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Connection, PublicKey } from '@solana/web3.js';
import { startGateway } from './gateway.mjs';
import {
    API, granted, register, send, show, stack, stackSettings,
} from './lib.mjs';

const LIES = [
    'recipient', 'other_destination', 'source', 'buy', 'minimum_zero', 'minimum', 'fee', 'amount', 'exact_out', 'ledger_form', 'extra_transfer', 'approve',
    'close_to_stranger', 'unknown_program', 'priority_fee', 'second_swap',
];
const PATIENCE = 2; // lies that do not yet make a provider a suspect
const AT_ONCE = 3;

const settings = await stackSettings();
const upstream = `http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}`;
const connection = new Connection(settings.SANDBOX_SOLANA_URL, 'confirmed');
const LINES = ['workers = 4', `provider.jupiter.url = ${upstream}/jupiter`, 'provider.jupiter.rate = 100/s'];

const atDoor = (wallet, fault) => fetch(`${upstream}/_sandbox`, { method: 'POST', body: JSON.stringify({ service: 'jupiter', fault, wallet }) });
const honest = (wallet) => fetch(`${upstream}/_sandbox?wallet=${wallet}`, { method: 'DELETE' });
const coins = (address) => connection.getBalance(new PublicKey(address));

/** How many signatures the signer has noted for a wallet. */
const signatures = ({ directory }, address) => readFileSync(join(directory, 'signer', 'audit.log'), 'utf8').split('\n')
    .filter((line) => line.includes(address) && line.includes('"decision":"signed"')).length;

async function trader({ base }) {
    const agent = await register();
    agent.base = base;
    agent.address = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet.address;
    await stack('fund', agent.address, 'solana');
    return agent;
}

const ask = (agent, path, json) => send('POST', `${API}${path}`, { key: agent.key, base: agent.base, json, mayBreak: true });

test('lies are not signed, and the truth is', { concurrency: AT_ONCE }, async (t) => {
    const rounds = Array.from({ length: Math.ceil(LIES.length / PATIENCE) }, (_, i) => LIES.slice(i * PATIENCE, (i + 1) * PATIENCE));
    await Promise.all(rounds.map((few) => t.test(few.join(' and '), async () => {
        const gateway = await startGateway(LINES);
        const agent = await trader(gateway);
        const quote = await agent.quote('SOL', 'USDC', '0.5', { chain: 'solana' });
        const before = await coins(agent.address);
        for (const lie of few) {
            await atDoor(agent.address, lie);
            const answer = await ask(agent, '/swap/execute', { quote_id: quote.quote_id });
            assert.ok(answer.status === 400 || answer.status === 500, `${lie}: ${show(answer)}`);
            await honest(agent.address);
        }
        assert.equal(signatures(gateway, agent.address), 0);
        assert.equal(await coins(agent.address), before);
        granted(await ask(agent, '/swap/execute', { quote_id: quote.quote_id }));
        assert.equal(signatures(gateway, agent.address), 1);
        await gateway.stop();
    })));
});

test('lies are not handed out either', async () => {
    const gateway = await startGateway(LINES);
    const agent = await trader(gateway);
    const quote = await agent.quote('USDC', 'SOL', '50', { chain: 'solana' });
    for (const lie of ['recipient', 'minimum']) {
        await atDoor(agent.address, lie);
        const answer = await ask(agent, '/swap', { quote_id: quote.quote_id, wallet_address: agent.address });
        assert.ok(answer.status === 400 || answer.status === 500, `${lie}: ${show(answer)}`);
        await honest(agent.address);
    }
    granted(await ask(agent, '/swap', { quote_id: quote.quote_id, wallet_address: agent.address }));
    await gateway.stop();
});
