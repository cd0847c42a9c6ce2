// Section: starts
// The charts of the documents, drawn from figures and from a fault matrix that are made up.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawCharts } from '../../contrib/docs/charts.mjs';

const figure = (median) => ({ median });
const figures = {
    'me.rate.gateway': figure(24340), 'me.rate.ideal': figure(19720), 'me.rate.peer': figure(5717),
    'me.p99.gateway': figure(3.1), 'me.p99.ideal': figure(3.6), 'me.p99.peer': figure(31),
    ...Object.fromEntries(['web', 'service', 'database', 'node'].flatMap((part, i) => ['gateway', 'ideal', 'peer'].map((side) => [`me.cpu.${part}.${side}`, figure(i * 10)]))),
};
const row = (more) => ({
    name: 'a point', accepted: 5, lost: 0, transactions: 6, duplicates: 0, due: 10, delivered: 10, faults: 0, ...more,
});
const titleOf = (svg) => /<title>(.*)<\/title>/.exec(svg)[1];
const widthsOf = (svg, kind) => [...svg.matchAll(new RegExp(`<rect [^>]*width="([0-9.]+)"[^>]*height="16"[^>]*class="${kind}"/>`, 'g'))].map(([, width]) => Number(width));

test('a bar is as long as its figure, and the text says the same', () => {
    const svg = drawCharts({ figures }).get('throughput.svg');
    assert.equal(titleOf(svg), 'Requests per second. GET /me: gateway 24 340, ideal 19 720, Node.js service 5 717.');
    const [[gateway], [peer]] = [widthsOf(svg, 'gateway'), widthsOf(svg, 'peer')];
    assert.ok(Math.abs(peer / gateway - 5717 / 24340) < 0.001);
});

test('a chart has the colours of light and of dark pages', () => {
    for (const [name, svg] of drawCharts({ figures })) {
        const [, light, dark] = /<style>(.*)@media \(prefers-color-scheme: dark\)\{(.*)\}<\/style>/.exec(svg);
        const classes = [...new Set([...svg.matchAll(/class="(\w+)"/g)].map(([, kind]) => kind))];
        for (const kind of classes) for (const colours of [light, dark]) assert.ok(colours.includes(`.${kind}{`), `${kind} of ${name}`);
        assert.notEqual(light, dark);
        assert.ok(!/(fill|stroke)="/.test(svg), 'no colour of its own');
    }
});

test('the chart of the fault matrix tells what came out wrong', () => {
    const good = drawCharts({ figures }, [row(), row()]).get('faults.svg');
    assert.equal(titleOf(good), 'Through 2 rows of the fault matrix. accepted: 10, 0 lost. transactions: 12, 0 duplicates. events due: 20, 0 undelivered. rows: 2, 0 failed.');
    assert.deepEqual(widthsOf(good, 'bad'), []);
    const bad = drawCharts({ figures }, [row(), row({ lost: 1, delivered: 8, faults: 2 })]).get('faults.svg');
    assert.match(titleOf(bad), /accepted: 10, 1 lost\. .*events due: 20, 2 undelivered\. rows: 2, 1 failed\./);
    assert.equal(widthsOf(bad, 'bad').length, 3);
    assert.equal(drawCharts({ figures }).get('faults.svg'), undefined, 'nothing is drawn of what was not run');
});
