// POST /exchange: whose action it is, whether it may act, and what comes of it.

import { noteAccepted } from './audit.mjs';
import {
    Refused, accountFor, approveAgent, approveBuilderFee, checkBuilder, isExpired, takeNonce,
} from './authority.mjs';
import { cancelAll, modifyAll, schedule } from './cancels.mjs';
import { requestIn } from './forms.mjs';
import { moveMargin, setLeverage } from './leverage.mjs';
import { exchangeWeight } from './limits.mjs';
import { placeAll } from './place.mjs';
import { moveClass, sendDollars, sendToEvm, setMode, withdraw } from './transfers.mjs';
import { isUserSigned } from './signatures.mjs';

const ok = (type, data) => ({ status: 'ok', response: { type, ...(data && { data }) } });
const DONE = ok('default');
/** Of settings: what is wrong with one is told in a shape of its own. */
const settled = (fault) => (fault === undefined ? DONE : ok('default', { status: { error: fault } }));
const MODES = { i: 'disabled', u: 'unifiedAccount', p: 'portfolioMargin' };

const ACTIONS = {
    order: (world, account, action) => {
        checkBuilder(account, action);
        return ok('order', { statuses: placeAll(world, account, action) });
    },
    cancel: (world, account, action) => ok('cancel', { statuses: cancelAll(world, account, action) }),
    cancelByCloid: (world, account, action) => ok('cancel', { statuses: cancelAll(world, account, action) }),
    modify: (world, account, action) => {
        const [{ error }] = modifyAll(world, account, [action]);
        if (error !== undefined) throw new Refused(error);
    },
    batchModify: (world, account, { modifies }) => ok('order', { statuses: modifyAll(world, account, modifies) }),
    updateLeverage: (world, account, action) => settled(setLeverage(world, account, action)),
    updateIsolatedMargin: (world, account, action) => settled(moveMargin(world, account, action)),
    scheduleCancel: (world, account, action) => settled(schedule(world, account, action)),
    noop: () => {},
    reserveRequestWeight: (world, account, { weight }) => { account.sent -= weight; },
    vaultTransfer: (world, account, { vaultAddress }) => { throw new Refused(`Vault not registered: ${vaultAddress.toLowerCase()}`); },
    agentSetAbstraction: (world, account, { abstraction }) => setMode(world, account, MODES[abstraction]),
    usdClassTransfer: moveClass,
    usdSend: sendDollars,
    withdraw3: withdraw,
    sendToEvmWithData: sendToEvm,
    approveAgent,
    approveBuilderFee,
    userSetAbstraction: (world, account, { user, abstraction }) => {
        if (user.toLowerCase() !== account.id) throw new Refused('Invalid user.');
        setMode(world, account, abstraction);
    },
};

export const NOT_OF_THE_FORM = { status: 422, text: 'Failed to deserialize the JSON body into the target type', headers: { 'Content-Type': 'text/plain' }, refused: 'not of the form' };
export const TOO_MUCH = { status: 429, text: 'null', refused: 'the weight of a minute is used up' };
const refusal = (text) => ({ json: { status: 'err', response: text }, refused: text });

export function answerExchange(world, call) {
    const request = requestIn(call.body);
    if (request === undefined) return NOT_OF_THE_FORM;
    if (!world.limits.hasRoom()) return TOO_MUCH;
    world.limits.use(exchangeWeight(request.action));
    const error = world.wrong('status_err');
    if (error !== undefined) return refusal(error.value ?? 'Unexpected error (code=148)');
    const duplicate = world.wrong('duplicate_nonce');
    const text = `Invalid nonce: duplicate nonce ${request.nonce}`;
    if (duplicate?.value === 'undone') return refusal(text);
    const answer = act(world, call, request);
    return duplicate === undefined ? answer : refusal(text);
}

function act(world, call, request) {
    try {
        const { signer } = call.seen; // which was found out when the request came
        const account = accountFor(world, request, signer);
        call.seen.verified = ['signature'];
        admit(world, account, signer, request);
        noteAccepted(world, account, signer, request);
        return { json: ACTIONS[request.action.type](world, account, request.action) ?? DONE };
    } catch (error) {
        if (error instanceof Refused) return refusal(error.message);
        throw error;
    }
}

/** Counts a request, and takes its nonce. One whose time is over costs more, and leaves its nonce unused. */
function admit(world, account, signer, request) {
    const late = isExpired(request);
    if (isUserSigned(request.action) && request.expiresAfter != null) throw new Refused('expiresAfter is not supported for this action.');
    world.limits.count(world, account, request.action, late);
    if (late) throw new Refused('Action already expired');
    takeNonce(world, signer, request.nonce);
}
