// Across between two chains: what a relayer asks for a deposit, which the caller makes himself, and what became of it. The
// solver (solver.mjs) is the relayer; what it does not pay comes back after the deadline, coins as the token that wraps them.
//
// True to docs.across.to of 2026 (the API at app.across.to, with key and integratorId; not its successor at api.across.to/v1), and to
// an answer captured on 2026-09-13.
//
// Set by a test, in addition to what all have: `fill_seconds` { value } sets another deadline; and lies:
//
//   other_pool other_token other_chain    names another pool, another token that is paid out, another chain
//   other_output                          orders half of what the fee leaves
//   late                                  the deadline is too near for any relayer to pay
//   keyed                                 answers only clients with a key and the integrator id `value`
//   status_done status_unknown status_other
//                     says that it is filled, with a transaction of `value` or an unknown one, an unknown status, the
//                     outcome of another one

import { ZeroAddress, getAddress, hexlify, isAddress, randomBytes } from 'ethers';
import { rpc } from '../chain.mjs';
import {
    Refused, amountOf, bridgedMost, factsOf, lessBps, scaled,
} from './aggregator/service.mjs';

const FEE_BPS = 25, FILL_S = 7200, LATE_S = 30, SECONDS = 3;
const LIKE_MINIMUM = 10_000n; // of smallest units of six decimals
const STRANGER = getAddress(`0x${'22'.repeat(20)}`);

const refused = (status, code, message, param) => new Refused(status, { type: 'AcrossApiError', code, status, message, param, id: hexlify(randomBytes(8)) });
const refusal = (status, reason) => refused(status, undefined, reason);
const seconds = () => Math.floor(Date.now() / 1000);

/** A token that Across knows: coins go by what wraps them. */
function tokenOf(desk, query, side, which) {
    const chain = desk.chain(query.get(which));
    if (chain === undefined) throw refused(400, 'INVALID_PARAM', `Invalid parameter at path '${which}'`, which);
    const text = query.get(side);
    if (!isAddress(text)) throw refused(400, 'INVALID_PARAM', `Invalid parameter at path '${side}'. Expected type 'address'`, side);
    const [symbol] = Object.entries(chain.tokens).find(([, { address }]) => address === getAddress(text)) ?? [];
    if (symbol === undefined) throw refused(404, undefined, `Unable to find tokenDetails for address: ${text}, on chain with id: ${chain.id}`);
    return { chain, address: getAddress(text), ...factsOf(chain, getAddress(text)) };
}

/** What a question asks for, or a refusal. */
function asked(desk, { query }) {
    const amount = amountOf(query.get('amount'));
    if (amount === undefined) throw refused(400, 'INVALID_PARAM', "Invalid parameter at path 'amount'", 'amount');
    const [from, to] = [['inputToken', 'originChainId'], ['outputToken', 'destinationChainId']].map((side) => tokenOf(desk, query, ...side));
    if (from.chain === to.chain) throw refused(400, 'INVALID_PARAM', 'Origin and destination chains cannot be the same');
    if (from.symbol !== to.symbol || desk.wrong('no_route')) {
        throw refused(400, 'ROUTE_NOT_ENABLED', `Route from chainId ${from.chain.id} to chainId ${to.chain.id} with input token ${from.address} is not enabled`);
    }
    if (amount > bridgedMost(from.chain, from.address)) throw refused(400, 'AMOUNT_TOO_HIGH', 'Amount exceeds max. deposit limit');
    if (amount < LIKE_MINIMUM * 10n ** BigInt(from.decimals) / 10n ** 6n) throw refused(400, 'AMOUNT_TOO_LOW', 'Sent amount is too low relative to fees');
    return { from, to, amount };
}

const part = (total, amount) => ({ pct: String(total * 10n ** 18n / amount), total: String(total) });
const told = ({ chain, address, symbol, decimals }) => ({ address, symbol, decimals, chainId: chain.id });

/** Known by a key, and by the id that comes with it. */
function checkKey(desk, { headers, query }) {
    const keyed = desk.wrong('keyed');
    if (keyed !== undefined && (!/^Bearer \S+$/.test(headers.authorization ?? '') || query.get('integratorId') !== keyed.value)) {
        throw refused(401, 'UNAUTHORIZED', 'A key and an integratorId are required');
    }
}

async function suggestedFees(desk, call) {
    checkKey(desk, call);
    const { from, to, amount } = asked(desk, call);
    const left = lessBps(amount, FEE_BPS - Number(desk.wrong('bonus')?.value ?? 0));
    const [fee, out] = [amount - left, scaled(left, from.decimals, to.decimals)];
    const { timestamp } = await rpc(from.chain.url, 'eth_getBlockByNumber', ['latest', false]);
    const fillS = desk.wrong('late') ? LATE_S : Number(desk.wrong('fill_seconds')?.value ?? FILL_S);
    const most = String(bridgedMost(from.chain, from.address));
    const other = Object.entries(to.chain.tokens).find(([, { address }]) => address !== to.address)[1].address;
    return {
        json: {
            estimatedFillTimeSec: SECONDS, timestamp: String(Number(timestamp)), isAmountTooLow: false, quoteBlock: String(desk.block(from.chain) ?? 0),
            exclusiveRelayer: ZeroAddress, exclusivityDeadline: 0,
            spokePoolAddress: desk.wrong('other_pool') ? STRANGER : desk.router(from.chain), destinationSpokePoolAddress: desk.router(to.chain),
            totalRelayFee: part(fee, amount), relayerCapitalFee: part(fee, amount), relayerGasFee: part(0n, amount), lpFee: part(0n, amount),
            limits: { minDeposit: '1', maxDeposit: most, maxDepositInstant: most, maxDepositShortDelay: most },
            fillDeadline: String(seconds() + fillS), outputAmount: String(desk.wrong('other_output') ? out / 2n : out),
            inputToken: told(from),
            outputToken: { ...told(to), ...desk.wrong('other_token') ? { address: other } : {}, ...desk.wrong('other_chain') ? { chainId: 10 } : {} },
            id: hexlify(randomBytes(8)),
        },
    };
}

function stateOf({ state, deadline }) {
    if (state === 'done') return 'filled';
    if (state === 'refunded') return 'refunded';
    return deadline < seconds() ? 'expired' : 'pending';
}

function status(desk, call) {
    checkKey(desk, call);
    const { query } = call;
    const found = desk.solver.found({ transaction: query.get('depositTxnRef') });
    if (found === undefined) throw new Refused(404, { error: 'DepositNotFoundException', message: 'Deposit not found given the provided constraints' });
    const state = stateOf(found);
    const answer = {
        status: state, originChainId: desk.chain(found.from.chain).id, destinationChainId: desk.chain(found.to.chain).id, depositId: '1',
        depositTxnRef: found.source, fillTxnRef: state === 'filled' ? found.transaction : null, depositRefundTxnRef: state === 'refunded' ? found.transaction : null,
        actionsSucceeded: null, pagination: { currentIndex: 0, maxIndex: 0 },
    };
    const done = desk.wrong('status_done');
    if (done) Object.assign(answer, { status: 'filled', fillTxnRef: done.value ?? hexlify(randomBytes(32)) });
    if (desk.wrong('status_unknown')) Object.assign(answer, { status: 'somehow' });
    if (desk.wrong('status_other')) Object.assign(answer, { depositTxnRef: hexlify(randomBytes(32)) });
    return { json: answer };
}

export const across = {
    key: 'across',
    haircut: FEE_BPS,
    refusal,
    routes: [
        ['GET', '/suggested-fees', suggestedFees],
        ['GET', '/deposit/status', status],
    ],
    layout: { selectors: [], offsets: [], address: 0 },
    lies: [],
    faults: ['keyed', 'fill_seconds', 'other_pool', 'other_token', 'other_chain', 'other_output', 'late', 'status_done', 'status_unknown', 'status_other'],
};
