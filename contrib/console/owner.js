// Owner: what an agent's owner wants to see and do, with the agent's key.

import {
    ask, query, session,
} from './api.js';
import { bars } from './chart.js';
import { el, fill } from './dom.js';
import { showDelivery, showDeliveries } from './owner-deliveries.js';
import { showPolicies } from './owner-policies.js';
import {
    eventsOf, chainsOf, isOver, pairOf, swapFacts,
} from './swap-view.js';
import {
    action, announce, badge, code, dollars, duration, empty, facts, fetched, field, form, hash, listing, pretty, run, secret, table, time, timeline,
} from './ui.js';

const LIST = 20, CHART_SWAPS = 100, DAYS = 14, DAY_MS = 86_400_000;
const LOOK_MS = 2000;

export function showOwner([tab = '', ...rest], page) {
    if (session.key === undefined) return signIn(page);
    const row = TABS.find(({ path }) => path === tab) ?? TABS[0];
    return [
        el('div.head', el('h1', 'Owner'), el('button.plain', { type: 'button', onclick: () => signOut(page) }, 'Sign out')),
        el('nav.tabs', { 'aria-label': 'Of this agent' }, el('ul', TABS.map(({ path, title }) => el('li', el('a', { href: `#/owner${path && `/${path}`}`, 'aria-current': path === row.path && 'page' }, title))))),
        el('section.tab', { 'aria-label': row.title }, row.show(rest, page)),
    ];
}

// ---------------------------------------------------------------- signing in

function signIn({ again }) {
    const key = field('API key', { type: 'password', placeholder: 'svc_sk_…', required: true, hint: 'It stays in the memory of this tab: closing or reloading it signs you out.' });
    const place = el('div'), button = el('button.primary', { type: 'submit' }, 'Sign in');
    const submit = () => run(button, async () => {
        session.key = key.input.value.trim();
        try {
            await ask('GET', '/me');
        } catch (error) {
            session.key = undefined;
            throw error;
        }
        announce('Signed in');
        again();
    }, place);
    return el('div.narrow', el('h1', 'Owner'), el('p.lead', 'Swaps, wallets, webhooks and limits of one agent.'),
        form(submit, key.node, place, el('div.row', button)),
        el('p.muted', 'No agent yet? ', el('a', { href: '#/first-swap' }, 'Register one'), ' with a click.'));
}

function signOut({ again }) {
    session.key = undefined;
    session.quota = undefined;
    announce('Signed out');
    again();
}

// ---------------------------------------------------------------- overview

const overview = () => fetched(async () => {
    const [{ agent }, { swaps: latest, pagination }] = await Promise.all([ask('GET', '/me'), ask('GET', query('/swaps', { limit: CHART_SWAPS }))]);
    return { agent, latest, pagination };
}, ({ agent, latest, pagination }) => [
    el('h2.name', agent.name),
    agent.description && el('p', agent.description),
    el('div.tiles',
        tile('Swaps', String(pagination.total), `${agent.stats.total_swaps} completed`),
        tile('Requests', String(agent.stats.total_requests), `tier ${agent.rate_limit_tier}`),
        quotaTile()),
    latest.length > 0 ? swapChart(latest) : empty('No swaps yet', 'The first one takes a minute.', el('p', el('a', { href: '#/first-swap' }, 'First swap'))),
    facts([
        ['Agent', hash(agent.id)],
        ['Callback URL', agent.callback_url ?? el('span.muted', 'none')],
        ['Registered', time(agent.created_at)],
        ['Last request', time(agent.last_active_at)],
    ]),
]);

const tile = (label, value, more) => el('div.tile', el('span.label', label), el('strong', value), el('span.muted', more));

/** What is left of the tier's requests, by the headers of the last answer. */
function quotaTile() {
    const { quota } = session;
    if (quota === undefined) return tile('Quota', 'Unlimited', 'no limit to this tier');
    const wait = Math.max(0, quota.reset - Date.now() / 1000);
    return el('div.tile', el('span.label', 'Quota'), el('strong', `${quota.remaining} of ${quota.limit}`),
        el('meter', { min: 0, max: quota.limit, low: quota.limit / 5, value: quota.remaining, 'aria-label': 'Requests left' }),
        el('span.muted', wait < 1 ? 'requests left' : `requests left, full again in ${duration(wait)}`));
}

function swapChart(latest) {
    const dayOf = (at) => new Date(at).toISOString().slice(0, 10);
    const days = Array.from({ length: DAYS }, (_, i) => dayOf(Date.now() - (DAYS - 1 - i) * DAY_MS));
    const count = (fits) => days.map((day) => latest.filter((each) => dayOf(each.created_at) === day && fits(each)).length);
    return bars('Swaps of the last two weeks', {
        labels: days,
        series: [
            { name: 'completed', values: count(({ status }) => status === 'completed') },
            { name: 'under way', values: count((each) => !isOver(each)) },
            { name: 'failed', values: count(({ status }) => status === 'failed') },
        ],
    });
}

// ---------------------------------------------------------------- swaps

const swaps = () => listing(
    { status: { label: 'Status', choices: [['', 'All'], 'submitted', 'pending', 'completed', 'failed'] } },
    async ({ status }, offset) => {
        const { swaps: items, pagination } = await ask('GET', query('/swaps', { status, limit: LIST, offset }));
        return { items, pagination };
    },
    (items) => table('Swaps', [
        { title: 'Swap', of: (each) => el('a', { href: `#/owner/swaps/${each.swap_id}` }, `#${each.swap_id}`) },
        { title: 'Trade', of: pairOf },
        { title: 'Arrived', of: ({ to_amount: amount, to_token: token }) => (amount ? `${amount} ${token}` : el('span.muted', '–')), end: true },
        { title: 'Chain', of: chainsOf },
        { title: 'Status', of: ({ status }) => badge(status) },
        { title: 'Began', of: ({ created_at: at }) => time(at) },
    ], items, empty('No swaps', 'None that fit, at least.')),
);

function swap(id, { leaving }) {
    const place = el('div');
    let timer;
    leaving(() => clearTimeout(timer));
    const look = async () => {
        const found = await ask('GET', `/swap/status/${encodeURIComponent(id)}`);
        if (!isOver(found)) timer = setTimeout(() => look().then((next) => fill(place, view(next)), () => {}), LOOK_MS);
        return found;
    };
    const view = (found) => [swapFacts(found), el('h3', 'What happened'), timeline(eventsOf(found)), el('details.call', el('summary', 'As the API shows it'), code(pretty(found), 'Swap'))];
    fill(place, fetched(look, view));
    return [el('p', el('a', { href: '#/owner/swaps' }, '← All swaps')), el('h2', `Swap #${id}`), place];
}

// ---------------------------------------------------------------- wallets

function wallets() {
    const place = el('div'), list = el('div');
    const show = () => fill(list, fetched(() => ask('GET', query('/wallets', { limit: 100 })), ({ wallets: all }) => (all.length === 0
        ? empty('No wallet yet', 'A wallet’s key stays with the service; you get its address.')
        : all.map(walletCard))));
    show();
    return [list, place, el('div.row', action('Create wallet', async () => {
        await ask('POST', '/wallets', { json: {} });
        announce('Wallet created');
        show();
    }, { place }))];
}

const walletCard = ({ address, chain_type: type, supported_chains: chains }) => el('article.card',
    el('div.head', el('h2', hash(address)), badge(type)), el('p.muted', chains.join(', ')),
    fetched(() => ask('GET', query('/portfolio', { wallet_address: address })), ({ balances, total_usd: total, unavailable = [] }) => {
        const held = balances.filter(({ balance }) => balance !== '0');
        return [
            table(`Balances of ${address}`, [
                { title: 'Token', of: ({ symbol }) => symbol },
                { title: 'Chain', of: ({ chain }) => chain },
                { title: 'Balance', of: ({ balance }) => balance, end: true },
                { title: 'Worth', of: ({ usd_value: usd }) => (usd ? dollars(usd) : '–'), end: true },
            ], held, empty('Empty', 'Nothing has arrived at this address.')),
            held.length > 0 && total && el('p.total', 'Together ', el('strong', dollars(total))),
            unavailable.length > 0 && el('p.note.warn', `Could not be read just now: ${unavailable.join(', ')}. What is there is not in the list.`),
        ];
    }));

// ---------------------------------------------------------------- approvals

const approvals = () => listing(
    { status: { label: 'Status', choices: [['', 'All'], 'waiting', 'granted', 'denied', 'used', 'lapsed'] } },
    async ({ status }, offset) => {
        const { approvals: items, pagination } = await ask('GET', query('/approvals', { status, limit: LIST, offset }));
        return { items, pagination };
    },
    (items) => table('Approvals', [
        { title: 'Approval', of: ({ id }) => hash(id) },
        { title: 'What for', of: ({ action: what, swap_id: id }) => (id ? el('a', { href: `#/owner/swaps/${id}` }, `${what} #${id}`) : what) },
        { title: 'Reason', of: ({ reason }) => reason },
        { title: 'Status', of: ({ status }) => badge(status) },
        { title: 'Asked', of: ({ created_at: at }) => time(at) },
        { title: 'Ends', of: ({ expires_at: at }) => time(at) },
    ], items, empty('Nothing to approve', 'Beyond an approval limit the operator is asked, and it shows here.')),
);

// ---------------------------------------------------------------- the key

function keyPage() {
    const place = el('div'), shown = el('div');
    return el('div.narrow', el('h2', 'API key'),
        el('p', 'A new key takes the place of the present one at once: programs with the old one are refused from then on. The new one is shown this once.'),
        shown, place,
        el('div.row', action('Rotate the key', async () => {
            const { api_key: key } = await ask('POST', '/keys/rotate', { json: {} });
            session.key = key;
            announce('The key is rotated');
            fill(shown, secret('New API key', key), el('p.note.good', 'This tab uses it already. Store it now.'));
        }, { place, ask: { title: 'Rotate the key?', text: 'The present key stops working at once, in every program that has it.', word: 'rotate', button: 'Rotate' } })));
}

// ---------------------------------------------------------------- what there is

const TABS = [
    { path: '', title: 'Overview', show: overview },
    { path: 'swaps', title: 'Swaps', show: ([id], page) => (id === undefined ? swaps() : swap(id, page)) },
    { path: 'wallets', title: 'Wallets', show: wallets },
    { path: 'deliveries', title: 'Deliveries', show: ([id]) => (id === undefined ? showDeliveries() : showDelivery(id)) },
    { path: 'policies', title: 'Policies', show: showPolicies },
    { path: 'approvals', title: 'Approvals', show: approvals },
    { path: 'key', title: 'Key', show: keyPage },
];
