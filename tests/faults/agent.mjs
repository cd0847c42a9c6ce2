// An agent that does what agents do: it asks again when it gets no answer, and hears of events as often as it has to.

import {
    API, Agent, granted, receiver, send, until, verified,
} from '../api/lib.mjs';
import { endLeases } from '../jobs/lib.mjs';
import { sqlAgain } from './programs.mjs';

const ANSWER_MS = 4000;
const PAGE = 100;
const isInProgress = ({ body }) => body?.error_code === 'REQUEST_IN_PROGRESS';

export class PatientAgent {
    gateways = [undefined]; // whom it asks in turn: the stack's own, unless there are others

    signed = true; // whether deliveries are verified, for which both clocks have to be right

    heard = new Map(); // events by their ids, as receivers know repeats

    unheard = []; // what was wrong with the others

    receive = () => 200;

    #asking = new Set();

    /** For how long the one has been asked that has no answer for the longest. */
    get waitedMs() {
        return Math.max(0, ...[...this.#asking].map(({ since }) => Date.now() - since));
    }

    /** Asks until there is an answer in the service's own words. */
    ask(method, path, json, idempotencyKey) {
        const asked = { since: Date.now() };
        this.#asking.add(asked);
        return this.#askUntilAnswered(method, path, json, idempotencyKey).finally(() => this.#asking.delete(asked));
    }

    #askUntilAnswered(method, path, json, idempotencyKey) {
        const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
        return until(`${method} ${path} to be answered`, async () => {
            const how = { key: this.agent?.key, headers, json, mayBreak: true, limit: ANSWER_MS, base: this.#nextGateway() };
            const answer = await send(method, API + path, how).catch(() => null);
            // No agent here waits for as long as a lease takes.
            if (answer !== null && isInProgress(answer)) await endLeases();
            return answer?.body !== undefined && answer.status < 500 && answer.status !== 429 && !isInProgress(answer) && answer;
        });
    }

    /** Asks once; null: no answer came. */
    async askOnce(method, path, json, idempotencyKey) {
        const how = { key: this.agent?.key, headers: { 'idempotency-key': idempotencyKey }, json, mayBreak: true, limit: ANSWER_MS, base: this.#nextGateway() };
        const answer = await send(method, API + path, how).catch(() => null);
        return answer?.body !== undefined && answer.status < 500 && answer.status !== 429 ? answer : null;
    }

    /** With a wallet, and a receiver of events. */
    async register() {
        this.hook = await receiver((delivery) => {
            const status = this.receive();
            if (status === 200) this.#hear(delivery);
            return status;
        });
        const { agent, webhook_secret: secret } = granted(await this.ask('POST', '/register', { name: 'fault', callback_url: this.hook.url }));
        this.secret = secret;
        this.agent = new Agent(agent.api_key, agent.id);
        await this.beforeWallet();
        this.address = granted(await this.ask('POST', '/wallets', {}, 'wallet'), 201).wallet.address;
    }

    async beforeWallet() {}

    #turn = 0;

    #nextGateway() {
        return this.gateways[this.#turn++ % this.gateways.length];
    }

    #hear(delivery) {
        try {
            this.heard.set(delivery.headers['webhook-id'], this.signed ? verified(delivery, this.secret) : JSON.parse(delivery.raw));
        } catch (error) {
            this.unheard.push(error.message);
        }
    }

    /** All rows of a list, which has the name of its page: `path` is before that. */
    async all(path, list) {
        const [name] = list.split('?');
        const rows = [];
        for (let more = true; more;) {
            const page = granted(await this.ask('GET', `${path}${list}${list.includes('?') ? '&' : '?'}limit=${PAGE}&offset=${rows.length}`));
            rows.push(...page[name]);
            more = page[name].length === PAGE;
        }
        return rows;
    }

    /** The number that the database has for it. */
    async row() {
        this.ownRow ??= await sqlAgain(`SELECT id FROM agents WHERE uuid = UNHEX('${this.agent.id.replaceAll('-', '')}')`);
        return this.ownRow;
    }

    /** How many rows a list has. */
    async total(path) {
        return granted(await this.ask('GET', path)).pagination.total;
    }
}
