// Owner: what the wallets' policies allow, what of it is used, and which of them end.

import { ask } from './api.js';
import { el, fill } from './dom.js';
import {
    action, announce, badge, duration, empty, fetched, hash, table, time,
} from './ui.js';

const NAMES = { spending_limit: 'Spending limit', approval_limit: 'Approval limit', whitelist: 'Allowed only', execution_limit: 'Execution limit' };

/** Members of params, in words. */
const TERMS = {
    maxAmountUsd: (value) => `at most $${value}`,
    maxAmountWei: (value) => `at most ${value} wei of ether`,
    maxAmount: (value, { token }) => `at most ${value} ${token}`,
    token: () => undefined, // told with maxAmount
    timeWindowSeconds: (value) => (Number(value) > 0 ? `within ${duration(Number(value))}` : 'each time'),
    allowedAddresses: (value) => `to ${value.join(', ')}`,
    allowedChains: (value) => `on ${value.join(', ')}`,
    allowedTokens: (value) => `tokens ${value.join(', ')}`,
    allowedVenues: (value) => `for ${value.join(', ')}`,
    maxSlippage: (value) => `slippage at most ${value}`,
    maxGasWei: (value) => `fees at most ${value} wei`,
    maxGasUsd: (value) => `fees at most $${value}`,
    minHealthFactor: (value) => `health factor at least ${value}`,
};

const termsOf = ({ params }) => Object.entries(params).map(([name, value]) => (TERMS[name] ?? (() => `${name} ${JSON.stringify(value)}`))(value, params)).filter(Boolean);

export function showPolicies() {
    const place = el('div'), list = el('div');
    const show = () => fill(list, fetched(() => ask('GET', '/wallet/policies'), ({ policies }) => table('Policies', [
        { title: 'Policy', of: (each) => [NAMES[each.type] ?? each.type, each.set_by === 'operator' && [' ', badge('operator’s')]] },
        { title: 'Terms', of: (each) => el('ul.terms', termsOf(each).map((term) => el('li', term))) },
        { title: 'Used', of: used },
        { title: 'Wallet', of: ({ wallet_address: address }) => (address ? hash(address) : 'each') },
        { title: 'In force since', of: ({ created_at: at }) => time(at) },
        { title: 'End', of: (each) => endOf(each, place, show) },
    ], policies, empty('No policies', 'The wallets may spend what they hold. A policy limits that at once; loosening one takes a day.',
        el('p', el('a', { href: '#/reference/op/createWalletPolicy' }, 'How to set one'))))));
    show();
    return [place, list];
}

/** Of a limit with a window: what each wallet has spent within it. */
function used({ used: uses }) {
    if (uses === undefined) return el('span.muted', '–');
    if (uses.length === 0) return el('span.muted', 'nothing yet');
    return el('ul.terms', uses.map((use) => el('li', useOf(use), uses.length > 1 && el('span.muted', ` ${use.wallet_address.slice(0, 8)}…`))));
}

function useOf({ amount, limit, unit }) {
    if (amount === null) return `cannot be valued just now, of ${limit} ${unit}`;
    const text = `${brief(amount)} of ${limit} ${unit}`;
    return [el('meter', { min: 0, max: 1, high: 0.8, value: share(amount, limit), 'aria-label': text }), el('span', { title: amount }, text)];
}

/** To four places; the whole figure is behind it. */
const brief = (amount) => amount.replace(/(\.\d{4})\d+$/, '$1');

/** For the length of a bar only: figures are shown as they came. */
const share = (amount, limit) => (Number(limit) > 0 ? Math.min(1, Number(amount) / Number(limit)) : 1);

function endOf(policy, place, show) {
    if (policy.pending) return ['ends ', time(policy.pending.effective_at)];
    if (policy.set_by === 'operator') return el('span.muted', 'by the operator alone');
    return action('End', async () => {
        await ask('DELETE', `/wallet/policy/${policy.id}`);
        announce('The policy will end');
        show();
    }, { place, ask: { title: 'End this policy?', text: 'It holds for another 24 hours, so that a stolen key gets around nothing. Then the wallet may spend without it.', button: 'End it' } });
}
