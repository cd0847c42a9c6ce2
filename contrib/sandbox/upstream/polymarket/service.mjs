// Polymarket: its catalogue, its exchange, its data and its relayer, below /gamma, /clob, /data and /relayer.

import { answerClob } from './clob.mjs';
import { answerData } from './data.mjs';
import { answerGamma } from './gamma.mjs';
import { placeMakers } from './makers.mjs';
import { restLive } from './orders.mjs';
import { Relayer } from './relayer.mjs';
import { makeWorld } from './world.mjs';

/** What the venue does wrong beyond what any service does. */
const FAULTS = ['closed_only', 'lying_book'];

export async function startPolymarket(settings) {
    const world = await makeWorld(settings);
    placeMakers(world);
    restLive(world);
    const relayer = new Relayer(world.operator);
    const parts = {
        gamma: (call) => answerGamma(world, call),
        clob: (call) => answerClob(world, call),
        data: (call) => answerData(world, call),
        relayer: (call) => relayer.answer(call),
    };
    return {
        faults: FAULTS,
        answer(call) {
            const [, part, ...rest] = call.path.split('/');
            const answerPart = parts[part];
            if (answerPart === undefined) return { status: 404, json: { error: 'not found' } };
            return answerPart({ ...call, path: `/${rest.join('/')}` });
        },
    };
}
