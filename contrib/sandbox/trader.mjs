// Trades on the sandbox's prediction markets as any client of the venue would, so that orders of agents are filled.
//
//   node trader.mjs MARKET OUTCOME BUY|SELL PRICE SIZE
//
// The trader has dollars and shares of both outcomes of all markets that were open at the start.

import { pathToFileURL } from 'node:url';
import { TRADER } from './polymarket.mjs';
import { urlOf } from './settings.mjs';
import { hmacOf } from './upstream/polymarket/hmac.mjs';
import { limitOrder } from './upstream/polymarket/orders.mjs';
import { EOA, clobAuthDigest, orderHash, signOrder } from './upstream/polymarket/signatures.mjs';

const SALT_MAX = 2 ** 53;

/** Where the venue of the running stack answers. */
export const venueUrl = () => `${urlOf('SANDBOX_UPSTREAM')}/polymarket`;

/** A key that asks the venue: { status, body } of each request. */
export class Client {
    #credentials;

    /** `wallet`: whose money it is, when it is not the key's; `signatureType` then says how that one's orders are signed. */
    constructor(key, { base = venueUrl(), wallet = key.address, signatureType = EOA } = {}) {
        Object.assign(this, { key, base, wallet, signatureType });
    }

    async credentials() {
        this.#credentials ??= await this.#newCredentials();
        return this.#credentials;
    }

    async #newCredentials() {
        const derived = await this.send('GET', '/auth/derive-api-key', { headers: this.l1() });
        const { status, body } = derived.status === 200 ? derived : await this.send('POST', '/auth/api-key', { headers: this.l1() });
        if (status !== 200) throw new Error(`no credentials: ${body.error}`);
        return body;
    }

    /** The headers of the key's own signature. */
    l1({ timestamp = now(), nonce = '0' } = {}) {
        const digest = clobAuthDigest(this.key.address, timestamp, nonce);
        return {
            POLY_ADDRESS: this.key.address, POLY_TIMESTAMP: timestamp, POLY_NONCE: nonce,
            POLY_SIGNATURE: this.key.signingKey.sign(digest).serialized,
        };
    }

    /** Those of a private request; `path` without its query. */
    async l2(method, path, body = '', timestamp = now()) {
        const { apiKey, secret, passphrase } = await this.credentials();
        return {
            POLY_ADDRESS: this.key.address, POLY_TIMESTAMP: timestamp, POLY_API_KEY: apiKey, POLY_PASSPHRASE: passphrase,
            POLY_SIGNATURE: hmacOf(secret, timestamp, { method, path, body }),
        };
    }

    async send(method, path, { headers, body, query = '' } = {}) {
        const response = await fetch(`${this.base}/clob${path}${query}`, { method, headers, body });
        return { status: response.status, body: await response.json() };
    }

    /** A private request; `body` is text, or what becomes JSON. */
    async ask(method, path, { body, query } = {}) {
        const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
        return this.send(method, path, { headers: await this.l2(method, path, text), body: text, query });
    }

    /** Lets the venue look at what the wallet has: of the collateral, or of a token of a market of a kind. */
    look(token, kind) {
        const type = token === undefined ? 'COLLATERAL' : `CONDITIONAL${kind === 'v3' ? '-V2' : ''}`;
        const query = `?asset_type=${type}&signature_type=${this.signatureType}${token === undefined ? '' : `&token_id=${token}`}`;
        return this.ask('GET', '/balance-allowance/update', { query });
    }

    /** { hash, body } of a signed order in a market of a kind: what POST /order takes. Members of `more` replace others. */
    async order({ kind, tokenId, side, price, size, type = 'GTC', expiration = 0, postOnly = false, more = {} }) {
        const salt = Math.floor(Math.random() * SALT_MAX);
        const limit = limitOrder({
            token: tokenId, side, price: String(price), size: String(size), maker: this.wallet, signatureType: this.signatureType, salt,
            timestamp: Date.now(), type,
        });
        const order = { ...limit, ...more };
        const wire = { ...order, salt: Number(order.salt), side, expiration: String(expiration), signature: signOrder(kind, order, this.key) };
        const { apiKey } = await this.credentials();
        return { hash: orderHash(kind, order), body: { deferExec: false, postOnly, order: wire, owner: apiKey, orderType: type } };
    }

    /** An order that is signed and sent: { hash, status, body }. */
    async place(terms) {
        const { hash, body } = await this.order(terms);
        return { hash, ...await this.ask('POST', '/order', { body }) };
    }
}

const now = () => String(Math.floor(Date.now() / 1000));

/** An order of the sandbox's trader: what the venue answers, or an error. `price` and `size` are decimal. */
export async function counterOrder({ tokenId, side, price, size, type, base }) {
    const client = new Client(TRADER, { base });
    const kind = await kindOf(client, tokenId);
    await client.look();
    await client.look(tokenId, kind);
    const { status, body } = await client.place({ kind, tokenId, side, price, size, type });
    if (status !== 200) throw new Error(body.error);
    return body;
}

/** A v3 token is its condition but for the last byte. */
async function kindOf(client, tokenId) {
    const { body: { condition_id: condition } } = await client.send('GET', `/markets-by-token/${tokenId}`);
    if (condition === undefined) throw new Error(`no token ${tokenId}`);
    if (BigInt(tokenId) >> 8n === BigInt(condition) >> 8n) return 'v3';
    const { body: { nr } } = await client.send('GET', `/clob-markets/${condition}`);
    return nr === true ? 'neg_risk' : 'v2';
}

async function main([market, outcome, side, price, size]) {
    if (size === undefined) throw new Error('usage: trader.mjs MARKET OUTCOME BUY|SELL PRICE SIZE');
    const { outcomes, clobTokenIds, positionIds } = await (await fetch(`${venueUrl()}/gamma/markets/${market}`)).json();
    const at = JSON.parse(outcomes ?? '[]').findIndex((name) => name.toLowerCase() === outcome.toLowerCase());
    if (at === -1) throw new Error(`market ${market} has no outcome ${outcome}`);
    const tokenId = (positionIds ?? JSON.parse(clobTokenIds))[at];
    console.log(JSON.stringify(await counterOrder({ tokenId, side: side.toUpperCase(), price, size })));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
    main(process.argv.slice(2)).catch((error) => {
        console.error(`trader.mjs: ${error.message}`);
        process.exit(1);
    });
}
