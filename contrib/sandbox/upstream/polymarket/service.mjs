// Polymarket: its catalogue, its exchange, its data and its relayer, below /gamma, /clob, /data and /relayer.

import { answerClob } from './clob.mjs';
import { answerData } from './data.mjs';
import { answerGamma } from './gamma.mjs';
import { placeMakers } from './makers.mjs';
import { restLive } from './orders.mjs';
import { answerRelayer } from './relayer.mjs';
import { RELAY_FAULTS, Relays } from './relays.mjs';
import { makeWorld } from './world.mjs';

const PARTS = { gamma: answerGamma, clob: answerClob, data: answerData, relayer: answerRelayer };

/** What the venue does wrong beyond what any service does. */
const FAULTS = ['closed_only', 'lying_book', ...RELAY_FAULTS];

export async function startPolymarket(settings) {
    const world = await makeWorld(settings);
    placeMakers(world);
    restLive(world);
    world.relays = new Relays(world);
    world.relays.resume();
    return {
        faults: FAULTS,
        answer(call) {
            const [, part, ...rest] = call.path.split('/');
            const answerPart = PARTS[part];
            if (answerPart === undefined) return { status: 404, json: { error: 'not found' } };
            return answerPart(world, { ...call, path: `/${rest.join('/')}` });
        },
    };
}
