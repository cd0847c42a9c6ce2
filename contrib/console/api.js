// Calls to the service that this page came from, wherever it is mounted.

export const ROOT = new URL('../', new URL('.', document.baseURI));
const AGENT = 'v1/agent';

/** What the owner of this tab knows: in its memory alone, and gone with it. */
export const session = { key: undefined, quota: undefined };

/** A call that was refused, or that did not arrive. */
export class Failure extends Error {
    constructor({ status, error, error_code: code, hint, fields, request_id: request }) {
        super(error);
        Object.assign(this, { status, code, hint, fields, request });
    }
}

export const address = (path, prefix = AGENT) => new URL(prefix + path, ROOT);

/** Resolves to { status, headers, text, body, ms } at any status; `body` is undefined where there is no JSON. */
export async function exchange(method, url, { token, json, body = json && JSON.stringify(json), headers = {} } = {}) {
    const all = { Accept: 'application/json', ...headers };
    if (token !== undefined) all.Authorization = `Bearer ${token}`;
    if (body !== undefined) all['Content-Type'] = 'application/json';
    const begun = performance.now();
    const response = await fetch(url, { method, headers: all, body, credentials: 'omit' }).catch(() => {
        throw new Failure({ error: 'The service did not answer', hint: 'Is it running, and is this machine connected?' });
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text), ms: Math.round(performance.now() - begun) };
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

/** client(prefix, tokenOf)(method, path, { json, headers }): the answer's body, or throws a Failure. */
export function client(prefix, tokenOf, seen = () => {}) {
    return async (method, path, options = {}) => {
        const answer = await exchange(method, address(path, prefix), { token: tokenOf(), ...options });
        seen(answer);
        if (answer.status < 400) return answer.body ?? {};
        throw new Failure({ status: answer.status, error: `The service answered ${answer.status}`, ...answer.body });
    };
}

/** Of the agent whose key this tab has. */
export const ask = client(AGENT, () => session.key, ({ headers }) => noteQuota(headers));

function noteQuota(headers) {
    const of = (name) => Number(headers.get(`X-RateLimit-${name}`));
    if (headers.has('X-RateLimit-Limit')) session.quota = { limit: of('Limit'), remaining: of('Remaining'), reset: of('Reset') };
}

/** A path with the parameters that have a value. */
export function query(path, parameters) {
    const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
    return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** What the sandbox offers, or undefined elsewhere. It is asked once. */
export const sandbox = once(async () => {
    const { status, body } = await exchange('GET', new URL('sandbox/', ROOT)).catch(() => ({}));
    return status === 200 && body?.sandbox === true ? body : undefined;
});

/** Of the sandbox's own service. */
export const askSandbox = client('sandbox', () => undefined);

/** The service's description of itself. */
export const description = once(async () => (await exchange('GET', address('/openapi'))).body);

/** What the service says of itself at its root: name, version, addresses. */
export const service = once(async () => (await exchange('GET', ROOT)).body);

function once(work) {
    let result;
    return () => {
        result ??= work().catch((error) => {
            result = undefined;
            throw error;
        });
        return result;
    };
}
