// What the venues have in common that the bench of order-poll looks at: each is a program of its own that tells its parent the
// port, and answers at once. Asked over the channel to its parent, it says what it was asked since, and what that took of a
// processor.

import { createServer } from 'node:http';

/** `answer` gives { text, isLooked } for { url, headers, body }: whether that is what looking takes, or something else. */
export function startVenue(answer) {
    let asked = { looked: 0, others: 0 };
    let cpu = process.cpuUsage();
    const server = createServer(async (request, response) => {
        const chunks = [];
        for await (const chunk of request) chunks.push(chunk);
        const { text, isLooked } = answer({ url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
        asked[isLooked ? 'looked' : 'others']++;
        response.setHeader('content-type', 'application/json');
        response.end(text);
    });
    server.keepAliveTimeout = 60000;
    server.listen(0, '127.0.0.1', () => process.send(server.address().port));
    process.on('message', () => {
        const { user, system } = process.cpuUsage(cpu);
        process.send({ ...asked, micros: user + system });
        asked = { looked: 0, others: 0 };
        cpu = process.cpuUsage();
    });
    process.on('disconnect', () => process.exit());
}
