// A node that misbehaves: stands between the gateway and a chain's real node, and is honest until it is told otherwise.

import { createServer } from 'node:http';

const LATEST = /^(latest|pending)$/;
const hex = (n) => `0x${n.toString(16)}`;

export class Node {
    constructor(target) {
        this.target = target;
        this.behave();
    }

    listen(port) {
        this.server = createServer((request, response) => this.#serve(request, response).catch(() => response.destroy()));
        return new Promise((resolve) => { this.server.listen(port, '127.0.0.1', resolve); });
    }

    close() {
        this.server.close();
        this.server.closeAllConnections?.();
    }

    behave() {
        this.trouble = {};
    }

    /**
     * What goes wrong from now on. All are optional: `dead()` no answer at all, `hangs()` not even an end of the connection,
     * `refuses(call)` an error message in place of the real answer, `drops(call)` it is done but the reply is lost, `lag(turn)`
     * by how many blocks the node is behind.
     */
    misbehave(trouble) {
        this.trouble = trouble;
        this.turn = 0;
    }

    async #serve(request, response) {
        const parts = [];
        for await (const part of request) parts.push(part);
        const asked = JSON.parse(Buffer.concat(parts).toString('utf8'));
        const calls = [asked].flat();
        const { dead, hangs, refuses, drops, lag } = this.trouble;
        if (hangs?.()) return undefined;
        if (dead?.()) return response.destroy();
        const known = lag === undefined ? undefined : Number(await this.#ask({ method: 'eth_blockNumber', params: [] })) - lag(this.turn++);
        const answers = await Promise.all(calls.map((call) => {
            const message = refuses?.(call);
            return message === undefined ? this.#forward(call, known) : { jsonrpc: '2.0', id: call.id, error: { code: -32000, message } };
        }));
        if (calls.some((call) => drops?.(call))) return response.destroy();
        return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
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
