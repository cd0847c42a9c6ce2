// POST /info: questions, which need no key. Reads may lag: a fault of the door says by how much. Others are lies. True to
// rows recorded from the real venue until November 2026: lists mix in what is traded beside perpetuals.

import { isAddress } from 'ethers';
import { RATE_PLACES, textOf } from './amounts.mjs';
import { agentOf, agentsOf, builderFeeOf } from './authority.mjs';
import { NOT_OF_THE_FORM, TOO_MUCH } from './exchange.mjs';
import { ACTIVATION } from './ledger.mjs';
import { infoWeight } from './limits.mjs';
import { orderOf, stateAt } from './orders.mjs';
import { MAKER_RATE, TAKER_RATE } from './universe.mjs';
import * as views from './views.mjs';
import { accountOf } from './world.mjs';

const LAG_MS = 3000;
const ROWS_MAX = 500, FILLS_MAX = 2000;
const REMEMBERED = 2000; // orders of an account, the last ones, as was found in September 2026: also one that rests is forgotten

class BadQuestion extends Error {}

const isAddressOf = (value) => typeof value === 'string' && isAddress(value.toLowerCase());
const USER = { user: isAddressOf };
const COIN = { coin: (value, { byName }) => byName.has(value) };
const OID = { oid: (value) => Number.isSafeInteger(value) || /^0x[0-9a-fA-F]{32}$/.test(value) };

/** Of a table, one account's or market's rows from a time to another, oldest first. */
function rowsOf(world, table, fits, { startTime = 0, endTime = Infinity, at = Infinity }) {
    const last = Math.min(endTime, at);
    return [...world.store.rows(table).values()].filter((row) => fits(row) && row.time >= startTime && row.time <= last);
}

const isOf = (user) => (row) => row.user === user;

/** First and last in a list, rows of spot and of another venue on the same exchange, as the real one mixes them in. */
const amongOthers = (world, user, rows, like) => (accountOf(world, user) === undefined ? rows : [like('@142'), ...rows, like('xyz:NVDA')]);
const NO_HASH = `0x${'0'.repeat(64)}`;

/** A little spot that the venue turned into dollars at midnight, without an order; true to a recorded row. */
const dust = (time) => (coin) => ({
    coin, px: '104730.168', sz: '0.0000086141', side: 'A', time, startPosition: '0.0000086141', dir: 'Spot Dust Conversion', closedPnl: '0.0',
    hash: NO_HASH, oid: 229209068357, crossed: true, fee: '0.0', tid: 0, feeToken: 'USDC', twapId: null,
});
const restsElsewhere = (coin) => ({
    coin, side: 'B', limitPx: '0.01', sz: '1.0', oid: 229209068358, timestamp: 1762732800049, triggerCondition: 'N/A', isTrigger: false, triggerPx: '0.0',
    children: [], isPositionTpsl: false, reduceOnly: false, orderType: 'Limit', origSz: '1.0', tif: 'Gtc', cloid: null,
});
const paidElsewhere = (time) => (coin) => (
    { time, hash: NO_HASH, delta: { type: 'funding', coin, usdc: '-0.01', szi: '1.0', fundingRate: '0.0000125', nSamples: null } });

const fillsIn = (world, question) => rowsOf(world, 'fills', isOf(question.user), question);
const fillsJson = (world, fills) => fills.slice(0, FILLS_MAX).map((fill) => overfilled(world, views.fillJson(world, fill)));

/** From a time on, oldest first. */
function fillsByTime(world, question) {
    const all = fillsIn(world, question);
    const rows = fillsJson(world, question.aggregateByTime === true ? views.together(all) : all);
    return amongOthers(world, question.user, rows, dust(Math.max(question.startTime, rows.at(-1)?.time ?? 0)));
}

/** A lie: more than was ordered. */
function overfilled({ wrong }, row) {
    return wrong('overfilled') === undefined ? row : { ...row, sz: `1${row.sz}` };
}

function statusOf(world, { user, oid, at }) {
    const order = orderOf(world, user, oid);
    const forgotten = world.wrong('forgotten_orders');
    const most = forgotten === undefined ? REMEMBERED : Number(forgotten.value ?? 0);
    const isForgotten = order !== undefined && world.live.madeBy(user) - order.nth >= most;
    return isForgotten ? { status: 'unknownOid' } : views.orderStatus(world, order, at);
}

function roleOf(world, { user }) {
    if (accountOf(world, user) !== undefined) return { role: 'user' };
    const agent = agentOf(world, user);
    return agent === undefined ? { role: 'missing' } : { role: 'agent', data: { user: agent.user } };
}

function rateLimitOf(world, { user }) {
    const account = accountOf(world, user) ?? { traded: 0n, sent: 0 };
    return { cumVlm: textOf(account.traded), nRequestsUsed: account.sent, nRequestsCap: world.limits.capOf(account), nRequestsSurplus: 0 };
}

/** One candle of now: there were no trades before. */
function candlesOf({ byName }, { req }) {
    const market = byName.get(req.coin);
    if (market?.mark === undefined) return [];
    const [o, c] = [market.previous, market.mark].map((units) => textOf(units));
    const now = Date.now();
    const [l, h] = market.previous < market.mark ? [o, c] : [c, o];
    return [{ t: now - (now % 60_000), T: now, s: market.name, i: req.interval, o, c, h, l, v: '0.0', n: 0 }];
}

const rate = (units) => textOf(units, 5);
const isFigures = (value) => value == null || (Number.isInteger(value) && value >= 2 && value <= 5);

/** By type: [members that it has to have, the answer]. */
const QUESTIONS = {
    meta: [{}, (world) => listing(world, views.meta(), []).meta],
    metaAndAssetCtxs: [{}, (world) => {
        const { meta, contexts } = listing(world, views.meta(), world.markets.map((market) => views.contextOf(world, market)));
        return [meta, contexts];
    }],
    allMids: [{}, views.allMids],
    l2Book: [{ ...COIN, nSigFigs: isFigures }, (world, { coin, nSigFigs, mantissa }) => oneSided(world, views.bookOf(world.byName.get(coin), nSigFigs ?? undefined, BigInt(mantissa ?? 1)))],
    clearinghouseState: [USER, (world, { user, at }) => views.clearinghouse(world, user, at)],
    spotClearinghouseState: [USER, (world, { user, at }) => views.spotState(world, user, at)],
    openOrders: [USER, (world, { user, at }) => views.openOrders(world, user, at).map(({ order, left }) => views.orderJson(world, order, left))],
    frontendOpenOrders: [USER, (world, { user, at }) => amongOthers(world, user,
        views.openOrders(world, user, at).map(({ order, left }) => views.frontendJson(world, order, left)), restsElsewhere)],
    orderStatus: [{ ...USER, ...OID }, statusOf],
    userFills: [USER, (world, question) => fillsJson(world, fillsIn(world, question).reverse())],
    userFillsByTime: [{ ...USER, startTime: Number.isSafeInteger }, fillsByTime],
    fundingHistory: [COIN, (world, question) => rowsOf(world, 'rates', ({ coin }) => coin === question.coin, question).slice(0, ROWS_MAX)
        .map(({ coin, rate: each, premium, time }) => ({ coin, fundingRate: textOf(each, RATE_PLACES), premium: textOf(premium, RATE_PLACES), time }))],
    userFunding: [USER, (world, question) => amongOthers(world, question.user,
        rowsOf(world, 'payments', isOf(question.user), question).slice(0, ROWS_MAX).map((row) => views.paymentJson(world, row)), paidElsewhere(question.startTime ?? 0))],
    candleSnapshot: [{ req: (value) => typeof value?.coin === 'string' }, candlesOf],
    activeAssetData: [{ ...USER, ...COIN }, (world, { user, coin }) => views.activeAsset(world, user, world.byName.get(coin))],
    userRateLimit: [USER, rateLimitOf],
    userRole: [USER, roleOf],
    userAbstraction: [USER, (world, { user }) => accountOf(world, user)?.mode ?? 'default'],
    userFees: [USER, () => ({ userCrossRate: rate(TAKER_RATE), userAddRate: rate(MAKER_RATE), userSpotCrossRate: '0.0007', userSpotAddRate: '0.0004', activeReferralDiscount: '0.0' })],
    extraAgents: [USER, (world, { user }) => agentsOf(world, user).filter(({ name }) => name !== '').map(({ id: address, name, validUntil }) => ({ address, name, validUntil }))],
    userNonFundingLedgerUpdates: [USER, (world, question) => rowsOf(world, 'ledger', isOf(question.user), question).slice(0, ROWS_MAX)
        .map(({ time, hash, delta }) => ({ time, hash, delta }))],
    preTransferCheck: [USER, (world, { user }) => {
        const account = accountOf(world, user);
        return { fee: account === undefined ? textOf(ACTIVATION) : '0.0', isSanctioned: false, userExists: account !== undefined, userHasSentTx: account !== undefined && account.sent > 0 };
    }],
    legalCheck: [USER, () => ({ ipAllowed: true, acceptedTerms: true, userAllowed: true })],
    usdcRouting: [{}, ({ routing }) => routing],
    maxBuilderFee: [{ ...USER, builder: isAddressOf }, (world, { user, builder }) => builderFeeOf(accountOf(world, user), builder)],
    subAccounts: [USER, () => null],
    perpDexs: [{}, () => [null]],
};

// ---------------------------------------------------------------- lies

/** A universe in another order, or without an asset. */
function listing({ wrong }, meta, contexts) {
    const gone = wrong('delisted')?.value;
    if (gone !== undefined) return { meta: { ...meta, universe: meta.universe.map((row) => (row.name === gone ? { ...row, isDelisted: true } : row)) }, contexts };
    if (wrong('reordered_universe') === undefined) return { meta, contexts };
    return { meta: { ...meta, universe: [...meta.universe].reverse() }, contexts: [...contexts].reverse() };
}

/** A book without bids, without asks, or without both. */
function oneSided({ wrong }, book) {
    const side = wrong('one_sided_book')?.value;
    if (side === undefined) return book;
    return { ...book, levels: book.levels.map((rows, i) => (side === 'none' || (i === 0) === (side === 'asks') ? [] : rows)) };
}

/** The time of which an answer is, as long as that is not now: { at } or so many milliseconds ago. */
function lagOf({ wrong }) {
    const lag = wrong('lagging_reads');
    return lag === undefined ? undefined : lag.value?.at ?? Date.now() - (lag.value ?? LAG_MS);
}

// ---------------------------------------------------------------- answers

function questionIn(world, body) {
    const question = JSON.parse(body);
    if (!Object.hasOwn(QUESTIONS, question?.type)) throw new BadQuestion();
    const [members, answer] = QUESTIONS[question.type];
    if (!Object.entries(members).every(([name, test]) => test(question[name], world))) throw new BadQuestion();
    return { question: { ...question, ...(question.user && { user: question.user.toLowerCase() }) }, answer };
}

export function answerInfo(world, call) {
    if (!world.limits.hasRoom()) return TOO_MUCH;
    try {
        const { question, answer } = questionIn(world, call.body);
        const other = question.user && world.wrong('other_address');
        const at = lagOf(world);
        const json = answer(world, { ...question, ...(other && { user: other.value.toLowerCase() }), at });
        world.limits.use(infoWeight(question.type, json));
        return { json };
    } catch (error) {
        if (error instanceof BadQuestion || error instanceof SyntaxError) return NOT_OF_THE_FORM;
        throw error;
    }
}
