// What the aggregators' contracts are told: for each of them a function that writes the calldata of an order.
//
// An order says what is to happen, as all of them understand it:
//   chain            as in world.mjs
//   router           the contract that is called
//   sender           who sends it
//   recipient        who gets the output
//   tokenIn, tokenOut, amount, minimum, quoted    zero address: the coin
//   flags, fee, permit, deadline                  where the contract has them; fee in bps, taken from the output
//   trade            { path, share, lie }: what the executor does
//   payee            whom the executor pays, where that is not the contract's habit
//   settler          of 0x
//   cut              of 0x: { recipient, bps }, who gets a share of what is bought before the minimum is looked at
//   collected        of LI.FI: { integrator, fee }, what is kept of the input for one who brings it swaps
//   amountPulled     what is really taken of the input, where that can differ

import { randomBytes } from 'node:crypto';
import { AbiCoder, Interface, ZeroAddress, ZeroHash, concat, hexlify, toUtf8Bytes } from 'ethers';
import {
    EXECUTOR, FEE_COLLECTOR, SETTLERS, TAKER_SUBMITTED,
} from '../../aggregators.mjs';

export { EXECUTOR, SETTLERS, TAKER_SUBMITTED };

/** How most of them write the coin. */
export const COIN = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const MARK_BYTES = 4; // of 1inch

const SWAP_DATA = '(address callTo, address approveTo, address sendingAssetId, address receivingAssetId, uint256 fromAmount, bytes callData, bool requiresDeposit)';
const BRIDGE_DATA = '(bytes32 transactionId, string bridge, string integrator, address referrer, address sendingAssetId, address receiver, '
    + 'uint256 minAmount, uint256 destinationChainId, bool hasSourceSwaps, bool hasDestinationCall)';
const ACROSS_DATA = '(bytes32 receiverAddress, bytes32 refundAddress, bytes32 sendingAssetId, bytes32 receivingAssetId, uint256 outputAmount, '
    + 'uint128 outputAmountMultiplier, bytes32 exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityParameter, bytes message)';
const POLYMER_DATA = '(uint256 polymerTokenFee, uint256 maxCCTPFee, bytes32 nonEVMReceiver, bytes32 solanaReceiverATA, uint32 minFinalityThreshold, '
    + 'address refundRecipient, bytes hookData)';
const CCTP_DATA = '(uint256 maxFee, uint32 minFinalityThreshold)';
const KYBER_DESC = '(address srcToken, address dstToken, address[] srcReceivers, uint256[] srcAmounts, address[] feeReceivers, uint256[] feeAmounts, '
    + 'address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags, bytes permit)';

const swapsOfLifi = ['SingleV3ERC20ToERC20', 'SingleV3ERC20ToNative', 'SingleV3NativeToERC20', 'MultipleV3ERC20ToERC20', 'MultipleV3ERC20ToNative', 'MultipleV3NativeToERC20']
    .map((name) => `function swapTokens${name}(bytes32, string, string, address, uint256, ${SWAP_DATA}${name.startsWith('Multiple') ? '[]' : ''}) payable`);

/** The functions of each provider's contract. */
export const ABI = {
    kyberswap: new Interface([
        `function swap((address callTarget, address approveTarget, bytes targetData, ${KYBER_DESC} desc, bytes clientData)) payable`,
        `function swapSimpleMode(address, ${KYBER_DESC}, bytes, bytes) payable`,
    ]),
    '0x': new Interface(['function exec(address operator, address token, uint256 amount, address target, bytes data) payable']),
    settler: new Interface([
        'function execute((address recipient, address buyToken, uint256 minAmountOut), bytes[] actions, bytes32 zid) payable',
        'function TRANSFER_FROM(address recipient, ((address token, uint256 amount) permitted, uint256 nonce, uint256 deadline), bytes sig)',
        'function BASIC(address token, uint256 bps, address pool, uint256 offset, bytes data)',
    ]),
    velora: new Interface([
        'function swapExactAmountIn(address executor, (address srcToken, address destToken, uint256 fromAmount, uint256 toAmount, '
            + 'uint256 quotedAmount, bytes32 metadata, address beneficiary), uint256 partnerAndFee, bytes permit, bytes executorData) payable',
    ]),
    openocean: new Interface([
        'function swap(address caller, (address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, uint256 minReturnAmount, '
            + 'uint256 guaranteedAmount, uint256 flags, address referrer, bytes permit), (uint256 target, uint256 gasLimit, uint256 value, bytes data)[]) payable',
    ]),
    '1inch': new Interface([
        'function swap(address executor, (address srcToken, address dstToken, address srcReceiver, address dstReceiver, uint256 amount, '
            + 'uint256 minReturnAmount, uint256 flags), bytes data) payable',
    ]),
    lifi: new Interface([
        ...swapsOfLifi,
        `function startBridgeTokensViaAcrossV4(${BRIDGE_DATA}, ${ACROSS_DATA}) payable`,
        `function swapAndStartBridgeTokensViaAcrossV4(${BRIDGE_DATA}, ${SWAP_DATA}[], ${ACROSS_DATA}) payable`,
        `function startBridgeTokensViaCelerCircleBridge(${BRIDGE_DATA}, ${CCTP_DATA}) payable`,
        `function swapAndStartBridgeTokensViaCelerCircleBridge(${BRIDGE_DATA}, ${SWAP_DATA}[], ${CCTP_DATA}) payable`,
        `function startBridgeTokensViaPolymerCCTP(${BRIDGE_DATA}, ${POLYMER_DATA})`,
        `function swapAndStartBridgeTokensViaPolymerCCTP(${BRIDGE_DATA}, ${SWAP_DATA}[], ${POLYMER_DATA}) payable`,
    ]),
    relay: new Interface([
        'function depositNative(address depositor, bytes32 id) payable',
        'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
    ]),
    collector: new Interface([
        'function collectTokenFees(address token, uint256 integratorFee, uint256 lifiFee, address integrator)',
        'function collectNativeFees(uint256 integratorFee, uint256 lifiFee, address integrator) payable',
    ]),
    erc20: new Interface(['function transfer(address, uint256)']),
    executor: new Interface(['function trade(bytes) payable', 'function tradeFrom(uint256, bytes)']),
};

const TRADE = 'tuple(uint256 amountIn, bytes path, address tokenOut, address recipient, uint256 share, '
    + 'tuple(uint8 when, uint256 since, uint256 share, address recipient, uint256 back, address target, bytes call) lie)';
const HONEST = { when: 0, since: 0, share: 0, recipient: ZeroAddress, back: 0, target: ZeroAddress, call: '0x' };

export const isCoin = (token) => token === ZeroAddress;
const placeholder = (token) => (isCoin(token) ? COIN : token);

/** What the executor is told: to trade what it was sent or what comes along, and to pay `recipient`. */
export function executorData({ trade, tokenOut, payee, amount, amountPulled }, recipient) {
    return AbiCoder.defaultAbiCoder().encode([TRADE], [{
        amountIn: amountPulled ?? amount, path: trade.path, tokenOut, recipient: payee ?? recipient, share: trade.share, lie: { ...HONEST, ...trade.lie },
    }]);
}

/** A call of the executor by a contract that grants it an allowance or sends it the coins. */
export function executorCall(order, recipient) {
    const data = executorData(order, recipient);
    return isCoin(order.tokenIn)
        ? ABI.executor.encodeFunctionData('trade', [data])
        : ABI.executor.encodeFunctionData('tradeFrom', [order.amountPulled ?? order.amount, data]);
}

function kyberswap(order) {
    const { tokenIn, tokenOut, recipient, amount, minimum } = order;
    const desc = {
        srcToken: placeholder(tokenIn), dstToken: placeholder(tokenOut),
        srcReceivers: isCoin(tokenIn) ? [] : [EXECUTOR], srcAmounts: isCoin(tokenIn) ? [] : [order.amountPulled ?? amount],
        feeReceivers: [], feeAmounts: [], dstReceiver: recipient, amount, minReturnAmount: minimum, flags: order.flags ?? 0n, permit: order.permit ?? '0x',
    };
    return ABI.kyberswap.encodeFunctionData('swap', [
        [EXECUTOR, ZeroAddress, executorData(order, recipient), desc, hexlify(toUtf8Bytes('{"Source":"sandbox"}'))],
    ]);
}

/** The action that pays a share of what is bought. */
function cutOf({ tokenOut, cut: { recipient, bps } }) {
    const [pool, offset, call] = isCoin(tokenOut) ? [recipient, 0, '0x'] : [tokenOut, 36, ABI.erc20.encodeFunctionData('transfer', [recipient, 0n])];
    return ABI.settler.encodeFunctionData('BASIC', [placeholder(tokenOut), bps, pool, offset, call]);
}

/** The call of a Settler: for a token it takes the input by the holder first. */
export function settlerCall(order) {
    const { tokenIn, tokenOut, recipient, amount, minimum } = order;
    const settler = order.settler ?? SETTLERS.current;
    const call = executorCall(order, settler);
    const actions = [ABI.settler.encodeFunctionData('BASIC', [placeholder(tokenIn), 10000, EXECUTOR, 4, call])];
    if (!isCoin(tokenIn)) {
        const permission = [[tokenIn, order.amountPulled ?? amount], 0, order.deadline ?? 0xffffffffn];
        actions.unshift(ABI.settler.encodeFunctionData('TRANSFER_FROM', [settler, permission, '0x']));
    }
    if (order.cut) actions.push(cutOf(order));
    return ABI.settler.encodeFunctionData('execute', [[recipient, placeholder(tokenOut), minimum], actions, order.zid ?? ZeroHash]);
}

function zerox(order) {
    const settler = order.settler ?? SETTLERS.current;
    return ABI['0x'].encodeFunctionData('exec', [settler, order.tokenIn, order.amount, settler, settlerCall(order)]);
}

function velora(order) {
    const { router, tokenIn, tokenOut, amount, minimum, quoted, recipient } = order;
    const partner = (BigInt(order.partner ?? ZeroAddress) << 96n) | (order.flags ?? 0n) | BigInt(order.fee ?? 0);
    return ABI.velora.encodeFunctionData('swapExactAmountIn', [
        EXECUTOR, [placeholder(tokenIn), placeholder(tokenOut), amount, minimum, quoted, ZeroHash, recipient],
        partner, order.permit ?? '0x', executorData(order, router),
    ]);
}

function openocean(order) {
    const { tokenIn, tokenOut, amount, minimum, quoted, recipient } = order;
    const desc = [
        placeholder(tokenIn), placeholder(tokenOut), EXECUTOR, recipient, amount, minimum, quoted,
        (order.flags ?? 0n) | (isCoin(tokenIn) ? 0n : 2n), order.partner ?? ZeroAddress, order.permit ?? '0x',
    ];
    const trade = ABI.executor.encodeFunctionData('trade', [executorData(order, recipient)]);
    return ABI.openocean.encodeFunctionData('swap', [EXECUTOR, desc, [[EXECUTOR, 0, isCoin(tokenIn) ? amount : 0, trade]]]);
}

/** With the service's mark behind it, four bytes. */
function oneinch(order) {
    const { router, tokenIn, tokenOut, amount, minimum, recipient } = order;
    return concat([ABI['1inch'].encodeFunctionData('swap', [
        EXECUTOR, [placeholder(tokenIn), placeholder(tokenOut), EXECUTOR, recipient, amount, minimum, order.flags ?? 0n], executorData(order, router),
    ]), randomBytes(MARK_BYTES)]);
}

/** What a swap of LI.FI's diamond calls. */
export function lifiSwap(order) {
    return [EXECUTOR, EXECUTOR, order.tokenIn, order.tokenOut, order.amount, executorCall(order, order.router), true];
}

/** The step before it that keeps a fee: all of the input goes in, what is left of it comes back. */
export function lifiFee({ tokenIn, amount, collected: { integrator, fee } }) {
    const call = isCoin(tokenIn)
        ? ABI.collector.encodeFunctionData('collectNativeFees', [fee, 0n, integrator])
        : ABI.collector.encodeFunctionData('collectTokenFees', [tokenIn, fee, 0n, integrator]);
    return [FEE_COLLECTOR, FEE_COLLECTOR, tokenIn, tokenIn, amount, call, true];
}

function lifi(order) {
    const { tokenIn, tokenOut, minimum, recipient } = order;
    const nature = (token) => (isCoin(token) ? 'Native' : 'ERC20');
    const steps = order.collected ? [lifiFee(order), lifiSwap({ ...order, amount: order.amount - order.collected.fee })] : lifiSwap(order);
    return ABI.lifi.encodeFunctionData(`swapTokens${order.collected ? 'Multiple' : 'Single'}V3${nature(tokenIn)}To${nature(tokenOut)}`, [
        order.reference ?? ZeroHash, order.integrator ?? 'sandbox', '', recipient, minimum, steps,
    ]);
}

/** By provider: the calldata of an order. */
export const ENCODERS = { kyberswap, '0x': zerox, velora, openocean, '1inch': oneinch, lifi };

/** The coins that go with an order. */
export const valueOf = ({ tokenIn, amount }) => (isCoin(tokenIn) ? amount : 0n);

/** Calldata with its word number `word` (behind the selector) changed by a function of it. */
export function withWord(data, word, change) {
    const at = 10 + 64 * word;
    const changed = change(BigInt(`0x${data.slice(at, at + 64)}`));
    return concat([data.slice(0, at), `0x${changed.toString(16).padStart(64, '0')}`, `0x${data.slice(at + 64)}`]);
}
