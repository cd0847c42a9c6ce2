// The parts that pages are made of.

import { el, fill, svg } from './dom.js';

const MINUTE_S = 60, HOUR_S = 3600, DAY_S = 86400;
const COPIED_MS = 1600;

// ---------------------------------------------------------------- telling

/** Says something to those who do not see it happen. */
export function announce(text) {
    document.getElementById('live').textContent = text;
}

const TONES = {
    completed: 'good', delivered: 'good', granted: 'good', verified: 'good', active: 'good', ok: 'good',
    failed: 'bad', denied: 'bad', expired: 'bad', banned: 'bad', stopped: 'bad', 'not verified': 'bad',
};

/** A state, by its word; the colour only repeats it. */
export const badge = (status) => el(`span.badge.${TONES[status] ?? 'quiet'}`, String(status));

/** A time as people say it, with the exact one behind. */
export function time(iso) {
    if (!iso) return el('span.muted', '–');
    const date = new Date(iso);
    return el('time', { datetime: iso, title: iso }, date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' }));
}

export function duration(seconds) {
    if (seconds < MINUTE_S) return `${Math.round(seconds)} s`;
    if (seconds < HOUR_S) return `${Math.round(seconds / MINUTE_S)} min`;
    return seconds < DAY_S ? `${Math.round(seconds / HOUR_S)} h` : `${Math.round(seconds / DAY_S)} d`;
}

/** An address or a hash: short to look at, whole to copy. */
export const hash = (text) => (text ? el('span.hash', el('code', { title: text }, text.length > 20 ? `${text.slice(0, 10)}…${text.slice(-6)}` : text), copyButton(text))
    : el('span.muted', '–'));

/** Dollars with their thousands apart; the text stays a text. */
export function dollars(text) {
    const [whole, cents] = String(text).split('.');
    return `$${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${cents ? `.${cents}` : ''}`;
}

export const pretty = (value) => JSON.stringify(value, null, 2);

// ---------------------------------------------------------------- copying

export function copyButton(text, name = 'Copy') {
    const button = el('button.copy', {
        type: 'button',
        'aria-label': name,
        title: name,
        onclick: async () => {
            await navigator.clipboard?.writeText(typeof text === 'function' ? text() : text);
            button.classList.add('done');
            announce('Copied');
            setTimeout(() => button.classList.remove('done'), COPIED_MS);
        },
    }, svg('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, svg('rect', { x: 5.5, y: 5.5, width: 8, height: 8, rx: 2 }), svg('path', { d: 'M10.5 3.5a1.5 1.5 0 0 0-1.5-1H4a1.5 1.5 0 0 0-1.5 1.5v5a1.5 1.5 0 0 0 1 1.5' })));
    return button;
}

/** Text for a terminal or a file, to be copied whole. */
export function code(text, label = 'Example') {
    return el('div.code', el('pre', { tabindex: '0', role: 'group', 'aria-label': label }, el('code', text)), copyButton(text, `Copy: ${label}`));
}

/** A value that is shown this once. */
export const secret = (label, value) => el('div.secret', el('span.label', label), el('div.value', el('code', value), copyButton(value, `Copy: ${label}`)));

/** Pairs of a name and what it stands for; those without a value are left out. */
export const facts = (pairs) => el('dl.facts', pairs.filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => el('div', el('dt', name), el('dd', value))));

// ---------------------------------------------------------------- states of a part

export const empty = (title, text, ...more) => el('div.empty', el('p.title', title), el('p', text), more);

export function failure(error, retry) {
    return el('div.failure', { role: 'alert' },
        el('p.title', error.message),
        error.hint && el('p', error.hint),
        error.fields && el('ul', Object.entries(error.fields).map(([name, text]) => el('li', el('code', name), ` ${text}`))),
        (error.code || error.request) && el('p.muted', error.code && el('code', error.code), error.request && ` · request ${error.request}`),
        retry && el('button.plain', { type: 'button', onclick: retry }, 'Try again'));
}

/** A part that is fetched: shows that it is under way, then what render(value) makes of it, or what went wrong. */
export function fetched(load, render) {
    const place = el('div.fetched');
    const go = async () => {
        place.setAttribute('aria-busy', 'true');
        if (place.childElementCount === 0) fill(place, el('div.skeleton', { 'aria-hidden': 'true' }), el('span.unseen', 'Loading'));
        try {
            fill(place, render(await load(), go));
        } catch (error) {
            fill(place, failure(error, go));
        }
        place.removeAttribute('aria-busy');
    };
    go();
    return place;
}

/** A button that works: it cannot be pressed again meanwhile, and what goes wrong is shown in `place`. `ask` is asked before. */
export function action(name, work, { place, primary = false, ask } = {}) {
    const press = async () => { if (ask === undefined || await confirmed(ask)) run(button, work, place); };
    const button = el(primary ? 'button.primary' : 'button.plain', { type: 'button', onclick: press }, name);
    return button;
}

export async function run(button, work, place) {
    const former = button.getAttribute('aria-busy');
    if (former === 'true') return;
    button.setAttribute('aria-busy', 'true');
    if (place) fill(place);
    try {
        await work();
    } catch (error) {
        if (place) fill(place, failure(error));
        announce(error.message);
    }
    button.removeAttribute('aria-busy');
}

// ---------------------------------------------------------------- forms

let ids = 0;

/** field('API key', { type: 'password' }): a labelled input, as `node` and `input`. With `choices` it is a list, with `rows` a text. */
export function field(label, { choices, rows, hint, value, ...attributes } = {}) {
    const id = `field-${++ids}`;
    const all = { id, 'aria-describedby': hint && `${id}-hint`, autocomplete: 'off', spellcheck: 'false', ...attributes };
    const input = choices ? el('select', all, choices.map((choice) => option(choice, value))) : el(rows ? 'textarea' : 'input', rows ? { ...all, rows } : { type: 'text', ...all });
    if (!choices && value !== undefined) input.value = value;
    return { input, node: el('div.field', el('label', { for: id }, label), input, hint && el('p.hint', { id: `${id}-hint` }, hint)) };
}

const option = (choice, value) => {
    const [key, name] = Array.isArray(choice) ? choice : [choice, choice];
    return el('option', { value: key, selected: key === value }, name);
};

/** A form that Enter and its button submit alike. */
export function form(submit, ...children) {
    return el('form', { novalidate: true, onsubmit: (event) => { event.preventDefault(); submit(event); } }, children);
}

// ---------------------------------------------------------------- lists

/** columns: [{ title, of: (row) => node, wide }]. On narrow screens each row is a card of its own. */
export function table(caption, columns, rows, nothing) {
    if (rows.length === 0) return nothing ?? empty('Nothing here yet', 'What there is will be listed here.');
    return el('div.scroll', el('table',
        el('caption.unseen', caption),
        el('thead', el('tr', columns.map(({ title, end }) => el(end ? 'th.end' : 'th', { scope: 'col' }, title)))),
        el('tbody', rows.map((row) => el('tr', columns.map(({ title, of, end }) => el(end ? 'td.end' : 'td', { 'data-title': title }, el('div', of(row)))))))));
}

/** "1–20 of 57", and the ways on. */
export function pager({ total, limit, offset, has_more: more }, go) {
    if (total <= limit) return undefined;
    return el('nav.pager', { 'aria-label': 'Pages of the list' },
        el('span.muted', `${offset + 1}–${Math.min(offset + limit, total)} of ${total}`),
        el('button.plain', { type: 'button', disabled: offset === 0, onclick: () => go(Math.max(0, offset - limit)) }, 'Newer'),
        el('button.plain', { type: 'button', disabled: !more, onclick: () => go(offset + limit) }, 'Older'));
}

/** A list by pages with filters: load(values, offset) → { items, pagination }, render(items) → node. */
export function listing(filters, load, render) {
    let offset = 0;
    const place = el('div');
    const fields = Object.entries(filters).map(([name, { label, ...more }]) => [name, field(label, more)]);
    const values = () => Object.fromEntries(fields.map(([name, { input }]) => [name, input.value]));
    const show = () => fill(place, fetched(() => load(values(), offset), ({ items, pagination }) => [
        render(items, show), pager(pagination, (next) => { offset = next; show(); }),
    ]));
    for (const [, { input }] of fields) input.addEventListener('change', () => { offset = 0; show(); });
    show();
    return el('div.listing', fields.length > 0 && el('div.filters', fields.map(([, { node }]) => node)), place);
}

// ---------------------------------------------------------------- what happened

/** events: [{ at, title, status, more }], the oldest first. */
export const timeline = (events) => el('ol.timeline', events.map(({ at, title, status, more }) => el('li', { class: TONES[status] ?? 'quiet' },
    el('div.head', el('span.title', title), status && badge(status), at && time(at)), more && el('div.more', more))));

// ---------------------------------------------------------------- asking back

/** Resolves to whether it was confirmed. With `word`, that has to be typed first. */
export function confirmed({ title, text, word, button }) {
    return new Promise((resolve) => {
        const typed = word && field(`Type ${word} to confirm`, { required: true });
        const go = el('button.primary.danger', { type: 'submit', disabled: Boolean(word) }, button);
        const dialog = el('dialog', { 'aria-labelledby': 'dialog-title' }, form(() => { if (!go.disabled) dialog.close('yes'); },
            el('h2#dialog-title', title), el('p', text), typed?.node,
            el('div.row.end', el('button.plain', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), go)));
        typed?.input.addEventListener('input', () => { go.disabled = typed.input.value.trim() !== word; });
        dialog.addEventListener('close', () => {
            dialog.remove();
            resolve(dialog.returnValue === 'yes');
        });
        document.body.append(dialog);
        dialog.showModal();
    });
}
