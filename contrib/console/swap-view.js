// How a swap is shown: what became of it, and its transactions.

import { el } from './dom.js';
import { badge, facts, hash, time } from './ui.js';

const KINDS = { approval: 'Allowance', swap: 'Swap', cancel: 'Cancellation', bridge_in: 'Deposit to the bridge', bridge_out: 'Payment by the bridge' };

export const isOver = ({ status }) => ['completed', 'failed', 'expired'].includes(status);

export const pairOf = ({ from_amount: amount, from_token: from, to_token: to }) => `${amount} ${from} → ${to}`;

export const chainsOf = ({ from_chain: from, to_chain: to }) => (from === to ? from : `${from} → ${to}`);

/** The steps of a swap as GET /swap/status/{swapId} tells them, for timeline(). */
export function eventsOf(swap) {
    const transactions = (swap.transactions ?? []).map(({ chain, kind, tx_hash: tx, status }) => ({
        title: `${KINDS[kind] ?? kind} on ${chain}`, status, more: tx && hash(tx),
    }));
    return [
        { at: swap.created_at, title: 'Accepted, and stored before anything is sent', status: 'ok' },
        ...transactions,
        isOver(swap) ? { at: swap.completed_at ?? swap.updated_at, title: endOf(swap), status: swap.status, more: swap.error_message } : { title: 'Waiting for the chain', status: swap.status },
    ];
}

function endOf({ status, to_amount: amount, to_token: token }) {
    if (status === 'completed') return amount ? `${amount} ${token} arrived` : 'Done';
    return 'It did not go through';
}

export const swapFacts = (swap) => facts([
    ['Given', `${swap.from_amount} ${swap.from_token}`],
    ['Expected', swap.expected_out && `${swap.expected_out} ${swap.to_token}`],
    ['Arrived', swap.to_amount && `${swap.to_amount} ${swap.to_token}`],
    ['Chain', chainsOf(swap)],
    ['Transaction', swap.explorer_url ? el('a', { href: swap.explorer_url, rel: 'noreferrer' }, swap.tx_hash) : swap.tx_hash && hash(swap.tx_hash)],
    ['Began', time(swap.created_at)],
    ['Status', badge(swap.status)],
    ['Error', swap.error_code && el('code', swap.error_code)],
]);
