// The sandbox's door: what a service does wrong, for tests.
//   POST /_sandbox {"service", "fault", "times", "value", "method", "path"}   from now on; `times` requests, or until it is
//                           taken back; method and path: only such requests, of faults that any service has; wallet: only
//                           what names that address, or has that text in its path, query or body, or in what is noted of it
//   POST /_sandbox {"service", "fault", "value"}    with an act in place of a fault: done once, at once
//   GET /_sandbox           services, their faults and acts, what is set, how many requests there were
//   DELETE /_sandbox?wallet=ADDRESS   all honest again, or all to that wallet
//   GET /_sandbox/audit     requests seen with their bodies, what was verified of them, and why they were refused
//   GET /_sandbox/audit/TABLE?service=NAME   what the service itself notes under that name

import { AsyncLocalStorage } from 'node:async_hooks';
import { send, sendEndless, sendHalf } from './answers.mjs';

const AUDIT_MAX = 10000;

/** What any service can do wrong: (response, answer, value) in place of sending the answer. */
const FAULTS = {
    stall: () => {}, // never answers; the caller gives up
    lost_answer: (response) => response.destroy(),
    slow: (response, answer, value) => setTimeout(() => send(response, answer), value ?? 1000), // `value` in milliseconds
    twice: send, // carried out twice, as if it had come again; answered for the second time
    http_429: (response, answer, value) => send(response, { status: 429, json: { error: 'Too Many Requests' }, headers: { 'Retry-After': String(value ?? 1) } }),
    http_401: (response) => send(response, { status: 401, json: { error: 'Unauthorized' } }),
    http_404: (response) => send(response, { status: 404, json: { message: 'no Route matched with those values' } }),
    http_410: (response) => send(response, { status: 410, json: { detail: 'Service Ended' } }),
    blocked: (response) => { response.writeHead(403, { 'Content-Type': 'text/html' }).end('<!DOCTYPE html><title>Just a moment...</title>'); },
    http_500: (response) => send(response, { status: 500, json: { error: 'internal' } }),
    garbage: (response) => response.end('<html>Bad gateway</html>'),
    half_answer: sendHalf,
    endless: sendEndless,
    huge: (response) => response.end(`"${'x'.repeat(20 * 1024 * 1024)}"`),
    maintenance: (response) => send(response, { status: 503, json: { message: 'Scheduled maintenance' }, headers: { 'Retry-After': '3600' } }),
    // What drifts, in an answer that is else as it was; `value` says which member, or which headers.
    retyped: (response, answer, value) => send(response, changed(answer, value, (at, name) => { at[name] = typeof at[name] === 'string' ? Number(at[name]) || 1 : String(at[name]); })),
    dropped: (response, answer, value) => send(response, changed(answer, value, (at, name) => { delete at[name]; })),
    named_twice: (response, { status, json, text = JSON.stringify(json) }) => send(response, { status, text: text.replace(/^\{("[^"]*":)/, '{$1null,$1') }),
    headers: (response, answer, value) => send(response, { ...answer, headers: { ...answer.headers, ...value } }),
    clock: (response, answer, value) => send(response, { ...answer, headers: { ...answer.headers, Date: new Date(Date.now() + 1000 * value).toUTCString() } }),
    says: (response, answer, value) => send(response, { ...answer, text: undefined, json: { ...parsed(answer), note: value } }), // another member
};
/** Those whose work is done all the same. */
const AFTER_WORK = ['lost_answer', 'slow', 'twice', 'half_answer', 'retyped', 'dropped', 'named_twice', 'headers', 'clock', 'says'];

const parsed = ({ json, text }) => JSON.parse(text ?? JSON.stringify(json));

/** The answer with `change` made at the member of this path, such as "data.amountOut". */
function changed(answer, path, change) {
    const json = parsed(answer);
    const names = path.split('.');
    const last = names.pop();
    const at = names.reduce((each, name) => each?.[name], json);
    if (at?.[last] !== undefined) change(at, last);
    return { ...answer, text: undefined, json };
}

export class Door {
    #services = {};
    #set = [];
    #audit = [];
    #counts = {};
    #asked = new AsyncLocalStorage(); // the text of the request that is being answered

    /**
     * A service: answer(call), and what it has beyond that: its own `faults`, by name; `acts`, by name functions of a
     * value; `audit`, by name functions that give a list; note(call), which sees each request before any fault does and
     * gives what to write down of it.
     */
    add(name, service) {
        this.#services[name] = service;
    }

    /**
     * Tells a service whether it has to do something wrong now, at a path of its own if it says so: { value } if so. With
     * `named`, only what names that path is meant; `about` is a text with the wallets that it concerns.
     */
    wrongs(service) {
        return (fault, path, { named = false, about } = {}) => this.#take((each) => each.service === service && each.fault === fault
            && (named ? each.path : each.path ?? path) === path && names(about ?? this.#asked.getStore() ?? path, each.wallet));
    }

    /** A request to the door itself. */
    async answer({ method, path, query, body }) {
        const [, page, table] = path.split('/');
        if (page === 'audit' && table !== undefined) return this.#auditOf(query.get('service'), table);
        if (page === 'audit') return { json: this.#audit.filter(({ service }) => !query.has('service') || service === query.get('service')) };
        if (page !== '') return { status: 404, json: { error: 'no such door' } };
        if (method === 'GET') return { json: this.#state() };
        if (method === 'DELETE') {
            const wallet = query.get('wallet');
            this.#set = this.#set.filter((each) => wallet !== null && each.wallet !== wallet);
            return { json: this.#state() };
        }
        return method === 'POST' ? this.#post(body) : { status: 405, json: { error: 'GET, POST or DELETE' } };
    }

    /** A request to a service: its answer, unless something is wrong with that. */
    async pass(name, call, response) {
        const service = this.#services[name];
        if (service === undefined) return send(response, { status: 404, json: { error: `no service ${name}` } });
        const noted = service.note?.(call);
        const text = `${call.path}?${call.query} ${call.body} ${Object.values(noted ?? {}).join(' ')}`;
        const wrong = this.#take((each) => each.service === name && each.fault in FAULTS && concerns(each, call) && names(text, each.wallet));
        const seen = { service: name, method: call.method, path: call.path, body: call.body.toString(), fault: wrong?.fault, ...noted };
        this.#counts[name] = (this.#counts[name] ?? 0) + 1;
        this.#audit.push(seen);
        if (this.#audit.length > AUDIT_MAX) this.#audit.shift();
        if (wrong !== undefined && !AFTER_WORK.includes(wrong.fault)) return FAULTS[wrong.fault](response, undefined, wrong.value);
        const work = () => this.#asked.run(text, () => service.answer({ ...call, seen }));
        if (wrong?.fault === 'twice') await work();
        const answer = await work();
        Object.assign(seen, { status: answer.status ?? 200, refused: answer.refused });
        return wrong === undefined ? send(response, answer) : FAULTS[wrong.fault](response, answer, wrong.value);
    }

    #auditOf(name, table) {
        const list = this.#services[name]?.audit?.[table];
        return list === undefined ? { status: 404, json: { error: `${name} notes no ${table}` } } : { json: list() };
    }

    #faultsOf(service) {
        return Object.keys(FAULTS).concat(this.#services[service].faults ?? []);
    }

    #state() {
        return {
            services: Object.keys(this.#services).map((name) => ({
                name,
                faults: this.#faultsOf(name),
                acts: Object.keys(this.#services[name].acts ?? {}),
                set: this.#set.filter(({ service }) => service === name),
                requests: this.#counts[name] ?? 0,
            })),
        };
    }

    async #post(body) {
        let wanted;
        try {
            wanted = JSON.parse(body);
        } catch {
            return { status: 400, json: { error: 'not JSON' } };
        }
        const { service, fault, times, value, method, path, wallet } = wanted;
        if (this.#services[service] === undefined) return { status: 400, json: { error: `no service ${service}` } };
        const act = this.#services[service].acts?.[fault];
        if (act !== undefined) return this.#act(act, value);
        if (!this.#faultsOf(service).includes(fault)) return { status: 400, json: { error: `${service} has no fault ${fault}` } };
        this.#set.push({ service, fault, times, value, method, path, wallet });
        return { json: this.#state() };
    }

    async #act(act, value) {
        try {
            return { json: { ...this.#state(), done: await act(value) } };
        } catch (error) {
            return { status: 400, json: { error: error.message } };
        }
    }

    /** The first fault that fits, one time less. */
    #take(fits) {
        const wrong = this.#set.find(fits);
        if (wrong?.times === undefined) return wrong;
        wrong.times -= 1;
        if (wrong.times <= 0) this.#set.splice(this.#set.indexOf(wrong), 1);
        return wrong;
    }
}

/** Whether a text names a wallet; any does where none is given. */
function names(text, wallet) {
    return wallet === undefined || (text ?? '').toLowerCase().includes(wallet.toLowerCase());
}

/** Whether a fault is meant for a request. */
function concerns({ method, path }, call) {
    if (method !== undefined && method !== call.method) return false;
    return path === undefined || call.path === path || call.path.startsWith(`${path}/`);
}
