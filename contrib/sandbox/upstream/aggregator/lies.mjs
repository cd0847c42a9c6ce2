// What an aggregator can be told to do wrong, by the name of the fault. A test sets one with the door; the next
// transactions have it, quotes do not.

import { Interface, ZeroAddress, concat } from 'ethers';
import { SETTLERS, withWord } from './calls.mjs';

/** An account that the gateway does not know. */
export const STRANGER = '0x5151515151515151515151515151515151515151';
const IN_BLOCK = 2; // PoolExecutor: only where the gas has a price
const HALF = 5000n;
const WHOLE = 10000n;
const PERMIT = `0x${'ab'.repeat(224)}`;
const YEAR_S = 31_536_000;
const TAKE = new Interface(['function transferFrom(address from, address to, uint256 value)']);

const now = () => Math.floor(Date.now() / 1000);
const untruth = (order, lie) => { order.trade = { ...order.trade, lie }; };

/** Changes of an order before it is written: (order, value), where `value` is what the test gave, or undefined. */
export const OF_ORDERS = {
    recipient: (order, to = STRANGER) => { order.recipient = to; },
    zero_recipient: (order) => { order.payee ??= order.sender; order.recipient = ZeroAddress; },
    minimum: (order, minimum) => { order.minimum = minimum === undefined ? order.minimum - 1n : BigInt(minimum); },
    minimum_zero: (order) => { order.minimum = 0n; },
    amount: (order, more = 1) => { order.amount += BigInt(more); },
    amount_zero: (order) => { order.amountPulled = order.amount; order.amount = 0n; },
    leaves_allowance: (order) => { order.amountPulled = order.amount - 1n; },
    partial: (order) => { order.flags = (order.flags ?? 0n) | 1n; order.amountPulled = order.amount / 2n; },
    flags: (order, flags = 1 << 12) => { order.flags = (order.flags ?? 0n) | BigInt(flags); },
    fee: (order, bps = 100) => { order.fee = bps; order.partner = STRANGER; },
    permit: (order) => { order.permit = PERMIT; },
    settler: (order, which = 'forged') => { order.settler = SETTLERS[which] ?? which; },
    // By the executor: what the calldata says stays as it should be.
    pays_less_in_block: (order, share = HALF) => untruth(order, { when: IN_BLOCK, share: order.trade.share * BigInt(share) / WHOLE }),
    pays_stranger: (order) => untruth(order, { recipient: STRANGER }),
    gives_back: (order, share = HALF) => untruth(order, { back: BigInt(share), recipient: order.sender }),
    takes_other: (order, token) => untruth(order, { target: token, call: TAKE.encodeFunctionData('transferFrom', [order.sender, STRANGER, 1]) }),
    reenters: (order, call = '0x') => untruth(order, { target: order.router, call }),
};

/** Changes of the calldata: (data, value, layout), where `layout` says where the service's own calldata has what. */
export const OF_BYTES = {
    selector: (data, selector, { selectors }) => concat([selector ?? selectors[0], `0x${data.slice(10)}`]),
    trailing: (data, bytes = `0x${'ee'.repeat(32)}`) => concat([data, bytes]),
    offset_outside: (data, word, { offsets }) => withWord(data, word ?? offsets[0], () => 1n << 32n),
    offset_into_head: (data, word, { offsets }) => withWord(data, word ?? offsets[0], () => 0n),
    offset_odd: (data, word, { offsets }) => withWord(data, word ?? offsets[0], (offset) => offset + 1n),
    overlapping: (data, _, { offsets: [first, second] }) => withWord(data, second, () => BigInt(`0x${data.slice(10 + 64 * first, 74 + 64 * first)}`)),
    dirty_address: (data, word, { address }) => withWord(data, word ?? address, (found) => found | (1n << 255n)),
};

/** Changes of what stands around the calldata: { to, spender, value, chainId, from, gas, deadline, out }. */
export const OF_ENVELOPES = {
    value: (tx, more = 1) => { tx.value += BigInt(more); },
    target: (tx, to = STRANGER) => { tx.to = to; },
    spender: (tx, spender = STRANGER) => { tx.spender = spender; },
    from: (tx, from = STRANGER) => { tx.from = from; },
    chain_id: (tx, id = 56) => { tx.chainId = id; },
    gas: (tx, gas = 1_000_000_000) => { tx.gas = gas; },
    call: (tx, data) => { tx.data = data; },
};

/** The deadline that a lie wants in place of the right one; for services whose calldata has one. */
export const DEADLINES = { deadline_past: () => now() - 60, deadline_far: () => now() + YEAR_S };
