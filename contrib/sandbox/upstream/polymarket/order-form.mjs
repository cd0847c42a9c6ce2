// The body of POST /order: its form, and what it asks for.

import { getAddress, isAddress, isHexString } from 'ethers';
import { ONE, unitsOf } from './amounts.mjs';
import { mayRest } from './orders.mjs';
import { Refusal } from '../refusal.mjs';

const CENT = ONE / 100n;

const isNumber = (value) => typeof value === 'string' && /^(0|[1-9]\d{0,77})$/.test(value);
const isAmount = (value) => typeof value === 'string' && /^[1-9]\d{0,30}$/.test(value);
const isWord = (value) => isHexString(value, 32);

const ORDER_FORM = {
    salt: (value) => Number.isSafeInteger(value) && value >= 0, maker: isAddress, signer: isAddress, tokenId: isNumber,
    makerAmount: isAmount, takerAmount: isAmount, side: (value) => typeof value === 'string',
    signatureType: (value) => [0, 1, 2, 3].includes(value), timestamp: isNumber, expiration: isNumber, metadata: isWord,
    builder: isWord, signature: (value) => isHexString(value),
};
const FORM = {
    owner: (value) => typeof value === 'string', orderType: (value) => ['GTC', 'GTD', 'FOK', 'FAK'].includes(value),
    deferExec: (value) => typeof value === 'boolean', postOnly: (value) => typeof value === 'boolean',
};
/** Members of the orders that were signed before. */
const RETIRED = ['taker', 'nonce', 'feeRateBps'];

/** { owner, type, postOnly, expiration, side, order as it was signed, signature } of a body, or a refusal. */
export function orderIn(body) {
    let wanted;
    try {
        wanted = JSON.parse(body);
    } catch {
        throw new Refusal(400, 'Invalid order payload', 'not JSON');
    }
    const { order } = wanted ?? {};
    if (RETIRED.some((name) => Object.hasOwn(order ?? {}, name))) throw new Refusal(400, 'order_version_mismatch', 'an order of version 1');
    const wrong = wrongMember(FORM, wanted) ?? wrongMember(ORDER_FORM, order);
    if (wrong === 'tokenId') throw new Refusal(400, 'Invalid token id');
    if (wrong !== undefined) throw new Refusal(400, 'Invalid order payload', `${wrong} is wrong`);
    if (order.side !== 'BUY' && order.side !== 'SELL') throw new Refusal(400, 'Invalid side');
    const { signature, expiration, side, ...signed } = order;
    const [maker, signer] = [order.maker, order.signer].map(getAddress);
    return {
        owner: wanted.owner, type: wanted.orderType, postOnly: wanted.postOnly, expiration: Number(expiration), side,
        order: { ...signed, maker, signer, salt: String(order.salt), side: side === 'BUY' ? 0 : 1 }, signature: signature.toLowerCase(),
    };
}

const wrongMember = (form, object) => Object.keys(form).find((name) => !form[name](object?.[name]));

/**
 * { price, size } that follow from the amounts of a signed order. Those of an order that must be matched at once may be
 * rounded: its price is the nearest multiple of the tick. Without a price: it is not a multiple of the tick.
 */
export function termsOf({ side, type, order }, { tick }) {
    const [given, wanted] = [BigInt(order.makerAmount), BigInt(order.takerAmount)];
    const [dollars, size] = side === 'BUY' ? [given, wanted] : [wanted, given];
    const step = unitsOf(tick);
    const ticks = (2n * dollars * ONE + size * step) / (2n * size * step);
    const mayBeRounded = !mayRest({ type });
    const isExact = ticks * step * size === dollars * ONE;
    return { price: isExact || mayBeRounded ? ticks * step : undefined, size, isWhole: mayBeRounded || size % CENT === 0n };
}
