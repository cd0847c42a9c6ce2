// What was matched is settled on the chain, one transaction for each trade. A trade is MATCHED, MINED once its
// transaction is in a block, CONFIRMED once there is another block above, RETRYING while the chain does not answer or
// the transaction has to be made anew; or FAILED: then its size is given back.

import { setTimeout as sleep } from 'node:timers/promises';
import { Interface } from 'ethers';
import { KINDS } from '../../polymarket.mjs';
import { costOf } from './amounts.mjs';
import { COLLATERAL, holdingOf, look } from './holdings.mjs';
import { assetOf, makersOf } from './matching.mjs';
import {
    cancelOrders, givenAt, givenFor, marketOf, mayRest, orderOf, outlay, setStatus,
} from './orders.mjs';
import { ORDER } from './signatures.mjs';
import { hasEnded } from './world.mjs';

const RETRY_MS = 1000;
const FAILED_MS = 2000; // until it is told that a trade is not settled
const ATTEMPTS = 60;
const CONFIRMED_BLOCKS = 2;
const REVERTED = 'CALL_EXCEPTION'; // as ethers calls it
const ORDER_TUPLE = `(${[...ORDER.Order.map(({ type }) => type), 'bytes'].join(',')})`;
const EXCHANGE = new Interface([`function matchOrders(bytes32, ${ORDER_TUPLE}, ${ORDER_TUPLE}[], uint256, uint256[], uint256, uint256[])`]);

/** The trades whose end is not known yet; their settlement goes on when the process starts. */
export function unsettledTrades(world) {
    return new Set([...world.store.rows('trades').values()].filter(({ status }) => status === 'MATCHED' || status === 'RETRYING'));
}

export function resumeSettlements(world) {
    for (const trade of world.store.rows('trades').values()) {
        if (!trade.isFinal) settle(world, trade);
    }
}

export async function settle(world, trade) {
    try {
        const failure = world.wrong('settlement_failed');
        if (failure === undefined) await settleOnChain(world, trade);
        else await failOnPurpose(world, trade, failure.value ?? FAILED_MS);
    } catch (error) {
        console.error(error);
    }
}

async function failOnPurpose(world, trade, ms) {
    await sleep(ms / 2);
    change(world, trade, { status: 'RETRYING' });
    await sleep(ms / 2);
    fail(world, trade);
}

async function settleOnChain(world, trade) {
    for (;;) {
        const refusal = await refusalOf(world, trade);
        if (refusal === undefined) break;
        // Once it was in a block it could be settled: it left the chain with what it needs, which comes back.
        const mayComeBack = trade.wasMined || refusal === 'NONCE_EXPIRED';
        if (!mayComeBack || trade.attempt === ATTEMPTS) return failUncovered(world, trade);
        world.unsettled.add(trade);
        change(world, trade, { status: 'RETRYING', attempt: trade.attempt + 1 });
        await sleep(RETRY_MS);
    }
    change(world, trade, { isFinal: true });
}

/** One transaction to its end: undefined if it was carried out for good. */
async function refusalOf(world, trade) {
    try {
        await carryThrough(world, trade);
        return undefined;
    } catch (error) {
        if (error.code === undefined) throw error;
        return error.code;
    }
}

async function carryThrough(world, trade) {
    const { operator } = world;
    const hash = await sent(world, trade);
    change(world, trade, { hash });
    needSuccess(await operator.receipt(hash));
    await lookAtParties(world, trade);
    world.unsettled.delete(trade);
    if (trade.status !== 'CONFIRMED') change(world, trade, { status: 'MINED', wasMined: true });
    needSuccess(await operator.receipt(hash, CONFIRMED_BLOCKS));
    change(world, trade, { status: 'CONFIRMED' });
    needSuccess(await operator.finalReceipt(hash));
}

function needSuccess({ status }) {
    if (status !== 1) throw Object.assign(new Error('the settlement was reverted'), { code: REVERTED });
}

/** Of the operator's transaction, which has its hash before the trade has it. */
export const settlementId = ({ id, attempt }) => `trade ${id} ${attempt}`;

/** The hash of the transaction; fails if the exchange would refuse it. */
async function sent(world, trade) {
    const { exchange } = KINDS[marketOf(world, trade).kind];
    for (;;) {
        try {
            return await world.operator.send(settlementId(trade), exchange, callOf(world, trade));
        } catch (error) {
            if (error.code === REVERTED) throw error;
            change(world, trade, { status: 'RETRYING' });
            await sleep(RETRY_MS);
        }
    }
}

function callOf(world, trade) {
    const taker = orderOf(world, trade.taker);
    const tuple = ({ order, signature }) => [...ORDER.Order.map(({ name }) => order[name]), signature];
    return EXCHANGE.encodeFunctionData('matchOrders', [
        marketOf(world, trade).conditionId, tuple(taker), makersOf(world, trade).map(tuple), givenAt(taker, trade.size, trade.price),
        trade.makers.map(({ order, size }) => givenFor(orderOf(world, order), size)), trade.fee, trade.makers.map(() => 0n),
    ]);
}

function change(world, trade, changes) {
    Object.assign(trade, changes, { updated: Date.now() });
    world.store.keep({ trades: [trade] });
}

function partsOf(world, trade) {
    const parts = [{ order: trade.taker, size: trade.size, paid: costOf(trade.size, trade.price) }, ...trade.makers];
    return parts.map(({ order, size, paid = 0n }) => ({ order: orderOf(world, order), size, paid }));
}

/** Its size goes back to its orders, which rest again if they may. */
function fail(world, trade) {
    const parts = partsOf(world, trade);
    const isOver = hasEnded(marketOf(world, trade));
    for (const { order, size, paid } of parts) {
        order.matched -= size;
        if (paid !== 0n) order.paid -= paid;
        if (order.status === 'MATCHED') setStatus(world, order, mayRest(order) && !isOver ? 'LIVE' : 'CANCELED');
    }
    Object.assign(trade, { status: 'FAILED', isFinal: true, updated: Date.now() });
    world.unsettled.delete(trade);
    world.store.keep({ trades: [trade], orders: [...new Set(parts.map(({ order }) => order))] });
}

/** The same, and orders that their makers cannot pay for are canceled: they would fail again. */
async function failUncovered(world, trade) {
    await lookAtParties(world, trade);
    fail(world, trade);
    const { exchange } = KINDS[marketOf(world, trade).kind];
    const isUncovered = (order) => {
        const { balance, allowances } = holdingOf(world, order.order.maker, assetOf(order));
        return order.status === 'LIVE' && (outlay(order) > balance || outlay(order) > (allowances[exchange] ?? 0n));
    };
    cancelOrders(world, partsOf(world, trade).map(({ order }) => order).filter(isUncovered));
}

/** What a trade changed: dollars and shares of all who had a part in it. */
async function lookAtParties(world, trade) {
    const { tokens } = marketOf(world, trade);
    const makers = new Set(partsOf(world, trade).map(({ order }) => order.order.maker));
    const looks = [...makers].flatMap((maker) => [COLLATERAL, ...tokens].map((asset) => () => look(world, maker, asset)));
    for (const each of looks) await patiently(each);
}

async function patiently(work) {
    for (;;) {
        try {
            return await work();
        } catch {
            await sleep(RETRY_MS);
        }
    }
}
