// A node that misbehaves: stands between the gateway and a chain's real node, and is honest until it is told otherwise.

import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const LATEST = /^(latest|pending)$/;
const hex = (n) => `0x${n.toString(16)}`;

export class Node {
    constructor(target) {
        this.target = target;
        this.behave();
    }

    listen(port) {
        this.server = createServer((request, response) => this.#serve(request, response).catch(() => response.destroy()));
        return new Promise((resolve) => { this.server.listen(port, '127.0.0.1', () => resolve(this.server.address())); });
    }

    close() {
        this.server.close();
        this.server.closeAllConnections?.();
    }

    behave() {
        this.trouble = {};
    }

    /**
     * What goes wrong from now on. All are optional: `delays()` so many milliseconds before each answer, `dead()` no answer at
     * all, `hangs()` not even an end of the connection, `refuses(call)` an error, or its message, in place of the real answer,
     * `pretends(call)` a result of what is not done,
     * `refusesAll(calls)` a { status, body } in place of all answers, `answers(call, answer, path)` another answer, `drops(call)` it is
     * done but the reply is lost, `lag(turn)` by how many blocks the node is behind, `knows()` the newest one it has. With `path` only requests to that path
     * suffer: the others have another node.
     */
    misbehave(trouble) {
        this.trouble = trouble;
        this.turn = 0;
    }

    /** `watch(request, calls)`, where it is set, sees all that is asked. */
    watch;

    #troubleOf({ url }) {
        const { path = url } = this.trouble;
        return path === url ? this.trouble : {};
    }

    async #serve(request, response) {
        const parts = [];
        for await (const part of request) parts.push(part);
        const asked = JSON.parse(Buffer.concat(parts).toString('utf8'));
        const calls = [asked].flat();
        this.watch?.(request, calls);
        const { delays, dead, hangs, pretends, refuses, refusesAll, answers: others, drops, lag, knows } = this.#troubleOf(request);
        const say = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(body === undefined ? '' : JSON.stringify(body));
        if (hangs?.()) return undefined;
        if (delays !== undefined) await pause(delays());
        if (dead?.()) return response.destroy();
        const instead = refusesAll?.(calls);
        if (instead !== undefined) return say(instead.status ?? 200, instead.body);
        const known = lag === undefined ? knows?.() : Number(await this.#ask({ method: 'eth_blockNumber', params: [] })) - lag(this.turn++);
        const answers = await Promise.all(calls.map(async (call) => {
            const error = refuses?.(call);
            if (error !== undefined) return { jsonrpc: '2.0', id: call.id, error: typeof error === 'string' ? { code: -32000, message: error } : error };
            const pretence = pretends?.(call);
            if (pretence !== undefined) return { jsonrpc: '2.0', id: call.id, result: pretence };
            const answer = await this.#forward(call, known);
            return others?.(call, answer, request.url) ?? answer;
        }));
        if (calls.some((call) => drops?.(call))) return response.destroy();
        return say(200, Array.isArray(asked) ? answers : answers[0]);
    }

    async #post(call) {
        const answer = await fetch(this.target, {
            method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
        });
        return answer.json();
    }

    async #ask(call) {
        return (await this.#post(call)).result;
    }

    /** With `known`, as a node that has seen no later block. */
    async #forward(call, known) {
        if (known === undefined) return this.#post(call);
        if (call.method === 'eth_blockNumber') return { jsonrpc: '2.0', id: call.id, result: hex(known) };
        const params = call.params.map((each) => (LATEST.test(each) ? hex(known) : each));
        const answer = await this.#post({ ...call, params });
        const later = /^eth_getTransaction(Receipt|ByHash)$/.test(call.method) && Number(answer.result?.blockNumber ?? 0) > known;
        return later ? { ...answer, result: null } : answer;
    }
}
