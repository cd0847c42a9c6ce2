// The sandbox's door: what a service does wrong, for tests.
//   POST /_sandbox {"service", "fault", "times", "value", "path"}
//                           from now on; `times` requests, or until it is taken back; those whose path begins so, or all
//   GET /_sandbox           services, their faults, what is set, how many requests there were
//   DELETE /_sandbox        all honest again
//   GET /_sandbox/audit     requests seen with their bodies, how they were answered, and why they were refused

import { send, sendEndless, sendHalf } from './answers.mjs';

const AUDIT_MAX = 10000;

/** What any service can do wrong: (response, answer, value) in place of sending the answer. */
const FAULTS = {
    stall: () => {}, // never answers; the caller gives up
    lost_answer: (response) => response.destroy(),
    http_429: (response, answer, value) => send(response, { status: 429, json: { error: 'Too Many Requests' }, headers: { 'Retry-After': String(value ?? 1) } }),
    http_500: (response) => send(response, { status: 500, json: { error: 'internal' } }),
    garbage: (response) => response.end('<html>Bad gateway</html>'),
    half_answer: sendHalf,
    endless: sendEndless,
};
/** Those whose work is done all the same. */
const AFTER_WORK = ['lost_answer', 'half_answer'];

export class Door {
    #services;
    #set = [];
    #audit = [];
    #counts = {};

    constructor(services) {
        this.#services = services;
    }

    /** A request to the door itself. */
    answer({ method, path, query, body }) {
        if (path === '/audit') return { json: this.#audit.filter(({ service }) => !query.has('service') || service === query.get('service')) };
        if (path !== '/') return { status: 404, json: { error: 'no such door' } };
        if (method === 'GET') return { json: this.#state() };
        if (method === 'DELETE') {
            this.#set = [];
            return { json: this.#state() };
        }
        return method === 'POST' ? this.#add(body) : { status: 405, json: { error: 'GET, POST or DELETE' } };
    }

    /** A request to a service: its answer, unless something is wrong with that. */
    async pass(service, call, response, work) {
        const wrong = this.#take(service, call.path);
        const seen = { service, method: call.method, path: call.path, body: call.body.toString(), fault: wrong?.fault };
        this.#counts[service] = (this.#counts[service] ?? 0) + 1;
        this.#audit.push(seen);
        if (this.#audit.length > AUDIT_MAX) this.#audit.shift();
        if (wrong !== undefined && !AFTER_WORK.includes(wrong.fault)) return FAULTS[wrong.fault](response, undefined, wrong.value);
        const answer = await work();
        Object.assign(seen, { status: answer.status ?? 200, refused: answer.refused });
        return wrong === undefined ? send(response, answer) : FAULTS[wrong.fault](response, answer, wrong.value);
    }

    #faultsOf(service) {
        return Object.keys(FAULTS).concat(this.#services[service].faults ?? []);
    }

    #state() {
        return {
            services: Object.keys(this.#services).map((name) => ({
                name,
                faults: this.#faultsOf(name),
                set: this.#set.filter(({ service }) => service === name),
                requests: this.#counts[name] ?? 0,
            })),
        };
    }

    #add(body) {
        let wanted;
        try {
            wanted = JSON.parse(body);
        } catch {
            return { status: 400, json: { error: 'not JSON' } };
        }
        const { service, fault, times, value, path = '' } = wanted;
        if (this.#services[service] === undefined) return { status: 400, json: { error: `no service ${service}` } };
        if (!this.#faultsOf(service).includes(fault)) return { status: 400, json: { error: `${service} has no fault ${fault}` } };
        this.#set.push({ service, fault, times, value, path });
        return { json: this.#state() };
    }

    /** The first fault that is set for the request, one time less. */
    #take(service, path) {
        const wrong = this.#set.find((each) => each.service === service && each.fault in FAULTS && path.startsWith(each.path));
        if (wrong?.times === undefined) return wrong;
        wrong.times -= 1;
        if (wrong.times <= 0) this.#set.splice(this.#set.indexOf(wrong), 1);
        return wrong;
    }
}
