// Operator: agents, found and listed, and what is ordered about one.

import { query } from './api.js';
import { el, fill } from './dom.js';
import { agentLink, askOperator, order } from './operator-session.js';
import {
    badge, empty, facts, fetched, field, form, hash, table, time,
} from './ui.js';

const LIST = 20, TIER_NAMES = ['standard', 'premium', 'unlimited'];

export function showAgents() {
    const search = field('Id, wallet or name', { type: 'search' }), list = el('div');
    const show = (before) => fill(list, fetched(() => askOperator('GET', query('/agents', { search: search.input.value.trim(), before, limit: LIST })), ({ agents }) => [
        table('Agents', columns, agents, empty('No agents', 'None that fit, at least.')),
        pages(agents, before, show),
    ]));
    show();
    return el('div.listing', form(() => show(), el('div.filters', search.node, el('div.row', el('button.plain', { type: 'submit' }, 'Search')))), list);
}

const columns = [
    { title: 'Agent', of: ({ id, name }) => agentLink(id, name) },
    { title: 'Tier', of: ({ tier }) => tier },
    { title: 'Key', of: ({ status }) => badge(status) },
    { title: 'Trading', of: ({ trading }) => (trading === 'stopped' ? badge('stopped') : 'allowed') },
    { title: 'Requests', of: ({ total_requests: n }) => String(n), end: true },
    { title: 'Swaps', of: ({ swaps_completed: n }) => String(n), end: true },
    { title: 'Registered', of: ({ created_at: at }) => time(at) },
];

function pages(agents, before, show) {
    if (before === undefined && agents.length < LIST) return undefined;
    return el('nav.pager', { 'aria-label': 'Pages of the list' },
        el('button.plain', { type: 'button', disabled: before === undefined, onclick: () => show() }, 'Newest'),
        el('button.plain', { type: 'button', disabled: agents.length < LIST, onclick: () => show(agents.at(-1).id) }, 'Older'));
}

export function showAgent(id) {
    const place = el('div'), acts = el('div');
    const draw = ({ agent }) => fill(place, view(agent, acts, draw));
    fill(place, fetched(() => askOperator('GET', `/agents/${encodeURIComponent(id)}`), ({ agent }) => view(agent, acts, draw)));
    return [el('p', el('a', { href: '#/operator/agents' }, '← All agents')), place];
}

function view(agent, place, draw) {
    const of = (act) => `/agents/${agent.id}/${act}`, again = { place, done: draw };
    const tier = field('Tier', { value: agent.tier, list: 'tiers' });
    return [
        el('h2.name', agent.name),
        agent.description && el('p', agent.description),
        facts([
            ['Agent', hash(agent.id)],
            ['Key', badge(agent.status)],
            ['Trading', badge(agent.trading)],
            ['Tier', agent.requests_per_minute ? `${agent.tier}, ${agent.requests_per_minute} a minute` : agent.tier],
            ['Requests', String(agent.total_requests)],
            ['Swaps', `${agent.swaps_completed} completed, ${agent.swaps_failed} failed, ${agent.swaps_under_way} under way`],
            ['Callback URL', agent.callback_url ?? el('span.muted', 'none')],
            ['Registered', time(agent.created_at)],
            ['Last request', time(agent.last_active_at)],
        ]),
        el('div.row',
            agent.trading === 'stopped'
                ? order('Resume', of('resume'), { ...again, said: 'Resumed', ask: { title: 'Lift the stop?', text: 'The agent may trade again, unless all are stopped.' } })
                : order('Stop', of('stop'), { ...again, said: 'Stopped', ask: { title: 'Stop this agent?', text: 'Nothing is signed for it any more. It can read, and neither delete itself nor change its key, callback or policies.', danger: true } }),
            agent.status === 'banned'
                ? order('Unban', of('unban'), { ...again, said: 'Unbanned', ask: { title: 'Lift the ban?', text: 'Its key opens again what it opened before.' } })
                : order('Ban', of('ban'), { ...again, said: 'Banned', ask: { title: 'Ban this agent?', text: 'Every call with its key is refused, and nothing is signed for it.', danger: true } })),
        el('div.filters', tier.node, el('datalist#tiers', TIER_NAMES.map((value) => el('option', { value }))),
            el('div.row', order('Change tier', of('tier'), { ...again, json: () => ({ tier: tier.input.value.trim() }), said: 'The tier is changed', ask: { title: 'Change the tier?', text: 'Limits and quotas follow with the next request.' } }))),
        place,
        el('p', [['swaps', 'Its swaps'], ['webhooks', 'its webhooks'], ['audit', 'its lines in the audit log']].map(([tab, name], i) => [i > 0 && ' · ', el('a', { href: `#/operator/${tab}/${agent.id}` }, name)])),
    ];
}

export const showLoad = () => [
    el('p.muted', 'Of the host that answers, in this and the last minute.'),
    fetched(() => askOperator('GET', '/load'), ({ agents }) => table('Load', [
        { title: 'Agent', of: ({ agent, name }) => agentLink(agent, name) },
        { title: 'Requests', of: ({ requests }) => String(requests), end: true },
        { title: 'Refused', of: ({ refused }) => String(refused), end: true },
        { title: 'Work', of: ({ work_ms: ms }) => `${ms} ms`, end: true },
    ], agents, empty('No agents', 'No agent has sent a request.'))),
];
