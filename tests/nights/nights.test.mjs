// Section: evening, nights
// The nights of table.mjs: the log names the cause, has at most five lines a minute about it, and says when it is over; no secret
// of a URL is in it. `agentctl check` is not OK within a minute and names the part, `agentctl status` the cause in a line, and that all
// is well afterwards. The alert fires.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
    NIGHTS, node, openNode, prepare,
} from './table.mjs';
import {
    fullestMinute, here, isEnd, since,
} from './log.mjs';
import { enough } from '../patience.mjs';
import { pulse } from '../progress.mjs';
import { agentctl } from '../jobs/lib.mjs';
import { Prometheus } from './prometheus.mjs';
import { ailing, names } from './status.mjs';

// Those whose names fit, in full.
const WANTED = process.env.NIGHTS;
const WHOLE = WANTED !== undefined;
const WATCH_MS = WHOLE ? 65_000 : 15_000;
const CHECK_MS = 60_000;
const LINES_A_MINUTE = 5;
const PATIENCE_MS = enough(300_000);
const GOES_ON_S = 20 * 60;
const EVENING_SCRAPES = 3;

/** Each event that the night has to tell of is there, among the lines that `fit`. */
const told = (night, place, fit) => {
    const lines = since(place);
    return night.says.every(([event, pattern]) => lines.some((line) => line.event === event && fit(line, pattern)));
};
const begins = (line, pattern) => !isEnd(line) && pattern.test(line.message);

/** Asks for things, again and again, until `over`. */
async function meanwhile(load, what, over) {
    for (const deadline = Date.now() + PATIENCE_MS; !await over();) {
        assert.ok(Date.now() < deadline, `waited for ${what}`);
        pulse();
        await Promise.all([load(), pause(500)]);
    }
}

/** So long with it, from when the log has told of it. */
async function endure({ load, hidden, ...night }, place) {
    if (!hidden) await meanwhile(load, 'the log to name the cause', () => told(night, place, begins));
    const end = Date.now() + WATCH_MS;
    await meanwhile(load, 'the morning', () => Date.now() >= end);
    await meanwhile(load, 'the status to name the cause', () => names(night.status));
}

/** As a Prometheus saw it that was there before. */
async function scraped(night, lasts) {
    const prometheus = new Prometheus();
    try {
        await meanwhile(night.load, 'an evening', () => prometheus.count >= EVENING_SCRAPES);
        prometheus.falls();
        await lasts();
    } finally {
        await prometheus.end();
    }
    return prometheus;
}

/** `agentctl check` is not OK and names the part, by the time at which the operator looks for the second time. */
async function checkNames({ status: [section, name], checkMs = CHECK_MS }) {
    if (section !== 'parts') return;
    let said;
    for (const deadline = Date.now() + enough(checkMs); ;) {
        said = await agentctl('check');
        if (said.code > 0 && said.out.includes(`${name}: `)) return;
        assert.ok(Date.now() < deadline, `${name} is not named in time: ${said.out}`);
        await pause(1000);
    }
}

async function fallsAndDawns(night, place) {
    await night.falls();
    try {
        const named = checkNames(night);
        await Promise.all([endure(night, place), named]);
        if (night.status[0] === 'parts') assert.ok((await agentctl('check')).code > 0, 'the check is OK before the trouble is over');
    } finally {
        await night.dawns();
    }
}

before(async () => {
    await openNode();
    await prepare();
});
after(() => node.close());

const wanted = NIGHTS.filter(({ brief, name }) => (WHOLE ? new RegExp(WANTED).test(name) : brief));
for (const night of wanted) {
    test(`${night.name}: the log, the status and an alert name the cause, and say that it is over`, async () => {
        await night.load();
        const place = here();
        const prometheus = await scraped(night, () => fallsAndDawns(night, place));
        await meanwhile(night.load, 'the log to say that it is over', () => told(night, place, isEnd));
        await meanwhile(night.load, 'the status to say that all is well', async () => (await ailing()).length === 0);
        const lines = since(place);
        const most = fullestMinute(lines);
        assert.ok(most.length <= LINES_A_MINUTE, `${most.length} lines in a minute:\n${most.map(({ text }) => text).join('\n')}`);
        assert.ok(!lines.some(({ text }) => text.includes('a-secret-path')), 'the log has the path of a URL');
        prometheus.check(night.alert, night.goesOn ?? GOES_ON_S, night === wanted[0]);
    });
}
