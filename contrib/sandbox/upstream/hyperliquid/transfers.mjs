// What users sign for their money: between spot and perpetuals, to another account, and out to a chain.
//
// A withdrawal: { id, user, nonce, chain, token, destination, amount (what is paid), fee, due, state (waiting, paid), transaction }.

import { DOLLAR, textOf, unitsOf } from './amounts.mjs';
import { Refused } from './authority.mjs';
import { credit, newHash, note } from './ledger.mjs';
import { summaryOf } from './margin.mjs';
import { accountOf, touch } from './world.mjs';

const BRIDGE_FEE = DOLLAR;
const CCTP_FEE = DOLLAR / 5n;
const EVM_GAS = DOLLAR * 8n / 10_000n; // as it was seen to be taken of accounts without HYPE, as all are here
const PAYOUT_MS = 2000;
const UNIFIED = 'Action disabled when unified account is active';
const USDC = ['USDC', 'USDC:0x6d1e7cde53ba9467b783cb7c530ce054'];
/** Where money goes that leaves by CCTP, as the ledger tells. */
export const SYSTEM_ADDRESS = '0x2000000000000000000000000000000000000000';

const isUnified = ({ mode }) => mode === 'unifiedAccount' || mode === 'portfolioMargin';

function amountIn(text) {
    const amount = unitsOf(text);
    if (amount === undefined || amount <= 0n) throw new Refused('Invalid amount.');
    return amount;
}

/** Takes from what may leave, and the gas on top. */
function take(world, account, amount, isSpot, text, gas = 0n) {
    const most = isSpot && !isUnified(account) ? account.spot : summaryOf(world, account).withdrawable;
    if (amount > most) throw new Refused(text);
    if (amount + gas > most) throw new Refused('Insufficient USDC or HYPE balance for token transfer gas');
    if (isSpot && !isUnified(account)) account.spot -= amount + gas;
    else account.usdc -= amount + gas;
    touch(world, 'accounts', account);
}

/** "12.5", or "12.5 subaccount:0x…", which no account has here. */
export function moveClass(world, account, { amount: text, toPerp }) {
    if (isUnified(account)) throw new Refused(UNIFIED);
    const amount = amountIn(text);
    take(world, account, amount, toPerp, 'Insufficient balance for token transfer');
    if (toPerp) account.usdc += amount;
    else account.spot += amount;
    note(world, account.id, { type: 'accountClassTransfer', usdc: textOf(amount), toPerp });
}

export function sendDollars(world, account, { destination, amount: text }) {
    if (isUnified(account)) throw new Refused(UNIFIED);
    const amount = amountIn(text);
    const to = destination.toLowerCase();
    const fee = accountOf(world, to) === undefined ? DOLLAR : 0n;
    if (fee >= amount) throw new Refused('Insufficient balance for token transfer gas');
    take(world, account, amount, false, 'Insufficient balance for token transfer');
    const delta = { type: 'internalTransfer', usdc: textOf(amount), user: account.id, destination: to, fee: textOf(fee) };
    note(world, account.id, delta);
    credit(world, to, amount, delta);
}

/** Out by the bridge: a dollar of it does not arrive. */
export function withdraw(world, account, { destination, amount: text, time }) {
    const amount = amountIn(text);
    if (amount <= BRIDGE_FEE) throw new Refused('Insufficient balance for withdrawal');
    take(world, account, amount, isUnified(account), 'Insufficient balance for withdrawal');
    note(world, account.id, { type: 'withdraw', usdc: textOf(amount), nonce: time, fee: textOf(BRIDGE_FEE) });
    payLater(world, account, { nonce: time, rail: 'bridge', domain: undefined, destination, amount: amount - BRIDGE_FEE, fee: BRIDGE_FEE });
}

/** Out by Circle's way to the chain of a domain. */
export function sendToEvm(world, account, { token, amount: text, sourceDex, destinationRecipient, addressEncoding, destinationChainId, data, nonce }) {
    if (!USDC.includes(token)) throw new Refused('Invalid token');
    if (sourceDex !== '' && sourceDex !== 'spot') throw new Refused('Invalid source dex');
    if (addressEncoding !== 'hex' || data !== '0x') throw new Refused('Invalid destination');
    if (!world.rails.reaches(destinationChainId)) throw new Refused('Invalid destination chain');
    const amount = amountIn(text);
    if (amount <= CCTP_FEE) throw new Refused('Insufficient balance for withdrawal');
    take(world, account, amount, sourceDex === 'spot', 'Insufficient balance for withdrawal', EVM_GAS);
    const usdc = textOf(amount);
    note(world, account.id, {
        type: 'send', user: account.id, destination: SYSTEM_ADDRESS, sourceDex, destinationDex: '', token: 'USDC', amount: usdc, usdcValue: usdc,
        fee: textOf(CCTP_FEE), nativeTokenFee: '0.0', nonce, feeToken: 'USDC',
    });
    payLater(world, account, { nonce, rail: 'cctp', domain: destinationChainId, destination: destinationRecipient, amount: amount - CCTP_FEE, fee: CCTP_FEE });
}

function payLater(world, account, payment) {
    const { value } = world.wrong('payout_delayed', undefined, { about: account.id }) ?? {};
    const withdrawal = { id: newHash(), user: account.id, ...payment, destination: payment.destination.toLowerCase(), due: Date.now() + (value ?? PAYOUT_MS), state: 'waiting' };
    touch(world, 'withdrawals', withdrawal);
}

/** How an account may keep its collateral, once its owner has chosen. */
export const MODES = ['disabled', 'unifiedAccount', 'portfolioMargin'];

/** Between modes; there is no way back from a unified one. */
export function setMode(world, account, mode) {
    if (isUnified(account) && !isUnified({ mode })) throw new Refused('Cannot disable unified account');
    if (!isUnified(account) && isUnified({ mode })) {
        account.usdc += account.spot;
        account.spot = 0n;
    }
    account.mode = mode;
    touch(world, 'accounts', account);
}
