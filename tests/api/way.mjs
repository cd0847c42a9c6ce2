// A way to the gateway on which answers are lost.

import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import { GATEWAY } from './lib.mjs';

/** Passes everything on, and loses the answers that it is told to, after the gateway has given them. */
export class Way {
    #left = Infinity;

    lost = 0;

    #keys; // those whose first answer was lost; undefined: they do not matter

    /** Loses the n-th answer from now on. */
    loses(n) {
        [this.#left, this.lost] = [n, 0];
    }

    /** Loses the first answer under each Idempotency-Key. */
    losesFirst() {
        this.#keys = new Set();
    }

    #isLost({ headers: { 'idempotency-key': key } }) {
        this.#left -= 1;
        if (this.#keys === undefined || key === undefined) return this.#left === 0;
        return !this.#keys.has(key) && this.#keys.add(key);
    }

    /** To a gateway, the stack's own unless another is named. */
    async open(target = GATEWAY) {
        this.server = createServer((request, response) => {
            const onward = httpRequest(target + request.url, { method: request.method, headers: request.headers }, async (answer) => {
                const parts = [];
                for await (const part of answer) parts.push(part);
                if (this.#isLost(request)) {
                    this.lost += 1;
                    request.socket.destroy();
                } else response.writeHead(answer.statusCode, answer.headers).end(Buffer.concat(parts));
            });
            request.pipe(onward);
        });
        this.server.listen(0, '127.0.0.1');
        await once(this.server, 'listening');
        this.url = `http://127.0.0.1:${this.server.address().port}`;
    }

    close() {
        this.server.closeAllConnections();
        this.server.close();
    }
}
