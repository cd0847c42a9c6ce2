// Section: api
// The official clients of both generations: each registers, quotes, executes and follows a swap.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { fund } from './chain.mjs';
import { GATEWAY } from './lib.mjs';
import { live, lived } from './mcp-clients.mjs';
import { MODERN, HANDSHAKES } from './mcp.mjs';
import { runNewer } from './newer-node.mjs';

test('the client of the handshake', async () => {
    const connect = async (key) => {
        const client = new Client({ name: 'test', version: '1' });
        await client.connect(new StreamableHTTPClientTransport(new URL(`${GATEWAY}/mcp`), {
            requestInit: { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } },
        }));
        assert.equal(client.getServerVersion().name, 'agent-defi-gateway');
        await client.ping();
        return client;
    };
    lived(await live(connect, (address) => fund('base', address, '5')));
});

const newer = [['auto', MODERN], [MODERN, MODERN], ['legacy', HANDSHAKES[0]]].map(([mode, revision]) => (
    { mode, revision, run: runNewer('api/mcp-newer-client.mjs', [mode]) }));

for (const { mode, revision, run } of newer) {
    test(`the newer client, ${mode}`, async () => {
        const { code, stdout, stderr } = await run;
        assert.equal(code, 0, stderr);
        const found = JSON.parse(stdout);
        assert.deepEqual(found.revisions, [revision]);
        lived(found);
    });
}
