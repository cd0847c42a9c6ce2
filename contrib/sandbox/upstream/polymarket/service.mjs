// Polymarket: its catalogue, its exchange, its data, its relayer and its word on countries, below /gamma, /clob,
// /data, /relayer and /geoblock.
//
// True to docs.polymarket.com, to @polymarket/clob-client-v2 1.1.0 and @polymarket/builder-relayer-client 0.0.10 of 2026, and to rows
// recorded in July 2026.

import { actsOf } from './acts.mjs';
import { bodyTables, noteBody } from './bodies.mjs';
import { answerClob } from './clob.mjs';
import { answerData } from './data.mjs';
import { answerGamma } from './gamma.mjs';
import { placeMakers } from './makers.mjs';
import { liveOrders, takenOrders } from './orders.mjs';
import { matchDelayed } from './place.mjs';
import { answerRelayer } from './relayer.mjs';
import { Refusal } from '../refusal.mjs';
import { RELAY_FAULTS, Relays } from './relays.mjs';
import { resumeSettlements, unsettledTrades } from './settlement.mjs';
import { makeWorld } from './world.mjs';

const PARTS = { gamma: answerGamma, clob: answerClob, data: answerData, relayer: answerRelayer, geoblock };

/** What the venue does wrong beyond what any service does: contrib/sandbox/README.md says what. */
const FAULTS = [
    'cancel_only', 'closed_only', 'delayed_match', 'ended_order_shown', 'eoa_refused', 'geoblocked', 'lying_book', 'order_version_mismatch', 'settlement_failed',
    ...RELAY_FAULTS,
];

/** Whether it serves the caller's country. */
function geoblock(world) {
    return { json: { blocked: world.wrong('geoblocked') !== undefined, ip: '127.0.0.1', country: 'ZZ', region: '' } };
}

export async function startPolymarket(settings) {
    const world = await makeWorld(settings);
    placeMakers(world);
    startTrading(world);
    world.relays = new Relays(world);
    world.relays.resume();
    return {
        faults: FAULTS,
        acts: actsOf(world),
        audit: { ...bodyTables(world), taken: () => takenOrders(world) },
        note: (call) => noteBody(world, call),
        async answer(call) {
            const [, part, ...rest] = call.path.split('/');
            try {
                if (!Object.hasOwn(PARTS, part)) throw new Refusal(404, 'not found');
                return await PARTS[part](world, { ...call, path: `/${rest.join('/')}` });
            } catch (error) {
                if (error instanceof Refusal) return error.answer;
                throw error;
            }
        },
    };
}

/** Goes on where the last process ended. */
function startTrading(world) {
    world.live = liveOrders(world);
    world.unsettled = unsettledTrades(world);
    for (const order of world.live) matchDelayed(world, order);
    resumeSettlements(world);
}
