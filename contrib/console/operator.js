// Operator: how the service stands and how it went, and what only its operator may do, with a token of agentctl's.

import { el } from './dom.js';
import { showAgent, showAgents, showLoad } from './operator-agents.js';
import { showOverview } from './operator-overview.js';
import { askOperator, held } from './operator-session.js';
import { showStatus } from './operator-status.js';
import {
    showApprovals, showAudit, showFind, showSwap, showSwaps, showWebhooks,
} from './operator-swaps.js';
import {
    announce, badge, field, form, run,
} from './ui.js';

export function showOperator([tab = '', ...rest], page) {
    if (held.token === undefined) return signIn(page);
    const row = TABS.find(({ path }) => path === tab) ?? TABS[0];
    return [
        el('div.head', el('h1', 'Operator'), el('span.muted', held.name, held.readOnly && [' ', badge('read-only')]),
            el('button.plain', { type: 'button', onclick: () => signOut(page) }, 'Sign out')),
        el('nav.tabs', { 'aria-label': 'Of this service' }, el('ul', TABS.map(({ path, title }) => el('li', el('a', { href: `#/operator${path && `/${path}`}`, 'aria-current': path === row.path && 'page' }, title))))),
        el('section.tab', { 'aria-label': row.title }, row.show(rest, page)),
    ];
}

function signIn({ again }) {
    const token = field('Token', { type: 'password', placeholder: 'svc_op_…', required: true, hint: 'It stays in the memory of this tab: closing or reloading it signs you out.' });
    const place = el('div'), button = el('button.primary', { type: 'submit' }, 'Sign in');
    const submit = () => run(button, async () => {
        held.token = token.input.value.trim();
        try {
            const { name, read_only: readOnly } = await askOperator('GET', '/token');
            Object.assign(held, { name, readOnly });
        } catch (error) {
            held.token = undefined;
            throw error.status === 404 ? Object.assign(error, { message: 'The operator’s part is not there for this address', hint: 'It is for the addresses in operator_from alone: at the host itself by 127.0.0.1 or localhost, from elsewhere through a tunnel' }) : error;
        }
        announce('Signed in');
        again();
    }, place);
    return el('div.narrow', el('h1', 'Operator'), el('p.lead', 'The whole service: chains, agents, swaps, approvals, the kill switch.'),
        form(submit, token.node, place, el('div.row', button)),
        el('p.muted', el('code', 'agentctl token NAME'), ' makes one, ', el('code', '--read-only'), ' one that changes nothing.'));
}

function signOut({ again }) {
    Object.assign(held, { token: undefined, name: undefined, readOnly: false });
    announce('Signed out');
    again();
}

const TABS = [
    { path: '', title: 'Overview', show: showOverview },
    { path: 'status', title: 'Status', show: showStatus },
    { path: 'agents', title: 'Agents', show: ([id], page) => (id === undefined ? showAgents() : showAgent(id, page)) },
    { path: 'load', title: 'Load', show: showLoad },
    { path: 'swaps', title: 'Swaps', show: ([id]) => (/^\d+$/.test(id) ? showSwap(id) : showSwaps(id)) },
    { path: 'webhooks', title: 'Webhooks', show: ([agent]) => showWebhooks(agent) },
    { path: 'approvals', title: 'Approvals', show: showApprovals },
    { path: 'find', title: 'Find', show: showFind },
    { path: 'audit', title: 'Audit log', show: ([agent]) => showAudit(agent) },
];
