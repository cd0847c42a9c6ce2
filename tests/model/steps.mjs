// Model and code stay together: each fault point of the source (tests/faults/points.mjs) is a step of engine.pml, or stands here with
// the reason why it is none of the engine's protocol.

import { POINTS } from '../faults/points.mjs';

const EXCUSED = [
    [/^(keys|keyfile)\./, 'key files: written and renamed before anything is signed with them'],
    [/^(restart\.|child\.|answer$)/, 'processes that begin and end: each may die anywhere here'],
    [/^a2a\./, 'tasks: an execution does not depend on the task that waits for it'],
    [/^sweep\./, 'the operator\'s sweep: an execution like others'],
    [/^route\.ask$/, 'quoting: nothing is signed or stored'],
    [/^((order|perps)_poll|cancel)\./, 'orders that rest at a venue: what becomes of them once their execution has ended'],
    [/^lend_watch\./, 'looks at debts: nothing is signed, and an event is told by the transaction that notes what it tells'],
    [/^bridge\./, 'bridges: a payment proves one delivery by a unique key; no nonce and no request depends on it'],
    [/^door$/, 'the service that built a transaction gets the same bytes; its answer is not read'],
    [/^revoke\./, 'allowances that are taken back: a nonce under the wallet\'s lock, as of a commit'],
];

const names = (text) => [...text.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/\bstep\("([^"]*)"\)/g)].flatMap(([, list]) => list.split(', '));

/** What does not fit, one line each. */
export function differences(model) {
    const source = new Set([...POINTS.keys()].map((point) => point.replace(/\.(before|after)$/, '')));
    const modelled = new Set(names(model));
    const excused = (point) => EXCUSED.some(([pattern]) => pattern.test(point));
    return [
        ...[...source].filter((point) => !modelled.has(point) && !excused(point)).map((point) => `${point} is a step of the source alone`),
        ...[...modelled].filter((point) => !source.has(point)).map((point) => `${point} is a step of the model alone`),
        ...[...modelled].filter((point) => excused(point)).map((point) => `${point} is a step of the model, and excused`),
        ...EXCUSED.filter(([pattern]) => ![...source].some((point) => pattern.test(point))).map(([pattern]) => `nothing is called ${pattern}`),
    ];
}
