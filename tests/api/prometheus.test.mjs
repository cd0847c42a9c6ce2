// Section: api
// /metrics as Debian's Prometheus takes it: the format, the alerts of conf/prometheus-alerts.yml, and every expression of the
// panels in contrib/grafana.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
    GATEWAY, ROOT, receiver, registerUnlimited, send, until,
} from './lib.mjs';
import { freePort } from './ports.mjs';

const ALERTS = `${ROOT}conf/prometheus-alerts.yml`;

let server;
let base;
let directory;

before(async () => {
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    directory = mkdtempSync('/tmp/prometheus-test.');
    writeFileSync(join(directory, 'prometheus.yml'), JSON.stringify({
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: [ALERTS],
        scrape_configs: [{ job_name: 'agent-gateway', static_configs: [{ targets: [new URL(GATEWAY).host] }] }],
    }));
    server = spawn('prometheus', [
        `--config.file=${directory}/prometheus.yml`, `--storage.tsdb.path=${directory}/data`,
        `--web.listen-address=127.0.0.1:${port}`, '--log.level=error',
    ], { stdio: 'inherit' });
    await until('Prometheus', () => fetch(`${base}/-/ready`).then(({ ok }) => ok, () => false));
});

after(async () => {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
    rmSync(directory, { recursive: true, force: true });
});

async function query(expression) {
    const answer = await fetch(`${base}/api/v1/query?${new URLSearchParams({ query: expression })}`);
    const { status, data, error } = await answer.json();
    assert.equal(status, 'success', `${expression}: ${error}`);
    return data.result;
}

/** What `promtool` says of it on top of its status. */
const promtool = (args, input) => execFileSync('promtool', args, { input, encoding: 'utf8' });

test('the metrics, the alerts and their tests pass promtool', async () => {
    const { text } = await send('GET', '/metrics');
    assert.equal(promtool(['check', 'metrics'], text), '');
    promtool(['check', 'rules', ALERTS]);
    promtool(['test', 'rules', `${ROOT}tests/prometheus/alerts.yml`]);
});

test('each alert is tested, and says with what to begin', async () => {
    const rules = (await readFile(ALERTS, 'utf8')).split('- alert: ').slice(1);
    const tested = await readFile(`${ROOT}tests/prometheus/alerts.yml`, 'utf8');
    assert.ok(rules.length >= 10);
    for (const rule of rules) {
        const name = rule.split('\n')[0];
        assert.match(rule, /^ {10}runbook: "[^"\n]{20,}"$/m, name);
        assert.ok(tested.includes(`alertname: ${name}\n`), name);
    }
});

test('every panel of the dashboard has data', async () => {
    const hook = await receiver();
    const agent = await registerUnlimited();
    await agent.listen(hook.url);
    await agent.wallet('ethereum', '1');
    await agent.completed(await agent.swap('ETH', 'USDC', '0.01'));
    await hook.delivery();
    const { panels } = JSON.parse(await readFile(`${ROOT}contrib/grafana/gateway.json`, 'utf8'));
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    assert.ok(expressions.length > 20);
    for (const expression of expressions) {
        const asked = expression.replaceAll('$__rate_interval', '1m');
        await until(`data of ${expression}`, async () => (await query(asked)).length > 0);
    }
    assert.ok((await query('scrape_samples_scraped{job="agent-gateway"}'))[0].value[1] <= 2000);
    assert.deepEqual((await query('up{job="agent-gateway"}')).map(({ value }) => value[1]), ['1']);
    hook.close();
});
