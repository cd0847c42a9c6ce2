// Operator: programs, jobs, chains with their nodes, and what waits.

import { el, fill } from './dom.js';
import { askOperator } from './operator-session.js';
import {
    badge, duration, empty, fetched, table, time,
} from './ui.js';

export function showStatus() {
    const place = el('div');
    const show = () => fill(place, queuesPart(), statusPart());
    show();
    return [el('div.row', el('button.plain', { type: 'button', onclick: show }, 'Look again')), place];
}

const state = (ok) => badge(ok ? 'ok' : 'failed');

const statusPart = () => fetched(() => askOperator('GET', '/status'), ({ parts, troubles, nodes }) => [
    el('h2', 'Programs and chains'),
    table('Programs and chains', [
        { title: 'Part', of: ({ name }) => name },
        { title: 'State', of: ({ ok }) => state(ok) },
        { title: 'What it does', of: ({ detail }) => detail },
    ], parts),
    el('h2', 'Troubles'),
    table('Troubles', [
        { title: 'Event', of: ({ event }) => el('code', event) },
        { title: 'Since', of: ({ since }) => time(since) },
        { title: 'Times', of: ({ count }) => String(count), end: true },
        { title: 'What', of: ({ detail }) => detail },
    ], troubles, empty('No troubles', 'This host’s logs have nothing that is not over.')),
    el('h2', 'Nodes'),
    table('Nodes', [
        { title: 'Chain', of: ({ chain }) => chain },
        { title: 'Node', of: ({ place, host }) => `${place}. ${host}` },
        { title: 'State', of: ({ fresh, error }) => [state(fresh), error && ` ${error}`] },
        { title: 'Answered in', of: ({ latency_ms: ms }) => `${ms} ms`, end: true },
        { title: 'Block', of: ({ head }) => String(head), end: true },
        { title: 'Its age', of: ({ age_s: age }) => (age === null ? '–' : duration(age)), end: true },
    ], nodes, empty('No nodes', 'The settings name none.')),
]);

const queuesPart = () => fetched(() => askOperator('GET', '/queues'), ({ queues, jobs }) => [
    el('h2', 'Queues'),
    table('Queues', [
        { title: 'Queue', of: ({ name }) => name },
        { title: 'Waiting', of: ({ waiting }) => String(waiting), end: true },
        { title: 'Oldest', of: ({ waiting, oldest_s: s }) => (waiting ? duration(s) : '–'), end: true },
        { title: 'Overdue', of: ({ overdue_s: s }) => (s > 0 ? duration(s) : '–'), end: true },
        { title: 'Met last', of: ({ host, error }) => (error ? `${host}: ${error}` : '–') },
    ], queues),
    el('h2', 'Jobs'),
    table('Jobs', [
        { title: 'Job', of: ({ name }) => name },
        { title: 'Did its work', of: ({ done_at: at }) => time(at) },
        { title: 'Failed', of: ({ failed_at: at }) => time(at) },
    ], jobs, empty('No jobs', 'None has ever run.')),
]);
