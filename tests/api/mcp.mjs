// A client of MCP as exact as a test wants it, besides the official ones: messages of both generations, and calls of tools.

import assert from 'node:assert/strict';
import { send, show } from './lib.mjs';

export const MODERN = '2026-07-28';
/** Newest first. */
export const HANDSHAKES = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

export const META = { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': {} };

/** Posts anything to /mcp; `options` are those of send. */
export const post = (json, options = {}) => send('POST', '/mcp', { json, ...options });

/** A request of a handshake revision; resolves to the answer. */
export const ask = (method, params, { id = 1, ...options } = {}) => post({ jsonrpc: '2.0', id, method, ...(params && { params }) }, options);

/** The tools of toolsets, "all" unless they are named; `options` are those of send. */
export async function listed(toolsets = 'all', options = {}) {
    return result(await send('POST', `/mcp?toolsets=${toolsets}`, { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' }, ...options })).tools;
}

/** Headers that repeat the body, as revision 2026-07-28 wants them. */
export function repeated(method, params = {}) {
    const name = { 'tools/call': params.name, 'prompts/get': params.name, 'resources/read': params.uri }[method];
    return { 'mcp-protocol-version': MODERN, 'mcp-method': method, ...(name !== undefined && { 'mcp-name': name }) };
}

/** A request of revision 2026-07-28. */
export const askModern = (method, params = {}, { headers = {}, meta = META, id = 1, ...options } = {}) => (
    post({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }, { headers: { ...repeated(method, params), ...headers }, ...options }));

/** The result of a request that must succeed. */
export function result(answer, id = 1) {
    assert.equal(answer.status, 200, show(answer));
    assert.match(answer.headers['content-type'], /^application\/json$/);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { jsonrpc, id: echoed, result: found, ...rest } = answer.body;
    assert.deepEqual([jsonrpc, echoed, Object.keys(rest)], ['2.0', id, []], show(answer));
    return found;
}

/** The error of a request that must fail so; HTTP's status and JSON-RPC's code. */
export function failure(answer, status, code, id = 1) {
    assert.equal(answer.status, status, show(answer));
    const { jsonrpc, id: echoed, error, ...rest } = answer.body ?? {};
    assert.deepEqual([jsonrpc, echoed, error?.code, Object.keys(rest)], ['2.0', id, code, []], show(answer));
    assert.ok(typeof error.message === 'string' && error.message.length > 0, show(answer));
    return error;
}

/** Calls a tool; resolves to { isError, body }, `body` being what REST has in its body. */
export async function use(name, args, key, how = ask) {
    const found = result(await how('tools/call', { name, arguments: args }, { key }));
    assert.deepEqual(found.content.map(({ type }) => type), ['text']);
    const body = JSON.parse(found.content[0].text);
    if (!found.isError) assert.deepEqual(found.structuredContent, body);
    else assert.equal(found.structuredContent, undefined);
    // The description of the API has no envelope.
    assert.equal(body.success ?? true, !found.isError);
    return { isError: found.isError, body };
}

/** The body of a call that must succeed. */
export async function used(name, args, key, how) {
    const { isError, body } = await use(name, args, key, how);
    assert.equal(isError, false, JSON.stringify(body));
    return body;
}

// ---------------------------------------------------------------- operations

let calls = 0;

/** An operation as matrix.mjs wants it called: by turns in both generations. */
export async function callTool({ tool, parameters }, { 'Idempotency-Key': idempotencyKey, ...args }, key) {
    const how = calls++ % 2 === 0 ? ask : askModern;
    const all = parameters.length === 0 && Object.keys(args).length === 0 ? undefined : { ...args, ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }) };
    const { body: { result, error } } = await how('tools/call', { name: tool, arguments: all }, { key });
    if (error !== undefined) return { ok: false, code: error.data?.error_code, body: error.data };
    const body = JSON.parse(result.content[0].text);
    return { ok: !result.isError, code: body.error_code, body };
}
