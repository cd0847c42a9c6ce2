// What the sandbox does for visitors of the console, who have neither coins nor a receiver of webhooks. The web server passes
// /sandbox/ on to it:
//
//   GET  /sandbox/                 { sandbox: true, chains: [...] }, by which the console knows where it is
//   POST /sandbox/fund             { address, chain }: coins and dollars on that chain; answers { given: [{ symbol, amount }] }
//   POST /sandbox/callbacks        a new receiver: { url, for callback_url; path, where to read what came }
//   GET  /sandbox/callbacks/ID     { deliveries: [{ received_at, headers, body }] }, the oldest first
//   POST /sandbox/callbacks/ID     a webhook
//
// What was received is kept while this process lives: as much as a visitor looks at.

import { randomUUID } from 'node:crypto';
import { fund, isAddressOf } from '../funding.mjs';
import { Refusal } from './refusal.mjs';

const RECEIVERS_MAX = 1000;
const DELIVERIES_MAX = 50;
const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

export class Desk {
    #chains;
    #base;
    #receivers = new Map(); // id → deliveries

    /** `chains` with their names and URLs; `base` is where webhooks reach this service. */
    constructor({ chains, base }) {
        this.#chains = chains;
        this.#base = base;
    }

    async answer({ method, path, headers, body }) {
        try {
            return await this.#route(method, path, headers, body);
        } catch (error) {
            if (error instanceof Refusal) return error.answer;
            throw error;
        }
    }

    #route(method, path, headers, body) {
        const [, page, id] = path.split('/');
        const call = `${method} /${page}`;
        if (call === 'GET /') return { json: { sandbox: true, chains: this.#chains.map(({ name }) => name) } };
        if (call === 'POST /fund') return this.#fund(objectOf(body));
        if (call === 'POST /callbacks' && id === undefined) return this.#open();
        if (page !== 'callbacks' || !this.#receivers.has(id)) throw new Refusal(404, 'not found');
        return method === 'POST' ? this.#receive(id, headers, body) : { json: { deliveries: this.#receivers.get(id) } };
    }

    async #fund({ address, chain: name }) {
        const chain = this.#chains.find((each) => each.name === name);
        if (chain === undefined) throw new Refusal(400, 'no such chain in this sandbox');
        if (typeof address !== 'string' || !isAddressOf(name, address)) throw new Refusal(400, 'no address of that chain');
        return { json: { given: await fund(name, chain.url, address) } };
    }

    #open() {
        const id = randomUUID();
        this.#receivers.set(id, []);
        if (this.#receivers.size > RECEIVERS_MAX) this.#receivers.delete(this.#receivers.keys().next().value);
        return { status: 201, json: { url: `${this.#base}/sandbox/callbacks/${id}`, path: `/sandbox/callbacks/${id}` } };
    }

    /** The body as it came: the signature is made over its bytes. */
    #receive(id, headers, body) {
        const deliveries = this.#receivers.get(id);
        deliveries.push({
            received_at: new Date().toISOString(),
            headers: Object.fromEntries(SIGNED.map((name) => [name, headers[name]])),
            body: body.toString(),
        });
        if (deliveries.length > DELIVERIES_MAX) deliveries.shift();
        return { json: {} };
    }
}

function objectOf(body) {
    try {
        return Object(JSON.parse(body));
    } catch {
        throw new Refusal(400, 'not JSON');
    }
}
