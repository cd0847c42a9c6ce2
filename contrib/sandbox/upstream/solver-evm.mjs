// The solver's account on an EVM chain: what it sees deposited there, and how it pays. LI.FI's diamond, Relay's depository
// and Across' pools are told apart by their events.

import { Interface, JsonRpcProvider, Network, ZeroAddress, dataSlice, getAddress } from 'ethers';
import { ROUTERS, SOLVER } from '../aggregators.mjs';
import { base58 } from '../solana/transaction.mjs';
import { CHAINS } from '../world.mjs';
import { followLogs } from './logs.mjs';
import { Sender } from './sender.mjs';

const SOLANA_OF_LIFI = 1151111081099710n;
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

/** As Solver has one for each chain. */
export class EvmAccount {
    #chain;
    #store;
    #sender;

    constructor(chain, store) {
        const provider = new JsonRpcProvider(chain.url, new Network(chain.name, chain.id), { staticNetwork: true, batchMaxCount: 1, cacheTimeout: -1 });
        this.#chain = chain;
        this.#store = store;
        this.#sender = new Sender(provider, SOLVER.key, store, `transactions_${chain.name}`);
    }

    resume() {
        return this.#sender.resume();
    }

    /** Hands over what is deposited, as fills begin, for ever. */
    async watch(take) {
        const { name, url } = this.#chain;
        const address = ['lifi', 'relay', 'across'].map((key) => ROUTERS[key][name]).filter((router) => router !== undefined);
        if (address.length === 0) return;
        await followLogs({ url, address, store: this.#store, id: name }, async (logs) => {
            for (const fill of depositsOf(this.#chain, logs)) await take(fill);
        });
    }

    /** Pays by the one transaction that the id has for ever, and says by which. A wrapped coin is paid out as the coin. */
    pay(id, { token, amount, recipient }) {
        const coin = token === ZeroAddress || token === this.#chain.pools.wrapped;
        return coin ? this.#sender.send(id, recipient, '0x', amount) : this.#sender.send(id, token, TOKEN.encodeFunctionData('transfer', [recipient, amount]));
    }

    /** Gives a deposit back, out of the contract that has it. */
    refund(id, { from, refundTo, holder }) {
        if (holder === undefined) return this.pay(id, { ...from, recipient: refundTo });
        return this.#sender.send(id, ROUTERS[holder][from.chain], DEPOSITORY.encodeFunctionData('pay', [from.token, refundTo, from.amount]));
    }

    landed(transaction) {
        return this.#sender.receipt(transaction);
    }

    final(transaction) {
        return this.#sender.finalReceipt(transaction);
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
        const far = nameOf(destinationChainId);
        return {
            from: { chain: chain.name, token: sendingAssetId, amount },
            to: { chain: far, token: addressOn(far, data.receivingAssetId), amount: outputAmount, recipient: addressOn(far, data.receiverAddress) },
            refundTo: addressOf(data.refundAddress), deadline: Number(data.fillDeadline), message: data.message,
        };
    },
    CctpBurned: (chain, { sender, amount, data }, started) => {
        const { sendingAssetId, destinationChainId, receiver } = started();
        const far = nameOf(destinationChainId);
        return {
            from: { chain: chain.name, token: sendingAssetId, amount },
            to: { chain: far, token: CHAINS[far]?.tokens.USDC.address, amount: amount - data.maxFee, recipient: receiver },
            refundTo: sender, deadline: Math.floor(Date.now() / 1000) + 3600,
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

const addressOf = (word) => getAddress(dataSlice(word, 12));
const addressOn = (chain, word) => (chain === 'solana' ? base58(Buffer.from(word.slice(2), 'hex')) : addressOf(word));
const nameOf = (id) => (id === SOLANA_OF_LIFI ? 'solana' : Object.keys(CHAINS).find((name) => CHAINS[name].id === Number(id)));
