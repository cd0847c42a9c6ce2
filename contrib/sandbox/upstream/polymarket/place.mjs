// POST /order: all that an order has to be, and what becomes of it.
//
// True to the venue as of 2026-09: the amounts of FOK and FAK purchases have at most 2 and 4 decimals, a purchase that is
// matched at once is of a dollar at least (Polymarket/py-clob-client-v2 #99, rs-clob-client-v2 #59), and GTD ends 3 minutes
// ahead at the earliest.

import { KINDS } from '../../polymarket.mjs';
import { ONE, costOf, textOf, unitsOf } from './amounts.mjs';
import { holdingOf } from './holdings.mjs';
import { openToken } from './market-info.mjs';
import { assetOf, carryOut, feeOf, held, meetings } from './matching.mjs';
import { orderIn, termsOf } from './order-form.mjs';
import {
    expireOrders, isWhole, marketOf, mayRest, nextSequence, orderOf, outlay, setStatus, spends,
} from './orders.mjs';
import { Refusal } from '../refusal.mjs';
import { settle } from './settlement.mjs';
import { EOA, POLY_1271, orderHash, orderSigner } from './signatures.mjs';

const GTD_LEAST_S = 180;
const CENT = ONE / 100n;
const FOUR_PLACES = 100n;
const LEAST_AT_ONCE = ONE;
const PLACES = 'invalid amounts, the market buy orders maker amount supports a max accuracy of 2 decimals, taker amount a max of 4 decimals';
const DELAY_MS = 2000;
const NOT_ALLOWED = 'maker address not allowed, please use the deposit wallet flow';
const CANCEL_ONLY = 'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.';

export async function postOrder(world, call, credentials) {
    if (world.wrong('cancel_only') !== undefined) throw new Refusal(503, CANCEL_ONLY);
    const form = orderIn(call.body);
    const { market, outcome } = openToken(world, form.order.tokenId);
    await checkMaker(world, call, credentials, market, form);
    // From here on nothing waits: no other request comes between the look at the book and its change.
    expireOrders(world);
    const order = newOrder(world, credentials, market, outcome, form);
    const met = meetings(market, order);
    checkLeast(order, met);
    checkType(order, form, met);
    checkFunds(world, market, order, met);
    return accept(world, order, met);
}

// ---------------------------------------------------------------- whose order it is

async function checkMaker(world, call, credentials, market, { owner, order, signature }) {
    if (owner !== credentials.id) throw new Refusal(400, 'the order owner has to be the owner of the API KEY');
    const { maker, signer, signatureType } = order;
    const key = signatureType === POLY_1271 ? await walletOwner(world, signer) : signer;
    if (key === undefined) throw new Refusal(400, 'invalid signature', 'the signer is no deposit wallet');
    if (key !== credentials.address) throw new Refusal(400, 'the order signer address has to be the address of the API KEY');
    if (orderSigner(market.kind, order, signature) !== key) throw wrongSignature(market, order, signature, key);
    call.seen.verified.push('order');
    if (isOutdated(world, orderHash(market.kind, order))) throw new Refusal(400, 'order_version_mismatch');
    const isOwn = signatureType === EOA || signatureType === POLY_1271;
    if (isOwn && maker !== signer) throw new Refusal(400, 'Invalid order payload', 'maker and signer differ');
    const isRefused = signatureType !== POLY_1271 && world.wrong('eoa_refused') !== undefined;
    if (!isOwn || isRefused) throw new Refusal(400, NOT_ALLOWED);
    if (order.side === 0 && world.wrong('closed_only') !== undefined) throw new Refusal(400, `'${maker}' address in closed only mode`);
}

/** Whose deposit wallet stands at an address; undefined if none does. Where one stands it stays. */
async function walletOwner(world, address) {
    if (!world.owners.has(address)) {
        const owner = await walletOwnerNow(world, address);
        if (owner === undefined) return undefined;
        world.owners.set(address, owner);
    }
    return world.owners.get(address);
}

async function walletOwnerNow({ polygon }, address) {
    if (!await polygon.isContract(address)) return undefined;
    const owner = await polygon.wallet(address).owner().catch(() => undefined);
    if (owner === undefined) return undefined;
    const own = await Promise.all([polygon.factory.walletOf(owner), polygon.factory.uupsWalletOf(owner)]);
    return own.includes(address) ? owner : undefined;
}

/** An order that is refused as one of another version stays one, whenever it comes again. */
function isOutdated({ outdated, wrong }, id) {
    if (!outdated.has(id) && wrong('order_version_mismatch') !== undefined) outdated.add(id);
    return outdated.has(id);
}

/** It may be a good one, but for exchanges of another version. */
function wrongSignature(market, order, signature, key) {
    const kind = Object.keys(KINDS).find((each) => orderSigner(each, order, signature) === key);
    if (kind === undefined) return new Refusal(400, 'invalid signature', 'the signature is of another key or of another order');
    if (KINDS[kind].version !== KINDS[market.kind].version) return new Refusal(400, 'order_version_mismatch', `signed for ${kind}`);
    return new Refusal(400, 'invalid signature', `signed for ${kind}`);
}

// ---------------------------------------------------------------- what the order is

function newOrder(world, credentials, market, outcome, form) {
    const id = orderHash(market.kind, form.order);
    const invalid = (reason) => new Refusal(400, `order ${id} is invalid. ${reason}`);
    if (orderOf(world, id) !== undefined) throw invalid('Duplicated.');
    if (market.status !== 'open') throw new Refusal(400, 'the market is not yet ready to process new orders');
    const { price, size, isWhole: isRound } = termsOf(form, market);
    const { makerAmount, takerAmount } = form.order;
    const tick = unitsOf(market.tick);
    if (price === undefined || price < tick || price > ONE - tick) {
        throw invalid(`Price (${price === undefined ? `${makerAmount}/${takerAmount}` : textOf(price)}) breaks minimum tick size rule: ${market.tick}`);
    }
    if (size < unitsOf(market.minSize)) throw invalid(`Size (${textOf(size)}) lower than the minimum: ${market.minSize}`);
    if (!isRound) throw new Refusal(400, 'Invalid order payload', 'the size has more than 2 decimals');
    if (spends(form) && (BigInt(makerAmount) % CENT !== 0n || BigInt(takerAmount) % FOUR_PLACES !== 0n)) throw new Refusal(400, PLACES);
    checkExpiration(form);
    return {
        id, sequence: nextSequence(world), owner: credentials.id, market: market.id, outcome, side: form.side, price, size, matched: 0n,
        status: undefined, type: form.type, expiration: form.expiration, created: Date.now(), order: form.order, signature: form.signature, trades: [],
    };
}

function checkExpiration({ type, expiration }) {
    const isGood = type === 'GTD' ? expiration >= Date.now() / 1000 + GTD_LEAST_S : expiration === 0;
    if (!isGood) throw new Refusal(400, 'invalid expiration');
}

/** What its type demands of the book. */
function checkType(order, { postOnly }, met) {
    const { type } = order;
    if (postOnly && !mayRest({ type })) throw new Refusal(400, `invalid post-only order: ${type} orders cannot be post-only`);
    if (postOnly && met.length > 0) throw new Refusal(400, 'invalid post-only order: order crosses book');
    const found = met.reduce((sum, meeting) => sum + meeting.size, 0n);
    if (type === 'FOK' && !wouldBeWhole(order, met)) throw new Refusal(400, "order couldn't be fully filled. FOK orders are fully filled or killed.");
    if (type === 'FAK' && found === 0n) {
        throw new Refusal(400, 'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.');
    }
}

/** Whether the meetings would leave nothing of it. */
function wouldBeWhole(order, met) {
    const [size, paid] = met.reduce(([shares, cost], each) => [shares + each.size, cost + costOf(each.size, each.price)], [0n, 0n]);
    return isWhole({ ...order, matched: order.matched + size, paid });
}

function checkLeast({ type, side, order: { makerAmount } }, met) {
    const isAtOnce = side === 'BUY' && (met.length > 0 || !mayRest({ type }));
    if (!isAtOnce || BigInt(makerAmount) >= LEAST_AT_ONCE) return;
    throw new Refusal(400, `invalid amount for a marketable BUY order ($${textOf(BigInt(makerAmount))}), min size: $1`);
}

/** Dollars or shares that it gives, and a buyer's fee, in addition to what else is held of them. */
function checkFunds(world, market, order, met) {
    const { maker } = order.order;
    const { exchange } = KINDS[market.kind];
    const asset = assetOf(order);
    const fee = order.side === 'BUY' ? met.reduce((sum, meeting) => sum + feeOf(market, meeting), 0n) : 0n;
    const needed = outlay(order) + fee;
    const { balance, allowances } = holdingOf(world, maker, asset);
    const refuse = (what, amount) => {
        throw new Refusal(400, `not enough balance / allowance: the ${what} is not enough -> ${what}: ${amount}, order amount: ${needed}`);
    };
    if (needed + held(world, maker, asset) > balance) refuse('balance', balance);
    const allowed = allowances[exchange] ?? 0n;
    if (needed + held(world, maker, asset, market.kind) > allowed) refuse('allowance', allowed);
}

// ---------------------------------------------------------------- what becomes of it

function accept(world, order, met) {
    const delay = world.wrong('delayed_match');
    if (delay !== undefined) return acceptLater(world, order, delay.value ?? DELAY_MS);
    const trades = carryOut(world, order, met);
    for (const trade of trades) settle(world, trade);
    return answerOf(order, trades.length > 0 ? 'matched' : 'live', trades);
}

function acceptLater(world, order, delay) {
    setStatus(world, order, 'DELAYED');
    world.store.keep({ orders: [order] });
    setTimeout(matchDelayed, delay, world, order);
    return answerOf(order, 'delayed', []);
}

/** Unless it was canceled meanwhile. */
export function matchDelayed(world, order) {
    if (order.status !== 'DELAYED') return;
    const met = meetings(marketOf(world, order), order);
    const isKilled = order.type === 'FOK' && !wouldBeWhole(order, met);
    const trades = carryOut(world, order, isKilled ? [] : met);
    for (const trade of trades) settle(world, trade);
}

/** Hashes of transactions come later, with the trades. */
function answerOf({ id, side, matched }, status, trades) {
    const cost = trades.reduce((sum, { size, price }) => sum + (size * price) / ONE, 0n);
    const [making, taking] = side === 'BUY' ? [cost, matched] : [matched, cost];
    const amounts = trades.length === 0 ? ['', ''] : [textOf(making), textOf(taking)];
    return {
        json: {
            success: true, errorMsg: '', orderID: id, status, makingAmount: amounts[0], takingAmount: amounts[1],
            tradeIDs: trades.map((trade) => trade.id), transactionsHashes: [],
        },
    };
}
