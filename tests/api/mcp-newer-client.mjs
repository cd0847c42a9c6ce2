// The official client of the newer generation, which wants a newer Node.js than the other tests: a program of its own.
//   mcp-newer-client.mjs auto|legacy|REVISION    prints what happened, and the revision that was agreed on

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { fund } from './chain.mjs';
import { GATEWAY } from './lib.mjs';
import { live } from './mcp-clients.mjs';

const [wanted] = process.argv.slice(2);
const mode = /^\d/.test(wanted) ? { pin: wanted } : wanted;
const seen = new Set();

async function connect(key) {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${GATEWAY}/mcp`), {
        requestInit: { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } },
    }));
    seen.add(client.getNegotiatedProtocolVersion());
    return client;
}

const found = await live(connect, (address) => fund('base', address, '5'));
process.stdout.write(JSON.stringify({ ...found, revisions: [...seen] }), () => process.exit(0));
