// Operator: swaps, webhooks, requests for approval, a search for any name, and the audit log.

import { query } from './api.js';
import { el, fill } from './dom.js';
import { agentLink, askOperator, order } from './operator-session.js';
import {
    badge, empty, facts, fetched, field, form, hash, listing, table, time, timeline,
} from './ui.js';

const LIST = 50;
const dash = (value) => value ?? el('span.muted', '–');

// ---------------------------------------------------------------- swaps

/** Of all agents, or of one; so with webhooks and the audit log. */
export const showSwaps = (of) => listing(
    { pick: { label: 'Which', choices: [['any', 'All'], ['stuck', 'Stuck'], ['failed', 'Failed']] }, agent: { label: 'Agent’s id', value: of } },
    async ({ pick, agent }) => ({ items: (await askOperator('GET', query('/swaps', { pick, agent: agent.trim(), limit: LIST }))).swaps, pagination: ONE_PAGE }),
    (items) => table('Swaps', [
        { title: 'Number', of: ({ id }) => el('a', { href: `#/operator/swaps/${id}` }, `#${id}`) },
        { title: 'Agent', of: ({ agent }) => agentLink(agent) },
        { title: 'Kind', of: ({ kind }) => kind },
        { title: 'In', of: (each) => each.in },
        { title: 'Out', of: ({ out }) => dash(out) },
        { title: 'Status', of: ({ status, error }) => [badge(status), error && el('p', error)] },
        { title: 'Moved', of: ({ updated_at: at }) => time(at) },
    ], items, empty('No swaps', 'None that fit, at least.')),
);

// The newest are all that is asked for.
const ONE_PAGE = { total: 0, limit: LIST, offset: 0, has_more: false };

export const showSwap = (id) => [
    el('p', el('a', { href: '#/operator/swaps' }, '← All swaps')),
    el('h2', `#${id}`),
    fetched(() => askOperator('GET', `/swaps/${encodeURIComponent(id)}`), (found) => [
        facts([
            ['Agent', agentLink(found.agent)], ['Kind', found.kind], ['Status', badge(found.status)], ['In', found.in], ['Out', dash(found.out)],
            ['Venue', found.venue], ['Error', found.error], ['Request', found.request_id && hash(found.request_id)],
            ['Next', [found.next, found.next_at && [', ', time(found.next_at)]]],
        ]),
        el('h3', 'What happened'),
        timeline(found.history.map(({ at, to, why }) => ({ at, title: to, more: why }))),
        el('h3', 'Transactions'),
        table('Transactions', [
            { title: 'Hash', of: ({ hash: text }) => hash(text) },
            { title: 'Chain', of: ({ chain }) => dash(chain) },
            { title: 'Kind', of: ({ kind }) => kind },
            { title: 'State', of: ({ state }) => state },
            { title: 'Nonce', of: ({ nonce }) => String(nonce ?? '–'), end: true },
            { title: 'Sent', of: ({ broadcasts }) => `${broadcasts}×`, end: true },
            { title: 'Nodes said', of: ({ said }) => said },
            { title: 'Block', of: ({ block }) => (block > 0 ? String(block) : '–'), end: true },
        ], found.transactions, empty('No transactions', 'Nothing was signed for it.')),
    ]),
];

// ---------------------------------------------------------------- webhooks

export function showWebhooks(of) {
    const place = el('div');
    return [place, listing(
        { status: { label: 'Status', choices: [['', 'All'], 'pending', 'delivered', 'failed'] }, agent: { label: 'Agent’s id', value: of } },
        async ({ status, agent }) => ({ items: (await askOperator('GET', query('/events', { status, agent: agent.trim(), limit: LIST }))).events, pagination: ONE_PAGE }),
        (items, again) => table('Webhooks', [
            { title: 'Webhook', of: ({ id }) => hash(id) },
            { title: 'Agent', of: ({ agent }) => agentLink(agent) },
            { title: 'About', of: ({ type }) => type },
            { title: 'Status', of: ({ status }) => badge(status) },
            { title: 'Attempts', of: ({ attempts }) => String(attempts), end: true },
            { title: 'Met last', of: ({ error, response_status: status }) => dash(error ?? (status && String(status))) },
            { title: 'Next attempt', of: ({ next_attempt_at: at }) => time(at) },
            { title: 'Send again', of: ({ id }) => order('Send again', `/events/${id}/redeliver`, { place, done: again, said: 'It is sent again', ask: { title: 'Send it again?', text: 'To the callback that its agent has now.' } }) },
        ], items, empty('No webhooks', 'None that fit, at least.')),
    )];
}

// ---------------------------------------------------------------- approvals

export function showApprovals() {
    const place = el('div'), list = el('div');
    const show = () => fill(list, fetched(() => askOperator('GET', '/approvals'), ({ approvals }) => table('Approvals', [
        { title: 'Agent', of: ({ agent }) => agentLink(agent) },
        { title: 'Terms', of: ({ kind, terms }) => el('p', `${kind}: ${terms}`) },
        { title: 'Reason', of: ({ reason }) => reason },
        { title: 'Wallet', of: ({ wallet }) => hash(wallet) },
        { title: 'Ends', of: ({ expires_at: at }) => time(at) },
        { title: 'Decide', of: ({ id, terms }) => el('div.row',
            order('Approve', `/approvals/${id}/approve`, { place, done: show, said: 'Granted', ask: { title: 'Grant it?', text: `${terms}. Once, on these terms, and at no worse a price.` } }),
            order('Deny', `/approvals/${id}/deny`, { place, done: show, said: 'Denied', ask: { title: 'Deny it?', text: terms, danger: true } })) },
    ], approvals, empty('Nothing waits', 'What an approval limit holds back is decided here.'))));
    show();
    return [place, list];
}

// ---------------------------------------------------------------- objects by name

const PLACES = { agent: 'agents', swap: 'swaps' };

export function showFind() {
    const text = field('Text', { type: 'search', required: true, hint: 'An id or a part of the name of an agent, a wallet, a transaction, a swap’s number, a webhook’s or a request’s id' });
    const list = el('div');
    const show = () => fill(list, fetched(() => askOperator('GET', query('/find', { text: text.input.value.trim() })), ({ found }) => table('Found', [
        { title: 'Kind', of: ({ kind }) => kind },
        { title: 'Id', of: ({ kind, id }) => (PLACES[kind] && id ? el('a', { href: `#/operator/${PLACES[kind]}/${id}` }, id) : dash(id)) },
        { title: 'What', of: ({ what }) => el('p', what) },
    ], found, empty('Nothing', 'Nothing is called that.'))));
    return [form(() => { if (text.input.value.trim() !== '') show(); }, text.node, el('div.row', el('button.primary', { type: 'submit' }, 'Find'))), list];
}

// ---------------------------------------------------------------- the audit log

export const showAudit = (of) => listing(
    { agent: { label: 'Agent’s id', value: of } },
    async ({ agent }) => ({ items: (await askOperator('GET', query('/audit', { agent: agent.trim(), limit: LIST }))).lines, pagination: ONE_PAGE }),
    (items) => table('Audit log', [
        { title: 'When', of: ({ at }) => time(at) },
        { title: 'By', of: ({ by, token }) => (token ? `${by} ${token}` : by) },
        { title: 'Act', of: ({ act }) => act },
        { title: 'Details', of: ({ detail }) => (detail ? el('p.url', detail) : dash(null)) },
        { title: 'Reason', of: ({ reason }) => dash(reason) },
        { title: 'Host', of: ({ host }) => host },
    ], items, empty('No lines', 'Nothing was done yet.')),
);
