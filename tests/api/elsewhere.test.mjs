// Section: api
// Who lacks money on the chain that is named is told which chain has it, by every way that takes it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Wallet } from 'ethers';
import { fund, give } from './chain.mjs';
import { startGateway } from './gateway.mjs';
import {
    granted, refused, registerUnlimited, stackSettings, until,
} from './lib.mjs';

const { SANDBOX_UPSTREAM_PORT } = await stackSettings();
const gateway = await startGateway([`provider.relay.url = http://127.0.0.1:${SANDBOX_UPSTREAM_PORT}/relay`, 'provider.relay.rate = 100/s']);
after(() => gateway.stop());

const owner = async () => Object.assign(await registerUnlimited(), { base: gateway.base });
const agent = await owner();
granted(await agent.post('/withdrawal-addresses', { address: Wallet.createRandom().address, label: 'cold' }), 201);
// A signer that has just begun takes a moment.
await until('the address to be active', async () => granted(await agent.get('/withdrawal-addresses')).withdrawal_addresses[0].status === 'active');
const wallet = await agent.wallet('ethereum', 7);
await give('ethereum', wallet, 'USDC', 900);
const DOLLARS = '; it has 900 USDC on ethereum: name that chain, or bridge from it', COINS = '; it has 7 ETH on ethereum: name that chain, or bridge from it';

const execute = async (trade, who = agent) => who.post('/swap/execute', { quote_id: granted(await who.post('/quote', trade)).quote_id });
const say = (command) => agent.post('/execute', { command });

for (const [what, has, ask] of [
    ['a swap', COINS, () => execute({ from_token: 'ETH', to_token: 'USDC', amount: '1', chain: 'base' })],
    ['a bridge', DOLLARS, () => execute({ from_token: 'USDC', to_token: 'USDC', amount: '50', from_chain: 'base', to_chain: 'ethereum' })],
    ['a sentence', COINS, () => say('swap 1 ETH to USDC on base')],
    ['a sentence about a share', DOLLARS, () => say('swap half of my USDC to ETH on base')],
    ['a withdrawal', DOLLARS, () => agent.post('/wallets/withdraw', { token: 'USDC', amount: '1', chain: 'base', to: 'cold' })],
    ['a withdrawal of all', DOLLARS, () => agent.post('/wallets/withdraw', { token: 'USDC', amount: 'max', chain: 'base', to: 'cold' })],
    ['a withdrawal of all the coin', COINS, () => agent.post('/wallets/withdraw', { token: 'ETH', amount: 'max', chain: 'base', to: 'cold' })],
    ['a supply', DOLLARS, () => agent.post('/lend/supply', { chain: 'base', asset: 'USDC', amount: '1' })],
    ['margin', DOLLARS, () => agent.post('/perps/deposit', { amount: '20', chain: 'base' })],
    ['collateral for bets', DOLLARS, () => agent.post('/predict/deposit', { amount: '20' })],
]) {
    test(`${what} that lacks money on its chain names the chain that has it`, async () => {
        const { hint } = refused(await ask(), 'Insufficient balance');
        assert.ok(hint.endsWith(has), hint);
        assert.match(hint, /^Wallet 0x\w+ has 0 \S+ at hand on /);
    });
}

test('no other chain is named where none has the token', async () => {
    const poor = await owner();
    await fund('base', await poor.wallet(), 1);
    const answer = await execute({ from_token: 'USDC', to_token: 'ETH', amount: '1', chain: 'base' }, poor);
    assert.doesNotMatch(refused(answer, 'Insufficient balance').hint, /name that chain/);
});
