// Owner: webhooks, what was in them, how their delivery went, and sending them again.

import { ask, query } from './api.js';
import { el, fill } from './dom.js';
import {
    action, announce, badge, code, empty, facts, fetched, field, hash, listing, pretty, table, time,
} from './ui.js';

const LIST = 20;

export function showDeliveries() {
    const place = el('div'), list = el('div');
    const show = () => fill(list, listing(
        { status: { label: 'Status', choices: [['', 'All'], 'pending', 'delivered', 'failed'] }, type: { label: 'Event', placeholder: 'swap.completed' } },
        async ({ status, type }, offset) => {
            const { events: items, pagination } = await ask('GET', query('/webhooks', { status, event_type: type.trim(), limit: LIST, offset }));
            return { items, pagination };
        },
        (items) => table('Deliveries', [
            { title: 'Event', of: ({ id, event_type: type }) => el('a', { href: `#/owner/deliveries/${id}` }, type) },
            { title: 'Status', of: ({ status }) => badge(status) },
            { title: 'Attempts', of: ({ attempts }) => String(attempts), end: true },
            { title: 'Answer', of: ({ response_status: status, last_error: error }) => [status ? String(status) : '–', error && el('span.muted', ` ${error}`)] },
            { title: 'Sent to', of: ({ callback_url: url }) => el('span.url', url) },
            { title: 'Created', of: ({ created_at: at }) => time(at) },
        ], items, empty('No deliveries', 'Once the agent has a callback URL, what becomes of its swaps is sent there and listed here.')),
    ));
    show();
    return [
        el('div.row', action('Send a test', async () => {
            const { success, status_code: status, response_time_ms: ms, error } = await ask('POST', '/webhooks/test', { json: {} });
            fill(place, el(`p.note.${success ? 'good' : 'warn'}`, success ? `The receiver took it: ${status} in ${ms} ms.` : `The receiver did not take it: ${error ?? status}.`));
            show();
        }, { place }), recovery(place, show)),
        place, list,
    ];
}

/** Sends again what failed since a moment, after a receiver was away. */
function recovery(place, show) {
    const since = field('Failed since', { type: 'datetime-local', value: localTime(new Date(Date.now() - 24 * 3600 * 1000)) });
    const go = action('Send failed ones again', async () => {
        const { recovered } = await ask('POST', '/webhooks/recover', { json: { since: new Date(since.input.value).toISOString() } });
        fill(place, el('p.note.good', `${recovered} ${recovered === 1 ? 'delivery is' : 'deliveries are'} sent again.`));
        announce(`${recovered} sent again`);
        show();
    }, { place });
    return el('details.inline', el('summary', 'Recovery'), el('div.row', since.node, go));
}

/** As an input has it: local, to the minute. */
const localTime = (date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

export function showDelivery(id) {
    const place = el('div'), message = el('div');
    const show = () => fill(place, fetched(() => ask('GET', `/webhooks/${encodeURIComponent(id)}`), ({ event }) => [
        facts([
            ['Event', event.event_type],
            ['Status', badge(event.status)],
            ['Sent to', event.callback_url],
            ['Created', time(event.created_at)],
            ['Delivered', event.delivered_at && time(event.delivered_at)],
            ['Next attempt', event.next_attempt_at && time(event.next_attempt_at)],
        ]),
        el('h3', 'Attempts'),
        table('Attempts', [
            { title: 'When', of: ({ at }) => time(at) },
            { title: 'Answer', of: ({ response_status: status }) => (status ? String(status) : el('span.muted', 'none')) },
            { title: 'Error', of: ({ error }) => error ?? el('span.muted', '–') },
            { title: 'Took', of: ({ ms }) => `${ms} ms`, end: true },
        ], event.attempt_log ?? [], empty('Not sent yet', 'The first attempt is made within a second or two.')),
        el('h3', 'Body'),
        code(pretty(event.payload), 'Body'),
    ]));
    show();
    const again = action('Redeliver', async () => {
        await ask('POST', `/webhooks/${encodeURIComponent(id)}/redeliver`, { json: {} });
        announce('It is sent again');
        fill(message, el('p.note.good', 'It is sent again.'));
        show();
    }, { place: message, ask: { title: 'Send it again?', text: 'To the present callback URL, with the same id: a careful receiver takes it for a repeat.', button: 'Redeliver' } });
    return [el('p', el('a', { href: '#/owner/deliveries' }, '← All deliveries')), el('div.head', el('h2', hash(id)), again), message, place];
}
