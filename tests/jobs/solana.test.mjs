// Section: bridges
// Swaps on Solana when programs are killed, nodes forget and forks are dropped: one transaction for each at most, and an end
// to each.

import assert from 'node:assert/strict';
import { afterEach, before, test } from 'node:test';
import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { MINTS, poolOf } from '../../contrib/sandbox/solana/world.mjs';
import { LOOKUP_TABLES, SYSTEM, WRAPPED, tableData } from '../../contrib/sandbox/solana/transaction.mjs';
import { tabled } from '../../contrib/sandbox/upstream/jupiter.mjs';
import {
    API, granted, refused, register, send, stack, until,
} from '../api/lib.mjs';
import { startGateway } from '../api/gateway.mjs';
import {
    arm, brokenExecute, disarm, hit, onlySwap, polled, settings, sql, withoutJobs,
} from './lib.mjs';

const { SANDBOX_SOLANA_URL: URL, SANDBOX_UPSTREAM_PORT: UPSTREAM } = settings();
const connection = new Connection(URL, 'confirmed');

const control = async (set) => {
    const response = await fetch(`${URL}/_sandbox`, { method: 'POST', body: JSON.stringify({ service: 'solana', ...set }) });
    assert.equal(response.status, 200, await response.clone().text());
};
const upstream = (set) => fetch(`http://127.0.0.1:${UPSTREAM}/_sandbox`, { method: 'POST', body: JSON.stringify({ service: 'jupiter', ...set }) });
const honest = () => Promise.all([URL, `http://127.0.0.1:${UPSTREAM}`].map((url) => fetch(`${url}/_sandbox`, { method: 'DELETE' })));

before(honest);
afterEach(async () => {
    disarm();
    await honest();
});

async function trader() {
    const agent = await register();
    agent.address = granted(await agent.post('/wallets', { chain_type: 'solana' }), 201).wallet.address;
    await stack('fund', agent.address, 'solana');
    agent.had = await dollars(agent);
    return agent;
}

async function dollars({ address }) {
    const { value } = await connection.getTokenAccountsByOwner(new PublicKey(address), { mint: new PublicKey(MINTS.USDC.mint) });
    return value.reduce((sum, { account }) => sum + account.data.readBigUInt64LE(64), 0n);
}

const quoted = (agent) => agent.quote('SOL', 'USDC', '0.1', { chain: 'solana' });
/** Transactions that are in a block, successful or not. */
const landed = async ({ address }) => (await connection.getSignaturesForAddress(new PublicKey(address))).length;
const units = (text) => BigInt(Math.round(Number(text) * 1e6));

async function carriedOutOnce(agent, id) {
    const swap = await agent.completed(id);
    assert.equal(swap.transactions.length, 1);
    assert.equal(await landed(agent), 1);
    assert.equal(await dollars(agent) - agent.had, units(swap.to_amount));
    return swap;
}

test('a committed swap is carried out exactly once', async (t) => {
    const open = [];
    for (const point of ['db.commit.after', 'execute.commit.after', 'offer.post.after', 'execute.send.after']) {
        const agent = await trader(), quote = await quoted(agent);
        await withoutJobs(async () => {
            arm(point, 'kill', 1);
            await brokenExecute(agent, quote);
            await hit(point);
            disarm();
        });
        const swap = await onlySwap(agent);
        assert.equal(refused(await agent.execute(quote), 'Quote not found').swap_id, swap.swap_id);
        open.push([point, () => carriedOutOnce(agent, swap.swap_id)]);
    }
    for (const [what, look] of open) await t.test(what, look);
});

test('a swap that was not committed leaves nothing', async () => {
    const agent = await trader(), quote = await quoted(agent);
    await withoutJobs(async () => {
        arm('execute.sign.after', 'kill', 1);
        await brokenExecute(agent, quote);
        await hit('execute.sign.after');
        disarm();
    });
    assert.equal(await landed(agent), 0);
    await carriedOutOnce(agent, granted(await agent.execute(quote)).swap_id);
});

test('a transaction that a node drops is sent again', async () => {
    const agent = await trader(), quote = await quoted(agent);
    await control({ fault: 'drop', times: 2, wallet: agent.address });
    await carriedOutOnce(agent, granted(await agent.execute(quote)).swap_id);
});

test('a transaction that no block can include any more has failed, and not before', async () => {
    const agent = await trader(), quote = await quoted(agent);
    await control({ fault: 'drop', wallet: agent.address });
    const { swap_id: id } = granted(await agent.execute(quote));
    await control({ fault: 'advance', value: 150 });
    assert.match((await agent.status(id)).status, /^(submitted|pending)$/);
    await control({ fault: 'advance', value: 150 });
    const swap = await agent.settled(id);
    assert.deepEqual([swap.status, swap.error_code], ['failed', 'QUOTE_EXPIRED']);
    await honest();
    assert.equal(await landed(agent), 0);
    assert.equal(await dollars(agent), agent.had);
});

/** How often the node was handed a swap's transaction, as far as it remembers. */
async function timesSent(id) {
    const raw = (await sql(`SELECT TO_BASE64(raw) FROM transactions WHERE execution_id = ${id}`)).replaceAll(/\\n|\s/g, '');
    const seen = await (await fetch(`${URL}/_sandbox/audit`)).json();
    return seen.filter(({ body }) => body.includes('sendTransaction') && body.includes(raw)).length;
}

test('a transaction with a closed lookup table or the blockhash of a lost fork has failed', async (t) => {
    const table = Keypair.generate().publicKey.toBase58(), tokens = [WRAPPED, MINTS.USDC.mint], stocks = tableData(tabled(poolOf(...tokens), ...tokens));
    const write = (lamports, data, owner) => control({ fault: 'set_account', value: { address: table, lamports, data: data.toString('base64'), owner } });
    for (const [what, fault, made, lost] of [
        ['a table that is closed once it was sent', 'table', async () => { await write(10_000_000, stocks, LOOKUP_TABLES); return table; }, () => write(0, Buffer.alloc(0), SYSTEM)],
        ['a blockhash of a fork that lost', 'blockhash', async () => (await connection.getLatestBlockhash()).blockhash, (value) => control({ fault: 'forget_blockhash', value })],
    ]) await t.test(what, async () => {
        const agent = await trader(), quote = await quoted(agent), value = await made();
        await upstream({ fault, value, wallet: agent.address, times: 1 });
        await control({ fault: 'drop', wallet: agent.address });
        const { swap_id: id } = granted(await agent.execute(quote));
        await lost(value);
        const times = await timesSent(id);
        await honest();
        await until('it to be sent again', async () => await timesSent(id) > times);
        for (let i = 0; i < 2; i += 1) await control({ fault: 'advance', value: 150 });
        const swap = await agent.settled(id);
        assert.deepEqual([swap.status, swap.error_code, swap.transactions.length], ['failed', 'QUOTE_EXPIRED', 1]);
        assert.deepEqual([await landed(agent), await dollars(agent)], [0, agent.had]);
    });
});

test('a node that has forgotten proves nothing', async () => {
    const agent = await trader(), quote = await quoted(agent);
    await withoutJobs(async () => {
        const { swap_id: id } = granted(await agent.execute(quote));
        await until('the transaction', async () => await landed(agent) === 1);
        await control({ fault: 'no_history' });
        await control({ fault: 'advance', value: 400 });
        agent.swap = id;
    });
    for (let i = 0; i < 4; i += 1) {
        await polled(agent.swap);
        assert.match((await agent.status(agent.swap)).status, /^(submitted|pending|processing)$/);
    }
    await honest();
    await carriedOutOnce(agent, agent.swap);
});

test('a node behind the others is not believed', async () => {
    const agent = await trader(), quote = await quoted(agent);
    const { swap_id: id } = granted(await agent.execute(quote));
    await control({ fault: 'behind', value: 300, times: 20 });
    await carriedOutOnce(agent, id);
});

test('a fork that is dropped takes it back, and it lands again', async () => {
    const agent = await trader(), quote = await quoted(agent);
    await control({ fault: 'fork', times: 1, value: 6, wallet: agent.address });
    const { swap_id: id } = granted(await agent.execute(quote));
    await until('it to be final', async () => {
        const swap = await agent.status(id);
        if (swap.status !== 'completed') return false;
        const { value } = await connection.getSignatureStatuses([swap.tx_hash], { searchTransactionHistory: true });
        return value[0]?.confirmationStatus === 'finalized';
    });
    await carriedOutOnce(agent, id);
});

test('a trade that brings too little in its block fails with the reason', async () => {
    const agent = await trader(), other = await trader(), quote = await quoted(agent);
    await control({ fault: 'drop', wallet: agent.address });
    const { swap_id: id } = granted(await agent.execute(quote));
    // Before it gets into a block the price moves by far more than it allows.
    await stack('fund', other.address, 'solana');
    await control({ fault: 'fund', value: { address: other.address, amount: String(10n ** 16n) } });
    const big = await other.quote('SOL', 'USDC', '20000', { chain: 'solana', max_price_impact: 1 });
    const sold = await other.completed(granted(await other.post('/swap/execute', { quote_id: big.quote_id, max_price_impact: 1 })).swap_id);
    await honest();
    const swap = await agent.settled(id);
    assert.deepEqual([swap.status, swap.error_code], ['failed', 'SLIPPAGE_EXCEEDED']);
    assert.equal(await dollars(agent), agent.had);
    // Others find the price as it was.
    const back = await other.quote('USDC', 'SOL', sold.to_amount, { chain: 'solana', max_price_impact: 1 });
    await other.completed(granted(await other.post('/swap/execute', { quote_id: back.quote_id, max_price_impact: 1 })).swap_id);
});

test('a transaction that no node accepts is sent by Jupiter', async (t) => {
    // No node takes what this gateway sends; the stack's jobs have other nodes.
    const gateway = await startGateway([
        'send.solana = http://127.0.0.1:9', `provider.jupiter.url = http://127.0.0.1:${UPSTREAM}/jupiter`, 'provider.jupiter.rate = 100/s',
    ]);
    const open = [];
    // [what is armed there, what the test does, whether it has landed before any job looks]
    for (const [point, fault, lands] of [
        [undefined, undefined, 1], ['door.before', undefined, 0], ['door.after', undefined, 1], ['door.after', 'lost', 1], [undefined, 'lost', 1],
        [undefined, 'pretends', 0], [undefined, 'http_500', 0],
    ]) {
        const agent = await trader(), quote = await quoted(agent), what = `${point ?? 'alive'}, ${fault ?? 'honest'}`;
        await withoutJobs(async () => {
            if (point !== undefined) arm(point, 'kill', 1);
            if (fault !== undefined) await upstream({ fault, ...(fault === 'http_500' ? { path: '/swap/v2/execute' } : {}) });
            const asked = send('POST', `${API}/swap/execute`, { key: agent.key, base: gateway.base, json: { quote_id: quote.quote_id }, mayBreak: true });
            if (point === undefined) assert.equal(granted(await asked).status, 'pending', what);
            else await Promise.all([hit(point), asked.catch(() => {})]);
            disarm();
            await until(`${what}: as many as landed`, async () => await landed(agent) === lands);
            await honest();
        });
        const swap = await onlySwap(agent);
        open.push([what, () => carriedOutOnce(agent, swap.swap_id)]);
    }
    for (const [what, look] of open) await t.test(what, look);
    await gateway.stop();
});
