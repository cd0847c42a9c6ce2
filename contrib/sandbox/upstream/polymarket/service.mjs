// Polymarket: its catalogue, its exchange and its data, below /gamma, /clob and /data.

import { answerClob } from './clob.mjs';
import { answerData } from './data.mjs';
import { answerGamma } from './gamma.mjs';
import { makeWorld } from './world.mjs';

const PARTS = { gamma: answerGamma, clob: answerClob, data: answerData };

export async function startPolymarket({ polygon }) {
    const world = await makeWorld(polygon);
    return {
        answer(call) {
            const [, part, ...rest] = call.path.split('/');
            const answerPart = PARTS[part];
            if (answerPart === undefined) return { status: 404, json: { error: 'not found' } };
            return answerPart(world, { ...call, path: `/${rest.join('/')}` });
        },
    };
}
