// The operator empties an agent's wallets, which nothing but his order can make the signer do.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { Wallet } from 'ethers';
import {
    granted, refused, until,
} from '../api/lib.mjs';
import {
    balance, feesPaid, fund, give, nonceOf, units,
} from '../api/chain.mjs';
import {
    agentctl, arm, disarm, hashes, heard, sql, trader,
} from './lib.mjs';

after(disarm);

const somewhere = () => Wallet.createRandom().address;

/** The transfers that a sweep printed, completed. */
async function swept(agent, out) {
    const ids = [...out.matchAll(/transfer (\d+)/g)].map(([, id]) => Number(id));
    return Promise.all(ids.map((id) => agent.completed(id, 60_000)));
}

test('all wallets are emptied on all chains, and GET /swaps shows swaps only', async () => {
    const agent = await trader('ethereum', 2);
    const second = await agent.wallet('base', 3);
    await fund('base', agent.address, 1);
    await give('ethereum', agent.address, 'USDC', '1234.567891');
    await give('ethereum', agent.address, 'USDT', '50');
    await give('base', second, 'DAI', '7.000000000000000001');
    const to = somewhere();

    const early = await agentctl('sweep', agent.id, to);
    assert.deepEqual([early.code, early.out], [1, '']);
    assert.match(early.err, /stop the agent first/);
    assert.equal(await balance('ethereum', to, 'USDC'), 0n);

    await agentctl('stop', agent.id);
    const { code, out, err } = await agentctl('sweep', agent.id, to);
    assert.deepEqual([code, err], [0, ''], out);
    const transfers = await swept(agent, out);
    assert.equal(transfers.length, 6);
    assert.equal(await balance('ethereum', to, 'USDC'), units('ethereum', 'USDC', '1234.567891'));
    assert.equal(await balance('ethereum', to, 'USDT'), units('ethereum', 'USDT', '50'));
    assert.equal(await balance('base', to, 'DAI'), units('base', 'DAI', '7.000000000000000001'));
    // Of the coin everything but the fees and what they might have been.
    for (const [chain, wallet, coins] of [['ethereum', agent.address, '2'], ['base', agent.address, '1'], ['base', second, '3']]) {
        const left = await balance(chain, wallet, 'ETH');
        assert.ok(left < units(chain, 'ETH', '0.01'), `${left} left on ${chain}`);
        const paid = await feesPaid(chain, transfers.filter((transfer) => transfer.from_chain === chain).flatMap((transfer) => hashes(transfer)));
        if (chain === 'ethereum') assert.equal(left + paid + await balance(chain, to, 'ETH'), units(chain, 'ETH', coins));
    }
    for (const transfer of transfers) assert.deepEqual([transfer.from_token, transfer.transactions.length], [transfer.to_token, 1]);
    await until('the events', () => transfers.every(({ swap_id: id }) => heard(agent, 'transfer.completed', id).length === 1));
    const { swaps, pagination } = granted(await agent.get('/swaps'));
    assert.deepEqual([swaps, pagination.total, granted(await agent.get('/me')).agent.stats.total_swaps], [[], 0, 0]);
    const digest = createHash('sha256').update(agent.id).digest('hex');
    assert.equal(await sql(`SELECT COUNT(*) FROM audit WHERE line LIKE '%"act":"sweep"%${digest}%${to}%'`), '2');

    // Once more there is only dust, too little for its own fees or nearly.
    const again = await agentctl('sweep', agent.id, to);
    assert.equal(again.code, 0, again.out);
    assert.doesNotMatch(again.out, /USD|DAI/);
    agent.hook.close();
});

test('an order that is cut off after a transfer is written down is carried out, and nothing twice', async () => {
    const agent = await trader('base', 1);
    await give('base', agent.address, 'USDC', '100');
    await give('base', agent.address, 'DAI', '200');
    const to = somewhere();
    await agentctl('stop', agent.id);
    arm('sweep.committed', 'kill');
    const cut = await agentctl('sweep', agent.id, to);
    assert.equal(cut.code, 'SIGKILL', cut.out);
    disarm();
    const { code, out } = await agentctl('sweep', agent.id, to);
    assert.equal(code, 0, out);
    await swept(agent, out);
    const ids = (await sql(`SELECT e.id FROM executions e JOIN agents a ON a.id = e.agent_id WHERE a.uuid = UNHEX('${agent.id.replaceAll('-', '')}')`)).split('\n');
    assert.equal(ids.length, 3);
    for (const id of ids) await agent.completed(id, 60_000);
    assert.deepEqual([await balance('base', to, 'USDC'), await balance('base', to, 'DAI')], [units('base', 'USDC', '100'), units('base', 'DAI', '200')]);
    assert.equal(await nonceOf('base', agent.address), 3);
    agent.hook.close();
});

test('what cannot be swept is said, and nothing is sent', async () => {
    const agent = await trader('ethereum', 0);
    await give('ethereum', agent.address, 'USDC', '100');
    await agentctl('stop', agent.id);
    const to = somewhere();
    const { code, out } = await agentctl('sweep', agent.id, to);
    assert.equal(code, 1);
    assert.match(out, /USDC not swept: Insufficient gas/);
    for (const place of ['', 'x', `0x${'0'.repeat(40)}`, to.slice(0, -1)]) assert.match((await agentctl('sweep', agent.id, place)).err, /not an address/);
    assert.equal((await agentctl('sweep', '00000000-0000-4000-8000-000000000000', to)).code, 1);
    assert.equal(await nonceOf('ethereum', agent.address, 'pending'), 0);
    refused(await agent.execute(await agent.quote('ETH', 'USDC', '0.01')), 'Insufficient balance');
    agent.hook.close();
});
