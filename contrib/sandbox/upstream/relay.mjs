// Relay between two chains, Solana among them: a deposit that commits to an order, which the solver (solver.mjs) fills on the
// far chain. An order has addresses as their chains write them, in Base58 on Solana; its id is made of their bytes.
//
// True to what docs.relay.link says in November 2026, and to quotes recorded on 2026-09-25: an answer has the order only where
// `includeProtocolData` asks for it; /quote/v3 wants a key and answers flatter, /quote/v2 says in headers that it ends. The
// exact members of v3's steps are a reading of its guide, not recorded.

import { TypedDataEncoder, ZeroAddress, id, isAddress } from 'ethers';
import { TABLE, depositOf } from '../solana/depository.mjs';
import { SYSTEM, payCoin } from '../solana/transaction.mjs';
import { MINTS } from '../solana/world.mjs';
import { ABI } from './aggregator/calls.mjs';
import {
    Refused, amountOf, assetOf, bodyOf, bridgedMost, factsOf, lessBps, scaled, tokenOf,
} from './aggregator/service.mjs';
import { addressOn, bytesOf, coinOf, isSolana, noTransaction, strangerOn } from './families.mjs';

const SLIPPAGE = 50;
const SAME_BPS = 30;
const SLIPPAGE_MAX = 10_000;
const ORDER_S = 600;
const ROUTER = '0x0729e2a4716d9f7dd17858d5d504426d228697f7', YOUNGER_ROUTER = '0x6328ea02d28131e58b28e55c6258258a30d90e05'; // of linea and mantle
const SOLANA = { name: 'solana' };
const U64_MAX = 2n ** 64n - 1n, RENT = 890_880n; // lamports below which an account cannot be
const SOLVER_OF_ORDERS = `0x${'51'.repeat(20)}`;
const GAS = 90_000;
const APPROVE = '0x095ea7b3';

const struct = (text) => text.split(',').map((member) => {
    const [type, name] = member.trim().split(' ');
    return { type, name };
});
const ORDER = TypedDataEncoder.from({
    Order: struct('string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees'),
    Fee: struct('string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount'),
    Input: struct('InputPayment payment,InputRefund[] refunds'),
    InputPayment: struct('string chainId,bytes currency,uint256 amount,uint256 weight'),
    InputRefund: struct('string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData'),
    Output: struct('string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData'),
    OutputPayment: struct('bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount'),
});

const refused = (status, errorCode, message) => new Refused(status, { message, errorCode, requestId: id(String(Math.random())) });
const refusal = (status, reason) => (status === 429 ? new Refused(429, { message: reason }) : refused(status, 'UNKNOWN_ERROR', reason));
const word = (value) => BigInt(value).toString(16).padStart(64, '0');
const nameOf = ({ name }) => (name === 'bsc' ? 'bnb' : name);
/** An address as orders have it. */
const raw = (address) => (isAddress(address) ? address.toLowerCase() : address);

function addressNamed(chain, text, name) {
    const address = addressOn(chain, text);
    if (address === undefined) throw refused(400, 'INVALID_ADDRESS', `${name} is no address`);
    return address;
}

function currencyOf(chain, text, errorCode) {
    const listed = [coinOf(chain), ...Object.values(chain.tokens).map(({ address }) => address)];
    const token = isSolana(chain) ? listed.find((address) => address === text) : tokenOf(text, ZeroAddress);
    if (token === undefined) throw refused(400, errorCode, `${text} is no currency`);
    return { chain, token };
}

/** What a question asks for, or a refusal. */
function asked(desk, call) {
    const body = bodyOf(call);
    if (body?.tradeType !== 'EXACT_INPUT') throw refused(400, 'UNKNOWN_ERROR', 'only EXACT_INPUT is played');
    const [origin, destination] = [body.originChainId, body.destinationChainId].map((which) => desk.chain(which));
    if (origin === undefined || destination === undefined) throw refused(400, 'UNSUPPORTED_CHAIN', 'the chain is not played');
    if (origin === destination) throw refused(400, 'UNSUPPORTED_ROUTE', 'only trades between two chains are played');
    const amount = amountOf(body.amount);
    const slippage = Number(body.slippageTolerance ?? SLIPPAGE);
    if (amount === undefined) throw refused(400, 'AMOUNT_TOO_LOW', 'the amount is too low');
    if (!Number.isInteger(slippage) || slippage < 0 || slippage > SLIPPAGE_MAX) throw refused(400, 'INVALID_SLIPPAGE_TOLERANCE', 'invalid slippage');
    if (isSolana(origin) && amount > U64_MAX) throw refused(400, 'INSUFFICIENT_LIQUIDITY', 'the amount is too high');
    const user = addressNamed(origin, body.user, 'user');
    if (body.recipient === undefined && isSolana(origin) !== isSolana(destination)) throw refused(400, 'USER_RECIPIENT_MISMATCH', 'a recipient is needed');
    return {
        user, amount, slippage, wantsOrder: body.includeProtocolData === true,
        recipient: addressNamed(destination, body.recipient ?? user, 'recipient'),
        refundTo: addressNamed(origin, body.refundTo ?? user, 'refundTo'),
        from: currencyOf(origin, body.originCurrency, 'INVALID_INPUT_CURRENCY'),
        to: currencyOf(destination, body.destinationCurrency, 'INVALID_OUTPUT_CURRENCY'),
    };
}

/**
 * The same asset, less a fee; of another one what the pools of both chains give, by way of dollars, which have other decimals on
 * other chains; undefined for no route.
 */
async function priced(desk, from, to, amount) {
    if (assetOf(from.chain, from.token) === assetOf(to.chain, to.token)) {
        const [near, far] = [from, to].map(({ chain, token }) => factsOf(chain, token).decimals);
        return scaled(lessBps(amount, SAME_BPS - Number(desk.wrong('bonus')?.value ?? 0)), near, far);
    }
    const dollars = ({ chain }) => chain.tokens.USDC.address;
    const sold = from.token === dollars(from) ? amount : (await desk.offer(from.chain, from.token, dollars(from), amount))?.out;
    if (sold === undefined) return undefined;
    const [near, far] = [from, to].map(({ chain }) => chain.tokens.USDC.decimals);
    const spent = scaled(sold, near, far);
    return to.token === dollars(to) ? lessBps(spent, relay.haircut) : (await desk.offer(to.chain, dollars(to), to.token, spent))?.out;
}

const extraOf = ({ chain }) => (isSolana(chain) ? '0x' : `0x${word(['linea', 'mantle'].includes(chain.name) ? YOUNGER_ROUTER : ROUTER)}`);

/** What an order says otherwise than was asked; the deposit names the order that lies. */
const LIES = {
    order_recipient: (order, { to }) => { order.output.payments[0].recipient = raw(strangerOn(to.chain)); },
    order_other: (order, question) => { LIES.order_recipient(order, question); LIES.order_refund(order, question); },
    order_refund: (order, { from }) => { order.inputs[0].refunds[0].recipient = raw(strangerOn(from.chain)); },
    order_currency: (order, { from }) => { order.inputs[0].refunds[0].currency = raw(strangerOn(from.chain)); },
    order_minimum: (order) => { order.output.payments[0].minimumAmount = '1'; },
    order_token: (order, { to }) => { order.output.payments[0].currency = raw(Object.values(to.chain.tokens).find(({ address }) => address !== to.token).address); },
    order_calls: (order) => { order.output.calls = ['0x1234']; },
    order_chain: (order) => { order.output.chainId = 'optimism'; },
    order_amount: (order) => { order.inputs[0].payment.amount = String(BigInt(order.inputs[0].payment.amount) + 1n); },
    order_late: (order) => { order.output.deadline = Math.floor(Date.now() / 1000) + 30; },
    order_extra: (order, { from }) => { order.output.extraData = `0x${word(bytesOf(strangerOn(from.chain)))}`; },
};

const withStranger = (place) => ([deposit]) => [{ ...deposit, accounts: deposit.accounts.map((each, i) => (i === place ? { ...each, key: strangerOn(SOLANA) } : each)) }];

/** What the instructions of a deposit on Solana do otherwise; the order is honest. */
const DEPOSIT_LIES = {
    deposit_program: ([deposit]) => [{ ...deposit, program: strangerOn(SOLANA) }],
    deposit_depositor: withStranger(2),
    deposit_vault: withStranger(3),
    deposit_token: ([, ...more], question, orderId) => [depositOf(question.user, { token: MINTS.WIF.mint, amount: question.amount }, orderId), ...more],
    deposit_amount: ([, ...more], question, orderId) => [depositOf(question.user, { ...sentOf(question), amount: question.amount + 1n }, orderId), ...more],
    deposit_extra: (list, { user }) => [...list, payCoin(user, strangerOn(SOLANA), 1n)],
};

function orderOf({ user, refundTo, recipient, from, to, amount }, out, minimum, deadline) {
    return {
        version: 'v1', solverChainId: 'base', solver: SOLVER_OF_ORDERS, salt: id(`${user} ${Date.now()} ${Math.random()}`),
        inputs: [{
            payment: { chainId: nameOf(from.chain), currency: raw(from.token), amount: String(amount), weight: '1' },
            refunds: [{ chainId: nameOf(from.chain), recipient: raw(refundTo), currency: raw(from.token), minimumAmount: '0', deadline, extraData: extraOf(from) }],
        }],
        output: {
            chainId: nameOf(to.chain), deadline, calls: [], extraData: extraOf(to),
            payments: [{ recipient: raw(recipient), currency: raw(to.token), minimumAmount: String(minimum), expectedAmount: String(out) }],
        },
        fees: [],
    };
}

/** The id of an order. */
export function hashOf(order) {
    const { inputs, output, fees } = order;
    return ORDER.hashStruct('Order', {
        ...order,
        inputs: inputs.map(({ payment, refunds }) => ({
            payment: { ...payment, currency: bytesOf(payment.currency) },
            refunds: refunds.map((each) => ({ ...each, recipient: bytesOf(each.recipient), currency: bytesOf(each.currency) })),
        })),
        output: { ...output, payments: output.payments.map((each) => ({ ...each, recipient: bytesOf(each.recipient), currency: bytesOf(each.currency) })) },
        fees: fees.map((each) => ({ ...each, recipient: bytesOf(each.recipient), currency: bytesOf(each.currency) })),
    });
}

const side = ({ chain, token }, amount, minimum) => ({
    currency: { chainId: chain.id, address: token }, amount: String(amount), amountUsd: '0', minimumAmount: String(minimum),
});

const stepOf = (name, requestId, data) => ({
    id: name, kind: 'transaction', requestId, items: [{ status: 'incomplete', data, check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' } }],
});

/** What a question sends from Solana. */
function sentOf({ from: { chain, token }, amount }) {
    return { token, amount, program: Object.values(chain.tokens).find(({ address }) => address === token)?.program };
}

/** Instructions, of which the payer makes a transaction. */
function stepsOnSolana(desk, question, orderId, requestId) {
    let list = [depositOf(question.user, sentOf(question), orderId)];
    for (const [name, lie] of Object.entries(DEPOSIT_LIES)) if (desk.wrong(name)) list = lie(list, question, orderId);
    const instructions = list.map(({ program, accounts, data }) => ({
        programId: program, data: data.toString('hex'), keys: accounts.map(({ key, signs, writes }) => ({ pubkey: key, isSigner: signs, isWritable: writes })),
    }));
    return [stepOf('deposit', requestId, { instructions, addressLookupTableAddresses: [TABLE] })];
}

function stepsOf(desk, question, orderId, requestId) {
    const { user, from, amount } = question;
    if (isSolana(from.chain)) return stepsOnSolana(desk, question, orderId, requestId);
    const depository = desk.router(from.chain);
    const step = (name, tx) => stepOf(name, requestId, {
        from: user, value: '0', ...tx, chainId: from.chain.id, maxFeePerGas: '2000000000', maxPriorityFeePerGas: '1000000000',
    });
    if (from.token === ZeroAddress) {
        return [step('deposit', { to: depository, data: ABI.relay.encodeFunctionData('depositNative', [user, orderId]), value: String(amount), gas: String(GAS) })];
    }
    return [
        step('approve', { to: from.token, data: `${APPROVE}${word(depository)}${word(amount)}` }),
        step('deposit', { to: depository, data: ABI.relay.encodeFunctionData('depositErc20', [user, from.token, amount, orderId]), gas: String(GAS) }),
    ];
}

async function quote(desk, call) {
    const question = asked(desk, call);
    const { user, recipient, refundTo, from, to, amount, slippage } = question;
    const out = await priced(desk, from, to, amount);
    if (out === undefined || out === 0n) throw refused(400, 'NO_SWAP_ROUTES_FOUND', 'no routes found');
    if (out > bridgedMost(to.chain, to.token) || (isSolana(to.chain) && out > U64_MAX)) throw refused(400, 'INSUFFICIENT_LIQUIDITY', 'the amount is too high');
    if (to.token === SYSTEM && out < RENT) throw refused(400, 'AMOUNT_TOO_LOW', 'the amount is too low');
    const minimum = lessBps(out, slippage);
    const deadline = Math.floor(Date.now() / 1000) + ORDER_S;
    const orderData = orderOf(question, out, minimum, deadline);
    for (const [name, lie] of Object.entries(LIES)) if (desk.wrong(name)) lie(orderData, question);
    const orderId = hashOf(orderData);
    const requestId = id(orderId);
    desk.solver?.expect({
        id: orderId, request: requestId, depositor: user, from: { chain: from.chain.name, token: from.token, amount }, refundTo, deadline,
        to: { chain: to.chain.name, token: to.token, amount: out, recipient },
    });
    const orderSignature = `0x${'5a'.repeat(65)}`; // of the solver; the gateway does not read it
    const paymentDetails = { chainId: nameOf(from.chain), depository: desk.router(from.chain), currency: from.token, amount: String(amount) };
    return {
        json: {
            steps: stepsOf(desk, question, desk.wrong('order_id') ? id('another order') : orderId, requestId),
            fees: {},
            details: {
                operation: 'swap', sender: user, recipient, currencyIn: side(from, amount, amount), currencyOut: side(to, out, minimum), timeEstimate: 3, rate: '1',
            },
            ...(question.wantsOrder && !desk.wrong('no_protocol')
                ? { protocol: { v2: { orderId: desk.wrong('order_hash') ? id('another order') : orderId, orderData, orderSignature, paymentDetails } } } : {}),
        },
    };
}

/** The second version: works without a key, and says when it ends. */
async function quoteV2(desk, call) {
    return {
        ...await quote(desk, call),
        headers: { Deprecation: '@1795564800', Sunset: 'Tue, 23 Feb 2027 00:00:00 GMT', Link: '</quote/v3>; rel="successor-version"' },
    };
}

/** The third: a step is its only item, and the answer as a whole has the request's id. */
async function quoteV3(desk, call) {
    if (!call.headers['x-api-key']) throw refused(401, 'UNAUTHORIZED_QUOTE', 'Please provide an api key');
    const { json } = await quote(desk, call);
    const steps = json.steps.map(({ items: [item], requestId, ...step }) => ({ ...step, ...item }));
    return { json: { requestId: json.steps[0].requestId, ...json, steps } };
}

const STATUSES = { pending: 'pending', done: 'success', refunded: 'refund' };

async function status(desk, { query }) {
    const order = desk.solver.ordered(query.get('requestId'));
    if (order === undefined) throw refused(404, 'UNKNOWN_ERROR', 'no such request');
    const found = desk.solver.found({ order: order.id });
    const [origin, destination] = [order.from, order.to].map(({ chain }) => desk.chain(chain).id);
    const told = { status: found === undefined ? 'waiting' : STATUSES[found.state], txHashes: found?.transaction === undefined ? [] : [found.transaction] };
    const done = desk.wrong('status_done');
    if (done) Object.assign(told, { status: 'success', txHashes: [done.value ?? noTransaction({ name: order.to.chain })] });
    if (desk.wrong('status_foreign')) Object.assign(told, { status: 'success', txHashes: [desk.solver.foreign({ chain: order.to.chain, source: found?.source })] });
    const refunded = desk.wrong('status_refunded');
    if (refunded) Object.assign(told, { status: 'refund', txHashes: [refunded.value ?? []].flat() });
    if (desk.wrong('status_failed')) Object.assign(told, { status: 'failure', txHashes: [] });
    if (desk.wrong('status_unknown')) Object.assign(told, { status: 'somehow', txHashes: [] });
    return {
        json: {
            ...told, details: '', inTxHashes: found === undefined ? [] : [found.source], originChainId: origin, destinationChainId: destination,
            updatedAt: Date.now(), quoteCreatedAt: Date.now(),
        },
    };
}

export const relay = {
    key: 'relay',
    haircut: 20,
    solana: 792703809,
    refusal,
    routes: [
        ['POST', '/quote/v2', quoteV2],
        ['POST', '/quote/v3', quoteV3],
        ['GET', '/intents/status/v3', status],
    ],
    layout: { selectors: [], offsets: [], address: 0 },
    lies: [],
    faults: [...Object.keys(LIES), ...Object.keys(DEPOSIT_LIES), 'order_hash', 'order_id', 'no_protocol', 'status_done', 'status_foreign', 'status_refunded', 'status_failed', 'status_unknown'],
};
