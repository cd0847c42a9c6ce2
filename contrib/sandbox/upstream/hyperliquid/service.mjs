// Hyperliquid: perpetuals. What is asked of it comes to /info, what it is told to do to /exchange; it is paid on arbitrum and
// through Circle, and pays there.
//
// True to Hyperliquid's documentation, to @nktkas/hyperliquid 0.33.3 and to answers recorded in 2026.

import { actsOf } from './acts.mjs';
import { auditOf, noteBody } from './audit.mjs';
import { cancelScheduled } from './cancels.mjs';
import { answerExchange } from './exchange.mjs';
import { payWhenDue } from './funding.mjs';
import { answerInfo } from './info.mjs';
import { Limits } from './limits.mjs';
import { Rails } from './rails.mjs';
import { commit, makeWorld } from './world.mjs';

const LOOK_MS = 200;
const PARTS = { '/info': answerInfo, '/exchange': answerExchange };

/** What the venue does wrong beyond what any service does: contrib/sandbox/README.md says what. */
const FAULTS = [
    'delisted', 'duplicate_nonce', 'forgotten_orders', 'lagging_reads', 'one_sided_book', 'other_address', 'overfilled', 'payout_delayed',
    'reordered_universe', 'status_err',
];

export function startHyperliquid({ chains, store, wrong }) {
    const rails = new Rails(chains, store);
    const world = makeWorld({ store, wrong, rails, limits: new Limits() });
    rails.start(world);
    setInterval(() => {
        cancelScheduled(world);
        payWhenDue(world);
        commit(world);
        rails.payDue();
    }, LOOK_MS);
    return {
        faults: FAULTS,
        acts: actsOf(world),
        audit: auditOf(world),
        note: (call) => noteBody(world, call),
        answer(call) {
            const part = PARTS[call.path];
            if (part === undefined) return { status: 404, json: { error: 'not found' }, refused: 'not found' };
            if (call.method !== 'POST') return { status: 405, text: '', refused: 'not a POST' };
            const answer = part(world, call);
            commit(world);
            return answer;
        },
    };
}
