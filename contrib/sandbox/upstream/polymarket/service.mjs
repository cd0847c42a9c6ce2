// Polymarket: its catalogue, its exchange, its data and its relayer, below /gamma, /clob, /data and /relayer.

import { answerClob } from './clob.mjs';
import { answerData } from './data.mjs';
import { answerGamma } from './gamma.mjs';
import { Operator } from './operator.mjs';
import { Relayer } from './relayer.mjs';
import { makeWorld } from './world.mjs';

export async function startPolymarket({ polygon }) {
    const world = await makeWorld(polygon);
    const relayer = new Relayer(new Operator(polygon));
    const parts = {
        gamma: (call) => answerGamma(world, call),
        clob: (call) => answerClob(world, call),
        data: (call) => answerData(world, call),
        relayer: (call) => relayer.answer(call),
    };
    return {
        answer(call) {
            const [, part, ...rest] = call.path.split('/');
            const answerPart = parts[part];
            if (answerPart === undefined) return { status: 404, json: { error: 'not found' } };
            return answerPart({ ...call, path: `/${rest.join('/')}` });
        },
    };
}
