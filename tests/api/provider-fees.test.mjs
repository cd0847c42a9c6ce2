// Section: api
// The operator's share: it is taken of what is bought, or of what is sold with LI.FI, agents' quotes are less by it, and it is
// where the settings say once a swap is done. The gateway is the test's own; the services are the stack's.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { Contract, JsonRpcProvider, Wallet, ZeroAddress } from 'ethers';
import { FEE_COLLECTOR } from '../../contrib/sandbox/aggregators.mjs';
import { integratorOf } from '../../contrib/sandbox/upstream/lifi.mjs';
import {
    balance, fund, give, token, units,
} from './chain.mjs';
import { startGateway } from './gateway.mjs';
import { granted, registerUnlimited, stackSettings } from './lib.mjs';

const BPS = 50n;
const WHOLE = 10_000n;
const BRIDGE_BPS = 12n; // that LI.FI's bridges cost here
const RECEIVER = Wallet.createRandom().address;
const INTEGRATOR = `sandbox-${randomBytes(6).toString('hex')}`;
const KEYS = { '0x': RECEIVER, velora: RECEIVER, lifi: INTEGRATOR };
const PAIRS = [['ETH', 'USDC', '0.1'], ['USDC', 'ETH', '250.5'], ['USDC', 'DAI', '300']];
const CHAIN = 'base';

const settings = await stackSettings();
const upstream = `http://127.0.0.1:${settings.SANDBOX_UPSTREAM_PORT}`;
const gateway = await startGateway(Object.entries(KEYS).flatMap(([key, receiver]) => [
    `provider.${key}.url = ${upstream}/${key}`, `provider.${key}.rate = 100/s`, `provider.${key}.key_file = ${settings.GATEWAY_VAR}/keys/provider.key`,
    `provider.${key}.fee_receiver = ${receiver}`, `provider.${key}.fee_bps = ${BPS}`,
]), { jobs: ['swap-poll'] });
// Where no chain's registry names them, such as polygon's here, that is told; the others are listed.
await gateway.agentctl('settlers').catch(({ stdout }) => assert.match(stdout, /^polygon +none/m));
const chain = new JsonRpcProvider(process.env.BASE_CHAIN_URL, undefined, { cacheTimeout: -1 });
const collector = new Contract(FEE_COLLECTOR, ['function getTokenBalance(address, address) view returns (uint256)'], chain);
after(async () => {
    chain.destroy();
    await gateway.stop();
});

const shareOf = (amount) => amount * BPS / WHOLE;
const sharesOf = (symbol, key) => (key === 'lifi'
    ? collector.getTokenBalance(integratorOf(INTEGRATOR), symbol === 'ETH' ? ZeroAddress : token(CHAIN, symbol).address)
    : balance(CHAIN, RECEIVER, symbol));

async function trader() {
    const agent = await registerUnlimited();
    Object.assign(agent, { base: gateway.base, address: await agent.wallet() });
    await fund(CHAIN, agent.address, 10);
    await give(CHAIN, agent.address, 'USDC', '1000');
    return agent;
}

/** The swap that was made of a quote, and what the receiver has got by it of a token. */
async function traded(key, [from, to, amount], symbol, more) {
    const agent = await trader();
    const quote = await agent.quote(from, to, amount, { providers: [key], ...more });
    const had = await sharesOf(symbol, key);
    const swap = await agent.completed(granted(await agent.execute(quote)).swap_id);
    return { quote, swap, got: await sharesOf(symbol, key) - had };
}

for (const key of ['0x', 'velora']) {
    test(`${key}: a share of what is bought`, async () => {
        for (const pair of PAIRS) {
            const { quote, swap, got } = await traded(key, pair, pair[1], { chain: CHAIN });
            const arrived = units(CHAIN, pair[1], swap.to_amount);
            // Velora's contract keeps a unit, and both round down.
            assert.ok(shareOf(got + arrived) - got <= 1n && got > 0n, `${got} of ${got + arrived} in ${pair}`);
            assert.ok(arrived >= units(CHAIN, pair[1], quote.amount_out_min) && arrived <= units(CHAIN, pair[1], quote.amount_out) * 1001n / 1000n, `${arrived} in ${pair}`);
        }
    });
}

test('lifi: a share of what is sold', async () => {
    for (const pair of PAIRS) {
        const { quote, swap, got } = await traded('lifi', pair, pair[0], { chain: CHAIN });
        assert.equal(got, shareOf(units(CHAIN, pair[0], pair[2])), `${pair}`);
        assert.ok(Number(swap.to_amount) >= Number(quote.amount_out_min), `${swap.to_amount} in ${pair}`);
    }
});

test('lifi: a share of what is sent over a bridge', async () => {
    const { swap, got } = await traded('lifi', ['USDC', 'USDC', '100'], 'USDC', { from_chain: CHAIN, to_chain: 'ethereum' });
    const sent = units(CHAIN, 'USDC', '100');
    assert.equal(got, shareOf(sent));
    assert.equal(units('ethereum', 'USDC', swap.to_amount), (sent - got) * (WHOLE - BRIDGE_BPS) / WHOLE);
});
