// receiver.mjs: takes webhooks, as a program of its own that tells its parent the port. The path says how: /0
// answers at once, /200 after 200 ms, /dead never.

import { createServer } from 'node:http';

const server = createServer((request, response) => {
    const path = request.url;
    request.resume();
    request.on('end', () => {
        if (path === '/dead') return;
        const answer = () => response.end('ok');
        const delay = Number(path.slice(1));
        if (delay > 0) setTimeout(answer, delay);
        else answer();
    });
});
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
