// What a Prometheus of the operator's makes of a night: /metrics is scraped while it lasts, and promtool evaluates
// conf/prometheus-alerts.yml on these scrapes. As alerts wait for minutes, and some for hours, the evening before is drawn out as
// it was, and so is the night: gauges stay, ages go on, and counters rise as they did.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { GATEWAY, ROOT } from '../api/lib.mjs';

const ALERTS = `${ROOT}conf/prometheus-alerts.yml`;
const STEP_S = 5;
const TIMEOUT_MS = 10_000;
const EVENING_STEPS = (15 * 60) / STEP_S;
const MISSING = '_';
const OURS = 'instance="gateway:80",job="agent-gateway"';

/** The names that the alerts are about. */
const watched = new Set(readFileSync(ALERTS, 'utf8').match(/\bgateway_\w+/g));

/** { types, values } of a page: by name, and by name with labels. */
function read(page) {
    const types = new Map();
    const values = new Map();
    for (const line of page.split('\n')) {
        const [, typed, type] = /^# TYPE (\w+) (\w+)$/.exec(line) ?? [];
        if (typed !== undefined) types.set(typed, type);
        const [, name, labels, value] = /^(gateway_\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
        if (watched.has(name)) values.set(`${name}{${[OURS, labels].filter(Boolean).join(',')}}`, Number(value));
    }
    return { types, values };
}

export class Prometheus {
    #scrapes = [];

    #ends = false;

    /** It scrapes from now on. */
    constructor() {
        this.ended = this.#run();
    }

    async #run() {
        while (!this.#ends) {
            const next = pause(STEP_S * 1000);
            this.#scrapes.push(await this.#scrape());
            await next;
        }
    }

    async #scrape() {
        const at = Date.now() / 1000;
        const page = await fetch(`${GATEWAY}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
            .then((answer) => (answer.ok ? answer.text() : undefined), () => undefined);
        return { at, ...(page === undefined ? { values: new Map([[`up{${OURS}}`, 0]]) } : read(`${page}`)) };
    }

    /** How many scrapes there are. */
    get count() {
        return this.#scrapes.length;
    }

    /** The night begins: the evening is what was scraped until now. */
    falls() {
        this.evening = this.#scrapes.length;
        assert.ok(this.evening > 1);
    }

    async end() {
        this.#ends = true;
        await this.ended;
    }

    /**
     * Fails unless this alert fires when the night has gone on for so many seconds, and did not in the evening. Where no other
     * night went before, no alert did.
     */
    check(alert, seconds, isFirst) {
        const directory = mkdtempSync('/tmp/night.');
        try {
            writeFileSync(join(directory, 'night.yml'), JSON.stringify(this.#test(alert, seconds, isFirst)));
            const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'night.yml'], { cwd: directory, encoding: 'utf8' });
            assert.equal(status, 0, `${stdout}${stderr}`);
        } finally {
            rmSync(directory, { recursive: true });
        }
    }

    #test(alert, seconds, isFirst) {
        const inEvening = isFirst ? '' : `alertname="${alert}",`;
        const steps = Math.ceil(seconds / STEP_S);
        const at = (step) => `${step * STEP_S}s`;
        return {
            rule_files: [ALERTS],
            evaluation_interval: '15s',
            tests: [{
                interval: `${STEP_S}s`,
                input_series: this.#names().map((series) => ({ series, values: this.#values(series, steps) })),
                promql_expr_test: [
                    { expr: `ALERTS{${inEvening}alertstate="firing"}`, eval_time: at(EVENING_STEPS + this.evening - 1), exp_samples: [] },
                    {
                        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0 or vector(0)`,
                        eval_time: at(EVENING_STEPS + this.#scrapes.length + steps - 1),
                        exp_samples: [{ labels: '{}', value: 1 }],
                    },
                ],
            }],
        };
    }

    #names() {
        return [...new Set(this.#scrapes.flatMap(({ values }) => [...values.keys()])), `up{${OURS}}`]
            .filter((name, i, all) => all.indexOf(name) === i);
    }

    /** One series: the evening, the scrapes, and the night as it goes on. */
    #values(series, steps) {
        const name = series.slice(0, series.indexOf('{'));
        const moment = name.endsWith('_time_seconds');
        const begin = this.#scrapes[0].at - EVENING_STEPS * STEP_S; // time 0 of the test
        const seen = this.#scrapes.map(({ values }) => (name === 'up' ? values.get(series) ?? 1 : values.get(series)))
            .map((value) => (moment && value !== undefined ? value - begin : value));
        const text = seen.map((value, i) => value ?? (seen[i - 1] === undefined ? MISSING : 'stale'));
        const first = moment && seen[0] !== undefined ? `${seen[0] - EVENING_STEPS * STEP_S}+${STEP_S}x${EVENING_STEPS - 1}` : `${text[0]}x${EVENING_STEPS - 1}`;
        return [first, ...text, this.#onwards(name, seen, steps)].join(' ');
    }

    #onwards(name, seen, steps) {
        const last = seen.at(-1);
        if (last === undefined) return `${MISSING}x${steps}`;
        const pace = this.#pace(name, seen);
        return `${last + pace}${pace < 0 ? '-' : '+'}${Math.abs(pace)}x${steps - 1}`;
    }

    /** How much it grows from one step to the next. */
    #pace(name, seen) {
        const type = this.#scrapes.findLast(({ types }) => types?.has(name.replace(/_(sum|count)$/, '')))?.types.get(name.replace(/_(sum|count)$/, ''));
        if (type === 'counter' || type === 'summary') {
            const night = seen.slice(this.evening - 1).filter((value) => value !== undefined);
            return Math.max(0, night.at(-1) - night[0]) / Math.max(1, night.length - 1);
        }
        const isAge = name.endsWith('_seconds') && !name.endsWith('_time_seconds');
        return isAge && seen.at(-1) > (seen.at(-2) ?? Infinity) ? STEP_S : 0;
    }
}
