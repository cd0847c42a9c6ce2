// Ports for programs that a test starts.

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

// Above those of the stacks under test, and below those that the kernel assigns to outgoing connections: one of these may be
// taken again before the program listens.
const FIRST = 20_000;
const END = 32_000;
const given = new Set();

/** One that no program listens on, and that no other caller in this process is given. */
export async function freePort() {
    for (;;) {
        const port = randomInt(FIRST, END);
        if (given.has(port)) continue;
        given.add(port);
        const server = createServer().listen(port, '127.0.0.1');
        if (await once(server, 'listening').then(() => true, () => false)) {
            server.close();
            await once(server, 'close');
            return port;
        }
    }
}
