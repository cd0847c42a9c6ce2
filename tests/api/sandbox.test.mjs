// Section: api
// What the sandbox gives to wallets, and the tokens with habits that it deploys: they trade, or are refused, as their
// habit says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Contract, Interface, parseUnits } from 'ethers';
import {
    granted, refused, register, stack, stackOutput,
} from './lib.mjs';
import {
    ALL_CHAINS, CHAINS, balance, mined, outsider, provider, text,
} from './chain.mjs';

const HABITS = new Interface(['function pause()', 'function unpause()', 'function freeze(address)', 'function unfreeze(address)']);
const LOSS = 0.1; // more than the token keeps

const chains = Object.keys(CHAINS);
const kinds = (chain) => ['ETH', ...ALL_CHAINS[chain].dollars]; // ETH stands for the chain's coin
const held = (chain, address) => Promise.all(kinds(chain).map(async (kind) => text(chain, kind, await balance(chain, address, kind))));
const given = (chain, times) => kinds(chain).map((kind) => `${times * (kind === 'ETH' ? 100 : 100_000)}.0`);

test('fund gives coins and every kind of dollar, on the chain that is named or on all', async () => {
    const agent = await register();
    const address = await agent.wallet();
    await stack('fund', address, 'base');
    assert.deepEqual([await held('base', address), await held('ethereum', address)], [given('base', 1), given('ethereum', 0)]);
    await stack('fund', address);
    for (const chain of Object.keys(ALL_CHAINS)) assert.deepEqual(await held(chain, address), given(chain, chain === 'base' ? 2 : 1));
    await Promise.all(chains.map(async (chain) => agent.completed(await agent.swap('USDC', 'ETH', '100', { chain }))));
});

for (const args of [['0x12'], ['0x1111111111111111111111111111111111111111', 'moon'], []]) {
    test(`fund ${args.join(' ')} explains itself and fails`, async () => {
        await assert.rejects(stack('fund', ...args), ({ code, stderr }) => code === 1 && /no address|unknown chain moon|usage/.test(stderr));
    });
}

test('token explains itself and fails without a habit that it knows', async () => {
    await assert.rejects(stack('token', 'honest'), ({ code, stderr }) => code === 1 && /use fee, shares, pausable, frozen, fake-usdc/.test(stderr));
});

/** An agent with coins and dollars, and a token with the habit. */
async function customer(habit, chain = 'ethereum') {
    const agent = await register();
    const address = await agent.wallet();
    const [token] = await Promise.all([stack('token', habit, chain), stack('fund', address, chain)]);
    return { agent, address, token, chain };
}

const buy = ({ agent, token, chain }, more) => agent.quote('ETH', token, '1', { chain, ...more });
const sell = ({ agent, token, chain }, more) => agent.quote(token, 'ETH', '100', { chain, ...more });

async function flip({ chain, token }, habit, args = []) {
    await mined(await outsider(chain, 1), { to: token, data: HABITS.encodeFunctionData(habit, args) });
}

const amountOf = ({ chain, token, address }) => (
    new Contract(token, ['function balanceOf(address) view returns (uint256)'], provider(chain)).balanceOf(address));

for (const chain of chains) {
    test(`a token that stands still: it is bought, is refused while it is paused, and is sold, on ${chain}`, async () => {
        const pausable = await customer('pausable', chain);
        const { agent } = pausable;
        await agent.completed(granted(await agent.execute(await buy(pausable))).swap_id);
        const quote = await sell(pausable);
        await flip(pausable, 'pause');
        refused(await agent.execute(quote), 'Transaction would revert');
        await flip(pausable, 'unpause');
        await agent.completed(granted(await agent.execute(quote)).swap_id);
    });
}

test('a token that freezes its holders is bought, and its sale is refused until the holder is free', async () => {
    const frozen = await customer('frozen');
    const { agent, address } = frozen;
    await agent.completed(granted(await agent.execute(await buy(frozen))).swap_id);
    const quote = await sell(frozen);
    refused(await agent.execute(quote), 'Transaction would revert');
    await flip(frozen, 'unfreeze', [address]);
    await agent.completed(granted(await agent.execute(quote)).swap_id);
});

test('a token that keeps a share of each transfer is refused, or brings at least what was promised', async () => {
    const fee = await customer('fee');
    refused(await fee.agent.execute(await buy(fee)), 'Price moved beyond slippage');
    const quote = await buy(fee, { slippage: LOSS, max_price_impact: LOSS });
    await fee.agent.completed(granted(await fee.agent.execute(quote)).swap_id);
    const [brought, least] = [await amountOf(fee), parseUnits(quote.amount_out_min, 18)];
    assert.ok(brought >= least && brought < parseUnits(quote.amount_out, 18), `${brought} of at least ${least}`);
});

test("a false USDC has the symbol and pools of its own, at another address than the chain's", async () => {
    const fake = await customer('fake-usdc');
    assert.notEqual(fake.token.toLowerCase(), CHAINS.ethereum.tokens.USDC.address.toLowerCase());
    const named = new Contract(fake.token, ['function symbol() view returns (string)'], provider('ethereum'));
    assert.equal(await named.symbol(), 'USDC');
    await fake.agent.completed(granted(await fake.agent.execute(await buy(fake))).swap_id);
    const { agent, token, chain } = fake;
    await agent.completed(granted(await agent.execute(await agent.quote('USDC', token, '10', { chain }))).swap_id);
});

test('the address of the token is the last line, and only that', async () => {
    const lines = (await stackOutput('token', 'fee', 'base')).split('\n');
    assert.match(lines.pop(), /^0x[0-9a-fA-F]{40}$/);
    assert.equal(lines.length, 1);
});
