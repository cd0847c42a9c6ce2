// Section: api
// The official conformance suite of MCP. Most of its scenarios use tools, prompts and resources that a server has only for
// the suite: of these only the messages are judged. The others must pass.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { GATEWAY } from './lib.mjs';
import { HANDSHAKES, MODERN } from './mcp.mjs';
import { runNewer } from './newer-node.mjs';

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const LISTS = ['tools-list', 'resources-list', 'prompts-list'];
const APPLICABLE = {
    [HANDSHAKES[1]]: ['server-initialize', 'ping', ...LISTS],
    [HANDSHAKES[0]]: ['server-initialize', 'ping', ...LISTS, 'dns-rebinding-protection'],
    [MODERN]: [
        'server-stateless', ...LISTS, 'caching', 'http-header-validation', 'server-sse-multiple-streams', 'sep-2164-resource-not-found',
        'dns-rebinding-protection', 'input-required-result-unsupported-methods',
    ],
};

/** Checks of server-stateless that want a tool of the suite's. */
const OF_FIXTURES = new Set([
    'sep-2575-server-rejects-undeclared-capability', 'sep-2575-missing-capability-http-400',
    'sep-2575-http-server-no-independent-requests-on-stream', 'sep-2575-server-no-log-without-loglevel',
]);

/** Runs all scenarios of a revision; resolves to a map of their names to their checks, [{ id, status, … }]. */
async function scenarios(revision) {
    const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
    const { stdout, stderr } = await runNewer(SUITE, ['server', '--url', `${GATEWAY}/mcp`, '--suite', 'all', '--spec-version', revision, '-o', folder]);
    const found = new Map(readdirSync(folder).map((each) => [
        /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(each)[1], JSON.parse(readFileSync(join(folder, each, 'checks.json'), 'utf8')),
    ]));
    rmSync(folder, { recursive: true });
    assert.ok(found.size > 0, `no results: ${stdout}${stderr}`);
    return found;
}

for (const [revision, names] of Object.entries(APPLICABLE)) {
    const found = await scenarios(revision);

    for (const name of names) {
        test(`${revision} ${name}`, () => {
            const checks = found.get(name) ?? [];
            const done = checks.filter(({ status }) => status === 'SUCCESS').length;
            const bad = checks.filter(({ id, status }) => (status === 'FAILURE' || status === 'WARNING') && !OF_FIXTURES.has(id));
            assert.ok(done > 0, 'nothing was checked');
            assert.deepEqual(bad, []);
        });
    }

    test(`${revision}: every message of every scenario is valid`, () => {
        const valid = [...found.values()].flat().filter(({ id }) => id === 'wire-schema-valid');
        assert.ok(valid.length >= 20, `${valid.length} scenarios`);
        assert.deepEqual(valid.filter(({ status }) => status !== 'SUCCESS'), []);
    });
}
