// Questions to nodes, over kept connections. Those who follow the chains ask all the time, and fetch() takes several times as
// much of the processor for each question.

import { Agent, request } from 'node:http';

const connections = new Agent({ keepAlive: true, timeout: 4000 });

/** Sends a message as JSON, and resolves to the answer's. */
export async function postJson(url, message) {
    const body = JSON.stringify(message);
    try {
        return await exchange(url, body);
    } catch (error) {
        if (!error.mayRepeat) throw error;
        return exchange(url, body);
    }
}

function exchange(url, body) {
    return new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
        const asked = request(url, { method: 'POST', headers, agent: connections });
        asked.on('response', (response) => {
            const parts = [];
            response.on('data', (part) => parts.push(part));
            response.on('error', reject);
            response.on('end', () => {
                try {
                    resolve(JSON.parse(Buffer.concat(parts).toString('utf8')));
                } catch (error) {
                    reject(error);
                }
            });
        });
        // The other side may end a kept connection just when it is used again.
        asked.on('error', (error) => reject(Object.assign(error, { mayRepeat: asked.reusedSocket && error.code === 'ECONNRESET' })));
        asked.end(body);
    });
}
