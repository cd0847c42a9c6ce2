// Operator: how the service went, as charts, and the kill switch.

import { query } from './api.js';
import { bars, lines } from './chart.js';
import { el, fill } from './dom.js';
import { agentLink, askOperator, order } from './operator-session.js';
import {
    badge, dollars, empty, fetched, field, table, time,
} from './ui.js';

const SPANS = [['hour', 'Last hour'], ['day', 'Last day'], ['two_days', 'Last two days'], ['week', 'Last week'], ['month', 'Last month'], ['year', 'Last 13 months']];
const HOUR_S = 3600, DAY_S = 86_400;
const BAD = 2, OTHERS = 3; // colours: of what went wrong, of the rest
const CHAINS_SHOWN = 2; // in one chart; the others are one series

export function showOverview() {
    const trading = el('div'), charts = el('div');
    const span = field('Span', { choices: SPANS, value: 'hour' });
    const show = () => fill(charts, fetched(() => askOperator('GET', query('/series', { span: span.input.value })), drawn));
    span.input.addEventListener('change', show);
    fill(trading, tradingPart());
    show();
    return [trading, el('div.listing', el('div.filters', span.node), charts)];
}

// ---------------------------------------------------------------- the kill switch

function tradingPart() {
    const place = el('div'), list = el('div');
    const show = () => fill(list, fetched(() => askOperator('GET', '/trading'), (found) => view(found)));
    const view = ({ stopped, database_older: older, stops }) => [
        el('div.card', el('div.head', el('h2', 'Trading '), badge(stopped ? 'stopped' : 'active')),
            el('p', words(stopped, older)),
            el('div.row', stopped
                ? order('Resume trading', '/trading/resume', { place, done: show, said: 'Trading goes on', ask: { title: 'Let trading go on?', text: 'Agents that are stopped by themselves stay so.', word: 'resume' } })
                : order('Stop all trading', '/trading/stop', { place, done: show, said: 'All trading is stopped', ask: { title: 'Stop all trading?', text: 'Nothing is signed for any agent any more. What is under way is still followed to its end.', word: 'stop', danger: true } })),
            place),
        stops.some(({ agent }) => agent) && [el('h2', 'Stopped and banned agents'), table('Stopped and banned agents', [
            { title: 'Agent', of: ({ agent, name }) => agentLink(agent, name) },
            { title: 'Trading', of: ({ trading }) => (trading ? badge('stopped') : 'allowed') },
            { title: 'Key', of: ({ access }) => (access ? badge('banned') : 'opens') },
            { title: 'Since', of: ({ since }) => time(since) },
        ], stops.filter(({ agent }) => agent))],
    ];
    show();
    return list;
}

function words(stopped, older) {
    if (older) return 'Stopped, since the database is older than it was: agentctl reconcile comes first.';
    return stopped ? 'Nothing is signed for any agent.' : 'Wallets are signed for, within the limits of policies and of the signer.';
}

// ---------------------------------------------------------------- charts

/** When each point begins, as short as the span allows. */
function labelsOf({ from, step_seconds: step, points }) {
    const form = step < HOUR_S ? { hour: '2-digit', minute: '2-digit' } : { month: 'short', day: 'numeric', ...(step < DAY_S && { hour: '2-digit' }) };
    return Array.from({ length: points }, (_, i) => new Date(Date.parse(from) + i * step * 1000).toLocaleString(undefined, form));
}

const sumOf = (values) => values.reduce((all, value) => all + Number(value), 0);
const added = (lists, points) => Array.from({ length: points }, (_, i) => sumOf(lists.map((list) => list[i])));

/** The busiest chains by themselves, the rest together. */
function byChain(chains, points, valuesOf) {
    const sorted = [...chains].sort((a, b) => sumOf(valuesOf(b)) - sumOf(valuesOf(a)));
    const shown = sorted.slice(0, CHAINS_SHOWN).map((each) => ({ name: each.chain, values: valuesOf(each).map(Number) }));
    const rest = sorted.slice(CHAINS_SHOWN);
    return rest.length === 0 ? shown : [...shown, { name: 'others', values: added(rest.map(valuesOf), points), tone: OTHERS }];
}

/** Only the points at which there was anything, since no value is not a value of nothing. */
function where(labels, present, series) {
    const kept = labels.map((_, i) => i).filter((i) => present[i] > 0);
    return { labels: kept.map((i) => labels[i]), series: series.map((each) => ({ ...each, values: kept.map((i) => each.values[i]) })) };
}

function drawn(found) {
    const chain = field('Chain', { choices: [['', 'All chains'], ...found.chains.map(({ chain: key }) => key)] });
    const place = el('div.listing');
    const show = () => fill(place, charts(found, found.chains.filter(({ chain: key }) => chain.input.value === '' || key === chain.input.value)));
    chain.input.addEventListener('change', show);
    show();
    return el('div.listing', found.chains.length > 1 && el('div.filters', chain.node), place);
}

function charts(found, chains) {
    const labels = labelsOf(found), { points, answers, deliveries } = found;
    const of = (member) => added(chains.map((each) => each[member]), points);
    const completed = of('completed'), failed = of('failed'), ended = added([completed, failed], points);
    return [
        el('div.tiles',
            tile('Volume', dollars(sumOf(of('volume_usd')).toFixed(2)), `${sumOf(of('accepted'))} swaps accepted`),
            tile('Success', sumOf(ended) > 0 ? `${share(sumOf(completed), sumOf(ended))} %` : '–', `${sumOf(completed)} completed, ${sumOf(failed)} failed`),
            tile('Answers', String(sumOf(answers.count)), `99 of 100 within ${Math.max(...answers.p99_ms)} ms`),
            tile('Webhooks', String(sumOf(deliveries.delivered)), `${sumOf(deliveries.retried)} to be repeated, ${sumOf(deliveries.failed)} given up`)),
        chains.length === 0 ? empty('No swaps', 'None in this span.') : swapCharts(labels, chains, points, { completed, failed, ended }),
        lines('Time to answer', { unit: ' ms', ...where(labels, answers.count, [['half within', 'p50_ms'], ['95 of 100', 'p95_ms'], ['99 of 100', 'p99_ms', OTHERS]].map(([name, member, tone]) => ({ name, values: answers[member], tone }))) }),
        bars('Webhook deliveries', { labels, series: ['delivered', 'retried', 'failed'].map((name) => ({ name, values: deliveries[name] })) }),
    ];
}

const share = (part, all) => Number(((100 * part) / all).toFixed(1));
const tile = (label, value, more) => el('div.tile', el('span.label', label), el('strong', value), el('span.muted', more));

function swapCharts(labels, chains, points, { completed, failed, ended }) {
    const one = chains.length === 1;
    const times = one ? [['half within', 'p50_s'], ['95 of 100', 'p95_s']].map(([name, member]) => ({ name, values: chains[0][member] }))
        : byChain(chains, points, ({ p95_s: values }) => values).slice(0, CHAINS_SHOWN);
    return [
        bars('Volume', { labels, unit: ' $', series: byChain(chains, points, ({ volume_usd: values }) => values) }),
        bars('Swaps', { labels, series: [{ name: 'completed', values: completed }, { name: 'failed', values: failed, tone: BAD }] }),
        lines('Success', { unit: ' %', top: 100, ...where(labels, ended, [{ name: 'completed of those that ended', values: ended.map((all, i) => share(completed[i], all || 1)) }]) }),
        lines(one ? 'Time to complete' : 'Time to complete, 95 of 100', { unit: ' s', ...where(labels, completed, times) }),
    ];
}
