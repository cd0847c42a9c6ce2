// Orders of events that the search of the model found (tests/model), once in the programs themselves: a process that has looked is stopped
// until another one has acted. Each is [name, run], and run resolves to { lives, hits } as a row wants it.

import assert from 'node:assert/strict';
import { toBeHex } from 'ethers';
import { until } from '../api/lib.mjs';
import {
    mine, nonceOf, rpc, sentBy,
} from '../api/chain.mjs';
import {
    arm, armOnly, disarm, elapse, endLeases, hit, signal, withoutBlocks,
} from '../jobs/lib.mjs';
import { booksOf } from './books.mjs';
import { CHAIN, Life, PLAIN } from './life.mjs';
import { PredictionLife, control } from './prediction.mjs';
import { sqlAgain } from './programs.mjs';

const ONE = { trades: PLAIN.slice(0, 1) };
const SECOND = '/second'; // of the two nodes in gateway.conf
const SETTLE_DEPTH = 5;
const COUNTED = 1_000_000; // no process reaches a point that often
const FOLLOWER = 'swap-poll';

const head = async () => Number(await rpc(CHAIN, 'eth_blockNumber'));
const rawOf = async (hash) => `0x${await sqlAgain(`SELECT LOWER(HEX(raw)) FROM transactions WHERE hash = UNHEX('${hash.slice(2)}')`)}`;

/** No node has a receipt, or a transaction by its hash. */
const omits = ({ method }, answer) => (
    ['eth_getTransactionReceipt', 'eth_getTransactionByHash'].includes(method) ? { ...answer, result: null } : undefined);

/** The search for who has taken the wallet's first nonce has come to a transaction. */
const searched = (life) => until('the search to find a transaction', async () => await sqlAgain(`SELECT COUNT(*) FROM foreign_nonces t
    JOIN wallets w ON w.id = t.wallet_id WHERE LOWER(w.address) = '${life.address.toLowerCase()}' AND t.hash IS NOT NULL`) !== '0');

/** Transactions that the wallet has sent before are older than all blocks that are taken back. */
async function prepared(how = ONE) {
    const life = new Life(how);
    await life.prepare();
    await booksOf(CHAIN).settle(CHAIN);
    return life;
}

async function completed(life) {
    await life.follow();
    await life.settle();
    assert.deepEqual(await life.statuses(), ['completed']);
    return { lives: [life], hits: 1 };
}

/** A follower with a list of attempts in hand, to which another one adds the attempt that a block takes. */
async function listInHand(jobs, node) {
    const life = await prepared();
    let held;
    await withoutBlocks(CHAIN, async () => {
        await life.execute();
        jobs.start(1);
        await life.taken();
        arm('poll.ask', 'hang', 1);
        held = jobs.pidsOf(FOLLOWER);
        await hit('poll.ask');
        jobs.start(1);
        const [first] = await life.transactions();
        const { maxFeePerGas: most } = await rpc(CHAIN, 'eth_getTransactionByHash', [first]);
        await rpc(CHAIN, 'anvil_setNextBlockBaseFeePerGas', [toBeHex(BigInt(most) * 20n)]);
        await mine(CHAIN, 1);
        await elapse(life.accepted[0], 61);
        await until('a dearer one', async () => (await life.transactions()).length > 1);
    });
    node.misbehave({ answers: omits });
    await until('a block to take it', async () => await nonceOf(CHAIN, life.address) === 1);
    await mine(CHAIN, SETTLE_DEPTH);
    await searched(life);
    const others = jobs.pidsOf(FOLLOWER).filter((pid) => !held.includes(pid));
    for (const pid of others) signal(pid, 'SIGSTOP');
    arm('poll.release.before', 'kill', COUNTED); // who stood still goes on
    await hit('poll.release.before');
    assert.deepEqual(await life.statuses(), ['submitted']);
    for (const pid of others) signal(pid, 'SIGCONT');
    disarm();
    node.behave();
    return completed(life);
}

/** A transaction from outside is found, and then taken back with its block, which a second node that lags still shows. */
async function branchLeft(jobs, node) {
    const life = await prepared();
    await withoutBlocks(CHAIN, async () => {
        await life.execute();
        const [hash] = await life.transactions();
        await until('the node to take it', () => rpc(CHAIN, 'eth_getTransactionByHash', [hash]));
        const raw = await rawOf(hash);
        await rpc(CHAIN, 'anvil_dropTransaction', [hash]);
        const other = await sentBy(CHAIN, life.address, { to: life.address, value: '0x0', nonce: '0x0' });
        await mine(CHAIN, 1);
        const at = Number((await rpc(CHAIN, 'eth_getTransactionReceipt', [other])).blockNumber);
        jobs.start(1);
        await searched(life);
        await jobs.stop();
        const left = await rpc(CHAIN, 'eth_getBlockByNumber', [toBeHex(at), true]);
        await rpc(CHAIN, 'anvil_reorg', [await head() - at + 1, []]);
        await rpc(CHAIN, 'eth_sendRawTransaction', [raw]);
        await mine(CHAIN, 2 * SETTLE_DEPTH);
        let shown = 0;
        node.misbehave({
            answers: (call, answer, path) => {
                if (path === SECOND && call.method === 'eth_blockNumber') return { ...answer, result: toBeHex(at + 1) };
                if (path !== SECOND || call.method !== 'eth_getBlockByNumber' || Number(call.params[0]) !== at) return omits(call, answer);
                shown += 1;
                return { ...answer, result: left };
            },
        });
        jobs.start(1);
        await until('the second node to show it', async () => {
            await endLeases();
            return shown > 1 || (await life.statuses()).includes('failed');
        });
        assert.deepEqual(await life.statuses(), ['submitted']);
    });
    node.behave();
    return completed(life);
}

/** A follower has seen an execution settle; before it has said so, another one sees the block taken back. */
async function settledMeanwhile(jobs) {
    const life = await prepared();
    await withoutBlocks(CHAIN, async () => {
        await life.execute();
        jobs.start();
        await life.taken();
        await mine(CHAIN, 1);
        await life.ended();
        await jobs.stop();
        await mine(CHAIN, SETTLE_DEPTH);
        arm('poll.record.before', 'hang', 1);
        jobs.start();
        await hit('poll.record.before');
        await rpc(CHAIN, 'anvil_reorg', [SETTLE_DEPTH + 1, []]);
    });
    await until('the completion to be taken back', async () => {
        await endLeases();
        return (await life.statuses()).every((status) => status !== 'completed');
    });
    disarm();
    return completed(life);
}

/** A follower stands still before it signs a dearer transaction, until another one has seen the swap settle. */
async function signedTooLate(jobs) {
    const life = await prepared();
    let held;
    await withoutBlocks(CHAIN, async () => {
        await life.execute();
        jobs.start(1);
        await life.taken();
        arm('repair.sign.before', 'hang', 1);
        held = jobs.pidsOf(FOLLOWER);
        await elapse(life.accepted[0], 61);
        await hit('repair.sign.before');
        await mine(CHAIN, 1);
    });
    jobs.start(1);
    await until('another one to see it settle', async () => {
        await endLeases();
        return await sqlAgain(`SELECT in_flight FROM executions WHERE id = ${life.accepted[0]}`) === '0';
    });
    const others = jobs.pidsOf(FOLLOWER).filter((pid) => !held.includes(pid));
    for (const pid of others) signal(pid, 'SIGSTOP');
    arm('poll.release.before', 'kill', COUNTED); // who stood still goes on
    await hit('poll.release.before');
    for (const pid of others) signal(pid, 'SIGCONT');
    disarm();
    assert.equal((await life.transactions()).length, 1);
    return completed(life);
}

/** A worker stands before its first sending while a follower sends the same; before that is recorded, the venue wants another form. */
async function formChanged(jobs) {
    jobs.start(1);
    const life = await PredictionLife.funded();
    const taken = async () => (await control('GET', '/audit/taken?service=polymarket')).length;
    const before = await taken();
    const [worker, follower] = [['offer.post.before', 'hang', 1], ['offer.record.before', 'hang', 1]];
    disarm();
    armOnly(worker, follower);
    const executing = life.execute(1, 0);
    await hit(follower[0]);
    assert.equal(await taken(), before + 1);
    await control('POST', '', { service: 'polymarket', fault: 'order_version_mismatch', times: 1 });
    armOnly(follower);
    await until('the worker to have recorded its refusal', async () => await sqlAgain(`SELECT COUNT(*) FROM requests r JOIN executions x ON x.id = r.execution_id
        WHERE x.agent_id = ${await life.row()} AND r.refusals = 1`) !== '0');
    disarm();
    await executing;
    await life.follow();
    await life.settle();
    return { lives: [life], hits: 1 };
}

export const INTERLEAVED = [
    ['a follower stands still while another one signs a dearer transaction, and nodes omit receipts', (jobs, node) => listInHand(jobs, node)],
    ['a second node shows a foreign transaction on a branch that the chain has left', (jobs, node) => branchLeft(jobs, node)],
    ['a follower that has seen a swap settle stands still while another one takes its completion back', (jobs) => settledMeanwhile(jobs)],
    ['a follower stands still before it signs a dearer transaction while another one sees the swap settle', (jobs) => signedTooLate(jobs)],
    ['a worker stands before its first sending while a follower sends, and the venue changes its form', (jobs) => formChanged(jobs)],
];
