// Charts as SVG, each with the same figures as a table for those who cannot see it.

import { el, svg } from './dom.js';

const HEIGHT = 200, LEFT = 44, BOTTOM = 26, TOP = 10;
const TICKS = 4;
// As wide as there is room when it is drawn, so that its letters have the size of others.
const width = () => Math.min(1024, Math.max(280, document.documentElement.clientWidth - 90));

/** The top of a scale whose ticks are round: at least the largest value. */
export function ceiling(values) {
    const most = Math.max(0, ...values);
    if (most <= TICKS && values.every(Number.isInteger)) return TICKS;
    const power = 10 ** Math.floor(Math.log10(most / TICKS || 1));
    return [1, 2, 5, 10].map((times) => times * power * TICKS).find((top) => top >= most);
}

const colour = ({ tone }, i) => tone ?? i;
const upTo = (value, top) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);

function scale(top, unit, wide) {
    return Array.from({ length: TICKS + 1 }, (_, i) => (top * i) / TICKS).map((value) => svg('g',
        svg('line.grid', { x1: LEFT, x2: wide, y1: upTo(value, top), y2: upTo(value, top) }),
        svg('text', { x: LEFT - 8, y: upTo(value, top) + 4, 'text-anchor': 'end' }, `${Number(value.toPrecision(3))}${unit}`)));
}

function ends(labels, wide) {
    if (labels.length === 0) return [];
    return [svg('text', { x: LEFT, y: HEIGHT - 4 }, labels[0]), svg('text', { x: wide, y: HEIGHT - 4, 'text-anchor': 'end' }, labels.at(-1))];
}

/** What every chart has: its drawing, its key, its table. */
function figure(title, { labels, series, unit }, wide, drawing) {
    return el('figure.chart', el('figcaption', title, el('span.key', series.map((each, i) => el(`span.series.s${colour(each, i)}`, each.name)))),
        svg('svg', { viewBox: `0 0 ${wide} ${HEIGHT}`, role: 'img', 'aria-label': title }, drawing),
        el('details', el('summary', 'As a table'), el('div.scroll', { tabindex: '0', role: 'group', 'aria-label': `${title}: figures` }, el('table',
            el('thead', el('tr', el('th', { scope: 'col' }, 'When'), series.map(({ name }) => el('th.end', { scope: 'col' }, name)))),
            el('tbody', labels.map((label, i) => el('tr', el('th', { scope: 'row' }, label), series.map(({ values }) => el('td.end', `${values[i]}${unit}`)))))))));
}

/** lines('Swaps', { labels: ['10:00', …], series: [{ name, values }], unit: ' ms', top: 100 }); a series may have the colour of another place. */
export function lines(title, {
    labels, series, unit = '', top = ceiling(series.flatMap(({ values }) => values)),
}) {
    const wide = width();
    const across = (i, count) => LEFT + (count < 2 ? 0 : (i * (wide - LEFT)) / (count - 1));
    return figure(title, { labels, series, unit }, wide, [scale(top, unit, wide), ends(labels, wide), series.map((each, i) => svg(`polyline.s${colour(each, i)}`, {
        points: each.values.map((value, at) => `${across(at, each.values.length)},${upTo(value, top)}`).join(' '),
    }))]);
}

/** The same as bars, those of one label upon each other. */
export function bars(title, { labels, series, unit = '' }) {
    const sums = labels.map((_, i) => series.reduce((sum, { values }) => sum + values[i], 0));
    const top = ceiling(sums), wide = width(), step = (wide - LEFT) / labels.length;
    const stack = labels.map((_, i) => {
        let below = 0;
        return series.map((each, s) => {
            const { values } = each, y = upTo(below + values[i], top), height = upTo(below, top) - y;
            below += values[i];
            return svg(`rect.s${colour(each, s)}`, { x: LEFT + i * step + step * 0.15, y, width: step * 0.7, height, rx: 2 });
        });
    });
    return figure(title, { labels, series, unit }, wide, [scale(top, unit, wide), ends(labels, wide), stack]);
}
