// API reference: every operation as the service itself describes it (OpenAPI), each to be tried with the tab's key.

import {
    ROOT, description, exchange, session, address,
} from './api.js';
import { el, fill } from './dom.js';
import { ERRORS } from './errors.js';
import { curl, javascript, python } from './snippets.js';
import {
    announce, badge, code, confirmed, empty, failure, fetched, field, form, pretty, run, table,
} from './ui.js';

const LANGUAGES = [['curl', curl], ['JavaScript', javascript], ['Python', python]];
const ENDS = { deleteMe: 'delete', rotateApiKey: 'rotate', deactivateMe: 'deactivate' }; // asked twice before they are tried
const MESSAGES_SHOWN = 3;

export function showReference([page = '', name]) {
    const place = el('div.reference', fetched(description, (api) => [sidebar(api, page, name), el('article.page', PAGES[page]?.(api, name) ?? overview(api))]));
    return place;
}

const PAGES = {
    '': overview,
    errors: errorCodes,
    mcp: mcpSettings,
    op: (api, name) => {
        const found = operationsOf(api).find(({ operationId }) => operationId === name);
        return found ? operation(api, found) : empty('No such operation', 'The list has all that there are.');
    },
};

/** [{ method, path, ...operation }] in the document's order. */
const operationsOf = ({ paths }) => Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, each]) => ({ method: method.toUpperCase(), path, ...each })));

/** What a "#/components/…" leads to, or the thing itself. */
function resolved(api, thing) {
    if (!thing?.$ref) return thing;
    return thing.$ref.slice(2).split('/').reduce((at, part) => at[part], api);
}

// ---------------------------------------------------------------- the list

const kept = { wanted: '', top: 0 }; // of the list, while its links are followed

function sidebar(api, page, name) {
    const filter = field('Find an operation', { type: 'search', placeholder: 'quote, wallet, webhook …', value: kept.wanted });
    const lists = el('div');
    const draw = () => {
        kept.wanted = filter.input.value;
        fill(lists, groups(api, kept.wanted.trim().toLowerCase(), page, name));
    };
    filter.input.addEventListener('input', draw);
    draw();
    const side = el('aside.side', { onscroll: () => { if (side.isConnected) kept.top = side.scrollTop; } }, el('details', { open: matchMedia('(min-width: 860px)').matches }, el('summary', 'All operations'), el('nav', { 'aria-label': 'API reference' },
        el('ul', [['#/reference', 'Begin here', ''], ['#/reference/errors', 'Error codes', 'errors'], ['#/reference/mcp', 'MCP and A2A', 'mcp']].map(([href, title, key]) => el('li', el('a', { href, 'aria-current': key === page && 'page' }, title)))),
        filter.node, lists)));
    const { top } = kept;
    requestAnimationFrame(() => { side.scrollTop = top; });
    return side;
}

function groups(api, wanted, page, name) {
    const fits = ({ method, path, summary }) => `${method} ${path} ${summary}`.toLowerCase().includes(wanted);
    const found = operationsOf(api).filter(fits);
    if (found.length === 0) return empty('Nothing fits', 'Try a shorter word.');
    return [...new Set(found.map(({ tags: [tag] }) => tag))].map((tag) => [
        el('h2', tag),
        el('ul', found.filter(({ tags }) => tags[0] === tag).map(({ operationId, method, summary }) => el('li', el('a', { href: `#/reference/op/${operationId}`, 'aria-current': page === 'op' && operationId === name && 'page' },
            el(`span.method.${method.toLowerCase()}`, method), summary)))),
    ]);
}

// ---------------------------------------------------------------- pages of text

function overview(api) {
    return [
        el('h1', 'API reference'),
        el('p.lead', api.info.description),
        el('h2', 'Address and key'),
        el('p', 'All paths are below this address. All but the public calls carry a key, which ', el('a', { href: '#/reference/op/registerAgent' }, 'POST /register'), ' gives once.'),
        code(`${address('')}\n\nAuthorization: Bearer <API_KEY>`, 'Address and header'),
        keyField(),
        el('h2', 'Answers'),
        el('p', 'Bodies are JSON. Success has ', el('code', '"success": true'), '. A refusal says what was wrong for people, for programs, and what to do:'),
        code(pretty({ success: false, error: 'Unknown chain \'ethereun\'', error_code: 'CHAIN_UNSUPPORTED', hint: 'GET /chains lists the keys' }), 'A refusal'),
        el('p', 'Amounts are decimal strings in human units, never in smallest ones. Branch on ', el('code', 'error_code'), '; the ', el('a', { href: '#/reference/errors' }, 'list of all codes'), ' says what each means.'),
        el('h2', 'Once'),
        el('p', 'Send an ', el('code', 'Idempotency-Key'), ' with calls that create or move something: repeats get the first success again, for 24 hours.'),
    ];
}

/** The key with which operations are tried here. */
function keyField() {
    const key = field('API key for trying operations', { type: 'password', value: session.key, placeholder: 'svc_sk_…', hint: 'It stays in the memory of this tab, and is gone with it.' });
    key.input.addEventListener('change', () => { session.key = key.input.value.trim() || undefined; });
    return form(() => {}, key.node);
}

function errorCodes(api) {
    const messages = messagesOf(api);
    return [
        el('h1', 'Error codes'),
        el('p.lead', 'What each means, and what helps. The ', el('code', 'hint'), ' of an answer knows more of the case at hand.'),
        table('Error codes', [
            { title: 'Code', of: ([name]) => [el('code', name), statusesOf(messages, name)] },
            { title: 'Meaning', of: ([name, meaning]) => [el('p', meaning), messageList(messages.get(name)?.texts)] },
            { title: 'Remedy', of: ([, , remedy]) => prose(remedy) },
        ], ERRORS),
    ];
}

const statusesOf = (messages, name) => messages.has(name) && el('div.muted', `${[...messages.get(name).statuses].join(', ')}`);

function messageList(texts = new Set()) {
    if (texts.size === 0) return undefined;
    const items = [...texts].map((text) => el('li', text));
    if (texts.size <= MESSAGES_SHOWN) return el('ul.messages', items);
    return el('details', el('summary', `${texts.size} messages`), el('ul.messages', items));
}

/** Text with `code` in it. */
const prose = (text = '') => text.split(/`([^`]*)`/).map((part, i) => (i % 2 === 1 ? el('code', part) : part));

/** code → { statuses, texts }, from all examples of the document. */
function messagesOf(api) {
    const found = new Map();
    for (const each of operationsOf(api)) {
        for (const { status, value } of examplesOf(api, each)) {
            if (!found.has(value.error_code)) found.set(value.error_code, { statuses: new Set(), texts: new Set() });
            found.get(value.error_code).statuses.add(status);
            found.get(value.error_code).texts.add(value.error);
        }
    }
    return found;
}

const examplesOf = (api, { responses }) => Object.entries(responses).filter(([status]) => status >= '400').flatMap(([status, response]) => Object.values(resolved(api, response).content['application/json'].examples)
    .map(({ value }) => ({ status, value })));

function mcpSettings() {
    const key = 'svc_sk_…';
    return [
        el('h1', 'MCP and A2A'),
        el('p.lead', 'The same operations, checks and limits for language models and for other agents.'),
        el('h2', 'Settings of an MCP host'),
        el('p', 'A host that reads ', el('code', 'mcpServers'), ' takes this as it is, with your key in place of the dots:'),
        code(pretty({ mcpServers: { gateway: { type: 'http', url: String(new URL('mcp', ROOT)), headers: { Authorization: `Bearer ${key}` } } } }), 'Settings of an MCP host'),
        el('p', 'Without a key there are the lists, the documents, and the tool that registers an agent.'),
        el('h2', 'A2A'),
        el('p', 'Other agents find the card at the first address, and talk to the second.'),
        code(`${new URL('.well-known/agent-card.json', ROOT)}\n${new URL('a2a', ROOT)}`, 'Addresses of A2A'),
    ];
}

// ---------------------------------------------------------------- one operation

function operation(api, each) {
    const { method, path, summary, description: about, operationId } = each;
    const open = each.security?.length === 0;
    return [
        el('h1', summary),
        el('p.path', el(`span.method.${method.toLowerCase()}`, method), el('code', path), open && badge('no key needed')),
        el('p.lead', prose(about)),
        parametersOf(api, each),
        tryIt(api, each, operationId),
        answersOf(api, each),
        errorsOf(api, each),
    ];
}

const typeOf = ({ type, enum: choices, format }) => (choices ? choices.join(' · ') : [[].concat(type ?? 'any').join(' or '), format].filter(Boolean).join(', '));

const bodyOf = (api, { requestBody }) => requestBody?.content['application/json'];

function parametersOf(api, each) {
    const schema = resolved(api, bodyOf(api, each)?.schema);
    const rows = [
        ...(each.parameters ?? []).map(({ name, in: place, required, description: about, schema: shape }) => ({ name, place, required, about, shape })),
        ...Object.entries(schema?.properties ?? {}).map(([name, shape]) => ({ name, place: 'body', required: schema.required?.includes(name), about: shape.description, shape: resolved(api, shape) })),
    ];
    if (rows.length === 0) return el('p.muted', 'It takes no parameters.');
    return [el('h2', 'Parameters'), table('Parameters', [
        { title: 'Name', of: ({ name, required }) => [el('code', name), required && [' ', badge('required')]] },
        { title: 'In', of: ({ place }) => place },
        { title: 'Type', of: ({ shape }) => [typeOf(shape), shape.default !== undefined && el('span.muted', `, default ${shape.default}`)] },
        { title: 'What it is', of: ({ about }) => prose(about) },
    ], rows)];
}

/** The form of a call, the same call in each language, and the answer. */
function tryIt(api, each, operationId) {
    const inputs = (each.parameters ?? []).map((parameter) => ({ parameter, ...parameterField(parameter) }));
    const content = bodyOf(api, each);
    const body = content && field('Body', { rows: Math.min(14, pretty(content.example).split('\n').length + 1), value: pretty(content.example) });
    const snippet = el('div'), place = el('div'), answer = el('div', { 'aria-live': 'polite' });
    const language = field('Language', { choices: LANGUAGES.map(([name]) => name) });
    const draw = () => {
        const { value: request, error } = requestOf(each, inputs, body);
        fill(snippet, error ? failure({ message: error }) : code(LANGUAGES.find(([name]) => name === language.input.value)[1](request), `In ${language.input.value}`));
    };
    const send = el('button.primary', { type: 'submit' }, 'Send');
    const word = ENDS[operationId];
    const meant = async () => word === undefined || confirmed({ title: `${each.summary}?`, text: 'This is done to the agent whose key this tab has.', word, button: each.summary });
    const go = async () => {
        const { value: request, error } = requestOf(each, inputs, body);
        if (error) throw new Error(error);
        fill(answer, showAnswer(await sendRequest(request, operationId)));
    };
    const all = form(async () => { if (await meant()) run(send, go, place); }, inputs.length > 0 && el('div.fields', inputs.map(({ node }) => node)), body?.node, place, el('div.row', send, keyState(each)));
    for (const event of ['input', 'change']) all.addEventListener(event, draw);
    language.input.addEventListener('change', draw);
    draw();
    return [el('h2', 'Try it'), el('div.columns', el('div', all, answer), el('div', language.node, snippet))];
}

function keyState({ security }) {
    if (security?.length === 0) return undefined;
    return session.key ? el('span.muted', 'with the key of this tab') : el('span.muted', 'without a key: ', el('a', { href: '#/owner' }, 'sign in'), ' or ', el('a', { href: '#/first-swap' }, 'register'));
}

function parameterField({ name, required, schema, example, in: place, description: about }) {
    const choices = schema.enum && ['', ...schema.enum];
    return field(name, { choices, required, value: required && place !== 'path' ? String(example ?? '') : '', placeholder: choices ? undefined : String(example ?? schema.default ?? ''), hint: about?.split('. ')[0] });
}

/** { value: the request } or { error } where something is not written as it must be. */
function requestOf({ method, path, security }, inputs, body) {
    const valued = inputs.map(({ parameter, input }) => ({ ...parameter, value: input.value.trim() || (parameter.in === 'path' ? `{${parameter.name}}` : '') })).filter(({ value }) => value !== '');
    const of = (place) => valued.filter((each) => each.in === place);
    const filled = of('path').reduce((at, { name, value }) => at.replace(`{${name}}`, encodeURIComponent(value)), path);
    const search = new URLSearchParams(of('query').map(({ name, value }) => [name, value]));
    const url = address(filled + (search.size > 0 ? `?${search}` : ''));
    const headers = Object.fromEntries(of('header').map(({ name, value }) => [name, value]));
    try {
        return { value: { method, url, key: security?.length !== 0, headers, body: body && JSON.parse(body.input.value || '{}') } };
    } catch {
        return { error: 'The body is not JSON' };
    }
}

async function sendRequest({ method, url, key, headers, body }, operationId) {
    const answer = await exchange(method, url, { token: key ? session.key : undefined, json: body ?? (method === 'POST' ? {} : undefined), headers });
    announce(`The service answered ${answer.status}`);
    if (operationId === 'rotateApiKey' && answer.body?.api_key) session.key = answer.body.api_key;
    if (operationId === 'registerAgent' && answer.body?.agent) session.key ??= answer.body.agent.api_key;
    return answer;
}

function showAnswer({ status, headers, text, body, ms }) {
    const limits = ['RateLimit', 'Retry-After', 'X-Request-Id'].filter((name) => headers.has(name));
    return el('div.answer', el('p.row', el(`span.badge.${status < 400 ? 'good' : 'bad'}`, String(status)), el('span.muted', `${ms} ms`)),
        code(body === undefined ? text || '(no body)' : pretty(body), 'Answer'),
        el('p.muted', limits.map((name) => el('span.header', `${name}: ${headers.get(name)}`))));
}

function answersOf(api, { responses }) {
    const good = Object.entries(responses).filter(([status]) => status < '400');
    return [el('h2', 'Answers'), good.map(([status, response]) => {
        const { description: about, content } = resolved(api, response);
        const example = content?.['application/json'].example;
        return el('details', { open: status === good[0][0] }, el('summary', el('span.badge.good', status), ` ${about}`), example && code(pretty(example), `Answer ${status}`));
    })];
}

function errorsOf(api, each) {
    return [el('h2', 'Errors'), table('Errors', [
        { title: 'Status', of: ({ status }) => status },
        { title: 'Code', of: ({ value }) => el('code', value.error_code) },
        { title: 'Message', of: ({ value }) => value.error },
        { title: 'Hint', of: ({ value }) => value.hint ?? el('span.muted', '–') },
    ], examplesOf(api, each))];
}
