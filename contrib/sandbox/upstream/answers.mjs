// How requests come in, and how answers leave: whole, or as a fault wants them.

const BODY_MAX = 1024 * 1024;

/** { status, json, headers } as a response; `text` in place of json: what is JSON already. */
export function send(response, { status = 200, json, text = JSON.stringify(json), headers = {} }) {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(text);
}

/** The beginning of an answer, and then nothing. */
export function sendHalf(response, { status = 200, json, text = JSON.stringify(json) }) {
    response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
}

/** Spaces without an end, as fast as they are taken. */
export function sendEndless(response) {
    const blanks = Buffer.alloc(64 * 1024, ' ');
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const more = () => {
        while (!response.destroyed && response.write(blanks));
    };
    response.on('drain', more);
    more();
}

/** The bytes of a request's body: signatures are made over them. */
export async function bodyOf(request) {
    const chunks = [];
    let length = 0;
    for await (const chunk of request) {
        length += chunk.length;
        if (length > BODY_MAX) throw new Error('the body is too large');
        chunks.push(chunk);
    }
    return Buffer.concat(chunks);
}
