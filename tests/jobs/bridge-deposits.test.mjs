// Section: bridges
// Deposits of bridges that are stuck or late on the source chain. The gateway is the test's own; the stack's job repairs
// transactions.

import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { toBeHex } from 'ethers';
import { startGateway } from '../api/gateway.mjs';
import {
    granted, registerUnlimited, stackSettings, until,
} from '../api/lib.mjs';
import {
    balance, feesPaid, fund, nonceOf, rpc, units,
} from '../api/chain.mjs';
import { elapse, hashes, withoutBlocks } from './lib.mjs';

// What arrives for a coin: Across trades nothing for anything else.
const BOUGHT = { relay: 'USDC', lifi: 'USDC', across: 'ETH' };

const { SANDBOX_UPSTREAM_PORT: port } = await stackSettings();
const gateway = await startGateway(Object.keys(BOUGHT).flatMap((key) => [
    `provider.${key}.url = http://127.0.0.1:${port}/${key}`, `provider.${key}.rate = 100/s`,
]));
after(() => gateway.stop());
// What made blocks dear is over, and does not add up.
afterEach(() => rpc('ethereum', 'anvil_setNextBlockBaseFeePerGas', [toBeHex(7)]));

const transaction = (hash) => rpc('ethereum', 'eth_getTransactionByHash', [hash]);

const submitted = (agent, id) => until('the node to take it', async () => {
    const now = await agent.status(id);
    return now.status === 'submitted' && now;
});

/** While no block comes: a bridge of one coin to base, until a node has its deposit; then what `during` does with it. */
async function deposited(key, during) {
    const agent = Object.assign(await registerUnlimited(), { base: gateway.base });
    agent.address = await agent.wallet();
    await fund('ethereum', agent.address, 10);
    const quote = await agent.quote('ETH', BOUGHT[key], '1', { from_chain: 'ethereum', to_chain: 'base', providers: [key] });
    const id = await withoutBlocks('ethereum', async () => {
        const { swap_id: stays } = granted(await agent.execute(quote));
        await during(agent, stays, await transaction((await submitted(agent, stays)).tx_hash));
        return stays;
    });
    return { agent, quote, id };
}

for (const [key, bought] of Object.entries(BOUGHT)) {
    test(`${key}: a stuck deposit is replaced by a dearer one for the same order`, async () => {
        let cheap;
        const { agent, quote, id } = await deposited(key, async (_, __, found) => {
            cheap = found;
            await rpc('ethereum', 'anvil_setNextBlockBaseFeePerGas', [toBeHex(BigInt(found.maxFeePerGas) * 1000n + 10n ** 9n)]);
        });
        await elapse(id, 61);
        await until('the payment on base', async () => await balance('base', agent.address, bought) >= units('base', bought, quote.amount_out_min));
        const swap = await agent.status(id);
        assert.notEqual(swap.tx_hash, cheap.hash);
        const dear = await transaction(swap.tx_hash);
        assert.deepEqual([dear.nonce, dear.to, dear.input, dear.value], [cheap.nonce, cheap.to, cheap.input, cheap.value]);
        assert.ok(BigInt(dear.maxFeePerGas) * 1000n >= BigInt(cheap.maxFeePerGas) * 1125n);
        assert.equal(await nonceOf('ethereum', agent.address), 1);
    });
}

for (const key of ['relay', 'across']) test(`${key}: a deposit that comes too late is taken back, and nothing is owed`, async () => {
    const { agent, id } = await deposited(key, async (owner, stays) => {
        await elapse(stays, 300);
        await until('the cancelling transaction', async () => {
            const [cancel] = hashes(await owner.status(stays), 'cancel');
            return cancel && transaction(cancel);
        });
    });
    const swap = await agent.settled(id);
    assert.deepEqual([swap.status, swap.error_code, swap.to_amount], ['failed', 'QUOTE_EXPIRED', null], JSON.stringify(swap));
    assert.equal(units('ethereum', 'ETH', '10') - await balance('ethereum', agent.address, 'ETH'), await feesPaid('ethereum', hashes(swap, 'cancel')));
    assert.equal(await balance('base', agent.address, BOUGHT[key]), 0n);
});
