// receiver.mjs [KEY CERTIFICATE]: takes webhooks, over TLS with these files, as a program of its own that tells its parent the
// port. The path says how: /0 answers at once, /200 after 200 ms, /dead never.

import { readFileSync } from 'node:fs';
import { createServer as createPlain } from 'node:http';
import { createServer as createSecure } from 'node:https';

const [key, cert] = process.argv.slice(2).map((file) => readFileSync(file));

function take(request, response) {
    const path = request.url;
    request.resume();
    request.on('end', () => {
        if (path === '/dead') return;
        const answer = () => response.end('ok');
        const delay = Number(path.slice(1));
        if (delay > 0) setTimeout(answer, delay);
        else answer();
    });
}

const server = key ? createSecure({ key, cert }, take) : createPlain(take);
server.keepAliveTimeout = 60000;
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
