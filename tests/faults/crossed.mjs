// Troubles of a job at a fault point: the process there is killed or stopped, or stopped until a process that it needs is gone.
// At points of the prediction markets, a trouble of the venue or of the chain happens meanwhile.

import { setTimeout as pause } from 'node:timers/promises';
import { rpc } from '../api/chain.mjs';
import { disarm, signal, withoutBlocks } from '../jobs/lib.mjs';
import { CHAIN } from './life.mjs';
import { POLYGON, control } from './prediction.mjs';
import { Kept, killDatabase } from './programs.mjs';

/** How many blocks are taken back. */
export const REORGANISED_BLOCKS = 2;
/** While no block is made: a node that is slow would keep blocks that come in between, and forget what is in them. */
const reorganise = (chain) => withoutBlocks(chain, () => rpc(chain, 'anvil_reorg', [REORGANISED_BLOCKS, []]));

// What is sent to the venue that changes something there.
const SENDINGS = [['POST', '/clob/auth/api-key'], ['POST', '/clob/order'], ['DELETE', '/clob/order'], ['POST', '/relayer/submit']];

const sendings = async (fault) => {
    for (const [method, path] of SENDINGS) await control('POST', '', { service: 'polymarket', fault, times: 1, method, path });
};

/** By a name, { action } of the point, and `then` once a process has reached it. */
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
            await reorganise(CHAIN);
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
 * By a name, what is done `before`, and `then` when a process is at the point. At the points of `later` it is done then: a
 * request is renewed because of an answer, which must not be lost.
 */
const TROUBLES = {
    'answers lost': { before: () => sendings('lost_answer'), later: /^request\.renew\./ },
    'the venue down': { then: async () => (await Kept.of('upstream')).kill() },
    'all delivered twice': { before: () => sendings('twice') },
    'blocks reorganised': { then: () => reorganise(POLYGON) },
};

const wrong = (fault, more) => control('POST', '', { service: 'hyperliquid', fault, ...more });
const onActions = { method: 'POST', path: '/exchange' };

/** Troubles of perpetuals, in the same form. The balances and debts of an account are reported late until the life is over. */
const TROUBLES_OF_PERPETUALS = {
    'answers lost': { before: () => wrong('lost_answer', { times: 2, ...onActions }) },
    'no answers': { before: () => wrong('stall', { times: 1, ...onActions }) },
    'nonces called used': { before: () => wrong('duplicate_nonce', { times: 2 }) },
    'reads late': { before: () => wrong('lagging_reads') },
    'blocks reorganised': { then: () => reorganise(CHAIN) },
};

/** Points at which these orders and their money come by alone, and those at which venues are asked for something. */
const OF_PERPETUALS = /^(perps_|offer\.|market\.)/;

/**
 * [name, run] of each point, each way to go and each trouble of those that `meets` says; `through` leads a life there. The parts
 * of the job that come by a point share its rows, so that each part sees each way to go and each trouble where there are so many
 * parts.
 */
function rowsOf(places, through, troubles, meets) {
    const points = new Map();
    for (const place of places) points.set(place.point, [...points.get(place.point) ?? [], place]);
    return [...points.values()].flatMap((parts, n) => Object.entries(GONE).flatMap(([gone, how], i) => (
        Object.entries(troubles).flatMap(([trouble, { before, then, later }], j) => {
            const place = parts[(i + j) % parts.length];
            if (!meets(place.point, n + i, j)) return [];
            const troubled = later?.test(place.point) ? { then: before } : { before, then };
            const fault = { action: how.action, before: troubled.before, then: () => Promise.all([troubled.then?.(), how.then?.()]) };
            return [[`${place.point} (${place.part}) ${gone}, ${trouble}`, () => through(place, fault)]];
        }))));
}

export const crossed = (places, through) => rowsOf(places, through, TROUBLES, () => true);

/** Each way to go meets one trouble, another one at the next point. */
const inTurn = (troubles) => (point, turn, j) => turn % Object.keys(troubles).length === j;

/** Redemptions come by no point of their own. */
export const crossedAtRedemptions = (places, through) => rowsOf(places, through, TROUBLES, inTurn(TROUBLES));

/** At points that all jobs come by, in turn. */
export function crossedAtPerps(places, through) {
    const inItsTurn = inTurn(TROUBLES_OF_PERPETUALS);
    return rowsOf(places, through, TROUBLES_OF_PERPETUALS, (point, turn, j) => OF_PERPETUALS.test(point) || inItsTurn(point, turn, j));
}

/** Nothing that was asked of the venue stays asked. */
export const behave = () => control('DELETE', '');
