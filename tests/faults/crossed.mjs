// What befalls a job at a fault point: who is there dies or stands still, or does so until somebody that it needs is gone. Of
// the prediction markets' meanwhile something happens to the venue or to the chain.

import { setTimeout as pause } from 'node:timers/promises';
import { rpc } from '../api/chain.mjs';
import { disarm, signal } from '../jobs/lib.mjs';
import { CHAIN } from './life.mjs';
import { POLYGON, door } from './prediction.mjs';
import { Kept, killDatabase } from './programs.mjs';

/** How many blocks are taken back. */
export const REORGANISED_BLOCKS = 2;
// What is sent to the venue that changes something there.
const SENDINGS = [['POST', '/clob/auth/api-key'], ['POST', '/clob/order'], ['DELETE', '/clob/order'], ['POST', '/relayer/submit']];

const sendings = async (fault) => {
    for (const [method, path] of SENDINGS) await door('POST', '', { service: 'polymarket', fault, times: 1, method, path });
};

/** By a name, { action } of the point, and `then` once somebody has come by it. */
const GONE = {
    killed: { action: 'kill' },
    hung: { action: 'hang' },
    'the database gone': {
        action: 'hang',
        then: async () => {
            await killDatabase(await Kept.of('mariadbd'));
            disarm();
        },
    },
    'the signer gone': {
        action: 'hang',
        then: async () => {
            for (const pid of (await Kept.of('gateway')).children('signer')) signal(pid);
            disarm();
        },
    },
};

const AWAY_MS = 3000;

/** Beside them, of what is done at lenders, with the node in front of the chain. */
const GONE_AT_LENDERS = {
    'the database gone': () => GONE['the database gone'],
    'the signer gone': () => GONE['the signer gone'],
    'the node gone': (node) => ({
        action: 'hang',
        then: async () => {
            node.misbehave({ dead: () => true });
            disarm();
            await pause(AWAY_MS);
            node.behave();
        },
    }),
    'blocks reorganised': () => ({
        action: 'hang',
        then: async () => {
            await rpc(CHAIN, 'anvil_reorg', [REORGANISED_BLOCKS, []]);
            disarm();
        },
    }),
};

/** [name, run] of each place and each who is gone there. */
export function crossedAtLenders(places, through, node) {
    return places.flatMap((place) => Object.entries(GONE_AT_LENDERS).map(([gone, of]) => (
        [`${place.point} ${gone} (${place.part})`, () => through(place, of(node))])));
}

/**
 * By a name, what is done `before`, and `then` when somebody is at the point. At the points of `later` it is done then: a
 * request is renewed because of an answer, which must not be lost.
 */
const TROUBLES = {
    'answers lost': { before: () => sendings('lost_answer'), later: /^request\.renew\./ },
    'the venue down': { then: async () => (await Kept.of('upstream')).kill() },
    'all delivered twice': { before: () => sendings('twice') },
    'blocks reorganised': { then: () => rpc(POLYGON, 'anvil_reorg', [REORGANISED_BLOCKS, []]) },
};

/**
 * [name, run] of each point, each way to go and each trouble; `through` leads a life there. The parts of the job that come by
 * a point share its rows, so that each part sees each way to go and each trouble where there are so many parts.
 */
export function crossed(places, through) {
    const points = new Map();
    for (const place of places) points.set(place.point, [...points.get(place.point) ?? [], place]);
    return [...points.values()].flatMap((parts) => Object.entries(GONE).flatMap(([gone, how], i) => (
        Object.entries(TROUBLES).map(([trouble, { before, then, later }], j) => {
            const place = parts[(i + j) % parts.length];
            const troubled = later?.test(place.point) ? { then: before } : { before, then };
            const fault = { action: how.action, before: troubled.before, then: () => Promise.all([troubled.then?.(), how.then?.()]) };
            return [`${place.point} (${place.part}) ${gone}, ${trouble}`, () => through(place, fault)];
        }))));
}

/** Nothing that was asked of the venue stays asked. */
export const behave = () => door('DELETE', '');
