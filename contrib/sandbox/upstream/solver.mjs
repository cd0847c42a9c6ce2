// The solver of bridges: sees what is deposited with LI.FI's diamond, Relay's depository and Across' pools, looks at it as a solver
// would, and pays on the far chain after a while, or back on the same one. It has one account on all chains
// (aggregators.mjs) and knows, for the services that tell of it, what became of each deposit. Told by the door, for the
// next deposits:
//
//   delay                 { value: ms } between the deposit and the payment
//   refund                gives the deposit back
//   expires               likewise, but not before the deadline for its payment
//   never                 keeps it
//   pays_short            { value: bps } less than what was promised
//   pays_other_token      { value: address }, one to one
//   foreign_transaction   { value: hash }: pays nothing and names that transaction
//   goes_back             says that it is under way once more, after it had said that it is done

import { setTimeout as sleep } from 'node:timers/promises';
import { Interface, JsonRpcProvider, Network, ZeroAddress, dataSlice, getAddress, hexlify, randomBytes } from 'ethers';
import { ROUTERS, SOLVER } from '../aggregators.mjs';
import { rpc } from '../chain.mjs';
import { CHAINS } from '../world.mjs';
import { lessBps } from './aggregator/service.mjs';
import { Sender } from './sender.mjs';

const FAULTS = ['delay', 'refund', 'expires', 'never', 'pays_short', 'pays_other_token', 'foreign_transaction', 'goes_back'];
const LOOK_MS = 500;
const DELAY_MS = 1500;
const AGAIN_MS = 3000;
const SHORT_BPS = 500;
const GENEROUS = 101n; // of a hundred: what it takes for no loss
const BRIDGE = '(bytes32 transactionId, string bridge, string integrator, address referrer, address sendingAssetId, address receiver, '
    + 'uint256 minAmount, uint256 destinationChainId, bool hasSourceSwaps, bool hasDestinationCall)';
const ACROSS = '(bytes32 receiverAddress, bytes32 refundAddress, bytes32 sendingAssetId, bytes32 receivingAssetId, uint256 outputAmount, '
    + 'uint128 outputAmountMultiplier, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message)';
const EVENTS = new Interface([
    `event LiFiTransferStarted(${BRIDGE} bridge)`,
    `event AcrossDeposited(bytes32 indexed transactionId, uint256 amount, uint256 outputAmount, ${ACROSS} data)`,
    'event CctpBurned(bytes32 indexed transactionId, address indexed sender, uint256 amount, (uint256 maxFee, uint32 minFinalityThreshold) data)',
    'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
    'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
    'event FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, '
        + 'uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, '
        + 'bytes32 exclusiveRelayer, bytes message)',
]);
const TOKEN = new Interface(['function transfer(address, uint256)']);
const DEPOSITORY = new Interface(['function pay(address token, address to, uint256 amount)']);
const END_STATES = ['done', 'refunded', 'kept'];

const addressOf = (word) => getAddress(dataSlice(word, 12));
const seconds = () => Math.floor(Date.now() / 1000);

export class Solver {
    #chains;
    #store;
    #wrong;
    #senders = {};

    constructor({ chains, store, wrong }) {
        Object.assign(this, { faults: FAULTS });
        this.#chains = chains;
        this.#store = store;
        this.#wrong = wrong;
    }

    /** Goes on where the last process ended, and looks at the chains from then on. */
    start() {
        for (const chain of this.#chains) {
            const provider = new JsonRpcProvider(chain.url, new Network(chain.name, chain.id), { staticNetwork: true, batchMaxCount: 1, cacheTimeout: -1 });
            this.#senders[chain.name] = new Sender(provider, SOLVER.key, this.#store, `transactions_${chain.name}`);
        }
        this.#run().catch((error) => console.error(error));
    }

    /** The solver speaks no HTTP of its own. */
    answer() {
        return { status: 404, json: { error: 'not found' } };
    }

    /**
     * An order of Relay's that may be deposited for: { id, depositor, from: { chain, token, amount }, to: { chain, token, amount,
     * recipient }, refundTo, deadline, request }, chains by name, `deadline` in seconds, `request` by which it is asked about.
     */
    expect(order) {
        this.#store.keep({ orders: [order], requests: [{ id: order.request, order: order.id }] });
    }

    /** The order of a request; undefined for none. */
    ordered(request) {
        return this.#store.rows('orders').get(this.#store.rows('requests').get(request)?.order);
    }

    /** What became of a deposit, by the transaction on the source chain or by Relay's id of the order; undefined for none. */
    found({ transaction, order }) {
        const fill = [...this.#store.rows('fills').values()].find((each) => (order === undefined ? each.source === transaction : each.order === order));
        return fill && this.#told(fill);
    }

    /** A fill as the services tell it: `state` is pending, done or refunded; `transaction` what was paid in, on `chain`. */
    #told(fill) {
        const state = ['done', 'refunded'].includes(fill.state) ? fill.state : 'pending';
        const shown = fill.goesBack && fill.shown ? 'pending' : state;
        if (fill.goesBack && state === 'done' && !fill.shown) this.#keep(fill, { shown: true });
        const { from, to, source, payment, order, act, deadline } = fill;
        return { state: shown, from, to, source, order, deadline, chain: act === 'refund' ? from.chain : to.chain, payment, transaction: state === 'pending' ? undefined : fill.transaction };
    }

    // ---------------------------------------------------------------- looking

    async #run() {
        for (const sender of Object.values(this.#senders)) await sender.resume();
        for (const fill of this.#store.rows('fills').values()) if (!END_STATES.includes(fill.state)) this.#serve(fill);
        for (const chain of this.#chains) this.#watch(chain).catch((error) => console.error(error));
    }

    async #watch(chain) {
        const address = ['lifi', 'relay', 'across'].map((key) => ROUTERS[key][chain.name]).filter((router) => router !== undefined);
        if (address.length === 0) return;
        let block = this.#store.rows('blocks').get(chain.name)?.block ?? 0;
        for (;; await sleep(LOOK_MS)) {
            const newest = Number(await rpc(chain.url, 'eth_blockNumber').catch(() => block));
            if (newest < block) block = 0; // another chain stands there now
            if (newest === block) continue;
            const range = { fromBlock: `0x${(block + 1).toString(16)}`, toBlock: `0x${newest.toString(16)}` };
            const logs = await rpc(chain.url, 'eth_getLogs', [{ ...range, address }]).catch(() => undefined);
            if (logs === undefined) continue;
            for (const fill of depositsOf(chain, logs)) await this.#take(fill);
            if (logs.length > 0) this.#store.keep({ blocks: [{ id: chain.name, block: newest }] });
            block = newest;
        }
    }

    /** Decides what is to become of a deposit, once. */
    async #take(deposit) {
        if (this.#store.rows('fills').has(deposit.id)) return;
        const order = deposit.to === undefined ? this.#store.rows('orders').get(deposit.order) : deposit;
        const fill = { ...deposit, to: order?.to, refundTo: order?.refundTo ?? deposit.refundTo, deadline: order?.deadline ?? seconds(), state: 'waiting' };
        const wrong = Object.fromEntries(FAULTS.map((name) => [name, this.#wrong(name, fill.refundTo)]));
        const due = Date.now() + Number(wrong.delay?.value ?? DELAY_MS);
        const serves = fill.to !== undefined && await this.#pays(deposit, order).catch(() => false);
        Object.assign(fill, { due, act: 'pay', goesBack: wrong.goes_back !== undefined, payment: fill.to && { token: fill.to.token, amount: fill.to.amount } });
        if (!serves || wrong.expires) Object.assign(fill, { act: 'refund', due: Math.max(due, fill.deadline * 1000) });
        if (wrong.refund) Object.assign(fill, { act: 'refund' });
        if (wrong.never) Object.assign(fill, { act: 'keep' });
        if (wrong.foreign_transaction) Object.assign(fill, { act: 'name', transaction: wrong.foreign_transaction.value ?? hexlify(randomBytes(32)) });
        if (wrong.pays_short) fill.payment.amount = lessBps(fill.to.amount, wrong.pays_short.value ?? SHORT_BPS);
        if (wrong.pays_other_token) fill.payment.token = wrong.pays_other_token.value ?? this.#otherDollar(fill.to);
        if (fill.act === 'refund') fill.payment = { token: fill.from.token, amount: fill.from.amount };
        this.#keep(fill, {});
        this.#serve(fill);
    }

    /** Whether a deposit is what was ordered, and is worth what it asks for. */
    async #pays({ from, message = '0x' }, order) {
        const far = this.#chain(order.to.chain);
        if (far === undefined || message !== '0x' || order.deadline < seconds()) return false;
        if (from.token !== order.from.token || from.chain !== order.from.chain || from.amount < order.from.amount) return false;
        const [given, wanted] = await Promise.all([this.#dollars(from), this.#dollars(order.to)]);
        return wanted * 100n <= given * GENEROUS;
    }

    /** What an amount is worth on its chain, in millionths of a dollar. */
    async #dollars({ chain: name, token, amount }) {
        const { tokens, dollars, pools } = this.#chain(name);
        const dollar = dollars.map((symbol) => tokens[symbol]).find(({ address }) => address === token);
        if (dollar !== undefined) return amount * 10n ** 6n / 10n ** BigInt(dollar.decimals);
        return (await pools.best(token, tokens.USDC.address, amount)).out;
    }

    #otherDollar({ chain, token }) {
        const { tokens, dollars } = this.#chain(chain);
        return tokens[dollars.find((symbol) => tokens[symbol].address !== token)].address;
    }

    #chain(wanted) {
        return this.#chains.find(({ name }) => name === wanted);
    }

    // ---------------------------------------------------------------- paying

    async #serve(fill) {
        await sleep(Math.max(0, fill.due - Date.now()));
        if (fill.act === 'keep') return this.#keep(fill, { state: 'kept' });
        if (fill.act === 'name') return this.#keep(fill, { state: 'done' });
        for (;;) {
            try {
                return await this.#pay(fill);
            } catch (error) {
                console.error(`a bridge's payment: ${error.shortMessage ?? error.message}`);
                await sleep(AGAIN_MS);
            }
        }
    }

    async #pay(fill) {
        const back = fill.act === 'refund';
        const sender = this.#senders[back ? fill.from.chain : fill.to.chain];
        const { to, data, value } = back ? this.#refund(fill) : this.#payment(fill.to, fill.payment);
        const transaction = await sender.send(fill.id, to, data, value);
        this.#keep(fill, { state: 'paying', transaction });
        await sender.receipt(transaction);
        this.#keep(fill, { state: back ? 'refunded' : 'done' });
        return sender.finalReceipt(transaction);
    }

    /** A wrapped coin is paid out as the coin. */
    #payment({ chain, recipient }, { token, amount }) {
        const coin = token === ZeroAddress || token === this.#chain(chain).pools.wrapped;
        return coin ? { to: recipient, data: '0x', value: amount } : { to: token, data: TOKEN.encodeFunctionData('transfer', [recipient, amount]) };
    }

    #refund({ from, refundTo, holder }) {
        if (holder === undefined) return this.#payment({ chain: from.chain, recipient: refundTo }, from);
        return { to: ROUTERS[holder][from.chain], data: DEPOSITORY.encodeFunctionData('pay', [from.token, refundTo, from.amount]) };
    }

    #keep(fill, changes) {
        this.#store.keep({ fills: [Object.assign(fill, changes)] });
    }
}

// ---------------------------------------------------------------- deposits

/** The deposits that logs tell of, as fills begin. */
function depositsOf(chain, logs) {
    const seen = logs.map((log) => ({ log, event: EVENTS.parseLog(log) })).filter(({ event }) => event !== null);
    return seen.flatMap(({ log, event: { name, args } }) => {
        const started = () => seen.find((other) => other.event.name === 'LiFiTransferStarted' && other.event.args.bridge.transactionId === args.transactionId).event.args.bridge;
        const fill = FILLS[name]?.(chain, args, started);
        return fill ? [{ id: `${chain.name} ${log.transactionHash} ${Number(log.logIndex)}`, source: log.transactionHash, ...fill }] : [];
    });
}

const FILLS = {
    AcrossDeposited: (chain, { amount, outputAmount, data }, started) => {
        const { sendingAssetId, destinationChainId } = started();
        return {
            from: { chain: chain.name, token: sendingAssetId, amount },
            to: { chain: nameOf(destinationChainId), token: addressOf(data.receivingAssetId), amount: outputAmount, recipient: addressOf(data.receiverAddress) },
            refundTo: addressOf(data.refundAddress), deadline: Number(data.fillDeadline), message: data.message,
        };
    },
    CctpBurned: (chain, { sender, amount, data }, started) => {
        const { sendingAssetId, destinationChainId, receiver } = started();
        const far = nameOf(destinationChainId);
        return {
            from: { chain: chain.name, token: sendingAssetId, amount },
            to: { chain: far, token: CHAINS[far]?.tokens.USDC.address, amount: amount - data.maxFee, recipient: receiver },
            refundTo: sender, deadline: seconds() + 3600,
        };
    },
    RelayNativeDeposit: (chain, { from, amount, id }) => ({ from: { chain: chain.name, token: ZeroAddress, amount }, order: id, refundTo: from, holder: 'relay' }),
    RelayErc20Deposit: (chain, { from, token, amount, id }) => ({ from: { chain: chain.name, token, amount }, order: id, refundTo: from, holder: 'relay' }),
    FundsDeposited: (chain, { inputToken, outputToken, inputAmount, outputAmount, destinationChainId, fillDeadline, depositor, recipient, message }) => ({
        from: { chain: chain.name, token: addressOf(inputToken), amount: inputAmount },
        to: { chain: nameOf(destinationChainId), token: addressOf(outputToken), amount: outputAmount, recipient: addressOf(recipient) },
        refundTo: addressOf(depositor), deadline: Number(fillDeadline), message, holder: 'across',
    }),
};

const nameOf = (id) => Object.keys(CHAINS).find((name) => CHAINS[name].id === Number(id));
