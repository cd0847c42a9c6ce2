// Gateways whose venue of perpetuals is a test's own. What it says can be changed on its way, and wallets of the gateway's, which
// trade nothing here, can stand for traders who do.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { startGateway } from './gateway.mjs';
import { ownVenue } from './hyperliquid.mjs';

/**
 * { venue, url, asked, lie, stands, close }: the sandbox's venue behind a proxy of the test's own. `asked` has all questions;
 * `lie(type, change)` has `change(answer, question)` take the place of what it answers to that type, until it is called without;
 * what is a string is sent as it is. `stands(wallet, trader)`: what is asked of the wallet is answered of the trader.
 */
export async function startProxy() {
    const venue = await ownVenue();
    const [asked, lies, standIns] = [[], new Map(), new Map()];
    const answerTo = async (question) => {
        const trader = standIns.get(question.user);
        const answer = await venue.info(question.type, { ...question, ...(trader && { user: trader }) });
        const own = answer?.user === trader && trader !== undefined ? { ...answer, user: question.user } : answer;
        return lies.has(question.type) ? lies.get(question.type)(own, question) : own;
    };
    const server = createServer(async (request, response) => {
        const parts = [];
        for await (const part of request) parts.push(part);
        const question = JSON.parse(Buffer.concat(parts).toString());
        asked.push({ ...question, path: request.url, method: request.method, contentType: request.headers['content-type'] });
        const answer = await answerTo(question);
        response.setHeader('content-type', 'application/json');
        response.end(typeof answer === 'string' && lies.has(question.type) ? answer : JSON.stringify(answer));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
        venue,
        asked,
        url: `http://127.0.0.1:${server.address().port}/venue`,
        lie: (type, change) => (change === undefined ? lies.delete(type) : lies.set(type, change)),
        stands: (wallet, trader) => standIns.set(wallet.toLowerCase(), trader),
        async close() {
            server.closeAllConnections();
            server.close();
            await venue.stop();
        },
    };
}

/** A gateway whose venue is at that URL. */
export const gatewayAt = (url, lines = []) => startGateway([`perps_url = ${url}`, 'tier.standard = 100000', ...lines]);

/** JSON text as a value, with each number as the text that it is. */
export function exact(text) {
    return JSON.parse(text.replace(/([:[,])(-?\d[\d.eE+-]*)(?=[,\]}])/g, '$1"$2"'));
}

/** A decimal of the venue's as the gateway shows it: without needless digits. */
export function shown(decimal) {
    return decimal.includes('.') ? decimal.replace(/\.?0+$/, '').replace(/^-0$/, '0') : decimal;
}
