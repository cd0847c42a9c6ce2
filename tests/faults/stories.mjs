// What lives go through at fault points. Each story leads one through a job and resolves to it; `step` is called with the name of
// each part and the part, `jobs` are started by the story.

import assert from 'node:assert/strict';
import { until } from '../api/lib.mjs';
import { rpc } from '../api/chain.mjs';
import { elapse, withoutBlocks } from '../jobs/lib.mjs';
import { solana, solanaBehaves } from './books.mjs';
import { REORGANISED_BLOCKS } from './crossed.mjs';
import {
    AGGREGATED, BRIDGED, CHAIN, LENDING, Life, ON_SOLANA, REVERTED, WITHDRAWING,
} from './life.mjs';
import { PerpsLife } from './perps.mjs';
import { PredictionLife, control } from './prediction.mjs';

async function rest(life) {
    await life.follow();
    await life.settle();
    return life;
}

// ---------------------------------------------------------------- swaps

const ALL = ['prepare', 'execute', 'follow'];

/**
 * The main job. `where` tells its parts from those of other lives, of which only the `parts` that are named are told: the others
 * are as in those. `misleads` comes before, `mends` after what is executed.
 */
const swaps = (how, { where = '', parts = ALL, misleads, mends } = {}) => async (step, jobs) => {
    const life = new Life(how);
    const part = (name, during) => (parts.includes(name) ? step(name + where, during) : during());
    await part('prepare', () => life.prepare());
    await misleads?.(life);
    await part('execute', () => life.execute());
    await mends?.(life);
    jobs.start();
    await part('follow', () => rest(life));
    return life;
};

/** The same, but no block comes until the swaps' time is over: their nonces are taken back. */
export async function late(step, jobs) {
    const life = new Life();
    await life.prepare();
    await withoutBlocks(CHAIN, async () => {
        await life.execute();
        jobs.start();
        await life.taken();
        await step('repair', async () => {
            const open = (await life.transactions()).length;
            for (const id of life.accepted) await elapse(id, 300);
            await until('what takes the nonces back', async () => {
                const found = await Promise.all((await life.transactions('cancel', 'revocation')).map((hash) => rpc(CHAIN, 'eth_getTransactionByHash', [hash])));
                return found.filter(Boolean).length >= open;
            });
        });
    });
    return rest(life);
}

/** What fails in its block leaves an allowance, which is taken back. */
async function reverted(step, jobs) {
    const misleads = ({ address }) => control('POST', '', { service: 'kyberswap', fault: 'pays_less_in_block', wallet: address });
    const life = await swaps(REVERTED, { where: ', reverted', parts: ['follow'], misleads })(step, jobs);
    assert.deepEqual(await life.statuses(), life.accepted.map(() => 'failed'));
    assert.equal((await life.transactions('revocation')).length, life.accepted.length);
    return life;
}

const forgetful = ({ addresses }) => solana('drop', { wallet: addresses.get('solana') });

/** No block has what the workers sent: it is the jobs that send it again, by both ways. */
const dropped = swaps(ON_SOLANA, { where: ', dropped', parts: ['follow'], misleads: forgetful, mends: solanaBehaves });

// ---------------------------------------------------------------- prediction markets

async function depositing(step, jobs) {
    const life = new PredictionLife();
    await life.prepare();
    jobs.start();
    await step('deposit', () => life.deposit());
    await life.follow();
    return life;
}

async function ordering(step, jobs) {
    jobs.start();
    const life = await PredictionLife.funded();
    await step('buy', () => life.buy());
    await step('take back', () => life.takeBack());
    await life.follow();
    return life;
}

async function selling(step, jobs) {
    jobs.start();
    const life = await PredictionLife.funded();
    await life.buy();
    await step('sell', () => life.sell());
    await life.follow();
    return life;
}

async function withdrawing(step, jobs) {
    jobs.start();
    const life = await PredictionLife.funded();
    await step('withdraw', () => life.withdraw());
    await life.follow();
    return life;
}

/** A decided market pays; the points are those of the other transfers. */
async function redeeming(step, jobs) {
    jobs.start();
    const life = await PredictionLife.funded();
    await life.win();
    await step('redeem', () => life.redeem());
    await life.follow();
    return life;
}

// ---------------------------------------------------------------- perpetuals

async function puttingIn(step, jobs) {
    const life = new PerpsLife();
    await life.prepare();
    jobs.start();
    await step('put in', () => life.deposit());
    await life.follow();
    return life;
}

async function opening(step, jobs) {
    jobs.start();
    const life = await PerpsLife.funded();
    await step('open', () => life.open());
    await step('cancel', () => life.takeBack());
    await step('close', () => life.close());
    await life.follow();
    return life;
}

async function payingOut(step, jobs) {
    jobs.start();
    const life = await PerpsLife.funded();
    await step('pay out', () => life.withdraw());
    await life.follow();
    return life;
}

/** What wallets have before is older than what is taken back. */
async function grown() {
    const head = async () => Number(await rpc(CHAIN, 'eth_blockNumber')), had = await head();
    await until('blocks above it', async () => await head() >= had + REORGANISED_BLOCKS);
}

export const AT_LENDERS = swaps(LENDING, { where: ', lending', parts: ['execute', 'follow'], misleads: grown });
export const SWAPPING = [
    swaps(), late, swaps(AGGREGATED, { where: ', aggregated', parts: ['prepare', 'execute'] }), reverted, swaps(BRIDGED, { where: ', bridged', parts: ['execute', 'follow'] }),
    swaps(ON_SOLANA, { where: ', on Solana', parts: ['execute', 'follow'] }), dropped, swaps(WITHDRAWING, { where: ', withdrawing', parts: ['execute', 'follow'] }),
    AT_LENDERS,
];
export const PREDICTING = [depositing, ordering, selling, withdrawing];
export const REDEEMING = [redeeming];
export const PERPETUALS = [puttingIn, opening, payingOut];
